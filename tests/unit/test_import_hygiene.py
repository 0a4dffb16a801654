"""What is imported when: the core never drags in the terminal, and only the app itself loads textual."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

# What must not be loaded by the core, and by a command that only prints.
TERMINAL = ("textual", "rich", "click", "ccbrowse.tui")
APP = ("textual", "rich")

IMPORT_ALL = """
import importlib, json, pkgutil, sys
import ccbrowse.core
names = ["ccbrowse.core"]
names += [m.name for m in pkgutil.walk_packages(ccbrowse.core.__path__, "ccbrowse.core.")]
for name in names:
    importlib.import_module(name)
print(json.dumps({"imported": names, "loaded": sorted(sys.modules)}))
"""

RUN_COMMANDS = """
import contextlib, io, json, sys
from ccbrowse.tui.cli import main
codes = []
for words in json.loads(sys.argv[1]):
    sys.argv = ["ccbrowse", *words]
    code, out = 0, io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(out):
        try:
            code = main()
        except SystemExit as end:
            code = end.code
    codes.append(code or 0)
print(json.dumps({"codes": codes, "loaded": sorted(sys.modules)}))
"""
COMMANDS = (
    "list",
    "show",
    "compactions",
    "payload",
    "compare",
    "export",
    "search",
    "usage",
    "tail",
    "doctor",
    "config",
    "completion",
    "demo",
)


def loaded(code: str, *words: str) -> dict[str, object]:
    """Run `code` in a fresh interpreter with `words` as its command line; the JSON it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(answer, dict)
    return answer


def found(answer: dict[str, object], banned: tuple[str, ...]) -> list[str]:
    """The banned modules, or parts of them, among those that were loaded."""
    modules = answer["loaded"]
    assert isinstance(modules, list)
    return [name for name in modules if any(f"{name}.".startswith(f"{ban}.") for ban in banned)]


def module_name(path: Path, root: Path) -> str:
    """The import name of a file of the checkout."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(("ccbrowse", *parts)).removesuffix(".__init__")


def test_the_core_loads_nothing_of_the_terminal(root: Path) -> None:
    answer = loaded(IMPORT_ALL)
    assert found(answer, TERMINAL) == []
    imported = answer["imported"]
    assert isinstance(imported, list)
    in_tree = {module_name(path, root) for path in (root / "core").rglob("*.py")}
    assert set(imported) == in_tree, "every module of core/ was imported, none from elsewhere"


def test_versions_and_helps_load_no_textual() -> None:
    commands = [["--version"], ["--help"], *([name, "--help"] for name in COMMANDS)]
    answer = loaded(RUN_COMMANDS, json.dumps(commands))
    assert found(answer, APP) == []
    assert answer["codes"] == [0] * len(commands)


def test_commands_that_read_sessions_load_no_textual(tmp_path: Path) -> None:
    session = "22222222-2222-4222-8222-222222222222"
    line = {
        "type": "user",
        "uuid": "11111111-1111-4111-8111-111111111111",
        "parentUuid": None,
        "sessionId": session,
        "isSidechain": False,
        "timestamp": "2025-03-01T10:00:00.000Z",
        "cwd": "/home/ada/shop",
        "version": "2.0.1",
        "message": {"role": "user", "content": "count the apples"},
    }
    projects = tmp_path / "projects" / "-home-ada-shop"
    projects.mkdir(parents=True)
    (projects / f"{session}.jsonl").write_text(json.dumps(line) + "\n")
    root = ["--root", str(projects.parent)]
    commands = [
        ["list", "--json", *root],
        ["list", *root],
        ["show", session, "--json", *root],
        ["search", "apples", "--json", *root],
        ["usage", "--json", *root],
        ["doctor", "--json", *root],
        ["export", session, "-o", "-", *root],
    ]
    answer = loaded(RUN_COMMANDS, json.dumps(commands))
    assert found(answer, APP) == []
    assert answer["codes"] == [0] * len(commands)
