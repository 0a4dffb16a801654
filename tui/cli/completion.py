"""`ccbrowse completion`: the script that completes commands and options in a shell."""

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script of a shell: for bash, `eval "$(ccbrowse completion bash)"`."""
    from ccbrowse.tui.cli.group import ccbrowse

    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(ccbrowse, {}, "ccbrowse", "_CCBROWSE_COMPLETE").source())
