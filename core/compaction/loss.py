"""What became of the closed segment: each item in one bucket, with what shows it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ccbrowse.core.compaction.items import FILE_TOOLS, Raw, raw_items
from ccbrowse.core.compaction.matcher import Evidence, Matcher, path_parts
from ccbrowse.core.compaction.model import (
    Bucket,
    BucketSum,
    Item,
    ItemKind,
    Loss,
    PutBack,
    SummaryText,
)
from ccbrowse.core.compaction.standing import Standing
from ccbrowse.core.compaction.tokens import Counting, add
from ccbrowse.core.compaction.worth import worth_of
from ccbrowse.core.numbers import Number, Source
from ccbrowse.core.records import Kind
from ccbrowse.core.segments import Segment
from ccbrowse.core.session import Session

_NOTHING = Number(0, Source.ESTIMATE, 0.0)
_PATH = re.compile(r"(?<![\w.@+~-])[\w.@+~-]*/(?:[\w.@+-]+/)*([\w.@+-]+)")
_READ_ALONG = frozenset({Kind.QUEUED_PROMPT, Kind.ATTACHMENT})


def find_loss(
    session: Session,
    closed: Segment,
    opened: Segment,
    summary: SummaryText | None,
    put_back: Sequence[PutBack],
) -> Loss:
    """Decide for each item of the closed segment. Slow: from a worker."""
    raws = raw_items(session, closed_rows(session, closed))
    judge = Judge(session, raws, opened, summary.text if summary else "", put_back)
    counting = Counting(session, closed)
    items = [_item(session, raw, judge.of(raw), counting) for raw in raws]
    order = sorted(range(len(items)), key=lambda at: (items[at].worth, raws[at].row, at))
    ranked = tuple(items[at] for at in order)
    sentences = tuple(sentence.text for sentence in judge.matcher.summary.sentences)
    return Loss(ranked, *_sums(ranked), sentences)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where an item went, what shows it, and which sentence of the summary that is."""

    bucket: Bucket
    evidence: str | None = None
    sentence: int | None = None


class Judge:
    """Decides where items of a closed segment went: exact answers first, then the matcher's."""

    def __init__(
        self,
        session: Session,
        raws: Sequence[Raw],
        opened: Segment,
        summary: str,
        put_back: Sequence[PutBack],
    ) -> None:
        self.standing = Standing(session, opened, put_back)
        self.matcher = Matcher(
            summary,
            (raw.text for raw in raws if raw.kind is not ItemKind.FILE),
            known_paths(raws),
            filter(None, (session.cwd, session.index.facts.last_cwd)),
        )

    def of(self, raw: Raw) -> Verdict:
        """The verdict on one item."""
        if self.standing.kept(raw):
            return Verdict(Bucket.KEPT)
        if (shown := self.standing.put_back(raw)) is not None:
            return Verdict(Bucket.PUT_BACK, shown)
        if (hit := look_up(self.matcher, raw)) is not None:
            return Verdict(Bucket.IN_SUMMARY, hit.sentence, hit.number)
        if (named := self.standing.reference(raw)) is not None:
            return Verdict(Bucket.IN_SUMMARY, named)
        return Verdict(Bucket.NOT_FOUND)


def closed_rows(session: Session, closed: Segment) -> list[int]:
    """What the closed context held: messages carried over into it, its own, prompts and files beside them."""
    stretch = session.chain.stretches[closed.number - 1]
    kinds = session.index.kind
    own = set(closed.rows)
    along = [
        row
        for row in session.chain.path[stretch.start : stretch.stop]
        if kinds[row] in _READ_ALONG and row not in own
    ]
    merged = _woven(session, list(closed.rows), along)
    carried = [row for row in closed.carried_over if row not in own]
    return carried + merged


def _woven(session: Session, rows: list[int], along: list[int]) -> list[int]:
    """Rows of the path put where they stand among rows in reading order."""
    place = session.chain.place
    result: list[int] = []
    waiting = along[::-1]
    for row in rows:
        while waiting and place[row] >= 0 and place[waiting[-1]] < place[row]:
            result.append(waiting.pop())
        result.append(row)
    return result + waiting[::-1]


def known_paths(raws: Sequence[Raw]) -> list[str]:
    """The files that are known: those touched, and those of the same names that tools listed."""
    touched = dict.fromkeys(raw.path for raw in raws if raw.path)
    names = {path_parts(path)[-1] for path in touched if path_parts(path)}
    for raw in raws:
        if raw.kind is ItemKind.TOOL_RESULT and raw.tool not in FILE_TOOLS:
            for match in _PATH.finditer(raw.text):
                if match[1].casefold() in names:
                    touched[match[0]] = None
    return list(touched)


def _item(session: Session, raw: Raw, verdict: Verdict, counting: Counting) -> Item:
    return Item(
        row=raw.row,
        uuid=session.index.uuids[raw.row] or "",
        kind=raw.kind,
        label=raw.label,
        tokens=_tokens(raw, counting),
        bucket=verdict.bucket,
        evidence=verdict.evidence,
        sentence=verdict.sentence,
        worth=worth_of(raw),
        detail=raw.detail or raw.tool,
    )


def look_up(matcher: Matcher, raw: Raw) -> Evidence | None:
    """What of the summary shows an item, by what kind of thing it is."""
    if raw.kind is ItemKind.FILE and raw.path:
        return matcher.match_path(raw.path)
    if raw.kind is ItemKind.ERROR:
        return matcher.match_error(raw.text, failed=raw.failed)
    if raw.kind is ItemKind.TOOL_RESULT:
        return matcher.match_output(raw.text)
    if raw.kind is ItemKind.TOOL_CALL and raw.path:
        named = matcher.match_path(raw.path)
        if named is not None or raw.tool in FILE_TOOLS:
            return named
    return matcher.match_text(raw.text)


def _tokens(raw: Raw, counting: Counting) -> Number:
    if not raw.counted:
        return _NOTHING
    if raw.alone:
        return counting.row(raw.row)
    return counting.text(f"{raw.text}\n{raw.content}" if raw.content not in raw.text else raw.text)


def _sums(
    items: Sequence[Item],
) -> tuple[dict[Bucket, BucketSum], dict[tuple[ItemKind, Bucket], BucketSum]]:
    cells: dict[tuple[ItemKind, Bucket], list[Number]] = {}
    for item in items:
        cells.setdefault((item.kind, item.bucket), []).append(item.tokens)
    table = {key: BucketSum(len(tokens), add(tokens)) for key, tokens in cells.items()}
    buckets = {}
    for bucket in Bucket:
        tokens = [item.tokens for item in items if item.bucket is bucket]
        buckets[bucket] = BucketSum(len(tokens), add(tokens))
    return buckets, table
