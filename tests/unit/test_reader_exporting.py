"""What the export dialog does in a worker: count, write, copy; each of any part, and stopped at once."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from builders import ERA_NAMES, sampler
from exporting import Sheet
from made_text import Draw

from ccbrowse.core.compaction import compacting
from ccbrowse.core.compaction.loss import find_loss
from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.export import Form, Tools
from ccbrowse.core.session import Session
from ccbrowse.core.text import SafeText
from ccbrowse.tui.reader import compaction as desks
from ccbrowse.tui.reader import exporting
from ccbrowse.tui.reader.branch import BranchReading
from ccbrowse.tui.reader.exporting import Job, Masks, Scope, Stopped, Wish, name_of
from ccbrowse.tui.reader.session import Reading
from ccbrowse.tui.screens.export_scopes import scopes_of
from ccbrowse.tui.viewmodels.exporting import about_masks, wrote_words

TOKEN = Draw(1).fill("ghp_«A36»")
ALL = Scope(SafeText("whole session"))


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Two segments with a token, a home path and an address in them."""
    sheet = Sheet()
    sheet.prompt(f"Use {TOKEN} in /home/ada/orchard, ask ada@example.org")
    said = sheet.reply(sheet.call("Bash", {"command": f"GITHUB_TOKEN={TOKEN} ls"}), "Done.")
    sheet.result("ok")
    sheet.prompt("left behind")
    sheet.tip = said
    sheet.boundary("All of it.")
    sheet.prompt("Next")
    sheet.reply("And on.")
    return sheet.open(tmp_path / "projects")


def nobody(share: float) -> None:
    assert 0 <= share <= 1


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("masks", Masks)
def test_each_form_is_written_masked_as_asked_and_counted_before(
    session: Session, tmp_path: Path, form: Form, masks: Masks
) -> None:
    with closing(session):
        wish = Wish(ALL, form, Tools.FULL, masks=masks)
        before = Job(session, wish, nobody)
        if masks is not Masks.NOTHING:
            assert before.count()
        job = Job(session, wish, nobody)
        (one,) = job.write(tmp_path / "out")
        assert job.masked == before.masked
        text = one.path.read_text()
        assert (TOKEN in text) is (masks is Masks.NOTHING)
        assert ("/home/ada" in text) is (masks in (Masks.NOTHING, Masks.KEEP_PATHS))
        assert ("ada@example.org" in text) is (masks is not Masks.EMAILS)
        assert Job(session, wish, nobody).text() == text or form is Form.JSON
        if form is Form.JSONL and masks is Masks.NOTHING:
            assert text == session.file.path.read_text()


def test_links_are_made_whole_where_it_is_asked_for(session: Session) -> None:
    with closing(session):
        wish = Wish(
            Scope(SafeText("segment 2"), 2), Form.JSONL, whole_links=True, masks=Masks.NOTHING
        )
        lines = Job(session, wish, nobody).text().splitlines()
    assert json.loads(lines[0])["type"] == "ccbrowse-note"


def test_a_job_that_nobody_waits_for_leaves_nothing(session: Session, tmp_path: Path) -> None:
    def at(share: float) -> None:
        if share > 0.4:
            raise Stopped

    target = tmp_path / "out" / "x"
    target.parent.mkdir()
    with closing(session):
        for form in Form:
            if form is not Form.JSONL:  # a whole file's bytes are copied at once
                with pytest.raises(Stopped):
                    Job(session, Wish(ALL, form), at).write(target)
                with pytest.raises(Stopped):
                    Job(session, Wish(ALL, form), at).text()
    assert list(target.parent.iterdir()) == []


def test_looking_ends_when_it_takes_long(session: Session) -> None:
    with closing(session):
        job = Job(session, Wish(ALL), nobody)
        assert not job.count(patience=-1)
        assert Job(session, Wish(ALL), nobody).count()
    assert about_masks(job.masked, would=True, whole=False).startswith("would mask, as far as")


def test_a_text_too_long_for_a_clipboard_is_refused(session: Session) -> None:
    with closing(session), pytest.raises(CcbrowseError, match="too long for a clipboard"):
        Job(session, Wish(ALL), nobody).text(most=100)


def test_what_can_be_exported_follows_what_is_under_the_cursor(session: Session) -> None:
    with closing(session):
        reading = Reading(session)
        fork = session.chain.branches[0].fork
        names = [each.name for each in scopes_of(reading, 2, row=fork, ends=("a", "b"), agent="a7")]
        assert names == [
            "chosen range", "segment 2", "subagent a7", "branch here", "losses of compaction 1",
            "whole session",
        ]  # fmt: skip
        assert [each.name for each in scopes_of(reading, 1)] == ["segment 1", "whole session"]
        boundary = session.segments[1].boundary
        assert boundary is not None
        closed = scopes_of(reading, 2, row=boundary.row)[1]
        assert (closed.name, closed.segment) == ("segment 1, which ends here", 1)
        arm = BranchReading(reading, session.chain.branches[0].leaf)
        scopes = scopes_of(arm, 0)
        assert [each.name for each in scopes] == ["this branch", "whole session"]
        text = Job(session, Wish(scopes[0]), nobody).text()
        assert "left behind" in text and "Next" not in text


def test_losses_and_their_name(session: Session, tmp_path: Path) -> None:
    with closing(session):
        wish = Wish(Scope(SafeText("losses"), loss=1))
        assert name_of(session, wish).endswith(".seg1.loss.md")
        job = Job(session, wish, nobody)
        (one,) = job.write(tmp_path / "x.md")
        text = one.path.read_text()
        assert text.startswith("# Compaction 1: ") and TOKEN not in text
        assert wrote_words([one], job.masked).startswith(f"wrote {one.path}, ")


def test_losses_are_looked_for_once(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the view of a compaction found, its export takes; and the second job what the first one did."""
    looked: list[int] = []

    def noted(*given: object) -> object:
        looked.append(1)
        return find_loss(*given)  # type: ignore[arg-type]  # passed on

    for module in (compacting, desks):
        monkeypatch.setattr(module, "find_loss", noted)
    wish = Wish(Scope(SafeText("losses"), loss=1))
    with closing(session):
        one, other = (Job(session, wish, nobody).text() for _ in range(2))
    assert one == other and len(looked) == 1
    with closing(Session.open(session.file.path)) as again:
        desks.Desk(again).loss(1, lambda: False)
        assert Job(again, wish, nobody).text() == one
    assert len(looked) == 2


def test_a_subagent_is_exported_from_its_parent(tmp_path: Path) -> None:
    with closing(Session.open(sampler(ERA_NAMES[-1]).write(tmp_path / "projects"))) as session:
        agent = session.subagents()[0]
        wish = Wish(Scope(SafeText("subagent"), agent=agent.agent_id), Form.TEXT)
        with closing(session.open_subagent(agent.agent_id)) as own:
            want = [own.index.uuids[row] for row in own.chain]
        whole = Wish(Scope(SafeText("subagent"), agent=agent.agent_id), Form.JSON)
        told = json.loads(Job(session, whole, nobody).text())
        assert [each["uuid"] for each in told["messages"]] == want
        assert f"agent-{agent.agent_id[:8]}" in name_of(session, wish)


def test_what_is_said_of_pages_and_masks(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ccbrowse.core.export.pages.MOST_ELEMENTS", 40)
    with closing(session):
        job = Job(session, Wish(ALL, Form.HTML, masks=Masks.NOTHING), nobody)
        written = job.write(tmp_path / "x.html")
    more = len(written) - 1
    assert more > 1
    words = wrote_words(written, job.masked)
    assert f"x.html and {more} more pages, " in words and words.endswith("as they stand.")
    assert about_masks({}) == "nothing was found to mask"
    assert about_masks({"home-path": 2, "jwt": 1}, would=True) == "would mask: 2 home paths, 1 jwt"
    assert exporting.MOST_COPIED >= 500_000


def test_nothing_is_written_where_sessions_are_read(session: Session, tmp_path: Path) -> None:
    root, source = tmp_path / "projects", session.file.path
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    (tmp_path / "link").symlink_to(source.parent)
    with closing(session):
        for target in (source.parent / "x.md", tmp_path / "link" / "x.md"):
            with pytest.raises(CcbrowseError, match="where sessions are read"):
                Job(session, Wish(ALL), nobody, [root]).write(target, force=True)
        with pytest.raises(CcbrowseError, match="the session itself"):
            Job(session, Wish(ALL), nobody).write(source, force=True)
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_the_name_of_a_loss_is_that_of_the_segment_it_closed(session: Session) -> None:
    with closing(session):
        name = name_of(session, Wish(Scope(SafeText("losses"), loss=1)))
    assert name.endswith(".seg1.loss.md")
