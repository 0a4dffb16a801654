"""The context curve in a small app: any height, any number of segments, clicks."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from ccbrowse.core.text import SafeText
from ccbrowse.tui.signs import ASCII, UNICODE, Signs
from ccbrowse.tui.viewrails import FillSegment, FillView
from ccbrowse.tui.widgets.fill import Fill


class Host(App[None]):
    CSS = "Fill { height: 1fr; border: none; }"

    def __init__(self, view: FillView, signs: Signs = UNICODE) -> None:
        super().__init__()
        self.view = view
        self.fill = Fill(signs=signs)
        self.chosen: list[int] = []

    def compose(self) -> ComposeResult:
        yield self.fill

    def on_mount(self) -> None:
        self.fill.show(self.view)

    def on_fill_chosen(self, message: Fill.Chosen) -> None:
        self.chosen.append(message.number)


VIEW = FillView(
    (
        FillSegment(1, tuple(range(10_000, 90_000, 5_000)), SafeText("1 auto")),
        FillSegment(2, tuple(range(20_000, 60_000, 5_000)), SafeText("2 now"), is_open=True),
    ),
    window=100_000,
    axis=((100_000, SafeText("100k")), (50_000, SafeText("50k"))),
)


def screen_of(fill: Fill) -> list[str]:
    return [fill.render_line(y).text.rstrip() for y in range(fill.size.height)]


async def test_the_curve_as_drawn() -> None:
    app = Host(VIEW)
    async with app.run_test(size=(44, 5)):
        assert screen_of(app.fill) == [
            "100k ┈┈┈┈┈┈┈┈┈┈┈┈┈┈▂▄│┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈",
            "              ▂▄▅▇███│       ▂",
            "50k      ▂▄▅▇████████│  ▂▄▅▇██",
            "     ▄▅▇█████████████│▇███████",
            "     1 auto           2 now",
        ]


async def test_one_line_is_the_curve_alone() -> None:
    app = Host(VIEW)
    async with app.run_test(size=(44, 1)):
        (text,) = screen_of(app.fill)
        assert text[0] == "▁"
        assert text.count("│") == 1
        assert "auto" not in text


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (10, 3), (20, 6), (200, 30)])
async def test_any_size_is_filled_without_a_crash(size: tuple[int, int]) -> None:
    app = Host(VIEW)
    async with app.run_test(size=size):
        for y in range(size[1]):
            assert app.fill.render_line(y).cell_length == size[0]


async def test_more_segments_than_columns_become_one_curve() -> None:
    many = FillView(
        tuple(FillSegment(n, (n * 100, n * 200)) for n in range(1, 400)), window=200_000
    )
    app = Host(many)
    async with app.run_test(size=(60, 6)) as pilot:
        lines = screen_of(app.fill)
        assert "│" not in "".join(lines)
        assert len(lines[-2]) == 60
        await pilot.click(app.fill, offset=(5, 3))
        assert app.chosen == []


async def test_no_window_and_nothing_yet() -> None:
    app = Host(FillView(()))
    async with app.run_test(size=(60, 6)):
        assert set(screen_of(app.fill)) == {""}
        app.fill.show(FillView((FillSegment(1, (5, 10)), FillSegment(2, ()))))
        assert "┈" not in "".join(screen_of(app.fill))
        assert screen_of(app.fill)[-1] == "1"


async def test_a_click_names_the_segment() -> None:
    app = Host(VIEW)
    async with app.run_test(size=(44, 5)) as pilot:
        await pilot.click(app.fill, offset=(8, 3))
        await pilot.click(app.fill, offset=(24, 3))
        await pilot.pause()
        assert app.chosen == [1, 2]


async def test_plain_signs() -> None:
    app = Host(VIEW, ASCII)
    async with app.run_test(size=(44, 5)):
        assert "\n".join(screen_of(app.fill)).isascii()
