"""Passwords on command lines, in SQL and in the small files of old tools."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccbrowse.core.redact.found import Found, Rank
from ccbrowse.core.redact.page import Page
from ccbrowse.core.redact.values import Grade, grade, is_stand_in

_LONGEST_COMMAND = 2000
_ARG = r"""(?:"(?P<a>[^"\n]{1,256})"|'(?P<b>[^'\n]{1,256})'|(?P<c>[^\s"'`;|<>]{1,256}))"""


def _option(*flags: str, glued: bool = False) -> re.Pattern[str]:
    names = "|".join(flags)
    gap = r"[ \t=]{0,4}" if glued else r"(?:[ \t]{1,8}|=)"
    return re.compile(rf"(?<=\s)(?:{names}){gap}{_ARG}")


_PASS = _option("-p", "--password", "-P")
_GLUED = re.compile(rf"(?<=\s)(?:-p(?=[^\s\-])|--password=){_ARG}")
_USER = _option("-u", "--user", "--proxy-user", "-U", glued=True)

# Which options of which commands carry a password, or `user:password` (then with a colon).
_OPTIONS: dict[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    "curl": ((_USER, ":"), (_option("--pass", "--proxy-pass", "--oauth2-bearer"), "")),
    "wget": ((_option("--password", "--http-password", "--ftp-password", "--proxy-password"), ""),),
    "http": ((_option("-a", "--auth"), ":"),),
    "xh": ((_option("-a", "--auth"), ":"),),
    "lftp": ((_option("-u"), ","),),
    "smbclient": ((_option("-U"), "%"),),
    "mysql": ((_GLUED, ""),),
    "mysqldump": ((_GLUED, ""),),
    "mysqladmin": ((_GLUED, ""),),
    "mariadb": ((_GLUED, ""),),
    "mariadb-dump": ((_GLUED, ""),),
    "sshpass": ((_option("-p", glued=True), ""),),
    "docker": ((_PASS, ""),),
    "podman": ((_PASS, ""),),
    "nerdctl": ((_PASS, ""),),
    "helm": ((_PASS, ""),),
    "oc": ((_PASS, ""),),
    "kubectl create secret": (
        (re.compile(rf"--from-literal[= ][\"']?[\w.\-]{{1,80}}={_ARG}"), ""),
    ),
    "az": ((_PASS, ""),),
    "mongo": ((_PASS, ""),),
    "mongosh": ((_PASS, ""),),
    "mongodump": ((_PASS, ""),),
    "mongorestore": ((_PASS, ""),),
    "redis-cli": ((_option("-a", "--pass"), ""),),
    "valkey-cli": ((_option("-a", "--pass"), ""),),
    "ldapsearch": ((_option("-w"), ""),),
    "ldapmodify": ((_option("-w"), ""),),
    "ldapadd": ((_option("-w"), ""),),
    "sqlcmd": ((_option("-P", glued=True), ""),),
    "bcp": ((_option("-P", glued=True), ""),),
    "mosquitto_pub": ((_option("-P", "--pw"), ""),),
    "mosquitto_sub": ((_option("-P", "--pw"), ""),),
    "unzip": ((_option("-P", glued=True), ""),),
    "zip": ((_option("-P", glued=True), ""),),
    "7z": ((_option("-p", glued=True), ""),),
    "gpg": ((_option("--passphrase"), ""),),
    "ssh-keygen": ((_option("-N", "-P"), ""),),
    "openssl": ((re.compile(rf"\bpass:{_ARG}"), ""), (_option("-k", "-K"), "")),
    "keytool": ((_option("-storepass", "-keypass"), ""),),
    "jarsigner": ((_option("-storepass", "-keypass"), ""),),
    "snowsql": ((_option("-p"), ""),),
    "clickhouse-client": ((_option("--password"), ""),),
    "rabbitmqctl": (
        (re.compile(rf"(?:add_user|change_password)[ \t]{{1,8}}\S{{1,64}}[ \t]{{1,8}}{_ARG}"), ""),
    ),
    "htpasswd": (
        (
            re.compile(
                rf"\s-[A-Za-z]{{0,6}}b[A-Za-z]{{0,6}}(?:\s{{1,4}}\S{{1,128}}){{2}}\s{{1,4}}{_ARG}"
            ),
            "",
        ),
    ),
    "xfreerdp": ((re.compile(rf"\s/p:{_ARG}"), ""),),
    "net": (
        (
            re.compile(
                rf"use(?:\s{{1,4}}[\w\\:*.$/\-]{{1,128}}){{1,2}}?\s{{1,4}}{_ARG}(?=\s{{1,4}}/user)"
            ),
            "",
        ),
        (re.compile(rf"user[ \t]{{1,4}}[\w\\.\-]{{1,128}}[ \t]{{1,4}}(?![/*]){_ARG}"), ""),
    ),
    "ipmitool": ((_option("-P"), ""),),
    "nmcli": ((_option("password"), ""),),
    "vncviewer": ((_option("-passwd"), ""),),
    "expect": ((re.compile(rf"\bsend[ \t]{{1,4}}(?:--[ \t]{{1,4}})?{_ARG}"), ""),),
}


def _any_command() -> re.Pattern[str]:
    """All names in one pattern, branched by the first letter."""
    by_letter: dict[str, list[str]] = {}
    for name in sorted(_OPTIONS, key=len, reverse=True):
        by_letter.setdefault(name[0], []).append(re.escape(name[1:]))
    branches = (f"{letter}(?:{'|'.join(rest)})" for letter, rest in by_letter.items())
    return re.compile(rf"(?:(?<![\w.\-])|(?<=\d-))(?:{'|'.join(branches)})(?:\.exe)?(?=[ \t])")


_COMMAND = _any_command()
_BARE_ARGUMENTS = ("pass:", "add_user", "change_password", "send ", "/p:", "net use", "net.exe use")
_END = re.compile(r"(?<!\\)\n|\n\n|;[ \t]|[ \t]&&[ \t]|[ \t]\|{1,2}[ \t]")

_PIPED = re.compile(
    rf"""(?:echo|printf|printf\ ['"]%s(?:\\n)?['"])[ \t]+(?:-n[ \t]+)?{_ARG}[ \t]*\|[ \t]*
        (?:sudo[ \t]+-\w*S|(?:docker|podman|helm|oras|crane|buildah|skopeo)\b[^\n|]{{0,200}}--password-stdin
        |gh[ ]auth[ ]login|(?:sudo[ \t]+)?(?:chpasswd|passwd)|cryptsetup|gpg\b|kinit|wg[ ]pubkey
        |base64\b|[^\n|]{{0,80}}\b(?:secrets?|env|token|login|passw\w+)\b)""",
    re.VERBOSE,
)
_HERE_STRING = re.compile(
    rf"(?:gh auth login|--password-stdin|sudo -\w*S|chpasswd|kinit)[^\n]{{0,120}}?<<<[ \t]*{_ARG}"
)
_SQL = re.compile(
    r"""(?: identified\s{1,8}(?:with\s{1,8}\S{1,64}\s{1,8})?(?:by|as)(?:\s{1,8}password)?
          | password(?:\s{1,8}for\s{1,8}\S{1,128})?(?:\s{0,4}=\s{0,4}password\s{0,4}\(|\s{1,4})
          | secret\s
          | pgp_sym_(?:en|de)crypt\s{0,4}\([^,\n]{1,80},
        ) \s{0,4} '(?P<a>[^'\s]{4,128})'""",
    re.VERBOSE | re.IGNORECASE,
)
_PGPASS = re.compile(
    r""":(?:\d{4,5}|\*):[\w.*\-]{1,64}:[\w.*\-]{1,64}:(?P<a>[^\s:"']{4,128})(?=["'\s]|\Z)"""
)
_ORACLE = re.compile(
    r"""(?:(?:sqlplus|impdp|expdp|sqlldr)[ \t]+(?:-\w{1,16}[ \t]+){0,4}|jdbc:oracle:\w{3,5}:)[\w.]{1,64}
        /(?P<a>[^\s@/"']{4,128})@""",
    re.VERBOSE,
)
_DIRECTIVE_MARKS = (
    "requirepass", "masterauth", "bindpw", "rootpw", "rpcpassword", "convertto-securestring",
    "sonar.login=",
)  # fmt: skip
_DIRECTIVE = re.compile(
    rf"(?:[a-z]+[ \t=]{{1,8}}|ConvertTo-SecureString[ \t]+(?:-String[ \t]+)?|sonar\.login=){_ARG}"
)


def _argument(match: re.Match[str]) -> tuple[int, str]:
    """Where the argument begins, and itself; empty for another option, a variable, a device."""
    for group in ("a", "b", "c"):
        if group in match.re.groupindex and match[group]:
            other = group == "c" and match[group].startswith(("$", "-", "/dev/", "@"))
            return match.start(group), "" if other else match[group]
    return match.start(), ""


def _found(match: re.Match[str], split: str, least: Grade) -> Iterator[Found]:
    at, value = _argument(match)
    if split:
        head, colon, value = value.partition(split)
        at += len(head) + len(colon)
    if len(value) >= 4 and not is_stand_in(value) and grade(value) >= least:
        yield Found(at, at + len(value), Rank.PLACE, "command-password", value)


def _commands(text: str) -> Iterator[Found]:
    """Each command's options, up to the end of its line or the next command."""
    pending: list[re.Match[str]] = list(_COMMAND.finditer(text))
    for number, match in enumerate(pending):
        limit = min(len(text), match.end() + _LONGEST_COMMAND)
        if number + 1 < len(pending):
            limit = min(limit, pending[number + 1].start())
        end = _END.search(text, match.end(), limit)
        stop = end.start() if end else limit
        for pattern, split in _OPTIONS[match.group().removesuffix(".exe")]:
            for option in pattern.finditer(text, match.end(), stop):
                yield from _found(option, split, Grade.WORD)


def _matches(page: Page) -> Iterator[re.Match[str]]:
    """Directives, statements and files that name a password in their own ways."""
    text = page.text
    ways = (
        (_SQL, ("identified", "password", "secret", "pgp_sym") if "'" in text else ()),
        (_ORACLE, ("sqlplus", "impdp", "expdp", "sqlldr", "jdbc:oracle")),
        (_DIRECTIVE, _DIRECTIVE_MARKS),
    )
    for pattern, marks in ways:
        for place in page.places(*marks):
            if match := pattern.match(text, place):
                yield match
    for match in _PGPASS.finditer(text):
        before = text[match.start() - 1 : match.start()]
        if before.isalnum() or before == "*":
            yield match


def _piped(page: Page) -> Iterator[Found]:
    text = page.text
    piped = (
        (_PIPED.match(text, at) for at in page.places("echo ", "printf ")) if "|" in text else ()
    )
    for match in (*piped, *(_HERE_STRING.finditer(text) if "<<<" in text else ())):
        if match is None:
            continue
        value = _argument(match)[1]
        split = ":" if value.count(":") == 1 and "passwd" in match.group() else ""
        if "base64" not in match.group() or grade(value) >= Grade.TOKEN:
            yield from _found(match, split, Grade.PASSWORD)


def scan_commands(page: Page) -> Iterator[Found]:
    """Passwords that are arguments, or are piped into the tool that asks for them."""
    text = page.text
    if " -" in text or "\t-" in text or page.has(*_BARE_ARGUMENTS):
        yield from _commands(text)
    yield from _piped(page)
    for match in _matches(page):
        yield from _found(match, "", Grade.PASSWORD)
