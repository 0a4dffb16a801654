"""Fuzz ccbrowse: `make fuzz TARGET="chain display" SECONDS=600`; without names every target in turn.

With atheris (Linux, CPython) coverage guides it; without, seeds are changed at random. Seconds are the
processor's, so that a busy machine does not shorten a run. Session files are changed record by record
(`mutate`). What breaks a target is written to build/fuzz; move it to
tests/fuzz/found/TARGET and it stays a test.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path
from random import Random
from types import FrameType, FunctionType

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from mutate import MOST_BYTES, mutated  # noqa: E402 - the path above is where it lies
from seeds import seeds  # noqa: E402 - the same
from targets import TARGETS, WHOLE_FILES, Target, folder  # noqa: E402 - the same

OUT = HERE.parents[1] / "build" / "fuzz"
PATIENCE = 60
"""Seconds that one input may take."""

MEMORY = 2_000
"""Megabytes that a run may grow to."""

SLOWEST = 50
"""Times as long as it works a run may last, before it is taken to hang."""

_TOLD = re.compile(r"#(\d+)\s+\S+\s+cov: (\d+) ft: (\d+) corp: (\d+)/.*?rss: (\d+)Mb")
_RUNS = re.compile(r"stat::number_of_executed_units:\s+(\d+)")


def main() -> int:
    """Run what was asked for; 1 where an input broke a target."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("targets", nargs="*", help=", ".join(TARGETS))
    asked.add_argument("--seconds", type=int, default=60, help="of the processor, for each target")
    asked.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    given = asked.parse_args()
    if unknown := set(given.targets) - set(TARGETS):
        asked.error(f"no target {', '.join(sorted(unknown))}")
    if given.one:
        return fuzz(given.targets[0], given.seconds)
    failed = [name for name in given.targets or TARGETS if not _child(name, given.seconds)]
    return 1 if failed else 0


def _child(name: str, seconds: int) -> bool:
    """A target in a process of its own, told in one line."""
    words = [sys.executable, __file__, name, "--one", "--seconds", str(seconds)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    worked = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    log = OUT / f"{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text(ran.stdout + ran.stderr)
    ended = "held" if ran.returncode == 0 else f"BROKE, see {log}"
    print(f"{name}: {worked:.0f} s of the processor, {_summary(ran.stderr)}: {ended}", flush=True)
    return ran.returncode == 0


def _summary(told: str) -> str:
    """Runs, coverage, and the memory after the first tenth of the lines of a log and at its end."""
    lines = _TOLD.findall(told) or [("?",) * 5]
    runs = _RUNS.findall(told) or [lines[-1][0]]
    _, edges, features, kept, memory = lines[-1]
    early = lines[len(lines) // 10][-1]
    return (
        f"{runs[-1]} runs, {edges} edges, {features} features, {kept} inputs kept, "
        f"{early} to {memory} MB"
    )


def fuzz(name: str, seconds: int) -> int:
    """Fuzz one target in this process."""
    try:
        import atheris
    except ImportError:
        return _at_random(name, seconds)
    # Its hook of imports does not find editable installs: what is loaded by now is instrumented.
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and str(each.__module__).startswith("ccbrowse.core"):
            atheris.instrument_func(each)
    corpus = OUT / "corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(name)):
        (corpus / f"seed{number:04d}").write_bytes(seed)

    def mutator(data: bytes, most: int, seed: int) -> bytes:
        random = Random(seed)
        if name not in WHOLE_FILES or random.random() < 0.2:
            return bytes(atheris.Mutate(data, most))
        return mutated(data, random)[:most]

    limits = [f"-max_total_time={seconds * SLOWEST}", f"-timeout={PATIENCE}"]
    limits += [f"-rss_limit_mb={MEMORY}", "-print_final_stats=1"]
    places = [f"-artifact_prefix={OUT}/{name}-", f"-max_len={MOST_BYTES}", str(corpus)]
    target = _until(seconds, TARGETS[name])
    atheris.Setup([name, *limits, *places], target, custom_mutator=mutator)
    atheris.Fuzz()
    return 0


def _until(seconds: int, target: Target) -> Target:
    """A target that asks the fuzzer to end when it has worked for so long."""
    end = time.process_time() + seconds

    def run(data: bytes) -> None:
        if time.process_time() < end:
            target(data)
        elif folder().exists():
            shutil.rmtree(folder(), ignore_errors=True)
            os.kill(os.getpid(), signal.SIGUSR1)

    return run


def _at_random(name: str, seconds: int) -> int:
    """Seeds, changed by chance; where one breaks the target it is kept."""
    pool, random, target = list(seeds(name)), Random(1), TARGETS[name]
    signal.signal(signal.SIGALRM, _too_long)
    end, runs = time.process_time() + seconds, 0
    while time.process_time() < end:
        data = mutated(random.choice(pool), random) if runs >= len(pool) else pool[runs]
        runs += 1
        signal.alarm(PATIENCE)
        try:
            target(data)
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            (OUT / f"{name}-crash").write_bytes(data)
            traceback.print_exc()
            return 1
        finally:
            signal.alarm(0)
    print(f"#{runs} DONE cov: 0 ft: 0 corp: 0/0b rss: 0Mb", file=sys.stderr)
    return 0


def _too_long(number: int, frame: FrameType | None) -> None:
    raise TimeoutError(f"more than {PATIENCE} s")


if __name__ == "__main__":
    sys.exit(main())
