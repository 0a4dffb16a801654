"""The language of filters and searches: words and `key:value`, or what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from logs import Log
from msgspec.structs import replace

from ccbrowse.core.errors import BadQuery
from ccbrowse.core.index import NO_TIME
from ccbrowse.core.library import Library, Listing
from ccbrowse.core.query import parse_filter, parse_search
from ccbrowse.core.titles import Title, TitleSource

NOW = datetime(2026, 2, 10, 12, tzinfo=UTC)
FEBRUARY = int(datetime(2026, 2, 3, 12, tzinfo=UTC).timestamp() * 1000)


@pytest.fixture
def listing(tmp_path: Path) -> Listing:
    """What a list shows of one session."""
    log = Log()
    log.user("u1", parent=None)
    log.write(tmp_path / "p")
    [listing] = Library([tmp_path]).scan()
    return replace(
        listing,
        title=Title("Fix the Login flow", TitleSource.PROMPT),
        project="api",
        cwd="/home/robin/acme/api",
        updated=FEBRUARY,
        messages=12,
        segments=3,
        compactions={"auto": 2, "manual": 0},
        models=("claude-opus-4-8",),
        versions=("2.1.181", "2.1.200"),
        git_branch="main",
        branches=1,
        subagents=0,
        damaged=False,
        live=False,
    )


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("", True),
        ("   ", True),
        ("login", True),
        ("LOGIN fix", True),
        ("login absent", False),
        ("api", True),
        ('"the login"', True),
        ('"login the"', False),
        ("!absent", True),
        ("!login", False),
        ("project:api", True),
        ("project:ACME", True),
        ("project:web", False),
        ("title:login", True),
        ('title:"Login flow"', True),
        ('title:"flow login"', False),
        ("branch:main", True),
        ("branch:dev", False),
        ("model:opus", True),
        ("model:sonnet", False),
        ("version:2.1.2", True),
        ("version:.181", False),
        ("trigger:auto", True),
        ("trigger:manual", False),
        ("trigger:idle", False),
        ("segments>2", True),
        ("segments>3", False),
        ("segments>=3", True),
        ("segments<4", True),
        ("segments<=2", False),
        ("segments=3", True),
        ("segments:3", True),
        ("messages>11", True),
        ("messages<12", False),
        ("has:compact", True),
        ("has:branch", True),
        ("has:subagent", False),
        ("has:damage", False),
        ("has:live", False),
        ("!has:live", True),
        ("HAS:Compact", True),
        ("after:2026-02-03", True),
        ("after:2026-02-04", False),
        ("before:2026-02-04", True),
        ("before:2026-02-03", False),
        ("after:8d", True),
        ("after:7d", True),
        ("after:6d", False),
        ("before:6d", True),
        ("after:1w", True),
        ("after:1m", True),
        ("after:1y", True),
        ("after:24h", False),
        ("after:2026-02-03T11:00:00+00:00", True),
        ("login has:compact segments>2", True),
        ("login has:compact segments>9", False),
        ("http://x", False),
        ("a=b", False),
        ("a>b", False),
        ("c::d", False),
    ],
)
def test_what_a_filter_accepts(listing: Listing, text: str, accepted: bool) -> None:
    assert parse_filter(text, NOW).accepts(listing) is accepted


def test_a_session_without_times_has_its_files(listing: Listing) -> None:
    timeless = replace(listing, updated=NO_TIME)
    year = datetime.fromtimestamp(timeless.file.stamp.mtime_ns / 1e9, UTC).year
    assert parse_filter(f"after:{year}-01-01").accepts(timeless)
    assert not parse_filter(f"before:{year}-01-01").accepts(timeless)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("projct:api", "did you mean `project:`"),
        ("colour:red", "keys: project title"),
        ("segments>many", "needs a number"),
        ("segments>", "needs a value"),
        ("project:", "needs a value"),
        ('title:""', "needs a value"),
        ("has:hope", "has: compact branch subagent damage live"),
        ("after:yesterday", "not a date"),
        ("before:2026-99-01", "not a date"),
        ("before:0001-01-01T00:00:00+14:00", "not a date"),
        ("user:x", "belongs to searches"),
        ("lost:x", "belongs to searches"),
    ],
)
def test_what_cannot_be_parsed_is_explained(text: str, told: str) -> None:
    with pytest.raises(BadQuery) as error:
        parse_filter(text, NOW)
    assert told in str(error.value)
    assert error.value.exit_code == 2


def test_a_search_takes_words_by_their_scope_and_conditions_apart(listing: Listing) -> None:
    query = parse_search('plain user:"two words" Tool:ls has:compact !trigger:manual', NOW)
    assert query.words == ((None, "plain"), ("user", "two words"), ("tool", "ls"))
    assert [term.text for term in query.terms] == ["has:compact", "!trigger:manual"]
    assert query.accepts(listing)


@pytest.mark.parametrize("text", ["!word", "!user:x"])
def test_a_word_of_a_search_cannot_be_negated(text: str) -> None:
    with pytest.raises(BadQuery, match="cannot be negated"):
        parse_search(text)


@pytest.mark.parametrize("parse", [parse_filter, parse_search])
@pytest.mark.parametrize(
    "text", ['"never closed', "key:", ":", "!", "!!", '""', "\u3000", "=", ">1"]
)
def test_any_text_is_parsed_or_explained(parse: Callable[[str], object], text: str) -> None:
    try:
        parse(text)
    except BadQuery as error:
        assert str(error)
