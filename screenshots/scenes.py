"""What the pictures show: for each a size, where the app opens, and the keys pressed before it is taken.

To add one, add a line to `SCENES`, run `make screenshots` and look at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ccbrowse.core.locate import session_file
from ccbrowse.core.records import ToolCall, blocks
from ccbrowse.core.session import Session
from ccbrowse.core.targets import Resolved
from ccbrowse.tui.config import Settings
from ccbrowse.tui.demo import DemoTree

WIDE, MIDDLE, NARROW = (160, 48), (120, 34), (80, 24)


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: `name` is its file's; `session` a key of the demo, without one the list is shown."""

    name: str
    size: tuple[int, int]
    session: str = ""
    keys: tuple[str, ...] = ()
    """Pressed one after another, each once the one before has shown its effect."""
    call: tuple[str, str] | None = None
    """Open at the last call of that tool whose input holds those words."""
    settings: Settings = field(default_factory=Settings)

    def target(self, tree: DemoTree) -> Resolved | None:
        """Where the app opens; None: at the list."""
        if not self.session:
            return None
        session = Session(session_file(tree.session(self.session).path, tree.root))
        return Resolved(session, None, last_call(session, *self.call) if self.call else None)


def last_call(session: Session, tool: str, words: str) -> str:
    """The uuid of the record that called a tool like that last on the main line. Raises LookupError."""
    for row in reversed(list(session.chain)):
        uuid = session.index.uuid(row)
        if uuid and any(c.name == tool and words in str(c.input) for c in _calls(session, row)):
            return uuid
    raise LookupError(f"no call of {tool} with {words!r} in {session.file.path.name}")


def _calls(session: Session, row: int) -> Iterator[ToolCall]:
    for block in blocks(session.record(row)):
        if isinstance(block, ToolCall):
            yield block


SCENES = (
    Scene("sessions", MIDDLE, keys=("j", "j", "j")),
    Scene("session", WIDE, "login"),
    Scene("boundary", WIDE, "login", ("left_curly_bracket",)),
    Scene("loss", WIDE, "login", ("L",)),
    Scene("payload", WIDE, "login", ("P",)),
    Scene("edit", WIDE, "login", call=("Edit", "src/")),
    Scene("subagent", MIDDLE, "login", ("enter",), call=("Agent", "Profile")),
    Scene("fork", WIDE, "login", ("4", "K", "K", "K", "k")),
    Scene("branches", MIDDLE, "login", ("b",)),
    Scene("findings", MIDDLE, "uploads", ("i",)),
    Scene("find", MIDDLE, "login", ("slash", *"leeway", "enter")),
    Scene("search", MIDDLE, keys=("ctrl+f", *"refresh token", "enter", "n", "n")),
    Scene("export", MIDDLE, "login", ("x",)),
    Scene("help", (120, 64), "login", ("question_mark",)),
    Scene("palette", MIDDLE, "login", ("ctrl+p",)),
    Scene(
        "light", WIDE, "login", ("left_curly_bracket",), settings=Settings(theme="textual-light")
    ),
    Scene("narrow-sessions", NARROW),
    Scene("narrow-session", NARROW, "login"),
    Scene("narrow-boundary", NARROW, "login", ("left_curly_bracket",)),
    Scene("ascii", MIDDLE, "login", ("left_curly_bracket",), settings=Settings(ascii=True)),
)
"""Every picture, in the order in which a reader meets them."""


def files(scene: Scene, folder: Path) -> tuple[Path, Path]:
    """The SVG and the PNG of a scene."""
    return folder / f"{scene.name}.svg", folder / f"{scene.name}.png"
