"""Files and tools that write a password in a way of their own, without its name beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccbrowse.core.redact.found import Found, Rank
from ccbrowse.core.redact.page import Page
from ccbrowse.core.redact.values import Grade, grade

# The mark that must be in the text, in small letters; the kind; the least grade; the pattern, which
# begins with plain signs and so is looked for quickly.
_WAYS: tuple[tuple[str, str, Grade, re.Pattern[str]], ...] = (
    (
        "random_password",  # a state of Terraform
        "password",
        Grade.PASSWORD,
        re.compile(
            r'"random_password".{0,1500}?"result"\s{0,4}:\s{0,4}"(?P<s>[^"\n]{6,256})"', re.DOTALL
        ),
    ),
    (
        "assword",  # a script of expect
        "password",
        Grade.PASSWORD,
        re.compile(
            r"assword[^\n]{0,24}\n?[ \t{]{0,16}(?:exp_)?send[ \t]{1,4}(?:--[ \t]{1,4})?"
            r"[\"'](?P<s>[^\"'\n\\]{4,128})(?:\\[rn])?[\"']"
        ),
    ),
    (
        "define",  # the keys and salts of WordPress
        "secret",
        Grade.NONE,
        re.compile(
            r"define\([ \t]{0,4}['\"](?:SECURE_AUTH|AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)['\"],[ \t]{0,16}"
            r"'(?P<s>(?!put your unique)[^'\n]{32,128})'"
        ),
    ),
    (
        "ac",  # an account of Twilio and its token
        "twilio-key",
        Grade.TOKEN,
        re.compile(
            r"AC[0-9a-f]{32}[\"']?[ \t]{0,4}[,:][ \t\n]{0,16}[\"']?(?P<s>[0-9a-f]{32})(?![0-9a-f])"
        ),
    ),
    (
        "assword",  # typed into a page by a test
        "password",
        Grade.PASSWORD,
        re.compile(
            r"assword[\"'/i]{0,3}[\])]{0,2}"
            r"(?:\)[ \t]{0,4},[ \t]{0,4}|\.(?:type|fill|send_?[kK]eys|setValue)\([ \t]{0,4})"
            r"[\"'](?P<s>[^\"'\n]{6,128})[\"']"
        ),
    ),
    (
        "pass ",
        "password",
        Grade.PASSWORD,
        re.compile(r"PASS(?<=^PASS) (?P<s>[^\s/]{6,128})(?=\r?$)", re.MULTILINE),
    ),
    (
        "auth ",
        "password",
        Grade.PASSWORD,
        re.compile(r"AUTH (?<=[> ]AUTH )(?!PLAIN|LOGIN)(?P<s>[^\s/]{6,128})(?=\r?$)", re.MULTILINE),
    ),
    (
        "auth plain",
        "basic-auth",
        Grade.WORD,
        re.compile(r"AUTH PLAIN (?P<s>[A-Za-z0-9+/]{12,400}={0,2})"),
    ),
    (
        "login",
        "password",
        Grade.PASSWORD,
        re.compile(r" LOGIN (?<=\d LOGIN )\S{1,64} (?P<s>[^\s/]{4,128})(?=\r?$)", re.MULTILINE),
    ),
    (
        "nickserv",
        "password",
        Grade.PASSWORD,
        re.compile(r"NickServ[ :]{1,3}(?:IDENTIFY|identify) (?:\S{1,64} )?(?P<s>\S{6,128})"),
    ),
    (
        "{aqaaabaaaa",
        "jenkins-secret",
        Grade.WORD,
        re.compile(r"\{(?P<s>AQAAABAAAA[A-Za-z0-9+/]{20,800}={0,2})\}"),
    ),
    ("setcookie", "erlang-cookie", Grade.WORD, re.compile(r"-setcookie[ =](?P<s>[\w.\-]{8,128})")),
    ("bearer,", "bearer-token", Grade.TOKEN, re.compile(r"earer,[ \t]{0,4}(?P<s>[\w.\-]{20,800})")),
    (
        "cred",
        "password",
        Grade.PASSWORD,
        re.compile(
            r"red(?:ential)?s?(?: are| is)?: ?[\w.@+\-]{1,64} ?[/:] ?(?P<s>[^\s/,;]{6,128})"
        ),
    ),
    (
        "log",
        "password",
        Grade.PASSWORD,
        re.compile(r"og ?in (?:with|as|using) `?[\w.@+\-]{1,64}[:/](?P<s>[^\s/,;`]{6,128})"),
    ),
)


def scan_files(page: Page) -> Iterator[Found]:
    """Passwords that are known by the file or tool alone."""
    for mark, kind, least, pattern in _WAYS:
        if mark in page.low:
            for match in pattern.finditer(page.text):
                if grade(match["s"]) >= least:
                    yield Found(*match.span("s"), Rank.PLACE, kind, match["s"])
