"""The replies of a session, and where they come from: their records, model and client version."""

from collections.abc import Iterator

from ccbrowse.core.errors import NoSuchSession
from ccbrowse.core.payload.model import Reply
from ccbrowse.core.session import Session

Version = tuple[int, ...]
"""A client's version as numbers; empty where it is not known."""


def replies(session: Session) -> Iterator[Reply]:
    """The replies of a file, each `message.id` once, in file order.

    Synthetic replies are none, and inline sidechains belong to subagents.
    """
    index = session.index
    for name, number in index.messages.items():
        rows = index.fragments[number]
        row = rows[0] if isinstance(rows, list) else rows
        if not index.is_sidechain(row):
            yield Reply(name, row)


def reply_of(session: Session, message_id: str) -> Reply:
    """The reply of a `message.id`. Raises NoSuchSession where the file has none."""
    index = session.index
    number = index.messages.get(message_id)
    if number is None:
        raise NoSuchSession(
            f"{session.session_id}@reply:{message_id}",
            "see them with `ccbrowse payload --all`",
            "no such reply",
        )
    rows = index.fragments[number]
    return Reply(message_id, rows[0] if isinstance(rows, list) else rows)


def model_of(session: Session, row: int) -> str | None:
    """The model that a reply's record names."""
    message = session.record(row).get("message")
    model = message.get("model") if isinstance(message, dict) else None
    return model if isinstance(model, str) else None


def version_of(session: Session, row: int | None) -> Version:
    """The client version that wrote a row; the newest one of the file where the row names none."""
    named = session.record(row).get("version") if row is not None else None
    if not isinstance(named, str):
        named = next(reversed(session.index.facts.versions), "")
    return parse_version(named)


def parse_version(name: str) -> Version:
    """The numbers of a version; what follows a dash or a plus is left out."""
    parts = name.split("-")[0].split("+")[0].split(".")
    return tuple(int(part) for part in parts) if all(part.isdigit() for part in parts) else ()
