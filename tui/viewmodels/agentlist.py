"""Subagents in a few words: on the row of their call, and in a list of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ccbrowse.core.records import ToolCall
from ccbrowse.core.text import SafeText
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.choice import ListItem
from ccbrowse.tui.viewmodels.lore import Agent, Lore
from ccbrowse.tui.viewtypes import NOTHING, Line, Tone, line


def agent_labels(call: ToolCall) -> str:
    """What its call says of how a subagent runs (raw): in the background, in a team; else nothing."""
    known = call.input if isinstance(call.input, Mapping) else {}
    team = known.get("team_name")
    parts = [f"team {team}"] if isinstance(team, str) and team else []
    if known.get("run_in_background") is True:
        parts.append("background")
    return f" ({', '.join(parts)})" if parts else ""


def agent_facts(agent: Agent, lore: Lore) -> Line:
    """``running · 31 messages, 18.4k=``"""
    words = figures.counted(agent.messages, "message")
    size = SafeText(f"{words}, {agent.tokens}" if agent.tokens else words)
    if agent.is_running(lore.now):
        return line((SafeText("running"), Tone.TOOL), SafeText(f" · {size}"))
    return line(size)


def agent_choices(agents: Sequence[Agent], now: int) -> list[ListItem]:
    """All subagents, newest first, the client's own at the end; the key is an agent's id."""
    return [
        _choice(agent, now)
        for agent in sorted(agents, key=lambda agent: (agent.internal, -agent.updated))
    ]


def _choice(agent: Agent, now: int) -> ListItem:
    kind = SafeText("overhead" if agent.internal else "subagent")
    head = line((kind, Tone.MUTED if agent.internal else Tone.PERSON), SafeText("  "), agent.name)
    parts: list[SafeText] = []
    if agent.is_running(now):
        parts.append(SafeText("running"))
    if agent.messages:
        parts.append(figures.counted(agent.messages, "message"))
    if agent.tokens:
        parts.append(agent.tokens)
    if stamp := figures.stamp(agent.updated):
        parts.append(stamp)
    if agent.inline:
        parts.append(SafeText("in the session's own file"))
    elif not agent.call and not agent.internal:
        parts.append(SafeText("called by nobody that is known"))
    beneath = SafeText(" · ".join(parts)) if parts else NOTHING
    return ListItem(agent.agent_id, head, line((beneath, Tone.MUTED)))
