"""Gives the expressions of a file their trust, by the names that hold where they stand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping

from trust import (
    COLUMN,
    CONTENT_TYPES,
    MAKERS,
    Bound,
    Table,
    Trust,
    bindings,
    last_name,
    of_annotation,
)

SIGNS = {"signs", "UNICODE", "ASCII"}
"""Where the program's own characters come from; their `text()` translates and changes no trust."""

_COUNTING = set(
    ["len", "int", "round", "abs", "sum", "ord", "float", "bool", "cell_len", "cell_width", "id"]
)
_PASSING = set(
    ["enumerate", "zip", "sorted", "reversed", "list", "tuple", "iter", "next", "min", "max", "set"]
)
_CLEANING = {"display_text", "one_line", "clip"}
_STR_METHODS = {
    *[
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
        "capitalize",
    ],
    *[
        "split",
        "splitlines",
        "partition",
        "rpartition",
        "removeprefix",
        "removesuffix",
        "expandtabs",
        "format",
    ],
    *["zfill", "get", "pop", "copy", "items", "values"],
}
_CLOCK = {"year", "month", "day", "hour", "minute", "second"}
_NUMERIC_SPEC = re.compile(r"^([<>^]?\d*)[,_]?(\.\d+)?([dfeg%]|(?<=,))$")


class Judge:
    """Gives each expression of one scope its trust."""

    def __init__(self, table: Table, scopes: list[Bound], known: Mapping[str, Trust]) -> None:
        self.table = table
        self.scopes = scopes
        self.known = known
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
            case ast.BoolOp(values=parts):
                return self.least(parts)
            case ast.Dict(keys=keys, values=parts):
                return self.least([*filter(None, keys), *parts])
            case ast.NamedExpr(value=value) | ast.Await(value=value) | ast.Starred(value=value):
                return self.trust(value)
            case ast.Subscript(value=value, slice=ast.Constant(value=str(key))) if key.startswith(
                COLUMN
            ):
                return self._column(value, int(key.removeprefix(COLUMN)))
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

    def _column(self, rows: ast.expr, place: int) -> Trust:
        """The trust of one place in all rows, where they are written out; else of the rows as a whole."""
        values: list[ast.expr | Trust] = [rows]
        if isinstance(rows, ast.Name):
            values = next((scope[rows.id] for scope in self.scopes if rows.id in scope), [rows])
        found: list[ast.expr] = []
        for value in values:
            for row in value.elts if isinstance(value, (ast.Tuple, ast.List)) else [rows]:
                if not isinstance(row, ast.Tuple) or place >= len(row.elts):
                    return self.trust(rows)
                found.append(row.elts[place])
        return self.least(found)

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
        return self.known.get(name, Trust.RAW)

    def _attribute(self, node: ast.Attribute) -> Trust:
        dotted = ast.unparse(node)
        if dotted.startswith("self.") and any(dotted in scope for scope in self.scopes):
            return self._name(dotted)
        if dotted in self.known:
            return self.known[dotted]
        if last_name(node.value) in SIGNS or node.attr in _CLOCK:
            return Trust.WORDS
        if (
            node.attr.isupper() and last_name(node.value)[:1].isupper()
        ):  # a member of an enumeration
            return Trust.WORDS
        if self.trust(node.value) is Trust.CONTENT:
            return Trust.SAFE if node.attr in {"plain", "markup"} else Trust.CONTENT
        return self.table.fields.get(node.attr, Trust.RAW)

    def _call(self, node: ast.Call) -> Trust:
        name = last_name(node.func)
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        if owner is None or last_name(owner) in MAKERS | {"Strip"}:
            if name in CONTENT_TYPES or owner is not None:
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
        return self.known.get(ast.unparse(node.func), self.table.returns.get(name, Trust.RAW))


def known_names(table: Table, tree: ast.Module) -> dict[str, Trust]:
    """What a file's own functions return and its imports hold: `name`, or `module.name`."""
    known = _functions(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        source = table.modules.get(node.module)
        for alias in node.names:
            name = alias.asname or alias.name
            if module := table.modules.get(f"{node.module}.{alias.name}"):
                known |= {f"{name}.{inner}": it for inner, it in _exports(table, module).items()}
            elif source is not None and (it := _exports(table, source).get(alias.name)) is not None:
                known[name] = it
    return known


def _functions(tree: ast.Module) -> dict[str, Trust]:
    return {n.name: of_annotation(n.returns) for n in tree.body if isinstance(n, ast.FunctionDef)}


def _exports(table: Table, tree: ast.Module) -> dict[str, Trust]:
    """What the functions of a module return, and what its constants are; imports are not followed on."""
    bound, functions = bindings(tree), _functions(tree)
    judge = Judge(table, [bound], functions)
    return {name: judge.trust(ast.Name(name)) for name in bound} | functions


def _as_str(trust: Trust) -> Trust:
    """What remains of it as a plain string: content loses its protection from markup."""
    return Trust.SAFE if trust is Trust.CONTENT else trust


def _spec_text(spec: ast.expr) -> str:
    """A format specification as it was written; widths that are computed count as digits."""
    parts = spec.values if isinstance(spec, ast.JoinedStr) else []
    return "".join(str(p.value) if isinstance(p, ast.Constant) else "1" for p in parts)
