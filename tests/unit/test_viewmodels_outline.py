"""Which rows a timeline shows, and that a growing session gives the same as a whole one."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
from builders import ERA_NAMES, SessionBuilder, sampler, turn, written

from ccbrowse.core.index import SILENT
from ccbrowse.core.records import Kind
from ccbrowse.core.session import Session
from ccbrowse.tui.viewmodels.building import Builder, items_of
from ccbrowse.tui.viewmodels.items import (
    DAY,
    FINDING,
    FIRST_CALL,
    MESSAGES,
    NOTHING_SAID,
    THOUGHT,
    WORDS,
    About,
    Choice,
)
from ccbrowse.tui.viewmodels.outline import Outline, record_key

CHOICES = (MESSAGES, Choice(True, True, True), Choice(False, False, False))


def outline(session: Session, choice: Choice = MESSAGES, about: About = NOTHING_SAID) -> Outline:
    return Outline(session.index, Builder(choice, about).update(session).items)


@pytest.fixture(params=ERA_NAMES)
def session(request: pytest.FixtureRequest, tmp_path: Path) -> Session:
    """A session with one of nearly everything, of each era."""
    return Session.open(written(sampler(request.param), tmp_path / "projects"))


@pytest.mark.parametrize("choice", CHOICES)
def test_every_key_leads_back_to_its_row(session: Session, choice: Choice) -> None:
    found = outline(session, choice)
    keys = [found.key(number) for number in range(len(found))]
    assert len(set(keys)) == len(keys)
    assert [found.find(key) for key in keys] == list(range(len(keys)))
    assert found.find("line:999999") is None and found.find("nobody") is None
    session.close()


@pytest.mark.parametrize("choice", CHOICES)
def test_growing_by_pieces_gives_what_reading_at_once_gives(
    session: Session, choice: Choice, tmp_path: Path
) -> None:
    data = session.file.path.read_bytes()
    cuts = [0, *sorted(random.Random(7).sample(range(len(data)), 25)), len(data)]
    copy = tmp_path / "copy" / "11111111-1111-4111-8111-111111111111.jsonl"
    copy.parent.mkdir()
    copy.write_bytes(b"")
    grown = Session.open(copy)
    builder = Builder(choice)
    shown = Outline(grown.index, builder.update(grown).items)
    step = builder.update(grown)
    for start, end in pairwise(cuts):
        with copy.open("ab") as file:
            file.write(data[start:end])
        grown.refresh()
        step = builder.update(grown)
        if step.anew:
            shown = Outline(grown.index, step.items)
        else:
            shown.extend(step.items)
    again = Session.open(copy)
    whole = Builder(choice).update(again)
    again.close()
    assert (shown.rows, shown.parts) == (whole.items.rows, whole.items.parts)
    assert step.starts == whole.starts
    grown.close()
    session.close()


def test_what_came_at_the_end_is_told_as_that_and_costs_no_more(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.332", seed="grows")
    for number in range(30):
        turn(b, f"Prompt {number}", say="Answer.")
    path = written(b, tmp_path / "projects")
    b.take()
    session = Session.open(path)
    builder = Builder()
    assert builder.update(session).anew
    turn(b, "One more", say="Indeed.")
    with path.open("ab") as file:
        file.write(b.take()[path.name])
    session.refresh()
    step = builder.update(session)
    assert not step.anew
    assert [session.index.kind[row] for row in step.items.rows] == [Kind.PROMPT, Kind.ASSISTANT]
    session.close()


def test_thinking_words_and_calls_are_rows_of_their_own_and_results_are_not(
    session: Session,
) -> None:
    found = outline(session)
    kinds = {session.index.kind[row] for row in found.rows}
    assert {Kind.PROMPT, Kind.ASSISTANT, Kind.BOUNDARY, Kind.SUMMARY} <= kinds
    assert Kind.RESULT not in kinds and Kind.SIDE not in kinds
    assert set(found.parts) >= {WORDS, FIRST_CALL, DAY}
    thoughts = {row for row, part in zip(found.rows, found.parts, strict=True) if part == THOUGHT}
    assert not any(session.index.flags[row] & SILENT for row in thoughts)
    everything = outline(session, Choice(everything=True))
    assert THOUGHT in everything.parts and thoughts < set(everything.rows)
    queued = [row for row in found.rows if session.index.kind[row] == Kind.QUEUED_PROMPT]
    sent = [
        row for row in range(len(session.index)) if session.index.kind[row] == Kind.QUEUED_PROMPT
    ]
    assert queued == sent
    session.close()


def test_less_is_shown_where_less_is_chosen(session: Session) -> None:
    few = outline(session, Choice(tools=False, thinking=False))
    assert THOUGHT not in few.parts
    tools = {session.index.tool_name(row) for row, part in zip(few.rows, few.parts, strict=True)
             if part >= FIRST_CALL}  # fmt: skip
    assert tools <= {"Task", "Agent"}
    everything = outline(session, Choice(everything=True))
    assert len(everything) > len(outline(session)) > len(few)
    session.close()


def test_findings_and_branches_stand_where_they_belong(session: Session) -> None:
    forks = {branch.fork for branch in session.chain.branches if branch.fork is not None}
    row = next(iter(session.chain))
    found = outline(session, about=About(frozenset({row, 0}), frozenset(forks)))
    assert found.find(f"{record_key(session.index, row)}#!") is not None
    for fork in forks:
        mark = found.find(f"{record_key(session.index, fork)}#b")
        assert mark is not None
        assert mark == found.near(fork) or found.rows[mark] == fork
    assert found.parts[found.near(row)] not in (DAY, FINDING)
    session.close()


def test_segments_begin_at_their_boundaries(session: Session) -> None:
    builder = Builder()
    step = builder.update(session)
    kinds = [session.index.kind[step.items.rows[start]] for start in step.starts]
    assert kinds[1:] == [Kind.BOUNDARY] * (len(session.segments) - 1)
    session.close()


def test_a_branch_has_the_same_parts(session: Session) -> None:
    rows = session.chain.off_chain
    items = items_of(session.index, rows, MESSAGES)
    assert set(items.rows) <= set(rows)
    assert len(items) > 0
    session.close()


def test_days_are_divided_once_each(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.332", seed="days")
    for number in range(3):
        turn(b, f"Day {number}", say="Yes.")
        b.clock.tick(90_000)
    session = Session.open(written(b, tmp_path / "projects"))
    found = outline(session)
    days = [number for number, part in enumerate(found.parts) if part == DAY]
    assert len(days) == 3 and days[0] == 0
    session.close()
