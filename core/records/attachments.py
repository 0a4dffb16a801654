"""`attachment` records: what the client sent along, and how the common ones are laid out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ccbrowse.core.records.blocks import Block, content_blocks

Attachment = Mapping[str, Any]


class SentFile(Struct, frozen=True):
    """A file as an attachment of type `file` holds it; empty, or None, where it does not say.

    `path` is the file's, `shown` what the client shows of it; `first_line` numbers the first line of `text`
    (older clients keep no number: 1). An image has `data`, its base64, and a media type instead of a text.
    """

    path: str | None
    shown: str | None
    text: str | None
    first_line: int
    media_type: str | None
    data: str | None


def attachment_of(record: Mapping[str, Any]) -> Attachment | None:
    """What a record of type `attachment` carries; None where it carries nothing that can be read."""
    attachment = record.get("attachment")
    return attachment if isinstance(attachment, Mapping) else None


def queued_blocks(record: Mapping[str, Any]) -> tuple[Block, ...]:
    """The blocks of the prompt that a `queued_command` holds: sent while the client worked."""
    attachment = attachment_of(record)
    return () if attachment is None else content_blocks(attachment.get("prompt"))


def sent_file(attachment: Attachment) -> SentFile:
    """The file in an attachment: newer clients nest it two levels deep, older ones give its text alone."""
    content = attachment.get("content")
    file = content.get("file") if isinstance(content, Mapping) else None
    inner: Mapping[str, Any] = file if isinstance(file, Mapping) else {}
    start = inner.get("startLine")
    return SentFile(
        path=_string(attachment.get("filename")) or _string(attachment.get("displayPath")),
        shown=_string(attachment.get("displayPath")),
        text=_string(inner.get("content") if inner else content),
        first_line=start if isinstance(start, int) and not isinstance(start, bool) else 1,
        media_type=_string(inner.get("type")),
        data=_string(inner.get("base64")),
    )


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None
