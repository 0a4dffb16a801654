"""Requests counted once: sums of usage, with what is exact in them and what is not."""

from collections.abc import Iterable

from msgspec import Struct

from ccbrowse.core.index import NONE, RequestTable, SessionIndex


class Usage(Struct, frozen=True):
    """A sum over requests, in tokens, as the API counted them.

    `untrusted_requests` are those whose output counter is only the one at the start of the stream
    (clients that never set `stop_reason`): their part of `output_tokens` is too low.
    """

    input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 0
    untrusted_requests: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.cache_creation_input_tokens + other.cache_creation_input_tokens,
            self.cache_read_input_tokens + other.cache_read_input_tokens,
            self.output_tokens + other.output_tokens,
            self.requests + other.requests,
            self.untrusted_requests + other.untrusted_requests,
        )

    def to_json(self) -> dict[str, int]:
        """The sum as the command line prints it."""
        return {
            "input_tokens": self.input_tokens,
            "cache_creation_input_tokens": self.cache_creation_input_tokens,
            "cache_read_input_tokens": self.cache_read_input_tokens,
            "output_tokens": self.output_tokens,
            "requests": self.requests,
            "untrusted_output_requests": self.untrusted_requests,
        }


NO_USAGE = Usage()


def sum_requests(table: RequestTable, numbers: Iterable[int]) -> Usage:
    """The sum over some requests of a file; each number is to be given once."""
    fresh = created = read = output = count = untrusted = 0
    for number in numbers:
        fresh += table.fresh[number]
        created += table.created[number]
        read += table.read[number]
        output += table.output[number]
        untrusted += not table.trusted[number]
        count += 1
    return Usage(fresh, created, read, output, count, untrusted)


def requests_of(index: SessionIndex, rows: Iterable[int]) -> list[int]:
    """The requests that rows belong to, each once, in their order."""
    request = index.request
    numbers = dict.fromkeys([request[row] for row in rows])
    numbers.pop(NONE, None)
    return list(numbers)


def file_usage(index: SessionIndex) -> Usage:
    """Every request of a file, branches included, inline sidechains not (unless it is a subagent's)."""
    table = index.requests
    if not index.sidechain_lane and any(table.sidechain):
        return sum_requests(table, table.main_lane())
    return Usage(
        sum(table.fresh),
        sum(table.created),
        sum(table.read),
        sum(table.output),
        len(table),
        table.trusted.count(0),
    )


def sidechain_usage(index: SessionIndex) -> Usage:
    """The requests of subagents that were written into the main file."""
    table = index.requests
    return sum_requests(table, (n for n, side in enumerate(table.sidechain) if side))
