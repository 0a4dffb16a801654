"""Reading: colours as tones, Markdown as it would look, versions of a prompt, the client's own records."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from laying import told

from ccbrowse.core.records import Kind
from ccbrowse.core.text import display_text
from ccbrowse.tui.viewmodels.ansi import styled
from ccbrowse.tui.viewmodels.client import client_detail, client_words, interrupted_words
from ccbrowse.tui.viewmodels.lore import Lore
from ccbrowse.tui.viewmodels.markdown import LIMIT, rendered
from ccbrowse.tui.viewmodels.versions import MOST_WORDS, changed_words
from ccbrowse.tui.viewtypes import CodeBlock, LinesBlock, Paragraph, ProseBlock, TextBlock, Tone

PIECES = st.sampled_from(
    ["\x1b[31m", "\x1b[0m", "\x1b[1;38;5;208m", "\x1b[38;2;1;200;3m", "\x1b[m", "\x9b32m", "a", "\t", "\n",
     "\x1b]0;t\x07", "\x1b[2J", "é", "\u0301", "\ud83d", "\udc4d", "\u202e", " word ", "\x1b", "[", "m"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30).map("".join))
@example("\x1b]0;ti\x1b[31mtle\x07x")
def test_colours_change_no_text_and_lie_within_it(raw: str) -> None:
    text, tones = styled(raw)
    assert text == display_text(raw, newlines=True)
    ends = [0]
    for start, end, tone in tones:
        assert ends[-1] <= start < end <= len(text) and tone is not Tone.PLAIN
        ends.append(end)


@pytest.mark.parametrize(
    ("codes", "tone"),
    [
        ("31", Tone.BAD), ("91", Tone.BAD), ("32", Tone.GOOD), ("33", Tone.WARN), ("34", Tone.TOOL),
        ("35", Tone.PERSON), ("1", Tone.STRONG), ("2", Tone.MUTED), ("3", Tone.EMPHASIS), ("1;31", Tone.BAD),
        ("38;5;196", Tone.BAD), ("38;5;240", Tone.MUTED), ("38;2;20;200;30", Tone.GOOD), ("90", Tone.MUTED),
        ("38;5;21", Tone.TOOL), ("38:5:196", Tone.BAD), ("48;5;196;32", Tone.GOOD),
    ],
)  # fmt: skip
def test_each_colour_has_its_tone(codes: str, tone: Tone) -> None:
    assert styled(f"a\x1b[{codes}mb\x1b[0mc") == ("abc", ((1, 2, tone),))
    assert styled(f"\x1b[{codes}m\x1b[39;22;23mplain") == ("plain", ())


def test_markdown_as_it_would_look() -> None:
    text = (
        "# Plan\nFirst *do*, **then** `x`.\n\n- one\n- two\n  1. deep\n\n> said\n\n"
        "| a | bb |\n|---|----|\n| 1 | 2 |\n\n```py\nx = 1\n```\n[page](https://a.example) <b>\n\n---"
    )
    found = list(rendered(text))
    assert told(found) == [
        "Plan", "First do, then x.", "• one", "• two", "  1. deep", "│ said", "a  bb", "─────", "1  2",
        "x = 1", "page (https://a.example) <b>", "─" * 24,
    ]  # fmt: skip
    prose, table, code, *_ = found
    assert isinstance(prose, ProseBlock) and isinstance(table, LinesBlock)
    assert isinstance(code, CodeBlock) and code.language == "py"
    tones = {str(piece.text): piece.tone for p in prose.paragraphs for piece in p.words}
    assert tones["Plan"] is tones["then"] is Tone.STRONG
    assert tones["do"] is Tone.EMPHASIS and tones["x"] is Tone.TOOL
    (whole,) = rendered("# " + "x" * LIMIT)
    assert isinstance(whole, TextBlock) and whole.text.startswith("# x")
    (deep,) = rendered("> " * 60 + "deep down")
    assert isinstance(deep, TextBlock) and deep.text.endswith("deep down")


@given(st.text(st.sampled_from("#*_`>-|[]()!\\<&\n ax1.~\x1b\u202e\t"), max_size=80))
def test_no_markdown_is_too_odd(text: str) -> None:
    for words in told(rendered(text)):
        assert display_text(words) == words


def test_versions_show_what_changed_word_by_word() -> None:
    lines = changed_words("Add a token to the flw", "Add a token to the flow, and\nkeep it")
    assert ["".join(piece.text for piece in each) for each in lines] == [
        "Add a token to the [-flw-]{+flow, and+}", "{+keep it+}",
    ]  # fmt: skip
    tones = {piece.tone for each in lines for piece in each}
    assert tones == {Tone.PLAIN, Tone.BAD, Tone.GOOD}
    long = changed_words("a " * MOST_WORDS, "b " * MOST_WORDS)
    assert len(long) == 1 and len(long[0]) == 2
    assert Paragraph(lines[0]).words == lines[0]


def attached(**fields: Any) -> dict[str, Any]:
    """An attachment."""
    return {"type": "attachment", "attachment": fields}


HOOK = attached(
    type="hook_success", hookName="PostToolUse:Edit", hookEvent="PostToolUse", command="make lint",
    exitCode=0, durationMs=1_298, stdout="fine", stderr="", content="",
)  # fmt: skip
RETRY = {
    "type": "system", "subtype": "api_error", "retryAttempt": 2, "maxRetries": 10, "retryInMs": 1_024,
    "error": {"status": 529, "error": {"type": "error", "error": {"type": "overloaded_error"}}},
}  # fmt: skip
ENDED = {
    "type": "system", "subtype": "stop_hook_summary", "hookInfos": [{"command": "make check"}],
    "hookErrors": ["no rule"], "preventedContinuation": True, "stopReason": "not yet",
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "record", "label", "words"),
    [
        (Kind.ATTACHMENT, HOOK, "hook", "PostToolUse:Edit  make lint — exit 0"),
        (Kind.SYSTEM, RETRY, "retry", "529 overloaded_error — try 2 of 10, again in 1.0 s"),
        (
            Kind.SYSTEM,
            ENDED,
            "hook",
            "at the end: make check — 1 error — it kept claude from stopping",
        ),
        (Kind.ATTACHMENT, attached(type="plan_mode", planFilePath="p.md"), "plan mode", "on, p.md"),
        (Kind.ATTACHMENT, attached(type="plan_mode_exit"), "plan mode", "left"),
        (
            Kind.ATTACHMENT,
            attached(type="task_reminder", content=[{}, {}]),
            "reminder",
            "of 2 tasks",
        ),
        (Kind.ATTACHMENT, attached(type="edited_text_file", filename="a.py"), "edited", "a.py"),
        (
            Kind.SYSTEM,
            {"type": "system", "subtype": "turn_duration", "durationMs": 61_000},
            "turn",
            "took 61 s",
        ),
        (
            Kind.SIDE,
            {"type": "queue-operation", "operation": "enqueue", "content": "x"},
            "queue",
            "enqueue: x",
        ),
        (Kind.SYSTEM, {"type": "system", "subtype": "never_heard_of"}, "never_heard_of", ""),
    ],
)
def test_records_of_the_client_have_words_of_their_own(
    kind: Kind, record: dict[str, Any], label: str, words: str
) -> None:
    assert client_words(kind, record) == (label, words)
    title, found = client_detail(kind, record, Lore())
    assert title == f"{label} · written by the client"
    assert found


def test_hooks_and_reminders_in_full() -> None:
    _, found = client_detail(Kind.ATTACHMENT, HOOK, Lore())
    assert told(found) == [
        "hook     PostToolUse:Edit", "event    PostToolUse", "command  make lint", "exit     0",
        "took     1.3 s", "stdout", "fine",
    ]  # fmt: skip
    todo = {"subject": "Write", "status": "in_progress"}
    reminder = attached(type="task_reminder", content=[todo], itemCount=1)
    reminder["rendered"] = [{"content": "<system-reminder>Mind the tasks.</system-reminder>"}]
    _, found = client_detail(Kind.ATTACHMENT, reminder, Lore())
    assert told(found) == [
        "● Write", "what the model was told", "<system-reminder>Mind the tasks.</system-reminder>",
    ]  # fmt: skip


def test_interruptions_say_what_was_stopped() -> None:
    assert (
        interrupted_words("[Request interrupted by user for tool use]") == "you interrupted a tool"
    )
    assert interrupted_words("[Request interrupted by user]") == "you interrupted the reply"
