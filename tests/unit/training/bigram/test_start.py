import numpy as np
import pytest

from regard.training.bigram.start import fit_ridge, predict_from_vectors


def test_a_word_left_out_is_a_second_fit_without_it() -> None:
    rng = np.random.default_rng(0)
    features, targets, weights = rng.standard_normal((8, 3)), rng.standard_normal((8, 2)), rng.uniform(0.1, 2, 8)
    error = 0.0
    for word in range(8):
        rest = np.arange(8) != word
        by_rows = np.sqrt(weights[rest])[:, None]
        # a ridge is as good as further rows √ridge·I whose targets are zero
        stacked = np.vstack([features[rest] * by_rows, np.sqrt(0.7) * np.eye(3)])
        mapping = np.linalg.lstsq(stacked, np.vstack([targets[rest] * by_rows, np.zeros((3, 2))]))[0]
        error += weights[word] * ((targets[word] - features[word] @ mapping) ** 2).sum()
    assert fit_ridge(features, targets, weights, ridge=0.7).left_out_error == pytest.approx(error, rel=1e-10)


def test_vectors_that_say_something_are_used_and_others_are_not() -> None:
    rng = np.random.default_rng(1)
    given = rng.standard_normal((200, 20))
    told = given @ rng.standard_normal((20, 5)) + 0.3 * rng.standard_normal((200, 5))
    predicted = predict_from_vectors(given, told, np.ones(200))
    assert predicted is not None
    assert ((told - predicted) ** 2).mean() < 0.15
    assert predict_from_vectors(rng.standard_normal((200, 20)), told, np.ones(200)) is None


@pytest.mark.parametrize("n_words", [0, 1, 2, 3])
def test_a_handful_of_words(n_words: int) -> None:
    rng = np.random.default_rng(2)
    given, learnt = rng.standard_normal((n_words, 50)), rng.standard_normal((n_words, 4))
    found = predict_from_vectors(given, learnt, np.ones(n_words))
    assert found is None or np.isfinite(found).all()
    assert predict_from_vectors(np.zeros((n_words, 50)), learnt, np.ones(n_words)) is None
