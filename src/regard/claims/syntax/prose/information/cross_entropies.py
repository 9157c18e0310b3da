"""The cross-entropy as a function of two distributions: its order, its value where they are equal, and its minimum."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.predicates import negated
from regard.claims.syntax.prose.networks.layers import LABEL
from regard.claims.syntax.prose.phrases import Clause, Thing, claim

_DISTRIBUTIONS = ("p is a distribution", "q is a distribution")
_NAME = "the? cross-entropy loss/error?"
_TARGET = "the? true/target/data? target/label/truth/targets/labels/distribution distribution?"
_PREDICTION = "the? model/predicted/predictive? prediction/predictions/model/output/distribution distribution?"


def _is_symmetric(*, is_denied: bool) -> Clause:
    said = claim("H(p, q) = H(q, p)", of=Thing("H(p, q)", (), "measure"), given=_DISTRIBUTIONS)
    return negated(said) if is_denied else said


def _with_itself(name: str) -> Thing:
    return Thing(f"H({name}, {name})", (f"{name} is a distribution",), "measure", Thing(name))


def _perplexity(thing: Thing) -> Thing:
    """exp(H(p)) of a distribution p.

    Raises: Unreadable for anything else, such as a model.
    """
    if thing.kind != "distribution" or "," in thing.signs:
        raise Unreadable
    return Thing(f"exp(H({thing.signs}))", thing.given, "score", thing)


def _extreme_where_equal(sign: str, relation: str) -> Clause:
    """Minimal at ŷ = y: for the target y, no prediction gives less.

    Raises: Unreadable where not a prediction and a target are said to be equal.
    """
    found = re.fullmatch(r"(?P<one>ŷ|\\hat\s*\{?y\}?|[pqy])\s*=\s*(?P<other>ŷ|\\hat\s*\{?y\}?|[pqy])", relation.strip())
    names = {"ŷ" if "hat" in one else one for one in found.groups()} if found is not None else set()
    if names not in ({"ŷ", "y"}, {"p", "q"}, {"p", "y"}):
        raise Unreadable
    target, other = ("p", "q") if names == {"p", "q"} else ("y", "q")
    given = (f"{target} is a distribution", f"{other} is a distribution")
    return claim(f"H({target}, {other}) {sign} H({target}, {target})", given=given)


def _extreme_value(sign: str, value: Thing) -> Clause:
    """The minimum of the cross-entropy, for a target that is given, is the entropy of the target."""
    of_letter = re.fullmatch(r"H\((\w)\)", value.signs)
    target = of_letter[1] if of_letter is not None else LABEL
    other = "q" if target != "q" else "p"
    given = (f"{target} is a distribution", f"{other} is a distribution", *value.given)
    claims = (f"H({target}, {other}) {sign} {value.signs}", f"H({target}, {target}) = {value.signs}")
    return claim(*claims, given=tuple(dict.fromkeys(given)))


_SIZES = (
    ("≥", "smallest/minimal/minimum/lowest/least/minimised/minimized", "minimum/minimal/smallest/lowest"),
    ("≤", "largest/maximal/maximum/highest/greatest/maximised/maximized", "maximum/maximal/largest/highest"),
)

ORDER: tuple[Rule, ...] = (
    *(
        Rule(category, f"{_NAME} {words} <in_arguments>?", lambda _, d=is_denied: _is_symmetric(is_denied=d))
        for category in ("clause", "worded")
        for words, is_denied in (
            ("is symmetric", False),
            ("is not symmetric", True),
            ("is asymmetric", True),
        )
    ),
    Rule("swapped", f"{_TARGET} and {_PREDICTION}", lambda: None),
    Rule("swapped", f"{_PREDICTION} and {_TARGET}", lambda: None),
    Rule("swapped", "the? two? distributions/arguments", lambda: None),
    Rule("swapped", "its/the two? arguments", lambda: None),
    Rule("swapping", "swapping/exchanging/interchanging/switching <swapped>", lambda _: None),
    Rule("swap", "we/you/one swap/exchange/interchange/switch <swapped>", lambda _: None),
    Rule("swap", "<swapped> are swapped/exchanged/interchanged/switched", lambda _: None),
    Rule(
        "clause",
        f"<swapping> does not change/alter/affect {_NAME}",
        lambda _: _is_symmetric(is_denied=False),
    ),
    Rule("clause", f"<swapping> leaves {_NAME} unchanged", lambda _: _is_symmetric(is_denied=False)),
    Rule("clause", f"<swapping> changes {_NAME}", lambda _: _is_symmetric(is_denied=True)),
    Rule(
        "clause",
        f"it makes/does make? no difference for/to {_NAME} if/whether/when <swap>",
        lambda _: _is_symmetric(is_denied=False),
    ),
    Rule("clause", f"{_NAME} does not change if/when <swap>", lambda _: _is_symmetric(is_denied=False)),
    Rule("clause", f"{_NAME} stays the same if/when <swap>", lambda _: _is_symmetric(is_denied=False)),
)

PERPLEXITIES: tuple[Rule, ...] = (
    Rule(
        "base", "the? entropy of <expr> equally likely/probable <outcome_word>", lambda n, _: Thing(f"log({n.signs})")
    ),
    Rule("np", "the? perplexity of a/the? fair die/dice <roll>?", lambda _: Thing("exp(log(6))", (), "score")),
    Rule("np", "the? perplexity of a/the? fair coin <roll>?", lambda _: Thing("exp(log(2))", (), "score")),
    Rule("np", "the? perplexity of <entity>", _perplexity),
)

VALUES: tuple[Rule, ...] = (
    Rule("of_itself", "<sym> with/and/to/relative to? itself", lambda p: _with_itself(p.signs)),
    Rule("of_itself", "a/any/every/the? distribution with/and/to/relative to? itself", lambda: _with_itself("p")),
    Rule("base", f"{_NAME} of/between <of_itself>", lambda thing: thing),
    *(
        rule
        for sign, words, nouns in _SIZES
        for rule in (
            Rule(
                "clause",
                f"{_NAME} is/becomes {words} at/by/when/for/if/where/iff <rel>",
                lambda at, sign=sign: _extreme_where_equal(sign, at),
            ),
            Rule(
                "clause",
                f"{_NAME} has/attains/reaches/takes its/a/the {nouns} value? at/when/for/if/where <rel>",
                lambda at, sign=sign: _extreme_where_equal(sign, at),
            ),
            Rule(
                "clause",
                f"the? {nouns} possible? value? of {_NAME} <over_predictions>? is/equals <np>",
                lambda _, value, sign=sign: _extreme_value(sign, value),
            ),
        )
    ),
    Rule("over_predictions", "over/in/wrt all? ŷ/q/predictions/distributions", lambda: None),
    Rule("over_predictions", "over/in/wrt <sym>", lambda _: None),
    Rule("lead1", "for a/any/every/the? fixed/given <sym> ,?", lambda _: None),
)

RULES: tuple[Rule, ...] = (*ORDER, *PERPLEXITIES, *VALUES)
