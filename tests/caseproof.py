"""Holds what the library says of a session, as `show` prints it, against what a case expects of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

Facts = dict[str, Any]

COUNTERS = (
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
    "requests",
)


class Case:
    """A folder with sessions, what happens in them, and what a reader should make of that."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.facts: Facts = json.loads((folder / "case.json").read_text(encoding="utf-8"))
        self.expect: Facts = self.facts["expect"]

    @property
    def root(self) -> Path:
        """The `projects` folder."""
        return self.folder / "projects"

    @property
    def sessions(self) -> list[Facts]:
        """What is expected of each session."""
        found: list[Facts] = self.expect.get("sessions", [])
        return found

    @property
    def steps(self) -> list[Facts]:
        """What happens while it is read."""
        found: list[Facts] = self.facts.get("steps", [])
        return found


def counters(usage: Facts) -> Facts:
    """The counters of a usage that the contract names."""
    return {name: usage[name] for name in COUNTERS}


def complaints(expected: Facts, shown: Facts) -> Iterator[str]:
    """What is not as a case expects it of one session."""
    other = expected.get("acceptable")
    if other and shown["chain"] == other["chain"] != expected.get("chain"):
        yield from _second_reading(other, shown)
    else:
        yield from _chain(expected, shown)
        yield from _segments(expected, shown)
        yield from _beside(expected, shown)
    yield from _lines(expected, shown)
    yield from _title(expected, shown)
    yield from _facts(expected, shown)
    yield from _agents(expected, shown)


def _different(what: str, got: object, wanted: object) -> Iterator[str]:
    if got != wanted:
        yield f"{what}: {got!r} instead of {wanted!r}"


def _chain(expected: Facts, shown: Facts) -> Iterator[str]:
    wanted, chain = expected.get("chain"), shown["chain"]
    if wanted is None:
        return
    optional = set(expected.get("chain_optional", []))
    yield from _different("a uuid twice", len(chain), len(set(chain)))
    yield from _different("too many in the chain", sorted(set(chain) - set(wanted)), [])
    yield from _different("missing", [u for u in wanted if u not in {*chain, *optional}], [])
    if expected.get("chain_order") == "partial":
        place = {uuid: at for at, uuid in enumerate(chain)}
        wrong = [
            pair
            for pair in expected["must_precede"]
            if set(pair) <= set(place) and place[pair[0]] > place[pair[1]]
        ]
        yield from _different("order", wrong, [])
    else:
        yield from _different("order", chain, [uuid for uuid in wanted if uuid in chain])


def _segments(expected: Facts, shown: Facts) -> Iterator[str]:
    segments, wanted = shown["segments"], expected.get("segments", [])
    if "n_segments" in expected:
        yield from _different("segments", len(segments), expected["n_segments"])
    optional = set(expected.get("chain_optional", []))
    for number, (want, segment) in enumerate(zip(wanted, segments, strict=False), 1):
        where = f"segment {number}"
        if "uuids" in want:
            other = (set(want["uuids"]) ^ set(segment["uuids"])) - optional
            yield from _different(f"{where}: members", sorted(other), [])
        if "usage" in want:
            got = {name: segment["usage"][name] for name in want["usage"]}
            yield from _different(f"{where}: usage", got, want["usage"])
        if "boundary" in want:
            yield from _boundary(where, want["boundary"], segment["boundary"])
        for key in {"messages"} & set(want):
            yield from _different(f"{where}: {key}", segment[key], want[key])
    if "first_segment_boundary" in expected:
        first = segments[0]["boundary"] if segments else None
        yield from _boundary("segment 1", expected["first_segment_boundary"], first)
    if "summary_flagged" in expected:
        summaries = [segment["summary"] for segment in segments if segment["summary"]]
        yield from _different("summaries", summaries, expected["summary_flagged"])


def _boundary(where: str, wanted: Facts | None, got: Facts | None) -> Iterator[str]:
    yield from _different(f"{where}: a boundary", bool(got), bool(wanted))
    for key, value in (wanted or {}).items():
        yield from _different(f"{where}: boundary {key}", (got or {}).get(key), value)


def _beside(expected: Facts, shown: Facts) -> Iterator[str]:
    leaves, off = shown["branch_leaves"], set(shown["off_chain"])
    if "branches" in expected:
        yield from _different("branches", shown["branches"], expected["branches"])
    if "branch_kinds" in expected:
        kinds = sorted(leaf["kind"] for leaf in leaves)
        yield from _different("kinds of branches", kinds, sorted(expected["branch_kinds"]))
    if "off_chain" in expected:
        yield from _different("beside", off, set(expected["off_chain"]))
    out_of_reach = set(expected.get("must_be_reachable", [])) - off - set(shown["chain"])
    yield from _different("out of reach", out_of_reach, set())
    for key in {"usage_total", "session_total_all_branches"} & set(expected):
        yield from _different(key, counters(shown["usage"]), expected[key])


def _second_reading(other: Facts, shown: Facts) -> Iterator[str]:
    """The second reading that a case allows."""
    if "n_segments" in other:
        yield from _different("segments", len(shown["segments"]), other["n_segments"])
    if "branches" in other:
        yield from _different("branches", shown["branches"], other["branches"])
    if shown["branches"] < other.get("branches_min", 0):
        yield "too few branches"
    missing = set(other.get("in_branches", [])) - set(shown["off_chain"])
    yield from _different("in no branch", missing, set())


def _lines(expected: Facts, shown: Facts) -> Iterator[str]:
    if "malformed_lines" in expected:
        whole = {int(line) for line in expected.get("recoverable_in_line", {})}
        must = set(expected["malformed_lines"]) - whole
        may = set(expected["malformed_lines"]) | set(expected.get("malformed_lines_may_also", []))
        if expected.get("incomplete_tail"):
            must -= {max(must)}
        got = set(shown["malformed_lines"])
        yield from _different("damaged lines not told", sorted(must - got), [])
        yield from _different("healthy lines called damaged", sorted(got - may), [])
    repaired = max(expected.get("broken_links", 0), int(expected.get("notice_required", False)))
    if len(shown["findings"]) < repaired:
        yield f"{len(shown['findings'])} findings for {repaired} repairs"


def _title(expected: Facts, shown: Facts) -> Iterator[str]:
    title = shown["title"]
    allowed = [expected[key] for key in ("title",) if key in expected]
    allowed += expected.get("title_also_ok", [])
    if allowed and title not in allowed:
        yield f"title {title!r}, none of {allowed!r}"
    for part in expected.get("title_must_not_contain", []):
        if part in title:
            yield f"title {title!r} has {part!r}"
    if "title_must_not_be" in expected and title == expected["title_must_not_be"]:
        yield f"title {title!r}"


def _facts(expected: Facts, shown: Facts) -> Iterator[str]:
    names = {
        "sessionId": "session_id",
        "physical_lines": "lines",
        "unpaired_calls": "open_calls",
        **dict.fromkeys(("cwd", "last_cwd", "models", "messages", "user_prompts"), ""),
        **dict.fromkeys(("context_tokens_now", "incomplete_tail", "unpaired_results"), ""),
    }
    for name, key in names.items():
        if name in expected:
            yield from _different(name, shown[key or name], expected[name])
    if "open_tool_calls" in expected:
        yield from _different("open calls", len(shown["open_calls"]), expected["open_tool_calls"])
    for key in {"continues_from", "forked_from"} & set(expected):
        yield from _different(key, (shown[key] or {}).get("session_id"), expected[key])
    if "last_timestamp" in expected:
        moments = (shown["updated"], expected["last_timestamp"])
        got, wanted = (datetime.fromisoformat(moment).timestamp() for moment in moments)
        yield from _different("updated", round(got, 3), round(wanted, 3))


def _agents(expected: Facts, shown: Facts) -> Iterator[str]:
    if "usage_with_subagents" in expected:
        usage = counters(shown["usage_with_subagents"])
        yield from _different("usage with subagents", usage, expected["usage_with_subagents"])
    wanted = expected.get("subagents")
    if wanted is None:
        return
    known = {agent["agent_id"]: agent for agent in shown["subagents"]}
    yield from _different("subagents", set(known), {agent["agentId"] for agent in wanted})
    for want in wanted:
        name = want["agentId"]
        agent: Facts = known.get(name, {})
        for key in set(want) & set(agent):
            got = counters(agent["usage"]) if key == "usage" else agent[key]
            yield from _different(f"{key} of {name}", got, want[key])


def play(root: Path, step: Facts) -> None:
    """Do to a case's files what a step says."""
    path = root / step["file"]
    data = bytes.fromhex(step["hex"]) if "hex" in step else step.get("text", "").encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    match step["op"]:
        case "append":
            with path.open("ab") as file:
                file.write(data)
        case "write_in_place":
            with path.open("r+b") as file:
                file.truncate(0)
                file.write(data)
        case "create":
            path.write_bytes(data)
        case "rename_over":
            fresh = path.with_name(path.name + ".tmp")
            fresh.write_bytes(data)
            fresh.replace(path)
        case "delete":
            path.unlink()


def joined(complaint: Iterable[str]) -> str:
    """Complaints, a line each; empty where there are none."""
    return "\n".join(complaint)
