"""An abandoned arm of a session, read as a line of its own behind what it shares with the main line."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace

from ccbrowse.core.chain import branch_rows
from ccbrowse.core.lines import Growth
from ccbrowse.core.session import Session
from ccbrowse.core.text import SafeText
from ccbrowse.tui.reader.session import Closer, News, Reading
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.building import items_of
from ccbrowse.tui.viewmodels.items import FORK, MESSAGES, Choice, Step
from ccbrowse.tui.viewrails import FillView, RailView
from ccbrowse.tui.viewtypes import Tone, line


class BranchReading(Reading):
    """An abandoned arm of a session, as it stood when it was opened."""

    def __init__(self, source: Reading, leaf: int, choice: Choice = MESSAGES) -> None:
        super().__init__(source.session, choice)
        self.is_followed = False
        self._source = source
        session, chain = source.session, source.session.chain
        self._rows = tuple(branch_rows(session.index, leaf, set(chain.off_chain)))
        arm = next((arm for arm in chain.branches if arm.leaf == leaf), None)
        self._fork = arm.fork if arm is not None else None
        self._before = _before(session, self._fork)
        self.shared = frozenset(self._before)
        self.opens_at = self._rows[0] if self._rows else None
        self.what = SafeText("an abandoned arm")
        """What the top line calls it."""

    @property
    def rows(self) -> tuple[int, ...]:
        """The session's rows of the branch, in file order."""
        return self._rows

    def _news(
        self,
        growth: Growth,
        answered: tuple[int, ...] = (),
        toasts: tuple[SafeText, ...] = (),
        overview: bool = False,
    ) -> News:
        index = self.session.index
        items = items_of(index, self._before, self._choice)
        if self._fork is not None:
            items.add(self._fork, FORK)
        own = items_of(index, self._rows, self._choice)
        items.rows.extend(own.rows)
        items.parts.extend(own.parts)
        left = figures.stamp(index.time[self._rows[-1]]) if self._rows else SafeText("")
        since = SafeText(f" · until {left}") if left else SafeText("")
        told = replace(
            self._overview(),
            rail=RailView(()),
            fill=FillView(()),
            segments=0,
            branches=(),
            context=line((SafeText(self.what), Tone.PERSON), (since, Tone.MUTED)),
            caption=figures.counted(len(self._rows), "record"),
        )
        return News(growth, Step(items, True, ()), told, forks=self._forks)

    def use(self) -> AbstractContextManager[bool]:
        """The session is the one that the branch was opened from."""
        return self._source.use()

    def close(self) -> None:
        """The session stays open for whom the branch was opened from."""

    def look_closer(self) -> Closer | None:
        """Nothing more is said about a branch."""
        return None


def _before(session: Session, fork: int | None) -> tuple[int, ...]:
    """The rows of a fork's segment up to the fork."""
    number = session.segment_of(fork) if fork is not None else None
    if fork is None or number is None:
        return ()
    rows = session.segment(number).rows
    return tuple(rows[: rows.index(fork) + 1]) if fork in rows else ()
