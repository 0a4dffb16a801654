"""Text of any script in its place: wide, combining and right-to-left signs do not move their neighbours."""

from __future__ import annotations

from pathlib import Path

from driving import now_ms, session_open, sessions_open, until
from logs import Log

from ccbrowse.core.text import cell_width
from ccbrowse.tui.config import Settings

TITLES = (
    "Plain letters and nothing else in this title",
    "日本語のタイトル、とても長いのでどこかで切られるはずです",
    "e\u0301a\u0308o\u0302 combining marks n\u0303 above",
    "👩\u200d👩\u200d👧 a family, a flag 🇩🇪, a thumb 👍🏽 up",
    "مرحبا بالعالم 2026 عنوان",
    "שלום עולם (3)",
    "नमस्ते दुनिया",
)
MARK = "\u200e"


async def test_columns_stand_beneath_one_another_whatever_the_script(tmp_path: Path) -> None:
    root = tmp_path / "projects"
    for number, title in enumerate(TITLES):
        log = Log(f"{number:04}0000-0000-4000-8000-000000000001")
        log.time = now_ms() - 5_000_000
        log.user("u1", title, None, cwd="/home/robin/o")
        log.reply("a1", usage=(4200, 0, 0, 1))
        path = log.write(root / "-home-robin-o")
    for plain in (False, True):
        settings = Settings(ascii=plain)
        async with sessions_open(root, size=(100, 20), settings=settings) as (_, screen):
            table = screen.table
            lines = [table.render_line(y) for y in range(len(TITLES))]
            assert {line.cell_length for line in lines} == {table.line_width}
            texts = [line.text for line in lines]
            ends = {cell_width(text[: text.index("4.2k=")]) for text in texts}
            assert len(ends) == 1
            for word in ("שלום", "مرحبا"):
                [row] = [text for text in texts if word in text]
                assert f"{MARK}{word}" in row
                assert MARK in row[row.index(word) : row.index("1h")]
    async with session_open(path, size=(100, 20)) as (_, session):
        await until(lambda: session.timeline.count > 1)
        line = next(
            session.timeline.render_line(y)
            for y in range(10)
            if "नमस्ते" in session.timeline.render_line(y).text
        )
        assert line.cell_length == session.timeline.line_width
