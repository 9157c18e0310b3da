"""One suite for every averaging classifier: what `models.classifier` promises."""

from pathlib import Path

import numpy as np
import pytest
from scipy.special import log_softmax
from tests.support.averaging import LIKED, MAKES, TWO, trained

from regard.models.classifier_folder import load_classifier
from regard.text.word_bags import word_bags

TEXTS = [*LIKED, "", "zyzzyva qwerty", "Good. GOOD! good", "an awful film, but a good end", "'<br />é"]
TEXT = "Not a bad film, but bad fun: superb and zyzzyva!"

every_make = pytest.mark.parametrize("make", MAKES)
every_count = pytest.mark.parametrize("n_labels", [2, 3])


@every_make
@every_count
def test_probabilities_sum_to_one(make: str, n_labels: int) -> None:
    log_probs = trained(make, n_labels).log_probs(TEXTS)
    assert log_probs.shape == (len(TEXTS), n_labels)
    np.testing.assert_allclose(np.exp(log_probs).sum(axis=1), 1, atol=1e-12)


@every_make
@every_count
def test_many_texts_get_what_each_gets_alone(make: str, n_labels: int) -> None:
    classifier = trained(make, n_labels)
    one_by_one = np.concatenate([classifier.log_probs([text]) for text in TEXTS])
    np.testing.assert_allclose(classifier.log_probs(TEXTS), one_by_one, atol=1e-6)


@every_make
def test_no_texts(make: str) -> None:
    assert trained(make).log_probs([]).shape == (0, 2)


@every_make
@every_count
def test_saving_and_loading_change_nothing(make: str, n_labels: int, tmp_path: Path) -> None:
    classifier = trained(make, n_labels)
    classifier.save(tmp_path / "model")
    again = load_classifier(tmp_path / "model")
    np.testing.assert_array_equal(again.log_probs(TEXTS), classifier.log_probs(TEXTS))
    assert (again.kind, again.labels, again.notes) == (classifier.kind, classifier.labels, classifier.notes)


@every_make
def test_all_words_kept_is_the_text(make: str) -> None:
    classifier = trained(make)
    kept = np.ones((2, len(classifier.words(TEXT))), bool)
    kept[1] = False
    expected = classifier.log_probs([TEXT, ""])
    np.testing.assert_allclose(classifier.log_probs_of_parts(TEXT, kept), expected, atol=1e-6)


@every_make
def test_a_part_is_the_text_of_its_words(make: str) -> None:
    classifier = trained(make)
    words = classifier.words(TEXT)
    kept = np.arange(len(words)) % 3 != 1
    part = " ".join(words.word(i) for i in np.flatnonzero(kept).tolist())
    np.testing.assert_allclose(classifier.log_probs_of_parts(TEXT, kept[None]), classifier.log_probs([part]), atol=1e-6)


@every_make
def test_words_cover_what_is_read(make: str) -> None:
    words = trained(make).words("Good, zyzzyva!")
    assert [words.word(i) for i in range(len(words))] == ["Good", ",", "zyzzyva", "!"]
    np.testing.assert_array_equal(words.is_known[:3], [True, True, False])


@pytest.mark.parametrize("make", ["linear", "linear-strong"])
@every_count
@pytest.mark.parametrize("text", [TEXT, "", "Good. GOOD! good", "zyzzyva"])
def test_exact_shares_and_the_rest_are_the_logits(make: str, n_labels: int, text: str) -> None:
    classifier = trained(make, n_labels)
    shares, nothing = classifier.exact_shares(text), classifier.logits(word_bags([""]))[0]
    assert shares is not None
    logits = shares.sum(axis=0) + nothing
    np.testing.assert_allclose(log_softmax(logits), classifier.log_probs([text])[0], atol=1e-5)


@pytest.mark.parametrize("make", ["one-layer", "attention", "strong"])
def test_no_exact_shares_where_something_is_between(make: str) -> None:
    assert trained(make).exact_shares(TEXT) is None


@every_make
def test_gradients_on_the_way_sum_to_the_logits(make: str) -> None:
    classifier = trained(make)
    shares = classifier.gradient_shares(TEXT)
    text, nothing = (classifier.logits(word_bags([each]))[0] for each in (TEXT, ""))
    np.testing.assert_allclose(shares.sum(axis=0), text - nothing, atol=1e-5)


@every_make
def test_the_training_texts_are_learnt(make: str) -> None:
    n_right = (trained(make).predicted(TWO.texts) == TWO.label_ids).sum()
    assert n_right >= 28  # of 32


def test_the_same_seed_gives_the_same_bits() -> None:
    first = trained("strong")
    trained.cache_clear()
    again = trained("strong")
    assert again is not first
    for name, array in first.arrays().items():
        np.testing.assert_array_equal(again.arrays()[name], array)
