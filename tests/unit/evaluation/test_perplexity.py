"""Perplexity by hand, base-free; costs that add up; and the deception of unknown words."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from tests.support.tiny_model import Learning, Unigram

from regard.errors import DTypeError, NothingScoredError, ValueRangeError
from regard.evaluation.perplexity import evaluate, perplexity, perplexity_in_base
from regard.text.tokenise.tokenisers import ByteTokeniser, CharacterTokeniser, CourseWordTokeniser, WordTokeniser

TRAINING = "the cat sat on the mat\nthe dog sat on the cat\n"


def words(size=None, text=TRAINING):
    return Unigram.fit(text, WordTokeniser.fit(text, size=size))


def test_the_mean_is_over_tokens():
    assert perplexity(np.log([1.0, 1 / 16])) == pytest.approx(4)


@pytest.mark.parametrize("base", [2.0, math.e, 10.0, 1.5])
def test_perplexity_has_no_base(base):
    log_probs = np.log(np.random.default_rng(0).uniform(size=100))
    assert perplexity_in_base(log_probs, base=base) == pytest.approx(perplexity(log_probs), rel=1e-12)


def test_low_precision_is_summed_in_high_precision():
    log_probs = np.full(1_000_000, np.log(0.3), np.float32)
    assert perplexity(log_probs) == pytest.approx(1 / 0.3, rel=1e-6)


def test_nothing_scored_is_said():
    with pytest.raises(NothingScoredError, match=r"^no token was scored; is the corpus empty\?$"):
        perplexity(np.zeros(0))


def test_an_empty_text_is_named():
    with pytest.raises(NothingScoredError, match=r"^empty\.txt: there is nothing to score: the text is empty$"):
        evaluate(words(), "", name="empty.txt")


def test_a_row_by_hand():
    """the 4, </s> 2, cat 2, on 2, sat 2 of 14, with two words seen once: <unk> 2; 6 ids, one added to each."""
    result = evaluate(words(), "the cat\n", name="text", model_name="words")
    p = np.array([5, 3, 3]) / (14 + 6)
    assert (result.model, result.text, result.unit) == ("words", "text", "word")
    assert (result.tokens, result.line_ends, result.characters, result.bytes) == (3, 1, 8, 8)
    assert result.unknown_share == 0
    assert result.perplexity == pytest.approx(np.prod(p) ** (-1 / 3))
    assert result.perplexity_known == result.perplexity
    assert result.perplexity_by_base == pytest.approx(dict.fromkeys(["2", "e", "10"], result.perplexity))
    assert result.token_nats == pytest.approx(-np.log(p).sum())
    assert result.spelling_nats == 0
    assert result.restoration_nats == pytest.approx(math.log(2))  # nothing differs, which one bit says
    assert result.bits_per_character == pytest.approx((result.token_nats / math.log(2) + 1) / 8)
    assert result.bits_per_byte == result.bits_per_character


def test_unknown_words_are_spelled_as_they_are_written():
    model = words()
    result = evaluate(model, "the Żubr\n", name="text")
    assert result.spelling_nats == pytest.approx(model.background.speller.nats(["Żubr"]).sum())
    assert result.unknown_share == pytest.approx(1 / 3)
    assert result.bytes == 10
    assert result.perplexity_known == pytest.approx((5 / 20 * 3 / 20) ** -0.5)


def test_a_text_without_a_known_token_has_no_perplexity_on_known_ones():
    model = Unigram.fit("abc", CharacterTokeniser.fit("abc"))
    result = evaluate(model, "xyz", name="text")
    assert result.perplexity_known is None
    assert result.unknown_share == 1
    assert math.isfinite(result.bits_per_character)
    assert result.warnings[0].startswith("worse than guessing at random (4 characters)")
    assert result.warnings[1].startswith("100 % of the tokens are unknown (3 of 3, as 'x', 'y', 'z')")
    assert "there is not one known token to judge by" in result.warnings[1]


@pytest.mark.parametrize("tokeniser", [CharacterTokeniser, ByteTokeniser])
def test_characters_and_bytes_have_nothing_to_restore(tokeniser):
    result = evaluate(Unigram.fit(TRAINING, tokeniser.fit(TRAINING)), "The  Cat", name="text")
    assert result.restoration_nats == 0


@pytest.mark.parametrize("tokeniser", [CharacterTokeniser, ByteTokeniser, WordTokeniser, CourseWordTokeniser])
@pytest.mark.parametrize("steps", [(), ("lower",), ("lower", "join-lines")])
@pytest.mark.parametrize("text", ["The cat\n\n sat on 1,250 mats; é", "\n A\n", "cat"])
def test_every_nat_is_on_some_character(tokeniser, steps, text):
    result = evaluate(Unigram.fit(TRAINING, tokeniser.fit(TRAINING)), text, name="text", steps=steps)
    assert result.surprise.text == text
    assert len(result.surprise.nats) == len(text)
    assert result.surprise.nats.sum() == pytest.approx(result.nats)
    assert np.all(result.surprise.nats >= 0)


def test_preparation_is_charged_for_what_it_erases():
    model = Unigram.fit(TRAINING, CharacterTokeniser.fit(TRAINING))
    plain = evaluate(model, "the cat", name="text")
    lowered = evaluate(model, "The Cat", name="text", steps=("lower",))
    assert lowered.prepare == ("lower",)
    assert lowered.perplexity == plain.perplexity
    assert lowered.restoration_nats > math.log(2)
    assert lowered.bits_per_character > plain.bits_per_character


def test_lower_case_gains_nothing_by_forgetting():
    """A tokeniser that forgets case must not look better than one that keeps it, on random case."""
    rng = np.random.default_rng(0)
    text = "".join(" " if i % 5 == 4 else str(c) for i, c in enumerate(rng.choice(list("abAB"), 4000)))
    kept = evaluate(Unigram.fit(text, CharacterTokeniser.fit(text)), text, name="kept")
    small = Unigram.fit(text.lower(), CharacterTokeniser.fit(text.lower()))
    forgot = evaluate(small, text, name="forgot", steps=("lower",))
    assert forgot.perplexity < kept.perplexity - 1
    assert forgot.bits_per_character > kept.bits_per_character - 0.01


def test_adaptive_is_told_apart():
    text = "aaaaaaaaaabb" * 20
    model = Learning.fit("ab", CharacterTokeniser.fit("ab"))
    adaptive, static = (evaluate(model, text, name="text", adaptive=flag) for flag in (True, False))
    assert adaptive.adaptive
    assert not static.adaptive
    assert adaptive.perplexity < static.perplexity


@pytest.mark.slow
def test_texts_sum_to_at_most_one():
    """Over all short texts of a tiny alphabet a word model's probabilities, all costs counted, are a distribution."""
    model = words(size=3, text="a b a\n")
    texts = ["".join(t) for n in range(1, 4) for t in itertools.product("aA \n", repeat=n)]
    total = sum(math.exp(-evaluate(model, text, name="text").nats) for text in texts)
    assert 0 < total <= 1


GPL = Path("/usr/share/common-licenses/GPL-3")


@pytest.mark.slow
@pytest.mark.skipif(not GPL.exists(), reason=f"needs {GPL}, which Debian has")
def test_perplexity_orders_models_almost_backwards():
    """The fewer words a model knows, the lower its perplexity; bits per character tell what that is worth."""
    licence = GPL.read_text(encoding="utf-8")
    cut = licence.index("\n", int(0.7 * len(licence)))
    training, rest = licence[:cut], licence[cut:]
    results = [
        evaluate(Unigram.fit(training, CourseWordTokeniser.fit(training, size=size + 2)), rest, name="rest")
        for size in (0, 5, 200)
    ]
    perplexities = [result.perplexity for result in results]
    bits = [result.bits_per_character for result in results]
    assert perplexities == sorted(perplexities)
    assert bits.index(min(bits)) > 1


def test_a_model_gives_its_own_perplexity():
    found, expected = words().perplexity("the cat\n", name="file"), evaluate(words(), "the cat\n", name="file")
    assert (found.text, found.perplexity, found.nats) == ("file", expected.perplexity, expected.nats)
    assert words().perplexity("the cat\n").text == "text"


def test_a_token_without_a_chance_makes_it_infinite_and_what_is_no_number_is_refused(unchecked):
    assert perplexity(np.array([-1.0, -math.inf])) == math.inf
    assert perplexity_in_base(np.array([-1e6]), base=10.0) == math.inf
    for wrong in ([-1.0, math.nan], [math.inf]):
        with pytest.raises(ValueRangeError, match="log-probabilities must be numbers below infinity"):
            perplexity(np.array(wrong))
    with pytest.raises(DTypeError, match="log-probabilities must be real numbers; got dtype complex128"):
        perplexity(np.array([-1j]))
    for base in (1.0, 0.0, -2.0, math.nan, math.inf):
        with pytest.raises(ValueRangeError, match="base must be a positive number other than 1"):
            perplexity_in_base(np.array([-1.0]), base=base)
