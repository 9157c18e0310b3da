"""How long a network trains, and whether it is used, is chosen on lines of the training text that it has not read."""

import numpy as np
import pytest
from tests.support.texts import VERSE

from regard.evaluation.perplexity import perplexity
from regard.models.bigram import BigramModel, next_log_probs
from regard.text.vectors.word_vectors import WordVectors
from regard.training.bigram import train as bigram
from regard.training.bigram.choice import make_constant
from regard.training.bigram.start import token_shares
from regard.training.bigram.train import BigramConfig, bigram_task, search_form, train_by_counts, train_by_sgd


def drawn_words(*, n_words: int, n_kinds: int, power: float, seed: int = 0) -> str:
    """Words drawn one by one, whatever stood before; the k-th kind is drawn in proportion to k to the power."""
    rng = np.random.default_rng(seed)
    weights = np.arange(1, n_kinds + 1.0) ** power
    words = rng.choice(n_kinds, n_words, p=weights / weights.sum())
    return "".join(" ".join(f"w{word}" for word in words[i : i + 8]) + "\n" for i in range(0, n_words, 8))


def perplexity_on(model: BigramModel, text: str) -> float:
    return perplexity(model.score(text).log_probs_nats)


def unigram_perplexity(task: bigram.BigramTask, text: str) -> float:
    share = token_shares(task.with_unknown(task.counts).sum(axis=0))
    return float(np.exp(-np.log(share[task.tokeniser.encode(text).ids]).mean()))


def test_where_words_are_drawn_alone_the_network_is_not_worse_than_their_frequencies() -> None:
    text = drawn_words(n_words=6000, n_kinds=200, power=-1.0)
    train, valid = text[: len(text) // 2], text[len(text) // 2 :]
    task = bigram_task(train, BigramConfig(hidden=50))
    assert perplexity_on(train_by_counts(task), valid) < 1.02 * unigram_perplexity(task, valid)
    by_heart = train_by_counts(bigram_task(train, BigramConfig(hidden=50, iterations=100)))
    assert perplexity_on(by_heart, valid) > 1.04 * unigram_perplexity(task, valid)


def test_a_simpler_form_is_taken_and_said_where_it_predicts_better(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regard.training.bigram.choice.mean_nats", lambda network, counts: 1 + abs(network.w2).sum())
    model = train_by_counts(bigram_task(VERSE, BigramConfig(hidden=4)))
    np.testing.assert_array_equal(model.network.w2, 0)
    chosen = model.background.notes["chosen"]
    assert chosen["form"] == "unigram"
    assert chosen["notes"][0].startswith(
        "the word before is not used: word frequencies alone predicted a tenth of the training lines best (perplexity: "
    )
    assert perplexity_on(model, VERSE) < len(model.tokeniser.vocabulary)


def test_constant_networks_are_the_simple_forms() -> None:
    task = bigram_task(VERSE, BigramConfig(hidden=4, iterations=2))
    network = train_by_counts(task).network
    share = token_shares(task.counts.sum(axis=0))
    for form, expected in (("unigram", share), ("uniform", np.full(task.vocab, 1 / task.vocab))):
        found = np.exp(next_log_probs(make_constant(network, task.counts, form)))
        np.testing.assert_allclose(found, np.tile(expected, (task.vocab + 1, 1)), rtol=1e-5)


def test_the_choice_does_not_look_at_a_run_of_a_set_length_or_at_long_text(monkeypatch: pytest.MonkeyPatch) -> None:
    assert search_form(bigram_task(VERSE, BigramConfig(iterations=7))).perplexities is None
    assert search_form(bigram_task(VERSE, BigramConfig(stop_early=True))).perplexities is None
    found = search_form(bigram_task(VERSE, BigramConfig(hidden=4)))
    assert set(found.perplexities or ()) == {"network", "unigram", "uniform"}
    monkeypatch.setattr(bigram, "MAX_SEARCHED", 10)
    assert search_form(bigram_task(VERSE, BigramConfig(hidden=4))) == bigram.FormChoice()


def test_vectors_that_say_nothing_are_left_out_and_that_is_said() -> None:
    words = sorted(set(VERSE.split()))
    noise = np.random.default_rng(3).standard_normal((len(words), 20)).astype(np.float32)
    model = train_by_counts(bigram_task(VERSE, BigramConfig(hidden=4), vectors=WordVectors(words, noise)))
    alone = train_by_counts(bigram_task(VERSE, BigramConfig(hidden=4)))
    np.testing.assert_array_equal(model.network.vectors, alone.network.vectors)
    assert model.background.notes["chosen"]["notes"] == [
        "the vectors did not help: they say nothing of how words are used here, and were left out"
    ]
    assert alone.background.notes["chosen"]["notes"] == []


def test_without_a_size_the_vocabulary_has_words_seen_twice_and_no_more_than_its_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert bigram_task("a a b\n", BigramConfig()).vocab == 3  # <unk>, </s>, a
    monkeypatch.setattr(bigram, "DEFAULT_VOCABULARY", 10)
    assert bigram_task(VERSE, BigramConfig()).vocab == 10
    assert bigram_task(VERSE, BigramConfig(vocabulary=12)).vocab == 12


@pytest.mark.parametrize("vocabulary", [5, 30, 10_000])
@pytest.mark.parametrize("trainer", ["counts", "sgd"])
def test_new_words_are_not_impossible_however_large_the_vocabulary(vocabulary: int, trainer: str) -> None:
    """With every word of a text in the vocabulary nothing is unknown there; new text has new words all the same."""
    text = drawn_words(n_words=1000, n_kinds=5000, power=-0.8, seed=1)
    train, valid = text[: len(text) // 2], text[len(text) // 2 :]
    task = bigram_task(train, BigramConfig(vocabulary=vocabulary, trainer=trainer, hidden=10, iterations=20))
    if trainer == "counts":
        model = train_by_counts(task)
    else:
        *_, (_, model) = train_by_sgd(task)
    assert perplexity_on(model, valid) < task.vocab
    assert np.exp(model.next_log_probs(""))[model.tokeniser.unknown] > 0.2
