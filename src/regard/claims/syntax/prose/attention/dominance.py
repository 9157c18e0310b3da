"""One score far above all others: which is then read, and what is said of its key and its value.

k_jᵀq is much larger than all other scores       k_jᵀq − k_mᵀq ≫ 0 for all m ≠ j
one score dominates                              the same of some key a, whose value is `the corresponding value`
"""

from __future__ import annotations

import re

from regard.claims.syntax.prose.attention.weights import THIS, WEIGHTS
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.nouns import noun
from regard.claims.syntax.prose.phrases import Clause, Thing, claim

_SCORE = re.compile(r"\(?(?P<name>k|s|z)_\{?(?P<index>\w)\}?(?:(?:\^T|\^\{T\}|ᵀ|⊤|\^\\top|\^\{\\top\}) ?q)?\)?")
ONE = "ꞁ"
"""Stands for the index of a score that has no letter, one score, until all that is said of it is known."""


def _apart(score: Thing, sign: str) -> Clause:
    """A score is far above all others, or far below.

    Raises: Unreadable for what is no score.
    """
    found = _SCORE.fullmatch(score.signs.strip())
    if found is None or (found["name"] == "k") != ("q" in score.signs):
        raise Unreadable
    index = found["index"]
    counted = "m" if index != "m" else "l"
    other = score.signs.replace(f"_{{{index}}}", f"_{index}").replace(f"_{index}", f"_{counted}")
    sides = (score.signs, other) if sign == ">" else (other, score.signs)
    return claim(f"{sides[0]} - {sides[1]} ≫ 0 for all {counted} ≠ {index}", of=score)


def name_one(written: str, _: str) -> str:
    """A claim about one score with a letter for its index.

    Raises: Unreadable where another index is spoken of: if one score dominates, then c ≈ v_j.
    """
    if ONE not in written:
        return written
    said = written.rpartition("Then ")[2]
    others = set(re.findall(r"(?:[kvsα]|alpha)_\{?(\w)", said)) - {ONE}
    if others:
        raise Unreadable
    return written.replace(ONE, "a")


def _one_apart(sign: str) -> Clause:
    return _apart(Thing(f"k_{ONE}^T q"), sign)


def _beside(first: Thing, sign: str, second: Thing, index: Thing) -> Clause:
    """k_jᵀq is much larger than k_iᵀq for every other i.

    Raises: Unreadable where the two are not scores of one form.
    """
    one, other = (_SCORE.fullmatch(thing.signs.strip()) for thing in (first, second))
    if one is None or other is None or one["name"] != other["name"] or other["index"] != index.signs:
        raise Unreadable
    sides = (first.signs, second.signs) if sign == ">" else (second.signs, first.signs)
    return claim(f"{sides[0]} - {sides[1]} ≫ 0 for all {index.signs} ≠ {one['index']}", of=first)


_MUCH = (
    "very? much",
    "far",
    "by far",
    "way",
    "considerably/vastly/enormously/significantly/hugely/substantially",
    "a lot",
)
"""Without such a word a score is larger than another, and not far above it."""
_OTHERS = (
    "all/any/every/each/the of? the? other/remaining scores/score/logits/logit/ones/one/products",
    "all/any/every/each/the of? the? other/remaining dot/inner products/product",
    "all/any of? the? others",
    "the others/rest",
    "all the rest",
    "those/that/the scores? of all? the? other/others keys?",
    "the scores/score/logits of all? the? other/others keys?",
    "any/every/each/all other/others",
    "everything else",
)
_IS = "is/becomes/gets/grows/be"

RULES: tuple[Rule, ...] = (
    *(Rule("other_scores", words, lambda *_: None) for words in _OTHERS),
    *(
        Rule("apart", pattern, lambda *_, sign=sign: sign)
        for sign, pattern in (
            (">", f"{_IS} <much> larger/bigger/greater/higher/more than <other_scores>"),
            (">", "dominates/dominate <other_scores>"),
            (">", "dominates/dominate"),
            (">", "exceeds/exceed <other_scores> by far"),
            (">", "is/lies/are far/well above <other_scores>"),
            (">", "outweighs/dwarfs/outgrows <other_scores>"),
            ("<", f"{_IS} <much> smaller/lower/less than <other_scores>"),
            ("<", "is/lies/are far/well below <other_scores>"),
        )
    ),
    *(Rule("much", words, lambda: None) for words in _MUCH),
    Rule("clause", "<np> <apart>", _apart),
    Rule("clause", "the? <rel_score> <apart>", _apart),
    Rule("rel_score", "score/logit/product <expr>", lambda x: x),
    Rule("clause", "one/a/some single? of? the? score/scores/logit/logits <apart>", _one_apart),
    Rule("clause", "one/a/some single? key/key's? has/gets a score that/which <apart>", _one_apart),
    Rule("much_more", f"{_IS} <much> larger/bigger/greater/higher than", lambda _: ">"),
    Rule("much_more", f"{_IS} <much> smaller/lower/less than", lambda _: "<"),
    Rule("clause", "<np> <much_more> <np> for all/every/each/any other/others <sym>", _beside),
    Rule(
        "clause",
        "<np> <much_more> all/every/each/any other <np>",
        lambda first, sign, second: _beside(first, sign, second, _index(second)),
    ),
    noun("the? corresponding/associated/matching/respective value vector?", f"v_{{{THIS}}}", "value"),
    noun(
        "the? value vector? of/for the corresponding/respective/dominating/dominant key/score/position",
        f"v_{{{THIS}}}",
        "value",
    ),
    noun("the? value of the key with that/this score", f"v_{{{THIS}}}", "value"),
    noun("the? corresponding/associated/respective attention? weight", f"{WEIGHTS}_{THIS}", "weight"),
)


def _index(score: Thing) -> Thing:
    found = _SCORE.fullmatch(score.signs.strip())
    if found is None:
        raise Unreadable
    return Thing(found["index"])
