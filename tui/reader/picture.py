"""Images to pictures of cells, in a worker: whatever an image's bytes are, it ends in words or a picture.

Pillow is loaded when the first image is to be drawn. What would cost too much is refused before anything
is decoded, and nothing is written.
"""

from __future__ import annotations

import binascii
import struct
import warnings
from io import BytesIO
from typing import TYPE_CHECKING

from ccbrowse.core.text import SafeText
from ccbrowse.tui.viewmodels.images import Drawn, size_of
from ccbrowse.tui.viewpictures import Picture

if TYPE_CHECKING:
    from PIL import Image as Pillow

MOST_BYTES = 20_000_000
"""Bytes of an image that is drawn."""

MOST_PIXELS = 16_000_000
"""Pixels of one: decoded they take four bytes each."""

_FORMS = ("PNG", "JPEG", "GIF", "WEBP")
_TROUBLE = (
    *(OSError, ValueError, SyntaxError, TypeError, LookupError, ArithmeticError, EOFError),
    *(struct.error, MemoryError, AttributeError, RuntimeError),
)
"""What Pillow raises on data that are not what they say."""

MISSING = SafeText("no picture: Pillow is not installed (pip install 'ccbrowse[images]')")
_BROKEN = SafeText("no picture: the data are broken")
_NO_IMAGE = SafeText("no picture: it is no PNG, JPEG, GIF or WebP")


def draw(data: str, cells: int, rows: int, ground: tuple[int, int, int]) -> Drawn:
    """The picture of an image, from its base64, within so many cells and rows; else why there is none.

    `ground` shines through where the image lets it.
    """
    try:
        from PIL import Image as Pillow
    except ImportError:
        return MISSING
    if len(data) > MOST_BYTES * 4 // 3:
        return SafeText(f"no picture: more than {MOST_BYTES // 1_000_000} MB")
    try:
        raw = binascii.a2b_base64(data)
    except ValueError:
        return _BROKEN
    size = size_of(raw)
    if size is None:
        return _NO_IMAGE
    if size[0] * size[1] > MOST_PIXELS:
        return _too_large(size)
    Pillow.MAX_IMAGE_PIXELS = MOST_PIXELS  # what is larger than its head says is refused there
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Pillow.open(BytesIO(raw), formats=_FORMS) as image:
                return (
                    _too_large(image.size)
                    if _is_large(image)
                    else _small(image, cells, rows, ground)
                )
    except (*_TROUBLE, Pillow.DecompressionBombError):
        return _BROKEN


def _is_large(image: Pillow.Image) -> bool:
    return image.width * image.height > MOST_PIXELS


def _too_large(size: tuple[int, int]) -> SafeText:
    return SafeText(f"no picture: {size[0]:,} × {size[1]:,} is too large to be drawn")


def _small(image: Pillow.Image, cells: int, rows: int, ground: tuple[int, int, int]) -> Picture:
    """The first frame, as large as there is room, no larger than it is."""
    from PIL import Image as Pillow

    share = min(1.0, cells / image.width, 2 * rows / image.height)
    width, height = max(1, round(image.width * share)), max(1, round(image.height * share))
    image.draft("RGB", (width, height))  # a JPEG is decoded no larger than it has to be
    small = image.convert("RGBA").resize((width, height), reducing_gap=2.0)
    canvas = Pillow.new("RGBA", (width, height + height % 2), (*ground, 255))
    canvas.alpha_composite(small)
    return Picture(width, canvas.convert("RGB").tobytes())
