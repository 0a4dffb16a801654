"""What settings do to the app: themes, keys, times, tools; how they are told on the command line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from builders import DemoTree, write_demo
from commandline import CommandLine, command
from driving import NOW, lines_of, make_app, opened, session_open, sessions_open, text_of, until
from textual.color import Color
from textual.theme import Theme

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.tui.config import Settings
from ccbrowse.tui.reader.exporting import Masks
from ccbrowse.tui.reader.places import labelled
from ccbrowse.tui.screens.export import ExportDialog
from ccbrowse.tui.screens.help import HelpPage
from ccbrowse.tui.theme import CONTRAST, LIGHT, MONO, THEMES, check_theme
from ccbrowse.tui.widgets.status import KeyBar


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoTree:
    """The demo's sessions; nothing here writes to them."""
    return write_demo(tmp_path_factory.mktemp("demo") / "projects", NOW)


def contrast(one: str, other: str) -> float:
    """The ratio of two colours' luminance, as accessibility guidelines have it."""

    def luminance(colour: str) -> float:
        parts = [part / 255 for part in Color.parse(colour).rgb]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_every_theme_can_be_read(theme: Theme) -> None:
    least = 7.0 if theme is CONTRAST else 4.5
    for name in ("foreground", "primary", "accent", "warning", "error", "success"):
        colour = getattr(theme, name)
        assert contrast(colour, theme.background or "") >= least, name


def test_one_theme_is_light_and_one_has_no_colours() -> None:
    assert not LIGHT.dark
    for colour in (MONO.primary, MONO.accent, MONO.error, MONO.success, MONO.background):
        assert colour is not None
        red, green, blue = Color.parse(colour).rgb
        assert red == green == blue


def test_a_theme_that_nobody_knows_is_answered_with_the_nearest() -> None:
    with pytest.raises(
        CcbrowseError, match=r"no such theme: ccbrowse-ligt, did you mean ccbrowse-light\?"
    ):
        check_theme("ccbrowse-ligt")
    with pytest.raises(CcbrowseError, match=r"there are .*ccbrowse-mono, .*nord"):
        make_app(settings=Settings(theme="zzz"))
    with pytest.raises(CcbrowseError, match="no such command"):
        make_app(settings=Settings(keys={"zzz": "a"}))


async def test_keys_of_a_profile_work_and_are_told(demo: DemoTree) -> None:
    settings = Settings(
        profile="plain", keys={"sort": "j", "help": "?"}, theme="ccbrowse-contrast", animation=False
    )
    async with sessions_open(demo.root, settings=settings) as (pilot, screen):
        assert pilot.app.animation_level == "none" and pilot.app.theme == "ccbrowse-contrast"
        await pilot.press("down")
        second = screen.table.cursor_key
        await pilot.press("j")
        assert screen.table.cursor_key == second == str(demo.sessions[1].path)
        assert "turns↓" in text_of(screen.query_one("#head"))
        assert "j sort" in text_of(screen.query_one(KeyBar))
        await pilot.press("question_mark")
        await until(lambda: isinstance(pilot.app.screen, HelpPage))
        page = text_of(pilot.app.screen.query_one("#help"))
        assert "home end" in page and "j S" in page
        await pilot.press("question_mark")
        await until(lambda: pilot.app.screen is screen)


async def test_tools_thinking_and_times_begin_as_they_are_set(demo: DemoTree) -> None:
    settings = Settings(tools="hidden", thinking=False, time="absolute")
    async with session_open(demo.session("login").path, settings=settings) as (_, screen):
        await until(lambda: "thinking" not in text_of(screen.timeline))
        await until(lambda: "Edit" not in text_of(screen.timeline))
    async with sessions_open(demo.root, settings=settings) as (_, other):
        ages = [
            line[line.index("acme") :] if "acme" in line else line for line in lines_of(other.table)
        ]
        assert " 11:59 " in ages[0] or " 12:00 " in ages[0]
        assert any(" 02-" in line for line in ages)


def test_roots_of_the_settings_are_read_where_none_is_named(
    demo: DemoTree, home: Path, capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    ccbrowse = CommandLine(capsysbinary)
    folder = home / ".config" / "ccbrowse"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(f'[roots]\nwork = "{demo.root.parent}"\n')
    assert len(ccbrowse("list", "--json").objects) == 12
    assert labelled(Settings(roots=(("work", str(demo.root.parent)), ("", "/none")))) == {
        demo.root: "work"
    }
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    assert ccbrowse("list").code == 1
    monkeypatch.delenv("CLAUDE_CONFIG_DIR")
    (folder / "config.toml").write_text("rots = []")
    assert "did you mean roots?" in ccbrowse("list").complaint


def test_looks_are_options_and_what_cannot_be_is_said_before_the_app(demo: DemoTree) -> None:
    done = command("--theme", "ccbrowse-ligt", "--root", demo.root)
    assert done.code == 0  # without a terminal there is no app, only the list
    import pty
    import subprocess

    from commandline import arguments, environment

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        arguments("--theme", "ccbrowse-ligt", "--ascii", "--root", demo.root),
        stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, env=environment({"TERM": "xterm"}),
    ) as child:  # fmt: skip
        os.close(theirs)
        assert child.stderr is not None
        told = child.stderr.read().decode()
        assert child.wait(60) == 1
    os.close(ours)
    assert told == "ccbrowse: no such theme: ccbrowse-ligt, did you mean ccbrowse-light?\n"


async def test_no_color_leaves_no_colour_and_all_signs(
    demo: DemoTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = make_app(demo.root)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(lambda: getattr(app.screen, "is_read", False))
        await pilot.pause()
        colours = set()
        for strip in app.screen._compositor.render_strips():
            for segment in strip.apply_filter(app._filters[-1], Color.parse("black")):
                if segment.style is not None and segment.style.color is not None:
                    triplet = segment.style.color.triplet
                    assert triplet is not None
                    colours.add(triplet.red == triplet.green == triplet.blue)
        assert colours == {True}
        await pilot.press("enter")
        screen = await opened(app)
        assert screen.timeline.count


async def test_exports_are_masked_unless_the_settings_say_otherwise(
    demo: DemoTree, home: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = demo.session("login").path
    ccbrowse = CommandLine(capsysbinary)
    export = ("export", path, "--segment", "4", "-o", "-")
    masked = ccbrowse(*export)
    assert "masked: " in masked.err and b"/home/robin" not in masked.out
    folder = home / ".config" / "ccbrowse"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text("redact = false")
    written = ccbrowse(*export)
    assert "nothing was masked" in written.err and b"/home/robin" in written.out
    assert b"/home/robin" not in ccbrowse(*export, "--redact").out
    async with session_open(path, settings=Settings(redact=False)) as (pilot, _):
        await pilot.press("x")
        await until(lambda: isinstance(pilot.app.screen, ExportDialog))
        dialog = pilot.app.screen
        assert isinstance(dialog, ExportDialog)
        await until(lambda: dialog.wish.masks is Masks.NOTHING)


async def test_plain_signs_are_all_there_is_on_the_list_and_in_dialogs(demo: DemoTree) -> None:
    settings = Settings(ascii=True)
    async with sessions_open(demo.root, size=(100, 30), settings=settings) as (pilot, screen):
        assert lines_of(screen.table)[0].startswith(" >* Fix login flow")
        for keys in (
            ("H",),
            ("R",),
            ("escape", "Y"),
            ("escape", "f2"),
            ("escape", "question_mark"),
        ):
            await pilot.press(*keys)
            await pilot.pause()
            strips = pilot.app.screen._compositor.render_strips()
            text = "".join(strip.text for strip in strips)
            assert text.isascii(), sorted({sign for sign in text if not sign.isascii()})
