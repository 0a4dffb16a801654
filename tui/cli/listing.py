"""`ccbrowse list`: the sessions, newest record first."""

from collections.abc import Callable

import click

from ccbrowse.core.library import Library, Listing, newest_first
from ccbrowse.core.query import parse_filter
from ccbrowse.core.report import listing_json
from ccbrowse.core.text import display_text, one_line
from ccbrowse.tui.cli.caching import cache_of
from ccbrowse.tui.cli.output import (
    cache_option,
    complain,
    json_option,
    print_json,
    print_line,
    print_table,
    roots,
    roots_option,
)
from ccbrowse.tui.cli.words import age, short_tokens

SORTS: dict[str, Callable[[Listing], object]] = {
    "updated": lambda listing: listing.sort_key,
    "started": lambda listing: listing.started,
    "size": lambda listing: listing.bytes,
    "tokens": lambda listing: listing.context_now.value or 0,
    "segments": lambda listing: listing.segments,
}


@click.command("list")
@click.argument("filters", nargs=-1, metavar="[FILTER]...")
@click.option(
    "--sort",
    type=click.Choice(list(SORTS)),
    default="updated",
    show_default=True,
    help="Most first.",
)
@json_option
@roots_option
@cache_option
def list_command(
    filters: tuple[str, ...], sort: str, as_json: bool, named_roots: tuple[str, ...], no_cache: bool
) -> None:
    """List the sessions, newest record first.

    FILTER: words of the title or project, and key:value pairs: project: title: branch: model: version:
    after: before: trigger: segments>N messages>N has:compact|branch|subagent|damage|live; ! negates.
    """
    wanted = parse_filter(" ".join(filters))
    found_roots = roots(named_roots)
    with cache_of(no_cache, found_roots) as cache:
        library = Library(found_roots, cache)
        found = [listing for listing in library.scan_by_two() if wanted.accepts(listing)]
        _print(found, sort, as_json)
    for unreadable in library.unreadable:
        complain(f"could not read {unreadable.path}, {unreadable.reason}")


def _print(found: list[Listing], sort: str, as_json: bool) -> None:
    ordered = newest_first(found)
    if sort != "updated":
        ordered.sort(key=SORTS[sort], reverse=True)  # type: ignore[arg-type]  # each key is comparable
    if as_json:
        for listing in ordered:
            print_json(listing_json(listing))
    else:
        _print_table(ordered)


def _print_table(ordered: list[Listing]) -> None:
    if not ordered:
        print_line("no sessions")
        return
    head = ("id", "age", "turns", "seg", "context", "project", "title")
    rows = [
        (
            display_text(listing.session_id[:8]),
            age(listing.updated),
            str(listing.turns),
            str(listing.segments),
            short_tokens(listing.context_now),
            one_line(listing.project, 24),
            ("● " if listing.live else "")
            + one_line(listing.title.text or "(no title)", 90)
            + (f"  ⚠{listing.findings}" if listing.findings else ""),
        )
        for listing in ordered
    ]
    print_table([head, *rows], right=frozenset({1, 2, 3, 4}))
