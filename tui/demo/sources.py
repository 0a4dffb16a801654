"""Made-up files and command output, in the amounts that a working day brings."""

from collections.abc import Sequence

from ccbrowse.tui.demo.ids import Ids

_HEAD = '''"""{title}: what the service knows of it, and the rules it keeps."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app import clock, settings, store

log = logging.getLogger(__name__)

LEEWAY = timedelta(seconds=30)


@dataclass(frozen=True)
class {kind}:
    """One entry, as it is stored."""

    id: str
    owner: str
    created: datetime
    expires: datetime
    used: bool = False


def {function}(key: str, *, now: datetime | None = None) -> {kind} | None:
    """The entry behind a key; None where there is none or its time is over."""
    moment = now or clock.now()
    found = store.get("{noun}", key)
    if found is None:
        log.debug("no entry for %s", key)
        return None
    if found.expires + LEEWAY < moment:
        store.drop("{noun}", key)
        return None
    return replace(found, used=True)
'''

_PARTS = (
    '''
def {verb}_{noun}(owner: str, count: int = {n}) -> list[{kind}]:
    """{Verb} the newest entries of an owner, oldest first."""
    rows = store.find("{noun}", owner=owner, limit=count)
    fresh = [row for row in rows if row.expires > clock.now()]
    if len(fresh) < len(rows):
        log.info("%s: %d of %d are stale", owner, len(rows) - len(fresh), len(rows))
    return sorted(fresh, key=lambda row: row.created)
''',
    '''
def may_{verb}(entry: {kind}, actor: str) -> bool:
    """True where the actor may {verb} this entry: its owner may, and support within office hours."""
    if actor == entry.owner:
        return True
    if not settings.flag("support_may_{verb}"):
        return False
    hour = clock.now().hour
    return {n} % 7 <= hour < 18 and store.role(actor) == "support"
''',
    '''
class {Verb}Error(RuntimeError):
    """Raised where one may not {verb} an entry; `reason` is safe to show."""

    def __init__(self, entry: {kind}, reason: str) -> None:
        super().__init__(f"{{entry.id}}: {{reason}}")
        self.entry = entry
        self.reason = reason
''',
    '''
def {verb}_all(entries: list[{kind}], batch: int = {n}) -> int:
    """{Verb} many entries in batches; returns how many there were."""
    done = 0
    for start in range(0, len(entries), batch):
        part = entries[start : start + batch]
        with store.transaction() as tx:
            for entry in part:
                tx.put("{noun}", entry.id, replace(entry, used=True))
        done += len(part)
        log.debug("{verb}: %d of %d", done, len(entries))
    return done
''',
    """
def _{verb}_key(owner: str, salt: str) -> str:
    # The salt changes once a day, so that a key cannot be guessed from an older one.
    digest = store.digest(owner.casefold(), salt, rounds={n})
    return f"{noun}:{{digest[:16]}}"
""",
    '''
def describe_{verb}(entry: {kind}) -> dict[str, object]:
    """What the audit page shows of an entry."""
    age = clock.now() - entry.created
    left = entry.expires - clock.now()
    return {{
        "id": entry.id,
        "owner": entry.owner,
        "age_minutes": round(age.total_seconds() / 60),
        "left_minutes": max(0, round(left.total_seconds() / 60)),
        "state": "used" if entry.used else "open",
    }}
''',
)
_VERBS = (
    "renew",
    "revoke",
    "list",
    "merge",
    "archive",
    "check",
    "extend",
    "issue",
    "limit",
    "mark",
)


def module(title: str, noun: str, function: str, parts: int, ids: Ids) -> str:
    """A Python module of so many parts after its head."""
    kind = "".join(word.capitalize() for word in noun.split("_"))
    pieces = [_HEAD.format(title=title.capitalize(), kind=kind, noun=noun, function=function)]
    first = ids.between(0, 50)
    for index in range(first, first + parts):
        verb = _VERBS[index % len(_VERBS)]
        part = _PARTS[(index + index // len(_VERBS)) % len(_PARTS)]
        number = ids.between(5, 60)
        pieces.append(
            part.format(verb=verb, Verb=verb.capitalize(), noun=noun, kind=kind, n=number)
        )
    return "\n".join(pieces)


def pytest_run(names: Sequence[str], failed: Sequence[str], where: str, ids: Ids) -> str:
    """The output of a test run; `failed` come with their assertion."""
    lines = ["=" * 20 + " test session starts " + "=" * 20, f"collected {len(names)} items", ""]
    for index, name in enumerate(names, 1):
        outcome = "FAILED" if name in failed else "PASSED"
        share = 100 * index // len(names)
        lines.append(f"{where}::{name} {outcome:<8} [{share:3d}%]")
    for name in failed:
        line = ids.between(20, 160)
        lines += ["", f"____ {name} ____", f"{where}:{line}: in {name}"]
        lines += ["    assert found is not None", "E   assert None is not None"]
    passed = len(names) - len(failed)
    tail = f"{passed} passed" + (f", {len(failed)} failed" if failed else "")
    return "\n".join([*lines, f"==== {tail} in {ids.between(40, 900) / 100:.2f}s ===="])


_EVENTS = (
    "login ok",
    "login refused",
    "refresh ok",
    "refresh late",
    "session pruned",
    "cookie old",
)


def service_log(count: int, ids: Ids) -> str:
    """Lines of a service's log."""
    lines = []
    second = ids.between(0, 30_000)
    for _ in range(count):
        second += ids.between(1, 40)
        clock = f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
        event, number = ids.pick(_EVENTS), ids.between(1000, 9999)
        level = "WARN" if "refused" in event or "late" in event else "INFO"
        took = ids.between(2, 480)
        lines.append(
            f"{clock} {level} auth.worker-{number % 4} {event} user=u{number} took={took}ms"
        )
    return "\n".join(lines)


def diff(path: str, old: str, new: str, at: int) -> str:
    """A change as `git diff` shows it."""
    gone = [f"-{line}" for line in old.splitlines()]
    come = [f"+{line}" for line in new.splitlines()]
    head = f"@@ -{at},{len(gone)} +{at},{len(come)} @@"
    return "\n".join([f"diff --git a/{path} b/{path}", head, *gone, *come])
