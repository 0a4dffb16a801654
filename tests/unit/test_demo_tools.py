"""The made-up tools of synthetic sessions: what a call gives the model, and the client's copy of it."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from builders import ERAS, SessionBuilder, Workspace, png, written

FILE = "".join(f"line {number}\n" for number in range(1, 11))


def space(era: str = "2.1.332") -> Workspace:
    return Workspace("/home/ada/here", ERAS[era], {"a.txt": FILE})


@pytest.mark.parametrize(("era", "first"), [("2.1.11", "     4→line 4"), ("2.1.181", "4\tline 4")])
def test_a_part_of_a_file_is_numbered_as_the_era_does(era: str, first: str) -> None:
    call = space(era).read("a.txt", 4, 2)
    assert isinstance(call.content, str)
    assert call.content.split("\n")[0] == first
    assert call.content.count("\n") == 1
    assert call.result["file"] == {
        "filePath": "/home/ada/here/a.txt",
        "content": "line 4\nline 5\n",
        "numLines": 2,
        "startLine": 4,
        "totalLines": 10,
    }


def test_an_edit_changes_the_file_and_says_where() -> None:
    here = space()
    patch = here.edit("a.txt", "line 5\n", "five\nand a half\n").result["structuredPatch"]
    assert here.files["a.txt"].startswith("line 1\nline 2\nline 3\nline 4\nfive\nand a half\n")
    assert patch == [
        {
            "oldStart": 2,
            "oldLines": 7,
            "newStart": 2,
            "newLines": 8,
            "lines": [" line 2", " line 3", " line 4", "-line 5", "+five", "+and a half",
                      " line 6", " line 7", " line 8"],
        }
    ]  # fmt: skip


def test_several_edits_are_made_one_after_the_other() -> None:
    here = space()
    call = here.multi_edit("a.txt", [("line 1\n", "one\n"), ("one\n", "first\n")])
    assert here.files["a.txt"].startswith("first\nline 2\n")
    assert len(call.result["structuredPatch"]) == 2


@pytest.mark.parametrize("name", ["read", "edit", "bash"])
def test_what_goes_wrong_is_an_error_in_both_copies(name: str) -> None:
    here = space()
    calls = {
        "read": here.read("b.txt"),
        "edit": here.edit("a.txt", "no such line", "x"),
        "bash": here.bash("false", "nope", code=3),
    }
    assert calls[name].is_error is True
    assert calls[name].result.startswith("Error: ")
    assert here.files["a.txt"] == FILE


def test_a_search_finds_lines_with_their_numbers() -> None:
    assert space().find("line 1").content == "a.txt:1:line 1\na.txt:10:line 10"


def test_a_list_of_things_to_do_knows_what_was_there_before() -> None:
    here = space()
    first = here.todos(write_it="pending")
    second = here.todos(write_it="completed")
    assert second.result["oldTodos"] == first.result["newTodos"]
    assert second.result["newTodos"][0]["content"] == "Write it"


def test_long_output_goes_to_a_file_of_its_own(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.332")
    b.prompt("Print a lot")
    output = "a line of output\n" * 4_000
    call = b.long_output(Workspace(b.cwd, b.era).bash("yes"), output)
    b.work(call)
    path = written(b, tmp_path)
    (kept,) = (path.with_suffix("") / "tool-results").iterdir()
    assert kept.read_text() == output
    assert call.result["persistedOutputPath"].endswith(kept.name)
    assert call.result["stdout"] == output[:30_000]
    assert isinstance(call.content, str) and call.content.startswith("<persisted-output>")


def test_images_are_real_ones() -> None:
    data = png(5, 3, (1, 2, 3))
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", data[16:24]) == (5, 3)
