"""A text as a bigram model sees it, and models that are trained on it."""

import numpy as np
import pytest
from tests.support.texts import VERSE

from regard.errors import NothingScoredError, ValueRangeError
from regard.models.kneser_ney import KneserNey
from regard.models.marks import with_marks
from regard.text.vectors import WordVectors
from regard.training import bigram
from regard.training.bigram import BigramConfig, bigram_task, train_by_counts, train_by_sgd

LINES = "".join(f"a b{i % 7}\n" for i in range(40))


def test_every_tenth_line_is_held_out_whole() -> None:
    task = bigram_task(LINES, BigramConfig())
    held_out = task.is_held_out().reshape(40, 3)  # a line is a word, another, and its end
    np.testing.assert_array_equal(held_out.all(axis=1), held_out.any(axis=1))
    np.testing.assert_array_equal(np.flatnonzero(held_out[:, 0]), [9, 19, 29, 39])
    together = task.counts(task.is_held_out()) + task.counts(~task.is_held_out())
    np.testing.assert_array_equal(together.toarray(), task.counts().toarray())


def test_of_a_text_without_lines_the_last_tenth_is_held_out() -> None:
    task = bigram_task("abcde" * 20, BigramConfig(unit="char"))
    np.testing.assert_array_equal(np.flatnonzero(task.is_held_out()), np.arange(90, 100))


def test_counts_are_those_of_the_examples() -> None:
    task = bigram_task(VERSE, BigramConfig(vocabulary=12))
    examples, counted = task.examples(), np.zeros((13, 12), int)
    for context, target in zip(examples.contexts, examples.targets, strict=True):
        counted[context, target] += 1
    np.testing.assert_array_equal(task.counts().toarray(), counted)


def test_vectors_are_found_in_lower_case_too() -> None:
    vectors = WordVectors(["ship", "sea"], np.array([[1.0, 2], [3, 4]], np.float32))
    task = bigram_task("Ship sea Ship sea x x\n", BigramConfig(), vectors=vectors)
    words = ["<unk>", "</s>", "Ship", "sea", "x"]
    assert list(task.tokeniser.vocabulary) == words
    np.testing.assert_array_equal(task.is_given, [False, False, True, True, False, False])
    np.testing.assert_array_equal(task.start_vectors[2:4], [[1, 2], [3, 4]])


def test_given_vectors_are_cut_to_their_principal_components() -> None:
    rng = np.random.default_rng(3)
    words = [word for word in dict.fromkeys(VERSE.split()) if VERSE.split().count(word) > 1]
    flat = rng.standard_normal((len(words), 2)) @ rng.standard_normal((2, 7)) + rng.standard_normal(7)
    task = bigram_task(VERSE, BigramConfig(width=2), vectors=WordVectors(words, flat.astype(np.float32)))
    found = task.start_vectors[task.is_given]
    assert found.shape == (len(words), 2)
    order = [words.index(word) for word in task.tokeniser.vocabulary if word in words]
    distances = np.linalg.norm(flat[order][:, None] - flat[order], axis=2)  # two components hold all there is
    np.testing.assert_allclose(np.linalg.norm(found[:, None] - found, axis=2), distances, atol=1e-5)


def test_vectors_of_nothing_in_the_text_are_refused() -> None:
    vectors = WordVectors(["жук"], np.ones((1, 2), np.float32))
    with pytest.raises(ValueRangeError, match=r"none of the \d+ tokens has a vector in the file; is it for"):
        bigram_task(VERSE, BigramConfig(), vectors=vectors)


def test_nothing_to_learn_from_and_too_many_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NothingScoredError, match="nothing to learn from: the training text is empty"):
        bigram_task("", BigramConfig())
    monkeypatch.setattr(bigram, "MOST_TOKENS", 10)
    with pytest.raises(ValueRangeError, match="would take hours; choose a vocabulary of at most 10"):
        bigram_task(VERSE, BigramConfig())


def test_beside_counts_the_mixture_is_what_it_says() -> None:
    task = bigram_task(VERSE, BigramConfig(hidden=4, iterations=5, beside_counts=True))
    model = train_by_counts(task)
    assert model.beside is not None
    alone = train_by_counts(bigram_task(VERSE, BigramConfig(hidden=4, iterations=5)))
    counts = KneserNey.fit(with_marks(task.ids, task.tokeniser)[0], vocab_size=task.vocab, order=2, start_id=task.vocab)
    for context in (0, 3, task.vocab):
        trust = model.beside.trust[context]
        expected = trust * np.exp(alone.after(np.array([context]))[0])
        expected += (1 - trust) * np.exp(counts.next_log_probs(np.array([context])))
        np.testing.assert_allclose(np.exp(model.after(np.array([context]))[0]), expected, rtol=1e-6)
        assert 0 < trust < 1


def test_more_contexts_than_fit_at_once_are_scored_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    model = train_by_counts(bigram_task(VERSE, BigramConfig(hidden=4, iterations=3)))
    whole = model.score(VERSE).log_probs_nats
    monkeypatch.setattr("regard.models.bigram.CONTEXTS_AT_ONCE", 3)
    np.testing.assert_allclose(model.score(VERSE).log_probs_nats, whole, rtol=1e-12)


def test_small_steps_lead_somewhere() -> None:
    task = bigram_task(VERSE, BigramConfig(trainer="sgd", hidden=8, width=6, iterations=2000))
    (checkpoint, model), *rest = train_by_sgd(task)
    assert not rest
    assert checkpoint.iteration == 2000
    assert np.exp(-model.score(VERSE).log_probs_nats.mean()) < 0.5 * task.vocab
