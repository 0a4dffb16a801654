"""`SessionBuilder`: a whole session with its subagents and forks, ready to be written to disk."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from ccbrowse.tui.demo import lines
from ccbrowse.tui.demo.agents import Agent, Launching, meta
from ccbrowse.tui.demo.blocks import Call
from ccbrowse.tui.demo.eras import no_usage
from ccbrowse.tui.demo.lines import Row
from ccbrowse.tui.demo.writer import folder_name

_DAMAGE = {
    "half": lines.half,
    "cut": lines.cut,
    "stub": lines.stub_before,
    "nul": lines.nuls_before,
    "utf8": lines.bad_utf8,
}
_PREVIEW = 2_000


class SessionBuilder(Launching):
    """Builds a session line by line, as the client of an era would write it.

    >>> b = SessionBuilder("2.1.181", seed="readme")
    >>> asked = b.prompt("Say hello")
    >>> said = b.reply(Say("Hello."))
    >>> b.data().count(b"\\n")
    5

    All that is random comes from `seed`, all time from `start`: the same calls give the same bytes.
    """

    def _set_up(self) -> None:
        super()._set_up()
        self._outputs: dict[str, bytes] = {}

    def damage(self, kind: str) -> None:
        """Damage the last line: half, cut (no newline), stub, nul, utf8, or glued to the one before."""
        if kind == "glued":
            self.sheet.glue()
        else:
            self.sheet.mangle(_DAMAGE[kind])

    def raw(self, data: bytes) -> None:
        """Append bytes that are no record."""
        self.sheet.raw(data)

    def replay(self, count: int) -> None:
        """Append the last `count` records again, byte for byte."""
        for row in self.history[-count:]:
            self.sheet.row(row)

    def long_output(self, call: Call, output: str) -> Call:
        """The call with an output too long for the transcript: its text goes to a file of its own."""
        name = self.ids.name("b", 8)
        self._outputs[f"{self.session_id}/tool-results/{name}.txt"] = output.encode()
        path = (
            f"~/.claude/projects/{folder_name(self.cwd)}/{self.session_id}/tool-results/{name}.txt"
        )
        text = (
            f"<persisted-output>\nOutput of {len(output)} characters, kept in: {path}\n\n"
            f"Its start:\n{output[:_PREVIEW]}\n</persisted-output>"
        )
        result = {**call.result, "stdout": output[:30_000]}
        result |= {"persistedOutputPath": path, "persistedOutputSize": len(output)}
        return Call(call.name, call.input, text, result, call.is_error, call.seconds)

    def fork(self, seed: str, *, marked: bool = False) -> Self:
        """A new session that starts as a copy of this one, from the last boundary on.

        Uuids and message ids stay; the usage of copied kept replies is zero; older clients keep the
        old session id in the copies. `marked`: the copies name their source in `forkedFrom`.
        """
        twin = type(self)(
            self.era.version,
            cwd=self.cwd,
            model=self.model,
            branch=self.branch,
            entrypoint=self.entrypoint,
            seed=seed,
            overhead=self.overhead,
            log_requests=self.log is not None,
            thinking_text=self.thinking_text,
            clock=self.clock,
        )
        for row in self._copied():
            copy = dict(row)
            if not self.era.leads:
                copy["sessionId"] = twin.session_id
            if marked:
                copy["forkedFrom"] = {"sessionId": self.session_id, "messageUuid": row["uuid"]}
            twin.sheet.row(copy)
            twin.history.append(copy)
        twin.path = [row["uuid"] for row in twin.history]
        twin.links = {row["uuid"]: row["parentUuid"] for row in twin.history}
        twin.weights, twin.own_tokens = dict(self.weights), dict(self.own_tokens)
        twin.leaf, twin.live, twin.slug = self.leaf, self.live, self.slug
        twin.announced, twin.dropped = True, self.dropped
        twin.compactions = sum("compactMetadata" in row for row in twin.history)
        twin._turns_before = {u: n for u, n in self._turns_before.items() if u in twin.links}
        twin.turns = len(twin._turns_before)
        if twin.log:
            for role, content in twin._contents(twin.path):
                if role == "user":
                    twin.log.user(content)
                elif not isinstance(content, str):
                    twin.log.assistant(content)
        return twin

    def _copied(self) -> list[Row]:
        """The records of the conversation as it stands; kept ones moved below the summary."""
        current = set(self.path)
        rows = [row for row in self.history if row["uuid"] in current]
        still = self._kept_now()
        kept = [row for row in self.history if row["uuid"] in still]
        if not kept:
            return rows
        names = rows[0]["compactMetadata"]["preservedMessages"]
        at = next(i for i, row in enumerate(rows) if row["uuid"] == names["anchorUuid"]) + 1
        above, moved = names["anchorUuid"], []
        for row in kept:
            moved.append(_emptied(row, no_usage(self.era)) | {"parentUuid": above})
            above = row["uuid"]
        rest = [
            {**row, "parentUuid": above} if row["parentUuid"] == names["anchorUuid"] else row
            for row in rows[at:]
        ]
        return [*rows[:at], *moved, *rest]

    def _kept_now(self) -> set[str]:
        """The records that the newest boundary kept."""
        for row in self.history:
            if "compactMetadata" in row:
                kept = row["compactMetadata"].get("preservedMessages", {})
                return set(kept.get("allUuids", ()))
        return set()

    # --- to disk

    def every_agent(self) -> Iterator[Agent]:
        """All subagents, those of subagents too."""
        todo = list(self.agents)
        while todo:
            agent = todo.pop(0)
            yield agent
            todo += agent.builder.agents

    def take(self) -> dict[str, bytes]:
        """What was written since the last taking: new bytes by path below the project folder."""
        taken = {f"{self.session_id}.jsonl": self.sheet.take()}
        for agent in self.every_agent():
            taken[self._side_path(agent, "jsonl")] = agent.builder.sheet.take()
        taken |= self._outputs
        self._outputs = {}
        return {path: data for path, data in taken.items() if data}

    def metas(self) -> dict[str, bytes]:
        """The small files beside the subagents', whole, by path below the project folder."""
        if self.era.leads:
            return {}
        return {
            self._side_path(agent, "meta.json"): json.dumps(
                meta(agent, self.era.renders), separators=(",", ":")
            ).encode()
            for agent in self.every_agent()
        }

    def _side_path(self, agent: Agent, suffix: str) -> str:
        return f"{self.session_id}/subagents/agent-{agent.builder.agent_id}.{suffix}"

    def write(self, root: Path) -> Path:
        """Append what is new to the session's files below `root`; returns the main file's path.

        Modification times are set to the last record's, so that they do not tell when the demo ran.
        """
        folder = root / folder_name(self.cwd)
        moment = self.clock.now().timestamp()
        for name, data in self.take().items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("ab") as file:
                file.write(data)
            os.utime(path, (moment, moment))
        for name, data in self.metas().items():
            (folder / name).write_bytes(data)
        return folder / f"{self.session_id}.jsonl"


def _emptied(row: Row, usage: Row) -> Row:
    """A copy of a record whose usage counts nothing, where it has one."""
    message = row.get("message")
    if message is None or "usage" not in message:
        return dict(row)
    nothing = {name: usage[name] for name in message["usage"] if name in usage}
    return {**row, "message": {**message, "usage": {**message["usage"], **nothing}}}
