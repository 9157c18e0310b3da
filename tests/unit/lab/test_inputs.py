"""What a page sends is checked before anything is computed."""

import json
from dataclasses import dataclass

import pytest

from regard.errors import ValueRangeError
from regard.lab.inputs import choice, matrix, number, numbers, point_lists, points, read_input, text, whole_number


@dataclass(frozen=True)
class Everything:
    scale: float = number(0.1, 1000)
    count: int = whole_number(2, 5)
    shares: tuple = numbers(0, 10, most=3)
    keys: tuple = points(2, most=2)
    noise: str = choice("one", "each")


GOOD = {"scale": 3, "count": 2.0, "shares": [1, 0.5], "keys": [[1, -2]], "noise": "one"}


def test_what_fits_is_read_in_its_types():
    found = read_input(Everything, GOOD)
    assert found == Everything(3.0, 2, (1.0, 0.5), ((1.0, -2.0),), "one")
    assert type(found.count) is int


@pytest.mark.parametrize(
    ("name", "wrong", "told"),
    [
        ("scale", "loud", "scale should be a number from 0.1 to 1000, not 'loud'"),
        ("scale", float("nan"), "scale should be a number from 0.1 to 1000, not nan"),
        ("scale", True, "scale should be a number from 0.1 to 1000, not True"),
        ("scale", 10**400, "scale should be a number from 0.1 to 1000, not 1000000000000000000000000000000000000000…"),
        ("count", 1500, "count should be a whole number from 2 to 5, not 1500"),
        ("count", 2.5, "count should be a whole number from 2 to 5, not 2.5"),
        ("shares", [1] * 4, "shares should be 1 to 3 numbers from 0 to 10, not a list of 4"),
        ("shares", [[]], "shares should be 1 to 3 numbers from 0 to 10, not a list of 1"),
        ("shares", {"0": 1}, "shares should be 1 to 3 numbers from 0 to 10, not an object of 1"),
        ("keys", [[1, 2, 3]], "keys should be 1 to 2 lists of 2 numbers from -2 to 2, not a list of 1"),
        ("keys", [], "keys should be 1 to 2 lists of 2 numbers from -2 to 2, not a list of 0"),
        ("noise", ["one"], "noise should be one of one, each, not a list of 1"),
        ("noise", None, "noise should be one of one, each, not None"),
    ],
)  # fmt: skip
def test_what_does_not_is_told_in_one_line(name, wrong, told):
    with pytest.raises(ValueRangeError) as error:
        read_input(Everything, GOOD | {name: wrong})
    assert str(error.value) == told
    json.dumps(told).encode("ascii")


def test_half_a_character_is_told_in_ascii():
    with pytest.raises(ValueRangeError, match=r"noise should be one of one, each, not .(\\ud800){6}") as error:
        read_input(Everything, GOOD | {"noise": "\ud800" * 100})
    assert len(str(error.value)) < 100


@dataclass(frozen=True)
class Design:
    rows: tuple = matrix(10, most_rows=2, most_columns=3)


def test_a_matrix_may_be_empty_and_its_rows_have_one_length():
    assert read_input(Design, {"rows": []}).rows == ()
    assert read_input(Design, {"rows": [[1, 2], [3, -4]]}).rows == ((1.0, 2.0), (3.0, -4.0))
    for wrong in ([[1], [2, 3]], [[11]], [[]], [[1]] * 3, [[1, 2, 3, 4]]):
        with pytest.raises(ValueRangeError, match="rows should be up to 2 rows of up to 3 numbers from -10 to 10"):
            read_input(Design, {"rows": wrong})


@dataclass(frozen=True)
class Designs:
    queries: tuple = point_lists(3, most_lists=2, most=2)


def test_lists_of_points_have_a_point_each():
    assert read_input(Designs, {"queries": [[[1, 2]], [[0, 3], [-3, 0]]]}).queries == (
        ((1.0, 2.0),),
        ((0.0, 3.0), (-3.0, 0.0)),
    )
    told = r"^queries should be 1 to 2 lists of 1 to 2 points as \[x, y\] with numbers from -3 to 3, not "
    for wrong in ([], [[]], [[[1]]], [[[1, 2, 3]]], [[[4, 0]]], [[[1, 2]]] * 3, [[[1, 2]] * 3], [[1, 2]], "x"):
        with pytest.raises(ValueRangeError, match=told):
            read_input(Designs, {"queries": wrong})


@pytest.mark.parametrize("sent", [None, [], "x", {}, GOOD | {"more": 1}, {"scale": 3}])
def test_every_field_and_no_other_must_be_there(sent):
    with pytest.raises(ValueRangeError, match=r"^expected an object with scale, count, shares, keys, noise$"):
        read_input(Everything, sent)


@dataclass(frozen=True)
class Note:
    words: str = text(most=3)


def test_a_text_has_a_bound_and_whole_characters():
    assert read_input(Note, {"words": "né"}).words == "né"
    for wrong in ("", "four", "\ud800", 3, None):
        with pytest.raises(ValueRangeError, match=r"^words should be a text of 1 to 3 characters, not "):
            read_input(Note, {"words": wrong})
