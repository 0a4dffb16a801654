"""The app, with a note of how long each key press waits: from its event, as it was read, to its paint."""

import json
import sys
import time
from collections import deque
from pathlib import Path
from typing import Any

from textual import events
from textual.driver import Driver

from ccbrowse.tui.app import CcbrowseApp
from ccbrowse.tui.cli import main
from ccbrowse.tui.virtual import VirtualList

MOVES = {"j", "k"}


class Stopwatch:
    """Moves that were pressed and not done yet, those done and not painted yet, and what they took."""

    def __init__(self) -> None:
        self.pressed: deque[float] = deque()
        self.done: list[float] = []
        self.took: list[float] = []

    def watch(self) -> None:
        """Listen to the keyboard's thread, to moves and to paints."""
        send, move, display = Driver.send_message, VirtualList.action_move, CcbrowseApp._display

        def sent(driver: Driver, message: Any) -> None:
            if isinstance(message, events.Key) and message.key in MOVES:
                self.pressed.append(time.perf_counter())
            send(driver, message)

        def moved(widget: VirtualList, rows: int) -> None:
            move(widget, rows)
            if self.pressed:
                self.done.append(self.pressed.popleft())

        def displayed(app: CcbrowseApp, *words: Any) -> None:
            display(app, *words)
            now = time.perf_counter()
            self.took += [now - pressed for pressed in self.done]
            self.done.clear()

        Driver.send_message = sent  # type: ignore[assignment,method-assign]  # seen from outside
        VirtualList.action_move = moved  # type: ignore[assignment,method-assign]  # seen from outside
        CcbrowseApp._display = displayed  # type: ignore[assignment,method-assign]  # seen from outside


def run(told: Path, words: list[str]) -> None:
    """Run the app with some arguments; write what the keys took, in milliseconds, at its end."""
    stopwatch = Stopwatch()
    stopwatch.watch()
    try:
        main(words)
    finally:
        told.write_text(json.dumps([1000 * took for took in stopwatch.took]), encoding="utf-8")


if __name__ == "__main__":
    run(Path(sys.argv[1]), sys.argv[2:])
