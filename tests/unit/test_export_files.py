"""Names, files, options and dates of exports."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from exporting import SHORT, Sheet, uuid

from ccbrowse.core.errors import CcbrowseError, WouldOverwrite
from ccbrowse.core.export import (
    Options,
    Part,
    branch,
    default_name,
    local_zone,
    message_range,
    segment,
    whole,
    write_file,
)
from ccbrowse.core.export.moments import clock, iso_date, zone_name
from ccbrowse.core.export.names import MAX_BYTES, slug_of
from ccbrowse.core.export.options import safe_text
from ccbrowse.core.export.wording import counted, duration, reduction
from ccbrowse.core.index import NO_TIME
from ccbrowse.core.numbers import UNKNOWN, Number, Source, signed
from ccbrowse.core.session import Session

NOON = 1_772_366_400_000  # 2026-03-01T12:00:00Z


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Fix login flow", "fix-login-flow"),
        ("../../outside/..\\evil: con|na?me*\0", "outside-evil-con-na-me"),
        ("-rf --force", "rf-force"),
        (".hidden", "hidden"),
        ("Äpfel & Birnen", "äpfel-birnen"),
        ("日本語の題", "日本語の題"),
        ("ﬁle①", "file1"),
        ("CON", "session-con"),
        ("lpt1", "session-lpt1"),
        ("console", "console"),
        ("\x1b[31m\u202egnp.exe", "31m-gnp-exe"),
        ("///", ""),
        ("", ""),
        ("👍🏽", ""),
    ],
)
def test_a_slug_has_letters_digits_and_dashes(title: str, slug: str) -> None:
    assert slug_of(title, 60) == slug


def test_a_slug_is_cut_between_characters() -> None:
    assert slug_of("ü" * 50, 9) == "üüüü"
    assert slug_of("ab cd", 3) == "ab"


def named(folder: Path, title: str = "Fix login flow") -> Session:
    sheet = Sheet()
    sheet.prompt("one")
    said = sheet.reply("two")
    sheet.prompt("left")
    sheet.tip = said
    sheet.boundary()
    sheet.side("custom-title", customTitle=title)
    return sheet.open(folder)


def test_the_default_name_tells_the_part_and_the_format(tmp_path: Path) -> None:
    session = named(tmp_path)
    for part, form, name in (
        (segment(session), "markdown", "fix-login-flow.seg2.md"),
        (segment(session, 1), "html", "fix-login-flow.seg1.html"),
        (whole(session), "jsonl", "fix-login-flow.all.jsonl"),
        (branch(session, uuid(3)), "text", "fix-login-flow.branch-00000003.txt"),
        (
            message_range(session, uuid(1), uuid(2)),
            "json",
            "fix-login-flow.from-00000001-to-00000002.json",
        ),
    ):
        assert default_name(part, form, SHORT) == name


@pytest.mark.parametrize("title", ["x" * 500, "é" * 500, "///", "con", "a/../b", "𝔞" * 300])
def test_a_default_name_is_short_and_inside(tmp_path: Path, title: str) -> None:
    name = default_name(segment(named(tmp_path, title)), "markdown", SHORT)
    assert len(os.fsencode(name)) <= MAX_BYTES
    assert (tmp_path / name).resolve().parent == tmp_path.resolve()
    assert name.endswith(".seg2.md") and not name.startswith((".", "-"))


def test_without_a_title_the_session_names_the_file(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("???")
    assert default_name(segment(sheet.open(tmp_path)), "text", SHORT) == "session-5e551011.seg1.txt"


def test_a_masked_title_is_masked_in_the_name(tmp_path: Path) -> None:
    options = Options(clean=lambda text: text.replace("login", "[redacted:password#1]"))
    name = default_name(segment(named(tmp_path)), "markdown", options)
    assert name == "fix-redacted-password-1-flow.seg2.md"


# --- files --------------------------------------------------------------------------------------


def test_a_file_is_written_for_its_owner_alone(tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    written = write_file(["é", b"\xff", "\ud800"], target)
    assert target.read_bytes() == "é".encode() + b"\xff?"
    assert (written.path, written.size) == (target, 4)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_that_exists_stays_unless_forced(tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    target.write_text("mine")
    with pytest.raises(WouldOverwrite, match="--force"):
        write_file(["other"], target)
    assert target.read_text() == "mine"
    write_file(["other"], target, force=True)
    assert target.read_text() == "other"
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_that_came_meanwhile_stays(tmp_path: Path) -> None:
    target = tmp_path / "a.md"

    def chunks() -> Iterator[str]:
        yield "one"
        target.write_text("someone else's")

    with pytest.raises(WouldOverwrite):
        write_file(chunks(), target)
    assert target.read_text() == "someone else's"
    assert list(tmp_path.iterdir()) == [target]


def test_without_hard_links_the_name_is_taken_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    target = tmp_path / "a.md"
    write_file(["one"], target)
    assert target.read_text() == "one"

    def chunks() -> Iterator[str]:
        yield "two"
        (tmp_path / "b.md").write_text("someone else's")

    with pytest.raises(WouldOverwrite):
        write_file(chunks(), tmp_path / "b.md")
    assert (tmp_path / "b.md").read_text() == "someone else's"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.md", "b.md"]


def test_an_export_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def chunks() -> Iterator[str]:
        yield "half"
        raise OSError("the disk went away")

    target = tmp_path / "a.md"
    target.write_text("old")
    with pytest.raises(OSError, match="went away"):
        write_file(chunks(), target, force=True)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_folders_pipes_and_missing_folders_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for target in (tmp_path, tmp_path / "pipe", Path(os.devnull)):
        with pytest.raises(CcbrowseError, match="not a file"):
            write_file(["x"], target, force=True)
    with pytest.raises(CcbrowseError, match="no such folder"):
        write_file(["x"], tmp_path / "no" / "a.md")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(WouldOverwrite):
        write_file(["x"], tmp_path / "link")
    assert not (tmp_path / "nowhere").exists()


WRITE_SLOWLY = """
import sys, time
from pathlib import Path
from ccbrowse.core.export import write_file
def chunks():
    for number in range(200):
        yield f"{number}" * 20_000
        print(number, flush=True)
        time.sleep(0.005)
write_file(chunks(), Path(sys.argv[1]), force=True)
"""


@pytest.mark.parametrize("after", [0, 20])
def test_a_killed_export_leaves_the_old_file(tmp_path: Path, after: int) -> None:
    target = tmp_path / "a.md"
    target.write_text("old")
    with subprocess.Popen(
        [sys.executable, "-c", WRITE_SLOWLY, str(target)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        for line in child.stdout:
            if int(line) >= after:
                child.kill()
                break
    assert target.read_text() == "old"


# --- options, dates, words ----------------------------------------------------------------------


def test_a_line_is_short_masked_and_never_ends_in_half_a_word_of_what_it_looked_at() -> None:
    options = Options(clean=lambda text: text.replace("s" * 40, "[masked]"))
    assert options.line("a\n\tb\x1b[0m  c") == "a b c"
    assert options.line("abcdef", 4) == "abc…"
    assert options.line(" " * 4_080 + "s" * 40) == "…"
    assert options.line("x " + "s" * 40) == "x [masked]"
    assert options.line("y" * 5_000, 10) == "…"


def test_a_mask_is_made_safe_too() -> None:
    assert Options(clean=lambda text: text + "\x1b[31m!").text("a") == "a!"


def test_tabs_stay_and_what_a_terminal_obeys_goes() -> None:
    assert safe_text("a\tb\x1b]0;t\x07\r\n\tc") == "a\tb\n\tc"
    every_stand_in = "".join(map(chr, range(0xE000, 0xE400)))
    assert safe_text("a\tb" + every_stand_in) == "a   b" + every_stand_in
    assert safe_text("a\tb\ue000") == "a\tb\ue000"


def test_dates_are_in_the_zone_and_say_its_offset() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    summer = NOON + int(timedelta(days=120) / timedelta(milliseconds=1))
    assert iso_date(NOON, berlin) == "2026-03-01T13:00:00+01:00"
    assert iso_date(summer, berlin) == "2026-06-29T14:00:00+02:00"
    assert clock(NOON, timezone(timedelta(hours=-5))) == "2026-03-01 07:00:00"
    assert iso_date(NO_TIME, UTC) is None and clock(NO_TIME, UTC) == "–"
    last = int(datetime(9999, 12, 31, 23, 59, tzinfo=UTC).timestamp() * 1000)
    assert iso_date(last, berlin) is None and iso_date(1 << 61, UTC) is None


def test_zones_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert zone_name(ZoneInfo("Europe/Berlin")) == "Europe/Berlin"
    assert zone_name(timezone(timedelta(hours=2), "X")) == "X"
    assert zone_name(UTC) == "UTC" and zone_name(None) == "UTC"
    monkeypatch.setenv("TZ", ":Europe/Paris")
    assert local_zone() == ZoneInfo("Europe/Paris")
    for name in ("No/Such", "../../etc/passwd", "CET-1CEST"):
        monkeypatch.setenv("TZ", name)
        assert local_zone() is None
    monkeypatch.delenv("TZ")
    monkeypatch.setattr(os.path, "realpath", lambda _: "/usr/share/zoneinfo/Asia/Tokyo")
    assert local_zone() == ZoneInfo("Asia/Tokyo")
    monkeypatch.setattr(os.path, "realpath", lambda _: "/etc/localtime")
    assert local_zone() is None
    time.tzset()


@pytest.mark.parametrize(
    ("got", "want"),
    [
        (signed(Number(98_214, Source.USAGE)), "98,214="),
        (signed(Number(812, Source.ESTIMATE, 0.041)), "812≈ (±4 %)"),
        (signed(UNKNOWN), "–"),
        (reduction(100, 22), "−78 %"),
        (reduction(100, 130), "+30 %"),
        (reduction(0, 5), ""),
        (reduction(None, 5), ""),
        (reduction(5, None), ""),
        (counted(1, "reply", "replies"), "1 reply"),
        (counted(2_000, "reply", "replies"), "2,000 replies"),
        (duration(None), "–"),
        (duration(400), "0.4 s"),
        (duration(41_000), "41 s"),
        (duration(200_000), "3 min 20 s"),
        (duration(7_500_000), "2 h 5 min"),
    ],
)
def test_numbers_say_where_they_come_from(got: str, want: str) -> None:
    assert got == want


# --- parts --------------------------------------------------------------------------------------


def rows_of(part: Part) -> list[str | None]:
    return [part.session.index.uuids[row] for row in part.rows]


def test_uuids_may_be_given_by_their_unique_beginning(tmp_path: Path) -> None:
    session = named(tmp_path)
    assert rows_of(message_range(session, "00000001", "00000002")) == [uuid(1), uuid(2)]
    for first, last, words in (
        ("0000", uuid(2), "several messages begin so"),
        ("000", uuid(2), "no such message"),
        (uuid(3), uuid(2), "no such message"),
        (uuid(2), uuid(1), "ends before it starts"),
    ):
        with pytest.raises(CcbrowseError, match=words):
            message_range(session, first, last)
    with pytest.raises(CcbrowseError, match="ccbrowse show"):
        branch(session, uuid(1))
    with pytest.raises(CcbrowseError, match="segments 1 to 2"):
        segment(session, 3)


def test_what_stands_between_is_read_at_its_place(tmp_path: Path) -> None:
    """Parallel calls: the second fragment comes first in reading, a queued prompt after their results."""
    sheet = Sheet()
    sheet.prompt("go")  # 1
    first = sheet.reply(sheet.call("A", {}, number=1))  # 2
    sheet.result("a", number=1)  # 3
    result = sheet.tip
    sheet.replies -= 1
    sheet.reply(sheet.call("B", {}, number=2), parent=first)  # 4
    sheet.result("b", number=2)  # 5
    sheet.link(
        "attachment",
        attachment={"type": "queued_command", "prompt": "and?", "commandMode": "prompt"},
    )  # 6
    sheet.reply("done")  # 7
    session = sheet.open(tmp_path)
    assert result == uuid(3)
    assert rows_of(whole(session)) == [uuid(n) for n in (1, 2, 4, 3, 5, 6, 7)]
    assert rows_of(segment(session)) == rows_of(whole(session))
