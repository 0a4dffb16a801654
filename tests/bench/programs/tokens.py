"""The token estimate of one segment, with the counter loaded; scaled to a segment of 167k tokens."""

import json
import sys
import time
from pathlib import Path

from ccbrowse.core.session import Session

WHOLE = 167_000
ENOUGH = 20_000
"""Tokens of a segment whose time can be scaled."""


def main() -> None:
    """Estimate the segment of a session that is nearest to the size."""
    session = Session.open(Path(sys.argv[1]))
    segments = list(session.segments)
    session.text_tokens(segments[0])  # loads the counter, and learns the factor
    measured = []
    for segment in segments[1:6]:
        started = time.perf_counter()
        tokens = session.text_tokens(segment).value
        took = time.perf_counter() - started
        if tokens >= ENOUGH:
            measured.append(took * WHOLE / tokens)
    if not measured:
        sys.exit("no segment of the session is long enough")
    print(json.dumps({"ms": sorted(measured)[len(measured) // 2] * 1000}))


if __name__ == "__main__":
    main()
