"""Restoration: nothing costs nothing, habits become cheap, and the code is one: it can be decoded."""

import itertools
import math

import numpy as np
import pytest

from regard.evaluation.restoration import LearningCode, RestorationCode, align, cut_at, restoration_nats, word_cuts

PASTS = [
    [],
    [("a ", "A "), ("aa ", "aa\n")],
    [("a ", "a "), ("", "aa"), ("a\n", ""), ("DG ", "A")],
    [("aa ", " Aa"), ("a ", "a")] * 4,
]


def all_strings(longest):
    return ["".join(s) for n in range(longest + 1) for s in itertools.product("aA \n", repeat=n)]


class Recorded(LearningCode):
    """Writes down what a decoder would have to decide, in order: where, and what."""

    def __init__(self, decisions):
        super().__init__()
        self.decisions = decisions

    def nats(self, outcome, contexts, novelty):
        is_novel = outcome not in self._counts.get(contexts[0], {})
        self.decisions.append((tuple(contexts), "novel" if is_novel else ("met", outcome)))
        length = len(self.decisions)

        def novelty_seen():
            nats = novelty()
            if len(self.decisions) == length:  # not spelled: drawn from a fixed distribution
                self.decisions.append((("fixed", *contexts), outcome))
            return nats

        return super().nats(outcome, contexts, novelty_seen)


def decisions_for(past, piece, original):
    """What is decided to tell `original`, given its piece and the past."""
    code, decisions = RestorationCode(), []
    code._choices, code._spaces._code, code._strings._code = (Recorded(decisions) for _ in range(3))
    for given, was in past:
        code.nats(given, was)
    decisions.clear()
    nats = code.nats(piece, original)
    return tuple(decisions), nats


@pytest.mark.slow
@pytest.mark.parametrize("past", PASTS)
@pytest.mark.parametrize("piece", ["a ", "aa", "", "\n", "DG "])
def test_a_decoder_always_knows_what_it_decides_and_ends_at_one_original(past, piece):
    told = {decisions_for(past, piece, original)[0] for original in all_strings(3)}
    assert len(told) == len(all_strings(3))
    asked = {}
    for decisions in told:
        for n, (contexts, _) in enumerate(decisions):
            assert asked.setdefault(decisions[:n], contexts) == contexts  # after the same answers, the same question
        assert asked.setdefault(decisions, "end") == "end"  # and nothing is asked once all is told


@pytest.mark.parametrize("past", PASTS)
@pytest.mark.parametrize("piece", ["a ", "aa", ""])
def test_originals_of_a_piece_sum_to_at_most_one(past, piece, monkeypatch):
    monkeypatch.setattr("regard.evaluation.restoration.unicode_nats", lambda character: math.log(5))
    monkeypatch.setattr("regard.evaluation.restoration.space_nats", lambda character: math.log(3))
    total = sum(math.exp(-decisions_for(past, piece, original)[1]) for original in all_strings(3))
    assert 0.02 < total <= 1 + 1e-9


def test_a_unit_that_becomes_an_equals_sign_is_told_from_one_that_stays():
    costs = {}
    for original in ("ab", "=b", "a=", "=="):
        code = RestorationCode()
        code.nats("xy", "x!")
        costs[original] = code.nats("ab", original)
    assert costs["=b"] > costs["ab"]
    assert costs["a="] > costs["ab"]


def test_where_nothing_differs_one_bit_says_so():
    nats = restoration_nats(["a ", "b\n"] * 50, ["a ", "b\n"] * 50)
    assert nats.sum() == pytest.approx(math.log(2))
    assert restoration_nats([], []).sum() == 0


def test_habits_become_cheap():
    pieces = [f"{word} " for word in ["romeo", "and", "juliet", "went"] * 100]
    originals = [piece.capitalize() if piece[0] in "rj" else piece for piece in pieces]
    nats = restoration_nats(pieces, originals)
    assert nats[:4].sum() > 4
    assert nats[-40:].sum() < 1


def test_verse_begins_its_lines_with_capitals():
    rng = np.random.default_rng(0)
    words = [f"w{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in rng.integers(0, 676, 400)]
    pieces = [word + (" " if i % 4 < 3 else "\n") for i, word in enumerate(words)]
    on_lines = [p.capitalize() if i % 4 == 0 else p for i, p in enumerate(pieces)]
    anywhere = [p.capitalize() if f else p for p, f in zip(pieces, rng.random(400) < 0.25, strict=True)]
    assert restoration_nats(pieces, on_lines).sum() < 0.5 * restoration_nats(pieces, anywhere).sum()


def test_random_capitals_cost_their_entropy():
    rng = np.random.default_rng(1)
    pieces = ["a "] * 2000
    originals = ["A " if flag else "a " for flag in rng.random(2000) < 0.5]
    assert restoration_nats(pieces, originals).sum() == pytest.approx(2000 * math.log(2), rel=0.03)


def test_random_digits_cost_about_their_entropy():
    rng = np.random.default_rng(2)
    numbers = rng.integers(0, 10, (500, 4)).tolist()
    originals = ["".join(map(str, digits)) + " " for digits in numbers]
    nats = restoration_nats(["DGDGDGDG "] * 500, originals).sum()
    assert 2000 * math.log(10) < nats < 1.15 * 2000 * math.log(10)


def test_spelled_words_pay_for_their_space_alone():
    pieces, originals = ["Zorglub ", "the "], ["Zorglub\n", "The "]
    spelled = restoration_nats(pieces, originals, is_spelled=np.array([True, False]))
    restored = restoration_nats(pieces, originals)
    assert spelled[0] < restored[0]


def test_any_text_can_be_restored_from_any_piece():
    pieces, originals = ["", " ", "a", "DG", "\n\n"], ["", "é", "  \u2028x\t", "\U0001f600" * 400]
    for piece, original in itertools.product(pieces, originals):
        assert math.isfinite(RestorationCode().nats(piece, original))


@pytest.mark.parametrize(
    ("units", "wanted", "parts"),
    [
        (["N"], "1,250", ["1,250"]),
        (["DG", "DG"], "12", ["1", "2"]),
        (["DG", ".", "DG", "%"], "3.5%", ["3", ".", "5", "%"]),
        (list("dont"), "don’t", ["d", "o", "n’", "t"]),
        (list("b"), "ab", ["ab"]),
        (list("ab"), "", ["", ""]),
        (list("..."), "…", ["…", "", ""]),
        (list('"a"'), "“a”", ["“", "a", "”"]),
    ],
)
def test_alignment(units, wanted, parts):
    assert align(units, wanted) == parts


@pytest.mark.parametrize("text", ["", " ", " a", "a b\n\nc ", "\n"])
def test_cuts_lose_nothing(text):
    assert "".join(cut_at(text, word_cuts(text))) == text
    assert word_cuts(text)[-1] == len(text)
