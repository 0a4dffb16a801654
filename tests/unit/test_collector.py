"""The collector of garbage: at rest while the app starts, then without what is there."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from ccbrowse.tui import collector


class Circle:
    """Refers to itself: only the collector frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)
    gc.enable()


def test_what_is_there_at_the_start_is_left_alone() -> None:
    collector.rest()
    assert not gc.isenabled()
    early, late = Circle(), Circle()
    seen, noticed = weakref.ref(early), weakref.ref(late)
    del early
    collector.resume()
    assert gc.isenabled()
    later = Circle()
    told = weakref.ref(later)
    del late, later
    gc.collect()
    assert seen() is not None
    assert noticed() is not None
    assert told() is None


def test_without_a_rest_nothing_is_frozen() -> None:
    gc.unfreeze()
    collector.resume()
    assert gc.get_freeze_count() == 0
