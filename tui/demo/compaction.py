"""Compactions: the boundary, its summary, what is kept, what is put back."""

from collections.abc import Sequence
from dataclasses import dataclass

from ccbrowse.tui.demo.events import Events
from ccbrowse.tui.demo.lines import Row
from ccbrowse.tui.demo.requests import Content

OPENING = "This session is being continued from a previous conversation that ran out of context."


@dataclass(frozen=True, slots=True)
class Boundary:
    """A compaction that was written: uuids of the boundary, its summary and the kept records; tokens."""

    uuid: str
    summary: str
    kept: tuple[str, ...]
    pre_tokens: int
    post_tokens: int | None


class Compacting(Events):
    """A conversation that gets too long. `dropped` are the tokens that compactions have saved."""

    dropped = 0
    compactions = 0

    def compact(
        self,
        summary: str,
        *,
        trigger: str = "auto",
        instructions: str = "",
        keep: int = 1,
        files: Sequence[tuple[str, str]] = (),
        named: Sequence[str] = (),
        relink: bool = False,
        seconds: float = 41.0,
    ) -> Boundary:
        """Compact: automatically, or by the person's `/compact instructions`.

        `keep` replies and all after them stay, in the eras that keep any; `files` (path, content)
        are put back, `named` only named. `relink` lets the first row after the summary hang off the
        kept ones, as when a process has just resumed.
        """
        asked_ms = self.clock.ms
        self.clock.tick(seconds)
        kept = self._kept(keep)
        before, pre = self.leaf, self.context - self.hidden_output
        contents = self._contents(kept) if self.log else []
        kept_tokens = sum(self.own_tokens[uuid] for uuid in kept)
        metadata: Row = {"trigger": trigger, "preTokens": pre}
        boundary, summary_id = self._open(metadata, before, kept)
        if self.era.keeps:
            metadata["durationMs"] = round(seconds * 1000)
        if self.log:
            self.log.compacted(summary, contents)
        self._summary(summary, summary_id, dated=trigger == "auto")
        self._forget(kept, boundary)
        self.live = self.count(summary) + kept_tokens
        if relink and kept:
            self.leaf = kept[-1]
        if trigger == "manual":
            offset = asked_ms - self.clock.ms
            self.command_rows("compact", instructions, "Compacted", offset_ms=offset)
        for path, text in files:
            self.put_back(path, text)
        for path in named:
            self.name_file(path)
        self.announce_again()
        post = self._close(metadata, pre, kept_tokens + self.count(summary), files)
        return Boundary(boundary, summary_id, kept, pre, post)

    def _kept(self, keep: int) -> tuple[str, ...]:
        """The records from the first fragment of the `keep`-th last message on."""
        if not self.era.keeps or keep < 1 or not self.reply_starts:
            return ()
        start = self.reply_starts[-keep:][0]
        return tuple(self.path[self.path.index(start) :]) if start in self.path else ()

    def _contents(self, kept: Sequence[str]) -> list[tuple[str, Content]]:
        """The messages of the kept records as they are sent again: (role, content), a reply whole."""
        rows = {row["uuid"]: row for row in self.history}
        contents: list[tuple[str, Content]] = []
        replies: dict[str, list[Row]] = {}
        for row in (rows[uuid] for uuid in kept):
            message = row.get("message")
            if message is None or row.get("isApiErrorMessage"):
                continue
            if row["type"] == "user":
                contents.append(("user", message["content"]))
            elif message["id"] in replies:
                replies[message["id"]] += message["content"]
            else:
                replies[message["id"]] = list(message["content"])
                contents.append(("assistant", replies[message["id"]]))
        return contents

    def _open(
        self, metadata: Row, before: str | None, kept: tuple[str, ...], anchor: str | None = None
    ) -> tuple[str, str]:
        """Write the boundary; returns its uuid and the summary's. The metadata is filled in later."""
        if not self.slug and not self.era.leads:
            self.slug = "brisk-sorting-heron"
        self.compactions += 1
        boundary, summary = self.ids.uuid(), self.ids.uuid()
        if kept:
            anchor = boundary if anchor == "boundary" else summary
            ends = {"headUuid": kept[0], "anchorUuid": anchor, "tailUuid": kept[-1]}
            names = {"anchorUuid": anchor, "uuids": list(kept), "allUuids": list(kept)}
            metadata |= {"preservedSegment": ends, "preservedMessages": names}
        body: Row = {"type": "system", "subtype": "compact_boundary"}
        body["content"] = "Conversation compacted"
        if not (self.era.renders and metadata["trigger"] == "auto"):
            body["isMeta"] = False
        extra: Row = {"level": "info", "compactMetadata": metadata}
        self.tree(body, uuid=boundary, root=True, logical=before, extra=extra)
        return boundary, summary

    def _summary(
        self, text: str, uuid: str, *, dated: bool = False, about: Row | None = None
    ) -> None:
        """Write the summary; `about` tells of a partial compaction."""
        if self.era.renders and dated:  # the newest client puts the date between the two
            self.attach("session_context", context={})
            day = self.clock.day()
            self.attach("date", f"Today is {day}.", date=day)
        body: Row = {"type": "user", "message": {"role": "user", "content": text}}
        if about is None:
            body["isVisibleInTranscriptOnly"] = True
        body["isCompactSummary"] = True
        extra: Row = {"summarizeMetadata": about} if about else {}
        if self.era.renders:
            extra |= {"turnPosition": {"promptIndex": self.turns, "turnIndex": self.turns}}
        self.tree(body, uuid=uuid, extra=extra, weight=self.count(text), offset_ms=-1)

    def _forget(self, kept: Sequence[str], boundary: str) -> None:
        """Start a new path; of what was before only the kept records are still spoken of."""
        self.path = self.path[self.path.index(boundary) :]
        stay = {*kept, *self.path}
        self.history = [row for row in self.history if row["uuid"] in stay]
        self.weights = {u: n for u, n in self.weights.items() if u in stay}
        self.own_tokens = {u: n for u, n in self.own_tokens.items() if u in stay}
        self.links = {u: above for u, above in self.links.items() if u in stay}
        self.reply_starts.clear()
        self._turns_before = {u: n for u, n in self._turns_before.items() if u in stay}
        self.cached = 0
        self.hidden_output = 0
        self.rest_is_due = True

    def _close(
        self, metadata: Row, pre: int, tokens: int, files: Sequence[tuple[str, str]] = ()
    ) -> int | None:
        """Fill in the boundary's figures; the row is encoded later."""
        if not self.era.keeps:
            return None
        post = tokens + sum(self.count(text) + 40 for _, text in files)
        self.dropped += pre - post
        metadata["postTokens"] = post
        if self.era.renders:
            metadata["cumulativeDroppedTokens"] = self.dropped
        return post

    def summarize_from(self, prompt: str, summary: str, *, seconds: float = 30.0) -> Boundary:
        """Compact only what comes from a prompt on (the rewind menu); all before it is kept."""
        at = self.path.index(prompt)
        kept = tuple(uuid for uuid in self.path[:at] if self.links[uuid] is not None or at == 0)
        gone = [row for row in self.history if row["uuid"] in set(self.path[at:])]
        count = sum(row["type"] in ("user", "assistant") for row in gone)
        pre = self.context
        self.turns = self._turns_before[prompt]
        self.clock.tick(seconds)
        contents = self._contents(kept) if self.log else []
        kept_tokens = sum(self.own_tokens[uuid] for uuid in kept)
        metadata: Row = {"trigger": "manual", "preTokens": pre, "messagesSummarized": count}
        metadata["durationMs"] = round(seconds * 1000)
        before = kept[-1] if kept else self.links[prompt]
        boundary, summary_id = self._open(metadata, before, kept, anchor="boundary")
        if self.log:
            self.log.compacted("", contents)
            self.log.user(summary)
        self._summary(summary, summary_id, about={"messagesSummarized": count, "direction": "from"})
        self._forget(kept, boundary)
        self.live = self.count(summary) + kept_tokens
        post = self._close(metadata, pre, self.live)
        return Boundary(boundary, summary_id, kept, pre, post)
