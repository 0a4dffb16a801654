"""Filling an index: the lines of a chunk decoded at once, by type, and their facts set row by row.

This is the hot path of every start: it runs for each line of every session. So rows are made in
bulk with the values that most have, a chunk's lines are decoded by one call, and only a chunk that
this call refuses is taken line by line.
"""

from msgspec import UNSET, DecodeError

from ccbrowse.core.index.contents import reply_contents, user_contents
from ccbrowse.core.index.flags import CALL, EMPTY, INTERRUPT, META, SIDECHAIN, TEXT, TYPED
from ccbrowse.core.index.table import MISSING, NONE, IndexedBoundary, SessionIndex, Trouble
from ccbrowse.core.lines import Chunk, line_spans
from ccbrowse.core.records.boundaries import compact_facts
from ccbrowse.core.records.heads import (
    ABSENT,
    Head,
    MessageHead,
    decode_agent_result,
    decode_head,
    decode_heads,
    lenient_head,
)
from ccbrowse.core.records.kinds import SIDE_TYPES, Kind
from ccbrowse.core.records.prompts import is_human, typed_text, user_kind
from ccbrowse.core.records.repair import Oddity, decode, decode_odd, is_utf8
from ccbrowse.core.records.times import NO_TIME, milliseconds

_AGENT_TOOLS = ("Task", "Agent")
_SYNTHETIC = "<synthetic>"
_BLOCK = 16
"""Lines that are looked at together for bytes that are not ASCII."""

_CLOSED = ord("}")
_BOM = b"\xef\xbb\xbf"
_LAST_REPLAYED = Kind.BOUNDARY
"""Kinds up to this one are messages: one that comes again is that message again."""


class Reader:
    """Feeds chunks of one file into one index."""

    def __init__(self, index: SessionIndex) -> None:
        self.index = index
        self._metadata: object = None

    def feed(self, chunk: Chunk) -> None:
        """Append every line of a chunk."""
        index, data, base = self.index, chunk.data, chunk.offset
        spans = list(line_spans(data, chunk.end))
        try:
            heads = decode_heads(memoryview(data)[: chunk.end])
        except (DecodeError, RecursionError):
            heads = []
        if len(heads) == len(spans) and _one_a_line(data, spans):
            if not data.isascii():
                self._look_at_bytes(data, spans)
            self._set_all(heads, index.add_rows(base, spans))
        else:
            self._line_by_line(data, base, spans)
        index.size = base + chunk.end

    def _set_all(self, heads: list[Head], row: int) -> None:
        """The facts of records on consecutive rows."""
        assistant, user, other = self._assistant, self._user, self._set
        for head in heads:
            if head.type == "assistant":
                assistant(head, row)
            elif head.type == "user":
                user(head, row)
            else:
                other(head, row)
            row += 1

    def _look_at_bytes(self, data: bytes, spans: list[tuple[int, int]]) -> None:
        """Name the lines that are not UTF-8: the typed decoder does not look into what it skips."""
        for first in range(0, len(spans), _BLOCK):
            block = spans[first : first + _BLOCK]
            if data[block[0][0] : block[-1][1]].isascii():
                continue
            for number, (start, stop) in enumerate(block, self.index.lines + 1 + first):
                if not is_utf8(data[start:stop]):
                    self._trouble(Oddity.INVALID_UTF8, number)

    def _line_by_line(self, data: bytes, base: int, spans: list[tuple[int, int]]) -> None:
        """Lines among which one is blank, damaged or odd."""
        index = self.index
        for start, stop in spans:
            line = data[start:stop]
            try:
                head = decode_head(line)
            except (DecodeError, RecursionError):
                self._odd_line(line, base + start)
                continue
            if not is_utf8(line):
                self._trouble(Oddity.INVALID_UTF8, index.lines + 1)
            self._set(head, index.add_rows(base, [(start, stop)]))

    def _odd_line(self, line: bytes, offset: int) -> None:
        """A line that the typed decoder refused: coerced, repaired, or kept as damaged."""
        index, span = self.index, [(0, len(line))]
        number = index.lines + 1
        if not line.strip() or line.strip() == _BOM:
            index.lines = number
            return
        records, oddity = decode_odd(line)
        heads = [(head, record) for record in records if (head := lenient_head(record))]
        if not heads:
            index.bad_lines.append(number)
            self._trouble("damaged_line", number)
            index.kind[index.add_rows(offset, span)] = Kind.BAD
        elif oddity is not None:
            self._trouble(oddity, number)
        for head, record in heads:
            index.lines = number - 1  # several records may share the line
            self._metadata = record.get("compactMetadata")
            self._set(head, index.add_rows(offset, span))
        self._metadata = None

    def _trouble(self, code: str, number: int) -> None:
        self.index.troubles.append(Trouble(code, len(self.index), number))

    def _set(self, head: Head, row: int) -> None:
        """The facts of one record."""
        kind = head.type
        if kind == "assistant":
            self._assistant(head, row)
        elif kind == "user":
            self._user(head, row)
        elif kind == "attachment":
            self._link(head, _attachment_kind(head), row)
        elif kind == "system":
            self._system(head, row)
        elif kind == "progress":
            self._progress(head, row)
        elif head.uuid and head.parentUuid is not UNSET and kind not in SIDE_TYPES:
            self._link(head, Kind.LINK, row)
        else:
            self._side(head, row)

    def _side(self, head: Head, row: int) -> None:
        index = self.index
        if head.timestamp is not None:
            index.time[row] = time = milliseconds(head.timestamp)
            index.facts.seen(time)
        if head.type.startswith("api-request"):
            index.kind[row] = Kind.REQUEST
        else:
            index.facts.bookkeeping(head)

    def _link(self, head: Head, kind: int, row: int, flags: int = 0) -> bool:
        """Set a record's links; False where it only repeats an earlier one."""
        index, facts, uuid = self.index, self.index.facts, head.uuid
        index.kind[row] = kind
        time = milliseconds(head.timestamp)
        if time != NO_TIME:
            index.time[row] = time
            if time > facts.updated or time < facts.started:
                facts.seen(time)
        if head.isSidechain:
            flags |= SIDECHAIN
            if head.agentId and not index.sidechain_lane:
                index.sidechain_agents[row] = head.agentId
        if flags:
            index.flags[row] = flags
        if head.cwd != facts.last_cwd or head.version != facts.last_version or head.forkedFrom:
            facts.place(head)
        if head.gitBranch:
            facts.git_branch = head.gitBranch
        parent = head.parentUuid
        if uuid:
            earlier = index.rows.get(uuid)
            if earlier is not None and self._is_replay(earlier, kind, parent):
                index.repeat(row, earlier)
                return False
        if parent:
            found = index.rows.get(parent)
            if found is None:
                index.waiting.setdefault(parent, []).append(row)
                found = MISSING
            index.parent[row] = found
        if uuid:
            index.name(row, uuid)
            if head.forkedFrom and head.forkedFrom.messageUuid:
                index.origin_rows.setdefault(head.forkedFrom.messageUuid, row)
        return True

    def _is_replay(self, earlier: int, kind: int, parent: object) -> bool:
        """Whether a record with a known uuid is that record again.

        Messages always are. Another record with the same parent is; with another parent it is a new
        link: a child then means the nearest one before it.
        """
        if kind <= _LAST_REPLAYED:
            return True
        before = self.index.parent[earlier]
        return (self.index.uuids[before] if before >= 0 else None) == parent

    def _assistant(self, head: Head, row: int) -> None:
        index, message = self.index, head.message
        if not isinstance(message, MessageHead):
            message = MessageHead(content=message)
        synthetic = message.model == _SYNTHETIC
        kind = Kind.ERROR if synthetic or head.isApiErrorMessage else Kind.ASSISTANT
        flags, tool, calls = reply_contents(message.content)
        fresh = self._link(head, kind, row, flags)
        if not synthetic:
            if message.id:
                index.join(row, message.id, fresh)
            if message.usage is None:
                index.facts.model_number(message.model)
            else:
                self._request(head, message, row)
        if fresh and flags & CALL:
            index.tool[row] = index.tool_number(tool)
            if len(calls) > 1:
                index.more_calls[row] = calls
            for call in calls:
                index.call(row, call)

    def _request(self, head: Head, message: MessageHead, row: int) -> None:
        index, usage = self.index, message.usage
        model = index.facts.model_number(message.model)
        if usage is None:
            return
        name = message.id or head.uuid or f"line {index.line[row]}"
        key = (name, head.requestId if message.id else None)
        ended = message.stop_reason is not None
        index.request[row] = index.requests.add(
            key, usage, row, model, ended, bool(head.isSidechain)
        )

    def _user(self, head: Head, row: int) -> None:
        index, message = self.index, head.message
        content = message.content if isinstance(message, MessageHead) else message
        flags, text, answered = 0, "", list[str]()
        if isinstance(content, list):
            flags, text, answered = user_contents(content)
        elif content:
            text = content
        has_result = bool(flags & CALL)
        kind = user_kind(head, text, has_result)
        flags = self._words(head, flags & ~CALL, text, has_result)
        if not self._link(head, kind, row, flags):
            return
        if head.summarizeMetadata and head.summarizeMetadata.direction:
            index.directions[row] = head.summarizeMetadata.direction
        if has_result:
            self._result(head, row, answered)
        elif not head.isSidechain or index.sidechain_lane:
            index.facts.words(kind, text)

    def _words(self, head: Head, flags: int, text: str, has_result: bool) -> int:
        """The flags of a user record's text added to those of its other content."""
        if text and not text.isspace():
            flags |= TEXT
            if text.startswith("[Request interrupted by user"):
                flags |= INTERRUPT
            elif has_result and is_human(head, text) and typed_text(text):
                flags |= TYPED
        elif not flags and not has_result:
            flags = EMPTY
        return flags | META if head.isMeta else flags

    def _result(self, head: Head, row: int, answered: list[str]) -> None:
        """Join a result to its call, and a subagent to the call that ran it."""
        index = self.index
        for call in answered:
            call_row = index.answer(row, call)
            if (
                call_row != NONE
                and head.toolUseResult is not ABSENT
                and index.tool_name(call_row) in _AGENT_TOOLS
            ):
                self._agent(head.toolUseResult, call)

    def _agent(self, raw: object, call: str) -> None:
        try:
            agent = decode_agent_result(raw).agentId  # type: ignore[arg-type]  # a Raw is a buffer
        except DecodeError:
            return
        if agent:
            self.index.agent_calls[agent] = call

    def _progress(self, head: Head, row: int) -> None:
        data = head.data
        if self._link(head, Kind.PROGRESS, row) and data and data.agentId and head.parentToolUseID:
            self.index.agent_calls.setdefault(data.agentId, head.parentToolUseID)

    def _system(self, head: Head, row: int) -> None:
        if head.subtype == "microcompact_boundary":
            self._link(head, Kind.MICRO_BOUNDARY, row)
        elif head.subtype != "compact_boundary":
            self._link(head, Kind.SYSTEM, row)
        elif self._link(head, Kind.BOUNDARY, row):
            metadata = self._metadata
            if head.compactMetadata is not ABSENT:
                metadata = decode(b'{"m":' + bytes(head.compactMetadata) + b"}")["m"]
            facts = compact_facts(metadata)
            self.index.boundaries.append(IndexedBoundary(row, head.logicalParentUuid, facts))


def _one_a_line(data: bytes, spans: list[tuple[int, int]]) -> bool:
    """Whether each line is one object: the decoder of many takes two on a line as gladly as one on two.

    A line that starts with `{` and ends with `}` cannot be a part of a value that goes on.
    """
    return all(
        data[start : start + 1] == b"{" and data[stop - 1] == _CLOSED for start, stop in spans
    )


def _attachment_kind(head: Head) -> Kind:
    """A prompt that was queued while the client worked, or something that the client sent along."""
    attachment = head.attachment
    if attachment is None or attachment.type != "queued_command":
        return Kind.ATTACHMENT
    if attachment.commandMode not in (None, "prompt") or not is_human(head, ""):
        return Kind.ATTACHMENT
    return Kind.QUEUED_PROMPT
