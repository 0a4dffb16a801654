"""What is pressed, typed, clicked and let happen in a storm: plain steps that can be written down.

A step is a tuple of a name and what it needs; places on the screen are shares of its width and height,
so that a step means something at any size. What befalls files has a seed of its own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

from builders import HOSTILE

from ccbrowse.tui.commands.keymap import PROFILES
from ccbrowse.tui.screens.rooms import ROOMS

Step = tuple[Any, ...]
"""`key K` · `keys K…` (without waiting) · `type TEXT` · `paste TEXT` · `raw TEXT` (bytes of a terminal) ·
`click X Y BUTTON TIMES` · `drag X Y X Y` · `wheel X Y N` · `move X Y` · `size W H` · `befall SEED` ·
`rest SECONDS`."""

ROOT = "{root}"
"""In a text to type: the folder of the sessions, where nothing may be written."""

WORDS = (
    *(
        "the",
        "a",
        "e",
        "orchard",
        "apple",
        "error",
        "sampler",
        "x = 1",
        "zzz",
        "1",
        "2",
        "99",
        "$",
        "10:14",
    ),
    *(
        "line 3",
        ":2",
        "-1",
        "…",
        "日本",
        "é",
        "[red]",
        "(",
        "a|b",
        "[a-",
        "(?i)x",
        "\\",
        "*",
        "(a+)+$",
        ".*",
    ),
    *(
        "project:api after:7d has:compact",
        "lost:the",
        "lost:",
        "!has:damage",
        "segments>1",
        "tokens>>3",
    ),
    *(
        "before:2026-02-30",
        'user:"the',
        "title:",
        f"{ROOT}/x.md",
        "out.md",
        "no/such/folder/x",
        "~",
        ".",
    ),
    *("loss", "export", "theme", "help", "tour", "quit", "copy", " "),
)

PASTES = (
    *HOSTILE.values(),
    *(
        "two\nlines",
        "\x1b[31mred\x1b[0m \x07\x00",
        "[red]x[/] [/nothing]",
        "\u202eabc\u2066",
        "x" * 5000,
    ),
    *("\ud83c", "tab\tbed", ""),
)

RAW = (
    *("\x1b", "\x1b[", "\x1b[200~half a paste", "\x1b[<0;1;1M", "\x1b[<99;900;900M", "\x1b[<0;0;0m"),
    *("\x1b[?1;2c", "\x1b[1;1R", "\x1bO", "\x1b[I", "\x1b[O", "\x1b[<35;-1;5M", "\x9b31m"),
    "\x1b]52;c;YQ==\x07",
)  # fmt: skip
"""What a terminal may send that is no key."""

PHRASES: tuple[tuple[Step, ...], ...] = (
    *((("key", "enter"),),) * 8,
    *((("key", "escape"),),) * 4,
    *((("key", "slash"), ("type", ""), ("key", "enter"), ("key", "n"), ("key", "N")),) * 3,
    *((("key", "ctrl+f"), ("type", ""), ("key", "enter"), ("rest", 0.3), ("key", "enter")),) * 3,
    *((("key", "ctrl+p"), ("type", ""), ("key", "enter")),) * 2,
    (("key", "colon"), ("type", ""), ("key", "enter")),
    *((("key", "L"), ("rest", 0.2)), (("key", "P"), ("rest", 0.2)), (("key", "L"), ("key", "2"))) * 3,
    (("key", "L"), ("rest", 0.1), ("key", "3"), ("key", "c"), ("type", ""), ("key", "enter")),
    *((("key", "x"), ("key", "ctrl+s")), (("key", "x"), ("key", "ctrl+y")), (("key", "x"), ("type", ""))),
    (("key", "x"), ("key", "shift+tab"), ("key", "shift+tab"), ("type", ""), ("key", "enter")),
    *((("key", "b"), ("key", "enter")), (("key", "A"), ("key", "enter")), (("key", "i"), ("key", "enter"))),
    *((("key", "Y"), ("key", "j"), ("key", "enter")), (("key", "R"), ("key", "r"))),
    (("key", "m"), ("key", "a"), ("key", "j"), ("key", "j"), ("key", "m"), ("key", "b"), ("key", "D")),
    *((("key", "v"), ("key", "J"), ("key", "x")), (("key", "apostrophe"), ("key", "a"))),
    *((("key", "question_mark"),), (("key", "f2"), ("key", "enter"), ("key", "enter"))),
    *((("key", "g"), ("key", "enter")), (("key", "G"), ("key", "F"))),
    (("key", "tab"), ("key", "w"), ("key", "u")),
)  # fmt: skip
"""Ways that lead somewhere; an empty text is one of `WORDS`."""

SIZES = ((80, 24), (120, 40), (180, 50), (20, 6), (200, 60), (40, 10), (100, 30), (1, 1))


@cache
def bound_keys() -> tuple[str, ...]:
    """Every key that a command has, in any profile, and those that only dialogs and fields have."""
    keys = {key for commands in ROOMS.values() for c in commands for key in c.keys.split(",")}
    keys |= {
        key for profile in PROFILES.values() for told in profile.values() for key in told.split(",")
    }
    keys |= {
        "backspace",
        "delete",
        "ctrl+s",
        "ctrl+y",
        "ctrl+a",
        "ctrl+k",
        "insert",
        "f12",
        "alt+x",
        "p",
    }
    return tuple(sorted(key.strip() for key in keys))


_LEAVES = frozenset(("ctrl+q", "ctrl+c", "q", "escape"))


def key(random: Random) -> str:
    """A key; those that leave come seldom, moves and `enter` often."""
    draw = random.random()
    if draw < 0.25:
        return random.choice(
            ("j", "k", "down", "up", "enter", "tab", "pagedown", "ctrl+u", "g", "G", "l", "h")
        )
    found = random.choice(bound_keys())
    while found in _LEAVES and random.random() < (0.97 if found.startswith("ctrl") else 0.3):
        found = random.choice(bound_keys())
    return found if draw < 0.97 else chr(random.randint(33, 0x24F))


def gust(random: Random) -> list[Step]:
    """What comes next: mostly one step."""
    draw = random.random()
    if draw < 0.38:
        return [("key", key(random))]
    if draw < 0.60:
        return [_filled(step, random) for step in random.choice(PHRASES)]
    if draw < 0.66:
        return [("keys", *(key(random) for _ in range(random.randint(2, 30))))]
    if draw < 0.78:
        return [
            (
                "click",
                *_place(random),
                random.choice((1, 1, 1, 1, 1, 2, 3)),
                random.choice((1, 1, 2, 3)),
            )
        ]
    if draw < 0.82:
        return [("wheel", *_place(random), random.randint(-8, 8))]
    if draw < 0.84:
        return [("drag", *_place(random), *_place(random))]
    if draw < 0.85:
        return [("move", *_place(random)), ("rest", random.choice((0, 0.4)))]
    if draw < 0.89:
        return [
            ("size", *random.choice((*SIZES, (random.randint(20, 200), random.randint(6, 60)))))
        ]
    if draw < 0.96:
        return [("befall", random.randrange(1 << 30)), ("rest", random.choice((0, 0, 0.1, 0.3)))]
    if draw < 0.975:
        return [("paste", random.choice(PASTES))]
    if draw < 0.985:
        return [("raw", random.choice(RAW))]
    return [("rest", random.choice((0.05, 0.2, 0.6)))]


def _filled(step: Step, random: Random) -> Step:
    return ("type", random.choice(WORDS)) if step == ("type", "") else step


def _place(random: Random) -> tuple[float, float]:
    """Somewhere on the screen; its edges, where bars are, more often."""
    x, y = (random.choice((random.random(), random.random(), 0.0, 1.0)) for _ in range(2))
    return round(x, 3), round(y, 3)


def gusts(random: Random, count: int) -> list[Step]:
    """About so many steps."""
    steps: list[Step] = []
    while len(steps) < count:
        steps += gust(random)
    return steps


def written(steps: Sequence[Step]) -> str:
    """Steps as they are printed and read again: one a line, in JSON."""
    return "\n".join(json.dumps(step) for step in steps) + "\n"


def read(text: str) -> list[Step]:
    """Steps that were written."""
    return [tuple(json.loads(line)) for line in text.splitlines() if line.strip()]
