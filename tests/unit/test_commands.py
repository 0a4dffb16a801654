"""The commands: bindings, footer and help derive from one class each, and nothing disagrees."""

from __future__ import annotations

import pytest
import readme
from textual.binding import Binding

from ccbrowse.tui import commands
from ccbrowse.tui.commands import Command, Commands, bindings, footer, keys_of
from ccbrowse.tui.screens.base import Paned
from ccbrowse.tui.screens.compaction import CompactionScreen
from ccbrowse.tui.screens.comparing import ComparingScreen
from ccbrowse.tui.screens.help import help_view
from ccbrowse.tui.screens.rooms import ROOMS
from ccbrowse.tui.screens.search import SearchScreen
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.screens.sessions import SessionsScreen
from ccbrowse.tui.viewtypes import LinesBlock
from ccbrowse.tui.virtual import VirtualList
from ccbrowse.tui.widgets.prompt import PromptField
from ccbrowse.tui.widgets.timeline import Timeline

SCREENS: list[tuple[type[Paned], Commands]] = [
    (SessionScreen, (*commands.SESSION, *commands.PANES, *commands.EVERYWHERE)),
    (SessionsScreen, (*commands.SESSIONS, *commands.PANES, *commands.EVERYWHERE)),
]
EVERY = {
    *(*commands.SESSION, *commands.SESSIONS, *commands.MOVES),
    *(*commands.PANES, *commands.EVERYWHERE),
}


def widget_keys() -> dict[str, str]:
    """Keys by id, as the widgets bind them."""
    found: dict[str, str] = {}
    for widget in (VirtualList, Timeline, PromptField):
        for binding in widget.BINDINGS:
            assert isinstance(binding, Binding)
            found[binding.id or ""] = binding.key
    return found


@pytest.mark.parametrize(("screen", "offered"), SCREENS)
def test_every_bound_command_has_an_action(screen: type[Paned], offered: Commands) -> None:
    for command in offered:
        if command.bound:
            name = command.action.partition("(")[0].removeprefix("app.")
            owner: type = screen
            if command.action.startswith("app."):
                from ccbrowse.tui.app import CcbrowseApp

                owner = CcbrowseApp
            assert hasattr(owner, f"action_{name}"), command


@pytest.mark.parametrize(("screen", "offered"), SCREENS)
def test_no_two_commands_of_a_screen_share_a_key_or_an_id(
    screen: type[Paned], offered: Commands
) -> None:
    keys = [key for command in (*offered, *commands.MOVES) for key in command.keys.split(",")]
    assert len(set(keys)) == len(keys)
    ids = [command.id for command in (*offered, *commands.MOVES)]
    assert len(set(ids)) == len(ids)


SAME_KEY = {
    **{key: {"segment", "view"} for key in "123"},  # what has that number there
}
"""Keys that do different things on different screens: the digits alone."""


def test_a_key_does_the_same_on_every_screen() -> None:
    meanings: dict[str, set[str]] = {}
    for commands_there in ROOMS.values():
        for command in commands_there:
            for key in command.keys.split(","):
                meanings.setdefault(key, set()).add(command.id)
    different = {key: ids for key, ids in meanings.items() if len(ids) > 1}
    assert all(ids <= SAME_KEY.get(key, set()) for key, ids in different.items()), different


def screens_of_the_app() -> list[type[Paned]]:
    """Every screen of the app that has commands of its own."""
    found: list[type[Paned]] = []
    todo: list[type[Paned]] = [Paned]
    while todo:
        each = todo.pop()
        todo += each.__subclasses__()
        if each.OWN and each.__module__.startswith("ccbrowse."):
            found.append(each)
    return found


def test_every_screens_commands_are_in_its_room_so_that_keys_can_be_set_and_told() -> None:
    everything = [set(room) for room in ROOMS.values()]
    screens = screens_of_the_app()
    assert {ComparingScreen, CompactionScreen, SearchScreen, SessionScreen} <= set(screens)
    for screen in screens:
        assert any(set(screen.OWN) <= room for room in everything), screen
        for command in (*screen.OWN, *commands.MOVES, *commands.PANES, *commands.EVERYWHERE):
            name = command.action.partition("(")[0]
            if command.bound and command.action and not name.startswith("app."):
                assert hasattr(screen, f"action_{name}"), (screen, command)


def test_the_readme_and_the_command_tell_every_command() -> None:
    told = {command for group in readme.GROUPS.values() for command in group}
    for room in ROOMS.values():
        assert {command.id for command in room} <= {command.id for command in told}


def test_what_widgets_bind_is_told_with_the_same_keys() -> None:
    bound = widget_keys()
    told = [command for command in EVERY if not command.bound]
    assert {command.id for command in told} <= set(bound)
    for command in told:
        assert bound[command.id] == command.keys


def test_bindings_have_the_commands_ids_so_that_keys_can_be_set() -> None:
    made = [b for b in bindings(commands.SESSION) if isinstance(b, Binding)]
    by_id = {binding.id: binding for binding in made}
    assert by_id["boundary.next"].key == "right_curly_bracket"
    assert by_id["boundary.next"].action == "boundary(1)"
    digits = [binding for binding in made if binding.action.startswith("segment(")]
    assert [binding.key for binding in digits] == list("123456789")


def test_the_users_own_keys_are_told() -> None:
    keymap = {"boundary.next": "f9", "boundary.previous": "f8,ctrl+b", "help": "f2"}
    assert keys_of(commands.NextBoundary, keymap) == ["f9"]
    view = footer(commands.SESSION_FOOTER, keymap)
    assert (view.hints[0].keys, view.hints[0].name) == ("f8 f9", "boundary")
    assert view.last is not None and view.last.keys == "f2"
    assert keys_of(commands.HalfPageDown, {}) == ["ctrl+d"]
    assert keys_of(commands.GoToMark, {}) == ["'"]


def test_every_command_says_what_it_does_in_a_line() -> None:
    for command in EVERY:
        assert issubclass(command, Command)
        assert command.help.endswith(".") and len(command.help) <= 60
        assert command.title and command.__doc__


def test_the_help_page_fits_a_narrow_terminal() -> None:
    view = help_view(commands.SESSION, {})
    lines = [
        "".join(piece.text for piece in line)
        for block in view.blocks
        if isinstance(block, LinesBlock)
        for line in block.lines
    ]
    assert max(map(len, lines)) <= 74
    assert "{ }           The compaction before, the next one." in lines
    assert "1-9           The segment of that number." in lines
