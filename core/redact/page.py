"""A text made ready for scanning."""

from __future__ import annotations

from collections.abc import Iterator


class Page:
    """A text, and the same in small letters, sign for sign, in which words are found quickly."""

    __slots__ = ("low", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        low = text.lower()
        if len(low) != len(text):  # a few capitals are two signs when small
            low = "".join(c if len(c.lower()) > 1 else c.lower() for c in text)
        self.low = low

    def has(self, *marks: str) -> bool:
        """Whether one of the marks, in small letters, is in the text."""
        return any(mark in self.low for mark in marks)

    def places(self, *marks: str) -> Iterator[int]:
        """Where each of the marks begins; mark by mark, each from left to right."""
        low = self.low
        for mark in marks:
            at = low.find(mark)
            while at >= 0:
                yield at
                at = low.find(mark, at + len(mark))

    def ends(self, *marks: str) -> Iterator[int]:
        """Where each of the marks ends; in the order of `places`."""
        for mark in marks:
            for at in self.places(mark):
                yield at + len(mark)
