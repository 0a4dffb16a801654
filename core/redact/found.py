"""What a scanner hands over: a stretch of a text, why it is private, and the secret itself."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Rank(IntEnum):
    """Who names a stretch that several scanners found: the lowest wins."""

    BLOCK = 0
    """a private key between its marks"""
    FORM = 1
    """a documented form, as of a vendor's tokens"""
    PLACE = 2
    """a place where only a credential stands: headers, URLs, command lines"""
    NAMED = 3
    """the value of a name"""
    NEAR = 4
    """beside a word of the trade, in prose"""
    KNOWN = 5
    """found elsewhere before, here alone"""
    PERSON = 6
    """home folders, user names, mail addresses"""


class Found(NamedTuple):
    """A private stretch of a text: from `start` up to, not including, `end`."""

    start: int
    end: int
    rank: Rank
    kind: str
    value: str
    """the secret as the view reads it, decoded; its identity over all texts"""
    mask: str = ""
    """what stands in its place, where that is no numbered placeholder: `~`, `user`"""
