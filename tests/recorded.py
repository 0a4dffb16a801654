"""The recorded requests that lie beside the checkout, as tests use them.

`import recorded` works in every test. Long reminders were cut in the recorded copies, and role-system
texts and listings too; `cut` does the same to what we made, so that both can be compared.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Message = dict[str, Any]
Block = dict[str, Any]

_REMINDER = re.compile(r"<system-reminder>(.*?)</system-reminder>", re.DOTALL)
_CUT = re.compile(r"\.\.\.\[\[\+(\d+) chars sha256=[0-9a-f]+\]\]")
_LONGEST, _SHOWN = 300, 120


@dataclass(frozen=True, slots=True)
class Scenario:
    """One recorded scenario of one client version."""

    folder: Path

    @property
    def version(self) -> str:
        """The client's version."""
        return self.folder.parent.name

    @property
    def name(self) -> str:
        """``2.1.332/s01_fastapi10``"""
        return f"{self.version}/{self.folder.name}"

    @property
    def sessions(self) -> list[Path]:
        """The main files that the client wrote."""
        return sorted(self.folder.glob("projects/*/*.jsonl"))

    def answered(self, kind: str = "main") -> dict[str, int]:
        """The numbers of the answered requests of a kind, by the reply's id."""
        index = self.folder / "requests" / "index.jsonl"
        entries = (json.loads(line) for line in index.read_text(encoding="utf-8").splitlines())
        return {
            entry["reply"]["id"]: entry["n"]
            for entry in entries
            if entry["kind"] == kind and (entry.get("reply") or {}).get("id")
        }

    def body(self, number: int) -> list[Message]:
        """The messages of a recorded request."""
        path = self.folder / "requests" / f"{number:03d}.json"
        found: list[Message] = json.loads(path.read_text(encoding="utf-8"))["messages"]
        return found


def scenarios(shared: Path) -> list[Scenario]:
    """All recorded scenarios."""
    found = shared.glob("recordings/*/*/requests/index.jsonl")
    return [Scenario(path.parent.parent) for path in sorted(found)]


def blocks(messages: list[Message]) -> Iterator[tuple[str, Block]]:
    """The roles and blocks of messages in order, without cache marks; long reminders cut."""
    for message in messages:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for part in parts:
            yield message["role"], cut({k: v for k, v in part.items() if k != "cache_control"})


def cut(value: Any) -> Any:
    """A value with its long reminders cut as in the recorded copies."""
    if isinstance(value, dict):
        return {key: cut(each) for key, each in value.items()}
    if isinstance(value, list):
        return [cut(each) for each in value]
    return _REMINDER.sub(_shorter, value) if isinstance(value, str) else value


def _shorter(match: re.Match[str]) -> str:
    inner = match[1]
    if len(inner) <= _LONGEST:
        return match[0]
    digest = hashlib.sha256(inner.encode()).hexdigest()[:12]
    rest = len(inner) - _SHOWN
    return (
        f"<system-reminder>{inner[:_SHOWN]}...[[+{rest} chars sha256={digest}]]</system-reminder>"
    )


def full_length(text: str) -> int:
    """The characters of a text before parts of it were cut."""
    return len(_CUT.sub("", text)) + sum(int(count) for count in _CUT.findall(text))


def start(text: str) -> str:
    """A text up to where it was cut first."""
    return _CUT.split(text, maxsplit=1)[0]
