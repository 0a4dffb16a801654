"""Damaged sessions below a root of their own, and what may befall them while somebody looks.

Files grow, half lines among them, are cut short, written anew, renamed, removed and come back; main
files, subagents, what lies beside them. A seed makes the same tree and the same misfortunes.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random

from builders import ERA_NAMES, HOSTILE, sampler, write_demo
from exporting import Sheet, orchard_story
from hostile import hostile_sheets
from mutate import CHANGES, RAW

CASES = Path(__file__).resolve().parents[1] / "cases" / "given"
DAY = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)
MOST_LINES, MOST_BYTES = 400, 600_000
"""Of a file that goes in; longer ones are cut."""

FOLDERS = ("-home-ada-orchard", "-tmp-x", "-home-ada-\x1b[31mred[/red]", "-\u202eslio", "memory")

Pack = Mapping[str, bytes]
"""A session: its files by their paths below a project's folder."""


@cache
def packs(all_of_them: bool) -> tuple[Pack, ...]:
    """The sessions that are damaged: samplers and stories; with the demo and the given cases if all."""
    with tempfile.TemporaryDirectory() as made:
        top = Path(made)
        for era in ERA_NAMES:
            sampler(era).write(top / era)
        if all_of_them:
            write_demo(top / "demo", DAY)
        folders = [folder for folder in sorted(top.glob("*/*")) if folder.is_dir()]
        found = [pack for folder in folders for pack in _packs_of(folder)]
    if all_of_them:
        for case in sorted(CASES.glob("*/projects/*")):
            found += _packs_of(case)
    *_, (_, hostile) = hostile_sheets()
    return (*found, *map(_alone, (hostile, orchard_story())))


def _packs_of(folder: Path) -> Iterator[Pack]:
    """The sessions of a project's folder."""
    for path in sorted(folder.glob("*.jsonl")):
        if path.is_file():
            beside = folder / path.stem
            files = [path, *(f for f in sorted(beside.rglob("*")) if f.is_file())]
            yield {str(each.relative_to(folder)): each.read_bytes() for each in files}


def _alone(sheet: Sheet) -> Pack:
    name = "3f8d002c-d22b-45d8-9ed3-50a51f8233b9.jsonl"
    return {name: b"\n".join(sheet.lines) + b"\n"}


class Wreck:
    """A `projects` folder of damaged sessions. Whatever this does to it is in `known`."""

    def __init__(self, root: Path, random: Random, all_of_them: bool) -> None:
        self.root = root
        self.known: dict[Path, tuple[int, int, int]] = {}
        """Size, time and inode of every file, as they were left here."""
        self._gone: dict[Path, bytes] = {}
        root.mkdir(parents=True)
        for pack in random.choices(packs(all_of_them), k=random.randint(1, 5)):
            self._put(pack, random)
        if random.random() < 0.2:
            self._write(root / "stray.jsonl", b"{}\n")
        if random.random() < 0.2:
            self._write(root / FOLDERS[0] / "settings.json", b"[")

    def _put(self, pack: Pack, random: Random) -> None:
        folder = self.root / random.choice(FOLDERS)
        for name, data in pack.items():
            if random.random() < (0.7 if "/" not in name else 0.3):
                data = damaged(data, random)
            self._write(folder / name, data)

    # What befalls them

    def befall(self, random: Random) -> str:
        """Let something happen to one of the files; what, and to which."""
        files = sorted(self.known)
        if not files and not self._gone:
            return "nothing left"
        events = [self._grow] * 6 + [
            self._cut,
            self._anew,
            self._renamed,
            self._gone_now,
            self._back,
        ]
        events += [self._comes, self._touched, self._folder_gone]
        event = random.choice(events)
        return f"{event.__name__.strip('_')} {event(random, files)}"

    def _grow(self, random: Random, files: list[Path]) -> str:
        """Lines are added, as a whole or half of one."""
        path = _one(files, random)
        if path is None:
            return "-"
        lines = _lines_of(random)
        data = b"\n".join(lines) + b"\n"
        if random.random() < 0.3:
            data = data[: random.randint(1, len(data))]
        with path.open("ab") as file:
            file.write(data)
        return self._left(path)

    def _cut(self, random: Random, files: list[Path]) -> str:
        path = _one(files, random)
        if path is None:
            return "-"
        os.truncate(path, random.randint(0, path.stat().st_size))
        return self._left(path)

    def _anew(self, random: Random, files: list[Path]) -> str:
        """It is written anew in place, with other lines."""
        path = _one(files, random)
        if path is None:
            return "-"
        path.write_bytes(damaged(path.read_bytes(), random))
        return self._left(path)

    def _renamed(self, random: Random, files: list[Path]) -> str:
        """Another file takes its name."""
        path = _one(files, random)
        if path is None:
            return "-"
        other = path.with_name("other.tmp")
        other.write_bytes(b"\n".join(_lines_of(random)) + b"\n")
        other.replace(path)
        return self._left(path)

    def _gone_now(self, random: Random, files: list[Path]) -> str:
        path = _one(files, random)
        if path is None:
            return "-"
        self._gone[path] = path.read_bytes()
        path.unlink()
        del self.known[path]
        return path.name

    def _back(self, random: Random, files: list[Path]) -> str:
        path = _one(sorted(self._gone), random)
        if path is None:
            return "-"
        return self._write(path, self._gone.pop(path))

    def _comes(self, random: Random, files: list[Path]) -> str:
        """A session comes, or a folder where a file should be."""
        if random.random() < 0.2:
            place = self.root / random.choice(FOLDERS) / f"{random.randint(1, 9)}.jsonl"
            with suppress(OSError):
                place.mkdir(parents=True)
            return f"folder {place.name}"
        self._put(random.choice(packs(False)), random)
        return "a session"

    def _touched(self, random: Random, files: list[Path]) -> str:
        path = _one(files, random)
        if path is None:
            return "-"
        os.utime(path, (0, random.choice((0, 1_772_000_000, 2**33))))
        return self._left(path)

    def _folder_gone(self, random: Random, files: list[Path]) -> str:
        """A whole project goes, if it is rarely."""
        folders = sorted(each for each in self.root.iterdir() if each.is_dir())
        if not folders or random.random() < 0.7:
            return "-"
        folder = random.choice(folders)
        shutil.rmtree(folder)
        self.known = {p: s for p, s in self.known.items() if not p.is_relative_to(folder)}
        return folder.name

    def _write(self, path: Path, data: bytes) -> str:
        with suppress(OSError):  # a folder may have its name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return self._left(path)

    def _left(self, path: Path) -> str:
        if path.is_file():
            self.known[path] = _stamp(path)
        return path.name

    def touched_by_others(self) -> list[str]:
        """The files below the root that are not as they were left."""
        there = {
            Path(folder, name): _stamp(Path(folder, name))
            for folder, _, names in os.walk(self.root)
            for name in names
        }
        differ = {path for path in {*there, *self.known} if there.get(path) != self.known.get(path)}
        return sorted(str(path) for path in differ)


def _stamp(path: Path) -> tuple[int, int, int]:
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns, stat.st_ino


def _one(files: list[Path], random: Random) -> Path | None:
    """A file, a main one more often than what lies beside."""
    main = [path for path in files if path.suffix == ".jsonl"]
    if main and random.random() < 0.8:
        files = main
    return random.choice(files) if files else None


def damaged(data: bytes, random: Random) -> bytes:
    """A file with a few things wrong in it; what is no session's file is cut or filled with bytes."""
    lines = data[:MOST_BYTES].split(b"\n")[:MOST_LINES]
    for _ in range(random.randint(0, 12)):
        random.choice(CHANGES)(lines, random)
        if not lines:
            lines.append(b"{}")
    if random.random() < 0.1:
        lines += [random.choice(list(HOSTILE.values())).encode("utf-8", "replace"), *RAW]
    return b"\n".join(lines)


@cache
def _pool() -> tuple[bytes, ...]:
    """Lines that files grow by: of every client, and some of the hostile."""
    return tuple(
        line
        for pack in packs(False)
        for data in pack.values()
        for line in data.split(b"\n")
        if line
    )


def _lines_of(random: Random) -> list[bytes]:
    """Lines that come one after the other, at times with something wrong."""
    pool = _pool()
    at = random.randrange(len(pool))
    lines = list(pool[at : at + random.randint(1, 12)])
    if random.random() < 0.3:
        random.choice(CHANGES)(lines, random)
    return lines or [b"{}"]
