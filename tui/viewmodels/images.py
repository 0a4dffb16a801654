"""Images by their type, size and dimensions: read from their first bytes, nothing is decoded here."""

from __future__ import annotations

import binascii
from collections.abc import Mapping
from typing import TypeAlias

from ccbrowse.core.records import Image
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.core.texts import image_note
from ccbrowse.tui.viewpictures import ImageBlock, Picture
from ccbrowse.tui.viewtypes import DetailView

_HEAD = 400_000
"""Characters of base64 that are looked at: a JPEG says its dimensions behind what a camera noted."""

Drawn: TypeAlias = Picture | SafeText
"""A picture, or why there is none."""


def image_block(image: Image) -> ImageBlock:
    """What an image is: its type, its bytes, its dimensions where its head tells them."""
    note, data = image_note(image), image.data or ""
    if not data:
        return ImageBlock(display_text(note), why=SafeText("its data are not in the file"))
    if not image.media_type.startswith("image"):
        return ImageBlock(display_text(note))
    if (size := size_of(_head(data))) is not None:
        note = f"{note.removesuffix(']')}, {size[0]:,} × {size[1]:,}]"
    return ImageBlock(display_text(note), data)


def _head(data: str) -> bytes:
    """The first bytes of base64; none where it is not base64."""
    try:
        return binascii.a2b_base64(data[:_HEAD])
    except ValueError:
        return b""


def size_of(head: bytes) -> tuple[int, int] | None:
    """Width and height in pixels, by the head of a PNG, GIF, JPEG or WebP; None of anything else."""
    if head[:8] == b"\x89PNG\r\n\x1a\n" and head[12:16] == b"IHDR" and len(head) >= 24:
        return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
    if head[:6] in (b"GIF87a", b"GIF89a") and len(head) >= 10:
        return int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")
    if head[:2] == b"\xff\xd8":
        return _jpeg(head)
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP" and len(head) >= 30:
        return _webp(head)
    return None


def _jpeg(head: bytes) -> tuple[int, int] | None:
    """The first frame's dimensions: segments are passed by their lengths."""
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        marker = head[at + 1]
        if marker == 0xFF:
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = head[at + 5 : at + 7], head[at + 7 : at + 9]
            return int.from_bytes(width, "big"), int.from_bytes(height, "big")
        else:
            at += 2 + max(2, int.from_bytes(head[at + 2 : at + 4], "big"))
    return None


def _webp(head: bytes) -> tuple[int, int] | None:
    kind = head[12:16]
    if kind == b"VP8X":
        return _little(head[24:27]) + 1, _little(head[27:30]) + 1
    if kind == b"VP8L":
        bits = _little(head[21:25])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        return _little(head[26:28]) & 0x3FFF, _little(head[28:30]) & 0x3FFF
    return None


def _little(number: bytes) -> int:
    return int.from_bytes(number, "little")


def images_of(view: DetailView | None) -> list[ImageBlock]:
    """The images of a detail that have data."""
    blocks = view.blocks if view is not None else ()
    return [block for block in blocks if isinstance(block, ImageBlock) and block.data]


def with_pictures(view: DetailView, drawn: Mapping[str, Drawn]) -> DetailView:
    """A detail with the pictures of its images, by their data."""
    blocks = tuple(
        _with_picture(block, drawn.get(block.data)) if isinstance(block, ImageBlock) else block
        for block in view.blocks
    )
    return DetailView(view.key, view.title, view.subtitle, blocks)


def _with_picture(block: ImageBlock, drawn: Drawn | None) -> ImageBlock:
    if drawn is None or not block.data:
        return block
    if isinstance(drawn, Picture):
        return ImageBlock(block.about, block.data, drawn)
    return ImageBlock(block.about, block.data, why=drawn)
