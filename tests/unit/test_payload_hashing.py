"""The form in which clients hash messages: JavaScript's JSON, keys sorted, cache marks gone."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccbrowse.core.payload.canonical import (
    canonical_json,
    compact_json,
    js_number,
    message_hash,
    normalised,
)

LONE = "\ud83d"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def test_a_string_is_hashed_as_one_text_block() -> None:
    plain = {"role": "user", "content": "Prune the pear tree"}
    blocks = {"role": "user", "content": [{"type": "text", "text": "Prune the pear tree"}]}
    assert message_hash(plain) == message_hash(blocks)
    expected = '{"content":[{"text":"Prune the pear tree","type":"text"}],"role":"user"}'
    assert message_hash(plain) == sha256(expected.encode()).hexdigest()


def test_cache_marks_and_the_order_of_keys_do_not_matter() -> None:
    marked = {
        "content": [{"cache_control": {"type": "ephemeral"}, "text": "Hi", "type": "text"}],
        "role": "user",
    }
    assert message_hash(marked) == message_hash({"role": "user", "content": "Hi"})


def test_other_fields_of_a_message_matter() -> None:
    bare = {"role": "system", "content": []}
    assert message_hash(bare) != message_hash({**bare, "output_config": {"effort": "low"}})


def test_text_stays_as_it_is_but_for_what_json_escapes() -> None:
    value = ["é\u2028\x7f", 'a"\\/\n\x00']
    assert canonical_json(value) == '["é\u2028\x7f","a\\"\\\\/\\n\\u0000"]'.encode()


def test_lone_surrogates_are_escaped_as_javascript_does() -> None:
    assert canonical_json(LONE) == b'"\\ud83d"'


def test_keys_are_sorted_by_utf16_units() -> None:
    assert canonical_json({"\ue000": 1, "\U00010000": 2}) == '{"\U00010000":2,"\ue000":1}'.encode()


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1.0, "1"), (-0.0, "0"), (0.1, "0.1"), (-2.5, "-2.5"), (1e20, "100000000000000000000"),
        (1e21, "1e+21"), (1.5e300, "1.5e+300"), (1e-6, "0.000001"), (1e-7, "1e-7"),
        (-1.25e-9, "-1.25e-9"), (123456789.125, "123456789.125"), (float("nan"), "null"),
    ],
)  # fmt: skip
def test_numbers_look_as_javascript_prints_them(value: float, shown: str) -> None:
    assert js_number(value) == shown


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_stay_the_same_numbers(value: float) -> None:
    assert float(js_number(value)) == value


@given(JSON)
def test_canonical_json_is_json_of_the_same_value(value: object) -> None:
    without = json.loads(json.dumps(value), object_hook=_without_marks)
    assert json.loads(canonical_json(value)) == without


def _without_marks(found: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in found.items() if key != "cache_control"}


def test_nothing_recurses_over_what_it_is_given() -> None:
    deep: object = "seed"
    for _ in range(5_000):
        deep = [deep]
    assert canonical_json(deep) == b"[" * 5_000 + b'"seed"' + b"]" * 5_000
    assert compact_json(deep) == canonical_json(deep)


def test_content_that_is_none_is_left_alone() -> None:
    assert normalised({"role": "user", "content": None}) == {"role": "user", "content": None}
