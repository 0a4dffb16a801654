"""Facts of synthetic segments whose fate in the summary is known: read from golden/loss, made into sessions.

A file names its topic and style, holds a summary, and a line for each fact: what it is and where it
stands (`number/user`), what became of it, its words. `held out` files were not looked at while the
matcher was made, but that `84-choir` gave one rule afterwards. `import lossfacts` works in every test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from builders import OPENING, Call, Say, SessionBuilder, finish, turn

from ccbrowse.core.compaction import Bucket, Compaction, ItemKind, compaction
from ccbrowse.core.session import Session

FOLDER = Path(__file__).parent / "golden" / "loss"
CWD = "/srv/work"
SHOWN = frozenset({"kept", "paraphrased"})
"""What became of a fact that a summary shows; all else it does not."""

_KINDS = {
    "user": {ItemKind.USER_TEXT},
    "say": {ItemKind.ASSISTANT_TEXT, ItemKind.DECISION},
    "bash": {ItemKind.ERROR},
    "result": {ItemKind.TOOL_RESULT, ItemKind.ERROR},
}


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: `what` it is, the kind of record it stands `where`, its `fate`, its words."""

    what: str
    where: str
    fate: str
    text: str

    @property
    def shown(self) -> bool:
        """Whether the summary shows it."""
        return self.fate in SHOWN


@dataclass(frozen=True, slots=True)
class Segment:
    """A synthetic segment: the name of its file, its facts, the summary that closes it."""

    name: str
    style: str
    held_out: bool
    summary: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found out about a fact."""

    segment: str
    fact: Fact
    found: bool
    evidence: str | None


def segments() -> list[Segment]:
    """All synthetic segments."""
    return [_read(path) for path in sorted(FOLDER.glob("*.txt"))]


def _read(path: Path) -> Segment:
    head, rest = path.read_text(encoding="utf-8").split("--- summary\n")
    summary, facts = rest.split("--- facts\n")
    about = dict(line.split(": ", 1) for line in head.splitlines() if line)
    return Segment(
        path.stem,
        about["style"],
        about.get("held out") == "yes",
        summary.strip(),
        tuple(_fact(line) for line in facts.splitlines() if line.strip()),
    )


def _fact(line: str) -> Fact:
    kind, fate, text = (part.strip() for part in line.split(" | ", 2))
    what, where = kind.split("/")
    return Fact(what, where, fate, text)


def write(segment: Segment, root: Path) -> tuple[Path, list[str]]:
    """The segment as a session that was compacted; the uuids of the records that hold its facts."""
    b = SessionBuilder("2.1.181", cwd=CWD, seed=segment.name)
    uuids = []
    b.prompt("Hello")
    finish(b, say="Hello.")
    for fact in segment.facts:
        if fact.where == "user":
            uuids.append(turn(b, fact.text, say="Noted."))
            continue
        b.prompt("Go on")
        if fact.where == "say":
            uuids.append(b.reply(Say(fact.text)).rows[0])
            b.done()
            continue
        reply = b.reply(_call(fact))
        result = b.answer(reply.calls[0])
        uuids.append(reply.rows[0] if fact.what == "file" else result)
        finish(b, say="All right.")
    text = segment.summary
    b.compact(text if text.startswith(OPENING[:30]) else f"{OPENING}\n\n{text}", keep=0)
    return b.write(root), uuids


def full_path(text: str) -> str:
    """A path as a tool is given it."""
    return text if text.startswith("/") or "://" in text else f"{CWD}/{text}"


def _call(fact: Fact) -> Call:
    path = full_path(fact.text)
    if fact.where == "read":
        return Call("Read", {"file_path": path}, "     1\t(empty)", {"type": "text"})
    if fact.where in ("edit", "write"):
        given = {"file_path": path, "old_string": "1", "new_string": "2"}
        return Call(fact.where.capitalize(), given, "Done", {"filePath": path})
    failed = fact.where == "bash"
    output = f"Exit code 1\n{fact.text}" if failed else fact.text
    given = {"command": "make", "description": "Run it"}
    return Call("Bash", given, output, {"stdout": fact.text}, failed)


def judge(segment: Segment, root: Path) -> list[Verdict]:
    """What the loss view says of each fact of a segment."""
    path, uuids = write(segment, root)
    session = Session.open(path, root)
    found = compaction(session, 1)
    session.close()
    return list(_verdicts(segment, found, uuids))


def _verdicts(segment: Segment, found: Compaction, uuids: list[str]) -> Iterator[Verdict]:
    assert found.loss is not None
    for fact, uuid in zip(segment.facts, uuids, strict=True):
        if fact.what == "file":
            path = full_path(fact.text)
            items = [i for i in found.loss.items if i.kind is ItemKind.FILE and i.label == path]
        else:
            kinds = _KINDS[fact.where]
            items = [i for i in found.loss.items if i.uuid == uuid and i.kind in kinds]
        assert items, (segment.name, fact)
        shown = [item for item in items if item.bucket is Bucket.IN_SUMMARY]
        yield Verdict(segment.name, fact, bool(shown), shown[0].evidence if shown else None)


@dataclass(frozen=True, slots=True)
class Rate:
    """How often `in summary` was said rightly (precision), and how often it was said where it is right."""

    facts: int
    precision: float
    recall: float


def rate(verdicts: Iterable[Verdict]) -> Rate:
    """The rates over some verdicts."""
    count = Counter((v.fact.shown, v.found) for v in verdicts)
    right, false, missed = count[True, True], count[False, True], count[True, False]
    return Rate(
        sum(count.values()),
        right / (right + false) if right + false else 1.0,
        right / (right + missed) if right + missed else 1.0,
    )


def group(fact: Fact) -> str:
    """The line of the table that a fact counts in."""
    return "sentence" if fact.what in ("sentence", "decision") else fact.what
