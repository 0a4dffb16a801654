"""A command that is written is bound, told and found everywhere: none of these is kept by hand."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner
from textual.binding import BindingsMap
from textual.command import DiscoveryHit

from ccbrowse.tui import commands, screens
from ccbrowse.tui.cli.group import COMMANDS, DEFAULT, ccbrowse
from ccbrowse.tui.commands import Command, Commands, footer, keys_of
from ccbrowse.tui.commands.keymap import PROFILES, keymap, shown_key
from ccbrowse.tui.config import Settings
from ccbrowse.tui.screens.base import Paned
from ccbrowse.tui.screens.compaction_commands import FOOTERS
from ccbrowse.tui.screens.help import help_view
from ccbrowse.tui.screens.palette import PaletteCommands
from ccbrowse.tui.screens.rooms import ROOMS, SHARED
from ccbrowse.tui.viewtypes import LinesBlock
from ccbrowse.tui.widgets.prompt import PromptField

Typed = type[Command]

for module in pkgutil.iter_modules(screens.__path__, f"{screens.__name__}."):
    importlib.import_module(module.name)  # a screen is known once it is loaded


def every_class() -> list[Typed]:
    """The commands that are written; those of a bottom line alone are the same under another name."""
    found: list[Typed] = []
    todo: list[Typed] = [Command]
    while todo:
        each = todo.pop()
        todo += each.__subclasses__()
        if each is not Command and not each.__name__.startswith("_"):
            found.append(each)
    return [each for each in found if each.__module__.startswith("ccbrowse.")]


EVERY = every_class()
BY_ID = {command.id: command for commands_there in ROOMS.values() for command in commands_there}


def every_screen() -> Iterator[type[Paned]]:
    """The screens that are shown: those that lay something out themselves."""
    todo: list[type[Paned]] = [Paned]
    while todo:
        each = todo.pop()
        todo += each.__subclasses__()
        if "compose" in vars(each) and each.__module__.startswith("ccbrowse."):
            yield each


SCREENS = sorted(set(every_screen()), key=lambda screen: screen.__name__)


def offered(screen: type[Paned]) -> Commands:
    return (*screen.OWN, *SHARED)


def test_every_command_that_is_written_works_somewhere() -> None:
    assert len(EVERY) > 60
    assert len(SCREENS) == len(ROOMS)
    rooms = {command for commands_there in ROOMS.values() for command in commands_there}
    assert [command for command in EVERY if command not in rooms] == []
    for room in ROOMS.values():
        assert any(set(room) == set(offered(screen)) for screen in SCREENS)


@pytest.mark.parametrize("screen", SCREENS)
def test_its_keys_are_bound_under_its_id(screen: type[Paned]) -> None:
    bound = BindingsMap()
    for owner in reversed(screen.__mro__):
        for key, each in BindingsMap(vars(owner).get("BINDINGS", ())).key_to_bindings.items():
            bound.key_to_bindings.setdefault(key, []).extend(each)
    for command in offered(screen):
        if not command.bound:
            continue
        for key in command.keys.split(","):
            action = command.action.format(key=key)
            there = [(each.action, each.id) for each in bound.key_to_bindings.get(key, ())]
            id = None if "{key}" in command.action else command.id
            assert (action, id) in there, command


@pytest.mark.parametrize("screen", SCREENS)
def test_the_help_page_tells_it(screen: type[Paned]) -> None:
    lines = [
        "".join(piece.text for piece in line)
        for block in help_view(screen.OWN, {}).blocks
        if isinstance(block, LinesBlock)
        for line in block.lines
    ]
    paired = {command.pair: command for command in offered(screen) if command.pair}
    for command in offered(screen):
        told = paired.get(command, command)
        keys = keys_of(command, {})
        assert any(
            line.endswith(f" {told.help}") and (keys[0] in line or "-" in line) for line in lines
        ), command


@pytest.mark.parametrize("screen", SCREENS)
def test_the_palette_finds_it(screen: type[Paned], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Paned, "host", property(lambda _: SimpleNamespace(keymap_in_use={})))
    shown = screen.__new__(screen)

    async def found() -> list[str]:
        hits = PaletteCommands(shown, None).discover()
        return [str(hit.display) async for hit in hits if isinstance(hit, DiscoveryHit)]

    told = asyncio.run(found())
    wanted = [command for command in offered(screen) if "{key}" not in command.action]
    assert len(told) == len(wanted)
    for command in wanted:
        assert any(
            words.startswith(command.title) and words.endswith(command.help) for words in told
        ), command


def test_the_bottom_line_tells_what_has_a_name_for_it_and_nothing_else() -> None:
    lines: dict[str, list[Commands]] = {screen.__name__: [screen.FOOTER] for screen in SCREENS}
    lines["CompactionScreen"] = list(FOOTERS)
    told: set[str] = {commands.Help.id}
    for screen in SCREENS:
        ids = {command.id for command in offered(screen)}
        for line in lines[screen.__name__]:
            assert {command.id for command in line} <= ids, screen
            assert all(command.footer not in ("", "-") for command in line), screen
            view = footer(line, {})
            assert len(view.hints) == len(line) and view.last is not None
            told |= {command.id for command in line}
            for command in line:
                told |= {command.pair.id} if command.pairs_in_footer and command.pair else set()
    named = {command.id for command in EVERY if command.footer not in ("", "-")}
    assert named <= told


def test_the_readme_tells_it(root: Path) -> None:
    text = (root / "README.md").read_text(encoding="utf-8")
    _, _, table = text.partition("<!-- keys -->")
    rows = [line.split(" | ") for line in table.partition("<!-- end -->")[0].splitlines()]
    told = {row[1].removesuffix(" |"): row[0] for row in rows if len(row) == 2}
    paired = {command.pair: command for command in EVERY if command.pair}
    for command in EVERY:
        row = told[paired.get(command, command).help]
        assert f"`{shown_key(command.keys.split(',')[0])}`" in row, command


def test_its_keys_can_be_set_by_its_id_and_config_tells_them() -> None:
    ran = CliRunner().invoke(ccbrowse, ["config", "--keys", "--json"])
    told = {row["name"]: row["value"] for row in map(json.loads, ran.output.splitlines())}
    assert told == {id: command.keys for id, command in BY_ID.items()}
    for command in EVERY:
        if "{key}" not in command.action:
            assert keymap(Settings(keys={command.id: "f12"}), ROOMS)[command.id] == "f12"
    for profile, keys in PROFILES.items():
        assert set(keys) <= set(BY_ID), profile


def test_what_a_prompt_binds_is_told() -> None:
    bound = {binding.id: binding.key for binding in PromptField.BINDINGS}  # type: ignore[union-attr]  # all are `Binding`
    assert bound == {command.id: command.keys for command in commands.FINDING}


def test_every_command_of_the_shell_is_completed() -> None:
    completes = ShellComplete(ccbrowse, {}, "ccbrowse", "_CCBROWSE_COMPLETE")
    names = {item.value for item in completes.get_completions([], "")}
    assert names == set(COMMANDS) - {DEFAULT}  # that is what `ccbrowse` alone does
    for name in COMMANDS:
        options = {item.value for item in completes.get_completions([name], "-")}
        command = ccbrowse.get_command(None, name)  # type: ignore[arg-type]  # it asks for none
        assert command is not None
        wanted = {
            each for option in command.params for each in option.opts if each.startswith("--")
        }
        hidden = {each for p in command.params if getattr(p, "hidden", False) for each in p.opts}
        assert wanted - hidden <= options, name


def test_every_command_is_written_where_commands_are() -> None:
    for command in EVERY:
        assert "commands" in inspect.getfile(command), command
