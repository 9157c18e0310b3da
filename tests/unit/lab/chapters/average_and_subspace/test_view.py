"""What Python answers to chapter 2, against closed forms."""

import math

import numpy as np
import pytest

from regard.errors import ValueRangeError
from regard.lab.chapters.average_and_subspace.view import MixAndSumInput, confirm
from regard.lab.inputs import read_input


def told(shares=(1, 1, 0), error=0.01, angle=60, length=1.5):
    return confirm(
        read_input(MixAndSumInput, {"shares": list(shares), "error": error, "angle": angle, "length": length})
    )


def test_shares_become_weights():
    assert told((3, 1))["weights"] == pytest.approx([0.75, 0.25])
    assert told((1, 1, 0))["weights"] == pytest.approx([0.495, 0.495, 0.01])
    powers = np.exp(told((1, 2, 5, 0))["query"])
    assert powers / powers.sum() == pytest.approx([0.99 / 8, 0.99 / 4, 0.99 * 5 / 8, 0.01])


@pytest.mark.parametrize(("angle", "length"), [(90, 1.0), (60, 1.5), (10, 0.5), (1, 2.0)])
def test_the_summand_is_taken_out_by_both_projectors(angle, length):
    found = told(angle=angle, length=length)
    turn = math.radians(angle)
    assert found["projected"] == pytest.approx([1 + length * math.cos(turn), 0])
    assert found["recovered"] == pytest.approx([1, 0], abs=1e-12)
    assert found["noise_gain"] == pytest.approx(1 / math.sin(turn))


def test_nothing_wanted_is_no_mix():
    with pytest.raises(ValueRangeError, match="some share must be above 0"):
        told((0, 0))
