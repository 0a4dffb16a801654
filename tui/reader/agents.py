"""A session's subagents as its screen shows them: by call, by segment, in sums, as a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ccbrowse.core.locate import AgentFile
from ccbrowse.core.numbers import Number, Source
from ccbrowse.core.records import ToolCall, blocks
from ccbrowse.core.session import Session
from ccbrowse.core.subagents import Subagent, is_copy
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.core.usage import Usage
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.lore import Agent
from ccbrowse.tui.viewmodels.words import plain_text
from ccbrowse.tui.viewtypes import Line, Tone, line

_NO_TOKENS = SafeText("")


def agents_of(session: Session, found: Iterable[Subagent]) -> list[Subagent]:
    """The subagents, those written into the main file joined to the calls that have their prompts."""
    agents = list(found)
    inline = [agent for agent in agents if agent.inline]
    if not inline or session.agent_id is not None:
        return agents
    calls = _calls_by_prompt(session)
    return [_joined(session, agent, calls) if agent.inline else agent for agent in agents]


def _joined(session: Session, agent: Subagent, calls: Mapping[str, str]) -> Subagent:
    index = session.index
    named = index.row_of(agent.agent_id)
    root = named
    if root is None:
        root = next(
            (r for r, name in index.sidechain_agents.items() if name == agent.agent_id), None
        )
    if root is None:
        return agent
    call = calls.get(_first_words(session.record(root)))

    return agent if call is None else replace(agent, spawned_by=call)


def _first_words(record: Mapping[str, Any]) -> str:
    return plain_text(blocks(record)).strip()


def _calls_by_prompt(session: Session) -> dict[str, str]:
    """The calls of agent tools by the prompts that they gave."""
    index = session.index
    found: dict[str, str] = {}
    rows = (row for row, tool in enumerate(index.tool) if tool in index.agent_tools)
    for row in rows:
        for block in blocks(session.record(row)):
            if isinstance(block, ToolCall) and isinstance(block.input, Mapping):
                prompt = block.input.get("prompt")
                if isinstance(prompt, str):
                    found.setdefault(prompt.strip(), block.id)
    return found


def shown_agents(agents: Iterable[Subagent], copies: Sequence[AgentFile] = ()) -> tuple[Agent, ...]:
    """All agents as a list shows them; a compaction's copies at the end."""
    made = [_shown(agent) for agent in agents]
    made += [
        Agent(copy.agent_id, 0, _NO_TOKENS, SafeText("compaction's copy"), internal=True)
        for copy in copies
    ]
    return tuple(made)


def _shown(agent: Subagent) -> Agent:
    total = spent(agent.usage)
    words = ": ".join(part for part in (agent.type, agent.description) if part)
    if agent.internal:
        words = agent.agent_id.rpartition("-")[0].removeprefix("a").replace("_", " ")
    return Agent(
        agent.agent_id,
        agent.messages,
        figures.short_tokens(Number(total, Source.USAGE)) if total else _NO_TOKENS,
        one_line(words or agent.agent_id, 200),
        agent.updated,
        agent.finished,
        agent.internal,
        agent.inline,
        agent.spawned_by or "",
    )


def by_call(agents: Iterable[Agent]) -> dict[str, Agent]:
    """The agents by the calls that ran them."""
    return {agent.call: agent for agent in agents if agent.call}


def copies_of(session: Session) -> list[AgentFile]:
    """The copies of the conversation that compactions left among the subagents' files."""
    if session.agent_id is not None:
        return []
    return [agent for agent in session.folder.agents_of(session.file) if is_copy(agent)]


def spent(usage: Usage) -> int:
    """All tokens of some requests: what went in, from the cache too, and what came out."""
    fresh = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens
    return fresh + usage.output_tokens


def by_segment(session: Session, agents: Iterable[Subagent]) -> Counter[int]:
    """How many subagents each segment's calls ran."""
    rows = (session.index.calls.get(agent.spawned_by) for agent in agents if agent.spawned_by)
    numbers = (session.segment_of(row) for row in rows if row is not None)
    return Counter(number for number in numbers if number is not None)


def sums(session: Session, agents: Sequence[Subagent], copies: int) -> tuple[Line, ...]:
    """What stands at the foot of the rail: subagents and the client's own agents, their tokens, the sum."""
    own = [agent for agent in agents if not agent.internal]
    internal = [agent for agent in agents if agent.internal]
    if not own and not internal and not copies:
        return ()
    lines: list[Line] = []
    if own:
        lines.append(_sum("◆ ", Tone.PERSON, figures.counted(len(own), "subagent"), own))
    if internal:
        count = figures.counted(len(internal), "agent")
        lines.append(_sum("· ", Tone.MUTED, SafeText(f"overhead, {count}"), internal))
    if copies:
        told = figures.counted(copies, "copy by a compaction", "copies by compactions")
        lines.append(line((SafeText("· "), Tone.MUTED), (told, Tone.MUTED)))
    main = spent(session.usage)
    total = main + sum(spent(agent.usage) for agent in agents)
    if total:
        whole = figures.short_tokens(Number(total, Source.USAGE))
        alone = figures.short_tokens(Number(main, Source.USAGE))
        rest = (SafeText(f", main {alone}"), Tone.MUTED)
        lines.append(line((SafeText("· all "), Tone.MUTED), whole, rest))
    return tuple(lines)


def _sum(sign: str, tone: Tone, words: SafeText, agents: Sequence[Subagent]) -> Line:
    total = sum(spent(agent.usage) for agent in agents)
    tokens = figures.short_tokens(Number(total, Source.USAGE)) if total else SafeText("–")
    plain = Tone.MUTED if tone is Tone.MUTED else Tone.PLAIN
    return line((display_text(sign), tone), (words, plain), (SafeText(f" · {tokens}"), Tone.MUTED))


def agent_toast(agent: Subagent) -> SafeText:
    """A new subagent, in a few words."""
    words = agent.description or agent.type or agent.agent_id
    return SafeText(f"subagent · {one_line(words, 60)}")
