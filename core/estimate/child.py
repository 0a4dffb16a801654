"""The child process that counts for an app: texts come on its input, their tokens go to its output.

A question is the length of the encoding's name (one byte), the name, the length of the text in UTF-8
(four bytes), the text; the answer is four bytes. It ends with its input, or after a while without any.
"""

from __future__ import annotations

import os
import select
import sys
from typing import BinaryIO

from ccbrowse.core.counting import COULD_NOT, IDLE
from ccbrowse.core.estimate.engines import counter_of

NICER = 5
"""How much it stands back: nobody waits for an estimate as for a key."""


def answer(questions: BinaryIO, answers: BinaryIO, idle: float = IDLE) -> None:
    """Count what is asked for until nothing is asked any more."""
    while _comes(questions, idle) and (head := questions.read(1)):
        name = questions.read(head[0]).decode()
        size = int.from_bytes(questions.read(4), "big")
        text = questions.read(size)
        if len(text) < size:
            return
        found = counter_of(name).tally(text.decode("utf-8", "surrogatepass"))
        answers.write((COULD_NOT if found.guessed else found.tokens).to_bytes(4, "big"))
        answers.flush()


def _comes(questions: BinaryIO, idle: float) -> bool:
    """Whether something is asked before the time is over."""
    return bool(select.select([questions], [], [], idle)[0])


if __name__ == "__main__":
    os.nice(NICER)
    answer(sys.stdin.buffer, sys.stdout.buffer)
