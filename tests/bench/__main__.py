"""The benchmark's command line: corpora, rounds, a table, one JSON object."""

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.corpora import Maker, NoGenerator, default_folder
from bench.measure import Bench, Measure
from bench.measures import all_measures, chosen
from bench.report import as_json, table
from bench.rounds import run_rounds

PRESETS = ("tiny", "small", "medium", "large", "year")


def parser() -> argparse.ArgumentParser:
    """The options."""
    found = argparse.ArgumentParser(
        prog="make bench ARGS=...",
        description="Each measure beside its reference in the same shuffled round, in fresh processes.",
    )
    found.add_argument("--preset", choices=PRESETS, default="medium", help="size of the corpus")
    found.add_argument("--rounds", type=int, default=5, help="timed rounds, after one that is not")
    found.add_argument("--seed", type=int, default=1, help="of the corpus and of the order")
    found.add_argument("--only", default="", help="ids of measures, as T1,T4")
    found.add_argument(
        "--peer", action="append", default=[], metavar="NAME=PATH", help="as fast-resume=PATH"
    )
    found.add_argument("--json", type=Path, metavar="FILE", help="write the JSON object here too")
    found.add_argument(
        "--cache", type=Path, default=default_folder(), help="where corpora are kept"
    )
    found.add_argument("--slack", type=float, default=1.0, help="targets are this much wider")
    found.add_argument("--list", action="store_true", help="only say what is measured")
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Run; 0 where every target with a gate was met."""
    options = parser().parse_args(words)
    peers = dict(peer.split("=", 1) for peer in options.peer if "=" in peer)
    try:
        measures = chosen(all_measures(peers), options.only)
    except KeyError as error:
        print(f"bench: no measure {error.args[0]}; see --list", file=sys.stderr)
        return 2
    if options.list:
        for measure in measures:
            print(f"{measure.id:4} {measure.what} / {measure.reference}")
        return 0
    return _measure(options, measures)


def _measure(options: argparse.Namespace, measures: Sequence[Measure]) -> int:
    maker = Maker(options.cache, options.seed)
    try:
        bench = Bench(maker, maker.corpus(options.preset))
    except NoGenerator as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    try:
        results = run_rounds(bench, measures, options.rounds, options.seed, options.slack)
    finally:
        shutil.rmtree(bench.scratch, ignore_errors=True)
    print(table(bench.corpus, results))
    found = as_json(bench.corpus, options.rounds, results)
    print(json.dumps(found))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0 if all(result.passed is not False for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
