"""Options of the app's look, and the settings in force once they were heard."""

from collections.abc import Callable
from typing import Any

import click

from ccbrowse.tui.config import Settings, load_all

_HEARD = "ccbrowse.settings"


def look_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--plain`, `--ascii`, `--no-animation`, `--theme NAME`: the first is the command's own to heed."""
    for decorate in reversed(
        (
            click.option(
                "--plain",
                is_flag=True,
                help="Print and ask, line by line: for screen readers and dumb terminals.",
            ),
            _setting("--ascii", "ascii", True, "Draw with plain signs only."),
            _setting("--no-animation", "animation", False, "Let nothing glide or blink."),
            click.option(
                "--theme",
                metavar="NAME",
                expose_value=False,
                callback=_heard("theme", None),
                help="Colours: ccbrowse, ccbrowse-light, -contrast, -mono, or one of Textual's.",
            ),
        )
    ):
        command = decorate(command)
    return command


def _setting(option: str, name: str, value: bool, told: str) -> Callable[..., Any]:
    """A flag that sets a setting."""
    return click.option(
        option, is_flag=True, expose_value=False, callback=_heard(name, value), help=told
    )


def _heard(name: str, value: bool | None) -> Callable[[click.Context, click.Parameter, Any], None]:
    """Remembers a setting of the command line; `value` None: what stands behind the option."""

    def remember(context: click.Context, option: click.Parameter, given: Any) -> None:
        if given == "":
            raise click.BadParameter("needs a value", context, option)
        if given:
            context.meta.setdefault(_HEARD, {})[name] = given if value is None else value

    return remember


def settings_of(context: click.Context) -> Settings:
    """The settings in force: the command line's first. Raises CcbrowseError."""
    return load_all(told=context.meta.get(_HEARD)).settings
