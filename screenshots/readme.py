"""Bring README.md up to date: the table of keys, and what its example commands print. `make docs` runs it.

In README.md such places stand between `<!-- keys -->`, `<!-- $ ccbrowse ... -->` or `<!-- python -->` and
`<!-- end -->`. Commands run in this process, on the demo's sessions (see stage.py); what they print may go
through `| grep WORD` and `| head -N`.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from click.testing import CliRunner
from stage import stage

from ccbrowse.tui import commands
from ccbrowse.tui.cli.group import ccbrowse
from ccbrowse.tui.commands import Command, Commands, keys_of
from ccbrowse.tui.screens.compaction_commands import COMPACTION, OPENERS
from ccbrowse.tui.screens.search_commands import SEARCH

README = Path(__file__).resolve().parents[1] / "README.md"

GROUPS: Mapping[str, Commands] = {
    "in a session": (*commands.SESSION, *OPENERS),
    "at a compaction": COMPACTION,
    "among the sessions": commands.SESSIONS,
    "in a search over all sessions": SEARCH,
    "where two are compared": commands.COMPARING,
    "moves": commands.MOVES,
    "panes": commands.PANES,
    "everywhere": commands.EVERYWHERE,
}
"""The commands of the app by where they work, as the help page has them."""

_PLACE = re.compile(
    r"^(<!-- (keys|python|\$ [^\n]*?) -->\n)(.*?)^(<!-- end -->)$", re.DOTALL | re.MULTILINE
)
_FENCED = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_USERS_HOME = "/home/you"


def renewed(text: str) -> str:
    """The text of README.md with every such place made anew."""
    with stage() as place:

        def fill(found: re.Match[str]) -> str:
            if found[2] == "keys":
                body = keys_table()
            elif found[2] == "python":
                body = script(found[3])
            else:
                body = example(found[2].removeprefix("$ "), place.home)
            return f"{found[1]}{body}{found[4]}"

        return _PLACE.sub(fill, text)


def keys_table() -> str:
    """Keys and what they do, as a Markdown table."""
    lines = ["| key | what it does |", "|---|---|"]
    for name, group in GROUPS.items():
        lines.append(f"| **{name}** | |")
        lines += [f"| {keys} | {_cell(words)} |" for keys, words in _rows(group)]
    return "\n".join(lines) + "\n"


def _rows(group: Commands) -> Iterator[tuple[str, str]]:
    """One row a command; one that shares its help with another has the keys of both."""
    paired = {command.pair for command in group if command.pair is not None}
    for command in group:
        if command not in paired:
            yield _keys(command), command.help


def _keys(command: type[Command]) -> str:
    keys: list[str] = list(keys_of(command, {}))
    if command.pair is not None:
        keys += keys_of(command.pair, {})
    if len(keys) > 4 and command.pair is None:  # digits
        return f"`{keys[0]}` – `{keys[-1]}`"
    return " ".join(f"`{_cell(key)}`" for key in keys)


def _cell(text: str) -> str:
    """A text as a table's cell may hold it."""
    return text.replace("|", "\\|")


def example(line: str, home: Path) -> str:
    """A command with what it prints, as a fenced block.

    Raises ValueError or CcbrowseError where the command fails.
    """
    command, *filters = line.split(" | ")
    words = shlex.split(command)
    done = CliRunner().invoke(ccbrowse, words[1:], prog_name=words[0], catch_exceptions=False)
    if words[0] != "ccbrowse" or done.exit_code:
        raise ValueError(f"the example {line!r} fails: {done.output}")
    printed = [each.rstrip() for each in done.output.rstrip().split("\n")]
    for name, word in map(shlex.split, filters):
        printed = printed[: abs(int(word))] if name == "head" else _with(printed, word)
    text = "\n".join(printed).strip("\n").replace(str(home), _USERS_HOME)
    return f"```console\n$ {line}\n{text}\n```\n"


def _with(lines: list[str], word: str) -> list[str]:
    return [line for line in lines if word in line]


def script(body: str) -> str:
    """A fenced program, and below it what it prints. Raises what the program raises."""
    fenced = _FENCED.search(body)
    if fenced is None:
        raise ValueError("no fenced program stands there")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(fenced[1], "README.md", "exec"), {})
    return f"{fenced[0]}\n\n```text\n{out.getvalue().rstrip()}\n```\n"


def main() -> int:
    """Write README.md anew where something in it has changed."""
    old = README.read_text(encoding="utf-8")
    new = renewed(old)
    if new != old:
        README.write_text(new, encoding="utf-8")
    print("README.md", "is brought up to date" if new != old else "is up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main())
