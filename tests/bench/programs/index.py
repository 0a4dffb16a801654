"""The cold index: every listing of a root; prints sums, so that a wrong index is found out."""

import json
import sys
from pathlib import Path

from ccbrowse.core.library import Library


def main() -> None:
    """Scan as the command line does."""
    listings = list(Library([Path(sys.argv[1])]).scan())
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
