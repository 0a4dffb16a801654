"""The warm check: every listing of a root from a cache that knows them all; prints what it took."""

import json
import sys
import time
from pathlib import Path

from ccbrowse.core.cache import Cache
from ccbrowse.core.library import Library


def main() -> None:
    """Scan as the indexer does; the cache is opened and closed in the time that is told."""
    root, folder = Path(sys.argv[1]), Path(sys.argv[2])
    started = time.process_time()
    cache = Cache(folder, [root])
    listings = list(Library([root], cache).scan())
    took = time.process_time() - started
    cache.close()
    print(json.dumps({"ms": took * 1000, "sessions": len(listings), "trouble": cache.trouble}))


if __name__ == "__main__":
    main()
