"""Every text of a session is hostile, and nothing of it acts: on any screen, in dialogs, notices, titles."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builders import sampler
from driving import make_app, until
from harmless import faults_of_app, faults_of_strips
from textual.pilot import Pilot

from ccbrowse.core.locate import session_file
from ccbrowse.core.session import Session
from ccbrowse.core.targets import Resolved
from ccbrowse.tui.app import CcbrowseApp
from ccbrowse.tui.config import Settings
from ccbrowse.tui.screens.compaction import CompactionScreen
from ccbrowse.tui.screens.comparing import ComparingScreen
from ccbrowse.tui.screens.dialogs import Confirm, Letter, Offer, Pick
from ccbrowse.tui.screens.export import ExportDialog
from ccbrowse.tui.screens.openers import open_file
from ccbrowse.tui.screens.palette import Palette
from ccbrowse.tui.screens.search import SearchScreen
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.screens.sessions import SessionsScreen

STING = "z[red]KAN\u202eARI[/]\x1b]0;own\x07\x1b[31m\x9b2J\x1b]8;;http://canary.example\x07[@click=app.bell]x"
SHOWN = "z[red]KANARI[/]"
"""What is seen of it, as it stands; `zKAN` where somebody took it for markup."""

BUILT_OF = frozenset(
    ("type", "subtype", "role", "timestamp", "trigger", "stop_reason", "level", "data")
)
"""Fields by which the client's records are what they are; all others are stung."""


def stung(value: Any, key: str = "") -> Any:
    """The same value with a sting in every text and name, so that what was linked still is."""
    match value:
        case str():
            return value if key in BUILT_OF else value + STING
        case list():
            return [stung(each, key) for each in value]
        case dict() if key == "input":
            return {name + STING: stung(each, name) for name, each in value.items()} | value
        case dict():
            return {name: stung(each, name) for name, each in value.items()}
    return value


def odd_records() -> Iterator[dict[str, Any]]:
    """Records whose types are hostile, too."""
    for number, kind in enumerate(("user", "assistant", "system", "attachment", STING, "odd")):
        content = [
            {"type": STING, STING: STING},
            {"type": "tool_use", "id": STING, "name": STING, "input": STING},
        ]
        yield {
            **{
                "type": kind,
                "subtype": STING,
                "uuid": f"odd{number}",
                "parentUuid": f"odd{number - 1}",
            },
            **{
                "timestamp": "2026-03-03T11:00:00Z",
                "level": STING,
                "content": STING,
                "customTitle": STING,
            },
            **{
                "message": {"role": STING, "content": content, "model": STING, "stop_reason": STING}
            },
            **{
                "attachment": {"type": STING, "content": STING},
                "error": STING,
                "cwd": STING,
                "version": STING,
            },
        }


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sampler's session with a sting in all that it says, its project's folder and its file's name too."""
    made = sampler("2.1.332").write(tmp_path_factory.mktemp("made"))
    folder = tmp_path_factory.mktemp("hostile") / "projects" / f"-home-ada-{STING}".replace("/", "")
    name = f"{made.stem}{STING}".replace("/", "")
    for path in (made, *made.with_suffix("").rglob("*")):
        if not path.is_file():
            continue
        beside = path.relative_to(made.parent) if path != made else Path(f"{name}.jsonl")
        target = folder / (Path(name, *beside.parts[1:]) if path != made else beside)
        target.parent.mkdir(parents=True, exist_ok=True)
        lines = path.read_text(encoding="utf-8").splitlines()
        if path.suffix != ".jsonl":
            target.write_text(path.read_text(encoding="utf-8") + STING, encoding="utf-8")
            continue
        records = [stung(json.loads(line)) for line in lines]
        title = [{"type": "custom-title", "customTitle": f"Title{STING}", "sessionId": STING}]
        odd = [*odd_records(), *title] if path == made else []
        target.write_text(
            "".join(json.dumps(each) + "\n" for each in (*records, *odd)), encoding="utf-8"
        )
    return folder / f"{name}.jsonl"


class Eyes:
    """Looks at all that an app shows, and remembers whether the sting was among it."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot
        self.app = pilot.app
        self.seen: dict[str, bool] = {}

    async def look(self) -> None:
        """What is on the screen does no harm, and the sting stands there as it is."""
        await self.pilot.pause()
        self.take("\n".join(strip.text for strip in self.app.screen._compositor.render_strips()))
        assert list(faults_of_app(self.app)) == []

    def take(self, text: str) -> None:
        assert "zKAN" not in text, "somebody took it for markup"
        name = type(self.app.screen).__name__
        self.seen[name] = self.seen.get(name, False) or SHOWN in text

    async def press(self, *keys: str) -> None:
        """Press keys, and look after each."""
        for key in keys:
            await self.pilot.press(key)
            await self.look()

    async def comes(self, screen: type) -> None:
        """Wait until a screen is on top, and look at it."""
        await until(lambda: isinstance(self.app.screen, screen))
        await self.look()


def details_of(eyes: Eyes, screen: SessionScreen) -> None:
    """Every row's detail, in full, as it says it, as Markdown, and raw."""
    rows, detail = screen.rows, screen.detail
    assert rows is not None and len(rows) > 60
    for rendered, raw in ((False, False), (True, False), (False, True)):
        screen.lore.rendered, screen.lore.raw = rendered, raw
        for number in range(len(rows)):
            detail.show(rows.detail(rows.key(number)))
            strips = [strip for row in range(detail.count) for strip in detail.draw_row(row)]
            assert list(faults_of_strips(strips, rows.key(number))) == []
            eyes.take("\n".join(strip.text for strip in strips))
    screen.lore.rendered = screen.lore.raw = False


async def test_nothing_of_a_session_acts_on_any_screen(hostile: Path, tmp_path: Path) -> None:
    root = hostile.parent.parent
    settings = replace(Settings(), roots=((STING, str(root)),))
    app = CcbrowseApp([root], settings=settings)
    async with app.run_test(size=(200, 50), notifications=True, tooltips=True) as pilot:
        eyes = Eyes(pilot)
        await eyes.comes(SessionsScreen)
        listed = app.screen
        assert isinstance(listed, SessionsScreen)
        await until(lambda: listed.is_read and listed.chosen is not None)
        await eyes.press("y", "r", "H", "s", "Y")
        await eyes.comes(Pick)
        await eyes.press("escape", "R")
        await eyes.comes(Offer)
        await eyes.press("escape", "enter")
        await until(lambda: isinstance(app.screen, SessionScreen))
        screen = app.screen
        assert isinstance(screen, SessionScreen)
        await until(lambda: screen.reading is not None and screen.looked)
        await eyes.press("t", "T", "T", "e", "t", "t", "g", "y", "r", "i")
        await eyes.comes(Pick)
        await eyes.press("escape", "b", "escape", "A")
        await eyes.comes(Pick)
        await eyes.press("enter")
        await until(lambda: app.screen is not screen and isinstance(app.screen, SessionScreen))
        await eyes.look()
        await eyes.press("q", "Y")
        await eyes.comes(Pick)
        await eyes.press("escape", "m")
        await eyes.comes(Letter)
        await eyes.press("a", "j", "j", "m", "b", "D")
        await eyes.comes(ComparingScreen)
        await eyes.press("q", "ctrl+p")
        await eyes.comes(Palette)
        await eyes.press("escape", "colon", *"xyz", "enter", "slash", *"KAN", "enter")
        await until(lambda: screen.is_found)
        await eyes.press("n", "escape")
        details_of(eyes, screen)
        await eyes.press("x")
        await eyes.comes(ExportDialog)
        target = tmp_path / STING.replace("/", "")
        target.touch()
        app.screen.query_one("#target").value = str(target)  # type: ignore[attr-defined]  # an Input
        await eyes.press("ctrl+s")
        await eyes.comes(Confirm)
        await eyes.press("n", "escape", "L")
        await eyes.comes(CompactionScreen)
        losses = app.screen
        assert isinstance(losses, CompactionScreen)
        await until(lambda: losses.found is not None and losses.found.loss is not None)
        await eyes.press("b", "b", "b", "tab", "j", "P")
        await until(lambda: losses.requests is not None)
        await eyes.press("j", "tab", "j", "enter", "3", "c", *"no", "enter")
        await eyes.press("q", "q", "ctrl+f")
        await eyes.comes(SearchScreen)
        search = app.screen
        assert isinstance(search, SearchScreen)
        await eyes.press(*"KAN", "enter")
        await until(lambda: search.rows.hits and not search.progress.searching)
        await eyes.press("j", "enter")
        await until(lambda: isinstance(app.screen, SessionScreen))
        await eyes.look()
    unseen = {name for name, was in eyes.seen.items() if not was}
    assert unseen <= {"Letter", "Palette"}, "these say nothing of a session"


async def test_neither_does_what_comes_while_it_is_followed_nor_what_cannot_be_read(
    hostile: Path, tmp_path: Path
) -> None:
    path = tmp_path / "projects" / hostile.parent.name / hostile.name
    path.parent.mkdir(parents=True)
    path.write_bytes(hostile.read_bytes())
    more = {
        "type": "user",
        "uuid": f"more{STING}",
        "message": {"role": "user", "content": f"More {STING}"},
    }
    target = Resolved(Session(session_file(path)), None, None)
    app = make_app(path.parent.parent, target=target)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        eyes = Eyes(pilot)
        await until(lambda: isinstance(app.screen, SessionScreen))
        screen = app.screen
        assert isinstance(screen, SessionScreen)
        await until(lambda: screen.looked)
        before = screen.timeline.count
        with path.open("ab") as file:
            file.write(b'{"type": "\x1b[31m\n' + json.dumps(more).encode() + b"\n")
        await until(lambda: screen.timeline.count > before)
        await eyes.look()
        file_there = session_file(path)
        path.unlink()
        await until(lambda: any("removed" in note.message for note in app._notifications))
        await eyes.look()
        app.push_screen(SessionScreen(open_file(file_there), file=file_there))
        await until(lambda: any("file is gone" in note.message for note in app._notifications))
        await eyes.look()
