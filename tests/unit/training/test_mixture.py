"""Fitting a mixture: on text no member has learnt from; better than its members; refusals that say what to do."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from tests.support.models import MODELS
from tests.support.texts import VERSE

from regard.errors import NothingScoredError, ValueRangeError
from regard.models.background import digest
from regard.models.ngram.kneser_ney import KneserNey
from regard.models.ngram.model import NgramConfig, NgramModel, fit_ngram
from regard.training import mixture as module
from regard.training.mixture import (
    MixtureConfig,
    cut_validation,
    fit_gate,
    search_settings,
    train_mixture,
    unlearn_piece,
)
from regard.training.network.validation import split_validation

LEARN, KEPT = split_validation(VERSE)
ELSEWHERE = "a gull waits for the captain, him the old ship knows.\n" * 3


@cache
def counting(order: int = 4, unit: str = "char", method: str = "mixing") -> NgramModel:
    return fit_ngram(VERSE, NgramConfig(order=order, unit=unit, method=method))


@cache
def network(*, learnt_all: bool = False):
    model = MODELS["recurrent-gru-char"]()
    return model if learnt_all else replace(model, background=replace(model.background, digest=digest(LEARN)))


def nats(model, text=KEPT, **how):
    return -model.score(text, **how).log_probs_nats.mean()


def test_the_gate_is_fitted_with_the_beginning_taken_out_of_the_counts(monkeypatch):
    fitted_with = []

    def watched(members, ids, config, *, learn=None):
        fitted_with.append((members, ids, learn))
        return fit_gate(members, ids, config, learn=learn)

    monkeypatch.setattr(module, "fit_gate", watched)
    model = train_mixture([counting(), network()], VERSE, MixtureConfig(adaptive=False))
    ((members, ids, learn),) = fitted_with
    np.testing.assert_array_equal(ids, counting().tokeniser.encode(KEPT).ids)
    assert learn is None
    assert members[1] is network()
    table = members[0].estimator.counts.tables[0].counts
    assert table.sum() == len(LEARN)
    assert nats(members[0]) > nats(counting())
    # ... and used whole
    assert model.members == (counting(), network())


@pytest.mark.parametrize("form", ["geometric", "linear"])
@pytest.mark.parametrize("gate", ["features", "fixed"])
def test_on_the_text_it_is_fitted_on_a_mixture_beats_its_members(form, gate):
    piece = cut_validation(VERSE, counting().tokeniser)
    unaware = [unlearn_piece(piece, member, number=1) for member in (counting(), counting(2), network())]
    config = MixtureConfig(form=form, gate=gate)
    model = train_mixture([counting(), counting(2), network()], VERSE, replace(config, adaptive=False))
    model = replace(model, members=tuple(unaware))
    alone = sorted(map(nats, unaware))
    assert nats(model) < alone[0 if form == "geometric" else 1]  # on 180 characters the pull to equal weights is felt
    weights = model.background.notes["mean_weights"]
    assert len(weights) == 3
    if form == "linear":
        assert sum(weights) == pytest.approx(1)


def test_the_adaptive_part_has_settings_for_networks_and_a_gate_of_its_own():
    model = train_mixture([network(), counting(), counting(3, method="kneser-ney")], VERSE)
    assert model.can_adapt
    assert [settings is None for settings in model.adaptive.settings] == [False, True, True]
    assert model.adaptive.settings[0].keys() == {"rate", "piece", "floor"}
    assert (model.adaptive.gate.matrix != model.gate.matrix).any()
    new = "a gull sings to him, a gull knows him.\n" * 8
    assert nats(model, new, adaptive=True) < nats(model, new)


def test_there_is_no_adaptive_part_where_nobody_can_learn():
    plain = [counting(order, method="kneser-ney") for order in (2, 4)]
    assert train_mixture(plain, VERSE).adaptive is None
    assert train_mixture([counting(), plain[0]], VERSE, MixtureConfig(adaptive=False)).adaptive is None


def test_of_all_settings_those_with_the_least_surprise_are_taken(monkeypatch):
    asked = []

    def tables(self, ids, *, settings):
        asked.append((settings["rate"], settings["piece"]))
        log_p = -(abs(settings["rate"] - 1.5e-3) + abs(settings["piece"] - 100) / 1000) - 1
        yield np.full((len(ids), 66), log_p)

    monkeypatch.setattr(type(network()), "adaptive_next_log_probs_along", tables)
    found = search_settings(network(), np.zeros(3, np.int64))
    assert asked == [(1e-4, 64), (2.5e-4, 64), (6e-4, 64), (1.5e-3, 64), (1.5e-3, 32), (1.5e-3, 128)]
    assert found == {"rate": 1.5e-3, "piece": 128, "floor": 1e-3}
    assert search_settings(counting(), np.zeros(3, np.int64)) is None


def test_words_are_cut_after_a_whole_word():
    word = counting(3, "word")
    tokens = word.tokeniser.encode(VERSE)
    piece = cut_validation(VERSE, word.tokeniser)
    n_kept = len(piece.ids)
    assert tokens.ends[n_kept - 1] <= len(KEPT) < tokens.ends[n_kept]
    np.testing.assert_array_equal(piece.ids, tokens.ids[:n_kept])
    train_mixture([word, counting(2, "word")], VERSE)


def test_a_network_that_has_seen_the_beginning_is_refused():
    with pytest.raises(ValueRangeError) as caught:
        train_mixture([counting(), network(learnt_all=True)], VERSE)
    assert str(caught.value) == (
        "model 2 (recurrent) has learnt from the text that the weights are to be fitted on (98 % of it): a model of "
        "kind 'recurrent' cannot unlearn what it was trained on; name a text that no model has seen with --fit-on"
    )


def test_a_counting_model_of_something_similar_is_refused():
    similar = fit_ngram(VERSE + VERSE[:500].upper().lower(), NgramConfig(order=4))
    estimator = KneserNey.fit(similar.tokeniser.encode(VERSE[-900:]).ids, vocab_size=26, order=4)
    broken = NgramModel(estimator, replace(similar.background, digest=digest(VERSE * 2)))
    piece = cut_validation(VERSE, counting().tokeniser)
    with pytest.raises(ValueRangeError, match=r"model 1 \(ngram\) has learnt .* not trained on all of it; name a text"):
        unlearn_piece(piece, broken, number=1)


def test_another_text_to_fit_on_becomes_part_of_what_the_mixture_has_seen():
    model = train_mixture(
        [counting(), network(learnt_all=True)], VERSE, MixtureConfig(adaptive=False), fit_on=ELSEWHERE
    )
    assert model.background.digest.n_characters == len(VERSE)
    assert model.background.digest.mark_seen(ELSEWHERE).mean() > 0.5
    assert model.background.digest.mark_seen(VERSE).mean() > 0.9
    assert model.background.notes["fitted_on_tokens"] == len(ELSEWHERE)
    with pytest.raises(NothingScoredError, match="the text to fit the mixture on is empty"):
        train_mixture([counting(), network()], VERSE, fit_on="")


def test_a_long_text_is_thinned_out_evenly(monkeypatch):
    whole, _ = fit_gate([counting(), network()], counting().tokeniser.encode(VERSE).ids, MixtureConfig())
    monkeypatch.setattr(module, "MAX_NUMBERS", 30_000)
    seen = []
    fit = module.fit_mixture_gate
    monkeypatch.setattr(module, "fit_mixture_gate", lambda *given: seen.append(given) or fit(*given))
    fit_gate([counting(), network()], counting().tokeniser.encode(VERSE).ids, MixtureConfig())
    ((_, features, members, ids),) = seen
    step = -(-len(VERSE) * 2 * members.shape[2] // 30_000)
    np.testing.assert_array_equal(ids, counting().tokeniser.encode(VERSE).ids[::step])
    assert members.shape[1] == len(features) == len(ids)
    every = np.concatenate(list(counting().next_log_probs_along(counting().tokeniser.encode(VERSE).ids)))
    np.testing.assert_allclose(members[0], every[::step], rtol=1e-12)
    assert whole.matrix.shape == (8, 2)
