"""Finds where a front end could let a file's text act as markup, or reach the screen uncleaned.

Two rules, by the trust that `trust.py` gives each expression; a doubt is reported:

- *markup*: what a widget reads as markup must be `Content`, `Text`, or the program's own words;
- *raw*: what goes into `Content`, `Text` or `Segment`, or is shown as it is, must have come through
  `display_text`, so be a `SafeText`; and `SafeText(...)` is no way around it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from judge import Judge, known_names
from trust import MAKERS, Bound, Table, Trust, bindings, inside, last_name, type_of_function


@dataclass(frozen=True, slots=True)
class Leak:
    """A place where a rule is broken: `code` is the offending expression."""

    path: str
    line: int
    rule: str
    code: str


Demand = tuple[str, Trust | None, ast.expr]
"""A rule, the trust it wants (None: nothing will do), and the expression it wants it of."""


@dataclass(frozen=True, slots=True)
class Door:
    """A callable that reads text as markup, unless it has `markup=False`: at these places, in these words."""

    places: tuple[int, ...] = (0,)
    every: bool = False
    words: tuple[str, ...] = ()


_LABEL = Door(words=("label",))
_ALL = Door((), every=True)
DOORS: Mapping[str, Door] = {
    "Static": Door(words=("content",)),
    "Label": Door(words=("content",)),
    "Link": Door(words=("text",)),
    "Button": _LABEL,
    "Checkbox": _LABEL,
    "RadioButton": _LABEL,
    "Tab": _LABEL,
    "TabPane": Door(words=("title",)),
    "Tabs": _ALL,
    "TabbedContent": _ALL,
    "Collapsible": Door((), words=("title",)),
    "Tooltip": Door(words=("content",)),
    "Option": Door(words=("prompt",)),
    "Selection": Door(words=("prompt",)),
    "OptionList": _ALL,
    "SelectionList": _ALL,
    "Select": Door(words=("options", "prompt")),
    "Tree": _LABEL,
    "Hit": Door((1,), words=("match_display", "help")),
    "DiscoveryHit": Door(words=("display", "help")),
    "SystemCommand": Door((0, 1), words=("title", "help")),
    "visualize": Door((1,)),
}
"""Names that are called plainly or as an attribute of a module."""
METHODS: Mapping[str, Door] = {
    "notify": Door(words=("message",)),
    "update": Door(words=("content",)),
    "render_str": Door(words=("text_content",)),
    "with_tooltip": Door(words=("tooltip",)),
    "add_option": Door(words=("option",)),
    "add_options": Door(words=("options",)),
    "set_options": Door(words=("options",)),
    "replace_option_prompt": Door((1,), words=("prompt",)),
    "replace_option_prompt_at_index": Door((1,), words=("prompt",)),
    "set_prompt": Door(words=("prompt",)),
    "set_label": _LABEL,
    "add_leaf": _LABEL,
    "add_tab": Door(words=("tab",)),
    "add_row": Door((), every=True, words=("label",)),
    "add_rows": Door(words=("rows",)),
    "add_column": _LABEL,
    "add_columns": _ALL,
    "update_cell": Door((2,), words=("value",)),
    "update_cell_at": Door((1,), words=("value",)),
    "from_markup": Door(words=("markup",)),
    "from_text": Door(words=("markup_content",)),
}
"""Names that are called on a widget, the app or a class."""
MARKUP_NAMES = {"border_title", "border_subtitle", "tooltip", "label", "prompt"}
"""Attributes that are read as markup when they are set."""
SHOWN_NAMES = {"title", "sub_title", "placeholder"}
"""Attributes that are shown as they are."""
ANY_CALL = {"border_title", "border_subtitle", "tooltip", "placeholder"}
"""Those of them that are keywords with the same meaning in many calls."""
PAIRS = {"Select", "SelectionList", "set_options"}
"""What takes pairs of a label and a value."""
BANNED_MODULES = {"rich.markup", "textual.markup"}
"""Escaping does not make untrusted text safe: a lone backslash undoes it."""


def check(sources: Mapping[str, str], others: Mapping[str, str] | None = None) -> list[Leak]:
    """The leaks in the files of a front end (path to text); `others` only tell what their names hold."""
    trees = {path: ast.parse(text, path) for path, text in sources.items()}
    table, beside = Table(), Table()
    for path, tree in trees.items():
        table.learn(path, tree)
    for path, text in (others or {}).items():
        beside.learn(path, ast.parse(text, path))
    table.fall_back_on(beside)
    doors = {**DOORS, **_own_doors(trees.values())}
    return [
        leak
        for path, tree in trees.items()
        for leak in _File(path, tree, table, doors).leaks(only_claims=not _draws(tree))
    ]


def _draws(tree: ast.Module) -> bool:
    """Whether the file can put anything on a screen: it imports textual or rich."""
    names = [""]
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=aliases):
                names += [alias.name for alias in aliases]
            case ast.ImportFrom(module=str(module)):
                names.append(module)
    return any(name.partition(".")[0] in {"textual", "rich"} for name in names)


def _own_doors(trees: Iterable[ast.Module]) -> dict[str, Door]:
    """The front end's own classes that pass what they are given on to one of textual's."""
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    doors: dict[str, Door] = {}
    for _ in range(3):  # a class may stand before its base
        for node in classes:
            known = {**DOORS, **doors}
            own = any(isinstance(p, type_of_function) and p.name == "__init__" for p in node.body)
            for base in () if own else node.bases:
                if door := known.get(last_name(base)):
                    doors[node.name] = door
    return doors


class _File:
    """One file, walked with the scopes that hold at each place."""

    def __init__(
        self, path: str, tree: ast.Module, table: Table, doors: Mapping[str, Door]
    ) -> None:
        self.path = path
        self.tree = tree
        self.table = table
        self.doors = doors

    def leaks(self, *, only_claims: bool = False) -> Iterator[Leak]:
        """All of them, scope by scope; or only where text is said to be safe that is not."""
        known = known_names(self.table, self.tree)
        todo: list[tuple[ast.AST, list[Bound], ast.ClassDef | None]] = [(self.tree, [], None)]
        while todo:
            scope, outer, owner = todo.pop()
            if isinstance(scope, ast.ClassDef):
                scopes, owner = [_of_self(scope), *outer], scope
            else:
                own = bindings(scope)
                scopes = [{k: v for k, v in own.items() if not k.startswith("self.")}, *outer]
            judge = Judge(self.table, scopes, known)
            for node in inside(scope):
                if isinstance(node, (*type_of_function, ast.ClassDef)):
                    todo.append((node, scopes, owner))
                demands = self._demands(node, scope, owner)
                for rule, wanted, found in _of_claim(node) if only_claims else demands:
                    if wanted is None or judge.trust(found) < wanted:
                        yield Leak(self.path, getattr(node, "lineno", 0), rule, ast.unparse(found))

    def _demands(
        self, node: ast.AST, scope: ast.AST, owner: ast.ClassDef | None
    ) -> Iterator[Demand]:
        match node:
            case ast.Call():
                yield from self._of_door(node, owner)
                yield from _of_maker(node)
                yield from _of_words(node)
                yield from _of_claim(node)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    if isinstance(target, ast.Attribute):
                        yield from _of_name(target.attr, value)
            case ast.AnnAssign(target=ast.Attribute(attr=name), value=ast.expr() as value):
                yield from _of_name(name, value)
            case ast.AugAssign(target=ast.Attribute(attr=name), value=value):
                yield from _of_name(name, value)
            case ast.Return(value=ast.expr() as value) if owner and owner.bases:
                if isinstance(scope, type_of_function) and scope.name == "render":
                    yield "markup", Trust.WORDS, value
            case ast.ImportFrom(module=str(module)) | ast.alias(name=module):
                if module in BANNED_MODULES:
                    yield "banned", None, ast.Name(module)

    def _of_door(self, call: ast.Call, owner: ast.ClassDef | None) -> Iterator[Demand]:
        """What a call that reads markup demands of its arguments."""
        name = last_name(call.func)
        door = self.doors.get(name)
        if isinstance(call.func, ast.Attribute):
            door = METHODS.get(name, door)
        if name == "__init__" and owner and ast.unparse(call.func) == "super().__init__":
            doors = (self.doors.get(last_name(base)) for base in owner.bases)
            door = next(filter(None, doors), None)
        if door is None or (name == "update" and _is_no_widget(call)):
            return
        words = {word.arg: word.value for word in call.keywords if word.arg}
        rule: Demand = ("markup", Trust.WORDS, call)
        match words.get("markup"):
            case ast.Constant(value=False):
                rule = ("raw", Trust.SAFE, call)
            case ast.expr() as switch if name != "from_markup":
                yield "banned", None, switch
        given = (
            call.args if door.every else [a for i, a in enumerate(call.args) if i in door.places]
        )
        for part in [*given, *(words[word] for word in door.words if word in words)]:
            yield rule[0], rule[1], _labels(part) if name in PAIRS else part


def _of_self(scope: ast.ClassDef) -> Bound:
    """What `self.name` is bound to, in all methods and annotations of a class."""
    bound: Bound = {f"self.{name}": values for name, values in bindings(scope).items()}
    for method in scope.body:
        if isinstance(method, type_of_function):
            for name, values in bindings(method).items():
                if name.startswith("self."):
                    bound.setdefault(name, []).extend(values)
    return bound


def _of_claim(node: ast.AST) -> Iterator[Demand]:
    """What `SafeText(...)` demands: it changes nothing, so what it is given must be safe already."""
    match node:
        case ast.Call(func=ast.Name(id="SafeText"), args=[text]):
            yield "raw", Trust.SAFE, text


def _of_maker(call: ast.Call) -> Iterator[Demand]:
    """What `Content`, `Text`, `Segment` and their class methods demand."""
    name = last_name(call.func)
    owner = last_name(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if name in MAKERS or (owner in MAKERS and name == "styled"):
        yield from (("raw", Trust.SAFE, part) for part in call.args[:1])
    elif owner in MAKERS and name == "assemble":
        for part in call.args:
            pair = isinstance(part, ast.Tuple) and part.elts
            yield "raw", Trust.SAFE, pair[0] if pair else part
    elif owner in MAKERS and name == "from_markup":
        yield from (("raw", Trust.SAFE, word.value) for word in call.keywords if word.arg)
    elif owner in MAKERS and name == "from_ansi":
        yield from (("markup", Trust.WORDS, part) for part in call.args[:1])


def _of_words(call: ast.Call) -> Iterator[Demand]:
    """What keywords demand that mean the same in many calls, and `setattr`."""
    for word in call.keywords:
        if word.arg in ANY_CALL or (word.arg == "title" and last_name(call.func) == "notify"):
            yield from _of_name(word.arg, word.value)
    match call:
        case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=str(name)), value]):
            yield from _of_name(name, value)


def _of_name(name: str, value: ast.expr) -> Iterator[Demand]:
    """What setting an attribute of this name demands."""
    if name in MARKUP_NAMES:
        yield "markup", Trust.WORDS, value
    elif name in SHOWN_NAMES:
        yield "raw", Trust.SAFE, value


def _is_no_widget(call: ast.Call) -> bool:
    """Whether an `update` is one of a dict or a set, or of Markdown, which knows no markup."""
    receiver = ast.unparse(call.func)
    mappings = (ast.Dict, ast.Set, ast.DictComp, ast.SetComp)
    return "Markdown" in receiver or any(isinstance(part, mappings) for part in call.args)


def _labels(options: ast.expr) -> ast.expr:
    """Of pairs of a label and a value, the labels."""
    match options:
        case (
            ast.ListComp(elt=ast.Tuple(elts=[label, *_]))
            | ast.GeneratorExp(elt=ast.Tuple(elts=[label, *_]))
        ):
            return label
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            pairs = [part.elts[0] if isinstance(part, ast.Tuple) else part for part in parts]
            return ast.List(pairs, ast.Load())
    return options
