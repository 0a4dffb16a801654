"""The filter and search language: words and `key:value`, to a typed query, or to what is wrong with it.

Plain words match a session's title or project. `key:value` asks for a fact; quotes keep blanks; `!`
in front negates. In searches, scopes such as `user:` or `tool:` say where words are looked for.
"""

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches

from ccbrowse.core.errors import BadQuery
from ccbrowse.core.library import Listing
from ccbrowse.core.session import is_live

FACTS = ("project", "title", "branch", "model", "version", "after", "before", "trigger", "has")
"""Keys with a value after a colon."""

COUNTS = ("segments", "messages")
"""Keys with a number after `>`, `<`, `>=`, `<=`, `=`."""

HAS = ("compact", "branch", "subagent", "damage", "live")

SCOPES = ("user", "assistant", "thinking", "tool", "result", "summary", "file", "talk", "lost")
"""Where a search looks; `talk` is what was said, and titles; `lost` needs the loss view of a compaction."""

_TOKEN = re.compile(
    r'\s*(?P<not>!?)(?:(?P<key>[A-Za-z_]+)(?P<op>:|>=|<=|>|<|=))?(?P<value>"[^"]*"?|\S*)'
)
_Token = tuple[bool, str | None, str, str, str]
_OPERATORS: dict[str, Callable[[int, int], bool]] = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
    "=": operator.eq,
    ":": operator.eq,
}
_AGO = re.compile(r"(\d+)([hdwmy])$")
_HOURS = {"h": 1, "d": 24, "w": 168, "m": 730, "y": 8766}


@dataclass(frozen=True, slots=True)
class Term:
    """One condition on a session: what it says, and whether a listing meets it."""

    text: str
    negated: bool
    test: Callable[[Listing], bool]

    def accepts(self, listing: Listing) -> bool:
        """Whether the session meets the condition, or fails it where that is asked."""
        return self.test(listing) is not self.negated


@dataclass(frozen=True, slots=True)
class Query:
    """Conditions that all must hold, and the words of a search by scope (None: everywhere)."""

    terms: tuple[Term, ...] = ()
    words: tuple[tuple[str | None, str], ...] = ()

    def accepts(self, listing: Listing) -> bool:
        """Whether a session meets every condition."""
        return all(term.accepts(listing) for term in self.terms)


Test = Callable[[Listing], bool]
"""Whether a listing meets a condition."""


def parse_filter(text: str, now: datetime | None = None) -> Query:
    """A filter of sessions: plain words are looked for in title and project. Raises BadQuery."""
    query, error = read_filter(text, now)
    if error is not None:
        raise error
    return query


def read_filter(
    text: str, now: datetime | None = None, words: Callable[[str], Test] | None = None
) -> tuple[Query, BadQuery | None]:
    """A filter as far as it can be read, and what is wrong with the first part that cannot.

    The error's `where` is that part as it stands in the text. `words` makes the test of a plain word,
    where title and project need not hold it exactly.
    """
    terms, wrong = list[Term](), list[BadQuery]()
    for token in _TOKEN.finditer(text):
        try:
            terms += _filter_term(token, now, words or _words_test)
        except BadQuery as error:
            wrong.append(error)
    return Query(tuple(terms)), wrong[0] if wrong else None


def _filter_term(
    token: re.Match[str], now: datetime | None, words: Callable[[str], Test]
) -> Iterator[Term]:
    for negated, key, sign, value, whole in _read(token):
        if key in SCOPES:
            raise BadQuery(f"`{key}:` belongs to searches", whole, "use `ccbrowse search`")
        test = words(value) if key is None else _test(key, sign, value, whole, now)
        yield Term(whole, negated, test)


def parse_search(text: str, now: datetime | None = None) -> Query:
    """A search: conditions on sessions, and the words to find in them by scope. Raises BadQuery."""
    terms: list[Term] = []
    words: list[tuple[str | None, str]] = []
    for negated, key, sign, value, whole in _tokens(text):
        if key is None or (key in SCOPES and sign == ":"):
            if negated:
                raise BadQuery("a word of a search cannot be negated", whole, "negate a key:value")
            words.append((key, value))
        else:
            terms.append(Term(whole, negated, _test(key, sign, value, whole, now)))
    return Query(tuple(terms), tuple(words))


def _tokens(text: str) -> Iterator[_Token]:
    """The tokens of a text."""
    for token in _TOKEN.finditer(text):
        yield from _read(token)


def _read(token: re.Match[str]) -> Iterator[_Token]:
    """Negated, key, sign, value and the whole of a token; nothing where it is empty."""
    whole = token.group().strip()
    if not whole:
        return
    key, sign, value = token["key"], token["op"] or "", token["value"].strip('"')
    if key is not None and not _is_key(key, sign, value, whole):
        key, sign, value = None, "", whole.lstrip("!").strip('"')
    yield bool(token["not"]), key.lower() if key else None, sign, value, whole


def near_key(name: str) -> str | None:
    """The key that is spelled nearly so; None where none is, or where it is a key itself."""
    known = (*FACTS, *COUNTS, *SCOPES)
    near = get_close_matches(name.lower(), known, n=1, cutoff=0.75)
    return near[0] if near and near[0] != name.lower() else None


def _is_key(key: str, sign: str, value: str, whole: str) -> bool:
    """Whether `key:` is meant as one; `http://x` and `a=b` are words. A likely slip is an error."""
    if key.lower() in (*FACTS, *COUNTS, *SCOPES):
        return sign == ":" or key.lower() in COUNTS
    near = near_key(key)
    if sign == ":" and value and not value.startswith(("/", ":")):
        keys = f"did you mean `{near}:`" if near else "keys: " + " ".join((*FACTS, *COUNTS))
        raise BadQuery(f"unknown key `{key}:`", whole, keys)
    if near in COUNTS and value.isdecimal():
        raise BadQuery(f"unknown key `{key}{sign}`", whole, f"did you mean `{near}{sign}`")
    return False


def _words_test(word: str) -> Test:
    wanted = word.casefold()
    return lambda listing: (
        wanted in listing.title.text.casefold() or wanted in listing.project.casefold()
    )


def _test(
    key: str, sign: str, value: str, whole: str, now: datetime | None
) -> Callable[[Listing], bool]:
    if not value:
        raise BadQuery(f"`{key}` needs a value", whole)
    if key in COUNTS:
        return _count_test(key, sign, value, whole)
    if key == "has":
        return _has_test(value, whole, now)
    if key in ("after", "before"):
        moment = _moment(value, whole, now)
        if key == "after":
            return lambda listing: listing.sort_key[0] >= moment
        return lambda listing: listing.sort_key[0] < moment
    return _fact_test(key, value.casefold())


def _fact_test(key: str, wanted: str) -> Callable[[Listing], bool]:
    if key == "version":
        return lambda listing: any(name.startswith(wanted) for name in listing.versions)
    if key == "trigger":
        return lambda listing: bool(listing.compactions.get(wanted))
    texts: dict[str, Callable[[Listing], tuple[str, ...]]] = {
        "project": lambda listing: (listing.project, listing.cwd or ""),
        "title": lambda listing: (listing.title.text,),
        "branch": lambda listing: (listing.git_branch or "",),
        "model": lambda listing: listing.models,
    }
    texts_of = texts[key]
    return lambda listing: any(wanted in text.casefold() for text in texts_of(listing))


def _count_test(key: str, sign: str, value: str, whole: str) -> Callable[[Listing], bool]:
    if not value.isdecimal():
        raise BadQuery(f"`{key}` needs a number", whole, f"for example {key}>3")
    compare, number = _OPERATORS[sign], int(value)
    if key == "segments":
        return lambda listing: compare(listing.segments, number)
    return lambda listing: compare(listing.messages, number)


def _has_test(value: str, whole: str, now: datetime | None) -> Callable[[Listing], bool]:
    tests: dict[str, Callable[[Listing], bool]] = {
        "compact": lambda listing: sum(listing.compactions.values()) > 0,
        "branch": lambda listing: listing.branches > 0,
        "subagent": lambda listing: listing.subagents > 0,
        "damage": lambda listing: listing.damaged,
        "live": _live_at(now),
    }
    if value.lower() not in tests:
        raise BadQuery(f"unknown `has:{value}`", whole, "has: " + " ".join(HAS))
    return tests[value.lower()]


def _live_at(now: datetime | None) -> Test:
    """Whether a session is live: as it was listed, or at a time where one is given."""
    if now is None:
        return lambda listing: listing.live
    moment = round(now.timestamp() * 1000)
    return lambda listing: is_live(listing.updated, moment)


def _moment(value: str, whole: str, now: datetime | None) -> int:
    """Milliseconds of `2026-02-03`, an ISO time, or `7d` ago (h, d, w, m, y); dates in the user's zone."""
    now = now or datetime.now(UTC)
    try:
        if ago := _AGO.match(value.lower()):
            moment = now - timedelta(hours=int(ago[1]) * _HOURS[ago[2]])
            return round(moment.timestamp() * 1000)
        return round(datetime.fromisoformat(value).astimezone().timestamp() * 1000)
    except (ValueError, OverflowError) as error:
        raise BadQuery("not a date", whole, "for example after:2026-02-03 or after:7d") from error
