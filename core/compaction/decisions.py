"""Which sentences of a reply are decisions: what was chosen, and over what."""

import re

from ccbrowse.core.compaction.matcher import sentences

_CHOSEN = re.compile(
    r"\b(?:i|we|let's|let us|i'll|we'll|i've|we've|i'm|we're|you and i)\b[^.!?]{0,40}?"
    r"\b(?:decided?|chose|chosen|choose|picked|opt(?:ed)? for|settled? (?:on|for)|went (?:with|for)"
    r"|go(?:ing)? (?:with|for)|agreed?|stick(?:ing)? (?:with|to)|prefer(?:red)?|switch(?:ed|ing)? (?:to|from)"
    r"|commit(?:ted)? to|adopt(?:ed)?|replaced?|dropp?(?:ed)?|rejected|ruled out"
    r"|will (?:use|keep|not use|avoid)|'ll (?:use|keep|go with|avoid))\b"
    r"|^\W*(?:final )?decision\b\s*:|\b(?:the|our|my) (?:final )?(?:decision|choice)\b|^\W*decided\b"
    r"|\b(?:was|were|is|has been|have been) (?:decided|chosen|agreed|settled on|ruled out)\b"
    r"|\b(?:i|we|let's)\b[^.!?]{0,80}\b(?:instead of|rather than|in favou?r of)\b",
    re.IGNORECASE | re.MULTILINE,
)
_ASKING = re.compile(r"\?\s*$")
LONGEST = 400
"""Characters above which a sentence is no decision but a report."""


def take_decisions(text: str) -> tuple[list[str], str]:
    """The decisions of a reply's text, and what is left of it."""
    if not _CHOSEN.search(text):
        return [], text
    found, rest = [], []
    for sentence in sentences(text):
        part = sentence.text
        if not sentence.code and is_decision(part):
            found.append(part)
        else:
            rest.append(part)
    return found, "\n".join(rest) if found else text


def is_decision(sentence: str) -> bool:
    """Whether a sentence says that something was decided."""
    return (
        len(sentence) <= LONGEST and bool(_CHOSEN.search(sentence)) and not _ASKING.search(sentence)
    )
