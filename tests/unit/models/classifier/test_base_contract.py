"""One suite for every averaging classifier: what `models.classifier` promises."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.special import log_softmax
from tests.support.averaging import LIKED, MAKES, TWO, trained

from regard.errors import DTypeError
from regard.models.checkpoint import load_classifier
from regard.models.classifier.averaging import AveragingClassifier, LengthFactors
from regard.text.word_bags import buckets, ngram_hashes, word_bags

TEXTS = [*LIKED, "", "zyzzyva qwerty", "Good. GOOD! good", "an awful film, but a good end", "'<br />é"]
TEXT = "Not a bad film, but bad fun: superb and zyzzyva!"


def by_length(make: str, n_labels: int = 2, *, given: bool = False) -> AveragingClassifier:
    """A classifier whose parts count very differently in short and in longer texts."""
    factors = LengthFactors((1.0, 12.0), ((0.2, 0.3, 0.5), (1.0, 1.1, 0.0)))
    return replace(trained(make, n_labels, given=given), factors=factors)


def as_long_as(whole: str, part: str, classifier: AveragingClassifier) -> np.ndarray:
    """The logits of a part, where each part of the classifier counts as it does in the whole text."""
    return classifier.logits(word_bags([part]), n_known=classifier.n_known(word_bags([whole])))


every_make = pytest.mark.parametrize("make", MAKES)
every_count = pytest.mark.parametrize("n_labels", [2, 3])


@pytest.mark.slow
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
    classifier = by_length(make)
    kept = np.ones((2, len(classifier.words(TEXT))), bool)
    kept[1] = False
    found = classifier.log_probs_of_parts(TEXT, kept)
    np.testing.assert_allclose(found[:1], classifier.log_probs([TEXT]), atol=1e-6)
    np.testing.assert_allclose(found[1:], log_softmax(as_long_as(TEXT, "", classifier), axis=1), atol=1e-6)


@every_make
def test_a_part_is_the_text_of_its_words_with_the_factors_of_the_whole(make: str) -> None:
    classifier = by_length(make)
    words = classifier.words(TEXT)
    kept = np.arange(len(words)) % 5 == 2  # few enough for a text of their own to have other factors
    part = " ".join(words.word(i) for i in np.flatnonzero(kept).tolist())
    expected = log_softmax(as_long_as(TEXT, part, classifier), axis=1)
    np.testing.assert_allclose(classifier.log_probs_of_parts(TEXT, kept[None]), expected, atol=1e-6)


@every_make
def test_words_cover_what_is_read(make: str) -> None:
    words = trained(make).words("Good, zyzzyva!")
    assert [words.word(i) for i in range(len(words))] == ["Good", ",", "zyzzyva", "!"]
    np.testing.assert_array_equal(words.is_known[:3], [True, True, False])


@pytest.mark.parametrize("make", ["linear", "linear-strong"])
@every_count
@pytest.mark.parametrize("text", [TEXT, "", "Good. GOOD! good", "zyzzyva"])
def test_exact_shares_and_the_rest_are_the_logits(make: str, n_labels: int, text: str) -> None:
    classifier = by_length(make, n_labels)
    shares, nothing = classifier.exact_shares(text), as_long_as(text, "", classifier)[0]
    assert shares is not None
    logits = shares.sum(axis=0) + nothing
    np.testing.assert_allclose(log_softmax(logits), classifier.log_probs([text])[0], atol=1e-5)


@pytest.mark.parametrize("make", ["one-layer", "attention", "strong"])
def test_no_exact_shares_where_something_is_between(make: str) -> None:
    assert trained(make).exact_shares(TEXT) is None


@every_make
def test_gradients_on_the_way_sum_to_the_logits(make: str) -> None:
    classifier = by_length(make)
    shares = classifier.gradient_shares(TEXT)
    text, nothing = (as_long_as(TEXT, each, classifier)[0] for each in (TEXT, ""))
    np.testing.assert_allclose(shares.sum(axis=0), text - nothing, atol=1e-5)


@every_make
def test_the_training_texts_are_learnt(make: str) -> None:
    n_right = (trained(make).predict_ids(TWO.texts) == TWO.label_ids).sum()
    assert n_right >= 28  # of 32


def test_the_same_seed_gives_the_same_bits() -> None:
    first = trained("strong")
    trained.cache_clear()
    again = trained("strong")
    assert again is not first
    for name, array in first.arrays().items():
        np.testing.assert_array_equal(again.arrays()[name], array)


@every_make
def test_every_text_is_set_beside_those_of_training(make: str) -> None:
    classifier = trained(make)
    found = classifier.familiarity(TEXTS, classifier.log_probs(TEXTS))
    assert found is not None
    assert [each.n_words for each in found] == [len(classifier.words(text)) for text in TEXTS]
    shares = [1 - classifier.words(text).is_known.mean() if len(classifier.words(text)) else 0 for text in TEXTS]
    np.testing.assert_allclose([each.unknown_share for each in found], shares)
    assert all(0 <= each.expected_accuracy <= 1 for each in found)
    has_pairs = make in ("strong", "linear-strong")
    assert all((each.unknown_pair_share is not None) == has_pairs for each in found)


def row_of(classifier: AveragingClassifier, words: tuple[str, ...]) -> int:
    bags = word_bags([" ".join(words)])
    return int(buckets(ngram_hashes(bags, len(words))[0], classifier.ngrams_part.bits)[0])


def test_unknown_pairs_by_a_loop() -> None:
    """Pairs of known words whose row belongs to no n-gram of two texts; unknown words make no pair."""
    classifier = trained("strong")
    n_texts: Counter[int] = Counter()
    for text in TWO.texts:
        words = classifier.words(text)
        names = [words.word(i) for i in range(len(words))]
        grams = {tuple(names[i : i + n]) for n in (1, 2, 3) for i in range(len(names) + 1 - n)}
        n_texts.update(row_of(classifier, gram) for gram in grams)
    texts = ["good acting and a good end", "good zyzzyva film", "fun great fun", "great", "", "Dull dull film! Not"]
    found = classifier.familiarity(texts, classifier.log_probs(texts))
    for text, each in zip(texts, found, strict=True):
        words = classifier.words(text)
        places = [i for i in range(len(words) - 1) if words.is_known[i] and words.is_known[i + 1]]
        unknown = [n_texts[row_of(classifier, (words.word(i), words.word(i + 1)))] < 2 for i in places]
        assert each.unknown_pair_share == pytest.approx(np.mean(unknown) if unknown else 0), text
    assert found[0].unknown_pair_share == pytest.approx(
        1 / 5
    )  # "acting and" and "and a" are known, "good acting" is not


def test_a_folder_of_an_older_version_has_one_factor_a_part_and_no_measurements(tmp_path: Path) -> None:
    classifier = trained("strong")
    config, arrays = classifier.config(), classifier.arrays()
    words, ngrams, _ = classifier.factors.full
    older = {key: value for key, value in config.items() if key not in ("lengths", "measured")}
    kept = {name: array for name, array in arrays.items() if not name.startswith("measured.")}
    again = AveragingClassifier.restore(
        older | {"factors": [words, ngrams]}, kept, labels=classifier.labels, notes=classifier.notes
    )
    bags = word_bags(LIKED)
    many = np.full(len(bags), 1000)
    np.testing.assert_allclose(again.logits(bags), classifier.logits(bags, n_known=many), atol=1e-5)
    assert again.familiarity(TEXTS, again.log_probs(TEXTS)) is None


def test_rare_words_are_corrected_in_short_texts_alone(tmp_path: Path) -> None:
    classifier = by_length("strong", given=True)
    assert classifier.rare_words_part is not None
    bags = word_bags(["good zyzzyva film"])
    without = replace(classifier, rare_words_part=None)
    short, long = (np.array([n]) for n in (1, 1000))
    assert np.abs(classifier.logits(bags, n_known=short) - without.logits(bags, n_known=short)).max() > 1e-4
    np.testing.assert_array_equal(classifier.logits(bags, n_known=long), without.logits(bags, n_known=long))
    classifier.save(tmp_path / "model")
    again = load_classifier(tmp_path / "model")
    np.testing.assert_array_equal(again.log_probs(TEXTS), classifier.log_probs(TEXTS))
    shares = classifier.gradient_shares("good film")
    text, nothing = (as_long_as("good film", each, classifier)[0] for each in ("good film", ""))
    np.testing.assert_allclose(shares.sum(axis=0), text - nothing, atol=1e-5)


def test_predictions_are_labels_with_their_probabilities() -> None:
    classifier = trained("linear")
    found = classifier.predict(TEXTS)
    np.testing.assert_allclose(
        [list(each.probabilities.values()) for each in found], np.exp(classifier.log_probs(TEXTS))
    )
    assert [each.label for each in found] == [classifier.labels[i] for i in classifier.predict_ids(TEXTS)]
    assert [each.text for each in found] == list(TEXTS)
    assert classifier.predict([]) == []


def test_one_string_is_no_list_of_texts() -> None:
    with pytest.raises(DTypeError, match=r"expected a list of texts, got one string; write \['a good film'\]"):
        trained("linear").predict("a good film")


@every_make
def test_an_explanation_adds_up_to_the_answer(make: str) -> None:
    found = trained(make).explain("a good film")
    assert found.label == trained(make).predict(["a good film"])[0].label
    assert found.remainder == pytest.approx(0, abs=1e-6)
    words = zip(found.attribution.starts, found.attribution.ends, strict=True)
    assert [found.text[start:end] for start, end in words] == ["a", "good", "film"]


@every_make
def test_a_classifier_is_shown_on_one_line_with_its_labels(make: str) -> None:
    classifier = trained(make)
    assert repr(classifier).startswith("AveragingClassifier(labels=['negative', 'positive'], numbers=")
    assert "\n" not in repr(classifier)
    named = replace(classifier, labels=("<b>", "positive"))
    assert "<b>" not in named._repr_html_()
