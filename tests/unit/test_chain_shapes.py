"""Shapes that a hostile file may have: what they cost grows with their size, not with its square.

Time is the processor's, of a size and of four times that size; a square would cost sixteen times.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from logs import Row, encoded

from ccbrowse.core.session import Session

SMALL, LARGE = 1_500, 15_000
MOST = 9.0
"""Times the cost of a quarter: four, and as much again for caches, collections and noise."""

Shape = Callable[[int], Iterator[Row]]


def user(i: int, parent: int | None, **more: object) -> Row:
    """A prompt."""
    return {**linked("user", i, parent), "message": {"content": "x"}, **more}


def linked(kind: str, i: int, parent: int | None) -> Row:
    """A record of any type."""
    return {"type": kind, "uuid": f"r{i}", "parentUuid": None if parent is None else f"r{parent}"}


def boundary(i: int, logical: object, **metadata: object) -> Row:
    """A boundary, and what it says of its compaction."""
    named = f"r{logical}" if isinstance(logical, int) else logical
    return {
        **linked("system", i, None),
        "subtype": "compact_boundary",
        "logicalParentUuid": named,
        "compactMetadata": metadata,
    }


def reply(i: int, parent: int, message: int) -> Row:
    """A fragment of a message."""
    return {**linked("assistant", i, parent), "message": {"id": f"m{message}", "content": []}}


def star(n: int) -> Iterator[Row]:
    yield user(0, None)
    yield from (user(i, 0) for i in range(1, n))


def comb(n: int) -> Iterator[Row]:
    yield user(0, None)
    yield from (user(i, i - 1 if i % 2 == 0 else max(0, i - 2)) for i in range(1, n))


def chain_of_later_parents(n: int) -> Iterator[Row]:
    yield from (user(i, i + 1) for i in range(n - 1))
    yield user(n - 1, None)


def circle(n: int) -> Iterator[Row]:
    yield from (user(i, (i + 1) % n) for i in range(n))


def parents_never_written(n: int) -> Iterator[Row]:
    yield from (user(i, n + i) for i in range(n))


def circle_of_progress_with_arms(n: int) -> Iterator[Row]:
    half = n // 2
    yield from (linked("progress", i, (i + 1) % half) for i in range(half))
    yield from (user(half + i, i) for i in range(half))


def dangling_boundaries(n: int) -> Iterator[Row]:
    yield from (boundary(i, f"gone{i}") for i in range(n))


def boundaries_in_a_circle(n: int) -> Iterator[Row]:
    yield from (boundary(i, (i + 1) % n) for i in range(n))


def boundaries_before_their_logical_parent(n: int) -> Iterator[Row]:
    for i in range(0, n, 2):
        yield boundary(i, i + 1)
        yield user(i + 1, i)


def prompts_on_stale_attachments(n: int) -> Iterator[Row]:
    half = n // 2
    yield from (linked("attachment", i, None) for i in range(half))
    yield boundary(half, None)
    yield from (user(half + 1 + i, half - 1 - i) for i in range(half - 1))


def stale_attachments_between_boundaries(n: int) -> Iterator[Row]:
    for i in range(0, n, 3):
        yield linked("attachment", i, i - 1 if i else None)
        yield boundary(i + 1, i)
        yield user(i + 2, i)


def one_record_kept_by_all(n: int) -> Iterator[Row]:
    yield user(0, None)
    for i in range(1, n, 2):
        yield boundary(i, i - 1, preservedMessages={"allUuids": ["r0"]})
        yield user(i + 1, 0)


def far_segment_kept_by_all(n: int) -> Iterator[Row]:
    half = n // 2
    yield from (user(i, i - 1 if i else None) for i in range(half))
    ends = {"headUuid": "r0", "tailUuid": f"r{half - 1}"}
    yield from (boundary(i, i - 1, preservedSegment=ends) for i in range(half, n))


def one_message_in_a_row(n: int) -> Iterator[Row]:
    yield user(0, None)
    yield from (reply(i, i - 1, 0) for i in range(1, n))


def one_message_from_one_prompt(n: int) -> Iterator[Row]:
    yield user(0, None)
    yield from (reply(i, 0, 0) for i in range(1, n))


def replies_passed_by_a_system_record(n: int) -> Iterator[Row]:
    yield user(0, None)
    yield from (reply(i, 0, i) for i in range(1, n - 1))
    yield linked("system", n - 1, 0)


def calls_of_one_message(n: int) -> Iterator[Row]:
    half = n // 2
    calls = [{"type": "tool_use", "id": f"t{i}"} for i in range(half)]
    yield {**linked("assistant", 0, None), "message": {"id": "m0", "content": calls}}
    for i in range(half):
        content = [{"type": "tool_result", "tool_use_id": f"t{i}"}]
        yield {**linked("user", i + 1, 0), "message": {"content": content}}


def one_call_answered_by_all(n: int) -> Iterator[Row]:
    content = [{"type": "tool_use", "id": "t"}]
    yield {**linked("assistant", 0, None), "message": {"id": "m", "content": content}}
    for i in range(1, n):
        answer = [{"type": "tool_result", "tool_use_id": "t"}]
        yield {**linked("user", i, i - 1), "message": {"content": answer}}


def one_record_again_and_again(n: int) -> Iterator[Row]:
    yield from (user(0, None) for _ in range(n))


SHAPES: tuple[Shape, ...] = (
    *(star, comb, chain_of_later_parents, circle, parents_never_written),
    *(circle_of_progress_with_arms, dangling_boundaries, boundaries_in_a_circle),
    *(boundaries_before_their_logical_parent, prompts_on_stale_attachments),
    *(stale_attachments_between_boundaries, one_record_kept_by_all, far_segment_kept_by_all),
    *(one_message_in_a_row, one_message_from_one_prompt, replies_passed_by_a_system_record),
    *(calls_of_one_message, one_call_answered_by_all, one_record_again_and_again),
)


def parts(shape: Shape, count: int, growing: bool) -> list[bytes]:
    """A file of so many records: whole, or the first record and then all others."""
    first, *others = (encoded(row) + b"\n" for row in shape(count))
    rest = b"".join(others)
    return [first, rest] if growing else [first + rest]


def cost(path: Path, parts: list[bytes]) -> float:
    """Seconds of the processor to read a file that comes in parts, and to ask all of it."""
    path.write_bytes(parts[0])
    started = time.process_time()
    session = Session.open(path)
    for part in parts[1:]:
        with path.open("ab") as file:
            file.write(part)
        session.refresh()
    assert len(session.findings) >= 0
    asked = [segment.usage.requests + segment.prompts for segment in session.segments]
    assert len(asked) == len(session.chain.stretches)
    assert len(list(session.chain)) + len(session.chain.off_chain) > 0
    assert len(session.chain.branches) <= len(session.index)
    spent = time.process_time() - started
    session.close()
    return spent


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
@pytest.mark.parametrize("growing", [False, True], ids=["at-once", "growing"])
def test_four_times_the_records_cost_four_times_as_much(
    shape: Shape, growing: bool, tmp_path: Path
) -> None:
    compare(shape, SMALL, tmp_path, growing)


@pytest.mark.parametrize(
    "shape",
    [star, comb, circle, dangling_boundaries, boundaries_in_a_circle, prompts_on_stale_attachments],
    ids=lambda shape: shape.__name__,
)
def test_tens_of_thousands_of_records_are_no_other_matter(shape: Shape, tmp_path: Path) -> None:
    compare(shape, LARGE, tmp_path, growing=False)


def compare(shape: Shape, count: int, folder: Path, growing: bool) -> None:
    """Hold what so many records cost against what four times as many do."""
    path = folder / "p" / "s.jsonl"
    path.parent.mkdir()
    sizes = [parts(shape, each, growing) for each in (count, 4 * count)]
    for _ in range(3):
        small, large = (cost(path, each) for each in sizes)
        if large < MOST * max(small, 0.01):
            return
    raise AssertionError(f"{small:.2f} s, and {large:.2f} s for four times as much")


def test_the_shapes_are_what_they_say() -> None:
    assert [len(list(shape(12))) for shape in SHAPES] == [
        *(12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 13, 12, 12, 12, 12, 7, 12, 12)
    ]
    rows = list(comb(7))
    assert [a["uuid"] for a, b in pairwise(rows) if b["parentUuid"] == a["uuid"]] == [
        "r0",
        "r1",
        "r3",
        "r5",
    ]
