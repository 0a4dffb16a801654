"""What the widgets draw: frozen values made by the view models, of safe text only.

A widget knows no file and no engine. It gets one of these values (or, for the timeline, a
`RowSource` that makes them one by one), draws it, and answers with messages that carry the
value's *key*. Everything of type `SafeText` has passed ``display_text``; text that was built
from numbers and words of our own is wrapped in ``SafeText(...)``. Signs are always the Unicode
ones of `ccbrowse.tui.signs`; a widget in ASCII mode translates them itself.

They are msgspec's structs: to load as many dataclasses takes a tenth of the time to the first paint.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from typing import Protocol, TypeAlias

from msgspec import Struct

from ccbrowse.core.text import SafeText
from ccbrowse.tui.viewpictures import ImageBlock

NOTHING = SafeText("")
"""No text; a field with it is left out of the drawing."""

DETAIL_LIMIT = 1_000_000
"""How many characters of one body the detail pane shows at most.

A view model cuts the raw text to this *before* it makes it safe, and says so in `TextBlock.cut`;
the pane cuts what is longer all the same.
"""


class Tone(Enum):
    """How a piece of text is meant; each is one colour and weight of the theme."""

    PLAIN = auto()
    """Words as they were said."""
    MUTED = auto()
    """Secondary facts, at about half the foreground's strength."""
    STRONG = auto()
    """What the eye should find: numbers, titles, a person's words (bold)."""
    PERSON = auto()
    """The person, and the boundaries (accent, bold)."""
    TOOL = auto()
    """Tools and structure (primary)."""
    GOOD = auto()
    """Done, kept, live (success)."""
    WARN = auto()
    """Repaired, doubtful (warning)."""
    BAD = auto()
    """Failed, lost (error)."""
    MARK = auto()
    """A match in a text (a background of its own, and underlined)."""
    EMPHASIS = auto()
    """Stressed words of a text (italic)."""


class Piece(Struct, frozen=True):
    """Text of one tone, without line breaks."""

    text: SafeText
    tone: Tone = Tone.PLAIN


Line: TypeAlias = tuple[Piece, ...]
"""Pieces that stand behind one another on a line, blanks included where they are wanted."""


def line(*parts: SafeText | tuple[SafeText, Tone]) -> Line:
    """Build a `Line`: ``line(SafeText("context "), (SafeText("151,004="), Tone.STRONG))``."""
    return tuple(Piece(*part) if isinstance(part, tuple) else Piece(part) for part in parts)


class Role(Enum):
    """What an entry of the timeline is; it decides the sign before the label and the tones."""

    PERSON = auto()
    """A prompt: ``› you``, its words strong."""
    REPLY = auto()
    """What the model said: ``● claude``."""
    THINKING = auto()
    """``· thinking``, muted."""
    TOOL = auto()
    """A tool call with its result: the tool's name; the sign is the `Outcome`."""
    RESULT = auto()
    """A tool result that stands by itself (its call is not on the line)."""
    SUBAGENT = auto()
    """A call that started a subagent: ``◆ Task``."""
    SUMMARY = auto()
    """The summary that a compaction left."""
    BRANCH = auto()
    """A mark where the conversation was rewound or edited: ``├ branch``."""
    COMMAND = auto()
    """A slash or shell command of the person and what it printed."""
    QUEUED = auto()
    """A prompt sent while the client worked."""
    NOTE = auto()
    """Rows of the client: system, attachments, hooks, progress, bookkeeping; muted."""
    FINDING = auto()
    """A finding: ``⚠``, with its line, in the place where it was found."""
    ERROR = auto()
    """An API error or a damaged line: ``✗``."""


class Outcome(Enum):
    """How a tool call ended."""

    NONE = auto()
    """Not known, or nothing to say."""
    RUNNING = auto()
    """No result yet."""
    OK = auto()
    """``✓``"""
    FAILED = auto()
    """``✗``"""


class Entry(Struct, frozen=True):
    """One row of the timeline: time, sign, label, words, facts."""

    key: str
    """Stable under growth, filters and toggles, unique in its source: the record's uuid,
    ``uuid#2`` for its second row, ``line:5144`` where there is no uuid."""
    role: Role
    label: SafeText
    """``you``, ``claude``, the tool's name; drawn in a column of 10 cells, longer ones are cut."""
    text: SafeText
    """The words. May hold ``"\\n"``; give no more than about 2,000 characters."""
    time: SafeText = NOTHING
    """``10:02``, local time; at most 5 cells."""
    facts: Line = ()
    """Behind the words, muted unless a piece says otherwise: tokens, counts, ``+3 -1``. Left out
    where it is narrow."""
    outcome: Outcome = Outcome.NONE
    lines: int = 1
    """How many lines the words may take when they do not fit on one."""
    opens: bool = False
    """``enter`` leads somewhere else (a subagent, the branches): a ``»`` stands behind."""
    dim: bool = False
    """Not on the main line, or carried over: the whole row is muted."""
    mark: SafeText = NOTHING
    """The letter that the reader set on it, one cell."""


class BoundaryRow(Struct, frozen=True):
    """A compaction: the loudest thing on the timeline, a rule with its numbers and lines beneath.

    ``━━ compact 3 ━ manual ━ 98,214= → 22,040= ━ −78 % ━ 41 s ━━━``; empty fields are left out, and
    from the right where the row is narrow.
    """

    key: str
    title: SafeText
    """``compact 3``"""
    trigger: SafeText = NOTHING
    """``manual``, ``auto``, with a word for a partial one."""
    before: SafeText = NOTHING
    """``98,214=``"""
    after: SafeText = NOTHING
    """``22,040=``"""
    reduction: SafeText = NOTHING
    """``−78 %``"""
    duration: SafeText = NOTHING
    """``41 s``"""
    notes: tuple[Line, ...] = ()
    """Lines beneath: what the next request weighed and why; summary, kept, put back, not found."""
    mark: SafeText = NOTHING
    """The letter that the reader set on it, one cell."""


class ArmLine(Struct, frozen=True):
    """One arm that left the line: what it is called, its first words, its size."""

    label: SafeText
    words: SafeText
    facts: Line = ()


class ForkRow(Struct, frozen=True):
    """Where arms left the line: a lane that branches off, an arm on each, and how the line goes on.

    ``├─╮ branch   rewound here``, ``│ ╰ left     Why not both?  9 messages``, ``├ goes on  Take the first``.
    """

    key: str
    title: SafeText
    arms: tuple[ArmLine, ...]
    goes_on: SafeText = NOTHING
    """The first words of the line behind the fork."""
    time: SafeText = NOTHING
    mark: SafeText = NOTHING
    """The letter that the reader set on it, one cell."""

    @property
    def text(self) -> SafeText:
        """All its words on a line."""
        arms: list[SafeText] = [arm.words for arm in self.arms]
        return SafeText(" · ".join([self.title, *arms, self.goes_on]).strip(" ·"))


class Divider(Struct, frozen=True):
    """A thin line with words between rows: a new day, the end of what was read."""

    key: str
    text: SafeText
    tone: Tone = Tone.MUTED


Row: TypeAlias = Entry | BoundaryRow | ForkRow | Divider
"""Whatever can stand on the timeline."""


class RowSource(Protocol):
    """The rows of a timeline, made one by one when they come into view.

    Row numbers are positions in this source (not the session's rows). A source may grow at its
    end in place (then ``Timeline.grown()``); any other change is a new source
    (``Timeline.replace_rows(source)``). `key` and `index` must not read bodies.
    """

    def __len__(self) -> int:
        """How many rows there are."""
        ...

    def row(self, index: int) -> Row:
        """Make the row at `index`; may read one body. Called on the event loop: a few milliseconds."""
        ...

    def key(self, index: int) -> str:
        """Give the key of the row at `index`."""
        ...

    def index(self, key: str) -> int | None:
        """Find a key, which may be one of another source; None where this one does not show it."""
        ...


class TextBlock(Struct, frozen=True):
    """Running text, wrapped at words; ``"\\n"`` ends a line."""

    text: SafeText
    tone: Tone = Tone.PLAIN
    marks: tuple[tuple[int, int], ...] = ()
    """Ranges ``(start, end)`` of `text` drawn as `Tone.MARK`, ascending and apart."""
    cut: SafeText = NOTHING
    """Said beneath where `text` is only a beginning: ``first 1.0 MB of 30.4 MB; o opens all``."""


class CodeBlock(Struct, frozen=True):
    """Code or a tool's output: not wrapped at words, numbered from `first_line` where that is given."""

    text: SafeText
    language: str = ""
    """A lexer's name (``python``, ``json``, ``bash``); empty: no colours. Small bodies only are coloured."""
    first_line: int | None = None
    cut: SafeText = NOTHING
    """As `TextBlock.cut`."""
    tones: tuple[tuple[int, int, Tone], ...] = ()
    """Ranges ``(start, end, tone)`` of `text` with colours of their own, ascending and apart; then
    no lexer is asked."""


class Change(Enum):
    """What a line of a diff is."""

    SAME = " "
    ADDED = "+"
    REMOVED = "-"
    SKIPPED = "@"
    """Lines left out between two hunks; its text says which."""


class DiffLine(Struct, frozen=True):
    """One line of a diff, its number in the file (new one, old one where removed) and its text."""

    change: Change
    text: SafeText
    number: int | None = None


class DiffBlock(Struct, frozen=True):
    """An edit: removed and added lines with signs and colours."""

    lines: tuple[DiffLine, ...]
    cut: SafeText = NOTHING
    """As `TextBlock.cut`."""


class FactsBlock(Struct, frozen=True):
    """Names and values in two columns: tokens, context, uuid, model."""

    facts: tuple[tuple[SafeText, Line], ...]


class LinesBlock(Struct, frozen=True):
    """Lines already laid out: headings, small tables. Each is cut, not wrapped, at the edge."""

    lines: tuple[Line, ...]


class Paragraph(Struct, frozen=True):
    """Words in tones, wrapped at blanks, with something before them: a bullet, a bar, a box."""

    words: Line
    first: Line = ()
    """Before the first line."""
    others: Line = ()
    """Before each further one, as wide as `first`."""


class ProseBlock(Struct, frozen=True):
    """Paragraphs below one another: rendered Markdown, lists, changed words."""

    paragraphs: tuple[Paragraph, ...]
    cut: SafeText = NOTHING
    """As `TextBlock.cut`."""


DetailBlock: TypeAlias = (
    TextBlock | CodeBlock | DiffBlock | FactsBlock | LinesBlock | ProseBlock | ImageBlock
)
"""What a detail pane is made of; an empty line is drawn between two of them."""


class DetailView(Struct, frozen=True):
    """One item in full."""

    key: str
    """The item's key; the pane keeps its place while the key stays the same."""
    title: Line
    """``Edit src/auth/session.py``"""
    subtitle: Line = ()
    """``toolu_01H7… · 0.9 s · line 5,144``, muted."""
    blocks: tuple[DetailBlock, ...] = ()


class Follow(Enum):
    """Whether the session grows, and whether the timeline goes along."""

    STILL = auto()
    """Nobody writes: nothing is shown."""
    FOLLOWING = auto()
    """``● LIVE following``"""
    PAUSED = auto()
    """``❚❚ paused · 14 new ↓``"""
    GONE = auto()
    """The file was removed: ``✗ file removed``; the last state stays."""


class HeaderView(Struct, frozen=True):
    """The top line: where we are, whether it lives, what it weighs."""

    crumbs: Line
    """Joined by ``›``: project (muted), title (strong), place. The title gives way first."""
    follow: Follow = Follow.STILL
    unread: int = 0
    """Rows that came while paused."""
    facts: tuple[Line, ...] = ()
    """Most important first; the last ones are left out where the line is short."""


class KeyHint(Struct, frozen=True):
    """One key of the footer."""

    keys: SafeText
    """As it is pressed: ``{ }``, ``F``, ``esc``."""
    name: SafeText
    command: str = ""
    """What a click posts (``KeyBar.Chosen``); empty: a click does nothing."""
    other: str = ""
    """What a click on the second of two keys posts."""


class FooterView(Struct, frozen=True):
    """The bottom line: the keys that work here, most important first; `last` is always shown."""

    hints: tuple[KeyHint, ...]
    last: KeyHint | None = None
    """``? help``: keeps its place when the others do not fit."""

    def __iter__(self) -> Iterator[KeyHint]:
        """Go over all hints, `last` at the end."""
        yield from self.hints
        if self.last is not None:
            yield self.last
