"""Write the golden files anew; look at what changed before it is committed."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from exporting import GOLDEN, golden  # noqa: E402 - the path above is where it lies

if __name__ == "__main__":
    for name, (form, options) in GOLDEN.items():
        with TemporaryDirectory() as folder:
            (HERE / name).write_text(golden(form, options, Path(folder)), encoding="utf-8")
