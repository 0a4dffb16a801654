"""What hangs beside a session's main line: abandoned arms and subagents, listed and opened."""

from __future__ import annotations

from ccbrowse.core.text import SafeText
from ccbrowse.tui.screens.dialogs import Pick
from ccbrowse.tui.screens.openers import Opener, open_agent, open_branch, open_inline
from ccbrowse.tui.screens.session_looks import SessionLooks
from ccbrowse.tui.viewmodels.agentlist import agent_choices
from ccbrowse.tui.viewmodels.lists import branch_choices
from ccbrowse.tui.widgets.segments import Segments


class SessionArms(SessionLooks):
    """The actions that lead beside the main line."""

    def action_branches(self) -> None:
        """Open the arm that left at the cursor, where there is one; else list all of them."""
        rows = self.rows
        if rows is None:
            return
        key = self.timeline.cursor_key
        found = rows.place(key) if key.endswith("#b") else None
        fork = self.lore.forks.at.get(found[0]) if found is not None else None
        if fork is not None and len(fork.arms) == 1 and not self.lore.shared:
            self.open_branch(fork.arms[0].leaf)
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
        if key.isdecimal():
            self.open_branch(int(key))
        elif self.timeline.go_to(key, middle=True):
            self.go_to_pane("detail")

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

    def open_agent(self, agent_id: str) -> None:
        """Open a subagent's conversation on a screen of its own."""
        if self.reading is not None:
            agent = next((a for a in self.lore.everyone if a.agent_id == agent_id), None)
            inline = agent is not None and agent.inline
            opener = (open_inline if inline else open_agent)(self.reading, agent_id)
            self.open_beside(opener, SafeText("subagent"))

    def open_branch(self, leaf: int) -> None:
        """Open a branch on a screen of its own."""
        if self.reading is not None:
            self.open_beside(open_branch(self.reading, leaf), SafeText("branch"))

    def open_beside(self, opener: Opener, what: SafeText) -> None:
        """Open another line on a screen of its own; `what` it is goes into its breadcrumb."""
        raise NotImplementedError
