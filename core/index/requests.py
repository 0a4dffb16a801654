"""Requests of a file, each counted once: a table of usage keyed by message and request id."""

from array import array
from collections.abc import Iterator

from ccbrowse.core.records.heads import UsageHead

NO_REQUEST = -1

MOST = 1 << 53
"""A counter from here on, or below zero, is no count of tokens: it is taken as not given."""


class RequestTable:
    """Usage of each request: the counters of its last record, and whether its output can be trusted.

    A request is a `message.id` with its `requestId`, else the `message.id`, else the record's uuid.
    `trusted[i]` is 1 where some record of it had a `stop_reason`: only then is `output_tokens` the
    final figure and not the one at the start of the stream. `strange` are rows with a counter that
    cannot be true.
    """

    def __init__(self) -> None:
        self.keys: list[tuple[str, str | None]] = []
        self.fresh = array("q")
        self.created = array("q")
        self.read = array("q")
        self.output = array("q")
        self.trusted = bytearray()
        self.model = array("H")
        self.row = array("i")
        self.sidechain = bytearray()
        self.strange: list[int] = []
        self._number: dict[tuple[str, str | None], int] = {}

    def __len__(self) -> int:
        return len(self.keys)

    def add(
        self,
        key: tuple[str, str | None],
        usage: UsageHead,
        row: int,
        model: int,
        ended: bool,
        side: bool,
    ) -> int:
        """The request's number; its counters are now those of this record. All-zero usage is none."""
        fresh = usage.input_tokens or 0
        created = usage.cache_creation_input_tokens or 0
        read = usage.cache_read_input_tokens or 0
        output = usage.output_tokens or 0
        if not 0 <= (fresh | created | read | output) < MOST:
            self.strange.append(row)
            fresh, created, read, output = (
                count if 0 <= count < MOST else 0 for count in (fresh, created, read, output)
            )
        number = self._number.get(key)
        if not (fresh or created or read or output) and (
            number is not None or usage.says_nothing()
        ):
            return NO_REQUEST if number is None else number
        if number is None:
            number = self._number[key] = len(self.keys)
            self.keys.append(key)
            self.fresh.append(fresh)
            self.created.append(created)
            self.read.append(read)
            self.output.append(output)
            self.trusted.append(ended)
            self.model.append(model)
            self.row.append(row)
            self.sidechain.append(side)
            return number
        self.fresh[number], self.created[number] = fresh, created
        self.read[number], self.output[number] = read, output
        self.trusted[number] |= ended
        return number

    def context(self, number: int) -> int:
        """What the request weighed: the input side, in tokens."""
        return self.fresh[number] + self.created[number] + self.read[number]

    def main_lane(self) -> Iterator[int]:
        """The requests that are not of inline sidechains."""
        return (number for number, side in enumerate(self.sidechain) if not side)
