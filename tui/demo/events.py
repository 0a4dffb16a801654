"""What else happens in a session: commands, shell lines, errors, interruptions, bookkeeping."""

from dataclasses import replace
from typing import Any

from ccbrowse.tui.demo.blocks import Call, OpenCall
from ccbrowse.tui.demo.eras import no_usage
from ccbrowse.tui.demo.lines import Row
from ccbrowse.tui.demo.replies import Replies

INTERRUPTED = "[Request interrupted by user]"
INTERRUPTED_TOOL = "[Request interrupted by user for tool use]"
NO_RESPONSE = "No response requested."


class Events(Replies):
    """All that is neither prompt nor reply."""

    def user_row(
        self, text: str, *, meta: bool = False, offset_ms: int = 0, sent: bool = True
    ) -> str:
        """A user record that no person typed as a prompt: a command, its output, a caveat."""
        body: Row = {"type": "user", "message": {"role": "user", "content": text}}
        if meta:
            body["isMeta"] = True
        extra: Row = {"rowSource": "harness" if meta else "local"} if self.era.renders else {}
        if not self.era.leads and not self.era.renders and self.interactive:
            extra["origin"] = {"kind": "human"}
        if self.log and sent:
            self.log.user(text)
        return self.tree(body, extra=extra, weight=self.count(text) + 4, offset_ms=offset_ms)

    def caveat(self, offset_ms: int = 0) -> str:
        """The client's own line before commands of the person."""
        text = "What follows came from local commands; do not answer it unless asked."
        wrapped = f"<local-command-caveat>{text}</local-command-caveat>"
        return self.user_row(wrapped, meta=True, offset_ms=offset_ms)

    def command_rows(self, name: str, args: str, output: str, offset_ms: int = 0) -> None:
        """Caveat, command and output as user records."""
        self.caveat(offset_ms)
        self.user_row(command_text(name, args), offset_ms=offset_ms)
        self.user_row(f"<local-command-stdout>{output}</local-command-stdout>")

    def command(self, name: str, args: str = "", output: str = "") -> None:
        """A slash command that the client answers itself, such as /rename or /context."""
        self.clock.tick(self.ids.seconds(2, 8))
        if self.era.leads:
            self.command_rows(name, args, output)
            return
        ran = {"commandRun": {"command": name, "args": args}} if self.era.renders else {}
        self._local(command_text(name, args), {})
        self._local(f"<local-command-stdout>{output}</local-command-stdout>", ran)

    def _local(self, text: str, extra: Row) -> None:
        body = {"type": "system", "subtype": "local_command", "content": text, "level": "info"}
        self.tree(body, extra={"isMeta": False, **extra}, weight=self.count(text) + 4)
        if self.log:
            self.log.user(text)

    def shell(self, line: str, output: str, errors: str = "") -> None:
        """A line that the person ran with `!`."""
        self.clock.tick(self.ids.seconds(2, 8))
        if not self.era.renders:
            self.caveat()
        self.user_row(f"<bash-input>{line}</bash-input>")
        self.clock.tick(0.3)
        self.user_row(f"<bash-stdout>{output}</bash-stdout><bash-stderr>{errors}</bash-stderr>")

    def leave(self) -> None:
        """`/exit`: its command and output stay beside the line, which goes on from the caveat."""
        self.clock.tick(self.ids.seconds(2, 8))
        before = self.caveat()
        if self.log:
            self.log.mark(before)
        self.user_row(command_text("exit", ""))
        self.user_row("<local-command-stdout>See you soon</local-command-stdout>")
        self.go_back(before)

    def resume(self, after_s: float = 600) -> None:
        """A new process takes the session up again; older clients write a reply of their own."""
        self.clock.tick(after_s)
        self.cached = 0
        if not self.era.renders:
            self.synthetic(NO_RESPONSE)

    def synthetic(self, text: str, error: Row | None = None) -> str:
        """A reply that the client made up; `error` has the fields that tell of a failed request."""
        message: Row = {"diagnostics": None} if self.era.renders else {}
        message |= {"id": self.ids.uuid(), "container": None, "model": "<synthetic>"}
        message["role"] = "assistant"
        if not self.era.leads:
            message["stop_details"] = None
        message |= {"stop_reason": "stop_sequence", "stop_sequence": "", "type": "message"}
        message["usage"] = no_usage(self.era)
        message["content"] = [{"type": "text", "text": text}]
        message["context_management"] = None
        extra = {**(error or {}), "isApiErrorMessage": error is not None}
        body = {"type": "assistant", "message": message}
        sent = error is None
        if self.log and sent:
            self.log.assistant(message["content"])
        return self.tree(body, extra=extra, weight=self.count(text) if sent else 0)

    def api_error(self, text: str, kind: str, status: int, reason: str) -> str:
        """A request that failed for good, as the client shows it: kind such as rate_limit."""
        self.clock.tick(self.ids.seconds(1, 3))
        fields: Row = {"error": kind}
        if not self.era.leads:
            fields = {"requestId": self.ids.name("req_"), "error": kind, "apiErrorStatus": status}
        if self.era.renders:
            fields |= {"apiErrorType": reason, "perTurnEffort": "medium", "madeBy": "model"}
            fields["failedResponseHadNoToolCall"] = True
        return self.synthetic(f"API Error: {text}", fields)

    def retry(self, attempt: int, most: int, status: int, reason: str) -> None:
        """A try that failed and will be repeated; only the newest clients write it down."""
        if not self.era.renders:
            return
        self.clock.tick(2**attempt)
        shown = f"{status} {reason.replace('_', ' ')}"
        error: Row = {"message": shown, "status": status, "requestId": self.ids.name("req_")}
        error |= {"formatted": shown, "connection": None, "isNetworkDown": False}
        body: Row = {"type": "system", "subtype": "api_error", "level": "error", "error": error}
        body |= {"retryInMs": 500 * 2**attempt, "retryAttempt": attempt, "maxRetries": most}
        self.tree({**body, "source": "request_retry"})

    def interrupt(self, partial: str = "") -> str:
        """Escape while the model wrote: what had come, if anything, and the client's note."""
        about: Row = {}
        if partial and self.era.renders:
            about = {"interruptedMessageId": self.cut_off(partial).message_id}
        elif partial:
            self.synthetic(partial)
            about = {} if self.era.leads else {"interruptedMessageId": self.ids.name("msg_01")}
        return self._note_interruption(INTERRUPTED, about)

    def interrupt_call(self, call: OpenCall) -> str:
        """Escape while a tool ran: its result is an error, then the client's note."""
        self.clock.tick(2)
        call.call = refused(call.call)
        self.answer(call)
        return self._note_interruption(INTERRUPTED_TOOL, {})

    def _note_interruption(self, text: str, about: Row) -> str:
        content: list[Row] = [{"type": "text", "text": text}]
        if self.log:
            self.log.user(content)
        body = {"type": "user", "message": {"role": "user", "content": content}}
        return self.tree(body, extra=about, weight=self.count(text))

    # --- queue, titles, rows of other kinds

    def enqueue(self, text: str) -> None:
        """A prompt typed while the client works."""
        self.clock.tick(1)
        self.side("queue-operation", operation="enqueue", timed=True, content=text)

    def queued_prompt(self, text: str) -> str | None:
        """A queued prompt is taken up within the turn: it stands in an attachment only.

        The oldest era has no attachments: there it is lost, and None comes back.
        """
        self.side("queue-operation", operation="remove", timed=True, content=text)
        row = self.attach("queued_command", text, role="user", prompt=text, commandMode="prompt")
        if row:
            self.turns += 1
            self.last_prompt = text
        return row

    def dequeue(self, text: str) -> str:
        """A queued prompt starts a turn of its own."""
        self.side("queue-operation", operation="dequeue", timed=True)
        return self.prompt(text, source="queued")

    def title(self, text: str) -> None:
        """The person's own title, set with /rename."""
        self.side("custom-title", customTitle=text)
        if not self.era.leads:
            self.side("agent-name", agentName=text)
        self.command("rename", text, f"This session is now called {text}")

    def ai_title(self, text: str) -> None:
        """The title that the client had written for the session."""
        self.side("ai-title", aiTitle=text)

    def summary_title(self, text: str) -> None:
        """The title as early clients wrote it."""
        self.side("summary", session=False, summary=text, leafUuid=self.leaf)

    def unknown(self, kind: str, *, linked: bool = True, **fields: Any) -> None:
        """A record of a type that nobody has heard of, in the tree or beside it."""
        if linked:
            self.tree({"type": kind, **fields})
        else:
            self.side(kind, **fields)


def command_text(name: str, args: str) -> str:
    """A slash command as it stands in a record."""
    return (
        f"<command-name>/{name}</command-name>\n"
        f"            <command-message>{name}</command-message>\n"
        f"            <command-args>{args}</command-args>"
    )


def refused(call: Call) -> Call:
    """The same call, turned down by the person."""
    text = "The call was turned down; nothing was run. Wait for what comes next."
    return replace(call, content=text, result=f"Error: {text}", is_error=True, images=0)
