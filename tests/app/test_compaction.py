"""The compaction screen: its loss view, moves among compactions, and the way to the originals."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event

import lossy
import pytest
from builders import SessionBuilder, turn
from driving import Driver, lines_of, session_open, text_of, toasts, until

from ccbrowse.core.compaction import Bucket, Compaction
from ccbrowse.tui.reader.compaction import Desk, Stop, Stopped, Tell
from ccbrowse.tui.screens.compaction import CompactionScreen
from ccbrowse.tui.screens.help import HelpPage
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.viewtypes import BoundaryRow
from ccbrowse.tui.widgets.detail import Detail
from ccbrowse.tui.widgets.losstable import LossGrid
from ccbrowse.tui.widgets.notes import Notes
from ccbrowse.tui.widgets.status import StatusLine
from ccbrowse.tui.widgets.summary import SummaryPane


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The session whose losses are known; nothing here writes to it."""
    return lossy.write(tmp_path_factory.mktemp("lossy") / "projects")


@asynccontextmanager
async def losses_open(
    path: Path, size: tuple[int, int] = (160, 48), segment: int = 2
) -> AsyncIterator[tuple[Driver, CompactionScreen]]:
    """The losses of the compaction that opens a segment, once they are known."""
    async with session_open(path, size=size, segment=segment) as (pilot, _):
        await pilot.press("L")
        yield pilot, await shown(pilot)


async def shown(pilot: Driver) -> CompactionScreen:
    """The compaction screen on top, once its losses are known."""
    await until(lambda: isinstance(pilot.app.screen, CompactionScreen))
    screen = pilot.app.screen
    assert isinstance(screen, CompactionScreen)
    await until(lambda: screen.loss is not None)
    await pilot.pause()
    return screen


def listed(screen: CompactionScreen) -> str:
    """What the list shows."""
    return text_of(screen.items)


def title(screen: CompactionScreen) -> str:
    """What stands in the frame of the list."""
    return screen.items.border_title or ""


def place_of(screen: CompactionScreen, label: str) -> int:
    """How many items stand above the one with this label in the list."""
    loss = screen.loss
    assert loss is not None
    keys = [screen.items.key_at(row) for row in range(screen.items.available)]
    return next(n for n, key in enumerate(keys) if label in loss.items[int(key)].label)


async def test_it_lists_what_was_not_found_the_instructions_first(path: Path) -> None:
    async with losses_open(path) as (_, screen):
        lines = lines_of(screen.items)
        assert lossy.LOST[:50] in lines[0] and "› you" in lines[0]
        assert lossy.TOLD not in listed(screen)
        assert any("decided" in line and "sqlite instead of redis" in line for line in lines)
        assert screen.loss is not None
        count = screen.loss.buckets[Bucket.NOT_FOUND].items
        assert title(screen) == f"not found · {count} · by worth"
        verdict = text_of(screen.query_one("#verdict", Notes))
        assert "no matching words in the summary; the model may still infer it" in verdict
        assert lossy.LOST in verdict


async def test_the_table_counts_each_kind_in_each_bucket_with_signs(path: Path) -> None:
    async with losses_open(path) as (_, screen):
        lines = {line[2:16].strip(): line for line in lines_of(screen.grid)}
        assert lines[""].split() == [
            "before",
            "kept",
            "put",
            "back",
            "in",
            "summary",
            "not",
            "found",
        ]
        assert lines["user text"].split()[2:10] == ["78≈", "5×", "–", "–", "13≈", "1×", "65≈", "4×"]
        assert lines["files"].split()[1] == "2×"  # a file weighs nothing of its own
        assert screen.loss is not None
        sums = [each.items for each in screen.loss.buckets.values()]
        assert lines["all"].split()[2] == f"{sum(sums)}×"
        shown = [int(word[:-1]) for word in lines["all"].split()[3:] if word.endswith("×")]
        assert shown == [count for count in sums if count]
        assert "▄" in lines["user text"] and "▁" in lines["user text"]


async def test_an_item_of_the_summary_has_its_sentence_marked(path: Path) -> None:
    async with losses_open(path) as (pilot, screen):
        await pilot.press("less_than_sign")
        assert title(screen).startswith("in summary")
        pane = screen.query_one(SummaryPane)
        screen.items.move_to(place_of(screen, lossy.TOLD))
        await pilot.pause()
        marked = [line for line in lines_of(pane) if line.startswith("▌")]
        assert [line.strip("▌ -") for line in marked] == [lossy.TOLD]
        assert lossy.TOLD in text_of(screen.query_one("#verdict", Notes))
        screen.items.move_to(place_of(screen, "KeyError"))
        await pilot.pause()
        marked = [line for line in lines_of(pane) if line.startswith("▌")]
        assert lossy.ERROR in marked[0] and "src/auth/session.py" in marked[-1]
        barred = [line for line in lines_of(pane) if line.startswith("│")]
        assert any(lossy.TOLD in line for line in barred)


async def test_buckets_and_kinds_are_chosen_by_keys_and_by_the_mouse(path: Path) -> None:
    async with losses_open(path) as (pilot, screen):
        titles = []
        for _ in range(5):
            await pilot.press("greater_than_sign")
            titles.append(title(screen).split(" · ")[0])
        assert titles == ["all items", "kept", "put back", "in summary", "not found"]
        await pilot.press("shift+tab")
        assert screen.at == "grid"
        await pilot.press("k", "k", "h")
        assert title(screen) == "in summary · errors · 1 · by worth"
        assert lossy.ERROR in listed(screen)
        await pilot.press("g")
        assert title(screen) == "in summary · user text · 1 · by worth"
        await pilot.press("enter")
        assert screen.at == "items"
        await pilot.click(LossGrid, offset=(2 + 2 + 14 + 1 * 12 + 5, 1 + 3))
        assert title(screen) == "kept · assistant text · 1 · by worth"
        assert "One key, unused." in listed(screen)


async def test_enter_goes_to_the_original_and_the_way_back_leads_to_the_same_item(
    path: Path,
) -> None:
    async with losses_open(path) as (pilot, screen):
        screen.items.move_to(place_of(screen, lossy.DECIDED))
        await pilot.press("enter")
        session = pilot.app.screen
        assert isinstance(session, SessionScreen) and session.rows is not None
        row = session.rows.row(session.timeline.cursor)
        assert not isinstance(row, BoundaryRow) and lossy.DECIDED in row.text
        await pilot.press("2", "P", "L")
        screen = await shown(pilot)
        item = screen.item_at_cursor
        assert item is not None and item.label == lossy.DECIDED


async def test_a_result_leads_to_its_call(path: Path) -> None:
    async with losses_open(path) as (pilot, screen):
        await pilot.press("greater_than_sign")
        screen.items.move_to(place_of(screen, "Read /home/robin/acme/api/src/auth/keys.py"))
        assert screen.item_at_cursor is not None
        await pilot.press("enter")
        session = pilot.app.screen
        assert isinstance(session, SessionScreen) and session.rows is not None
        row = session.rows.row(session.timeline.cursor)
        assert not isinstance(row, BoundaryRow) and "keys.py" in row.text


async def test_braces_go_to_other_compactions(path: Path) -> None:
    async with losses_open(path) as (pilot, screen):
        status = screen.query_one(StatusLine)
        assert "Sessions that end too late › compact 1 of 2" in text_of(status)
        await pilot.press("left_curly_bracket")
        assert toasts(pilot) == ["there is no compaction before"]
        await pilot.press("right_curly_bracket")
        await until(lambda: screen.loss is not None and screen.found is not None)
        await pilot.pause()
        assert "compact 2 of 2" in text_of(status)
        assert "All pass." in listed(screen)
        await pilot.press("right_curly_bracket")
        assert toasts(pilot)[-1] == "this is the newest compaction"


async def test_the_facts_tell_what_was_asked_kept_and_put_back(path: Path) -> None:
    async with losses_open(path) as (_, screen):
        facts = text_of(screen.query_one("#facts", Detail))
        assert "compaction 1 · closes segment 1, opens 2" in facts
        assert "“keep the tests”" in facts
        assert "src/auth/keys.py its name alone" in " ".join(facts.split())
        status = text_of(screen.query_one(StatusLine))
        assert "= boundary" in status and "= request" in status


async def test_enter_on_a_boundary_opens_it_and_the_newest_is_opened_from_above(
    path: Path,
) -> None:
    async with session_open(path, segment=3) as (pilot, session):
        await pilot.press("enter")
        screen = await shown(pilot)
        assert screen.number == 2
        await pilot.press("escape", "g", "L")
        assert session.timeline.cursor == 0
        screen = await shown(pilot)
        assert screen.number == 2


async def test_a_conversation_without_compaction_says_so(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.332", seed="short")
    turn(b, "Hello", say="Hello.")
    async with session_open(b.write(tmp_path / "projects")) as (pilot, _):
        await pilot.press("L")
        assert toasts(pilot) == ["this conversation was never compacted"]


async def test_a_subagent_s_compaction_opens_too(tmp_path: Path) -> None:
    path = lossy.with_agent(tmp_path / "projects")
    async with session_open(path) as (pilot, session):
        agent = next(iter(session.lore.agents.values()))
        session.open_agent(agent.agent_id)
        await until(lambda: pilot.app.screen is not session)
        screen = pilot.app.screen
        assert isinstance(screen, SessionScreen)
        await until(lambda: screen.looked)
        await pilot.press("L")
        losses = await shown(pilot)
        assert "count the lighthouses by hand" in listed(losses)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (180, 50)])
async def test_all_panes_are_reached_at_every_width(path: Path, size: tuple[int, int]) -> None:
    async with losses_open(path, size) as (pilot, screen):
        seen = []
        for _ in range(4):
            seen.append(screen.at)
            widget = screen.query_one(f"#{screen.at}")
            assert widget.has_focus and widget.region.width > 30 and widget.region.height > 4
            await pilot.press("tab")
        assert sorted(seen) == ["facts", "grid", "items", "summary"]
        await pilot.press("tab", "z")
        assert screen.query_one(f"#{screen.at}").region.height == size[1] - 2
        await pilot.press("escape")
        assert not screen.has_class("-full")


async def test_hostile_text_is_shown_as_text(path: Path) -> None:
    async with losses_open(path) as (_, screen):
        shown = listed(screen)
        assert "[red]Weigh the anchor[/] before noon." in shown
        assert "\x1b" not in shown


async def test_copy_takes_the_item_or_the_summary(path: Path) -> None:
    async with losses_open(path) as (pilot, screen):
        await pilot.press("y")
        assert pilot.app.clipboard == f"{lossy.LOST}\nnot found"
        await pilot.press("tab")
        assert screen.at == "summary"
        await pilot.press("y")
        assert pilot.app.clipboard.strip() == lossy.SUMMARY.strip()


async def test_help_names_the_keys_of_the_screen(path: Path) -> None:
    async with losses_open(path) as (pilot, _):
        await pilot.press("question_mark")
        page = pilot.app.screen
        assert isinstance(page, HelpPage)
        text = text_of(page.query_one(Detail))
        assert "List another bucket" in text and "Go to the item in the session" in text


async def test_leaving_and_other_views_stop_the_work(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[int] = []

    def endless(self: Desk, number: int, stop: Stop, tell: Tell | None = None) -> Compaction:
        while not stop():
            time.sleep(0.01)
        stopped.append(number)
        raise Stopped("given up")

    monkeypatch.setattr("ccbrowse.tui.screens.session_compaction.READ_ALONE", 10)
    monkeypatch.setattr(Desk, "loss", endless)
    async with session_open(path, segment=2) as (pilot, session):
        await pilot.press("L")
        screen = pilot.app.screen
        assert isinstance(screen, CompactionScreen)
        await until(lambda: screen.found is not None)
        assert "= boundary" in text_of(screen.query_one(StatusLine))
        await pilot.press("2")
        await until(lambda: stopped == [1])
        await until(lambda: screen.requests is not None)
        await pilot.press("1", "escape")
        await until(lambda: stopped == [1, 1])
        assert pilot.app.screen is session


async def test_it_says_how_far_it_is(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = Event()

    def halfway(self: Desk, number: int, stop: Stop, tell: Tell | None = None) -> Compaction:
        assert tell is not None
        tell(0.42)
        go_on.wait(10)
        return self.figures(number, stop)

    monkeypatch.setattr("ccbrowse.tui.screens.session_compaction.READ_ALONE", 10)
    monkeypatch.setattr(Desk, "loss", halfway)
    async with session_open(path, segment=2) as (pilot, _):
        await pilot.press("L")
        screen = pilot.app.screen
        assert isinstance(screen, CompactionScreen)
        await until(lambda: "42 %" in listed(screen))
        go_on.set()


async def test_what_goes_wrong_is_said(tmp_path: Path) -> None:
    path = lossy.write(tmp_path / "projects")
    async with session_open(path, segment=2) as (pilot, session):
        await until(lambda: session.is_weighed)
        path.unlink()
        session.workers.cancel_all()
        await pilot.press("L")
        screen = pilot.app.screen
        assert isinstance(screen, CompactionScreen)
        await until(lambda: "No such file" in listed(screen))
        assert screen.found is None
        await until(lambda: any("No such file" in note for note in toasts(pilot)))


async def test_words_are_found_in_the_pane_in_focus(path: Path) -> None:
    async with losses_open(path) as (pilot, screen):
        await pilot.press("slash", *"SQLITE", "enter")
        item = screen.item_at_cursor
        assert item is not None and item.label == lossy.DECIDED
        await pilot.press("n")
        assert screen.item_at_cursor == item
        await pilot.press("tab", "slash", *"remaining", "enter")
        assert screen.at == "summary" and not toasts(pilot)
        await pilot.press("slash", "ctrl+u", *"nowhere", "enter")
        assert toasts(pilot) == ["“nowhere” is not in this pane"]
        await pilot.press("escape")
        assert screen.at == "summary"
        await pilot.press("escape")
        assert screen.at == "items"
