"""Rows that the client wrote by itself, as pieces: commands, their output, notes, attachments."""

import re
from collections.abc import Mapping
from typing import Any

from ccbrowse.core.export.pieces import Command, Note, Odd, Output, Piece, Words, plain_piece
from ccbrowse.core.records import Text, attachment_of, blocks, command_of

_TAGGED = re.compile(
    r"<(bash-input|bash-stdout|bash-stderr|local-command-stdout|local-command-stderr)>"
    r"(.*?)(?:</\1>|\Z)",
    re.DOTALL,
)
_SHOWN_SYSTEM = {
    "api_error": "API error",
    "informational": "Notice",
    "away_summary": "While you were away",
    "model_refusal_fallback": "Another model took over",
    "model_consent_fallback": "Another model took over",
}
_FILES = {
    "file": "file sent along",
    "compact_file_reference": "file mentioned after the compaction, its content left out",
    "edited_text_file": "file changed by someone else",
    "nested_memory": "memory file sent along",
    "selected_lines_in_ide": "lines selected in the editor",
    "opened_file_in_ide": "file open in the editor",
}


def command_pieces(record: Mapping[str, Any]) -> tuple[Piece, ...]:
    """What a person commanded, or what the command printed."""
    pieces: list[Piece] = []
    for block in blocks(record):
        pieces += tagged_pieces(block.text) if isinstance(block, Text) else [plain_piece(block)]
    return tuple(pieces)


def tagged_pieces(text: str) -> list[Piece]:
    """The commands and outputs in a text of the client; the text itself where there is none."""
    pieces: list[Piece] = []
    if command := command_of(text):
        pieces.append(Command(" ".join(command).strip()))
    for tag, body in _TAGGED.findall(text):
        if tag == "bash-input":
            pieces.append(Command("! " + body.strip()))
        elif body.strip():
            pieces.append(Output(body.strip("\n"), failed=tag.endswith("stderr")))
    if pieces or _TAGGED.search(text):
        return pieces
    return [Words(text)] if text.strip() else []


def system_pieces(record: Mapping[str, Any], full: bool) -> tuple[str, tuple[Piece, ...]]:
    """The voice and the pieces of a system record; none where it only keeps books."""
    subtype, content = record.get("subtype"), _string(record.get("content"))
    if subtype == "local_command":
        return "Command", tuple(tagged_pieces(content))
    label = _SHOWN_SYSTEM.get(subtype) if isinstance(subtype, str) else None
    if label is None and not (full and content):
        return "Client", ()
    if subtype == "api_error":
        content = content or _error_words(record)
    return "Client", (Note(label or f"System record: {subtype}", content),)


def micro_boundary_words(record: Mapping[str, Any]) -> str:
    """What a micro-compaction says: results that were emptied for the model alone."""
    facts = record.get("microcompactMetadata")
    facts = facts if isinstance(facts, Mapping) else {}
    saved, emptied = facts.get("tokensSaved"), facts.get("compactedToolIds")
    words = "Micro-compaction: old results were emptied for the model"
    if isinstance(emptied, list):
        words += f", {len(emptied):,} of them"
    if isinstance(saved, int) and not isinstance(saved, bool):
        words += f", {saved:,} tokens saved"
    return words + ". They are whole here."


def attachment_piece(record: Mapping[str, Any]) -> Piece:
    """A line for what the client sent along; records of unknown types as they are."""
    attachment = attachment_of(record)
    if attachment is None:
        return Odd(_string(record.get("type")) or "unknown", dict(record))
    kind = _string(attachment.get("type")) or "unknown"
    name = _string(attachment.get("displayPath")) or _string(attachment.get("filename"))
    label = _FILES.get(kind, f"sent along: {kind.replace('_', ' ')}")
    return Note(label[:1].upper() + label[1:], name or _string(attachment.get("content")))


def _error_words(record: Mapping[str, Any]) -> str:
    error = record.get("error")
    words = [_string(error.get("message"))] if isinstance(error, Mapping) else [_string(error)]
    attempt, most = record.get("retryAttempt"), record.get("maxRetries")
    if isinstance(attempt, int) and isinstance(most, int):
        words.append(f"try {attempt} of {most}")
    return "; ".join(word for word in words if word)


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
