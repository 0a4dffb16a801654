"""`doctor --report`: sizes, counts and versions for a bug ticket, and not a word that a file holds."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from builders import DemoTree, write_demo
from commandline import CommandLine
from logs import Log, call

from ccbrowse.core.chain import BranchKind
from ccbrowse.core.findings import CODES
from ccbrowse.core.records import Kind

NOW = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)


@pytest.fixture
def ccbrowse(capsysbinary: pytest.CaptureFixture[bytes]) -> CommandLine:
    """The command line."""
    return CommandLine(capsysbinary)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoTree:
    """The demo's sessions."""
    return write_demo(tmp_path_factory.mktemp("ticket") / "projects", NOW)


SECRETS = {
    "token": "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8",
    "name": "wilhelmina",
    "place": "blackwood-hollow",
    "branch": "feature/acquire-northwind",
    "title": "Layoffs in March",
    "words": "the merger is off",
}
OTHERS = {
    "token": "ghp_" + "z9Y8x7W6v5" * 3 + "u4T3s2",
    "name": "bartholome",
    "place": "greyfield-quarry",
    "branch": "feature/sellout-southwest",
    "title": "Hirings in April",
    "words": "the wedding is on",
}
"""The same, letter for letter as long."""


def told_of(words: dict[str, str], folder: Path) -> Path:
    """A tree whose every text, name and path holds one of the words; the root."""
    log = Log()
    place = f"/home/{words['name']}/{words['place']}"
    told = dict(
        cwd=place, gitBranch=words["branch"], version=words["token"], userType=words["name"]
    )
    log.side("custom-title", customTitle=f"{words['title']} {words['token']}")
    log.side("ai-title", aiTitle=words["title"])
    log.side(words["place"], note=words["words"], secret=words["token"])
    log.user(f"{words['name']}-1", f"{words['words']} {words['token']}", None, **told)
    log.reply(
        f"{words['name']}-2", call(words["token"], words["name"], command=words["words"]),
        model=words["place"], usage=(1, 0, 0, 1), stop=words["words"], **told,
    )  # fmt: skip
    log.user(f"{words['name']}-3", words["words"], words["token"], **told)
    log.boundary(f"{words['name']}-4", words["token"], trigger=words["words"])
    log.linked(words["branch"], f"{words['name']}-5", **told)
    log.system(f"{words['name']}-6", subtype=words["place"], content=words["words"])
    log.raw(b'{"' + words["token"].encode() + b'": ')
    log.raw(words["words"].encode())
    agent = Log(f"agent-{words['name']}")
    agent.user("x1", words["words"], None, isSidechain=True, agentId=words["name"])
    root = folder / words["place"] / "projects"
    project = root / f"-home-{words['name']}-{words['place']}"
    path = log.write(project)
    named = path.rename(path.with_name(f"{words['title']}.jsonl".replace(" ", "-")))
    agent.write(project / named.stem / "subagents")
    return root


@pytest.mark.parametrize("words", [[], ["--json"], ["--no-cache"]], ids=str)
def test_other_words_of_the_same_length_make_the_same_report(
    ccbrowse: CommandLine, tmp_path: Path, words: list[str]
) -> None:
    roots = [told_of(each, tmp_path) for each in (SECRETS, OTHERS)]
    one, other = (ccbrowse("doctor", "--report", "--root", root, *words) for root in roots)
    assert one.code == other.code == 0
    assert one.out == other.out and one.err == other.err
    text = (one.text + one.err).lower()
    for word in SECRETS.values():
        for part in re.findall(r"[a-z0-9]{4,}", word.lower()):
            assert part not in text, part
    assert str(tmp_path) not in text


def test_every_name_in_it_is_known_beforehand(ccbrowse: CommandLine, tmp_path: Path) -> None:
    root = told_of(SECRETS, tmp_path)
    (told,) = ccbrowse("doctor", "--report", "--json", "--root", root).objects
    assert told["schema"] == "ccbrowse.ticket/1"
    names = {
        "records": {kind.name.lower() for kind in Kind},
        "findings": set(CODES),
        "compactions": {"auto", "manual", "other"},
        "branches": {kind.value for kind in BranchKind} | {"client's own"},
        "subagents": {"named", "inline", "other"},
    }
    for group, known in names.items():
        assert set(told[group]) <= known, group
    assert [group for group in names if not told[group]] == ["branches"]
    assert told["clients"] == {"2.1.181": 1, "other": 1}
    assert told["families"] == {"other": 1}
    assert told["compactions"] == {"other": 1}
    assert told["findings"]["damaged_line"] == 2


def test_it_counts_what_the_other_commands_say(ccbrowse: CommandLine, demo: DemoTree) -> None:
    (told,) = ccbrowse("doctor", "--report", "--json", "--root", demo.root).objects
    listed = ccbrowse("list", "--json", "--root", demo.root).objects
    found = ccbrowse("doctor", "--json", "--root", demo.root).objects[1:]
    assert told["sessions"] == len(listed) == len(demo.sessions)
    assert told["bytes"] == sum(each["bytes"] for each in listed)
    assert told["largest"]["bytes"] == max(each["bytes"] for each in listed)
    assert told["segments"] == sum(each["segments"] for each in listed)
    assert sum(told["subagents"].values()) >= sum(each["subagents"] for each in listed)
    codes = [each["code"] for each in found]
    assert told["findings"] == {code: codes.count(code) for code in sorted(set(codes))}
    assert set(told["clients"]) == {v for each in listed for v in each["client_versions"]}
    assert told["records"]["boundary"] == sum(told["compactions"].values())


def test_what_cannot_be_read_is_counted_without_its_path(
    ccbrowse: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = told_of(SECRETS, tmp_path)

    def refuse(*given: Any) -> None:
        raise PermissionError(13, "Permission denied", str(root))

    monkeypatch.setattr("ccbrowse.tui.cli.doctor.Session", refuse)
    done = ccbrowse("doctor", "--report", "--root", root, "--strict")
    assert done.code == 1
    assert "- not readable: 1 × EACCES" in done.text
    assert str(root) not in done.text + done.err and SECRETS["place"] not in done.err


def test_the_environment_holds_no_word_of_the_person(
    ccbrowse: CommandLine, demo: DemoTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "wilhelminas-own")
    text = ccbrowse("doctor", "--report", "--root", demo.root).text
    assert "- terminal other, " in text and "wilhelmina" not in text
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "- terminal xterm-256color, " in ccbrowse("doctor", "--report", "--root", demo.root).text


def test_findings_above_a_note_are_explained_once_each(
    ccbrowse: CommandLine, tmp_path: Path
) -> None:
    log = Log()
    log.user("u1", parent="gone")
    log.user("u2", parent="gone too")
    log.again(1)
    done = ccbrowse("doctor", log.write(tmp_path))
    code = CODES["parent_missing"]
    assert done.text.count(f"\nparent_missing: {code.meaning}; {code.remedy}") == 1
    assert "\nrecord_replayed: " not in done.text


def test_every_code_says_what_it_means_and_what_one_can_do() -> None:
    for name, code in CODES.items():
        assert len(code.meaning.split()) >= 4, name
        assert len(code.remedy.split()) >= 4, name
        assert json.dumps(code.meaning).isascii()
