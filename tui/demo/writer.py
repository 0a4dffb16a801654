"""The ground floor of a synthetic session: rows with their envelope, links and weights."""

import re
from datetime import UTC, datetime
from typing import Any

from ccbrowse.tui.demo.eras import ERAS, Era, tokens
from ccbrowse.tui.demo.ids import Clock, Ids
from ccbrowse.tui.demo.lines import Row, Sheet
from ccbrowse.tui.demo.requests import RequestLog

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
"""When a story starts unless it is told otherwise."""


def folder_name(cwd: str) -> str:
    """The project folder that the client makes of a working directory."""
    return re.sub("[^A-Za-z0-9]", "-", cwd)


class Writer:
    """One session file (or one subagent's) in the making.

    `leaf` is the newest record that a next one would hang off, `path` the records of the
    conversation as it stands since the last boundary, in file order, `live` the tokens of the
    messages on it. A request weighs `overhead` (system prompt and tools) more.
    """

    def __init__(
        self,
        era: str = "2.1.332",
        *,
        cwd: str = "/home/robin/acme/api",
        model: str | None = None,
        branch: str = "main",
        start: datetime = START,
        seed: str = "demo",
        session_id: str | None = None,
        entrypoint: str = "cli",
        overhead: int | None = None,
        log_requests: bool | None = None,
        thinking_text: bool | None = None,
        clock: Clock | None = None,
        ids: Ids | None = None,
    ) -> None:
        self.era: Era = ERAS[era]
        self.cwd, self.branch, self.entrypoint = cwd, branch, entrypoint
        self.model = model or self.era.model
        self.clock, self.ids = clock or Clock(start), ids or Ids(f"{seed}:{era}:{cwd}")
        self.session_id = session_id or self.ids.uuid()
        self.overhead = self.era.overhead if overhead is None else overhead
        self.thinking_text = self.era.thinking_text if thinking_text is None else thinking_text
        logs = self.era.logs_requests if log_requests is None else log_requests
        self.agent_id: str | None = None
        self.agent_type = ""
        self.sheet = Sheet(self.clock)
        self.log = RequestLog(self.ids) if logs else None
        self.leaf: str | None = None
        self.path: list[str] = []
        self.live = 0
        self.cached = 0
        self.weights: dict[str, int] = {}
        self.own_tokens: dict[str, int] = {}
        self.links: dict[str, str | None] = {}
        self.history: list[Row] = []
        self.reply_starts: list[str] = []
        self.prompt_id = self.ids.uuid()
        self.slug = ""
        self.records = 0
        self.announced = False
        self._turns_before: dict[str, int] = {}
        self._set_up()

    def _set_up(self) -> None:
        """For the floors above: their own state."""

    @property
    def is_side(self) -> bool:
        """True for a subagent's own file."""
        return self.agent_id is not None

    @property
    def interactive(self) -> bool:
        """True where a person sits at the terminal."""
        return self.entrypoint == "cli"

    @property
    def context(self) -> int:
        """What the next request would weigh."""
        return self.overhead + self.live

    def count(self, text: str) -> int:
        """Tokens of a text, as this model counts."""
        return tokens(text, self.model)

    def data(self) -> bytes:
        """The bytes written and not yet taken."""
        return self.sheet.data()

    def tree(
        self,
        body: Row,
        *,
        extra: Row | None = None,
        root: bool = False,
        parent: str | None = None,
        logical: str | None = None,
        uuid: str | None = None,
        weight: int = 0,
        offset_ms: int = 0,
    ) -> str:
        """Append a record of the tree, below the leaf unless said otherwise, and make it the leaf.

        `extra` comes after the envelope's time, `weight` is what the record adds to a request in
        tokens, `offset_ms` sets its time a little off. Returns its uuid.
        """
        uuid = uuid or self.ids.uuid()
        above = None if root else parent or self.leaf
        head: Row = {"parentUuid": above}
        if logical is not None:
            head["logicalParentUuid"] = logical
        head["isSidechain"] = self.is_side
        moment = {"timestamp": self.clock.stamp(offset_ms), "uuid": uuid}
        row = self._enveloped(head, body, moment | (extra or {}))
        self.sheet.row(row)
        self.history.append(row)
        self._linked(uuid, above, weight)
        return uuid

    def _enveloped(self, head: Row, body: Row, tail: Row) -> Row:
        """The record with its envelope where the era puts it."""
        where: Row = {"userType": "external"}
        if not self.era.leads:
            where["entrypoint"] = self.entrypoint
        where |= {"cwd": self.cwd, "sessionId": self.session_id, "version": self.era.version}
        where["gitBranch"] = self.branch
        agent = {"agentId": self.agent_id} if self.agent_id else {}
        slug = {"slug": self.slug} if self.slug else {}
        if self.era.leads:
            return head | where | agent | slug | body | tail
        prompt = {"promptId": self.prompt_id} if body["type"] == "user" else {}
        return head | prompt | agent | body | tail | where | slug

    def _linked(self, uuid: str, above: str | None, weight: int) -> None:
        self.links[uuid] = above
        self.leaf = uuid
        self.path.append(uuid)
        self.records += 1
        self.live += weight
        self.own_tokens[uuid] = weight
        self.weights[uuid] = self.live

    def go_back(self, uuid: str | None) -> None:
        """Let the next record hang off an earlier one (None: off nothing), the rest is left behind."""
        at = self.path.index(uuid) + 1 if uuid else 0
        del self.path[at:]
        self.leaf = uuid
        self.live = self.weights[uuid] if uuid else 0
        self.cached = min(self.cached, self.context)
        if self.log:
            self.log.go_back(uuid)

    def side(
        self, kind: str, /, *, timed: bool = False, session: bool = True, **fields: Any
    ) -> None:
        """Append a bookkeeping record: it has a type and fields, and no place in the tree."""
        time = {"timestamp": self.clock.stamp()} if timed else {}
        whose = {"sessionId": self.session_id} if session else {}
        self.sheet.row({"type": kind, **fields, **time, **whose})
