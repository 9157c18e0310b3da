import numpy as np
import pytest
from scipy.special import log_softmax

from regard.training.temperature import fitted_factors

RNG = np.random.default_rng(0)


def drawn(logits: np.ndarray) -> np.ndarray:
    """Labels drawn from the softmax of each row."""
    return np.array([RNG.choice(len(row), p=row) for row in np.exp(log_softmax(logits, axis=1))])


def test_the_temperature_that_labels_were_drawn_with_is_found() -> None:
    logits = 2 * RNG.standard_normal((4000, 3))
    assert fitted_factors([3 * logits], drawn(logits)) == pytest.approx([1 / 3], rel=0.05)


def test_parts_are_trusted_as_they_deserve() -> None:
    first, second, noise = 2 * RNG.standard_normal((3, 4000, 2))
    found = fitted_factors([first, second, noise], drawn(first + second / 2))
    assert found[:2] == pytest.approx([1, 0.5], rel=0.1)
    assert found[2] < 0.05


def test_no_better_factor_is_near() -> None:
    logits = RNG.standard_normal((500, 2))
    label_ids = drawn(logits)
    [factor] = fitted_factors([logits], label_ids)

    def nats(s: float) -> float:
        return float(-log_softmax(s * logits, axis=1)[np.arange(500), label_ids].mean() + np.log(s) ** 2 / 1000)

    assert nats(factor) <= min(nats(factor * 1.01), nats(factor / 1.01))


def test_a_few_texts_told_right_do_not_make_it_sure_of_all() -> None:
    [factor] = fitted_factors([np.array([[1.0, 0.0]] * 5)], np.zeros(5, np.int64))
    assert 1 < factor < 5
