"""The subagents of a session: their files, who called them, and what they cost."""

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from ccbrowse.core.chain import Chain
from ccbrowse.core.errors import BadLine
from ccbrowse.core.index import CALL, NO_TIME, NONE, IndexedFile, SessionIndex
from ccbrowse.core.locate import AgentFile
from ccbrowse.core.neighbours import heads_of
from ccbrowse.core.records import MESSAGE_KINDS, Kind, Text, ToolCall, blocks, decode
from ccbrowse.core.usage import Usage, file_usage, requests_of, sum_requests

_COPIES = "acompact-"
"""Agents whose file repeats the main conversation: they are left out of every count."""

_MAX_META = 1 << 20


class Subagent(Struct, frozen=True):
    """A subagent: its file, what it was called for and by whom, its own line and usage.

    `internal` ones are the client's own (prompt suggestions and the like). Those that were written
    into the main file (clients up to 2.0.27) have that file's path and `inline` set; most of them
    have no id, then `agent_id` is the uuid of their first record and `named` is False.
    """

    agent_id: str
    path: Path
    type: str | None
    description: str | None
    spawned_by: str | None
    parent_agent: str | None
    messages: int
    segments: int
    usage: Usage
    internal: bool = False
    inline: bool = False
    named: bool = True
    updated: int = NO_TIME
    """The time of its newest record in milliseconds, or NO_TIME."""
    finished: bool = True
    """Whether its line ends with a whole reply that asks for no tool: nothing more is due."""


def is_copy(agent: AgentFile) -> bool:
    """Whether a file is the compaction's own copy of the conversation."""
    return agent.agent_id.startswith(_COPIES)


class AgentReader:
    """Reads a session's subagents, and again only those whose files have changed."""

    def __init__(self) -> None:
        self._files: dict[Path, tuple[IndexedFile, Chain]] = {}
        self._asked: dict[Path, _Asked] = {}

    def read(
        self, main: SessionIndex, main_path: Path, agents: Iterable[AgentFile]
    ) -> list[Subagent]:
        """The subagents of a session, in the order of their paths, inline ones last."""
        opened = [
            (agent, *found)
            for agent in agents
            if not is_copy(agent) and (found := self._open(agent))
        ]
        callers = self._callers(main, opened)
        self._match_prompts(main, main_path, opened, callers)
        files = [_subagent(agent, file, chain, callers) for agent, file, chain in opened]
        return files + inline_subagents(main, main_path)

    def _open(self, agent: AgentFile) -> tuple[IndexedFile, Chain] | None:
        known = self._files.get(agent.path)
        file = known[0] if known else IndexedFile(agent.path, sidechain_lane=True)
        before = file.index
        try:
            file.read()
        except OSError:
            return None
        if known and file.index is before:
            known[1].update()
            return known
        self._files[agent.path] = (file, Chain(file.index))
        return self._files[agent.path]

    def _callers(
        self, main: SessionIndex, opened: list[tuple[AgentFile, IndexedFile, Chain]]
    ) -> dict[str, tuple[str, str | None]]:
        """By agent id: the call that ran it, and the agent in whose file that call stands."""
        callers: dict[str, tuple[str, str | None]] = {}
        for agent, file, _ in opened:
            for spawned, call in file.index.agent_calls.items():
                callers[spawned] = (call, agent.agent_id)
        for spawned, call in main.agent_calls.items():
            callers[spawned] = (call, None)
        for agent, _, _ in opened:
            named = _string(_meta(agent).get("toolUseId"))
            if named:
                holders = () if named in main.calls else reversed(opened)
                owner = next(
                    (a.agent_id for a, file, _ in holders if named in file.index.calls), None
                )
                callers[agent.agent_id] = (named, owner)
        return callers

    def _match_prompts(
        self,
        main: SessionIndex,
        main_path: Path,
        opened: list[tuple[AgentFile, IndexedFile, Chain]],
        callers: dict[str, tuple[str, str | None]],
    ) -> None:
        """Add the callers of subagents that no record names: calls that gave just their first prompt."""
        lost = [
            (agent, file.index)
            for agent, file, _ in opened
            if agent.agent_id not in callers and not _is_internal(agent.agent_id)
        ]
        if not lost:
            return
        taken = {call for call, _ in callers.values()}
        holders: list[tuple[str | None, Path, SessionIndex]] = [(None, main_path, main)]
        holders += ((agent.agent_id, agent.path, file.index) for agent, file, _ in opened)
        for agent, index in lost:
            prompt = _first_prompt(agent.path, index)
            for owner, path, calling in holders if prompt else ():
                asked = self._asked_in(path, calling).get(prompt, ())
                call = next((each for each in asked if each not in taken), None)
                if call is not None and owner != agent.agent_id:
                    taken.add(call)
                    callers[agent.agent_id] = (call, owner)
                    break

    def _asked_in(self, path: Path, index: SessionIndex) -> dict[str, list[str]]:
        """The calls of a file that run subagents, by the prompt that they give; each is read once."""
        known = self._asked.get(path)
        if known is None or known.index is not index:
            known = self._asked[path] = _Asked(index, 0, {})
        new = islice(index.calls.items(), known.calls, None)
        agent_tools, several = index.agent_tools, index.more_calls
        rows = {
            row
            for _, row in new
            if agent_tools and (index.tool[row] in agent_tools or row in several)
        }
        known.calls = len(index.calls)
        for row in sorted(rows):
            for block in blocks(_record(path, index, row)):
                if (
                    isinstance(block, ToolCall)
                    and index.tools.get(block.name) in agent_tools
                    and isinstance(block.input, Mapping)
                ):
                    prompt = _string(block.input.get("prompt"))
                    if prompt and block.id:
                        known.by_prompt.setdefault(prompt.strip(), []).append(block.id)
        return known.by_prompt


class _Asked(Struct):
    """What the first calls of a file asked of subagents."""

    index: SessionIndex
    calls: int
    by_prompt: dict[str, list[str]]


def _first_prompt(path: Path, index: SessionIndex) -> str:
    """What a subagent was asked first; empty where its file does not start with a prompt."""
    row = next((row for row, kind in enumerate(index.kind) if kind in MESSAGE_KINDS), None)
    if row is None or index.kind[row] != Kind.PROMPT:
        return ""
    words = (block.text for block in blocks(_record(path, index, row)) if isinstance(block, Text))
    return "\n".join(words).strip()


def _record(path: Path, index: SessionIndex, row: int) -> Mapping[str, Any]:
    """The record on a row; nothing where the file does not hold it any more."""
    try:
        with path.open("rb") as file:
            file.seek(index.offset[row])
            return decode(file.read(index.length[row]))
    except (OSError, BadLine):
        return {}


def _subagent(
    agent: AgentFile, file: IndexedFile, chain: Chain, callers: Mapping[str, tuple[str, str | None]]
) -> Subagent:
    meta = _meta(agent)
    call, caller = callers.get(agent.agent_id, (None, None))
    rows = [row for row in chain if file.index.kind[row] in MESSAGE_KINDS]
    return Subagent(
        agent_id=agent.agent_id,
        path=agent.path,
        type=_string(meta.get("agentType")),
        description=_string(meta.get("description")),
        spawned_by=call,
        parent_agent=_string(meta.get("parentAgentId")) or caller,
        messages=len(rows),
        segments=len(chain.stretches),
        usage=file_usage(file.index),
        internal=_is_internal(agent.agent_id),
        updated=file.index.facts.updated,
        finished=meta.get("finished") is True or bool(rows and _is_finished(file.index, rows[-1])),
    )


def _is_finished(index: SessionIndex, row: int) -> bool:
    """Whether a line's last message leaves nothing to wait for."""
    if index.kind[row] == Kind.ERROR:
        return True
    if index.kind[row] != Kind.ASSISTANT or index.flags[row] & CALL:
        return False
    request = index.request[row]
    return request == NONE or bool(index.requests.trusted[request])


def _is_internal(agent_id: str) -> bool:
    """Whether an agent is the client's own: `a<word>-<hex>` instead of a plain id."""
    word, dash, _ = agent_id.partition("-")
    return bool(dash) and word.startswith("a") and not all(c in "0123456789abcdef" for c in word)


def inline_subagents(main: SessionIndex, path: Path) -> list[Subagent]:
    """The sidechains written into a main file: one subagent for each tree of them."""
    if main.sidechain_lane or not main.sidechains:
        return []
    trees: dict[int, list[int]] = {}
    root_of: dict[int, int] = {}
    for row in main.sidechains:
        if main.uuids[row] is not None:
            root = root_of[row] = root_of.get(main.parent[row], row)
            trees.setdefault(root, []).append(row)
    found = []
    for root, rows in trees.items():
        members = [row for row in rows if main.kind[row] in MESSAGE_KINDS]
        if not members:
            continue
        usage = sum_requests(main.requests, requests_of(main, rows))
        named = main.sidechain_agents.get(root)
        agent_id = named or main.uuids[root] or ""
        count = len(members)
        found.append(
            Subagent(
                agent_id,
                path,
                None,
                None,
                None,
                None,
                count,
                1,
                usage,
                False,
                True,
                named is not None,
            )
        )
    return found


def sessions_of_loose_agents(agents: Iterable[AgentFile]) -> dict[str, list[AgentFile]]:
    """Subagents' files that lie beside the sessions, by the session that their records name."""
    found: dict[str, list[AgentFile]] = {}
    for agent in agents:
        head = next((head for head in heads_of(agent.path) if head.sessionId), None)
        if head is not None and head.sessionId is not None:
            found.setdefault(head.sessionId, []).append(agent)
    return found


def _meta(agent: AgentFile) -> Mapping[str, Any]:
    if agent.meta is None:
        return {}
    try:
        with agent.meta.open("rb") as file:
            value = json.loads(file.read(_MAX_META))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _string(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
