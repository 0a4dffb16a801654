"""The fuzz targets hold on what once broke them, on some of their seeds, and on a few changes of both.

`make fuzz` takes all of them, and looks for more, guided by coverage.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutate import mutated
from seeds import found, seeds
from targets import TARGETS, WHOLE_FILES, display

POOL = {name: list(seeds(name)) for name in TARGETS}
MOST = 12
"""Seeds and changes of each target: these tests run with all others, and must be quick."""

BROKEN = [
    pytest.param(path.parent.name, path, id=f"{path.parent.name}/{path.name}")
    for path in sorted(found())
]


@pytest.mark.parametrize(("name", "path"), BROKEN)
def test_a_target_holds_on_what_once_broke_it(name: str, path: Path) -> None:
    TARGETS[name](path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_holds_on_some_of_its_seeds(name: str) -> None:
    assert POOL[name]
    for data in POOL[name][:: len(POOL[name]) // MOST + 1]:
        TARGETS[name](data)


def changed(name: str) -> Iterator[bytes]:
    """A few changes of the seeds of a target, the same in every run."""
    random = Random(name)
    for _ in range(MOST):
        data = random.choice(POOL[name])
        yield mutated(data, random) if name in WHOLE_FILES else cut_and_joined(data, random)


def cut_and_joined(data: bytes, random: Random) -> bytes:
    """Bytes with a stretch moved, and some of them others."""
    places = sorted(random.randint(0, len(data)) for _ in range(2))
    piece = data[places[0] : places[1]]
    return data[: places[0]] + random.randbytes(3) + data[places[1] :] + piece


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_holds_on_changes(name: str) -> None:
    for data in changed(name):
        TARGETS[name](data)


@settings(max_examples=20)
@given(data=st.binary(max_size=400))
@pytest.mark.parametrize("name", TARGETS)
def test_a_target_holds_on_any_bytes(name: str, data: bytes) -> None:
    TARGETS[name](data)


@settings(max_examples=60)
@given(raw=st.text(max_size=200))
def test_any_text_can_be_shown(raw: str) -> None:
    display(raw.encode("utf-8", "surrogatepass"))


def test_changes_are_the_same_for_the_same_seed() -> None:
    data = POOL["chain"][0]
    assert mutated(data, Random(7)) == mutated(data, Random(7)) != data
    assert {mutated(data, Random(n)) for n in range(20)} != {data}
