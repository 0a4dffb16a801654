"""The timeline in a small app: rows by number, position by key, following, clicks."""

from __future__ import annotations

import random
import re
import time
from dataclasses import dataclass, field

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.events import MouseScrollUp
from textual.message import Message

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.signs import ASCII, UNICODE, Signs
from ccbrowse.tui.viewtypes import BoundaryRow, Entry, Outcome, Role, Row, Tone, line
from ccbrowse.tui.widgets.timeline import Timeline


@dataclass
class Rows:
    """A source of numbered rows; `made` remembers which were asked for."""

    keys: list[str]
    words: dict[str, str] = field(default_factory=dict)
    made: set[int] = field(default_factory=set)

    def __len__(self) -> int:
        return len(self.keys)

    def row(self, index: int) -> Row:
        self.made.add(index)
        key = self.keys[index]
        text = self.words.get(key, f"words of {key}")
        if text == "boundary":
            return BoundaryRow(
                key,
                SafeText("compact 3"),
                SafeText("manual"),
                SafeText("98,214="),
                SafeText("22,040="),
                SafeText("−78 %"),
                SafeText("41 s"),
                notes=(
                    line(SafeText("the next request weighed "), (SafeText("57,902="), Tone.STRONG)),
                ),
            )
        return Entry(
            key,
            Role.TOOL,
            SafeText("Read"),
            display_text(text, newlines=True),
            time=SafeText("10:02"),
            facts=line(SafeText("4.1k≈")),
            outcome=Outcome.FAILED if index % 10 == 3 else Outcome.NONE,
            lines=3 if len(text) > 20 else 1,
        )

    def key(self, index: int) -> str:
        return self.keys[index]

    def index(self, key: str) -> int | None:
        try:
            return self.keys.index(key)
        except ValueError:
            return None


def numbered(count: int, **words: str) -> Rows:
    return Rows([f"k{number}" for number in range(count)], words)


class Host(App[None]):
    """Shows one timeline and keeps what it says."""

    def __init__(self, source: Rows, signs: Signs = UNICODE) -> None:
        super().__init__()
        self.timeline = Timeline(source, signs=signs)
        self.said: list[Message] = []

    def compose(self) -> ComposeResult:
        yield self.timeline

    def on_virtual_list_moved(self, message: Timeline.Moved) -> None:
        self.said.append(message)

    def on_virtual_list_opened(self, message: Timeline.Opened) -> None:
        self.said.append(message)

    def on_timeline_follow_changed(self, message: Timeline.FollowChanged) -> None:
        self.said.append(message)

    def on_timeline_range_changed(self, message: Timeline.RangeChanged) -> None:
        self.said.append(message)


def screen_of(timeline: Timeline) -> list[str]:
    """The lines of the view as text."""
    return [timeline.render_line(y).text for y in range(timeline.view_height)]


def line_of(timeline: Timeline, words: str) -> int:
    return next(y for y, text in enumerate(screen_of(timeline)) if words in text)


async def test_only_rows_in_view_are_made() -> None:
    source = numbered(200_000)
    began = time.process_time()
    app = Host(source)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert len(source.made) < 60
        await pilot.press("G")
        await pilot.pause()
        assert app.timeline.cursor_key == "k199999"
        assert "words of k199999" in screen_of(app.timeline)[-1]
        assert len(source.made) < 120
    assert time.process_time() - began < 5


async def test_a_hundred_thousand_rows_added_one_by_one_cost_little() -> None:
    source = numbered(100_000)
    app = Host(source)
    async with app.run_test(size=(80, 24)) as pilot:
        app.timeline.follow()
        await pilot.pause()
        began = time.process_time()
        for number in range(200):
            source.keys.append(f"new{number}")
            app.timeline.grown()
        assert (time.process_time() - began) / 200 < 0.02
        await pilot.pause()
        assert "words of new199" in screen_of(app.timeline)[-1]
        assert app.timeline.cursor_key == "new199"


async def test_columns_line_up_with_wide_words() -> None:
    source = numbered(
        4, k0="漢字の表 を 並べる", k1="e\u0301e\u0301", k2="family 👨‍👩‍👧 end", k3="plain"
    )
    app = Host(source)
    async with app.run_test(size=(60, 12)):
        lines = screen_of(app.timeline)
        width = app.timeline.line_width
        assert {cell_len(text) for text in lines} == {width}
        assert lines[0].startswith(" ▌10:02 ▪ Read       漢字の表 を 並べる  4.1k≈ ")
        assert lines[3].startswith("  10:02 ✗ Read       plain  4.1k≈")


async def test_long_words_wrap_and_are_measured_when_seen() -> None:
    source = numbered(300, k5="many words " * 40, k200="many words " * 40)
    app = Host(source)
    async with app.run_test(size=(60, 12)) as pilot:
        assert app.timeline.heights.total == 302
        await pilot.press("j", "j", "j", "j", "j")
        lines = screen_of(app.timeline)
        first = line_of(app.timeline, "▌10:02 ▪ Read       many words")
        assert lines[first + 1].startswith(" ▌" + " " * 19 + "many words")
        assert lines[first + 2].rstrip().endswith("…  4.1k≈")
        assert "words of k6" in lines[first + 3]


async def test_a_boundary_is_a_rule_with_its_numbers_and_lines() -> None:
    app = Host(numbered(3, k1="boundary"))
    async with app.run_test(size=(76, 12)) as pilot:
        lines = screen_of(app.timeline)
        assert lines[1].startswith("  ━━ compact 3 ━ manual ━ 98,214= → 22,040= ━ −78 % ━ 41 s ━━━")
        assert lines[1].endswith("━ ")
        assert lines[2].startswith("  │ the next request weighed 57,902= ")
        assert lines[3].startswith("  ╰─ ")
        await pilot.resize_terminal(44, 12)
        await pilot.pause()
        assert screen_of(app.timeline)[1].startswith("  ━━ compact 3 ━ 98,214= → 22,040= ━━")
        assert "41 s" not in screen_of(app.timeline)[1]


async def test_plain_signs_are_ascii() -> None:
    app = Host(numbered(5, k1="boundary"), ASCII)
    async with app.run_test(size=(80, 12)):
        text = "\n".join(screen_of(app.timeline))
        assert text.isascii()
        assert ">10:02 - Read" in text
        assert "== compact 3 = manual = 98,214= > 22,040= = -78 % = 41 s ==" in text


async def test_replacing_rows_keeps_the_cursor_and_its_line() -> None:
    everything = numbered(1000)
    app = Host(everything)
    async with app.run_test(size=(80, 24)) as pilot:
        app.timeline.go_to("k500", middle=True)
        await pilot.pause()
        at = line_of(app.timeline, "words of k500 ")
        half = Rows([key for number, key in enumerate(everything.keys) if number % 2 == 0])
        app.timeline.replace_rows(half)
        await pilot.pause()
        assert app.timeline.cursor_key == "k500"
        assert line_of(app.timeline, "words of k500 ") == at
        app.timeline.replace_rows(everything)
        await pilot.pause()
        assert app.timeline.cursor_key == "k500"
        assert line_of(app.timeline, "words of k500 ") == at
        without = Rows([key for key in everything.keys if key != "k500"])
        app.timeline.replace_rows(without)
        await pilot.pause()
        assert app.timeline.cursor_key == "k501"
        assert line_of(app.timeline, "words of k501 ") == at
        app.timeline.replace_rows(Rows([]))
        await pilot.pause()
        assert app.timeline.cursor_key == ""
        app.timeline.replace_rows(everything)
        assert app.timeline.cursor_key == "k0"


async def test_rows_measured_above_do_not_move_what_is_read() -> None:
    source = numbered(400, **{f"k{number}": "long words here " * 12 for number in range(0, 400, 3)})
    app = Host(source)
    async with app.run_test(size=(70, 20)) as pilot:
        app.timeline.move_to(300)
        await pilot.pause()
        app.timeline.scroll_to(y=app.timeline.heights.top(300), animate=False)
        await pilot.pause()
        above = screen_of(app.timeline)
        for _ in range(30):
            app.timeline.scroll_relative(y=-1, animate=False)
            await pilot.pause()
            lines = screen_of(app.timeline)
            assert lines[1:] == above[:-1]
            above = lines


async def test_resizing_keeps_the_cursor_in_its_line() -> None:
    source = numbered(400, **{f"k{number}": "long words here " * 9 for number in range(0, 400, 2)})
    app = Host(source)
    async with app.run_test(size=(100, 24)) as pilot:
        app.timeline.go_to("k201", middle=True)
        await pilot.pause()
        at = line_of(app.timeline, "words of k201 ")
        for width in (60, 120, 44, 100):
            await pilot.resize_terminal(width, 24)
            await pilot.pause()
            assert line_of(app.timeline, "words of k201 ") == at
            assert {cell_len(text) for text in screen_of(app.timeline)} == {app.timeline.line_width}
        await pilot.resize_terminal(20, 6)
        await pilot.pause()
        assert app.timeline.cursor_key == "k201"


async def test_a_move_up_pauses_and_rows_are_counted_until_it_follows_again() -> None:
    source = numbered(100)
    app = Host(source)
    async with app.run_test(size=(80, 24)) as pilot:
        timeline = app.timeline
        timeline.caption = SafeText("212 turns")
        await pilot.press("F")
        await pilot.pause()
        assert timeline.following
        source.keys.append("n1")
        timeline.grown()
        await pilot.pause()
        assert timeline.cursor_key == "n1"
        assert timeline.notice == ""
        await pilot.press("k")
        assert not timeline.following
        source.keys += ["n2", "n3"]
        timeline.grown()
        await pilot.pause()
        assert timeline.unread == 2
        assert timeline.notice == "❚❚ paused · 2 new ↓"
        assert "❚❚ paused · 2 new ↓ · 212 turns" in str(timeline._border_subtitle)
        assert timeline.cursor_key == "k99"
        changes = [said for said in app.said if isinstance(said, Timeline.FollowChanged)]
        assert (changes[-1].following, changes[-1].unread) == (False, 2)
        await pilot.press("end")
        await pilot.pause()
        assert (timeline.following, timeline.unread, timeline.cursor_key) == (True, 0, "n3")


@pytest.mark.parametrize("how", ["wheel", "home", "F", "click", "pageup", "search"])
async def test_what_pauses(how: str) -> None:
    app = Host(numbered(100))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("G")
        assert app.timeline.following
        match how:
            case "wheel":
                app.timeline.post_message(
                    MouseScrollUp(app.timeline, 5, 5, 0, 0, 0, False, False, False)
                )
                await pilot.pause()
            case "click":
                await pilot.click(app.timeline, offset=(10, 5))
            case "search":
                app.timeline.pause()
            case key:
                await pilot.press(key)
        assert not app.timeline.following


async def test_resizing_does_not_pause() -> None:
    app = Host(numbered(100))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("G")
        await pilot.resize_terminal(80, 40)
        await pilot.pause()
        await pilot.resize_terminal(60, 12)
        await pilot.pause()
        assert app.timeline.following
        assert "words of k99" in screen_of(app.timeline)[-1]


async def test_click_moves_and_double_click_or_enter_opens() -> None:
    app = Host(numbered(100))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.click(app.timeline, offset=(10, 5))
        await pilot.pause()
        assert app.timeline.cursor_key == "k4"
        assert [said.key for said in app.said if isinstance(said, Timeline.Moved)][-1] == "k4"
        assert not any(isinstance(said, Timeline.Opened) for said in app.said)
        await pilot.click(app.timeline, offset=(10, 7), times=2)
        await pilot.press("j", "enter")
        await pilot.pause()
        assert [said.key for said in app.said if isinstance(said, Timeline.Opened)] == ["k6", "k7"]


async def test_moves() -> None:
    app = Host(numbered(100))
    async with app.run_test(size=(80, 24)) as pilot:
        view = app.timeline.view_height
        keys = []
        for key in ("j", "down", "k", "pagedown", "ctrl+d", "ctrl+u", "space", "pageup", "g"):
            await pilot.press(key)
            keys.append(app.timeline.cursor)
        half = round(view / 2)
        one = 1 + view
        assert keys == [1, 2, 1, one, one + half, one, one + view, one, 0]


async def test_a_move_begins_at_the_edge_when_the_cursor_is_out_of_view() -> None:
    app = Host(numbered(1000))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.timeline.scroll_to(y=500, animate=False)
        await pilot.pause()
        await pilot.press("j")
        assert app.timeline.cursor == 500


async def test_a_range_is_chosen_with_a_bar_and_told() -> None:
    app = Host(numbered(100))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("j", "v", "j", "j")
        await pilot.pause()
        assert app.timeline.chosen == range(1, 4)
        bars = [text[1] for text in screen_of(app.timeline)[:5]]
        assert bars == [" ", "┃", "┃", "▌", " "]
        ranges = [said for said in app.said if isinstance(said, Timeline.RangeChanged)]
        assert (ranges[-1].first, ranges[-1].last) == ("k1", "k3")
        app.timeline.replace_rows(Rows(["k0", "x", "k1", "k2", "k3"]))
        assert app.timeline.chosen == range(2, 5)
        assert app.timeline.clear_range()
        assert not app.timeline.clear_range()
        assert app.timeline.chosen == range(0)


async def test_found_words_are_marked_and_keep_the_text() -> None:
    app = Host(numbered(30))
    async with app.run_test(size=(80, 24)):
        before = screen_of(app.timeline)
        app.timeline.highlight(re.compile("words", re.IGNORECASE))
        assert screen_of(app.timeline) == before
        strip = app.timeline.render_line(3)
        marked = [seg.text for seg in strip if seg.style is not None and seg.style.underline]
        assert marked == ["words"]
        app.timeline.highlight(None)
        assert not any(seg.style and seg.style.underline for seg in app.timeline.render_line(3))


async def test_a_changed_row_is_drawn_anew() -> None:
    source = numbered(50)
    app = Host(source)
    async with app.run_test(size=(80, 24)):
        source.words["k3"] = "other words"
        app.timeline.changed("k3")
        assert "other words" in screen_of(app.timeline)[3]


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light", "ansi-dark", "nord"])
async def test_every_theme_draws_tones_apart(theme: str) -> None:
    app = Host(numbered(20))
    async with app.run_test(size=(80, 24)) as pilot:
        app.theme = theme
        await pilot.pause()
        styles = {seg.text.strip(): seg.style for seg in app.timeline.render_line(3)}
        assert styles["✗"] != styles["words of k3"]
        assert styles["✗"] is not None and styles["✗"].color is not None


async def test_rows_of_the_source_wait_until_they_are_taken() -> None:
    source = numbered(10)
    app = Host(source)
    async with app.run_test(size=(80, 24)) as pilot:
        source.keys.append("late")
        await pilot.press("G", "j", "pagedown")
        assert app.timeline.cursor_key == "k9"
        assert not app.timeline.go_to("late")
        app.timeline.grown()
        assert app.timeline.cursor_key == "late"


async def test_nothing_to_show() -> None:
    app = Host(numbered(0))
    async with app.run_test(size=(80, 24)) as pilot:
        for key in ("j", "k", "G", "g", "pagedown", "enter", "v", "F"):
            await pilot.press(key)
        await pilot.click(app.timeline, offset=(10, 5))
        assert app.timeline.cursor_key == ""
        assert {text.strip() for text in screen_of(app.timeline)} == {""}


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_happens_the_view_is_a_part_of_the_whole(seed: int) -> None:
    """Random moves, growth, filters and sizes: the lines in view are those of the rows, in order."""
    choice = random.Random(seed)
    everything = [f"k{number}" for number in range(300)]
    words = {
        key: "some longer words " * choice.randint(1, 20) for key in choice.sample(everything, 120)
    }
    source = Rows(list(everything), words)
    app = Host(source)
    async with app.run_test(size=(80, 24)) as pilot:
        timeline = app.timeline
        for _ in range(40):
            match choice.randrange(7):
                case 0:
                    await pilot.resize_terminal(choice.randint(20, 120), choice.randint(5, 40))
                case 1:
                    source.keys.append(f"n{len(source.keys)}")
                    timeline.grown()
                case 2:
                    source = Rows([key for key in everything if choice.random() < 0.7], words)
                    timeline.replace_rows(source)
                case 3:
                    timeline.scroll_to(y=choice.uniform(0, timeline.max_scroll_y), animate=False)
                case 4:
                    timeline.move_to(choice.randrange(timeline.count), middle=choice.random() < 0.5)
                case 5:
                    await pilot.press(
                        choice.choice(["pageup", "pagedown", "ctrl+d", "j", "k", "G", "g"])
                    )
                case 6:
                    timeline.scroll_relative(y=choice.choice([-3, 3]), animate=False)
            await pilot.pause()
            rows = timeline.visible_rows
            lines = [strip.text for row in rows for strip in timeline.strips_of(row)]
            skipped = timeline.top_line - timeline.heights.top(rows[0])
            shown = screen_of(timeline)
            blank = [" " * timeline.line_width] * timeline.view_height
            assert shown == (lines[skipped:] + blank)[: timeline.view_height]
            assert all(timeline.heights.is_measured(row) for row in rows)
            assert timeline.virtual_size.height == timeline.heights.total
            assert 0 <= timeline.top_line <= max(0, timeline.heights.total - timeline.view_height)
