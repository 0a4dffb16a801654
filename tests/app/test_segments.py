"""The rail in a small app: layout, cursor by number, clicks, many segments."""

from __future__ import annotations

import time

from textual.app import App, ComposeResult
from textual.message import Message

from ccbrowse.core.text import SafeText
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewrails import RailView, SegmentView
from ccbrowse.tui.viewtypes import Tone, line
from ccbrowse.tui.virtual import VirtualList
from ccbrowse.tui.widgets.segments import Segments


def rail(count: int, *, footer: bool = True) -> RailView:
    return RailView(
        tuple(
            SegmentView(
                number,
                (20_000, 90_000, 160_000),
                line((SafeText("167.0k"), Tone.STRONG), SafeText(" → 31.2k")),
                notes=(line(SafeText("auto · 42 turns · 1 h 12 m")),),
                findings=SafeText("gap after line 2,113, joined" if number == 2 else ""),
                is_open=number == count,
            )
            for number in range(1, count + 1)
        ),
        scale=200_000,
        footer=(line(SafeText("├ 2 branches")),) if footer else (),
    )


class Host(App[None]):
    def __init__(self, view: RailView, signs: Signs = UNICODE) -> None:
        super().__init__()
        self.view = view
        self.rail = Segments(signs=signs)
        self.said: list[Message] = []

    def compose(self) -> ComposeResult:
        yield self.rail

    def on_mount(self) -> None:
        self.rail.show(self.view)

    def on_virtual_list_moved(self, message: Segments.Moved) -> None:
        self.said.append(message)

    def on_virtual_list_opened(self, message: Segments.Opened) -> None:
        self.said.append(message)

    def on_segments_footer_chosen(self, message: Segments.FooterChosen) -> None:
        self.said.append(message)


def screen_of(rail: Segments) -> list[str]:
    return [rail.render_line(y).text.rstrip() for y in range(rail.view_height)]


async def test_the_rail_as_drawn() -> None:
    app = Host(rail(3))
    async with app.run_test(size=(40, 16)):
        assert screen_of(app.rail)[:12] == [
            "  1 ▁▁▄▄▇▇  167.0k → 31.2k",
            "    auto · 42 turns · 1 h 12 m",
            "",
            "  2 ▁▁▄▄▇▇  167.0k → 31.2k",
            "    auto · 42 turns · 1 h 12 m",
            "  ⚠ gap after line 2,113, joined",
            "",
            " ▌3 ▁▁▄▄▇▇  167.0k → 31.2k",
            " ▌  auto · 42 turns · 1 h 12 m",
            "",
            "  ├ 2 branches",
            "",
        ]


async def test_moves_end_before_the_footer_and_are_told_by_number() -> None:
    app = Host(rail(12))
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.press("g", "j", "G", "j", "k", "enter")
        await pilot.pause()
        moves = [said.key for said in app.said if isinstance(said, VirtualList.Moved)]
        assert app.rail.cursor_key == "11"
        assert moves[-1] == "11"
        assert [s.key for s in app.said if isinstance(s, VirtualList.Opened)] == ["11"]
        assert "11 ▁▁▄▄▇▇" in "\n".join(screen_of(app.rail))


async def test_clicks_choose_a_segment_or_the_footer() -> None:
    app = Host(rail(3))
    async with app.run_test(size=(40, 16)) as pilot:
        await pilot.click(app.rail, offset=(6, 5))
        assert app.rail.cursor_key == "2"
        await pilot.click(app.rail, offset=(6, 11))
        await pilot.pause()
        assert app.rail.cursor_key == "2"
        assert isinstance(app.said[-1], Segments.FooterChosen)


async def test_it_can_be_pointed_without_a_message() -> None:
    app = Host(rail(3))
    async with app.run_test(size=(40, 16)) as pilot:
        await pilot.pause()
        app.said.clear()
        with app.rail.prevent(VirtualList.Moved):
            assert app.rail.go_to("1")
        assert not app.rail.go_to("9")
        await pilot.pause()
        assert app.rail.cursor_key == "1"
        assert app.said == []


async def test_a_new_segment_leaves_the_cursor_and_the_view_alone() -> None:
    app = Host(rail(400))
    async with app.run_test(size=(40, 16)) as pilot:
        app.rail.go_to("200")
        await pilot.pause()
        before = screen_of(app.rail)
        began = time.process_time()
        app.rail.show(rail(401))
        assert time.process_time() - began < 0.2
        await pilot.pause()
        assert app.rail.cursor_key == "200"
        assert screen_of(app.rail) == before


async def test_no_segments() -> None:
    app = Host(RailView(()))
    async with app.run_test(size=(40, 16)) as pilot:
        await pilot.press("j", "k", "G", "enter")
        await pilot.click(app.rail, offset=(6, 5))
        assert app.rail.cursor_key == ""
        assert set(screen_of(app.rail)) == {""}
