"""The talk index and the scan agree: whatever was said, spelled and folded, both find the same hits."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spellings import TEXTS, needles, session

from ccbrowse.core.cache import Cache
from ccbrowse.core.fields import TALK
from ccbrowse.core.library import Library
from ccbrowse.core.query import Query
from ccbrowse.core.search import ALL_FIELDS, Hit, search_sessions
from ccbrowse.core.search.known import Known
from ccbrowse.core.talk import Talk, fill

NAME = "5e551011-0000-4000-8000-00000000000{}.jsonl"


def hits(
    root: Path, needle: str, case: bool, fields: frozenset[str], known: Known | None
) -> list[Hit]:
    """The hits of a search, the files in the order of their names."""
    files = sorted(Library([root]).files(), key=lambda file: file.name)
    query = Query((), ((None, needle),))
    return list(search_sessions(query, files, fields=fields, case=case, known=known))  # type: ignore[arg-type]  # names of fields


@given(data=st.data())
@settings(max_examples=60)
def test_a_search_by_the_index_finds_what_a_scan_finds(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("p", numbered=True)
    root, cached = folder / "projects", folder / "cache"
    (root / "p").mkdir(parents=True)
    said: list[str] = []
    for number in range(data.draw(st.integers(1, 2))):
        texts = data.draw(st.lists(TEXTS, min_size=1, max_size=6))
        said += texts
        whole = session(texts, data.draw(st.integers(0, 3)), nul=data.draw(st.booleans()))
        if data.draw(st.booleans()):  # a byte that is no UTF-8, somewhere
            place = data.draw(st.integers(0, len(whole) - 1))
            whole = whole[:place] + b"\xff" + whole[place:]
        lines = [line + b"\n" for line in whole.split(b"\n")[:-1]]
        kept = data.draw(st.integers(0, len(lines)))  # what is there when the index is filled
        path = root / "p" / NAME.format(number)
        path.write_bytes(b"".join(lines[:kept]))
        os.utime(path, (number, number))
    cache = Cache(cached, [root])
    list(Library([root], cache).scan())
    cache.close()
    talk = Talk(cached, [root])
    fill(talk, Cache(cached, [root]), [root])
    if data.draw(st.booleans()):
        path.write_bytes(whole)  # the last one has grown, or is as it was
    known = Known(Cache(cached, [root]), talk)
    for _ in range(4):
        needle = data.draw(needles(said))
        if not needle.strip():
            continue
        case = data.draw(st.booleans())
        for fields in (TALK, ALL_FIELDS):
            plain = hits(root, needle, case, fields, None)
            assert hits(root, needle, case, fields, known) == plain
    talk.close()
    assert talk.trouble is None
