"""What hangs beside a session's main line: abandoned arms and subagents, listed and opened."""

from __future__ import annotations

from functools import partial

from textual import work

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.locate import SessionFile, session_file
from ccbrowse.core.text import SafeText, one_line
from ccbrowse.tui.reader.session import Reading
from ccbrowse.tui.screens.base import Paned
from ccbrowse.tui.screens.dialogs import Pick
from ccbrowse.tui.screens.openers import (
    THE_END,
    Opener,
    Place,
    open_agent,
    open_branch,
    open_file,
    open_inline,
)
from ccbrowse.tui.screens.session_looks import SessionLooks
from ccbrowse.tui.screens.session_work import Came, Looked
from ccbrowse.tui.screens.trail import Stop
from ccbrowse.tui.viewmodels.agentlist import agent_choices
from ccbrowse.tui.viewmodels.forks import Link
from ccbrowse.tui.viewmodels.lists import LINK, branch_choices
from ccbrowse.tui.widgets.segments import Segments


class SessionArms(SessionLooks):
    """The actions that lead beside the main line.

    Its handlers run after those of the same name on the screen itself.
    """

    _looked_around = False
    _crumbs: tuple[SafeText, ...]

    def action_branches(self) -> None:
        """Open the arm that left at the cursor, where there is one; else list all of them."""
        rows = self.rows
        if rows is None:
            return
        key = self.timeline.cursor_key
        found = rows.place(key) if key.endswith("#b") else None
        fork = self.lore.forks.at.get(found[0]) if found is not None else None
        links = self.lore.forks.links.get(found[0], ()) if found is not None else ()
        keys = [f"{LINK}{link.path}" for link in links]
        keys += [str(arm.leaf) for arm in fork.arms] if fork is not None else []
        if len(keys) == 1 and not self.lore.shared:
            self._open_branch(keys[0])
            return
        choices = [] if self.lore.shared else branch_choices(rows.bodies, self.lore.forks)
        title, nothing = SafeText("branches"), SafeText("nothing was rewound here")
        self.app.push_screen(
            Pick(title, choices, nothing, SafeText("enter opens · esc leaves")), self._open_branch
        )

    def _open_branch(self, key: str | None) -> None:
        """Open the arm of a leaf, or go to a prompt that was edited."""
        if key is None:
            return
        links = [link for links in self.lore.forks.links.values() for link in links]
        chosen = next((link for link in links if key == f"{LINK}{link.path}"), None)
        if chosen is not None:
            self._open_link(chosen)
        elif key.isdecimal():
            self.open_branch(int(key))
        elif self.timeline.go_to(key, middle=True):
            self.go_to_pane("detail")

    def _open_link(self, link: Link) -> None:
        """Open another session at the last record that this one shares with it."""
        reading = self.reading
        if reading is None:
            return
        try:
            file = session_file(link.path, reading.session.file.root)
        except OSError:
            self.say(SafeText("the file of that session is not there any more"), "warning")
            return
        place = Place(uuid=link.uuid)
        what = SafeText("forked from") if link.older else SafeText("fork")
        self.open_beside(open_file(file), what, file, place)

    def on_looked(self, message: Looked) -> None:
        """Once the session is known, look for its forks in other files."""
        if self.reading is not None and not self._looked_around:
            self._looked_around = True
            self._look_around(self.reading)

    @work(thread=True, group="around", exclusive=True)
    def _look_around(self, reading: Reading) -> None:
        try:
            news = reading.look_around()
        except (CcbrowseError, OSError):
            return
        if news is not None:
            self.post_message(Came(news))

    def action_agents(self) -> None:
        """List the subagents; open the one chosen."""
        choices = agent_choices(self.lore.everyone, self.host.now())
        title, nothing = SafeText("subagents"), SafeText("no subagents here")
        self.app.push_screen(
            Pick(title, choices, nothing, SafeText("enter opens · esc leaves")), self._open_agent
        )

    def _open_agent(self, key: str | None) -> None:
        if key is not None:
            self.open_agent(key)

    def on_segments_footer_chosen(self, event: Segments.FooterChosen) -> None:
        """Show what the foot of the rail tells of."""
        event.stop()
        if self.lore.forks.at or not self.lore.everyone:
            self.action_branches()
        else:
            self.action_agents()

    def open_agent(self, agent_id: str, place: Place = THE_END, stop: Stop | None = None) -> bool:
        """Open a subagent's conversation on a screen of its own; False where nothing is read yet."""
        if self.reading is None:
            return False
        agent = next((a for a in self.lore.everyone if a.agent_id == agent_id), None)
        inline = agent is not None and agent.inline
        opener = (open_inline if inline else open_agent)(self.reading, agent_id)
        again = stop or Stop(partial(_open_agent_again, agent_id))
        self.open_beside(opener, SafeText("subagent"), place=place, stop=again)
        return True

    def open_branch(self, leaf: int, place: Place = THE_END, stop: Stop | None = None) -> bool:
        """Open a branch on a screen of its own; False where nothing is read yet."""
        if self.reading is None:
            return False
        again = stop or Stop(partial(_open_branch_again, leaf))
        opener = open_branch(self.reading, leaf)
        self.open_beside(opener, SafeText("branch"), place=place, stop=again)
        return True

    def open_beside(
        self,
        opener: Opener,
        what: SafeText,
        file: SessionFile | None = None,
        place: Place = THE_END,
        stop: Stop | None = None,
    ) -> None:
        """Open another line on a screen of its own; `what` it is goes into its breadcrumb."""
        from ccbrowse.tui.screens.session import SessionScreen

        screen = SessionScreen(opener, self._crumbs_for(what), file=file, place=place)
        screen.stop = stop or screen.stop
        self.app.push_screen(screen)

    def _crumbs_for(self, what: SafeText) -> tuple[SafeText, ...]:
        title = self.overview.title if self.overview is not None else SafeText("session")
        return (*self._crumbs, one_line(title, 40), what)


def _open_agent_again(agent_id: str, beneath: Paned, stop: Stop, key: str) -> bool:
    """Open a subagent again; its session has to be read."""
    return isinstance(beneath, SessionArms) and beneath.open_agent(
        agent_id, Place(uuid=key or None), stop
    )


def _open_branch_again(leaf: int, beneath: Paned, stop: Stop, key: str) -> bool:
    """Open a branch again; its session has to be read."""
    return isinstance(beneath, SessionArms) and beneath.open_branch(
        leaf, Place(uuid=key or None), stop
    )
