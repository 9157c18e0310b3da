"""In what the output is linear: in the values, for the weights do not depend on them, and in nothing else.

Linear in the values: the output for x v_i + y w_i is x times that for v_i and y times that for w_i.
"""

from __future__ import annotations

import re

from regard.claims.syntax.prose.attention.attention import OUTPUT, WEIGHT
from regard.claims.syntax.prose.attention.weights import OUTPUT_LETTER, WEIGHTS
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.predicates import Predicate, negated
from regard.claims.syntax.prose.phrases import Clause, Thing, claim

_WRITTEN_OUT = {OUTPUT_LETTER: OUTPUT, "c": OUTPUT, f"{WEIGHTS}_i": WEIGHT, "α_i": WEIGHT}
_OTHERS = {"v": "w", "k": "h", "q": "p"}
"""Letters for a second set of values or keys, and a second query."""


def _with(signs: str, letter: str, new: str) -> str:
    """The signs with something else for every v_i, k_i or q."""
    if letter == "q":
        return re.sub(r"(?<![A-Za-z_])q(?![A-Za-z_])", f"({new})", signs)
    return re.sub(rf"(?<![A-Za-z]){letter}_(\w)", lambda one: f"({new.replace('•', one[1])})", signs)


def _linear(letter: str) -> Predicate:
    """Additive and homogeneous in one of its arguments.

    Raises: Unreadable for anything but output and weights.
    """

    def meaning(thing: Thing) -> Clause:
        written = _WRITTEN_OUT.get(thing.signs)
        if written is None:
            raise Unreadable
        one, other = (letter, _OTHERS[letter]) if letter == "q" else (f"{letter}_•", f"{_OTHERS[letter]}_•")
        mixed, there = _with(written, letter, f"x {one} + y {other}"), _with(written, letter, other)
        return claim(f"{mixed} = x ({written}) + y ({there})", of=thing, given=("x ∈ R", "y ∈ R"))

    return meaning


_IN: tuple[tuple[str, str], ...] = (
    ("all/each/every/the? the? values/value vectors/vector?", "v"),
    ("the v_i", "v"),
    ("all/each/every/the? the? keys/key vectors/vector?", "k"),
    ("the? query vector?", "q"),
)


def _argument(symbol: Thing) -> str:
    """v of v_i and V, k of K, q.

    Raises: Unreadable for other letters.
    """
    found = {"v_i": "v", "V": "v", "k_i": "k", "K": "k", "q": "q"}.get(symbol.signs)
    if found is None:
        raise Unreadable
    return found


def _denied(letter: str) -> Predicate:
    return lambda thing: negated(_linear(letter)(thing))


RULES: tuple[Rule, ...] = (
    *(Rule("argument", words, lambda letter=letter: letter) for words, letter in _IN),
    Rule("argument", "the? values/keys/query? <sym>", _argument),
    Rule("vp", "is/are a? linear function? in/of <argument>", _linear),
    Rule("vp", "depends/depend linearly on <argument>", _linear),
    Rule("vp", "is/are not a? linear function? in/of <argument>", _denied),
    Rule("vp", "does/do not depend linearly on <argument>", _denied),
)
