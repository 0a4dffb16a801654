"""The house of the plain mode: its rooms, what may be typed in them, and the loop that asks."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import ClassVar

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.tui.cli.output import LONGEST, print_line

PAGE = 20
"""Lines, or items, that are said at once."""


@dataclass(frozen=True, slots=True)
class Order:
    """Something that can be typed. The first of `names` is the one that is told.

    `method` is the room's method that does it; `takes` names what stands behind it, if anything does.
    """

    names: tuple[str, ...]
    method: str
    help: str
    takes: str = ""

    @property
    def told(self) -> SafeText:
        """How it is typed: ``/WORDS``, ``export``."""
        name = self.names[0] or "Enter"
        if name == self.takes:
            return display_text(name)
        gap = "" if name[-1:] in "/:" or not self.takes else " "
        return SafeText(f"{display_text(name)}{SafeText(gap)}{display_text(self.takes)}")


COMMON = (
    Order(("?", "help", "h"), "help", "say what can be typed here"),
    Order(("q", "back", "quit"), "back", "go back; from the list of sessions, leave"),
    Order(("Q", "exit"), "leave", "leave ccbrowse"),
)
"""Orders of every room."""


class Left(Exception):
    """The person left, or the input ended."""


class House:
    """Holds the rooms, the open one last, and asks. Reads standard input, writes standard output."""

    def __init__(self, roots: Sequence[Path], no_cache: bool = True) -> None:
        self.roots = list(roots)
        self.no_cache = no_cache
        self.rooms: list[Room] = []
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")

    def run(self, rooms: Iterable[Room]) -> None:
        """Ask until no room is left."""
        self.rooms = list(rooms)
        try:
            self._enter()
            while self.rooms:
                self._turn(self.rooms[-1])
        except Left:
            print_line()

    def _turn(self, room: Room) -> None:
        try:
            room.answer(self.ask(room.question))
        except KeyboardInterrupt:
            print_line("\nStopped.")
        except CcbrowseError as error:
            print_line(f"That did not work: {one_line(str(error), LONGEST)}")
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                raise
            words = f"{error.strerror or error}, {error.filename or ''}".rstrip(", ")
            print_line(f"That did not work: {one_line(words, LONGEST)}")

    def _enter(self) -> None:
        if self.rooms:
            self.rooms[-1].enter()

    def go(self, room: Room) -> None:
        """Go into a room."""
        self.rooms.append(room)
        self._enter()

    def back(self) -> None:
        """Leave the room."""
        self.rooms.pop().close()
        if self.rooms:
            self._enter()

    def ask(self, question: SafeText) -> str:
        """Ask, and give what was typed (raw). Raises Left where the input has ended."""
        sys.stdout.write(f"{question} ")
        sys.stdout.flush()
        try:
            typed = sys.stdin.readline()
        except KeyboardInterrupt:
            raise Left from None
        if not typed:
            raise Left
        return typed.strip()

    def agrees(self, question: SafeText) -> bool:
        """Ask a question that is answered with yes or no."""
        return self.ask(SafeText(f"{question} y or n:")).lower() in ("y", "yes")

    def say_pages(self, lines: Iterable[SafeText]) -> None:
        """Print lines, and ask before each page after the first one."""
        for number, line in enumerate(lines):
            if number and number % (2 * PAGE) == 0:
                stop = SafeText("More? Enter goes on, q stops:")
                if self.ask(stop):
                    return
            print_line(line)


class Room:
    """A place with orders of its own."""

    ORDERS: ClassVar[tuple[Order, ...]] = ()

    def __init__(self, house: House) -> None:
        self.house = house

    @property
    def question(self) -> SafeText:
        """What is asked here: it says what may be typed."""
        raise NotImplementedError

    def enter(self) -> None:
        """Say where one is."""
        raise NotImplementedError

    def close(self) -> None:
        """The room is left for good."""

    def numbered(self, number: int) -> None:
        """Do what a number alone means here."""
        raise NotImplementedError

    def answer(self, typed: str) -> None:
        """Do what was typed."""
        if typed.isdecimal() and len(typed) < 12:
            self.numbered(int(typed))
            return
        order, rest = self._understood(typed)
        if order is None:
            self._not_understood(typed)
        elif order.takes:
            getattr(self, order.method)(rest)
        else:
            getattr(self, order.method)()

    @property
    def orders(self) -> tuple[Order, ...]:
        """All that can be typed here."""
        return (*self.ORDERS, *COMMON)

    def _understood(self, typed: str) -> tuple[Order | None, str]:
        """The order that was typed, and what stands behind it."""
        word, _, rest = typed.partition(" ")
        for order in self.orders:
            if word in order.names or word.lower() in order.names[1:]:
                return order, rest.strip()
        for order in self.orders:
            sign = order.names[0]
            if sign in ("/", ":") and typed.startswith(sign):
                return order, typed[1:].strip()
        return None, ""

    def _not_understood(self, typed: str) -> None:
        names = [name for order in self.orders for name in order.names if len(name) > 1]
        near = get_close_matches(typed.partition(" ")[0].lower(), names, 1, 0.5)
        hint = f"Did you mean {near[0]}? " if near else ""
        print_line(f"Not understood: {one_line(typed, 60)}. {hint}? says what can be typed.")

    def help(self) -> None:
        """Say what can be typed."""
        print_line("What can be typed here, and then Enter:")
        for line in self.told():
            print_line(line)

    def told(self) -> Iterator[SafeText]:
        """One line an order."""
        for order in self.orders:
            others = [name for name in order.names[1:] if name]
            also = f" (or {' or '.join(others)})" if others else ""
            yield SafeText(f"{order.told}{display_text(also)}: {display_text(order.help)}.")

    def back(self) -> None:
        """Leave the room."""
        self.house.back()

    def leave(self) -> None:
        """Leave the house."""
        raise Left
