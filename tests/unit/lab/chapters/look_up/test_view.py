"""What chapter 1 says, against plain computations."""

import contextlib
import io

import numpy as np
import pytest

from regard.lab.chapters.look_up.view import aim_query, answer_text, confirm, copy_needs, python_for, read_situation
from regard.lab.widgets.attention_plane import AttentionPlane


def state(points, query, *, scale=1.0, chosen=0):
    """What the browser would send, computed by hand."""
    points = np.array(points, dtype=float)
    powers = np.exp(scale * points @ np.array(query, dtype=float))
    weights = powers / powers.sum()
    colours = AttentionPlane(points).colours
    rgb = np.array([[int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)] for colour in colours])
    return {
        "points": points.tolist(), "colours": colours, "query": query, "scale": scale, "chosen": chosen,
        "weights": weights.tolist(), "output": (weights @ rgb).tolist(), "bounds": [1.0] * len(points),
    }  # fmt: skip


SQUARE = [[1, 1], [-1, 1], [-1, -1], [1, -1]]


def test_nothing_is_said_before_the_browser_has_spoken():
    assert read_situation(state(SQUARE, [1, 0]) | {"weights": []}) is None
    assert read_situation(state(SQUARE, [1, 0]) | {"bounds": [1.0]}) is None  # a key was just added


def test_python_confirms_what_is_right_and_finds_what_is_wrong():
    right = state(SQUARE, [0.5, 0.25], scale=2.0)
    assert confirm(read_situation(right)).largest_difference < 1e-15
    wrong = right | {"weights": [right["weights"][0] + 0.01, *right["weights"][1:]]}
    assert confirm(read_situation(wrong)).largest_difference == pytest.approx(0.01)


def test_the_bound_of_the_centre_of_a_square_is_a_fifth():
    now = read_situation(state([*SQUARE, [0, 0]], [1, 0], chosen=4) | {"bounds": [1, 1, 1, 1, 0.2]})
    confirmation = confirm(now)
    assert confirmation.bound.bound == pytest.approx(0.2)
    assert confirmation.largest_difference < 1e-12
    assert "$1/(1 + e^H) = 0.2$" in answer_text(now, confirmation)
    assert aim_query(now, confirmation.bound)["query"] == pytest.approx([0, 0], abs=1e-12)


def test_the_scale_along_the_query_meets_the_error():
    now = read_situation(state([[1, 0], [0, 1], [-1, 0]], [1, 0.2]))
    for need in copy_needs(now):
        powers = np.exp(need.scale * now.keys @ now.query)
        assert 1 - powers[0] / powers.sum() == pytest.approx(need.error, rel=1e-9)
    assert copy_needs(now)[0].shortest < copy_needs(now)[2].shortest


def test_where_another_key_leads_no_scale_will_do():
    now = read_situation(state([[1, 0], [0, 1]], [0, 1]))
    assert [need.scale for need in copy_needs(now)] == [None, None, None]
    assert "no scale is enough" in answer_text(now, confirm(now))


def test_aiming_copies_within_the_plane():
    now = read_situation(state(SQUARE, [0, 0], chosen=2))
    plane = AttentionPlane(SQUARE)
    plane.update(aim_query(now, None))
    powers = np.exp(plane.scale * np.array(SQUARE) @ plane.query)
    assert powers[2] / powers.sum() == pytest.approx(0.99, abs=1e-6)


@pytest.mark.parametrize("chosen", [0, 4])
def test_the_shown_python_gives_the_shown_numbers(chosen):
    now = read_situation(state([*SQUARE, [0.1, 0.3]], [0.5, -0.25], scale=3.3, chosen=chosen))
    names = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(python_for(now), names)  # our own text, made of numbers
    np.testing.assert_allclose(names["weights"], now.shown_weights, rtol=1e-12)
    np.testing.assert_allclose(names["output"], now.shown_output, atol=1e-6)
    assert (names["bound"] is None) == (chosen == 0)
