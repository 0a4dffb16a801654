"""Settings from the file, the environment and the command line; keys by command; what cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import CommandLine
from textual.keys import _character_to_key, format_key

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.tui.commands import keys_of
from ccbrowse.tui.commands.keymap import NO_KEY, PROFILES, key_name, keymap, shown_key
from ccbrowse.tui.config import KNOWN, Settings, config_file, load, load_all
from ccbrowse.tui.screens.rooms import ROOMS


@pytest.fixture
def file(home: Path) -> Path:
    """The user's file, in an empty folder."""
    file = config_file()
    assert file.is_relative_to(home)
    file.parent.mkdir(parents=True)
    return file


@pytest.fixture
def ccbrowse(capsysbinary: pytest.CaptureFixture[bytes]) -> CommandLine:
    """The command line."""
    return CommandLine(capsysbinary)


def test_nothing_set_is_the_default(tmp_path: Path) -> None:
    loaded = load_all(tmp_path / "none.toml", {})
    assert loaded.settings == Settings() == load(tmp_path / "none.toml", {})
    assert set(loaded.origins.values()) == {"default"}
    assert config_file().name == "config.toml"
    assert list(KNOWN) and set(KNOWN) == set(Settings.__dataclass_fields__)


def test_the_file_is_read_and_others_go_before_it(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(
        'theme = "nord"\nascii = true\npolling = false\nmouse = false\ntime = "absolute"\n'
        'roots = ["~/a", "/b"]\nprofile = "vim"\n[keys]\n"boundary.next" = "f9"\n'
    )
    settings = load(file, {})
    assert settings.theme == "nord" and settings.ascii and not settings.mouse
    assert settings.polling is False and settings.time == "absolute" and settings.profile == "vim"
    assert settings.keys == {"boundary.next": "f9"}
    assert settings.roots == (("", "~/a"), ("", "/b"))
    environ = {"CCBROWSE_THEME": "dracula", "CCBROWSE_ASCII": "0", "CCBROWSE_POLLING": "on"}
    told = load_all(file, environ, {"ascii": True})
    assert (told.settings.theme, told.settings.ascii, told.settings.polling) == (
        "dracula",
        True,
        True,
    )
    assert told.origins["theme"] == "environment (CCBROWSE_THEME)"
    assert told.origins["ascii"] == "command line" and told.origins["mouse"] == str(file)
    file.write_text('[roots]\nwork = "~/office/.claude"\n')
    assert load(file, {}).roots == (("work", "~/office/.claude"),)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('them = "nord"', r"no such setting: them, .*config\.toml, did you mean theme\?"),
        ("zzzz = 1", "no such setting: zzzz, .*there are roots, theme, ascii"),
        ("theme = 3", "theme cannot be 3, .*it is a text in quotes"),
        ('ascii = "yes"', "ascii cannot be 'yes', .*it is true or false"),
        ('keys = "none"', r"keys cannot be 'none', .*\[keys\]"),
        ("[keys]\ncopy = 7", "keys cannot be "),
        ("roots = [1]", "roots cannot be .*a list of folders"),
        ('time = "absolut"', "no such choice: absolut, time in .*did you mean absolute"),
        ('profile = "emacs"', "no such choice: emacs, .*there are standard, vim, plain"),
        ("theme = ", r"the settings cannot be read, .*config\.toml"),
        ('theme = "\udcff"', r"the settings cannot be read, .*config\.toml"),
    ],
)
def test_what_cannot_be_used_is_answered_in_a_line(tmp_path: Path, text: str, answer: str) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(CcbrowseError, match=answer):
        load(file, {})


def test_the_environment_is_held_to_the_same(tmp_path: Path) -> None:
    with pytest.raises(CcbrowseError, match="neither on nor off: perhaps, CCBROWSE_MOUSE"):
        load(tmp_path / "none", {"CCBROWSE_MOUSE": "perhaps"})
    with pytest.raises(CcbrowseError, match="did you mean hidden"):
        load(tmp_path / "none", {"CCBROWSE_TOOLS": "hiden"})
    with pytest.raises(CcbrowseError, match="the settings cannot be read"):
        load(tmp_path, {})


def test_keys_are_named_as_the_terminal_library_has_them() -> None:
    for sign in map(chr, range(33, 127)):
        assert key_name(sign) == _character_to_key(sign)
        assert key_name(key_name(sign)) == key_name(sign)
        assert shown_key(key_name(sign)) == sign
    assert (
        key_name("ctrl+shift+f5") == "ctrl+shift+f5"
        and key_name("ctrl+{") == "ctrl+left_curly_bracket"
    )
    assert key_name("ä") == "ä" and key_name("section_sign") == "section_sign"
    for key in ("up", "ctrl+left", "tab", "f10", "home"):
        assert shown_key(key).removeprefix("ctrl+") == format_key(key.removeprefix("ctrl+"))
    for wrong, near in (("ctl+n", "ctrl"), ("entr", "enter"), ("pagedwn", "pagedown")):
        with pytest.raises(CcbrowseError, match=f"no such key: .*did you mean {near}"):
            key_name(wrong)


def test_a_users_key_is_taken_from_whoever_had_it() -> None:
    told = keymap(Settings(keys={"export": "n, ctrl+e", "boundary.next": "n", "help": "?"}), {
        "one": [c for c in ROOMS["session"] if c.id in ("export", "find.next", "help")],
        "two": [c for c in ROOMS["session"] if c.id in ("boundary.next", "boundary.previous")],
    })  # fmt: skip
    assert told == {
        "export": "n,ctrl+e",
        "boundary.next": "n",
        "help": "question_mark",
        "find.next": NO_KEY,
    }
    find = next(c for c in ROOMS["session"] if c.id == "find.next")
    assert keys_of(find, told) == []


@pytest.mark.parametrize("profile", PROFILES)
def test_no_profile_gives_a_key_two_meanings_on_a_screen(profile: str) -> None:
    told = keymap(Settings(profile=profile), ROOMS)
    assert NO_KEY not in told.values()
    for name, commands in ROOMS.items():
        keys: dict[str, str] = {}
        for command in commands:
            for key in told.get(command.id, command.keys).split(","):
                assert keys.setdefault(key, command.id) == command.id, (name, key)


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        ({"exprt": "e"}, r"no such command: exprt, \[keys\], did you mean export\?"),
        ({"export": "ctl+e"}, "no such key: ctl.e, export, did you mean ctrl"),
        ({"export": " "}, "no key for export"),
        ({"segment": "f1"}, "segment keeps its keys"),
        ({"export": "e", "copy": "e"}, "e is the key of two commands, .*copy and export"),
    ],
)
def test_keys_that_cannot_be_are_answered_in_a_line(keys: dict[str, str], answer: str) -> None:
    with pytest.raises(CcbrowseError, match=answer):
        keymap(Settings(keys=keys), ROOMS)


def test_the_command_tells_each_value_and_where_it_comes_from(
    ccbrowse: CommandLine, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = ccbrowse("config").text
    assert plain.splitlines()[0] == f"settings file: {file} (not there)"
    assert "theme      ccbrowse          default" in plain
    assert plain.splitlines()[-1].split() == ["keys", "standard", "default"]
    file.write_text('profile = "plain"\nroots = ["/x"]\n[keys]\nexport = "e"\nsort = "h"\n')
    monkeypatch.setenv("CCBROWSE_MOUSE", "0")
    rows = {
        each["name"]: (each["value"], each["source"])
        for each in ccbrowse("config", "--json").objects
    }
    assert rows["mouse"] == ("off", "environment (CCBROWSE_MOUSE)")
    assert rows["roots"] == ("/x", str(file)) and rows["polling"] == ("not set", "default")
    assert rows["keys.export"] == ("e", str(file))
    assert rows["keys.move.down"] == ("down", "profile plain")
    every = ccbrowse("config", "--keys").text
    assert "Find a command by its name" in every and "boundary.next " in every
    file.write_text('[keys]\nexprt = "e"\n')
    done = ccbrowse("config")
    assert done.code == 1
    assert done.complaint == "ccbrowse: no such command: exprt, [keys], did you mean export?\n"
