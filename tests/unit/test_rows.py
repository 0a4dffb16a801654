"""How rows are laid out: columns, words, what is left out where it is narrow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.paint import width_of
from ccbrowse.tui.rows import lay_out
from ccbrowse.tui.signs import ASCII, UNICODE
from ccbrowse.tui.viewtypes import BoundaryRow, Divider, Entry, Outcome, Role, Row, Tone, line


def entry(role: Role = Role.TOOL, text: str = "words", **more: object) -> Entry:
    values: dict[str, object] = {"time": SafeText("10:02"), "label": SafeText("Read"), **more}
    return Entry("k", role, text=SafeText(text), **values)  # type: ignore[arg-type]  # the fields of any one test


def texts(row: Row, width: int = 70) -> list[str]:
    return ["".join(piece.text for piece in one).rstrip() for one in lay_out(row, width, UNICODE)]


@pytest.mark.parametrize(
    ("role", "sign"),
    [
        (Role.PERSON, "›"),
        (Role.QUEUED, "›"),
        (Role.REPLY, "●"),
        (Role.THINKING, "·"),
        (Role.TOOL, "▪"),
        (Role.RESULT, "▪"),
        (Role.SUBAGENT, "◆"),
        (Role.SUMMARY, "≡"),
        (Role.BRANCH, "├"),
        (Role.COMMAND, "$"),
        (Role.NOTE, "·"),
        (Role.FINDING, "⚠"),
        (Role.ERROR, "✗"),
    ],
)
def test_every_role_has_its_sign(role: Role, sign: str) -> None:
    assert texts(entry(role)) == [f"  10:02 {sign} Read       words"]


@pytest.mark.parametrize(
    ("outcome", "sign", "tone"),
    [
        (Outcome.NONE, "▪", Tone.TOOL),
        (Outcome.RUNNING, "○", Tone.TOOL),
        (Outcome.OK, "✓", Tone.GOOD),
        (Outcome.FAILED, "✗", Tone.BAD),
    ],
)
def test_an_outcome_is_a_sign_and_a_tone(outcome: Outcome, sign: str, tone: Tone) -> None:
    (one,) = lay_out(entry(outcome=outcome), 70, UNICODE)
    assert (f"{sign} ", tone) in [(piece.text, piece.tone) for piece in one]


def test_facts_stand_behind_the_words_and_keep_their_room() -> None:
    facts = line(SafeText("4.1k≈"), (SafeText(" +3"), Tone.GOOD))
    assert texts(entry(facts=facts, opens=True)) == ["  10:02 ▪ Read       words  4.1k≈ +3  »"]
    cut = texts(entry(text="a long way to go " * 9, facts=facts, opens=True))
    assert cut == ["  10:02 ▪ Read       a long way to go a long way to go a…  4.1k≈ +3  »"]
    assert texts(entry(facts=facts, opens=True), 30) == ["  ▪ Read words  »"]
    one = lay_out(entry(facts=facts), 70, UNICODE)[0]
    assert [piece.tone for piece in one][-2:] == [Tone.MUTED, Tone.GOOD]


def test_words_wrap_up_to_their_lines() -> None:
    long = entry(text="one two three\n\nfour " + "five " * 30, lines=3, facts=line(SafeText("9≈")))
    assert texts(long, 45) == [
        "  ▪ Read     one two three",
        "             four five five five five five",
        "             five five five five five fi…  9≈",
    ]
    short = entry(text="these words fill the line", lines=3, facts=line(SafeText("12.4k≈")))
    assert texts(short, 45) == ["  ▪ Read     these words fill the line", "             12.4k≈"]


def test_a_row_off_the_line_is_muted_as_a_whole() -> None:
    (one,) = lay_out(entry(Role.PERSON, dim=True), 70, UNICODE)
    assert {piece.tone for piece in one[1:]} == {Tone.MUTED}


def test_the_readers_mark_stands_before_the_cursors_column() -> None:
    assert texts(entry(mark=SafeText("a")))[0].startswith("a 10:02")


BOUNDARY = BoundaryRow(
    "b",
    SafeText("compact 3"),
    SafeText("manual"),
    SafeText("98,214="),
    SafeText("22,040="),
    SafeText("−78 %"),
    SafeText("41 s"),
)


@pytest.mark.parametrize(
    ("width", "rule"),
    [
        (70, "  ━━ compact 3 ━ manual ━ 98,214= → 22,040= ━ −78 % ━ 41 s ━━━━━━━━━━━"),
        (58, "  ━━ compact 3 ━ manual ━ 98,214= → 22,040= ━ −78 % ━━━━━━"),
        (46, "  ━━ compact 3 ━ 98,214= → 22,040= ━ −78 % ━━━"),
        (38, "  ━━ compact 3 ━ 98,214= → 22,040= ━━━"),
        (30, "  ━━ compact 3 ━━━━━━━━━━━━━━━"),
    ],
)
def test_a_rule_gives_up_its_parts_by_worth(width: int, rule: str) -> None:
    assert texts(BOUNDARY, width) == [rule]


def test_a_boundary_without_numbers_is_still_a_rule() -> None:
    assert texts(BoundaryRow("b", SafeText("compact 1")), 30) == ["  ━━ compact 1 ━━━━━━━━━━━━━━━"]
    after = BoundaryRow("b", SafeText("compact 1"), after=SafeText("22,040="))
    assert texts(after, 40)[0].startswith("  ━━ compact 1 ━ 22,040= ━━━")


TEXT = st.text(st.sampled_from("ab 漢\n\u0301\U0001f468\u200d"), max_size=50)
LINES = TEXT.map(lambda raw: display_text(raw, newlines=True))
WORDS = TEXT.map(display_text)
NOTES = st.just((line(SafeText("n o t e")),))
ROWS = (
    st.builds(
        Entry,
        st.just("k"),
        st.sampled_from(Role),
        WORDS,
        LINES,
        time=st.sampled_from([SafeText(""), SafeText("10:02")]),
        facts=WORDS.map(line),
        outcome=st.sampled_from(Outcome),
        lines=st.integers(1, 4),
        opens=st.booleans(),
        dim=st.booleans(),
    )
    | st.builds(BoundaryRow, st.just("b"), WORDS, WORDS, WORDS, WORDS, notes=NOTES)
    | st.builds(Divider, st.just("d"), WORDS)
)


@given(ROWS, st.integers(8, 90))
def test_every_row_fits_its_width(row: Row, width: int) -> None:
    for signs in (UNICODE, ASCII):
        lines = lay_out(row, width, signs)
        assert lines
        assert all(one[0].text.startswith(" " * 2) for one in lines[1:])
        widest = max(width_of(one) for one in lines)
        assert widest <= max(width, 16)
