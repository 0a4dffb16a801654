"""The cold index as the app has it: by the indexer, until the last listing is here; sums as of `index`."""

import json
import sys
from pathlib import Path

from ccbrowse.core.indexer import Indexer


def main() -> None:
    """Start the indexer and take in all that it sends."""
    indexer = Indexer([Path(sys.argv[1])])
    listings = [listing for batch in indexer.batches() for listing in batch]
    indexer.close()
    indexer.close_pipe()
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
