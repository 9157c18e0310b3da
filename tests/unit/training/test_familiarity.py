import numpy as np
import pytest
from tests.support.averaging import TWO, trained

from regard.text.word_bags import word_bags
from regard.training.familiarity import HIDDEN_SHARES, changed_texts, measure_accuracy, unknown_shares
from regard.training.held_out_endings import cut_endings


def test_every_answer_is_counted_once_and_right_ones_again() -> None:
    classifier, bags = trained("strong"), word_bags(TWO.texts)
    found = measure_accuracy(classifier, bags, bags, TWO.label_ids, seed=0)
    n_endings = sum(len(cut_endings(bags, n).text) for n in found.ending_words)
    assert found.answers.sum() == len(HIDDEN_SHARES) * (len(bags) + n_endings)
    n_right = claimed = 0.0
    for texts in changed_texts(bags, found.ending_words, np.random.default_rng([0, 1])):
        log_probs = classifier.log_probs_of_bags(texts.bags)
        n_right += (log_probs.argmax(axis=1) == TWO.label_ids[texts.text]).sum()
        claimed += np.exp(log_probs.max(axis=1)).sum()
    assert found.right.sum() == n_right < found.answers.sum()
    assert found.claimed.sum() == pytest.approx(claimed)
    assert found.usual_words == (5, 7)


def test_unknown_shares_of_texts_and_of_nothing() -> None:
    found = unknown_shares(trained("strong"), word_bags(["good zyzzyva", "good", ""]))
    np.testing.assert_allclose(found, [0.5, 0, 0])
