"""What Python answers for chapter 8."""

import numpy as np
import pytest
from tests.support.classifiers import LIKED, film_critic

from regard.errors import ValueRangeError
from regard.evaluation.attribution import explain
from regard.lab.chapters.reviews import classifiers, view
from regard.lab.jobs import JobProgress
from regard.records import LabelledTexts
from regard.studies import errors

REVIEW = "The film is good, but not superb."


@pytest.fixture
def progress():
    return JobProgress(lambda: None)


def critic():
    """The critic whose words have known scores, with the labels of films."""
    made = film_critic()
    return type(made)(made.vectors, ("negative", "positive"), made.bias)


@pytest.mark.parametrize("review", [REVIEW, "awful awful", " "])
def test_shares_speak_for_positive_whatever_the_answer_and_add_up(review):
    found = view.confirm(view.TextInput(review))
    assert "".join(text for text, _ in found["pieces"]) == review
    assert sum(share for _, share in found["pieces"]) + found["baseline"] == pytest.approx(found["log_odds"])
    assert found["familiarity"]["n_words"] == len(review.replace(",", " ,").replace(".", " .").split())


def test_pieces_are_the_words_with_their_shares():
    pieces = view.colour_pieces(explain(critic(), "Awful <b>ok</b>, good!"))
    assert "".join(text for text, _ in pieces) == "Awful <b>ok</b>, good!"
    shares = dict(pieces)
    n_words = len(critic().words("Awful <b>ok</b>, good!"))
    assert shares["good"] == pytest.approx(6 * LIKED["good"] / n_words)
    assert shares["Awful"] == pytest.approx(6 * LIKED["awful"] / n_words)


def test_a_kept_classifier_judges_both_orders(monkeypatch, progress):
    monkeypatch.setattr(classifiers, "cached_classifier", lambda data, form: critic())
    found = view.judge(view.JudgeInput("imdb", "strong", "good film", "film good"), progress)
    assert found["is_kept"]
    assert found["written"]["log_odds"] == pytest.approx(found["shuffled"]["log_odds"])


def test_what_is_not_kept_is_offered_or_told(monkeypatch, progress):
    monkeypatch.setattr(classifiers, "cached_classifier", lambda data, form: None)
    asked = view.JudgeInput("movie-snippets", "strong", "good", "good")
    assert view.judge(asked, progress) == {"is_kept": False, "seconds": 10, "needs": ""}
    monkeypatch.setattr(classifiers, "is_at_hand", lambda data: False)
    found = view.judge(view.JudgeInput("imdb", "strong", "good", "good"), progress)
    assert found["needs"].startswith("the IMDb reviews are not on this machine")
    with pytest.raises(ValueRangeError, match="train it first"):
        view.mistakes(view.ClassifierInput("imdb", "strong"), progress)


def test_mistakes_are_told_with_their_words():
    data = LabelledTexts(("good", "awful", "not bad <i>", "great"), np.array([1, 0, 1, 1]), ("negative", "positive"))
    study = errors.run(critic(), data, errors.Config(n=2, model="the critic", data="four reviews"))
    found = view.study_record(study)
    assert (found["n"], found["accuracy"]) == (4, 0.75)
    [worst] = found["worst"]
    assert (worst["called"], worst["is"]) == ("negative", "positive")
    assert "".join(text for text, _ in worst["pieces"]) == "not bad <i>"
    assert dict(worst["pieces"])["bad"] < 0
