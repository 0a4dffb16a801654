"""JSONL: the source lines of a part, byte for byte, in file order, each once."""

import os
from collections.abc import Callable, Iterator

from ccbrowse.core.export.jsontext import masked_line
from ccbrowse.core.export.options import Options
from ccbrowse.core.export.parts import Part
from ccbrowse.core.export.reroot import export_rerooted
from ccbrowse.core.export.source import source_rows
from ccbrowse.core.lines import CHUNK, line_spans, read_chunks

Rewrite = Callable[[bytes], bytes]
"""Changes a line, to mask what is in it; given and giving it without its LF."""


def export_jsonl(part: Part, options: Options) -> Iterator[bytes]:
    """The lines of a part, each with its LF; of the whole session the file as it is.

    A record that was written again stands at its first place. With `options.reroot` the part is made
    to load on its own, with a note on top. Raises Gone or OSError.
    """
    rewrite = options.clean and masked_line(options.clean)
    if part.is_whole and not options.reroot:
        yield from (
            _whole_file(part) if rewrite is None else _whole_rewritten(part, rewrite, options)
        )
        return
    lines = export_rerooted(part, options) if options.reroot else _source_lines(part, options)
    for line in lines:
        yield line if rewrite is None else rewrite(line)
        yield b"\n"


def _source_lines(part: Part, options: Options) -> Iterator[bytes]:
    for row in source_rows(part):
        options.at(part.session.index.line[row])
        yield part.session.raw(row)


def _whole_file(part: Part) -> Iterator[bytes]:
    """The file up to where it ended when the copy began: it may be growing."""
    with part.session.file.path.open("rb") as file:
        left = os.fstat(file.fileno()).st_size
        while left > 0 and (block := file.read(min(CHUNK, left))):
            left -= len(block)
            yield block


def _whole_rewritten(part: Part, rewrite: Rewrite, options: Options) -> Iterator[bytes]:
    number = 0
    with part.session.file.path.open("rb") as file:
        for chunk in read_chunks(file, limit=os.fstat(file.fileno()).st_size):
            for start, stop in line_spans(chunk.data, chunk.end):
                number += 1
                options.at(number)
                yield rewrite(bytes(chunk.data[start:stop]))
                if stop < chunk.end:
                    yield b"\n"
