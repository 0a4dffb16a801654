"""A chain as bytes and back: it goes on from where it was when its index gains rows."""

from __future__ import annotations

from array import array
from itertools import accumulate, pairwise

from msgspec import Struct

from ccbrowse.core.chain.line import Chain, Stretch
from ccbrowse.core.chain.links import Elsewhere, Note, ResolvedBy, Surroundings
from ccbrowse.core.index import SessionIndex

Buffer = memoryview


class SavedChain(Struct, array_like=True):
    """A chain; rows of its stretches one after the other, `counts` of them each."""

    rows_done: int
    adopted: int
    path: Buffer
    place: Buffer
    on_line: Buffer
    stretches: list[tuple[int, int, int | None]]
    counts: list[int]
    rows: Buffer
    off: list[int]
    hanging: list[tuple[int, list[int]]]
    notes: list[Note]
    resolved: dict[int, ResolvedBy]
    source: Elsewhere | None
    looped: bool
    boundary_rows: list[int]
    kept_by: dict[int, list[int]]
    summaries: dict[int, int]
    logical_parents: set[str]
    awaited: set[str]
    kept: dict[int, list[int]]
    climbed: int


def save_chain(chain: Chain) -> SavedChain:
    """What is to be kept of a chain."""
    links = chain.links
    rows = array("i")
    for stretch in chain.stretches:
        rows.extend(stretch.rows)
    return SavedChain(
        rows_done=chain._done,
        adopted=chain._adopted,
        path=memoryview(chain.path.tobytes()),
        place=memoryview(chain.place.tobytes()),
        on_line=memoryview(bytes(chain.on_line)),
        stretches=[(each.start, each.stop, each.boundary) for each in chain.stretches],
        counts=[len(each.rows) for each in chain.stretches],
        rows=memoryview(rows.tobytes()),
        off=sorted(chain._off),
        hanging=[(row, sorted(hanging)) for row, hanging in chain._hanging.items()],
        notes=links.notes,
        resolved=links.resolved,
        source=links.source,
        looped=links.looped,
        boundary_rows=links._boundary_rows,
        kept_by=links._kept_by,
        summaries=links._summaries,
        logical_parents=links._logical_parents,
        awaited=links._awaited,
        kept=links._kept,
        climbed=links._climbed,
    )


def restore_chain(saved: SavedChain, index: SessionIndex, around: Surroundings) -> Chain:
    """The chain of an index that was kept with it, taking in what the index has gained since."""
    chain = Chain(index, around, empty=True)
    chain._done, chain._adopted = saved.rows_done, saved.adopted
    chain.path.frombytes(saved.path)
    chain.place.frombytes(saved.place)
    chain.on_line += saved.on_line
    rows = array("i")
    rows.frombytes(saved.rows)
    named = rows.tolist()
    spans = pairwise(accumulate(saved.counts, initial=0))
    chain.stretches = [
        Stretch(start, stop, boundary, named[first:last])
        for (start, stop, boundary), (first, last) in zip(saved.stretches, spans, strict=True)
    ]
    chain._off = set(saved.off)
    chain._hanging = {row: set(hanging) for row, hanging in saved.hanging}
    _restore_links(chain, saved)
    chain.update()
    return chain


def _restore_links(chain: Chain, saved: SavedChain) -> None:
    links = chain.links
    links.notes, links.resolved, links.source = saved.notes, saved.resolved, saved.source
    links.looped, links._boundary_rows = saved.looped, saved.boundary_rows
    count = len(saved.boundary_rows)
    links._boundaries = {each.row: each for each in chain.index.boundaries[:count]}
    links._kept_by, links._summaries = saved.kept_by, saved.summaries
    links._logical_parents, links._awaited = saved.logical_parents, saved.awaited
    links._kept, links._climbed = saved.kept, saved.climbed
