"""Secrets and home paths masked, and counted: what leaves ccbrowse goes through a `Redactor`.

One Redactor serves one export, called text by text, so memory follows the number of secrets and not
the length of the session. The same secret gets the same placeholder in all of them::

    redactor = Redactor(home="/home/ada", user="ada")
    for text in texts:
        write(redactor.redact(text))
    report(redactor.counts())

What a secret is: documented forms of tokens (`forms`), places where only a credential stands
(`headers`, `urls`, `commands`, `blocks`), values of telling names (`fields`, `prose`), and base64 of
any of these (`encoded`), each looked for in the text as written and with its wrappings off (`views`).
It is a filter with a good eye, no proof: a password that looks like a word and stands alone passes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ccbrowse.core.redact.blocks import scan_blocks
from ccbrowse.core.redact.commands import scan_commands
from ccbrowse.core.redact.encoded import scan_base64
from ccbrowse.core.redact.fields import scan_fields
from ccbrowse.core.redact.forms import FORMS
from ccbrowse.core.redact.found import Found, Rank
from ccbrowse.core.redact.headers import scan_headers
from ccbrowse.core.redact.page import Page
from ccbrowse.core.redact.people import People, scan_emails
from ccbrowse.core.redact.tokens import scan_tokens
from ccbrowse.core.redact.urls import scan_urls
from ccbrowse.core.redact.values import Grade, grade
from ccbrowse.core.redact.views import View, views

__all__ = ["Hit", "Redactor"]

_PLACEHOLDER = re.compile(r"\[redacted:[a-z0-9-]+#\d+\]")
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


def _parts(word: str) -> Iterator[tuple[int, str]]:
    """What may be a secret in a word, with its offset: all, without a full stop, a part of a path."""
    yield 0, word
    yield 0, word.rstrip(".,:!?")
    name, sign, value = word.partition("=")
    if sign:
        yield len(name) + 1, value
    for part in _PART.finditer(word):
        yield part.start(), part.group()


class _Place:
    """A stretch of the raw text to be masked, grown over all findings that touch it."""

    __slots__ = ("best", "end", "start")

    def __init__(self, start: int, end: int, best: Found) -> None:
        self.start, self.end, self.best = start, end, best


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

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Every masked place so far, in the order of the texts."""
        return tuple(self._hits)

    def counts(self) -> Counter[str]:
        """How many places of each kind were masked so far."""
        return Counter(self._counts)

    def redact(self, text: str, origin: str = "") -> str:
        """`text` with everything private masked; `origin` names it in `hits`."""
        places = _merged(self._found(text))
        if not places:
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

    def _found(self, text: str) -> list[tuple[int, int, int, Found]]:
        """Findings of all views in raw coordinates; the later the view, the more it knows."""
        findings: list[tuple[int, int, int, Found]] = []
        masked = [match.span() for match in _PLACEHOLDER.finditer(text)]
        layers = views(text)
        for depth, view in enumerate(layers):
            last = view is layers[-1]
            for found in self._scan(
                Page(view.text), whole=last or "\x1b]" in view.text, raw=not depth
            ):
                if found.end > found.start:
                    start, end = view.raw_span(found.start, found.end)
                    findings.append((start, end, -depth, found))
        if masked:
            findings = [f for f in findings if not any(a < f[1] and f[0] < b for a, b in masked)]
        self._remember(found for *_, found in findings)
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
        if self._people and (whole or raw):
            yield from self._people.scan(page)
        if self._emails and whole:
            yield from scan_emails(page)

    def _remember(self, found: Iterable[Found]) -> None:
        """Secrets that can be known again without their context."""
        for one in found:
            if one.rank <= Rank.NEAR and len(one.value) >= 8 and grade(one.value) >= Grade.PASSWORD:
                self._telling.add(one.value)

    def _bare(self, view: View, depth: int) -> Iterator[tuple[int, int, int, Found]]:
        """Secrets found elsewhere, here without their context."""
        if not self._telling:
            return
        for match in _WORD.finditer(view.text):
            for at, word in _parts(match.group()):
                if word in self._telling:
                    start = match.start() + at
                    found = Found(start, start + len(word), Rank.KNOWN, "secret", word)
                    yield *view.raw_span(found.start, found.end), depth, found
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


def _merged(findings: list[tuple[int, int, int, Found]]) -> list[_Place]:
    """Findings that touch become one place; the best-ranked, then longest, names it."""
    places: list[_Place] = []
    best_key: tuple[int, int, int] = (0, 0, 0)
    for start, end, depth, found in sorted(findings, key=lambda f: (f[0], -f[1])):
        key = (found.rank, start - end, depth)
        if not places or start >= places[-1].end:
            places.append(_Place(start, end, found))
            best_key = key
            continue
        place = places[-1]
        if Rank.PERSON in (found.rank, place.best.rank) and found.rank != place.best.rank:
            # a name within a secret, or a secret within what looked like a mail address
            if found.rank < place.best.rank:
                place.start, place.end, place.best, best_key = start, end, found, key
            continue
        place.end = max(place.end, end)
        if key < best_key:
            place.best, best_key = found, key
    return places


def _hit(place: _Place, mask: str, origin: str, line: int) -> Hit:
    kind = place.best.kind if place.best.mask else mask[10:].partition("#")[0]
    return Hit(kind, mask, _preview(place.best), origin, line, place.start, place.end)


def _preview(found: Found) -> str:
    """What may be shown of a secret: the beginning that all of its kind share, and its length."""
    shown = ""
    if found.rank is Rank.FORM:
        shown = next((s for s in _PUBLIC_STARTS if found.value.startswith(s)), "")
        shown = shown if len(shown) * 3 <= len(found.value) else ""
    return f"{shown}… ({len(found.value)} characters)"
