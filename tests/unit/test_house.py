"""The house rules that no tool checks: small files, docstrings, no recursion, reasons, no machine's paths."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

LONGEST = 400
THREADS = {"Thread", "Timer", "ThreadPoolExecutor", "start_new_thread", "asyncio"}

type_or_def = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def sources(root: Path, *tops: str) -> list[Path]:
    """The Python files under the named folders."""
    return sorted(path for top in tops for path in (root / top).rglob("*.py"))


def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def where(root: Path, path: Path, line: int) -> str:
    """A place as an editor takes it."""
    return f"{path.relative_to(root)}:{line}"


def tracked(root: Path) -> list[Path]:
    """The files that git holds; links and pictures left out."""
    if not (root / ".git").exists():
        pytest.skip("not a git checkout: which files belong to the repository is not known")
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    paths = [root / name for name in names if name]
    binary = {".png", ".gz", ".ico", ".bin"}
    return [
        path
        for path in paths
        if path.is_file() and not path.is_symlink() and path.suffix not in binary
    ]


# --- files and docstrings -----------------------------------------------------------------------


def test_no_file_of_the_code_is_long(root: Path) -> None:
    long = {
        str(path.relative_to(root)): lines
        for path in sources(root, "core", "tui")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST
    }
    assert long == {}


def undocumented(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Public modules, classes, functions and methods without a docstring: their names and lines."""
    if ast.get_docstring(tree) is None and tree.body:
        yield "module", 1
    todo: list[tuple[str, ast.AST]] = [("", tree)]
    while todo:
        prefix, node = todo.pop()
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, type_or_def) or child.name.startswith("_"):
                continue
            name = f"{prefix}{child.name}"
            overloads = any("overload" in ast.unparse(mark) for mark in child.decorator_list)
            if ast.get_docstring(child) is None and not overloads:
                yield name, child.lineno
            if isinstance(child, ast.ClassDef):
                todo.append((f"{name}.", child))


def test_all_that_is_public_in_the_core_is_documented(root: Path) -> None:
    bare = [
        f"{where(root, path, line)} {name}"
        for path in sources(root, "core")
        for name, line in undocumented(parsed(path))
    ]
    assert bare == []


def test_a_missing_docstring_is_seen() -> None:
    tree = ast.parse(
        '"""Top."""\nclass A:\n    """A."""\n    def f(self): ...\n    def _g(self): ...'
    )
    assert list(undocumented(tree)) == [("A.f", 4)]


# --- the core: no recursion, no threads ---------------------------------------------------------


def recursive(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Functions that call themselves, as `name(...)`, `self.name(...)` or `cls.name(...)`."""
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        arguments = [*node.args.posonlyargs, *node.args.args]
        method = bool(arguments) and arguments[0].arg in {"self", "cls"}
        own = {f"{arguments[0].arg}.{node.name}"} if method else {node.name}
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and ast.unparse(call.func) in own:
                yield node.name, call.lineno


def test_no_function_of_the_core_calls_itself(root: Path) -> None:
    found = [
        f"{where(root, path, line)} {name}"
        for path in sources(root, "core")
        for name, line in recursive(parsed(path))
    ]
    assert found == [], "data decides how deep a recursion goes: walk with a list instead"


def test_recursion_is_seen() -> None:
    code = (
        "def f(n):\n    return f(n - 1)\nclass A:\n    def g(self):\n        self.g()\n        g()"
    )
    assert list(recursive(ast.parse(code))) == [("f", 2), ("g", 5)]


def threads(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Where a thread or an event loop could start; locks and events to work under one are fine."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in THREADS:
                yield name, node.lineno
            case ast.alias(name=name) if name.rpartition(".")[2] in THREADS:
                yield name, node.lineno
            case _:
                pass


def test_the_core_has_no_threads_of_its_own(root: Path) -> None:
    found = [
        f"{where(root, path, line)} {name}"
        for path in sources(root, "core")
        for name, line in threads(parsed(path))
    ]
    assert found == []


def test_a_thread_is_seen() -> None:
    code = "from threading import Event, Thread\nimport asyncio\nthreading.Timer(1, f)"
    assert sorted(threads(ast.parse(code))) == [("Thread", 1), ("Timer", 3), ("asyncio", 2)]


# --- reasons ------------------------------------------------------------------------------------

_MARK = re.compile(r"#\s*(type: ignore|noqa|pragma: no cover|pyright: ignore)(?P<rest>.*)")
_CODES = re.compile(r"^\s*(\[[\w, -]+\]|:\s*[A-Z]+\d+(\s*,\s*[A-Z]+\d+)*)?\W*(?P<reason>.*)")


def unexplained(text: str) -> Iterator[int]:
    """Lines that silence a checker and say no reason, on the line itself or the one above."""
    above = ""
    for number, line in enumerate(text.splitlines(), 1):
        mark = _MARK.search(line)
        if mark and not above.lstrip().startswith("#"):
            codes = _CODES.match(mark["rest"])
            if codes is None or len(codes["reason"].split()) < 2:
                yield number
        above = line


def test_whatever_silences_a_checker_says_why(root: Path) -> None:
    found = [
        where(root, path, line)
        for path in sources(root, "core", "tui", "tests", "screenshots")
        if path != Path(__file__)
        for line in unexplained(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("line", "bad"),
    [
        ("x = y  # type: ignore[misc]", True),
        ("x = y  # type: ignore[misc]  # the stub lacks it", False),
        ("x = y  # noqa: E501", True),
        ("x = y  # noqa: E501, B008 - a link", False),
        ("if z:  # pragma: no cover", True),
        ("# windows only\nif z:  # pragma: no cover", False),
        ("x = 1  # plain", False),
    ],
)
def test_an_unexplained_mark_is_seen(line: str, bad: bool) -> None:
    assert bool(list(unexplained(line))) is bad


def unreasoned(text: str) -> Iterator[str]:
    """Requirements of pyproject.toml that bound a version and have no comment on their line."""
    requirement = re.compile(r'"[\w.-]+(\[[\w,-]+\])?\s*(==|>=|<=|~=|<|>)[^"]*"')
    for line in text.splitlines():
        if requirement.search(line) and not line.startswith("requires-python") and "#" not in line:
            yield line.strip()


def test_every_bound_on_a_version_says_why(root: Path) -> None:
    assert list(unreasoned((root / "pyproject.toml").read_text(encoding="utf-8"))) == []


def test_a_bound_without_a_reason_is_seen() -> None:
    text = 'a = ["one>=1"]\nb = [\n  "two>=2",   # needed for\n  "three"\n]'
    assert list(unreasoned(text)) == ['a = ["one>=1"]']


# --- no traces of the machine it was made on ----------------------------------------------------


def traces(root: Path) -> re.Pattern[str]:
    """Paths of this checkout, of what holds it, and of a root user's home, where one starts."""
    common = {Path("/"), Path("/tmp"), Path("/home"), Path("/Users"), Path("/src"), Path.home()}
    folders = {str(path) for path in (root, root.parent) if path not in common}
    starts = "|".join(re.escape(f"{folder}/") for folder in sorted(folders | {"/root"}))
    return re.compile(rf"(?<![\w.~/-])(?:{starts})")


def test_the_repository_holds_no_paths_of_a_machine(root: Path) -> None:
    pattern = traces(root)
    found = [
        where(root, path, number)
        for path in tracked(root)
        if path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if pattern.search(line)
    ]
    assert found == []


def test_a_path_of_the_machine_is_seen() -> None:
    pattern = traces(Path("/build/here/ccbrowse"))
    assert pattern.search('open("/build/here/ccbrowse/x")')
    assert pattern.search("see /build/here/shared")
    assert not pattern.search("/home/ada/build/here/x")


def test_the_sources_end_their_lines_alike(root: Path) -> None:
    found = [
        str(path.relative_to(root))
        for path in tracked(root)
        if path.suffix in {".py", ".md", ".toml", ".tcss"} and b"\r" in path.read_bytes()
    ]
    assert found == []
