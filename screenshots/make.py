"""Draw every picture anew: `make screenshots`, or `python screenshots/make.py NAME...` for some of them.

The app runs without a terminal on the demo's sessions, in a home folder of its own and at a time that
stands still; nothing is fetched. The same code gives the same files.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from pictures import cleaned, drawn, missing_fonts
from scenes import SCENES, Scene, files
from stage import NOW, stage
from textual.pilot import Pilot
from textual.widgets import Input

from ccbrowse.tui.app import CcbrowseApp
from ccbrowse.tui.demo import DemoTree
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.screens.sessions import SessionsScreen

HERE = Path(__file__).resolve().parent
PATIENCE = 30.0
"""Seconds until what should come is taken for lost."""
QUIET = 5
"""A screen is drawn fully when so many looks, a tenth of a second apart, saw the same."""
LASTING = frozenset({"read", "watch"})
"""The groups of workers that do not end as long as their screen is open."""


def main(names: Sequence[str]) -> int:
    """Draw the scenes of those names, or all; returns the exit code."""
    wanted = [scene for scene in SCENES if not names or scene.name in names]
    fonts = missing_fonts()
    if fonts:
        say = "as root: apt-get install " + " ".join(fonts)
        print(f"no PNG without the fonts that they are drawn with ({say})", file=sys.stderr)
    with stage() as place:
        for scene in wanted:
            svg, png = files(scene, HERE)
            text = cleaned(asyncio.run(shot(scene, place.tree)))
            svg.write_text(text, encoding="utf-8")
            if not fonts:
                png.write_bytes(drawn(text))
            print(svg.name if fonts else f"{svg.name} {png.name}")
    return 1 if fonts or not wanted else 0


async def shot(scene: Scene, tree: DemoTree) -> str:
    """The SVG of a scene, as Textual exports it."""
    now = int(NOW.timestamp() * 1000)
    app = CcbrowseApp([tree.root], scene.target(tree), settings=scene.settings, now=lambda: now)
    async with app.run_test(size=scene.size) as pilot:
        await quiet(pilot)
        for key in scene.keys:
            await pilot.press(key)
            await quiet(pilot)
        return app.export_screenshot()


async def quiet(pilot: Pilot[None]) -> None:
    """Wait until the screen is read and weighed, its workers have ended, and it changes no more."""
    same, last = 0, ""
    end = time.monotonic() + PATIENCE
    while same < QUIET:
        await until(lambda: is_read(pilot.app) and not is_busy(pilot.app))
        for field in pilot.app.screen.query(Input):
            field.cursor_blink = False
        if time.monotonic() > end:
            raise TimeoutError("the screen does not come to rest")
        await asyncio.sleep(0.1)
        seen = pilot.app.export_screenshot()
        same, last = (same + 1 if seen == last else 0), seen


def is_read(app: object) -> bool:
    """Whether the screen on top has read all that it shows."""
    assert isinstance(app, CcbrowseApp)
    screen = app.screen
    if isinstance(screen, SessionsScreen):
        return screen.is_read
    return not isinstance(screen, SessionScreen) or screen.is_weighed


def is_busy(app: object) -> bool:
    """Whether a worker that will end is still at work."""
    assert isinstance(app, CcbrowseApp)
    return any(not worker.is_finished and worker.group not in LASTING for worker in app.workers)


async def until(what: Callable[[], bool]) -> None:
    """Wait for something. Raises TimeoutError."""
    end = time.monotonic() + PATIENCE
    while not what():
        if time.monotonic() > end:
            raise TimeoutError("a screen was not read within the time")
        await asyncio.sleep(0.02)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
