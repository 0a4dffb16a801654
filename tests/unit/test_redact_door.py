"""The Redactor itself: placeholders, counts, hits, views of wrapped text, time on hostile texts."""

from __future__ import annotations

import base64
import json
import time
from urllib.parse import quote

import pytest
from made_secrets import encoded, split
from made_text import Draw

from ccbrowse.core import redact
from ccbrowse.core.redact import Redactor

MEGABYTE = 1 << 20


def token(seed: int = 1) -> str:
    return Draw(seed).fill("ghp_«A36»")


# --- placeholders, counts, hits -----------------------------------------------------------------


def test_the_door_shows_what_it_promises() -> None:
    assert redact.__all__ == ["Hit", "Redactor"]


def test_one_secret_has_one_placeholder_however_it_is_written() -> None:
    secret = token()
    redactor = Redactor()
    texts = (
        f"GITHUB_TOKEN={secret}",
        json.dumps({"token": f'"{secret}"'}),
        f"https://acme.test/?token={quote(secret)}",
        f"base64: {encoded(secret)}",
        split(Draw(2), secret),
        f"and {secret}.",
        "".join(f"\\u{ord(c):04x}" for c in secret),
        "".join(f"%{ord(c):02X}" for c in secret),
        "".join(f"&#{ord(c)};" for c in secret),
    )
    for text in texts:
        masked = redactor.redact(text)
        assert "[redacted:github-token#1]" in masked, text
        assert "#2" not in masked
    assert redactor.counts() == {"github-token": len(texts)}


def test_numbers_follow_the_order_of_appearance_kind_by_kind() -> None:
    one, two, password = token(1), token(2), Draw(3).fill("«plain»")
    redactor = Redactor()
    masked = redactor.redact(f"{two} {one} {two} PASSWORD={password}")
    assert masked == (
        "[redacted:github-token#1] [redacted:github-token#2] [redacted:github-token#1]"
        " PASSWORD=[redacted:password#1]"
    )
    assert redactor.counts() == {"github-token": 3, "password": 1}


def test_a_password_seen_in_its_place_is_known_again_without_it() -> None:
    password = Draw(4).fill("«password»")
    redactor = Redactor()
    redactor.redact(f"DB_PASSWORD='{password}'")
    assert redactor.redact(f"I tried {password}, and {password}.") == (
        "I tried [redacted:password#1], and [redacted:password#1]."
    )
    assert Redactor().redact(f"I tried {password}, again") == f"I tried {password}, again"


def test_hits_name_the_place_and_never_the_secret() -> None:
    secret, password = token(), Draw(5).fill("«plain»")
    redactor = Redactor()
    text = f"first line\nsecond {secret}\n\nPASSWORD={password}\n/home/ada/x"
    redactor.redact("nothing here", "line 7")
    redactor.redact(text, "line 8")
    one, two, three = redactor.hits
    assert (one.kind, one.placeholder, one.origin, one.line) == (
        "github-token",
        "[redacted:github-token#1]",
        "line 8",
        2,
    )
    assert text[one.start : one.end] == secret
    assert one.preview == "ghp_… (40 characters)"
    assert (two.kind, two.line, two.preview) == ("password", 4, f"… ({len(password)} characters)")
    assert (three.kind, three.placeholder, three.line) == ("home-path", "~", 5)
    shown = repr(redactor.hits) + repr(redactor) + repr(redactor.counts())
    assert secret[4:12] not in shown
    assert password not in shown
    assert "ada" not in shown


def test_hits_can_be_left_out() -> None:
    redactor = Redactor(keep_hits=False)
    redactor.redact(token())
    assert redactor.hits == ()
    assert redactor.counts() == {"github-token": 1}


def test_what_is_masked_stays_as_it_is() -> None:
    texts = (f"TOKEN={token()}", f"password: {Draw(6).fill('«plain»')}", "cd /home/ada/src")
    for text in texts:
        once = Redactor(user="ada").redact(text)
        assert once != text
        again = Redactor(user="ada")
        assert again.redact(once) == once
        assert not again.counts()


def test_an_old_mask_does_not_shield_what_stands_around_it() -> None:
    key = Draw(11).fill("«pem»").split("\n")
    text = "\n".join([*key[:1], "[redacted:token#1]", *key[1:]])
    assert Redactor().redact(text) == "[redacted:private-key#1]"
    assert Redactor().redact(f"[redacted:token#1]{token()}") == (
        "[redacted:token#1][redacted:github-token#1]"
    )


def test_a_line_of_json_keeps_its_shape() -> None:
    secret = token()
    body = {"a": [f'x="{secret}"', {"password": Draw(7).fill("«password»")}], "n": 1.5, "z": None}
    line = json.dumps({"outer": json.dumps(body), "body": body})
    read = json.loads(Redactor().redact(line))
    assert read["body"]["a"][0] == 'x="[redacted:github-token#1]"'
    assert read["body"]["a"][1] == {"password": "[redacted:password#1]"}
    assert json.loads(read["outer"]) == read["body"]


# --- wrappings ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    [
        "\x1b[1m",
        "\x1b[38;2;1;2;3m",
        "\x9b0m",
        "\x1b(B",
        "\x1b]0;title\x07",
        "\u200b",
        "\x00",
        "\\u001b[0m",
    ],
)
def test_codes_between_the_signs_hide_nothing(code: str) -> None:
    secret = token()
    text = code.join(secret)
    masked = Redactor().redact(f"x {text} y")
    assert masked.startswith("x [redacted:github-token#1]")
    assert masked.endswith(" y")


def test_an_address_within_a_terminal_sequence_is_looked_at() -> None:
    secret = Draw(8).fill("«plain»")
    text = f"\x1b]8;;https://bob:{secret}@acme.test\x1b\\link\x1b]8;;\x1b\\"
    assert secret not in Redactor().redact(text)


def test_base64_within_base64_is_opened() -> None:
    twice = encoded(encoded(f"TOKEN={token()}"))
    assert Redactor().redact(f"x {twice} y") == "x [redacted:github-token#1] y"


def test_base64_over_several_lines_is_one() -> None:
    data = base64.encodebytes(
        f"# settings of the app\nHOST=x.org\nGITHUB_TOKEN={token()}\n".encode()
    )
    masked = Redactor().redact("```\n" + data.decode() + "```")
    assert masked.startswith("```\n[redacted:github-token#1]")
    assert data.decode()[60:90] not in masked


def test_base64_of_plain_text_stays() -> None:
    text = (
        encoded("the quick brown fox signs in with a token and a password")
        + " "
        + encoded("x" * 40)
    )
    assert Redactor().redact(text) == text


# --- hostile texts ------------------------------------------------------------------------------

REPEATED = [
    "a", " ", "\n", "\\", '"', "\x1b[", "\x1b]8;;", "%41", "sk-", "ghp_", "eyJ", "eyJ-", "://", "://a:b",
    "token=", 'password="', "secret: ", "key {", "Bearer ", "cookie=", "authorization: ", "curl -u ",
    "mysql -pabc1 ", "identified by '", ":5432:a:b:", "-----BEGIN PRIVATE KEY-----", "/home/", "users\\",
    "a@", "SGVsbG8gd29ybGQgdGhpcyBpcyBhIHRlc3Qg", "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0t", "hooks.slack.com/",
    "?sig=", "\\u0022", "\ud800", "İ", "the key is ", "AZDO", "echo x | ", "[redacted:token#1] ", "&quot;",
    "[redacted:token#1] password=aB3xK9mQ2 ",
]  # fmt: skip


@pytest.mark.parametrize("piece", ["a", " ", "eyJ", "\\", "://a:b", "SGVsbG8gd29ybGQgdGhp"])
def test_a_hostile_megabyte_comes_through_as_it_is(piece: str) -> None:
    text = piece * (MEGABYTE // len(piece))
    assert Redactor(home="/home/ada", user="ada", emails=True).redact(text) == text


@pytest.mark.parametrize("piece", REPEATED)
def test_time_grows_with_the_length_and_no_faster(piece: str) -> None:
    def seconds(length: int) -> float:
        text = ("password" + piece * length)[:length]
        before = time.process_time()
        Redactor(home="/home/ada", user="ada", emails=True).redact(text)
        return time.process_time() - before

    small, large = seconds(20_000), seconds(160_000)
    assert large < 24 * small + 0.5, (small, large)


# --- what is looked at again and again ----------------------------------------------------------


def test_a_short_text_that_held_nothing_is_masked_once_its_secret_is_known() -> None:
    """A password alone looks like any word: it is known for what it is where it stands named."""
    password = Draw(5).fill("«plain»")
    redactor = Redactor()
    assert redactor.redact(password) == redactor.redact(password) == password
    named = redactor.redact(f"PASSWORD={password}")
    assert redactor.redact(password) == named.removeprefix("PASSWORD=") != password


def test_uuids_times_and_words_seen_before_are_not_searched_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at: list[str] = []
    found = Redactor._found

    def noted(redactor: Redactor, text: str) -> object:
        looked_at.append(text)
        return found(redactor, text)

    monkeypatch.setattr(Redactor, "_found", noted)
    redactor = Redactor()
    uuid = "0b8a2f10-7c1d-4e55-9a51-3f0c7c3e9d11"
    for text in (uuid, "2026-03-02T09:00:08.473Z", "usage", "usage", "x" * 65, "x" * 65):
        assert redactor.redact(text) == text
    assert looked_at == ["usage", "x" * 65, "x" * 65]
    assert redactor.redact(f'"api_key": "{uuid}"') != f'"api_key": "{uuid}"'
