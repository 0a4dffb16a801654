"""`ccbrowse export`: writes the chosen part of a session to a file or to stdout."""

import codecs
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.export import (
    Form,
    Options,
    Part,
    Tools,
    branch,
    default_name,
    encoded,
    local_zone,
    message_range,
    segment,
    whole,
    write_file,
)
from ccbrowse.core.export import export as stream
from ccbrowse.core.report import session_json
from ccbrowse.core.session import Session
from ccbrowse.core.targets import resolve
from ccbrowse.tui.cli.output import roots_option, roots_or_none, say
from ccbrowse.tui.cli.words import size

if TYPE_CHECKING:
    from ccbrowse.core.redact import Redactor

STDOUT = "-"
_OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")


@click.command()
@click.argument("target")
@click.option("--segment", "number", type=click.IntRange(min=1), help="One segment, from 1.")
@click.option("--range", "ends", metavar="UUID..UUID", help="From one message to another.")
@click.option("--branch", "leaf", metavar="LEAF", help="A branch, by its newest record's uuid.")
@click.option("--loss", type=click.IntRange(min=1), metavar="N", help="What compaction N lost.")
@click.option("--all", "everything", is_flag=True, help="The whole session; as JSONL its file.")
@click.option(
    "--format",
    "form",
    type=click.Choice([form.value for form in Form]),
    default=Form.MARKDOWN.value,
    show_default=True,
    help="What to write.",
)
@click.option("-o", "output", metavar="FILE|-", help="Where to; - is stdout. [./TITLE.segN.md]")
@click.option(
    "--tools",
    type=click.Choice([tools.value for tools in Tools]),
    help="How much of tool calls.  [default: short; JSON: full]",
)
@click.option("--thinking", is_flag=True, help="The model's thinking too; JSON always has it.")
@click.option(
    "--redact/--no-redact",
    "redact",
    default=None,
    help="Mask secrets and home paths.  [default: yes; JSONL: no]",
)
@click.option("--force", is_flag=True, help="Replace a file that exists.")
@roots_option
def export(
    target: str,
    number: int | None,
    ends: str | None,
    leaf: str | None,
    loss: int | None,
    everything: bool,
    form: str,
    output: str | None,
    tools: str | None,
    thinking: bool,
    redact: bool | None,
    force: bool,
    named_roots: tuple[str, ...],
) -> None:
    """Write a part of a session: its newest segment, as Markdown, unless told otherwise."""
    _only_one(number, ends, leaf, loss, everything)
    if loss is not None:
        raise CcbrowseError("losses cannot be exported yet", f"--loss {loss}", "export a segment")
    roots = roots_or_none(named_roots, [target])
    found = resolve(target, roots)
    redactor = _redactor() if (form != Form.JSONL if redact is None else redact) else None
    in_full = form == Form.JSON
    options = Options(
        tools=Tools(tools) if tools else Tools.FULL if in_full else Tools.SHORT,
        thinking=thinking or in_full,
        zone=local_zone(),
        clean=redactor.redact if redactor else None,
        version=version("ccbrowse"),
    )
    with closing(found.session):
        part = _part(found.session, number or found.segment, ends, leaf, everything)
        _write(part, Form(form), options, output, force, roots)
    say(_masked_words(redactor.counts() if redactor else None))


def _write(
    part: Part, form: Form, options: Options, output: str | None, force: bool, roots: Sequence[Path]
) -> None:
    now = int(time.time() * 1000)
    chunks = stream(part, form, options, lambda: session_json(part.session, now=now))
    if output == STDOUT:
        _print(chunks)
        return
    path = Path(output) if output else Path(default_name(part, form, options))
    _refuse_roots(path, part.session, roots)
    written = write_file(chunks, path, force=force)
    say(f"{written.path}, {size(written.size)}")


def _only_one(*given: object) -> None:
    if sum(bool(each) for each in given) > 1:
        raise click.UsageError("choose one of --segment, --range, --branch, --loss and --all")


def _part(
    session: Session, number: int | None, ends: str | None, leaf: str | None, everything: bool
) -> Part:
    if everything:
        return whole(session)
    if leaf:
        return branch(session, leaf)
    if ends:
        first, dots, last = ends.partition("..")
        if not (first and dots and last):
            raise click.UsageError(f"--range takes UUID..UUID, not {ends}")
        return message_range(session, first, last)
    return segment(session, number)


def _redactor() -> "Redactor":
    from ccbrowse.core.redact import Redactor

    home = Path.home()
    return Redactor(str(home), home.name, keep_hits=False)


def _masked_words(counts: Counter[str] | None) -> str:
    if counts is None:
        return "nothing was masked: secrets and home paths are in it as they were written"
    if not counts:
        return "nothing was found to mask"
    return "masked: " + ", ".join(f"{count:,} {kind}" for kind, count in counts.most_common())


def _refuse_roots(path: Path, session: Session, roots: Sequence[Path]) -> None:
    """Nothing is written where sessions are read, nor over the session itself."""
    folder = path.absolute().parent.resolve()
    if any(folder.is_relative_to(root.resolve()) for root in roots):
        raise CcbrowseError(
            "nothing is written where sessions are read", str(path), "choose another with -o"
        )
    if path.exists() and path.samefile(session.file.path):
        raise CcbrowseError("that is the session itself", str(path), "choose another with -o")


def _print(chunks: Iterable[str | bytes]) -> None:
    out = sys.stdout.buffer
    lines = map(encoded, chunks)
    for data in _for_terminal(lines) if sys.stdout.isatty() else lines:
        out.write(data)
    out.flush()


def _for_terminal(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Source lines hold what they hold: control characters are written as JSON would escape them."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for chunk in chunks:
        yield _OBEYED.sub(
            lambda sign: f"\\u{ord(sign.group()):04x}", decoder.decode(chunk)
        ).encode()
