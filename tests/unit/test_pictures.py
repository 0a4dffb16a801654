"""Images: told by their heads, drawn within limits, and whatever is no image ends in a word why."""

from __future__ import annotations

import base64
import random
import struct
import subprocess
import sys
import zlib
from io import BytesIO

import pytest
from builders import png
from PIL import Image as Pillow

from ccbrowse.core.records import Image
from ccbrowse.tui.reader import picture
from ccbrowse.tui.reader.picture import MOST_BYTES, draw
from ccbrowse.tui.viewmodels.images import image_block, size_of
from ccbrowse.tui.viewpictures import Picture

GROUND = (10, 20, 30)


def written(form: str, size: tuple[int, int] = (60, 40), mode: str = "RGB") -> bytes:
    """An image: red above, blue below; in mode RGBA nothing below."""
    image = Pillow.new(mode, size, (255, 0, 0, 255) if mode == "RGBA" else (255, 0, 0))
    image.paste((0, 0, 255, 0) if mode == "RGBA" else (0, 0, 255), (0, size[1] // 2, *size))
    file = BytesIO()
    image.save(file, form)
    return file.getvalue()


def coded(raw: bytes) -> str:
    """As a record has it."""
    return base64.b64encode(raw).decode()


def claims(width: int, height: int) -> bytes:
    """A PNG whose head promises more than it holds."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 100_000))
    return b"\x89PNG\r\n\x1a\n" + body + chunk(b"IEND", b"")


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP"])
def test_an_image_tells_its_dimensions_and_is_drawn(form: str) -> None:
    raw = written(form)
    assert size_of(raw[:200_000]) == (60, 40)
    block = image_block(Image(f"image/{form.lower()}", len(raw), coded(raw)))
    assert block.about == f"[image/{form.lower()}, {len(raw):,} bytes, 60 × 40]"
    drawn = draw(block.data, 30, 50, GROUND)
    assert isinstance(drawn, Picture)
    assert (drawn.cells, drawn.rows) == (30, 10)
    first, last = drawn.pixels[:3], drawn.pixels[-3:]
    assert first[0] > 200 > 60 > first[2] and last[2] > 200 > 60 > last[0]


def test_a_lossless_webp_and_one_with_more_to_it_tell_their_dimensions() -> None:
    file = BytesIO()
    Pillow.new("RGBA", (70, 30), (1, 2, 3, 4)).save(file, "WEBP", lossless=True)
    assert size_of(file.getvalue()) == (70, 30)
    frames = [Pillow.new("RGB", (70, 30), (shade, 0, 0)) for shade in (1, 200)]
    moving = BytesIO()
    frames[0].save(moving, "WEBP", save_all=True, append_images=frames[1:])
    assert size_of(moving.getvalue()) == (70, 30)
    assert isinstance(draw(coded(moving.getvalue()), 10, 10, GROUND), Picture)


def test_a_picture_stays_within_its_room_and_is_never_larger_than_the_image() -> None:
    high = draw(coded(written("PNG", (40, 400))), 30, 5, GROUND)
    assert isinstance(high, Picture) and (high.cells, high.rows) == (1, 5)
    small = draw(coded(png(3, 3, (9, 9, 9))), 80, 80, GROUND)
    assert isinstance(small, Picture) and (small.cells, small.rows) == (3, 2)
    assert small.pixels[-3:] == bytes(GROUND), "the half cell beneath is the pane's"
    clear = draw(coded(written("PNG", mode="RGBA")), 60, 20, GROUND)
    assert isinstance(clear, Picture) and clear.pixels[-3:] == bytes(GROUND)


def test_what_cannot_be_drawn_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = written("PNG", (300, 300))
    for raw, why in (
        (claims(60_000, 60_000), "60,000 × 60,000 is too large to be drawn"),
        (claims(3_000, 3_000), "the data are broken"),
        (whole[: len(whole) // 2], "the data are broken"),
        (written("GIF")[:20], "the data are broken"),
        (b"hello", "it is no PNG, JPEG, GIF or WebP"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "it is no PNG, JPEG, GIF or WebP"),
    ):
        assert draw(coded(raw), 30, 30, GROUND) == f"no picture: {why}", raw[:20]
    assert draw("AAAAA", 30, 30, GROUND) == "no picture: the data are broken", "no base64"
    assert draw("A" * (MOST_BYTES * 4 // 3 + 1), 30, 30, GROUND) == "no picture: more than 20 MB"
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert draw(coded(whole), 30, 30, GROUND) == picture.MISSING
    assert image_block(Image("image", 0, None)).why == "its data are not in the file"
    assert not image_block(Image("application/pdf", 9, "JVBERi0x")).data


def test_broken_bytes_end_in_a_picture_or_in_words() -> None:
    chance = random.Random(5)
    for form in ("PNG", "JPEG", "GIF", "WEBP"):
        raw = written(form)
        for _ in range(60):
            bad = bytearray(raw)
            for _ in range(chance.randint(1, 8)):
                bad[chance.randrange(len(bad))] = chance.randrange(256)
            del bad[chance.randint(len(bad) // 2, len(bad)) :]
            drawn = draw(coded(bytes(bad)), 20, 20, GROUND)
            assert isinstance(drawn, Picture) or drawn.startswith("no picture: ")
            size_of(bytes(bad))


def test_pillow_is_loaded_when_the_first_image_is_drawn_and_no_sooner() -> None:
    program = (
        "import sys, ccbrowse.tui.app, ccbrowse.tui.screens.session, ccbrowse.tui.reader.picture\n"
        "sys.exit('PIL' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
