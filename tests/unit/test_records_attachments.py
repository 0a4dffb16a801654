"""Attachments: prompts sent while the client worked, files in both layouts, and what is no attachment."""

from __future__ import annotations

from typing import Any

import pytest

from ccbrowse.core.records import Text, attachment_of, queued_blocks, sent_file


@pytest.mark.parametrize("odd", [None, [], "words", 7])
def test_what_is_no_object_is_no_attachment(odd: object) -> None:
    assert attachment_of({"attachment": odd}) is None
    assert queued_blocks({"attachment": odd}) == ()


def test_a_queued_prompt_is_a_text_or_blocks() -> None:
    assert queued_blocks({"attachment": {"prompt": "And this"}}) == (Text("And this"),)
    blocks = [{"type": "text", "text": "a"}, "b"]
    assert queued_blocks({"attachment": {"prompt": blocks}}) == (Text("a"), Text("b"))


def test_a_file_is_read_in_both_layouts() -> None:
    newer: dict[str, Any] = {
        "filename": "/w/a.py",
        "displayPath": "a.py",
        "content": {"type": "text", "file": {"content": "x = 1\n", "startLine": 12}},
    }
    file = sent_file(newer)
    assert (file.path, file.shown, file.text, file.first_line) == ("/w/a.py", "a.py", "x = 1\n", 12)
    older = sent_file({"displayPath": "a.py", "content": "x = 1\n"})
    assert (older.path, older.text, older.first_line) == ("a.py", "x = 1\n", 1)


def test_an_image_has_data_and_a_type_and_no_text() -> None:
    file = sent_file({"content": {"file": {"base64": "aGk=", "type": "image/png"}}})
    assert (file.data, file.media_type, file.text) == ("aGk=", "image/png", None)


def test_odd_values_are_left_out() -> None:
    file = sent_file({"filename": 3, "content": {"file": {"content": 5, "startLine": True}}})
    assert (file.path, file.text, file.first_line) == (None, None, 1)
