"""HTML exports are valid to html5lib's strict parser, whatever texts are in them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import html5lib
import pytest
from builders import ERA_NAMES, sampler
from exporting import FULL, SHORT, exported
from hostile import hostile_sheets

from ccbrowse.core.export import Form, Options
from ccbrowse.core.session import Session


def errors(page: str) -> list[object]:
    parser = html5lib.HTMLParser()
    parser.parse(page)
    return list(parser.errors)


def test_the_parser_finds_errors_where_there_are_some() -> None:
    assert errors("<!DOCTYPE html><title>x</title><p></div>")


@pytest.mark.parametrize("options", [FULL, SHORT], ids=["full", "short"])
def test_hostile_sessions_make_valid_pages(tmp_path: Path, options: Options) -> None:
    for name, sheet in hostile_sheets():
        with closing(sheet.open(tmp_path / name)) as session:
            assert errors(exported(session, Form.HTML, options)) == []


@pytest.mark.parametrize("era", ERA_NAMES)
def test_every_client_makes_valid_pages(tmp_path: Path, era: str) -> None:
    with closing(Session.open(sampler(era).write(tmp_path))) as session:
        assert errors(exported(session, Form.HTML, FULL)) == []


GIVEN = Path(__file__).parents[1] / "cases" / "given"


@pytest.mark.parametrize("kind", "prxc")
def test_given_cases_make_valid_pages(kind: str) -> None:
    files = sorted(path for path in GIVEN.glob(f"{kind}*/projects/*/*.jsonl") if path.is_file())
    assert files
    for path in files:
        with closing(Session.open(path)) as session:
            assert errors(exported(session, Form.HTML, FULL)) == [], path
