"""Token estimates: a counter, what it counted, and the way from there to Claude's own count.

    counter = default_counter(family(model))
    counts = count_texts(texts, counter)             # slow: from a worker
    learned = learn(observations, family(model))     # from the session's own consecutive requests
    estimate(counts, model, learned)                 # -> Estimate(raw, encoding, value, factor, error, …)

`counters` and `engines` count, offline; `counts` sums up what a text shows; `factors` holds the table
of the families; `learning` corrects it by a session's usage; `estimates` puts all together. Images,
base64 and thinking without text are no texts: callers do not pass them.
"""

from ccbrowse.core.estimate.counters import PieceCounter, Tally, TokenCounter
from ccbrowse.core.estimate.counts import TextCounts, count_text, count_texts
from ccbrowse.core.estimate.engines import (
    CL100K,
    CTOK,
    ctok_counter,
    ctok_is_installed,
    default_counter,
    tiktoken_counter,
)
from ccbrowse.core.estimate.estimates import Estimate, estimate
from ccbrowse.core.estimate.factors import (
    FALLBACK_FAMILY,
    FAMILIES,
    UNKNOWN_ERROR,
    family,
    least_error,
)
from ccbrowse.core.estimate.learning import (
    ENOUGH,
    Basis,
    Learned,
    Observation,
    Source,
    learn,
)

__all__ = [
    "CL100K",
    "CTOK",
    "ENOUGH",
    "FALLBACK_FAMILY",
    "FAMILIES",
    "UNKNOWN_ERROR",
    "Basis",
    "Estimate",
    "Learned",
    "Observation",
    "PieceCounter",
    "Source",
    "Tally",
    "TextCounts",
    "TokenCounter",
    "count_text",
    "count_texts",
    "ctok_counter",
    "ctok_is_installed",
    "default_counter",
    "estimate",
    "family",
    "learn",
    "least_error",
    "tiktoken_counter",
]
