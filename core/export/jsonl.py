"""JSONL: the source lines of a part, byte for byte, in file order, each once."""

import os
from collections.abc import Callable, Iterator

from ccbrowse.core.export.parts import Part
from ccbrowse.core.export.source import source_rows
from ccbrowse.core.lines import CHUNK, line_spans, read_chunks

Rewrite = Callable[[bytes], bytes]
"""Changes a line, to mask what is in it; given and giving it without its LF."""


def export_jsonl(part: Part, rewrite: Rewrite | None = None) -> Iterator[bytes]:
    """The lines of a part, each with its LF; of the whole session the file as it is.

    A record that was written again stands at its first place. Raises Gone or OSError.
    """
    if part.is_whole:
        yield from _whole_file(part) if rewrite is None else _whole_rewritten(part, rewrite)
        return
    for row in source_rows(part):
        line = part.session.raw(row)
        yield line if rewrite is None else rewrite(line)
        yield b"\n"


def _whole_file(part: Part) -> Iterator[bytes]:
    """The file up to where it ended when the copy began: it may be growing."""
    with part.session.file.path.open("rb") as file:
        left = os.fstat(file.fileno()).st_size
        while left > 0 and (block := file.read(min(CHUNK, left))):
            left -= len(block)
            yield block


def _whole_rewritten(part: Part, rewrite: Rewrite) -> Iterator[bytes]:
    with part.session.file.path.open("rb") as file:
        for chunk in read_chunks(file, limit=os.fstat(file.fileno()).st_size):
            for start, stop in line_spans(chunk.data, chunk.end):
                yield rewrite(bytes(chunk.data[start:stop]))
                if stop < chunk.end:
                    yield b"\n"
