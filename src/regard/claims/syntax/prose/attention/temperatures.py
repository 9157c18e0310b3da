"""Limits of softmax and of scores: the temperature of a softmax, a score that pulls ahead of all others.

Where a softmax has no letter, `its output`, `the entropy of the distribution` are of softmax of the logits.
"""

from __future__ import annotations

import re
from dataclasses import replace

from regard.claims.syntax.prose.attention.attention import SOFTMAX
from regard.claims.syntax.prose.attention.weights import FIRST_KEY, OUTPUT_LETTER, THIS
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.nouns import noun
from regard.claims.syntax.prose.phrases import LOGITS, TEMPERATURE, Clause, Thing, bind, claim

_OF_UNNAMED = ((f"{OUTPUT_LETTER} → 1/n", f"{SOFTMAX}_i → 1/n"), (OUTPUT_LETTER, SOFTMAX), ("H(p)", f"H({SOFTMAX})"))


def _of_softmax(said: Clause) -> Clause:
    """What is said of a softmax without a letter: its output and its entropy are those of the softmax."""
    said = bind(said, Thing(SOFTMAX, (), "softmax"))
    claims = list(said.claims)
    for old, new in _OF_UNNAMED:
        claims = [one.replace(old, new) for one in claims]
    return replace(said, claims=tuple(claims))


def _at_limit(to: str, said: Clause) -> Clause:
    return _of_softmax(said).under(f"{TEMPERATURE} → {to}")


def _positive_temperature(rel: str | None, _: None, said: Clause) -> Clause:
    """At any temperature T > 0, whatever letter it has.

    Raises: Unreadable for another relation.
    """
    if rel is not None and not re.fullmatch(r"\s*(?:T|τ|\\tau)\s*>\s*0\s*", rel):
        raise Unreadable
    return _of_softmax(said).under(f"{TEMPERATURE} > 0")


def _scores_ahead(index: str) -> Clause:
    return claim(f"k_{index}^T q ≫ k_i^T q for all i ≠ {index}")


def _unique_maximum(scores: Thing, index: Thing) -> Clause:
    """One entry is larger than all others."""
    at = index.signs
    return claim(f"{scores.signs}_{at} > {scores.signs}_i for all i ≠ {at}", of=scores)


_POSITIVE = f"{SOFTMAX}_i > 0"
_SCORES = "scores/logits/entries/inputs/numbers/classes/outcomes"

OF_SOFTMAX: tuple[Rule, ...] = (
    Rule("some_count", "at least two/2", lambda: None),
    Rule("some_count", "two/2 or more", lambda: None),
    Rule("some_count", "several/finite/given/fixed/any/finitely-many/real", lambda: None),
    Rule("some_count", "more than one", lambda: None),
    Rule("some_count", "<sym>", lambda n: n),
    Rule("over_scores", f"over/of/with/on <some_count>? finite/fixed/real? {_SCORES}", lambda _: None),
    Rule("a_softmax", "a/the/any softmax distribution/function? <over_scores>?", lambda _: None),
    Rule("moved", "goes/tends/grows/approaches/rises/increases to? infinity/∞", lambda: "∞"),
    Rule("moved", "grows/increases without bound", lambda: "∞"),
    Rule("moved", "goes/tends/shrinks/drops/falls/approaches/decreases to/towards? zero/0", lambda: "0"),
    Rule("moved", "vanishes", lambda: "0"),
    Rule("soft_limit", "as/when/if/once the temperature of <a_softmax> <moved>", lambda _, to: to),
    Rule(
        "soft_limit",
        "lower/lowering/decrease/decreasing the temperature of <a_softmax> to/towards zero/0",
        lambda _: "0",
    ),
    Rule(
        "soft_limit",
        "raise/raising/increase/increasing the temperature of <a_softmax> to/towards infinity/∞",
        lambda _: "∞",
    ),
    Rule("body", "<soft_limit> ,/: <lead>? <body>", lambda to, _, said: _at_limit(to, said)),
    Rule("body", "<a_softmax> <soft_vps> as/when its/the temperature <moved>", lambda _, said, to: _at_limit(to, said)),
    Rule("soft_vps", "becomes/gets uniform", lambda: claim(f"{SOFTMAX}_i → 1/n")),
    Rule("soft_vps", "becomes/approaches/tends to? the? uniform distribution?", lambda: claim(f"{SOFTMAX}_i → 1/n")),
    Rule("positive_temperature", "at/for any/every/each finite? positive? temperature <rel>?", lambda rel: rel),
    Rule("body", "<positive_temperature> ,? <lead>? <body>", _positive_temperature),
    Rule(
        "clause",
        "<a_softmax> always? gives/assigns a? strictly? positive probability to every/each/all entry/entries/class",
        lambda _: claim(_POSITIVE),
    ),
    Rule(
        "clause",
        "<a_softmax> never gives/assigns a? probability of? zero/0 to any/an/some entry/class",
        lambda _: claim(_POSITIVE),
    ),
    Rule(
        "clause",
        "<a_softmax> can give/assign a? probability of? zero/0 to any/an/some/one entry/class",
        lambda _: claim(f"{_POSITIVE} does not hold"),
    ),
    Rule(
        "clause",
        "<a_softmax> never gives/assigns a? probability of? one/1 to any/an/some entry/class",
        lambda _: claim(f"{SOFTMAX}_i < 1"),
    ),
    Rule("clause", "every/each softmax probability is strictly? positive", lambda: claim(_POSITIVE)),
    Rule("the_largest", "it/that/this/the largest? entry/score/logit/one?", lambda: None),
    Rule("at_temperature", "at temperature <sym>", lambda _: None),
    Rule(
        "clause",
        "the? softmax <at_temperature>? puts/places all of? its/the weight/mass/probability on <the_largest>",
        lambda *_: claim(f"max_i {SOFTMAX}_i → 1"),
    ),
    noun(
        "the? probability of that/this/the/its largest/maximal? entry/score/logit/class", f"max_i {SOFTMAX}_i", "number"
    ),
    noun("the? probability that/which it gets/receives", f"max_i {SOFTMAX}_i", "number"),
    noun("which of them/the/these? scores/logits/entries? is the? largest/biggest", f"argmax({LOGITS})"),
    noun("which score/logit is the? largest/biggest", f"argmax({LOGITS})"),
    noun(
        "which entry/class/component/score has the? largest/highest/most probability/weight/score", f"argmax({SOFTMAX})"
    ),
)

_MARGIN = "a/an ever-growing/growing/increasing? margin/gap/amount/lead"

MARGINS: tuple[Rule, ...] = (
    Rule("growing_margin", f"{_MARGIN} that/which grows/increases without bound/limit", lambda: None),
    Rule("growing_margin", f"{_MARGIN} that/which goes/tends/grows to infinity/∞", lambda: None),
    Rule("growing_margin", f"{_MARGIN} → ∞", lambda: None),
    Rule("growing_margin", "an ever-growing/ever-increasing/unboundedly growing? margin/gap", lambda: None),
    Rule("ahead", "exceeds/exceed/dominates/beats/outgrows", lambda: None),
    Rule("ahead", "pulls/runs/gets ahead of", lambda: None),
    Rule("ahead", "is/becomes/gets larger/greater/higher than", lambda: None),
    Rule(
        "all_other_scores",
        "all/each/every/any of? the? other/others/rest/remaining scores/score/logits/logit/ones/one?",
        lambda: None,
    ),
    Rule(
        "key_fact",
        "one/a/some score/logit <ahead> <all_other_scores> by <growing_margin>",
        lambda *_: _scores_ahead(FIRST_KEY),
    ),
    Rule(
        "key_fact",
        "the/its? score/logit of <index> <ahead> <all_other_scores> by <growing_margin>",
        lambda i, *_: _scores_ahead(i.signs),
    ),
    Rule(
        "fixed_others",
        "while/and/but/with the/all? other/others/rest/remaining scores/logits/ones? <kept_fixed>",
        lambda _: None,
    ),
    Rule("kept_fixed", "stay/remain/are/being? bounded/fixed/unchanged", lambda: None),
    Rule("key_fact", "<sym> has a unique maximum/maximiser/peak at index/position? <sym>", _unique_maximum),
    Rule(
        "key_fact",
        "one/a/some score/logit tends/goes/grows to infinity/∞ ,? <fixed_others>",
        lambda _: _scores_ahead(FIRST_KEY),
    ),
    Rule(
        "key_fact",
        "the score/logit of <index> tends/goes/grows to infinity/∞ ,? <fixed_others>",
        lambda i, _: _scores_ahead(i.signs),
    ),
    Rule(
        "key_fact",
        "one/a/some score/logit tends/goes/falls to minus infinity/∞ ,? <fixed_others>",
        lambda _: claim(f"k_i^T q ≫ k_{FIRST_KEY}^T q for all i ≠ {FIRST_KEY}"),
    ),
    noun("the? value stored/kept/sitting/found? under/at/with/of/for this/that/the same? key", f"v_{THIS}", "value"),
    noun("the? corresponding/associated value vector?", f"v_{THIS}", "value"),
)

RULES: tuple[Rule, ...] = (*OF_SOFTMAX, *MARGINS)
