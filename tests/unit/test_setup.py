"""Setting up from nothing: which Python is taken, and what is said where there is none."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def find_python(root: Path, path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The finder's answer where the PATH is this one folder and pyenv holds nothing else."""
    return subprocess.run(
        ["/bin/sh", str(root / ".ci" / "python"), *words],
        env={"PATH": str(path), "HOME": str(path), "PYENV_ROOT": str(path / "pyenv")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def program(path: Path, body: str) -> None:
    """A shell script that stands for an interpreter."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)


def test_no_python_is_one_clear_line(root: Path, tmp_path: Path) -> None:
    done = find_python(root, tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("ccbrowse: no Python 3.11 or newer found")


def test_a_python_that_is_too_old_is_passed_over(root: Path, tmp_path: Path) -> None:
    program(tmp_path / "python3", 'echo ""')
    program(tmp_path / "python3.12", f'exec "{sys.executable}" "$@"')
    assert find_python(root, tmp_path).stdout.strip() == sys.executable


def test_a_name_that_does_not_start_is_passed_over(root: Path, tmp_path: Path) -> None:
    program(tmp_path / "python3", "echo not installed >&2; exit 127")
    program(tmp_path / "pyenv/versions/3.12.9/bin/python3", f'exec "{sys.executable}" "$@"')
    done = find_python(root, tmp_path)
    assert (done.stdout.strip(), done.stderr) == (sys.executable, "")


def test_one_version_can_be_asked_for(root: Path, tmp_path: Path) -> None:
    program(tmp_path / "python3", f'exec "{sys.executable}" "$@"')
    here = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert find_python(root, tmp_path, here).stdout.strip() == sys.executable
    assert find_python(root, tmp_path, "3.2").returncode == 1


@pytest.mark.skipif(shutil.which("make") is None, reason="no make here")
def test_make_alone_names_every_target(root: Path) -> None:
    done = subprocess.run(
        ["make", "--no-print-directory", "-C", str(root)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    named = {line.split()[0] for line in done.stdout.splitlines()}
    phony = next(
        line
        for line in (root / "Makefile").read_text(encoding="utf-8").splitlines()
        if line.startswith(".PHONY: help")
    )
    assert named == set(phony.split()[1:])


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_the_scripts_are_sound_shell(root: Path) -> None:
    for shell, script in (("bash", "run"), ("sh", "python")):
        subprocess.run([shell, "-n", str(root / ".ci" / script)], check=True, timeout=60)
