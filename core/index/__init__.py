"""One file to its index: offsets and facts of each record, append-only, never the bodies."""

from ccbrowse.core.index.facts import FileFacts
from ccbrowse.core.index.flags import (
    CALL,
    EMPTY,
    FAILED,
    IMAGE,
    INTERRUPT,
    META,
    REPLAY,
    SIDECHAIN,
    SILENT,
    TEXT,
    THINKING,
    TYPED,
)
from ccbrowse.core.index.growing import IndexedFile, index_file
from ccbrowse.core.index.requests import NO_REQUEST, RequestTable
from ccbrowse.core.index.table import MISSING, NONE, ROOT, IndexedBoundary, SessionIndex, Trouble
from ccbrowse.core.records.times import NO_TIME, iso

__all__ = [
    "CALL",
    "EMPTY",
    "FAILED",
    "IMAGE",
    "INTERRUPT",
    "META",
    "MISSING",
    "NONE",
    "NO_REQUEST",
    "NO_TIME",
    "REPLAY",
    "ROOT",
    "SIDECHAIN",
    "SILENT",
    "TEXT",
    "THINKING",
    "TYPED",
    "FileFacts",
    "IndexedBoundary",
    "IndexedFile",
    "RequestTable",
    "SessionIndex",
    "Trouble",
    "index_file",
    "iso",
]
