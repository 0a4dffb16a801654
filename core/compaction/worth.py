"""Which item is likely worth most to the one who reads what was lost."""

import re

from ccbrowse.core.compaction.items import EDIT_TOOLS, Raw
from ccbrowse.core.compaction.model import ItemKind

INSTRUCTION, USER, DECISION, ERROR, EDIT, FILE, SAID, CALL, READ, OUTPUT, TRIVIAL = range(11)
"""The classes of worth, the most worth first."""

_BINDING = re.compile(
    r"\b(?:must|never|always|don'?t|do not|should|shall|only|need|needs|require[sd]?|make sure"
    r"|ensure|please|avoid|use|keep|without|at (?:most|least)|no more|not|prefer|want"
    r"|remember|important|has to|have to|may not|forbid\w*)\b",
    re.IGNORECASE,
)
_TRIVIAL = re.compile(
    r"^\W*(?:(?:yes|no|ok(?:ay)?|sure|thanks?|thank you|great|good|fine|perfect|nice|cool|done"
    r"|go(?: on| ahead)?|continue|proceed|next|please|do it|yep|yeah|hi|hello|test|resume|retry|again)\W*)+$",
    re.IGNORECASE,
)
LONGEST_TRIVIAL = 80
_READS = frozenset({"Read", "NotebookRead", "Grep", "Glob", "LS", "WebFetch", "WebSearch"})


def worth_of(item: Raw) -> int:
    """The class of an item; a smaller number is worth more."""
    if item.kind is ItemKind.USER_TEXT:
        if len(item.text) < LONGEST_TRIVIAL and _TRIVIAL.match(item.text):
            return TRIVIAL
        return INSTRUCTION if _BINDING.search(item.text) else USER
    if item.kind is ItemKind.DECISION:
        return DECISION
    if item.kind is ItemKind.ERROR:
        return ERROR
    if item.kind is ItemKind.FILE:
        return EDIT if item.detail == "changed" else READ
    if item.kind is ItemKind.TOOL_CALL:
        return EDIT if item.tool in EDIT_TOOLS else READ if item.tool in _READS else CALL
    return SAID if item.kind is ItemKind.ASSISTANT_TEXT else OUTPUT
