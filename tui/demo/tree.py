"""`write_demo`: a dozen sessions of several projects, written below a folder."""

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from ccbrowse.tui.demo.scene import Story
from ccbrowse.tui.demo.story_api import errors, flaky
from ccbrowse.tui.demo.story_login import login
from ccbrowse.tui.demo.story_notes import cleared, docs, hostile
from ccbrowse.tui.demo.story_old import schema, totals
from ccbrowse.tui.demo.story_web import exports, exports_fork, theme, uploads
from ccbrowse.tui.demo.writer import folder_name

_STORIES = (
    (login, timedelta(seconds=25)),
    (flaky, timedelta(seconds=70)),
    (exports, timedelta(hours=3)),
    (errors, timedelta(days=1, hours=2)),
    (theme, timedelta(days=2)),
    (uploads, timedelta(days=4)),
    (docs, timedelta(days=6)),
    (schema, timedelta(days=8)),
    (hostile, timedelta(days=11)),
    (totals, timedelta(days=22)),
    (cleared, timedelta(days=36)),
)
_TOLD_IN = timedelta(hours=20)  # about as long as the longest story takes, so that dates in it fit


@dataclass(frozen=True, slots=True)
class DemoSession:
    """One session of the demo and what a list should say of it."""

    key: str
    path: Path
    session_id: str
    title: str
    cwd: str
    updated: datetime
    prompts: int
    compactions: int


@dataclass(frozen=True, slots=True)
class DemoTree:
    """The demo as written: `root` is a `projects` folder, the sessions come newest first.

    `live` is the story that `grow` goes on with.
    """

    root: Path
    sessions: tuple[DemoSession, ...]
    live: Story

    def session(self, key: str) -> DemoSession:
        """The session with that key, such as login, flaky, exports or uploads; KeyError for others."""
        known = {session.key: session for session in self.sessions}
        return known[key]


def write_demo(root: Path, now: datetime) -> DemoTree:
    """Write the demo's sessions below `root`, the newest ending just before `now` (with time zone).

    The same `now` gives the same bytes. Nothing outside `root` is touched; files that are there
    from an earlier call are replaced.
    """
    written, stories = [], []
    for tell, age in _STORIES:
        story = tell(now - age - _TOLD_IN)
        stories.append(story)
        story.builder.clock.end_at(now - age)
        written.append(_write(root, story))
        if story.key == "exports":
            written.append(_write(root, exports_fork(story)))
    sessions = sorted(written, key=lambda session: session.updated, reverse=True)
    return DemoTree(root, tuple(sessions), stories[0])


def _write(root: Path, story: Story) -> DemoSession:
    b = story.builder
    folder = root / folder_name(b.cwd)
    (folder / f"{b.session_id}.jsonl").unlink(missing_ok=True)
    shutil.rmtree(folder / b.session_id, ignore_errors=True)
    path = b.write(root)
    return DemoSession(
        story.key,
        path,
        b.session_id,
        story.title,
        b.cwd,
        b.clock.now(),
        b.turns,
        b.compactions,
    )
