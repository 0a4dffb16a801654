"""What an error says in one line: its type and message, found in a tool's output."""

import re

MOST = 6
"""Lines that speak for one output at most."""

_TYPED = re.compile(
    r"(?P<type>\b(?:[A-Za-z_][\w]*(?:\.|::|\\))*[A-Z][\w]*(?:Error|Exception|Warning|Failure|Fault|Panic|Interrupt|Invalid|Violation)"
    r"(?:\[[\w.]+\])?)(?P<rest>\s*[:(\[].*|\s*$)"
)
_MARKED = re.compile(
    r"^\s*(?:.{0,60}?\b)?(?:error|fatal|panic|panicked|failed|failure|exception|abort(?:ed)?|ERR!|E:"
    r"|FAIL|FAILED|segmentation fault|assertion failed|cannot|can't|could not|unable to|denied|not found"
    r"|no such|undefined|unresolved|timed? ?out|refused|killed|oomkilled|exit code|exited with"
    r"|overflow)\b.*$",
    re.IGNORECASE,
)
_CODES = re.compile(
    r"\b(?:E[A-Z]{4,}|ERR_[A-Z_]+|SQLSTATE\[\w+\]|TS\d{4}|E\d{4}|exit (?:code|status) \d+)\b"
)
_SAID = re.compile(r"(?:^|[\s:\])])(?:error|fatal|panic)(?:\[\w+\])?:\s*\S", re.IGNORECASE)
_NOISE = re.compile(
    r"^\s*(?:at |File \"|\^|~+|\.\.\.|Traceback|During handling|The above exception|Caused by: ?$"
    r"|npm ERR! (?:A complete|code|errno|path|command|syscall)|Exit code \d+\s*$|<tool_use_error>\s*$"
    r"|\d+ (?:passing|passed|tests? run)|no errors?\b|0 (?:errors|failed|failures))",
    re.IGNORECASE,
)
_TAG = re.compile(r"</?tool_use_error>")


def error_lines(text: str, *, failed: bool) -> list[str]:
    """The lines that say what went wrong, the most telling first.

    `failed`: the output is known to be an error; then its first line stands in where none tells.
    """
    lines = [line.strip() for line in _TAG.sub("", text).split("\n")]
    lines = [line for line in lines if line and not _NOISE.match(line)]
    found = [line for line in lines if any(p.search(line) for p in (_TYPED, _CODES, _SAID))]
    if failed or not found:
        marked = [line for line in lines if _MARKED.match(line)] if failed else []
        found += [line for line in marked if line not in found]
    if failed and not found:
        found = lines[:1]
    unique = list(dict.fromkeys(line[:600] for line in found))
    return unique[-MOST:] if not failed else unique[:2] + unique[2:][-(MOST - 2) :]


def message_of(line: str) -> tuple[str, str]:
    """The type and the message of an error's line; the type is empty where none is named."""
    match = _TYPED.search(line)
    if match is None:
        return "", re.sub(
            r"^\s*(?:error|fatal|panic|failed)(?:\[[\w]+\])?:\s*", "", line, flags=re.IGNORECASE
        )
    return match["type"], match["rest"].lstrip(" :(").rstrip(")") if match["rest"] else ""
