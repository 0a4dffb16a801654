"""The structure of one session: index, chain, segments; prints how much it holds."""

import json
import sys
from pathlib import Path

from ccbrowse.core.session import Session


def main() -> None:
    """Open the session."""
    session = Session.open(Path(sys.argv[1]))
    print(json.dumps({"records": len(session.index), "segments": len(session.segments)}))


if __name__ == "__main__":
    main()
