"""What is asked of a search: a query as it was typed, and its needles with the fields they may stand in.

Unlike a filter, a search takes its words as they stand, blanks and signs included: only a known
`key:value` in front of, between or behind them is taken out as a condition or a scope. A query in
double quotes is words alone. With several parts, one record must hold them all.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from ccbrowse.core.errors import BadQuery
from ccbrowse.core.fields import ALL_FIELDS, TALK, Field, FieldText
from ccbrowse.core.library import Listing
from ccbrowse.core.query import COUNTS, FACTS, SCOPES, Query, Term, near_key, parse_search
from ccbrowse.core.search.needles import Literal, Needle, Span
from ccbrowse.core.search.patterns import Pattern
from ccbrowse.core.search.spelling import Spelling, spell
from ccbrowse.core.talk import triples

_KEYED = re.compile(
    rf"(?:^|(?<=\s))!?(?:(?:{'|'.join((*FACTS, *COUNTS, *SCOPES))}):|(?:{'|'.join(COUNTS)})(?:[<>]=?|=))"
    r'(?:"[^"]*"|[^\s"]\S*)(?=\s|$)',
    re.IGNORECASE,
)
LOST = "lost"
"""The scope of what compactions lost: no field of a record, but items that no summary shows."""

_LIKE_A_KEY = re.compile(r"(?:^|(?<=\s))!?([A-Za-z_]+)(:|[<>]=?)(?=[^\s:/])")
_HINT = "name a word, or put key:value in double quotes to find it as it stands"


def parse_query(text: str, now: datetime | None = None) -> Query:
    """A typed search: conditions on sessions, and what to find by scope. Raises BadQuery.

    `now` is what `after:7d` counts from.
    """
    if literal := _quoted(text):
        return Query((), ((None, literal),))
    terms, words, start = list[Term](), list[tuple[str | None, str]](), 0
    for keyed in _KEYED.finditer(text):
        words.append((None, text[start : keyed.start()]))
        part = parse_search(keyed.group(), now)
        terms.extend(part.terms)
        words.extend(part.words)
        start = keyed.end()
    words.append((None, text[start:]))
    if start:  # blanks beside a key only set it apart
        words = [(scope, word if scope else word.strip()) for scope, word in words]
    return Query(tuple(terms), tuple(part for part in words if part[1]))


def as_pattern(text: str) -> Query:
    """A search for one regular expression: all of the text is it, keys have no meaning there."""
    return Query((), ((None, text),))


def slip(text: str) -> str:
    """What to say of words that look like a key with a typing error, which are words all the same."""
    if _quoted(text):
        return ""
    for likely in _LIKE_A_KEY.finditer(text):
        near = near_key(likely[1])
        if near:
            return f"`{likely[1]}{likely[2]}` was taken as words, did you mean `{near}{likely[2]}`"
    return ""


def _quoted(text: str) -> str:
    """What stands in the double quotes around a whole query; empty where it has none around it."""
    inner = text.strip()[1:-1]
    whole = text.strip() == f'"{inner}"' and len(inner) > 0
    outer_only = '"' not in inner or (inner[0] == inner[-1] == '"' and len(inner) > 2)
    return inner if whole and outer_only else ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A field that holds what is wanted: which of the record's texts, and the first match in it."""

    field: Field
    part: int
    text: str
    span: Span


class Wanted:
    """The needles of a search, all of which one record must hold, and the conditions on its session."""

    def __init__(
        self,
        query: Query,
        *,
        fields: Collection[Field] = ALL_FIELDS,
        case: bool = False,
        regex: bool = False,
        whole_word: bool = False,
    ) -> None:
        if not any(word.strip() for _, word in query.words):
            raise BadQuery("nothing to look for", "", _HINT)
        self.terms = query.terms
        self.needles: list[tuple[Needle, frozenset[Field]]] = []
        self.lost: list[Needle] = []
        """What an item must hold that a compaction lost; it is looked for there alone."""
        spellings: list[Spelling | None] = []
        for scope, word in query.words:
            needle: Needle
            if regex:
                needle = pattern = Pattern(word, case=case, whole_word=whole_word)
                spellings.append(spell(pattern.needs, case=pattern.case))
            else:
                needle = Literal(word, case=case, whole_word=whole_word)
                spellings.append(spell(word, case=case))
            if scope == LOST:
                self.lost.append(needle)
            else:
                self.needles.append((needle, _scope(scope) if scope else frozenset(fields)))
        self.spelling = max(filter(None, spellings), key=_selective, default=None)

    @property
    def in_titles(self) -> bool:
        """Whether a title can be a hit."""
        return not self.lost and all(Field.TITLE in fields for _, fields in self.needles)

    @property
    def said(self) -> list[str]:
        """Words that must be said, in prompts, replies, summaries or titles, by each record that is found:
        the talk index knows where that can be. Empty where other records can be found as well."""
        return [
            needle.text
            for needle, fields in self.needles
            if isinstance(needle, Literal) and fields <= TALK and triples(needle.text)
        ]

    @property
    def given_up(self) -> int:
        """Texts that a pattern was given up on."""
        needles = [*(needle for needle, _ in self.needles), *self.lost]
        return sum(each.given_up for each in needles if isinstance(each, Pattern))

    def accepts(self, listing: Listing) -> bool:
        """Whether a session meets the conditions."""
        return all(term.accepts(listing) for term in self.terms)

    def judge(self, texts: Sequence[FieldText]) -> list[Judged]:
        """The fields that hold a needle, each with its first match; none where a needle is missing."""
        found: dict[Field, Judged] = {}
        for needle, fields in self.needles:
            met = False
            for part, (field, text) in enumerate(texts):
                if field not in fields or (met and field in found):
                    continue
                span = needle.first(text)
                if span is not None:
                    met = True
                    found.setdefault(field, Judged(field, part, text, span))
            if not met:
                return []
        return sorted(found.values(), key=lambda judged: judged.part)


def _selective(spelling: Spelling) -> tuple[bool, int]:
    return spelling.others is None, len(spelling.forms[0])


def _scope(name: str) -> frozenset[Field]:
    if name == "talk":
        return TALK
    if name not in {field.value for field in Field}:
        raise BadQuery(f"`{name}:` cannot be searched here", "", "scopes: " + " ".join(Field))
    return frozenset([Field(name)])
