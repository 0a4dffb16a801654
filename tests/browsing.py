"""A real browser for tests: headless Chromium, whose every request outside goes to a proxy that listens.

`make test-browser` brings what is needed; without it these tests skip and say so. With
CCBROWSE_BROWSER=required they fail instead.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

BINARIES = ("/usr/bin/chromium", "/usr/bin/chromedriver")
_QUIET = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-default-apps", "--disable-domain-reliability", "--hide-scrollbars"),
    *("--force-device-scale-factor=1", "--window-size=1200,900", "--disable-dev-shm-usage"),
)
_OWN_HOSTS = (
    ".google.com",
    ".googleapis.com",
    ".gvt1.com",
    ".gstatic.com",
    ".google-analytics.com",
)
"""Hosts that Chromium calls on its own account, whatever page is open."""


def need_browser() -> None:
    """Skip, or fail where it is required, if there is no browser or no way to drive it."""
    missing = [Path(path).name for path in BINARIES if not shutil.which(path)]
    try:
        import selenium  # noqa: F401 - only asked whether it is there
    except ImportError:
        missing.append("selenium")
    if missing:
        words = f"no {' and no '.join(missing)} here: `make test-browser` brings them"
        if os.environ.get("CCBROWSE_BROWSER") == "required":
            pytest.fail(words)
        pytest.skip(words)


class Listener:
    """A proxy that answers nothing and remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._socket.accept()
                with client:
                    client.settimeout(2)
                    with suppress(OSError):
                        self._note(client.recv(4096).decode("latin-1"))

    def _note(self, request: str) -> None:
        line = request.partition("\r\n")[0]
        host = line.split(" ")[1] if " " in line else line
        name = host.removeprefix("http://").partition("/")[0].rpartition(":")[0] or host
        if not any(name.endswith(own) or name == own[1:] for own in _OWN_HOSTS):
            self.asked.append(line)

    def close(self) -> None:
        self._socket.close()


class Browser:
    """One Chromium for all tests; `open` loads a page of a file."""

    def __init__(self, driver: Any, listener: Listener) -> None:
        self.driver = driver
        self.listener = listener

    def open(self, page: Path) -> None:
        """Load a page, with nothing remembered of the one before."""
        self.look()
        self.driver.get("about:blank")
        self.driver.get_log("performance")
        self.driver.get_log("browser")
        self.listener.asked.clear()
        self.driver.get(page.as_uri())

    def ask(self, script: str, *given: Any) -> Any:
        """The value of a JavaScript expression in the page."""
        return self.driver.execute_script(f"return {script}", *given)

    def order(self, command: str, **given: Any) -> Any:
        """A command of the developer tools."""
        return self.driver.execute_cdp_cmd(command, given)

    def look(self, *, width: int = 1200, dark: bool = False, media: str = "") -> None:
        """How the page is looked at: how wide, light or dark, on paper or not."""
        self.order("Emulation.setDeviceMetricsOverride", width=width, height=900,
                   deviceScaleFactor=1, mobile=False)  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.order("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def requests(self) -> list[str]:
        """What the page asked for since it was opened, itself and its data aside; and the proxy's list."""
        asked = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"])
        page = self.driver.current_url.partition("#")[0]
        foreign = [url for url in asked if url.partition("#")[0] != page]
        return [url for url in foreign if not url.startswith("data:")] + self.listener.asked

    def complaints(self) -> list[str]:
        """What the browser says of the page: refused scripts, styles and addresses among it."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@contextmanager
def browser_in(folder: Path) -> Iterator[Browser]:
    """A browser with a new profile."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    listener = Listener()
    options = webdriver.ChromeOptions()
    options.binary_location = BINARIES[0]
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    for word in _QUIET:
        options.add_argument(word)
    options.add_argument(f"--user-data-dir={folder}")
    options.add_argument(f"--proxy-server=http://127.0.0.1:{listener.port}")
    options.add_argument("--proxy-bypass-list=<-loopback>")
    driver = webdriver.Chrome(options=options, service=Service(BINARIES[1]))
    try:
        driver.execute_cdp_cmd("Network.enable", {})
        yield Browser(driver, listener)
    finally:
        driver.quit()
        listener.close()
