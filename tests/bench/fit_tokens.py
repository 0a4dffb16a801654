"""Fit the table of token factors anew, and say by cross-validation what it is worth.

    python tests/bench/fit_tokens.py [PAIRS]

PAIRS is a tab-separated file with a row a tool result: family, chars, bytes, lines, digits, spaces,
non_ascii, cl100k (tiktoken's count) and true_tokens (the API's); default ../shared/tokens/pairs.tsv
beside the checkout. Prints the rows for `TABLE` in core/estimate/factors.py and, per family, the median
error of texts that were held back and the share of them that the stated half-width holds. Seeded, so
that the same file gives the same table. Takes about a minute.
"""

import csv
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, pstdev

from ccbrowse.core.estimate import TextCounts
from ccbrowse.core.estimate.factors import Row, measures, within_limits

PAIRS = Path(__file__).parents[3] / "shared" / "tokens" / "pairs.tsv"
HELD = 0.8
FOLDS = 10
TRIALS = 3
ROUNDS = 40
SMALLEST_MISS = 1e-4  # keeps the trust in exact hits finite

KIN = (("4.6-",), ("4.7-4.9", "5"))
"""Families that share a vocabulary: what the texts of one say holds for the other, within reason."""

KINSHIP = 6.0
"""How strongly a family is drawn to what it has in common with its kin, which had texts it had not."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One text: what is seen of it, and what it weighed."""

    family: str
    counts: TextCounts
    true_tokens: int

    @property
    def ratio(self) -> float:
        """True tokens per counted token."""
        return self.true_tokens / self.counts.tokens


def read_pairs(path: Path) -> list[Pair]:
    """The pairs of a file, in its order."""
    with path.open(encoding="utf-8", newline="") as lines:
        return [_pair(row) for row in csv.DictReader(lines, delimiter="\t")]


def _pair(row: dict[str, str]) -> Pair:
    counts = TextCounts(
        tokens=int(row["cl100k"]),
        chars=int(row["chars"]),
        bytes=int(row["bytes"]),
        lines=int(row["lines"]),
        digits=int(row["digits"]),
        spaces=int(row["spaces"]),
        non_ascii=int(row["non_ascii"]),
    )
    return Pair(row["family"], counts, int(row["true_tokens"]))


def fit_families(pairs: Sequence[Pair]) -> dict[str, list[float]]:
    """Weights for each family of one kin: first those of all together, then each one's own near them."""
    families = sorted({pair.family for pair in pairs})
    common = fit_weights(pairs)
    if len(families) == 1:
        return {families[0]: common}
    return {
        family: fit_weights([pair for pair in pairs if pair.family == family], common)
        for family in families
    }


def fit_weights(pairs: Sequence[Pair], common: Sequence[float] = ()) -> list[float]:
    """Weights of the measures with the least sum of absolute relative errors, drawn to `common`.

    Absolute ones, as some truths hold what no text shows; by least squares with a trust in each row
    that turns squares into absolutes, round by round.
    """
    rows = [[value / pair.ratio for value in seen(pair)] for pair in pairs]
    pull = _pull(pairs) if common else [0.0] * len(rows[0])
    trust = [1.0] * len(rows)
    weights: list[float] = []
    for _ in range(ROUNDS):
        weights = _least_squares(rows, trust, pull, common or [0.0] * len(pull))
        trust = [1 / max(abs(1 - _dot(row, weights)), SMALLEST_MISS) for row in rows]
    return weights


def seen(pair: Pair) -> list[float]:
    """The measures of a pair as the estimate takes them."""
    return within_limits(measures(pair.counts))


def _pull(pairs: Sequence[Pair]) -> list[float]:
    """What a weight pays for leaving the common one: its share in what sets the texts apart."""
    spreads = [pstdev(column) for column in zip(*map(seen, pairs), strict=True)]
    spreads[0] = 0.3  # the first measure is 1 for all: about the others' share in a factor
    return [KINSHIP * len(pairs) * spread**2 for spread in spreads]


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _least_squares(
    rows: Sequence[Sequence[float]],
    trust: Sequence[float],
    pull: Sequence[float],
    common: Sequence[float],
) -> list[float]:
    """Weights that bring every row's sum next to 1 and stay near the common ones."""
    size = len(rows[0])
    columns = list(zip(*rows, strict=True))
    heavy = [[t * x for t, x in zip(trust, column, strict=True)] for column in columns]
    system = [
        [_dot(heavy[i], columns[j]) for j in range(size)] + [sum(heavy[i]) + pull[i] * common[i]]
        for i in range(size)
    ]
    for i in range(size):
        system[i][i] += pull[i]
    return _solve(system)


def _solve(system: list[list[float]]) -> list[float]:
    """Gauss with pivots on a square system with its right side as last column."""
    size = len(system)
    for i in range(size):
        best = max(range(i, size), key=lambda k: abs(system[k][i]))
        system[i], system[best] = system[best], system[i]
        for k in range(size):
            if k != i:
                share = system[k][i] / system[i][i]
                system[k] = [x - share * y for x, y in zip(system[k], system[i], strict=True)]
    return [row[-1] / row[i] for i, row in enumerate(system)]


def fit_widths(errors: Sequence[float], sizes: Sequence[int]) -> tuple[float, float]:
    """`error` and `small` of a row, so that 80 % of the errors are held at every size of a text."""
    roots = [(size / 1000) ** -0.5 for size in sizes]
    best = (float("inf"), 0.0, 0.0)
    for step in range(41):
        small = step / 400
        width = quantile([e - small * r for e, r in zip(errors, roots, strict=True)], HELD)
        if width < 0.02:
            break
        over = [e - width - small * r for e, r in zip(errors, roots, strict=True)]
        best = min(best, (sum(x * HELD if x > 0 else x * (HELD - 1) for x in over), width, small))
    return best[1], best[2]


def quantile(values: Sequence[float], share: float) -> float:
    """The value that `share` of the values do not exceed."""
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


@dataclass(frozen=True, slots=True)
class Trial:
    """One cross-validation of a kin: the relative error of each pair, and its fold."""

    errors: list[float]
    folds: list[int]


def held_back(pairs: Sequence[Pair], seed: int) -> Trial:
    """Errors by weights that were fitted without the pair's fold."""
    order = list(range(len(pairs)))
    random.Random(seed).shuffle(order)
    trial = Trial([0.0] * len(pairs), [0] * len(pairs))
    for fold in range(FOLDS):
        out = set(order[fold::FOLDS])
        weights = fit_families([pair for i, pair in enumerate(pairs) if i not in out])
        for i in out:
            pair = pairs[i]
            trial.errors[i] = abs(pair.ratio / _dot(weights[pair.family], seen(pair)) - 1)
            trial.folds[i] = fold
    return trial


def coverage(trial: Trial, sizes: Sequence[int]) -> float:
    """The share of errors inside half-widths that were fitted on the other folds."""
    held = 0
    texts = list(zip(trial.errors, sizes, trial.folds, strict=True))
    for fold in range(FOLDS):
        rest = [(e, size) for e, size, f in texts if f != fold]
        error, small = fit_widths([e for e, _ in rest], [size for _, size in rest])
        held += sum(e <= error + small * (size / 1000) ** -0.5 for e, size, f in texts if f == fold)
    return held / len(texts)


def judge(
    pairs: Sequence[Pair], trials: Sequence[Trial], weights: Sequence[float]
) -> tuple[Row, str]:
    """A family's row, and a line about it, from its pairs and their part of each trial."""
    sizes = [pair.counts.tokens for pair in pairs]
    typical = median(pair.ratio for pair in pairs)
    plain = median(abs(pair.ratio / typical - 1) for pair in pairs)
    errors = [sum(each) / len(each) for each in zip(*(t.errors for t in trials), strict=True)]
    said = (
        f"{len(pairs)} texts: median error {_percent([median(t.errors) for t in trials])} "
        f"(with one factor {plain:.2%}), held by the half-width "
        f"{_percent([coverage(t, sizes) for t in trials])}"
    )
    return Row(tuple(weights), *fit_widths(errors, sizes)), said


def part(trial: Trial, chosen: Sequence[int]) -> Trial:
    """The trial of some pairs alone."""
    return Trial([trial.errors[i] for i in chosen], [trial.folds[i] for i in chosen])


def _percent(values: Sequence[float]) -> str:
    return " ".join(f"{value:.2%}" for value in values)


def main() -> None:
    """Read, fit, print."""
    everything = read_pairs(Path(sys.argv[1]) if len(sys.argv) > 1 else PAIRS)
    for kin in KIN:
        pairs = [pair for pair in everything if pair.family in kin]
        trials = [held_back(pairs, seed) for seed in range(TRIALS)]
        weights = fit_families(pairs)
        for family in kin:
            chosen = [i for i, pair in enumerate(pairs) if pair.family == family]
            own = [part(trial, chosen) for trial in trials]
            row, said = judge([pairs[i] for i in chosen], own, weights[family])
            numbers = ", ".join(f"{weight:+.3f}" for weight in row.weights)
            print(f'    "{family}": Row(({numbers}), {row.error:.3f}, {row.small:.3f}),')
            print(f"    # {said}")


if __name__ == "__main__":
    main()
