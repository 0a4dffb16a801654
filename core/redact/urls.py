"""Credentials in addresses: user parts, webhooks, signed queries, connection strings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_letters

from ccbrowse.core.redact.found import Found, Rank
from ccbrowse.core.redact.page import Page
from ccbrowse.core.redact.values import Grade, grade, is_dummy, is_monotone, is_stand_in
from ccbrowse.core.redact.vocabulary import words

_DATABASES = re.compile(
    r"""(?:postgres|postgis|psql|pgsql|mysql|maria|mongo|redis|valkey|amqp|rabbit|sqlserver|mssql|oracle|cockroach
        |clickhouse|cassandra|couch|elastic|kafka|nats|mqtt|snowflake|db2|neo4j|bolt|ldap|smtp|imap|memcache
        |redshift|trino|presto|hive|influx|surreal|libsql|sqlite|jdbc|odbc|stomp|celery|ftp|sftp)""",
    re.VERBOSE | re.IGNORECASE,
)
_USER_PART = re.compile(
    r"""(?P<user>[^\s:/?\#"'`<>\\,;(){}\[\]]{0,96}):
        (?P<password>[^\s/"'`<>\\@]{1,200}(?:@[^\s/"'`<>\\@.:]{0,64}(?=[^\s/"'`<>\\]{0,200}@))?)
        @(?=[\w\[])""",
    re.VERBOSE,
)
_SCHEME_BEFORE = re.compile(r"[A-Za-z0-9+.\-]{1,32}\Z")
_SLASHED = re.compile(
    r"""(?P<user>[^\s:/?#@"'`<>\\]{0,96}):(?P<password>[^\s"'`<>\\@]{3,128})@[\w.\-]{1,200}[:/]"""
)
_LONE_USER = re.compile(r"(?P<token>[A-Za-z0-9_\-.~%]{16,400})@(?=[\w\[])")
_WEBHOOK_MARKS = (
    "hooks.slack", "discord", "webhook.office.com", "outlook.office.com", "hooks.zapier.com",
    "hook.", "maker.ifttt.com", "chat.googleapis.com", "open.feishu.cn", "api.telegram.org",
)  # fmt: skip
_WEBHOOKS = re.compile(
    r"""(?: hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/
          | discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/
          | webhook\.office\.com/webhookb?2?/ | outlook\.office\.com/webhook/
          | hooks\.zapier\.com/hooks/catch/ | hook\.(?:[a-z0-9]{1,8}\.)?make\.com/
          | maker\.ifttt\.com/trigger/\w{1,64}/with/key/ | chat\.googleapis\.com/v1/spaces/
          | open\.feishu\.cn/open-apis/bot/v2/hook/ | api\.telegram\.org/(?:file/)?bot
        )(?P<path>[\w\-./@=?&%+:]{16,400})""",
    re.VERBOSE,
)
_PARTS = re.compile(r"[/?&=:@]")
_SIGNED = re.compile(
    r"""[?&;](?P<name>(?i:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature
        |code|hmac|auth|key|pw|pass))=(?P<value>[\w%+/=.~\-]{16,2048})""",
    re.VERBOSE,
)
_SURE = words("sig signature x-amz-signature x-amz-security-token x-goog-signature")
_AZURE = re.compile(
    r"\b(?:AccountKey|SharedAccessKey|SharedSecretKey)=([A-Za-z0-9+/]{20,120}={0,2})"
)
_OTP = re.compile(r"otpauth://[^\s\"'`<>]{1,300}?[?&]secret=([A-Za-z2-7]{16,128})")
_SAMPLE_PASSWORDS = words(
    "password passwd pass pwd pw secret token user username postgres mysql root admin guest test "
    "example port host string changeme"
)


def _user_parts(text: str) -> Iterator[Found]:
    at = text.find("://")
    while at >= 0:
        head = _SCHEME_BEFORE.search(text, max(0, at - 24), at)
        stores = bool(head and _DATABASES.search(head.group()))
        yield from _user_part(text, at + 3, stores)
        at = text.find("://", at + 3)


def _user_part(text: str, at: int, stores: bool) -> Iterator[Found]:
    kind = "connection-password" if stores else "url-password"
    match = _USER_PART.match(text, at)
    slashed = _SLASHED.match(text, at) if stores and not match else None
    if slashed and grade(slashed["password"]) >= Grade.WORD:
        match = slashed
    if match and _is_password(match["user"], match["password"]):
        yield Found(*match.span("password"), Rank.PLACE, kind, match["password"])
    lone = None if match else _LONE_USER.match(text, at)
    if lone and grade(lone["token"]) >= Grade.TOKEN:
        yield Found(*lone.span("token"), Rank.PLACE, kind, lone["token"])


def _is_password(user: str, password: str) -> bool:
    if password.lower() in _SAMPLE_PASSWORDS or password == user or is_stand_in(password):
        return False
    if (len(password) >= 12 or password.isdigit()) and is_monotone(password):
        return False
    if password.isdigit() and len(password) <= 5:  # a port: `host:8080@…` in mail-like addresses
        return False
    counted = password.lstrip(ascii_letters) in {"", "1", "12", "123", "1234"}
    return not (is_dummy(password) and (counted or not password.isalnum()))


def _webhooks(page: Page) -> Iterator[Found]:
    for place in page.places(*_WEBHOOK_MARKS):
        match = _WEBHOOKS.match(page.text, place)
        path = match["path"].rstrip(".") if match else ""
        if match and any(_is_hook(part, match.group()) for part in _PARTS.split(path)):
            at = match.start("path")
            yield Found(at, at + len(path), Rank.FORM, "webhook-url", path)


def _is_hook(part: str, address: str) -> bool:
    """Whether a part of an address opens it: drawn, and as long as that vendor makes it."""
    least = 6 if address.startswith("hooks.zapier") and part.isalnum() else 12
    return len(part) >= least and grade(part) >= Grade.PASSWORD


def scan_urls(page: Page) -> Iterator[Found]:
    """Passwords and keys that stand in an address."""
    text = page.text
    yield from _user_parts(text)
    yield from _webhooks(page)
    for match in _SIGNED.finditer(text):
        value = match["value"].rstrip(".,")
        sure = match["name"].lower() in _SURE
        if grade(value) >= (Grade.TOKEN if sure else Grade.STRONG):
            at = match.start("value")
            yield Found(at, at + len(value), Rank.PLACE, "url-signature", value)
    for pattern, kind, mark in ((_AZURE, "azure-key", "key="), (_OTP, "otp-seed", "otpauth:")):
        for match in pattern.finditer(text) if page.has(mark) else ():
            if grade(match[1]) > Grade.NONE:
                yield Found(*match.span(1), Rank.FORM, kind, match[1])
