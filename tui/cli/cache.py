"""`ccbrowse cache`: where the cache lies and what it holds; `ccbrowse cache clear` removes it."""

from dataclasses import dataclass

import click

from ccbrowse.core.cache import cache_folder, clear, state
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.cli.output import json_option, print_json, print_line
from ccbrowse.tui.cli.words import size

SCHEMA = "ccbrowse.cache/1"


@dataclass(frozen=True, slots=True)
class Told:
    """The cache for people and scripts: its file, its size in bytes, rows by table, and what is wrong."""

    path: str
    bytes: int
    rows: dict[str, int]
    trouble: str | None

    @property
    def words(self) -> SafeText:
        """All of it on one line."""
        if self.trouble is not None:
            how = f"cannot be used: {self.trouble}"
        elif not self.rows:
            how = "empty"
        else:
            sessions, whole = self.rows.get("listings", 0), self.rows.get("structures", 0)
            how = f"{size(self.bytes)}, {sessions:,} sessions, {whole:,} with their structure"
        return display_text(f"{self.path} ({how})")

    def to_json(self) -> dict[str, object]:
        """As the command line prints it."""
        return {"path": self.path, "bytes": self.bytes, "rows": self.rows, "trouble": self.trouble}


def told() -> Told:
    """The cache as it lies there."""
    found = state()
    return Told(str(found.path), found.bytes, found.rows, found.trouble)


@click.command()
@click.argument("action", type=click.Choice(["clear"]), required=False)
@json_option
def cache(action: str | None, as_json: bool) -> None:
    """Tell where the cache lies and what it holds; `cache clear` removes it."""
    if action is None:
        if as_json:
            print_json({"schema": SCHEMA, **told().to_json()})
        else:
            print_line(told().words)
        return
    freed = clear()
    if as_json:
        print_json({"schema": SCHEMA, "path": told().path, "freed": freed})
    else:
        gone = f"removed {size(freed)}" if freed else "nothing to remove"
        print_line(display_text(f"{gone}, {cache_folder()}"))
