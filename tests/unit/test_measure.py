"""Estimates of a session's texts: each text counted once, the factor learned from its own usage."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from logs import Log, Reading, Row, call

from ccbrowse.core.measure import MIN_OBSERVED, Measure
from ccbrowse.core.session import Session

OPUS, SONNET = "claude-opus-4-8", "claude-sonnet-4-5"
WORDS = "The heron stands in the reeds and waits for a fish that is not careful. " * 60


class Asked:
    """A session's measure, and how often each row was asked for."""

    def __init__(self, session: Session) -> None:
        self.session, self.rows = session, list[int]()
        self.measure = Measure(session.index, self._record)

    def _record(self, row: int) -> Mapping[str, Any]:
        self.rows.append(row)
        return self.session.record(row)


def talk(factor: float, model: str = OPUS, *, stop: str | None = "end_turn", turns: int = 8) -> Log:
    """A session whose usage grows by so many tokens a word as a factor says."""
    log = Log()
    context = 1000
    for number in range(turns):
        text = f"Turn {number}. " + WORDS
        log.user(f"u{number}", text, log.before)
        context += round(len(text) / 4.6 * factor)
        log.reply(f"a{number}", "Yes.", usage=(context, 0, 0, 5), model=model, stop=stop)
        context += 5
    return log


def test_each_text_is_counted_once(read_log: Reading) -> None:
    asked = Asked(read_log(talk(1.5, turns=3)))
    segment = asked.session.segment(1)
    first = asked.measure.segment(segment, asked.session.segments)
    assert sorted(asked.rows) == [0, 1, 2, 3, 4, 5]
    assert asked.measure.segment(segment, asked.session.segments) == first
    assert len(asked.rows) == 6


@pytest.mark.parametrize("factor", [1.2, 1.8])
def test_the_factor_is_learned_from_what_the_session_cost(read_log: Reading, factor: float) -> None:
    session = read_log(talk(factor, turns=20))
    estimate = session.text_tokens(session.segment(1))
    table = session.index.requests
    truth = table.context(19) + table.output[19] - 1000
    assert estimate.value == pytest.approx(truth, rel=0.06)
    assert estimate.source == "session"


def test_without_trusted_output_nothing_is_learned(read_log: Reading) -> None:
    session = read_log(talk(1.8, stop=None, turns=20))
    assert session.text_tokens(session.segment(1)).source == "table"


@pytest.mark.parametrize(
    ("between", "source"),
    [
        ({}, "session"),
        ({"isMeta": True}, "table"),
        ({"message": {"content": [{"type": "text", "text": WORDS}, {"type": "image"}]}}, "table"),
    ],
    ids=["text", "meta", "image"],
)
def test_growth_that_text_alone_does_not_explain_teaches_nothing(
    read_log: Reading, between: Row, source: str
) -> None:
    log = Log()
    for number in range(20):
        log.user(f"u{number}", WORDS, log.before, **between)
        log.reply(f"a{number}", usage=(2000 * number + 1, 0, 0, 5), model=OPUS)
    session = read_log(log)
    assert session.text_tokens(session.segment(1)).source == source


@pytest.mark.parametrize(
    ("growth", "source"), [(MIN_OBSERVED, "session"), (MIN_OBSERVED - 1, "table")]
)
def test_small_growth_teaches_nothing(read_log: Reading, growth: int, source: str) -> None:
    log = Log()
    for number in range(20):
        log.user(f"u{number}", WORDS[:1000], log.before)
        log.reply(f"a{number}", usage=((growth + 5) * number + 1, 0, 0, 5), model=OPUS)
    session = read_log(log)
    assert session.text_tokens(session.segment(1)).source == source


def test_a_segment_without_requests_borrows_the_nearest_model(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", model=SONNET, usage=(1, 0, 0, 1))
    log.boundary("B1")
    log.boundary("B2")
    log.reply("a2", model=OPUS, usage=(1, 0, 0, 1))
    session = read_log(log)
    measure, segments = session.measure, session.segments
    assert [measure.model_of(segment, segments) for segment in segments] == [SONNET, SONNET, OPUS]


def test_a_session_without_requests_has_no_model(read_log: Reading) -> None:
    log = Log()
    log.user("u1", "words", None)
    session = read_log(log)
    assert session.measure.model_of(session.segment(1), session.segments) is None
    assert session.text_tokens(session.segment(1)).value > 0


def test_two_families_are_counted_apart(read_log: Reading) -> None:
    log = Log()
    log.user("u1", WORDS, None)
    log.reply("a1", model=SONNET, usage=(1, 0, 0, 1))
    session = read_log(log)
    rows, segments = [0], session.segments
    old = session.measure.rows(rows, SONNET, segments)
    new = session.measure.rows(rows, OPUS, segments)
    assert old.raw == new.raw
    assert new.value > old.value


def test_calls_and_results_are_texts_too(read_log: Reading) -> None:
    log = Log()
    log.user("u1", "x", None)
    log.reply("a1", call("t1", "Bash", command=WORDS))
    log.result("r1", "t1")
    session = read_log(log)
    counts = [session.measure.total([row], None) for row in range(3)]
    assert [count == session.measure.counts(row, None) for row, count in enumerate(counts)] == [
        True
    ] * 3
    estimates = [session.measure.rows([row], None, session.segments).raw for row in range(3)]
    assert estimates[1] > 500 > estimates[2] > 0


@settings(max_examples=40, deadline=None)
@given(models=st.lists(st.sampled_from(["", OPUS, SONNET]), min_size=1, max_size=12))
def test_a_segment_without_requests_takes_the_model_of_the_nearest(models: list[str]) -> None:
    log = Log()
    for number, model in enumerate(models):
        if number:
            log.boundary(f"b{number}")
        log.user(f"u{number}", "What now?", log.before)
        if model:
            log.reply(f"a{number}", "This.", usage=(9, 0, 0, 1), model=model)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "projects" / "-x" / "session.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(b"".join(line + b"\n" for line in log.lines))
        session = Session.open(path)
        segments = session.segments
        found = [session.measure.model_of(segment, segments) for segment in segments]
        session.close()
    asked = [place for place, model in enumerate(models) if model]
    nearest = [
        min(asked, key=lambda p: (abs(p - at), p), default=None) for at in range(len(models))
    ]
    assert found == [None if at is None else models[at] for at in nearest]
