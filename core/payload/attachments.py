"""Attachments: what a client sent along, as it rendered it, or as older clients are known to render it.

Clients from about 2.1.290 on log the text that they sent and the role it had. Between 2.1.91 and
then an attachment holds its data alone, and its words are put together here, as far as they are
known: 2.1.181 sends them as role `system`, older clients as reminders beside the prompt.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ccbrowse.core.payload.replies import Version
from ccbrowse.core.records import attachment_of, sent_file

SYSTEM_ROLE_FROM: Version = (2, 1, 181)
"""The first version seen to send attachments as messages of role `system`."""

_OPEN, _CLOSE = "<system-reminder>", "</system-reminder>"


@dataclass(frozen=True, slots=True)
class Sent:
    """An attachment as sent: the role, its texts (or contents), and whether the wording is the client's."""

    role: str
    parts: tuple[Any, ...]
    worded: bool = True


_Text = tuple[tuple[str, ...], bool]
_Attachment = Mapping[str, Any]


def sent_attachment(record: Mapping[str, Any], version: Version) -> Sent | None:
    """What was sent for an attachment record; None where it is not known to be sent at all."""
    rendered = record.get("rendered")
    if isinstance(rendered, list):
        parts = tuple(part.get("content") for part in rendered if isinstance(part, dict))
        role = "user" if record.get("renderedRole") == "user" else "system"
        texts = tuple(part for part in parts if part and isinstance(part, str | list))
        return Sent(role, texts) if texts else None
    attachment = attachment_of(record)
    if attachment is None:
        return None
    kind = str(attachment.get("type"))
    if kind == "queued_command":
        return _queued(attachment)
    if kind == "file" and (image := _image_file(attachment)) is not None:
        return image
    render = _KNOWN.get(kind)
    found = render(attachment) if render else None
    if found is None:
        return None
    words, worded = found
    if version < SYSTEM_ROLE_FROM:
        return Sent("user", tuple(map(_tagged, words)), worded)
    return Sent("system", ("\n".join(words),), worded)


def system_text(parts: tuple[Any, ...]) -> str:
    """The texts of an attachment as they stand in a message of role `system`: without their tags."""
    return "\n".join(_untagged(part) for part in parts if isinstance(part, str))


def _untagged(text: str) -> str:
    bare = text.strip()
    if not (bare.startswith(_OPEN) and bare.endswith(_CLOSE)):
        return text
    return bare[len(_OPEN) : -len(_CLOSE)].removeprefix("\n").removesuffix("\n")


def _file(attachment: _Attachment) -> _Text | None:
    """A file read again: the call and its result, with numbered lines."""
    file = sent_file(attachment)
    if file.text is None or isinstance(attachment.get("content"), str):
        return None
    numbered = enumerate(file.text.split("\n"), file.first_line)
    lines = "\n".join(f"{number}\t{line}" for number, line in numbered)
    return (_read(attachment), f"Result of calling the Read tool:\n{lines}"), True


def _skills(attachment: _Attachment) -> _Text:
    head = "The following skills are available for use with the Skill tool:"
    return (f"{head}\n\n{attachment.get('content', '')}",), True


def _agents(attachment: _Attachment) -> _Text:
    lines = _strings(attachment.get("addedLines"))
    plain = not attachment.get("showConcurrencyNote") and not attachment.get("removedTypes")
    return ("\n".join(["Available agent types for the Agent tool:", *lines]),), plain


def _reference(attachment: _Attachment) -> _Text:
    return (f"Note: {attachment.get('filename', '')}",), False


def _tasks(attachment: _Attachment) -> _Text:
    """A reminder of open tasks: the tasks are data, the words around them are not in the file."""
    items = attachment.get("content")
    lines = [f"[{attachment.get('type')}]"]
    for number, item in enumerate(items if isinstance(items, list) else [], 1):
        if isinstance(item, Mapping):
            what = item.get("subject") or item.get("content") or ""
            lines.append(f"#{item.get('id', number)}. [{item.get('status', '')}] {what}")
    return ("\n".join(lines),), False


def _queued(attachment: _Attachment) -> Sent | None:
    """What a person sent while the client worked: a reminder beside the results, in words of its own."""
    prompt = attachment.get("prompt")
    blocks = prompt if isinstance(prompt, list) else [{"type": "text", "text": prompt}]
    known = [block for block in blocks if isinstance(block, Mapping)]
    texts = [text for block in known if isinstance(text := block.get("text"), str) and text]
    images = [block for block in known if block.get("type") == "image"]
    tagged = _tagged("\n".join(texts))
    if not texts:
        return Sent("user", (images,), worded=False) if images else None
    content = [{"type": "text", "text": tagged}, *images] if images else tagged
    return Sent("user", (content,), worded=False)


def _image_file(attachment: _Attachment) -> Sent | None:
    """An image that was named with @: the call as a reminder, and the image."""
    file = sent_file(attachment)
    if file.data is None:
        return None
    source = {"type": "base64", "data": file.data, "media_type": file.media_type}
    return Sent("user", (_tagged(_read(attachment)), [{"type": "image", "source": source}]))


def _tagged(text: str) -> str:
    return f"{_OPEN}\n{text}\n{_CLOSE}"


def _read(attachment: _Attachment) -> str:
    """The call that read a file."""
    path = json.dumps(
        {"file_path": attachment.get("filename")}, ensure_ascii=False, separators=(",", ":")
    )
    return f"Called the Read tool with the following input: {path}"


def _strings(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


_KNOWN: dict[str, Callable[[_Attachment], _Text | None]] = {
    "file": _file,
    "skill_listing": _skills,
    "agent_listing_delta": _agents,
    "compact_file_reference": _reference,
    "task_reminder": _tasks,
    "todo_reminder": _tasks,
}
SILENT = frozenset(
    {
        *("prompt_snapshot", "session_context", "already_read_file", "command_permissions"),
        *("edited_image_file", "structured_output", "hook_cancelled", "hook_system_message"),
        *("hook_error_during_execution", "hook_non_blocking_error", "hook_permission_decision"),
    }
)
"""Attachments that are bookkeeping where they were not rendered: nothing of them is sent."""
