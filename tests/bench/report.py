"""What a run prints: a table for people, one JSON object for scripts."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.corpora import Corpus
from bench.stats import Result, quantile


def table(corpus: Corpus, results: Sequence[Result]) -> str:
    """A row a measure."""
    head = f"{'':5}{'measure / reference':72}{'figure':>9}{'min':>8}{'p25–p75':>14}{'target':>9}"
    rows = [
        f"{corpus.preset}: {len(corpus.sessions)} sessions, {corpus.bytes / 1e6:.0f} MB, "
        f"{corpus.lines:,} lines; Python {platform.python_version()}",
        head,
    ]
    for result in results:
        low, high = quantile(result.values, 0.25), quantile(result.values, 0.75)
        what = f"{result.what} / {result.reference}"
        target = "" if result.target is None else f"≤ {result.target:.2f}"
        sign = {True: "ok", False: "MISSED", None: ""}[result.passed]
        rows.append(
            f"{result.id:5}{what:72.72}{result.held:9.2f}{min(result.values):8.2f}"
            f"{f'{low:.2f}–{high:.2f}':>14}{target:>9} {result.unit} {sign}"
            f"{' noisy' if result.noisy else ''}"
        )
    return "\n".join(rows)


def as_json(corpus: Corpus, rounds: int, results: Sequence[Result]) -> dict[str, Any]:
    """The run as data."""
    return {
        "version": 1,
        "machine": {
            "cpu": _cpu(),
            "cores": os.cpu_count(),
            "load": os.getloadavg()[0],
            "python": platform.python_version(),
        },
        "corpus": {
            "preset": corpus.preset,
            "seed": corpus.seed,
            "bytes": corpus.bytes,
            "lines": corpus.lines,
        },
        "rounds": rounds,
        "measures": [_measure(result) for result in results],
    }


def _measure(result: Result) -> dict[str, Any]:
    return {
        "id": result.id,
        "what": result.what,
        "ref": result.reference,
        "unit": result.unit,
        "ratio_median": round(result.median, 4),
        "ratio_min": round(min(result.values), 4),
        "p25": round(quantile(result.values, 0.25), 4),
        "p75": round(quantile(result.values, 0.75), 4),
        "p90": round(quantile(result.values, 0.9), 4),
        "wall_ms": round(result.wall * 1000, 1),
        "cpu_ms": round(result.cpu * 1000, 1),
        "rss_mb": round(result.rss, 1),
        "target": result.target,
        "pass": result.passed,
        "noisy": result.noisy,
    }


def _cpu() -> str:
    """The processor's name, where the system tells it."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as file:
            names = [
                line.split(":", 1)[1].strip() for line in file if line.startswith("model name")
            ]
    except OSError:
        names = []
    return names[0] if names else platform.processor()
