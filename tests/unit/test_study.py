"""The studies, one call each."""

import pytest
from tests.support.texts import VERSE

import regard
from regard.errors import ArgumentError, ValueRangeError

PAIRS = [
    (f"{word} film number {i}", label) for i in range(12) for word, label in (("superb", "good"), ("awful", "bad"))
]


@pytest.mark.slow
def test_one_head_against_many():
    table = regard.study.one_vs_many(n_keys=3, scales=(5.0,), progress=False)
    assert [row["design"] for row in table.records()] == ["one pull head", "one push head", "2 pull heads"]
    with pytest.raises(ArgumentError, match="there is no setting 'keys'; choose from n_keys, wanted, scales"):
        regard.study.one_vs_many(keys=3)


def test_models_of_a_text_that_is_passed_itself():
    table = regard.study.models(VERSE, models=["ngram-char"], n_drawn=20, progress=False)
    assert table.title.startswith("Characters or words: the text, ")
    assert [row["model"] for row in table.records()] == ["ngram-char"]
    with pytest.raises(ValueRangeError, match="there is no model 'ngram' to compare"):
        regard.study.models(VERSE, models=["ngram"])


def test_perplexity_of_models_by_kind_and_by_name():
    model = regard.train_ngram(VERSE, order=2, progress=False)
    found = regard.study.perplexity([model, model], [VERSE], progress=False)
    assert [(each.model, each.text) for each in found.results] == [("ngram", "the text"), ("ngram 2", "the text")]
    found = regard.study.perplexity({"mine": model}, {"verse": VERSE}, progress=False)
    assert [(each.model, each.text) for each in found.results] == [("mine", "verse")]


def test_a_tour_of_one_question():
    found = regard.study.tour(only=["A2"], seed=3, progress=False)
    assert [(answer.question.identifier, answer.failure) for answer in found.answers] == [("A2", "")]
    assert (found.seed, found.quick) == (3, False)
    with pytest.raises(ValueRangeError, match="there is no question 'X'"):
        regard.study.tour(only=["X"])


def test_classifiers_of_pairs():
    pytest.importorskip("torch")
    table = regard.study.averaging(PAIRS, questions=["depth"], vectors="none", epochs=1, progress=False)
    assert {row["question"] for row in table.records()} == {"usual", "depth"}
    with pytest.raises(ValueRangeError, match="on texts that none has learnt from, so test must keep some; got 0"):
        regard.study.averaging(PAIRS, test=0, vectors="none")
    classifier = regard.train_averaging(PAIRS, vectors="none", form="classic", epochs=1, progress=False)
    study = regard.study.errors(classifier, PAIRS, n=1, progress=False)
    assert study.title.startswith("the classifier on the texts: 24 texts, ")
