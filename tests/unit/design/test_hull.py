"""The geometry under the designs, against other solvers and hand-made figures."""

import numpy as np
import pytest
from scipy.optimize import minimize

from regard.design.hull import (
    maximum_entropy,
    relative_to_mean,
    remove_span,
    separate,
    separate_from_rest,
    smallest_face,
    solve_least_norm,
    solve_least_norm_shifted,
)

SQUARE = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])


def rng():
    return np.random.default_rng(7)


def test_differences_of_far_keys_are_exact_and_rounding_is_none():
    keys = 1e8 + np.array([[0.0, 2.0], [1.0, 0.0], [1.0, 0.0]])  # the mean itself has no float64 this far out
    expected = np.array([[-2.0, 4.0], [1.0, -2.0], [1.0, -2.0]]) / 3
    np.testing.assert_allclose(relative_to_mean(keys, np.full(3, 1 / 3)), expected, rtol=1e-14)
    np.testing.assert_array_equal(relative_to_mean(np.full((3, 2), 0.1), np.full(3, 1 / 3)), np.zeros((3, 2)))


def test_keys_that_differ_by_rounding_are_one():
    keys = np.array([[0.3, 1.0], [0.1 + 0.2, 1.0], [0.3, 1.0]])
    np.testing.assert_array_equal(relative_to_mean(keys, np.full(3, 1 / 3)), np.zeros((3, 2)))


def test_least_norm_is_the_shortest_solution_and_says_what_is_missing():
    solution, missing = solve_least_norm(np.array([[2.0, 0.0, 0.0]]), np.array([6.0]))
    np.testing.assert_allclose(solution, [3.0, 0.0, 0.0])
    np.testing.assert_allclose(missing, [0.0], atol=1e-15)
    _, missing = solve_least_norm(np.array([[1.0], [1.0]]), np.array([0.0, 2.0]))
    np.testing.assert_allclose(missing, [-1.0, 1.0])


def test_the_best_shift_beats_every_other():
    keys, logits = rng().standard_normal((5, 8)), rng().standard_normal(5)
    query, missing = solve_least_norm_shifted(keys, logits)
    shift = (keys @ query - logits).mean()
    np.testing.assert_allclose(keys @ query, logits + shift, atol=1e-12)
    np.testing.assert_allclose(missing, 0.0, atol=1e-12)
    for nudge in (-1.0, -1e-3, 1e-3, 1.0):
        other, _ = solve_least_norm(keys, logits + shift + nudge)
        assert np.linalg.norm(other) > np.linalg.norm(query)


def test_off_span_leaves_what_is_square_to_the_span():
    vectors, spanning = rng().standard_normal((4, 5)), np.array([[1.0, 2.0, 0, 0, 0], [2.0, 4.0, 0, 0, 0]])
    rest = remove_span(vectors, spanning)
    np.testing.assert_allclose(rest @ spanning[0], 0.0, atol=1e-14)
    np.testing.assert_allclose(rest[:, 2:], vectors[:, 2:])  # the dependent second row takes nothing away


def test_equal_gaps_are_used_where_they_exist():
    differences = rng().standard_normal((3, 5))
    direction = separate(differences, size=3.0).direction
    np.testing.assert_allclose(differences @ direction, 1.0, rtol=1e-12)
    np.testing.assert_allclose(direction, np.linalg.pinv(differences) @ np.ones(3), rtol=1e-10)


@pytest.mark.parametrize("equal_gaps", [True, False])
def test_the_widest_margin_is_the_shortest_direction(equal_gaps):
    differences = np.array([2.0, 0.5]) + rng().standard_normal((9, 2)) * 0.4
    direction = separate(differences, size=1.0, equal_gaps=equal_gaps).direction
    by_quadratic_program = minimize(
        lambda u: u @ u,
        np.array([5.0, 0.0]),
        jac=lambda u: 2 * u,
        constraints={"type": "ineq", "fun": lambda u: differences @ u - 1, "jac": lambda u: differences},
        method="SLSQP",
        options={"ftol": 1e-14},
    ).x
    assert (differences @ direction).min() >= 1 - 1e-12
    np.testing.assert_allclose(direction, by_quadratic_program, rtol=1e-6)


def test_what_surrounds_the_origin_has_no_direction_but_a_mix():
    separation = separate(SQUARE, size=1.0)
    assert separation.direction is None
    assert separation.mix.min() >= 0
    assert separation.mix.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(separation.mix @ SQUARE, 0.0, atol=1e-14)


@pytest.mark.parametrize(
    ("support", "is_face"),
    [([0], True), ([0, 1], True), ([0, 2], False), ([0, 1, 2], False), ([4], False), ([0, 1, 5], True)],
)
def test_faces_of_a_square(support, is_face):
    keys = np.vstack([SQUARE, [[0.2, 0.3]], [[0.5, 1.0]]])  # 4 inside, 5 on the edge from 0 to 1
    if support == [0, 1]:
        is_face = False  # the edge holds key 5 as well
    chosen = np.isin(np.arange(6), support)
    separation = separate_from_rest(keys, chosen)
    assert (separation.direction is not None) == is_face
    if is_face:
        logits = keys @ separation.direction
        np.testing.assert_allclose(logits[chosen], logits[chosen][0], atol=1e-12)
        assert (logits[chosen][0] - logits[~chosen]).min() >= 1 - 1e-12


def test_all_keys_in_one_place_cannot_be_separated():
    separation = separate_from_rest(np.full((3, 2), 0.1), np.array([True, False, False]))
    np.testing.assert_allclose(separation.mix, [0.5, 0.5])


@pytest.mark.parametrize(
    ("origin", "face"),
    [
        ([0.2, 0.3], [True] * 4),
        ([0.0, 1.0], [True, True, False, False]),
        ([1.0, 1.0], [True, False, False, False]),
        ([2.0, 1.0], [False] * 4),
    ],
)
def test_the_smallest_face_around_a_point(origin, face):
    np.testing.assert_array_equal(smallest_face(SQUARE - origin), face)
    np.testing.assert_array_equal(smallest_face(1e-8 * (SQUARE - origin)), face)


def test_the_smallest_face_of_points_all_at_the_origin():
    np.testing.assert_array_equal(smallest_face(np.zeros((3, 2))), [True] * 3)


def test_maximum_entropy_on_three_points_of_a_line_solves_its_quadratic():
    # Points −1, 0, 2: with x = e^q the mean vanishes where −1/x + 2x² = 0, so x = 2^(−1/3).
    mix, query = maximum_entropy(np.array([[-1.0], [0.0], [2.0]]))
    x = 2 ** (-1 / 3)
    np.testing.assert_allclose(query, [np.log(x)], rtol=1e-12)
    np.testing.assert_allclose(mix, np.array([1 / x, 1, x**2]) / (1 / x + 1 + x**2), rtol=1e-12)


def test_maximum_entropy_close_to_the_rim():
    points = SQUARE - np.array([1 - 1e-6, 0.3])
    mix, _ = maximum_entropy(points)
    np.testing.assert_allclose(mix @ points, 0.0, atol=1e-14)
    # On the square both coordinates are independent: shares 1 − 5e-7 and 0.65.
    np.testing.assert_allclose(mix[0], (1 - 5e-7) * 0.65, rtol=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_maximum_entropy_of_points_of_very_different_sizes(seed):
    # Newton's full steps diverge on such points now and then; damped ones never.
    draw = np.random.default_rng(seed)
    points = draw.standard_normal((7, 3)) * 10.0 ** draw.uniform(-2, 2, (7, 1))
    points -= draw.dirichlet(np.full(7, 0.1)) @ points
    mix, query = maximum_entropy(points)
    np.testing.assert_allclose(mix @ points, 0.0, atol=1e-12 * np.abs(points).max())
    logs = points @ query
    np.testing.assert_allclose(np.log(mix), logs - np.log(np.exp(logs - logs.max()).sum()) - logs.max(), atol=1e-9)


def test_maximum_entropy_of_a_single_place_is_even():
    mix, query = maximum_entropy(np.zeros((4, 2)))
    np.testing.assert_array_equal(mix, np.full(4, 0.25))
    np.testing.assert_array_equal(query, np.zeros(2))
