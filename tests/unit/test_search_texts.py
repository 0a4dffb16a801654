"""What a search looks at in a record, and how it judges a text."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from ccbrowse.core.errors import BadQuery
from ccbrowse.core.fields import strings
from ccbrowse.core.search import Literal, Pattern, Span, field_texts
from ccbrowse.core.search.folding import kin, unfolding
from ccbrowse.core.search.hazards import is_hazard, needed_words
from ccbrowse.core.search.hits import snippet_of


def texts(record: dict[str, Any]) -> list[tuple[str, str]]:
    return [(field.value, text) for field, text in field_texts(record)]


def message(kind: str, *content: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": kind, "message": {"role": kind, "content": list(content)}, **more}


# --- fields -------------------------------------------------------------------------------------


def test_a_prompt_and_a_summary_are_fields_of_their_own() -> None:
    assert texts({"type": "user", "message": {"content": "hello"}}) == [("user", "hello")]
    summary = {"type": "user", "isCompactSummary": True, "message": {"content": "so far"}}
    assert texts(summary) == [("summary", "so far")]


def test_a_reply_gives_its_words_thinking_tools_and_paths() -> None:
    record = message(
        "assistant",
        {"type": "thinking", "thinking": "hm", "signature": "c2lnbmF0dXJl"},
        {"type": "text", "text": "look"},
        {"type": "tool_use", "id": "t1", "name": "Edit", "input": {
            "file_path": "/a/b.py", "edits": [{"old": "x", "new": "y"}], "times": 3}},
    )  # fmt: skip
    assert texts(record) == [
        ("thinking", "hm"),
        ("assistant", "look"),
        ("tool", "Edit"),
        ("tool", "/a/b.py"),
        ("tool", "x"),
        ("tool", "y"),
        ("file", "/a/b.py"),
    ]


def test_a_result_gives_its_texts_and_not_its_second_copy_or_images() -> None:
    record = message(
        "user",
        {"type": "tool_result", "tool_use_id": "t1", "content": [
            {"type": "text", "text": "out"},
            {"type": "image", "source": {"data": "b3V0", "media_type": "image/png"}},
            {"type": "odd", "title": "seen", "encrypted_content": "b3V0"},
        ]},
        {"type": "text", "text": "and stop"},
        toolUseResult={"stdout": "out and more"},
    )  # fmt: skip
    assert texts(record) == [("result", "out"), ("result", "seen"), ("user", "and stop")]


def test_thinking_without_words_has_no_text() -> None:
    record = message("assistant", {"type": "thinking", "thinking": "", "signature": "abc"})
    assert texts(record) == []


@pytest.mark.parametrize(
    ("record", "wanted"),
    [
        ({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "now"}},
         [("user", "now")]),
        ({"type": "attachment", "attachment": {"type": "file", "filename": "/a.py",
                                               "content": {"file": {"content": "body"}}}},
         [("file", "/a.py")]),
        ({"type": "attachment", "attachment": "odd"}, []),
        ({"type": "system", "subtype": "local_command", "content": "<local-command-stdout>x"},
         [("user", "<local-command-stdout>x")]),
        ({"type": "system", "subtype": "away_summary", "content": "meanwhile"},
         [("summary", "meanwhile")]),
        ({"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}, []),
        ({"type": "api-request", "body": {"messages": [{"role": "user", "content": "x"}]}}, []),
        ({"type": "progress", "parentUuid": None, "message": {"role": "user", "content": "x"}}, []),
        ({"type": "api-request-blob", "parentUuid": None,
          "message": {"role": "user", "content": "x"}}, []),
        ({"type": "new-kind", "parentUuid": None, "message": {"role": "assistant", "content": "x"}},
         [("assistant", "x")]),
        ({"type": "file-history-snapshot", "snapshot": {"text": "x"}}, []),
        ({}, []),
    ],
)  # fmt: skip
def test_other_records(record: dict[str, Any], wanted: list[tuple[str, str]]) -> None:
    assert texts(record) == wanted


def test_strings_are_found_in_order_however_deep() -> None:
    deep: Any = "end"
    for _ in range(20_000):
        deep = [deep]
    assert list(strings({"a": "1", "b": ["2", {"c": "3", "no": "4"}], "d": deep}, {"no"})) == [
        "1",
        "2",
        "3",
        "end",
    ]


# --- letters ------------------------------------------------------------------------------------


def test_no_letter_with_case_is_missed() -> None:
    known = {char for chars in kin().values() for char in chars} | {c for c, _ in unfolding()}
    missed = [
        char
        for char in map(chr, range(0x80, sys.maxunicode + 1))
        if not "\ud800" <= char < "\ue000" and char.casefold() != char and char not in known
    ]
    assert missed == []


@pytest.mark.parametrize(
    ("needle", "text", "wanted"),
    [
        ("foo", "a FOO, foo", [(2, 3), (7, 3)]),
        ("strasse", "Die Straße", [(4, 6)]),
        ("STRAßE", "strasse", [(0, 7)]),
        ("s", "ß", [(0, 1)]),
        ("s.", "aß.", [(1, 2)]),
        ("i", "İx", [(0, 1)]),
        ("x", "İx", [(1, 1)]),
        ("kelvin", "\u212aelvin", [(0, 6)]),
        ("σας", "ΣΑΣ", [(0, 3)]),
        ("水位", "高水位です", [(1, 2)]),
        ("\U0001f33e", "a\U0001f33eb", [(1, 1)]),
        ("aa", "aaaaa", [(0, 2), (2, 2)]),
        ("\ud83d", "x\ud83dy", [(1, 1)]),
        ("x", "", []),
    ],
)
def test_literal_matches_stand_where_they_are(
    needle: str, text: str, wanted: list[tuple[int, int]]
) -> None:
    assert [tuple(span) for span in Literal(needle).all(text)] == wanted


def test_places_are_right_far_into_a_text_that_folds_longer() -> None:
    text = "ß" * 5000 + "needle" + "ß" * 3000 + "NEEDLE"
    assert list(Literal("needle").all(text)) == [Span(5000, 6), Span(8006, 6)]


def test_case_and_whole_words_can_be_asked_for() -> None:
    assert Literal("Foo", case=True).first("foo Foo") == Span(4, 3)
    whole = Literal("test", whole_word=True)
    assert list(whole.all("tests test_a test. (TEST)")) == [Span(13, 4), Span(20, 4)]
    assert Literal(".x", whole_word=True).first("a.x") == Span(1, 2)
    assert Literal("ßa", whole_word=True).first("ssssa ßa") == Span(6, 2)


# --- patterns -----------------------------------------------------------------------------------


def test_a_pattern_matches_by_lines_and_without_case() -> None:
    assert list(Pattern("^b+$").all("a\nBb\nb")) == [Span(2, 2), Span(5, 1)]
    assert Pattern("B", case=True).first("b") is None
    assert list(Pattern("a*").all("baab")) == [Span(1, 2)]
    assert list(Pattern("te.t", whole_word=True).all("tests test")) == [Span(6, 4)]


def test_a_long_text_is_looked_at_in_pieces_that_overlap() -> None:
    text = "y" * 8190 + "x" * 30 + "y" * 9000 + "x"
    assert list(Pattern("x+").all(text)) == [Span(8190, 30), Span(17220, 1)]
    assert list(Pattern("x$").all("x" * 30_000)) == [Span(29_999, 1)]


@pytest.mark.parametrize("text", ["(", "[a", "*", "(?P<x", "a{99999999999}", "\\"])
def test_a_bad_pattern_is_explained(text: str) -> None:
    with pytest.raises(BadQuery, match=r"bad pattern: .*--regex") as caught:
        Pattern(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        *("(a+)+b", r"(.+,)+;", r"(?:[a-z]+[0-9]*)+!", "(a+|b)+c", r"(\s*\w+)+$", "((ab)+)+c"),
        *(r"(\d+\w+)+x", "(x?a+)+b", "(?=(a+)+$)", r"(?i:(\S+)*)!", "(a*)*b", "(a+){30,}b"),
    ],
)
def test_a_pattern_that_could_take_for_ever_is_refused(text: str) -> None:
    with pytest.raises(BadQuery, match="for ever"):
        Pattern(text)


@pytest.mark.parametrize(
    "text",
    [
        *(r"(\w+\.)+\w+", r"(?:\w+\s+)+x", "(?>a+)+b", "(a++)+b", "(a{1,3})+b", "(a|b)*c"),
        *(r'("[^"]*",?)+', "foo.*bar", r"(a)(?(1)b|c)+", r"(?:\s*\w+\s*=\s*\w+;?)+", "(a+b){3}"),
    ],
)
def test_an_ordinary_pattern_is_not_refused(text: str) -> None:
    assert not is_hazard(text)


def test_a_text_that_takes_too_long_is_given_up_and_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ccbrowse.core.search.patterns.SECONDS", -1.0)
    pattern = Pattern("z")
    assert list(pattern.all("a" * 20_000 + "z")) == []
    assert pattern.given_up == 1
    assert pattern.first("z") == Span(0, 1)


@pytest.mark.parametrize(
    ("text", "flags", "wanted"),
    [
        ("foo.*longer", 0, "longer"),
        ("(one)(two)", 0, "onetwo"),
        ("(one|two)x", 0, "x"),
        (r"\bword\b", 0, "word"),
        ("(?i:abc)d", 0, "d"),
        ("session", 2, "sess"),
        ("ab+", 0, "a"),
        ("é", 2, ""),
    ],
)
def test_the_words_that_a_pattern_needs(text: str, flags: int, wanted: str) -> None:
    assert needed_words(text, flags) == wanted


# --- snippets -----------------------------------------------------------------------------------


def test_a_snippet_keeps_the_match_and_folds_what_is_around_it() -> None:
    found = snippet_of("one\n\n two  MATCH\there\n three", Span(11, 5))
    assert (found.before, found.match, found.after) == ("one two ", "MATCH", " here three")


def test_a_snippet_of_a_long_text_is_cut_on_both_sides() -> None:
    found = snippet_of("b" * 500 + "M" + "a" * 500, Span(500, 1))
    assert found.before == "…" + "b" * 60
    assert found.after == "a" * 120 + "…"
    assert len(snippet_of("m" * 9000, Span(0, 9000)).text) == 240
