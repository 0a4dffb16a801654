"""Searching sessions: what is found where, in which order, and when it ends."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import lossy
import pytest
from builders import OPENING, START, Call, Say, SessionBuilder, Think, finish, turn

from ccbrowse.core.errors import BadQuery
from ccbrowse.core.library import Library
from ccbrowse.core.locate import SessionFile
from ccbrowse.core.search import (
    Field,
    Hit,
    Wanted,
    find_in_session,
    newest_first,
    parse_query,
    search_sessions,
    search_wanted,
)
from ccbrowse.core.session import Session

Search = Callable[..., list[Hit]]


def bash(command: str, output: str) -> Call:
    """A call of Bash that prints something."""
    return Call("Bash", {"command": command}, output, {"stdout": output})


def story() -> SessionBuilder:
    """A session with a word in every field, an abandoned arm, a compaction and a subagent."""
    b = SessionBuilder("2.1.11", seed="search", thinking_text=True)
    work = [bash("echo badger", "badger says otter")]
    turn(b, "The marten asks", work, say="A lynx answers.")
    left = turn(b, "The wolverine is withdrawn", say="The wolverine is known.")
    b.rewind(left)
    b.prompt("And then?")
    finish(b, [Think("Is it a polecat?"), Say("Let me see.")], say="It is.")
    b.compact(f"{OPENING}\n\nAbout a stoat.", trigger="manual")
    b.prompt("Ask a helper")
    b.subagent("Help", "Look for the ferret", lambda child: _helped(child))
    finish(b, say="The lynx is back.")
    b.title("All about mustelids")
    return b


def _helped(child: Any) -> str:
    child.reply(Say("Here is the ferret."))
    return "Found it."


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A `projects` folder with one story in it."""
    folder = tmp_path / "projects"
    story().write(folder)
    return folder


@pytest.fixture
def find(root: Path) -> Search:
    """Search below the root."""

    def search(text: str, **options: Any) -> list[Hit]:
        files = newest_first(Library([root]).files())
        return list(search_sessions(parse_query(text), files, **options))

    return search


# --- where things stand -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "field", "segment"),
    [
        ("marten", "user", 1),
        ("echo badger", "tool", 1),
        ("otter", "result", 1),
        ("answers", "assistant", 1),
        ("polecat", "thinking", 1),
        ("stoat", "summary", 2),
        ("back", "assistant", 2),
    ],
)
def test_each_field_is_found_in_its_segment(
    find: Search, word: str, field: str, segment: int
) -> None:
    hits = [hit for hit in find(word) if hit.agent_id is None]
    assert [(hit.field, hit.segment, hit.on_main_line) for hit in hits] == [(field, segment, True)]


def test_an_abandoned_arm_is_found_and_said_to_be_off_the_line(find: Search) -> None:
    hits = find("wolverine")
    assert [(hit.field, hit.segment, hit.on_main_line) for hit in hits] == [
        ("user", None, False),
        ("assistant", None, False),
    ]


def test_a_subagent_is_found_in_its_own_file(find: Search) -> None:
    (hit,) = find("here is the FERRET")
    assert hit.agent_id is not None
    assert hit.file.name == f"agent-{hit.agent_id}.jsonl"
    assert hit.file != hit.session_file
    assert hit.session_id == hit.session_file.stem
    assert (hit.segment, hit.on_main_line) == (None, False)


def test_a_hit_names_its_record_line_and_match(find: Search, root: Path) -> None:
    (hit,) = find("otter")
    lines = hit.file.read_bytes().split(b"\n")
    assert hit.line is not None
    record = json.loads(lines[hit.line - 1])
    assert record["uuid"] == hit.uuid
    assert (hit.snippet.before, hit.snippet.match) == ("badger says ", "otter")
    assert (hit.part, hit.start, hit.length) == (0, 12, 5)
    assert hit.title == "All about mustelids"


def test_one_hit_a_record_and_field(find: Search) -> None:
    hits = find("badger")
    assert [(hit.field.value, hit.start) for hit in hits] == [("tool", 5), ("result", 0)]
    assert hits[0].uuid != hits[1].uuid


def test_the_title_is_a_hit_of_its_own_and_comes_first(find: Search) -> None:
    hit, *others = find("about MUSTELIDS")
    assert Field.TITLE not in {other.field for other in others}
    assert (hit.field, hit.uuid, hit.segment, hit.on_main_line) == (Field.TITLE, None, None, True)
    assert hit.line is not None
    assert find("mustelids", fields={Field.ASSISTANT}) == []


def test_a_title_made_of_a_prompt_is_a_hit_only_where_the_prompt_is_none(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.181", seed="untitled")
    turn(b, "One\nto do", say="Yes.")
    b.write(tmp_path / "projects")
    files = Library([tmp_path / "projects"]).files()
    (one,) = search_sessions(parse_query("one"), files)
    assert one.field is Field.USER
    (named,) = search_sessions(parse_query("one"), files, fields={Field.TITLE})
    assert (named.field, named.uuid, named.segment) == (Field.TITLE, one.uuid, 1)
    for text in ("one to do", "e t"):
        (hit,) = search_sessions(parse_query(text), files)
        assert hit.field is Field.TITLE, "a title is on one line, the prompt is not"
    assert list(search_sessions(parse_query("e  t"), files)) == []


def test_a_title_made_of_a_command_is_found(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.11", seed="command")
    b.command("do", "it so", "")
    b.reply(Say("Yes."))
    b.write(tmp_path / "projects")
    files = Library([tmp_path / "projects"]).files()
    for text in ("do it", "/do it so"):
        (hit,) = search_sessions(parse_query(text), files)
        assert (hit.field, hit.title) == (Field.TITLE, "/do it so")
        assert hit.uuid is not None and hit.on_main_line


def test_a_title_beside_the_file_is_found(root: Path, find: Search) -> None:
    session = next(root.rglob("*.jsonl"))
    while session.parent.parent != root:
        session = session.parent.parent / f"{session.parent.name}.jsonl"
    lines = [x for x in session.read_bytes().split(b"\n") if b"custom-title" not in x]
    session.write_bytes(b"\n".join(line for line in lines if b"ai-title" not in line))
    side = session.with_suffix("")
    side.mkdir(exist_ok=True)
    (side / "custom-title.json").write_text('{"customTitle": "Otherwise named"}')
    hits = [hit for hit in find("otherwise named") if hit.field is Field.TITLE]
    assert [(hit.title, hit.line) for hit in hits] == [("Otherwise named", None)]


def test_a_record_written_again_counts_once_with_its_last_content(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.181", seed="again")
    turn(b, "Old words", say="Yes.")
    path = b.write(tmp_path / "projects")
    rows = path.read_bytes().split(b"\n")
    again = next(row for row in rows if b"Old words" in row and b'"type":"user"' in row)
    path.write_bytes(
        path.read_bytes() + again + b"\n" + again.replace(b"Old words", b"New words") + b"\n"
    )
    files = Library([tmp_path / "projects"]).files()
    hits = list(search_sessions(parse_query("words"), files, fields={Field.USER}))
    assert [hit.snippet.match + hit.snippet.before for hit in hits] == ["wordsNew "]
    assert list(search_sessions(parse_query("old words"), files, fields={Field.USER})) == []
    first = 1 + rows.index(again)
    assert [hit.line for hit in hits] == [first], "the first line keeps the place"


def test_records_in_a_damaged_line_are_found_once(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.181", seed="glued")
    turn(b, "Before", say="The marmot.")
    path = b.write(tmp_path / "projects")
    rows = path.read_bytes().split(b"\n")
    place = next(number for number, row in enumerate(rows) if b"marmot" in row)
    rows[place] = b'{"cut":"' + rows[place - 1] + rows[place] + rows[place]
    path.write_bytes(b"\n".join(rows))
    (hit,) = search_sessions(parse_query("marmot"), Library([tmp_path / "projects"]).files())
    assert (hit.field, hit.line) == (Field.ASSISTANT, place + 1)


def test_a_sidechain_in_the_main_file_is_a_subagents(tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "p"
    folder.mkdir(parents=True)
    rows: list[dict[str, Any]] = []
    for number, side in enumerate((False, True, True, False)):
        parent = {0: None, 1: None, 2: "u1", 3: "u0"}[number]
        rows.append({
            "type": "user", "uuid": f"u{number}", "parentUuid": parent, "isSidechain": side,
            "sessionId": "s", "message": {"role": "user", "content": f"vole {number}"},
        })  # fmt: skip
    (folder / "s.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    hits = list(search_sessions(parse_query("vole"), Library([tmp_path / "projects"]).files()))
    found = [(h.uuid, h.agent_id, h.on_main_line) for h in hits if h.field is Field.USER]
    assert found == [
        ("u0", None, True),
        ("u1", "u1", False),
        ("u2", "u1", False),
        ("u3", None, True),
    ]


# --- what is asked ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words", "terms"),
    [
        ("foo(bar[0])", [(None, "foo(bar[0])")], []),
        ("* 2 +", [(None, "* 2 +")], []),
        (" lead", [(None, " lead")], []),
        ("see http://x: y", [(None, "see http://x: y")], []),
        ("error: none", [(None, "error: none")], []),
        ("user: hello", [(None, "user: hello")], []),
        ("has:compact a  b", [(None, "a  b")], ["has:compact"]),
        ("a !project:x b segments>3", [(None, "a"), (None, "b")], ["!project:x", "segments>3"]),
        ('user:"two words" tool:Bash', [("user", "two words"), ("tool", "Bash")], []),
        ('"has:compact"', [(None, "has:compact")], []),
        ('" a "', [(None, " a ")], []),
        ('""q""', [(None, '"q"')], []),
        ('"a" or "b"', [(None, '"a" or "b"')], []),
        ('"', [(None, '"')], []),
        ("xuser:y", [(None, "xuser:y")], []),
    ],
)
def test_words_are_taken_as_they_stand_and_known_keys_taken_out(
    text: str, words: list[tuple[str | None, str]], terms: list[str]
) -> None:
    query = parse_query(text)
    assert list(query.words) == words
    assert [term.text for term in query.terms] == terms


@pytest.mark.parametrize("text", ["", " ", "\t\n", '" "', "has:compact", "after:when x"])
def test_a_query_that_cannot_be_used_is_explained_at_once(text: str) -> None:
    with pytest.raises(BadQuery):
        search_sessions(parse_query(text), [])


def test_scopes_and_several_parts_must_meet_in_one_record(find: Search) -> None:
    assert [hit.field for hit in find("tool:echo")] == [Field.TOOL]
    assert find("user:echo") == []
    assert [hit.field for hit in find("tool:Bash tool:badger")] == [Field.TOOL]
    assert find("tool:badger result:otter") == [], "these stand in two records"


def test_conditions_choose_sessions(find: Search) -> None:
    assert len(find("marten has:compact")) == 1
    assert find("marten !has:compact") == []
    assert find("marten segments>2") == []


def test_patterns_case_and_whole_words(find: Search) -> None:
    assert [hit.snippet.match for hit in find("p.l.cat", regex=True)] == ["polecat"]
    assert find("POLECAT", case=True) == []
    assert find("pole", whole_word=True) == []
    assert len(find("polecat", whole_word=True)) == 1


# --- copies and losses ---------------------------------------------------------------------------


def fork(original: Path, name: str, first: int, **more: object) -> Path:
    """A session file with copies of another's records from a line on, and a turn of its own."""
    rows = [json.loads(line) for line in original.read_bytes().splitlines()][first:]
    own = {
        "type": "user",
        "uuid": f"own-{name}",
        "parentUuid": rows[-1].get("uuid"),
        "timestamp": "2026-12-01T00:00:00.000Z",
        "message": {"role": "user", "content": "And the marten too"},
    }
    path = original.with_name(f"{name}.jsonl")
    path.write_text("".join(json.dumps(row | more) + "\n" for row in rows) + json.dumps(own) + "\n")
    return path


@pytest.mark.parametrize("whole", [True, False])
def test_a_record_in_several_files_belongs_to_the_one_that_wrote_it_first(
    tmp_path: Path, whole: bool
) -> None:
    original = lossy.write(tmp_path / "projects")
    lines = original.read_bytes().splitlines()
    boundary = next(n for n, line in enumerate(lines) if b"compact_boundary" in line)
    copy = fork(original, "5e551011-0000-4000-8000-0000000000f0", 0 if whole else boundary)
    files = newest_first(Library([tmp_path / "projects"]).files())
    assert [file.path for file in files] == [copy, original]
    query = parse_query("now the remaining tests")
    (hit,) = search_sessions(query, files)
    assert hit.session_file == original
    (alone,) = search_sessions(query, files[:1])
    assert alone.session_file == copy, "where the other is not searched, a copy is as good"
    both = search_wanted(Wanted(query), files, copies=True)
    assert [hit.session_file for hit in both] == [copy, original]
    (own,) = search_sessions(parse_query("marten"), files)
    assert own.session_file == copy


def test_a_copy_that_names_its_origin_is_left_to_it(tmp_path: Path) -> None:
    original = lossy.write(tmp_path / "projects")
    copy = fork(original, "5e551011-0000-4000-8000-0000000000f1", 0)
    rows = [json.loads(line) for line in copy.read_text().splitlines()]
    for row in rows[:-1]:
        if row.get("uuid"):
            row["forkedFrom"] = {"sessionId": original.stem, "messageUuid": row["uuid"]}
            row["uuid"] = f"new-{row['uuid']}"
    copy.write_text("".join(json.dumps(row) + "\n" for row in rows))
    files = newest_first(Library([tmp_path / "projects"]).files())
    hits = [hit for hit in search_sessions(parse_query("handshake"), files)]
    assert hits and {hit.session_file for hit in hits} == {original}
    assert {h.session_file for h in search_sessions(parse_query("handshake"), [files[0]])} == {copy}


def test_what_compactions_lost_is_found_with_its_segment(tmp_path: Path) -> None:
    root = tmp_path / "projects"
    path = lossy.write(root)
    story().write(root)
    files = newest_first(Library([root]).files())
    word = max(lossy.LOST.split(), key=len)
    hits = list(search_sessions(parse_query(f"lost:{word}"), files))
    assert [(hit.session_file, hit.field) for hit in hits] == [(path, Field.USER)]
    assert hits[0].snippet.match.casefold() == word.casefold() and hits[0].on_main_line
    assert list(search_sessions(parse_query("lost:stoat"), files)) == []
    assert list(search_sessions(parse_query(f"lost:{word} project:nowhere"), files)) == []
    assert list(search_sessions(parse_query(f"lost:{word} assistant:{word}"), files)) == []
    assert list(search_sessions(parse_query(f"lost:{word}"), files, cancelled=lambda: True)) == []


# --- order, ends, trouble -----------------------------------------------------------------------


def many(folder: Path, count: int) -> list[SessionFile]:
    """Sessions of one prompt each, a day apart; the files are written in another order."""
    for number in sorted(range(count), key=lambda n: n * 7 % count):
        start = START + timedelta(days=number)
        b = SessionBuilder("2.1.181", seed=f"n{number}", start=start)
        turn(b, f"The vole of session {number}", say="Yes.")
        b.title(f"Number {number}")
        path = b.write(folder)
        os.utime(path, (1_000_000, 1_000_000))
    return newest_first(Library([folder]).files())


def test_the_newest_record_comes_first_whatever_the_files_say(tmp_path: Path) -> None:
    hits = list(search_sessions(parse_query("vole"), many(tmp_path / "projects", 5)))
    assert [hit.title for hit in hits] == [f"Number {n}" for n in (4, 3, 2, 1, 0)]


def test_the_order_survives_ends_without_a_time(tmp_path: Path) -> None:
    files = many(tmp_path / "projects", 3)
    with files[-1].path.open("ab") as oldest:
        oldest.write(b'{"type":"mode","mode":"' + b"x" * 20_000 + b'"}\n{"half')
    assert [f.path for f in newest_first(files)] == [f.path for f in files]
    files[0].path.write_bytes(b"nothing\n")
    files[1].path.unlink()
    times_of_their_own = sorted(files[:2], key=lambda file: file.session_id, reverse=True)
    assert newest_first(files) == [files[2], *times_of_their_own]


def test_a_search_streams_and_can_be_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = many(tmp_path / "projects", 4)
    read: list[Path] = []
    opened = Session.__init__

    def note(self: Session, file: SessionFile, *rest: Any, **more: Any) -> None:
        read.append(file.path)
        opened(self, file, *rest, **more)

    monkeypatch.setattr(Session, "__init__", note)
    search = search_sessions(parse_query("vole"), files)
    assert next(search).title == "Number 3"
    assert read == [files[0].path]
    search.close()  # type: ignore[attr-defined]  # a generator behind the promise of an iterator
    assert read == [files[0].path]


def test_a_search_ends_when_it_is_cancelled(tmp_path: Path) -> None:
    files = many(tmp_path / "projects", 4)
    stop: list[bool] = []
    found = []
    for hit in search_sessions(parse_query("vole"), files, cancelled=lambda: bool(stop)):
        found.append(hit.title)
        stop.append(True)
    assert found == ["Number 3"]


def test_a_session_without_a_candidate_is_never_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = many(tmp_path / "projects", 2)
    monkeypatch.setattr(Session, "__init__", lambda *_: pytest.fail("opened"))
    assert list(search_sessions(parse_query("capybara"), files)) == []


def test_a_file_that_is_gone_is_told_and_the_rest_searched(tmp_path: Path) -> None:
    files = many(tmp_path / "projects", 3)
    files[0].path.unlink()
    told: list[tuple[Path, str]] = []
    hits = list(
        search_sessions(parse_query("vole"), files, trouble=lambda p, why: told.append((p, why)))
    )
    assert [hit.title for hit in hits] == ["Number 1", "Number 0"]
    assert [path for path, _ in told] == [files[0].path]
    assert "No such file" in told[0][1]


# --- within one session -------------------------------------------------------------------------


def test_every_match_in_a_session_with_its_place(root: Path) -> None:
    session = Session(Library([root]).files()[0])
    found = [
        (session.index.line[m.row], m.field.value, m.part, m.start, m.length)
        for m in find_in_session(session, "LYNX")
    ]
    assert [(field, start, length) for _, field, _, start, length in found] == [
        ("assistant", 2, 4),
        ("assistant", 4, 4),
    ]
    assert found == sorted(found)
    several = list(find_in_session(session, "a", fields={Field.SUMMARY}))
    assert len(several) > 1 and len({m.row for m in several}) == 1
    assert [m.start for m in several] == sorted({m.start for m in several})
    assert list(find_in_session(session, "lyn", whole_word=True)) == []
    assert len(list(find_in_session(session, "l[xy]nx", regex=True))) == 2
    with pytest.raises(BadQuery):
        find_in_session(session, "")
    session.close()


def test_what_was_written_after_the_session_was_read_is_not_found_yet(root: Path) -> None:
    session = Session(Library([root]).files()[0])
    row = {"type": "user", "uuid": "new", "parentUuid": None, "message": {"content": "a shrew"}}
    with session.file.path.open("a") as file:
        file.write(json.dumps(row) + "\n")
    assert list(find_in_session(session, "shrew")) == []
    session.refresh()
    assert [m.row for m in find_in_session(session, "shrew")] == [len(session.index) - 1]
    session.close()
