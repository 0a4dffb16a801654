"""Compactions: what stood before and after, what each cost, and what became of the segment it closed.

    for found in each_compaction(session):          # slow: from a worker; compactions() gives a list
        found.before.api_input, found.after.api_input, found.reduction, found.call.tokens
        found.loss.items                            # each in one bucket, the likely most worth first
    compaction(session, 2, with_loss=False)         # the figures alone
    compaction_json(found)                          # the contract's object
    lost_items(session, wanted)                     # what was not found, one by one: for searches

`weighing` asks for the requests around a boundary, `cost` what the summary itself cost, `growth` what
the file gained, `putback` what was sent again. `items` takes the closed segment apart, `loss` decides
for each item where it went, with the `matcher`; `worth` ranks. `model` says what all of it is.
"""

from ccbrowse.core.compaction.compacting import (
    closed_by,
    compaction,
    compactions,
    each_compaction,
)
from ccbrowse.core.compaction.lost import LostItem, lost_items
from ccbrowse.core.compaction.model import (
    Bucket,
    BucketSum,
    CallBasis,
    CallCost,
    Compaction,
    FileGrowth,
    Item,
    ItemKind,
    Loss,
    MicroCompacted,
    PutBack,
    Reduction,
    Side,
    SummaryText,
)
from ccbrowse.core.compaction.report import compaction_json

__all__ = [
    "Bucket",
    "BucketSum",
    "CallBasis",
    "CallCost",
    "Compaction",
    "FileGrowth",
    "Item",
    "ItemKind",
    "Loss",
    "LostItem",
    "MicroCompacted",
    "PutBack",
    "Reduction",
    "Side",
    "SummaryText",
    "closed_by",
    "compaction",
    "compaction_json",
    "compactions",
    "each_compaction",
    "lost_items",
]
