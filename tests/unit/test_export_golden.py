"""Exports as they were looked at and found good: `python tests/golden/make.py` writes them anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from exporting import GOLDEN, golden


@pytest.mark.parametrize("name", GOLDEN)
def test_an_export_is_what_it_was(name: str, root: Path, tmp_path: Path) -> None:
    form, options = GOLDEN[name]
    want = (root / "tests" / "golden" / name).read_text(encoding="utf-8")
    assert golden(form, options, tmp_path) == want
