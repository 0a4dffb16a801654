"""A search of all sessions for one word, beside a plain read of the same bytes; prints what both cost.

`search.py ROOT WORD exact|folded`. Both are run in turn, several times; the least of each counts.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from ccbrowse.core.library import Library
from ccbrowse.core.search import newest_first, parse_query, search_sessions
from ccbrowse.core.session import Folder

TURNS = 3
BUFFER = 1 << 20


def searched(root: Path) -> list[Path]:
    """The files that a search reads: sessions and their subagents."""
    files = Library([root]).files()
    folders = {file.folder: Folder(file.folder) for file in files}
    agents = [agent.path for file in files for agent in folders[file.folder].agents_of(file)]
    return [*(file.path for file in files), *agents]


def read(paths: list[Path]) -> None:
    """Read files into one buffer."""
    buffer = bytearray(BUFFER)
    for path in paths:
        with path.open("rb", buffering=0) as file:
            while file.readinto(buffer):
                pass


def find(root: Path, word: str, case: bool) -> tuple[int, float]:
    """Search; the hits, and the seconds until the first of them."""
    started = time.perf_counter()
    files = newest_first(Library([root]).files())
    first, hits = 0.0, 0
    for _ in search_sessions(parse_query(word), files, case=case):
        first = first or time.perf_counter() - started
        hits += 1
    return hits, first


def cost(work: Callable[[], object]) -> float:
    """CPU seconds of something."""
    started = time.process_time()
    work()
    return time.process_time() - started


def main() -> None:
    """Measure."""
    root, word, case = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "exact"
    paths = searched(root)
    hits, first = find(root, word, case)
    reads, searches, firsts = [], [], [first]
    for _ in range(TURNS):
        reads.append(cost(lambda: read(paths)))
        searches.append(cost(lambda: firsts.append(find(root, word, case)[1])))
    figures = {
        "hits": hits,
        "ratio": min(searches) / min(reads),
        "first_ms": min(firsts) * 1000,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
