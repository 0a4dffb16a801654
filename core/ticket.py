"""What a bug ticket may hold of someone's sessions: sizes, counts, versions; no word that a file holds.

Everything here is a number, or a word of ccbrowse's own. What comes from a file and could be a word of its
owner (a client's version, a model, a trigger) is only counted under names that are known beforehand.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from errno import errorcode
from typing import Any

from ccbrowse.core.estimate import family
from ccbrowse.core.records import Kind
from ccbrowse.core.session import Session

SCHEMA = "ccbrowse.ticket/1"

OTHER = "other"
"""What has no name that may be told."""

_VERSION = re.compile(r"\d{1,2}\.\d{1,2}\.\d{1,3}")
_MODEL = re.compile(r"claude-[a-z0-9.-]{1,40}")
_TRIGGERS = ("auto", "manual")


@dataclass(slots=True)
class Ticket:
    """Counts over sessions; `add` each of them, `add_unread` what could not be read.

    Sizes are bytes and lines of main files. `clients` and `families` count sessions, all others what
    they name.
    """

    sessions: int = 0
    bytes: int = 0
    lines: int = 0
    largest_bytes: int = 0
    largest_lines: int = 0
    segments: int = 0
    off_chain: int = 0
    unfinished: int = 0
    unreadable: Counter[str] = field(default_factory=Counter)
    records: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    compactions: Counter[str] = field(default_factory=Counter)
    branches: Counter[str] = field(default_factory=Counter)
    subagents: Counter[str] = field(default_factory=Counter)
    clients: Counter[str] = field(default_factory=Counter)
    families: Counter[str] = field(default_factory=Counter)

    def add(self, session: Session) -> None:
        """Count a session."""
        index = session.index
        self.sessions += 1
        self.bytes += index.size
        self.lines += session.lines
        self.largest_bytes = max(self.largest_bytes, index.size)
        self.largest_lines = max(self.largest_lines, session.lines)
        self.segments += len(session.segments)
        self.off_chain += len(session.chain.off_chain)
        self.unfinished += index.incomplete_tail
        kinds = Counter(index.kind)
        self.records.update({Kind(kind).name.lower(): count for kind, count in kinds.items()})
        self.findings.update(found.code for found in session.findings)
        boundaries = (segment.boundary for segment in session.segments)
        self.compactions.update(_trigger(each.facts.trigger) for each in boundaries if each)
        self.branches.update(branch.kind.value for branch in session.chain.branches)
        self.subagents.update("client's own" if each.internal else "named" if each.named else "inline"
                              for each in session.subagents())  # fmt: skip
        self.clients.update({_version(each) for each in index.facts.versions})
        self.families.update({_family(each) for each in session.models})

    def add_unread(self, error: Exception) -> None:
        """Count a session that could not be read, by the name of its error."""
        number = error.errno if isinstance(error, OSError) else None
        self.unreadable[errorcode.get(number or 0, type(error).__name__)] += 1

    def to_json(self) -> dict[str, Any]:
        """The counts as JSON; in each group the names in the order of the alphabet."""
        groups = {
            "unreadable": self.unreadable,
            "records": self.records,
            "findings": self.findings,
            "compactions": self.compactions,
            "branches": self.branches,
            "subagents": self.subagents,
            "clients": self.clients,
            "families": self.families,
        }
        return {
            "sessions": self.sessions,
            "bytes": self.bytes,
            "lines": self.lines,
            "largest": {"bytes": self.largest_bytes, "lines": self.largest_lines},
            "segments": self.segments,
            "off_chain": self.off_chain,
            "unfinished": self.unfinished,
            **{name: dict(sorted(group.items())) for name, group in groups.items()},
        }


def _trigger(trigger: str | None) -> str:
    return trigger if trigger in _TRIGGERS else OTHER


def _version(version: str) -> str:
    return version if _VERSION.fullmatch(version) else OTHER


def _family(model: str) -> str:
    return family(model) if _MODEL.fullmatch(model) else OTHER
