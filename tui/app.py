"""The app: settings, theme, the lowest screens; all else is done by screens and their workers."""

from __future__ import annotations

import asyncio
import base64
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from textual.app import SuspendNotSupported
from textual.binding import BindingType
from textual.command import Provider
from textual.driver import Driver
from textual.screen import Screen
from textual.worker import WorkerFailed

from ccbrowse.core.text import display_text
from ccbrowse.tui import collector
from ccbrowse.tui.commands.keymap import keymap
from ccbrowse.tui.config import Settings, load
from ccbrowse.tui.reader.places import labelled
from ccbrowse.tui.screens.rooms import ROOMS
from ccbrowse.tui.screens.sessions import SessionsScreen
from ccbrowse.tui.screens.trail import Travelling
from ccbrowse.tui.signs import ASCII, UNICODE, Signs
from ccbrowse.tui.theme import THEMES, check_theme
from ccbrowse.tui.typed import TypedAhead
from ccbrowse.tui.wary import WaryApp

if TYPE_CHECKING:
    from ccbrowse.core.indexer import Indexer
    from ccbrowse.core.locate import SessionFile
    from ccbrowse.core.targets import Resolved

_STEP_EVERY = 1.0
_COLLECT_AFTER = 1.0
_TURN = 0.001
"""Seconds after which a thread that computes gives way to the loop: with Python's 5 ms, a key that needs the
interpreter three times while a session is taken over would miss its frame."""

_LONG_ENOUGH = 20.0
"""Seconds that the notice of a fault stays."""


class Stepper(Protocol):
    """What makes the demo's live session grow."""

    def step(self) -> str:
        """Append what comes next."""
        ...


def _palette() -> type[Provider]:
    """The palette's commands, loaded when it is opened for the first time."""
    from ccbrowse.tui.screens.palette import PaletteCommands

    return PaletteCommands


class CcbrowseApp(TypedAhead, Travelling, WaryApp):
    """Browses the sessions under some roots; opens at a session where one is given.

    Of a session that is named by its file the end is shown before all of it is read. `demo` is stepped
    once a second. `now` gives the time in milliseconds, for tests.
    """

    CSS_PATH = Path(__file__).with_name("app.tcss")
    TITLE = "ccbrowse"
    ENABLE_COMMAND_PALETTE = True
    ALLOW_SELECT = False
    """Selecting is the terminal's; Textual's ends the app where a widget goes under the button."""
    COMMANDS = {_palette}  # noqa: RUF012  # as textual declares it
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self,
        roots: Iterable[Path],
        target: Resolved | SessionFile | None = None,
        demo: Stepper | None = None,
        *,
        settings: Settings | None = None,
        now: Callable[[], int] | None = None,
        indexer: Indexer | None = None,
        cached: bool = False,
    ) -> None:
        super().__init__()
        self.cache_roots = list(roots) if cached else None
        self.indexer = indexer
        self.roots = list(roots)
        self.target = target
        self.demo = demo
        self.settings = load() if settings is None else settings
        check_theme(self.settings.theme)
        self._dress()
        self.keymap_in_use: Mapping[str, str] = keymap(self.settings, ROOMS)
        """The keys that are other than usual, by command id."""
        if not self.settings.animation:
            self.animation_level = "none"
        self.signs: Signs = ASCII if self.settings.ascii else UNICODE
        self.set_class(self.signs.plain, "-ascii")
        self._now = now
        self._mouse_released = False
        self.survives = False
        """Whether a fault of ours is told in a line; tests want to see it."""
        self.fault = ""
        """What ended the app, if it was a fault of ours."""
        self._faults: set[str] = set()
        self.begins_with_tour = False
        """Whether the tour of the first start is shown on top."""

    def _dress(self) -> None:
        """Put on the theme, before any style is parsed: one that comes later has all of them parsed again."""
        for theme in THEMES:
            self.register_theme(theme)
        self.set_reactive(CcbrowseApp.theme, self.settings.theme)
        self.stylesheet.set_variables(self.get_css_variables())
        dark = self.current_theme.dark
        for name, holds in (("-dark-mode", dark), ("-light-mode", not dark)):
            self.set_class(holds, name)
        self.add_class(f"-theme-{self.settings.theme}")
        self._refresh_truecolor_filter(self.ansi_theme)

    def get_driver_class(self) -> type[Driver]:
        """Textual's driver, made to bear any byte."""
        from ccbrowse.tui.terminal import driver_for

        return driver_for(super().get_driver_class())

    def push_screen(self, screen: Any, callback: Any = None, *words: Any, **named: Any) -> Any:
        """Show a screen. Who asked for its answer and is gone by then is not told."""
        if callback is not None and self._screen_stack:
            callback = partial(self._answer, self.screen, callback)
        return super().push_screen(screen, callback, *words, **named)

    def _answer(self, asker: Screen[Any], callback: Callable[[Any], Any], answer: Any) -> Any:
        return callback(answer) if asker in self.screen_stack else None

    def _handle_exception(self, error: Exception) -> None:
        """A worker's fault is a notice, and the app lives; any other ends it, with a report and one line."""
        if not self.survives:
            super()._handle_exception(error)
            return
        from ccbrowse.tui import crash

        what = crash.places_of(error)
        if not isinstance(error, WorkerFailed):
            self.fault = crash.told(error, crash.write_report(error))
            self._return_code = 1
            self._close_messages_no_wait()
        elif what not in self._faults:  # what fails again and again is told once
            self._faults.add(what)
            words = display_text(crash.told(error, crash.write_report(error)))
            self.notify(words, severity="error", timeout=_LONG_ENOUGH, markup=False)

    def now(self) -> int:
        """The time in milliseconds since 1970."""
        return int(time.time() * 1000) if self._now is None else self._now()

    def get_default_screen(self) -> Screen[None]:
        """The sessions are the lowest screen."""
        labels, covered = labelled(self.settings), self.target is not None
        return SessionsScreen(self.roots, self.indexer, labels, asleep=covered)

    def on_load(self) -> None:
        """Leave in good order, the terminal restored, where the system asks for it."""
        loop = asyncio.get_running_loop()
        for asked in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(asked, self.exit)

    def on_mount(self) -> None:
        """The keys; the session that was asked for on top."""
        self.set_keymap(dict(self.keymap_in_use))
        if self.target is not None:
            self._open(self.target)
        if self.demo is not None:
            self.set_interval(_STEP_EVERY, self._step)
        if self.begins_with_tour:
            self.call_after_refresh(self.action_tour)
        self.set_timer(_COLLECT_AFTER, collector.resume)

    def _open(self, target: Resolved | SessionFile) -> None:
        from ccbrowse.core.locate import SessionFile
        from ccbrowse.tui.screens.openers import Place, open_file, open_given
        from ccbrowse.tui.screens.session import SessionScreen

        if isinstance(target, SessionFile):
            opener = open_file(target, self.cache_roots)
            self.push_screen(SessionScreen(opener, file=target, is_first=True))
            return
        session, place = target.session, Place(target.segment, target.uuid)
        self.push_screen(SessionScreen(open_given(session), file=session.file, place=place))

    def _step(self) -> None:
        if self.demo is not None:
            self.demo.step()

    def action_tour(self) -> None:
        """Show the tour."""
        from ccbrowse.tui.screens.tour import TourPages
        from ccbrowse.tui.touring import note_seen

        self.push_screen(TourPages())
        note_seen()

    def copy_to_clipboard(self, text: str) -> None:
        """Copy by OSC 52, to tmux, and to the desktop's own clipboard where this is one."""
        from ccbrowse.tui.screens.clipboard import hand_over, programs, wrapped

        super().copy_to_clipboard(text)
        if self.is_headless or self._driver is None:
            return
        coded = base64.b64encode(text.encode("utf-8", "replace")).decode()
        sequence = f"\x1b]52;c;{coded}\a"
        if (inner := wrapped(sequence, os.environ)) != sequence:
            self._driver.write(inner)
        if commands := programs(os.environ, shutil.which):
            work = partial(hand_over, text, commands)
            self.run_worker(work, thread=True, group="clipboard", exit_on_error=False)

    def suspend_and_run(self, run: Callable[[], None]) -> bool:
        """Give the terminal to something else for a while; False where that is not possible."""
        try:
            with self.suspend():
                run()
        except SuspendNotSupported:
            return False
        self.refresh()
        return True

    def action_command_palette(self) -> None:
        """Find a command by its name."""
        from ccbrowse.tui.screens.palette import Palette

        if not isinstance(self.screen, Palette):
            self.push_screen(Palette())  # of no id: the one before may not be gone yet

    def action_release_mouse(self) -> None:
        """Give the mouse back to the terminal, or take it again."""
        driver = self._driver
        if driver is None:
            return
        self._mouse_released = not self._mouse_released
        # The driver has no public way to do this; one without these methods has no mouse to give.
        switch = "_disable_mouse_support" if self._mouse_released else "_enable_mouse_support"
        if (method := getattr(driver, switch, None)) is not None:
            method()
        words = "the mouse is the terminal's" if self._mouse_released else "the mouse is taken"
        self.notify(words, markup=False)


def run_app(
    roots: Iterable[Path],
    target: Resolved | SessionFile | None = None,
    demo: Stepper | None = None,
    indexer: Indexer | None = None,
    settings: Settings | None = None,
    cached: bool = False,
) -> int:
    """Open the app, and come back with its exit code. Raises CcbrowseError for settings that cannot be.

    `indexer` reads the sessions under the same roots; it is ended here. `cached`: there is a cache.
    """
    from ccbrowse.core.counting import counting_away
    from ccbrowse.tui.touring import is_due

    try:
        app = CcbrowseApp(roots, target, demo, indexer=indexer, settings=settings, cached=cached)
        app.begins_with_tour = app.settings.tour and is_due()
        sys.setswitchinterval(_TURN)
        with counting_away():
            app.survives = True
            app.run(mouse=app.settings.mouse)
    finally:
        if indexer is not None:
            indexer.close()
    if app.fault:
        sys.stderr.write(f"ccbrowse: {app.fault}\n")
    return app.return_code or 0
