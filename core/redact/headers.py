"""Credentials in HTTP headers: authorization schemes, cookies, signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccbrowse.core.redact.found import Found, Rank
from ccbrowse.core.redact.page import Page
from ccbrowse.core.redact.values import Grade, grade, is_stand_in, is_uuid, randomness
from ccbrowse.core.redact.vocabulary import words

_AUTHORIZATION = re.compile(
    r"""authorization["'\])]{0,3}[ \t]*(?:[:=,]|=>)[ \t]*[rbfu]?["'`]?
        (?:(?P<scheme>[A-Za-z][A-Za-z0-9\-]{2,24})[ \t]+)?
        (?P<value>[A-Za-z0-9_][^\s"'`\\<>,;]{7,4096})""",
    re.VERBOSE | re.IGNORECASE,
)
_SCHEME = re.compile(
    r"(?P<scheme>Bearer|Basic)[ \t]+[\"'`]?(?P<value>[A-Za-z0-9_][^\s\"'`\\<>,;]{7,4096})",
    re.IGNORECASE,
)
_PARAMETRIC = words("digest aws4-hmac-sha256 oauth hawk")
_PARAMETER = re.compile(
    r"""\b(?P<name>response|oauth_signature|oauth_token|signature|token)[ \t]*=[ \t]*
        "?(?P<value>[\w+/=%\-]{8,512})""",
    re.VERBOSE | re.IGNORECASE,
)
_COOKIE = re.compile(
    r"""cookie\d?["'\])]{0,3}[ \t]*(?:[:=,]|=>)[ \t]*[rbfu]?["'`]?""", re.IGNORECASE
)
_COOKIE_OPTION = re.compile(r"""(?<=\s)(?:-b|--cookie)[ \t=]+["']?(?=[\w.\-]{1,80}=)""")
_CRUMB = re.compile(
    r"""[ \t]*(?P<name>[\w.\-%\[\]$]{1,80})=(?P<value>[^;,\s"'`\\]{0,4096})(?P<more>;?)"""
)
_COOKIE_ATTRIBUTES = words("path domain expires max-age samesite secure httponly priority")
_SESSION_NAME = re.compile(
    r"sess|sid|auth|token|jwt|csrf|xsrf|login|remember|ident|key|secret|user", re.I
)
_SESSION_MARKS = (
    "phpsessid=", "jsessionid=", "asp.net_sessionid=", "connect.sid=", "_session=", "sessionid=",
    "csrftoken=", "xsrf-token=",
)  # fmt: skip
_SESSION_VALUE = re.compile(r"[\w%.~+/\-:|]{12,4096}")
_GUARDED = re.compile(r"__(?:Secure|Host)-[\w.\-]{1,64}=")
_LOGIN_PAIR = re.compile(
    r"""(?:auth|credentials?)[\w]{0,8}["']?[ \t]{0,4}[=:(,][ \t]{0,4}[\[({]?[ \t]{0,4}
        (?:"[^"\n]{1,64}"|'[^'\n]{1,64}')[ \t]{0,4},[ \t]{0,4}["'](?P<value>[^"'\s]{6,128})["']""",
    re.VERBOSE | re.IGNORECASE,
)


def _plausible(value: str, scheme: str) -> bool:
    if is_stand_in(value) or not value.strip("*.-_"):
        return False
    if scheme == "basic":
        return (
            len(value) >= 8
            and value.lower() not in {"authentication", "authorization"}
            and (randomness(value) >= 4 or value.endswith("="))
        )
    return grade(value) >= (Grade.PASSWORD if scheme else Grade.TOKEN)


def _authorizations(page: Page) -> Iterator[Found]:
    text = page.text
    for pattern, marks in ((_AUTHORIZATION, ("authorization",)), (_SCHEME, ("bearer", "basic"))):
        for place in page.places(*marks):
            match = pattern.match(text, place)
            if match is None:
                continue
            scheme = (match["scheme"] or "").lower()
            value = match["value"].rstrip(".:)}]")
            if scheme in _PARAMETRIC or (scheme == "token" and _PARAMETER.match(value)):
                yield from _parameters(text, match.start("value"))
            elif _plausible(value, scheme):
                at = match.start("value")
                kind = "basic-auth" if scheme == "basic" else "bearer-token"
                yield Found(at, at + len(value), Rank.PLACE, kind, value)


def _parameters(text: str, at: int) -> Iterator[Found]:
    """The parts of `Digest …`, `OAuth …`, `AWS4-HMAC-SHA256 …` and `Token token=…` that are secret."""
    for match in _PARAMETER.finditer(text, at, at + 1200):
        if grade(match["value"]) >= Grade.PASSWORD:
            yield Found(*match.span("value"), Rank.PLACE, "auth-signature", match["value"])


def _crumbs(text: str, at: int) -> Iterator[tuple[str, re.Match[str]]]:
    """The pairs of one cookie header, up to its line's or its string's end."""
    while match := _CRUMB.match(text, at):
        yield match["name"].lower(), match
        at = match.end()
        if not match["more"]:
            return


def _cookie_headers(page: Page) -> Iterator[int]:
    """Where the pairs of a cookie header or of an option with cookies begin."""
    for place in page.places("cookie"):
        match = _COOKIE.match(page.text, place)
        if match:
            yield match.end()
    if page.has("curl"):
        yield from (match.end() for match in _COOKIE_OPTION.finditer(page.text))


def _cookies(page: Page) -> Iterator[Found]:
    done = 0
    for start in _cookie_headers(page):
        for name, match in _crumbs(page.text, start) if start >= done else ():
            done = match.end()
            value = match["value"]
            looks = grade(value)
            named = bool(_SESSION_NAME.search(name)) and looks >= Grade.PASSWORD
            if name not in _COOKIE_ATTRIBUTES and (named or looks >= Grade.TOKEN):
                yield Found(*match.span("value"), Rank.PLACE, "session-cookie", value)


def _session_cookies(page: Page) -> Iterator[Found]:
    """Cookies whose names tell what they are, outside of headers too."""
    guarded = (_GUARDED.match(page.text, at) for at in page.places("__secure-", "__host-"))
    for start in (*page.ends(*_SESSION_MARKS), *(match.end() for match in guarded if match)):
        match = _SESSION_VALUE.match(page.text, start)
        if match and grade(match.group()) >= Grade.TOKEN and not is_uuid(match.group()):
            yield Found(*match.span(), Rank.PLACE, "session-cookie", match.group())


def scan_headers(page: Page) -> Iterator[Found]:
    """What authorization and cookie headers carry, also where a program sets or logs them."""
    yield from _authorizations(page)
    yield from _cookies(page)
    yield from _session_cookies(page)
    for place in page.places("auth", "credential"):
        match = _LOGIN_PAIR.match(page.text, place)
        if match and grade(match["value"]) >= Grade.PASSWORD:
            yield Found(*match.span("value"), Rank.PLACE, "basic-auth", match["value"])
