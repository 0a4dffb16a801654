"""The given cases in the app: each item has a row and a detail, and nothing of a file acts on the screen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from driving import lines_of, make_app, until
from msgspec import Struct

from ccbrowse.core.locate import session_file
from ccbrowse.core.records import Kind
from ccbrowse.core.session import Session
from ccbrowse.tui.reader.session import Reading
from ccbrowse.tui.screens.openers import open_file
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.viewmodels.items import Choice
from ccbrowse.tui.viewmodels.lore import Lore
from ccbrowse.tui.viewmodels.source import SessionRows

OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
SEEN = ("p13", "r06", "r07", "r08", "r10", "x01")
"""Cases that are opened on a screen; all are read as rows."""


def files_of(given: Path, start: str) -> list[Path]:
    """The sessions of the cases whose names start so."""
    found = given.glob(f"{start}*/**/projects/*/*.jsonl")
    return [path for path in sorted(found) if path.is_file()]


@pytest.fixture
def given(root: Path) -> Path:
    return root / "tests" / "cases" / "given"


def rows_of(session: Session) -> SessionRows:
    """All rows of a session, with its branches, findings and subagents."""
    reading = Reading(session, Choice(everything=True))
    news = reading.first()
    closer = reading.look_closer()
    assert closer is not None and news.step is not None
    lore = Lore(dict(news.boundaries), dict(closer.findings), closer.forks, dict(closer.agents))
    items = closer.step.items if closer.step.anew else news.step.items
    return SessionRows(session, items, lore)


def words_in(value: object) -> Iterator[str]:
    """Every text within a view."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Struct):
        for each in value.__struct_fields__:
            yield from words_in(getattr(value, each))
    elif isinstance(value, tuple | list):
        for item in value:
            yield from words_in(item)


@pytest.mark.parametrize("kind", "prxc")
def test_every_item_of_a_case_has_a_row_and_a_detail_that_act_on_nothing(
    given: Path, kind: str
) -> None:
    files = files_of(given, kind)
    assert len(files) >= 5
    for path in files:
        with closing(Session.open(path)) as session:
            rows = rows_of(session)
            shown = set()
            for number in range(len(rows)):
                key = rows.key(number)
                view = rows.detail(key)
                assert view is not None and view.key == key, path
                for words in (*words_in(rows.row(number)), *words_in(view), rows.text(key)):
                    if words != key:
                        assert OBEYED.search(words) is None, (path, words)
                shown.add(rows.outline.rows[number])
            # A result stands with its call.
            said = {row for row in session.chain if session.index.kind[row] != Kind.RESULT}
            assert not said - shown, path


async def test_hostile_cases_are_opened_one_after_the_other(given: Path) -> None:
    app = make_app()
    async with app.run_test(size=(140, 40)) as pilot:
        for start in SEEN:
            for path in files_of(given, start):
                screen = SessionScreen(open_file(session_file(path)))
                await app.push_screen(screen)
                await until(lambda screen=screen: screen.looked)  # type: ignore[misc]  # bound at once
                await pilot.press("g", "j", "t")
                await pilot.pause()
                lines = [line for widget in (screen.timeline,) for line in lines_of(widget)]
                assert any(line.strip() for line in lines)
                assert all(OBEYED.search(line) is None for line in lines), path
                await pilot.press("x")
                await until(lambda screen=screen: app.screen is not screen)  # type: ignore[misc]  # as above
                await pilot.press("escape")
                await until(lambda screen=screen: app.screen is screen)  # type: ignore[misc]  # as above
                await app.pop_screen()
