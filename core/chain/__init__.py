"""The main line of a session, its branches, and what had to be repaired to get them.

The line goes from the newest record of the main lane back over parents, and over boundaries, to the
first record. `Chain` keeps it up to date while the index grows: a new record costs the way from it
to the old line, and the order of the stretch that it stands in.
"""

from ccbrowse.core.chain.branches import Branch, BranchKind, branch_rows
from ccbrowse.core.chain.line import Chain, Stretch
from ccbrowse.core.chain.links import ALONE, Elsewhere, Links, Note, ResolvedBy, Surroundings

__all__ = [
    "ALONE",
    "Branch",
    "BranchKind",
    "Chain",
    "Elsewhere",
    "Links",
    "Note",
    "ResolvedBy",
    "Stretch",
    "Surroundings",
    "branch_rows",
]
