"""Axes are words in annotations: without jaxtyping they cost nothing, with it every call is checked."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from jaxtyping import TypeCheckError
from tests.support.array_checks import check_calls

from regard.arrays import entropy
from regard.noise.keys import n_normal_axes
from regard.shapes import Float


def test_annotations_cost_nothing_where_jaxtyping_is_not_loaded():
    code = (
        "import sys; from regard.shapes import Array, Float; import regard.arrays\n"
        "print(Float[Array, 'query key'] is Array, 'jaxtyping' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "True False\n"


def test_the_test_run_checks_every_call():
    with pytest.raises(TypeCheckError):
        entropy(np.array(["not", "numbers"]))
    with pytest.raises(TypeCheckError):
        n_normal_axes("no law")


@check_calls
def first_of_two(x: Float[np.ndarray, " key"], y: Float[np.ndarray, " key"], n: int) -> Float[np.ndarray, " key"]:
    return x[:n]


@check_calls
def one_by_one(x: Float[np.ndarray, " key"], y: Float[np.ndarray, " key"]) -> Iterator[float]:
    yield from x + y


@check_calls
@dataclass(frozen=True)
class Pair:
    x: Float[np.ndarray, " key"]
    y: Float[np.ndarray, " key"]


def test_an_axis_has_one_length_in_a_call():
    two, three = np.ones(2), np.ones(3)
    assert len(first_of_two(two, two, 2)) == len(Pair(two, two).x) == len(list(one_by_one(two, two))) == 2
    assert len(first_of_two(three, three, 3)) == 3  # another call, another length
    for make in (first_of_two, one_by_one, Pair):
        with pytest.raises(TypeCheckError):
            make(two, three, *([2] if make is first_of_two else []))
    with pytest.raises(TypeCheckError, match="return"):
        first_of_two(two, two, 1)


def test_a_function_that_is_made_at_each_call_is_checked_too():
    for shift in (1.0, 2.0):

        @check_calls
        def shifted(x: Float[np.ndarray, " key"], shift: float = shift) -> Float[np.ndarray, " key"]:
            return x + shift

        assert shifted(np.zeros(1)) == shift
        with pytest.raises(TypeCheckError):
            shifted(np.zeros((1, 1)))


def test_an_annotation_that_cannot_be_read_is_complained_of():
    @check_calls
    def any_shape(x: "Float[np.ndarray, ...]") -> None:
        """Without quotes the dots are no shape."""

    with pytest.raises(AttributeError):
        any_shape(np.zeros(1))


def test_nothing_is_checked_where_a_test_says_so(unchecked):
    assert len(first_of_two(np.ones(2), np.ones(3), 1)) == 1
