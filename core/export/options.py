"""What an export shows, and the one door that every text goes through on its way out."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import tzinfo
from enum import StrEnum

from ccbrowse.core.text import display_text

_PRIVATE_USE = range(0xE000, 0xE400)
_LOOK_AT = 4_096
"""Characters of a text that its one-line form is made from; far more than any line shows."""


class Tools(StrEnum):
    """How much of tool calls is written."""

    NONE = "none"
    """Nothing."""
    SHORT = "short"
    """A line for each call: its main argument, and what came of it."""
    FULL = "full"
    """Inputs and outputs whole."""


def _nobody(line: int | None) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True, slots=True)
class Options:
    """How an export is written.

    `thinking`: the model's thinking, where the file holds its text. `zone`: the time zone of dates;
    None is that of the system. `clean` masks what must not leave, such as `Redactor.redact`; it is
    given every text once its control characters are gone. `version` is that of ccbrowse. `reroot`
    makes JSONL load on its own. `at` is told, while the export goes on, the line of the file that
    what follows comes from, None for what stands around the messages: for progress, and to name the
    lines of what `clean` masks.
    """

    tools: Tools = Tools.SHORT
    thinking: bool = False
    zone: tzinfo | None = None
    clean: Callable[[str], str] | None = None
    version: str = ""
    reroot: bool = False
    at: Callable[[int | None], None] = _nobody

    def text(self, raw: str) -> str:
        """A text of several lines: safe for any screen, tabs kept, masked."""
        return self.masked(safe_text(raw))

    def line(self, raw: str, limit: int = 200) -> str:
        """The beginning of a text as one line of at most `limit` characters; a cut ends in ``…``."""
        head = raw[:_LOOK_AT]
        if len(head) < len(raw):
            # Half of a secret would not be known for one.
            head = head[: max(head.rfind(" "), head.rfind("\n")) + 1]
        words = " ".join(self.masked(display_text(head)).split())
        if len(words) <= limit and len(head) == len(raw):
            return words
        return words[: limit - 1].rstrip() + "…"

    def masked(self, text: str) -> str:
        """A text after `clean`; it is checked once more, as a mask is made elsewhere."""
        if self.clean is None:
            return text
        masked = self.clean(text)
        return text if masked == text else safe_text(masked)


def safe_text(raw: str) -> str:
    """`display_text` of several lines that keeps tabs: code must come out as it went in."""
    if "\t" not in raw:
        return display_text(raw, newlines=True)
    stand_in = next((sign for sign in map(chr, _PRIVATE_USE) if sign not in raw), None)
    if stand_in is None:
        return display_text(raw, newlines=True)
    safe = display_text(raw.replace("\t", stand_in), newlines=True)
    return safe.replace(stand_in, "\t")
