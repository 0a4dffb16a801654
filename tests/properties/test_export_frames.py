"""Whatever a text holds, an export's frame stands: in Markdown, HTML, JSON, plain text and names."""

from __future__ import annotations

import html
import json
import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from exporting import FULL, SHORT, Page, Sheet, copied, exported
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from ccbrowse.core.export import Form, Options, Part, default_name, segment, whole
from ccbrowse.core.export.commonmark import code, escaped, fence, prose
from ccbrowse.core.export.options import safe_text
from ccbrowse.core.export.rendering import coloured, rendered
from ccbrowse.core.export.story import Opening, Story

SIGNS = st.sampled_from(
    [
        *(
            "`",
            "```",
            "~~~",
            "#",
            "> ",
            "- ",
            "1. ",
            "\n",
            "\n\n",
            "    ",
            "\t",
            "---",
            "===",
            "|",
            "*",
        ),
        *(
            "<",
            ">",
            "&",
            '"',
            "'",
            "\\",
            "[",
            "]",
            "(",
            ")",
            "!",
            ":",
            "<b>",
            "</pre>",
            "<!--",
            "-->",
        ),
        *(
            "<script>",
            "</details>",
            "&lt;",
            "&#60;",
            "[a]: b",
            "![a](b)",
            "](javascript:x)",
            "<a:b>",
        ),
        *(
            "http://a.example",
            "_",
            "~~",
            "\x1b[31m",
            "\x9b",
            "\x00",
            "\r",
            "\u2028",
            "\u202e",
            "\ud83d",
        ),
        *("$", "{{", "%}", "---\nfront: matter\n---", "[^1]:", "<?", "<![CDATA["),
    ]
)
TEXTS = st.lists(SIGNS | st.text(max_size=6), max_size=14).map("".join)
LINES = TEXTS.map(lambda text: " ".join(safe_text(text).split()))

ACTING = {"html_block", "html_inline", "image"}
COMMONMARK = MarkdownIt("commonmark")


def tokens_of(text: str) -> list[Token]:
    """Every token of a text, inner ones too."""
    return [inner for token in COMMONMARK.parse(text) for inner in (token, *(token.children or ()))]


def everywhere(text: str) -> Sheet:
    """A session with a text in every place that an export shows."""
    sheet = Sheet()
    sheet.prompt(text, cwd=text, version=text)
    sheet.reply(
        {"type": "thinking", "thinking": text},
        text,
        sheet.call(text, {"command": text, text: text, "old_string": text, "new_string": "x"}),
        {"type": text, "raw": text},
    )
    sheet.result(text, beside=text)
    sheet.link("attachment", attachment={"type": "queued_command", "prompt": text})
    sheet.link("attachment", attachment={"type": text, "content": text})
    sheet.link("system", subtype="informational", content=text)
    sheet.prompt(f"<command-name>{text}</command-name>")
    sheet.boundary(text, trigger=text, mood=text)
    sheet.side("custom-title", customTitle=text)
    return sheet


def opened(sheet: Sheet, folder: str) -> Part:
    """The whole session of a sheet."""
    return whole(sheet.open(Path(folder)))


def told(part: Part, options: Options) -> list[str]:
    """How the headings of a part begin."""
    return [
        f"Segment {event.segment.number}" if isinstance(event, Opening) else event.voice.value
        for event in Story(part, options)
    ]


def same_beginnings(heads: list[str], beginnings: list[str]) -> bool:
    """Whether headings are as many as their beginnings, and begin so."""
    return len(heads) == len(beginnings) and all(map(str.startswith, heads, beginnings))


@given(TEXTS, st.sampled_from([FULL, SHORT]))
@settings(max_examples=60)
def test_the_headings_of_markdown_are_the_frames(text: str, options: Options) -> None:
    with TemporaryDirectory() as folder:
        part = opened(everywhere(text), folder)
        got = exported(part, Form.MARKDOWN, options)
        beginnings = told(part, options)
        part.session.close()
    body = got.split("\n---\n\n", 1)[1]
    tokens = COMMONMARK.parse(body)
    heads = [
        tokens[at + 1].content
        for at, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0
    ]
    foot = [head for head in heads[-2:] if head in ("Findings", "Left out")]
    assert same_beginnings(heads[1 : len(heads) - len(foot)], beginnings)
    assert not {token.type for token in tokens_of(body)} & ACTING
    assert not set(map(chr, [*range(9), *range(11, 32), *range(127, 160)])) & set(got)


@given(TEXTS.map(safe_text))
def test_a_quoted_or_fenced_message_comes_back(text: str) -> None:
    shown = "".join(prose(text))
    environment: dict[str, object] = {}
    tokens = COMMONMARK.parse(f"before\n\n{shown}## after\n", environment)
    top = [token for token in tokens if token.level == 0]
    assert tokens[-2].content == "after" and tokens[-2].level == 1
    assert not environment.get("references")
    assert not {token.type for token in tokens_of(shown)} & ACTING
    if shown.startswith(">"):
        assert top[2].type == "blockquote_open"
        lines = shown.removesuffix("\n\n").split("\n")
        assert "\n".join(line[1:].removeprefix(" ") for line in lines) == text
        assert [t.type for t in tokens[4:-4]] == [t.type for t in COMMONMARK.parse(text)]
    else:
        assert top[2].type == "fence"
        assert top[2].content in (text, text + "\n")


@given(TEXTS.map(safe_text))
def test_a_fence_gives_back_what_it_holds(text: str) -> None:
    (token,) = COMMONMARK.parse("".join(fence(text, "text")))
    assert token.type == "fence"
    assert token.content == (text if text.endswith("\n") or not text else text + "\n")


@given(LINES)
def test_words_in_a_line_are_words(line: str) -> None:
    spans = COMMONMARK.parse(f"- x {code(line)} y")[3].children
    assert spans is not None
    assert [s.content for s in spans if s.type == "code_inline"] == ([line] if line else [])
    words = COMMONMARK.parse(f"said: {escaped(line)}.")[1].children
    assert words is not None
    assert "".join(word.content for word in words) == f"said: {line}."
    assert {word.type for word in words} == {"text"}


@given(TEXTS, st.sampled_from([FULL, SHORT]))
@settings(max_examples=60)
def test_html_has_the_elements_of_the_frame_alone(text: str, options: Options) -> None:
    with TemporaryDirectory() as folder:
        got = exported(opened(everywhere(text), folder), Form.HTML, options)
    page = Page(got)
    assert "script" not in page.tags and "img" not in page.tags
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    for name, value in page.attributes:
        if name in ("href", "src"):
            assert re.fullmatch(r"#(main|end|s\d+|m\d+)|https?://[^\s\"<>]+", value or "")
    assert safe_text(text) in page.text, "as it was typed"
    assert not set(map(chr, [*range(9), *range(11, 32), *range(127, 160)])) & set(got)


@given(TEXTS.map(safe_text))
def test_rendered_markdown_has_known_elements(text: str) -> None:
    page = Page(str(rendered(text)))
    known = "p em strong s a code pre blockquote ul ol li hr br table thead tbody tr th td h4 h5 h6 span"
    assert set(page.tags) <= set(known.split())
    assert {name for name, _ in page.attributes} <= {"href", "rel", "start", "style", "class"}


@given(TEXTS.map(safe_text), st.sampled_from(["python", "diff", "json", "bash", "html", "rust"]))
def test_colours_change_no_letter(text: str, language: str) -> None:
    assert html.unescape(re.sub(r"</?span[^<>]*>", "", str(coloured(text, language)))) == text


@given(TEXTS)
@settings(max_examples=60)
def test_json_and_text_hold_their_frames(text: str) -> None:
    with TemporaryDirectory() as folder:
        part = opened(everywhere(text), folder)
        got = json.loads(exported(part, Form.JSON))
        lines = exported(part, Form.TEXT).split("\n")
        beginnings = [each for each in told(part, FULL) if not each.startswith("Segment")]
        part.session.close()
    whole_pairs = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert got["messages"][0]["content"] in (
        whole_pairs,
        re.sub("[\ud800-\udfff]", "\ufffd", text),
    )
    heads = [line.partition("] ")[2] for line in lines if line.startswith("[2026-")]
    assert same_beginnings(heads, beginnings)


@given(TEXTS)
@settings(max_examples=60)
def test_a_name_from_any_title_is_one_safe_name(text: str) -> None:
    sheet = Sheet()
    sheet.prompt("x")
    sheet.side("custom-title", customTitle=text)
    with TemporaryDirectory() as folder:
        session = sheet.open(Path(folder))
        name = default_name(segment(session), "markdown", SHORT)
        session.close()
    assert len(os.fsencode(name)) <= 100 and Path(name).name == name
    assert re.fullmatch(r"[^\W_][^/\\:*?\"<>|\x00-\x1f]*\.seg1\.md", name) and ".." not in name


@given(st.lists(st.binary(max_size=40).map(lambda line: line.replace(b"\n", b"")), max_size=8))
def test_the_whole_file_is_copied_whatever_its_bytes(lines: list[bytes]) -> None:
    sheet = Sheet()
    sheet.prompt("x")
    sheet.lines += lines
    with TemporaryDirectory() as folder:
        part = opened(sheet, folder)
        assert copied(part) == b"".join(line + b"\n" for line in sheet.lines)
        same = Options(clean=lambda text: text)
        assert copied(part, same) == b"".join(line + b"\n" for line in sheet.lines)
        assert copied(segment(part.session)).startswith(sheet.lines[0] + b"\n")
