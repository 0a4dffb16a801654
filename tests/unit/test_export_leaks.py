"""No text of a record leaves unmasked, whatever field it stands in and whatever is made of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from exporting import FULL, Sheet
from made_text import Draw

from ccbrowse.core.compaction import compaction
from ccbrowse.core.export import Form, default_name, encoded, export, whole
from ccbrowse.core.export.loss import loss_markdown
from ccbrowse.core.redact import Redactor
from ccbrowse.core.report import session_json
from ccbrowse.core.session import Session


class Secrets:
    """Tokens, each for one place."""

    def __init__(self) -> None:
        self.draw = Draw(5)
        self.places: dict[str, str] = {}

    def __call__(self, place: str) -> str:
        token = self.draw.fill("ghp_«A36»")
        self.places[token] = place
        return token

    def left_in(self, text: str) -> list[str]:
        """The places whose token, or ten signs of it, can still be read."""
        return [
            place
            for token, place in self.places.items()
            if any(token[at : at + 10] in text for at in range(4, 30))
        ]


def story(secret: Secrets) -> Sheet:
    """A session with a secret in every field that may hold a text."""
    sheet = Sheet()
    sheet.side("custom-title", customTitle=f"Title {secret('title')}")
    beside = {
        "gitBranch": f"feat/{secret('branch')}", "cwd": f"/home/ada/{secret('folder')}",
        "slug": secret("slug"), "userType": secret("user type"),
    }  # fmt: skip
    sheet.prompt(f"first {secret('prompt')}", **beside)
    image = {"type": "image", "source": {"type": "url", "url": f"https://x.test/{secret('image')}"}}
    paper = {"type": "document", "title": secret("paper"), "source": {"data": secret("its data")}}
    sheet.prompt([{"type": "text", "text": secret("block")}, image, paper])
    thought = {"type": "thinking", "thinking": f"hm {secret('thinking')}", "signature": "x"}
    sheet.reply(
        thought,
        f"answer {secret('reply')}",
        sheet.call("Bash", {"command": secret("command"), secret("a key"): 1, "id": secret("id")}),
    )
    sheet.result(f"out {secret('result')}")
    sheet.reply(sheet.call(f"mcp__{secret('tool')}__x", {"a": {"b": [secret("deep")]}}, number=2))
    sheet.result([{"type": "text", "text": secret("result block")}], number=2, error=True)
    edit = {
        "file_path": f"/x/{secret('file')}",
        "old_string": secret("old"),
        "new_string": secret("new"),
    }
    sheet.reply(sheet.call("Edit", edit, number=3))
    sheet.result(f"     1→token={secret('numbered')}", number=3)
    todo = {
        "todos": [{"content": secret("to do"), "status": "pending", "activeForm": secret("form")}]
    }
    sheet.reply(sheet.call("TodoWrite", todo, number=4))
    sheet.result("ok", number=4)
    task = {
        "description": secret("task"),
        "prompt": secret("asked"),
        "subagent_type": secret("agent"),
    }
    sheet.reply(sheet.call("Task", task, number=5))
    sheet.result("done", number=5)
    sheet.link("attachment", attachment={"type": "file", "filename": secret("attached")})
    sheet.link("attachment", attachment={"type": "queued_command", "prompt": secret("queued")})
    sheet.link("system", subtype="informational", content=secret("system"), level="info")
    sheet.link("system", subtype="api_error", error={"message": secret("error")}, level="error")
    sheet.link("novelty", body=secret("unknown"), kept={secret("another key"): 1})
    sheet.prompt(f"<command-name>/x</command-name><command-args>{secret('args')}</command-args>")
    sheet.prompt(f"<local-command-stdout>{secret('stdout')}</local-command-stdout>")
    sheet.boundary(f"Summary {secret('summary')}", userContext=secret("context"))
    sheet.reply(f"after {secret('after')}", error=secret("its error"))
    sheet.raw(b'{"type":"user","half":"' + secret("damaged line").encode())
    sheet.link("assistant", message={"model": f"claude-{secret('model')}"})
    return sheet


@pytest.fixture
def secret() -> Secrets:
    return Secrets()


@pytest.fixture
def session(secret: Secrets, tmp_path: Path) -> Iterator[Session]:
    with closing(story(secret).open(tmp_path)) as session:
        yield session


@pytest.mark.parametrize(
    ("form", "reroot"), [*((form, False) for form in Form), (Form.JSONL, True)]
)
def test_no_field_leaves_its_secret(
    secret: Secrets, session: Session, form: Form, reroot: bool
) -> None:
    redactor = Redactor("/home/ada", "ada")
    options = replace(FULL, clean=redactor.redact, reroot=reroot)
    part = whole(session)
    text = b"".join(
        map(encoded, export(part, form, options, lambda: session_json(session)))
    ).decode()
    assert secret.left_in(text) == []
    assert secret.left_in(default_name(part, form, options)) == []
    told = " ".join(f"{hit.placeholder} {hit.preview} {hit.origin}" for hit in redactor.hits)
    assert redactor.hits and secret.left_in(told) == []
    assert secret.left_in(b"".join(map(encoded, export(part, Form.JSONL, FULL))).decode())


def test_no_loss_leaves_its_secret(secret: Secrets, session: Session) -> None:
    redactor = Redactor("/home/ada", "ada")
    found = compaction(session, 1)
    assert secret.left_in("".join(loss_markdown(found)))
    assert secret.left_in("".join(loss_markdown(found, redactor.redact))) == []
