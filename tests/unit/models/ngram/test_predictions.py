"""Whole distributions of n-gram models along a text: those of readers, of learning afresh, and of counting without."""

from functools import cache

import numpy as np
import pytest
from tests.support.texts import VERSE

from regard.errors import ValueRangeError
from regard.models.base import select_log_probs
from regard.models.ngram import predictions
from regard.models.ngram.kneser_ney import KneserNey
from regard.models.ngram.model import NgramConfig, NgramModel, fit_ngram, start_mark, with_marks

NEW = "the sailor sings.\nthe ship turns from the ship\nqui\n"
KINDS = [(unit, method) for unit in ("char", "word") for method in ("mixing", "kneser-ney")]
each_kind = pytest.mark.parametrize(("unit", "method"), KINDS)


@cache
def model(unit: str = "char", method: str = "mixing") -> NgramModel:
    return fit_ngram(VERSE[:900], NgramConfig(unit=unit, method=method, order=4))


@pytest.mark.slow
@each_kind
@pytest.mark.parametrize("at_once", [1, 40, 1 << 19])
def test_static_distributions_are_those_of_a_reader(unit, method, at_once, monkeypatch):
    monkeypatch.setattr(predictions, "NUMBERS_AT_ONCE", at_once)
    ids, reader = model(unit, method).tokeniser.encode(NEW).ids, model(unit, method).reader()
    expected, known = [], []
    for token in ids:
        expected.append(reader.next_log_probs())
        known.append(reader.familiarity())
        reader.read(int(token))
    found = list(model(unit, method).predictions(ids))
    np.testing.assert_allclose(np.concatenate([o.log_probs for o in found]), expected, rtol=1e-12)
    np.testing.assert_array_equal(np.concatenate([o.familiarity for o in found]), known)


def test_familiarity_counts_the_longest_context_that_was_seen():
    tiny = fit_ngram("abcabcabd", NgramConfig(order=3, method="mixing"))
    ids = tiny.tokeniser.encode("abxb").ids
    (prediction,) = tiny.predictions(ids)
    # before a: nothing, 9 ids; before b: a, 3 times; before x: ab, 3 times; before the last b: x, never
    np.testing.assert_allclose(
        prediction.familiarity, [[0, np.log(10)], [1, np.log(4)], [2, np.log(4)], [0, np.log(10)]]
    )


@pytest.mark.parametrize("unit", ["char", "word"])
@pytest.mark.parametrize("at_once", [100, 1 << 19])
def test_adaptive_distributions_are_those_of_counting_afresh(unit, at_once, monkeypatch):
    monkeypatch.setattr(predictions, "NUMBERS_AT_ONCE", at_once)
    ids = model(unit).tokeniser.encode(NEW).ids
    table = np.concatenate(list(model(unit).adaptive_next_log_probs_along(ids)))
    marked, is_id = with_marks(ids, model(unit).tokeniser)
    expected = [model(unit).estimator.adaptive_next_log_probs(marked[:place]) for place in np.flatnonzero(is_id)]
    np.testing.assert_allclose(table, expected, rtol=1e-10)
    np.testing.assert_allclose(select_log_probs([table], ids), model(unit).adaptive_log_probs(ids), rtol=1e-12)
    np.testing.assert_allclose(np.exp(table).sum(axis=1), 1, rtol=1e-12)


def test_lines_that_were_unlearnt_were_never_counted():
    whole = model("word", "kneser-ney")
    ids = whole.tokeniser.encode(VERSE[:900]).ids
    first = int(np.flatnonzero(ids == whole.tokeniser.line_end)[9]) + 1
    marked, _ = with_marks(ids[first:], whole.tokeniser)
    size, mark = len(whole.tokeniser.vocabulary), start_mark(whole.tokeniser)
    afresh = NgramModel(KneserNey.fit(marked, vocab_size=size, order=4, start_id=mark), whole.background)
    new = whole.tokeniser.encode(NEW).ids
    left = whole.unlearn(ids[:first])
    np.testing.assert_allclose(left.token_log_probs(new), afresh.token_log_probs(new), rtol=1e-12)


def test_characters_that_were_unlearnt_are_out_of_the_counts():
    ids = model().tokeniser.encode(VERSE[:900]).ids
    left = model().unlearn(ids[:200])
    for n, (table, whole) in enumerate(zip(left.estimator.counts.tables, model().estimator.counts.tables, strict=True)):
        assert whole.counts.sum() - table.counts.sum() == 200 - n
    assert left.token_log_probs(ids[:200]).mean() < model().token_log_probs(ids[:200]).mean()
    assert left.can_adapt
    nothing = model().unlearn(ids[:0])
    np.testing.assert_array_equal(nothing.token_log_probs(ids), model().token_log_probs(ids))


@pytest.mark.parametrize(("learnt", "other"), [("abcabcabd", "ac"), ("aaaa", "aaaaaa")])
def test_what_was_not_learnt_cannot_be_unlearnt(learnt, other):
    """An n-gram that it never met, or one more often than it did."""
    tiny = fit_ngram(learnt, NgramConfig(order=2, method="kneser-ney"))
    tiny.unlearn(tiny.tokeniser.encode(learnt[:2]).ids)
    with pytest.raises(ValueRangeError, match="cannot unlearn that text: it was not trained on all of it"):
        tiny.unlearn(tiny.tokeniser.encode(other).ids)


def test_kneser_ney_cannot_adapt():
    with pytest.raises(ValueRangeError, match="train one with '--method mixing'"):
        model(method="kneser-ney").adaptive_next_log_probs_along(np.zeros(1, np.int64))
