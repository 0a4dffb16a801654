"""`ccbrowse search`: what sessions say, found wherever it stands in them."""

import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from ccbrowse.core.errors import BadQuery
from ccbrowse.core.fields import TALK
from ccbrowse.core.library import Library
from ccbrowse.core.locate import SessionFile
from ccbrowse.core.search import (
    ALL_FIELDS,
    Field,
    Hit,
    Snippet,
    Wanted,
    as_pattern,
    newest_first,
    parse_query,
    search_wanted,
    slip,
    untold,
)
from ccbrowse.core.search.known import Known
from ccbrowse.core.targets import Target, find_session, parse_target, resolve
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.tui.cli.caching import known_of
from ccbrowse.tui.cli.output import (
    cache_option,
    complain,
    json_option,
    print_json,
    print_line,
    roots,
    roots_option,
    roots_or_none,
    say,
)

SCHEMA = "ccbrowse.hit/1"
_PATIENCE = 2.0
"""Seconds after which a slow search says how far it is."""

UUID_SHOWN = 8
"""Signs of a uuid that a hit shows: they name its record in a TARGET."""

MARK, UNMARK = "\x1b[1;4m", "\x1b[0m"
"""Around a match on a terminal: bold and underlined, so that no colour is needed to see it."""


@click.command()
@click.argument("query", metavar="QUERY")
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@click.option("--regex", is_flag=True, help="QUERY is one regular expression, as Python has them.")
@click.option("--case", is_flag=True, help="Tell capital and small letters apart.")
@click.option("--word", is_flag=True, help="Find whole words only.")
@click.option(
    "--in",
    "places",
    metavar="FIELDS",
    help=f"Look only there: a comma list of {', '.join(Field)}; talk is all that was said, and titles.",
)
@json_option
@roots_option
@cache_option
def search(
    query: str,
    targets: tuple[str, ...],
    regex: bool,
    case: bool,
    word: bool,
    places: str | None,
    as_json: bool,
    named_roots: tuple[str, ...],
    no_cache: bool,
) -> int:
    """Find text in all sessions, or in those named; the newest first. Exits with 1 where there is none.

    QUERY is taken as it stands, blanks and signs included, and found whatever its case. Known
    key:value pairs in it choose sessions (project: title: branch: model: version: after: before:
    trigger: segments>N messages>N has:…; ! negates) or say where a word must stand (user: assistant:
    thinking: tool: result: summary: file:; talk: is all that was said, and titles), or that a compaction
    must have lost it (lost:, slow); what is left is one text, or several that one record must hold. In
    double quotes QUERY is text alone. Found are prompts, replies, thinking, tools and their results,
    summaries, titles and paths: in older segments, branches and subagents too. A record that forks copied
    is found where it was written first.
    """
    asked = as_pattern(query) if regex else parse_query(query)
    wanted = Wanted(asked, fields=_fields(places), case=case, regex=regex, whole_word=word)
    found_roots = roots_or_none(named_roots, targets) if targets else roots(named_roots)
    with known_of(no_cache, found_roots) as known:
        files, parts = _sessions(targets, found_roots, known)
        told = _Progress(len(files)).told if wanted.lost and sys.stderr.isatty() else untold
        hits = search_wanted(
            wanted,
            files,
            trouble=_unreadable,
            told=told,
            copies=_names_parts(parts.values()),
            known=known,
        )
        chosen = _chosen(hits, parts)
        found = _print_objects(chosen) if as_json else _print_groups(chosen)
    if not found and not as_json:
        hint = "" if regex else slip(query)
        say(f"no hits; {hint}" if hint else "no hits")
    if wanted.given_up:
        texts = "1 text" if wanted.given_up == 1 else f"{wanted.given_up} texts"
        complain(f"the pattern took too long on {texts}, the rest of them was left out")
    return 0 if found else 1


class _Progress:
    """Says from time to time, on the terminal, how far a slow search is."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._said = time.monotonic()

    def told(self, number: int, file: SessionFile) -> None:
        """A session is about to be searched."""
        if time.monotonic() - self._said > _PATIENCE:
            self._said = time.monotonic()
            say(f"searched {number:,} of {self._count:,} sessions")


def _names_parts(parts: Iterable[list[Target]]) -> bool:
    """Whether a part of a session was named: then copies of what stands elsewhere count as well."""
    return any(t.segment or t.agent or t.uuid for named in parts for t in named)


def _fields(places: str | None) -> frozenset[Field]:
    """The fields of a comma list; all where there is none. Raises BadQuery."""
    if places is None:
        return ALL_FIELDS
    names = [name.strip().lower() for name in places.split(",") if name.strip()]
    known = {"talk", *(field.value for field in Field)}
    for name in names:
        if name not in known:
            raise BadQuery(f"unknown field `{name}`", "--in", "fields: " + " ".join(Field))
    if not names:
        raise BadQuery("no field named", "--in", "fields: " + " ".join(Field))
    talk = TALK if "talk" in names else frozenset()
    return talk | frozenset(Field(name) for name in names if name != "talk")


Parts = dict[Path, list[Target]]
"""By session file: what of it was asked for."""


def _sessions(
    targets: tuple[str, ...], found: list[Path], known: Known | None
) -> tuple[list[SessionFile], Parts]:
    """The files to search, in order, and the parts of them that were named."""
    if not targets:
        return newest_first(Library(found).files(), known), {}
    files: dict[Path, SessionFile] = {}
    parts: Parts = {}
    for text in targets:
        target = parse_target(text)
        if target.agent is not None or target.segment is not None:
            resolve(text, found).session.close()  # what is not there has no hits: that is said
        file = find_session(target.name, found)
        files[file.path] = file
        parts.setdefault(file.path, []).append(target)
    return newest_first(files.values(), known), parts


def _chosen(hits: Iterable[Hit], parts: Parts) -> Iterator[Hit]:
    """The hits in the segments, subagents and records that were named."""
    for hit in hits:
        named = parts.get(hit.session_file)
        if named is None or any(_is_in(hit, target) for target in named):
            yield hit


def _is_in(hit: Hit, target: Target) -> bool:
    return (
        target.agent in (None, hit.agent_id)
        and target.segment in (None, hit.segment)
        and target.uuid in (None, hit.uuid)
    )


def _unreadable(path: Path, reason: str) -> None:
    complain(f"could not read {path}, {reason}")


def hit_json(hit: Hit) -> dict[str, Any]:
    """One object of `search --json`."""
    return {
        "schema": SCHEMA,
        "session_id": hit.session_id,
        "file": str(hit.file),
        "uuid": hit.uuid,
        "segment": hit.segment,
        "line": hit.line,
        "field": hit.field.value,
        "snippet": hit.snippet.text,
        "on_main_line": hit.on_main_line,
        "agent_id": hit.agent_id,
        "title": hit.title,
    }


def _print_objects(hits: Iterable[Hit]) -> int:
    count = 0
    for hit in hits:
        count += 1
        print_json(hit_json(hit))
        sys.stdout.buffer.flush()  # whoever reads along need not wait for a buffer to fill
    return count


def _print_groups(hits: Iterable[Hit]) -> int:
    """Hits for people, under the title of their session; how many there were."""
    marked = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    count, session = 0, None
    for hit in hits:
        if hit.session_file != session:
            session = hit.session_file
            title = one_line(hit.title or "(no title)", 90)
            print_line(("\n" if count else "") + f"{title}  {display_text(hit.session_id)}")
        count += 1
        print_line(f"  {_place(hit)}  {_shown(hit.snippet, marked)}")
    return count


def _place(hit: Hit) -> SafeText:
    """Where a hit stands: segment and record, as a TARGET takes them, or what it is beside; line, field."""
    if hit.agent_id:
        where = f"@agent:{hit.agent_id}"
    elif hit.segment is not None:
        where = f"#{hit.segment}" + (f"/{hit.uuid[:UUID_SHOWN]}" if hit.uuid else "")
    else:
        where = "" if hit.on_main_line else "off the main line"
    line = "" if hit.line is None else f"line {hit.line}"
    return display_text("  ".join(part for part in (where, line, hit.field.value) if part))


def _shown(snippet: Snippet, marked: bool) -> SafeText:
    """A snippet on one line, its match marked on a terminal."""
    before, match = display_text(snippet.before), display_text(snippet.match)
    if marked:
        match = SafeText(f"{MARK}{match}{UNMARK}")
    return SafeText(f"{before}{match}{display_text(snippet.after)}")
