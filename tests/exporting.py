"""Small sessions for the tests of exports, record by record, in our own words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from ccbrowse.core.export import Form, Options, Part, Tools, encoded, export, whole
from ccbrowse.core.report import session_json
from ccbrowse.core.session import Session

SESSION_ID = "5e551011-0000-4000-8000-000000000001"
START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
FULL = Options(tools=Tools.FULL, thinking=True, zone=UTC, version="1.2.3")
SHORT = Options(zone=UTC, version="1.2.3")

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
"""An image of one pixel."""

Row = dict[str, Any]


def uuid(number: int) -> str:
    """The uuid of the record of a number."""
    return f"{number:08x}-0000-4000-8000-{number:012x}"


class Sheet:
    """A session file in the making: each call appends a record that hangs on the one before."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.count = 0
        self.tip: str | None = None
        self.replies = 0

    def link(self, kind: str, /, parent: str | None = "", **fields: Any) -> str:
        """A linked record; its uuid."""
        self.count += 1
        name = uuid(self.count)
        row = {
            "parentUuid": self.tip if parent == "" else parent,
            "isSidechain": False,
            "userType": "external",
            "cwd": "/home/ada/orchard",
            "sessionId": SESSION_ID,
            "version": "2.1.181",
            "gitBranch": "main",
            "type": kind,
            "uuid": name,
            "timestamp": self.stamp(),
            **fields,
        }
        self.tip = name
        self.lines.append(json.dumps(row).encode())
        return name

    def stamp(self) -> str:
        """The time of the newest record: each is a minute after the one before."""
        moment = START + timedelta(minutes=self.count)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")

    def prompt(self, content: Any, **fields: Any) -> str:
        """What a person sends."""
        return self.link("user", message={"role": "user", "content": content}, **fields)

    def reply(self, *blocks: Row | str, stop: str | None = "end_turn", **fields: Any) -> str:
        """A reply of one record."""
        self.replies += 1
        content = [
            {"type": "text", "text": block} if isinstance(block, str) else block for block in blocks
        ]
        message = {
            "model": "claude-opus-4-8",
            "id": f"msg_{self.replies:04d}",
            "type": "message",
            "role": "assistant",
            "content": content,
            "stop_reason": stop,
            "usage": {
                "input_tokens": 10,
                "cache_creation_input_tokens": 100 * self.replies,
                "cache_read_input_tokens": 20_000,
                "output_tokens": 50,
            },
        }
        return self.link(
            "assistant", message=message, requestId=f"req_{self.replies:04d}", **fields
        )

    def call(self, name: str, given: Any, *, number: int = 1) -> Row:
        """A block that calls a tool."""
        return {"type": "tool_use", "id": f"toolu_{number:04d}", "name": name, "input": given}

    def result(
        self, content: Any, *, number: int = 1, error: bool = False, beside: str = ""
    ) -> str:
        """The result of a call, with what a person typed beside it."""
        block = {"type": "tool_result", "tool_use_id": f"toolu_{number:04d}", "content": content}
        blocks: list[Row] = [block | ({"is_error": True} if error else {})]
        if beside:
            blocks.append({"type": "text", "text": beside})
        return self.prompt(blocks, toolUseResult={})

    def boundary(self, summary: str = "The work so far.", **metadata: Any) -> str:
        """A compaction: its boundary, whose uuid it gives, and its summary."""
        before = self.tip
        facts = {"trigger": "auto", "preTokens": 21_000, "postTokens": 2_100, "durationMs": 41_000}
        opened = self.link(
            "system",
            parent=None,
            logicalParentUuid=before,
            subtype="compact_boundary",
            content="Conversation compacted",
            compactMetadata=facts | metadata,
        )
        self.prompt(summary, isCompactSummary=True, isVisibleInTranscriptOnly=True)
        return opened

    def side(self, kind: str, **fields: Any) -> None:
        """A record that only keeps books."""
        self.lines.append(json.dumps({"type": kind, "sessionId": SESSION_ID, **fields}).encode())

    def raw(self, line: bytes) -> None:
        """A line as it is."""
        self.lines.append(line)

    def write(self, folder: Path) -> Path:
        """The file, in a project's folder."""
        project = folder / "projects" / "-home-ada-orchard"
        project.mkdir(parents=True, exist_ok=True)
        path = project / f"{SESSION_ID}.jsonl"
        path.write_bytes(b"".join(line + b"\n" for line in self.lines))
        return path

    def open(self, folder: Path) -> Session:
        """The session."""
        return Session.open(self.write(folder))


def orchard_story() -> Sheet:
    """A small session with something of everything, for the golden files."""
    sheet = Sheet()
    sheet.side("custom-title", customTitle="Count the orchard")
    sheet.prompt("How many *apple* trees are there?\n\n<b>Only</b> count the old ones.")
    sheet.reply(
        {"type": "thinking", "thinking": "Old ones have a tag.", "signature": "c2ln"},
        "I will look at the list.",
        sheet.call("Read", {"file_path": "/home/ada/orchard/trees.md"}, number=1),
        sheet.call("Bash", {"command": "grep -c old trees.md", "timeout": 5000}, number=2),
    )
    sheet.result("# Trees\n\n```\nold apple\n```\n", number=1)
    sheet.result("grep: trees.md: busy", number=2, error=True, beside="Take your time.")
    sheet.reply(
        "There is **one**:\n\n| tree | age |\n|---|---|\n| apple | old |",
        sheet.call(
            "Edit",
            {"file_path": "notes.md", "old_string": "none\nend", "new_string": "one\nend"},
            number=3,
        ),
    )
    sheet.result([{"type": "text", "text": "The file notes.md has been updated."}], number=3)
    sheet.link(
        "attachment",
        attachment={"type": "queued_command", "prompt": "And the pears?", "commandMode": "prompt"},
    )
    sheet.reply("No pears yet.")
    sheet.boundary(
        "## So far\n\n- one old apple tree\n- no pears",
        trigger="manual",
        preservedMessages={"uuids": [uuid(8)]},
    )
    sheet.prompt("<local-command-caveat>Not for you.</local-command-caveat>", isMeta=True)
    sheet.prompt("<command-name>/compact</command-name><command-args>trees</command-args>")
    sheet.prompt("<local-command-stdout>\x1b[2mCompacted\x1b[22m</local-command-stdout>")
    image = {"type": "base64", "media_type": "image/png", "data": PIXEL}
    sheet.prompt(
        [{"type": "text", "text": "What is this?"}, {"type": "image", "source": image}],
    )
    sheet.reply("A pear.")
    sheet.prompt("[Request interrupted by user]")
    sheet.raw(b"half a line")
    sheet.reply("Stopped.")
    return sheet


def golden(form: Form, options: Options, folder: Path) -> str:
    """What a golden file holds: an export of the orchard's story, its style sheet left out."""
    text = exported(orchard_story().open(folder), form, options)
    return re.sub(r"<style>.*?</style>", "<style></style>", text, flags=re.DOTALL)


GOLDEN = {
    "short.md": (Form.MARKDOWN, SHORT),
    "full.md": (Form.MARKDOWN, FULL),
    "full.html": (Form.HTML, FULL),
    "short.txt": (Form.TEXT, SHORT),
}
"""The golden files: format and options of each. `python tests/golden/make.py` writes them."""


def lines_of(sheet: Sheet, numbers: Iterable[int]) -> bytes:
    """Lines of a sheet, counted from 1, each with its LF."""
    return b"".join(sheet.lines[number - 1] + b"\n" for number in numbers)


def exported(part: Part | Session, form: Form, options: Options = FULL) -> str:
    """An export as one text."""
    chosen = whole(part) if isinstance(part, Session) else part
    with closing(chosen.session):
        chunks = export(chosen, form, options, lambda: session_json(chosen.session, False))
        return b"".join(map(encoded, chunks)).decode()


def copied(part: Part | Session, options: Options = FULL) -> bytes:
    """An export as JSONL."""
    chosen = whole(part) if isinstance(part, Session) else part
    with closing(chosen.session):
        return b"".join(map(encoded, export(chosen, Form.JSONL, options)))


def names_in(words: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(words.split())


PAGE_ELEMENTS = names_in(
    "html head meta title style body a header h1 h2 h3 h4 h5 h6 p dl div dt dd nav ol ul li span main "
    "section article time footer b strong em s code pre details summary figure figcaption img svg "
    "polyline blockquote table thead tbody tr th td hr br"
)
"""The elements that an HTML export may have."""


class Page(HTMLParser):
    """A page's elements, attributes and visible text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self._text: list[str] = []
        self._mute = 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self._mute += tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._mute -= tag == "style"

    def handle_data(self, data: str) -> None:
        if not self._mute:
            self._text.append(data)

    @property
    def text(self) -> str:
        """What a reader sees."""
        return "".join(self._text)
