"""What the export dialog has done in a worker: count what would be masked, write a part, copy its text."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.export import (
    Form,
    Options,
    Part,
    Tools,
    Written,
    branch,
    default_name,
    encoded,
    export,
    keep_off,
    local_zone,
    loss_name,
    message_range,
    segment,
    whole,
    write_file,
    write_part,
)
from ccbrowse.core.redact import Redactor
from ccbrowse.core.report import session_json
from ccbrowse.core.session import Session
from ccbrowse.core.text import SafeText
from ccbrowse.tui.reader.losses import with_losses

MOST_COPIED = 1_000_000
"""Bytes of the longest text that is given to a clipboard: terminals drop what is longer."""

PATIENCE = 5.0
"""Seconds of looking for what would be masked."""

At = Callable[[float], None]
"""Told how far a job is, from 0 to 1. It may raise Stopped."""


class Stopped(Exception):
    """Nobody waits for the job any more."""


class _Enough(Exception):
    """Looked at long enough."""


class Masks(StrEnum):
    """What is masked, as it is told in the dialog."""

    USUAL = "masked"
    KEEP_PATHS = "paths kept"
    EMAILS = "mails too"
    NOTHING = "as written"


@dataclass(frozen=True, slots=True)
class Scope:
    """What can be exported: one of these, or the whole session.

    A segment by its number, a range of the main line by the uuids of its ends, a branch by that of
    its newest record, a subagent's session by its id, what a compaction lost by its number.
    """

    name: SafeText
    segment: int | None = None
    ends: tuple[str, str] | None = None
    leaf: str | None = None
    agent: str | None = None
    loss: int | None = None

    def part(self, session: Session) -> Part:
        """The part of a session; of a loss, which is no part, all. Raises CcbrowseError."""
        if self.segment is not None:
            return segment(session, self.segment)
        if self.ends is not None:
            return message_range(session, *self.ends)
        if self.leaf is not None:
            return branch(session, self.leaf)
        return whole(session)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is exported, and how. `whole_links`: JSONL is made to load on its own."""

    scope: Scope
    form: Form = Form.MARKDOWN
    tools: Tools = Tools.SHORT
    thinking: bool = False
    masks: Masks = Masks.USUAL
    whole_links: bool = False


def name_of(given: Session, wish: Wish) -> str:
    """The file's name (raw). Raises CcbrowseError."""
    session = given.open_subagent(wish.scope.agent) if wish.scope.agent else given
    if wish.scope.loss is not None:
        return loss_name(session, wish.scope.loss)
    return default_name(wish.scope.part(session), wish.form, Options())


class Job:
    """One run over a part of a session as its file stands now. Slow: for a worker.

    Raises CcbrowseError, OSError, and what `at` raises.
    """

    def __init__(self, given: Session, wish: Wish, at: At, roots: Iterable[Path] = ()) -> None:
        self._given = given
        self._roots = roots
        self._wish = wish
        self._at = at
        home = Path.home()
        masks = wish.masks
        self._redactor = None if masks is Masks.NOTHING else Redactor(
            str(home), home.name, keep_paths=masks is Masks.KEEP_PATHS,
            emails=masks is Masks.EMAILS, keep_hits=False,
        )  # fmt: skip

    @property
    def masked(self) -> Counter[str] | None:
        """How much of what kind was masked so far; None where masking is off."""
        return None if self._redactor is None else self._redactor.counts()

    def count(self, patience: float = PATIENCE) -> bool:
        """Look for what would be masked; whether all was looked at."""
        end = time.monotonic() + patience
        outer = self._at

        def at(share: float) -> None:
            outer(share)
            if time.monotonic() > end:
                raise _Enough

        self._at = at
        try:
            deque(self._chunks(), maxlen=0)
        except _Enough:
            return False
        return True

    def write(self, target: Path, *, force: bool = False) -> tuple[Written, ...]:
        """Write it to a file, or to several pages of HTML; never below a root or over the session."""
        keep_off(target, self._given.file.path, self._roots)
        with closing(self._open()) as session:
            if self._wish.scope.loss is not None:
                return (write_file(self._loss(session), target, force=force),)
            part, options = self._part(session)
            return write_part(
                part, self._wish.form, options, target,
                shown=lambda: session_json(session, now=int(time.time() * 1000)), force=force,
            )  # fmt: skip

    def text(self, most: int = MOST_COPIED) -> str:
        """All of it as a text. Raises CcbrowseError where it is longer than `most` bytes."""
        pieces: list[bytes] = []
        size = 0
        for chunk in self._chunks():
            pieces.append(encoded(chunk))
            size += len(pieces[-1])
            if size > most:
                raise CcbrowseError(
                    "too long for a clipboard", f"more than {most:,} bytes", "write it to a file"
                )
        return b"".join(pieces).decode("utf-8", "replace")

    def _chunks(self) -> Iterator[str | bytes]:
        with closing(self._open()) as session:
            if self._wish.scope.loss is not None:
                yield from self._loss(session)
                return
            part, options = self._part(session)
            yield from export(
                part,
                self._wish.form,
                options,
                lambda: session_json(session, now=int(time.time() * 1000)),
            )

    def _open(self) -> Session:
        given, agent = self._given, self._wish.scope.agent
        session = Session(given.file, given.folder, given.agent_id)
        if agent is None:
            return session
        with closing(session):
            return session.open_subagent(agent)

    def _loss(self, session: Session) -> Iterator[str]:
        from ccbrowse.core.export.loss import loss_markdown  # it loads a parser of Markdown

        number = self._wish.scope.loss
        assert number is not None
        self._at(0)
        clean = Options(clean=self._redactor.redact if self._redactor else None).text
        for chunk in loss_markdown(with_losses(self._given, session, number), clean):
            self._at(0)
            yield chunk

    def _part(self, session: Session) -> tuple[Part, Options]:
        wish = self._wish
        part = wish.scope.part(session)
        lines = session.index.line
        first = min((lines[row] for row in part.rows), default=0)
        span = max(1, max((lines[row] for row in part.rows), default=0) - first)

        def at(line: int | None) -> None:
            self._at(0 if line is None else min(1.0, max(0.0, (line - first) / span)))

        in_full = wish.form is Form.JSON
        return part, Options(
            tools=wish.tools,
            thinking=wish.thinking or in_full,
            zone=local_zone(),
            clean=self._redactor.redact if self._redactor else None,
            version=version("ccbrowse"),
            reroot=wish.whole_links and wish.form is Form.JSONL,
            at=at,
        )
