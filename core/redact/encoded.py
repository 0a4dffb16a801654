"""Base64 that hides a secret: decoded in part, and looked at like any other text."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator

from ccbrowse.core.redact.found import Found, Rank
from ccbrowse.core.redact.page import Page
from ccbrowse.core.redact.values import Grade, grade, is_hash_or_id, is_uuid

LONGEST = 8192
"""Base64 signs that are decoded of one run."""

_DEPTH = 3
"""How often base64 within base64 is opened."""

# Four groups of base64 whose bytes can all be ASCII; one random run in 40,000 begins like that.
_TEXTUAL = "(?:[I-Za-f][C-HS-Xi-ny-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/_-])"
_RUN = re.compile(
    rf"""(?<![A-Za-z0-9+/_=\-]){_TEXTUAL}{{4}}[A-Za-z0-9+/_\-]*+
        (?:\r?\n[ \t]{{0,8}}[A-Za-z0-9+/]{{4,76}}+(?=[\s="']|\Z)){{0,200}}={{0,2}}""",
    re.VERBOSE,
)
_SPACE = re.compile(r"\s+")
_TEXT = re.compile(r"[\t\n\r -~]+")
_LONE = re.compile(r"[A-Za-z0-9_\-+/=.~!?@#$%^&*;]{8,1024}")
_PAIR = re.compile(r"(?=[^:]*[a-z])[\w.@+\-]{1,64}:(?!//)(?P<password>\S{4,128})")
_SAID = re.compile(r"base64|b64|atob|btoa|\bdata:\s", re.IGNORECASE)

Scan = Callable[[Page], Iterable[Found]]


def _decoded(run: str) -> str:
    """The text behind a run of base64; empty where there is none."""
    head = run[:LONGEST].rstrip("=").translate({45: "+", 95: "/"})
    head = head[: len(head) - (len(head) % 4 == 1)]
    probe = b64decode(head[: min(24, len(head) // 4 * 4)])
    if not _TEXT.fullmatch(probe.decode("latin-1")):
        return ""
    text = b64decode(head + "=" * (-len(head) % 4)).decode("latin-1")
    return text if _TEXT.fullmatch(text) else ""


def _lone(text: str, hinted: bool) -> tuple[str, str]:
    """A secret that was encoded alone: its kind and itself."""
    text = text.strip()
    if not _LONE.fullmatch(text):
        pair = _PAIR.fullmatch(text) if hinted else None
        return (
            ("basic-auth", pair["password"])
            if pair and grade(pair["password"]) >= Grade.PASSWORD
            else ("", "")
        )
    looks = grade(text)
    if is_uuid(text):
        looks = Grade.STRONG
    elif looks is Grade.TOKEN and is_hash_or_id(text):
        looks = Grade.STRONG if len(text) >= 32 else Grade.TOKEN
    least = Grade.PASSWORD if hinted else Grade.STRONG
    return ("encoded-secret", text) if looks >= least else ("", "")


def _inside(run: str, scan: Scan, hinted: bool) -> Found | None:
    text = _decoded(run)
    for _ in range(_DEPTH):
        if not text:
            return None
        inner = min(scan(Page(text)), key=lambda found: (found.rank, found.start), default=None)
        if inner:
            return inner
        deeper = _SPACE.sub("", text)
        below = _decoded(deeper) if _RUN.fullmatch(deeper) else ""
        kind, value = ("", "") if below else _lone(text, hinted)
        if kind:
            return Found(0, 0, Rank.FORM, kind, value)
        text, hinted = below, True
    return None


def scan_base64(text: str, scan: Scan) -> Iterator[Found]:
    """Runs of base64 in which `scan` finds a secret, or that are an encoded secret as a whole."""
    for match in _RUN.finditer(text):
        start, end = match.span()
        context = text[max(0, start - 48) : start] + text[end : end + 48]
        run = _SPACE.sub("", match.group())
        found = _inside(run, scan, bool(_SAID.search(context)))
        if found:
            yield Found(start, end, Rank.FORM, found.kind, found.value)
