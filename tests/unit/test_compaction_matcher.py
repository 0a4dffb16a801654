"""The matcher's parts: sentences, terms, numbers, denials, paths; and pairs whose truth is known."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from ccbrowse.core.compaction.matcher import Matcher, error_lines, sentences
from ccbrowse.core.compaction.matcher.phrases import plain
from ccbrowse.core.compaction.matcher.polarity import mark
from ccbrowse.core.compaction.matcher.quantities import Quantity
from ccbrowse.core.compaction.matcher.stems import stem
from ccbrowse.core.compaction.matcher.summary import body
from ccbrowse.core.compaction.matcher.synonyms import concept
from ccbrowse.core.compaction.matcher.terms import Kind, terms

PAIRS = Path(__file__).parents[1] / "golden" / "pairs.txt"
AROUND = "The work goes on.\n\n- {}\n- Nothing else of note.\n"


def found(text: str, summary: str, *others: str) -> bool:
    """Whether a summary shows a text."""
    return Matcher(AROUND.format(summary), [text, *others]).match_text(text) is not None


# --- pairs


def test_pairs_of_sentences_whose_truth_is_known() -> None:
    rows = [line.split(" | ", 2) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    texts = [text for _, text, _ in rows]
    wrong: dict[str, list[str]] = {"+": [], "-": []}
    for truth, text, summary in rows:
        if found(text, summary, *texts) != (truth == "+"):
            wrong[truth].append(f"{text} | {summary}")
    positive = sum(truth == "+" for truth, _, _ in rows)
    hits = positive - len(wrong["+"])
    assert len(rows) >= 480
    assert hits / (hits + len(wrong["-"])) >= 0.95, wrong["-"]
    assert hits / positive >= 0.93, wrong["+"]


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("Never touch billing.py.", "billing.py must not be touched"),
        ("Never touch billing.py.", "billing.py: hands off"),
        ("Enable compression.", "Compression must not be disabled."),
        ("Use pnpm, not npm.", "pnpm instead of npm"),
        ("Wait for thirty minutes.", "wait 30 min"),
        ("The limit is 1,500 requests.", "request limit 1500"),
        ("It was `parse_total` that failed.", "failure in parse_total()"),
    ],
)
def test_the_same_in_other_words(text: str, summary: str) -> None:
    assert found(text, summary)


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("Never touch billing.py.", "billing.py may be touched"),
        ("Use pnpm, not npm.", "npm instead of pnpm"),
        ("The cache is enabled.", "The cache is disabled."),
        ("Deploy to eu-west-1.", "Deployed to eu-central-1."),
        ("Write tests for the parser.", "The parser has a new author."),
        ("The pool has 20 connections.", "20 people share a pool."),
    ],
)
def test_another_thing_in_like_words(text: str, summary: str) -> None:
    assert not found(text, summary)


def test_a_common_word_is_no_evidence() -> None:
    summary = AROUND.format("The server was updated and the test code runs.")
    texts = [f"update the server code and test it, part {n}" for n in range(30)]
    assert Matcher(summary, texts).match_text("Update the docs of the chart server") is None


def test_evidence_is_the_sentence_that_shows_it() -> None:
    matcher = Matcher("Intro.\n\n1. Nothing here.\n2. The timeout is 45 s; retries are off.\n")
    hit = matcher.match_text("Set the timeout to 45 seconds")
    assert hit is not None
    assert hit.sentence == "The timeout is 45 s; retries are off."


# --- sentences


def test_points_in_paths_versions_abbreviations_and_code_end_no_sentence() -> None:
    text = "See docs/a.b/c.md e.g. for v1.2.3, approx. 4.5 s. Call `a. B()` then. api.py comes next. Why?"
    assert [s.text for s in sentences(text)] == [
        "See docs/a.b/c.md e.g. for v1.2.3, approx. 4.5 s.",
        "Call `a. B()` then.",
        "api.py comes next.",
        "Why?",
    ]


def test_markdown_gives_items_headings_rows_and_what_is_above_them() -> None:
    text = (
        "# Files\n- `src/auth/`\n  - session.py: expiry\n\n| key | value |\n|---|---|\n| a | 1 |\n"
        "\n**Rules**\n1. first\n   goes on\n2) second\n```\ncode();\n```\n"
    )
    read = sentences(text)
    by_text = {s.text: s for s in read}
    assert by_text["session.py: expiry"].above == (1, 0)
    assert by_text["a | 1"].text in by_text
    assert by_text["Rules"].heading
    assert by_text["code();"].code
    assert read[by_text["second"].above[0]].text == "Rules"


def test_a_sentence_of_a_megabyte_is_taken_in_pieces() -> None:
    start = process_time()
    read = sentences("-" * 1_000_000 + "\n" + "x" * 1_000_000)
    matcher = Matcher("Nothing.", ["x" * 1_000_000])
    assert matcher.match_text("a/" * 500_000) is None
    assert matcher.match_output("ab+" * 400_000) is None
    assert max(len(s.text) for s in read) <= 1_000
    assert process_time() - start < 5


def test_what_the_client_wraps_around_a_summary_is_not_the_summary() -> None:
    text = (
        "This session is being continued from a previous conversation.\n"
        "<analysis>\nsecret plan\n</analysis>\nSummary:\n1. Done.\n\n"
        "If you need specific details from before compaction, read /x/y.jsonl\n"
    )
    assert body(text).split() == ["Summary:", "1.", "Done."]


# --- terms


def keys(text: str) -> list[str]:
    """The first literal form of each name and path in a text."""
    return [t.keys[0] for t in terms(text) if t.kind in (Kind.NAME, Kind.PATH) and t.keys]


def test_names_of_programs_are_taken_whole() -> None:
    text = (
        "`rotate_token()` and Session.issue in eu-west-1, WEB-44, --json, v1.29.4, 320x180, 02:30"
    )
    text += ", #pay-btn"
    assert keys(text) == [
        *("rotate_token", "session.issue", "eu-west-1", "web-44", "--json", "1.29.4", "320x180"),
        *("2:30", "pay-btn"),
    ]


def test_paths_are_told_from_words_with_slashes() -> None:
    assert keys("src/a.py, ~/.bashrc, ./run.sh and C:\\x\\y.cs") == [
        *("src/a.py", "~/.bashrc", "/run.sh", "c:\\x\\y.cs"),
    ]
    assert keys("and/or, km/h, red/green/blue") == []


def test_hostile_texts_are_taken_apart_too() -> None:
    for text in (
        "\x00\x1b[31m`",
        "'" * 50,
        "{{{{,,,,}}}}",
        "…/…/…",
        "\ud800 lone",
        "日本語のテスト",
    ):
        assert isinstance(terms(text), list)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("45 minutes", "45 min"),
        ("1,000 rows", "1000 rows"),
        ("2.5 MB", "2,500,000 bytes"),
        ("half an hour", "30 minutes"),
        ("ninety-six people", "96 people"),
        ("10k entries", "10,000 entries"),
        ("50 %", "50 percent"),
        ("$25", "25 dollars"),
        ("after a year", "after 365 days"),
    ],
)
def test_numbers_that_are_the_same(one: str, other: str) -> None:
    a, b = (next(t.amount for t in terms(text) if t.amount) for text in (one, other))
    assert a.agrees(b)


def test_numbers_that_differ() -> None:
    thirty = Quantity(30.0, "time", 30.0)
    assert not thirty.agrees(Quantity(60.0, "time", 1.0))
    assert not thirty.agrees(Quantity(30.0, "bytes", 30.0))
    assert thirty.agrees(Quantity(30.0, "", 30.0))
    assert thirty.could_be(Quantity(45.0, "time", 45.0))
    assert not thirty.could_be(Quantity(45.0, "bytes", 45.0))


def test_stems_and_synonyms() -> None:
    for words in (
        "validate validated validation validating validator",
        "stop stops stopped stopping",
        "cancel cancelled canceled cancellation",
        "write wrote written writing",
        "colour colors",
        "query queries queried",
    ):
        assert len({stem(word) for word in words.split()}) == 1, words
    assert concept(stem("binaries")) == concept(stem("executable"))
    assert concept(stem("redis")) == "redis"


# --- denials


def denied(text: str) -> set[str]:
    """The words that a sentence denies."""
    found = terms(text)
    mark(found)
    return {t.text for t in found if t.sign < 0 and t.prior and t.hold >= 0.5}


def test_a_denial_reaches_its_clause_and_not_the_next() -> None:
    assert denied("Do not rename the table, but drop the index") == {"rename", "table"}
    assert denied("The table must not be renamed") == {"table", "renamed"}
    assert denied("tests without network, with mocks") == {"network"}
    assert denied("polite but not chatty") == {"chatty"}


def test_what_is_not_done_yet_is_not_denied() -> None:
    assert denied("The print view is not finished yet") == set()


def test_turns_of_phrase_have_one_form() -> None:
    assert plain("Leave src/a.py alone") == "do not touch src/a.py "
    assert plain("turn the cache off") == "disable the cache"
    assert plain("no more than 5 MB").split() == plain("at most 5 MB").split() == ["max", "5", "MB"]


# --- files


def path_found(path: str, summary: str, *known: str, folders: tuple[str, ...] = ()) -> bool:
    """Whether a summary names a file."""
    return Matcher(summary, (), [path, *known], folders).match_path(path) is not None


def test_a_file_is_known_by_its_distinguishing_parts() -> None:
    assert path_found("/p/src/auth/session.py", "Changed `src/auth/session.py`.")
    assert path_found("/p/src/auth/session.py", "Changed session.py:42 (new).")
    assert path_found("/p/src/auth/session.py", "Changed **auth/session.py**.")
    assert path_found("src/a.py", "See /home/x/proj/src/a.py")
    assert path_found("C:\\proj\\src\\a.py", "See src/a.py")
    assert path_found("/p/units/backup.timer", "units/backup.{service,timer}")


def test_the_same_name_in_another_folder_is_another_file() -> None:
    assert not path_found("/p/src/db/session.py", "Changed `src/auth/session.py`.")
    assert not path_found("/p/db/session.py", "session.py", "/p/auth/session.py")
    assert not path_found("/p/db/session.py", "First auth/session.py, later session.py again.")


def test_a_bare_name_is_taken_with_the_folder_that_it_stands_under() -> None:
    summary = "Files:\n- src/auth/\n  - session.py\n"
    assert path_found("/p/src/auth/session.py", summary, "/p/src/db/session.py")
    assert not path_found("/p/src/db/session.py", summary, "/p/src/auth/session.py")
    tree = "```\nsrc/\n  auth/\n    session.py\n```"
    assert path_found("/p/src/auth/session.py", tree, "/p/src/db/session.py")


def test_a_path_told_from_the_working_folder_means_that_file() -> None:
    mention, deep = "See configs/a.yaml", "/p/old/configs/a.yaml"
    assert path_found("/p/configs/a.yaml", mention, deep, folders=("/p",))
    assert not path_found(deep, mention, "/p/configs/a.yaml", folders=("/p",))


def test_a_component_is_known_by_its_name_alone() -> None:
    assert path_found("/p/src/GuestForm.tsx", "The GuestForm component validates.")
    assert not path_found("/p/src/session.py", "The session expires.")


# --- errors

TRACE = """Exit code 1
Traceback (most recent call last):
  File "/app/x.py", line 3, in <module>
    run()
KeyError: 'ttl'
"""


def test_the_telling_lines_of_an_error() -> None:
    assert error_lines(TRACE, failed=True)[0] == "KeyError: 'ttl'"
    assert error_lines("12 passed\n0 errors", failed=False) == []
    assert error_lines("make: nothing\nerror: borrow of moved value", failed=False) == [
        "error: borrow of moved value"
    ]


@pytest.mark.parametrize(
    ("summary", "shown"),
    [
        ("`KeyError: 'ttl'` in Session.issue was fixed.", True),
        ("A KeyError for ttl came up.", True),
        ("`KeyError: 'user_id'` in Session.issue was fixed.", False),
        ("The key was wrong.", False),
        ("Changed /app/x.py.", False),
    ],
)
def test_an_error_is_known_by_type_and_message(summary: str, shown: bool) -> None:
    hit = Matcher(summary, [TRACE]).match_error(TRACE)
    assert (hit is not None) == shown


def test_a_telling_line_speaks_for_an_output() -> None:
    output = "\n".join(["collecting ..."] * 30 + ["p95 after: 190 ms"] + ["done"] * 30)
    shown = Matcher("p95 latency went to 190 ms.", [output]).match_output(output)
    other = Matcher("p95 latency went to 310 ms.", [output]).match_output(output)
    assert shown is not None
    assert other is None
