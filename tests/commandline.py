"""Runs the `ccbrowse` command: in this process, or as a child where the process itself is the point."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ccbrowse.tui.cli import main


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended, and what it said."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        """What it printed."""
        return self.out.decode()

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The NDJSON that it printed: one object a line, each with a schema."""
        lines = self.out.decode("utf-8").split("\n")
        assert lines.pop() == "" or not lines
        found = [json.loads(line) for line in lines]
        assert all("schema" in each for each in found)
        return found

    @property
    def complaint(self) -> str:
        """The one line of trouble."""
        assert self.err.startswith("ccbrowse: ")
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1
        assert "Traceback" not in self.err
        return self.err


class CommandLine:
    """The command line in this process."""

    def __init__(self, capture: pytest.CaptureFixture[bytes]) -> None:
        self._capture = capture

    def __call__(self, *words: str | Path) -> Done:
        """Run a command."""
        with pytest.raises(SystemExit) as end:
            main([str(word) for word in words])
        assert isinstance(end.value.code, int)
        out, err = self._capture.readouterr()
        return Done(end.value.code, out, err.decode())


def command(
    *words: str | Path, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Done:
    """Run a command as a child process; `env` is added to a bare environment."""
    done = subprocess.run(
        arguments(*words), env=environment(env), cwd=cwd, capture_output=True, timeout=60
    )
    return Done(done.returncode, done.stdout, done.stderr.decode())


def arguments(*words: str | Path) -> Sequence[str]:
    """The child's command line."""
    start = "from ccbrowse.tui.cli import main; main()"
    return [sys.executable, "-c", start, *map(str, words)]


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """What a child needs of the environment, coverage's settings included."""
    kept = {"PATH", "HOME", "TZ", "LANG"}
    own = {k: v for k, v in os.environ.items() if k in kept or k.startswith("COV")}
    return {"CCBROWSE_TOUR": "0", **own, **(more or {})}
