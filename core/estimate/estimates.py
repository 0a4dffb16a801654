"""An estimate: what a text weighs for Claude, whose factor that is, and how far it may be off."""

from dataclasses import dataclass

from ccbrowse.core.estimate.counts import TextCounts
from ccbrowse.core.estimate.factors import WIDEST, family, least_error, scale
from ccbrowse.core.estimate.learning import Learned, Source

_GUESSED_ERROR = 0.4


@dataclass(frozen=True, slots=True)
class Estimate:
    """Claude's tokens in a text, estimated. `value` is `raw` times `factor`, rounded."""

    raw: int
    """Tokens by the counter itself."""
    encoding: str
    """The counter: ``cl100k_base`` (tiktoken's) or ``ctok``."""
    value: int
    """Claude's tokens."""
    factor: float
    """Claude's tokens per counted token, to four decimals."""
    error: float
    """Half-width as a share of `value` that holds the truth in 80 % of cases; 0 for no text at all."""
    source: Source
    """Whose factor it is."""
    guessed: int = 0
    """Characters that the tokenizer failed on: their tokens are a guess from bytes."""


def estimate(counts: TextCounts, model: str | None, learned: Learned | None = None) -> Estimate:
    """What the texts in `counts` weigh for `model` (an id as records carry it, or None).

    `learned` is used if it is of the model's family and of the same counter; else the table decides,
    with a wider error for models that were never measured.
    """
    if not counts.tokens:
        return Estimate(0, counts.encoding, 0, 1.0, 0.0, "table", counts.guessed)
    kind = family(model)
    if learned and learned.n and (learned.family, learned.encoding) == (kind, counts.encoding):
        factor = learned.value(counts) / counts.tokens
        error, source = learned.half_width(counts), learned.source
    else:
        table = scale(counts, kind)
        factor, error, source = table.factor, max(table.error, least_error(model)), "table"
    factor = round(factor, 4)
    error += _GUESSED_ERROR * counts.guessed / counts.chars
    return Estimate(
        raw=counts.tokens,
        encoding=counts.encoding,
        value=round(counts.tokens * factor),
        factor=factor,
        error=round(min(error, WIDEST), 4),
        source=source,
        guessed=counts.guessed,
    )
