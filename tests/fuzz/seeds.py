"""What the fuzzers start from: small sessions of every kind, the given cases, texts with a sting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from builders import ERA_NAMES, HOSTILE, sampler
from exporting import Sheet, orchard_story
from hostile import MARKS, hostile_sheets
from targets import WHOLE_FILES

HERE = Path(__file__).resolve().parent
CASES = HERE.parent / "cases" / "given"
MOST_BYTES = 8_000
"""Bytes of the largest seed: a fuzzer is quick on small ones."""

TEXTS = (
    *MARKS,
    *HOSTILE.values(),
    "curl -u ada:hunter2hunter2 https://ada:s3cr3tPassw0rd@example.org/x?token=abcdef0123456789",
    "export AWS_SECRET_ACCESS_KEY=" + "wJalrXUtnFEMI" + "K7MDENGbPxRfiCYEXAMPLEKEY",
    '{"password": "corr3ct-h0rse"}\nAuthorization: Bearer abcdefghijklmnopqrstuvwxyz012345',
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----",
    "/home/ada/x C:\\Users\\ada\\y ada@example.org",
    "\x1b[1mbold\x1b[0m \x1b]0;t\x07 a\tb\r\nc \u0301\u0301 👩‍👩‍👧 日本 \u200d",
)
QUESTIONS = (
    "plain words",
    "project:api !has:damage segments>3 after:7d",
    'user:"a b" lost:x title:y',
    "t.e+(a|b)*$",
    "messages>=9999999999999999999 before:2026-02-30",
)


def seeds(target: str) -> Iterator[bytes]:
    """The seeds of a target, small ones first in each kind."""
    files = list(_session_files())
    if target in WHOLE_FILES:
        yield from files
    elif target == "query":
        yield from (f"{asked}\n".encode() + files[0] for asked in QUESTIONS)
    elif target == "capture":
        yield b'{"messages":[{"role":"user","content":"Hi"}],"model":"m"}'
        yield b'{"log":{"entries":[{"request":{"postData":{"text":"{\\"messages\\":[]}"}}}]}}'
    else:
        yield from (text.encode("utf-8", "surrogatepass") for text in TEXTS)
    yield from (path.read_bytes() for path in sorted(found()) if path.parent.name == target)


def found() -> Iterator[Path]:
    """The inputs that once broke a target: found/TARGET/NAME."""
    yield from (HERE / "found").glob("*/*")


def _session_files() -> Iterator[bytes]:
    """Session files: each client's sampler in pieces, a story, a hostile one, the given cases."""
    yield _data(orchard_story())
    for era in ERA_NAMES:
        lines = sampler(era).data().split(b"\n")
        for start in range(0, len(lines), 10):
            piece = b"\n".join(lines[start : start + 10])
            if len(piece) <= MOST_BYTES:
                yield piece
    *_, (_, hostile) = hostile_sheets()
    yield _data(hostile)[:MOST_BYTES]
    for path in sorted(CASES.rglob("*.jsonl")):
        if path.is_file() and path.stat().st_size <= MOST_BYTES:
            yield path.read_bytes()


def _data(sheet: Sheet) -> bytes:
    return b"\n".join(sheet.lines) + b"\n"
