import numpy as np
from tests.support.averaging import TWO, trained

from regard.text.word_bags import word_bags
from regard.training.familiarity import HIDDEN_SHARES, measure_accuracy, unknown_shares
from regard.training.held_out_endings import cut_endings


def test_every_answer_is_counted_once_and_right_ones_again() -> None:
    classifier, bags = trained("strong"), word_bags(TWO.texts)
    found = measure_accuracy(classifier, bags, bags, TWO.label_ids, seed=0)
    n_endings = sum(len(cut_endings(bags, n).text) for n in found.ending_words)
    assert found.answers.sum() == len(HIDDEN_SHARES) * (len(bags) + n_endings)
    shown = found.answers[-1, 0]  # whole texts without unknown words: the ones as they are, and a few spared ones
    assert shown.sum() >= len(bags)
    is_right = classifier.predicted(TWO.texts) == TWO.label_ids
    assert found.right[-1, 0].sum() >= is_right.sum()
    assert (found.right <= found.answers).all()
    assert (found.claimed <= found.answers + 1e-9).all()
    assert found.usual_words == (5, 7)


def test_unknown_shares_of_texts_and_of_nothing() -> None:
    found = unknown_shares(trained("strong"), word_bags(["good zyzzyva", "good", ""]))
    np.testing.assert_allclose(found, [0.5, 0, 0])
