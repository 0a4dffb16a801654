"""The cold index: every listing of a root; prints sums, so that a wrong index is found out.

With a second word, `indexer`, as the app has it done: until the last listing is here.
"""

import json
import sys
from pathlib import Path

from ccbrowse.core.library import Library, Listing


def by_indexer(root: Path) -> list[Listing]:
    """Start the indexer and take in all that it sends."""
    from ccbrowse.core.indexer import Indexer  # here: a scan in the process is timed without it

    indexer = Indexer([root])
    listings = [listing for batch in indexer.batches() for listing in batch]
    indexer.close()
    indexer.close_pipe()
    return listings


def main() -> None:
    """Scan as the command line does, or by the indexer."""
    root = Path(sys.argv[1])
    listings = by_indexer(root) if sys.argv[2:] == ["indexer"] else list(Library([root]).scan())
    print(
        json.dumps(
            {
                "sessions": len(listings),
                "messages": sum(each.messages for each in listings),
                "boundaries": sum(sum(each.compactions.values()) for each in listings),
                "branches": sum(each.branches for each in listings),
                "output_tokens": sum(each.usage.output_tokens for each in listings),
            }
        )
    )


if __name__ == "__main__":
    main()
