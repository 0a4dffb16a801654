"""The top and the bottom line in a small app: what gives way, what is always there."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult

from ccbrowse.core.text import SafeText
from ccbrowse.tui.signs import ASCII, UNICODE, Signs
from ccbrowse.tui.viewtypes import Follow, FooterView, HeaderView, KeyHint, Tone, line
from ccbrowse.tui.widgets.status import KeyBar, StatusLine


class Host(App[None]):
    def __init__(self, signs: Signs = UNICODE) -> None:
        super().__init__()
        self.top = StatusLine(signs=signs)
        self.bottom = KeyBar(signs=signs)
        self.chosen: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.top
        yield self.bottom

    def on_key_bar_chosen(self, message: KeyBar.Chosen) -> None:
        self.chosen.append(message.command)


def header(
    follow: Follow = Follow.FOLLOWING, unread: int = 0, title: str = "Fix login flow"
) -> HeaderView:
    return HeaderView(
        line(
            (SafeText("acme/api"), Tone.MUTED),
            (SafeText(title), Tone.STRONG),
            SafeText("segment 3 of 4"),
        ),
        follow,
        unread,
        (
            line(SafeText("context "), (SafeText("151,004="), Tone.STRONG), SafeText(" of 200k")),
            line(
                (SafeText("next "), Tone.MUTED),
                (SafeText("compact ≈ 11 turns"), Tone.STRONG),
                (SafeText(" (7–16)"), Tone.MUTED),
            ),
        ),
    )


def hint(keys: str, name: str) -> KeyHint:
    return KeyHint(SafeText(keys), SafeText(name), f"do.{name}")


FOOTER = FooterView(
    (hint("{ }", "boundary"), hint("J K", "prompt"), hint("t", "tools"), hint("x", "export")),
    hint("?", "help"),
)


def text_of(widget: StatusLine | KeyBar) -> str:
    return widget.render_line(0).text.strip()


async def test_the_top_line_with_room() -> None:
    app = Host()
    async with app.run_test(size=(150, 4)):
        app.top.show(header())
        parts = [part.strip() for part in text_of(app.top).split("    ") if part.strip()]
        assert parts == [
            "acme/api › Fix login flow › segment 3 of 4",
            "● LIVE following",
            "context 151,004= of 200k",
            "next compact ≈ 11 turns (7–16)",
        ]


@pytest.mark.parametrize(
    ("width", "shown", "gone"),
    [
        (118, ["LIVE", "context 151,004= of 200k", "  compact ≈ 11 turns"], ["next", "(7–16)"]),
        (100, ["LIVE", "context 151,004=", "compact ≈ 11 turns"], ["following", "of 200k"]),
        (86, ["Fix login f", "LIVE", "151,004=", "compact ≈ 11 turns"], ["context"]),
        (72, ["Fix login flow", "LIVE", "151,004="], ["following", "compact"]),
        (54, ["Fix login", "…", "segment 3 of 4", "LIVE"], ["context", "following"]),
    ],
)
async def test_what_gives_way(width: int, shown: list[str], gone: list[str]) -> None:
    app = Host()
    async with app.run_test(size=(width, 4)):
        long = " and all that hangs on it" if width == 54 else ""
        app.top.show(header(title=f"Fix login flow{long}"))
        text = text_of(app.top)
        assert all(word in text for word in shown), text
        assert not any(word in text for word in gone), text


@pytest.mark.parametrize("width", [1, 10, 30, 80])
async def test_a_long_wide_title_is_cut_within_the_line(width: int) -> None:
    app = Host()
    async with app.run_test(size=(width, 4)):
        app.top.show(header(title="漢字の表を並べる" * 20))
        app.bottom.show(FOOTER)
        for widget in (app.top, app.bottom):
            assert cell_len(widget.render_line(0).text) == widget.content_size.width


@pytest.mark.parametrize(
    ("follow", "unread", "said"),
    [
        (Follow.PAUSED, 14, "❚❚ paused · 14 new ↓"),
        (Follow.PAUSED, 0, "❚❚ paused"),
        (Follow.GONE, 0, "✗ file removed"),
        (Follow.STILL, 0, ""),
    ],
)
async def test_states_are_words_too(follow: Follow, unread: int, said: str) -> None:
    app = Host()
    async with app.run_test(size=(150, 4)):
        app.top.show(header(follow, unread))
        assert said in text_of(app.top)
        assert ("LIVE" in text_of(app.top)) is False


async def test_keys_that_fit_and_help_always() -> None:
    app = Host()
    async with app.run_test(size=(80, 4)) as pilot:
        app.bottom.show(FOOTER)
        assert text_of(app.bottom) == "{ } boundary  J K prompt  t tools  x export  ? help"
        await pilot.resize_terminal(40, 4)
        await pilot.pause()
        assert text_of(app.bottom) == "{ } boundary  J K prompt  ? help"
        await pilot.resize_terminal(10, 4)
        await pilot.pause()
        assert text_of(app.bottom) == "? help"


async def test_a_click_on_a_key_is_its_command() -> None:
    app = Host()
    async with app.run_test(size=(80, 4)) as pilot:
        app.bottom.show(FOOTER)
        await pilot.pause()
        await pilot.click(app.bottom, offset=(16, 0))
        await pilot.click(app.bottom, offset=(70, 0))
        await pilot.pause()
        assert app.chosen == ["do.prompt"]


async def test_plain_signs() -> None:
    app = Host(ASCII)
    async with app.run_test(size=(150, 4)):
        app.top.show(header(Follow.PAUSED, 3))
        assert text_of(app.top).isascii()
        assert "|| paused - 3 new v" in text_of(app.top)
