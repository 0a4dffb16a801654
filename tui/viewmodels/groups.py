"""Sessions under headings: by their project, or by the day of their newest record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from enum import Enum

from ccbrowse.core.listing import Listing
from ccbrowse.core.text import SafeText
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.shelves import Places


class Group(Enum):
    """What sessions are grouped by; its value is told."""

    NONE = "not grouped"
    PROJECT = "by project"
    DATE = "by date"


Headings = dict[int, SafeText]
"""Headings by the number of the session that they stand above."""


def grouped(
    found: Sequence[Listing], group: Group, now: int, places: Places
) -> tuple[list[Listing], Headings]:
    """Sessions under headings, each group in the order given; groups in the order of their first one."""
    if group is Group.NONE:
        return list(found), {}
    name_of = places.project if group is Group.PROJECT else _date_of(now)
    groups: dict[SafeText, list[Listing]] = {}
    for listing in found:
        groups.setdefault(name_of(listing), []).append(listing)
    ordered: list[Listing] = []
    headings: Headings = {}
    for name, members in groups.items():
        count = figures.counted(len(members), "session")
        headings[len(ordered)] = SafeText(f"{name} · {count}")
        ordered += members
    return ordered, headings


def _date_of(now: int) -> Callable[[Listing], SafeText]:
    """Names the day of a session's newest record, or its month where that is longer ago."""
    today = figures.local(now)

    def name(listing: Listing) -> SafeText:
        moment = figures.local(listing.sort_key[0])
        if moment is None or today is None:
            return SafeText("at an unknown time")
        days = (today.date() - moment.date()).days
        if days <= 0:
            return SafeText("today")
        if days == 1:
            return SafeText("yesterday")
        if moment.date() > (today - timedelta(days=7)).date():
            return SafeText("in the last 7 days")
        return figures.month(listing.sort_key[0])

    return name
