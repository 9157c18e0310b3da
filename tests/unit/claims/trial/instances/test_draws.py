"""Draws of a setting: shapes, laws, and the same numbers every time."""

import numpy as np
import pytest

from regard.claims.check import check
from regard.claims.meaning.definitions import compile_setting
from regard.claims.meaning.setting import find_setting
from regard.claims.trial.arithmetic.numbers import FLOATS
from regard.claims.trial.instances.draws import LAWS, build_world, draw_batch


def test_a_batch_has_its_draws_on_the_leading_axis():
    batch = draw_batch(find_setting("attention"), 0, 4)
    assert {name: array.shape for name, array in batch.raw.items()} == {
        "k": (4, 2, 1, 1),
        "v": (4, 2, 1, 1),
        "q": (4, 1, 1),
    }
    assert (len(batch), batch.marked) == (4, {"a": 0, "b": 1})
    assert len(batch.only(slice(0, 1))) == 1
    assert batch.having(q=np.zeros((4, 1, 1))).raw["q"].max() == 0


def test_named_indices_differ():
    for row in range(len(find_setting("attention").sizes)):
        marked = draw_batch(find_setting("attention"), row, 2).marked
        assert marked["a"] != marked["b"]


@pytest.mark.parametrize("place", range(8))
def test_laws_are_true_of_what_they_draw(place):
    rng = np.random.default_rng(place)

    def drawn(law, shape):
        return LAWS[law].value(LAWS[law].raw(rng, shape, place)[None], FLOATS)[0]

    orthogonal = drawn("orthonormal", (2, 4))
    np.testing.assert_allclose(orthogonal.T @ orthogonal, np.eye(4), atol=1e-12)
    distribution = drawn("distribution", (5, 1))
    assert distribution.min() >= 0
    assert distribution.sum() == pytest.approx(1)
    assert drawn("positive", (3, 1)).min() > 0
    assert sorted(drawn("one-hot", (3, 1)).flat) == [0, 0, 1]
    assert ((probabilities := drawn("probabilities", (9, 1))) > 0).all()
    assert probabilities.max() <= 1


def test_a_world_works_out_what_follows():
    setting = find_setting("attention")
    compiled, batch = compile_setting(setting), draw_batch(setting, 1, 3)
    world = build_world(batch, definitions=compiled.definitions, families=compiled.families)
    np.testing.assert_allclose(world.value("alpha").sum(axis=(-2, -1)), 1)
    np.testing.assert_allclose(world.value("s"), world.value("K") @ batch.raw["q"])


def test_more_entries_than_can_be_tried(unchecked):
    found = check("x ∈ R^{100000000} ⇒ x = x")
    assert found.verdict == "not-understood"
    assert found.reason == "x would have 100000000 entries; up to 4096 can be tried"
    assert check("I_{10000000} = A").verdict == "not-understood"
    assert check("x ∈ R^{512} ⇒ ‖x‖ ≥ 0").verdict == "holds"


def test_semidefinite_matrices_are_often_singular_and_never_negative():
    rng = np.random.default_rng(0)
    drawn = [LAWS["semidefinite"].value(LAWS["semidefinite"].raw(rng, (3, 3), place), FLOATS) for place in range(20)]
    sizes = [np.abs(one).max() + 1 for one in drawn]
    assert all(np.linalg.eigvalsh(one).min() > -1e-9 * size for one, size in zip(drawn, sizes, strict=True))
    assert {np.linalg.matrix_rank(one) for one in drawn} >= {1, 3}


def test_a_product_of_semidefinite_matrices_may_give_a_negative_form():
    claim = "Let A is positive semidefinite. Let B is positive semidefinite. Then"
    assert check(f"{claim} x^T A B x ≥ 0").verdict == "fails"
    assert check(f"{claim} tr(A B) ≥ 0").verdict == "holds"
