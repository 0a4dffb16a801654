"""What a compaction itself cost: derived where a client left a trace of it, else estimated and marked.

The request that makes the summary stands in no row. Clients from about 2.1.300 on write running
totals (`cost-state`), which it makes grow; some older ones keep a file of the call with its usage.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ccbrowse.core.compaction.model import CallBasis, CallCost, Side, SummaryText
from ccbrowse.core.errors import BadLine
from ccbrowse.core.index import NONE
from ccbrowse.core.numbers import UNKNOWN, Number, Source
from ccbrowse.core.payload import compaction_call
from ccbrowse.core.payload.replies import parse_version
from ccbrowse.core.records import Kind, Text, blocks, decode
from ccbrowse.core.segments import Boundary
from ccbrowse.core.session import Session

OWN_PROMPT_BEFORE = (2, 1, 60)
"""Up to here the summary was asked for with a small system prompt of its own, not with the session's."""

INSTRUCTION = 1_700
"""Tokens of the instruction to summarise, about; measured over clients from 2.1.11 to 2.1.332."""

ERROR = 0.25
"""How far an estimate is off, four times in five: output that is not in the summary is not known."""

UNSAID = 1.25
"""Output tokens for each token of the summary: newer clients drop the analysis that precedes it."""

_COST = b'"type":"cost-state"'
_COUNTERS = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")


def call_cost(
    session: Session,
    number: int,
    boundary: Boundary,
    summary: SummaryText | None,
    before: Side | None,
) -> CallCost:
    """What the request for a summary cost: its input side and its output."""
    guess = _estimate(session, number, boundary, summary, before)
    told = _side_file(session, summary)
    if told is not None:
        return CallCost(Number(told, Source.USAGE), CallBasis.SIDE_FILE)
    grown = _growth(session, boundary.row)
    if grown is not None and _plausible(grown, guess):
        return CallCost(Number(grown, Source.USAGE), CallBasis.COST_STATE)
    basis = CallBasis.UNKNOWN if guess.value is None else CallBasis.ESTIMATE
    return CallCost(guess, basis)


def _plausible(grown: int, guess: Number) -> bool:
    """Whether a growth can be one call: other calls that stand in no row would be in it too."""
    if grown <= 0:
        return False
    return guess.value is None or 0.4 * guess.value <= grown <= 1.6 * guess.value + 2_000


def _growth(session: Session, row: int) -> int | None:
    """By how much the totals grew over a boundary, less the requests that rows tell of in between."""
    before = _totals(session, range(row - 1, -1, -1))
    after = _totals(session, range(row + 1, len(session.index)))
    if before is None or after is None:
        return None
    index = session.index
    known = {
        index.request[each] for each in range(before[0], after[0]) if index.request[each] != NONE
    }
    spent = sum(index.requests.context(n) + index.requests.output[n] for n in known)
    return after[1] - before[1] - spent


def _totals(session: Session, rows: range) -> tuple[int, int] | None:
    """The nearest totals among some rows, and their row; None where another boundary comes first."""
    index = session.index
    for row in rows:
        kind = index.kind[row]
        if kind == Kind.BOUNDARY:
            return None
        if kind == Kind.SIDE and _COST in session.raw(row)[:64]:
            return row, _sum(session.record(row))
    return None


def _sum(record: Mapping[str, Any]) -> int:
    usage = record.get("modelUsage")
    models = usage.values() if isinstance(usage, Mapping) else ()
    return sum(
        value
        for model in models
        if isinstance(model, Mapping)
        for name in _COUNTERS
        if isinstance(value := model.get(name), int)
    )


def _side_file(session: Session, summary: SummaryText | None) -> int | None:
    """The usage in the file of the summarising call that gave this summary."""
    if summary is None or session.agent_id is not None:
        return None
    for agent in session.folder.agents_of(session.file):
        if not agent.agent_id.startswith("acompact-"):
            continue
        try:
            lines = agent.path.read_bytes().splitlines()
        except OSError:
            continue
        for line in reversed(lines[-3:]):
            found = _answer(line, summary.text)
            if found is not None:
                return found
    return None


def _answer(line: bytes, summary: str) -> int | None:
    """The tokens of a reply whose summary is the session's."""
    try:
        record = decode(line)
    except BadLine:
        return None
    if record.get("type") != "assistant":
        return None
    text = "\n".join(block.text for block in blocks(record) if isinstance(block, Text))
    said = text.partition("<summary>")[2].partition("</summary>")[0].strip() or text.strip()
    if not said or said[:2_000] not in summary:
        return None
    message = record.get("message")
    usage = message.get("usage") if isinstance(message, Mapping) else None
    return _spent(usage) if isinstance(usage, Mapping) else None


def _spent(usage: Mapping[str, Any]) -> int | None:
    names = (
        "input_tokens",
        "cache_creation_input_tokens",
        "cache_read_input_tokens",
        "output_tokens",
    )
    counts = [value for name in names if isinstance(value := usage.get(name), int)]
    return sum(counts) or None


def _estimate(
    session: Session,
    number: int,
    boundary: Boundary,
    summary: SummaryText | None,
    before: Side | None,
) -> Number:
    """The messages that were summarised, what is sent around them, the instruction, and the reply."""
    if before is None:
        return UNKNOWN
    version = next(_versions(session, boundary.row), "")
    alone = bool(version) and parse_version(version) < OWN_PROMPT_BEFORE
    weight, told = before.api_input.value, boundary.facts.pre_tokens or 0
    if not alone and weight is None:
        return UNKNOWN
    if not alone and weight is not None and told >= 0.9 * weight:
        sent = told  # what the client counted: no need to put the request together
    else:
        sent = compaction_call(session, number, with_messages=False).counts.tokens
        if not alone and weight is not None:
            sent += max(0, weight - (before.message_tokens.value or 0))
    said = (summary.tokens.value or 0) if summary else 0
    return Number(round(sent + INSTRUCTION + UNSAID * said), Source.ESTIMATE, ERROR)


def _versions(session: Session, row: int) -> Iterator[str]:
    """The client that wrote a row, if it says so."""
    version = session.record(row).get("version")
    if isinstance(version, str):
        yield version
