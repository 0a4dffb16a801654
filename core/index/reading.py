"""Filling an index: each new line decoded once, by type, and its facts appended.

This is the hot path of every start: it runs once for each line of every session. `Reader.feed`
therefore keeps its names local and branches on the commonest types first.
"""

from msgspec import UNSET, DecodeError, Raw

from ccbrowse.core.index.table import (
    CALL,
    EMPTY,
    FAILED,
    IMAGE,
    INTERRUPT,
    META,
    MISSING,
    NONE,
    REPLAY,
    ROOT,
    SIDECHAIN,
    TEXT,
    THINKING,
    TYPED,
    IndexedBoundary,
    SessionIndex,
    Trouble,
)
from ccbrowse.core.lines import Chunk, line_spans
from ccbrowse.core.records.boundaries import compact_facts
from ccbrowse.core.records.heads import (
    ABSENT,
    BlockHead,
    Head,
    MessageHead,
    decode_agent_result,
    decode_head,
    decode_text,
    lenient_head,
)
from ccbrowse.core.records.kinds import Kind
from ccbrowse.core.records.prompts import is_human, typed_text, user_kind
from ccbrowse.core.records.repair import Oddity, decode, decode_odd, is_utf8
from ccbrowse.core.records.times import milliseconds

_AGENT_TOOLS = ("Task", "Agent")
_SIDE_TYPES = frozenset(
    [
        "file-history-snapshot",
        "file-history-delta",
        "queue-operation",
        "last-prompt",
        "mode",
        "permission-mode",
        "custom-title",
        "ai-title",
        "summary",
        "agent-name",
        "agent-color",
        "agent-setting",
        "tag",
        "pr-link",
        "cost-state",
        "content-replacement",
        "tools-used",
        "atis-latch",
        "bridge-session",
        "worktree-state",
        "relocated",
        "continued-in",
        "attribution-snapshot",
        "speculation-accept",
        "journal",
    ]
)
_IMAGES = ("image", "document")


class Reader:
    """Feeds chunks of one file into one index."""

    def __init__(self, index: SessionIndex) -> None:
        self.index = index

    def feed(self, chunk: Chunk) -> None:
        """Append every whole line of a chunk."""
        data, base = chunk.data, chunk.offset
        index, add = self.index, self.add
        number = index.lines
        for start, stop in line_spans(data, chunk.end):
            number += 1
            line = data[start:stop]
            try:
                head = decode_head(line)
            except (DecodeError, RecursionError):
                index.lines = number
                self._odd_line(line, base + start, number)
                continue
            if not line.isascii() and not is_utf8(line):
                self._trouble(Oddity.INVALID_UTF8, number)
            add(head, base + start, stop - start, number)
        index.lines = number
        index.size = base + chunk.end

    def _odd_line(self, line: bytes, offset: int, number: int) -> None:
        """A line that the typed decoder refused: coerced, repaired, or kept as damaged."""
        stripped = line.strip()
        if not stripped or stripped == b"\xef\xbb\xbf":
            return
        records, oddity = decode_odd(line)
        heads = [head for head in map(lenient_head, records) if head]
        if not heads:
            self._bad(offset, len(line), number)
            return
        if oddity is not None:
            self._trouble(oddity, number)
        for head, record in zip(heads, records, strict=False):
            self.add(head, offset, len(line), number, record.get("compactMetadata"))

    def _trouble(self, code: str, number: int) -> None:
        self.index.troubles.append(Trouble(code, len(self.index), number))

    def _bad(self, offset: int, length: int, number: int) -> None:
        self.index.bad_lines.append(number)
        self._trouble("damaged_line", number)
        self._append(Kind.BAD, 0, offset, length, number)

    def add(
        self, head: Head, offset: int, length: int, number: int, metadata: object = None
    ) -> None:
        """Append one record; `metadata` is its compactMetadata where that was decoded already."""
        kind = head.type
        if kind == "assistant":
            self._assistant(head, offset, length, number)
        elif kind == "user":
            self._user(head, offset, length, number)
        elif kind == "attachment":
            attachment = head.attachment
            queued = (
                attachment is not None
                and attachment.type == "queued_command"
                and attachment.commandMode in (None, "prompt")
                and is_human(head, "")
            )
            found = Kind.QUEUED_PROMPT if queued else Kind.ATTACHMENT
            self._linked(head, found, 0, offset, length, number)
        elif kind == "system":
            self._system(head, offset, length, number, metadata)
        elif kind == "progress":
            row = self._linked(head, Kind.PROGRESS, 0, offset, length, number)
            data = head.data
            if row is not None and data and data.agentId and head.parentToolUseID:
                self.index.agent_calls.setdefault(data.agentId, head.parentToolUseID)
        elif kind.startswith("api-request"):
            self._append(Kind.REQUEST, 0, offset, length, number, head)
        elif head.uuid and head.parentUuid is not UNSET and kind not in _SIDE_TYPES:
            self._linked(head, Kind.LINK, 0, offset, length, number)
        else:
            self._append(Kind.SIDE, 0, offset, length, number, head)
            self.index.facts.bookkeeping(head)

    def _append(
        self,
        kind: Kind,
        flags: int,
        offset: int,
        length: int,
        number: int,
        head: Head | None = None,
    ) -> int:
        """A row without links."""
        index = self.index
        row = len(index.kind)
        index.kind.append(kind)
        index.flags.append(flags)
        index.offset.append(offset)
        index.length.append(length)
        index.line.append(number)
        index.parent.append(ROOT)
        index.message.append(NONE)
        index.request.append(NONE)
        index.peer.append(NONE)
        index.tool.append(0)
        index.uuids.append(None)
        time = milliseconds(head.timestamp if head else None)
        index.time.append(time)
        index.facts.seen(time)
        return row

    def _linked(
        self, head: Head, kind: Kind, flags: int, offset: int, length: int, number: int
    ) -> int | None:
        """A row with a uuid and a parent; None where it only repeats an earlier record."""
        index, uuid = self.index, head.uuid
        if head.isSidechain:
            flags |= SIDECHAIN
        row = self._append(kind, flags, offset, length, number, head)
        if head.isSidechain and head.agentId and not index.sidechain_lane:
            index.sidechain_agents[row] = head.agentId
        facts = index.facts
        if head.cwd is not facts.last_cwd or head.version or head.forkedFrom:
            facts.place(head)
        parent = head.parentUuid
        if uuid:
            earlier = index.rows.get(uuid)
            if earlier is not None and self._is_replay(earlier, kind, parent):
                index.flags[row] |= REPLAY
                index.peer[row] = earlier
                index.uuids[row] = uuid
                index.latest[earlier] = row
                return None
        if parent is not UNSET and parent is not None:
            found = index.rows.get(parent)
            if found is None:
                index.waiting.setdefault(parent, []).append(row)
                found = MISSING
            index.parent[row] = found
        if uuid:
            index.rows[uuid] = row
            index.uuids[row] = uuid
            if index.waiting and uuid in index.waiting:
                for child in index.waiting.pop(uuid):
                    index.parent[child] = row
            if head.forkedFrom and head.forkedFrom.messageUuid:
                index.origin_rows.setdefault(head.forkedFrom.messageUuid, row)
        return row

    def _is_replay(self, earlier: int, kind: Kind, parent: object) -> bool:
        """Whether a record with a known uuid is that record again.

        Messages always are. Another record with the same parent is; with another parent it is a new
        link: a child then means the nearest one before it.
        """
        index = self.index
        if kind <= Kind.BOUNDARY:
            return True
        before = index.parent[earlier]
        return (index.uuids[before] if before >= 0 else None) == parent

    def _assistant(self, head: Head, offset: int, length: int, number: int) -> None:
        index = self.index
        message = head.message if isinstance(head.message, MessageHead) else MessageHead()
        synthetic = message.model == "<synthetic>"
        kind = Kind.ERROR if synthetic or head.isApiErrorMessage else Kind.ASSISTANT
        flags, tool, call, more = self._reply_blocks(message)
        row = self._linked(head, kind, flags, offset, length, number)
        known = row if row is not None else len(index) - 1
        if message.id and not synthetic:
            self._fragment(message.id, known, row is not None)
        if message.usage and not synthetic:
            model = index.facts.model_number(message.model)
            key = (
                message.id or head.uuid or f"line {number}",
                head.requestId if message.id else None,
            )
            index.request[known] = index.requests.add(
                key,
                message.usage,
                known,
                model,
                message.stop_reason is not None,
                bool(head.isSidechain),
            )
        elif message.model and not synthetic:
            index.facts.model_number(message.model)
        if row is None or call is None:
            return
        index.tool[row] = self._tool_number(tool or "")
        if more:
            index.more_calls[row] = [call, *more]
        for name in (call, *more):
            self._called(name, row)

    def _tool_number(self, name: str) -> int:
        index = self.index
        number = index.tools.get(name)
        if number is None:
            number = index.tools[name] = min(len(index.tool_names), 65_535)
            index.tool_names.append(name)
        return number

    def _reply_blocks(self, message: MessageHead) -> tuple[int, str | None, str | None, list[str]]:
        """Flags of a reply's content, its first tool and call, and its further calls."""
        content = message.content
        if not isinstance(content, list):
            return (TEXT if content and content.strip() else EMPTY), None, None, []
        flags, tool, call, more = 0, None, None, list[str]()
        for block in content:
            if not isinstance(block, BlockHead):
                flags |= TEXT if block and block.strip() else 0
            elif block.type == "text":
                flags |= TEXT if _has_words(block.text) else 0
            elif block.type == "tool_use" or (block.type or "").endswith("_tool_use"):
                flags |= CALL
                if call is None:
                    tool, call = block.name, block.id or ""
                elif block.id:
                    more.append(block.id)
            elif block.type in ("thinking", "redacted_thinking"):
                flags |= THINKING
            elif block.type in _IMAGES:
                flags |= IMAGE
            else:
                flags |= TEXT
        return flags or EMPTY, tool, call, more

    def _fragment(self, message_id: str, row: int, fresh: bool) -> None:
        """Join a row to its message."""
        index = self.index
        number = index.messages.get(message_id)
        if number is None:
            number = index.messages[message_id] = len(index.fragments)
            index.fragments.append(row)
        elif fresh:
            rows = index.fragments[number]
            if isinstance(rows, list):
                rows.append(row)
            else:
                index.fragments[number] = [rows, row]
        index.message[row] = number

    def _called(self, call: str, row: int) -> None:
        index = self.index
        if call:
            index.calls[call] = row
            early = index.early_results.pop(call, ())
            if not early:
                index.unanswered[call] = row
            for result in early:
                self._answer(row, result)

    def _answer(self, call_row: int, result_row: int) -> None:
        index = self.index
        index.peer[result_row] = call_row
        if index.peer[call_row] == NONE:
            index.peer[call_row] = result_row
        else:
            index.more_results.setdefault(call_row, []).append(result_row)

    def _user(self, head: Head, offset: int, length: int, number: int) -> None:
        index, message = self.index, head.message
        content = message.content if isinstance(message, MessageHead) else message
        flags, text, answered = 0, "", list[str]()
        if isinstance(content, list):
            flags, text, answered = self._user_blocks(content)
        elif content:
            text = content
        has_result = bool(answered) or bool(flags & FAILED) or bool(flags & CALL)
        flags &= ~CALL
        kind = user_kind(head, text, has_result)
        if text and not text.isspace():
            flags |= TEXT
            if text.startswith("[Request interrupted by user"):
                flags |= INTERRUPT
            elif has_result and is_human(head, text) and typed_text(text):
                flags |= TYPED
        elif not flags:
            flags = EMPTY
        if head.isMeta:
            flags |= META
        row = self._linked(head, kind, flags, offset, length, number)
        if row is None:
            return
        if head.summarizeMetadata and head.summarizeMetadata.direction:
            index.directions[row] = head.summarizeMetadata.direction
        if has_result:
            self._result(head, row, answered)
        elif not head.isSidechain or index.sidechain_lane:
            index.facts.words(kind, text)

    def _user_blocks(self, content: list[BlockHead | str | None]) -> tuple[int, str, list[str]]:
        """Flags of a user record's content (CALL: it holds a result), its text, the calls answered."""
        flags, texts, answered = 0, list[str](), list[str]()
        for block in content:
            if not isinstance(block, BlockHead):
                texts.append(block or "")
            elif block.type == "tool_result" or block.tool_use_id:
                flags |= CALL | (FAILED if block.is_error else 0)
                if block.tool_use_id:
                    answered.append(block.tool_use_id)
            elif block.type == "text" and block.text is not ABSENT:
                try:
                    texts.append(decode_text(block.text))
                except DecodeError:  # a lone surrogate, or null
                    texts.append(bytes(block.text).decode(errors="replace").strip('"'))
            elif block.type in _IMAGES:
                flags |= IMAGE
        return flags, "\n".join(texts) if len(texts) != 1 else texts[0], answered

    def _result(self, head: Head, row: int, answered: list[str]) -> None:
        """Join a result to its call, and a subagent to the call that ran it."""
        index = self.index
        for call in answered:
            call_row = index.calls.get(call)
            if call_row is None:
                index.early_results.setdefault(call, []).append(row)
                continue
            index.unanswered.pop(call, None)
            self._answer(call_row, row)
            if head.toolUseResult is not ABSENT and index.tool_name(call_row) in _AGENT_TOOLS:
                self._agent(head.toolUseResult, call)

    def _agent(self, raw: object, call: str) -> None:
        try:
            agent = decode_agent_result(raw).agentId  # type: ignore[arg-type]  # a Raw is a buffer
        except DecodeError:
            return
        if agent:
            self.index.agent_calls[agent] = call

    def _system(self, head: Head, offset: int, length: int, number: int, metadata: object) -> None:
        index = self.index
        if head.subtype == "microcompact_boundary":
            self._linked(head, Kind.MICRO_BOUNDARY, 0, offset, length, number)
            return
        if head.subtype != "compact_boundary":
            self._linked(head, Kind.SYSTEM, 0, offset, length, number)
            return
        row = self._linked(head, Kind.BOUNDARY, 0, offset, length, number)
        if row is None:
            return
        if head.compactMetadata is not ABSENT:
            metadata = decode(b'{"m":' + bytes(head.compactMetadata) + b"}")["m"]
        index.boundaries.append(
            IndexedBoundary(row, head.logicalParentUuid, compact_facts(metadata))
        )


def _has_words(text: Raw) -> bool:
    """Whether an undecoded text shows anything. Longer ones are taken to: blanks are a few escapes."""
    size = len(memoryview(text))
    return size > 12 or (size > 2 and bool(decode_text(text).strip()))
