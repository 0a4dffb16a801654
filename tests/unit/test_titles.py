"""What a session is called: by a person, by the client, by its summary, or by its first prompt."""

from __future__ import annotations

from pathlib import Path

import pytest
from logs import Log, Reading

from ccbrowse.core.placing import title_row
from ccbrowse.core.session import Session, project_name
from ccbrowse.core.titles import MAX_TITLE, one_title


def title(session: Session) -> tuple[str, str]:
    """A session's title and where it is from."""
    return session.title.text, session.title.source.value


def full(**without: bool) -> Log:
    """A log that holds every kind of title but those that are left out."""
    log = Log()
    log.user("u1", "The first prompt", None)
    if "summary" not in without:
        log.side("summary", summary="A summary", leafUuid="u1")
    if "ai" not in without:
        log.side("ai-title", aiTitle="By the client")
    if "custom" not in without:
        log.side("custom-title", customTitle="By a person")
    return log


@pytest.mark.parametrize(
    ("without", "expected"),
    [
        ((), ("By a person", "custom")),
        (("custom",), ("By the client", "ai")),
        (("custom", "ai"), ("A summary", "summary")),
        (("custom", "ai", "summary"), ("The first prompt", "prompt")),
    ],
)
def test_the_best_title_counts(
    read_log: Reading, without: tuple[str, ...], expected: tuple[str, str]
) -> None:
    assert title(read_log(full(**dict.fromkeys(without, True)))) == expected


def test_of_several_titles_of_a_kind_the_last_counts(read_log: Reading) -> None:
    log = full()
    log.side("custom-title", customTitle="Renamed")
    log.side("ai-title", aiTitle="Later, but the client's")
    assert title(read_log(log)) == ("Renamed", "custom")


def test_a_summary_of_another_conversation_is_none_of_this_one(read_log: Reading) -> None:
    log = Log()
    log.side("summary", summary="Of this one", leafUuid="u1")
    log.side("summary", summary="Of another", leafUuid="elsewhere")
    log.user("u1", "A prompt", None)
    assert title(read_log(log)) == ("Of this one", "summary")


def test_a_summary_without_a_leaf_is_this_ones(read_log: Reading) -> None:
    log = full(custom=True, ai=True)
    log.side("summary", summary="Without a leaf")
    assert title(read_log(log)) == ("Without a leaf", "summary")


def test_a_compact_summary_is_no_title(read_log: Reading) -> None:
    log = Log()
    log.summary("s1", None, "This session is being continued")
    log.user("u1", "What next?")
    assert title(read_log(log)) == ("What next?", "prompt")


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        ("<system-reminder>note</system-reminder>\nThe words", "The words"),
        ("  \n two\nlines\u2028and more ", "two lines and more"),
        ("<b>", "<b>"),
    ],
)
def test_of_the_first_prompt_what_was_typed_counts(
    read_log: Reading, first: str, expected: str
) -> None:
    log = Log()
    log.user("m1", "a note of the client", None, isMeta=True)
    log.user("u1", first)
    assert title(read_log(log)) == (expected, "prompt")


def test_a_session_of_commands_alone_is_called_by_the_first(read_log: Reading) -> None:
    log = Log()
    log.user("c1", "<command-name>/review</command-name><command-args>the API</command-args>", None)
    log.user("c2", "<command-name>/exit</command-name>")
    assert title(read_log(log)) == ("/review the API", "prompt")


def test_a_prompt_without_words_gives_no_title(read_log: Reading) -> None:
    log = Log()
    log.user("u1", "  \n", None)
    log.user("u2", [{"type": "image", "source": {"type": "base64", "data": "AAAA"}}])
    log.user("u3", "Words")
    session = read_log(log)
    assert title(session) == ("Words", "prompt")
    row = title_row(session)
    assert row is not None
    assert session.index.uuids[row] == "u3"


def test_a_session_without_words_has_no_title(read_log: Reading) -> None:
    log = Log()
    log.user("u1", [{"type": "image", "source": {}}], None)
    log.user("c1", "<bash-input>ls</bash-input>")
    assert title(read_log(log)) == ("", "none")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'{"customTitle":"Beside"}', ("Beside", "custom")),
        (b'{"title":"Beside"}', ("Beside", "custom")),
        (b'"Beside"', ("Beside", "custom")),
        (b'{"customTitle":7}', ("By the client", "ai")),
        (b"[1]", ("By the client", "ai")),
        (b"{broken", ("By the client", "ai")),
        (b"[" * 5000, ("By the client", "ai")),
        (b"", ("By the client", "ai")),
    ],
)
def test_another_program_may_put_a_title_beside_the_session(
    read_log: Reading, tmp_path: Path, content: bytes, expected: tuple[str, str]
) -> None:
    log = full(custom=True)
    folder = tmp_path / "projects" / "-home-robin-orchard" / log.session_id
    folder.mkdir(parents=True)
    (folder / "custom-title.json").write_bytes(content)
    assert title(read_log(log)) == expected


def test_the_name_in_the_file_counts_more_than_the_one_beside_it(
    read_log: Reading, tmp_path: Path
) -> None:
    log = full()
    folder = tmp_path / "projects" / "-home-robin-orchard" / log.session_id
    folder.mkdir(parents=True)
    (folder / "custom-title.json").write_bytes(b'"Beside"')
    assert title(read_log(log)) == ("By a person", "custom")


def test_a_title_is_one_line_and_of_a_length() -> None:
    assert one_title("a\r\n\tb\x85c\x1cd") == "a b c d"
    assert one_title(" \n ") == ""
    assert one_title("x" * MAX_TITLE) == "x" * MAX_TITLE
    long = one_title("word " * 1000)
    assert len(long) <= MAX_TITLE
    assert long.endswith("word…")


@pytest.mark.parametrize(
    ("cwd", "name"),
    [
        ("/home/robin/acme/api", "api"),
        ("/home/robin/acme/api/", "api"),
        ("C:\\Users\\robin\\acme\\web", "web"),
        ("/", "/"),
        ("", "-the-folder"),
        (None, "-the-folder"),
        ("relative", "relative"),
    ],
)
def test_a_project_is_the_last_part_of_its_folder(cwd: str | None, name: str) -> None:
    assert project_name(cwd, Path("/x/-the-folder")) == name


def test_a_session_that_was_moved_is_where_it_was_moved_to(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None, cwd="/home/robin/old")
    log.user("u2", cwd="/home/robin/old/sub")
    session = read_log(log)
    assert (session.cwd, session.project) == ("/home/robin/old", "old")
    log.side("relocated", relocatedCwd="/home/robin/new")
    moved = read_log(log)
    assert (moved.cwd, moved.project) == ("/home/robin/new", "new")
    assert moved.index.facts.last_cwd == "/home/robin/old/sub"
