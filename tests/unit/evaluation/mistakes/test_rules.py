"""Each rule on a text that it is about, and on one that it is not."""

import numpy as np
import pytest
from tests.support.classifiers import LinearClassifier, film_critic

from regard.evaluation.mistakes import review as reading
from regard.evaluation.mistakes.rules import RULES, count_contrasts, count_negations

FIND = {rule.name: rule.find for rule in RULES}
FILLER = ["film is the film"] * 40  # so that words with a score are the strong tenth


def case_of(text, answer="neg"):
    """The text as rules read it, with this answer."""
    critic = film_critic(scale=1.0)
    log_probs = np.log([[0.7, 0.3] if answer == "neg" else [0.3, 0.7]])
    lexicon = reading.read_words(critic, [text, *FILLER])
    (review,) = reading.read_reviews(critic, [text], log_probs, lexicon=lexicon)
    return review


def found(rule, text, answer="neg"):
    finding = FIND[rule](case_of(text, answer))
    assert finding is None or finding.rule == rule
    assert finding is None or all(0 <= start < end <= len(text) for start, end in finding.spans)
    return finding


@pytest.mark.parametrize(
    ("rule", "text", "evidence"),
    [
        ("mixed", "Great film, awful film", ["Great", "awful"]),
        ("turn", "The film is great but awful.", ["but"]),
        ("turn", "The film is good. However, it is boring.", ["However"]),
        ("contrast", "Dull, yet short", ["yet"]),
        ("negation", "It is NOT half bad.", ["NOT half bad"]),
        ("negation", "it isn’t awful", ["isn’t awful"]),
        ("reported", "My wife really liked it", ["My wife really liked"]),
        ("reported", "Critics have all raved", ["Critics have all raved"]),
        ("other work", "The book was awful", ["The book was awful"]),
        ("other work", "Unlike Jaws, which was really boring, it is good", ["Unlike Jaws, which was really boring"]),
        ("other work", "the first one is so bad", ["the first one is so bad"]),
        ("rating", "In all, I give it 9.5/10.", ["9.5/10"]),
        ("rating", "**** out of *****", ["**** out of *****"]),
        ("verdict", "I really enjoyed it, awful or not", ["I really enjoyed it"]),
        ("verdict", "bad, but well worth seeing", ["worth seeing"]),
        ("counterfactual", "It could have been great", ["could have been"]),
        ("counterfactual", "I wanted to like it", ["wanted to like"]),
        ("fond of bad", "A guilty pleasure, so bad it’s good", ["guilty pleasure", "so bad it’s"]),
        ("former", "I loved it when I first saw it", ["when I first saw"]),
        ("unknown", "zyzzyva is the film", ["zyzzyva"]),
        ("one word", "awful film is like", ["awful"]),
    ],
)
def test_evidence(rule, text, evidence):
    finding = found(rule, text)
    assert [text[start:end] for start, end in finding.spans] == evidence
    assert finding.remark


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("mixed", "great superb film, dull"),
        ("turn", "The film is bad but awful."),
        ("contrast", "a butler"),
        ("negation", "not a good film"),  # with the answer "negative": what is denied is not what counted
        ("negation", "No. Bad film"),
        ("negation", "no one in the whole wide world is bad"),
        ("irony", "Yeah, right: a so-called film"),  # with the answer "negative", mockery is no surprise
        ("rating", "2/10"),
        ("rating", "5/10"),
        ("rating", "whoever gave it 10/10"),
        ("verdict", "I didn't like it"),
        ("verdict", "My friend says I loved it, but I did not like it"),
        ("verdict", "not worth seeing"),
        ("verdict", "if only I enjoyed it"),
        ("reported", "the critic in me"),
        ("other work", "a bookish film is awful"),
        ("other work", "the book is great"),  # speaks against the answer, so it did not mislead
        ("other work", "the book: awful"),
        ("counterfactual", "it has been great"),
        ("fond of bad", "a champ on a campus, bad"),
        ("former", "a first film, remember"),
        ("unknown", "the film is good"),
        ("one word", "awful bad film"),
        ("reversal", "awful great"),
    ],
)
def test_silence(rule, text):
    assert found(rule, text) is None


@pytest.mark.parametrize(
    ("rule", "text", "evidence"),
    [
        ("irony", "Yeah, right: a so-called film", ["Yeah, right", "so-called"]),
        ("irony", "The best part was when it ended", ["The best part was when it ended"]),
        ("rating", "zero stars", ["zero stars"]),
        ("rating", "3 out of 10", ["3 out of 10"]),
        ("verdict", "Superb? I didn’t like it", ["I didn’t like it"]),
        ("verdict", "not worth the superb cast", ["not worth"]),
        ("other work", "the original was superb", ["the original was superb"]),
    ],
)
def test_evidence_where_the_answer_is_praise(rule, text, evidence):
    assert [text[start:end] for start, end in found(rule, text, answer="pos").spans] == evidence


def test_labels_that_judge_nothing_are_left_alone():
    topics = LinearClassifier({"film": [1.0, 0.0], "good": [0.1, 0.0]}, ("film", "sport"))
    lexicon = reading.read_words(topics, ["good film"])
    assert lexicon.leanings == (0, 0)
    for text in ("zero stars", "10/10", "I loved it", "yeah right"):
        (review,) = reading.read_reviews(
            topics, [text], np.log([[0.7, 0.3]]), lexicon=reading.read_words(topics, [text])
        )
        assert not any(FIND[rule](review) for rule in ("rating", "verdict", "irony"))


def test_a_beginning_that_the_end_takes_back():
    text = "awful awful awful film the film is the film is great great great great"
    finding = found("reversal", text)
    # (3 · 4) / 7 + .1 = 1.81 nats for the answer; 3 · 3 / 3 − .1 = 2.9 against it
    assert finding.remark == "the first half alone gives the answer 86 %, the last third alone 5 %"
    assert found("reversal", text, answer="pos") is None


def test_both_sides_are_named():
    remark = found("mixed", "good film, great film, boring film, awful film").remark
    assert remark == "for the answer: awful, boring; against it: great, good"
    remark = found("turn", "The film is great but awful.").remark
    assert remark == "“but”: against the answer (great) before, for the answer (awful) after"


def test_long_and_short_are_relative_to_the_data():
    texts = [f"film{' film' * n}" for n in range(20)]
    critic = film_critic()
    cases = list(reading.read_reviews(critic, texts, critic.log_probs(texts)))
    assert [FIND["short"](review) is not None for review in cases].count(True) == 2
    assert [FIND["long"](review) is not None for review in cases].count(True) == 2
    assert FIND["long"](cases[-1]).remark == "20 words"


def test_counts_of_contrast_and_negation():
    assert count_contrasts("good but dull, though short; a butler") == 2
    assert count_negations("not bad, isn't it? i dont want a different one, not only that") == 3


def test_every_rule_reads_any_text():
    for text in ("", "!", "<br />", "“”", "but", "not", "İ ẞ but İ good", "a" * 3000):
        review = case_of(text)
        for rule in RULES:
            finding = rule.find(review)
            assert finding is None or finding.rule == rule.name


def test_names_and_questions():
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert all(rule.question.endswith("?") for rule in RULES)
