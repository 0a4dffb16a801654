"""HTML exports as people meet them: folding, contents, widths, light and dark, paper, long sessions."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from browsing import Browser
from builders import ERA_NAMES, sampler
from exporting import FULL, SHORT, Sheet, exported

from ccbrowse.core.export import Form, Options, whole, write_part
from ccbrowse.core.export.pages import MOST_ELEMENTS
from ccbrowse.core.session import Session

WIDTHS = (360, 800, 1400)
MESSAGES = 20_000


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session with nearly everything, whole, with all its tools."""
    folder = tmp_path_factory.mktemp("page")
    with closing(Session.open(sampler(ERA_NAMES[-1]).write(folder))) as session:
        return saved(session, FULL, folder)


def saved(session: Session, options: Options, folder: Path) -> Path:
    path = folder / "page.html"
    path.write_text(exported(session, Form.HTML, options), encoding="utf-8")
    return path


def shown(browser: Browser, which: str) -> list[bool]:
    """Of the elements that a selector finds, which can be seen."""
    found: list[bool] = browser.ask(
        "[...document.querySelectorAll(arguments[0])].map(each => each.checkVisibility())", which
    )
    return found


def test_folding_by_mouse_and_by_keyboard(browser: Browser, page: Path) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    browser.open(page)
    fold = browser.driver.find_element(By.CSS_SELECTOR, "details.tool")
    inside = fold.find_element(By.CSS_SELECTOR, "pre")
    assert not inside.is_displayed()
    fold.find_element(By.CSS_SELECTOR, "summary").click()
    assert inside.is_displayed()
    fold.find_element(By.CSS_SELECTOR, "summary").send_keys(Keys.ENTER)
    assert not inside.is_displayed()


def test_the_contents_lead_to_segments_and_the_first_key_skips_to_the_conversation(
    browser: Browser, page: Path
) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    browser.open(page)
    browser.driver.find_element(By.CSS_SELECTOR, "body").send_keys(Keys.TAB)
    assert browser.ask("document.activeElement.className") == "skip"
    assert browser.ask("document.activeElement.getBoundingClientRect().left") >= 0
    links = browser.driver.find_elements(By.CSS_SELECTOR, "nav a")
    assert [link.text for link in links][:3] == ["Segment 1", "Segment 2", "Segment 3"]
    for link in links:
        link.click()
        target = browser.ask("document.querySelector(location.hash).getBoundingClientRect().top")
        assert -1 <= target < 900


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(browser: Browser, page: Path, width: int) -> None:
    browser.open(page)
    browser.look(width=width)
    browser.ask("document.querySelectorAll('details').forEach(each => each.open = true)")
    for _ in range(3):  # what comes into view may change the layout
        browser.ask("window.scrollBy(0, document.body.scrollHeight / 3)")
    assert browser.ask("document.documentElement.scrollWidth") <= width
    aside = browser.ask(
        "document.querySelector('nav').getBoundingClientRect().right "
        "<= document.querySelector('main').getBoundingClientRect().left"
    )
    assert aside is (width == 1400)


def luminance(colour: str) -> float:
    """The relative luminance of a computed colour."""
    parts = [int(each) / 255 for each in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def colours(browser: Browser, names: Sequence[str]) -> list[tuple[str, str, str]]:
    """Name, colour and background of the first element that each selector finds."""
    found: list[tuple[str, str, str]] = browser.ask(
        """arguments[0].map(name => {
            const each = document.querySelector(name);
            let under = each;
            while (getComputedStyle(under).backgroundColor === 'rgba(0, 0, 0, 0)')
                under = under.parentElement;
            return [name, getComputedStyle(each).color, getComputedStyle(under).backgroundColor];
        })""",
        names,
    )
    return found


READ = (
    *("h1", ".part", ".facts dt", ".facts dd", "nav a", "nav span", "article.user h3"),
    *("article.assistant h3", "article h3 a", ".prose", ".tool summary", ".tool code", "pre"),
    *(
        ".boundary dt",
        ".boundary dd",
        "figcaption",
        "article.summary .prose",
        ".tool.failed .outcome",
    ),
    *("pre .nt", "pre .s2", ".signs"),
)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_text_stands_out_from_its_ground(browser: Browser, page: Path, dark: bool) -> None:
    browser.open(page)
    browser.look(dark=dark)
    paper = browser.ask("getComputedStyle(document.body).backgroundColor")
    assert (luminance(paper) < 0.05) is dark
    weak = {
        name: round(contrast(ink, ground), 2)
        for name, ink, ground in colours(browser, READ)
        if contrast(ink, ground) < 4.5
    }
    assert weak == {}


def test_paper_is_white_and_shows_what_is_folded(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.look(dark=True, media="print")
    for name, ink, ground in colours(browser, ("body", ".facts dt", ".boundary dd", "pre")):
        assert luminance(ground) > 0.8 and contrast(ink, ground) >= 4.5, name
    assert shown(browser, "nav, .skip") == [False, False]
    folded = shown(browser, "details pre")
    assert len(folded) > 10 and all(folded)
    pdf = base64.b64decode(browser.order("Page.printToPDF")["data"])
    assert pdf.startswith(b"%PDF") and len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 3


def long_session(folder: Path) -> Session:
    sheet = Sheet()
    for number in range(MESSAGES // 2):
        sheet.prompt(f"Prune tree {number}, please, and say *how* it looked.")
        sheet.reply(
            f"Tree {number} is **pruned**:\n\n- `branch {number}` went\n- the rest stayed\n"
        )
    return sheet.open(folder)


def seconds_to_load(browser: Browser, page: Path) -> tuple[float, float]:
    """Seconds until something is seen, and until all is loaded."""
    browser.open(page)
    timing = "performance.getEntriesByType('navigation')[0].loadEventEnd"
    paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    return browser.ask(paint) / 1000, browser.ask(timing) / 1000


def test_twenty_thousand_messages_open(
    browser: Browser, tmp_path: Path, record_testsuite_property: Callable[[str, object], None]
) -> None:
    """In pages, each no more than a browser takes at once, and what is not in view is not laid out."""
    with closing(long_session(tmp_path / "projects")) as session:
        written = write_part(whole(session), Form.HTML, SHORT, tmp_path / "page.html")
    texts = [each.path.read_text() for each in written]
    assert sum(text.count("<article ") for text in texts) == MESSAGES
    assert len(written) == 2
    for each, text in zip(written, texts, strict=True):
        seen, loaded = min(seconds_to_load(browser, each.path) for _ in range(2))
        elements = browser.ask("document.getElementsByTagName('*').length")
        for name, value in (("elements", elements), ("seen", seen), ("loaded", loaded)):
            record_testsuite_property(f"20,000 messages, {each.path.name}, {name}", value)
        assert elements < 1.1 * MOST_ELEMENTS
        assert seen < 3
        assert "a browser takes long over more in one" in text


def test_pages_lead_to_each_other(browser: Browser, tmp_path: Path) -> None:
    from selenium.webdriver.common.by import By

    with (
        closing(Session.open(sampler(ERA_NAMES[-1]).write(tmp_path / "projects"))) as session,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("ccbrowse.core.export.pages.MOST_ELEMENTS", 300)
        written = write_part(whole(session), Form.HTML, FULL, tmp_path / "a page.html")
    assert len(written) > 2
    browser.open(written[0].path)
    browser.driver.find_element(By.CSS_SELECTOR, ".turning a").click()
    assert browser.driver.current_url == written[1].path.as_uri()
    # From any page the contents lead to the segment, wherever it is.
    for link in range(3):
        browser.driver.find_elements(By.CSS_SELECTOR, "nav a")[link].click()
        assert browser.ask("location.hash") == f"#s{link + 1}"
        assert browser.ask("document.querySelector(location.hash) !== null")
    assert {url.partition("#")[0] for url in browser.requests()} <= {
        each.path.as_uri() for each in written
    }
