"""The plain mode: driven by what is typed, judged by what it prints; nothing moves a cursor."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from commandline import CommandLine, Done, arguments, command, environment
from logs import START, Log, call

from ccbrowse.core.text import SafeText
from ccbrowse.tui.cli.plain.hits import HitsRoom
from ccbrowse.tui.cli.plain.house import COMMON, Room
from ccbrowse.tui.cli.plain.reading import ReadingRoom
from ccbrowse.tui.cli.plain.sessions import SessionsRoom
from ccbrowse.tui.cli.plain.spoken import in_words

APPLES = "aaaa0000-0000-4000-8000-000000000001"
PEARS = "bbbb0000-0000-4000-8000-000000000002"

Talk = Callable[..., Done]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """One session of two segments and many prompts, one that was written later, both odd here and there."""
    root = tmp_path / "projects"
    log = Log(APPLES)
    log.time = START
    before = None
    for number in range(30):
        log.user(
            f"u{number}",
            f"Count the apples of row {number}\x1b]52;c;x\x07",
            before,
            cwd="/home/robin/orchard",
        )
        log.reply(f"a{number}", usage=(1000 + number, 0, 0, 5))
        before = f"a{number}"
    log.boundary("B1", trigger="manual")
    log.summary("s1")
    log.user("v1", "Now the pears, [red]please[/red]", "s1")
    log.reply("w1", usage=(300, 0, 0, 5))
    log.write(root / "-home-robin-orchard")
    later = Log(PEARS)
    later.time = START + 9_000_000
    later.user("p1", "Prune the pear tree", None, cwd="/home/robin/garden")
    later.reply("q1", usage=(500, 0, 0, 5))
    later.write(root / "-home-robin-garden")
    return root


@pytest.fixture
def talk(
    root: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Talk:
    """Types lines, and gives what was said."""
    ccbrowse = CommandLine(capsysbinary)

    def talk(*typed: str, words: tuple[str, ...] = ()) -> Done:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        done = ccbrowse("--plain", "--root", root, *words)
        assert b"\x1b" not in done.out and done.code == 0
        return done

    return talk


def test_sessions_are_listed_filtered_sorted_and_left(talk: Talk) -> None:
    said = talk("/pear", "/project:orchard", "/segments>9", "/", "sort turns", "S", "a", "q").text
    first, pear, orchard, none, every, turns, turned, active = said.split("q leaves: ")[:8]
    assert "1. Prune the pear tree. garden, " in first
    assert "context 500 tokens." in first and "2. Count the apples of row 0. orchard, " in first
    assert "Sessions 1 to 1 of 1 for /pear, by age." in pear and "apples" not in pear
    assert "1. Count the apples" in orchard and "31 turns, 2 segments" in orchard
    assert "None of 2 sessions fits. Type / alone to list all" in none
    assert "1 to 2 of 2, by age." in every
    assert turns.index("apples") < turns.index("Prune") and "by turns." in turns
    assert turned.index("Prune") < turned.index("apples") and "by turns, reversed." in turned
    assert "None of 2 sessions fits." in active


def test_a_session_is_read_in_pages_and_an_item_whole(talk: Talk) -> None:
    said = talk("2", "1", ":1", "", "p", "1", "61", "}", "}", "{", ":u7", ":nowhere", "q", "q").text
    parts = said.split("q goes back: ")
    assert "Session: Count the apples of row 0. orchard, 2 segments, " in parts[0]
    assert "Segment 2 of 2, items 1 to 4 of 4." in parts[0]
    assert "1. Compaction: compact 1, manual, 1,000 tokens before." in parts[0]
    assert "3. 02:41, you: Now the pears, [red]please[/red]" in parts[0]
    assert "Segment 1 of 2, items 1 to 20 of 60." in parts[2]
    assert "items 21 to 40 of 60." in parts[3] and "items 1 to 20 of 60." in parts[4]
    assert parts[5].splitlines()[1:3] == [
        "1. 02:40, you: Count the apples of row 0",
        "Count the apples of row 0",
    ]
    assert "There is no item 61 in this segment; they are 1 to 60." in parts[6]
    assert "Segment 2 of 2" in parts[7]
    assert "There is no segment 3; they are 1 to 2." in parts[8]
    assert "Segment 1 of 2" in parts[9]
    assert "you: Count the apples of row 7" in parts[10]
    assert "There is no such place: nowhere. Type :3," in parts[11]


def test_words_are_found_in_a_session_and_in_all(talk: Talk) -> None:
    said = talk(
        "2", "/ROW 2", "n", "N", "N", "/nothing such", "q", "search pear", "1", "q", "q", "q"
    ).text
    parts = said.split("q goes back: ")
    assert "11 items found." in parts[1]
    assert "Match 1 of 11, segment 1" in parts[1] and "apples of row 2" in parts[1]
    assert "Match 2 of 11" in parts[2] and "row 20" in parts[2]
    assert "Match 1 of 11" in parts[3] and "Match 11 of 11" in parts[4] and "row 29" in parts[4]
    assert "0 items found." in parts[5]
    hits = parts[6]
    assert "In: Prune the pear tree" in hits and "1. segment 1, " in hits
    assert "segment 2, user: Now the pears, [red]please[/red]" in hits
    assert "hits in 2 sessions." in hits
    assert "Session: Prune the pear tree." in parts[7]
    assert "Back at the hits" in parts[8]


def test_a_part_is_exported_and_not_written_over(
    talk: Talk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    export = ("x", "", "", "out.md")
    done = talk("2", *export, *export, "n", *export, "y", "x", "", "rtf", "x", "q", words=())
    text = (tmp_path / "out.md").read_text()
    assert "Now the pears" in text and "row 3" not in text
    assert done.text.count("the file exists, out.md") == 2
    assert "Nothing was written: the formats are markdown" in done.text
    assert done.err.count("out.md, ") == 2
    talk("x", "a", "jsonl", "all.jsonl", words=(f"{APPLES}#1",))
    assert (tmp_path / "all.jsonl").read_bytes().count(b"\n") >= 64


def test_a_target_is_opened_at_its_segment_or_record(talk: Talk) -> None:
    assert "Segment 1 of 2, items 1 to 20 of 60." in talk(words=(f"{APPLES}#1",)).text
    said = talk("r", "L", "s", "i", "t", "T", "u", "o 1", "F1", words=(f"{APPLES}#1/u9",)).text
    assert "you: Count the apples of row 9" in said.split("items ")[1].splitlines()[1]
    assert f"cd /home/robin/orchard && claude --resume {APPLES}" in said
    assert "No compaction opened this segment." in said
    assert "segment 2 " in said
    assert "Tool calls are left out." in said and "Thinking is said." in said
    assert "There is nothing new." in said
    assert "Type o and the number of an item that ran a subagent." in said
    assert "Not understood: F1." in said


def test_a_kept_output_is_read_and_losses_are_said_in_pages(talk: Talk, root: Path) -> None:
    log = Log("cccc0000-0000-4000-8000-000000000003")
    log.time = START + 99_000_000
    log.user("u1", "Sieve the flour", None, cwd="/home/robin/mill")
    log.reply("c1", call("t1", command="sieve"), stop="tool_use")
    kept = "/home/robin/.claude/projects/-mill/cccc/tool-results/big.txt"
    words = f"<persisted-output>\nOutput too large (59.0KB). Full output saved to: {kept}\n"
    log.user("r1", [{"type": "tool_result", "tool_use_id": "t1", "content": words}])
    for number in range(60):
        log.user(f"n{number}", f"Never lose sack {number} of the {number * 7} of `mill{number}`")
    log.reply("a1")
    log.boundary("B1", trigger="manual")
    log.summary("s1")
    log.reply("z1")
    path = log.write(root / "-home-robin-mill")
    side = path.with_suffix("") / "tool-results"
    side.mkdir(parents=True)
    (side / "big.txt").write_text("the whole of it\nto the last grain\n")
    said = talk("2", "q", words=("cccc0000#1",)).text
    assert "the whole of it" in said and "to the last grain" in said
    pages = talk("L", "q", "q", words=("cccc0000",)).text
    assert "More? Enter goes on, q stops:" in pages and "sack 59" not in pages
    assert "sack 59" in talk("L", "", "", "", "", "q", words=("cccc0000",)).text


def test_what_goes_wrong_is_a_line_and_the_talk_goes_on(talk: Talk, root: Path) -> None:
    said = talk("/proj:x", "opne", "9", "search", "open x", "s weight", "?", "Q").text
    assert re.search("That did not work: unknown key `proj:`, .*keys: project title", said)
    assert "Did you mean open? ? says what can be typed." in said
    assert "There is no session 9; they are 1 to 2." in said
    assert "Type search and the words" in said
    assert "Type the number of a session." in said
    assert "Sessions are sorted by age, turns, segments, context, title" in said
    assert "/WORDS (or filter): only sessions that fit" in said
    empty = root.parent / "empty"
    empty.mkdir()
    none = command("--plain", "--root", empty)
    assert none.code == 0 and "There are no sessions in " in none.text
    assert "ccbrowse demo --plain" in none.text


@pytest.mark.parametrize("room", [SessionsRoom, ReadingRoom, HitsRoom])
def test_every_order_is_done_by_its_room_and_no_name_means_two_things(room: type[Room]) -> None:
    orders = (*room.ORDERS, *COMMON)
    names = [name for order in orders for name in order.names if name != "NUMBER"]
    assert len(set(names)) == len(names)
    for order in orders:
        assert callable(getattr(room, order.method))
        assert order.help and not order.help.endswith(".")


def test_signs_become_words() -> None:
    assert in_words(SafeText("98,214= → 22,040= −78 %")) == "98,214 to 22,040 78 % less"
    assert in_words(SafeText("6.1k≈ a=b ✓")) == "about 6.1k a=b done"


def test_a_dumb_terminal_gets_the_plain_mode(root: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        arguments("--root", root), stdin=theirs, stdout=theirs, stderr=theirs,
        env=environment({"TERM": "dumb"}), start_new_session=True,
    ) as child:  # fmt: skip
        os.close(theirs)
        seen, typed, until = b"", False, time.monotonic() + 60
        while time.monotonic() < until:
            if select.select([ours], [], [], 0.2)[0]:
                try:
                    seen += os.read(ours, 65536)
                except OSError:  # the child let go of the terminal
                    break
            if not typed and b"q leaves:" in seen:
                typed = bool(os.write(ours, b"q\n"))
        os.close(ours)
        assert child.wait(30) == 0
    assert b"1. Prune the pear tree. garden" in seen and b"\x1b" not in seen
