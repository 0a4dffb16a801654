"""What is drawn of an image: cells of two pixels each, or words."""

from __future__ import annotations

from msgspec import Struct

from ccbrowse.core.text import SafeText


class Picture(Struct, frozen=True):
    """An image as cells: two pixels each, one above the other."""

    cells: int
    """Cells of a row."""
    pixels: bytes
    """Red, green and blue of each pixel, row by row; an even number of rows."""

    @property
    def rows(self) -> int:
        """How many rows of cells."""
        return len(self.pixels) // (6 * self.cells)


class ImageBlock(Struct, frozen=True):
    """An image: what it is, and the picture once it is drawn, or why it is not."""

    about: SafeText
    """``[image/png, 12,345 bytes, 640 × 480]``"""
    data: str = ""
    """Its base64 as the file has it; never drawn as text. Empty: there is none."""
    picture: Picture | None = None
    why: SafeText = SafeText("")
    """Said beneath where no picture can be drawn."""
