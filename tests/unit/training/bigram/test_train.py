"""A text as a bigram model sees it, and models that are trained on it."""

import numpy as np
import pytest
from tests.support.texts import VERSE

from regard.errors import NothingScoredError, ValueRangeError
from regard.models.background import make_background
from regard.models.ngram.kneser_ney import KneserNey
from regard.models.ngram.model import with_marks
from regard.text.corpora.reader import cut
from regard.text.vectors.word_vectors import WordVectors
from regard.training.bigram import train as bigram
from regard.training.bigram.train import BigramConfig, EveryTenthLine, bigram_task, train_by_counts, train_by_sgd

LINES = "".join(f"a b{i % 7}\n" for i in range(40))


def test_every_tenth_line_is_held_out_whole_however_the_text_comes() -> None:
    ids = bigram_task(LINES, BigramConfig()).tokeniser.encode(LINES).ids
    expected = np.repeat(np.arange(40) % 10 == 9, 3)  # a line is a word, another, and its end
    np.testing.assert_array_equal(EveryTenthLine(1)(ids), expected)
    for size in (1, 2, 7, 50):
        choose = EveryTenthLine(1)
        parts = [choose(ids[start : start + size]) for start in range(0, len(ids), size)]
        np.testing.assert_array_equal(np.concatenate(parts), expected)


@pytest.mark.parametrize("unit", ["word", "char"])
def test_halves_are_what_a_plain_loop_counts(unit: str) -> None:
    task = bigram_task(VERSE, BigramConfig(unit=unit))
    examples, counted = task.examples(), np.zeros((2, task.vocab + 1, task.vocab), int)
    line = 0
    for k, (context, target) in enumerate(zip(examples.contexts, examples.targets, strict=True)):
        unit_of = line if unit == "word" else k // 100
        counted[int(unit_of % 10 == 9), context, target] += 1
        line += target == task.tokeniser.line_end
    kept, held_out = task.split_validation()
    np.testing.assert_array_equal(kept.toarray(), counted[0])
    np.testing.assert_array_equal(held_out.toarray(), counted[1])
    np.testing.assert_array_equal(task.counts.toarray(), counted.sum(axis=0))
    assert held_out.sum() > 0


def test_a_text_in_pieces_is_the_same_task() -> None:
    whole, pieces = (
        bigram_task(text, BigramConfig(vocabulary=15)) for text in (VERSE, lambda: cut(iter([VERSE]), 100))
    )
    np.testing.assert_array_equal(whole.counts.toarray(), pieces.counts.toarray())
    assert whole.tokeniser.vocabulary == pieces.tokeniser.vocabulary
    words = ["sea", "zebra", "the"]
    np.testing.assert_array_equal(whole.background.speller.nats(words), pieces.background.speller.nats(words))
    np.testing.assert_array_equal(whole.background.digest.hashes, pieces.background.digest.hashes)
    np.testing.assert_array_equal(whole.examples().contexts, pieces.examples().contexts)


def test_the_background_from_words_is_that_from_the_text() -> None:
    task = bigram_task(VERSE, BigramConfig(vocabulary=15, unit="course"))
    by_text = make_background(VERSE, task.tokeniser.encode(VERSE), task.tokeniser)
    words = ["Ship", "ship", "zebra"]
    np.testing.assert_allclose(task.background.speller.nats(words), by_text.speller.nats(words), rtol=1e-12)
    assert task.background.digest.sha256 == by_text.digest.sha256


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
    monkeypatch.setattr(bigram, "MAX_TOKENS", 10)
    with pytest.raises(ValueRangeError, match="would take hours; choose a vocabulary of at most 10"):
        bigram_task(VERSE, BigramConfig())


def test_beside_counts_the_mixture_is_what_it_says() -> None:
    task = bigram_task(VERSE, BigramConfig(hidden=4, iterations=5, beside_counts=True))
    model = train_by_counts(task)
    assert model.beside is not None
    alone = train_by_counts(bigram_task(VERSE, BigramConfig(hidden=4, iterations=5)))
    counts = KneserNey.fit(
        with_marks(task.tokeniser.encode(VERSE).ids, task.tokeniser)[0],
        vocab_size=task.vocab,
        order=2,
        start_id=task.vocab,
    )
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


@pytest.mark.parametrize("name", ["hidden", "width"])
def test_a_size_that_no_memory_holds_is_refused(name):
    with pytest.raises(ValueRangeError, match=f"{name} must be from 1 to 10,000; got 1,000,000,000"):
        BigramConfig(**{name: 10**9})
