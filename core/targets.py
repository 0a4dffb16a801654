"""What TARGET names on the command line: a session by path, id or `@latest`, a part or subagent of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ccbrowse.core.errors import AmbiguousSession, NoSuchSession
from ccbrowse.core.locate import SUFFIX, SessionFile, session_file, session_files
from ccbrowse.core.session import Session

LATEST = "@latest"
MIN_PREFIX = 4
MAX_CANDIDATES = 20

_PARTS = re.compile(
    r"(?P<name>.+?)(?:@agent:(?P<agent>[\w-]+))?(?:#(?P<segment>\d+)(?:/(?P<uuid>[\w-]+))?)?",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Target:
    """A target taken apart: whose session, which subagent, segment and record of it."""

    name: str
    agent: str | None = None
    segment: int | None = None
    uuid: str | None = None

    @property
    def is_whole(self) -> bool:
        """Whether a session is named and no part of it."""
        return self == Target(self.name)

    def named(self, session_id: str) -> str:
        """The target once more, by the whole id of its session; a record left out."""
        agent = f"@agent:{self.agent}" if self.agent else ""
        return session_id + agent + (f"#{self.segment}" if self.segment is not None else "")


@dataclass(frozen=True, slots=True)
class Resolved:
    """The session (or subagent) that a target names, opened, with the segment and record named, if any."""

    session: Session
    segment: int | None = None
    uuid: str | None = None


def parse_target(text: str) -> Target:
    """A target taken apart. A file whose path looks like one with a part is taken as a path."""
    if text.endswith(SUFFIX) or Path(text).is_file():
        return Target(text)
    found = _PARTS.fullmatch(text)
    if found is None:
        return Target(text)
    segment = found["segment"]
    return Target(found["name"], found["agent"], int(segment) if segment else None, found["uuid"])


def resolve(text: str, roots: Sequence[Path]) -> Resolved:
    """The session that a target names, opened. Raises NoSuchSession, AmbiguousSession, Gone or OSError."""
    target = parse_target(text)
    session = part_of(Session.open(find_session(target.name, roots)), target)
    return Resolved(
        session, target.segment, target.uuid and _whole_uuid(session, target.uuid, text)
    )


def _whole_uuid(session: Session, uuid: str, text: str) -> str:
    """The uuid of a record by its start, as searches print it. Raises NoSuchSession."""
    if session.index.row_of(uuid) is not None:
        return uuid
    found = [name for name in session.index.rows if name.startswith(uuid)]
    if len(found) == 1 and len(uuid) >= MIN_PREFIX:
        return found[0]
    several = f"{len(found)} records of it begin so" if found else "no record of it has that uuid"
    raise NoSuchSession(text, several, what="no such record")


def part_of(session: Session, target: Target) -> Session:
    """The session itself, or the subagent of it that a target names. Raises NoSuchSession.

    The segment that it names is there.
    """
    found = session.open_subagent(target.agent) if target.agent else session
    if target.segment is not None:
        found.segment(target.segment)
    return found


def find_session(name: str, roots: Sequence[Path]) -> SessionFile:
    """The file of a path, an id, a unique prefix of one, or `@latest`."""
    if not name.strip():
        raise NoSuchSession(repr(name))
    if name != LATEST:
        path = Path(name).expanduser()
        if name.endswith(SUFFIX) or (("/" in name or "\\" in name) and path.is_file()):
            return _by_path(path, roots)
    found = [file for root in roots for file in session_files(root)]
    if name == LATEST:
        if not found:
            raise NoSuchSession(name, "there are no sessions under the roots")
        return max(found, key=lambda file: (file.stamp.mtime_ns, file.session_id))
    return _by_prefix(name, found)


def _by_path(path: Path, roots: Sequence[Path]) -> SessionFile:
    path = path.absolute()
    root = next((root for root in roots if path.is_relative_to(root)), None)
    try:
        return session_file(path, root)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NoSuchSession(str(path)) from error
    except IsADirectoryError as error:
        raise NoSuchSession(
            str(path), "only regular files are read", what="not a session file"
        ) from error


def _by_prefix(name: str, found: Sequence[SessionFile]) -> SessionFile:
    whole = [file for file in found if file.session_id == name]
    fitting = whole or [file for file in found if file.session_id.startswith(name)]
    if not fitting or (len(name) < MIN_PREFIX and not whole):
        hint = f"ids need {MIN_PREFIX} characters" if fitting else "see them with `ccbrowse list`"
        raise NoSuchSession(name, hint)
    if len(fitting) > 1:
        raise AmbiguousSession(name, [_candidate(file, whole) for file in fitting[:MAX_CANDIDATES]])
    return fitting[0]


def _candidate(file: SessionFile, whole: Sequence[SessionFile]) -> str:
    return str(file.path) if whole else file.session_id
