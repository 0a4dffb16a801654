"""Markdown: what an export says, and that CommonMark gives back what was said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from exporting import FULL, SHORT, Sheet, exported
from markdown_it import MarkdownIt

from ccbrowse.core.export import Form, Options, Tools, message_range, segment, whole
from ccbrowse.core.export.commonmark import breaks_out, code, escaped, fence, prose

MD = Form.MARKDOWN


def front_matter(text: str) -> dict[str, str]:
    """The plain values at the front of an export."""
    head = text.split("---\n", 2)[1]
    pairs = (line.split(": ", 1) for line in head.splitlines() if not line.startswith((" ", "seg")))
    return {key: json.loads(value) for key, value in pairs}


def headings(text: str) -> list[str]:
    """The headings of the frame, without those that messages hold."""
    tokens = MarkdownIt("commonmark").parse(text.split("\n---\n\n", 1)[1])
    return [
        tokens[at + 1].content
        for at, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0
    ]


def two_segments(folder: Path) -> Sheet:
    sheet = Sheet()
    sheet.prompt("Count the apples")
    sheet.reply("There are **four**.")
    sheet.boundary("Apples were counted.", preservedMessages={"uuids": []}, mood="calm")
    sheet.prompt("And the pears?")
    sheet.reply("Seven.")
    return sheet


def test_the_front_says_whose_it_is_what_it_is_and_when_it_was(tmp_path: Path) -> None:
    session = two_segments(tmp_path).open(tmp_path)
    text = exported(segment(session), MD, SHORT)
    front = front_matter(text)
    assert front["session"] == session.session_id
    assert front["part"] == "segment 2 of 2"
    assert front["project"] == "orchard"
    assert front["time_zone"] == "UTC"
    assert front["started"] == "2026-03-01T09:03:00+00:00"
    assert front["written_by"] == "ccbrowse 1.2.3"
    assert front["masked"] == "nothing"
    assert "title" not in front, "it is a prompt of the other segment"
    assert "Count the apples" not in text
    assert front_matter(exported(session, MD, SHORT))["title"] == "Count the apples"


def test_a_boundary_is_told_with_all_its_facts(tmp_path: Path) -> None:
    text = exported(segment(two_segments(tmp_path).open(tmp_path), 2), MD, SHORT)
    for line in (
        "- Trigger: auto",
        "- Tokens: 21,000= → 2,100= (−90 %)",
        "- Input of the requests around it: 20,110= → 20,210= (+0 %)",
        "- Took: 41 s",
        "- Summarised: all of it",
        "- Kept: 0 messages",
        '- Also stated: {"mood":"calm"}',
        "- Joined to what stands before by: logicalParentUuid",
        "- Context in tokens: 20,210= at first, 20,210= at most, 20,210= at the end",
    ):
        assert line in text.split("\n")
    assert headings(text)[1:3] == [
        "Segment 2",
        "Summary, written by the model at the compaction · 2026-03-01 09:04:00",
    ]


def test_a_range_starts_without_the_card_of_a_boundary_that_is_not_in_it(tmp_path: Path) -> None:
    sheet = two_segments(tmp_path)
    session = sheet.open(tmp_path)
    rows = whole(session).rows
    uuids = [session.index.uuids[row] or "" for row in rows]
    text = exported(message_range(session, uuids[4], uuids[5]), MD)
    assert "Compaction" not in text and "Apples were counted" not in text
    assert "And the pears?" in text


NASTY = [
    "plain",
    "two\nlines\n\nand more",
    "# Heading\n\nSetext\n===\n\n---\n\n***",
    "```\nan open fence",
    "~~~\nanother",
    "- a\n  - b\n\n      code\n1. c",
    "> a quote\n>> in a quote",
    "    indented code",
    "\tindented by a tab",
    "<script>alert(1)</script>",
    "</details></blockquote><h1>x</h1>",
    "<!-- open",
    "&lt;script&gt; &amp; &#x41;",
    "[a]: http://example.com\n\n[a]",
    "[^1]: a footnote",
    "![tracked](http://example.com/x.png)",
    "[go](javascript:alert(2))",
    "<javascript:alert(1)>",
    "`<b>` is code, `&lt;` too",
    "```html\n<b>\n```",
    "a `` ` `` b ```` c",
    "----\nfront: matter\n----",
    "trailing  \nbreak\\\nhere",
    "*a **b* c** [x] (y) _z_",
    "Vec<String> and a < b",
    "[link](http://example.com) <http://example.com>",
]


@pytest.mark.parametrize("said", NASTY)
def test_what_was_said_comes_back_and_stays_in_its_frame(tmp_path: Path, said: str) -> None:
    sheet = Sheet()
    sheet.prompt(said)
    sheet.reply(said, "and more")
    text = exported(sheet.open(tmp_path), MD)
    assert headings(text)[2:] == [
        "User · 2026-03-01 09:01:00",
        "Assistant · claude-opus-4-8 · 2026-03-01 09:02:00",
    ]
    body = text.split("\n---\n\n", 1)[1]
    lines = body.split("\n")
    given: list[str] = []
    for token in MarkdownIt("commonmark").parse(body):
        if token.level == 0 and token.type == "fence":
            given.append(token.content.removesuffix("\n"))
        if token.level == 0 and token.type == "blockquote_open" and token.map:
            quoted = lines[token.map[0] : token.map[1]]
            given.append("\n".join(q.removeprefix(">").removeprefix(" ") for q in quoted if q))
    assert given == [said, said, "and more"]


@pytest.mark.parametrize(
    ("said", "acts"),
    [
        ("plain", False),
        ("a < b and c > d & e", False),
        ("`<b>` and ``&lt;``", False),
        ("```\n<b>&lt;![x](y)\n[a]: b\n```", False),
        (
            "<http://example.com> [a](https://example.com) [b](mailto:a@example.com) [c](x/y.md#z)",
            False,
        ),
        ("a <b>", True),
        ("Vec<T>", True),
        ("<svg/onload=x>", True),
        ("&amp;", True),
        ("![a](b)", True),
        ("[a]: b", True),
        ("- [a]: b", True),
        ("[a](data:text/html,x)", True),
        ("[a](<vbscript:x>)", True),
        ("<data:x>", True),
        ("`open <b>", True),
        ("a <b> " + "x" * 100_000, True),
    ],
)
def test_only_what_would_act_is_fenced(said: str, acts: bool) -> None:
    assert breaks_out(said) is acts
    assert "".join(prose(said)).startswith("```markdown\n" if acts else "> ")


def test_fences_are_longer_than_what_they_hold_and_their_names_are_names() -> None:
    assert "".join(fence("a ```` b", "py")) == "`````py\na ```` b\n`````\n\n"
    assert "".join(fence("x\n", "a b`")) == "```\nx\n```\n\n"
    assert "".join(fence("", "c++")) == "```c++\n```\n\n"


@pytest.mark.parametrize("words", ["a", "`", "a``b", " x ", "`a", "", "<b> & [c](d)", "\\"])
def test_code_spans_hold_their_words(words: str) -> None:
    (inline,) = (t for t in MarkdownIt("commonmark").parse(code(words)) if t.type == "inline")
    assert inline.children is not None
    (child,) = inline.children
    assert (child.type, child.content) == (("code_inline", words) if words else ("text", "(none)"))


@pytest.mark.parametrize(
    "words", ["*a* _b_ `c`", "[x](y) ![z](w)", "<b>&amp;", "a\\*b", "# h #", "|~$"]
)
def test_escaped_words_are_words(words: str) -> None:
    tokens = MarkdownIt("commonmark").parse(f"said: {escaped(words)}")
    assert tokens[1].children is not None
    assert [child.type for child in tokens[1].children] == ["text"]
    assert tokens[1].children[0].content == f"said: {words}"


def called(folder: Path) -> Sheet:
    sheet = Sheet()
    sheet.prompt("Fix it")
    sheet.reply(
        {"type": "thinking", "thinking": "It must be the rounding.", "signature": "x"},
        "Looking.",
        sheet.call("Read", {"file_path": "/home/ada/orchard/src/sum.py"}, number=1),
        sheet.call("Bash", {"command": "make `all`", "timeout": 5}, number=2),
        sheet.call(
            "Edit", {"file_path": "a.py", "old_string": "a\nb", "new_string": "a\nc"}, number=3
        ),
        sheet.call("Later", {}, number=4),
    )
    sheet.result("1 one\n2 two", number=1)
    sheet.result("```\nboom\n```", number=2, error=True)
    sheet.result([{"type": "text", "text": "done"}], number=3, beside="And hurry, please")
    return sheet


def test_short_calls_are_a_line_each_with_what_came_of_them(tmp_path: Path) -> None:
    text = exported(called(tmp_path).open(tmp_path), MD, SHORT)
    assert "- **Read** `src/sum.py` → 2 lines\n" in text
    assert "- **Bash** `` make `all` `` → failed: \\`\\`\\` boom \\`\\`\\`\n" in text
    assert "- **Edit** `a.py` → done\n" in text
    assert "- **Later** → no result\n" in text
    assert "1 one" not in text and "rounding" not in text
    assert "- blocks of thinking (--thinking writes them): 1\n" in text


def test_full_calls_hold_inputs_and_outputs_in_fences(tmp_path: Path) -> None:
    text = exported(called(tmp_path).open(tmp_path), MD, FULL)
    assert "*Thinking:*\n\n> It must be the rounding.\n" in text
    assert (
        '```json\n{\n  "file_path": "/home/ada/orchard/src/sum.py"\n}\n```\n\n**Result:**' in text
    )
    assert "**Result:**\n\n```text\n1 one\n2 two\n```\n" in text
    assert "````bash\nmake `all`\n````" not in text and "```bash\nmake `all`\n```" in text
    assert "**Failed:**\n\n````text\n```\nboom\n```\n````\n" in text
    assert "```diff\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n```" in text
    assert "*(no result)*" in text
    assert "### User, beside a result · 2026-03-01 09:05:00\n\n> And hurry, please\n" in text


def test_without_tools_only_the_talk_is_left(tmp_path: Path) -> None:
    text = exported(called(tmp_path).open(tmp_path), MD, Options(tools=Tools.NONE))
    assert "> Looking.\n" in text and "And hurry" in text
    assert "Read" not in text and "boom" not in text
    assert "- tool calls: 4\n" in text


def test_a_result_outside_the_part_and_a_call_outside_it_are_said(tmp_path: Path) -> None:
    sheet = called(tmp_path)
    session = sheet.open(tmp_path)
    uuids = [session.index.uuids[row] or "" for row in whole(session).rows]
    before = exported(message_range(session, uuids[0], uuids[1]), MD, SHORT)
    assert "- **Read** `src/sum.py` → its result is not in this part\n" in before
    after = exported(message_range(session, uuids[2], uuids[-1]), MD, SHORT)
    assert (
        "### Tool result · 2026-03-01 09:03:00\n\n- A result of a call outside this part → 2 lines\n"
        in after
    )
    assert "1 one" in exported(message_range(session, uuids[2], uuids[-1]), MD, FULL)


def test_what_the_client_wrote_is_labelled_and_mostly_left_out_of_short_ones(
    tmp_path: Path,
) -> None:
    sheet = Sheet()
    sheet.prompt("<system-reminder>\nBe brief.\n</system-reminder>\nCount the plums")
    sheet.prompt("<local-command-caveat>Not for you.</local-command-caveat>", isMeta=True)
    sheet.prompt("<command-name>/model</command-name>\n<command-args>opus</command-args>")
    sheet.prompt("<local-command-stdout>\x1b[1mSet\x1b[0m to opus</local-command-stdout>")
    sheet.link("attachment", attachment={"type": "file", "displayPath": "a.py"})
    sheet.link("attachment", attachment={"type": "date_change"})
    sheet.link(
        "attachment",
        attachment={"type": "queued_command", "prompt": "Plums too", "commandMode": "prompt"},
    )
    sheet.link("system", subtype="turn_duration", durationMs=3)
    sheet.link(
        "system", subtype="api_error", error={"message": "busy"}, retryAttempt=1, maxRetries=9
    )
    sheet.prompt("[Request interrupted by user]")
    sheet.link("hologram", shape="round")
    sheet.reply("No response requested.", stop=None)
    session = sheet.open(tmp_path)
    short, full = exported(session, MD, SHORT), exported(session, MD, FULL)
    assert "> Count the plums\n" in short and "Be brief" not in short
    assert "`/model opus`\n\n```text\nSet to opus\n```\n" in short
    assert "### User, while the client worked · 2026-03-01 09:07:00\n\n> Plums too\n" in short
    assert "API error\n\n```text\nbusy; try 1 of 9\n```\n" in short
    assert "### Client · 2026-03-01 09:10:00\n\n> \\[Request interrupted" not in short
    assert "> [Request interrupted by user]\n" in short
    for word in ("Not for you", "a.py", "turn", "hologram"):
        assert word not in short
    for line in (
        "- notes that the client put beside a prompt: 1",
        "- notes of the client: 1",
        "- attachments that the client sent along: 2",
        "- records of unknown types: 1",
    ):
        assert line in short.split("\n")
    for words in (
        "Be brief",
        "Not for you",
        "File sent along",
        "Sent along: date change",
        "hologram",
    ):
        assert words in full
    assert "Left out" not in full


def test_images_are_notes_of_their_type_and_size(tmp_path: Path) -> None:
    sheet = Sheet()
    image = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "QUJDRA=="},
    }
    sheet.prompt([{"type": "text", "text": "What is it?"}, image])
    sheet.reply(sheet.call("Shot", {}))
    sheet.result([image, image])
    session = sheet.open(tmp_path)
    assert exported(session, MD, FULL).count("\\[Image: `image/png`, 4 bytes\\]") == 3
    assert "QUJD" not in exported(session, MD, FULL)
    assert "- **Shot** → \\[image/png, 4 bytes\\], \\[image/png, 4 bytes\\]\n" in exported(
        session, MD, SHORT
    )


def test_findings_of_the_part_stand_at_its_end(tmp_path: Path) -> None:
    sheet = two_segments(tmp_path)
    sheet.lines.insert(1, b"damage")
    session = sheet.open(tmp_path)
    line = "- error, damaged\\_line: line 2 holds no record"
    assert line in exported(segment(session, 1), MD).split("\n")
    assert line not in exported(segment(session, 2), MD).split("\n")


def test_no_control_character_leaves_and_tabs_do(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("a\x1b[31mred\x1b[0m \x07bell\x00 \ud83d half \x9b5m\r\nnext\n\tcode")
    text = exported(sheet.open(tmp_path), MD)
    assert "> ared bell \ufffd half \n> next\n> \tcode\n" in text
    assert not set(map(chr, [*range(9), *range(11, 32), *range(127, 160)])) & set(text)


def test_empty_replies_are_there_and_blank_fragments_are_not(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("Go")
    sheet.reply()
    sheet.reply("\n\n", "said")
    text = exported(sheet.open(tmp_path), MD)
    assert text.count("*(empty)*") == 1
    assert text.count("> said") == 1


def test_old_counts_of_output_are_not_trusted(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("Go")
    sheet.reply("one", stop=None)
    sheet.reply("two", stop=None)
    text = exported(sheet.open(tmp_path), MD)
    assert "output – (at least 100: 2 counts taken before the reply was whole)" in text
