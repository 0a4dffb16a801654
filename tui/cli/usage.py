"""`ccbrowse usage`: requests counted once over all files."""

from contextlib import closing

import click

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.library import Library, reason
from ccbrowse.core.session import Session
from ccbrowse.core.targets import Target, find_session, parse_target, part_of
from ccbrowse.core.text import one_line
from ccbrowse.core.totals import By, source_of, totals
from ccbrowse.tui.cli.output import (
    cache_option,
    complain,
    json_option,
    print_json,
    print_line,
    print_table,
    roots,
    roots_option,
    roots_or_none,
)
from ccbrowse.tui.cli.patience import waiting

SCHEMA = "ccbrowse.usage/1"


@click.command()
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@click.option(
    "--by", type=click.Choice([by.value for by in By]), default="session", show_default=True
)
@json_option
@roots_option
@cache_option
@waiting("reading…")
def usage(
    targets: tuple[str, ...], by: str, as_json: bool, named_roots: tuple[str, ...], no_cache: bool
) -> None:
    """Sum up token usage: each request once, subagents included.

    Of a segment (TARGET#N) and of a subagent (TARGET@agent:ID) their own requests alone.
    """
    if targets:
        found = roots_or_none(named_roots, targets)
        named = [(find_session(each.name, found), each) for each in map(parse_target, targets)]
    else:
        named = [(file, Target("")) for file in Library(roots(named_roots)).files()]
    sources = []
    for file, target in named:
        try:
            session = Session(file)
        except (OSError, CcbrowseError) as error:
            complain(f"could not read {file.path}, {reason(error)}")
            continue
        with closing(session), closing(part_of(session, target)) as part:
            sources.append(source_of(part, target.segment, target.named(file.session_id)))
    sums = sorted(totals(sources, By(by)), key=lambda total: total.key)
    if as_json:
        for total in sums:
            print_json(
                {
                    "schema": SCHEMA,
                    "by": by,
                    "key": total.key,
                    "usage": total.usage.to_json(),
                    "sessions": total.sessions,
                }
            )
        return
    if not sums:
        print_line("no requests")
        return
    head = ("requests", "input", "cache created", "cache read", "output", "sessions", by)
    rows = [
        (
            f"{total.usage.requests:,}",
            f"{total.usage.input_tokens:,}",
            f"{total.usage.cache_creation_input_tokens:,}",
            f"{total.usage.cache_read_input_tokens:,}",
            f"{total.usage.output_tokens:,}" + ("≥" if total.usage.untrusted_requests else "="),
            str(total.sessions),
            one_line(total.key, 60),
        )
        for total in sums
    ]
    print_table([head, *rows], right=frozenset(range(6)))
    if any(total.usage.untrusted_requests for total in sums):
        print_line("≥ some clients did not keep the final output count: the true figure is higher")
