"""Facts of a file as a whole: title, places, versions, models, dates; gathered record by record."""

from msgspec import Struct, field

from ccbrowse.core.records.heads import Brief, Head
from ccbrowse.core.records.kinds import Kind
from ccbrowse.core.records.times import NO_TIME


class FileFacts(Struct):
    """What the records of a file say of it. Dates are milliseconds since 1970, UTC."""

    custom_title: str | None = None
    ai_title: str | None = None
    summaries: list[tuple[str, str | None]] = field(default_factory=list)
    first_prompt: str | None = None
    first_command: str | None = None
    cwd: str | None = None
    last_cwd: str | None = None
    relocated: str | None = None
    git_branch: str | None = None
    versions: dict[str, None] = field(default_factory=dict)
    models: dict[str, int] = field(default_factory=dict)
    agents: dict[str, str] = field(default_factory=dict)
    forked_from: tuple[str, str | None] | None = None
    continued_in: str | None = None
    started: int = NO_TIME
    updated: int = NO_TIME

    def seen(self, first: int, last: int) -> None:
        """Widen the span of dates by another one."""
        self.updated = max(self.updated, last)
        self.started = first if self.started == NO_TIME else min(self.started, first)

    def place(self, head: Brief) -> None:
        """Where and with what client a linked record was written."""
        if head.cwd and head.cwd != self.last_cwd:
            self.last_cwd = head.cwd
            self.cwd = self.cwd or head.cwd
        if head.version:
            self.versions[head.version] = None
        if head.gitBranch:
            self.git_branch = head.gitBranch
        if head.forkedFrom and self.forked_from is None and head.forkedFrom.sessionId:
            self.forked_from = (head.forkedFrom.sessionId, head.forkedFrom.messageUuid)

    def model_number(self, name: str | None) -> int:
        """The number of a model in this file; 0 is the unknown one."""
        if not name:
            name = ""
        number = self.models.get(name)
        if number is None:
            if not self.models:
                self.models[""] = 0
            number = self.models.setdefault(name, len(self.models))
        return number

    def bookkeeping(self, head: Head) -> None:
        """Take titles and moves from the bookkeeping that holds them; the last one counts."""
        kind = head.type
        if kind == "custom-title" and head.customTitle and head.customTitle.strip():
            self.custom_title = head.customTitle
        elif kind == "ai-title" and head.aiTitle and head.aiTitle.strip():
            self.ai_title = head.aiTitle
        elif kind == "summary" and head.summary and head.summary.strip():
            self.summaries.append((head.summary, head.leafUuid))
        elif kind == "relocated" and head.relocatedCwd:
            self.relocated = head.relocatedCwd
        elif kind == "continued-in" and head.continuedInSessionId:
            self.continued_in = head.continuedInSessionId

    def words(self, kind: Kind, text: str) -> None:
        """Keep the first prompt with words, and the first command, for a title."""
        if kind is Kind.PROMPT and self.first_prompt is None:
            self.first_prompt = text if text.strip() else None
        elif kind is Kind.COMMAND and self.first_command is None:
            self.first_command = text
