"""The contract's JSON: what `list`, `show`, `usage` and `doctor` print, as plain mappings.

Keys may be added; none may be renamed or dropped without a new schema number.
"""

from collections.abc import Sequence
from typing import Any

from ccbrowse.core.autocompact import Seen, seen_triggers
from ccbrowse.core.chain import Branch
from ccbrowse.core.estimate import Estimate
from ccbrowse.core.findings import Finding
from ccbrowse.core.forecast import forecast_session
from ccbrowse.core.index import iso
from ccbrowse.core.library import Listing
from ccbrowse.core.locate import SessionFile
from ccbrowse.core.segments import Boundary, Segment
from ccbrowse.core.session import Session
from ccbrowse.core.subagents import Subagent

LISTING = "ccbrowse.listing/1"
SESSION = "ccbrowse.session/1"
FINDING = "ccbrowse.finding/1"


def listing_json(listing: Listing) -> dict[str, Any]:
    """One object of `list --json`."""
    return {
        "schema": LISTING,
        "session_id": listing.session_id,
        "file": str(listing.file.path),
        "root": str(listing.file.root),
        "folder": listing.file.folder.name,
        "project": listing.project,
        "cwd": listing.cwd,
        "title": listing.title.text,
        "title_source": listing.title.source.value,
        "started": iso(listing.started),
        "updated": iso(listing.updated),
        "bytes": listing.bytes,
        "messages": listing.messages,
        "turns": listing.turns,
        "segments": listing.segments,
        "compactions": listing.compactions,
        "branches": listing.branches,
        "context_tokens_now": listing.context_now.value,
        "context_source": listing.context_now.source.value,
        "usage": listing.usage.to_json(),
        "models": list(listing.models),
        "client_versions": list(listing.versions),
        "git_branch": listing.git_branch,
        "subagents": listing.subagents,
        "findings": listing.findings,
        "live": listing.live,
    }


def session_json(
    session: Session,
    with_text_tokens: bool = True,
    now: int = 0,
    seen: Sequence[Seen] = (),
) -> dict[str, Any]:
    """The object of `show --json`. Slow where texts are counted: from a worker.

    `seen` are automatic compactions of other sessions, for the forecast.
    """
    index, facts = session.index, session.index.facts
    agents = session.subagents()
    source = session.continues_from
    forecast = forecast_session(session, (*seen, *seen_triggers(session)))
    fork = facts.forked_from
    return {
        "schema": SESSION,
        "session_id": session.session_id,
        "agent_id": session.agent_id,
        "file": str(session.file.path),
        "root": str(session.file.root),
        "folder": session.file.folder.name,
        "project": session.project,
        "cwd": session.cwd,
        "last_cwd": facts.last_cwd,
        "git_branch": facts.git_branch,
        "title": session.title.text,
        "title_source": session.title.source.value,
        "client_versions": list(facts.versions),
        "models": session.models,
        "started": iso(facts.started),
        "updated": iso(facts.updated),
        "bytes": index.size,
        "lines": session.lines,
        "messages": session.messages,
        "user_prompts": session.prompts,
        "chain": [index.uuids[row] for row in session.chain],
        "branches": len(session.chain.branches),
        "branch_leaves": [_branch(session, branch) for branch in session.chain.branches],
        "off_chain": [index.uuids[row] for row in session.chain.off_chain],
        "segments": [segment_json(session, s, with_text_tokens) for s in session.segments],
        "usage": session.usage.to_json(),
        "usage_main_line": session.usage_main_line.to_json(),
        "usage_with_subagents": session.usage_with_subagents.to_json(),
        "continues_from": source
        and {"session_id": source.session_id, "file": source.file, "uuid": source.uuid},
        "continued_in": facts.continued_in,
        "forked_from": fork and {"session_id": fork[0], "uuid": fork[1]},
        "open_calls": session.open_calls(),
        "unpaired_results": session.unpaired_results(),
        "context_tokens_now": session.context_now.value,
        "context_source": session.context_now.source.value,
        "context_window": session.window.to_json(),
        "forecast": forecast and forecast.to_json(),
        "subagents": [_subagent(agent) for agent in agents if agent.named],
        "sidechains": [_subagent(agent) for agent in agents if not agent.named],
        "live": session.is_live(now),
        "malformed_lines": index.bad_lines,
        "incomplete_tail": index.incomplete_tail,
        "findings": [_finding(found) for found in session.findings],
    }


def segment_json(
    session: Session, segment: Segment, with_text_tokens: bool = True
) -> dict[str, Any]:
    """One of `segments` of `show --json`."""
    index, context = session.index, segment.context
    tokens = session.text_tokens(segment) if with_text_tokens else None
    return {
        "number": segment.number,
        "uuids": [index.uuids[row] for row in segment.rows],
        "boundary": segment.boundary and boundary_json(segment.boundary),
        "summary": None if segment.summary is None else index.uuids[segment.summary],
        "carried_over": [index.uuids[row] for row in segment.carried_over],
        "first_line": segment.first_line,
        "last_line": segment.last_line,
        "first_byte": segment.first_byte,
        "last_byte": segment.last_byte,
        "started": iso(segment.started),
        "ended": iso(segment.ended),
        "prompts": segment.prompts,
        "messages": segment.messages,
        "tool_calls": segment.tool_calls,
        "usage": segment.usage.to_json(),
        "output": session.output_of(segment).to_json() if with_text_tokens else None,
        "context": {
            "open": context.open.to_json(),
            "peak": context.peak.to_json(),
            "close": context.close.to_json(),
        },
        "text_tokens": tokens and estimate_json(tokens),
    }


def boundary_json(boundary: Boundary) -> dict[str, Any]:
    """The `boundary` of a segment."""
    facts = boundary.facts
    return {
        "uuid": boundary.uuid,
        "timestamp": iso(boundary.time),
        "trigger": facts.trigger,
        "kind": boundary.kind.value,
        "preTokens": facts.pre_tokens,
        "postTokens": facts.post_tokens,
        "durationMs": facts.duration_ms,
        "cumulativeDroppedTokens": facts.dropped_tokens,
        "messagesSummarized": facts.messages_summarized,
        "logicalParentUuid": boundary.logical_parent,
        "resolved_by": boundary.resolved_by.value,
        "preserved": list(boundary.preserved),
        "metadata": facts.raw,
    }


def estimate_json(tokens: Estimate) -> dict[str, Any]:
    """An estimate of texts."""
    return {
        "raw": tokens.raw,
        "encoding": tokens.encoding,
        "value": tokens.value,
        "factor": tokens.factor,
        "error": tokens.error,
        "factor_source": str(tokens.source),
    }


def finding_json(file: SessionFile, found: Finding) -> dict[str, Any]:
    """One object of `doctor --json`."""
    return {
        "schema": FINDING,
        "session_id": file.session_id,
        "file": str(file.path),
        **_finding(found),
    }


def _finding(found: Finding) -> dict[str, Any]:
    return {
        "code": found.code,
        "severity": found.severity.value,
        "line": found.line,
        "uuid": found.uuid,
        "message": found.message,
    }


def _branch(session: Session, branch: Branch) -> dict[str, Any]:
    uuids = session.index.uuids
    return {
        "leaf": uuids[branch.leaf],
        "fork": None if branch.fork is None else uuids[branch.fork],
        "messages": branch.messages,
        "kind": branch.kind.value,
    }


def _subagent(agent: Subagent) -> dict[str, Any]:
    return {
        "agent_id": agent.agent_id,
        "file": str(agent.path),
        "type": agent.type,
        "description": agent.description,
        "spawned_by_tool_use": agent.spawned_by,
        "parent_agent": agent.parent_agent,
        "messages": agent.messages,
        "segments": agent.segments,
        "usage": agent.usage.to_json(),
        "internal": agent.internal,
        "inline": agent.inline,
    }
