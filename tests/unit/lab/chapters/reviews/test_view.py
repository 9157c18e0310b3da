"""What chapter 8 shows of a review, worked by hand with a critic whose words have known scores."""

import contextlib
import io
import math
import re
from dataclasses import replace

import numpy as np
import pytest
from tests.support.averaging import trained
from tests.support.classifiers import LIKED, film_critic
from tests.support.reviews import reviews

from regard.evaluation import attribution
from regard.lab.chapters.reviews import view
from regard.lab.chapters.reviews.view import (
    compare_orders,
    familiarity_html,
    mistakes_html,
    orders_html,
    python_for,
    share_columns,
    shares_figure,
    verdict_html,
)
from regard.records import LabelledTexts
from regard.studies import errors
from regard.text.labelled.source import Splits

LIKE_TRAINING = "good acting and a good end"
REVIEW = "The film is good, but not superb."


class OrderCritic(type(film_critic())):
    """Looks at the first word alone: its answers depend on the order."""

    def log_probs_of_parts(self, text, kept):
        first = np.zeros_like(kept)
        first[:, :1] = kept[:, :1]
        return super().log_probs_of_parts(text, first)


class LastBitCritic(type(film_critic())):
    """Differs in its last bit where a text begins with good."""

    def log_probs_of_parts(self, text, kept):
        found = super().log_probs_of_parts(text, kept)
        return np.nextafter(found, 0.0) if text.startswith("good") else found


def critic_of(kind):
    critic = film_critic()
    return kind(critic.vectors, critic.labels, critic.bias)


def test_a_mean_does_not_know_the_order():
    found = compare_orders(film_critic(), REVIEW, seed=3)
    assert found.after.text != found.before.text
    assert sorted(found.after.text.split()) == sorted(["The", "film", "is", "good", ",", "but", "not", "superb", "."])
    assert found.before.probability == pytest.approx(found.after.probability, rel=1e-12)
    odds = 6 * (LIKED["good"] + LIKED["not"] + LIKED["superb"]) / 9 - 0.1
    assert found.before.probability == pytest.approx(1 / (1 + math.exp(-odds)))


def test_sameness_is_of_every_bit():
    tried = [compare_orders(critic_of(LastBitCritic), "good awful", seed=seed) for seed in range(50)]
    other = next(each for each in tried if each.after.text == "awful good")
    assert other.log_odds[0] == pytest.approx(other.log_odds[1], rel=1e-12)
    assert not other.is_same
    same = next(each for each in tried if each.after.text == "good awful")
    assert same.is_same
    assert "the same answer, <strong>to the last bit</strong>" in orders_html(same)
    assert orders_html(same).count(repr(same.before.probability)) == 2


def test_another_order_another_answer():
    tried = (compare_orders(critic_of(OrderCritic), "good awful", seed=seed) for seed in range(50))
    found = next(each for each in tried if each.after.text == "awful good")
    assert not found.is_same
    assert (found.before.label, found.after.label) == ("pos", "neg")
    before, after = (6 * LIKED[word] - 0.1 for word in ("good", "awful"))
    assert f"the log-odds of pos went from {before:.3f} to <strong>{after:.3f}</strong> nats" in orders_html(found)


def test_the_verdict_says_how_sure_and_by_which_words():
    found = attribution.explain(film_critic(), REVIEW)
    shown = verdict_html(found)
    assert f"<strong>pos</strong>, {100 * found.probability:.1f} %" in shown
    assert "superb +2.67, good +1.33" in shown  # 6 · 4 / 9 and 6 · 2 / 9
    assert 'title="+2.67">superb</span>' in shown
    assert "<script" not in verdict_html(attribution.explain(film_critic(), "<script>good</script>"))


def test_a_review_is_set_beside_those_of_training():
    assert familiarity_html(compare_orders(film_critic(), REVIEW, seed=3).familiarity) == ""
    classifier = trained("strong")
    found = compare_orders(classifier, LIKE_TRAINING, seed=3).familiarity
    [expected] = classifier.familiarity([LIKE_TRAINING], classifier.log_probs([LIKE_TRAINING]))
    assert found == expected
    html_text = familiarity_html(replace(found, warnings=("20 % of its word pairs are <unknown>",)))
    assert "6 words, unknown words 0 %, unknown word pairs 20 %, expected accuracy" in html_text
    assert "Unlike the training texts: 20 % of its word pairs are &lt;unknown&gt;." in html_text
    assert "pairs" not in familiarity_html(compare_orders(trained("linear"), "a good film", seed=3).familiarity)


def test_no_words_no_decision():
    shown = verdict_html(attribution.explain(film_critic(), "the film"))
    assert "No word changes the answer: the classifier says the same of an empty text." in shown
    shown = verdict_html(attribution.explain(film_critic(), "awful awful awful awful"))
    assert "No word" not in shown
    assert "awful (×4) +24.00" in shown
    assert "log-odds of neg against pos: +24.10 nats = +0.10 before any word +24.00 for the words" in shown


def test_bars_and_columns_are_the_words_shares():
    found = attribution.explain(film_critic(), "Good, good, bad: $x^2$")
    columns = share_columns(found)
    assert dict(zip(columns["word"], columns["times"], strict=True)) == {"good": 2, "bad": 1, view.BASELINE: 1}
    assert columns["nats"] == pytest.approx([2 * 6 * 2 / 11, -6 * 2 / 11, -0.1])  # eleven words and marks
    assert sum(columns["nats"]) == pytest.approx(found.log_odds)
    axes = shares_figure(found).axes[0]
    assert [bar.get_width() for bar in axes.patches] == pytest.approx(columns["nats"])
    assert axes.get_yticklabels()[0].get_text() == "good ×2"


def test_bars_add_up_though_not_every_word_has_one():
    long = " ".join([*LIKED, *(f"{word} good" for word in LIKED)])
    found = attribution.explain(critic_of_many(), f"{long} {' '.join(f'word{i}' for i in range(30))}")
    rows = view.bar_rows(found)
    assert len(rows) == view.MAX_BARS + 2
    assert re.fullmatch(r"\d+ other words", rows[-2].word)
    assert rows[-1] == (view.BASELINE, 1, found.baseline)
    assert sum(row.share for row in rows) == pytest.approx(found.log_odds)


def critic_of_many():
    words = {**LIKED, **{f"word{i}": 0.1 * i for i in range(30)}}
    return type(film_critic())({word: [-score, score] for word, score in words.items()}, ("neg", "pos"), [0.3, 0])


def test_a_figure_of_nothing_can_be_drawn_and_saved():
    from regard.lab.page import figure_bytes

    assert figure_bytes(shares_figure(attribution.explain(film_critic(), "$ the $")), "png")


def test_mistakes_are_shown_with_their_words():
    data = LabelledTexts(("good", "awful", "not bad <i>", "great"), np.array([1, 0, 1, 1]), ("neg", "pos"))
    study = errors.run(film_critic(), data, errors.Config(n=2, model="the critic", data="four reviews"))
    shown = mistakes_html(study)
    assert "the critic on four reviews: 4 texts, 1 wrong: right in <strong>75.0 ± 21.7 %</strong>" in shown
    assert "Text 3: called neg" in shown
    assert "<i>" not in shown


def test_the_shown_python_gives_the_shown_numbers(monkeypatch):
    pytest.importorskip("torch")
    texts, labels = zip(*reviews(60), strict=True)
    data = LabelledTexts(texts, np.array([label == "positive" for label in labels], int), ("negative", "positive"))
    monkeypatch.setattr("regard.text.labelled.source.read_splits", lambda name: Splits(data))
    names = {}
    shown = compare_orders(film_critic(), "a superb story, not boring", seed=1)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(python_for("movie-snippets", "classic", shown), names)  # our own text
    again = view.compare_orders(names["classifier"], names["review"], seed=1)
    assert again.is_same
    assert again.after.text == names["shuffled"]
    assert printed.getvalue().startswith(f"{again.before.label} {again.before.probability!r} ")
