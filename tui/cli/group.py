"""The `ccbrowse` command: finds its subcommands when they are called, and turns errors into one line."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from ccbrowse.tui.cli.output import complain, ready_streams
from ccbrowse.tui.cli.start import drop_output, endings

COMMANDS = {
    "list": "ccbrowse.tui.cli.listing:list_command",
    "show": "ccbrowse.tui.cli.show:show",
    "compactions": "ccbrowse.tui.cli.compactions:compactions",
    "payload": "ccbrowse.tui.cli.payload:payload",
    "compare": "ccbrowse.tui.cli.compare:compare",
    "export": "ccbrowse.tui.cli.export:export",
    "search": "ccbrowse.tui.cli.search:search",
    "usage": "ccbrowse.tui.cli.usage:usage",
    "tail": "ccbrowse.tui.cli.tail:tail",
    "doctor": "ccbrowse.tui.cli.doctor:doctor",
    "demo": "ccbrowse.tui.cli.app:demo",
    "config": "ccbrowse.tui.cli.config:config",
    "cache": "ccbrowse.tui.cli.cache:cache",
    "completion": "ccbrowse.tui.cli.completion:completion",
    "open": "ccbrowse.tui.cli.app:open_command",
}
"""Where each command lives: imported when it is called, so that none pays for another."""

DEFAULT = "open"
HIDDEN = frozenset({DEFAULT})


class ReaderGone(Exception):
    """Whoever read our output has closed it."""


class LazyGroup(click.Group):
    """A group whose commands are imported by name, and whose default command takes a TARGET."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands that help names."""
        return [name for name in COMMANDS if name not in HIDDEN and _exists(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        for option in command.params:
            if isinstance(option, click.Option) and not option.is_flag and option.callback is None:
                option.callback = _not_empty
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Without a command, what was given is the default command's."""
        args = _command_first(args)
        first = next((arg for arg in args if not arg.startswith("-")), None)
        told = any(arg in ("--help", "-h", "--version", "-V") for arg in args)
        unsaid = first is None and (told or ctx.resilient_parsing)  # completion offers the commands
        if first not in COMMANDS and not unsaid:
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options of the app, which needs no command, then the commands, their first sentences whole."""
        app = self.get_command(ctx, DEFAULT)
        assert app is not None
        own = {param.name for param in self.get_params(ctx)}
        named = (param for param in app.params if isinstance(param, click.Option))
        options = [param.get_help_record(ctx) for param in named if param.name not in own]
        with formatter.section("Options of the app"):
            formatter.write_dl([option for option in options if option is not None])
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, _summary(each)) for name, each in commands if each])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. A reader that went away is told apart: click would make an error of it."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError as error:
            raise ReaderGone from error
        return result


def _summary(command: click.Command) -> str:
    """What a command does: the first sentence of its help."""
    words = " ".join((command.help or "").split())
    return words.split(". ")[0].rstrip(".") + "."


def _command_first(args: list[str]) -> list[str]:
    """The command moved before options that were given ahead of it: `ccbrowse --root X list`."""
    place = 0
    while place < len(args) and args[place].startswith("--"):
        place += 2 if args[place] == "--root" else 1
    if 0 < place < len(args) and args[place] in COMMANDS:
        return [args[place], *args[:place], *args[place + 1 :]]
    return args


def _not_empty(ctx: click.Context, option: click.Parameter, value: object) -> object:
    """An option's value; an empty one is more likely a variable that was not set than a wish."""
    if value == "" or (isinstance(value, tuple) and "" in value):
        raise click.BadParameter("needs a value", ctx, option)
    return value


def _exists(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(COMMANDS[name].partition(":")[0]) is not None


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`ccbrowse [TARGET]` opens the app. TARGET is a path to a .jsonl, a session id or the start "
    "of one, or @latest; TARGET#2 is its second segment, TARGET#2/UUID a message there (its first signs do), "
    "TARGET@agent:ID one of its subagents.",
)
@click.version_option(  # the version is looked up where it is asked for: that takes a while
    None, "-V", "--version", package_name="ccbrowse", message="%(prog)s %(version)s"
)
def ccbrowse() -> None:
    """Browse Claude Code's conversation history, whole, across its compactions."""


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 could not be done, 2 wrong usage."""
    ready_streams()
    with endings():
        try:
            result: Any = ccbrowse.main(args=args, prog_name="ccbrowse", standalone_mode=False)
        except click.exceptions.Exit as done:
            sys.exit(done.exit_code)
        except click.ClickException as error:
            told = error.ctx if isinstance(error, click.UsageError) else None
            where = f"{told.info_name}: " if told and told.parent else ""
            complain(" ".join(f"{where}{error.format_message()}".split()))
            sys.exit(error.exit_code)
        except click.Abort:
            sys.exit(130)
        except ReaderGone:
            drop_output()
            sys.exit(0)
    sys.exit(result if isinstance(result, int) else 0)
