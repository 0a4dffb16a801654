"""Secrets and home paths masked, and counted: what leaves ccbrowse goes through a `Redactor`.

One Redactor serves one export, called text by text, so memory follows the number of secrets and not
the length of the session. The same secret gets the same placeholder in all of them::

    redactor = Redactor(home="/home/ada", user="ada")
    for text in texts:
        write(redactor.redact(text))
    report(redactor.counts())

What a secret is: documented forms of tokens (`forms`), places where only a credential stands
(`headers`, `urls`, `commands`, `blocks`, `files`), values of telling names (`fields`, `prose`,
`tables`), and base64 of any of these (`encoded`), each looked for in the text as written and with its
wrappings off (`views`).
It is a filter with a good eye, no proof: a password that looks like a word and stands alone passes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ccbrowse.core.redact.blocks import scan_blocks
from ccbrowse.core.redact.commands import scan_commands
from ccbrowse.core.redact.encoded import scan_base64
from ccbrowse.core.redact.fields import scan_fields
from ccbrowse.core.redact.files import scan_files
from ccbrowse.core.redact.forms import FORMS
from ccbrowse.core.redact.found import Found, Rank
from ccbrowse.core.redact.headers import scan_headers
from ccbrowse.core.redact.page import Page
from ccbrowse.core.redact.people import People, scan_emails
from ccbrowse.core.redact.places import Place, Sighting, merged
from ccbrowse.core.redact.tables import scan_tables
from ccbrowse.core.redact.tokens import scan_tokens
from ccbrowse.core.redact.urls import scan_urls
from ccbrowse.core.redact.values import Grade, grade
from ccbrowse.core.redact.views import View, views

__all__ = ["Hit", "Redactor"]

_PLACEHOLDER = re.compile(r"\[redacted:[a-z0-9-]+#\d+\]")
_PLAIN = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]{5,15}Z?|")
"""Texts that say nothing private alone: uuids and times. Session files are full of them."""

_LONG = 250
_GROWING = frozenset({Rank.FORM, Rank.PLACE, Rank.NAMED, Rank.NEAR})
_REST = re.compile(r"[A-Za-z0-9+/_\-]{0,8192}+={0,2}")
_SHORT, _MOST_KNOWN = 64, 20_000
_WORD = re.compile(r"[^\s\"'`,;()\[\]{}<>|&\\]{8,}")
_PART = re.compile(r"[^=:/]{8,}={0,2}")
_PUBLIC_STARTS = tuple(
    sorted((s for form in FORMS for s in form.starts.split() if len(s) >= 3), key=len, reverse=True)
)


@dataclass(frozen=True, slots=True)
class Hit:
    """One masked place, as a dry run lists it; nothing in it gives the secret away."""

    kind: str
    """what it is, such as `github-token`; also `home-path`, `user-name`, `email`"""
    placeholder: str
    """what stands there now"""
    preview: str
    """its public beginning, if it has one, and its length: `ghp_… (40 characters)`"""
    origin: str
    """what the caller named the text"""
    line: int
    """line within that text, from 1, counted by line feeds"""
    start: int
    """offset within that text, in characters"""
    end: int
    """offset behind its last character"""


def _secrets(page: Page) -> Iterator[Found]:
    """All secrets of a text as it is written, base64 unopened."""
    yield from scan_blocks(page)
    yield from scan_tokens(page)
    yield from scan_urls(page)
    yield from scan_headers(page)
    yield from scan_commands(page)
    yield from scan_fields(page)
    yield from scan_tables(page)
    yield from scan_files(page)


def _whole_end(text: str, found: Found) -> int:
    """Where a secret ends that is longer than the patterns look; all others end where they were found."""
    if found.end - found.start < _LONG or found.rank not in _GROWING:
        return found.end
    match = _REST.match(text, found.end)
    return match.end() if match else found.end


def _parts(word: str) -> Iterator[tuple[int, str]]:
    """What may be a secret in a word, with its offset: all, without a full stop, a part of a path."""
    yield 0, word
    yield 0, word.rstrip(".,:!?")
    name, sign, value = word.partition("=")
    if sign:
        yield len(name) + 1, value
    for part in _PART.finditer(word):
        yield part.start(), part.group()


class Redactor:
    """Masks secrets, home paths and, on request, mail addresses in the texts of one export.

    `home` and `user` name the person more closely than the usual places (`/home/x`, `C:\\Users\\x`)
    do by themselves; `keep_paths` leaves paths and user names; `emails` masks addresses too;
    `keep_hits` off saves the memory of `hits`. It never raises on any text.
    """

    def __init__(
        self,
        home: str = "",
        user: str = "",
        *,
        keep_paths: bool = False,
        emails: bool = False,
        keep_hits: bool = True,
    ) -> None:
        self._people = None if keep_paths else People(home, user)
        self._emails = emails
        self._keep_hits = keep_hits
        self._counts: Counter[str] = Counter()
        self._numbers: Counter[str] = Counter()
        self._known: dict[str, str] = {}
        self._kinds: dict[str, str] = {}
        self._telling: set[str] = set()
        self._hits: list[Hit] = []
        self._plain: set[str] = set()

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Every masked place so far, in the order of the texts."""
        return tuple(self._hits)

    def counts(self) -> Counter[str]:
        """How many places of each kind were masked so far."""
        return Counter(self._counts)

    def redact(self, text: str, origin: str = "") -> str:
        """`text` with everything private masked; `origin` names it in `hits`."""
        if text in self._plain or (text not in self._telling and _PLAIN.fullmatch(text)):
            return text
        places = merged(self._found(text))
        if not places:
            if len(text) <= _SHORT and len(self._plain) < _MOST_KNOWN:
                self._plain.add(text)
            return text
        pieces: list[str] = []
        last = line_at = 0
        line = 1
        for place in places:
            mask = self._mask(place.best)
            pieces += (text[last : place.start], mask)
            last = place.end
            if self._keep_hits:
                line += text.count("\n", line_at, place.start)
                line_at = place.start
                self._hits.append(_hit(place, mask, origin, line))
        pieces.append(text[last:])
        return "".join(pieces)

    def _found(self, text: str) -> list[Sighting]:
        """Findings of all views in raw coordinates; the later the view, the more it knows."""
        findings: list[Sighting] = []
        layers = views(text)
        for depth, view in enumerate(layers):
            whole = view is layers[-1] or "\x1b]" in view.text
            for found in self._scan(Page(view.text), whole=whole, raw=not depth):
                if found.end > found.start:
                    start, end = view.raw_span(found.start, _whole_end(view.text, found))
                    findings.append(Sighting(start, end, -depth, found))
        findings = _without_masks(text, findings)
        self._remember(seen.found for seen in findings)
        findings += self._bare(layers[-1], 1 - len(layers))
        return findings

    def _scan(self, page: Page, *, whole: bool, raw: bool) -> Iterator[Found]:
        """One layer; those between are only asked for what escapes taken too far would break.

        `whole`: the last layer, or one with terminal sequences that carry texts of their own.
        """
        if whole:
            yield from _secrets(page)
            yield from scan_base64(page.text, _secrets)
        else:
            yield from scan_fields(page)
            yield from scan_files(page)
        if self._people and (whole or raw):
            yield from self._people.scan(page)
        if self._emails and whole:
            yield from scan_emails(page)

    def _remember(self, found: Iterable[Found]) -> None:
        """Secrets that can be known again without their context."""
        for one in found:
            if one.value in self._telling or one.rank > Rank.NEAR or len(one.value) < 8:
                continue
            if grade(one.value) >= Grade.PASSWORD:
                self._telling.add(one.value)
                self._plain.clear()

    def _bare(self, view: View, depth: int) -> Iterator[Sighting]:
        """Secrets found elsewhere, here without their context."""
        if not self._telling:
            return
        for match in _WORD.finditer(view.text):
            for at, word in _parts(match.group()):
                if word in self._telling:
                    start = match.start() + at
                    found = Found(start, start + len(word), Rank.KNOWN, "secret", word)
                    yield Sighting(*view.raw_span(found.start, found.end), depth, found)
                    break

    def _mask(self, found: Found) -> str:
        """The mask of a finding, numbered when its secret is new."""
        if found.mask:
            self._counts[found.kind] += 1
            return found.mask
        placeholder = self._known.get(found.value)
        if placeholder is None:
            self._numbers[found.kind] += 1
            placeholder = f"[redacted:{found.kind}#{self._numbers[found.kind]}]"
            self._known[found.value] = placeholder
            self._kinds[found.value] = found.kind
        self._counts[self._kinds[found.value]] += 1
        return placeholder


def _without_masks(text: str, findings: list[Sighting]) -> list[Sighting]:
    """Nothing is found in what an earlier redaction put there, and no part of it is taken away."""
    spans = [match.span() for match in _PLACEHOLDER.finditer(text)]
    starts = [start for start, _ in spans]
    if not spans:
        return findings

    def around(place: int) -> tuple[int, int]:
        """The mask that a place is amid, or an empty span there."""
        number = bisect_right(starts, place - 1) - 1
        return spans[number] if number >= 0 and place < spans[number][1] else (place, place)

    kept: list[Sighting] = []
    for one in findings:
        number = bisect_right(starts, one.start) - 1
        if number >= 0 and one.end <= spans[number][1]:
            continue
        start, end = around(one.start)[1], around(one.end)[0]
        if start < end:
            kept.append(one._replace(start=start, end=end))
    return kept


def _hit(place: Place, mask: str, origin: str, line: int) -> Hit:
    kind = place.best.kind if place.best.mask else mask[10:].partition("#")[0]
    return Hit(kind, mask, _preview(place.best), origin, line, place.start, place.end)


def _preview(found: Found) -> str:
    """What may be shown of a secret: the beginning that all of its kind share, and its length."""
    shown = ""
    if found.rank is Rank.FORM:
        shown = next((s for s in _PUBLIC_STARTS if found.value.startswith(s)), "")
        shown = shown if len(shown) * 3 <= len(found.value) else ""
    return f"{shown}… ({len(found.value)} characters)"
