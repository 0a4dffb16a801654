"""No text of a file reaches textual as markup, and none reaches the screen uncleaned."""

from __future__ import annotations

from pathlib import Path

import pytest
from untrusted import Leak, check

# Places that the reading of syntax cannot follow, each with the reason why it is right as it stands.
# The key is the file and the expression.
ALLOWED: dict[tuple[str, str], str] = {
    ("tui/signs.py", "text.translate(_PLAIN)"): "one sign for another, and none is a control"
}


@pytest.fixture(scope="module")
def leaks(root: Path) -> list[Leak]:
    """All leaks in tui/, those that are allowed among them; the demo writes files and draws nothing."""
    texts = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for top in ("core", "tui")
        for path in (root / top).rglob("*.py")
    }
    others = {name: text for name, text in texts.items() if name.startswith(("core/", "tui/demo/"))}
    return check({name: text for name, text in texts.items() if name not in others}, others)


def test_no_text_of_a_file_is_read_as_markup_or_shown_raw(leaks: list[Leak]) -> None:
    found = [
        f"{leak.path}:{leak.line}: {leak.rule}: {leak.code}"
        for leak in leaks
        if (leak.path, leak.code) not in ALLOWED
    ]
    assert found == [], "wrap it in Content(...), annotate it, or send it through display_text"


def test_no_allowance_outlives_its_place(leaks: list[Leak]) -> None:
    assert set(ALLOWED) <= {(leak.path, leak.code) for leak in leaks}
    assert all(len(reason.split()) > 3 for reason in ALLOWED.values())


# --- what the reading itself can see ------------------------------------------------------------

HEAD = "from textual.widgets import Static\nfrom textual.content import Content\n"


def rules(code: str, *others: str) -> list[str]:
    """The rules that a snippet breaks, in order of lines."""
    sources = {"a.py": HEAD + code, **{f"b{i}.py": text for i, text in enumerate(others)}}
    return [leak.rule for leak in sorted(check(sources), key=lambda leak: leak.line)]


@pytest.mark.parametrize(
    "code",
    [
        "Static(name)",
        "Static(f'{name} rows')",
        "Static('rows of ' + name)",
        "Static('%s rows' % name)",
        "Static(content=name)",
        "Static(name, markup=switch)",
        "Label(row.title)",
        "Button(label)",
        "app.notify(text)",
        "app.notify(f'opened {path}', title='Done')",
        "widget.update(text)",
        "widget.border_title = title",
        "widget.border_subtitle += f' {title}'",
        "widget.tooltip = title",
        "setattr(widget, 'border_title', title)",
        "Input(tooltip=text)",
        "Option(prompt)",
        "OptionList(*prompts)",
        "Select([(name, 1), ('all', 2)])",
        "Select([(row.name, row.id) for row in rows])",
        "table.add_row('a', cell)",
        "table.add_columns(*names)",
        "tabs.add_tab(name)",
        "TabPane(name)",
        "Collapsible(Static('x'), title=name)",
        "yield_ = DiscoveryHit(name, run, help='x')",
        "Content.from_markup(text)",
        "Content.from_text(text)",
        "Text.from_markup('[b]' + text)",
        "Text.from_ansi(text)",
        "widget.render_str(text)",
        "def f(text: SafeText): Static(text)",
        "def f(text: str | Content): Static(text)",
        "def f(flag):\n    text = 'one'\n    if flag: text = name()\n    Static(text)",
        "class Own(Static): pass\nOwn(name)",
        "class Own(Static):\n    def __init__(self, name): super().__init__(name)",
        "class Own(Widget):\n    def render(self): return self.text",
        "class Own(Widget):\n    def render(self): return str(Content(safe()))",
        "Static(Content('x').plain)",
    ],
)
def test_markup_is_refused(code: str) -> None:
    assert set(rules(code)) & {"markup", "banned"}


@pytest.mark.parametrize(
    "code",
    [
        "Content(name)",
        "Content(self.signs.text(name))",
        "Content(f'{row.title}: ')",
        "Content.styled(name, 'bold')",
        "Content.assemble('a', (name, 'bold'))",
        "Content.from_markup('$x rows', x=name)",
        "Segment(name)",
        "Text(record['text'])",
        "SafeText(name)",
        "def f(text: str) -> SafeText: return SafeText(text.strip())",
        "Static(name, markup=False)",
        "app.notify(name, markup=False)",
        "app.title = name",
        "app.notify('done', title=name)",
        "Input(placeholder=name)",
        "def f(name: str): Content(name)",
        "for name, value in (('a', raw()), ('b', raw())): Content(value)",
        "rows = [('a', 1), (raw(), 2)]\nfor name, value in rows: Content(name)",
        "rows = [('a', 1)]\nrows = raw()\nfor name, value in rows: Content(name)",
        "def f(counts: dict[str, int]):\n    for name in counts: Content(name)",
        "for name, word in WORDS.items(): Content(name)\nWORDS = {name(): 'a'}",
        "def pieces() -> Iterator[tuple[str, Tone]]: ...\nfor text, tone in pieces(): Content(text)",
        "def f(row: Row): Content(row.title)\nclass Row:\n    title: str",
    ],
)
def test_raw_text_is_refused(code: str) -> None:
    assert "raw" in rules(code)


@pytest.mark.parametrize(
    "code",
    ["from rich.markup import escape", "import textual.markup", "Static(x(), markup=True)"],
)
def test_banned_ways_are_refused(code: str) -> None:
    assert "banned" in rules(code)


@pytest.mark.parametrize(
    "code",
    [
        "Static()",
        "Static('[b]plain[/b] words')",
        "Static('a' if flag else 'b')",
        "Static(Content('rows'))",
        "Static(WORDS)\nWORDS = 'all of them'",
        "def f(n: int): Static(f'{n} rows')",
        "Static(f'{count:,} rows, {share:.1f} %, {left:>5d}')",
        "Static(f'{len(rows)} rows')",
        "Static('─' * width)",
        "Static(str(len(rows)))",
        "def f(text: Content | None): Static(text or '')",
        "def f(texts: list[Content]):\n    for text in texts: Static(text)",
        "def f(texts: list[Content]):\n    for n, text in enumerate(texts): Static(text); Static(f'{n}')",
        "def f(text: SafeText): Static(Content(text))",
        "def f(text: SafeText): Static(Content(f'{text} ').stylize('dim') + text)",
        "def f(text: SafeText): Static(text, markup=False)",
        "def f(a: SafeText, b: SafeText): Content(' · '.join([a, b]))",
        "def f(a: SafeText): Content(a.ljust(5)[:3])",
        "Content(display_text(name))",
        "def f(line: SafeText): Content(f'{self.signs.arrow} {self.signs.text(line)}')",
        "def f(n: int) -> SafeText: return SafeText(f'{n} rows')",
        "Content(one_line(name, 80))",
        "for name, value in (('a', raw()), ('b', raw())): Content(name)",
        "rows = [('a', raw()), ('b', raw())]\nfor name, value in rows: Content(name)",
        "def f(one: LiteralString): Content(f'{one}s')",
        "for kind, (word, noun) in WORDS.items(): Content(word)\nWORDS = {Kind.A: ('a', 'b')}",
        "def pieces() -> Iterator[tuple[SafeText, Tone]]: ...\nfor text, tone in pieces(): Content(text)",
        "def f():\n    parts: list[SafeText] = []\n    parts.append(g())\n    Content(' '.join(parts))",
        "def f(row: Row): Content(row.title)\nclass Row:\n    title: SafeText",
        "def f(row: Row): Static(row.label)\nclass Row:\n    label: Content",
        "def label(row) -> Content: ...\nStatic(label(row))",
        "class Own(Widget):\n    def render(self) -> Content: return self._text()\n"
        "    def _text(self) -> Content: ...",
        "class Own(Widget):\n    def __init__(self): self.text = Content('x')\n"
        "    def render(self): return self.text",
        "class Own(Widget):\n    def render_line(self, y): return name",
        "def f(text: SafeText): app.title = text",
        "app.notify('done')",
        "widget.border_title = 'segments'",
        "widget.border_title = Content(display_text(name))",
        "seen.update({name: 1})",
        "self.query_one(Markdown).update(text)",
        "Select([('all', row.id) for row in rows])",
        "Content.from_markup('[b]$n[/b] rows', n=len(rows))",
        "Content.assemble('a', ('b', style))",
        "table.add_row(Content('a'), '3')",
        "def f():\n    text = Content('')\n    for row in rows: text = text + display_text(row)\n"
        "    Static(text)",
    ],
)
def test_safe_ways_are_accepted(code: str) -> None:
    assert rules(code) == []


def test_annotations_of_other_files_count() -> None:
    other = "class Row:\n    title: SafeText\n    label: Content\n    name: str\n"
    assert rules("Static(row.label)\nStatic(Content(row.title))", other) == []
    assert rules("Static(row.title)\nStatic(Content(row.name))", other) == ["markup", "raw"]


def test_two_annotations_of_one_name_count_as_the_lesser() -> None:
    others = ("class A:\n    title: SafeText\n", "class B:\n    title: str\n")
    assert rules("Content(row.title)", *others) == ["raw"]


def test_a_field_that_is_no_text_decides_nothing() -> None:
    others = ("class A:\n    size: dict[str, Box]\n", "class B:\n    size: SafeText\n")
    assert rules("Content(row.size)", *others) == []
    assert rules("Content(row.size)", others[0]) == ["raw"]


def test_files_without_textual_may_only_not_claim_that_text_is_safe() -> None:
    code = "settings.update(other)\nlabel.title = name\nSafeText('a')\nSafeText(name)"
    assert check({"config.py": code}) == [Leak("config.py", 4, "raw", "name")]


def test_a_leak_says_where_it_is() -> None:
    assert check({"a.py": HEAD + "Static(\n    name\n)"}) == [Leak("a.py", 3, "markup", "name")]
