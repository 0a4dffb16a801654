"""What a user installs: the sdist and the wheel are built once, compared with the tree, and run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from dataclasses import dataclass
from email.parser import HeaderParser
from pathlib import Path

import pytest

TOPS = ("core", "tui")
SHIPPED = {".py", ".tcss", ".gz", ".md", ".typed", ".html", ".css"}
BUILD = "import sys; from setuptools import build_meta as b; print(getattr(b, sys.argv[1])(sys.argv[2]))"


@dataclass(frozen=True, slots=True)
class Built:
    """The files that a release would publish."""

    sdist: Path
    wheel: Path


def run(*words: str | Path, cwd: Path) -> str:
    """The output of a program that must succeed; it sees nothing of the checkout."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def version(root: Path) -> str:
    """The version as pyproject.toml has it."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


@pytest.fixture(scope="session")
def tree(root: Path) -> set[str]:
    """The names that the wheel must hold, by the files of the checkout."""
    return {
        f"ccbrowse/{path.relative_to(root).as_posix()}"
        for top in TOPS
        for path in (root / top).rglob("*")
        if (path.suffix in SHIPPED or path.name == "py.typed") and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="session")
def built(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The sdist of a copy of the checkout, and the wheel of what that sdist unpacks to."""
    work = tmp_path_factory.mktemp("build")
    copy = work / "copy"
    ignore = shutil.ignore_patterns("__pycache__")
    for top in TOPS:
        shutil.copytree(root / top, copy / top, ignore=ignore)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(root / name, copy)
    sdist = work / run(sys.executable, "-c", BUILD, "build_sdist", work, cwd=copy).split()[-1]
    with tarfile.open(sdist) as archive:
        # 3.11.4 brought the filter, 3.12 and 3.13 warn where none is given
        safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(work / "unpacked", **safe)  # type: ignore[arg-type]  # a word it may not know
    (source,) = (work / "unpacked").iterdir()
    wheel = work / run(sys.executable, "-c", BUILD, "build_wheel", work, cwd=source).split()[-1]
    return Built(sdist, wheel)


@pytest.fixture(scope="session")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel in it, and beside it the packages that are already here."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder)
    # Only a folder's own .pth files count: the editable install there stays out of sight.
    here = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    Path(site.strip(), "beside.pth").write_text("\n".join(sorted(here)) + "\n", encoding="utf-8")
    pip = (sys.executable, "-m", "pip", "--python", python, "install")
    run(*pip, "--no-deps", "--no-index", "--no-cache-dir", built.wheel, cwd=folder)
    return folder


def test_the_wheel_holds_the_tree_and_nothing_else(built: Built, tree: set[str]) -> None:
    with zipfile.ZipFile(built.wheel) as archive:
        names = set(archive.namelist())
    assert {name for name in names if name.startswith("ccbrowse/")} == tree
    others = {name.partition("/")[0] for name in names - tree}
    assert len(others) == 1
    assert others.pop().endswith(".dist-info"), "nothing generic lands in site-packages"


def test_the_sdist_holds_all_that_the_wheel_is_made_of(built: Built, tree: set[str]) -> None:
    with tarfile.open(built.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    source = {name.removeprefix("ccbrowse/") for name in tree}
    assert source | {"pyproject.toml", "setup.py", "README.md", "LICENSE"} <= names
    assert not any(name.startswith(("tests/", "typings/", "screenshots/")) for name in names)


def test_the_metadata_is_that_of_pyproject(built: Built, version: str, root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    with zipfile.ZipFile(built.wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = HeaderParser().parsestr(archive.read(name).decode())
        licences = {
            Path(path).name for path in archive.namelist() if ".dist-info/licenses/" in path
        }
    assert metadata["Version"] == version
    assert metadata["Requires-Python"] == project["requires-python"]
    assert metadata["License-Expression"] == project["license"]
    required = metadata.get_all("Requires-Dist") or []
    assert len([line for line in required if "extra ==" not in line]) == len(
        project["dependencies"]
    )
    assert {Path(path).name for path in project["license-files"]} == licences


def test_the_installed_command_says_its_version(installed: Path, version: str) -> None:
    assert version in run(installed / "bin" / "ccbrowse", "--version", cwd=installed)


def test_the_installed_command_gives_help(installed: Path) -> None:
    text = run(installed / "bin" / "ccbrowse", "--help", cwd=installed)
    assert {"list", "show", "export", "search", "doctor"} <= set(text.split())


def test_the_module_runs_like_the_command(installed: Path, version: str) -> None:
    python = installed / "bin" / "python"
    assert version in run(python, "-m", "ccbrowse.tui", "--version", cwd=installed)


def test_the_installed_package_is_the_wheel(installed: Path) -> None:
    where = (
        "import ccbrowse.core, ccbrowse.tui; print(ccbrowse.core.__file__, ccbrowse.tui.__file__)"
    )
    paths = run(installed / "bin" / "python", "-c", where, cwd=installed).split()
    assert len(paths) == 2
    assert all(Path(path).is_relative_to(installed) for path in paths)


def test_the_type_checkers_links_reach_the_code(root: Path) -> None:
    for top in TOPS:
        link = root / "typings" / "ccbrowse" / top
        assert link.is_symlink(), f"typings/ccbrowse/{top} is a link, also in a fresh clone"
        assert link.resolve() == root / top
