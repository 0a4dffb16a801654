"""How much of a root the talk index covers: sessions that it knows, and files that it lacks a part of."""

import json
import os
import sys
from pathlib import Path

from ccbrowse.core.library import Library
from ccbrowse.core.talk import Talk


def main() -> None:
    """Count."""
    root = Path(sys.argv[1])
    talk, files = Talk(roots=[root]), Library([root]).files()
    known, places = talk.positions(), talk.placed()
    paths = [os.fsencode(file.key) for file in files]
    left = sum(
        path not in known or path not in places or known[path][1].stamp != file.stamp
        for path, file in zip(paths, files, strict=True)
    )
    print(json.dumps({"sessions": len(files), "left": left, "trouble": talk.trouble}))


if __name__ == "__main__":
    main()
