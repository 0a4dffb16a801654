"""A compaction as the screen says it: figures, facts, losses, the summary with its matches, the forecast."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import lossy
import pytest
from builders import OPENING, SessionBuilder, turn

from ccbrowse.core.capture import Block, Capture
from ccbrowse.core.compaction import Bucket, BucketSum, Compaction, Item, ItemKind, Loss, compaction
from ccbrowse.core.forecast import Basis, Forecast
from ccbrowse.core.locate import session_file
from ccbrowse.core.numbers import UNKNOWN, Number, Source
from ccbrowse.core.session import Session
from ccbrowse.core.text import SafeText
from ccbrowse.tui.viewmodels import compaction as views
from ccbrowse.tui.viewmodels import compaction_capture as captures
from ccbrowse.tui.viewmodels import compaction_loss as losses
from ccbrowse.tui.viewmodels import compaction_payload as payloads
from ccbrowse.tui.viewmodels.forecast import forecast_basis, forecast_line, forecast_words
from ccbrowse.tui.viewtypes import DetailView, DiffBlock, FactsBlock, Line, Role, TextBlock, Tone


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """The session whose losses are known."""
    opened = Session(session_file(lossy.write(tmp_path_factory.mktemp("lossy") / "projects")))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def found(session: Session) -> Compaction:
    """Its first compaction."""
    return compaction(session, 1)


def text(line: Line) -> str:
    """The words of a line."""
    return "".join(piece.text for piece in line)


def facts(view: DetailView) -> dict[str, str]:
    """The facts of a view by name."""
    return {
        name: text(value)
        for block in view.blocks
        if isinstance(block, FactsBlock)
        for name, value in block.facts
    }


def made(*items: tuple[ItemKind, Bucket, str, int | None], sentences: Sequence[str] = ()) -> Loss:
    """Losses of items: kind, bucket, label, sentence; each weighs ten tokens, but files nothing."""
    all_items = tuple(
        Item(
            row=n,
            uuid=f"u{n}",
            kind=kind,
            label=label,
            tokens=Number(0 if kind is ItemKind.FILE else 10, Source.ESTIMATE, 0.1),
            bucket=bucket,
            evidence=sentences[sentence] if sentence is not None else None,
            sentence=sentence,
        )
        for n, (kind, bucket, label, sentence) in enumerate(items)
    )

    def summed(some: Sequence[Item]) -> BucketSum:
        weight = sum(item.tokens.value or 0 for item in some)
        return BucketSum(len(some), Number(weight, Source.ESTIMATE, 0.1))

    table = {
        (kind, bucket): summed(some)
        for kind in ItemKind
        for bucket in Bucket
        if (some := [i for i in all_items if i.kind is kind and i.bucket is bucket])
    }
    buckets = {b: summed([i for i in all_items if i.bucket is b]) for b in Bucket}
    return Loss(all_items, buckets, table, tuple(sentences))


# --- figures ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("less", "words"),
    [
        (0.783, "−78 %"),
        (1.0, "−100 %"),
        (0.0056, "−0.6 %"),
        (0.0, "−0.0 %"),
        (-0.25, "+25 %"),
        (None, "–"),
    ],
)
def test_a_reduction_is_said_with_its_sign(less: float | None, words: str) -> None:
    assert views.share(less) == words


def test_the_top_line_tells_both_figures_after(found: Compaction) -> None:
    told = found.boundary.facts
    first, second = views.headlines(found.boundary, found)
    assert text(first) == f"{told.pre_tokens:,}= → {told.post_tokens:,}= boundary"
    assert found.after is not None
    assert text(second) == f"→ {found.after.api_input.value:,}= request"
    assert len(views.headlines(found.boundary, None)) == 1
    assert len(views.headlines(found.boundary, replace(found, after=None))) == 1


def test_the_chosen_view_stands_in_brackets() -> None:
    assert text(views.tabs(0)) == "1 [Loss]  2 Payload  3 Capture"
    assert text(views.tabs(2)) == "1 Loss  2 Payload  3 [Capture]"


def test_the_table_has_a_dash_where_a_side_is_not_known(found: Compaction) -> None:
    rows = [text(row) for row in views.figures_table(replace(found, after=None), 0)]
    assert [row.split()[0] for row in rows] == [
        *("before", "messages", "tokens", "bytes", "by", "boundary"),
    ]
    assert found.before is not None
    assert f"{found.before.messages}=" in rows[1] and "–" in rows[1]
    assert "≈" in rows[2] and "±" in rows[2]


def test_the_bars_show_what_is_left(found: Compaction) -> None:
    less = replace(found.reduction, messages=0.75, bytes=-0.5, api_input=None)
    rows = [text(row) for row in views.figures_table(replace(found, reduction=less), 20)]
    assert rows[1].endswith("▆" * 5 + "▁" * 15)
    assert rows[3].endswith("▆" * 20)
    assert not rows[4].rstrip().endswith(("▆", "▁"))


def test_what_is_unknown_is_named_once(found: Compaction) -> None:
    assert found.before is not None and found.after is not None
    unknown = replace(
        found,
        before=replace(found.before, unknown=("system_prompt", "tools")),
        after=replace(found.after, unknown=("tools", "reminders", "of_the_future")),
    )
    told = [text(note) for note in views.notes_of(unknown)]
    assert told[1] == "in no record: system prompt, tools, reminders, of_the_future"
    assert len(views.notes_of(replace(found, before=None, after=None))) == 1


def test_the_facts_name_what_was_put_back(session: Session, found: Compaction) -> None:
    opened = session.segment(found.opens)
    told = facts(views.facts_view(opened, 1, found))
    assert told["asked for"] == "“keep the tests”"
    assert told["put back"].startswith("src/auth/session.py ")
    assert told["put back"].endswith("src/auth/keys.py its name alone")
    assert told["kept"] == "4 messages" or told["kept"].endswith("messages")
    assert told["the call"].endswith("it stands in no record") and "≈" in told["the call"]
    early = facts(views.facts_view(opened, 1, None))
    assert list(early) == ["set off", ""] and early[""] == "reading …"


def test_a_compaction_without_summary_says_so(session: Session, found: Compaction) -> None:
    bare = replace(found, summary=None, put_back=(), carried_over=(), closes=None)
    view = views.facts_view(session.segment(found.opens), 1, bare)
    told = facts(view)
    assert told["summary"] == "none in the file"
    assert told["kept"] == told["put back"] == "nothing"
    assert "the file starts here" in text(view.title)
    assert text(losses.losses_line(bare)).startswith("no summary · kept nothing")


# --- losses -------------------------------------------------------------------------------------


def test_the_table_has_the_kinds_that_there_are_and_their_sums() -> None:
    loss = made(
        (ItemKind.USER_TEXT, Bucket.NOT_FOUND, "a", None),
        (ItemKind.USER_TEXT, Bucket.NOT_FOUND, "b", None),
        (ItemKind.USER_TEXT, Bucket.KEPT, "c", None),
        (ItemKind.FILE, Bucket.PUT_BACK, "d.py", None),
    )
    table = losses.loss_table(loss)
    assert [row.name for row in table.rows] == ["user text", "files", "all"]
    user, files, total = ([(cell.tokens, cell.items) for cell in row.cells] for row in table.rows)
    assert user == [("30≈", 3), ("10≈", 1), ("–", 0), ("–", 0), ("20≈", 2)]
    assert files == [("", 1), ("–", 0), ("", 1), ("–", 0), ("–", 0)]
    assert [count for _, count in total] == [4, 1, 1, 0, 2]
    assert losses.chosen_items(loss, None, Bucket.NOT_FOUND) == [0, 1]
    assert losses.chosen_items(loss, ItemKind.USER_TEXT, None) == [0, 1, 2]
    assert losses.list_title(loss, ItemKind.USER_TEXT, None, 3) == (
        "all items · user text · 3 · by worth"
    )


def test_an_item_is_a_row_with_its_place_and_weight(session: Session, found: Compaction) -> None:
    assert found.loss is not None
    items = list(enumerate(found.loss.items))
    number, item = next(each for each in items if each[1].kind is ItemKind.TOOL_CALL)
    entry = losses.item_entry(number, item, session.index, session.cwd or "", True)
    assert entry.key == str(number) and entry.role is Role.TOOL
    assert entry.label == item.detail and not entry.text.startswith(item.detail)
    assert "/home/robin" not in entry.text
    assert text(entry.facts).startswith(item.bucket.value.replace("_", " "))
    number, item = next(each for each in items if each[1].label.startswith("[red]"))
    entry = losses.item_entry(number, item, session.index, "", False)
    assert entry.text == "[red]Weigh the anchor[/] before noon."
    assert "\x1b" not in losses.item_text(item)


@pytest.mark.parametrize(
    ("bucket", "words"),
    [
        (Bucket.KEPT, "kept: it stands after the boundary as it was"),
        (Bucket.PUT_BACK, "The sea: sent again in full"),
        (Bucket.IN_SUMMARY, "in the summary: “The sea”"),
        (Bucket.NOT_FOUND, losses.NOT_FOUND_WORDS),
    ],
)
def test_the_verdict_says_where_an_item_went(bucket: Bucket, words: str) -> None:
    loss = made((ItemKind.USER_TEXT, bucket, "Of the sea", 0), sentences=["The sea"])
    said, item = losses.verdict(loss.items[0], "")
    assert (text(said), text(item)) == (words, "Of the sea")


@pytest.mark.parametrize(
    ("words", "cwd", "shown"),
    [
        ("Read /w/a/b.py", "/w/a", "Read b.py"),
        ("Read /w/a/b.py", "/w/a/", "Read b.py"),
        ("Read /w/ab.py", "/w/a", "Read /w/ab.py"),
        ("Read /etc/hosts", "/", "Read /etc/hosts"),
        ("Read /etc/hosts", "", "Read /etc/hosts"),
    ],
)
def test_paths_are_seen_from_the_working_directory(words: str, cwd: str, shown: str) -> None:
    assert losses.near(words, cwd) == shown


def spans(summary: str, *sentences: str, only: Sequence[int] | None = None) -> list[str]:
    """What is marked in a summary whose sentences are these, all of them evidence or `only` some."""
    numbers = range(len(sentences)) if only is None else only
    loss = made(
        *((ItemKind.USER_TEXT, Bucket.IN_SUMMARY, "x", n) for n in numbers), sentences=sentences
    )
    return [
        f"{span.sentence}:{line.text[span.start : span.end]}"
        for line in losses.summary_lines(summary, loss)
        for span in line.spans
    ]


def test_sentences_are_found_again_in_the_summary() -> None:
    summary = "Intro.\n\n- **The** sea is\n  deep. It is cold!\n| a | b |\n"
    assert spans(summary, "Intro.", "The sea is deep.", "It is cold!", "a | b") == [
        *("0:Intro.", "1:The** sea is", "1:deep.", "2:It is cold!", "3:a | b"),
    ]


def test_a_sentence_that_is_there_twice_is_marked_at_its_own_place() -> None:
    assert spans("Go on. Stop. Go on.", "Go on.", "Stop.", "Go on.", only=[2]) == ["2:Go on."]
    assert spans("Stop.", "Never said.", "Stop.") == ["1:Stop."]
    assert spans("…", "…") == []


def test_hostile_summaries_are_safe_and_still_marked() -> None:
    summary = "The \x1b[31msea\x1b[0m is \u202edeep.\nSo it [bold]is[/]."
    loss = made(
        (ItemKind.USER_TEXT, Bucket.IN_SUMMARY, "x", 0),
        sentences=["The \x1b[31msea\x1b[0m is \u202edeep."],
    )
    lines = losses.summary_lines(summary, loss)
    assert [line.text for line in lines] == ["The sea is deep.", "So it [bold]is[/]."]
    assert [(span.start, span.end) for span in lines[0].spans] == [(0, 16)]


def test_headings_of_a_summary_stand_out() -> None:
    lines = losses.summary_lines(
        "## Asked\n1. Primary request:\n1. It is so.\n**Files**\nNo.", None
    )
    assert [line.heading for line in lines] == [True, True, False, True, False]


def test_the_boundary_s_line_counts_what_is_not_a_file_without_a_name(found: Compaction) -> None:
    other = replace(found.put_back[0], type="plan")
    line = text(losses.losses_line(replace(found, put_back=(other, *found.put_back))))
    assert " · put back 2 · " in line
    assert text(losses.losses_line(replace(found, loss=None))).endswith("put back 1 file  » L")


# --- requests -----------------------------------------------------------------------------------


def block(**fields: object) -> dict[str, object]:
    """A block of a message."""
    return dict(fields)


@pytest.mark.parametrize(
    ("role", "content", "label", "words"),
    [
        ("user", "Hello\nthere", "user", "Hello …"),
        ("user", f"{OPENING} So.", "summary", f"{OPENING} So."),
        ("assistant", [block(type="text", text="Hi")], "claude", "Hi"),
        (
            "assistant",
            [
                block(type="thinking", thinking="", signature="x"),
                block(type="tool_use", id="t", name="mcp__sea__Look", input={"path": "/w/a.py"}),
            ],
            "Look",
            "a.py",
        ),
        ("user", [block(type="tool_result", tool_use_id="t", content="1\n2")], "result", "1 …"),
        ("user", [block(type="tool_result", tool_use_id="t", content=[])], "result", "(empty)"),
        (
            "user",
            [
                block(type="text", text="<system-reminder>a</system-reminder>"),
                block(type="text", text="Go"),
            ],
            "user",
            "Go · 1 reminder",
        ),
        ("user", "<system-reminder>be kind</system-reminder>", "reminder", "be kind"),
        ("system", "Today is Monday.", "system", "Today is Monday."),
        ("assistant", [block(type="thinking", thinking="")], "thinking", "(no words)"),
        ("assistant", [block(type="odd\x1b[1m", x=1)], "claude", "odd"),
        ("user", None, "user", ""),
    ],
)
def test_a_message_is_described_by_what_tells_most(
    role: str, content: object, label: str, words: str
) -> None:
    message = {"role": role, "content": content}
    entry = payloads.message_entry("0", message, UNKNOWN, 3_000, payloads.NEW, "/w")
    assert (entry.label, entry.text.replace("</system-reminder>", "")) == (label, words)
    assert entry.mark == "+" and entry.time.strip() == "1"
    assert text(entry.facts).split() == ["–", "3.0", "kB"]


def test_a_message_in_full_names_its_blocks() -> None:
    message = {
        "role": "assistant",
        "content": [
            block(type="text", text="Look\x07:"),
            block(type="tool_use", id="t1", name="Read", input={"path": "a"}),
            block(type="image", source={"media_type": "image/png", "data": "AAAA"}),
            block(type="odd", x=1),
        ],
    }
    view = payloads.message_view("k", 4, message, ())
    assert text(view.title) == "message 5 · assistant"
    assert view.blocks[0] == TextBlock(SafeText("Look:"))
    assert payloads.message_text(message).split("\n\n") == [
        *("Look:", 'Read {"path":"a"}', "[image/png, 3 bytes]", '{"type":"odd","x":1}'),
    ]


# --- a captured request -------------------------------------------------------------------------


def said(words: str, number: int = 0) -> Block:
    """A block of words."""
    return Block(number, "user", {"type": "text", "text": words})


def test_blocks_say_by_a_sign_what_is_known_of_them() -> None:
    compared = [
        captures.Compared(captures.Found.EQUAL, said("a"), said("a")),
        captures.Compared(captures.Found.DIFFERENT, said("b\nc"), said("b\nd")),
        captures.Compared(captures.Found.MISSING, said("e"), None),
        captures.Compared(captures.Found.EXTRA, None, said("f", 8)),
    ]
    assert captures.tally(compared) == "blocks · 1 equal · 1 different · 1 not rebuilt · 1 not sent"
    entries = [captures.compared_entry(n, each, "") for n, each in enumerate(compared)]
    assert [entry.mark for entry in entries] == ["=", "±", "−", "+"]
    assert entries[3].time.strip() == "9" and entries[3].text == "f"
    view = captures.compared_view("1", compared[1])
    diff = next(each for each in view.blocks if isinstance(each, DiffBlock))
    assert [line.change.value + line.text for line in diff.lines] == [" b", "-d", "+c"]
    assert len(captures.compared_view("0", compared[0]).blocks) == 2


def test_a_capture_names_itself_and_what_only_it_holds(found: Compaction) -> None:
    capture = Capture("x", [{"role": "user", "content": "a"}], None, None, 2_500, 900, 0)
    told = [text(line) for line in captures.capture_lines("a\x07b.json", capture, None, False, 0.0)]
    assert told[0] == "ab.json  1 message · 2.5 kB"
    assert told[1].startswith("no request of this session is like it")
    assert told[2] == "in the body alone: system prompt 900 B"


# --- the forecast -------------------------------------------------------------------------------


def forecast(turns: int, low: int, high: int, basis: Basis = Basis.SEEN_HERE) -> Forecast:
    """A forecast."""
    return Forecast(turns, low, high, 167_000, basis, 6_100, 24)


def test_the_forecast_is_said_with_its_interval() -> None:
    assert forecast_words(forecast(11, 7, 16)) == "next compact ≈ 11 turns (7–16)"
    assert forecast_words(forecast(1, 0, 2)) == "next compact ≈ 1 turn (0–2)"
    assert forecast_words(forecast(0, 0, 0)) == "next compact at any moment"
    assert forecast_words(forecast(900, 300, 2_000)) == "next compact ≈ 900 turns (300–…)"
    assert forecast_words(forecast(2_000, 2_000, 2_000)) == "next compact far off"
    assert [piece.tone for piece in forecast_line(forecast(11, 7, 16))] == [
        *(Tone.MUTED, Tone.STRONG, Tone.MUTED),
    ]


@pytest.mark.parametrize("basis", Basis)
def test_each_basis_has_its_words(basis: Basis) -> None:
    words = forecast_basis(forecast(11, 7, 16, basis))
    assert "expected at about 167,000 tokens, " in words
    assert "a turn adds 6.1k≈, over 24 turns" in words


def test_a_file_that_starts_at_a_boundary_has_no_losses(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.332", seed="cut")
    turn(b, "Hello", say="Hello.")
    b.compact(f"{OPENING}\n\nHello was said.", keep=0)
    turn(b, "Go on", say="On.")
    path = b.write(tmp_path / "projects")
    lines = path.read_bytes().split(b"\n")
    first = next(n for n, each in enumerate(lines) if b"compact_boundary" in each)
    path.write_bytes(b"\n".join(lines[first:]))
    session = Session(session_file(path))
    found = compaction(session, 1)
    assert found.loss is None and found.before is None
    view = views.facts_view(session.segment(found.opens), 1, found)
    assert "the file starts here" in text(view.title)
    assert "not found" not in text(losses.losses_line(found))
    session.close()
