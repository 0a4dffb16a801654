"""A prompt's versions: what was changed, word by word, each time it was withdrawn and sent again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.viewmodels import blocks, figures
from ccbrowse.tui.viewmodels.forkrows import raw_words
from ccbrowse.tui.viewmodels.lore import Bodies, Lore
from ccbrowse.tui.viewtypes import DetailBlock, Line, Paragraph, Piece, ProseBlock, Tone

MOST_WORDS = 2_000
"""Words of two texts that are compared; longer ones are shown whole, one below the other."""

_MOST_VERSIONS = 20
_LONGEST = 100_000
_WORD = re.compile(r"\s+|\w+|[^\w\s]")


def version_blocks(bodies: Bodies, lore: Lore, row: int) -> Iterator[DetailBlock]:
    """The versions that a prompt took the place of, oldest first, each against the one after it."""
    index = bodies.index
    withdrawn = lore.forks.withdrawn(index, row)[-_MOST_VERSIONS:]
    if not withdrawn:
        return
    rows = [*withdrawn, row]
    texts = [raw_words(index, each, bodies.record(each))[:_LONGEST] for each in rows]
    yield blocks.heading(f"edited {len(withdrawn)}×, the first version on top", Tone.PERSON)
    for number, (each, text, after) in enumerate(zip(withdrawn, texts, texts[1:], strict=False), 1):
        when = figures.clock_to_the_second(index.time[each])
        yield blocks.heading(f"version {number}, withdrawn{f', sent {when}' if when else ''}")
        if text == after:
            yield blocks.text("sent again in the same words", Tone.MUTED)
        else:
            yield ProseBlock(tuple(Paragraph(line) for line in changed_words(text, after)))


def changed_words(before: str, after: str) -> list[Line]:
    """Two texts as one: ``[-gone-]`` and ``{+come+}`` among what stayed, cut into lines."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if len(old) + len(new) > MOST_WORDS:
        return _lines([("delete", before), ("insert", after)])
    parts: list[tuple[str, str]] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if kind == "equal":
            parts.append((kind, "".join(old[old_from:old_to])))
            continue
        if old_from < old_to:
            parts.append(("delete", "".join(old[old_from:old_to])))
        if new_from < new_to:
            parts.append(("insert", "".join(new[new_from:new_to])))
    return _lines(parts)


_SIGNS = {
    "equal": (SafeText(""), SafeText(""), Tone.PLAIN),
    "delete": (SafeText("[-"), SafeText("-]"), Tone.BAD),
    "insert": (SafeText("{+"), SafeText("+}"), Tone.GOOD),
}


def _lines(parts: Sequence[tuple[str, str]]) -> list[Line]:
    """Parts to lines of pieces; a part over several lines has its signs on each."""
    lines: list[list[Piece]] = [[]]
    for kind, raw in parts:
        begin, end, tone = _SIGNS[kind]
        for number, text in enumerate(display_text(raw, newlines=True).split("\n")):
            if number:
                lines.append([])
            if text:
                lines[-1].append(Piece(SafeText(f"{begin}{display_text(text)}{end}"), tone))
    return [tuple(line) for line in lines]
