"""The errors that core raises: one tree, drawn in its docstring, and what each says."""

import pickle
import re
from importlib import import_module
from pkgutil import walk_packages

import pytest

from ccbrowse import core
from ccbrowse.core import errors


def test_an_error_is_one_line_of_what_where_and_what_to_try() -> None:
    error = errors.CcbrowseError("cannot read\nthat", "some/file", "try another")
    assert str(error) == "cannot read that, some/file, try another"
    assert str(errors.CcbrowseError("no hit")) == "no hit"


@pytest.fixture(scope="module")
def raised() -> dict[str, type[Exception]]:
    """Every exception that a module of core defines, by its name."""
    modules = [
        import_module(found.name) for found in walk_packages(core.__path__, f"{core.__name__}.")
    ]
    return {
        name: thing
        for module in modules
        for name, thing in vars(module).items()
        if isinstance(thing, type) and issubclass(thing, Exception)
        if thing.__module__ == module.__name__
    }


def test_the_tree_has_one_root_and_its_exit_codes(raised: dict[str, type[Exception]]) -> None:
    children = [each for each in raised.values() if issubclass(each, errors.CcbrowseError)]
    codes = {each.__name__: each.exit_code for each in children}
    assert {name for name, code in codes.items() if code != 1} == {"BadQuery"}
    assert codes["BadQuery"] == 2
    assert {"NoRoots", "NoCapture", "NotWanted"} <= set(codes)


def test_the_docstring_draws_the_whole_tree(raised: dict[str, type[Exception]]) -> None:
    drawn = (errors.__doc__ or "").partition("::")[2]
    tree, _, apart = drawn.partition("└──")
    last, _, apart = apart.partition("\n")
    names = re.findall(r"^    (?:├── )?(\w+)", tree, re.MULTILINE) + last.split()[:1]
    inside = [name for name, each in raised.items() if issubclass(each, errors.CcbrowseError)]
    assert sorted(names) == sorted(inside)
    signals = {f"{each.__module__}.{name}" for name, each in raised.items() if name not in inside}
    told = {f"{core.__name__}.{name}" for name in re.findall(r"`([\w.]+\.[A-Z]\w+)`", apart)}
    assert told == signals


def test_facts_stand_in_attributes_and_in_the_line() -> None:
    several = errors.AmbiguousSession("ab12", ["ab12-one", "ab12-two"])
    assert several.candidates == ("ab12-one", "ab12-two")
    assert "2 sessions begin so: ab12-one · ab12-two" in str(several)
    assert "looked in here · there" in str(errors.NoRoots(["here", "there"]))
    assert errors.Gone("a.jsonl").path == "a.jsonl"


@pytest.mark.parametrize(
    "error",
    [
        errors.NoRoots(["a", "b"]),
        errors.AmbiguousSession("ab12", ("x", "y")),
        errors.BadLine("ends in the middle", where="line 3"),
        errors.BadQuery("what", "where", "hint"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_cross_a_process_boundary(error: errors.CcbrowseError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)
