"""Regular expressions taken apart: those that can take for ever, and the words that one always needs.

`(a+)+b` on thirty letters `a` tries a thousand million ways before it gives up. Python's engine can
neither be timed nor stopped from outside, so such a pattern is refused before it is used. The check
knows the common forms of a repeat in a repeat, not every one that theory has.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

_MANY = 25
"""Times that a repeat may run before its ways are too many to try."""

_MAX_FORMS = 64
_PROBES = "".join(map(chr, range(0x20, 0x17F))) + "\t\n\u0416\u4e00"
_CATEGORIES = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT")
_WIDTHLESS = ("AT", "ASSERT", "ASSERT_NOT")
_SINGLE = ("LITERAL", "NOT_LITERAL", "ANY", "IN", "CATEGORY", "RANGE")

Item = tuple[Any, Any]
"""One operation of a parsed pattern, and its arguments."""


def is_hazard(pattern: str) -> bool:
    """Whether a pattern holds a repeat whose ways of matching double with each character.

    Raises what `re.compile` raises for a pattern that is none.
    """
    waiting: list[list[Item]] = [_parsed(pattern, 0)]
    while waiting:
        for item in waiting.pop():
            name, value = str(item[0]), item[1]
            many = name in _REPEATS and value[1] > _MANY
            if many and any(map(_is_shared, _forms(list(value[2])))):
                return True
            waiting.extend(_bodies(name, value))
    return False


def needed_words(pattern: str, flags: int) -> str:
    """The longest literal that every match of a pattern holds; empty where there is none.

    `flags` are those it was compiled to. Without case, letters that Python's patterns and `casefold`
    do not agree on end a literal.
    """
    runs, waiting = [""], _parsed(pattern, flags)
    while waiting:
        (op, value), waiting = waiting[0], waiting[1:]
        name = str(op)
        if name == "LITERAL" and not (flags & re.IGNORECASE and _is_odd(chr(value))):
            runs[-1] += chr(value)
        elif name == "SUBPATTERN" and not value[1] and not value[2]:
            waiting = [*value[3], *waiting]
        elif name not in _WIDTHLESS:
            runs.append("")
    return max(runs, key=len)


def _is_odd(char: str) -> bool:
    return char > "\x7f" or char in "iI"  # patterns take the dotless ı for an i


def _parsed(pattern: str, flags: int) -> list[Item]:
    """The operations of a pattern, by the parser that `re` itself uses; it has no public door."""
    return list(import_module("re._parser").parse(pattern, flags))


def _bodies(name: str, value: Any) -> Iterator[list[Item]]:
    """The sequences inside an item."""
    if name in (*_REPEATS, "POSSESSIVE_REPEAT"):
        yield list(value[2])
    elif name == "SUBPATTERN":
        yield list(value[3])
    elif name == "ATOMIC_GROUP":
        yield list(value)
    elif name == "BRANCH":
        yield from map(list, value[1])
    elif name in ("ASSERT", "ASSERT_NOT"):
        yield list(value[1])
    elif name == "GROUPREF_EXISTS":
        yield from (list(body) for body in value[1:] if body is not None)


def _forms(body: list[Item]) -> list[list[Item]]:
    """The sequences that a body stands for: groups opened, one for each way through its branches."""
    done: list[list[Item]] = []
    waiting: list[tuple[list[Item], list[Item]]] = [([], body)]
    while waiting and len(done) + len(waiting) <= _MAX_FORMS:
        before, rest = waiting.pop()
        while rest:
            (op, value), rest = rest[0], rest[1:]
            name = str(op)
            if name == "SUBPATTERN":
                rest = [*value[3], *rest]
            elif name == "BRANCH":
                waiting.extend((before, [*branch, *rest]) for branch in value[1])
                break
            else:
                before = [*before, (op, value)]
        else:
            done.append(before)
    return done


def _is_shared(form: list[Item]) -> bool:
    """Whether a repeated sequence holds a repeat whose text the next round could take as well."""
    for place, (op, value) in enumerate(form):
        if str(op) not in _REPEATS or value[1] <= _MANY:
            continue
        rest = [item for i, item in enumerate(form) if i != place and _must_match(item)]
        own = _letters(list(value[2]))
        if all(own is None or (other := _letters([i])) is None or own & other for i in rest):
            return True
    return False


def _must_match(item: Item) -> bool:
    """Whether an item takes at least one character."""
    name, value = str(item[0]), item[1]
    if name in (*_REPEATS, "POSSESSIVE_REPEAT"):
        return bool(value[0] > 0)
    return name not in _WIDTHLESS


def _letters(items: list[Item]) -> frozenset[str] | None:
    """The probes that an item of one character takes, repeats of it included; None for longer ones."""
    while len(items) == 1:
        name, value = str(items[0][0]), items[0][1]
        if name in _SINGLE:
            return frozenset(char for char in _PROBES if _takes(name, value, char))
        if name not in (*_REPEATS, "POSSESSIVE_REPEAT", "SUBPATTERN"):
            return None
        items = list(value[3] if name == "SUBPATTERN" else value[2])
    return None


def _takes(name: str, value: Any, char: str) -> bool:
    """Whether an operation for one character takes this one."""
    if name != "IN":
        return _one_takes(name, value, char)
    negated = str(value[0][0]) == "NEGATE"
    members = value[1:] if negated else value
    return any(_one_takes(str(op), arg, char) for op, arg in members) is not negated


def _one_takes(name: str, value: Any, char: str) -> bool:
    if name == "ANY":
        return char != "\n"
    if name == "LITERAL":
        return bool(ord(char) == value)
    if name == "NOT_LITERAL":
        return bool(ord(char) != value)
    if name == "RANGE":
        return bool(value[0] <= ord(char) <= value[1])
    return re.match(_CATEGORIES.get(str(value), r"\b\B"), char) is not None
