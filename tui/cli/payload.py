"""`ccbrowse payload`: the `messages` array that a reply answered, or that would be sent next."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.export import keep_off, write_file
from ccbrowse.core.numbers import Number, Source, signed
from ccbrowse.core.payload import (
    Payload,
    Payloads,
    Unknown,
    replies,
    reply_after,
    reply_before,
    reply_of,
)
from ccbrowse.core.session import Session
from ccbrowse.core.targets import Resolved, resolve
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.tui.cli.output import (
    json_option,
    print_json,
    print_line,
    roots_option,
    roots_or_none,
    say,
    to_json,
)
from ccbrowse.tui.cli.patience import waiting
from ccbrowse.tui.cli.words import size

WIDTH = 100
"""Characters of a block that the text for people shows."""


@click.command()
@click.argument("target")
@click.option("--reply", "message_id", metavar="MESSAGE_ID", help="What this reply answered.")
@click.option("--before", type=click.IntRange(min=1), metavar="N", help="Before compaction N.")
@click.option("--after", type=click.IntRange(min=1), metavar="N", help="After compaction N.")
@click.option("--next", "following", is_flag=True, help="What would be sent next.")
@click.option("--all", "everything", is_flag=True, help="What every reply answered, in file order.")
@click.option("--counts", is_flag=True, help="Sizes alone, without the messages.")
@click.option("-o", "output", metavar="FILE|-", help="Write JSON to a file; - is stdout.")
@click.option("--force", is_flag=True, help="Replace a file that exists.")
@json_option
@roots_option
@waiting("reading…")
def payload(
    target: str,
    message_id: str | None,
    before: int | None,
    after: int | None,
    following: bool,
    everything: bool,
    counts: bool,
    output: str | None,
    force: bool,
    as_json: bool,
    named_roots: tuple[str, ...],
) -> None:
    """Show the messages of a request: as the client logged them, else rebuilt from the records.

    What no record tells, such as the system prompt, is named as unknown.
    """
    chosen = [message_id, before, after, following, everything]
    if sum(bool(each) for each in chosen) != 1:
        raise click.UsageError("choose one of --reply, --before, --after, --next and --all")
    roots = roots_or_none(named_roots, [target])
    found = resolve(target, roots)
    if found.segment is not None and not everything:
        raise click.UsageError(
            "a segment goes with --all; --next and the others ask the whole session"
        )
    if output == "-":
        output, as_json = None, True
    shown = bool(output or as_json or not everything)
    with closing(found.session) as session:
        asked = Payloads(session, with_messages=shown and not counts)
        payloads = _chosen(found, asked, message_id, before, after, everything)
        if output:
            _write(payloads, Path(output), session, roots, force)
        elif as_json:
            for each in payloads:
                print_json(each.to_json())
        else:
            _print(payloads, whole=not counts and not everything)


def _chosen(
    found: Resolved,
    asked: Payloads,
    message_id: str | None,
    before: int | None,
    after: int | None,
    everything: bool,
) -> Iterator[Payload]:
    session = found.session
    if everything:
        payloads = (asked.of(reply) for reply in replies(session))
        return (p for p in payloads if found.segment in (None, p.segment))
    if message_id is not None:
        return iter([asked.of(reply_of(session, message_id))])
    if before is not None:
        return iter([_of_compaction(asked, before, "before")])
    if after is not None:
        return iter([_of_compaction(asked, after, "after")])
    return iter([asked.next()])


def _of_compaction(asked: Payloads, number: int, side: str) -> Payload:
    find = reply_before if side == "before" else reply_after
    reply = find(asked.session, number)
    if reply is None:
        raise CcbrowseError(
            f"no request {side} compaction {number}",
            asked.session.session_id,
            "try --next or --all",
        )
    return asked.of(reply)


def _write(
    payloads: Iterator[Payload],
    path: Path,
    session: Session,
    roots: Sequence[Path],
    force: bool,
) -> None:
    """The objects to a file, one a line; never where sessions are read, nor over the session itself."""
    keep_off(path, session.file.path, roots)
    written = write_file((to_json(p.to_json()) + b"\n" for p in payloads), path, force=force)
    say(f"{written.path}, {size(written.size)}")


def _print(payloads: Iterator[Payload], *, whole: bool) -> None:
    for each in payloads:
        print_line(_head(each))
        if not whole:
            continue
        for number, message in enumerate(each.messages or (), 1):
            for line in _message_lines(number, message):
                print_line(line)
        print_line(f"not known: {_names(each.unknown)}")


def _head(found: Payload) -> str:
    """One line: the reply, how its request is known, and how large it is."""
    counts = found.counts
    tokens = signed(Number(counts.tokens, Source.ESTIMATE, counts.tokens_error))
    where = f"segment {found.segment}" if found.segment else "beside the main line"
    name = display_text(found.reply) if found.reply else "next request"
    known = found.source.value + (", verified" if found.verified else "")
    messages = "1 message" if counts.messages == 1 else f"{counts.messages:,} messages"
    return (
        f"{name} · {where if found.reply else 'not sent yet'} · {known} · {messages} "
        f"· {tokens} tokens · {size(counts.bytes)}"
    )


def _names(unknown: tuple[Unknown, ...]) -> str:
    return ", ".join(word.value.replace("_", " ") for word in unknown) or "nothing"


def _message_lines(number: int, message: Mapping[str, Any]) -> Iterator[str]:
    role = one_line(str(message.get("role")), 9)
    content = message.get("content")
    blocks = content if isinstance(content, list) else [content]
    lead = f"{number:4} {role:9}"
    for block in blocks or ["(empty)"]:
        yield f"{lead} {_block(block)}".rstrip()
        lead = " " * len(lead)


def _block(block: object) -> SafeText:
    if not isinstance(block, Mapping):
        return one_line(str(block or ""), WIDTH)
    kind = str(block.get("type", "block"))
    if kind == "text":
        return one_line(str(block.get("text", "")), WIDTH)
    shown = block.get("thinking") or block.get("input") or block.get("content") or ""
    return one_line(f"[{kind}] {block.get('name', '')} {shown}", WIDTH)
