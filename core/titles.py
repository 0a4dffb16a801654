"""What a session is called: the name a person gave it, else the best that the file offers."""

import json
import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import Struct

from ccbrowse.core.index import FileFacts, SessionIndex
from ccbrowse.core.records import Text, blocks, command_of, typed_text

MAX_TITLE = 200
"""Characters of a title; longer ones end in an ellipsis."""

_BREAKS = re.compile(r"\s*[\n\r\t\v\f\x1c-\x1f\x85\u2028\u2029]\s*")
_MAX_SIDECAR = 1 << 16

NAMING = {"custom-title": "customTitle", "ai-title": "aiTitle", "summary": "summary"}
"""The records that name a session, and the key that holds the name."""


class TitleSource(StrEnum):
    """Where a title comes from, best first."""

    CUSTOM = "custom"
    AI = "ai"
    SUMMARY = "summary"
    PROMPT = "prompt"
    NONE = "none"


class Title(Struct, frozen=True):
    """A session's title, on one line, as found (not yet safe for a screen), and its source."""

    text: str
    source: TitleSource


def title_of(index: SessionIndex, side_folder: Path | None = None) -> Title:
    """The title of a session: custom, then ai, then summary, then the first typed prompt."""
    facts = index.facts
    custom = facts.custom_title or _sidecar(side_folder)
    summary = _own_summary(index)
    for text, source in (
        (custom, TitleSource.CUSTOM),
        (facts.ai_title, TitleSource.AI),
        (summary, TitleSource.SUMMARY),
        (_first_words(facts), TitleSource.PROMPT),
    ):
        line = one_title(text or "")
        if line:
            return Title(line, source)
    return Title("", TitleSource.NONE)


def one_title(text: str) -> str:
    """A text as a title: on one line, cut at MAX_TITLE."""
    line = _BREAKS.sub(" ", text[: MAX_TITLE * 8]).strip()
    return line if len(line) <= MAX_TITLE else line[: MAX_TITLE - 1].rstrip() + "…"


def _own_summary(index: SessionIndex) -> str | None:
    """The last `summary` record of this conversation: others' are written into whatever is open."""
    for text, leaf in reversed(index.facts.summaries):
        if leaf is None or index.row_of(leaf) is not None:
            return text
    return None


def _first_words(facts: FileFacts) -> str:
    if facts.first_prompt:
        return typed_text(facts.first_prompt)
    command = command_of(facts.first_command or "")
    return " ".join(command).strip() if command else ""


def _sidecar(side_folder: Path | None) -> str | None:
    """The title that another program put beside the session (`custom-title.json`)."""
    if side_folder is None:
        return None
    try:
        with (side_folder / "custom-title.json").open("rb") as file:
            value = json.loads(file.read(_MAX_SIDECAR))
    except (OSError, ValueError, RecursionError):
        return None
    title = value.get("customTitle") or value.get("title") if isinstance(value, dict) else value
    return title if isinstance(title, str) else None


def possible_titles(record: Mapping[str, Any]) -> list[str]:
    """What a session could be called by this record; empty where it cannot name one."""
    kind = str(record.get("type"))
    if kind in NAMING:
        name = record.get(NAMING[kind])
        return [one_title(name)] if isinstance(name, str) else []
    if kind != "user":
        return []
    text = "\n".join(block.text for block in blocks(record) if isinstance(block, Text))
    command = command_of(text)
    return [one_title(typed_text(text)), *([one_title(" ".join(command))] if command else [])]
