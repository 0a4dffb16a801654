"""What the client sent again after a boundary: files, plans, skills, memory, tasks; and bare references."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ccbrowse.core.compaction.model import PutBack
from ccbrowse.core.compaction.tokens import Counting
from ccbrowse.core.records import Kind, attachment_of, sent_file
from ccbrowse.core.session import Session
from ccbrowse.core.texts import compact_json

_Attachment = Mapping[str, Any]
_Found = tuple[str, str | None, str]
"""A label, a path, the content."""


def put_back_rows(session: Session, opens: int) -> Iterator[int]:
    """The attachments between a boundary and the first reply after it, in the order of the line."""
    stretch = session.chain.stretches[opens - 1]
    index, kept = session.index, set(session.segment(opens).carried_over)
    for row in session.chain.path[stretch.start : stretch.stop]:
        if index.kind[row] == Kind.ASSISTANT and row not in kept:
            return
        if index.kind[row] == Kind.ATTACHMENT:
            yield row


def contents(attachment: _Attachment) -> Iterator[tuple[_Found, bool]]:
    """What an attachment puts back: label, path and content of each thing, and whether it is a bare name."""
    kind = str(attachment.get("type"))
    if kind == "compact_file_reference":
        path = _string(attachment, "filename", "displayPath")
        if path:
            yield ((_string(attachment, "displayPath") or path, path, ""), True)
        return
    read = _READERS.get(kind)
    if read is not None:
        for found in read(attachment):
            if found[2].strip():
                yield found, False


def _file(attachment: _Attachment) -> Iterator[_Found]:
    file = sent_file(attachment)
    yield file.shown or file.path or "file", file.path, file.text or ""


def _edited(attachment: _Attachment) -> Iterator[_Found]:
    path = _string(attachment, "filename")
    yield path or "file", path, _string(attachment, "snippet", "content") or ""


def _plan(attachment: _Attachment) -> Iterator[_Found]:
    path = _string(attachment, "planFilePath", "filename", "path")
    text = _string(attachment, "planContent", "plan", "content") or ""
    yield "plan", path, text


def _skills(attachment: _Attachment) -> Iterator[_Found]:
    skills = attachment.get("skills")
    for skill in skills if isinstance(skills, list) else [attachment]:
        if isinstance(skill, Mapping):
            name = _string(skill, "name", "skillName") or "skill"
            yield f"skill {name}", _string(skill, "path"), _string(skill, "content") or ""


def _memory(attachment: _Attachment) -> Iterator[_Found]:
    files = attachment.get("files")
    if isinstance(files, list):
        for file in files:
            if isinstance(file, Mapping):
                path = _string(file, "path", "filename")
                yield path or "memory", path, _string(file, "content", "text") or ""
        return
    content = attachment.get("content")
    inner = content if isinstance(content, Mapping) else attachment
    path = _string(attachment, "path", "filename", "displayPath") or _string(inner, "path")
    yield path or "memory", path, _string(inner, "content") or ""


def _tasks(attachment: _Attachment) -> Iterator[_Found]:
    items = attachment.get("content")
    items = items if isinstance(items, list) else attachment.get("todos")
    lines = []
    for item in items if isinstance(items, list) else ():
        if isinstance(item, Mapping):
            words = [
                value
                for name in ("subject", "content", "description")
                if isinstance(value := item.get(name), str)
            ]
            lines.append("\n".join(words))
    yield "tasks", None, "\n".join(lines)


def _text(attachment: _Attachment) -> Iterator[_Found]:
    content = attachment.get("content")
    path = _string(attachment, "path", "filename", "uri")
    text = content if isinstance(content, str) else compact_json(content) if content else ""
    yield path or str(attachment.get("type")), path, text


_READERS: dict[str, Callable[[_Attachment], Iterator[_Found]]] = {
    "file": _file,
    "already_read_file": _file,
    "edited_text_file": _edited,
    "plan_file_reference": _plan,
    "plan_file": _plan,
    "plan": _plan,
    "invoked_skills": _skills,
    "skill": _skills,
    "nested_memory": _memory,
    "memory": _memory,
    "instructions": _memory,
    "task_reminder": _tasks,
    "todo_reminder": _tasks,
    "todo": _tasks,
    "mcp_resource": _text,
    "selected_lines_in_ide": _text,
}
"""By type of attachment: how to read what it puts back. Listings, dates and modes put nothing back."""


def put_back(session: Session, opens: int) -> list[PutBack]:
    """What stands after the boundary that opens a segment. Slow where texts are counted."""
    found = []
    counting = Counting(session, session.segment(opens))
    for row in put_back_rows(session, opens):
        attachment = attachment_of(session.record(row))
        if attachment is None:
            continue
        for (label, path, content), bare in contents(attachment):
            found.append(
                PutBack(
                    row=row,
                    uuid=session.index.uuids[row] or "",
                    type=str(attachment.get("type")),
                    label=label,
                    path=path,
                    content=content,
                    tokens=counting.text(content),
                    is_reference=bare,
                )
            )
    return found


def _string(source: Mapping[str, Any], *names: str) -> str | None:
    """The first of some fields that holds a text."""
    for name in names:
        value = source.get(name)
        if isinstance(value, str) and value:
            return value
    return None
