"""HTML exports of hostile sessions in a real browser: nothing runs, nothing leaves, nothing is theirs."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from browsing import Browser
from exporting import FULL, PAGE_ELEMENTS, SHORT, Sheet, exported, names_in
from hostile import CANARY, hostile_sheets

from ccbrowse.core.export import Form, Options
from ccbrowse.core.session import Session

ATTRIBUTES = names_in(
    "lang charset http-equiv content name class href id aria-label tabindex datetime rel src alt start "
    "viewBox preserveAspectRatio role points style"
)


NAMES = """[...new Set([...document.querySelectorAll('*')].flatMap(
    each => [each.localName, ...each.getAttributeNames().map(name => '@' + name)]))]"""
"""The elements of a page, and with a sign before it each attribute."""


def check(browser: Browser, page: Path) -> None:
    """Open a page and its folded parts: no script, no request, no element or attribute but ours."""
    browser.open(page)
    names = set(browser.ask(NAMES))
    browser.ask("document.querySelectorAll('details').forEach(each => each.open = true)")
    title = browser.ask("document.title")
    browser.ask("window.scrollTo(0, document.body.scrollHeight)")
    assert browser.ask("window.ran") is None
    assert browser.requests() == []
    assert browser.complaints() == []
    assert browser.ask("document.title") == title and browser.driver.current_url == page.as_uri()
    policy = "document.querySelector('meta[http-equiv=Content-Security-Policy]').content"
    assert browser.ask(policy).startswith("default-src 'none';")
    assert {name for name in names if name[0] != "@"} <= PAGE_ELEMENTS
    assert {name[1:] for name in names if name[0] == "@"} <= ATTRIBUTES
    addresses = browser.ask("[...document.querySelectorAll('[href]')].map(each => each.href)")
    own = page.as_uri() + "#"
    assert all(a.startswith((own, "http://", "https://", "mailto:")) for a in addresses)
    sources = browser.ask("[...document.querySelectorAll('[src]')].map(each => each.src)")
    assert all(source.startswith("data:image/") for source in sources)
    styled = "[...document.querySelectorAll('[style]')].map(each => each.getAttribute('style'))"
    assert all(style.startswith("text-align:") for style in browser.ask(styled))


def write(sheet: Sheet | Path, options: Options, folder: Path) -> Path:
    with closing(
        sheet.open(folder) if isinstance(sheet, Sheet) else Session.open(sheet)
    ) as session:
        page = folder / "page.html"
        page.write_text(exported(session, Form.HTML, options), encoding="utf-8")
    return page


def test_the_watch_sees_what_a_page_does(browser: Browser, tmp_path: Path) -> None:
    """A page that does all of it is seen doing it: the other tests can fail."""
    page = tmp_path / "page.html"
    page.write_text(f"<title>x</title><script>window.ran = 1</script><img src={CANARY}/i>")
    browser.open(page)
    assert browser.ask("window.ran") == 1
    assert f"GET {CANARY}/i HTTP/1.1" in browser.requests()
    page.write_text(
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"
        "<script>window.ran = 1</script>"
    )
    browser.open(page)
    assert browser.ask("window.ran") is None and len(browser.complaints()) == 1


@pytest.mark.parametrize("options", [FULL, SHORT], ids=["full", "short"])
def test_hostile_texts_stay_texts(browser: Browser, tmp_path: Path, options: Options) -> None:
    for name, sheet in hostile_sheets():
        folder = tmp_path / name
        folder.mkdir()
        check(browser, write(sheet, options, folder))


@pytest.mark.parametrize("case", ["x01", "r06", "r07", "r08", "x03", "x07"])
def test_given_cases(browser: Browser, shared: Path, tmp_path: Path, case: str) -> None:
    files = sorted(shared.glob(f"cases/{case}-*/projects/*/*.jsonl"))
    assert files
    for path in files:
        check(browser, write(path, FULL, tmp_path))
