"""The given searches: found as the cases say, by the command and by the app, and opened where they stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from caseproof import Case

from ccbrowse.core.errors import BadQuery
from ccbrowse.core.locate import session_file
from ccbrowse.core.search import Field, Hit
from ccbrowse.core.search.child import News, Request, SearchChild, run
from ccbrowse.tui.reader.find import find_spots
from ccbrowse.tui.reader.found import reading_of
from ccbrowse.tui.viewmodels.finding import LITERAL, How, wanted_of
from ccbrowse.tui.viewmodels.hits import HitRows

GIVEN = Path(__file__).parent / "given"
CASES = {folder.name: Case(folder) for folder in sorted(GIVEN.iterdir()) if folder.is_dir()}
ASKED = [(name, query) for name, case in CASES.items() for query in case.expect.get("search", ())]
MORE = {
    "s03-metacharacters-and-case": [
        ("STRASSE", How(), 2),
        ("FOO(BAR[0])", How(), 1),
        ("FOO(BAR[0])", How(case=True), 0),
        ("slash", How(word=True), 1),
        ("slas", How(word=True), 0),
        (r"foo\(\w+", How(regex=True), 1),
    ],
    "s04-hits-off-the-main-line": [
        ("user:MARK-OLDSEG", How(), 1),
        ("assistant:MARK-OLDSEG", How(), 0),
        ("summary:MARK-SUM has:compact", How(), 1),
        ("MARK-SUM segments>2", How(), 0),
        ("lost:MARK-OUT", How(), 1),
        ("lost:MARK-THINK", How(), 0),
    ],
}


def found(root: Path, text: str, how: How = LITERAL) -> list[Hit]:
    """The hits of a search as the screen makes it, titles left out."""
    told: list[News] = []
    run(Request(text, how.regex, how.case, how.word, (root,)), told.append)
    assert told[-1].ended
    rows = HitRows()
    for news in told:
        rows.add(news.hits)
    assert [rows.hit(n) for n in range(len(rows)) if rows.is_hit(n)].count(None) == 0
    return [hit for hit in rows.hits if hit.field is not Field.TITLE]


@pytest.mark.parametrize(("name", "query"), ASKED)
def test_a_given_search_is_found_and_opened_where_it_stands(
    name: str, query: dict[str, Any]
) -> None:
    root = CASES[name].root
    hits = found(root, query["query"]) if query.get("scope") != "title" else []
    got = {hit.uuid for hit in hits}
    if "hits_in" in query:
        assert got == set(query["hits_in"])
    if "hits_in_any_of" in query:
        assert set(query["must_hit"]) <= got <= set(query["hits_in_any_of"])
    for hit in hits:
        reading = reading_of(session_file(hit.session_file, root), hit)
        spots = [
            s for batch in find_spots(reading, query["query"], LITERAL, never) for s in batch.found
        ]
        assert hit.row in {spot.row for spot in spots}, "what is opened shows the match"
        reading.close()


def never() -> bool:
    """Nobody has cancelled."""
    return False


@pytest.mark.parametrize(
    ("name", "text", "how", "count"),
    [(name, *more) for name, asked in MORE.items() for more in asked],
)
def test_others_of_their_kind(name: str, text: str, how: How, count: int) -> None:
    assert len(found(CASES[name].root, text, how)) == count


@pytest.mark.parametrize(("text", "how"), [("", How()), (" ", How()), ("[", How(regex=True))])
def test_what_is_no_search_is_explained(text: str, how: How) -> None:
    with pytest.raises(BadQuery):
        wanted_of(text, how)


def test_a_child_process_finds_the_same() -> None:
    root = CASES["s04-hits-off-the-main-line"].root
    child = SearchChild()
    try:
        told = list(child.news(Request("MARK", roots=(root,))))
    finally:
        child.close()
    assert told[-1].ended and told[-1].count == told[-1].done == 1
    assert [hit for news in told for hit in news.hits if hit.field is not Field.TITLE] == found(
        root, "MARK"
    )
