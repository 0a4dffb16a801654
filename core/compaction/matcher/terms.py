"""A sentence to its terms: words, names as programs have them, numbers with units, paths."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise, zip_longest

from ccbrowse.core.compaction.matcher.common import ASIDE, COMMON, STOP_WORDS
from ccbrowse.core.compaction.matcher.lexicon import (
    BEFORE_POINT,
    CODE,
    ERROR_WORDS,
    EXTENSIONS,
    FOLDER,
    GENERIC,
    GOES_ON,
    HTTP_VERBS,
    HUMPS,
    LEXER,
    MONTHS,
    NAMING,
    NOT_DONE,
    PLACE,
    QUOTED,
    QUOTED_CODE,
    WIDE,
    WORD,
)
from ccbrowse.core.compaction.matcher.phrases import plain
from ccbrowse.core.compaction.matcher.quantities import (
    WORDS,
    Quantity,
    quantity,
    spelt,
)
from ccbrowse.core.compaction.matcher.stems import stem
from ccbrowse.core.compaction.matcher.synonyms import concept
from ccbrowse.core.compaction.matcher.words import words


class Kind(Enum):
    """What a term is."""

    WORD = 1
    NAME = 2
    NUMBER = 3
    PATH = 4
    SIGN = 5


@dataclass(slots=True)
class Term:
    """A term where it stands. `keys` are its literal forms, `concepts` its words (or parts) as concepts.

    `prior` is what it shows by its kind, 0 for words of grammar; `weight` that by its rarity too. `sign` is
    -1 where the sentence denies it, `hold` how firmly (0 to 1); `cues` are the concepts of words such
    as `avoid` that turn it round, unless the other sentence has the same word.
    """

    kind: Kind
    text: str
    start: int
    prior: float
    keys: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    amount: Quantity | None = None
    quoted: bool = False
    capital: bool = False
    sign: int = 1
    hold: float = 1.0
    cues: list[tuple[str, float]] = field(default_factory=list)
    before: str = ""
    after: str = ""
    clause: int = 0
    code: bool = False
    core: bool = False
    counts: tuple[str, ...] = ()
    weight: float = 0.0


def terms(text: str) -> list[Term]:
    """All terms of a sentence in order, words of grammar and signs among them."""
    text = PLACE.sub(_without_place, plain(text))
    quotes = [m.span() for m in QUOTED_CODE.finditer(text)] if "`" in text else []
    code = [m.span() for pattern in (CODE, QUOTED) for m in pattern.finditer(text)]
    found: list[Term] = []
    for match in LEXER.finditer(text):
        start = match.start()
        quoted = any(a <= start < b for a, b in code)
        if match["number"] is not None:
            found.append(_number(quantity(match), match["number"], start))
        elif match["url"]:
            found += _url(match["url"], start)
        elif match["path"]:
            found += _path(match["path"], start, quoted)
        elif match["date"]:
            found += _date(match["date"], start)
        elif match["size"] or match["version"] or match["flag"]:
            found.append(_literal(match[0], start, 1.5))
        elif match["short"]:
            found.append(_word(match["short"], start, quoted, found))
        elif match["name"]:
            called = match["name"].endswith(("!", "?")) and GOES_ON.match(text, match.end())
            found += _name(match["name"], start, quoted, found, bool(called))
        elif match["long"]:
            found.append(_literal(match[0], start, 1.2))
        else:
            found.append(Term(Kind.SIGN, match[0], start, 0.0))
    for term in found:
        term.code = any(a <= term.start < b for a, b in quotes)
    _count(found)
    _link(found)
    return found


_ONES_BEFORE = words(
    """
    after for than in within of every max min least most each about last next
    """
)


def _count(found: list[Term]) -> None:
    """Join a number in words with its unit: `one hour`, `after a year`."""
    for at, (one, unit) in enumerate(pairwise(found)):
        lone = one.text in ("a", "an") and at > 0 and found[at - 1].text in _ONES_BEFORE
        spelt_out = one.amount is not None and one.amount.spelt
        if unit.kind is not Kind.WORD or not (lone or spelt_out):
            continue
        amount = spelt("one" if lone else one.text, unit.text)
        if amount.kind:
            one.kind, one.amount, one.prior = Kind.NUMBER, amount, 0.9
            unit.prior = min(unit.prior, 0.2)


_ARTICLES = words(
    """
    the a an this that these those our my your its their all every each any some
    """
)


def _link(found: Sequence[Term]) -> None:
    """Tell each word its neighbours: what stands before it, articles left out, and right behind it."""
    words = [term for term in found if term.text not in "\"'`“”"]
    for at, term in enumerate(words):
        if term.amount is not None:
            term.counts = _counted(words[at + 1 : at + 3])
    before = ""
    for one, other in zip_longest(words, words[1:]):
        if one is None:
            break
        one.before = before
        if one.text not in _ARTICLES:
            before = _as_neighbour(one)
        if other is not None:
            one.after = "·" if other.text in _ARTICLES else _as_neighbour(other)


def _counted(following: Sequence[Term]) -> tuple[str, ...]:
    """What a number counts, by the words behind it; nothing where they do not tell."""
    found: list[str] = []
    for term in following:
        if term.kind is not Kind.WORD or not term.prior or term.text in GENERIC:
            break
        found += term.concepts[:1]
    return tuple(found)


def _as_neighbour(term: Term) -> str:
    if term.kind is Kind.SIGN:
        return ""
    return term.concepts[0] if term.kind is Kind.WORD and term.concepts else term.text


def _without_place(match: re.Match[str]) -> str:
    """A file's ending without the line and column behind it."""
    return f".{match[1]}" if match[1].casefold() in EXTENSIONS else match[0]


def literal(text: str) -> str:
    """The form in which names are compared."""
    return text.strip("`'\"@#$(){}[]<>!?.,:;*").casefold()


def technical_words(text: str) -> set[str]:
    """Everyday-looking words that a text uses as names: in code of their own, or before a point."""
    found = {match[0].strip("`").casefold() for match in CODE.finditer(text)}
    found |= {match[1].casefold() for match in BEFORE_POINT.finditer(text)}
    return {word for word in found if word.isalpha() and stem(word) not in COMMON}


def parts_of(name: str) -> tuple[str, ...]:
    """The words that a name is made of, as concepts: `rotateRefresh_token` has three."""
    found = [part.lower() for part in HUMPS.findall(name) if len(part) > 1 or part.isdigit()]
    telling = [part for part in found if part not in STOP_WORDS and part not in ERROR_WORDS]
    return tuple(concept(stem(part)) for part in telling or found)


def _number(amount: Quantity, text: str, start: int) -> Term:
    return Term(Kind.NUMBER, text.strip(), start, 1.4, amount=amount)


def _literal(text: str, start: int, prior: float) -> Term:
    key = re.sub(r"\s*[x×]\s*", "x", literal(text).removeprefix("v"))
    if ":" in key:
        key = key.removeprefix("0")
    return Term(Kind.NAME, text, start, prior, keys=(key,), quoted=True)


def _url(text: str, start: int) -> list[Term]:
    key = literal(text.rstrip(".,;:!?)"))
    return [Term(Kind.NAME, text, start, 1.8, keys=(key, key.split("//", 1)[1].rstrip("/")))]


def _date(text: str, start: int) -> list[Term]:
    year, month, day = (int(part) for part in text.split("-"))
    if not 1 <= month <= 12:
        return [_literal(text, start, 1.4)]
    name = MONTHS[month - 1]
    word = Term(Kind.WORD, name, start, 1.0, concepts=(concept(stem(name)),))
    amounts = [Quantity(float(n), "", float(n)) for n in (day, year)]
    return [word, *(_number(amount, text, start) for amount in amounts)]


def is_path(text: str, quoted: bool) -> bool:
    """Whether a text with slashes is a path, and not `and/or`."""
    last = text.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1]
    dot = last.rfind(".")
    if dot >= 0 and last[dot + 1 :].rstrip("}").casefold() in EXTENSIONS:
        return True
    if "{" in last and "." in last:
        return True
    if text.startswith(("/", "~", "./", "../")) or quoted or "\\" in text:
        return True
    return text.count("/") > 1 and bool(FOLDER.search(text))


def _path(text: str, start: int, quoted: bool) -> list[Term]:
    text = text.rstrip(".,;:!?") if not text.endswith("...") else text
    arity = re.fullmatch(r"([\w.!?]+)/\d", text)
    if arity and is_name(arity[1]):
        return [_identifier(arity[1], start)]
    if not is_path(text, quoted):
        found: list[Term] = []
        for match in re.finditer(r"[^/\\]+", text):
            found += _name(match[0], start + match.start(), quoted, found)
        return found
    base = text.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1]
    return [_file(text, base, start, 1.8)]


def _file(text: str, base: str, start: int, prior: float) -> Term:
    parts = parts_of(base.rsplit(".", 1)[0] or base)
    return Term(Kind.PATH, text, start, prior, keys=(literal(text),), concepts=parts, quoted=True)


def _name(
    text: str, start: int, quoted: bool, before: list[Term], called: bool = False
) -> list[Term]:
    bare = text.strip("()@#$")
    dot = bare.rfind(".")
    if dot > 0 and bare[dot + 1 :].casefold() in EXTENSIONS and not bare.endswith(("e.g", "i.e")):
        return [_file(bare, bare, start, 1.6)]
    if WIDE.search(bare):
        return _wide(bare, start)
    if bare.isdigit():
        return [_number(Quantity(float(bare), "", float(bare)), bare, start)]
    named = "-" in text and bool(before) and before[-1].text in NAMING
    if is_name(text) or called or named or (quoted and (text[-1:] in "!?" or "-" in text)):
        return [_identifier(text, start)]
    if text.casefold() in WORDS:
        return [_word(text, start, quoted, before)]
    found: list[Term] = []
    for match in WORD.finditer(text):
        found.append(_word(match[0], start + match.start(), quoted, before or found))
    if not found:
        found.append(_literal(text, start, 1.0))
    return found


def is_name(text: str) -> bool:
    """Whether a text is a name of a program's making: `snake_case`, `camelCase`, `Dotted.name`, `WEB-44`."""
    bare = text.strip("@#$")
    if "_" in bare or "::" in bare or "->" in bare or "\\" in bare or bare.endswith("()"):
        return True
    if bare.endswith(("!", "?")) and not bare[:-1].isalpha():
        return True
    if "." in bare:
        return not bare.casefold().endswith((".g", ".e"))
    if any(sign.isdigit() for sign in bare):
        return True
    if any(a.islower() and b.isupper() for a, b in pairwise(bare)):
        return "-" not in bare
    return text[:1] in "@#$" and len(bare) > 1


def _identifier(text: str, start: int) -> Term:
    key = literal(text)
    pieces = re.split(r"\.|::|->|\\|#", key)
    keys = [key]
    if len(pieces) > 1:
        keys += [piece for piece in pieces[-1:] if len(piece) > 3]
        if len(pieces) > 2:
            keys.append(".".join(pieces[-2:]))
    bare = text.strip("`'\"@#$(){}[]<>!?.,:;*")
    run = re.match(r"(.+-.+)-(?=[a-z\d]*\d)(?=\d*[a-z])[a-z\d]{4,}$", key)
    if run:  # the name of a pod or a build, without what its run added
        keys.append(run[1])
    return Term(Kind.NAME, text, start, 1.8, keys=tuple(keys), concepts=parts_of(bare), quoted=True)


def _word(text: str, start: int, quoted: bool, before: list[Term]) -> Term:
    lower = text.casefold().replace("’", "'")
    if lower in WORDS and not quoted:
        amount = spelt(lower, "")
        prior = 0.0 if lower == "one" else 0.7
        return Term(Kind.NUMBER, lower, start, prior, amount=amount)
    if lower in STOP_WORDS and not quoted and text not in HTTP_VERBS:
        return Term(Kind.WORD, lower, start, 0.0, keys=(lower,))
    undone = NOT_DONE.match(lower)
    root = stem(undone[1] if undone else lower)
    prior = 1.0 if len(lower) > 1 else 0.3
    if root in COMMON or root in ASIDE:
        prior = 0.45 if root not in ASIDE else 0.15
    first = not any(term.prior or term.kind is not Kind.SIGN for term in before)
    capital = text[:1].isupper() and not first
    if quoted:
        prior = 1.3 if prior == 1.0 else 0.8
    elif len(text) > 1 and text.isupper():
        prior = 1.15 if text not in HTTP_VERBS else 1.0
    elif capital and root not in ASIDE:
        prior = max(prior, 1.1)
    return Term(
        Kind.WORD,
        lower,
        start,
        prior,
        keys=(lower,),
        concepts=(concept(root),),
        quoted=quoted,
        capital=capital or (len(text) > 1 and text.isupper()),
        sign=-1 if undone else 1,
    )


def _wide(text: str, start: int) -> list[Term]:
    """Scripts without spaces: each pair of signs is a term."""
    pairs = [text[i : i + 2] for i in range(max(1, len(text) - 1))]
    return [
        Term(Kind.WORD, pair, start + i, 0.5, keys=(pair,), concepts=(pair,))
        for i, pair in enumerate(pairs)
    ]
