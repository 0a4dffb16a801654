"""How far the text of an expression is known: a reading of syntax trees, for the tests of `tui/`.

It reads syntax, not types: each expression gets a `Trust`, from literals, annotations and the ways text is
put together. What it cannot follow counts as raw; an annotation (`-> Content`, `: SafeText`) answers a doubt.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
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
SIGNS = {"signs", "UNICODE", "ASCII"}
"""Where the program's own characters come from; their `text()` translates and changes no trust."""

_CONTENT_TYPES = {
    "Content",
    "Text",
    "Strip",
    "Segment",
    "Visual",
    "Table",
    "Option",
    "Tab",
    "Selection",
}
_NUMBERS = {"int", "float", "bool", "bytes", "None"}
_CONTAINERS = {
    *(
        "list",
        "tuple",
        "set",
        "frozenset",
        "deque",
        "Sequence",
        "Iterable",
        "Iterator",
        "Generator",
    ),
    *("Collection", "Mapping", "dict", "Optional", "Union", "ClassVar", "Final", "Annotated"),
    *("reactive", "var", "Reactive", "KeysView", "ValuesView"),
}
_COUNTING = {
    "len",
    "int",
    "round",
    "abs",
    "sum",
    "ord",
    "float",
    "bool",
    "cell_len",
    "cell_width",
    "id",
}
_PASSING = {
    "enumerate",
    "zip",
    "sorted",
    "reversed",
    "list",
    "tuple",
    "iter",
    "next",
    "min",
    "max",
    "set",
}
_CLEANING = {"display_text", "one_line", "clip"}
_STR_METHODS = {
    *(
        "join",
        "strip",
        "lstrip",
        "rstrip",
        "ljust",
        "rjust",
        "center",
        "upper",
        "lower",
        "title",
        "replace",
    ),
    *(
        "capitalize",
        "split",
        "splitlines",
        "partition",
        "rpartition",
        "removeprefix",
        "removesuffix",
    ),
    *("expandtabs", "format", "zfill", "get", "pop", "copy"),
}
_NUMERIC_SPEC = re.compile(r"^([<>^]?\d*)[,_]?(\.\d+)?([dfeg%]|(?<=,))$")

type_of_function = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef
Bound = dict[str, list["ast.expr | Trust"]]


def last_name(node: ast.expr) -> str:
    """The last word of a dotted name; empty for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


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
            parts = parts[-1:] if name in {"dict", "Mapping"} else parts
            if name == "tuple":  # what is no text beside a text cannot be shown by mistake
                parts = [part for part in parts if _is_text(part)] or parts
            return min(map(of_annotation, parts), default=Trust.RAW)
    name = last_name(node)
    if name in _CONTENT_TYPES:
        return Trust.CONTENT
    if name in _NUMBERS:
        return Trust.WORDS
    return Trust.SAFE if name == "SafeText" else Trust.RAW


def _is_text(annotation: ast.expr) -> bool:
    """Whether a type is one that text comes in."""
    names = {last_name(node) for node in ast.walk(annotation) if isinstance(node, ast.expr)}
    return bool(names & {"str", "SafeText", "Any", "object", *_CONTENT_TYPES})


@dataclass(slots=True)
class Table:
    """What all files together say of names: what functions return and what fields hold."""

    returns: dict[str, Trust] = field(default_factory=dict)
    fields: dict[str, Trust] = field(default_factory=dict)

    def learn(self, tree: ast.Module) -> None:
        """Add the annotations of one file; where two differ, the lesser one holds."""
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

    def _add(self, names: dict[str, Trust], name: str, annotation: ast.expr | None) -> None:
        names[name] = min(of_annotation(annotation), names.get(name, Trust.CONTENT))


def bindings(scope: ast.AST) -> Bound:
    """What each name of a scope is bound to: its annotation's trust, or the expressions given to it."""
    bound: Bound = {}

    def bind(target: ast.expr, value: ast.expr | Trust) -> None:
        match target, value:
            case ast.Name(id=name), _:
                bound.setdefault(name, []).append(value)
            case ast.Attribute(value=ast.Name(id="self"), attr=name), _:
                bound.setdefault(f"self.{name}", []).append(value)
            case (ast.Tuple(elts=first), ast.Tuple(elts=second)) if len(first) == len(second):
                for part, held in zip(first, second, strict=True):
                    bind(part, held)
            case (ast.Tuple(elts=[number, rest]), ast.Call(func=ast.Name(id="enumerate"))):
                bind(number, Trust.WORDS)
                bind(rest, value)
            case ast.Tuple(elts=parts) | ast.List(elts=parts), _:
                for part in parts:
                    bind(part, value)
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
                bind(target, value)
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


class Judge:
    """Gives each expression of one scope its trust."""

    def __init__(self, table: Table, scopes: list[Bound]) -> None:
        self.table = table
        self.scopes = scopes
        self._asked: set[str] = set()

    def trust(self, node: ast.expr | Trust) -> Trust:
        """The trust of an expression; what is not understood is raw."""
        match node:
            case Trust():
                return node
            case ast.Constant() | ast.Compare() | ast.UnaryOp():
                return Trust.WORDS
            case ast.JoinedStr(values=parts):
                return self.least(parts)
            case ast.FormattedValue(value=value, format_spec=spec):
                if spec is not None and _NUMERIC_SPEC.match(_spec_text(spec)):
                    return Trust.WORDS
                return _as_str(self.trust(value))
            case ast.IfExp(body=body, orelse=other):
                return self.least([body, other])
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                return self.least(parts)
            case ast.BoolOp(values=parts) | ast.Dict(values=parts):
                return self.least(parts)
            case ast.NamedExpr(value=value) | ast.Await(value=value) | ast.Starred(value=value):
                return self.trust(value)
            case ast.Subscript(value=value):
                return self.trust(value)
            case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part) | ast.SetComp(elt=part):
                return self.trust(part)
            case ast.BinOp():
                return self._binary(node)
            case ast.Name(id=name):
                return self._name(name)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Call():
                return self._call(node)
        return Trust.RAW

    def least(self, nodes: Iterable[ast.expr]) -> Trust:
        """The lowest trust among them; nothing at all is harmless."""
        return min(map(self.trust, nodes), default=Trust.CONTENT)

    def _binary(self, node: ast.BinOp) -> Trust:
        left, right = self.trust(node.left), self.trust(node.right)
        match node.op:
            case ast.Add():
                low, high = sorted((left, right))
                return high if high is Trust.CONTENT and low else low
            case ast.Mult():
                text = [part for part in (node.left, node.right) if isinstance(part, ast.Constant)]
                return self.trust(text[0]) if text else max(left, right)
            case ast.Mod():
                return min(left, right)
        return Trust.WORDS

    def _name(self, name: str) -> Trust:
        for scope in self.scopes:
            if name in scope:
                if name in self._asked:  # bound to itself: the other bindings decide
                    return Trust.CONTENT
                self._asked.add(name)
                try:
                    return min(map(self.trust, scope[name]))
                finally:
                    self._asked.discard(name)
        return self.table.fields.get(name, Trust.RAW)

    def _attribute(self, node: ast.Attribute) -> Trust:
        dotted = ast.unparse(node)
        if dotted.startswith("self.") and any(dotted in scope for scope in self.scopes):
            return self._name(dotted)
        if last_name(node.value) in SIGNS:
            return Trust.WORDS
        if self.trust(node.value) is Trust.CONTENT:
            return Trust.SAFE if node.attr in {"plain", "markup"} else Trust.CONTENT
        return self.table.fields.get(node.attr, Trust.RAW)

    def _call(self, node: ast.Call) -> Trust:
        name = last_name(node.func)
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        if owner is None or last_name(owner) in MAKERS | {"Strip"}:
            if name in _CONTENT_TYPES or owner is not None:
                return Trust.CONTENT
            if name in _COUNTING:
                return Trust.WORDS
            if name in _PASSING:
                return self.least(node.args)
            if name in {"str", "SafeText"}:
                return _as_str(self.least(node.args))
            if name == "cast":
                return of_annotation(node.args[0])
        if name in _CLEANING:
            return Trust.SAFE
        if name == "text" and owner is not None and last_name(owner) in SIGNS:
            return self.least(node.args)
        if owner is not None:
            held = self.trust(owner)
            if held is Trust.CONTENT:
                return held
            if held and name in _STR_METHODS:
                return min(held, _as_str(self.least(node.args)))
        return self.table.returns.get(name, Trust.RAW)


def _as_str(trust: Trust) -> Trust:
    """What remains of it as a plain string: content loses its protection from markup."""
    return Trust.SAFE if trust is Trust.CONTENT else trust


def _spec_text(spec: ast.expr) -> str:
    """A format specification as it was written; widths that are computed count as digits."""
    parts = spec.values if isinstance(spec, ast.JoinedStr) else []
    return "".join(str(p.value) if isinstance(p, ast.Constant) else "1" for p in parts)
