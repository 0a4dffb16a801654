"""Reading order: the records of a stretch of the path, with what belongs to them but hangs beside it.

Fragments of one message stand together, in file order, at the place of the first; the results of
their calls follow, in file order. Some of these hang beside the path (parallel calls), and a reply
whose only rival is a system record is passed by it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress

from ccbrowse.core.index import NONE, REPLAY, SIDECHAIN, SessionIndex
from ccbrowse.core.records import CHAIN_KINDS, REPLY_KINDS, Kind

IN_CHAIN = bytes(kind in CHAIN_KINDS for kind in range(256))
"""Per kind whether a chain names it; also a table for `translate`."""

IS_REPLY = bytes(kind in REPLY_KINDS for kind in range(256))
"""Per kind whether it is a reply, or a fragment of one."""

_REPLY = 2
_ROLE = bytes(IN_CHAIN[kind] + IS_REPLY[kind] for kind in range(256))

_YIELDS = bytes(kind in (Kind.SYSTEM, Kind.PROGRESS) for kind in range(256))
"""What never rivals a reply."""

_SILENT = bytes(kind in (Kind.ATTACHMENT, Kind.LINK, Kind.MICRO_BOUNDARY) for kind in range(256))
"""What rivals a reply only where it leads to another one."""

_SAYS = bytes(kind in CHAIN_KINDS or kind == Kind.QUEUED_PROMPT for kind in range(256))


def in_chain(index: SessionIndex, row: int) -> bool:
    """Whether a record is one that a chain names."""
    return bool(IN_CHAIN[index.kind[row]])


class ReadingOrder:
    """Puts rows in reading order, each once.

    `place` tells of each row where on the path it is, if at all. `on_line` is set for each row put:
    what is set already is not put again. `passed_by` gives per row of the path the replies that hang
    on it beside the path.
    """

    def __init__(
        self,
        index: SessionIndex,
        place: array[int],
        on_line: bytearray,
        passed_by: Mapping[int, Iterable[int]],
    ) -> None:
        self.index = index
        self.place = place
        self.on_line = on_line
        self.passed_by = passed_by
        self._hidden = REPLAY if index.sidechain_lane else REPLAY | SIDECHAIN
        self._start = self._stop = 0
        self._out: list[int] = []

    def rows(self, path: Sequence[int], start: int, stop: int, skip: int = 0) -> list[int]:
        """The chain rows of the stretch that is path[start:stop], from path[start + skip] on."""
        self._start, self._stop, self._out = start, stop, []
        part = list(path[start + skip : stop])
        if not self.passed_by:
            part = list(
                compress(part, bytes(map(self.index.kind.__getitem__, part)).translate(IN_CHAIN))
            )
        index, on_line, out, passed_by = self.index, self.on_line, self._out, self.passed_by
        kind, message, fragments = index.kind, index.message, index.fragments
        peer, more = index.peer, index.more_results
        flags, hidden = index.flags, self._hidden
        for at, row in enumerate(part, 1):
            role = _ROLE[kind[row]]
            if role and not on_line[row] and not flags[row] & hidden:
                if role == _REPLY:
                    number, result = message[row], peer[row]
                    rows = fragments[number] if number != NONE else row
                    if isinstance(rows, list):
                        if passed_by or not self._is_next(rows, part, at - 1):
                            self._put_message(rows)
                        else:
                            out += rows
                            for fragment in rows:
                                on_line[fragment] = 1
                    elif result != NONE and (part[at : at + 1] != [result] or row in more):
                        self._put_message([row])
                if not on_line[row]:
                    on_line[row] = 1
                    out.append(row)
            if passed_by and row in passed_by:
                for reply in passed_by[row]:
                    self._put_message(index.fragments_of(reply))
        return out

    def _is_next(self, rows: list[int], part: list[int], at: int) -> bool:
        """Whether a message, and the result of its only call, are what a path has from a place on."""
        after = at + len(rows)
        if part[at:after] != rows:
            return False
        peer, last = self.index.peer, rows[-1]
        for row in rows:
            if peer[row] != NONE:
                return (
                    row == last
                    and part[after : after + 1] == [peer[row]]
                    and row not in self.index.more_results
                )
        return True

    def _put_message(self, rows: Sequence[int]) -> None:
        """The fragments of a message, then the results of its calls."""
        index = self.index
        peer, more = index.peer, index.more_results
        self._put(rows)
        results: list[int] = []
        for call in rows:
            if peer[call] != NONE:
                results.append(peer[call])
                if call in more:
                    results += more[call]
        if results:
            self._put(sorted(results) if len(results) > 1 else results)

    def _put(self, rows: Iterable[int]) -> None:
        """Rows of a message that are of this stretch or beside the path, and not hidden there."""
        place, on_line, flags, uuids = self.place, self.on_line, self.index.flags, self.index.uuids
        start, stop, hidden, out = self._start, self._stop, self._hidden, self._out
        for row in rows:
            if on_line[row] or flags[row] & hidden or uuids[row] is None:
                continue
            at = place[row]
            if at < 0 or start <= at < stop:
                on_line[row] = 1
                out.append(row)


def replies_passed_by(
    index: SessionIndex,
    hanging: Mapping[int, Iterable[int]],
    place: array[int],
    path: array[int],
    start: int = 0,
) -> dict[int, list[int]]:
    """Replies beside the path whose only rival on it is no message, by the row that they hang on.

    `hanging` are replies that may be beside the path, by their parent, and by the message above that
    where it is none. What goes on from such a reply, or from the result of a call on the path that such
    a record follows, goes with it. Rows of the path before place `start` may be left out.
    """
    found: dict[int, list[int]] = {}
    rivals = _Rivals(index, path)
    for parent in _parents(index, hanging, path, start):
        above = parent if place[parent] >= 0 else _call_on_path(index, place, parent)
        following = place[above] + 1 if above >= 0 else 0
        if 0 < following < len(path) and rivals.yields(following):
            beside = _with_followers(index, hanging, place, parent)
            if beside:
                found[above] = [*found.get(above, ()), *beside]
    return found


def _parents(
    index: SessionIndex, hanging: Mapping[int, Iterable[int]], path: array[int], start: int
) -> Iterable[int]:
    """The rows that replies hang on, on the path from a place on or answering calls there."""
    if len(hanging) <= len(path) - start:
        return list(hanging)
    rows = dict.fromkeys(path[start:])
    for row in path[start:]:
        if IS_REPLY[index.kind[row]]:
            for each in index.fragments_of(row):
                rows.update(dict.fromkeys(index.results_of(each)))
    return [row for row in rows if row in hanging]


def _call_on_path(index: SessionIndex, place: array[int], row: int) -> int:
    """The last row on the path of the message that a result beside it answers; NONE without one."""
    call = index.peer[row] if index.kind[row] == Kind.RESULT else NONE
    group = index.fragments_of(call) if call != NONE else []
    return max(group, key=place.__getitem__) if any(place[each] >= 0 for each in group) else NONE


def _with_followers(
    index: SessionIndex, hanging: Mapping[int, Iterable[int]], place: array[int], parent: int
) -> list[int]:
    """A row of each reply beside the path that hangs on a row; each is followed by what hangs on it alone."""
    todo = [row for row in sorted(hanging[parent]) if _is_beside(index, place, row, parent)]
    seen, found = set(todo), dict[int, int]()
    for reply in todo:
        group = index.fragments_of(reply)
        if group[0] in found:
            continue
        found[group[0]] = reply
        seen.update(group)
        results = [result for each in group for result in index.results_of(each)]
        after = {
            row
            for each in (*group, *results)
            for row in hanging.get(each, ())
            if row not in seen and _is_beside(index, place, row, each)
        }
        if len({index.fragments_of(row)[0] for row in after}) == 1:
            seen |= after
            todo.append(min(after))
    return list(found.values())


def _is_beside(index: SessionIndex, place: array[int], row: int, above: int) -> bool:
    """Whether a row that hangs on one above it is beside the path with all that stands between."""
    parents = index.parent
    while row >= 0 and row != above and place[row] < 0:
        row = parents[row]
    return row == above


class _Rivals:
    """Tells what on a path yields to a reply beside it; looks at each place once."""

    def __init__(self, index: SessionIndex, path: array[int]) -> None:
        self.kind = index.kind
        self.path = path
        self._to_reply: dict[int, bool] = {}

    def yields(self, place: int) -> bool:
        """Whether the record at a place is no rival."""
        kind = self.kind[self.path[place]]
        return bool(_YIELDS[kind] or (_SILENT[kind] and not self._leads_to_reply(place)))

    def _leads_to_reply(self, place: int) -> bool:
        """Whether the next words on the path are a reply."""
        passed, known = [], self._to_reply
        while place < len(self.path) and place not in known:
            kind = self.kind[self.path[place]]
            if _SAYS[kind]:
                known[place] = bool(IS_REPLY[kind])
                break
            passed.append(place)
            place += 1
        answer = known.get(place, False)
        known.update(dict.fromkeys(passed, answer))
        return answer
