"""One browser for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browsing import Browser, browser_in, need_browser


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Headless Chromium; the test skips where there is none."""
    need_browser()
    with browser_in(tmp_path_factory.mktemp("profile")) as found:
        yield found
