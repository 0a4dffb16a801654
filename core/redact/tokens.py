"""Finds tokens by their documented forms, and by the habits that vendors share."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from ccbrowse.core.redact.forms import FORMS, MARKED_FORMS, Form
from ccbrowse.core.redact.found import Found, Rank
from ccbrowse.core.redact.page import Page
from ccbrowse.core.redact.values import (
    Grade,
    grade,
    in_base64,
    is_hash_or_id,
    is_monotone,
    is_stand_in,
    randomness,
)

_Rule = tuple[Form, re.Pattern[str], int]


def _rule(form: Form, start: str) -> _Rule:
    edge = r"(?<![\w\-])" if form.whole else r"(?<![A-Za-z0-9])"
    pattern = re.compile(f"{edge}{re.escape(start)}{form.body}(?![A-Za-z0-9])", re.ASCII)
    return form, pattern, len(start)


def _rules() -> dict[str, list[_Rule]]:
    """For each start, the rules that can match where it stands, longest start first."""
    by_start: dict[str, list[_Rule]] = defaultdict(list)
    for form in FORMS:
        for start in form.starts.split():
            by_start[start].append(_rule(form, start))
    every = sorted(by_start, key=len, reverse=True)
    return {
        start: [rule for other in every if start.startswith(other) for rule in by_start[other]]
        for start in every
    }


def _starts(rules: dict[str, list[_Rule]]) -> re.Pattern[str]:
    """One pattern for all starts, branched by the first sign so that most places cost one look."""
    by_sign: dict[str, list[str]] = defaultdict(list)
    for start in sorted(rules, key=len, reverse=True):
        by_sign[start[0]].append(re.escape(start[1:]))
    branches = (f"{re.escape(sign)}(?:{'|'.join(rest)})" for sign, rest in sorted(by_sign.items()))
    return re.compile(f"(?<![A-Za-z0-9])(?:{'|'.join(branches)})")


_RULES = _rules()
_STARTS = _starts(_RULES)
_MARKED = [(form, re.compile(form.pattern, re.ASCII)) for form in MARKED_FORMS]

_FORTY = re.compile(
    r"(?:(?<![A-Za-z0-9+/=_.\-])|(?<=^\+)|(?<=^-))[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_.\-])",
    re.MULTILINE,
)
_SOLID = re.compile(r"[A-Za-z0-9]{16}")
_LONG_RUN = re.compile(r"[\w+/=.~:|!@\-]{24,}+", re.ASCII)


def _real(body: str, loose: bool) -> bool:
    if is_monotone(body) or is_stand_in(body):
        return False
    if not loose:
        return len(set(body)) >= 5 and randomness(body) > -8
    return is_hash_or_id(body) or grade(body) >= Grade.TOKEN


def _by_start(text: str) -> Iterator[Found]:
    done = 0
    for seen in _STARTS.finditer(text):
        if seen.start() < done:
            continue
        for form, pattern, length in _RULES[seen.group()]:
            match = pattern.match(text, seen.start())
            if match is None:
                continue
            token = match.group().rstrip(".-")  # a full stop is the sentence's
            if _real(token[length:], form.loose) and not in_base64(text, seen.start()):
                done = seen.start() + len(token)
                yield Found(seen.start(), done, Rank.FORM, form.kind, token)
                break
            if len(token) > 200:  # a run of starts must not be read again from each of them
                done = match.end()
                break


def _by_mark(text: str) -> Iterator[Found]:
    """Forms that are known by what stands within them; only long runs of signs are looked at."""
    for run in _LONG_RUN.finditer(text):
        written = run.group()
        solid = _SOLID.search(written)
        for form, pattern in _MARKED:
            if form.mark not in written or (len(form.mark) == 1 and not solid):
                continue
            for match in pattern.finditer(text, *run.span()):
                token = match.group().rstrip(".")
                body = token.rpartition("_")[2] if form.kind == "vendor-key" else token
                if _real(body, form.loose):
                    at = match.start()
                    yield Found(at, at + len(token), Rank.FORM, form.kind, token)
        if len(written) >= 40:
            yield from _by_length(text, *run.span())


def _by_length(text: str, start: int, end: int) -> Iterator[Found]:
    """AWS secret keys by their length alone, since so little else is base64 of exactly 40 signs."""
    for match in _FORTY.finditer(text, start, end):
        token = match.group()
        mixed = token not in {token.lower(), token.upper()} and not token.isalpha()
        if mixed and not is_stand_in(token) and randomness(token) > 25:
            yield Found(*match.span(), Rank.NEAR, "aws-secret-key", token)


def scan_tokens(page: Page) -> Iterator[Found]:
    """Tokens that can be known by their own form, wherever they stand."""
    yield from _by_start(page.text)
    yield from _by_mark(page.text)
