"""A session that was compacted twice, of which it is known what became of each thing said.

`import lossy` works in every test. The words are our own.
"""

from __future__ import annotations

from pathlib import Path

from builders import OPENING, Say, SessionBuilder, Workspace, finish, turn

from ccbrowse.tui.demo.agents import Launching

LOST = "Never touch src/billing/invoice.py, the auditors are still reading it."
"""A prompt of which the summary says nothing."""

TOLD = "The handshake timeout must be 45 seconds."
"""A prompt that the summary repeats."""

DECIDED = "I decided to use sqlite instead of redis for the queue."
"""A decision that the summary leaves out."""

HOSTILE = "[red]Weigh\x1b[31m the anchor[/] before noon."
"""A prompt with markup and an escape sequence, left out as well."""

ERROR = "KeyError: 'ttl' in Session.issue"
"""An error that the summary tells."""

SUMMARY = f"""{OPENING}

## What was asked

1. **Sessions**
   - {TOLD}

## Errors and fixes

- `{ERROR}`, fixed by a default in `src/auth/session.py`.

## Next

Write the remaining tests.
"""

SESSION = "ttl = 60\n\n\ndef issue(user):\n    return user, ttl\n"


def build(era: str = "2.1.332") -> SessionBuilder:
    """The session: two compactions, the first by hand and the second automatic."""
    b = SessionBuilder(era, seed="lossy")
    space = Workspace(b.cwd, b.era, {"src/auth/session.py": SESSION, "src/auth/keys.py": "k = 1\n"})
    turn(b, LOST, say="Understood, it stays as it is.")
    turn(b, TOLD, [space.read("src/auth/session.py")], say="It was sixty until now.")
    b.prompt("Run the tests of the sessions.")
    b.work(space.bash("pytest -q tests/auth", f"E   {ERROR}", code=1))
    finish(b, [space.edit("src/auth/session.py", "ttl = 60", "ttl = 45")], say=DECIDED)
    turn(b, HOSTILE, say="At eleven, then.")
    turn(b, "Look at the keys too.", [space.read("src/auth/keys.py")], say="One key, unused.")
    b.compact(
        SUMMARY,
        trigger="manual",
        instructions="keep the tests",
        files=[("src/auth/session.py", SESSION.replace("60", "45"))],
        named=["src/auth/keys.py"],
        keep=2,
    )
    turn(b, "Now the remaining tests.", [space.bash("pytest -q", "9 passed")], say="All pass.")
    b.prompt("Go on")
    b.work(space.bash("true"))
    b.compact(f"{OPENING}\n\nThe remaining tests were written, 9 passed.")
    finish(b, say="On it goes.")
    b.title("Sessions that end too late")
    return b


def write(root: Path, era: str = "2.1.332") -> Path:
    """Write the session below a `projects` folder; its path."""
    return build(era).write(root)


def with_agent(root: Path) -> Path:
    """A session whose subagent was compacted; its path."""
    b = SessionBuilder("2.1.332", seed="lossy-agent")

    def helped(child: Launching) -> str:
        child.reply(Say("I decided to count the lighthouses by hand."))
        child.compact(f"{OPENING}\n\nNothing was counted so far.", keep=0)
        child.reply(Say("Counting again."))
        return "Seven."

    b.prompt("Ask a helper")
    b.subagent("Help", "How many lighthouses are there on the coast?", helped)
    finish(b, say="Seven.")
    return b.write(root)
