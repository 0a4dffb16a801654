"""The warm check: which sessions of a root have changed since a cache was filled; prints what it took."""

import json
import sys
import time
from pathlib import Path

from ccbrowse.core.cache import Cache, Listings
from ccbrowse.core.library import Library
from ccbrowse.core.locate import project_folders


def main() -> None:
    """Ask for each session, as a scan does; what is known of them is decoded after the clock has stopped."""
    root, folder = Path(sys.argv[1]), Path(sys.argv[2])
    started = time.process_time()
    cache = Cache(folder, [root])
    folders = list(project_folders(root))
    known = Listings(cache, [root], folders)
    rows = [known.recall(file) for found in folders for file in found.sessions]
    known.forget_gone()
    took = time.process_time() - started
    sessions = len(list(Library([root], cache).scan()))
    cache.close()
    facts = {"sessions": sessions, "changed": rows.count(None), "trouble": cache.trouble}
    print(json.dumps({"ms": took * 1000, **facts}))


if __name__ == "__main__":
    main()
