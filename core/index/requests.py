"""Requests of a file, each counted once: a table of usage keyed by message and request id."""

from array import array
from collections.abc import Iterator

from ccbrowse.core.records.heads import UsageHead

NO_REQUEST = -1

Key = tuple[str, str | None]
"""A `message.id` with its `requestId`; of a message without id the record's uuid, and None."""

Counts = tuple[int, int, int, int]
"""Tokens of a request: input, cache creation, cache read, output."""

MOST = 1 << 53
"""A counter from here on, or below zero, is no count of tokens: it is taken as not given."""


class RequestTable:
    """Usage of each request: the counters of its last record, and whether its output can be trusted.

    A request is a `message.id` with its `requestId`, else the `message.id`, else the record's uuid.
    `trusted[i]` is 1 where some record of it had a `stop_reason`: only then is `output_tokens` the
    final figure and not the one at the start of the stream. `strange` are rows with a counter that
    cannot be true; `largest` is the most that a request ever weighed.
    """

    def __init__(self) -> None:
        self.keys: list[Key] = []
        self.fresh = array("Q")
        self.created = array("Q")
        self.read = array("Q")
        self.output = array("Q")
        self.trusted = bytearray()
        self.model = array("I")
        self.row = array("I")
        self.sidechain = bytearray()
        self.strange: list[int] = []
        self._largest = self._looked_at = 0
        self._number: dict[Key, int] = {}

    def __len__(self) -> int:
        return len(self.keys)

    def number_of(self, key: Key) -> int:
        """The number of a request, or NO_REQUEST."""
        known = self._number
        for number in range(len(known), len(self.keys)):
            known[self.keys[number]] = number
        return known.get(key, NO_REQUEST)

    def add(self, key: Key, counts: Counts, row: int, model: int, ended: bool, side: bool) -> int:
        """The number of a request that is new."""
        fresh, created, read, output = counts
        self.keys.append(key)
        self.fresh.append(fresh)
        self.created.append(created)
        self.read.append(read)
        self.output.append(output)
        self.trusted.append(ended)
        self.model.append(model)
        self.row.append(row)
        self.sidechain.append(side)
        return len(self.keys) - 1

    def update(self, number: int, counts: Counts, ended: bool) -> None:
        """A request's counters are now these; zeros tell nothing."""
        fresh, created, read, output = counts
        if fresh or created or read or output:
            self.fresh[number], self.created[number] = fresh, created
            self.read[number], self.output[number] = read, output
            self.trusted[number] |= ended
            self._looked_at = min(self._looked_at, number)

    def counters(self, usage: UsageHead, row: int) -> Counts:
        """Input, cache creation, cache read and output of a row's usage, as far as they can be true."""
        fresh, created = usage.input_tokens or 0, usage.cache_creation_input_tokens or 0
        read, output = usage.cache_read_input_tokens or 0, usage.output_tokens or 0
        if not 0 <= (fresh | created | read | output) < MOST:
            self.strange.append(row)
            fresh, created, read, output = (
                count if 0 <= count < MOST else 0 for count in (fresh, created, read, output)
            )
        return fresh, created, read, output

    @property
    def largest(self) -> int:
        """What the heaviest request weighed, in tokens; 0 where there is none."""
        for number in range(self._looked_at, len(self.keys)):
            self._largest = max(self._largest, self.context(number))
        self._looked_at = len(self.keys)
        return self._largest

    def context(self, number: int) -> int:
        """What the request weighed: the input side, in tokens."""
        return self.fresh[number] + self.created[number] + self.read[number]

    def main_lane(self) -> Iterator[int]:
        """The requests that are not of inline sidechains."""
        return (number for number, side in enumerate(self.sidechain) if not side)
