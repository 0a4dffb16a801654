"""Images in the detail: drawn where the terminal can, in words where it cannot."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from builders import png
from driving import session_open, text_of, until
from logs import START, Log

from ccbrowse.tui.screens.session_pictures import SessionPictures


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A prompt with an image, and one whose image is none."""
    log = Log("aaaa0000-0000-4000-8000-000000000001")
    log.time = START
    before = None
    for name, raw in (("good", png(40, 20, (200, 30, 40))), ("bad", b"no image")):
        source = {
            "type": "base64",
            "media_type": "image/png",
            "data": base64.b64encode(raw).decode(),
        }
        image = {"type": "image", "source": source}
        log.user(name, [{"type": "text", "text": f"A {name} one"}, image], before)
        log.reply(f"to {name}")
        before = f"to {name}"
    return log.write(tmp_path)


async def test_images_are_drawn_or_say_why_not(
    session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SessionPictures, "draws_pictures", True)
    async with session_open(session, size=(150, 40)) as (pilot, screen):
        screen.timeline.go_to("good")
        await until(lambda: "▀▀▀▀" in text_of(screen.detail))
        shown = text_of(screen.detail).split("\n")
        first = next(n for n, row in enumerate(shown) if "40 × 20]" in row)
        assert [row.strip() for row in shown[first + 1 : first + 12]] == ["▀" * 40] * 10 + [""]
        colours = {
            str(each.style.color.triplet)
            for each in screen.detail.render_line(first + 1)
            if each.style and each.style.color and "▀" in each.text
        }
        assert colours == {"ColorTriplet(red=200, green=30, blue=40)"}
        await pilot.resize_terminal(100, 30)
        await pilot.press("tab")
        screen.timeline.go_to("bad")
        await until(lambda: "it is no PNG, JPEG, GIF or WebP" in text_of(screen.detail))
        monkeypatch.setattr(SessionPictures, "draws_pictures", False)
        screen.timeline.go_to("good")
        await until(lambda: "no picture: the terminal" in text_of(screen.detail))
