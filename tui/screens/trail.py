"""Where the reader was: back and forward over screens and sessions, like a browser.

A place is a stack of screens and the row on the uppermost. Left screens are not kept: a stop knows how to
open its screen again over the one beneath.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from textual.app import App

if TYPE_CHECKING:
    from ccbrowse.tui.screens.base import Paned

REMEMBERED = 200
"""Places that are kept each way."""


def _place_on(screen: Paned) -> str:
    """Where the reader is on a screen; nowhere yet where not all of it is there."""
    return screen.place if screen.is_mounted else ""


def _never(beneath: Paned, stop: Stop, key: str) -> bool:
    return False


@dataclass(eq=False)
class Stop:
    """A screen as the trail knows it: the same for all that show the same."""

    again: Callable[[Paned, Stop, str], bool] = _never
    """Opens it again over a screen, at a row; False where it cannot."""


@dataclass(frozen=True)
class Visit:
    """A place: the stops from the lowest screen up, and the row on the uppermost."""

    stops: tuple[Stop, ...]
    key: str


@dataclass
class Trail:
    """The places that were left, and those that were gone back from."""

    behind: list[Visit] = field(default_factory=list)
    ahead: list[Visit] = field(default_factory=list)

    def left(self, visit: Visit) -> None:
        """A place was left for another; what lay ahead is forgotten."""
        if not self.behind or self.behind[-1] != visit:
            self.behind = [*self.behind, visit][-REMEMBERED:]
        self.ahead = []

    def step(self, step: int, here: Visit) -> Visit | None:
        """The place before, or behind 0 the next one; None where there is none."""
        source, other = (self.behind, self.ahead) if step < 0 else (self.ahead, self.behind)
        while source:
            visit = source.pop()
            if visit != here:
                if not other or other[-1] != here:
                    other.append(here)
                return visit
        return None


class Travelling(App[None]):
    """An app that knows where the reader was."""

    def __init__(self) -> None:
        super().__init__()
        self.trail = Trail()
        self._travels = False

    def push_screen(self, screen: Any, *words: Any, **named: Any) -> Any:
        """Show a screen, and remember what it covers."""
        from ccbrowse.tui.screens.base import Paned

        if isinstance(screen, (Paned, str)):
            self.left_place()
        return super().push_screen(screen, *words, **named)

    def pop_screen(self) -> Any:
        """Leave a screen, and remember it."""
        self.left_place()
        return super().pop_screen()

    def _stack(self) -> list[Paned]:
        from ccbrowse.tui.screens.base import Paned

        return [screen for screen in self.screen_stack if isinstance(screen, Paned)]

    def left_place(self, key: str | None = None) -> None:
        """The reader leaves this place, or the one of a row on this screen."""
        stack = self._stack() if self._screen_stack else []
        if stack and self.screen is stack[-1] and not self._travels:
            here = _place_on(stack[-1]) if key is None else key
            self.trail.left(Visit(tuple(screen.stop for screen in stack), here))

    def travel(self, step: int) -> bool:
        """Go to the place before, or forward again; False where there is none."""
        stack = self._stack()
        here = Visit(tuple(screen.stop for screen in stack), _place_on(stack[-1]))
        while (visit := self.trail.step(step, here)) is not None:
            self._travels = True
            try:
                if self._arrive(visit):
                    return True
            finally:
                self._travels = False
        return False

    def _arrive(self, visit: Visit) -> bool:
        """Go there, as far as it can be gone; False where that is no other place."""
        stack, shared = self._stack(), 0
        for screen, stop in zip(stack, visit.stops, strict=False):
            if screen.stop is not stop:
                break
            shared += 1
        for _ in stack[max(1, shared) :]:
            self.pop_screen()
        missing = visit.stops[max(1, shared) :]
        for number, stop in enumerate(missing, 1):
            key = visit.key if number == len(missing) else ""
            if not stop.again(self._stack()[-1], stop, key):
                return number > 1 or shared < len(stack)
        return bool(missing) or self._stack()[-1].arrive(visit.key) or shared < len(stack)
