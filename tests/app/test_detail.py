"""The detail pane in a small app: blocks, wrapping as seen, limits, place, search."""

from __future__ import annotations

import re
import time

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult

from ccbrowse.core.text import SafeText
from ccbrowse.tui.signs import ASCII, UNICODE, Signs
from ccbrowse.tui.viewtypes import (
    DETAIL_LIMIT,
    Change,
    CodeBlock,
    DetailBlock,
    DetailView,
    DiffBlock,
    DiffLine,
    FactsBlock,
    LinesBlock,
    TextBlock,
    Tone,
    line,
)
from ccbrowse.tui.widgets.detail import Detail


class Host(App[None]):
    def __init__(self, signs: Signs = UNICODE) -> None:
        super().__init__()
        self.detail = Detail(signs=signs)

    def compose(self) -> ComposeResult:
        yield self.detail


def view_of(*blocks: DetailBlock, key: str = "item") -> DetailView:
    return DetailView(
        key, line((SafeText("Edit"), Tone.TOOL), SafeText(" session.py")), blocks=blocks
    )


def screen_of(detail: Detail) -> list[str]:
    return [detail.render_line(y).text.rstrip() for y in range(detail.view_height)]


async def test_blocks_below_one_another() -> None:
    app = Host()
    async with app.run_test(size=(40, 22)):
        app.detail.show(
            DetailView(
                "item",
                line(SafeText("Edit session.py")),
                line((SafeText("0.9 s · line 5,144"), Tone.MUTED)),
                (
                    DiffBlock(
                        (
                            DiffLine(Change.SAME, SafeText("def issue():"), 9),
                            DiffLine(Change.REMOVED, SafeText("    return 1"), 10),
                            DiffLine(Change.ADDED, SafeText("    return 2"), 10),
                            DiffLine(Change.SKIPPED, SafeText("4 lines alike")),
                        )
                    ),
                    CodeBlock(SafeText("x = 1\n\ny = 漢"), "python", 99),
                    TextBlock(
                        SafeText("Words that wrap at blanks when they are long."),
                        cut=SafeText("cut"),
                    ),
                    FactsBlock(
                        (
                            (SafeText("tokens"), line(SafeText("412≈"))),
                            (
                                SafeText("model"),
                                line(SafeText("a name that is longer than its column")),
                            ),
                        )
                    ),
                    LinesBlock((line(SafeText("a line that is cut and not wrapped at the edge")),)),
                ),
            )
        )
        assert screen_of(app.detail) == [
            " Edit session.py",
            " 0.9 s · line 5,144",
            "",
            "  9   def issue():",
            " 10 -     return 1",
            " 10 +     return 2",
            "    @ 4 lines alike",
            "",
            "  99  x = 1",
            " 100",
            " 101  y = 漢",
            "",
            " Words that wrap at blanks when they",
            " are long.",
            " cut",
            "",
            " tokens  412≈",
            " model   a name that is longer than",
            "         its column",
            "",
        ]
        app.detail.action_bottom()
        assert screen_of(app.detail)[-1] == " a line that is cut and not wrapped…"


async def test_code_wraps_by_cells_and_keeps_its_blanks() -> None:
    app = Host()
    async with app.run_test(size=(20, 12)):
        app.detail.show(view_of(CodeBlock(SafeText("if x:    " + "漢" * 12), first_line=1)))
        width = app.detail.line_width
        assert {cell_len(app.detail.render_line(y).text) for y in range(9)} == {width}
        assert screen_of(app.detail)[2:5] == [
            " 1  if x:    漢",
            "    漢漢漢漢漢漢",
            "    漢漢漢漢漢",
        ]


async def test_marks_and_colours_are_drawn() -> None:
    app = Host()
    async with app.run_test(size=(40, 12)):
        text = SafeText("one two\nthree four")
        app.detail.show(view_of(TextBlock(text, marks=((4, 7), (8, 13)))))
        marked = [
            segment.text
            for y in range(app.detail.view_height)
            for segment in app.detail.render_line(y)
            if segment.style is not None and segment.style.underline
        ]
        assert marked == ["two", "three"]
        app.detail.show(view_of(CodeBlock(SafeText("def issue(): pass"), "python"), key="code"))
        styles = {segment.text: segment.style for segment in app.detail.render_line(2)}
        assert styles["def"] != styles["issue"]


@pytest.mark.parametrize("kind", [TextBlock, CodeBlock])
@pytest.mark.parametrize("unit", ["word ", "words here\n", "\n"], ids=ascii)
async def test_thirty_megabytes_do_not_block(unit: str, kind: type[TextBlock | CodeBlock]) -> None:
    text = SafeText(unit * (30_000_000 // len(unit)))
    app = Host()
    async with app.run_test(size=(60, 24)) as pilot:
        began = time.process_time()
        app.detail.show(view_of(kind(text)))
        await pilot.pause()
        assert time.process_time() - began < 1.5
        assert "Edit session.py" in screen_of(app.detail)[0]
        began = time.process_time()
        await pilot.press("G", "pageup", "G")
        assert time.process_time() - began < 1.5
        assert f"{DETAIL_LIMIT:,} of {len(text):,} characters shown" in " ".join(
            screen_of(app.detail)
        )


async def test_a_diff_of_one_long_line_is_cut_and_said() -> None:
    app = Host()
    long = SafeText("x = 1; " * 100_000)
    async with app.run_test(size=(60, 24)) as pilot:
        began = time.process_time()
        app.detail.show(
            view_of(DiffBlock(tuple(DiffLine(Change.ADDED, long, n) for n in range(1, 9))))
        )
        await pilot.press("G")
        assert time.process_time() - began < 1.5
        assert screen_of(app.detail)[-1] == " 1 of 8 lines shown"
        await pilot.press("g")
        assert screen_of(app.detail)[2].startswith(" 1 + x = 1; x = 1;")


async def test_the_place_is_kept_for_the_same_item_only() -> None:
    app = Host()
    text = "\n".join(f"row {number}" for number in range(500))
    async with app.run_test(size=(40, 12)) as pilot:
        app.detail.show(view_of(TextBlock(SafeText(text))))
        await pilot.press("pagedown", "pagedown", "j")
        before = screen_of(app.detail)
        assert before[0] == " row 19"
        app.detail.show(view_of(TextBlock(SafeText(text + "\nmore"))))
        await pilot.pause()
        assert screen_of(app.detail) == before
        app.detail.show(view_of(TextBlock(SafeText(text)), key="other"))
        await pilot.pause()
        assert screen_of(app.detail)[0] == " Edit session.py"
        app.detail.show(None)
        await pilot.pause()
        assert set(screen_of(app.detail)) == {""}
        assert app.detail.key == ""


async def test_resizing_keeps_the_top_line() -> None:
    app = Host()
    text = "\n".join(f"row {number} " + "and words " * 12 for number in range(200))
    async with app.run_test(size=(80, 20)) as pilot:
        app.detail.show(view_of(TextBlock(SafeText(text))))
        app.detail.settle(52, 0)
        await pilot.pause()
        for width in (40, 120, 30, 80):
            await pilot.resize_terminal(width, 20)
            await pilot.pause()
            assert screen_of(app.detail)[0].startswith(" row 50 ")


async def test_finding_goes_round() -> None:
    app = Host()
    text = "\n".join("needle" if number in (100, 300) else "hay" for number in range(500))
    async with app.run_test(size=(40, 12)):
        app.detail.show(view_of(TextBlock(SafeText(text))))
        assert not app.detail.find()
        app.detail.highlight(re.compile("needle"))
        for step, row in ((1, 102), (1, 302), (1, 102), (-1, 302)):
            assert app.detail.find(step)
            assert app.detail.visible_rows[0] == row
        app.detail.highlight(re.compile("nothing"))
        assert not app.detail.find()


async def test_plain_signs() -> None:
    app = Host(ASCII)
    async with app.run_test(size=(40, 12)):
        app.detail.show(view_of(FactsBlock(((SafeText("tokens"), line(SafeText("412≈ ±4 %"))),))))
        assert screen_of(app.detail)[2] == " tokens  412~ +4 %"
