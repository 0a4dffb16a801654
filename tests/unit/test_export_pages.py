"""HTML too long for a browser is several pages that lead to each other; nothing is lost between."""

from __future__ import annotations

import re
import stat
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote

import html5lib
import pytest
from exporting import FULL, SHORT, Page, Sheet, exported

from ccbrowse.core.errors import WouldOverwrite
from ccbrowse.core.export import Form, Written, pages, segment, whole, write_file, write_part
from ccbrowse.core.session import Session
from ccbrowse.tui.viewmodels.exporting import wrote_words

TURNS = 30


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Three segments of thirty turns each, with signs of several bytes at every place."""
    sheet = Sheet()
    for number in range(3 * TURNS):
        if number in (TURNS, 2 * TURNS):
            sheet.boundary()
        sheet.prompt(f"Prune tree {number}, bitte: größer 日本 <b>")
        sheet.reply(
            f"Tree {number} is **pruned** – 枝.", sheet.call("Bash", {"command": f"cut {number}"})
        )
        sheet.result("done")
    return sheet.open(tmp_path / "projects")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are full soon."""
    monkeypatch.setattr(pages, "MOST_ELEMENTS", 250)


def written(session: Session, target: Path, *, force: bool = False) -> tuple[Written, ...]:
    with closing(session):
        return write_part(whole(session), Form.HTML, FULL, target, force=force)


def articles(text: str) -> list[str]:
    return re.findall(r"<(?:article|section) .*?</(?:article|section)>", text, re.DOTALL)


def test_what_a_browser_takes_is_one_page_and_the_stream_itself(
    session: Session, tmp_path: Path
) -> None:
    want = exported(whole(session), Form.HTML, FULL)
    (one,) = written(session, tmp_path / "x.html")
    assert one.path.read_text() == want and one.size == len(want.encode())


@pytest.mark.usefixtures("small")
def test_pages_hold_everything_once_and_in_order(session: Session, tmp_path: Path) -> None:
    want = articles(exported(whole(session), Form.HTML, FULL))
    files = [each.path for each in written(session, tmp_path / "x.html")]
    assert [path.name for path in files][:3] == ["x.html", "x.2.html", "x.3.html"]
    assert len(files) > 3
    texts = [path.read_text() for path in files]
    assert [each for text in texts for each in articles(text)] == want
    assert all(len(Page(text).tags) < 250 * 1.5 for text in texts)
    assert [stat.S_IMODE(path.stat().st_mode) for path in files] == [0o600] * len(files)
    assert sorted(path.name for path in tmp_path.glob("*.html")) == sorted(p.name for p in files)


@pytest.mark.usefixtures("small")
def test_every_link_of_every_page_leads_somewhere(session: Session, tmp_path: Path) -> None:
    target = tmp_path / "a b #1 ü?.html"
    files = {each.path.name: each.path.read_text() for each in written(session, target)}
    ids = {name: set(re.findall(r' id="([^"]+)"', text)) for name, text in files.items()}
    for name, text in files.items():
        links = re.findall(r'href="([^"]+)"', text)
        contents = re.findall(r'<li><a href="([^"]+)">', text)
        assert len(contents) == 4, name  # three segments, and the findings
        for link in links:
            address, _, anchor = link.partition("#")
            page = unquote(address) or name
            assert page in files and (not anchor or anchor in ids[page]), link
        # From each page to each other one.
        assert {unquote(link) for link in links} >= set(files) - {name}
        assert f"of {len(files)}: a browser takes long over more" in text


@pytest.mark.usefixtures("small")
def test_each_page_is_valid_and_findings_stand_at_the_end_alone(
    session: Session, tmp_path: Path
) -> None:
    files = [each.path for each in written(session, tmp_path / "x.html")]
    for number, path in enumerate(files, 1):
        text = path.read_text()
        parser = html5lib.HTMLParser()
        parser.parse(text)
        assert parser.errors == []
        assert ("<h2>Findings and what was left out</h2>" in text) is (number == len(files))
        assert f"<p>Page {number} of {len(files)}:" in text


def test_a_segment_opens_a_page_where_the_one_before_is_nearly_full(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MOST_ELEMENTS", 1_250)
    files = [each.path.read_text() for each in written(session, tmp_path / "x.html")]
    assert [re.findall(r'<section class="opening" id="(s\d)"', text) for text in files] == [
        ["s1"],
        ["s2"],
        ["s3"],
    ]


@pytest.mark.usefixtures("small")
def test_no_page_is_written_where_one_of_them_is_there(session: Session, tmp_path: Path) -> None:
    (tmp_path / "x.3.html").write_text("mine")
    with pytest.raises(WouldOverwrite, match=r"x\.3\.html"):
        written(session, tmp_path / "x.html")
    assert [path.name for path in tmp_path.glob("*.html")] == ["x.3.html"]
    assert (tmp_path / "x.3.html").read_text() == "mine"
    assert list(tmp_path.glob(".ccbrowse-*")) == []


@pytest.mark.usefixtures("small")
def test_the_first_page_is_written_last(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one fails, the page that was asked for is still the old one."""
    target = tmp_path / "x.html"
    target.write_text("old")
    written_files: list[str] = []
    write = write_file

    def noted(chunks: object, path: Path, *, force: bool) -> Written:
        written_files.append(path.name)
        if path.name == "x.2.html":
            raise OSError(28, "No space left on device")
        return write(chunks, path, force=force)  # type: ignore[arg-type]  # passed on

    monkeypatch.setattr(pages, "write_file", noted)
    with pytest.raises(OSError, match="No space"):
        written(session, target, force=True)
    assert written_files[-1] == "x.2.html" and "x.html" not in written_files
    assert target.read_text() == "old"


@pytest.mark.usefixtures("small")
def test_pages_of_a_longer_export_do_not_stay_behind(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They might hold what is masked in the new one; what is no such page is left alone."""
    target = tmp_path / "x.html"
    first = written(session, target)
    assert len(first) > 4 and all(each.removed == () for each in first)
    first[-1].path.write_text("mine now")
    monkeypatch.setattr(pages, "MOST_ELEMENTS", 1_250)
    again = written(Session.open(session.file.path), target, force=True)
    assert [each.path.name for each in again] == ["x.html", "x.2.html", "x.3.html"]
    assert again[0].removed == tuple(each.path for each in first[3:-1])
    left = {*(each.path for each in again), first[-1].path}
    assert set(tmp_path.glob("*.html")) == left and first[-1].path.read_text() == "mine now"
    told = wrote_words(again, None)
    assert f", {len(first) - 4} of the longer one that was there removed; " in told


def test_a_page_may_be_full_of_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MOST_BYTES", 20_000)
    sheet = Sheet()
    for number in range(10):
        sheet.prompt(f"{number}" * 9_000)
    with closing(sheet.open(tmp_path / "projects")) as session:
        found = write_part(segment(session), Form.HTML, SHORT, tmp_path / "x.html")
    assert len(found) == 5
