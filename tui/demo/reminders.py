"""The attachments that newer clients write beside prompts: place, date, agents, skills, files."""

import json
from typing import Any

from ccbrowse.tui.demo.lines import Row
from ccbrowse.tui.demo.writer import Writer

_AGENTS = {
    "general-purpose": "for work of several steps that needs no supervision",
    "Explore": "reads and searches, changes nothing",
    "reviewer": "reads a diff and names what is wrong with it",
}
_SKILLS = {"changelog": "keep CHANGELOG.md in order", "release": "tag and publish a version"}


class Reminders(Writer):
    """Attachment rows; the older era has none of them, the middle one does not say what was sent."""

    def attach(self, kind: str, *sent: str, role: str = "system", **fields: Any) -> str | None:
        """Append an attachment whose text is sent as `sent`, where the era has attachments."""
        if not self.era.attaches:
            return None
        weight = sum(self.count(text) for text in sent)
        extra: Row = {}
        if self.era.renders and sent:
            texts = [f"<system-reminder>\n{text}\n</system-reminder>" for text in sent]
            extra = {"rendered": [{"content": text} for text in texts], "renderedRole": role}
            if self.log:
                for text, wrapped in zip(sent, texts, strict=True):
                    self.log.system(text) if role == "system" else self.log.note(wrapped)
        body = {"attachment": {"type": kind, **fields}, "type": "attachment"}
        return self.tree(body, extra=extra, weight=weight, offset_ms=-1)

    def announce(self) -> None:
        """What a process tells the model once: place, model, agents, skills, date."""
        if self.era.renders:
            self._place()
        self._agents()
        self._skills()
        if self.era.renders:
            self._today()

    def announce_again(self) -> None:
        """What stands after a boundary, before the next prompt; the rest follows the prompt."""
        self._agents()
        if self.era.renders:
            self._skills()
            self._place()

    def announce_rest(self) -> None:
        """What follows the first prompt after a boundary."""
        if self.era.renders:
            self._today()
        else:
            self._skills()

    def put_back(self, path: str, text: str) -> None:
        """A file whose content is sent again after a compaction."""
        count = text.count("\n")
        file = {
            "filePath": f"{self.cwd}/{path}",
            "content": text,
            "numLines": count,
            "startLine": 1,
            "totalLines": count,
        }
        framing = {"savedCopyFraming": {"enveloped": False}} if self.era.renders else {}
        self.attach(
            "file",
            f"Read was called with {json.dumps({'file_path': file['filePath']})}",
            f"Read returned:\n{text}",
            role="user",
            filename=file["filePath"],
            content={"type": "text", "file": file},
            displayPath=path,
            **framing,
        )

    def name_file(self, path: str) -> None:
        """A file that is only named after a compaction: too large to be sent again."""
        self.attach(
            "compact_file_reference",
            f"{path} was read before; it is too large to repeat.",
            filename=f"{self.cwd}/{path}",
            displayPath=path,
        )

    def _place(self) -> None:
        snapshot = {
            "workingDirectory": self.cwd,
            "isWorktree": False,
            "isGitRepo": True,
            "additionalWorkingDirectories": [],
            "platform": "linux",
            "shell": "bash",
            "osVersion": "Linux 6.12",
        }
        self.attach("environment", f"You work in {self.cwd} on linux.", snapshot=snapshot)
        name = self.model.removeprefix("claude-").replace("-", " ")
        identity = {"modelId": self.model, "marketingName": name.title()}
        text = f"You are {name}."
        self.attach("model", text, identity=identity, text=text)

    def _agents(self) -> None:
        lines = [f"- {name}: {use}" for name, use in _AGENTS.items()]
        own: Row = {}
        if self.era.renders:
            own = {"builtInTypes": list(_AGENTS), "builtInPluginTypes": []}
        self.attach(
            "agent_listing_delta",
            "Agents that can be called:\n" + "\n".join(lines),
            addedTypes=list(_AGENTS),
            addedLines=lines,
            **own,
            removedTypes=[],
            isInitial=True,
            showConcurrencyNote=True,
        )

    def _skills(self) -> None:
        text = "\n".join(f"- {name}: {use}" for name, use in _SKILLS.items())
        own: Row = {"digests": ["5d41402abc4b2a76", "7d793037a0760186"]} if self.era.renders else {}
        self.attach(
            "skill_listing",
            f"Skills:\n{text}",
            content=text,
            skillCount=len(_SKILLS),
            isInitial=True,
            names=list(_SKILLS),
            **own,
        )

    def _today(self) -> None:
        self.attach("session_context", context={})
        day = self.clock.day()
        self.attach("date", f"Today is {day}.", date=day)
        self.attach(
            "prompt_snapshot",
            systemPrompt=["A coding assistant in a terminal. (demo text)"],
            reminderFold=False,
            echoWireToolInputs=False,
            contextRendering="announced",
        )
