"""The facts of messages: replies with their requests and calls, user records with results and words.

Most records of most sessions come through here, so what is common comes first: a reply of one block
that goes on with the message of the record before it, a user record that holds one result.
"""

from ccbrowse.core.index.batch import Batch
from ccbrowse.core.index.contents import FLAGS, calls_of, reply_flags, user_contents
from ccbrowse.core.index.flags import (
    CALL,
    EMPTY,
    FAILED,
    INTERRUPT,
    META,
    SILENT,
    TEXT,
    THINKING,
    TYPED,
)
from ccbrowse.core.index.requests import Key
from ccbrowse.core.index.table import NONE, SessionIndex
from ccbrowse.core.records.heads import (
    BlockHead,
    Brief,
    MessageHead,
    UsageHead,
    agent_of_result,
    splits_up,
)
from ccbrowse.core.records.kinds import Kind
from ccbrowse.core.records.prompts import is_human, typed_text, user_kind

_SYNTHETIC = "<synthetic>"


class Messages:
    """Sets the facts of user and assistant records; one that repeats another pairs nothing."""

    def __init__(self, index: SessionIndex) -> None:
        self.index = index
        self._id: str | None = None
        self._request_id: str | None = None
        self._usage: UsageHead | None = None
        self._number = NONE
        self._request = NONE
        self._agent_calls: set[str] = set()
        """Calls that run a subagent, of replies with several calls in one record."""

    def assistant(self, head: Brief, row: int, batch: Batch) -> None:
        """A reply, or a fragment of one."""
        index, message = self.index, head.message
        if type(message) is not MessageHead:
            message = MessageHead(content=message)  # type: ignore[arg-type]  # a str, or None
        name = message.id
        repeated = batch.repeats and row in batch.repeats
        if (
            name != self._id
            or message.usage != self._usage
            or head.requestId != self._request_id
            or repeated
            or name is None
            or message.model == _SYNTHETIC
            or head.isApiErrorMessage
        ):
            self._open(head, message, row, batch)
        else:
            number = self._number
            rows = index.fragments[number]
            if isinstance(rows, list):
                rows.append(row)
            else:
                index.fragments[number] = [rows, row]
            index.message[row] = number
            index.request[row] = request = self._request
            if message.stop_reason is not None and request != NONE:
                index.requests.trusted[request] = True
        content = message.content
        alone = content[0] if type(content) is list and len(content) == 1 else None
        flags = FLAGS.get(alone.type) if type(alone) is BlockHead else None
        if flags is None:
            flags = reply_flags(content)
        elif flags == THINKING and type(alone) is BlockHead and alone.says_nothing():
            flags |= SILENT
        index.flags[row] = flags
        if flags & CALL and not repeated:
            if type(alone) is BlockHead:
                self._call(alone, row)
            else:
                self._calls(calls_of(content), row)

    def _open(self, head: Brief, message: MessageHead, row: int, batch: Batch) -> None:
        """A reply that does not simply go on with the message of the one before it."""
        index = self.index
        if message.model == _SYNTHETIC:
            index.kind[row] = Kind.ERROR
            return
        if head.isApiErrorMessage:
            index.kind[row] = Kind.ERROR
        self._id = name = message.id
        self._request_id, self._usage = head.requestId, message.usage
        number = index.messages.get(name, NONE) if name else NONE
        new = number == NONE
        if name and new:
            number = index.messages[name] = len(index.fragments)
            index.fragments.append(row)
        elif name and row not in batch.repeats:
            index.add_fragment(number, row)
        index.message[row] = self._number = number
        index.request[row] = self._request = self._count(head, message, row, batch, new)

    def _count(self, head: Brief, message: MessageHead, row: int, batch: Batch, new: bool) -> int:
        """The request of a reply, `new` where its message is; with the counters that the reply states."""
        index, usage = self.index, message.usage
        model = index.facts.model_number(message.model)
        if usage is None:
            return NONE
        table, ended = index.requests, message.stop_reason is not None
        counts = table.counters(usage, row)
        key: Key = (message.id or head.uuid or f"line {index.line[row]}", None)
        if message.id:
            key = (message.id, head.requestId)
        known = NONE if message.id and new else table.number_of(key)
        if known != NONE:
            table.update(known, counts, ended)
        elif any(counts) or splits_up(batch.line(row)):
            known = table.add(key, counts, row, model, ended, bool(head.isSidechain))
        return known

    def _call(self, call: BlockHead, row: int) -> None:
        """The only call of a reply."""
        index, name = self.index, call.name or ""
        index.tool[row] = index.tools.get(name) or index.tool_number(name)
        if call.id:
            index.call(row, call.id)

    def _calls(self, calls: list[BlockHead], row: int) -> None:
        """The calls of a reply: the name of the first, the ids of all."""
        index = self.index
        index.tool[row] = index.tool_number(calls[0].name or "")
        ids = [call.id for call in calls if call.id]
        if len(ids) > 1:
            index.more_calls[row] = ids
            tools = [(call.id, index.tool_number(call.name or "")) for call in calls if call.id]
            self._agent_calls.update(name for name, tool in tools if tool in index.agent_tools)
        for call in ids:
            index.call(row, call)

    def user(self, head: Brief, row: int, batch: Batch) -> None:
        """A result, or words: a person's or the client's own."""
        index, message = self.index, head.message
        content = message.content if type(message) is MessageHead else message
        if type(content) is list and len(content) == 1 and not head.isCompactSummary:
            block = content[0]
            if type(block) is BlockHead and block.tool_use_id:
                if block.is_error or head.isMeta:
                    index.flags[row] = (FAILED if block.is_error else 0) | (
                        META if head.isMeta else 0
                    )
                if not batch.repeats or row not in batch.repeats:
                    self._answer(block.tool_use_id, row, batch)
                return
        self._mixed(head, row, batch)

    def _mixed(self, head: Brief, row: int, batch: Batch) -> None:
        """A record with words, or with more than one block."""
        index, message = self.index, head.message
        content = message.content if isinstance(message, MessageHead) else message
        flags, text, answered = user_contents(content)
        has_result = bool(flags & CALL)
        kind = user_kind(head, text, has_result)
        index.kind[row] = kind
        flags = _words(head, flags & ~CALL, text, has_result)
        index.flags[row] = flags
        if flags & TYPED:
            index.typed.add(row)
        if row in batch.repeats:
            return
        for call in answered:
            self._answer(call, row, batch)
        if kind is Kind.SUMMARY:
            metadata = batch.whole(row).summarizeMetadata
            if metadata and metadata.direction:
                index.directions[row] = metadata.direction
        elif not has_result and (not head.isSidechain or index.sidechain_lane):
            index.facts.words(kind, text)

    def _answer(self, call: str, row: int, batch: Batch) -> None:
        """Join a result to its call, and a subagent to the call that ran it."""
        index = self.index
        call_row = index.answer(row, call)
        if call_row == NONE:
            return
        if call_row in index.more_calls:  # the row names the first of its tools only
            runs_agent = call in self._agent_calls
        else:
            runs_agent = bool(index.agent_tools) and index.tool[call_row] in index.agent_tools
        if runs_agent:
            agent = agent_of_result(batch.whole(row))
            if agent:
                index.agent_calls[agent] = call


def _words(head: Brief, flags: int, text: str, has_result: bool) -> int:
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
