"""How words are spelled in bytes, and which lines of a file may hold them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ccbrowse.core.search.scan import BUFFER, candidates
from ccbrowse.core.search.spelling import spell


def never() -> bool:
    return False


def found(path: Path, needle: str, *, case: bool = False) -> list[bytes]:
    return [line for _, line in candidates(path, spell(needle, case=case), never)]


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def write(*lines: bytes) -> Path:
        path = tmp_path / "s.jsonl"
        path.write_bytes(b"\n".join(lines) + b"\n")
        return path

    return write


# --- the choice of an anchor --------------------------------------------------------------------


def test_a_word_with_one_spelling_is_preferred() -> None:
    spelling = spell('say "brindlew"', case=True)
    assert spelling is not None
    assert spelling.forms == (b"brindlew",)
    assert (spelling.others, spelling.rare, spelling.lowered) == (None, None, False)


def test_letters_with_foreign_kin_are_avoided_where_the_rest_is_enough() -> None:
    spelling = spell("Quokkalamp", case=False)
    assert spelling is not None
    assert spelling.forms == (b"alamp",)
    assert spelling.lowered


def test_where_the_rest_is_too_short_the_kin_are_looked_for_as_well() -> None:
    spelling = spell("ask", case=False)
    assert spelling is not None
    assert spelling.forms == (b"ask", "ſ".encode(), "\u212a".encode())
    assert spelling.rare is not None and spelling.rare.search(rb"a\u017fk")


def test_signs_are_spelled_as_json_has_them() -> None:
    spelling = spell('"\\', case=True)
    assert spelling is not None
    assert spelling.forms == (b'\\"\\\\',)
    assert spelling.others is not None and spelling.others.search(rb"\u0022")


def test_short_words_between_blanks_are_one_anchor() -> None:
    spelling = spell("to be or", case=True)
    assert spelling is not None
    assert spelling.forms == (b"to be or", b"command-name")
    assert spelling.others is not None
    for text in (b"to be or", rb"to\nbe  \t or", "to\u3000be or".encode()):
        assert spelling.others.search(text), "a title shows these with single blanks"
    assert not spelling.others.search(b"to_be_or")


@pytest.mark.parametrize("needle", ["\ufffd", "\ud83d", "\ufffd\udc00"])
def test_what_bytes_cannot_tell_needs_every_line(needle: str) -> None:
    assert spell(needle, case=True) is None


def test_words_that_stand_in_every_line_are_no_anchor() -> None:
    spelling = spell("a user id", case=True)
    assert spelling is not None
    assert spelling.forms[0] == b"a user id"


# --- lines --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        b'{"t":"the NEEDLE here"}',
        b'{"t":"n\\u0065edle"}',
        b'{"t":"nee\x00dle"}',
    ],
)
def test_every_spelling_of_a_plain_word_is_a_candidate(
    line: bytes, file: Callable[..., Path]
) -> None:
    assert line in found(file(b'{"t":"hay"}', line, b'{"t":"hay"}'), "needle")


def test_a_writer_that_escapes_letters_is_seen_by_the_start_of_its_file(
    file: Callable[..., Path],
) -> None:
    path = file(b'{"t":"\\u0068ay"}', b'{"t":"x"}', b'{"t":"y"}')
    assert len(found(path, "needle")) == 3, "then every line is decoded"
    assert found(file(b'{"t":"\\u001b[0m \\u003cb\\u003e \\u0022"}', b"{}"), "needle") == []


def test_kin_written_as_escapes_are_found_where_the_writer_escapes_what_is_not_ascii(
    file: Callable[..., Path],
) -> None:
    assert found(file(rb'{"t":"a\u017fk"}', b'{"t":"hay"}'), "ask") == [rb'{"t":"a\u017fk"}']


@pytest.mark.parametrize("text", ["水位", "Ж", "\U0001f33e", "naïve", "<b>", "a/b", '"x"', "a\tb"])
@pytest.mark.parametrize("style", ["raw", "ascii", "web"])
def test_a_word_is_found_however_it_is_written(
    text: str, style: str, file: Callable[..., Path]
) -> None:
    line = json.dumps({"t": f"- {text} -"}, ensure_ascii=style == "ascii")
    if style == "web":
        for sign in "<>/":
            line = line.replace(sign, "\\/" if sign == "/" else f"\\u{ord(sign):04X}")
    path = file(b'{"t":"hay"}', line.encode(), b'{"t":"more hay"}')
    assert found(path, text, case=True) == [line.encode()]
    assert line.encode() in found(path, text.upper())


@pytest.mark.parametrize("times", [10, 3000])
def test_a_letter_is_found_among_many_or_few_that_share_its_bytes(
    times: int, file: Callable[..., Path]
) -> None:
    hay, line = f'{{"t":"{"位水氵低" * times}"}}'.encode(), '{"t":"水位"}'.encode()
    assert found(file(line, hay, line, hay), "水位") == [line, line]


def test_the_keys_of_objects_are_no_candidates(file: Callable[..., Path]) -> None:
    lines = (
        b'{"sessionId":"x","t":"none"}',
        b'{"sessionId":"x","t":"a session"}',
        b'{"t":"\\"sessionId\\":1"}',
    )
    assert found(file(*lines), "session") == list(lines[1:])


def test_rows_of_logged_requests_are_passed_over(file: Callable[..., Path]) -> None:
    path = file(b'{"type":"api-request-blob","content":"needle"}', b'{"content":"needle"}')
    assert found(path, "needle") == [b'{"content":"needle"}']


def test_all_lines_come_where_nothing_is_known(file: Callable[..., Path]) -> None:
    path = file(b"{}", b"", b"[1]")
    assert list(candidates(path, None, never)) == [(0, b"{}"), (4, b"[1]")]


def test_lines_longer_than_the_buffer_and_across_its_end_are_whole(
    file: Callable[..., Path],
) -> None:
    long = b'{"t":"' + b"x" * (3 * BUFFER) + b' needle"}'
    filler = b'{"t":"' + b"y" * (BUFFER - 30) + b'"}'
    across = b'{"t":"' + b"z" * 40 + b' needle"}'
    assert found(file(filler, across, long, b"{}", across), "needle") == [across, long, across]


def test_a_last_line_without_an_end_is_a_line(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b'{}\n{"t":"needle')
    assert list(candidates(path, spell("needle", case=True), never)) == [(3, b'{"t":"needle')]


def test_a_scan_ends_when_it_is_cancelled(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes((b'{"t":"needle"}\n' * 1000 + b"x" * BUFFER + b"\n") * 3)
    asked = iter([False, True])
    lines = list(candidates(path, spell("needle", case=True), lambda: next(asked)))
    assert len(lines) == 1000
