"""What every test stands on: a home of its own, one clock, and the shared documents where they are."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from logs import Log, Reading

from ccbrowse.core.session import Session

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"

# A loaded machine is slow, not wrong. The same examples everywhere: `make fuzz` looks for new ones.
settings.register_profile(
    "ccbrowse",
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ccbrowse")

_LEAK_IN = ("CLAUDE_CONFIG_DIR", "NO_COLOR", "FORCE_COLOR", "PAGER", "EDITOR", "VISUAL")


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder, so that no test reads the user's sessions or writes the user's cache."""
    folder = tmp_path_factory.mktemp("home")
    for name in os.environ:
        if name in _LEAK_IN or name.startswith(("CCBROWSE_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture(autouse=True, scope="session")
def clock() -> None:
    """Local time is UTC, in child processes too."""
    os.environ["TZ"] = "UTC"
    time.tzset()


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of recordings and cases beside the checkout; the test skips where it is missing."""
    if not SHARED.is_dir():
        pytest.skip("no ../shared beside the checkout: its recordings and cases are not here")
    return SHARED


@pytest.fixture
def read_log(tmp_path: Path) -> Iterator[Reading]:
    """Writes a `Log` below a `projects` folder of its own and opens it; closed when the test ends."""
    opened: list[Session] = []

    def read(log: Log) -> Session:
        session = Session.open(log.write(tmp_path / "projects" / "-home-robin-orchard"))
        opened.append(session)
        return session

    yield read
    for session in opened:
        session.close()
