"""What `ccbrowse export` masks, how far it has come, and what it would mask."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from ccbrowse.core.export import Part
from ccbrowse.core.export.wording import masked_words as kinds_in_words
from ccbrowse.tui.cli.output import print_table
from ccbrowse.tui.cli.patience import PATIENCE, Waiting, overwrite

if TYPE_CHECKING:
    from ccbrowse.core.redact import Hit, Redactor

_PAUSE = 0.1
_AROUND = "beside"
"""Where a hit stands that belongs to no message: a title, a list of findings."""


class Course:
    """Follows an export from line to line of its session: for `Options.at` and `Options.clean`."""

    def __init__(self, redactor: Redactor | None) -> None:
        self.redactor = redactor
        self._origin = _AROUND
        self._first, self._span = 0, 0
        self._started = self._said = time.monotonic()
        self._shown = False
        self._share = 0
        self._waiting: Waiting | None = None

    def clean(self, text: str) -> str:
        """A text with what is private in it masked; the hits remember the line."""
        return self.redactor.redact(text, self._origin) if self.redactor else text

    def at(self, line: int | None) -> None:
        """The export has come to a line; None: what stands around the messages."""
        self._origin = _AROUND if line is None else str(line)
        if line is not None and self._span:
            now = time.monotonic()
            if now - self._said >= _PAUSE and now - self._started >= PATIENCE:
                self._said, self._shown = now, True
                self._share = min(99, max(0, (line - self._first) * 100 // self._span))
                if self._waiting:
                    self._waiting.hush()
                overwrite(f"exporting… {self._share} %")

    def start(self, part: Part) -> None:
        """Say from now on how far it is, where a person looks on."""
        if sys.stderr.isatty() and len(part.rows):
            lines = part.session.index.line
            self._first = min(lines[row] for row in part.rows)
            self._span = max(1, max(lines[row] for row in part.rows) - self._first)
            self._waiting = Waiting(lambda: f"exporting… {self._share} %,")

    def close(self) -> None:
        """Wipe what was said."""
        if self._waiting:
            self._waiting.close()
        if self._shown:
            overwrite("")
        self._span, self._shown, self._waiting = 0, False, None


def make_redactor(*, keep_paths: bool, emails: bool, keep_hits: bool) -> Redactor:
    """A redactor that knows whose home this is."""
    from ccbrowse.core.redact import Redactor

    home = Path.home()
    return Redactor(str(home), home.name, keep_paths=keep_paths, emails=emails, keep_hits=keep_hits)


def masked_words(counts: Counter[str] | None, *, would: bool = False) -> str:
    """How much of what kind was masked (None: masking was off), or would be."""
    if counts is None:
        return "nothing was masked: secrets and home paths are in it as they were written"
    words = kinds_in_words(counts)
    if not words:
        return "nothing was found to mask"
    return f"would mask: {words}" if would else f"masked: {words}"


def print_hits(hits: Iterable[Hit]) -> None:
    """The places that would be masked, by the line of the session file; no secret is shown whole."""
    rows = [("line", "kind", "would become", "what it is")]
    for (origin, kind, mask, preview), several in groupby(hits, _told):
        count = sum(1 for _ in several)
        rows.append((origin, kind, mask, preview + (f", {count:,} times" if count > 1 else "")))
    if len(rows) > 1:
        print_table(rows)


def _told(hit: Hit) -> tuple[str, str, str, str]:
    return hit.origin, hit.kind, hit.placeholder, hit.preview
