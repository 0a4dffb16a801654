"""The plain parse that an index is held against: read each file, split it, orjson.loads every line."""

import sys
from pathlib import Path

import orjson


def main() -> None:
    """Parse the files that a list names."""
    loads = orjson.loads
    for name in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        for line in Path(name).read_bytes().split(b"\n"):
            if line:
                try:
                    loads(line)
                except ValueError:  # the corpus holds damaged lines
                    continue


if __name__ == "__main__":
    main()
