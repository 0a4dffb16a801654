"""Settings from the file and the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.tui.config import Settings, config_file, load


def test_nothing_set_is_the_default(tmp_path: Path) -> None:
    assert load(tmp_path / "none.toml", {}) == Settings()
    assert config_file().name == "config.toml"


def test_the_file_is_read_and_the_environment_goes_first(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(
        'theme = "nord"\nascii = true\npolling = false\nmouse = false\n'
        '[keys]\n"boundary.next" = "f9"\nodd = 7\n'
    )
    settings = load(file, {})
    assert settings.theme == "nord" and settings.ascii and not settings.mouse
    assert settings.polling is False
    assert settings.keys == {"boundary.next": "f9"}
    told = load(file, {"CCBROWSE_THEME": "dracula", "CCBROWSE_ASCII": "0", "CCBROWSE_POLLING": "1"})
    assert (told.theme, told.ascii, told.polling) == ("dracula", False, True)


def test_odd_values_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('theme = 3\nascii = "yes"\nkeys = "none"\n')
    assert load(file, {}) == Settings()


def test_an_unknown_setting_is_answered_with_the_nearest_name(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('them = "nord"\n')
    with pytest.raises(CcbrowseError, match=r"no such setting: them, .*did you mean theme\?"):
        load(file, {})
    file.write_text("zzzz = 1\n")
    with pytest.raises(CcbrowseError, match="there are theme, ascii"):
        load(file, {})


@pytest.mark.parametrize("text", [b"theme = ", b"\xff\xfe"])
def test_a_file_that_is_no_toml_is_said(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(text)
    with pytest.raises(CcbrowseError, match=r"the settings cannot be read, .*config\.toml"):
        load(file, {})


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(CcbrowseError, match="the settings cannot be read"):
        load(tmp_path, {})
