"""What is handed over: texts to copy, the command that resumes or forks a session, a place to share."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ccbrowse.core.listing import Listing
from ccbrowse.core.records import ToolCall
from ccbrowse.core.text import SafeText, clip, display_text, one_line
from ccbrowse.tui.viewmodels.choice import ListItem
from ccbrowse.tui.viewtypes import Tone, line

_FENCED = re.compile(
    r"^ {0,3}(`{3,}|~{3,})[^\n]*\n(?P<code>.*?)(?:^ {0,3}\1[`~]* *$|\Z)", re.M | re.S
)
_BLOCKS = 20
_CELLS = 68
"""Cells of a text in a list: as many as a dialog has at 80 columns."""

_PATHS = ("file_path", "notebook_path", "path")


def resume_words(session_id: str, *, fork: bool = False) -> list[str]:
    """The program and its arguments (raw)."""
    return ["claude", "--resume", session_id, *(["--fork-session"] if fork else [])]


def resume_command(session_id: str, folder: str | None, *, fork: bool = False) -> str:
    """The command for a shell, each word quoted (raw: it may hold what the file says)."""
    command = shlex.join(resume_words(session_id, fork=fork))
    return f"cd {shlex.quote(folder)} && {command}" if folder else command


def place_command(session_id: str, segment: int, uuid: str, agent: str | None = None) -> str:
    """The command that opens ccbrowse at a record: ``ccbrowse ID#3/uuid`` (raw)."""
    part = f"@agent:{agent}" if agent else ""
    where = f"#{segment}/{uuid}" if segment and uuid else f"#{segment}" if segment else ""
    return f"ccbrowse {shlex.quote(f'{session_id}{part}{where}')}"


@dataclass(frozen=True, slots=True)
class Copyable:
    """Something that can be copied: what it is, and its text, fit for a terminal."""

    name: SafeText
    text: SafeText


def copyable(name: str, text: str) -> Copyable:
    """A text to copy: controls are gone, so that pasting it does nothing by itself; tabs stay."""
    safe = "\t".join(display_text(part, newlines=True) for part in text.split("\t"))
    return Copyable(display_text(name), SafeText(safe))


def copyables_of(
    words: str, call: ToolCall | None, uuid: str, place: str, position: str, resume: str
) -> list[Copyable]:
    """All that can be copied of an item: its words, code in them, a call's command and path, its place."""
    found = [copyable("text", words)] if words else []
    if call is not None:
        found += _of_call(call.input)
    found += [
        copyable(f"code block {number}", code) for number, code in enumerate(code_blocks(words), 1)
    ]
    if uuid:
        found.append(copyable("id of the record", uuid))
    found.append(copyable("file and line", place))
    found.append(copyable("this place, to share", position))
    if resume:
        found.append(copyable("resume command", resume))
    return found


def copyables_of_session(listing: Listing) -> list[Copyable]:
    """All that can be copied of a session in the list."""
    found = [
        copyable("title", listing.title.text),
        copyable("id", listing.session_id),
        copyable("file", str(listing.file.path)),
        copyable("this session, to share", place_command(listing.session_id, 0, "")),
        copyable("resume command", resume_command(listing.session_id, listing.cwd)),
        copyable("fork command", resume_command(listing.session_id, listing.cwd, fork=True)),
    ]
    return [each for each in found if each.text]


def code_blocks(words: str) -> list[str]:
    """The fenced blocks of a text, as they stand between their fences."""
    codes = (match["code"].removesuffix("\n") for match in _FENCED.finditer(words))
    return [code for code in codes if code.strip()][:_BLOCKS]


def _of_call(given: Any) -> Iterator[Copyable]:
    """A call's command and path."""
    if not isinstance(given, Mapping):
        return
    if isinstance(command := given.get("command"), str) and command:
        yield copyable("command", command)
    for name in _PATHS:
        if isinstance(path := given.get(name), str) and path:
            yield copyable("path", path)
            return


def copy_choices(found: list[Copyable]) -> list[ListItem]:
    """Them as a list to choose from; the key is the number, from 0."""
    return [
        ListItem(
            str(number),
            line((each.name, Tone.TOOL)),
            line((clip(one_line(each.text, 300), _CELLS), Tone.MUTED)),
        )
        for number, each in enumerate(found)
    ]
