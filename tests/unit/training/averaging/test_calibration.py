import numpy as np
import pytest
from tests.support.averaging import TWO, trained

from regard.text.word_bags import word_bags
from regard.training.averaging.calibration import (
    HIDDEN_SHARES,
    cut_endings,
    measure_accuracy,
    usual_shares,
    vary_texts,
)


def test_every_answer_is_counted_once_and_right_ones_again() -> None:
    classifier, bags = trained("strong"), word_bags(TWO.texts)
    found = measure_accuracy(classifier, bags, bags, TWO.label_ids, seed=0)
    n_endings = sum(len(cut_endings(bags, n).text) for n in found.ending_words)
    assert found.answers.sum() == len(HIDDEN_SHARES) * (len(bags) + n_endings)
    n_right = claimed = 0.0
    for texts in vary_texts(bags, found.ending_words, np.random.default_rng([0, 1])):
        log_probs = classifier.log_probs_of_bags(texts.bags)
        n_right += (log_probs.argmax(axis=1) == TWO.label_ids[texts.text]).sum()
        claimed += np.exp(log_probs.max(axis=1)).sum()
    assert found.right.sum() == n_right < found.answers.sum()
    assert found.claimed.sum() == pytest.approx(claimed)
    assert found.usual_words == (5, 7)


def test_pairs_are_measured_on_texts_without_hidden_words() -> None:
    classifier, bags = trained("strong"), word_bags(TWO.texts)
    found = measure_accuracy(classifier, bags, bags, TWO.label_ids, seed=0)
    n_endings = sum(len(cut_endings(bags, n).text) for n in found.ending_words)
    assert found.pairs is not None
    assert found.pairs.answers.sum() == len(bags) + n_endings
    assert found.pairs.right.sum() <= found.pairs.answers.sum()
    np.testing.assert_array_equal(found.pairs.usual, 0)  # of the training texts, every pair is known
    assert measure_accuracy(trained("linear"), bags, bags, TWO.label_ids, seed=0).pairs is None


def test_usual_shares_by_hand() -> None:
    found = usual_shares(np.array([0] * 101 + [2]), np.append(np.arange(101) / 100, 0.5), n_lengths=3)
    np.testing.assert_allclose(found, [0.99, 1, 0.5])
