"""All measures, by id; T3 is one where its peer is given."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.measure import Measure
from bench.measures.cold import ColdIndex, TwoProcesses, WithTalk
from bench.measures.huge import Memory, Readable, Structure
from bench.measures.keys import KeysInList, KeysInSession
from bench.measures.live import AppendHuge, AppendSmall
from bench.measures.screen import FirstRows
from bench.measures.search import (
    CommonExact,
    CommonFolded,
    CommonTalkPage,
    FirstHit,
    RareExact,
    RareFolded,
    TalkPage,
)
from bench.measures.tokens import SegmentTokens
from bench.measures.warm import StructureAgain, UpToDate, WarmCheck


def all_measures(peers: Mapping[str, str]) -> list[Measure]:
    """Every measure; `peers` are other programs by name, measured where they are given."""
    found: list[Measure] = [
        ColdIndex(),
        TwoProcesses(),
        FirstRows(),
        UpToDate(),
        WarmCheck(),
        Readable(),
        Structure(),
        StructureAgain(),
        Memory(),
        AppendSmall(),
        AppendHuge(),
        KeysInList(),
        KeysInSession(),
        SegmentTokens(),
        RareExact(),
        RareFolded(),
        CommonExact(),
        CommonFolded(),
        FirstHit(),
        TalkPage(),
        CommonTalkPage(),
    ]
    if "fast-resume" in peers:
        found.append(WithTalk(Path(peers["fast-resume"])))
    return found


def chosen(measures: Sequence[Measure], only: str) -> list[Measure]:
    """The measures whose ids are named, `T7` meaning all of T7; all where none is. Raises KeyError."""
    names = [name.strip() for name in only.split(",") if name.strip()]
    found = [each for each in measures if not names or _is_named(each, names)]
    for name in names:
        if not any(_is_named(each, [name]) for each in measures):
            raise KeyError(name)
    return found


def _is_named(measure: Measure, names: Sequence[str]) -> bool:
    return any(measure.id == name or measure.id.rstrip("abcdefg") == name for name in names)
