"""Before and after a compaction against the recorded bodies: block by block, with role and order.

What a row holds must be there, once, in its place. What the recorded body has beyond that must be
named in `unknown`; how much that is, is counted and printed.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from recorded import Block, Message, Scenario, blocks, full_length, scenarios, start

from ccbrowse.core.compaction import Compaction, each_compaction
from ccbrowse.core.payload import Payload, PayloadSource, Unknown, payload_of, reply_of
from ccbrowse.core.payload.canonical import compact_json
from ccbrowse.core.records import Kind
from ccbrowse.core.session import Session

Placed = tuple[str, Block]

AGENTS_NOTE = 135
"""Characters of the note on running several agents at once, as 2.1.181 sends it."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A request beside a boundary, as ccbrowse has it and as it was sent."""

    scenario: Scenario
    path: Path
    side: str
    found: Payload
    sent: list[Message]
    compaction: Compaction


@pytest.fixture(scope="module")
def pairs(shared: Path) -> list[Pair]:
    """Both requests of every compaction of every recording."""
    found = [pair for scenario in scenarios(shared) for pair in _pairs(scenario)]
    if not found:
        pytest.skip("no recordings in ../shared")
    return found


def _pairs(scenario: Scenario) -> Iterator[Pair]:
    numbers = scenario.answered()
    for path in scenario.sessions:
        with closing(Session.open(path)) as session:
            for each in each_compaction(session, with_loss=False):
                for name, side in (("before", each.before), ("after", each.after)):
                    if side is None or side.reply not in numbers:
                        continue
                    payload = payload_of(session, reply_of(session, side.reply))
                    sent = scenario.body(numbers[side.reply])
                    yield Pair(scenario, path, name, payload, sent, each)


def key(placed: Placed) -> str:
    """A block with its role, for comparing; what ends a text before another is no part of it."""
    role, block = placed
    text = block.get("text")
    shown = {**block, "text": text.rstrip("\n")} if isinstance(text, str) else block
    return role + json.dumps(shown, sort_keys=True)


def difference(pair: Pair) -> tuple[list[Placed], list[Placed]]:
    """The blocks that only ccbrowse has, and those that only the recorded body has."""
    ours, sent = list(blocks(list(pair.found.messages or ()))), list(blocks(pair.sent))
    matcher = SequenceMatcher(None, [key(b) for b in ours], [key(b) for b in sent], autojunk=False)
    more, less = list[Placed](), list[Placed]()
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind != "equal":
            more += ours[a:b]
            less += sent[c:d]
    return _unlike(more, less)


def _unlike(more: list[Placed], less: list[Placed]) -> tuple[list[Placed], list[Placed]]:
    """Both without the system texts that are the same but for where the copies were cut.

    Start and length are compared: the client's own listings are cut in the rows as well. In a listing
    of agents the note on running several of them is missing, which stands in no row.
    """
    ours = [placed for placed in more if placed[0] == "system"]
    sent = [placed for placed in less if placed[0] == "system"]
    for a, b in zip(ours, sent, strict=False):
        first, second = a[1]["text"], b[1]["text"]
        shorter = full_length(second) - full_length(first)
        note = AGENTS_NOTE if "Available agent types" in first else 0
        if start(first)[:100] == start(second)[:100] and shorter in (0, note):
            more.remove(a)
            less.remove(b)
    return more, less


def named(placed: Placed, unknown: tuple[Unknown, ...]) -> str | None:
    """What a block that stands in no row is, if `unknown` names it."""
    role, block = placed
    text = str(block.get("text", "")).strip()
    if role == "system":
        return "wording of attachments" if Unknown.ATTACHMENT_WORDING in unknown else None
    if text == "[image]":
        return "image as a word" if Unknown.IMAGES in unknown else None
    if not text.startswith("<system-reminder>"):
        return None
    if "As you answer the user's questions" in text[:80]:
        return "context reminder" if Unknown.CONTEXT_REMINDER in unknown else None
    kind = "file read again" if "the Read tool" in text or "\nNote: " in text[:40] else "reminder"
    return kind if Unknown.REMINDERS in unknown else None


def test_logged_requests_are_equal_in_messages_and_bytes(pairs: list[Pair]) -> None:
    logged = [pair for pair in pairs if pair.found.source is PayloadSource.LOGGED]
    for pair in logged:
        side = pair.compaction.before if pair.side == "before" else pair.compaction.after
        assert side is not None
        assert list(pair.found.messages or ()) == pair.sent, pair.scenario.name
        assert pair.found.verified is True
        assert (side.messages, side.bytes) == (len(pair.sent), len(compact_json(pair.sent)))
    assert len(logged) >= 20 or not any(p.scenario.version == "2.1.332" for p in pairs)


def test_rebuilt_requests_have_every_block_of_the_rows_in_role_and_order(
    pairs: list[Pair],
) -> None:
    counts, sizes, requests = Counter[str](), Counter[str](), Counter[str]()
    for pair in pairs:
        if pair.found.source is PayloadSource.LOGGED:
            continue
        version = pair.scenario.version
        requests[version] += 1
        sizes[version] += len(compact_json(pair.sent))
        more, less = difference(pair)
        where = f"{pair.scenario.name}, {pair.side} compaction {pair.compaction.number}"
        for role, block in more:
            # Nothing of ours was not sent, but an image that went as a word, and words that are not known.
            images = block.get("type") == "image" and Unknown.IMAGES in pair.found.unknown
            reworded = role == "system" and Unknown.ATTACHMENT_WORDING in pair.found.unknown
            assert images or reworded, (where, block)
        for placed in less:
            what = named(placed, pair.found.unknown)
            assert what is not None, (where, placed)
            counts[f"{version} {what}"] += 1
            sizes[f"{version} {what}"] += full_length(str(placed[1].get("text")))
    _show(counts, sizes, requests)
    for version, total in requests.items():
        extra = sum(count for name, count in counts.items() if name.startswith(f"{version} "))
        assert extra / total <= 4, version


def _show(counts: Counter[str], sizes: Counter[str], requests: Counter[str]) -> None:
    """What stands in no row, in numbers."""
    write = sys.stdout.write
    write("in no row:     requests  blocks  bytes of all sent\n")
    for name, count in sorted(counts.items()):
        version, what = name.split(" ", 1)
        share = 100 * sizes[name] / sizes[version]
        write(f"{version:9} {requests[version]:4} {count:4} {share:5.1f} %  {what}\n")


def test_the_number_of_messages_is_that_of_the_recorded_body(pairs: list[Pair]) -> None:
    differ = [
        (pair.scenario.name, pair.side, len(pair.found.messages or ()), len(pair.sent))
        for pair in pairs
        if len(pair.found.messages or ()) != len(pair.sent)
    ]
    assert len(differ) <= len(pairs) // 20, differ


def test_what_was_kept_stands_in_the_next_request_as_it_was(pairs: list[Pair]) -> None:
    checked = 0
    for pair in pairs:
        if pair.side != "after":
            continue
        sent = {key(placed) for placed in blocks(pair.sent)}
        with closing(Session.open(pair.path)) as session:
            opened = session.segment(pair.compaction.opens)
            # after a compaction that another followed at once, the request is that after both
            if not opened.requests:
                continue
            kinds = session.index.kind
            for row in (r for r in opened.carried_over if kinds[r] != Kind.ERROR):
                record = session.record(row)["message"]
                for placed in blocks([record]):
                    assert key(placed) in sent, (pair.scenario.name, placed)
                    checked += 1
    assert checked >= 10


def test_what_was_put_back_stands_in_the_next_request_line_by_line(pairs: list[Pair]) -> None:
    checked = 0
    for pair in pairs:
        if pair.side != "after":
            continue
        text = json.dumps(pair.sent, ensure_ascii=False)
        for each in pair.compaction.put_back:
            for line in each.content.split("\n"):
                cut = "...[[+" in line or "...[[+" in text
                escaped = json.dumps(line, ensure_ascii=False)[1:-1]
                assert escaped in text or cut, (pair.scenario.name, each.label, line)
                checked += 1
    assert checked >= 100
