"""Any bytes cut into chunks and lines are those bytes, wherever the reading starts and stops."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccbrowse.core import lines
from ccbrowse.core.lines import Chunk, line_bounds, line_spans, read_chunks

texts = st.binary(max_size=200) | st.lists(
    st.sampled_from([b"a", b"bc", b"\r", b"\n", b"\xe2\x80\xa8", b"\x85", b"\x0c", b"\0"]),
    max_size=60,
).map(b"".join)


def read(data: bytes, size: int, start: int = 0, limit: int | None = None) -> Iterator[Chunk]:
    """The chunks of some bytes, read in blocks of a size; each is good until the next one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "CHUNK", size)
        file = BytesIO(data)
        yield from read_chunks(file, start, limit)  # type: ignore[arg-type]  # it reads as one


@given(texts, st.integers(1, 40))
def test_any_bytes_rejoin_to_themselves(data: bytes, size: int) -> None:
    joined, final = b"", False
    for chunk in read(data, size):
        assert not final
        part, final = bytes(chunk.data[: chunk.end]), chunk.final
        assert chunk.offset == len(joined)
        assert final or part.endswith(b"\n")
        joined += part
    assert final
    assert joined == data
    assert b"\n" not in part


@given(texts, st.integers(1, 40))
def test_lines_are_what_stands_between_line_feeds(data: bytes, size: int) -> None:
    found, again = [], []
    for chunk in read(data, size):
        found += [bytes(chunk.data[a:b]) for a, b in line_spans(chunk.data, chunk.end)]
        if chunk.end:
            bounds = zip(*line_bounds(chunk.data, chunk.end), strict=True)
            again += [bytes(chunk.data[a:b]) for a, b in bounds]
    whole = data.split(b"\n")
    assert found == again == (whole if whole[-1] else whole[:-1])


@given(texts, st.integers(1, 40), st.data())
def test_a_part_between_two_offsets_is_read_alone(
    data: bytes, size: int, more: st.DataObject
) -> None:
    start = more.draw(st.integers(0, len(data)))
    limit = more.draw(st.integers(start, len(data) + 5))
    parts = [(c.offset, bytes(c.data[: c.end])) for c in read(data, size, start, limit)]
    assert b"".join(part for _, part in parts) == data[start:limit]
    assert parts[0][0] == start


@given(st.binary(min_size=1, max_size=400), st.binary(max_size=100), st.data())
def test_a_position_tells_an_append_from_anything_else(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, added: bytes, more: st.DataObject
) -> None:
    path = Path(tmp_path_factory.getbasetemp()) / "position"
    path.write_bytes(data)
    with path.open("rb") as file:
        position = lines.position_at(file, len(data))
    with path.open("ab") as file:
        file.write(added)
    growth, _ = lines.compare(path, position)
    assert growth in ((lines.Growth.GROWN,) if added else (lines.Growth.SAME, lines.Growth.GROWN))
    near = [i for i in range(len(data)) if i < lines.GUARD or i >= len(data) - lines.GUARD]
    changed = more.draw(st.sampled_from(near))
    other = bytes([data[changed] ^ 1])
    with path.open("r+b") as file:
        file.seek(changed)
        file.write(other)
        file.seek(0, 2)
        file.write(b"!")
    assert lines.compare(path, position)[0] is lines.Growth.RESET
