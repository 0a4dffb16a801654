"""Subagents: each has a file of its own beside the session, and a call in it that waits."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from ccbrowse.tui.demo.blocks import Block, Call, OpenCall, Reply, Say
from ccbrowse.tui.demo.compaction import Compacting
from ccbrowse.tui.demo.lines import Row

_OVERHEAD = 11_400


@dataclass(slots=True)
class Agent:
    """A subagent that was launched: its own builder, and the call that waits for it."""

    builder: "Launching"
    call: OpenCall
    description: str
    prompt: str
    parent: str | None
    depth: int
    background: bool
    started_ms: int
    finished: bool = False


class Launching(Compacting):
    """A conversation that hands work to subagents. `agents` are those launched from here."""

    agents: list[Agent]
    depth = 0

    def _set_up(self) -> None:
        self.agents = []

    def launch(
        self,
        description: str,
        prompt: str,
        *blocks: Block,
        kind: str = "general-purpose",
        model: str | None = None,
        background: bool = False,
    ) -> Agent:
        """Call a subagent, after `blocks` of the same message; its file starts with the prompt.

        In the background its call is answered at once, and the person's turn goes on.
        """
        given: Row = {"description": description, "prompt": prompt, "subagent_type": kind}
        if background:
            given["run_in_background"] = True
        waiting = Call(self.era.agent_tool, given, "", None)
        call = self.reply(*blocks, waiting).calls[-1]
        child = self._child(kind, model)
        agent = Agent(
            child,
            call,
            description,
            prompt,
            self.agent_id,
            child.depth,
            background,
            self.clock.ms,
        )
        self.agents.append(agent)
        child.prompt(prompt)
        if background:
            self._answer_at_once(agent)
        return agent

    def _child(self, kind: str, model: str | None) -> Self:
        child = type(self)(
            self.era.version,
            cwd=self.cwd,
            model=model or self.model,
            branch=self.branch,
            session_id=self.session_id,
            entrypoint=self.entrypoint,
            overhead=_OVERHEAD,
            log_requests=self.log is not None,
            thinking_text=self.thinking_text,
            clock=self.clock,
            ids=self.ids,
        )
        child.agent_id = self.ids.name("a", self.era.agent_digits - 1)
        child.agent_type = kind
        child.depth = self.depth + 1
        return child

    def land(self, agent: Agent, report: str) -> str:
        """The subagent's last words go back to whoever called it; returns the uuid of that record."""
        reply = agent.builder.reply(Say(report))
        agent.finished = True
        if agent.background:
            return self._notify(agent, report)
        content: list[Row] = [{"type": "text", "text": report}]
        agent.call.call = Call(
            agent.call.call.name,
            agent.call.call.input,
            content,
            self._result(agent, content, reply),
        )
        return self.answer(agent.call)

    def subagent(
        self,
        description: str,
        prompt: str,
        script: Callable[["Launching"], str],
        *,
        kind: str = "general-purpose",
        model: str | None = None,
        background: bool = False,
    ) -> Agent:
        """Launch, run and land a subagent: `script` gets its builder and returns its report."""
        agent = self.launch(description, prompt, kind=kind, model=model, background=background)
        report = script(agent.builder)
        self.land(agent, report)
        return agent

    def _result(self, agent: Agent, content: list[Row], reply: Reply) -> Row:
        child = agent.builder
        kind = {} if self.era.leads else {"agentType": child.agent_type}
        return {
            "status": "completed",
            "prompt": agent.prompt,
            "agentId": child.agent_id,
            **kind,
            "content": content,
            "totalDurationMs": self.clock.ms - agent.started_ms,
            "totalTokens": child.context,
            "totalToolUseCount": child.results,
            "usage": reply.usage,
        }

    def _answer_at_once(self, agent: Agent) -> None:
        child = agent.builder
        output = f"/tmp/demo/{self.session_id}/tasks/{child.agent_id}.output"
        text = f"The agent runs in the background.\nagentId: {child.agent_id}\nIts output: {output}"
        result: Row = {"isAsync": True, "status": "async_launched", "agentId": child.agent_id}
        result |= {"description": agent.description, "prompt": agent.prompt, "outputFile": output}
        if self.era.renders:
            result |= {"resolvedModel": child.model, "canReadOutputFile": True}
        given = agent.call.call
        content: list[Row] = [{"type": "text", "text": text}]
        agent.call.call = Call(given.name, given.input, content, result)
        self.answer(agent.call)

    def _notify(self, agent: Agent, report: str) -> str:
        """The note with which a background agent comes back: it starts a turn without a person."""
        child = agent.builder
        text = (
            f"<task-notification>\n<task-id>{child.agent_id}</task-id>\n"
            f"<tool-use-id>{agent.call.id}</tool-use-id>\n<status>completed</status>\n"
            f"<summary>{agent.description}: finished</summary>\n<result>{report}</result>\n"
            f"<usage><subagent_tokens>{child.context}</subagent_tokens></usage>\n"
            "</task-notification>"
        )
        self.side("queue-operation", operation="enqueue", timed=True, content=text)
        self.side("queue-operation", operation="dequeue", timed=True)
        self.prompt_id = self.ids.uuid()
        extra: Row = {}
        if not self.era.leads:
            extra = {"origin": {"kind": "task-notification"}, "promptSource": "system"}
        if self.era.renders:
            extra |= {"rowSource": "recorded", "turnOrigin": "task_notification"}
        if self.log:
            self.log.user(text)
        body: Row = {"type": "user", "message": {"role": "user", "content": text}}
        return self.tree(body, extra=extra, weight=self.count(text) + 5)


def meta(agent: Agent, era_renders: bool) -> Row:
    """The small file beside a subagent's own."""
    child = agent.builder
    known: Row = {"agentType": child.agent_type, "description": agent.description}
    known["toolUseId"] = agent.call.id
    if era_renders:
        known = {"agentType": child.agent_type, "isBuiltIn": True, **known}
        known |= {"spawnDepth": agent.depth, "model": child.model, "finished": agent.finished}
    if agent.parent:
        known["parentAgentId"] = agent.parent
    return known
