"""`LiveSession`: one session of the demo goes on, a few lines at a time, as if somebody worked in it."""

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

from ccbrowse.tui.demo.blocks import Say, Think
from ccbrowse.tui.demo.campaign import Campaign
from ccbrowse.tui.demo.scene import Story
from ccbrowse.tui.demo.story_login import compact_if_full
from ccbrowse.tui.demo.tree import DemoTree
from ccbrowse.tui.demo.writer import folder_name

_HASTE = 8  # after the first compaction, so that the next one comes within a few minutes
_HALF_EVERY = 7
_AGENT_EVERY = 6
_REMEMBERED = 40


class LiveSession:
    """A script without end. Each `step` appends what comes next to the files below `root`.

    `clock` gives the time of what is written; without one, time passes as the script says, so that
    the same number of steps always writes the same bytes.
    """

    def __init__(
        self, story: Story, root: Path, clock: Callable[[], datetime] | None = None
    ) -> None:
        if story.campaign is None:
            raise ValueError(f"the story {story.key} has no script to go on with")
        self.builder = story.builder
        self.folder = root / folder_name(self.builder.cwd)
        self.path = self.folder / f"{self.builder.session_id}.jsonl"
        self._campaign: Campaign = story.campaign
        self._clock = clock
        self.builder.clock.held = clock is not None
        self._script = self._forever()
        self._held_back = b""
        self._steps = 0

    def step(self) -> str:
        """Append the next lines and say what they are: prompt, call, result, reply, done, agent, compaction.

        Now and then the last line comes in two parts, the second with the next step.
        """
        if self._clock:
            self.builder.clock.reach(self._clock())
        self._steps += 1
        what = next(self._script)
        taken = self.builder.take()
        main = self._held_back + taken.pop(self.path.name, b"")
        self._held_back = b""
        if self._steps % _HALF_EVERY == 0:
            start = main.rfind(b"\n", 0, len(main) - 1) + 1
            middle = (start + len(main)) // 2
            main, self._held_back = main[:middle], main[middle:]
        _append(self.path, main)
        for name, data in taken.items():
            _append(self.folder / name, data)
        self._write_metas()
        return what

    def settle(self) -> None:
        """Write what a step held back, so that the file ends with a whole line."""
        _append(self.path, self._held_back)
        self._held_back = b""

    def _write_metas(self) -> None:
        for name, data in self.builder.metas().items():
            (self.folder / name).write_bytes(data)
        self.builder.agents[:] = [agent for agent in self.builder.agents if not agent.finished]

    def _forever(self) -> Iterator[str]:
        turns = 0
        while True:
            turns += 1
            steps = self._with_agent() if turns % _AGENT_EVERY == 0 else self._campaign.turn()
            for step in steps:
                yield step
                if compact_if_full(self.builder, self._campaign, step):
                    self._campaign.haste = _HASTE
                    yield "compaction"
            del self._campaign.touched[:-_REMEMBERED]

    def _with_agent(self) -> Iterator[str]:
        """A turn in which a subagent's file appears and grows."""
        b, area = self.builder, self._campaign.area
        space = self._campaign.workspace
        b.prompt(f"Let somebody else look at {area.name} with fresh eyes")
        yield "prompt"
        agent = b.launch(
            f"Look at {area.noun}",
            f"Read {area.path} and say what is unclear about {area.function}.",
            Say("I will ask a reviewer."),
            kind="reviewer",
        )
        yield "agent"
        child = agent.builder
        for first in (1, 40, 80):
            call = child.reply(
                Think("What would a newcomer ask? " * 6), space.read(area.path, first, 30)
            )
            yield "agent"
            child.answer(call.calls[0])
            yield "agent"
        b.land(agent, f"One thing is unclear in {area.function}: {area.finding}.")
        yield "result"
        b.reply(Say(f"The reviewer stumbled over one thing: {area.finding}."))
        b.done()
        yield "done"


def grow(tree: DemoTree, clock: Callable[[], datetime] | None = None) -> LiveSession:
    """The live session of a demo that was written: call its `step` about once a second."""
    return LiveSession(tree.live, tree.root, clock)


def _append(path: Path, data: bytes) -> None:
    if data:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(data)
