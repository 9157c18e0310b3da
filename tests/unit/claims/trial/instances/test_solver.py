"""Instances that satisfy what is given."""

import numpy as np
import pytest
from tests.support.claim_trials import ready

from regard.claims.check import check
from regard.claims.trial.instances.draws import draw_batch
from regard.claims.trial.instances.solver import SHORTER, SOLVED, PremiseSolver


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("k_a = k_b ⇒ α_a = α_b", "holds"),
        ("α_a = α_b ⇒ k_a = k_b", "fails"),
        ("v_i = v_j for all i, j ⇒ c = v_a", "holds"),
        ("k_a^T q > k_b^T q ⇒ α_a > α_b", "holds"),
        ("k_a^T q > k_j^T q for all j ≠ a ⇒ α_a > 1/n", "holds"),
        ("k_a^T q > k_j^T q for all j ≠ a ⇒ α_a > 1/2", "fails"),
    ],
)
def test_premises_hold_on_every_instance(claim, verdict, unchecked):
    assert check(claim, setting="attention").verdict == verdict


def test_too_few_instances_are_no_failure(unchecked):
    found = check("α_a > 2 ⇒ c = v_a", setting="attention")
    assert found.verdict == "not-understood"
    assert found.reason.startswith("what is given was true of 0 instances that could be found; 3 are needed")


def test_equations_are_met_to_many_digits(unchecked):
    assert check("‖x‖ = 1 ⇒ (I - 2 x x^T)^2 = I").verdict == "holds"


def test_what_is_drawn_near_stands_beside_equations(unchecked):
    verdict = check("Let t > 0. Let x = y. Let ‖x‖ = 1. Let t → 0. Then ‖x + t y‖ → 1").verdict
    assert verdict == "holds-in-limit"


def solver_at(claim="k_a^T q = k_b^T q + 1 ⇒ α_a > α_b"):
    trials, _ = ready(claim)
    batch = draw_batch(trials.task.setting, 1, 6)
    solver = PremiseSolver(trials, {})
    return solver, batch, solver.unknowns(batch)


def test_draws_moved_together_go_where_each_goes_alone(unchecked):
    solver, batch, names = solver_at()
    together, alone = solver.solve(batch), [solver.solve(batch.only([draw])) for draw in range(len(batch))]
    for name in names:
        assert np.array_equal(together.raw[name], np.concatenate([one.raw[name] for one in alone if one is not None]))


def test_draws_refined_together_have_the_digits_that_each_has_alone(unchecked):
    solver, batch, _ = solver_at()
    solved = solver.solve(batch)
    together, alone = solver.refine(solved), [solver.refine(solved.only([draw])) for draw in range(len(solved))]
    assert together.fine
    for name, fine in together.fine.items():
        assert (fine == np.concatenate([one.fine[name] for one in alone if one is not None])).all()


def test_of_shorter_moves_the_longest_that_comes_nearer_is_taken(unchecked):
    solver, batch, names = solver_at()
    value = solver.residuals(batch)
    before = np.linalg.norm(value, axis=1)
    moves = 40 * np.random.default_rng(0).standard_normal((len(batch), solver.jacobian(batch, names).shape[2]))
    _, after = solver.shorter_step(batch, names, moves, before)
    assert (before > SOLVED).all()
    for draw in range(len(batch)):
        one = batch.only([draw])
        tried = [solver.residuals(solver.shift(one, names, part * moves[[draw]])) for part in SHORTER]
        nearer = [found for found in tried if np.linalg.norm(found) < before[draw]]
        assert np.array_equal(after[[draw]], (nearer or tried[-1:])[0])
