"""Secrets in sentences: a word of the trade, a few plain words, then something drawn at random."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccbrowse.core.redact.found import Found, Rank
from ccbrowse.core.redact.names import Claim, Meaning
from ccbrowse.core.redact.values import Grade, grade, is_hash_or_id, is_uuid, randomness
from ccbrowse.core.redact.vocabulary import VENDORS, words

_AFTER = re.compile(
    r"""
    [\"'`*_)\]]{0,3}
    (?P<words> (?: [ \t,]{1,4} \(? [A-Za-z][A-Za-z'’]{0,15} (?=[\s),:=–—]) [),]? ){0,6} )
    (?P<sign> [ \t]{0,4}[:=–—\->→|]{0,3}
        (?: [ \t]{0,8} \n [+\-> |]{0,8} (?: ```\w{0,12}\n [+\-> |]{0,8} )? ){0,3} [ \t]{0,4} )
    (?P<open> [\"'`*_(\[“‘«]{0,3} )
    (?P<value> (?=[\w/$!@\#&^~]|\+[\w+/]{12}) [\w+/=.~!@\#$%^&*\-:|?]{6,256} )
    """,
    re.VERBOSE,
)
_ONE_TOKEN = re.compile(r"[A-Za-z0-9_\-]{20,}")
_LINKS = re.compile(r"[ \t](?:\(|(?:is|as|was|for|being|=)\b)[^\n\"'`:=]{0,40}\Z")
_WRAPPING = "\"'`*_()[]“”‘’«»<>,;:!?"
_VENDOR_KINDS = frozenset(VENDORS.values())
_SAYS = words(
    """
    is was be are to as equals becomes reads says being with uses using use
    """
)
_OTHER = words(
    """
    commit commits sha hash hashes digest checksum md5 etag id ids uuid guid fingerprint revision
    rev tree blob parent count counts version integrity message request file path line branch tag
    ref image layer package build job run trace span column table test expired
    """
)
_APART = words(
    "at in or and see function method class variable field named called type from not no"
)
"""Between a word of the trade and something random these say that the two are apart, unless the
sentence then says what it is: `the key in the vault is …`."""


def _fits(said: Meaning, value: str, between: list[str], sign: str) -> bool:
    looks = grade(value)
    if said.claim is Claim.WEAK:
        one = value not in {value.lower(), value.upper()} and bool(_ONE_TOKEN.fullmatch(value))
        return said.kind == "key" and looks is Grade.STRONG and not between and one
    if looks < Grade.PASSWORD or _OTHER.intersection(between):
        return False
    says = bool(sign.strip("*_ \t\n")) or (bool(between) and between[-1] in _SAYS)
    if not says and _APART.intersection(between):
        return False
    if is_uuid(value):
        return says or (not between and said.kind in _VENDOR_KINDS)
    if is_hash_or_id(value) or looks is Grade.TOKEN:
        return says or not between
    if looks >= Grade.STRONG:
        return True
    mixed = any(c.isdigit() for c in value) and value != value.lower()
    direct = not between and mixed and randomness(value) >= 6
    if said.plain or not (says or direct):
        return False
    if said.claim is Claim.SECRET:
        return mixed and len(value) >= 16
    return len(value) >= 6 and any(c.isdigit() for c in value)


def beside(text: str, start: int, end: int, said: Meaning) -> Iterator[Found]:
    """A secret in the sentence around the name from `start` to `end`: after it, or before it."""
    after = _AFTER.match(text, end)
    if after and after.start("value") > end:
        value = after["value"].rstrip(".,;:!?*_")
        between = [word.strip("(),'’").lower() for word in after["words"].split()]
        if _fits(said, value, between, after["sign"] + after["open"]):
            at = after.start("value")
            yield Found(at, at + len(value), Rank.NEAR, said.kind, value)
            return
    yield from _before(text, start, said)


def _before(text: str, start: int, said: Meaning) -> Iterator[Found]:
    """`… is the token`, `use … as API key`."""
    if said.claim is Claim.WEAK:
        return
    left = max(0, start - 320)
    link = _LINKS.search(text, max(left, start - 56), start)
    before = text[left : link.start()].split() if link else []
    value = before[-1].strip(_WRAPPING) if before else ""
    looks = grade(value)
    chosen = looks is Grade.PASSWORD and said.claim is Claim.PASSWORD and randomness(value) >= 6
    if chosen or (looks >= Grade.TOKEN and (said.kind in _VENDOR_KINDS or not is_uuid(value))):
        at = text.rindex(value, left, start)
        yield Found(at, at + len(value), Rank.NEAR, said.kind, value)
