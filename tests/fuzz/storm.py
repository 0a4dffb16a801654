"""Random keys over damaged sessions: `make storm SECONDS=600`, or `make storm SEED=7` for one round again.

Each round makes sessions and damages them, opens the real app over them, and presses, types, clicks and
lets things befall the files; `storming` tells what must hold. Where something does not, the seed is told,
and the shortest list of steps that was found to break it; that is kept in build/storm, and gone through
again by `make storm STEPS=build/storm/7.steps SEED=7`.
"""

from __future__ import annotations

import argparse
import faulthandler
import resource
import sys
import time
import traceback
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from gusts import Step, bound_keys, gusts, read, written  # noqa: E402 - the path above is where it lies
from storming import Round, Seen, blow  # noqa: E402 - the same

OUT = HERE.parents[1] / "build" / "storm"
STEPS = 150
"""About as many steps in a round."""

HANGS = 240
"""Seconds after which a round hangs: all stacks are told, and the storm ends."""

_TELL_EVERY = 60.0


def main() -> int:
    """Storm for some time, or go through one round; 1 where something did not hold."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seconds", type=float, default=60)
    asked.add_argument("--seed", type=int, help="one round only, of this seed")
    asked.add_argument("--first", type=int, default=int(time.time()), help="the first round's seed")
    asked.add_argument(
        "--steps", type=Path, help="go through these steps instead of the seed's own"
    )
    asked.add_argument("--shrink", type=float, default=120, help="seconds to look for fewer steps")
    asked.add_argument(
        "--on", action="store_true", help="go on after what broke, and tell all at the end"
    )
    given = asked.parse_args()
    if given.seed is not None:
        steps = read(given.steps.read_text(encoding="utf-8")) if given.steps else _steps(given.seed)
        return _one(Round(given.seed, tuple(steps)), Seen(), given.shrink)
    seen, broken, begun, told = Seen(), 0, time.monotonic(), 0.0
    seed = given.first
    while (gone := time.monotonic() - begun) < given.seconds:
        if gone - told > _TELL_EVERY:
            told = gone
            _say(f"{gone:.0f} s: {seen.rounds} rounds, {seen.steps} steps, {_memory()} MB")
        if _one(Round(seed, tuple(_steps(seed))), seen, given.shrink):
            broken += 1
            if not given.on:
                break
        seed += 1
    _tell(seen, time.monotonic() - begun, given.first)
    return 1 if broken else 0


def _steps(seed: int) -> list[Step]:
    return gusts(Random(f"{seed} steps"), STEPS)


def _one(round_: Round, seen: Seen, patience: float) -> int:
    """Go through a round; where it breaks tell how, and with how few steps."""
    fault = _fault_of(round_, seen)
    seen.rounds += 1
    if fault is None:
        return 0
    _say(f"seed {round_.seed} BROKE\n{fault}")
    steps = _fewer(round_, patience, fault.rstrip().splitlines()[-1])
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / f"{round_.seed}.txt").write_text(fault, encoding="utf-8")
    kept = OUT / f"{round_.seed}.steps"
    kept.write_text(written(steps), encoding="utf-8")
    _say(f"{len(steps)} of {len(round_.steps)} steps: make storm SEED={round_.seed} STEPS={kept}")
    _say(written(steps))
    return 1


def _fault_of(round_: Round, seen: Seen) -> str | None:
    faulthandler.dump_traceback_later(HANGS, exit=True)
    try:
        blow(round_, seen)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        return "".join(traceback.format_exception(error))
    finally:
        faulthandler.cancel_dump_traceback_later()
    return None


def _fewer(round_: Round, patience: float, fault: str) -> list[Step]:
    """Leave steps out as long as it breaks in the same way: halves, quarters, down to one by one."""
    steps, end = list(round_.steps), time.monotonic() + patience
    size = len(steps) // 2
    while size and time.monotonic() < end:
        at, before = 0, len(steps)
        while at < len(steps) and time.monotonic() < end:
            fewer = (*steps[:at], *steps[at + size :])
            found = _fault_of(Round(round_.seed, fewer), Seen())
            if found is not None and _alike(found.rstrip().splitlines()[-1], fault):
                steps = list(fewer)
            else:
                at += size
        if len(steps) == before or size > 1:
            size //= 2
    return steps


def _alike(one: str, other: str) -> bool:
    return one[:30] == other[:30]


def _tell(seen: Seen, seconds: float, first: int) -> None:
    bound = set(bound_keys())
    pressed = {key for key in seen.keys if key in bound}
    _say(
        f"{seconds:.0f} s from seed {first}: {seen.rounds} rounds ({seen.left} left by a key), "
        f"{seen.sessions} files of sessions, {seen.steps} steps, {sum(seen.keys.values())} keys: "
        f"{len(pressed)} of the {len(bound)} that are bound, {len(seen.keys) - len(pressed)} others"
    )
    _say("screens: " + ", ".join(f"{name} {count}" for name, count in seen.screens.most_common()))
    _say("befell: " + ", ".join(f"{name} {count}" for name, count in seen.befell.most_common()))
    _say(f"the loop was held up for {seen.held_up:.2f} s at most; memory {_memory()} MB")


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _say(words: str) -> None:
    print(words, flush=True)


if __name__ == "__main__":
    sys.exit(main())
