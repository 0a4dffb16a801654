"""The forecast: where the client compacts, what was set, how turns grow, and how right it was in the past."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from builders import OPENING, SessionBuilder, turn

from ccbrowse.core.autocompact import Seen, seen_triggers, turn_sizes
from ccbrowse.core.forecast import (
    Basis,
    Closed,
    Trigger,
    back_test,
    closed_segments,
    find_trigger,
    forecast_session,
    seen_elsewhere,
    settings_in_force,
    turns_left,
)
from ccbrowse.core.forecast.ahead import MOST_TURNS
from ccbrowse.core.listing import list_session, now_ms, pack, unpack
from ccbrowse.core.session import Session
from ccbrowse.tui.cli import main

OPUS, SONNET = "claude-opus-4-8", "claude-sonnet-4-5-20250929"


def seen(tokens: int, session: str = "other", version: str = "2.1.200", time: int = 0) -> Seen:
    """An automatic compaction of the past."""
    return Seen(session, OPUS, version, tokens, time, (1_000,))


# --- the trigger


def test_own_compactions_go_before_those_of_others_and_settings() -> None:
    past = [seen(100_000, "own"), seen(200_000), seen(300_000, version="2.1.1")]
    environ = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "150000"}

    def found(*known: Seen, version: str = "2.1.200") -> Trigger:
        trigger = find_trigger(OPUS, version, 0, known, "own", environ)
        assert trigger is not None
        return trigger

    assert (found(*past).tokens, found(*past).basis) == (100_000, Basis.SEEN_HERE)
    assert (found(*past[1:]).tokens, found(*past[1:]).basis) == (200_000, Basis.SEEN)
    assert found(*past[2:]).basis is Basis.SEEN_MODEL
    assert (found().tokens, found().basis) == (117_000, Basis.SETTING)
    assert found(Seen("x", SONNET, "2.1.200", 9)).basis is Basis.SETTING


@pytest.mark.parametrize(
    ("model", "version", "tokens"),
    [
        ("claude-opus-4-5-20251101", "2.1.20", 155_000),
        (SONNET, "2.1.50", 167_000),
        (OPUS, "2.1.120", 367_000),
        (OPUS, "2.1.138", 567_000),
        (OPUS, "2.1.196", 467_000),
        ("claude-opus-4-7", None, 967_000),
    ],
)
def test_the_usual_limits(model: str, version: str | None, tokens: int) -> None:
    trigger = find_trigger(model, version, 0)
    assert trigger is not None
    assert (trigger.tokens, trigger.basis) == (tokens, Basis.TABLE)
    assert find_trigger("nobody's", version, 0) is None


def test_what_is_set_can_lower_the_limit_or_turn_it_off() -> None:
    lower = find_trigger(SONNET, "2.1.50", 0, settings={"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "50"})
    assert lower and (lower.tokens, lower.basis) == (100_000, Basis.SETTING)
    higher = find_trigger(SONNET, "2.1.50", 0, settings={"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "99"})
    assert higher and higher.tokens == 167_000
    small = find_trigger(OPUS, "2.1.196", 0, settings={"CLAUDE_CODE_DISABLE_1M_CONTEXT": "1"})
    assert small and small.tokens == 167_000
    for name in ("DISABLE_COMPACT", "DISABLE_AUTO_COMPACT"):
        assert find_trigger(SONNET, "2.1.50", 0, [seen(9)], settings={name: "true"}) is None
        assert find_trigger(SONNET, "2.1.50", 0, settings={name: "0"}) is not None
    nonsense = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "lots", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "400"}
    usual = find_trigger(SONNET, "2.1.50", 0, settings=nonsense)
    assert usual and (usual.tokens, usual.basis) == (167_000, Basis.TABLE)


def test_settings_are_the_environments_then_those_of_the_clients_file(tmp_path: Path) -> None:
    root = tmp_path / "projects"
    assert settings_in_force(root, {}) == {}
    told = {
        "autoCompactWindow": 300_000,
        "env": {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": 80, "SECRET": "x"},
        "autoCompactEnabled": False,
    }
    file = tmp_path / "settings.json"
    file.write_text(json.dumps(told), encoding="utf-8")
    assert settings_in_force(root, {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "200000", "HOME": "/"}) == {
        "CLAUDE_CODE_AUTO_COMPACT_WINDOW": "200000",
        "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "80",
        "DISABLE_AUTO_COMPACT": "1",
    }
    for broken in ("[1]", "{", "[" * 100_000, "\xff"):
        file.write_text(broken, encoding="latin-1")
        assert settings_in_force(root, {}) == {}


def test_a_point_is_the_lowest_of_those_alike_and_above_what_was_reached() -> None:
    past = [seen(220_000, time=1), seen(175_000, time=2), seen(210_000, time=3)]
    trigger = find_trigger(OPUS, "2.1.200", 0, past)
    assert trigger and set(trigger.points) == {175_000}  # the others overshot by a huge result
    refused = find_trigger(OPUS, "2.1.200", 0, [*past, seen(14_000, time=4)])
    assert refused and min(refused.points) == 175_000
    reached = find_trigger(OPUS, "2.1.200", 190_000, past, settings={})
    assert reached and reached.basis is Basis.TABLE
    older = [seen(390_000, time=n) for n in range(9)]
    newer = [seen(170_000, time=20 + n) for n in range(12)]
    moved = find_trigger(OPUS, "2.1.200", 0, [*older, *newer])
    assert moved and set(moved.points) == {170_000}


# --- the turns


def test_steady_growth_is_forecast_to_the_turn() -> None:
    sizes = [20_000 + 5_000 * n for n in range(12)]
    found = turns_left(sizes, (), Trigger(167_000, 162_000, 175_000, Basis.TABLE))
    assert found is not None
    assert found.low < found.turns < found.high
    assert abs(found.turns - 19) <= 2
    assert (found.growth, found.observed, found.others) == (5_000, 11, 0)


def test_what_never_comes_is_said_without_walking_there() -> None:
    slow = Trigger(167_000, 162_000, 175_000, Basis.TABLE)
    crawling = turns_left([20_000 + 10 * n for n in range(500)], (), slow)
    assert crawling is not None
    assert crawling.low == crawling.turns == crawling.high == MOST_TURNS
    walked = turns_left([20_000 + 80 * n for n in range(500)], (), slow)
    assert walked is not None
    assert walked.low < walked.turns <= MOST_TURNS


def test_few_turns_of_its_own_lean_on_how_others_grew() -> None:
    trigger = Trigger(160_000, 155_000, 165_000, Basis.TABLE)
    others = [Seen("o", OPUS, "2.1.200", 160_000, 0, (20_000,) * 8)]
    slow = [20_000, 20_500, 21_000]
    alone, among = turns_left(slow, (), trigger), turns_left(slow, (), trigger, others)
    assert alone and among
    assert alone.turns > 200
    assert among.turns < 40
    assert among.others == 1
    long = [20_000 + 500 * n for n in range(60)]
    sure = turns_left(long, (), trigger, others)
    assert sure and sure.turns > 2 * among.turns
    fresh = turns_left([20_000], (), trigger, others)
    assert fresh and 5 <= fresh.turns <= 10


def test_there_is_none_where_nothing_grows_or_nothing_is_known() -> None:
    trigger = Trigger(160_000, 155_000, 165_000, Basis.TABLE)
    assert turns_left([], (5,), trigger) is None
    assert turns_left([20_000], (), trigger) is None
    assert turns_left([20_000, 20_000, 19_000], (), trigger) is None
    slow = turns_left([20_000, 20_001], (), trigger)
    assert slow and slow.high == MOST_TURNS


# --- how right it was


def made(chance: Random) -> Iterator[Closed]:
    """A made past: people whose turns differ in size, and now and then one that is many times as large."""
    for number in range(40):
        usual = chance.lognormvariate(8.6, 0.5)
        limit = 167_000 if number % 3 else 467_000
        model = SONNET if number % 3 else OPUS
        for _ in range(2):
            size = chance.uniform(18_000, 30_000)
            sizes = [round(size)]
            while size < limit:
                size += usual * chance.lognormvariate(0, 0.8) * (8 if chance.random() < 0.03 else 1)
                sizes.append(round(size))
            grown = tuple(b - a for a, b in pairwise(sizes))
            mark = Seen(f"s{number}", model, "2.1.200", round(size) + 400, number, grown[-64:])
            yield Closed(mark, tuple(sizes), ())


def test_over_a_made_past_eight_of_ten_came_within_the_interval() -> None:
    found = back_test(made(Random(5)))
    sys.stdout.write(f"made: {found}\n")
    assert found.forecasts >= 200
    assert found.median_error is not None and found.inside is not None
    assert found.median_error <= 6
    assert 0.7 <= found.inside <= 0.9


def test_over_the_recordings_too(shared: Path) -> None:
    closed: list[Closed] = []
    for path in sorted(shared.glob("recordings/*/*/projects/*/*.jsonl")):
        with closing(Session.open(path)) as session:
            closed += closed_segments(session)
    if not closed:
        pytest.skip("no recordings in ../shared")
    found = back_test(closed)
    sys.stdout.write(f"recordings: {found}\n")
    assert found.forecasts >= 15
    assert found.median_error is not None and found.inside is not None
    assert found.median_error <= 6
    assert 0.7 <= found.inside <= 0.9


def test_nothing_to_test_on_is_said() -> None:
    assert back_test([]).inside is None


# --- sessions


def grown(root: Path, seed: str, *, compact: bool) -> Path:
    """A session of some turns, compacted automatically or not."""
    b = SessionBuilder("2.1.181", seed=seed)
    for number in range(5):
        turn(b, f"Wish {number} " + "pear " * 200, say="Yes. " + "plum " * 300)
    if compact:
        b.compact(f"{OPENING}\n\nFruit.", keep=0)
        turn(b, "On", say="Yes.")
        turn(b, "And on " + "fig " * 300, say="Yes.")
    return b.write(root)


def test_sessions_tell_of_their_automatic_compactions(tmp_path: Path) -> None:
    with closing(Session.open(grown(tmp_path, "one", compact=True))) as session:
        (mark,) = seen_triggers(session)
        boundary = session.segments[1].boundary
        sizes = turn_sizes(session.index, session.segments[0])
        listing = list_session(session)
    assert boundary is not None
    assert (mark.tokens, mark.time) == (boundary.facts.pre_tokens, boundary.time)
    assert sum(mark.growths) == sizes[-1] - sizes[0]
    assert listing.triggers == (mark,)
    data = pack(listing)
    assert data is not None
    again = unpack(data, listing.file, now_ms())
    assert again is not None and again.triggers == (mark,)


def test_a_session_learns_from_the_others_under_its_root(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = grown(tmp_path, "open", compact=False)
    other = grown(tmp_path, "other", compact=True)
    (path.parent / "broken.jsonl").write_bytes(b'{"subtype":"compact_boundary"')
    (path.parent / "empty.jsonl").touch()
    found = seen_elsewhere(tmp_path)
    assert [each.session_id for each in found] == [other.stem]
    assert seen_elsewhere(tmp_path, other) == []
    with closing(Session.open(path, tmp_path)) as session:
        forecast = forecast_session(session, found, {})
    assert forecast is not None
    assert (forecast.basis, forecast.trigger) == (Basis.SEEN, found[0].tokens)
    with pytest.raises(SystemExit):
        main(["show", str(path), "--json", "--root", str(tmp_path)])
    shown = json.loads(capsys.readouterr().out)["forecast"]
    assert shown["basis"] == Basis.SEEN.value
    assert shown["other_compactions"] == 1
    with pytest.raises(SystemExit):
        main(["show", str(path), "--root", str(tmp_path)])
    assert "next compact ≈" in capsys.readouterr().out


def test_doctor_prints_how_right_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in ("a", "b", "c"):
        grown(tmp_path, seed, compact=True)
    with pytest.raises(SystemExit):
        main(["doctor", "--root", str(tmp_path)])
    line = next(x for x in capsys.readouterr().out.splitlines() if x.startswith("forecast"))
    assert "9 made, median error" in line
    assert "inside the interval (80 % stated)" in line
