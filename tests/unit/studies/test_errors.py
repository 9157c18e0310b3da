"""The study of errors on a handful of texts whose answers are known."""

import numpy as np
import pytest
from tests.support.classifiers import deep_critic, film_critic
from tests.support.reviews import labelled_reviews

from regard.cli.output import jsonable
from regard.errors import ValueRangeError, VocabularyError
from regard.evaluation import attribution
from regard.evaluation.mistakes.rules import RULES
from regard.records import LabelledTexts, Workers
from regard.report import explanation
from regard.studies import errors
from regard.training.averaging.config import AveragingConfig
from regard.training.averaging.train import train_averaging

TEXTS = (
    "awful film",  # called neg, surely; is pos
    "good film",
    "not bad",  # called neg; is pos
    "the film is boring",
    "great but dull",  # called pos; is neg
    "superb",
)
DATA = LabelledTexts(TEXTS, np.array([1, 1, 1, 0, 0, 1]), ("neg", "pos"))


@pytest.fixture(scope="module")
def study():
    return errors.run(film_critic(scale=1.0), DATA, errors.Config(n=2), training_texts=["good\n film", "else"])


def test_the_worst_and_the_most_borderline(study):
    assert study.result.accuracy == 0.5
    # log-odds of the wrong label: 4/2 + .1 for "awful film", 2.5/2 + .1 for "not bad", 1.5/3 − .1 for "great but dull"
    assert [error.text for error in study.worst] == ["awful film", "not bad"]
    assert [error.text for error in study.borderline] == ["great but dull", "not bad"]
    first = study.worst[0]
    assert (first.label, first.true_label, first.against, first.place) == ("neg", "pos", "pos", 0)
    assert first.probability == pytest.approx(1 / (1 + np.exp(-2.1)))
    np.testing.assert_allclose(first.shares, [2.0, 0.0], atol=1e-12)
    assert first.attribution.method == "exact"


def test_what_was_found_in_each(study):
    found = {error.text: {finding.rule for finding in error.findings} for error in (*study.worst, *study.borderline)}
    assert "contrast" in found["great but dull"]
    assert "contrast" not in found["not bad"]
    assert all(finding.likelihood_ratio for error in study.worst for finding in error.findings)


def test_every_sentence_agrees_with_the_table():
    """Rules count differently among texts with one answer; what is said of a text is what the table says."""
    texts = ["not bad", "awful but superb film", "good", "great but dull", "I loved it: awful 9/10", "boring"] * 12
    labels = np.array([1, 1, 1, 0, 1, 0] * 12)
    study = errors.run(film_critic(scale=1.0), LabelledTexts(tuple(texts), labels, ("neg", "pos")), errors.Config(n=40))
    table = {count.rule: explanation.format_rule(count) for count in study.rules}
    by_answer = {count.rule: count.likelihood_ratio for count in study.rules_by_answer["neg"]}
    said = [finding for error in (*study.worst, *study.borderline) for finding in error.findings]
    assert {finding.rule for finding in said} >= {"rating", "verdict", "contrast"}
    assert any(by_answer[finding.rule] != finding.likelihood_ratio for finding in said)
    for finding in said:
        assert f"({table[finding.rule][2]} times as common where it was wrong)" in explanation.write_finding(finding)
        assert finding.verdict == table[finding.rule][-1]
    for note in study.notes[:-1]:
        rule, _, rest = note.partition(": seen in ")
        wrong, right, ratio, _, verdict = table[rule]
        end = f"{ratio} times as common where it was wrong" if verdict == "goes with errors" else verdict
        assert rest == f"{wrong} of errors and {right} of right answers: {end}"


def test_a_label_in_doubt_is_told_first():
    data = LabelledTexts(("superb, 9.5/10", "good", "awful: zero stars", "bad"), np.array([0, 1, 0, 0]), ("neg", "pos"))
    study = errors.run(film_critic(), data, errors.Config())
    assert study.worst[0].findings[0].rule == "label"
    assert (study.label_doubts.seen_wrong, study.label_doubts.seen_right) == (1, 0)
    assert study.notes[-1] == (
        "1 of 1 errors and 0 of 3 right answers state a rating or a verdict that contradicts their label: "
        "the label may be the error"
    )


def test_texts_that_training_has_are_left_out_once_more(study):
    assert study.unseen.n == 5
    assert study.unseen.accuracy == pytest.approx(2 / 5)
    assert study.notes[-1] == "1 of the 6 texts also occur in training, word for word"
    assert errors.run(film_critic(), DATA, errors.Config()).unseen is None


def test_labels_are_matched_by_name():
    turned = LabelledTexts(TEXTS, 1 - DATA.label_ids, ("pos", "neg"))
    assert errors.match_labels(film_critic(), turned).tolist() == DATA.label_ids.tolist()
    with pytest.raises(VocabularyError, match="does not know these labels of the data: bad; it knows neg, pos"):
        errors.match_labels(film_critic(), LabelledTexts(TEXTS, DATA.label_ids, ("bad", "pos")))


def test_no_error_at_all():
    study = errors.run(film_critic(), LabelledTexts(("good", "bad"), np.array([1, 0]), ("neg", "pos")), errors.Config())
    assert study.worst == study.borderline == ()
    assert study.notes == ("there is no wrong answer to explain",)


def test_all_wrong_and_many_labels():
    critic = deep_critic(n_labels=3)
    wrong = (critic.predict_ids(TEXTS) + 1) % 3
    study = errors.run(critic, LabelledTexts(TEXTS, wrong, critic.labels), errors.Config(n=9))
    assert len(study.worst) == 6
    assert all(error.against == error.true_label != error.label for error in study.worst)
    assert {error.attribution.method for error in study.worst} == {"integrated-gradients"}
    nats = [np.log(error.against_probability) for error in study.worst]
    assert nats == sorted(nats)


def test_one_text_is_explained_against_the_runner_up():
    critic = deep_critic(n_labels=3)
    explained = attribution.explain(critic, "good film")
    best, second = np.argsort(-critic.log_probs(["good film"])[0])[:2]
    assert (explained.label, explained.against) == (critic.labels[best], critic.labels[second])
    assert explained.true_label is None


def test_counts_by_answer_need_enough_errors():
    is_right = np.arange(60) >= 25
    found = errors.count_by_answer(
        film_critic(), np.ones((60, len(RULES)), bool), is_right, (np.arange(60) % 60 < 22).astype(int)
    )
    assert set(found) == {"pos"}
    assert found["pos"][0].n_wrong == 22


def test_bad_settings():
    with pytest.raises(ValueRangeError, match="number of errors to show cannot be negative; got -1"):
        errors.Config(n=-1)


def test_two_workers_find_what_one_process_finds(monkeypatch):
    monkeypatch.setattr(errors, "BATCH_TEXTS", 5)
    settings = {"width": 6, "hidden": 4, "epochs": 2, "bits": 10, "iterations": 3}
    classifier = train_averaging(labelled_reviews(60), AveragingConfig(**settings))
    data = labelled_reviews(22, seed=1)
    turned = LabelledTexts((*data.texts, data.texts[0] * 3), 1 - np.append(data.label_ids, 0), data.labels)
    config = errors.Config(n=2, method="shapley", seed=3)
    alone, shared = (errors.run(classifier, turned, config, workers=Workers(n)) for n in (1, 2))
    assert repr(jsonable(shared)) == repr(jsonable(alone))
    shown = (*alone.worst, *alone.borderline)
    for each, other in zip(shown, (*shared.worst, *shared.borderline), strict=True):
        assert str(each.attribution.samples) == str(other.attribution.samples)
        assert each.attribution.shares.tobytes() == other.attribution.shares.tobytes()
    assert len(shown) == 4


def test_what_the_rules_know_reaches_workers_unchanged():
    words = errors.review.read_words(film_critic(), TEXTS)
    read = errors.RuleContext(words, (1.5, 9.0))
    again = errors.RuleContext.from_bytes(read.as_bytes())
    assert again.limits == read.limits
    for name, value in vars(words).items():
        other = getattr(again.lexicon, name)
        assert value.tobytes() == other.tobytes() if isinstance(value, np.ndarray) else value == other
