"""Distributions and their entropies: outcomes, uniform, one-hot, the largest entropy, what minimises a divergence."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.dependence import extreme
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.english.nouns import noun
from regard.claims.syntax.prose.english.predicates import Predicate, say_uniform
from regard.claims.syntax.prose.english.restrictions import of_each
from regard.claims.syntax.prose.information.perplexity import VOCABULARY
from regard.claims.syntax.prose.phrases import CROSS_ENTROPY, ITS, Clause, Thing, claim
from regard.claims.syntax.prose.signs import substitute

_OVER = "on/over"
_SET = "a/the/some? given/fixed/finite? given/fixed/finite? vocabulary/alphabet/set"
_MEASURES = "<qualifiers>? entropy"
_LARGEST = "largest/maximal/maximum/greatest/highest/biggest/most"
_SMALLEST = "smallest/minimal/minimum/least/lowest"
_POINT = "one-hot/degenerate/deterministic/point"


def _size(given: tuple[str, ...]) -> str:
    """n of a distribution on n outcomes."""
    found = next((match for one in given if (match := re.search(r"∈ R\^\{(\w+)\}$", one))), None)
    return found[1] if found is not None else "n"


def _largest(entity: Thing | None, kind: str, sign: str, value: Thing | None) -> Clause:
    """The uniform distribution has the largest entropy: none is above log n, which is the value."""
    is_power = sign.endswith("e")
    sign = sign.removesuffix("e")
    name = entity.signs if entity is not None else fresh("distribution")
    given = entity.given if entity is not None else (f"{name} is a distribution",)
    if "distribution" not in (entity.kind if entity is not None else "distribution") or "," in name:
        raise Unreadable
    if any("is a distribution" not in one and "∈ R^" not in one and "≥" not in one for one in given):
        raise Unreadable  # of some distributions only, of which another may be the extreme one
    size = _size(given)
    there = f"log({size})" if kind == "uniform" else "0"
    claims = [f"H({name}) {sign} {there}"]
    if is_power:
        there = size if kind == "uniform" else "1"
        claims = [f"exp(H({name})) {sign} {there}"]
    if value is not None:
        claims.append(f"{there} = {value.signs.replace(f'({VOCABULARY})', size).replace(VOCABULARY, size)}")
    return claim(*claims, given=given, of=Thing(there, (), kind))


def _same_minimum(first: Thing, by: Thing, second: Thing) -> Clause:
    """Minimising A over q is minimising B: of two q, the better one for A is the better one for B."""
    letter, other = by.signs, fresh("distribution")
    if any(thing.signs.endswith(f"/ {letter}") for thing in (first, second)):
        raise Unreadable  # `over q` says what is varied
    pairs = [(thing.signs, substitute(thing.signs, letter, other)) for thing in (first, second)]
    product = " ".join(f"({here} - {there})" for here, there in pairs)
    return claim(f"{product} ≥ 0", given=(*first.given, *second.given, f"{other} is a distribution"))


def _coin(probability: Thing) -> Thing:
    x = probability.factor
    return Thing(f"(-{x} log({x}) - (1 - {x}) log(1 - {x}))")


def _of_two(signs: str) -> Thing:
    """A measure of two distributions, which are called the first and the second afterwards."""
    return Thing(signs, (), "measure", Thing("p, q", (), "list"))


NOUNS: tuple[Rule, ...] = (
    Rule("base", "the distribution", lambda: Thing(ITS, (), "distribution")),
    noun("the? cross-entropy between/of <np> and <np>", "H([0], [1])", "measure"),
    noun("the? relative entropy of/between <np> and <np>", "KL([0] || [1])", "measure"),
    noun("the? kl/kullback-leibler divergence of <np> from <np>", "KL([0] || [1])", "measure"),
    noun("the? relative entropy of <np> wrt <np>", "KL([0] || [1])", "measure"),
    Rule("base", "the? kl/kullback-leibler divergence between/of <measured>", lambda _: _of_two("KL(p || q)")),
    Rule("base", "the? cross-entropy between/of <measured>", lambda _: _of_two(CROSS_ENTROPY)),
    noun("the? relative entropy", "KL(p || q)", "measure"),
    Rule("measured", "two/any? two? discrete/probability? discrete/probability? distributions", lambda: Thing("")),
    noun("the? entropy of a/the? fair die/dice <roll>?", "log(6)"),
    Rule("roll", "roll/throw/toss", lambda: Thing("")),
    Rule("np", "the? entropy of a/the? coin <heads> <expr>", lambda _, p: _coin(p)),
    Rule("np", "the? entropy of a/the? bernoulli distribution/variable with? parameter/probability? <expr>", _coin),
    Rule("lot", "a/the/one? fair die/dice <roll>?", lambda _: "log(6)"),
    Rule("lot", "a/the/one fair coin <roll>?", lambda _: "log(2)"),
    Rule("lot", "<expr> independent? fair coin flips/tosses/throws", lambda n: f"({n.factor} log(2))"),
    Rule("lot", "<expr> independent? fair dice <roll>?", lambda n, _: f"({n.factor} log(6))"),
    Rule("lot", "<expr> flips/tosses of a fair coin", lambda n: f"({n.factor} log(2))"),
    Rule(
        "lot",
        "a uniform choice among/from/between <expr> options/alternatives/possibilities/outcomes",
        lambda n: f"log({n.signs})",
    ),
    Rule("clause", "<lot> <carries> <lot_entropy>", lambda lot, _, value: claim(f"{lot} = {value}")),
    Rule("carries", "has/have/carries/carry/contains/contain/gives/give/yields", lambda: None),
    Rule("lot_entropy", "<entropy_of> <np>", lambda _, x: x.signs),
    Rule("lot_entropy", "<np> of entropy/information", lambda x: x.signs),
    Rule("roll", "rolls/throws/flip/flips", lambda: Thing("")),
    Rule("heads", "that/which shows/lands/comes/falls up? heads with probability", lambda: None),
    Rule("heads", "with heads? probability of? heads?", lambda: None),
    Rule(
        "clause",
        "a/the? coin <heads> <expr> has <entropy_of> <np>",
        lambda _, p, __, x: claim(f"{_coin(p).signs} = {x.signs}"),
    ),
    Rule("entropy_of", "an? <qualifiers>? entropy of/equal? to?", lambda _: None),
    Rule("having", "an/the? <qualifiers>? entropy of/equal? to? <np>", lambda _, x: _has_entropy("=", x)),
    Rule("having", "an/the? <qualifiers>? entropy of? <bound> <np>", lambda _, sign, x: _has_entropy(sign, x)),
)


def _has_entropy(sign: str, value: Thing) -> Predicate:
    return lambda x: claim(f"H({x.signs}) {sign} {value.signs}", of=x, given=value.given)


EXTREMES: tuple[Rule, ...] = (
    Rule("which_one", "the? uniform one/distribution? <on_them>?", lambda _: "uniform"),
    Rule("which_one", f"the/a? {_POINT} one/distribution/distributions/ones/mass? <on_them>?", lambda _: "point"),
    Rule("on_them", "on/over <expr> <outcome_word>", lambda *_: None),
    Rule("on_them", "on/over the? same? set/outcomes", lambda: None),
    Rule(
        "outcome_word",
        "outcomes/classes/symbols/entries/components/elements/points/states/categories/values/events/words",
        lambda: None,
    ),
    *(
        rule
        for words, verb, past, sign in (
            (_LARGEST, "maximises/maximizes/maximise/maximize", "maximised/maximized", "≤"),
            (_SMALLEST, "minimises/minimizes/minimise/minimize", "minimised/minimized", "≥"),
        )
        for rule in (
            Rule(
                "has_extreme",
                f"has/have/attains/attain/achieves/reaches the? {words} possible? {_MEASURES}",
                lambda _, s=sign: s,
            ),
            Rule(
                "has_extreme",
                f"has/have/attains/attain/achieves/reaches the? {words} possible? <powered> {_MEASURES}",
                lambda *_, s=sign: f"{s}e",
            ),
            Rule("has_extreme", f"{verb} the? {_MEASURES}", lambda _, s=sign: s),
            Rule("has_extreme", f"is the one with the? {words} {_MEASURES}", lambda _, s=sign: s),
            Rule("has_extreme", f"is the? unique/only? maximiser/maximizer of the? {_MEASURES}", lambda _, s=sign: s)
            if sign == "≤"
            else Rule(
                "has_extreme", f"is the? unique/only? minimiser/minimizer of the? {_MEASURES}", lambda _, s=sign: s
            ),
            Rule("is_extreme", f"is/becomes {words} for/at/when/if/under", lambda s=sign: s),
            Rule("is_extreme", f"is {past} by/for/at/when", lambda s=sign: s),
        )
    ),
    Rule("powered", "exponentiated/exponential", lambda: None),
    Rule("powered", "exponential of the", lambda: None),
    Rule("np", "the? size of the/this set/alphabet", lambda: Thing("n")),
    Rule("np", "the? number of the? outcomes", lambda: Thing("n")),
    Rule("np", "the? logarithm/log of the? size of the/this set/alphabet", lambda: Thing("log(n)")),
    Rule("entity_tail1", f"{_OVER} {_SET} <of_given_size>?", lambda _: lambda x: ()),
    Rule("entity_tail1", "with full support", lambda: of_each("min({x}) > 0")),
    Rule("letter_tail", "with full support", lambda: of_each("min({x}) > 0")),
    Rule("vp", "has/have full support", lambda: lambda x: claim(f"min({x.signs}) > 0", of=x)),
    Rule("of_given_size", "of a/some/the? given/fixed/same size", lambda: None),
    Rule("namely", ",? namely/equal/with? to/value? <np>", lambda value: value),
    Rule("namely", ",? which is <np>", lambda value: value),
    Rule("namely", ",? and? this maximum is <np>", lambda value: value),
    Rule(
        "body",
        "among/of/amongst all/the? <entity> ,? <which_one> <has_extreme> <namely>? <tails>?",
        lambda entity, kind, sign, value, _: _largest(entity, kind, sign, value),
    ),
    Rule(
        "body",
        "among/of/amongst all/the? <entity> ,? <which_one> <has_extreme> <namely>? ,? and <only>",
        lambda entity, kind, sign, value, only: _with_only(_largest(entity, kind, sign, value), kind),
    ),
    Rule("only", "it is the? only/unique maximiser/maximizer/one/distribution/minimiser <such>?", lambda _: None),
    Rule("only", "it is the? only/unique such? distribution/one? that does so?", lambda: None),
    Rule("such", "that/which does so/this", lambda: None),
    Rule(
        "body",
        "among/of/amongst all/the? <entity> ,? <which_one> is the? only/unique one/distribution? with entropy <np>",
        lambda entity, kind, value: _with_only(_largest(entity, kind, "≤" if kind == "uniform" else "≥", value), kind),
    ),
    Rule(
        "clause",
        "<which_one> <has_extreme> <of_all>? <namely>?",
        lambda kind, sign, entity, value: _largest(entity, kind, sign, value),
    ),
    Rule("of_all", "among/of/over/amongst all/the? <entity>", lambda entity: entity),
    Rule("of_all", "on/over <expr> <outcome_word>", lambda n, _: _on_outcomes(n)),
    Rule(
        "clause",
        "the? <qualifiers>? entropy <of_all>? <is_extreme> <which_one> <namely>?",
        lambda _, entity, sign, kind, value: _largest(entity, kind, sign, value),
    ),
    Rule(
        "clause",
        "minimising/minimizing/minimise/minimize <np> over/in/wrt all? distributions? <sym> is the? same/equivalent "
        "thing? as/to minimising/minimizing <np> <over_same>?",
        lambda a, by, b, _: _same_minimum(a, by, b),
    ),
    Rule(
        "clause",
        "minimising/minimizing <np> over/in/wrt all? distributions? <sym> and minimising/minimizing <np> <over_same>? "
        "lead/leads/give/gives/yield/are/have/has to? the? same/equivalent optimal? <name>? <sym>?",
        lambda a, by, b, *_: _same_minimum(a, by, b),
    ),
    Rule("over_same", "over/in/wrt all? distributions? <sym>", lambda _: None),
    Rule("over", "over/in/wrt all? distributions? <sym>", lambda _: None),
    *(
        Rule(
            "pred",
            f"{words} <over>? at/when/for/by/if setting/choosing/taking? <rel> <min_value>?",
            lambda _, at, value, sign=sign: lambda x: extreme(x, at, sign, value),
        )
        for words, sign in (
            ("minimal/minimised/minimized/smallest/least/lowest", "≥"),
            ("maximal/maximised/maximized/largest/greatest/highest", "≤"),
        )
    ),
    Rule("min_value", ",? and? where/with the/its minimum/maximum/minimal/maximal value? is/of? <np>", lambda x: x),
    Rule("min_value", ",? and the/its/this minimum/maximum/minimal/maximal value? is/equals always? <np>", lambda x: x),
)


def _on_outcomes(count: Thing) -> Thing:
    name = fresh("distribution")
    return Thing(name, (f"{name} is a distribution", f"{name} ∈ R^{{{count.signs}}}"), "distribution")


def _with_only(first: Clause, kind: str) -> Clause:
    """It is the only one: no other distribution has this entropy."""
    side, there = re.split(r" [≤≥] ", first.claims[0])
    name = side[2:-1]
    is_one = f"{name}_r = {name}_t" if kind == "uniform" else f"{name} is onehot"
    return Clause((*first.claims, f"{side} = {there} iff {is_one}"), first.given, first.subject)


CONDITIONS: tuple[Rule, ...] = (
    Rule("pred", "held/kept fixed/constant", lambda: lambda x: Clause((), x.given, x)),
    Rule("sentence", "fix/choose/take <syms>", lambda _: Clause()),
    Rule("clause", "all/the? <expr>? outcomes are equally likely/probable", lambda _: claim("p_r = p_t")),
    Rule("condition", "<sym> the? uniform <on_them>?", lambda u, _: claim(f"{u.signs}_r = {u.signs}_t")),
    Rule(
        "condition",
        "<sym> the? uniform distribution <on_them>?",
        lambda u, _: Clause((), (f"{u.signs} is a distribution", f"{u.signs}_r = {u.signs}_t"), u),
    ),
    Rule("clause", "<sym> is/be the? uniform <on_them>", lambda u, _: claim(f"{u.signs}_r = {u.signs}_t", of=u)),
    Rule("pred", "uniform <on_them>", lambda _: say_uniform),
)

_FORMS = {
    "entropy": r"H\(\w\)",
    "cross-entropy": r"(?:H|CE)\(\w,\w\)",
    "divergence": r"(?:KL|D|D_KL)\(\w(?:\|\||‖)\w\)",
}


def _name_measure(signs: Thing, kind: str) -> Clause:
    """H(p, q) is the cross-entropy: what the signs mean anyway.

    Raises: Unreadable for other signs.
    """
    if not re.fullmatch(_FORMS[kind], re.sub(r"\s|[{}]|\\(?:mathrm|text|,)", "", signs.signs)):
        raise Unreadable
    return Clause((), (), signs)


NAMINGS: tuple[Rule, ...] = (
    Rule("naming", "<expr> is/denotes? the/its? <measure_name>", _name_measure),
    Rule("measure_name", "shannon? entropy <of>?", lambda _: "entropy"),
    Rule("measure_name", "cross-entropy <of>?", lambda _: "cross-entropy"),
    Rule("measure_name", "kl/kullback-leibler? divergence <of>?", lambda _: "divergence"),
)

RULES: tuple[Rule, ...] = (*NOUNS, *EXTREMES, *CONDITIONS, *NAMINGS)
