"""Home folders, user names and mail addresses."""

from __future__ import annotations

import json

import pytest

from ccbrowse.core.redact import Redactor


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("/home/ada/src/x.py", "~/src/x.py"),
        ("cd /home/ada", "cd ~"),
        ('open("/home/ada/x")', 'open("~/x")'),
        ("PATH=/home/ada/bin:/home/bob/bin", "PATH=~/bin:~/bin"),
        ("/Users/ada/Library", "~/Library"),
        ("/var/home/ada/x", "~/x"),
        ("gcc -I/home/ada/include", "gcc -I~/include"),
        ("C:\\Users\\ada\\src", "~\\src"),
        ("C:\\\\Users\\\\ada\\\\src", "~\\\\src"),
        ("c:/Users/Ada Lovelace/src", "~/src"),
        ("/mnt/c/Users/ada/src", "~/src"),
        ("\\\\wsl$\\Ubuntu\\home\\ada\\x", "~\\x"),
        ("file:///home/ada/x", "file://~/x"),
        ("%2Fhome%2Fada%2Fsrc", "~%2Fsrc"),
        ("projects/-home-ada-src-app", "projects/-home-user-src-app"),
        ("C--Users-ada-src", "C--Users-user-src"),
        ("/home/ada.", "~."),
    ],
)
def test_homes_become_a_tilde(text: str, masked: str) -> None:
    assert Redactor().redact(text) == masked
    assert Redactor(keep_paths=True).redact(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "https://example.test/home/ada/index",
        "src/home/ada/x.ts",
        'href="/home/settings"',
        "/home/user/x /home/<you>/x /home/$USER/x /home/${USER}",
        "/Users/Shared/x C:\\Users\\Public\\x",
        "GET /users/42",
        "/home/linuxbrew/.linuxbrew/bin",
    ],
)
def test_what_is_nobodys_home_stays(text: str) -> None:
    assert Redactor().redact(text) == text


def test_a_given_home_is_known_wherever_it_lies() -> None:
    redactor = Redactor(home="/data/people/ada.lovelace")
    text = "/data/people/ada.lovelace/x -data-people-ada-lovelace-x ada.lovelace@host /data/people/adam"
    assert redactor.redact(text) == "~/x -data-people-user-x user@host /data/people/adam"
    windows = Redactor(home="D:\\Homes\\Ada")
    assert windows.redact(json.dumps("D:\\Homes\\Ada\\x")) == json.dumps("~\\x")


def test_a_user_is_masked_as_a_word_of_its_own() -> None:
    redactor = Redactor(user="lovelace")
    text = (
        "lovelace@host:~$ ls -l\n-rw 1 lovelace lovelace github.com/lovelace/x lovelaces Lovelace"
    )
    assert redactor.redact(text) == (
        "user@host:~$ ls -l\n-rw 1 user user github.com/user/x lovelaces Lovelace"
    )
    assert redactor.counts() == {"user-name": 4}


def test_a_user_named_like_a_word_only_where_users_stand() -> None:
    text = "mark this: mark@host drwx 2 mark mark 4096 USER=mark ~mark/x"
    masked = "mark this: user@host drwx 2 user user 4096 USER=user ~user/x"
    assert Redactor(user="mark").redact(text) == masked


def test_mail_addresses_on_request() -> None:
    text = "Ada <ada@example.org>, git@github.com:x/y, icon@2x.png, ADA@example.org, a@b"
    redactor = Redactor(emails=True)
    assert redactor.redact(text) == (
        "Ada <[redacted:email#1]>, git@github.com:x/y, icon@2x.png, [redacted:email#1], a@b"
    )
    assert Redactor().redact(text) == text


def test_a_secret_beside_a_host_is_no_mail_address() -> None:
    masked = Redactor(emails=True).redact("redis://:Zx81hhqP0w@cache.example.org:6379/0")
    assert masked == "redis://:[redacted:connection-password#1]@cache.example.org:6379/0"
