"""The clipboard: which programs take a text, and that nobody waits for one that does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccbrowse.tui.screens.clipboard import hand_over, programs, wrapped


def every(name: str) -> str:
    """All programs are there."""
    return f"/usr/bin/{name}"


@pytest.mark.parametrize(
    ("environ", "names"),
    [
        ({}, ["pbcopy"]),
        ({"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, ["wl-copy"]),
        ({"DISPLAY": ":0", "TMUX": "/tmp/t"}, ["tmux", "xclip"]),
        ({"DISPLAY": ":0", "TMUX": "/tmp/t", "SSH_CONNECTION": "a b"}, ["tmux"]),
        ({"DISPLAY": ":10", "SSH_TTY": "/dev/pts/1"}, []),
    ],
)
def test_the_environment_says_who_takes_a_text(environ: dict[str, str], names: list[str]) -> None:
    assert [command[0] for command in programs(environ, every)] == names
    assert programs(environ, lambda name: None) == []


def test_a_text_is_given_and_failures_are_let_be(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    old = tmp_path / "old"
    old.write_text(f'#!/bin/sh\n[ "$1" = -w ] && exit 1\ncat > {taken}\n')
    old.chmod(0o755)
    hand_over("ä\tb\ud800", [(str(old), "-w", "-"), ("no-such-program",)])
    assert taken.read_bytes() == "ä\tb?".encode()


def test_gnu_screen_passes_a_sequence_on_only_if_it_is_wrapped() -> None:
    assert wrapped("\x1b]52;c;eA==\a", {"STY": "1.x"}) == "\x1bP\x1b]52;c;eA==\a\x1b\\"
    assert wrapped("\x1b]52;c;eA==\a", {}) == "\x1b]52;c;eA==\a"
