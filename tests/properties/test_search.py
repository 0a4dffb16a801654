"""The scan finds what a search without one finds: every line decoded, every text folded and compared."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccbrowse.core.errors import BadQuery
from ccbrowse.core.locate import session_file
from ccbrowse.core.placing import title_row
from ccbrowse.core.query import Query
from ccbrowse.core.search import Field, field_texts, find_in_session, search_sessions
from ccbrowse.core.search.spelling import spell
from ccbrowse.core.session import Session

# Letters that fold to each other, to several, or out of and into ASCII; signs that JSON or a web
# page escapes; blanks; wide characters, and half of one.
LETTERS = "kK\u212asS\u017f\u00df\u1e9eiI\u0130\u0131fF\ufb01\ufb02tT\ufb05lLn\u0149\u02bc"
SIGNS = "\"\\/<&'=+(.\x1b\x7f\t\n\r \u00a0\u2028\u2026\ufffd\ud83d"
OTHERS = "\u00e9\u00c9\u03c3\u03c2\u03a3\u0416\u0436\u6c34\U0001f33e\U00010400\U00010428"
TEXTS = st.text(st.sampled_from(LETTERS * 2 + SIGNS + OTHERS), max_size=14)


@st.composite
def needles(draw: st.DrawFn, texts: list[str]) -> str:
    """Something to look for: most often a piece of what is there, in some case."""
    text = draw(st.one_of(st.sampled_from(texts), TEXTS)) if texts else draw(TEXTS)
    start = draw(st.integers(0, max(0, len(text) - 1)))
    piece = text[start : start + draw(st.integers(1, 8))]
    turns = (piece, piece.upper(), piece.lower(), piece.swapcase())
    return draw(st.sampled_from(turns)) or "k"


def spelled(text: str, style: int, numbers: Iterator[int]) -> str:
    """A JSON string of a text: as it is, in ASCII, as for web pages, or with any character escaped."""
    plain = json.dumps(text, ensure_ascii=style == 1)
    if style in (0, 1):
        return "".join(f"\\u{ord(c):04x}" if "\ud800" <= c < "\ue000" else c for c in plain)
    out = []
    for char in text:
        turn = next(numbers) * 7919 % 5
        escaped = "".join(f"\\u{int.from_bytes(unit):04{'xX'[turn % 2]}}" for unit in units(char))
        web = style == 2 and char in "<>&'+=/"
        surrogate = "\ud800" <= char < "\ue000"
        short = json.dumps(char, ensure_ascii=False)[1:-1]
        out.append(escaped if web or surrogate or (style == 3 and turn < 2) else short)
    return '"' + "".join(out) + '"'


def units(char: str) -> list[bytes]:
    """The UTF-16 units of a character."""
    data = char.encode("utf-16-be", "surrogatepass")
    return [data[i : i + 2] for i in range(0, len(data), 2)]


def session(texts: list[str], style: int, nul: bool) -> bytes:
    """Prompts, replies, calls and results with these texts, in turn; the first is a prompt."""
    numbers, parent, lines = count(1), "null", []
    for number, text in enumerate(texts):
        said = spelled(text, style, numbers)
        uuid = f"00000000-0000-4000-8000-{number:012d}"
        blocks = (
            said,
            f'[{{"type":"text","text":{said}}},{{"type":"thinking","thinking":{said},"signature":"sk"}}]',
            f'[{{"type":"tool_use","id":"c{number}","name":"Fill","input":{{"file_path":{said},"t":[{said}]}}}}]',
            f'[{{"type":"tool_result","tool_use_id":"c{number - 1}",'
            f'"content":[{{"type":"text","text":{said}}}]}}]',
        )
        kind = number % 4
        role = "user" if kind in (0, 3) else "assistant"
        line = (
            f'{{"type":"{role}","uuid":"{uuid}","parentUuid":{parent},"sessionId":"s","isSidechain":false,'
            f'"toolUseResult":{said},"message":{{"role":"{role}","content":{blocks[kind]}}}}}'
        )
        parent = f'"{uuid}"'
        data = line.encode()
        lines.append(data[:-1] + b"\x00" + data[-1:] if nul and number == 1 else data)
    return b"\n".join(lines) + b"\n"


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
