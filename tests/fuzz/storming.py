"""One round of a storm: the real app over damaged sessions, steps done to it, and what must hold meanwhile.

The app lives and no exception was raised, anywhere; its loop is never held up for long; nothing is written
below the root; what is on the screen, in notices and in titles holds no control character, nothing that
turns text about, and nothing of a file that acts. At the end no thread, child or open file is left.
"""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from guard import Guard, guarded
from gusts import ROOT, Step
from harmless import faults_of_app
from textual import events
from textual._xterm_parser import XTermParser
from textual.geometry import Size
from textual.pilot import Pilot
from wreck import DAY, Wreck

from ccbrowse.core.locate import session_file
from ccbrowse.core.session import Session
from ccbrowse.core.targets import Resolved
from ccbrowse.tui.app import CcbrowseApp
from ccbrowse.tui.commands.keymap import PROFILES
from ccbrowse.tui.config import TIMES, TOOLS, Settings
from ccbrowse.tui.theme import THEMES

HELD_UP = 3.0
"""Seconds of the processor that the app's loop may take for one thing: keys wait meanwhile."""

SLOW = 60.0
"""Seconds until all that is asked must be answered."""

_LETS_GO = 15.0


class Broke(Exception):
    """Something did not hold."""


@dataclass
class Seen:
    """What a storm came to."""

    rounds: int = 0
    steps: int = 0
    keys: Counter[str] = field(default_factory=Counter)
    screens: Counter[str] = field(default_factory=Counter)
    befell: Counter[str] = field(default_factory=Counter)
    sessions: int = 0
    held_up: float = 0.0
    """The longest that the loop was held up, in seconds of the processor."""
    left: int = 0
    """Rounds that ended because the app was left."""


@dataclass(frozen=True)
class Round:
    """What the same round is made of again."""

    seed: int
    steps: tuple[Step, ...]
    all_of_them: bool = True
    """Whether the demo and the given cases are among the sessions; that costs a second once."""


def blow(round_: Round, seen: Seen) -> None:
    """Go through a round. Raises Broke, or what the app raised."""
    folder = Path(os.path.realpath(tempfile.gettempdir()), f"storm-{os.getpid()}-{round_.seed}")
    before, _ = _left_over(), gc.collect()
    with ExitStack() as stack:
        stack.enter_context(_somewhere_else(folder))
        faults = stack.enter_context(_listening())
        with guarded(folder, folder / "projects") as guard:
            asyncio.run(_Blowing(round_, seen, guard, faults).run(folder))
    _is_over(before)


# --- around a round -----------------------------------------------------------------------------


@contextmanager
def _somewhere_else(folder: Path) -> Iterator[None]:
    """Home, current folder and folder for temporary files are the round's own."""
    places = {name: folder / name for name in ("home", "work", "tmp")}
    for place in places.values():
        place.mkdir(parents=True)
    here, temporary = Path.cwd(), tempfile.tempdir
    kept = {
        "HOME": str(places["home"]),
        "TMPDIR": str(places["tmp"]),
        "EDITOR": "ed",
        "PAGER": "more",
    }
    with mock.patch.dict(os.environ, kept):
        tempfile.tempdir = str(places["tmp"])
        os.chdir(places["work"])
        try:
            yield
        finally:
            os.chdir(here)
            tempfile.tempdir = temporary
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _listening() -> Iterator[list[str]]:
    """Exceptions that nobody else would hear of: of threads, and of what is being destroyed."""
    faults: list[str] = []
    before = threading.excepthook, sys.unraisablehook

    def of_thread(args: threading.ExceptHookArgs) -> None:
        faults.append(f"in thread {args.thread}: {args.exc_value!r}")
        before[0](args)

    def of_end(args: Any) -> None:
        faults.append(f"in {args.object!r}: {args.exc_value!r}")
        before[1](args)

    threading.excepthook, sys.unraisablehook = of_thread, of_end
    try:
        yield faults
    finally:
        threading.excepthook, sys.unraisablehook = before


def _left_over() -> Counter[str]:
    """Threads and children that are alive."""
    found = Counter(f"thread {thread.name.split('-')[0]}" for thread in threading.enumerate())
    for tasks in Path("/proc/self/task").glob("*/children"):
        try:
            found["child"] += len(tasks.read_text().split())
        except OSError:
            continue
    found["open file"] = sum(
        1 for link in Path("/proc/self/fd").glob("*") if _target(link).endswith((".jsonl", ".db"))
    )
    return found


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:
        return ""


def _is_over(before: Counter[str]) -> None:
    """Wait until all that the round began has ended."""
    end = time.monotonic() + _LETS_GO
    while left := _left_over() - before:
        if time.monotonic() > end:
            raise Broke(f"left behind: {dict(left)}")
        gc.collect()
        time.sleep(0.05)


# --- a round ------------------------------------------------------------------------------------


class _Blowing:
    """The app, its sessions, and what is done to them."""

    def __init__(self, round_: Round, seen: Seen, guard: Guard, faults: list[str]) -> None:
        self._round, self._seen, self._guard, self._faults = round_, seen, guard, faults
        self._parser = XTermParser()
        self._at: Step = ("start",)

    async def run(self, folder: Path) -> None:
        asyncio.get_running_loop().set_exception_handler(self._of_loop)
        random = Random(f"{self._round.seed} set up")
        with self._guard.ours():
            self._wreck = Wreck(folder / "projects", random, self._round.all_of_them)
        self._seen.sessions += len(self._wreck.known)
        large = _large(random)
        with (
            mock.patch("ccbrowse.tui.screens.session_work.LARGE", large),
            mock.patch("ccbrowse.tui.screens.openers.LARGE", large),
        ):
            app = self._app(random)
            size = random.choice(((80, 24), (120, 40), (180, 50)))
            async with app.run_test(size=size, tooltips=True, notifications=True) as pilot:
                await self._go_through(app, pilot)
        self._holds()

    def _of_loop(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self._faults.append(f"in the loop: {context.get('message')}: {context.get('exception')!r}")

    def _app(self, random: Random) -> CcbrowseApp:
        settings = replace(
            Settings(),
            theme=random.choice([theme.name for theme in THEMES]),
            ascii=random.random() < 0.2,
            animation=random.random() < 0.7,
            time=random.choice(TIMES),
            tools=random.choice(TOOLS),
            thinking=random.random() < 0.7,
            redact=random.random() < 0.7,
            polling=random.choice((None, True, False)),
            profile=random.choice(list(PROFILES)),
        )
        begun = time.monotonic()
        now = int(DAY.timestamp() * 1000)
        roots = [self._wreck.root]
        target = self._target(random)
        cached = random.random() < 0.3
        app = CcbrowseApp(
            roots,
            target,
            settings=settings,
            now=lambda: now + int((time.monotonic() - begun) * 1000),
            cached=cached,
        )
        app.begins_with_tour = random.random() < 0.1
        return app

    def _target(self, random: Random) -> Any:
        files = [
            path for path in sorted(self._wreck.known) if path.parent.parent == self._wreck.root
        ]
        files = [path for path in files if path.suffix == ".jsonl"]
        if not files or random.random() < 0.5:
            return None
        file = session_file(random.choice(files), self._wreck.root)
        if random.random() < 0.7:
            return file
        return Resolved(Session(file), random.choice((None, 1, 2, 99)), None)

    async def _go_through(self, app: CcbrowseApp, pilot: Pilot[None]) -> None:
        async with self._not_held_up():
            for step in self._round.steps:
                self._at = step
                if not await self._do(app, pilot, step):
                    self._seen.left += 1
                    return
                self._seen.steps += 1

    @asynccontextmanager
    async def _not_held_up(self) -> AsyncIterator[None]:
        """Look meanwhile how long the loop takes for one turn."""
        longest: list[tuple[float, Step]] = []

        async def look() -> None:
            before = time.thread_time()
            while True:
                await asyncio.sleep(0.02)
                before, took = (now := time.thread_time()), now - before
                self._seen.held_up = max(self._seen.held_up, took)
                if took > HELD_UP:
                    longest.append((took, self._at))

        looking = asyncio.create_task(look())
        try:
            yield
        finally:
            looking.cancel()
        if longest:
            raise Broke(f"the loop was held up: {longest}")

    # Steps

    async def _do(self, app: CcbrowseApp, pilot: Pilot[None], step: Step) -> bool:
        """Do one thing and hold what came of it against the rules; False where the app was left."""
        name, *words = step
        if app._exit or not app.is_running or app._exception is not None:
            return False
        getattr(self, f"_{name}")(app, *words)
        if name == "rest":
            await asyncio.sleep(words[0])
        elif name != "keys":
            await pilot._wait_for_screen(SLOW)
        if app._exception is not None:  # it is raised when the app is left
            return False
        if app._exit or not app.is_running:
            return False
        self._holds()
        self._look_at(app)
        return True

    def _rest(self, app: CcbrowseApp, seconds: float) -> None:
        pass

    def _befall(self, app: CcbrowseApp, seed: int) -> None:
        with self._guard.ours():
            what = self._wreck.befall(Random(seed))
        self._seen.befell[what.split()[0]] += 1

    def _key(self, app: CcbrowseApp, key: str) -> None:
        self._seen.keys[key] += 1
        character = key if len(key) == 1 else _CHARACTERS.get(key)
        self._send(app, events.Key(key, character))

    def _keys(self, app: CcbrowseApp, *keys: str) -> None:
        for key in keys:
            self._key(app, key)

    def _type(self, app: CcbrowseApp, text: str) -> None:
        self._raw(app, text.replace(ROOT, str(self._wreck.root)))

    def _paste(self, app: CcbrowseApp, text: str) -> None:
        self._send(app, events.Paste(text))

    def _raw(self, app: CcbrowseApp, text: str) -> None:
        """What a terminal sends, read as Textual's driver reads it."""
        if not text:
            return  # to a parser it is the end
        for message in (*self._parser.feed(text), *self._parser.tick()):
            self._send(app, message)

    def _send(self, app: CcbrowseApp, message: Any) -> None:
        assert app._driver is not None
        app._driver.process_message(message)

    def _click(self, app: CcbrowseApp, x: float, y: float, button: int, times: int) -> None:
        place = self._place(app, x, y)
        self._raw(app, f"\x1b[<35;{place}M")
        for _ in range(times):
            self._raw(app, f"\x1b[<{button - 1};{place}M\x1b[<{button - 1};{place}m")

    def _move(self, app: CcbrowseApp, x: float, y: float) -> None:
        self._raw(app, f"\x1b[<35;{self._place(app, x, y)}M")

    def _wheel(self, app: CcbrowseApp, x: float, y: float, lines: int) -> None:
        self._raw(app, f"\x1b[<{65 if lines > 0 else 64};{self._place(app, x, y)}M" * abs(lines))

    def _drag(self, app: CcbrowseApp, x: float, y: float, to_x: float, to_y: float) -> None:
        between = self._place(app, (x + to_x) / 2, (y + to_y) / 2)
        begin, end = self._place(app, x, y), self._place(app, to_x, to_y)
        self._raw(app, f"\x1b[<0;{begin}M\x1b[<32;{between}M\x1b[<32;{end}M\x1b[<0;{end}m")

    def _place(self, app: CcbrowseApp, x: float, y: float) -> str:
        """A place as terminals name it, from 1."""
        width, height = app.size
        return f"{1 + int(x * (width - 1))};{1 + int(y * (height - 1))}"

    def _size(self, app: CcbrowseApp, width: int, height: int) -> None:
        size = Size(width, height)
        assert app._driver is not None
        app._driver._size = width, height
        app.post_message(events.Resize(size, size))

    # What must hold

    def _holds(self) -> None:
        """Nobody heard of an exception, and nothing was written."""
        faults = [*self._faults, *self._guard.faults]
        if touched := self._wreck.touched_by_others():
            faults.append(f"changed below the root: {touched}")
        if faults:
            raise Broke("; ".join(faults))

    def _look_at(self, app: CcbrowseApp) -> None:
        self._seen.screens[type(app.screen).__name__] += 1
        if fault := next(faults_of_app(app), None):
            raise Broke(fault)


def _large(random: Random) -> int:
    """From how many bytes on a session's end is shown before it is read."""
    return 2_000 if random.random() < 0.25 else 16_000_000


_CHARACTERS = {"enter": "\r", "tab": "\t", "escape": "\x1b", "backspace": "\x7f", "space": " ", "slash": "/",
               "colon": ":", "apostrophe": "'", "question_mark": "?", "left_curly_bracket": "{",
               "right_curly_bracket": "}", "left_square_bracket": "[", "right_square_bracket": "]",
               "left_parenthesis": "(", "right_parenthesis": ")"}  # fmt: skip
