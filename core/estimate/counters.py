"""What a counter is: a name, and the tokens of a text, whatever the text.

Long texts are cut into pieces, and a piece that a tokenizer fails on is guessed from its bytes, and
said so: no text stops a count.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Final, Protocol

PIECE: Final = 50_000
"""Characters given to a tokenizer at once: runs of one character cost more than their share in long
texts, and can end in a panic; a cut costs a token or two."""

_GUESSED_BYTES_PER_TOKEN = 4

# What a tokenizer may raise over a text it cannot digest. Anything else is not its verdict on the text.
_FAULTS = (ArithmeticError, LookupError, RuntimeError, ValueError)


@dataclass(frozen=True, slots=True)
class Tally:
    """What a counter says of one text: its tokens, and how many of its characters were only guessed."""

    tokens: int
    guessed: int = 0


class TokenCounter(Protocol):
    """Anything that counts the tokens of a text; safe to call from several threads."""

    @property
    def name(self) -> str:
        """The encoding that the counts are in, such as ``cl100k_base``."""

    def count(self, text: str) -> int:
        """Tokens of `text`, special tokens read as plain text; never raises for a text."""

    def tally(self, text: str) -> Tally:
        """The count, and how much of the text had to be guessed."""


class PieceCounter:
    """A `TokenCounter` made of a function that counts one piece of at most `PIECE` characters."""

    def __init__(self, name: str, count_piece: Callable[[str], int]) -> None:
        self.name = name
        self._count_piece = count_piece

    def count(self, text: str) -> int:
        """Tokens of `text`; pieces that the tokenizer fails on count one token for every four bytes."""
        return self.tally(text).tokens

    def tally(self, text: str) -> Tally:
        """The same, with the number of characters that were guessed."""
        tokens = guessed = 0
        before, counted = "", None
        for start in range(0, len(text), PIECE):
            piece = text[start : start + PIECE]
            if piece != before:  # runs of one character are the dearest texts, and all alike
                before, counted = piece, self._try(piece)
            if counted is None:
                guessed += len(piece)
            tokens += _guess(piece) if counted is None else counted
        return Tally(tokens, guessed)

    def _try(self, piece: str) -> int | None:
        try:
            return self._count_piece(piece)
        except _FAULTS:
            return None
        except BaseException as problem:  # a panic of Rust code is no Exception; all others go on
            if not _is_panic(problem):
                raise
            return None


def _guess(piece: str) -> int:
    return ceil(len(piece.encode("utf-8", "surrogatepass")) / _GUESSED_BYTES_PER_TOKEN)


def _is_panic(problem: BaseException) -> bool:
    # pyo3 makes this type at run time and exports it nowhere.
    return type(problem).__module__ == "pyo3_runtime"
