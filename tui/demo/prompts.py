"""What the person sends: prompts typed, edited, queued, and the way back to an earlier one."""

from collections.abc import Sequence

from ccbrowse.tui.demo.blocks import image_block
from ccbrowse.tui.demo.lines import Row
from ccbrowse.tui.demo.reminders import Reminders

IMAGE_TOKENS = 1_150
"""What an image weighs here; the real figure depends on its pixels."""


class Prompts(Reminders):
    """The person's side of a conversation. `turns` counts the prompts of the main line."""

    turns = 0
    last_prompt = ""
    last_prompt_row = ""
    turn_started_ms = 0
    rest_is_due = False

    def prompt(self, text: str, *, images: Sequence[bytes] = (), source: str = "typed") -> str:
        """A prompt of the person, below the leaf; returns its uuid.

        `source`: typed, or queued when it was typed while the client worked.
        """
        self.clock.tick(self.ids.seconds(4, 20))
        self._new_turn(text)
        uuid = self.ids.uuid()
        if self.interactive and not self.is_side:
            self._snapshot(uuid)
        content: str | list[Row] = text
        if images:
            content = [{"type": "text", "text": text}, *(image_block(i) for i in images)]
        weight = self.count(text) + 5 + IMAGE_TOKENS * len(images)
        body = {"type": "user", "message": {"role": "user", "content": content}}
        self.tree(body, uuid=uuid, extra=self._prompt_fields(source, len(images)), weight=weight)
        if self.log:
            self.log.user(content)
        self.last_prompt_row = uuid
        self._turns_before[uuid] = self.turns - 1
        self._announcements()
        return uuid

    def edit_prompt(self, text: str) -> str:
        """The last prompt withdrawn and typed again before any answer; returns the new one's uuid."""
        self.rewind(self.last_prompt_row)
        return self.prompt(text)

    def rewind(self, prompt: str) -> None:
        """Go back to before a prompt; what follows it becomes a branch. The client writes nothing."""
        self.turns = self._turns_before[prompt]
        self.go_back(self.links[prompt])

    def done(self) -> None:
        """The end of a turn, as newer interactive clients note it."""
        if self.era.leads or self.is_side or not self.interactive:
            return
        duration = self.clock.ms - self.turn_started_ms
        body = {"type": "system", "subtype": "turn_duration", "durationMs": duration}
        body["messageCount"] = self.records
        self.tree(body, extra={"isMeta": False})
        self.side("last-prompt", lastPrompt=self.last_prompt[:200], leafUuid=self.leaf)
        self.side("mode", mode="normal")
        self.side("permission-mode", permissionMode="acceptEdits")

    def _new_turn(self, text: str) -> None:
        if self.log:
            self.log.mark(self.leaf)
        self.turns += 1
        self.last_prompt = text
        self.turn_started_ms = self.clock.ms
        self.prompt_id = self.ids.uuid()

    def _announcements(self) -> None:
        if not self.announced:
            self.announced = True
            self.announce()
        elif self.rest_is_due:
            self.rest_is_due = False
            self.announce_rest()

    def _snapshot(self, uuid: str) -> None:
        moment = self.clock.stamp()
        snapshot = {"messageId": uuid, "trackedFileBackups": {}, "timestamp": moment}
        self.side(
            "file-history-snapshot",
            session=False,
            messageId=uuid,
            snapshot=snapshot,
            isSnapshotUpdate=False,
        )

    def _prompt_fields(self, source: str, images: int) -> Row:
        if self.is_side:
            return {"rowSource": "recorded"} if self.era.renders else {}
        if self.era.leads:
            thinking = {"level": "high", "disabled": False, "triggers": []}
            return {"thinkingMetadata": thinking, "todos": []} if self.interactive else {}
        fields: Row = {}
        if images and self.era.renders:
            fields["imagePasteIds"] = list(range(1, images + 1))
        fields |= {"permissionMode": "acceptEdits", "origin": {"kind": "human"}}
        fields["promptSource"] = source
        if self.era.renders:
            place = {"promptIndex": self.turns, "turnIndex": self.turns}
            fields |= {"turnOrigin": "human", "turnPosition": place}
            if source == "queued":
                fields["sentAtMs"] = self.clock.number(-2_000)
        return fields
