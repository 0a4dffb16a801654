"""Texts whose letters fold in odd ways, however JSON spells them, and sessions that hold them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count

from hypothesis import strategies as st

# Letters that fold to each other, to several, or out of and into ASCII; signs that JSON or a web
# page escapes; blanks; wide characters, and half of one.
LETTERS = "kK\u212asS\u017f\u00df\u1e9eiI\u0130\u0131fF\ufb01\ufb02tT\ufb05lLn\u0149\u02bc"
SIGNS = "\"\\/<&'=+(.\x1b\x7f\t\n\r \u00a0\u2028\u2026\ufffd\ud83d"
OTHERS = "\u00e9\u00c9\u03c3\u03c2\u03a3\u0416\u0436\u6c34\U0001f33e\U00010400\U00010428"
TEXTS = st.text(st.sampled_from(LETTERS * 2 + SIGNS + OTHERS), max_size=14)


@st.composite
def needles(draw: st.DrawFn, texts: list[str]) -> str:
    """Something to look for: most often a piece of what is there, in some case."""
    text = draw(st.one_of(st.sampled_from(texts), TEXTS)) if texts else draw(TEXTS)
    start = draw(st.integers(0, max(0, len(text) - 1)))
    piece = text[start : start + draw(st.integers(1, 8))]
    turns = (piece, piece.upper(), piece.lower(), piece.swapcase())
    return draw(st.sampled_from(turns)) or "k"


def spelled(text: str, style: int, numbers: Iterator[int]) -> str:
    """A JSON string of a text: as it is, in ASCII, as for web pages, or with any character escaped."""
    plain = json.dumps(text, ensure_ascii=style == 1)
    if style in (0, 1):
        return "".join(f"\\u{ord(c):04x}" if "\ud800" <= c < "\ue000" else c for c in plain)
    out = []
    for char in text:
        turn = next(numbers) * 7919 % 5
        escaped = "".join(f"\\u{int.from_bytes(unit):04{'xX'[turn % 2]}}" for unit in units(char))
        web = style == 2 and char in "<>&'+=/"
        surrogate = "\ud800" <= char < "\ue000"
        short = json.dumps(char, ensure_ascii=False)[1:-1]
        out.append(escaped if web or surrogate or (style == 3 and turn < 2) else short)
    return '"' + "".join(out) + '"'


def units(char: str) -> list[bytes]:
    """The UTF-16 units of a character."""
    data = char.encode("utf-16-be", "surrogatepass")
    return [data[i : i + 2] for i in range(0, len(data), 2)]


def session(texts: list[str], style: int, nul: bool) -> bytes:
    """Prompts, replies, calls and results with these texts, in turn; the first is a prompt."""
    numbers, parent, lines = count(1), "null", []
    for number, text in enumerate(texts):
        said = spelled(text, style, numbers)
        uuid = f"00000000-0000-4000-8000-{number:012d}"
        blocks = (
            said,
            f'[{{"type":"text","text":{said}}},{{"type":"thinking","thinking":{said},"signature":"sk"}}]',
            f'[{{"type":"tool_use","id":"c{number}","name":"Fill","input":{{"file_path":{said},"t":[{said}]}}}}]',
            f'[{{"type":"tool_result","tool_use_id":"c{number - 1}",'
            f'"content":[{{"type":"text","text":{said}}}]}}]',
        )
        kind = number % 4
        role = "user" if kind in (0, 3) else "assistant"
        line = (
            f'{{"type":"{role}","uuid":"{uuid}","parentUuid":{parent},"sessionId":"s","isSidechain":false,'
            f'"toolUseResult":{said},"message":{{"role":"{role}","content":{blocks[kind]}}}}}'
        )
        parent = f'"{uuid}"'
        data = line.encode()
        lines.append(data[:-1] + b"\x00" + data[-1:] if nul and number == 1 else data)
    return b"\n".join(lines) + b"\n"
