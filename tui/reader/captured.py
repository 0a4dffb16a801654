"""A captured request held against the one that the session's records give, block by block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from ccbrowse.core.capture import (
    Block,
    Capture,
    Pair,
    Presence,
    align,
    block_key,
    blocks_of,
    is_reminder,
    join,
    read_capture,
)
from ccbrowse.core.payload import Payload
from ccbrowse.core.payload.canonical import compact_json
from ccbrowse.core.session import Session
from ccbrowse.tui.reader.requests import Requests
from ccbrowse.tui.viewmodels.compaction_capture import Compared, Found

_ALIKE = 0.5
"""The share of their signs from which on two blocks are one that differs."""

_LOOK_AT = 1_500
_HEAD = 60
_LOOK_AHEAD = 12
_SURE = 0.8


@dataclass(frozen=True, slots=True)
class Captured:
    """A captured request and what it was held against."""

    source: str
    """The file as it was named (raw)."""
    capture: Capture
    payload: Payload | None
    """The session's request that it is; None where there is none like it."""
    by_id: bool
    share: float
    """Of the blocks of both, as a share, those that both have."""
    blocks: tuple[Compared, ...]


def hold_against(session: Session, name: str, requests: Requests) -> Captured:
    """Read a captured request, and hold it against its own among the session's, those given first.

    Slow: from a worker. Raises CcbrowseError, OSError.
    """
    path, number = _parse(name)
    capture = read_capture(path, number)
    known = None
    if capture.reply is None or capture.reply not in session.index.messages:
        known = _nearest(capture, requests)
    if known is not None:
        payload, share = known
        return Captured(name, capture, payload, False, share, _compare(capture, payload))
    joined = join(capture, session)
    if joined is None:
        return Captured(name, capture, None, False, 0.0, _compare(capture, None))
    blocks = _compare(capture, joined.payload)
    return Captured(name, capture, joined.payload, joined.by_id, joined.share, blocks)


def _parse(name: str) -> tuple[Path, int | None]:
    """A file, and the number of an entry of it."""
    stem, sign, number = name.rpartition("#")
    if sign and number.isdecimal() and not Path(name).expanduser().exists():
        return Path(stem).expanduser(), int(number)
    return Path(name).expanduser(), None


def _nearest(capture: Capture, requests: Requests) -> tuple[Payload, float] | None:
    """The request beside the boundary that the capture is of, if it is one of them."""
    wanted = _keys(capture.messages)
    best: tuple[Payload, float] | None = None
    for request in (requests.before, requests.after):
        if request is not None:
            keys = _keys(request.payload.messages or ())
            share = len(wanted & keys) / max(1, len(wanted | keys))
            if share >= _SURE and (best is None or share > best[1]):
                best = request.payload, share
    return best


def _keys(messages: Sequence[dict[str, object]]) -> set[bytes]:
    return {block_key(block) for block in blocks_of(messages) if not is_reminder(block)}


def _compare(capture: Capture, payload: Payload | None) -> tuple[Compared, ...]:
    rebuilt = payload.messages if payload is not None else None
    compared: list[Compared] = []
    sent: list[Block] = []
    made: list[Block] = []
    for pair in align(capture.messages, rebuilt or ()):
        if pair.presence is Presence.BOTH:
            compared += _unequal(sent, made)
            sent, made = [], []
            compared.append(Compared(Found.EQUAL, pair.left, pair.right))
        else:
            _note(pair, sent, made)
    compared += _unequal(sent, made)
    return tuple(compared)


def _note(pair: Pair, sent: list[Block], made: list[Block]) -> None:
    if pair.left is not None:
        sent.append(pair.left)
    if pair.right is not None:
        made.append(pair.right)


def _unequal(sent: Sequence[Block], made: Sequence[Block]) -> Iterator[Compared]:
    """Blocks between two equal ones: those that are alike stand on one row, in order."""
    at = 0
    for block in sent:
        ahead = range(at, min(len(made), at + _LOOK_AHEAD))
        twin = next((n for n in ahead if _alike(block, made[n])), None)
        if twin is None:
            yield Compared(Found.MISSING, block, None)
            continue
        for other in made[at:twin]:
            yield Compared(Found.EXTRA, None, other)
        yield Compared(Found.DIFFERENT, block, made[twin])
        at = twin + 1
    for other in made[at:]:
        yield Compared(Found.EXTRA, None, other)


def _alike(one: Block, other: Block) -> bool:
    if one.role != other.role or _type(one) != _type(other):
        return False
    first, second = (_text(block) for block in (one, other))
    if first[:_HEAD] == second[:_HEAD]:
        return True
    matcher = SequenceMatcher(None, first, second)
    return matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def _text(block: Block) -> str:
    return compact_json(block.content)[:_LOOK_AT].decode("utf-8", "replace")


def _type(block: Block) -> object:
    return block.content.get("type") if isinstance(block.content, dict) else None
