"""Exports: a part of a session as a stream of text or bytes, one module a format.

    part = segment(session)                       # or whole, message_range, branch
    options = Options(tools=Tools.SHORT, clean=redactor.redact)
    write_part(part, Form.MARKDOWN, options, Path(default_name(part, Form.MARKDOWN, options)))

Whatever a format says, it says of `story`: the part told in messages and pieces. JSONL alone copies
the source lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from ccbrowse.core.export.jsonl import export_jsonl
from ccbrowse.core.export.moments import local_zone
from ccbrowse.core.export.names import default_name, loss_name
from ccbrowse.core.export.options import Options, Tools
from ccbrowse.core.export.parts import Part, Scope, branch, message_range, segment, whole
from ccbrowse.core.export.writing import Written, encoded, keep_off, write_file

__all__ = [
    "Form",
    "Options",
    "Part",
    "Scope",
    "Tools",
    "Written",
    "branch",
    "default_name",
    "encoded",
    "export",
    "keep_off",
    "local_zone",
    "loss_name",
    "message_range",
    "segment",
    "whole",
    "write_file",
    "write_part",
]


class Form(StrEnum):
    """The formats."""

    MARKDOWN = "markdown"
    HTML = "html"
    JSON = "json"
    JSONL = "jsonl"
    TEXT = "text"


def export(
    part: Part,
    form: Form,
    options: Options,
    shown: Callable[[], Mapping[str, Any]] | None = None,
) -> Iterator[str | bytes]:
    """A part in a format, as a stream. Slow and long: iterate in a worker, and stop when you like.

    `shown` gives what `show --json` says of the session (`report.session_json`); JSON needs it. Of
    what is shown JSONL knows `clean` and `reroot` alone, and JSON no `zone`. Raises Gone or OSError
    while iterating.
    """
    # Each is imported when it is asked for: a parser and a template engine take a while to load.
    match form:
        case Form.JSONL:
            return export_jsonl(part, options)
        case Form.JSON:
            from ccbrowse.core.export.json import export_json

            return export_json(part, options, shown() if shown else {})
        case Form.HTML:
            from ccbrowse.core.export.html import export_html

            return export_html(part, options)
        case Form.TEXT:
            from ccbrowse.core.export.text import export_text

            return export_text(part, options)
        case Form.MARKDOWN:
            from ccbrowse.core.export.markdown import export_markdown

            return export_markdown(part, options)


def write_part(
    part: Part,
    form: Form,
    options: Options,
    target: Path,
    *,
    shown: Callable[[], Mapping[str, Any]] | None = None,
    force: bool = False,
) -> tuple[Written, ...]:
    """Write a part to a file, whole or not at all; HTML that is too long for a browser to several.

    The files that were written, `target` first. Raises what `write_file` does, Gone, OSError.
    """
    if form is Form.HTML:
        from ccbrowse.core.export.pages import write_html

        return write_html(part, options, target, force=force)
    return (write_file(export(part, form, options, shown), target, force=force),)
