"""An endless working conversation: each corner of a program is explored, changed, tested, discussed.

A turn is a generator of steps, so that a whole session can be written at once and a live one
step by step. Each step's name says what was written last.
"""

from collections.abc import Callable, Iterator, Sequence
from textwrap import shorten

from ccbrowse.tui.demo import sources
from ccbrowse.tui.demo.areas import Area
from ccbrowse.tui.demo.blocks import Block, Call, Say, Think
from ccbrowse.tui.demo.builder import SessionBuilder
from ccbrowse.tui.demo.compaction import OPENING
from ccbrowse.tui.demo.tools import Workspace

Steps = Iterator[str]

_PONDER = (
    "I should look at {path} before I answer. The trouble to keep in mind is that {risk}. ",
    "There is a choice between patching {function} and moving the rule; {reason}. ",
    "The tests in {tests} cover the plain case, not that {risk}. ",
)


class Campaign:
    """Turns over a list of areas, one stage after the other, round and round.

    `haste` makes the model think that many times longer, in tokens that take no room in the file;
    `touched` are the files that were read or changed, `told` the turns before which a story has put
    an event of its own.
    """

    def __init__(
        self, builder: SessionBuilder, workspace: Workspace, areas: Sequence[Area]
    ) -> None:
        self.builder, self.workspace, self.areas = builder, workspace, areas
        self.ids = builder.ids
        self.haste = 1
        self.number = 0
        self.prompts: list[str] = []
        self.changes: list[str] = []
        self.decisions: list[str] = []
        self.touched: list[str] = []
        self.told: set[int] = set()
        self._stages: tuple[Callable[[Area], Steps], ...] = (
            self._explore,
            self._change,
            self._test,
            self._ask_why,
            self._read_log,
            self._review,
            self._document,
            self._commit,
        )
        for area in areas:
            parts = self.ids.between(10, 17)
            code = sources.module(area.name, area.noun, area.function, parts, self.ids)
            workspace.files.setdefault(area.path, code)

    @property
    def area(self) -> Area:
        """The corner that the next turn is about."""
        return self.areas[self.number // len(self._stages) % len(self.areas)]

    def turn(self) -> Steps:
        """The steps of the next turn."""
        area = self.area
        stage = self._stages[self.number % len(self._stages)]
        self.number += 1
        self.touched.append(area.path)
        return stage(area)

    def _explore(self, area: Area) -> Steps:
        yield from self._ask(
            f"Next: {area.name}. Read {area.path} and tell me what happens when {area.risk}.",
            f"Let us turn to {area.name}. What does {area.function} do when {area.risk}?",
            f"I worry about {area.name}: what if {area.risk}? Look before you change anything.",
        )
        look = [self.workspace.read(area.path), self.workspace.find(area.function)]
        yield from self._work(self._think(area), Say(f"I will read {area.path} first."), *look)
        yield from self._say(
            f"When {area.risk}, it goes wrong: {area.finding}.\n\n"
            f"`{area.function}` in `{area.path}` is the place. I see two ways:\n\n"
            f"1. {area.choice}\n2. leave it and document it\n\n"
            f"I would take the first, because {area.reason}."
        )

    def _change(self, area: Area) -> Steps:
        yield from self._ask(
            f"Take the first way: {area.choice}.",
            f"Do it, {area.choice}. Keep the signature of {area.function}.",
            f"Agreed. Please {area.choice}, and run the tests of that module.",
        )
        self.decisions.append(f"{area.name}: {area.choice}, because {area.reason}")
        space, n = self.workspace, self.ids.between(10, 90)
        yield from self._work(space.read(area.path, 12, 40))
        old = "LEEWAY = timedelta(seconds=30)\n"
        new = f"LEEWAY = timedelta(seconds={n})\nPREVIOUS_COUNTS = True  # {area.choice[:48]}\n"
        if old not in space.files[area.path]:
            old = new = space.files[area.path].splitlines(keepends=True)[12]
            new = old.rstrip("\n") + f"  # see {area.tests}\n"
        self.changes.append(area.path)
        yield from self._work(self._think(area), space.edit(area.path, old, new))
        yield from self._work(self._run(area, failed=0))
        yield from self._say(
            f"Done: {area.choice}. The change is small and stays in `{area.path}`; "
            f"`{area.function}` keeps its signature, and the tests of the module pass."
        )

    def _test(self, area: Area) -> Steps:
        yield from self._ask(
            f"Add a test for the case that {area.risk}.",
            f"Now a test, please: {area.risk}. It should fail without the change.",
        )
        space = self.workspace
        name = f"test_{area.function}_{self.number}"
        text = (
            f'\n\ndef {name}(store, clock):\n    """{area.risk.capitalize()}."""\n'
            f'    key = store.put("{area.noun}", owner="ada")\n    clock.tick(31)\n'
            f"    assert {area.function}(key) is not None\n"
        )
        before = space.files.get(area.tests, f"from app import {area.function}\n")
        self.changes.append(area.tests)
        yield from self._work(space.write(area.tests, before + text))
        yield from self._work(Say("It fails first:"), self._run(area, failed=1))
        fixed = space.edit(
            area.tests, f"clock.tick({31})", f"clock.tick({self.ids.between(3, 29)})"
        )
        yield from self._work(self._think(area), fixed)
        yield from self._work(self._run(area, failed=0))
        yield from self._say(f"`{name}` holds the case that {area.risk}.", "All tests pass.")

    def _ask_why(self, area: Area) -> Steps:
        yield from self._ask(
            f"Why is it better to {area.choice}?",
            f"Explain to a colleague why we {area.choice}.",
        )
        yield from self._say(
            f"Because {area.reason}.\n\nThe present code has another trouble: {area.finding}. "
            f"Once that is gone, the case that {area.risk} is no longer special: it takes the same "
            f"path as all others, and `{area.function}` has one rule instead of two."
        )

    def _read_log(self, area: Area) -> Steps:
        yield from self._ask(
            f"Staging ran the change to {area.name} over night. Anything odd in the log?",
            f"Look at the log of {area.noun} since yesterday, does it still happen?",
        )
        log = sources.service_log(self.ids.between(110, 170), self.ids)
        command = f"grep -h {area.noun} /var/log/app/auth.log | tail -120"
        yield from self._work(self.workspace.bash(command, log, about="Read the log"))
        yield from self._say(
            f"Nothing that points at {area.name}. The late refreshes come in pairs within a second, "
            f"which fits that {area.risk}; none of them was refused after the change."
        )

    def _review(self, area: Area) -> Steps:
        yield from self._ask(
            f"Show me the diff for {area.name} and check it once more.",
            f"Review your change to {area.path} as if somebody else had made it.",
        )
        old = f"    if found.expires < moment:\n        store.drop('{area.noun}', key)"
        new = f"    if found.expires + LEEWAY < moment:\n        store.drop('{area.noun}', key)"
        shown = sources.diff(area.path, old, new, 34) + "\n" + sources.diff(area.tests, "", new, 8)
        calls = [
            self.workspace.bash("git diff --stat && git diff", shown, about="Show the change"),
            self.workspace.read(area.path, 30, 60),
        ]
        yield from self._work(self._think(area), *calls, order=(1, 0))
        yield from self._say(
            "Two remarks:\n\n- the name `LEEWAY` says what it is but not why; a comment would help\n"
            f"- {area.finding}: gone now, but no test would notice if it came back\n\n"
            "Otherwise I would merge it."
        )

    def _document(self, area: Area) -> Steps:
        yield from self._ask(
            f"Write a short paragraph on {area.name} for docs/auth.md.",
            f"docs/auth.md says nothing of {area.name}. Two or three sentences will do.",
        )
        text = (
            f"\n## {area.name.capitalize()}\n\nWe {area.choice}: {area.reason}. "
            f"The rule lives in `{area.function}`.\n"
        )
        space = self.workspace
        before = space.files.get("docs/auth.md", "# Logging in\n")[-1_800:]
        yield from self._work(space.write("docs/auth.md", before + text))
        yield from self._say(f"Added. It says what we do ({area.choice}) and why.")

    def _commit(self, area: Area) -> Steps:
        yield from self._ask(
            f"Good. Commit {area.name}.", "Commit this, then we go on.", "Looks fine, commit it."
        )
        subject = shorten(f"{area.noun}: {area.choice}", 68, placeholder=" …")
        output = f"[{self.builder.branch} {self.ids.name('', 7)}] {subject}\n 3 files changed"
        command = f'git commit -am "{subject}"'
        yield from self._work(self.workspace.bash(command, output, about="Commit"))
        yield from self._say(f"Committed as “{subject}”.")

    # --- steps

    def _ask(self, *phrasings: str) -> Steps:
        text = phrasings[self.ids.between(0, len(phrasings) - 1)]
        self.prompts.append(text)
        self.builder.clock.tick(self.ids.seconds(20, 110))
        self.builder.prompt(text)
        yield "prompt"

    def _work(self, *blocks: Block, order: Sequence[int] | None = None) -> Steps:
        reply = self.builder.begin(*blocks)
        for index, block in enumerate(blocks):
            self.builder.fragment(reply)
            if isinstance(block, Say) and index + 1 < len(blocks):
                yield "reply"
        yield "call"
        for index in order or range(len(reply.calls)):
            self.builder.answer(reply.calls[index])
        yield "result"

    def _say(self, *texts: str) -> Steps:
        reply = self.builder.begin(*(Say(text) for text in texts))
        for index in range(len(texts)):
            self.builder.fragment(reply)
            if index + 1 < len(texts):
                yield "reply"
        self.builder.done()
        yield "done"

    def _think(self, area: Area) -> Think:
        line = _PONDER[self.number % len(_PONDER)]
        facts = {"path": area.path, "risk": area.risk, "function": area.function}
        facts |= {"reason": area.reason, "tests": area.tests}
        times = self.ids.between(26, 84) * self.haste
        return Think(line.format(**facts) * times)

    def _run(self, area: Area, failed: int) -> Call:
        added = self.workspace.files.get(area.tests, "").count("def test_")
        names = [f"test_{area.noun}_{n}" for n in range(1, 6 + len(area.noun) % 7 + added)]
        bad = names[-failed:] if failed else []
        output = sources.pytest_run(names, bad, area.tests, self.ids)
        return self.workspace.bash(f"pytest -v {area.tests}", output, code=1 if bad else 0)

    # --- what a summary says of it

    def summary(self) -> str:
        """What a compaction would keep of the turns since the last one; forgets them."""
        done = list(dict.fromkeys(self.changes))
        lines = [OPENING, "", "## What was asked", ""]
        lines += [f"- {prompt}" for prompt in self.prompts]
        lines += ["", "## What was decided", "", *(f"- {text}" for text in self.decisions)]
        lines += ["", "## Files that were changed", "", *(f"- {path}" for path in done)]
        lines += [
            "",
            "## Where it stands",
            "",
            f"Last: {self.prompts[-1] if self.prompts else '-'}",
        ]
        lines += ["All tests passed at the last run. Nothing is left half done.", ""]
        name = f"{self.builder.session_id}.jsonl"
        lines.append(f"The whole conversation stands in {name}, should a detail be missing.")
        self.prompts, self.changes, self.decisions = [], [], []
        return "\n".join(lines)
