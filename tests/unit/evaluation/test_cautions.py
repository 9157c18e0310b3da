"""Each warning fires with its evidence, and stays silent without."""

import math

import numpy as np
import pytest
from tests.support.tiny_model import Unigram

from regard.evaluation.cautions import CHECKS
from regard.evaluation.perplexity import evaluate
from regard.text.tokenise.tokenisers import ByteTokeniser, CharacterTokeniser, CourseWordTokeniser, WordTokeniser

TRAINING = (
    "it was the best of times, it was the worst of times,\n"
    "it was the age of wisdom, it was the age of foolishness,\n"
    'it\'s the epoch - the epoch of "belief" in DGDGDGDG and N years\n'
) * 2
FRESH = "the age was the worst\nof times, the best of wisdom,\nit was the epoch of belief\n"


def words(training=TRAINING, **settings):
    return Unigram.fit(training, WordTokeniser.fit(training, **settings))


def characters(training=TRAINING):
    return Unigram.fit(training, CharacterTokeniser.fit(training))


def warned(model, text, steps=()):
    """The cautions by kind."""
    return {caution.kind: caution for caution in evaluate(model, text, name="text", steps=steps).cautions}


@pytest.mark.parametrize("model", [words(), characters(), Unigram.fit(TRAINING, ByteTokeniser())])
def test_where_all_is_well_nothing_is_said(model):
    assert warned(model, FRESH) == {}


def test_every_check_has_a_name_of_its_own():
    names = ["chance", "unknown", "seen", "long-tokens", "token-a-line", "alphabet", "case", "digits", "typography"]
    assert list(CHECKS) == names


class TestMostlyUnknown:
    def test_a_handful_of_known_words_tells_nothing(self):
        message = warned(words(), "zig zag the zig\n")["unknown"].message
        assert "on the known ones it is" in message
        assert "if it is known which" not in message

    def test_says_what_it_is_on_known_words(self):
        model = words()
        result = evaluate(model, "zig zag the zig\n" * 6, name="text")
        caution = next(caution for caution in result.cautions if caution.kind == "unknown")
        known = result.perplexity_known
        # "the" and the ends of lines, among all that the model knows
        p = np.exp(model.log_probs())
        n_the, n_end = (p[model.tokeniser.encode(piece).ids[0]] / (1 - p[0]) for piece in ("the", "\n"))
        told = math.exp(-(6 * math.log(n_the) + 6 * math.log(n_end)) / 12)
        assert caution.message == (
            f"60 % of the tokens are unknown (18 of 30, as 'zig', 'zag'): the perplexity {result.perplexity:.4g} says "
            f"little; on the known ones it is {known:.4g} ({told:.4g} if it is known which); "
            "compare bits per character"
        )
        assert caution.evidence["examples"] == {"zig": 12, "zag": 6}
        assert caution.evidence["unknown_share"] == 0.6

    def test_half_is_not_most(self):
        assert "unknown" not in warned(words(), "zig zag the\n")


class TestWorseThanChance:
    def test_a_model_that_expects_another_text_is_worse_than_none(self):
        model = words("a a a a a a a a a b b b c c d d\n" * 20)
        caution = warned(model, "d d d c d d c d d c\n")["chance"]
        assert caution.message.startswith("worse than guessing at random (6 words): perplexity ")
        assert caution.message.endswith(
            " per word; train on more text, or on text more like this, or regard train ngram"
        )
        assert caution.evidence["uniform_perplexity"] == 6 < caution.evidence["perplexity"]

    def test_uniform_is_not_worse_than_itself(self):
        model = characters("abcabcabc")
        model.counts = np.full(4, 7)
        assert "chance" not in warned(model, "abccba" * 10)


class TestSeenInTraining:
    rng = np.random.default_rng(0)
    novel = "".join(rng.choice(list("abcdefghij "), 600))
    other = "".join(rng.choice(list("abcdefghij "), 600))

    def test_which_characters(self):
        model = characters(self.novel)
        text = self.other[:200] + self.novel[100:300] + self.other[200:400]
        caution = warned(model, text)["seen"]
        ((start, end),) = caution.evidence["ranges"]
        assert 200 <= start <= 216  # the digest has a hash at every 16th character
        assert 384 <= end <= 400 + 1
        assert caution.evidence["seen_share"] == pytest.approx((end - start) / 600)
        beginning = repr(text[start : start + 39])[:-1]
        assert f"characters {start}–{end - 1}; the longest stretch begins {beginning}" in caution.message

    def test_case_and_line_breaks_hide_nothing(self):
        assert "seen" in warned(characters(self.novel), self.novel.upper().replace(" ", "\n"))

    def test_preparation_hides_nothing(self):
        plain = "".join(f"{c}'" if i % 10 == 0 else c for i, c in enumerate(self.novel))
        text = self.other[:100] + plain[:200].replace("'", "’")
        assert "seen" not in warned(characters(plain), text)
        assert "seen" in warned(characters(plain), text, steps=("fold-unicode",))

    def test_a_phrase_in_common_is_no_matter(self):
        text = self.other + self.novel[64:114]
        assert "seen" not in warned(characters(self.novel), text)

    def test_fresh_text_is_not_seen(self):
        assert "seen" not in warned(characters(self.novel), self.other)


class TestTokensAndLines:
    def test_tokens_far_too_long(self):
        text = "\n".join(line.replace(" ", "_") for line in TRAINING.splitlines()) + "\n"
        caution = warned(words(), text)["long-tokens"]
        assert caution.evidence["characters_per_token"] > 50
        assert "it_was_the_best_of_times" in caution.message
        assert caution.message.endswith("tokeniser and text do not fit; words must stand apart by white space")

    def test_one_token_a_line(self):
        caution = warned(words(), "\n".join(FRESH.split()) + "\n")["token-a-line"]
        assert caution.message.startswith("there is nearly one token a line, 17 in 17 lines, and the ends of lines")
        assert caution.message.endswith("try --prepare join-lines")

    def test_a_model_of_such_lines_expects_them(self):
        lists = "\n".join(TRAINING.split()) + "\n"
        assert "token-a-line" not in warned(words(lists), "\n".join(FRESH.split()) + "\n")

    def test_a_few_short_lines_are_no_matter(self):
        assert "token-a-line" not in warned(words(), "times,\nwisdom,\n" + FRESH)

    def test_characters_have_no_words(self):
        assert warned(characters(), "\n".join(FRESH.split())).keys() & {"long-tokens", "token-a-line"} == set()


class TestAlphabet:
    @pytest.mark.parametrize("model", [characters(), words()])
    def test_which_characters_and_how_many(self, model):
        caution = warned(model, "the age of Ж and жж and λ\n")["alphabet"]
        assert caution.evidence["characters"] == {"ж": 2, "Ж": 1, "λ": 1}
        beginning = "4 characters of 3 kinds never seen in training (15.4 % of the text): 'ж' × 2, "
        assert caution.message.startswith(beginning)

    def test_what_the_speller_has_met_is_no_news(self):
        model = words("the zebra saw the épée\n", size=3)
        assert "alphabet" not in warned(model, "the épée zebra\n")
        assert "ê" in warned(model, "the tête\n")["alphabet"].evidence["characters"]

    def test_bytes_have_no_alphabet(self):
        assert "alphabet" not in warned(Unigram.fit(TRAINING, ByteTokeniser()), "Ж" * 50)

    def test_capitals_are_another_matter(self):
        assert "alphabet" not in warned(characters(TRAINING.lower()), "THE AGE")


class TestCase:
    def test_capitals_and_a_lower_case_vocabulary(self):
        caution = warned(words(), "The age of Wisdom, the Best of Zigs\n")["case"]
        assert caution.message == (
            "3 tokens (33.3 %) unknown for capitals alone, as 'The', 'Wisdom,', 'Best'; "
            "the model's vocabulary is lower case; try --prepare lower"
        )

    def test_characters_too(self):
        caution = warned(characters(TRAINING.replace("DG", "").replace("N", "")), "The Age")["case"]
        assert caution.evidence["examples"] == {"T": 1, "A": 1}

    def test_preparation_removes_the_cause(self):
        assert "case" not in warned(words(), "The age of Wisdom,\n", steps=("lower",))

    def test_a_capital_at_the_start_of_sentences_is_no_matter(self):
        model = words(TRAINING + "London London\n")
        text = "It was the worst of times, the age of wisdom, the epoch of the best in it was the of\n"
        assert "case" not in warned(model, text)

    def test_a_tokeniser_that_takes_care_of_it(self):
        model = Unigram.fit(TRAINING, CourseWordTokeniser.fit(TRAINING))
        assert "case" not in warned(model, "The Age of Wisdom, Zig\n")


class TestDigits:
    def test_digits_by_their_marks(self):
        caution = warned(words(), "it was the age of 1984 and 2,001\n")["digits"]
        assert caution.message == (
            "2 numbers unknown for the form alone, as '1984', '2,001': the model's vocabulary writes DG for each "
            "digit; try --prepare digits"
        )

    def test_numbers_by_one_letter(self):
        model = words(TRAINING.replace("DGDGDGDG", "N"))
        assert "writes N for a number; try --prepare digits-n" in warned(model, "the age of 1984\n")["digits"].message

    def test_a_number_that_would_stay_unknown(self):
        assert "digits" not in warned(words(TRAINING.replace(" N ", " ")), "the age of 7\n")

    def test_a_vocabulary_of_plain_numbers(self):
        model = words("in 1984 and in 1984\n")
        assert "digits" not in warned(model, "in 1985\n")


class TestTypography:
    @pytest.mark.parametrize("model", [words(), characters()])
    def test_quotes(self, model):
        caution = warned(model, "it’s the “belief” — it’s\n")["typography"]
        assert caution.evidence["characters"] == {"’": 2, "“": 1, "”": 1, "—": 1}
        assert caution.message.endswith("; the model knows ' \" -; try --prepare fold-unicode")

    def test_preparation_removes_the_cause(self):
        assert "typography" not in warned(characters(), "it’s", steps=("fold-unicode",))

    def test_a_model_that_knows_them(self):
        assert "typography" not in warned(characters(TRAINING + "’"), "it’s")
