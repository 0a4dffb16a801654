"""Records on consecutive rows, taken in together: what most need is done for all of them at once."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ccbrowse.core.records.heads import Brief, Head, full_head


@dataclass(slots=True)
class Batch:
    """Heads of records, the row of the first, and the lines that they were decoded from.

    Line `i` is `data[starts[i]:ends[i]]`; heads that are whole already (of damaged lines) need none.
    `repeats` are the rows that only repeat an earlier record.
    """

    heads: Sequence[Brief]
    first: int
    data: bytes | bytearray = b""
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()
    repeats: Collection[int] = ()

    def whole(self, row: int) -> Head:
        """All facts of a record: a second look at its line, for the few that need it."""
        number = row - self.first
        head = self.heads[number]
        if isinstance(head, Head):
            return head
        return full_head(bytes(self.data[self.starts[number] : self.ends[number]]))
