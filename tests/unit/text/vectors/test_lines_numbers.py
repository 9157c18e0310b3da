import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.text.vectors.lines import (
    eight_digits,
    field_ends,
    number,
    parse_block,
    parse_line_by_line,
    parse_lines,
    plain_decimals,
)


def alone(text: bytes):
    """One number by itself: value, plain or not."""
    values, is_plain = plain_decimals(text + b"\n", np.array([0]), np.array([len(text)]))
    return values[0], bool(is_plain[0])


@pytest.mark.parametrize(
    "text", ["0.1", "-0.038194", "9.99999999", "-0.00000001", "0.0", "-0.0", "1.5", "0.12345678", "-7.10000"]
)
def test_plain_decimals_are_those_of_python(text):
    value, is_plain = alone(text.encode())
    assert is_plain
    assert value == np.float32(float(text))
    assert np.signbit(value) == text.startswith("-")


@pytest.mark.parametrize(
    "text",
    ["", "-", ".", "1", "1.", ".5", "-.5", "12.5", "1e-05", "0.1e5", "0.123456789", "+0.5", "0,5", "0.5x", "--0.5",
     "0.-5", "nan", "0x1.0", "a.5", "0.5_5", "1.2.3", "/.5", ":.5", "0./", "0.:", "0.\xe90"],
)  # fmt: skip
def test_anything_else_is_not_taken_for_plain(text):
    assert not alone(text.encode("latin-1"))[1]


def test_eight_digits_are_joined_from_the_lowest_byte_on():
    rng = np.random.default_rng(0)
    digits = rng.integers(0, 10, (50, 8), dtype=np.uint8)
    expected = [int("".join(map(str, row))) for row in digits]
    assert eight_digits(digits.view("<u8").ravel()).tolist() == expected


def test_fields_end_at_separators_and_lines_must_be_alike():
    assert field_ends(b"a 1 2\nbc 3 4\n", width=2).tolist() == [[1, 3, 5], [8, 10, 12]]
    for odd in (b"", b"a 1 2", b"a 1\n2\n", b"a 1 2\nb 3\n", b"a\t1 2\n", b"a 1 2\r\n", b"a 1 2\nb 3 4 "):
        assert field_ends(odd, width=2) is None


@pytest.mark.parametrize(("text", "value"), [(b"1e3", 1000), (b"+.5", 0.5), (b"-12", -12), (b"1e-50", 0)])
def test_other_numbers_are_read_one_by_one(text, value):
    assert number(text) == value


@pytest.mark.parametrize("text", [b"", b"x", b"nan", b"-inf", b"1e39", b"1_0", b"0x10", "٣".encode()])
def test_what_is_no_finite_number_is_refused(text):
    with pytest.raises(ValueError, match=r"not|convert"):
        number(text)


def test_a_block_with_an_odd_number_is_still_read_at_once():
    words, rows = parse_block(b"a 0.5 1e-3\nb 12 -3.25\n", width=2)
    assert words == [b"a", b"b"]
    assert rows.tolist() == [[0.5, np.float32(1e-3)], [12, -3.25]]
    assert parse_block(b"a 0.5 nan\n", width=2) is None
    assert parse_block(b" 0.5 0.5\n", width=2) is None


FIELDS = st.one_of(
    st.floats(-10, 10, width=32).map(lambda x: f"{x:.5f}"),
    st.floats(width=32).map(repr),
    st.sampled_from(["a", "nan", "1_0", "", "日", "0.5", "-1.25", "\t", "1e5", "#", '"']),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(FIELDS, min_size=2, max_size=4).map(" ".join), max_size=5))
def test_many_lines_at_once_give_what_one_by_one_gives(lines):
    block = "".join(f"{line}\n" for line in lines).encode()
    fast, slow = parse_lines(block, width=2), parse_line_by_line(block, width=2)
    assert (fast.words, fast.n_lines, fast.broken) == (slow.words, slow.n_lines, slow.broken)
    assert list(fast.places) == list(slow.places)
    assert (fast.rows == slow.rows).all()


def test_regular_lines_go_the_fast_way():
    rng = np.random.default_rng(0)
    numbers = rng.normal(0, 0.5, (40, 9))
    block = "".join(f"w{k} {' '.join(f'{x:.5g}' for x in row)}\n" for k, row in enumerate(numbers)).encode()
    words, rows = parse_block(block, width=9)
    slow = parse_line_by_line(block, width=9)
    assert [word.decode() for word in words] == slow.words
    assert (rows == slow.rows).all()
