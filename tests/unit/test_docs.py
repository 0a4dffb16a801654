"""README.md holds what the program does: commands, keys, examples, pictures, the library's example."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pictures
import pytest
import readme
import scenes
from stage import stage

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.tui.cli.group import COMMANDS, DEFAULT, ccbrowse

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\((?P<to>[^)\s]+)\)")


@pytest.fixture(scope="module")
def text(root: Path) -> str:
    return (root / "README.md").read_text(encoding="utf-8")


def typed(text: str) -> list[str]:
    """The `ccbrowse` commands in fenced blocks and inline code, without what follows a pipe or comment."""
    lines: list[str] = []
    for kind, body in _FENCE.findall(text):
        told = [line.removeprefix("$ ") for line in body.splitlines()]
        shown = [line for line in body.splitlines() if line.startswith("$ ")]
        lines += told if kind == "sh" else [line.removeprefix("$ ") for line in shown]
    lines += re.findall(r"`(ccbrowse [^`]*)`", _FENCE.sub("", text))
    commands = [re.split(r"\s(?:\||#)\s", line)[0].strip() for line in lines]
    return [line for line in commands if re.match(r"ccbrowse\b", line)]


def understood(line: str) -> None:
    """Raises click's own error where a command line is wrong; runs nothing. A mere name is right."""
    _, *words = shlex.split(line)
    name, rest = (words[0], words[1:]) if words and words[0] in COMMANDS else (DEFAULT, words)
    context = click.Context(ccbrowse)
    command = ccbrowse.get_command(context, name)
    assert command is not None
    if words != [name]:
        command.make_context(name, rest, parent=context).close()


def test_every_command_is_told(text: str) -> None:
    context = click.Context(ccbrowse)
    names = ccbrowse.list_commands(context)
    assert [name for name in names if f"\n### {name}\n" not in text] == []
    assert set(re.findall(r"^### (\w+)$", text, re.MULTILINE)) == set(names)


def test_every_command_line_is_one_that_is_taken(text: str) -> None:
    lines = typed(text)
    assert len(lines) > 15
    wrong = {}
    for line in lines:
        try:
            understood(line)
        except click.ClickException as error:
            wrong[line] = error.format_message()
    assert wrong == {}


def test_a_wrong_command_line_is_seen() -> None:
    assert typed("```sh\nccbrowse list --jsn | head\nmake\n```\n`ccbrowse x`") == [
        "ccbrowse list --jsn",
        "ccbrowse x",
    ]
    with pytest.raises(click.NoSuchOption):
        understood("ccbrowse list --jsn")


def test_keys_and_examples_are_up_to_date(text: str) -> None:
    assert "<!-- keys -->" in text
    assert readme.renewed(text) == text, "run `make docs` and look at what has changed"


def test_what_stands_between_marks_is_made_anew() -> None:
    old = "a\n<!-- $ ccbrowse list | grep Migrate -->\nold\n<!-- end -->\nb\n"
    new = readme.renewed(old)
    assert new.startswith("a\n<!-- $ ccbrowse list | grep Migrate -->\n```console\n$ ccbrowse list")
    assert new.endswith("Migrate schema\n```\n<!-- end -->\nb\n")
    assert "old" not in new and new.count("schema") == 1
    assert readme.renewed(new) == new


def test_an_example_that_fails_is_not_written() -> None:
    with stage() as place:
        with pytest.raises(ValueError, match="fails"):
            readme.example("ccbrowse list --nope", place.home)
        with pytest.raises(CcbrowseError, match="no such session"):
            readme.example("ccbrowse show nobody", place.home)


def test_every_picture_and_page_exists(root: Path, text: str) -> None:
    targets = {match["to"] for match in _LINK.finditer(text) if "#" not in match["to"]}
    assert len([name for name in targets if name.endswith(".png")]) >= 6
    assert [name for name in targets if not (root / name).is_file()] == []


def test_every_scene_has_its_pictures_and_there_are_no_others(root: Path) -> None:
    folder = root / "screenshots"
    wanted = {path for scene in scenes.SCENES for path in scenes.files(scene, folder)}
    assert wanted == {*folder.glob("*.svg"), *folder.glob("*.png")}


def test_pictures_fetch_nothing(root: Path) -> None:
    for path in (root / "screenshots").glob("*.svg"):
        svg = path.read_text(encoding="utf-8")
        assert pictures.cleaned(svg) == svg, path.name
        assert "http" not in svg.replace("http://www.w3.org/2000/svg", ""), path.name


def test_a_picture_that_would_fetch_is_refused() -> None:
    with pytest.raises(ValueError, match="fetches"):
        pictures.cleaned('<svg><style>@import "x.css";</style></svg>')
    face = '@font-face {\n src: url("https://fonts.example/a.woff2");\n }'
    assert pictures.cleaned(f"<svg>{face}</svg>") == "<svg></svg>"
