"""What the model sends: replies in fragments, tool calls, and the results that go back."""

from collections.abc import Sequence

from ccbrowse.tui.demo.blocks import Block, Call, OpenCall, Reply, Say, Think
from ccbrowse.tui.demo.eras import usage
from ccbrowse.tui.demo.lines import Row
from ccbrowse.tui.demo.prompts import IMAGE_TOKENS, Prompts

_CACHE_MS = 300_000  # the API's short cache is gone after five minutes without a request


class Replies(Prompts):
    """The model's side of a conversation.

    `hidden_output` is what the newest record does not say of its output: early clients wrote it
    before the reply's end. `results` counts the results of tools.
    """

    hidden_output = 0
    results = 0
    _last_request_ms = -_CACHE_MS

    def begin(self, *blocks: Block, stop: str | None = None) -> Reply:
        """Send a request and take its reply, of which no row is written yet: see `fragment`."""
        self.clock.tick(self.ids.seconds(1.2, 4.0))
        rows = [self._block(block) for block in blocks]
        request = self._send(rows)
        thinking = sum(self.count(b.text) for b in blocks if isinstance(b, Think))
        spoken = sum(self._block_tokens(b) for b in blocks if not isinstance(b, Think))
        output = thinking + spoken
        calls = any(isinstance(block, Call) for block in blocks)
        stop = stop or ("tool_use" if calls else "end_turn")
        shown = output if self.era.final_usage else self.ids.between(1, 8)
        counted = self._usage(shown, thinking)
        self.hidden_output = output - shown
        self.cached = self.context
        self._last_request_ms = self.clock.ms
        return Reply(
            message_id=self.ids.name("msg_01"),
            request_id=self.ids.name("req_"),
            usage=counted,
            stop_reason=stop if self.era.final_usage else None,
            request=request,
            blocks=rows,
            sources=blocks,
        )

    def fragment(self, reply: Reply) -> str:
        """Write the next block of a reply as a record of its own; returns its uuid."""
        index = len(reply.rows)
        block, source = reply.blocks[index], reply.sources[index]
        self.clock.tick(self.ids.seconds(0.2, 1.4))
        message: Row = {
            "id": reply.message_id,
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": [block],
            "stop_reason": reply.stop_reason,
            "stop_sequence": None,
            "usage": reply.usage,
        }
        if not self.era.leads:
            message["stop_details"] = None
        body: Row = {"message": message}
        body |= self._fragment_fields(reply, index)
        body["type"] = "assistant"
        uuid = self.tree(
            body,
            parent=reply.rows[-1] if reply.rows else None,
            extra=self._late_fields(),
            weight=self._block_tokens(source),
        )
        if not reply.rows:
            self.reply_starts.append(uuid)
        reply.rows.append(uuid)
        if isinstance(source, Call):
            reply.calls.append(OpenCall(source, block["id"], uuid))
        return uuid

    def reply(self, *blocks: Block, stop: str | None = None) -> Reply:
        """A whole reply: one record a block, all with the ids and the usage of the one message."""
        reply = self.begin(*blocks, stop=stop)
        for _ in blocks:
            self.fragment(reply)
        return reply

    def cut_off(self, text: str) -> Reply:
        """A reply that was stopped midway: its end and its real output are unknown."""
        reply = self.begin(Say(text))
        reply.stop_reason, reply.aborted = None, True
        reply.usage = {**reply.usage, "output_tokens": self.ids.between(1, 8)}
        self.fragment(reply)
        return reply

    def answer(self, call: OpenCall) -> str:
        """The result of a call, below the record of the call; returns its uuid."""
        done = call.call
        self.results += 1
        self.clock.tick(done.seconds)
        block: Row = {"tool_use_id": call.id, "type": "tool_result", "content": done.content}
        if done.is_error is not None:
            block["is_error"] = done.is_error
        body = {"type": "user", "message": {"role": "user", "content": [block]}}
        if self.era.leads and not self.slug:
            self.slug = "calm-mapping-otter"
        text = done.content if isinstance(done.content, str) else _texts(done.content)
        weight = self.count(text) + 8 + IMAGE_TOKENS * done.images
        uuid = self.tree(body, parent=call.row, extra=self._result_fields(call), weight=weight)
        if self.log:
            self.log.user([block])
        return uuid

    def work(
        self, *blocks: Block, order: Sequence[int] | None = None, interleave: bool = False
    ) -> Reply:
        """A reply with calls, and their results.

        `order` of the results by call, for parallel ones; `interleave` puts each result right after
        its call, before the next fragment of the message.
        """
        reply = self.begin(*blocks)
        if self.log and interleave:
            self.log.scatter()
        for block in blocks:
            self.fragment(reply)
            if interleave and isinstance(block, Call):
                self.answer(reply.calls[-1])
        if not interleave:
            for index in order or range(len(reply.calls)):
                self.answer(reply.calls[index])
        return reply

    def _send(self, reply: Sequence[Row]) -> str | None:
        """Log the request and its reply; returns the request's id where there is a log."""
        if not self.log:
            return None
        about = {"sessionId": self.session_id}
        source = "repl_main_thread" if self.interactive else "sdk"
        if self.agent_id:
            about["agentId"] = self.agent_id
            source = f"agent:builtin:{self.agent_type}"
        params = {"version": self.era.version, "model": self.model, "source": source}
        request = self.log.send(self.sheet, self.clock, about, params)
        self.log.assistant(reply)
        return request

    def _usage(self, output: int, thinking: int) -> Row:
        total = self.context
        fresh = self.ids.between(3, 10)
        warm = self.clock.ms - self._last_request_ms < _CACHE_MS
        cached = max(0, min(self.cached, total - fresh)) if warm else 0
        return usage(self.era, fresh, total - fresh - cached, cached, output, thinking)

    def _block(self, block: Block) -> Row:
        match block:
            case Say(text=text):
                return {"type": "text", "text": text}
            case Think(text=text):
                words = text if self.thinking_text else ""
                signature = self.ids.signature(160 + len(text) // 12)
                return {"type": "thinking", "thinking": words, "signature": signature}
            case Call(name=name, input=given):
                call = self.ids.name("toolu_01", 22)
                return {"type": "tool_use", "id": call, "name": name, "input": given}

    def _block_tokens(self, block: Block) -> int:
        if isinstance(block, Call):
            return self.count("".join(map(str, block.input.values()))) + 30
        return self.count(block.text) + 3

    def _fragment_fields(self, reply: Reply, index: int) -> Row:
        """What stands between the message and the time of a fragment."""
        fields: Row = {}
        if self.era.renders:
            source = reply.sources[index]
            if isinstance(source, Think):
                spent = self.ids.between(400, 9_000)
                fields = {"thinkingDurationMs": spent, "thinkingDisplay": "omitted"}
            elif isinstance(source, Call):
                fields = {"toolInputStreamMs": self.ids.between(1, 900)}
            fields["apiBlockIndex"] = index
        fields["requestId"] = reply.request_id
        if reply.request:
            fields["requestRef"] = reply.request
        if self.era.renders:
            fields |= {"requestedModel": self.model, "promptCacheRequested": "5m"}
        if reply.aborted:
            fields["isAbortedMidStream"] = True
        return fields

    def _late_fields(self) -> Row:
        fields: Row = {}
        if self.era.renders:
            fields = {"effort": "medium", "perTurnEffort": "medium", "madeBy": "model"}
        if self.is_side and not self.era.leads:
            fields["attributionAgent"] = self.agent_type
        return fields

    def _result_fields(self, call: OpenCall) -> Row:
        fields: Row = {}
        if self.era.leads or not self.is_side:
            fields["toolUseResult"] = call.call.result
        if self.era.renders and call.call.name == "Bash":
            fields["sandboxed"] = False
        fields["sourceToolAssistantUUID"] = call.row
        if self.era.renders:
            decision = {"decision": "accept", "source": "config", "reasonType": "mode"}
            fields["permissionDecision"] = decision
        return fields


def _texts(content: Sequence[Row]) -> str:
    return "".join(str(block.get("text", "")) for block in content)
