"""HTML: one page that runs nothing, fetches nothing, and shows every text as it was written."""

from __future__ import annotations

import base64
import html
import re
from pathlib import Path

import pytest
from exporting import FULL, SHORT, Page, Sheet, exported

from ccbrowse.core.export import Form, Options, Tools, segment, whole
from ccbrowse.core.export.html import curve_of
from ccbrowse.core.export.htmlpieces import MAX_IMAGE, MAX_SHEET, image_address
from ccbrowse.core.export.rendering import (
    MAX_RENDERED,
    coloured,
    is_safe_link,
    plain,
    rendered,
)
from ccbrowse.core.records import Image

HTML = Form.HTML
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(22)).decode()
HOSTILE = (
    '</pre></code></details><script>alert(1)</script><img src=x onerror="a()"><!-- & &lt;b&gt; "q\' '
    "</title></style>"
)
FRAME = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "a",
        "header",
        "h1",
        "p",
        "dl",
        "div",
        "dt",
    ),
    *("dd", "nav", "h2", "ol", "li", "span", "main", "section", "article", "h3", "time", "footer"),
    *("ul", "b", "code", "pre", "details", "summary"),
}


def hostile_everywhere() -> Sheet:
    sheet = Sheet()
    sheet.side("custom-title", customTitle=HOSTILE)
    sheet.prompt(HOSTILE, version=HOSTILE, cwd=f"/x/{HOSTILE}")
    sheet.reply(
        {"type": "thinking", "thinking": HOSTILE},
        HOSTILE,
        sheet.call(HOSTILE, {HOSTILE: HOSTILE, "two": f"{HOSTILE}\n{HOSTILE}"}),
        {"type": HOSTILE, "x": HOSTILE},
    )
    sheet.result(HOSTILE, error=True, beside=HOSTILE)
    sheet.prompt(f"<command-name>{HOSTILE}</command-name>")
    sheet.prompt(f"<local-command-stdout>{HOSTILE}</local-command-stdout>")
    sheet.boundary(HOSTILE, trigger=HOSTILE, mood=HOSTILE)
    sheet.link("attachment", attachment={"type": HOSTILE, "content": HOSTILE})
    return sheet


@pytest.mark.parametrize("options", [FULL, SHORT])
def test_no_element_or_attribute_is_the_datas(tmp_path: Path, options: Options) -> None:
    page = Page(exported(hostile_everywhere().open(tmp_path), HTML, options))
    assert set(page.tags) <= FRAME
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    links = [value for name, value in page.attributes if name in ("href", "src")]
    assert links and all(re.fullmatch(r"#(main|end|s\d+|m\d+)", link or "") for link in links)
    assert page.text.count("<script>alert(1)</script>") >= 7
    assert "&lt;b&gt;" in page.text


def test_the_page_allows_itself_nothing(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("Go")
    text = exported(sheet.open(tmp_path), HTML)
    policy = next(
        value for name, value in Page(text).attributes if value and "default-src" in value
    )
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:;")
    assert "<script" not in text and "http://" not in text and "https://" not in text
    assert "prefers-color-scheme: dark" in text and "@media print" in text


def test_segments_are_in_the_contents_with_their_cards_and_curves(tmp_path: Path) -> None:
    sheet = Sheet()
    for number in range(3):
        sheet.prompt(f"question {number}")
        sheet.reply(f"answer {number}")
        sheet.reply("more")
        if number < 2:
            sheet.boundary(f"summary {number}")
    session = sheet.open(tmp_path)
    text = exported(session, HTML)
    assert re.findall(r'<li><a href="#(s\d)">Segment', text) == ["s1", "s2", "s3"]
    assert re.findall(r'<section class="opening" id="(s\d)">', text) == ["s1", "s2", "s3"]
    assert text.count('<div class="boundary">') == 2 and text.count("<svg ") == 3
    assert "<dd>21,000= → 2,100= (−90 %)</dd>" in text
    assert "Context over 2 requests: 20,110= at first" in text
    one = exported(segment(session, 2), HTML)
    assert "answer 1" in one and "answer 0" not in one and "answer 2" not in one


def test_a_persons_words_are_shown_as_typed_a_replys_as_markdown(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("*as*\n  typed")
    sheet.reply("# As\n\n*Markdown* with `code`\n\n| a |\n|---|\n| 1 |")
    text = exported(sheet.open(tmp_path), HTML)
    assert '<div class="typed">*as*\n  typed</div>' in text
    assert "<h4>As</h4>\n<p><em>Markdown</em> with <code>code</code></p>\n<table>" in text


def test_tool_output_is_folded_and_a_short_export_has_a_line_for_it(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("Go")
    sheet.reply(sheet.call("Bash", {"command": "ls"}))
    sheet.result("a\nb")
    session = sheet.open(tmp_path)
    full = exported(session, HTML, FULL)
    folded = '<summary><b>Bash</b> <code>ls</code> <span class="outcome">→ 2 lines</span></summary>'
    assert f'<details class="tool">{folded}' in full
    assert "<pre><code>a\nb</code></pre>" in full
    short = exported(session, HTML, SHORT)
    assert "<details" not in short and '<span class="outcome">→ 2 lines</span></p>' in short
    assert "Bash" not in exported(session, HTML, Options(tools=Tools.NONE))


def test_images_are_shown_where_they_are_what_they_say(tmp_path: Path) -> None:
    sheet = Sheet()
    source = {"type": "base64", "media_type": "image/png", "data": PNG}
    sheet.prompt([{"type": "text", "text": "See"}, {"type": "image", "source": source}])
    page = Page(exported(sheet.open(tmp_path), HTML))
    assert ("src", f"data:image/png;base64,{PNG}") in page.attributes
    assert ("alt", "image/png, 30 bytes") in page.attributes


@pytest.mark.parametrize(
    ("media_type", "data", "size"),
    [
        ("image/svg+xml", PNG, 30),
        ("image/jpeg", PNG, 30),
        ("image/png", None, 0),
        ("image/png", PNG, MAX_IMAGE + 1),
        ("image/png", PNG + '"><script>', 30),
        ("image/png", PNG[:-1], 30),
        ("image/png", "!!!!", 3),
        ("text/html", PNG, 30),
    ],
)
def test_other_images_are_notes(media_type: str, data: str | None, size: int) -> None:
    assert image_address(Image(media_type, size, data)) == ""


def test_wrapped_data_is_joined() -> None:
    wrapped = "\n".join(PNG[at : at + 20] for at in range(0, len(PNG), 20))
    assert image_address(Image("image/png", 30, wrapped)) == f"data:image/png;base64,{PNG}"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("plain & simple", "<p>plain &amp; simple</p>\n"),
        ("just words", "<p>just words</p>\n"),
        ("[a](javascript:b)", "<p>[a](javascript:b)</p>\n"),
        ("[a](DATA:text/html,b)", "<p>[a](DATA:text/html,b)</p>\n"),
        ("[a](//evil.example)", "<p>[a](//evil.example)</p>\n"),
        ("![a](http://b.example/c.png)", None),
        ("&lt;b&gt;", "<p>&amp;lt;b&amp;gt;</p>\n"),
        ("<b onclick='x'>y</b>", "<p>&lt;b onclick='x'&gt;y&lt;/b&gt;</p>\n"),
        ("[r]: http://a.example\n\n[r]", "<p>[r]: http://a.example</p>\n<p>[r]</p>\n"),
        ('```x" onclick="y\na\n```', "<pre><code>a\n</code></pre>\n"),
        ("###### six", "<h6>six</h6>\n"),
        ("    code", "<pre><code>code\n</code></pre>\n"),
    ],
)
def test_markdown_brings_no_element_or_address_of_its_own(said: str, shown: str | None) -> None:
    got = rendered(said)
    assert "<img" not in got
    if shown is not None:
        assert got.replace("&#39;", "'").replace("&#x27;", "'") == shown


def test_links_go_to_the_web_or_to_mail_by_their_address_alone() -> None:
    shown = rendered('[a](http://b.example/?c="d&e "title")')
    href = "http://b.example/?c=%22d&amp;e"
    assert shown == f'<p><a href="{href}" rel="noopener noreferrer nofollow">a</a></p>\n'
    for url in (
        "http://a.example",
        "https://a.example/x",
        "mailto:a@b.example",
        "HTTPS://A.example",
    ):
        assert is_safe_link(url)
    for url in (
        "",
        "a/b",
        "//a",
        "http:",
        "javascript:x",
        "data:,x",
        "file:///x",
        "http://[",
        "ftp://a",
    ):
        assert not is_safe_link(url)


@pytest.mark.parametrize(
    "text",
    ["x" * (MAX_RENDERED + 1), "[" * 6_000, "> " * 40 + "deep", "\n" + " " * 90 + "- deep"],
)
def test_what_would_take_too_long_or_be_lost_is_shown_as_written(text: str) -> None:
    assert rendered(text) == plain(text)
    assert Page(str(plain(text))).text.strip("\n") == text.strip("\n")


@pytest.mark.parametrize(
    "language", ["python", "json", "diff", "bash", "html", "", "no-such", 'py"><b>']
)
@pytest.mark.parametrize(
    "text", ["a = 1\n", "\n\n  <b>&amp;</b>", "+x\n-y\n@@ 1 @@", "\t'open", ""]
)
def test_colours_change_no_letter(text: str, language: str) -> None:
    bare = re.sub(r"</?span[^<>]*>", "", str(coloured(text, language)))
    assert html.unescape(bare) == text
    assert re.findall(r"<(?!/?span)", str(coloured(text, language))) == []


def test_long_code_is_not_coloured() -> None:
    assert "<span" in coloured("x = 1", "python")
    assert "<span" not in coloured("x = 1\n" * 4_000, "python")


def test_long_output_is_cut_and_says_so(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("Go")
    sheet.reply(sheet.call("Bash", {"command": "yes"}))
    sheet.result("y" * (MAX_SHEET + 5))
    text = exported(sheet.open(tmp_path), HTML)
    assert "(300,000 of 300,005 characters; other formats hold the rest)" in text
    assert text.count("y" * 1000) and len(text) < MAX_SHEET + 30_000


def test_a_curve_has_a_few_hundred_points_and_keeps_its_peak() -> None:
    assert curve_of([5]) is None
    curve = curve_of([0] * 500 + [900] + [0] * 499)
    assert curve is not None
    points = [tuple(map(float, point.split(","))) for point in curve.line.split()]
    assert len(points) <= 300 and min(y for _, y in points) == 2.0
    assert points[0] == (0.0, 60.0) and points[-1][0] == 600.0
    zero = curve_of([0, 0])
    assert zero is not None and zero.line == "0.0,60.0 600.0,60.0"


def test_what_the_foot_says(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("Go")
    assert "none, and nothing" in exported(whole(sheet.open(tmp_path)), HTML)
    sheet.prompt("x", isMeta=True)
    sheet.raw(b"damage")
    text = exported(whole(sheet.open(tmp_path)), HTML, SHORT)
    assert "<li>error, damaged_line: line 3 holds no record</li>" in text
    assert "<li>Left out: notes of the client: 1</li>" in text
