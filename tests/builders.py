"""Synthetic sessions for tests: the demo's builder, and short ways to use it.

`import builders` works in every test; what is made here is deterministic, in our own words.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ccbrowse.tui.demo import (
    ERAS,
    HOSTILE,
    OPENING,
    START,
    Call,
    DemoSession,
    DemoTree,
    LiveSession,
    OpenCall,
    Reply,
    Say,
    SessionBuilder,
    Think,
    Workspace,
    finish,
    folder_name,
    grow,
    png,
    turn,
    write_demo,
)

__all__ = [
    "ERAS",
    "ERA_NAMES",
    "HOSTILE",
    "OPENING",
    "START",
    "Call",
    "DemoSession",
    "DemoTree",
    "LiveSession",
    "OpenCall",
    "Reply",
    "Row",
    "Say",
    "SessionBuilder",
    "Think",
    "Workspace",
    "finish",
    "folder_name",
    "grow",
    "png",
    "rows",
    "sampler",
    "turn",
    "write_demo",
    "written",
]

Row = dict[str, Any]

ERA_NAMES = tuple(ERAS)
"""The eras, oldest first, to parametrize with."""


def rows(source: SessionBuilder | Path | bytes) -> list[Row]:
    """The records of a builder, a file or bytes that hold no damage."""
    if isinstance(source, SessionBuilder):
        data = source.data()
    else:
        data = source if isinstance(source, bytes) else source.read_bytes()
    return [json.loads(line) for line in data.split(b"\n") if line]


def written(builder: SessionBuilder, root: Path) -> Path:
    """Write a session below `root`, a `projects` folder; returns the path of its main file."""
    return builder.write(root)


def sampler(era: str, **options: Any) -> SessionBuilder:
    """A session with one of nearly everything that the era's client writes, and no damage."""
    b = SessionBuilder(era, seed="sampler", **options)
    space = Workspace(b.cwd, b.era, {"src/a.py": "x = 1\ny = 2\n" * 8, "src/b.py": "z = 3\n"})
    b.prompt("Read tihs")
    b.edit_prompt("Read this")
    finish(b, [Think("Which first?"), Say("Both."), space.read("src/a.py"), space.read("src/b.py")],
           say="Both are short.")  # fmt: skip
    b.prompt("What is in the picture?", images=[png(4, 4, (1, 2, 3))])
    b.work(
        space.look("shot.png", png(8, 6, (9, 9, 9)), (8, 6)), space.read("gone.py"), order=(1, 0)
    )
    finish(b, say="A square.")
    left = turn(b, "Change it", [space.edit("src/a.py", "x = 1\n", "x = 7\n")], say="Changed.")
    b.rewind(left)
    turn(b, "Change both", [space.write("src/b.py", "z = 4\n"), space.bash("ls", "no", code=2)],
         say="One went wrong.")  # fmt: skip
    b.prompt("Search")
    b.work(space.find("y"), space.glob("*.py", list(space.files)), interleave=True)
    b.work(space.todos(one="pending"), space.multi_edit("src/a.py", [("x", "w"), ("y", "v")]))
    finish(b, [space.fetch("https://a.example", "Why?", "Because.")], say="Found.")
    b.prompt("Ask a helper")
    b.subagent("Help", "Help me", lambda child: _helped(child.reply(Say("Helping."))))
    finish(b, say="Helped.")
    b.shell("ls", "a.py")
    b.command("context", "", "12k used")
    b.title("Sampler")
    b.prompt("Stop")
    b.interrupt("I was about to")
    b.prompt("Fail")
    b.retry(1, 2, 529, "overloaded_error")
    b.api_error("529 too much", "server_error", 529, "overloaded_error")
    turn(b, "Again", say="Now.")
    b.compact(f"{OPENING}\n\nAll of the above.", trigger="manual", instructions="keep the tests",
              files=[("src/b.py", "z = 4\n")], named=["src/a.py"])  # fmt: skip
    b.prompt("Queue")
    call = b.reply(space.bash("sleep 1", "done")).calls[0]
    b.enqueue("and this")
    b.answer(call)
    b.queued_prompt("and this")
    finish(b, say="Both done.")
    b.leave()
    b.resume()
    b.prompt("Go on")
    b.work(space.bash("true"))
    b.compact(f"{OPENING}\n\nStill going on.")
    finish(b, say="On it goes.")
    return b


def _helped(reply: Reply) -> str:
    return f"Helped in {len(reply.rows)} step."
