"""How far the text of an expression is known: a reading of syntax trees, for the tests of `tui/`.

It reads syntax, not types: each expression gets a `Trust`, from literals, annotations and the ways text is
put together. What it cannot follow counts as raw; an annotation (`-> Content`, `: SafeText`) answers a doubt.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum


class Trust(IntEnum):
    """How far an expression's text is known; the least trusted part decides for the whole."""

    RAW = 0
    """may come from a file"""
    SAFE = 1
    """went through `display_text`: harmless to a terminal, but `[red]` in it is still markup"""
    WORDS = 2
    """the program's own words, and numbers"""
    CONTENT = 3
    """`Content`, `Text` and the like: nothing in it is read as markup"""


MAKERS = {"Content", "Text", "Segment"}
"""Constructors of what holds text as it is; `Text.assemble` and the like with them."""
CONTENT_TYPES = set(
    ["Content", "Text", "Strip", "Segment", "Visual", "Table", "Option", "Tab", "Selection"]
)
_NUMBERS = {"int", "float", "bool", "None"}
_CONTAINERS = {
    *[
        "list",
        "tuple",
        "set",
        "frozenset",
        "deque",
        "Sequence",
        "Iterable",
        "Iterator",
        "Generator",
        "Collection",
    ],
    *[
        "Mapping",
        "dict",
        "Optional",
        "Union",
        "ClassVar",
        "Final",
        "Annotated",
        "reactive",
        "var",
        "Reactive",
    ],
}

COLUMN = "column "
"""Marks a subscript that stands for a column of rows; no program has it."""

type_of_function = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef
Bound = dict[str, list["ast.expr | Trust"]]


def last_name(node: ast.expr) -> str:
    """The last word of a dotted name; empty for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def module_name(path: str) -> str:
    """The import name of a file, by its path from the checkout: `core/text.py` is `ccbrowse.core.text`."""
    return "ccbrowse." + path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def of_annotation(node: ast.expr | None) -> Trust:
    """What an annotation promises: the least of its types; containers count as what they hold."""
    match node:
        case None:
            return Trust.RAW
        case ast.Constant(value=None):
            return Trust.CONTENT
        case ast.Constant(value=str(text)):
            return of_annotation(ast.parse(text, mode="eval").body)
        case ast.Constant():  # the dots of tuple[Content, ...]
            return Trust.CONTENT
        case ast.BinOp(left=left, right=right):
            return min(of_annotation(left), of_annotation(right))
        case ast.Subscript(value=value, slice=held):
            name = last_name(value)
            if name == "Literal":
                return Trust.WORDS
            if name not in _CONTAINERS:
                return of_annotation(value)
            parts = held.elts if isinstance(held, ast.Tuple) else [held]
            if len(parts) > 1:  # what is no text, beside a text, is not shown by mistake
                parts = [part for part in parts if _is_text(part)] or parts
            return min(map(of_annotation, parts), default=Trust.RAW)
    name = last_name(node)
    if name in CONTENT_TYPES:
        return Trust.CONTENT
    if name in _NUMBERS:
        return Trust.WORDS
    if name == "LiteralString":
        return Trust.WORDS
    return Trust.SAFE if name == "SafeText" else Trust.RAW


def _is_text(annotation: ast.expr | None) -> bool:
    """Whether a type is one that text comes in; of a mapping, whether its values are."""
    if annotation is None:
        return True
    names = {last_name(node) for node in ast.walk(annotation) if isinstance(node, ast.expr)}
    match annotation:
        case ast.Subscript(value=value, slice=ast.Tuple(elts=[_, held])):
            if last_name(value) in {"dict", "Mapping"}:
                return _is_text(held)
    return bool(names & {"str", "LiteralString", "SafeText", "Any", "object", *CONTENT_TYPES})


@dataclass(slots=True)
class Table:
    """What all files together say of names: what functions return and what fields hold."""

    returns: dict[str, Trust] = field(default_factory=dict)
    fields: dict[str, Trust] = field(default_factory=dict)
    modules: dict[str, ast.Module] = field(default_factory=dict)
    _text_names: set[tuple[int, str]] = field(default_factory=set)

    def learn(self, path: str, tree: ast.Module) -> None:
        """Add the annotations of one file; where two differ, the lesser one holds."""
        self.modules[module_name(path)] = tree
        for node in ast.walk(tree):
            match node:
                case ast.FunctionDef(name=name, returns=returns, decorator_list=marks):
                    is_field = any(
                        last_name(mark) in {"property", "cached_property"} for mark in marks
                    )
                    self._add(self.fields if is_field else self.returns, name, returns)
                case ast.AnnAssign(target=target, annotation=annotation):
                    self._add(self.fields, last_name(target), annotation)

    def fall_back_on(self, other: Table) -> None:
        """Take from another table the names that this one does not know."""
        self.returns = other.returns | self.returns
        self.fields = other.fields | self.fields
        self.modules = other.modules | self.modules

    def _add(self, names: dict[str, Trust], name: str, annotation: ast.expr | None) -> None:
        texts = self._text_names
        if _is_text(annotation):
            known = names[name] if (id(names), name) in texts else Trust.CONTENT
            names[name] = min(of_annotation(annotation), known)
            texts.add((id(names), name))
        elif (
            id(names),
            name,
        ) not in texts:  # beside a text of this name, what is none is not meant
            names[name] = of_annotation(annotation)


def column(rows: ast.expr, place: int) -> ast.Subscript:
    """What a loop over rows binds the name at this place to; `Judge` looks it up in each row."""
    return ast.Subscript(rows, ast.Constant(COLUMN + str(place)), ast.Load())


def bindings(scope: ast.AST) -> Bound:
    """What each name of a scope is bound to: its annotation's trust, or the expressions given to it."""
    bound: Bound = {}

    def bind(target: ast.expr, value: ast.expr | Trust, *, loop: bool = False) -> None:
        match target, value:
            case ast.Name(id=name), _:
                bound.setdefault(name, []).append(value)
            case ast.Attribute(value=ast.Name(id="self"), attr=name), _:
                bound.setdefault(f"self.{name}", []).append(value)
            case (ast.Tuple(elts=first), ast.Tuple(elts=second)) if not loop and len(first) == len(
                second
            ):
                for part, held in zip(first, second, strict=True):
                    bind(part, held)
            case (ast.Tuple(elts=[number, rest]), ast.Call(func=ast.Name(id="enumerate"))):
                bind(number, Trust.WORDS)
                bind(rest, value)
            case (ast.Tuple(elts=parts) | ast.List(elts=parts), _):
                for place, part in enumerate(parts):
                    bind(part, value if isinstance(value, Trust) else column(value, place))
            case ast.Starred(value=inner), _:
                bind(inner, value)

    if isinstance(scope, (*type_of_function, ast.Lambda)):
        args = scope.args
        for arg in [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]:
            if arg is not None:
                bound.setdefault(arg.arg, []).append(of_annotation(arg.annotation))
    for node in inside(scope):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    bind(target, value)
            case ast.AnnAssign(target=target, annotation=annotation):
                bind(target, of_annotation(annotation))
            case (
                ast.AugAssign(target=target, value=value)
                | ast.NamedExpr(target=target, value=value)
            ):
                bind(target, value)
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                bind(target, value, loop=True)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                bound.setdefault(name, []).append(Trust.RAW)
            case ast.withitem(optional_vars=ast.expr() as target):
                bind(target, Trust.RAW)
    return bound


def inside(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, without those of the functions and classes in it."""
    todo = list(ast.iter_child_nodes(scope))
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, (*type_of_function, ast.ClassDef)):
            todo.extend(ast.iter_child_nodes(node))
