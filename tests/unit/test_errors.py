import pickle

import pytest

from ccbrowse.core import errors


def test_an_error_is_one_line_of_what_where_and_what_to_try() -> None:
    error = errors.CcbrowseError("cannot read\nthat", "some/file", "try another")
    assert str(error) == "cannot read that, some/file, try another"
    assert str(errors.CcbrowseError("no hit")) == "no hit"


def test_the_tree_has_one_root_and_its_exit_codes() -> None:
    children = (
        errors.NoRoots,
        errors.NoSuchSession,
        errors.AmbiguousSession,
        errors.BadLine,
        errors.Gone,
        errors.BadQuery,
        errors.WouldOverwrite,
    )
    assert all(issubclass(child, errors.CcbrowseError) for child in children)
    codes = {child.__name__: child.exit_code for child in children}
    assert codes.pop("BadQuery") == 2
    assert set(codes.values()) == {1}


def test_the_docstring_draws_the_whole_tree() -> None:
    drawn = errors.__doc__ or ""
    for name, thing in vars(errors).items():
        if isinstance(thing, type) and issubclass(thing, Exception):
            assert name in drawn


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
