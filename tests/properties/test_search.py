"""The scan finds what a search without one finds: every line decoded, every text folded and compared."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spellings import TEXTS, needles, session, spelled

from ccbrowse.core.errors import BadQuery
from ccbrowse.core.locate import session_file
from ccbrowse.core.placing import title_row
from ccbrowse.core.query import Query
from ccbrowse.core.search import Field, field_texts, find_in_session, search_sessions
from ccbrowse.core.search.spelling import spell
from ccbrowse.core.session import Session


def brute(path: Path, needle: str, case: bool) -> set[tuple[str, Field]]:
    """Uuid and field of every record with a text that holds the needle, by decoding all."""
    found = set()
    for line in path.read_bytes().split(b"\n"):
        if line:
            record: dict[str, Any] = json.loads(line.replace(b"\x00", b"").decode())
            for field, text in field_texts(record):
                inside = needle in text if case else needle.casefold() in text.casefold()
                if inside:
                    found.add((record["uuid"], field))
    return found


@given(data=st.data())
@settings(max_examples=400)
def test_the_scan_finds_what_decoding_everything_finds(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    texts = data.draw(st.lists(TEXTS, min_size=1, max_size=6))
    needle = data.draw(needles(texts))
    case, style = data.draw(st.booleans()), data.draw(st.integers(0, 3))
    folder = tmp_path_factory.mktemp("p", numbered=True)
    path = folder / "5e551011-0000-4000-8000-000000000001.jsonl"
    path.write_bytes(session(texts, style, nul=data.draw(st.booleans())))
    query = Query((), ((None, needle),))
    if not needle.strip():
        with pytest.raises(BadQuery):
            search_sessions(query, [])
        return
    hits = list(search_sessions(query, [session_file(path)], case=case))
    wanted = brute(path, needle, case)
    got = [(hit.uuid, hit.field) for hit in hits if hit.field is not Field.TITLE]
    assert len(got) == len(set(got)), "one hit a record and field"
    assert set(got) == wanted
    opened = Session.open(path)
    title = opened.title.text
    named = needle in title if case else needle.casefold() in title.casefold()
    row = title_row(opened)
    if row is None or not any(uuid == opened.index.uuids[row] for uuid, _ in wanted):
        assert any(hit.field is Field.TITLE for hit in hits) is named
    for hit in hits:
        if hit.row is not None and hit.field is not Field.TITLE:
            text = list(field_texts(opened.record(hit.row)))[hit.part].text
            match = text[hit.start : hit.start + hit.length]
            assert (needle in match) if case else (needle.casefold() in match.casefold())
            assert hit.snippet.match == match
    rows = {
        (opened.index.uuids[m.row], m.field) for m in find_in_session(opened, needle, case=case)
    }
    assert rows == wanted
    opened.close()


@given(data=st.data())
def test_any_spelling_of_the_needle_is_known(data: st.DataObject) -> None:
    text = data.draw(TEXTS)
    needle = data.draw(needles([text]))
    case = data.draw(st.booleans())
    spelling = spell(needle, case=case)
    inside = needle in text if case else needle.casefold() in text.casefold()
    if spelling is None or not inside:
        return
    line = spelled(text, data.draw(st.integers(0, 2)), count(1)).encode()
    looked_at = line.lower() if spelling.lowered else line
    assert (
        any(form in looked_at for form in spelling.forms)
        or (spelling.others is not None and spelling.others.search(looked_at) is not None)
        or (spelling.rare is not None and spelling.rare.search(looked_at) is not None)
    )
