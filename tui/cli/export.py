"""`ccbrowse export`: writes the chosen part of a session, or tells what it would mask in it."""

import codecs
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from ccbrowse.core.export import (
    Form,
    Options,
    Part,
    Tools,
    Written,
    branch,
    default_name,
    encoded,
    keep_off,
    local_zone,
    loss_name,
    message_range,
    segment,
    whole,
    write_file,
    write_part,
)
from ccbrowse.core.export import export as stream
from ccbrowse.core.report import session_json
from ccbrowse.core.session import Session
from ccbrowse.core.targets import resolve
from ccbrowse.tui.cli.masking import Course, make_redactor, masked_words, print_hits
from ccbrowse.tui.cli.output import roots_option, roots_or_none, say
from ccbrowse.tui.cli.words import size
from ccbrowse.tui.config import load

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
@click.option("--keep-paths", is_flag=True, help="Leave home paths and user names as they are.")
@click.option("--emails", is_flag=True, help="Mask e-mail addresses too.")
@click.option("--dry-run", is_flag=True, help="List what would be masked; write nothing.")
@click.option("--reroot", is_flag=True, help="JSONL that loads on its own: links made whole.")
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
    keep_paths: bool,
    emails: bool,
    dry_run: bool,
    reroot: bool,
    force: bool,
    named_roots: tuple[str, ...],
) -> None:
    """Write a part of a session: its newest segment, as Markdown, unless told otherwise."""
    _only_one(number, ends, leaf, loss, everything)
    if reroot and form != Form.JSONL:
        raise click.UsageError("--reroot makes JSONL: say --format jsonl too")
    if redact is False and (keep_paths or emails or dry_run):
        raise click.UsageError("--no-redact leaves nothing for the other options of masking")
    if loss is not None and form != Form.MARKDOWN:
        raise click.UsageError("--loss writes Markdown")
    roots = roots_or_none(named_roots, [target])
    found = resolve(target, roots)
    if redact is None:
        asked = keep_paths or emails or dry_run
        redact = asked or (form != Form.JSONL and load().redact)
    redactor = None
    if redact:
        redactor = make_redactor(keep_paths=keep_paths, emails=emails, keep_hits=dry_run)
    course = Course(redactor)
    in_full = form == Form.JSON
    options = Options(
        tools=Tools(tools) if tools else Tools.FULL if in_full else Tools.SHORT,
        thinking=thinking or in_full,
        zone=local_zone(),
        clean=course.clean if redactor else None,
        version=version("ccbrowse"),
        reroot=reroot,
        at=course.at,
    )
    with closing(found.session):
        if loss is not None:
            chunks, name = _loss(found.session, loss, options)
            if dry_run:
                deque(chunks, maxlen=0)
            else:
                _write(chunks, found.session, output or name, force, roots)
        else:
            part = _part(found.session, number or found.segment, ends, leaf, everything)
            if output != STDOUT or dry_run or not sys.stdout.isatty():
                course.start(part)
            if dry_run:
                deque(_chunks(part, Form(form), options, course), maxlen=0)
            elif output == STDOUT:
                _print(_chunks(part, Form(form), options, course))
            else:
                _write_part(part, Form(form), options, course, output, force, roots)
    if redactor and dry_run:
        print_hits(redactor.hits)
    say(masked_words(redactor.counts() if redactor else None, would=dry_run))


def _loss(session: Session, number: int, options: Options) -> tuple[Iterator[str], str]:
    """What a compaction lost and kept, as Markdown, and the name of its file."""
    from ccbrowse.core.compaction import compaction
    from ccbrowse.core.export.loss import loss_markdown

    found = compaction(session, number)
    return loss_markdown(found, options.text), loss_name(session, number)


def _write_part(
    part: Part,
    form: Form,
    options: Options,
    course: Course,
    output: str | None,
    force: bool,
    roots: Sequence[Path],
) -> None:
    path = Path(output or default_name(part, form, options))
    keep_off(path, part.session.file.path, roots)
    with closing(course):
        written = write_part(part, form, options, path, shown=_shown(part), force=force)
    _tell(written)


def _chunks(part: Part, form: Form, options: Options, course: Course) -> Iterator[str | bytes]:
    try:
        yield from stream(part, form, options, _shown(part))
    finally:
        course.close()


def _shown(part: Part) -> Callable[[], Mapping[str, Any]]:
    """What `show --json` says of the session, when it is asked for."""
    return lambda: session_json(part.session, now=int(time.time() * 1000))


def _tell(written: Sequence[Written]) -> None:
    """Say which files were written, and why they are several."""
    for each in written:
        say(f"{each.path}, {size(each.size)}")
    if len(written) > 1:
        say(
            f"in {len(written)} pages that lead to each other: a browser takes long over more in one"
        )
    for path in (path for each in written for path in each.removed):
        say(f"removed {path}, a page of the longer export that was there")


def _write(
    chunks: Iterable[str | bytes],
    session: Session,
    output: str,
    force: bool,
    roots: Sequence[Path],
) -> None:
    if output == STDOUT:
        _print(chunks)
        return
    path = Path(output)
    keep_off(path, session.file.path, roots)
    _tell([write_file(chunks, path, force=force)])


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
