"""`ccbrowse --plain`: the app as a conversation of lines, for screen readers and dumb terminals.

It prints and asks; no cursor is moved, no colour is needed, and each question says what may be typed.
`house` holds the rooms and reads the answers, `sessions`, `reading` and `hits` are the rooms, `spoken`
says in words what signs say elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from ccbrowse.tui.cli.plain.house import House
from ccbrowse.tui.cli.plain.reading import ReadingRoom
from ccbrowse.tui.cli.plain.sessions import SessionsRoom

if TYPE_CHECKING:
    from ccbrowse.core.targets import Resolved


def run_plain(
    roots: Sequence[Path], target: Resolved | None = None, name: str = "", *, no_cache: bool = True
) -> int:
    """Talk until the person leaves; the exit code. `target`, named `name`, is opened first."""
    house = House(roots, no_cache)
    rooms = [SessionsRoom(house)] if roots else []
    if target is None:
        house.run(rooms)
        return 0
    with closing(target.session):
        room = ReadingRoom(
            house, target.session, target.segment, target.uuid, target=name.partition("#")[0]
        )
        house.run([*rooms, room])
    return 0
