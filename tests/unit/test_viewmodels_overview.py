"""A session as a whole: rail, curve, top line; and the table of sessions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from builders import DemoTree, SessionBuilder, turn, write_demo
from driving import NOW, now_ms

from ccbrowse.core.library import Library, Listing
from ccbrowse.core.numbers import UNKNOWN, Number, Source
from ccbrowse.core.session import Session
from ccbrowse.core.text import cell_width
from ccbrowse.core.windows import Window, WindowSource
from ccbrowse.tui.viewmodels.boundaries import boundary_rows
from ccbrowse.tui.viewmodels.building import Builder
from ccbrowse.tui.viewmodels.forks import find_forks
from ccbrowse.tui.viewmodels.listing import (
    Order,
    Wanted,
    choose,
    columns_for,
    head,
    key_of,
    preview,
    row_line,
    segments_words,
    view_of,
)
from ccbrowse.tui.viewmodels.lists import branch_choices, find_place, finding_choices
from ccbrowse.tui.viewmodels.outline import Outline
from ccbrowse.tui.viewmodels.overview import Sums, context_facts
from ccbrowse.tui.viewmodels.shelves import NOWHERE, Shelf, rail_items
from ccbrowse.tui.viewtypes import NOTHING, Line


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoTree:
    return write_demo(tmp_path_factory.mktemp("demo") / "projects", NOW)


@pytest.fixture(scope="module")
def listings(demo: DemoTree) -> list[Listing]:
    return list(Library([demo.root]).scan())


@pytest.fixture
def login(demo: DemoTree) -> Iterator[Session]:
    session = Session.open(demo.session("login").path)
    yield session
    session.close()


def text(line: Line) -> str:
    return "".join(piece.text for piece in line)


def test_the_rail_gives_each_segment_its_curve_sizes_and_trigger(login: Session) -> None:
    view = Sums().overview(login, login.findings, {2: 1})
    rail = view.rail
    assert [segment.number for segment in rail.segments] == [1, 2, 3, 4]
    assert rail.scale == 200_000
    assert [text(segment.size).split(" → ")[0].endswith("k") for segment in rail.segments[:3]]
    assert text(rail.segments[3].size).endswith(" now")
    assert text(rail.segments[0].notes[0]).startswith("auto · ")
    assert [text(note) for note in rail.segments[1].notes][1:] == ["1 subagent"]
    assert [text(note) for note in rail.segments[2].notes][1:] == ["“keep the tests”"]
    assert [segment.is_open for segment in rail.segments] == [False, False, False, True]
    assert text(rail.footer[0]).startswith("├ 2 branches")
    assert [str(part.label) for part in view.fill.segments] == [
        "1 auto",
        "2 auto",
        "3 manual",
        "4 now",
    ]
    assert view.fill.window == 200_000
    assert view.caption == "212 turns · 3,042 lines"


def test_findings_are_told_at_their_segment(demo: DemoTree) -> None:
    session = Session.open(demo.session("uploads").path)
    view = Sums().overview(session, session.findings, {})
    assert view.rail.segments[0].findings == "9 findings, i lists them"
    one = [finding for finding in session.findings if finding.code == "nul_bytes"]
    view = Sums().overview(session, one, {})
    assert view.rail.segments[0].findings == one[0].message
    session.close()


def test_sums_made_again_say_the_same(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.332", seed="sums")
    path = tmp_path / "11111111-1111-4111-8111-111111111111.jsonl"
    path.write_bytes(b"")
    session, sums = Session.open(path), Sums()
    for number in range(4):
        turn(b, f"Prompt {number}", say="Answer.")
        if number == 2:
            b.compact("All of it.", trigger="manual", instructions="keep the tests")
        taken = b.take()
        with path.open("ab") as file:
            file.write(taken.popitem()[1])
        session.refresh()
        assert sums.overview(session, (), {}) == Sums().overview(session, (), {})
        known = boundary_rows(session)
        assert boundary_rows(session, known) == known
    session.close()


def test_the_context_says_its_window_and_where_that_is_from() -> None:
    now = Number(151_004, Source.USAGE)
    told = text(context_facts(now, Window(200_000, WindowSource.TABLE)))
    assert told == "context 151,004= of 200k · 76 % (by model)"
    assert "(as used)" in text(context_facts(now, Window(1_000_000, WindowSource.SEEN)))
    assert text(context_facts(now, Window(None, WindowSource.UNKNOWN))).endswith("not known")
    assert (
        text(context_facts(UNKNOWN, Window(200_000, WindowSource.TABLE))) == "context – not known"
    )


def test_branches_and_findings_as_lists(demo: DemoTree, login: Session) -> None:
    chain = login.chain
    branches = branch_choices(
        login, find_forks(login.index, chain, chain.branches, chain.off_chain)
    )
    told = [text(branch.line) for branch in branches]
    assert [words.split("  ")[0] for words in told] == [
        "rewind · 4 messages",
        "rewind · 9 messages",
        "edited prompt · 2×",
    ]
    session = Session.open(demo.session("uploads").path)
    listed = finding_choices(session.findings)
    assert [item.key for item in listed] == [f"line:{f.line}" for f in session.findings]
    session.close()


def test_places_are_found_by_name_line_and_time(login: Session) -> None:
    outline = Outline(login.index, Builder().update(login).items)
    row = login.segments[2].rows[0]
    uuid = login.index.uuids[row] or ""
    assert find_place(outline, uuid, 0) == outline.near(row)
    assert find_place(outline, uuid[:8].upper(), 0) == outline.near(row)
    assert find_place(outline, f"line:{login.index.line[row]}", 0) == outline.near(row)
    assert find_place(outline, "zzz", 0) is None and find_place(outline, "25:99", 0) is None
    from ccbrowse.tui.viewmodels import figures

    for number in (5, 400, len(outline) - 1):
        clock = figures.clock(login.index.time[outline.rows[number]])
        found = find_place(outline, clock, number)
        assert found is not None
        assert figures.clock(login.index.time[outline.rows[found]]) == clock


def test_sessions_are_chosen_and_sorted(listings: list[Listing]) -> None:
    def titles(**wanted: object) -> list[str]:
        chosen = choose(listings, replace(Wanted(), **wanted), now_ms())  # type: ignore[arg-type]  # by name
        return [listing.title.text for listing in chosen]

    assert titles()[0] == "Fix login flow"
    assert titles(reverse=True)[-1] == "Fix login flow"
    assert titles(query="REWORK links") == ["Export rework, signed links"]
    assert titles(query="billing") == ["Migrate schema", "Totals off by one"]
    assert titles(project=Shelf(project="notes").key, order=Order.TITLE)[0].startswith("[red]")
    assert titles(active=True) == ["Fix login flow", "Hunt a flaky test"]
    assert titles(order=Order.TURNS)[:2] == ["Fix login flow", "Migrate schema"]
    assert titles(order=Order.CONTEXT)[0] == "Fix login flow"
    assert titles(order=Order.SEGMENTS)[:2] == ["Fix login flow", "Export rework"]


@pytest.mark.parametrize("width", [40, 60, 78, 100, 160])
def test_rows_and_head_line_up_at_any_width(listings: list[Listing], width: int) -> None:
    columns = columns_for(width, one_project=False)
    for listing in listings:
        line = row_line(view_of(listing, now_ms()), columns)
        assert cell_width(text(line)) <= max(width, 42)
    ends = text(head(columns, Wanted())).index("context") + len("context")
    first = text(row_line(view_of(listings[0], now_ms()), columns))
    assert first[:ends].endswith("k=")


def test_projects_are_counted_and_previews_told(listings: list[Listing]) -> None:
    rail = [text(item.line).split() for item in rail_items(listings, NOWHERE)]
    assert rail == [["(all)", "12"], ["api", "3"], ["web", "4"], ["notes", "3"], ["billing", "2"]]
    login = next(listing for listing in listings if listing.title.text == "Fix login flow")
    assert key_of(login).endswith(".jsonl")
    assert segments_words(login) == "4 segments: 2 auto, 1 manual"
    first, last, facts = preview(login, NOTHING, NOTHING)
    assert text(first) == "" and text(last) == ""
    assert "4 subagents" in text(facts) and "claude-sonnet-4-6" in text(facts)
