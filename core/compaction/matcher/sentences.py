"""A text to its sentences, each with what it stands under: headings, the items of lists above it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)\s*#*$")
_BOLD_HEADING = re.compile(r"^\s*(?:\*\*|__)([^*_]{1,80}?):?(?:\*\*|__):?\s*$")
_ITEM = re.compile(r"^(\s*)(?:[-*+•◦‣·–—]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)])\s+(.*)$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_RULE = re.compile(r"^\s*(?:[-=*_]\s*){3,}$|^\s*\|?[\s:|-]+\|?\s*$")
_TABLE = re.compile(r"^\s*\|.*\|\s*$")
_LABEL = re.compile(r"^[^.!?]{1,60}:$")
_BOX = re.compile(r"^\[[ xX]\]\s+")

LONGEST = 1_000
"""Characters of a sentence; what is longer is taken in pieces."""

_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|nr|fig|dr|mr|mrs|ms|prof|resp|incl|excl|max|min|z\.B|d\.h|ca|sec|ch"
    r"|p|pp|vol|ver|v|st|inc|ltd|co|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)|(?-i:\b[A-Z]))$",
    re.IGNORECASE,
)
_END = re.compile(r"([.!?…])([\"'”’)\]`]*)(?:\s+|$)|[。！？]")
_GOES_ON = re.compile("[a-z]")
_CLOSED_SPAN = re.compile(r"`[^`\n]*`")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a text. `above` are the numbers of headings and items that it stands under, the
    nearest first; `block` the paragraph, item, row or line of code that it is part of. `whole` is the
    sentence as it was written where this is only what stands between two semicolons."""

    text: str
    above: tuple[int, ...]
    block: int
    code: bool = False
    heading: bool = False
    whole: str = ""


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text in order; its Markdown is read as people do, however loosely written."""
    return _Reader().read(text)


class _Reader:
    """Lines to blocks to sentences."""

    def __init__(self) -> None:
        self.found: list[Sentence] = []
        self.headings: list[tuple[int, int]] = []
        self.items: list[tuple[int, int]] = []
        self.label: int | None = None
        self.block = 0

    def read(self, text: str) -> list[Sentence]:
        paragraph: list[str] = []
        code = False
        for line in text.split("\n"):
            line = line.rstrip("\r").expandtabs(4)
            if _FENCE.match(line):
                self._paragraph(paragraph)
                code = not code
            elif code:
                self._code(line)
            elif not self._special(line, paragraph):
                if line.strip():
                    paragraph.append(line)
                else:
                    self._paragraph(paragraph)
                    self.label = None
        self._paragraph(paragraph)
        return self.found

    def _special(self, line: str, paragraph: list[str]) -> bool:
        """A line that begins a block of its own."""
        heading = _HEADING.match(line) or _BOLD_HEADING.match(line)
        if heading:
            self._paragraph(paragraph)
            depth = len(line) - len(line.lstrip(" #")) if line.lstrip().startswith("#") else 9
            self._heading(heading[1], depth)
            return True
        item = _ITEM.match(line)
        if item:
            self._paragraph(paragraph)
            self._item(len(item[1]), item[2])
            return True
        if _RULE.match(line):
            self._paragraph(paragraph)
            return bool(line.strip())
        if _TABLE.match(line):
            self._paragraph(paragraph)
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            self._add(" | ".join(cell for cell in cells if cell), self._above())
            return True
        return False

    def _heading(self, text: str, depth: int) -> None:
        while self.headings and self.headings[-1][0] >= depth:
            self.headings.pop()
        self.items.clear()
        self.label = None
        above = self._above()
        self.headings.append((depth, len(self.found)))
        self.found.append(Sentence(_bare(text)[:LONGEST], above, self._next(), heading=True))

    def _item(self, indent: int, text: str) -> None:
        while self.items and self.items[-1][0] >= indent:
            self.items.pop()
        above = self._above()
        number = len(self.found)
        self._add(_BOX.sub("", text), above)
        if len(self.found) > number:
            self.items.append((indent, number))

    def _code(self, line: str) -> None:
        if not line.strip():
            return
        indent = 100 + len(line) - len(line.lstrip())
        while self.items and self.items[-1][0] >= indent:
            self.items.pop()
        above = self._above()
        self.items.append((indent, len(self.found)))
        self.found.append(Sentence(line.strip()[:LONGEST], above, self._next(), code=True))

    def _paragraph(self, lines: list[str]) -> None:
        if not lines:
            return
        indent = len(lines[0]) - len(lines[0].lstrip())
        while self.items and self.items[-1][0] >= max(indent, 1):
            self.items.pop()
        text = " ".join(line.strip() for line in lines)
        lines.clear()
        number = len(self.found)
        self._add(text, self._above())
        if _LABEL.match(text.strip("*_ ")) and len(self.found) > number:
            self.items.clear()
            self.label = number

    def _above(self) -> tuple[int, ...]:
        above = [number for _, number in reversed(self.items)]
        if self.label is not None:
            above.append(self.label)
        return tuple(above + [number for _, number in reversed(self.headings)])

    def _next(self) -> int:
        self.block += 1
        return self.block

    def _add(self, text: str, above: tuple[int, ...]) -> None:
        block = self._next()
        for whole in split(_bare(text)):
            parts = [part for part in re.split(r";\s+", whole) if part.strip()]
            if len(parts) < 2 or ("`" in whole and any(part.count("`") % 2 for part in parts)):
                self.found.append(Sentence(whole, above, block))
            else:
                self.found += [Sentence(part, above, block, whole=whole) for part in parts]


def _bare(text: str) -> str:
    """The text without Markdown's signs of emphasis."""
    return re.sub(r"(?<![\w*])\*{1,3}(?=\S)|(?<=[^\s*])\*{1,3}(?![\w*])", "", text).strip()


def split(text: str) -> Iterator[str]:
    """The sentences of one paragraph. Points in paths, versions, abbreviations and code end none."""
    spans = [m.span() for m in _CLOSED_SPAN.finditer(text)] if "`" in text else []
    start = 0
    for match in _END.finditer(text):
        if match.start() < start or any(a <= match.start() < b - 1 for a, b in spans):
            continue
        if match[1] in ("!", "?") and _GOES_ON.match(text, match.end()):
            continue
        if match[1] == "." and not match[2] and _ABBREVIATED.search(text, start, match.start()):
            continue
        yield from _pieces(text[start : match.end()].strip())
        start = match.end()
    yield from _pieces(text[start:].strip())


def _pieces(text: str) -> Iterator[str]:
    """A sentence, or the parts of one that is too long to be one: dumps, encoded data."""
    for start in range(0, len(text), LONGEST):
        if part := text[start : start + LONGEST].strip():
            yield part
