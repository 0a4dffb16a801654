"""A search of what was said, as the app's child does it for an open screen: prints when hits are there.

`talk.py ROOT WORD`, with caches that the indexer has filled. The list of sessions is at hand, as it is
in the app; a search for another word goes before, so that modules and pages are loaded.
"""

import json
import sys
import time
from pathlib import Path

from ccbrowse.core.library import Library
from ccbrowse.core.search import newest_first
from ccbrowse.core.search.child import PAGE, News, Request, run

TURNS = 5


def main() -> None:
    """Search some times; the least counts, for the first page and for the end."""
    root, word = Path(sys.argv[1]), sys.argv[2]
    files = tuple(newest_first(Library([root]).files()))
    pages, ends, hits = [], [], 0
    for turn in range(TURNS + 1):
        found, page = [0], [0.0]
        text = f"talk:{word if turn else 'otherwords'}"
        started = time.perf_counter()

        def emit(news: News, found: list[int] = found, page: list[float] = page) -> None:
            found[0] += len(news.hits)
            if not page[0] and (found[0] >= PAGE or news.ended):
                page[0] = time.perf_counter()

        run(Request(text, roots=(root,), files=files, cached=True), emit)
        if turn:
            pages.append(page[0] - started)
            ends.append(time.perf_counter() - started)
            hits = found[0]
    print(json.dumps({"hits": hits, "page_ms": min(pages) * 1000, "end_ms": min(ends) * 1000}))


if __name__ == "__main__":
    main()
