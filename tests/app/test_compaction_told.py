"""What a session's own screen says of compactions: the boundary's last line, the forecast."""

from __future__ import annotations

from pathlib import Path

import lossy
import pytest
from builders import OPENING, SessionBuilder, turn
from driving import make_app, opened, session_open, text_of, toasts, until

from ccbrowse.core.compaction import Bucket, compaction
from ccbrowse.core.forecast import Basis
from ccbrowse.core.locate import session_file
from ccbrowse.core.session import Session
from ccbrowse.core.targets import Resolved
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.viewtypes import BoundaryRow
from ccbrowse.tui.widgets.fill import Fill
from ccbrowse.tui.widgets.status import StatusLine


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The session whose losses are known; nothing here writes to it."""
    return lossy.write(tmp_path_factory.mktemp("lossy") / "projects")


def last_note(screen: SessionScreen) -> str:
    """What the last line of the boundary of the segment under the cursor says."""
    assert screen.rows is not None
    row = screen.rows.row(screen.starts[screen.segment_at_cursor - 1])
    assert isinstance(row, BoundaryRow)
    return "".join(piece.text for piece in row.notes[-1])


def append(path: Path, b: SessionBuilder) -> None:
    """Let the file grow by what was built since it was written."""
    with path.open("ab") as file:
        file.write(b.data())


async def test_a_boundary_in_view_says_what_was_lost(path: Path) -> None:
    session = Session(session_file(path))
    found = compaction(session, 1)
    session.close()
    assert found.loss is not None and found.summary is not None
    lost = found.loss.buckets[Bucket.NOT_FOUND].items
    async with session_open(path, segment=2) as (_, screen):
        await until(lambda: "not found" in last_note(screen))
        assert last_note(screen) == (
            f"summary {found.summary.tokens.value}≈ · kept {len(found.carried_over)}"
            f" · put back 1 file · not found {lost}  » L"
        )
        shown = text_of(screen.timeline)
        assert f"not found {lost}  » L" in shown and "━━ compact 1 ━ manual" in shown


async def test_what_is_told_survives_growth_and_other_rows(tmp_path: Path) -> None:
    b = lossy.build()
    path = b.write(tmp_path / "projects")
    async with session_open(path, segment=2) as (pilot, screen):
        await until(lambda: "not found" in last_note(screen))
        told = last_note(screen)
        count = screen.timeline.count
        turn(b, "And now the docs.", say="Written.")
        append(path, b)
        await until(lambda: screen.timeline.count > count)
        assert last_note(screen) == told
        await pilot.press("e")
        await pilot.pause()
        assert last_note(screen) == told


async def test_a_new_boundary_is_told_again_once_a_request_follows(tmp_path: Path) -> None:
    b = lossy.build()
    b.compact(f"{OPENING}\n\nNothing more.")
    path = b.write(tmp_path / "projects")
    async with session_open(path, segment=4) as (_, screen):
        await until(lambda: "not found" in last_note(screen))
        turn(b, "And now the docs.", say="Written.")
        append(path, b)
        reading = screen.reading
        assert reading is not None
        await until(lambda: reading.session.segments[-1].requests)
        await until(lambda: not screen.look_for_losses())
        assert "not found" in last_note(screen)


async def test_a_large_file_is_not_read_twice_unasked(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ccbrowse.tui.screens.session_compaction.READ_ALONE", 10)
    async with session_open(path, segment=2) as (pilot, screen):
        await until(lambda: screen.is_weighed)
        assert not screen.look_for_losses()
        assert last_note(screen).startswith("kept ")
        await pilot.press("L")
        await until(lambda: pilot.app.screen is not screen)


def growing(root: Path) -> Path:
    """A session that grows by about the same at each turn, and was compacted twice by itself."""
    b = SessionBuilder("2.1.332", seed="growing")
    for _ in range(2):
        for number in range(12):
            turn(
                b,
                f"Chapter {number}: tell me more. " + "More of the sea. " * 40,
                say="The sea. " * 90,
            )
        b.compact(f"{OPENING}\n\nThe sea.", keep=0)
    for number in range(5):
        turn(
            b, f"Chapter {number}: tell me more. " + "More of the sea. " * 40, say="The sea. " * 90
        )
    return b.write(root)


async def test_the_forecast_stands_in_the_top_line_with_its_basis_on_demand(
    tmp_path: Path,
) -> None:
    async with session_open(growing(tmp_path / "projects")) as (pilot, screen):
        await until(lambda: screen.forecast is not None)
        await pilot.pause()
        forecast = screen.forecast
        assert forecast is not None
        turns = "1 turn" if forecast.turns == 1 else f"{forecast.turns} turns"
        interval = f"({forecast.low}–{forecast.high})"
        assert f"next compact ≈ {turns} {interval}" in text_of(screen.query_one(StatusLine))
        await pilot.press("f")
        said = toasts(pilot)[-1]
        assert f"{forecast.trigger:,} tokens, as this session's own compactions came" in said
        assert f"over {forecast.observed} turns" in said


async def test_where_nothing_can_be_foreseen_it_says_so(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.332", seed="empty")
    b.prompt("Hello")
    async with session_open(b.write(tmp_path / "projects")) as (pilot, screen):
        await pilot.press("f")
        assert toasts(pilot)[-1].startswith("no forecast")
        assert "next compact" not in text_of(screen.query_one(StatusLine))


async def test_it_learns_from_the_other_sessions_of_the_list(tmp_path: Path) -> None:
    root = tmp_path / "projects"
    for seed, compact in (("other", True), ("open", False)):
        b = SessionBuilder("2.1.181", seed=seed)
        for number in range(4):
            turn(b, f"Wish {number} " + "pear " * 200, say="Yes. " + "plum " * 300)
        if compact:
            b.compact(f"{OPENING}\n\nFruit.", keep=0)
            turn(b, "On", say="Yes.")
        path = b.write(root)
    app = make_app(root, target=Resolved(Session(session_file(path, root))))
    async with app.run_test(size=(160, 48)) as pilot:
        screen = await opened(app)
        await until(lambda: screen.forecast is not None and screen.forecast.basis is Basis.SEEN)
        await pilot.press("f")
        said = toasts(pilot)[-1]
        assert "as in your sessions with this model and client" in said
        assert "and 1 earlier compaction" in said


async def test_the_curve_is_that_of_the_session_or_of_the_segment_at_the_cursor(
    path: Path,
) -> None:
    async with session_open(path, size=(160, 48), segment=2) as (pilot, screen):
        curve = screen.query_one(Fill)
        assert curve.border_title == "context"
        assert "2 auto" in text_of(curve)
        await pilot.press("c")
        assert curve.border_title == "context · segment 2"
        assert "2 auto" in text_of(curve) and "3 now" not in text_of(curve)
        await pilot.press("3")
        assert curve.border_title == "context · segment 3"
        await pilot.press("c")
        assert curve.border_title == "context"
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert not curve.display or not curve.region
        await pilot.press("c")
        await pilot.pause()
        assert curve.region.height == 7
