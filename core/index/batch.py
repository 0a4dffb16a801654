"""Records on consecutive rows, taken in together: what most need is done for all of them at once."""

from collections.abc import Collection, Sequence

from msgspec import Struct, UnsetType

from ccbrowse.core.records.heads import Brief, Head, full_head


class Batch(Struct):
    """Heads of records, the row of the first, and the lines that they were decoded from.

    Line `i` is `data[starts[i]:ends[i]]`; heads that are whole already (of damaged lines) need none.
    `uuids` and `parents` are the links of the records, by place; `repeats` are the rows that only repeat
    an earlier record. Both are found while the batch is taken in.
    """

    heads: Sequence[Brief]
    first: int
    data: bytes | bytearray = b""
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()
    uuids: Sequence[str | None] = ()
    parents: Sequence[str | UnsetType | None] = ()
    repeats: Collection[int] = ()

    @property
    def rows(self) -> range:
        """The rows of the records."""
        return range(self.first, self.first + len(self.heads))

    def head(self, row: int) -> Brief:
        """The head of the record on a row."""
        return self.heads[row - self.first]

    def line(self, row: int) -> bytes:
        """The line of a record; empty where its head is whole already."""
        number = row - self.first
        return bytes(self.data[self.starts[number] : self.ends[number]]) if self.starts else b""

    def whole(self, row: int) -> Head:
        """All facts of a record: a second look at its line, for the few that need it."""
        head = self.head(row)
        return head if isinstance(head, Head) else full_head(self.line(row))
