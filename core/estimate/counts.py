"""What a text shows to the eye of an estimate: a few sums that are cheap to take and add up over texts."""

from collections.abc import Iterable
from dataclasses import dataclass

from ccbrowse.core.estimate.counters import PIECE, TokenCounter
from ccbrowse.core.estimate.engines import CL100K

_DIGITS = b"0123456789"
_HIGH = bytes(range(128, 256))


@dataclass(frozen=True, slots=True)
class TextCounts:
    """Sums over one text or many, as the counter `encoding` and a look at the characters give them.

    `a + b` stands for both texts; sums in different encodings cannot be added (`ValueError`).
    """

    tokens: int = 0
    """Tokens by the counter, unscaled."""
    chars: int = 0
    """Unicode code points, lone surrogates among them."""
    bytes: int = 0
    """Length in UTF-8."""
    lines: int = 0
    """Line feeds."""
    digits: int = 0
    """ASCII digits."""
    spaces: int = 0
    """U+0020 alone: no tabs, no other blanks."""
    non_ascii: int = 0
    """Code points above 127."""
    encoding: str = CL100K
    """`TokenCounter.name` of the counter."""
    guessed: int = 0
    """Characters that the tokenizer failed on, so that their tokens are a guess from bytes."""

    def __add__(self, other: "TextCounts") -> "TextCounts":
        if not other.chars:
            return self
        if not self.chars:
            return other
        if self.encoding != other.encoding:
            raise ValueError(f"counts in {self.encoding} and {other.encoding} do not add up")
        return TextCounts(
            tokens=self.tokens + other.tokens,
            chars=self.chars + other.chars,
            bytes=self.bytes + other.bytes,
            lines=self.lines + other.lines,
            digits=self.digits + other.digits,
            spaces=self.spaces + other.spaces,
            non_ascii=self.non_ascii + other.non_ascii,
            encoding=self.encoding,
            guessed=self.guessed + other.guessed,
        )


def count_text(text: str, counter: TokenCounter) -> TextCounts:
    """The sums of one text; as slow as its tokenizer, so call it from a worker for long texts."""
    tally = counter.tally(text)
    size = lines = digits = spaces = high = 0
    for start in range(0, len(text), PIECE):  # in pieces: a second copy of a huge text costs memory
        raw = text[start : start + PIECE].encode("utf-8", "surrogatepass")
        size += len(raw)
        lines += raw.count(b"\n")
        spaces += raw.count(b" ")
        digits += len(raw) - len(raw.translate(None, _DIGITS))
        high += len(raw) - len(raw.translate(None, _HIGH))
    return TextCounts(
        tokens=tally.tokens,
        chars=len(text),
        bytes=size,
        lines=lines,
        digits=digits,
        spaces=spaces,
        non_ascii=len(text) - (size - high),
        encoding=counter.name,
        guessed=tally.guessed,
    )


def count_texts(texts: Iterable[str], counter: TokenCounter) -> TextCounts:
    """The sums of many texts, each counted for itself as a request holds them."""
    total = TextCounts(encoding=counter.name)
    for text in texts:
        total += count_text(text, counter)
    return total
