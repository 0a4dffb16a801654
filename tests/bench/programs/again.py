"""The structure of one session by way of the cache; prints what it took, and how much it holds."""

import json
import sys
import time
from pathlib import Path

from ccbrowse.core.cache import Cache, open_session
from ccbrowse.core.locate import session_file


def main() -> None:
    """Open the session; keep its structure where the cache did not know it."""
    cache = Cache(Path(sys.argv[2]))
    started = time.process_time()
    session, opening = open_session(session_file(Path(sys.argv[1])), cache)
    facts = {"records": len(session.index), "segments": len(session.segments)}
    took = time.process_time() - started
    if opening is not None and opening.is_worth_keeping:
        opening.keep()
    cache.close()
    print(json.dumps({"ms": took * 1000, "trouble": cache.trouble, **facts}))


if __name__ == "__main__":
    main()
