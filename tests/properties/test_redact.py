"""Redaction on texts that nobody would write by hand."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from made_secrets import planted
from made_text import Draw

from ccbrowse.core.redact import Redactor

PIECES = st.sampled_from(
    [
        "token", "password", "=", ": ", '"', "'", "\\", "\\n", "\\u00", "%", "%3D", "&amp;", "\x1b[1m",
        "\x1b]8;;", "://", "@", "Bearer ", "curl -u ", "cookie: ", "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----", "ghp_", "sk-", "eyJ", "/home/", "C:\\Users\\", "[redacted:", "{", "\n",
        "SGVsbG8gd29ybGQgdG9rZW4=", "\ud800", "\u0130", "密码", "x" * 40, "0" * 40, "aB3xK9mQ2", " ",
    ]
)  # fmt: skip
HOSTILE = st.lists(st.one_of(PIECES, st.text(max_size=12)), max_size=30).map("".join)
# Nothing that goes on with a token, or begins a sequence that swallows it.
NEIGHBOURS = st.text(st.characters(categories=["Zs", "Po", "Ll"]), max_size=20).map(
    lambda s: f"{s} "
)
SECRETS = list(planted(77))


@given(HOSTILE)
def test_no_text_is_too_strange(text: str) -> None:
    redactor = Redactor(home="/home/ada", user="ada", emails=True)
    masked = redactor.redact(text)
    assert redactor.redact(text) == masked
    assert sum(redactor.counts().values()) == len(redactor.hits)
    places = [(hit.start, hit.end) for hit in redactor.hits[: len(redactor.hits) // 2]]
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert places == sorted(places)


@given(HOSTILE)
def test_what_is_not_hit_is_kept_sign_for_sign(text: str) -> None:
    redactor = Redactor(user="ada", emails=True)
    masked = redactor.redact(text)
    rebuilt, last = [], 0
    for hit in redactor.hits:
        rebuilt += [text[last : hit.start], hit.placeholder]
        last = hit.end
    assert "".join([*rebuilt, text[last:]]) == masked


@given(NEIGHBOURS, NEIGHBOURS, st.integers(0, 10**6))
def test_a_token_is_found_in_any_company(before: str, after: str, seed: int) -> None:
    secret = Draw(seed).fill("ghp_«A36»")
    assert secret[4:20] not in Redactor().redact(f"{before}{secret} {after}")


@given(st.lists(st.sampled_from(SECRETS), max_size=4), HOSTILE, st.booleans())
def test_a_line_of_json_stays_one_of_the_same_shape(
    secrets: list[object], noise: str, ascii_only: bool
) -> None:
    texts = [getattr(secret, "text", "") for secret in secrets]
    value = {"message": {"content": [*texts, noise]}, "n": 1, "inner": json.dumps([*texts, noise])}
    line = json.dumps(value, ensure_ascii=ascii_only)
    read = json.loads(Redactor(user="ada", emails=True).redact(line))
    assert list(read) == ["message", "n", "inner"]
    assert len(read["message"]["content"]) == len(texts) + 1
    assert all(isinstance(text, str) for text in read["message"]["content"])
    assert isinstance(json.loads(read["inner"]), list)
