import time

from hypothesis import given
from hypothesis import strategies as st

from ccbrowse.tui.heights import Heights


@given(
    st.integers(0, 1500),
    st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 9)), max_size=30),
    st.integers(0, 600),
    st.integers(-5, 3000),
)
def test_heights_agree_with_a_plain_list(
    count: int, changes: list[tuple[int, int]], more: int, line: int
) -> None:
    heights = Heights(count)
    plain = [1] * count
    for row, lines in changes:
        if plain:
            heights.set(row % len(plain), lines)
            plain[row % len(plain)] = lines
    heights.extend(more)
    plain += [1] * more
    assert heights.total == sum(plain)
    if plain:
        row, within = heights.at(line)
        assert sum(plain[:row]) + within == min(max(0, line), sum(plain) - 1)
        assert 0 <= within < plain[row]
        assert heights.top(row) == sum(plain[:row])
    assert heights.top(len(plain)) == sum(plain)


def test_measured_rows_are_known_until_forgotten() -> None:
    heights = Heights(3)
    heights.set(1, 4)
    assert [heights.is_measured(row) for row in range(3)] == [False, True, False]
    heights.forget()
    assert not heights.is_measured(1)
    assert heights[1] == 4
    heights.set(1, 100_000)
    assert heights[1] == 65_535
    heights.forget(1)
    assert not heights.is_measured(1)


def test_guesses_stand_until_rows_are_measured() -> None:
    heights = Heights(600, [3, 0, 70_000] * 100)
    assert [heights[row] for row in (0, 1, 2, 599)] == [3, 1, 65_535, 1]
    assert heights.total == 100 * (3 + 1 + 65_535) + 300
    assert not heights.is_measured(0)
    heights.extend(600)
    assert heights.total == 100 * (3 + 1 + 65_535) + 900


def test_a_quarter_of_a_million_rows_cost_little() -> None:
    began = time.process_time()
    heights = Heights(250_000)
    for row in range(0, 250_000, 1000):
        heights.set(row, 3)
        heights.extend(1)
        assert heights.at(heights.top(row))[0] == row
    assert time.process_time() - began < 1
