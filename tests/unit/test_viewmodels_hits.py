"""The rows of a search: grouped while they come, in order, their matches always in view."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccbrowse.core.errors import BadQuery
from ccbrowse.core.search import Field, Hit, Snippet
from ccbrowse.core.search.child import News
from ccbrowse.core.text import SafeText, cell_width
from ccbrowse.tui.paint import width_of
from ccbrowse.tui.viewmodels.finding import LITERAL, How, explain, mark_of, standing, wanted_of
from ccbrowse.tui.viewmodels.hits import HitRows, hit_line, preview
from ccbrowse.tui.viewmodels.searching import Progress, nothing_words, progress_words
from ccbrowse.tui.viewtypes import Line, Tone


def hit(
    session: str,
    segment: int | None = 1,
    *,
    agent: str | None = None,
    field: Field = Field.USER,
    snippet: Snippet | None = None,
    on_line: bool = True,
) -> Hit:
    """A hit somewhere."""
    path = Path(f"/p/{session}.jsonl")
    return Hit(
        session_id=session,
        title=f"Title of {session}",
        session_file=path,
        file=path,
        uuid="u",
        segment=segment,
        line=7,
        field=field,
        snippet=snippet or Snippet("before ", "match", " after"),
        on_main_line=on_line,
        agent_id=agent,
        row=3,
        part=0,
        start=7,
        length=5,
    )


def words(line: Line) -> str:
    """A line's text."""
    return "".join(piece.text for piece in line).strip()


def outline(rows: HitRows) -> list[str]:
    """The keys of all rows."""
    return [rows.key(row) for row in range(len(rows))]


def test_rows_are_grouped_by_session_and_place_while_they_come() -> None:
    rows = HitRows(lambda file: SafeText(f"about {file.stem}"))
    rows.add([hit("a", 2), hit("a", None, on_line=False)])
    rows.add([hit("a", 1), hit("a", None, agent="x"), hit("a", None, field=Field.TITLE)])
    rows.add([hit("b"), hit("b")])
    told = [words(rows.line(row, 80)) for row in range(len(rows))]
    assert [line for line in told if "match" not in line] == [
        "Title of a  about a  5 hits",
        "title  1",
        "segment 1  1",
        "segment 2  1",
        "off the main line  1",
        "subagent x  1",
        "Title of b  about b  2 hits",
        "segment 1  2",
    ]
    assert outline(rows)[:3] == ["s0", "s0/0.0", "h4"]
    assert all(rows.index(key) == row for row, key in enumerate(outline(rows)))
    order = [rows.position(row) for row in range(len(rows)) if rows.is_hit(row)]
    assert order == [1, 2, 3, 4, 5, 6, 7]
    assert rows.hit(0) is rows.hits[4] and rows.hit(len(rows)) is None
    assert rows.session_before(len(rows) - 1) == outline(rows).index("s1")


def test_many_hits_in_many_steps_are_laid_out_once_each() -> None:
    rows = HitRows()
    for step in range(60):
        rows.add([hit(f"s{step // 20}", segment) for segment in (3, 1, 2)])
    assert [group.hits for group in rows.groups] == [60, 60, 60]
    assert len(rows) == 180 + 3 * (1 + 3)
    assert len(set(outline(rows))) == len(rows)


@pytest.mark.parametrize("width", [24, 40, 80, 200])
@pytest.mark.parametrize(
    "snippet",
    [
        Snippet("…" + "x" * 60, "match", "y" * 120 + "…"),
        Snippet("水" * 40, "水位", "水" * 90),
        Snippet("", "m" * 240, ""),
        Snippet("\x1b[31mred ", "a\tb", "\u202e tail"),
    ],
)
def test_the_match_is_in_view_at_any_width(width: int, snippet: Snippet) -> None:
    line = hit_line(hit("a", snippet=snippet), width)
    assert width_of(line) <= max(width, 26)
    (mark,) = (piece.text for piece in line if piece.tone is Tone.MARK)
    assert mark and not any(ord(sign) < 32 or sign == "\u202e" for sign in words(line))
    if cell_width(snippet.match) < 10:
        assert mark.replace("    ", "\t")[:1] == snippet.match[:1]
    shown = preview(hit("a", snippet=snippet), width, 4)
    assert len(shown) <= 4 and all(width_of(each) <= width for each in shown[1:])


def test_what_is_said_of_a_search() -> None:
    assert standing(3, 174, True, 0, SafeText("")) == "3 of 174"
    assert standing(1, 9, False, 2, SafeText("from the top again")) == (
        "1 of 9 so far · from the top again · 2 off this line"
    )
    assert standing(0, 0, True, 0, SafeText("")) == "not found"
    news = News((), 34, 500)
    going = Progress(searching=True).after(news)
    assert progress_words(going) == "searching 34 of 500 sessions …"
    assert progress_words(going.stopped_now()) == "stopped after 34 of 500 sessions"
    ended = going.after(News((), 500, 500, ended=True))
    assert progress_words(ended) == "500 sessions searched"
    told = [words(line) for line in nothing_words("a [b", ended, "did you mean `project:`")]
    assert told == ["nothing found for “a [b”", "did you mean `project:`"]


@pytest.mark.parametrize(
    ("text", "how", "start", "cells", "said"),
    [
        ("x has:hope", LITERAL, 2, 8, "unknown `has:hope`; has: compact"),
        ("水位 after:soon", LITERAL, 5, 10, "not a date"),
        ("a(b", How(regex=True), 1, 1, "missing ), unterminated subpattern"),
        ("(a+)+b", How(regex=True), 0, 0, "this pattern could take for ever"),
    ],
)
def test_what_cannot_be_read_is_named_in_its_place(
    text: str, how: How, start: int, cells: int, said: str
) -> None:
    with pytest.raises(BadQuery) as error:
        wanted_of(text, how)
    wrong = explain(error.value, text)
    assert (wrong.start, wrong.cells) == (start, cells)
    assert said in wrong.words


def test_what_is_marked_are_the_words_whatever_their_scope() -> None:
    pattern = mark_of("user:deploy has:compact [now]", LITERAL)
    assert pattern is not None
    assert pattern.findall("Deploy has:compact [NOW]") == ["Deploy", "[NOW]"]
    assert mark_of("has:hope x", LITERAL) is None
    whole = mark_of("cat", How(word=True, case=True))
    assert whole is not None and whole.findall("cat Cat cats cat") == ["cat", "cat"]
