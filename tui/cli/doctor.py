"""`ccbrowse doctor`: roots, cache, token counter, and every finding."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

import click

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.estimate import default_counter, family
from ccbrowse.core.findings import CODES, Finding, Severity, finding
from ccbrowse.core.forecast import Backtest, Closed, back_test, closed_segments
from ccbrowse.core.library import Library, reason
from ccbrowse.core.locate import SessionFile
from ccbrowse.core.report import finding_json
from ccbrowse.core.session import Session
from ccbrowse.core.targets import Target, find_session, parse_target, part_of
from ccbrowse.core.text import display_text
from ccbrowse.core.ticket import Ticket
from ccbrowse.tui.cli.cache import Told, told
from ccbrowse.tui.cli.caching import wants_cache
from ccbrowse.tui.cli.output import (
    cache_option,
    complain,
    json_option,
    print_json,
    print_line,
    print_table,
    roots_option,
    roots_or_none,
)
from ccbrowse.tui.cli.patience import waiting
from ccbrowse.tui.cli.ticket import explained, print_ticket

SCHEMA = "ccbrowse.report/1"


@click.command()
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@click.option("--strict", is_flag=True, help="Exit 1 where there is a finding above a note.")
@click.option(
    "--codes", is_flag=True, help="List every kind of finding, what it means and what to do."
)
@click.option(
    "--report", is_flag=True, help="Sizes, versions and counts for a bug ticket; no private text."
)
@json_option
@roots_option
@cache_option
@waiting("reading…")
def doctor(
    targets: tuple[str, ...],
    strict: bool,
    codes: bool,
    report: bool,
    as_json: bool,
    named_roots: tuple[str, ...],
    no_cache: bool,
) -> int:
    """Tell what is read and how, and everything wrong or repaired in the files."""
    if codes:
        _print_codes(as_json)
        return 0
    roots = roots_or_none(named_roots, targets) if targets or named_roots else roots_or_none((), ())
    library = Library(roots)
    named = [(find_session(each.name, roots), each) for each in map(parse_target, targets)]
    named = named if targets else [(file, Target("")) for file in library.files()]
    found: list[tuple[SessionFile, Finding]] = []
    closed: list[Closed] = []
    ticket = Ticket()
    for file, target in named:
        try:
            session = Session(file, library.folder(file.folder))
        except (OSError, CcbrowseError) as error:
            # What is to be pasted is read on a screen that shows no path.
            complain(
                "a session could not be read"
                if report
                else f"could not read {file.path}, {reason(error)}"
            )
            ticket.add_unread(error)
            words = f"the file could not be read: {reason(error)}"
            found.append((file, finding("file_unreadable", None, None, words)))
            continue
        if report:
            ticket.add(session)
        with closing(session), closing(part_of(session, target)) as part:
            found += ((file, each) for each in _within(part, target.segment))
            closed += closed_segments(part)
    kept = told() if wants_cache(no_cache) else None
    if report:
        print_ticket(ticket, len(roots), kept, _backtest_words(back_test(closed)), as_json)
    else:
        _print_environment(roots, len(named), back_test(closed), kept, as_json)
        _print_findings(found, as_json)
    serious = any(each.severity is not Severity.NOTE for _, each in found)
    return int(strict and serious)


def _within(session: Session, segment: int | None) -> Iterator[Finding]:
    """The findings of a session; of a segment those on its lines."""
    if segment is None:
        yield from session.findings
        return
    part = session.segment(segment)
    for each in session.findings:
        if each.line is not None and part.first_line <= each.line <= part.last_line:
            yield each


def _print_environment(
    roots: list[Path], sessions: int, result: Backtest, kept: Told | None, as_json: bool
) -> None:
    facts: dict[str, object] = {
        "schema": SCHEMA,
        "version": version("ccbrowse"),
        "python": sys.version.split()[0],
        "platform": sys.platform,
        "roots": [str(root) for root in roots],
        "sessions": sessions,
        "cache": kept.to_json() if kept else None,
        "token_counter": default_counter(family(None)).name,
        "forecast_backtest": {
            "forecasts": result.forecasts,
            "median_error_turns": result.median_error,
            "inside_interval": result.inside,
        },
    }
    if as_json:
        print_json(facts)
        return
    facts["forecast_backtest"] = _backtest_words(result)
    facts["cache"] = kept.words if kept else "switched off"
    for key, value in facts.items():
        if key != "schema":
            shown = (
                ", ".join(value)
                if isinstance(value, list)
                else str(value if value is not None else "none")
            )
            print_line(f"{key.replace('_', ' '):18}{display_text(shown)}")


def _backtest_words(result: Backtest) -> str:
    """How forecasts of past compactions would have done."""
    if result.median_error is None or result.inside is None:
        return "no automatic compaction to test on"
    return (
        f"{result.forecasts} made, median error {result.median_error:g} turns, "
        f"{result.inside * 100:.0f} % inside the interval (80 % stated)"
    )


def _print_findings(found: Sequence[tuple[SessionFile, Finding]], as_json: bool) -> None:
    """Each finding; for people also what those above a note mean, and what one can do."""
    for file, each in found:
        _print_finding(file, each, as_json)
    serious = {each.code for _, each in found if each.severity is not Severity.NOTE}
    if serious and not as_json:
        print_line()
        for line in explained(serious):
            print_line(line)


def _print_finding(file: SessionFile, found: Finding, as_json: bool) -> None:
    if as_json:
        print_json(finding_json(file, found))
        return
    where = f"{file.session_id[:8]}:{found.line or '–'}"
    print_line(
        f"{found.severity.value:8}{display_text(where)}  {found.code}: {display_text(found.message)}"
    )


def _print_codes(as_json: bool) -> None:
    if as_json:
        for name, code in CODES.items():
            facts = {
                "severity": code.severity.value,
                "meaning": code.meaning,
                "remedy": code.remedy,
            }
            print_json({"schema": "ccbrowse.code/1", "code": name, **facts})
        return
    head = ("code", "severity", "what it means, and what to do")
    rows = [
        (name, code.severity.value, f"{code.meaning}; {code.remedy}")
        for name, code in CODES.items()
    ]
    print_table([head, *rows])
