"""What chapter 2 says, worked by hand."""

import contextlib
import io
import math

import numpy as np
import pytest

from regard.lab.chapters.average_and_subspace.view import (
    curve_columns,
    design_mix,
    extract_summand,
    extraction_text,
    mix_text,
    python_for,
)


def test_equal_shares_are_an_average():
    design = design_mix([1, 1, 0, 0], error=0.01)
    np.testing.assert_allclose(design.weights, [0.495, 0.495, 0.005, 0.005], atol=1e-12)
    assert design.scale == pytest.approx(math.log(99))  # 2 wanted and 2 others: e^C = 0.99 / 0.01
    assert "keys without a share keep **0.01** of the weight" in mix_text(design)


def test_a_mix_without_zeros_is_exact():
    design = design_mix([3, 1], error=0.01)
    np.testing.assert_allclose(design.weights, [0.75, 0.25], atol=1e-12)
    assert mix_text(design).endswith("gives these weights exactly.")


def test_orthogonal_summands_come_apart():
    parts = extract_summand(90.0, length=2.0)
    np.testing.assert_allclose(parts.projected, [1, 0], atol=1e-12)
    assert parts.error == pytest.approx(0, abs=1e-12)
    assert parts.noise_gain == pytest.approx(1)


def test_at_sixty_degrees_half_of_the_other_stays():
    parts = extract_summand(60.0, length=1.5)
    np.testing.assert_allclose(parts.projected, [1.75, 0], atol=1e-12)
    np.testing.assert_allclose(parts.recovered, [1, 0], atol=1e-12)
    assert parts.error == pytest.approx(0.75)
    assert parts.noise_gain == pytest.approx(2 / math.sqrt(3))
    assert "an error of **0.75**" in extraction_text(parts)
    assert curve_columns(1.5)["error"][59] == pytest.approx(0.75)


def test_the_shown_python_gives_the_shown_numbers():
    names = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(python_for([1, 2, 0], error=0.001, angle_degrees=30.0, length=0.5), names)  # our own text
    np.testing.assert_allclose(names["design"].weights, design_mix([1, 2, 0], error=0.001).weights)
    np.testing.assert_allclose(names["found"].value, extract_summand(30.0, length=0.5).recovered, atol=1e-12)
