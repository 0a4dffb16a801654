"""`ccbrowse show`: the outline of sessions: segments, boundaries, tokens, branches, subagents, findings."""

import time
from collections.abc import Sequence
from pathlib import Path

import click

from ccbrowse.core.autocompact import Seen, seen_triggers
from ccbrowse.core.findings import Severity
from ccbrowse.core.forecast import forecast_session, seen_elsewhere
from ccbrowse.core.numbers import Number, Source, exact, signed
from ccbrowse.core.report import session_json
from ccbrowse.core.segments import Segment
from ccbrowse.core.session import Session
from ccbrowse.core.targets import resolve
from ccbrowse.core.text import display_text, one_line
from ccbrowse.tui.cli.output import (
    cache_option,
    json_option,
    print_json,
    print_line,
    roots_option,
    roots_or_none,
)
from ccbrowse.tui.cli.patience import waiting
from ccbrowse.tui.cli.words import clock, duration, short_tokens, size
from ccbrowse.tui.viewmodels.forecast import forecast_short


@click.command()
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@json_option
@roots_option
@cache_option
@waiting("reading…")
def show(
    targets: Sequence[str], as_json: bool, named_roots: tuple[str, ...], no_cache: bool
) -> None:
    """Show the outline of one session or several."""
    roots = roots_or_none(named_roots, targets)
    seen: dict[Path, list[Seen]] = {}
    for number, target in enumerate(targets):
        session = resolve(target, roots).session
        others = _others(session, seen)
        if as_json:
            print_json(session_json(session, now=int(time.time() * 1000), seen=others))
        else:
            if number:
                print_line()
            print_outline(session, others)
        session.close()


def _others(session: Session, seen: dict[Path, list[Seen]]) -> list[Seen]:
    """The compactions of the other sessions under a session's root, each root searched once."""
    root = session.file.root
    if root not in seen:
        seen[root] = seen_elsewhere(root)
    return [each for each in seen[root] if each.session_id != session.session_id]


def print_outline(session: Session, seen: Sequence[Seen] = ()) -> None:
    """The outline for people; `seen` are compactions of other sessions."""
    facts = session.index.facts
    print_line(one_line(session.title.text or "(no title)", 100))
    print_line(f"  {display_text(session.session_id)} · {one_line(session.cwd or '–', 80)}")
    versions = ", ".join(facts.versions) or "–"
    print_line(
        f"  {clock(facts.started)} to {clock(facts.updated)} · client {one_line(versions, 60)}"
    )
    models = one_line(", ".join(session.models) or "no model", 80)
    print_line(f"  {models} · {session.messages} messages · {size(session.index.size)}")
    window = session.window
    of = f" of {window.value:,} ({window.source.value})" if window.value else ""
    print_line(f"  context now {signed(session.context_now)}{of}")
    forecast = forecast_session(session, (*seen, *seen_triggers(session)))
    if forecast is not None:
        print_line(f"  {forecast_short(forecast)}")
    for segment in session.segments:
        _print_segment(session, segment)
    _print_rest(session)


def _print_segment(session: Session, segment: Segment) -> None:
    context = segment.context
    print_line()
    if segment.boundary is not None:
        facts = segment.boundary.facts
        before = signed(exact(facts.pre_tokens, Source.BOUNDARY))
        after = signed(exact(facts.post_tokens, Source.BOUNDARY))
        trigger = one_line(facts.trigger or "unknown", 20)
        kept = f" · kept {len(segment.carried_over)}" if segment.carried_over else ""
        took = f" · {duration(facts.duration_ms)}" if facts.duration_ms is not None else ""
        print_line(f"━━ compact · {trigger} · {before} → {after}{took}{kept}")
    tokens = session.text_tokens(segment)
    texts = Number(tokens.value, Source.ESTIMATE, tokens.error)
    print_line(
        f"segment {segment.number}  {clock(segment.started)}  {segment.prompts} turns · "
        f"{segment.messages} messages · {segment.tool_calls} tool calls · "
        f"lines {segment.first_line}–{segment.last_line}"
    )
    print_line(
        f"  context {short_tokens(context.open)} → peak {short_tokens(context.peak)} → close "
        f"{short_tokens(context.close)} · texts {signed(texts)}"
    )
    usage = segment.usage
    print_line(
        f"  {usage.requests} requests · input {usage.input_tokens:,} · cache created "
        f"{usage.cache_creation_input_tokens:,} · read {usage.cache_read_input_tokens:,} · output "
        f"{signed(session.output_of(segment))}"
    )


def _unfinished(session: Session) -> int:
    """Bytes behind the last record."""
    index = session.index
    return index.size - (index.offset[-1] + index.length[-1] if len(index) else 0)


def _print_rest(session: Session) -> None:
    if session.index.incomplete_tail:
        print_line(f"\nthe last line is not finished: {size(_unfinished(session))} not read yet")
    branches = session.chain.branches
    if branches:
        kinds = [branch.kind.value.replace("_", " ") for branch in branches]
        each = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
        print_line(f"\n{len(branches)} abandoned arms: {each}")
    for agent in session.subagents():
        name = one_line(" ".join(filter(None, (agent.type, agent.description))) or "subagent", 60)
        label = " (the client's own)" if agent.internal else ""
        print_line(
            f"subagent {display_text(agent.agent_id)}  {name}{label} · {agent.messages} messages"
        )
    findings = [found for found in session.findings if found.severity is not Severity.NOTE]
    for found in findings[:20]:
        print_line(f"{found.severity.value} {found.code}: {display_text(found.message)}")
    if len(findings) > 20:
        print_line(
            f"… and {len(findings) - 20} more: ccbrowse doctor {display_text(session.session_id)}"
        )
