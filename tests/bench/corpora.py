"""Corpora: trees of synthetic sessions, made once by the shared generator and kept in a cache folder."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

GENERATOR = Path(__file__).parents[3] / "shared" / "tools" / "make_corpus.py"

LAST_WORDS = "these are the last words of the benchmark"
"""What the newest record of a session says that `with_last_words` has extended."""


class NoGenerator(Exception):
    """The generator is not beside the checkout."""


def default_folder() -> Path:
    """Where corpora are kept unless the command line says otherwise."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "ccbrowse-bench"


@dataclass(frozen=True)
class Corpus:
    """A tree of sessions: its `projects` folder, and the manifest of what a reader must find."""

    preset: str
    seed: int
    folder: Path

    @property
    def root(self) -> Path:
        """The `projects` folder."""
        return self.folder / "projects"

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """What the generator says of the tree."""
        found: dict[str, Any] = json.loads((self.folder / "manifest.json").read_bytes())
        return found

    @cached_property
    def sessions(self) -> list[Path]:
        """The sessions' files, side files left out."""
        return [self.folder / each["file"] for each in self.manifest["per_session"]]

    @cached_property
    def bytes(self) -> int:
        """The size of the sessions' files."""
        return sum(path.stat().st_size for path in self.sessions)

    @cached_property
    def lines(self) -> int:
        """Their lines."""
        return sum(each["lines"] for each in self.manifest["per_session"])

    @cached_property
    def file_list(self) -> Path:
        """A file that names the sessions' files, one a line: for programs that plainly read them."""
        path = self.folder / "sessions.txt"
        path.write_text("\n".join(map(str, self.sessions)), encoding="utf-8")
        return path


class Maker:
    """Makes corpora, each once; named by what made them."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.seed = seed

    def corpus(self, preset: str, *words: str) -> Corpus:
        """The corpus of a preset, with more words for the generator. Raises NoGenerator."""
        if not GENERATOR.is_file():
            raise NoGenerator(
                "no ../shared/tools/make_corpus.py beside the checkout to make a corpus with"
            )
        version = hashlib.sha256(GENERATOR.read_bytes()).hexdigest()[:10]
        name = "-".join([preset, *(word.lstrip("-") for word in words), str(self.seed), version])
        folder = self.folder / name
        if not (folder / "manifest.json").is_file():
            self._make(folder, preset, words)
        return Corpus(preset, self.seed, folder)

    def _make(self, folder: Path, preset: str, words: tuple[str, ...]) -> None:
        half = folder.with_name(folder.name + ".half")
        shutil.rmtree(half, ignore_errors=True)
        self.folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, str(GENERATOR), str(half), "--preset", preset]
        subprocess.run(
            [*command, "--seed", str(self.seed), *words],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        half.rename(folder)

    def huge(self) -> Path:
        """A session of 500 MB that ends with LAST_WORDS; its folder is a root with this one session."""
        return with_last_words(self.corpus("one-huge", "--clean"))


def with_last_words(corpus: Corpus) -> Path:
    """The only session of a corpus, one record longer."""
    path = corpus.sessions[0]
    marker = path.parent / "extended"
    if not marker.exists():
        with path.open("ab") as file:
            file.write(next_record(path, LAST_WORDS))
        marker.touch()
    return path


def next_record(path: Path, words: str) -> bytes:
    """A prompt that goes on after the newest record of a session."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - (1 << 20)))
        lines = file.read().splitlines()[1:]
    for line in reversed(lines):
        last = json.loads(line)
        if last.get("uuid") and last.get("type") in ("user", "assistant"):
            break
    digest = hashlib.sha256(last["uuid"].encode()).hexdigest()
    uuid = "-".join([digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:32]])
    kept = ("sessionId", "cwd", "version", "gitBranch", "userType", "timestamp")
    record = {name: last[name] for name in kept if name in last} | {
        "parentUuid": last["uuid"],
        "isSidechain": False,
        "type": "user",
        "uuid": uuid,
        "message": {"role": "user", "content": words},
    }
    return json.dumps(record).encode() + b"\n"
