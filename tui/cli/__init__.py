"""The command line: thin commands over the core. `main` is what `ccbrowse` runs."""

from ccbrowse.tui.cli.start import main

__all__ = ["main"]
