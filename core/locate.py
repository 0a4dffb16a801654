"""Where sessions lie: roots, project folders, session files, and the files beside a session.

Nothing is opened here but folders, and nothing is decoded: a folder's name is not a path, so a
session's project is read from its records. Only regular files count; what is a folder, a device, a
pipe, or leads out of the root by a link is passed over.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from errno import EISDIR
from operator import attrgetter
from pathlib import Path
from stat import S_ISREG

from msgspec import Struct

from ccbrowse.core.errors import NoRoots
from ccbrowse.core.lines import Stamp, stamp_from

SUFFIX = ".jsonl"
AGENT_PREFIX = "agent-"
_NO_TRANSCRIPTS = frozenset({"journal.jsonl", "history.jsonl"})


class SessionFile(Struct, frozen=True, gc=False):
    """A main transcript: its root, its project folder, its name, and its stamp when it was found.

    `has_side` says whether its side folder was there then; it may have come since.
    """

    root: Path
    folder: Path
    name: str
    stamp: Stamp
    has_side: bool = True

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / self.name

    @property
    def key(self) -> str:
        """The file's path as text: sooner made than `path`."""
        return f"{self.folder}{os.sep}{self.name}"

    @property
    def session_id(self) -> str:
        """The session's id: the name of its file."""
        name = self.name
        return name[: -len(SUFFIX)] if name.endswith(SUFFIX) else Path(name).stem

    @property
    def side_folder(self) -> Path:
        """The folder of the session's side files; it need not exist."""
        return self.folder / self.session_id


class AgentFile(Struct, frozen=True):
    """A subagent's transcript and, where there is one, its `.meta.json`."""

    agent_id: str
    path: Path
    meta: Path | None


def find_roots(
    named: Sequence[str | Path] = (),
    environ: Mapping[str, str] | None = None,
    home: Path | None = None,
) -> list[Path]:
    """The `projects` folders to read: those named, else of CLAUDE_CONFIG_DIR, else the usual ones.

    A named folder may be a `projects` folder, a folder that holds one, or one project's folder.
    Raises NoRoots with the places that were tried.
    """
    environ = os.environ if environ is None else environ
    home = Path.home() if home is None else home
    configured = [part.strip() for part in environ.get("CLAUDE_CONFIG_DIR", "").split(",")]
    if named:
        candidates = [_projects_of(Path(name).expanduser().absolute()) for name in named]
    elif any(configured):
        candidates = [
            Path(part).expanduser().absolute() / "projects" for part in configured if part
        ]
    else:
        candidates = [home / ".claude" / "projects", home / ".config" / "claude" / "projects"]
    roots = [path for path in dict.fromkeys(candidates) if _is_there(path)]
    if not roots:
        raise NoRoots([str(path) for path in candidates])
    return roots


def _projects_of(path: Path) -> Path:
    """The folder of project folders that a named folder means."""
    inner = path / "projects"
    return inner if path.name != "projects" and _is_there(inner) else path


def _is_there(path: Path) -> bool:
    """Whether a folder exists, as far as one may look."""
    try:
        return path.is_dir()
    except OSError:
        return False


class ProjectFolder(Struct, frozen=True):
    """A folder as one look found it: its sessions by name, the names of subagents' transcripts that lie
    beside them, and why it could not be listed, if it could not."""

    path: Path
    sessions: tuple[SessionFile, ...]
    loose: tuple[str, ...]
    error: OSError | None


def project_folders(root: Path) -> Iterator[ProjectFolder]:
    """The root, which may hold transcripts itself, and the folders in it, by name; each listed once."""
    entries, error = _listed(root)
    yield _project(root, root, entries, error)
    for entry in entries:
        if _is_folder(entry):
            folder = Path(entry.path)
            yield _project(root, folder, *_listed(folder))


def project_folder(root: Path, folder: Path) -> ProjectFolder:
    """One folder of a root."""
    return _project(root, folder, *_listed(folder))


def session_files(root: Path) -> Iterator[SessionFile]:
    """The main transcripts under a root. Folders that cannot be read yield nothing.

    A root that holds transcripts itself is taken as one project's folder.
    """
    for folder in project_folders(root):
        yield from folder.sessions


def is_session_name(name: str) -> bool:
    """Whether a file of this name is a main transcript."""
    return (
        name.endswith(SUFFIX)
        and not name.startswith((AGENT_PREFIX, "."))
        and name not in _NO_TRANSCRIPTS
    )


def session_file(path: Path, root: Path | None = None) -> SessionFile:
    """The session of a path, whatever its name. Raises OSError (IsADirectoryError: no regular file)."""
    path = path.absolute()
    status = path.stat()
    if not S_ISREG(status.st_mode):
        raise IsADirectoryError(EISDIR, "not a regular file", str(path))
    stamp = stamp_from(status)
    return SessionFile(root or path.parent.parent, path.parent, path.name, stamp)


def looked_at(file: SessionFile) -> SessionFile:
    """A session's file with its stamp as it is now; as it was where it is not there any more."""
    try:
        status = os.stat(file.key)  # noqa: PTH116  # thousands of them while somebody waits
    except OSError:
        return file
    stamp = stamp_from(status)
    return file if stamp == file.stamp else SessionFile(file.root, file.folder, file.name, stamp)


def agent_files(session: SessionFile) -> list[AgentFile]:
    """The transcripts of a session's subagents, in the order of their paths.

    Those under `<session>/subagents`, at any depth. Files of the older layout, beside the sessions,
    name their session only inside: see `loose_agent_files`.
    """
    found: list[AgentFile] = []
    folders = [session.side_folder / "subagents"]
    while folders:
        for entry in _entries(folders.pop()):
            if _is_folder(entry):
                folders.append(Path(entry.path))
            elif agent := _agent(entry):
                found.append(agent)
    return sorted(found, key=lambda agent: agent.path)


def loose_agent_files(folder: Path) -> list[AgentFile]:
    """Subagents' transcripts that lie beside the sessions of a project (clients up to about 2.1)."""
    return sorted(
        (agent for entry in _entries(folder) if (agent := _agent(entry))),
        key=lambda agent: agent.path,
    )


def _agent(entry: os.DirEntry[str]) -> AgentFile | None:
    name = entry.name
    if not (name.startswith(AGENT_PREFIX) and name.endswith(SUFFIX)) or not _is_file(entry):
        return None
    path = Path(entry.path)
    meta = path.with_name(path.stem + ".meta.json")
    return AgentFile(path.stem.removeprefix(AGENT_PREFIX), path, meta if meta.is_file() else None)


def _project(
    root: Path, folder: Path, entries: list[os.DirEntry[str]], error: OSError | None
) -> ProjectFolder:
    names = {entry.name for entry in entries}
    found: list[SessionFile] = []
    loose: list[str] = []
    for entry in entries:
        name = entry.name
        if not name.endswith(SUFFIX):
            continue
        if name.startswith(AGENT_PREFIX):
            loose.append(name)
        elif is_session_name(name) and (stamp := _transcript_stamp(entry, root)) is not None:
            side = name[: -len(SUFFIX)] in names
            found.append(SessionFile(root, folder, name, stamp, side))
    return ProjectFolder(folder, tuple(found), tuple(loose), error)


def _transcript_stamp(entry: os.DirEntry[str], root: Path) -> Stamp | None:
    """The stamp of a file that may be read; None for what is none, or leads out of the root."""
    try:
        status = entry.stat()
    except OSError:
        return None
    if not S_ISREG(status.st_mode) or (entry.is_symlink() and not is_below(entry.path, [root])):
        return None
    return stamp_from(status)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    return _listed(folder)[0]


def _listed(folder: Path) -> tuple[list[os.DirEntry[str]], OSError | None]:
    """What a folder holds, by name; nothing where it cannot be listed, and why."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=attrgetter("name")), None
    except OSError as error:
        return [], error


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:
        return False


def is_below(path: str | Path, roots: Iterable[Path]) -> bool:
    """Whether a path lies in one of some roots, links followed."""
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(os.path.realpath(root)) for root in roots)
