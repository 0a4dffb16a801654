"""The benchmark: its figures, its clock, and one round of it with so much slack that only a break fails."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from bench.__main__ import main
from bench.clock import Terminal, TooLate
from bench.corpora import Corpus, Maker, next_record
from bench.measures import all_measures, chosen
from bench.measures.cold import WrongIndex, check
from bench.processes import Sample, run
from bench.stats import Result, quantile, spread

WIDE = "8"
"""Targets are this much wider in the smoke test: other tests may run beside it."""


def test_quantiles_lie_between_the_values_beside_them() -> None:
    values = [4.0, 1.0, 3.0, 2.0]
    assert [quantile(values, share) for share in (0, 0.5, 0.75, 1)] == [1.0, 2.5, 3.25, 4.0]
    assert quantile([7.0], 0.9) == 7.0


def test_the_spread_is_a_share_of_the_median() -> None:
    assert spread([1.0, 2.0, 3.0]) == pytest.approx(0.5)
    assert spread([2.0, 2.0, 2.0]) == 0


def test_a_target_is_held_against_the_quantile_that_a_measure_names() -> None:
    values = [number / 10 for number in range(101)]
    result = Result("T9", "", "", "ms", values, 0, 0, 0, 6.0, 0.9, False)
    assert result.median < 6 < result.held
    assert result.passed is False


def test_measures_are_chosen_by_id() -> None:
    every = all_measures({})
    assert [each.id for each in chosen(every, "T7,T1")] == ["T1", "T7a", "T7b", "T7c"]
    assert chosen(every, "") == every
    with pytest.raises(KeyError, match="T99"):
        chosen(every, "T1,T99")


def test_a_peer_is_measured_where_it_is_given() -> None:
    assert "T3" not in [each.id for each in all_measures({})]
    assert "T3" in [each.id for each in all_measures({"fast-resume": "fr"})]


def test_a_process_tells_what_it_used(tmp_path: Path) -> None:
    sample = run([sys.executable, "-c", "print('{\"a\": 1}'); sum(range(10**6))"], tmp_path)
    assert sample.facts == {"a": 1}
    assert sample.wall >= sample.cpu > 0
    assert sample.rss > 1


def test_the_clock_reads_words_between_control_sequences(tmp_path: Path) -> None:
    script = r"printf '\033[1;31mhello\033[0m \033]0;title\007there\n'; sleep 30"
    with Terminal(["sh", "-c", script], tmp_path) as terminal:
        assert 0 < terminal.wait_for("hello there", 10) < 10
        with pytest.raises(TooLate):
            terminal.wait_for("title", 0.2)


def test_the_next_record_goes_on_after_the_last_message(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(
        '{"type":"summary"}\n{"type":"user","uuid":"a","sessionId":"s"}\n{"type":"mode"}\n'
    )
    record = json.loads(next_record(path, "words"))
    assert record["parentUuid"] == "a"
    assert record["sessionId"] == "s"
    assert record["message"]["content"] == "words"


def test_a_wrong_index_is_not_timed(tmp_path: Path) -> None:
    one = {
        "main_line_messages": 2,
        "boundaries": [],
        "branches": 0,
        "usage": {"output_tokens": 5},
    }
    (tmp_path / "manifest.json").write_text(json.dumps({"per_session": [one]}))
    corpus = Corpus("made", 1, tmp_path)
    told = {"sessions": 1, "messages": 2, "boundaries": 0, "branches": 0, "output_tokens": 5}
    check(corpus, Sample(1, 1, 1, told))
    with pytest.raises(WrongIndex, match="messages"):
        check(corpus, Sample(1, 1, 1, told | {"messages": 3}))


def test_without_the_generator_one_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bench.corpora.GENERATOR", tmp_path / "none.py")
    assert main(["--preset", "tiny", "--cache", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert told.startswith("bench: no ../shared")
    assert told.count("\n") == 1


def test_a_corpus_is_made_once(shared: Path, tmp_path: Path) -> None:
    maker = Maker(tmp_path, 1)
    made = maker.corpus("tiny")
    stamp = (made.folder / "manifest.json").stat().st_mtime_ns
    again = maker.corpus("tiny")
    assert (again.folder / "manifest.json").stat().st_mtime_ns == stamp
    assert made.lines == sum(path.read_bytes().count(b"\n") for path in made.sessions)


def test_one_round_of_the_small_preset(shared: Path, root: Path, tmp_path: Path) -> None:
    words = ["--preset", "small", "--rounds", "1", "--only", "T1,T4,T9a", "--slack", WIDE]
    kept = ["--cache", str(tmp_path / "corpora"), "--json", str(tmp_path / "out.json")]
    done = subprocess.run(
        [sys.executable, str(root / "tests" / "bench" / "run.py"), *words, *kept],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads((tmp_path / "out.json").read_text())
    assert told == json.loads(done.stdout.splitlines()[-1])
    assert [each["id"] for each in told["measures"]] == ["T1", "T4", "T9a"]
    assert all(each["pass"] for each in told["measures"])
    assert told["corpus"]["lines"] > 1000
