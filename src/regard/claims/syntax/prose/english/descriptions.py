"""What may be said of random letters: words such as normal and independent, and moments."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, pairwise

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import dimension
from regard.claims.syntax.prose.phrases import Thing, join_things
from regard.claims.syntax.prose.probability.laws import IID, INDEPENDENT, JOINT, NORMAL, UNCORRELATED, listed

Names = tuple[str, ...]


Fact = tuple[str, tuple[str, ...]]


"""A measure and its values: one for all letters, or one for each."""


_BAR = re.compile("[\u0304\u0305]|\\\\bar|\\\\overline")


@dataclass(frozen=True)
class Description:
    """What is said of random letters: words such as normal and independent, moments, number or vector."""

    qualities: frozenset[str] = frozenset()
    facts: tuple[Fact, ...] = ()
    kind: str = ""

    def with_facts(self, facts: tuple[Fact, ...] | None) -> Description:
        """The description with more moments."""
        return Description(self.qualities, (*self.facts, *(facts or ())), self.kind)


QUALITIES: tuple[tuple[str, str], ...] = (
    ("mutually/statistically/pairwise/stochastically/completely? independent", "independent"),
    ("mutually/statistically? independent of each/one other/another", "independent"),
    ("independently", "independent"),
    ("iid", "iid"),
    ("independent/independently ,? and? identically distributed", "iid"),
    ("identically distributed ,? and? independent", "iid"),
    ("uncorrelated", "uncorrelated"),
    ("uncorrelated with each/one other/another", "uncorrelated"),
    ("jointly gaussian/normal", "joint"),
    ("jointly normally/gaussian distributed", "joint"),
    ("bivariate/multivariate/trivariate gaussian/normal", "joint"),
    ("jointly? multivariate normally distributed", "joint"),
    ("gaussian/normal", "normal"),
    ("normally distributed", "normal"),
    ("gaussian/normal ,? distributed", "normal"),
    ("standard gaussian/normal", "standard"),
    ("standard gaussians/normals", "standard"),
    ("gaussians/normals", "normal"),
    ("standard normally distributed", "standard"),
    ("standard bivariate/multivariate gaussian/normal", "standard joint"),
    ("positive", "positive"),
    ("strictly positive", "positive"),
    ("nonnegative/non-negative", "nonnegative"),
    ("centred/centered/zero-mean/mean-zero", "centred"),
    ("zero mean", "centred"),
    ("unit-variance/unit-norm", "unit variance"),
    ("unit variance", "unit variance"),
    ("d-dimensional/n-dimensional/p-dimensional", "vector"),
    ("random/real/real-valued/scalar/arbitrary/square-integrable/other/finite-variance", ""),
)


"""Words that say something of letters, and what."""


_CONJUNCTION = ",/and/but?"


NOUNS: tuple[tuple[str, str], ...] = (
    ("random variable/variables", "number"),
    ("random column? vector/vectors", "vector"),
    ("random number/numbers/scalar/scalars", "number"),
    ("random pair", ""),
    ("variable/variables", "plain number"),
    ("column? vector/vectors", "plain vector"),
    ("key/query/noise/feature/input vector/vectors", "plain vector"),
    ("head/attention? outputs", "plain"),
    (
        "pair/draw/draws/sample/samples/measurement/measurements/copies/observations/realisations/realizations/errors/terms/quantities/keys/queries",
        "plain",
    ),
)
"""What random letters are; what is plain is random only where more is said of it."""

_MEASURES: tuple[tuple[str, str], ...] = (
    ("mean/means/expectation/expectations vector/vectors?", "mean"),
    ("expected value/values", "mean"),
    ("variance/variances", "variance"),
    ("standard deviation/deviations", "deviation"),
    ("correlation/correlations coefficient?", "correlation"),
    ("pairwise/common/mutual correlation/correlations coefficient?", "correlation"),
    ("covariance/covariances", "covariance"),
    ("covariance/variance-covariance matrix/matrices", "covariance"),
)


def relations_of(fact: Fact, names: Names) -> Names:
    """The equations that a fact says of some letters."""
    measure, values = fact
    if measure in ("finite", "relation"):
        return values
    if measure == "sample mean":
        return (f"{values[0]} = {join_things('mean', list(names))}",)
    if measure == "mean" and any(_BAR.search(value) for value in values):
        return ()  # X̄, which `laws` knows
    if measure in ("same mean", "same variance"):
        function = "E[{}]" if measure == "same mean" else "Var({})"
        return tuple(f"{function.format(a)} = {function.format(b)}" for a, b in pairwise(names))
    is_pair = measure == "correlation" or (measure == "covariance" and len(names) == 2 and _is_number(names[0]))
    if is_pair:
        return _of_pairs("Corr" if measure == "correlation" else "Cov", names, values)
    templates = {"mean": "E[{}]", "variance": "Var({})", "deviation": "Std({})", "covariance": "Cov({})"}
    if len(values) not in (1, len(names)):
        raise Unreadable
    each = values * len(names) if len(values) == 1 else values
    return tuple(f"{templates[measure].format(name)} = {value}" for name, value in zip(names, each, strict=True))


def _is_number(name: str) -> bool:
    """Whether a random letter is a number: X, or one that has no name."""
    return name[:1].isupper() or name.startswith("⟨random:")


def _of_pairs(function: str, names: Names, values: tuple[str, ...]) -> Names:
    if len(values) != 1:
        raise Unreadable
    if len(names) == 1 and names[0].endswith("_i"):
        return (f"{function}({names[0]}, {names[0][:-1]}j) = {values[0]}",)
    if len(names) < 2:
        raise Unreadable
    return tuple(f"{function}({a}, {b}) = {values[0]}" for a, b in combinations(names, 2))


def describe_names(names: Names, said: Description) -> Names:
    """All relations that a description says of letters, laws in words among them."""
    qualities, found = said.qualities, []
    is_list = len(names) > 1 or names[0].endswith("_i")
    if "iid" in qualities:
        found += [f"{name}{IID}" for name in names] if len(names) == 1 else [listed(names, INDEPENDENT)]
        if len(names) > 1:
            found += [one for name in ("same mean", "same variance") for one in relations_of((name, ()), names)]
    for quality, word in (("independent", INDEPENDENT), ("uncorrelated", UNCORRELATED)):
        if quality in qualities:
            if not is_list:
                raise Unreadable
            found.append(listed(names, word))
    if "joint" in qualities:
        found.append(listed(names, JOINT))
    elif "normal" in qualities:
        found += [f"{name}{NORMAL}" for name in names]
    found += _standard(names, said)
    found += [f"{name} > 0" for name in names if "positive" in qualities]
    found += [f"{name} ≥ 0" for name in names if "nonnegative" in qualities]
    facts = [fact for fact in said.facts if fact[0] not in ("law", "dimension")]
    facts += [("mean", ("0",))] if "centred" in qualities else []
    facts += [("variance", ("1",))] if "unit variance" in qualities else []
    for measure, values in said.facts:
        found += [f"{name} ~ {value}" for name in names for value in values if measure == "law"]
    return tuple(dict.fromkeys((*found, *(one for fact in facts for one in relations_of(fact, names)))))


def _standard(names: Names, said: Description) -> list[str]:
    space = next((values[0] for measure, values in said.facts if measure == "dimension"), "")
    if "standard" not in said.qualities:
        return [f"{name} ∈ ℝ^{space}" for name in names if space]
    if "joint" in said.qualities:
        return [one for name in names for one in (f"E[{name}] = 0", f"Var({name}) = 1")]
    is_vector = said.kind == "vector" or space or "vector" in said.qualities or set(names) <= {"q", "k", "k_i"}
    spread = (f"I_{space}" if space else "I_d") if is_vector else "1"
    return [f"{name} ~ N(0, {spread})" for name in names]


def _spread_value(relation: str) -> tuple[str, str]:
    """σ² of σ² > 0."""
    found = re.match(r"\s*(.+?)\s*(?:[<>≤≥]|\\[lg]e?q?(?![a-z]))", relation)
    if found is None:
        raise Unreadable
    return found[1], relation


def _with_bound(measure: str, relation: str) -> tuple[Fact, ...]:
    value, bound = _spread_value(relation)
    return (measure, (value,)), ("relation", (bound,))


def _fact_rules() -> list[Rule]:
    found = []
    for words, measure in _MEASURES:
        lead = "a/an/the/their? respective/common/same/equal/joint/both/pairwise?"
        found += [
            Rule("fact", f"{lead} {words} <value> and/, <value> respectively?", _two_values(measure)),
            Rule("fact", f"{lead} {words} <value> each?", lambda v, m=measure: ((m, (v.signs,)),)),
            Rule("fact", f"{lead} {words} <rel>", lambda rel, m=measure: _with_bound(m, rel)),
            Rule("fact", f"zero/no {words}", lambda m=measure: ((m, ("0",)),)),
            Rule("fact", f"{words} both? zero", lambda m=measure: ((m, ("0",)),)),
            Rule("fact", f"unit {words}", lambda m=measure: ((m, ("1",)),)),
            Rule("fact", f"a? finite {words}", lambda: (("finite", ()),)),
            Rule("fact", f"identity {words}", lambda m=measure: ((m, ("I",)),)),
        ]
        if measure in ("mean", "variance"):
            found.append(
                Rule("fact", f"the? same/common/equal/identical {words}", lambda m=measure: ((f"same {m}", ()),))
            )
    return found


def _two_values(measure: str) -> Callable[[Thing, Thing], tuple[Fact, ...]]:
    return lambda a, b: ((measure, (a.signs, b.signs)),)


def _qualified(first: str, rest: Description | None) -> Description:
    rest = rest or Description()
    return Description(
        rest.qualities | set(first.split()) | ({first} if " " in first else set()), rest.facts, rest.kind
    )


def of_kind(said: Description | None, kind: str, facts: tuple[Fact, ...] | None) -> Description:
    """The description of a vector, of a number.

    Raises: Unreadable for a vector of which nothing says that it is random.
    """
    said = said or Description()
    if kind.startswith("plain") and not (said.qualities - {"", "vector"} or facts):
        raise Unreadable
    kind = kind.removeprefix("plain").strip()
    return Description(said.qualities, said.facts, kind).with_facts(facts)


def _named(said: Description, kind: str | None) -> Description:
    """Independent variables, jointly Gaussian; `positive` or `real` alone says nothing of chance.

    Raises: Unreadable.
    """
    if kind is None and not said.qualities - {"", "positive", "nonnegative", "vector"}:
        raise Unreadable
    return of_kind(said, kind or "", None)


def drawn_from(said: Description | None, kind: str, law: str) -> Description:
    """What is described, drawn from a law that is stated."""
    return of_kind(said, kind, (("law", (law,)),))


FACTS: tuple[Rule, ...] = (
    Rule("value", "equal? to? <expr>", lambda x: x),
    *_fact_rules(),
    Rule("fact", "finite second moments/moment", lambda: (("finite", ()),)),
    Rule("fact", "finite moments/entropy/entropies", lambda: (("finite", ()),)),
    Rule("fact", "a/the/their? sample/empirical mean/average <value>", lambda v: (("sample mean", (v.signs,)),)),
    Rule("fact", "average <value>", lambda v: (("sample mean", (v.signs,)),)),
    Rule("fact", "standard normal/gaussian marginals/margins", lambda: (("mean", ("0",)), ("variance", ("1",)))),
    Rule("fact", "<rel>", lambda rel: (("relation", (rel,)),)),
    Rule("facts", "<fact> ,? and/, <facts>", lambda first, rest: (*first, *rest)),
    Rule("facts", "<fact>", lambda fact: fact),
    Rule("space_fact", "in/of/on/∈ <expr> dimensions?", lambda space: (("dimension", (dimension(space),)),)),
    Rule("space_fact", "in/of dimension <expr>", lambda space: (("dimension", (dimension(space),)),)),
    Rule("withfacts", ",? each/both/all? with/having/of/have <facts>", lambda facts: facts),
    Rule("withfacts", "<space_fact> ,? with/having/of <facts>", lambda space, facts: (*space, *facts)),
    Rule("withfacts", "<space_fact>", lambda space: space),
    Rule("withfacts", "of/with the same dimension/size/length", lambda: ()),
    Rule(
        "withfacts",
        "for which/whom both/all/the? the? sides/expectations/moments/means are/exist finite/defined?",
        lambda: (),
    ),
    Rule("withfacts", "whose mean/expectation/variance/moments exists/exist", lambda: ()),
)

DESCRIPTIONS: tuple[Rule, ...] = (
    *(Rule("quality", words, lambda meaning=meaning: meaning) for words, meaning in QUALITIES),
    *(Rule("rv", words, lambda kind=kind: kind) for words, kind in NOUNS),
    Rule("quals", f"<quality> {_CONJUNCTION} both/each? <quals>", _qualified),
    Rule("quals", "<quality>", lambda first: _qualified(first, None)),
    Rule(
        "drawn",
        "drawn/sampled/distributed? independently? ~/∼/\\sim/from/as/according? to? <law>",
        lambda law: (("law", (law,)),),
    ),
    Rule(
        "randomness",
        "<quals> ,? and/each? all/both? <drawn> <withfacts>?",
        lambda said, law, facts: said.with_facts(law).with_facts(facts),
    ),
    Rule("randomness", "<drawn>", lambda facts: Description(facts=facts)),
    Rule("randomness", "a/an/two? <quals> <withfacts>?", lambda said, facts: said.with_facts(facts)),
    Rule("randomness", "a/an/two? <quals>? <rv> <withfacts>?", of_kind),
    Rule("randomness", "a/an/two? <quals>? <rv> <drawn>", of_kind),
    Rule("randomness", "a/an/two? <quals>? <law> <rv>", lambda q, law, kind: drawn_from(q, kind, law)),
    Rule("named", "<quals> <rv>?", _named),
    Rule("named", "<rv>", lambda kind: of_kind(None, kind, None)),
    Rule("randoms", "<syms>", lambda names: names),
    Rule("randoms", "<tuple>", lambda names: names),
    Rule("randoms", "the? pair/vector/couple <tuple>", lambda names: names),
)

RULES: tuple[Rule, ...] = (*FACTS, *DESCRIPTIONS)
