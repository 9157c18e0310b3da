"""Random letters in words: what law they have, which moments, and how they hang together.

    X and Y are independent standard normal variables      (X, Y) are independent, X ~ N(0, 1), Y ~ N(0, 1)
    (X, Y) is bivariate normal with correlation ρ          (X, Y) is jointly normal, Corr(X, Y) = ρ
    X_1, …, X_n are iid with variance σ²                   X_i is iid, Var(X_i) = σ²

What the words say of a law is written in signs by `laws`, when all of the text is known.
"""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english import descriptions
from regard.claims.syntax.prose.english.descriptions import (
    Description,
    Fact,
    Names,
    describe_names,
    drawn_from,
    relations_of,
)
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.english.predicates import Predicate
from regard.claims.syntax.prose.leaves import SYMBOL
from regard.claims.syntax.prose.phrases import IT, ITS, Clause, Thing, bind, both, claim, fill, join_things, theirs
from regard.claims.syntax.prose.probability import independence, random_entries
from regard.claims.syntax.prose.probability.laws import LAW_OF, MEAN, NORMAL, split_list
from regard.claims.syntax.prose.signs import symbols_in


def _clause(names: Names, said: Description) -> Clause:
    return claim(*describe_names(names, said), of=Thing(", ".join(names)))


def _facts_of(names: Names, facts: tuple[Fact, ...]) -> Clause:
    return _clause(names, Description(facts=facts))


def _entity(names: Names | None, said: Description, count: str = "") -> Thing:
    """Letters, or new ones where they have no name: two independent normal variables."""
    kind = "random vector" if said.kind == "vector" or "vector" in said.qualities else "random"
    if names is None:
        number = {"": 1, "two": 2, "2": 2, "three": 3, "3": 3}.get(count)
        names = tuple(fresh(kind) for _ in range(number)) if number else (f"{fresh(kind)}_i",)
    return Thing(", ".join(names), describe_names(names, said), kind if len(names) == 1 else f"{kind} list")


def _joined(what: str, thing: Thing) -> Thing:
    """The sum of two independent normal variables."""
    return Thing(join_things(what, thing.signs.split(", ")), thing.given, "", thing)


def _sample(said: Description, facts: tuple[Fact, ...] | None) -> Thing:
    """Independent standard normal variables: as many as one likes.

    Raises: Unreadable where it is not said that they are independent.
    """
    if not said.qualities & {"independent", "iid"}:
        raise Unreadable
    return _entity(None, said.with_facts(facts), "n")


def average(count: str, thing: Thing, *, is_sum: bool = False, of: str = "{}") -> Thing:
    """The mean of n draws: of a family that has as many members as it has."""
    if not thing.signs.endswith("_i") or not re.fullmatch(r"[nmNKdkp]", count):
        raise Unreadable
    total = f"\\sum_{{i=1}}^{{{count}}} {of.format(thing.signs)}"
    return Thing(total if is_sum else f"(1/{count}) {total}", thing.given, "random")


def _of_each(word: str) -> Predicate:
    """X is normal and Y is normal, of X, Y."""
    return lambda x: claim(*(f"{one}{word}" for one in split_list(x.signs)), of=x)


def conclude(first: Clause, second: Clause) -> Clause:
    """q and k have iid entries, so A: a law before `so` is given, and what a model is said to score.

    Raises: Unreadable where it says anything else.
    """
    if (not tells_of_model(first) or is_of_model(second)) and (
        not first.claims or first.unread or not all(_STATED.search(one) for one in first.claims)
    ):
        raise Unreadable
    second = bind(second, first.subject)
    return Clause(second.claims, (*first.given, *first.claims, *second.given), second.subject, second.unread)


def is_of_model(said: Clause) -> bool:
    """Whether a clause is about a model that it introduces."""
    return said.subject is not None and said.subject.kind == "model"


def tells_of_model(said: Clause) -> bool:
    """Whether a model is described of which nothing was known before: a model gives every token 1/8."""
    return (
        is_of_model(said)
        and not said.given
        and bool(said.claims)
        and not said.unread
        and all(_VALUE.fullmatch(one) for one in said.claims)
    )


_VALUE = re.compile(r"[^=<>≤≥→≈]+ = [^=<>≤≥→≈]+")
_STATED = re.compile(
    r"^[\w\\]+ (?:~|∼|\\sim) |^[\w\\]+ is (?:normal|iid)$|^\([\w\\]+, [\w\\]+\) (?:is|are) "
    r"|^⟨token⟩_[ij] (?:=|≥|≤|<|>|→) "
)


def _things(thing: Thing, said: Description) -> Clause:
    """Two random variables are each normally distributed: what is said of letters that have no name."""
    names = tuple(thing.signs.split(", "))
    if not all(SYMBOL.fullmatch(name) or name.startswith("⟨random") for name in names):
        raise Unreadable
    return claim(*describe_names(names, said), of=thing)


def _of_their_letters(said: Description, facts: tuple[Fact, ...] | None, main: Clause) -> Clause:
    """For independent random variables, Var(X + Y) = …: of the capital letters of what is claimed.

    Raises: Unreadable where it has none.
    """
    letters = [one for each in main.claims for one in symbols_in(each) if re.fullmatch("[U-Z]", one)]
    if not letters:
        raise Unreadable
    return main.under(*describe_names(tuple(dict.fromkeys(letters)), said.with_facts(facts)))


def _expression_of(expression: Thing, said: Description, facts: tuple[Fact, ...] | None) -> Thing:
    """The product q·k of two independent normal vectors: of its letters."""
    letters = tuple(dict.fromkeys(symbols_in(expression.signs)))
    if len(letters) != 2:
        raise Unreadable
    return Thing(expression.signs, describe_names(letters, said.with_facts(facts)))


def _conditional(relation: str, name: Thing, facts: tuple[Fact, ...]) -> Clause:
    """Given X = x, Y has mean a and variance b."""
    functions = {"mean": "E[{} | {}]", "variance": "Var({} | {})", "deviation": "sqrt(Var({} | {}))"}
    if not facts or any(measure not in functions or len(values) != 1 for measure, values in facts):
        raise Unreadable
    return claim(*(f"{functions[m].format(name.signs, relation)} = {values[0]}" for m, values in facts))


def _stated_law(relation: str) -> Clause:
    """Y ~ N(0, 1) independent: of letters whose laws are stated, the noise is drawn apart.

    Raises: Unreadable for what is no law.
    """
    if not re.match(r"[^~∼]+?(?:~|∼|\\sim(?![a-z]))", relation):
        raise Unreadable
    return claim(relation)


def _with_laws(said: Description, relations: Names) -> Clause:
    """Independent X, Y ~ N(0, 1)."""
    names = tuple(re.split(r"\s*(?:[~∼∈]|\\(?:sim|in)(?![a-z]))", one)[0] for one in relations)
    return claim(*relations, *describe_names(names, said), of=Thing(", ".join(names)))


def _lawful(said: Description, relations: Names) -> Thing:
    clause = _with_laws(said, relations)
    return Thing(clause.subject.signs if clause.subject else "", clause.claims, "random list")


def _is_chi_square(size: Thing) -> Predicate:
    return lambda x: claim(f"{x.signs} ~ χ²({size.signs})", of=x)


def _is_log_normal(mean: Thing, spread: Thing) -> Predicate:
    return lambda x: claim(f"log({x.signs}) ~ N({mean.signs}, {spread.signs})", of=x)


def _normal_with(facts: tuple[Fact, ...]) -> Predicate:
    """Normal with variance 1: a normal law, and what is said of its moments."""
    return lambda x: claim(
        f"{x.signs}{NORMAL}", *(one for fact in facts for one in relations_of(fact, (x.signs,))), of=x
    )


def _is_covariance(matrix: Thing) -> Clause:
    """Covariance matrices of random vectors are the positive semidefinite matrices."""
    return claim(f"{matrix.signs} is positive semidefinite", of=matrix, given=matrix.given)


_CHI = "chi-square/chi-squared/chisquare/chi-2"


def _both_said(first: Description, second: Description) -> Description:
    return Description(first.qualities | second.qualities, (*first.facts, *second.facts), first.kind or second.kind)


def _of_measures(word: str, words: str, what: str) -> tuple[Rule, Rule]:
    """The sum of their variances, the sum of the variances of X and Y."""
    return (
        Rule("base", f"the? {word} of the/their {words}", lambda: Thing(theirs(what))),
        Rule(
            "base",
            f"the? {word} of the? {words} of <np> and <np>",
            lambda a, b: Thing(join_things(what, [a.signs, b.signs]), (*a.given, *b.given)),
        ),
    )


LAWS: tuple[Rule, ...] = (
    Rule("pred", f"a? {_CHI} random? variable? distributed? with <np> degree/degrees of freedom", _is_chi_square),
    Rule(
        "pred",
        "a? chi square/squared random? variable? distributed? with <np> degree/degrees of freedom",
        _is_chi_square,
    ),
    Rule(
        "vp",
        f"has/have/follows/follow a/the? {_CHI} distribution/law with <np> degree/degrees of freedom",
        _is_chi_square,
    ),
    Rule(
        "vp",
        "has/have/follows/follow a/the? chi square/squared distribution/law with <np> degree/degrees of freedom",
        _is_chi_square,
    ),
    Rule("pred", "log-normal/lognormal distributed? with parameters <expr> and <expr>", _is_log_normal),
    Rule("vp", "has/have/follows/follow/obeys a/an/the? <law> distribution/law?", lambda law: _of_each(f" ~ {law}")),
    Rule("pred", "distributed? as/according? to? <law>", lambda law: _of_each(f" ~ {law}")),
    Rule("pred", "<law>", lambda law: _of_each(f" ~ {law}")),
    Rule(
        "pred",
        "again/also/still/itself? a? gaussian/normal random? variable/vector? distributed?",
        lambda: _of_each(NORMAL),
    ),
    Rule("pred", "again/also/still? normally distributed", lambda: _of_each(NORMAL)),
    Rule("vp", "is/are/be again/also/still? gaussian/normal/normally distributed? with <facts>", _normal_with),
    *(
        Rule(
            "vp",
            f"{verb} the? covariance matrix of a/an/some random/gaussian/normal random? vector",
            lambda: _is_covariance,
        )
        for verb in ("is/are", "can/may be", "is/are always")
    ),
    Rule("vp", "is/are a? valid/possible/legitimate? covariance matrix", lambda: _is_covariance),
    Rule("vp", "has/have/follows/follow a gaussian/normal distribution/law", lambda: _of_each(NORMAL)),
    Rule(
        "vp", "has/have a/an? variance that/which <vps>", lambda say: lambda x: say(Thing(fill("Var([0])", x), x.given))
    ),
    Rule(
        "vp",
        "has/have a/an? mean/expectation that/which <vps>",
        lambda say: lambda x: say(Thing(fill("E[[0]]", x), x.given)),
    ),
)

CLAUSES: tuple[Rule, ...] = (
    Rule("body", "for/if/with <quals> random? variables/vectors <withfacts>? , <body>", _of_their_letters),
    Rule(
        "body",
        "<main> ,? for/if/with/of <quals> random? variables/vectors <withfacts>?",
        lambda main, said, facts: _of_their_letters(said, facts, main),
    ),
    Rule(
        "clause",
        "they/both/each/all both/each/all? have/has both/each/all? <facts>",
        lambda facts: claim(*(one for fact in facts for one in relations_of(fact, (IT,)))),
    ),
    Rule("randoms", "the? random? pair/vector <tuple>", lambda names: names),
    Rule("clause", "<randoms> both/each/all? are/is/be both/each/all? <randomness>", _clause),
    Rule("clause", "<randoms> both/each/all? have/has/share both/each/all? <facts>", _facts_of),
    Rule("said", "<randoms> <randomness>", _clause),
    Rule("said", "<randoms> ,? both/each/all? with/having <facts>", _facts_of),
    Rule("said", "<named> <randoms> <withfacts>?", lambda s, n, f: _clause(n, s.with_facts(f))),
    Rule("said", "<rel> independent/independently/iid", _stated_law),
    Rule("said", "<rel> and/, independent/iid", _stated_law),
    Rule(
        "said",
        "<symrel> ,? independent/iid",
        lambda rels: claim(*(one for rel in rels for one in _stated_law(rel).claims)),
    ),
    Rule("clause", "<entity> are/is/be both/each/all? <randomness>", _things),
    Rule(
        "clause",
        "<entity> both/each/all? have/has both/each/all? <facts>",
        lambda x, facts: _things(x, Description(facts=facts)),
    ),
    Rule(
        "clause",
        "each/every/any pair of? them? has/have correlation <expr>",
        lambda r: claim(f"{theirs('correlation')} = {r.signs}"),
    ),
    Rule(
        "clause",
        "each/every/any two of? them? have correlation <expr>",
        lambda r: claim(f"{theirs('correlation')} = {r.signs}"),
    ),
    Rule(
        "clause",
        "<sym> be/is/denotes/for? their/the sample? mean/average",
        lambda x: claim(f"{x.signs} = {theirs('mean')}"),
    ),
    Rule("said", "<sym> their sample? mean/average", lambda x: claim(f"{x.signs} = {theirs('mean')}")),
    Rule(
        "body",
        "given/conditional/conditionally on? <rel> ,? <sym> is/has gaussian/normal? gaussian/normal/distributed? "
        "with? <facts>",
        _conditional,
    ),
    Rule("said", "<named> <symrel>", _with_laws),
    Rule(
        "vp",
        "has/have the same law/distribution as <np>",
        lambda other: lambda x: claim(f"{x.signs}{LAW_OF}{other.signs}", of=x, given=other.given),
    ),
    Rule("condition", "<said>", lambda a: a),
    Rule("condition", "<said> ,? and also? <condition>", both),
    Rule("condition", "<said> , <condition>", both),
)


def _chi_square(size: Thing) -> Thing:
    name = fresh("random")
    return Thing(name, (f"{name} ~ χ²({size.signs})",), "random")


ENTITIES: tuple[Rule, ...] = (
    Rule("entity", f"a/any/every {_CHI} random? variable with <sym> degrees of freedom", _chi_square),
    Rule(
        "entity",
        "the/a/an/any/every/all/two/three? <named> <randoms> <withfacts>?",
        lambda s, n, f: _entity(n, s.with_facts(f)),
    ),
    Rule("entity", "the/two/any/a? <named> <symrel>", _lawful),
    Rule("entity", "two <quals>? <law> <rv>", lambda q, law, kind: _entity(None, drawn_from(q, kind, law), "two")),
    Rule("base", "the? <name> <expr> of two <named> <withfacts>?", lambda _, x, s, f: _expression_of(x, s, f)),
    Rule(
        "entity", "two <named> of the? same/equal dimension/dimensions/size/length", lambda s: _entity(None, s, "two")
    ),
    Rule("entity", "any/every/all? two <named> <withfacts>?", lambda s, f: _entity(None, s.with_facts(f), "two")),
    Rule(
        "entity",
        "two <named> that/which are/is both/each/all? <randomness>",
        lambda s, more: _entity(None, _both_said(s, more), "two"),
    ),
    Rule(
        "entity",
        "two <named> that/which are/is both/each/all? <randomness> and have/has <facts>",
        lambda s, more, f: _entity(None, _both_said(s, more).with_facts(f), "two"),
    ),
    Rule("entity", "two <named> that/which have <facts>", lambda s, f: _entity(None, s.with_facts(f), "two")),
    Rule(
        "entity", "<quals> random? variables/vectors <withfacts>?", lambda s, f: _entity(None, s.with_facts(f), "two")
    ),
    Rule("entity", "a/an/any/every <named> <withfacts>?", lambda s, f: _entity(None, s.with_facts(f))),
    Rule("draws_of", "<how_many> many? <named> <withfacts>?", lambda n, s, f: (n, _entity(None, s.with_facts(f), n))),
    Rule(
        "draws_of", "<how_many> <quals>? <law> <rv>", lambda n, q, law, k: (n, _entity(None, drawn_from(q, k, law), n))
    ),
    Rule(
        "draws_of",
        "<how_many> <quals>? <rv> from/~/with? a? law? <law>",
        lambda n, q, k, law: (n, _entity(None, drawn_from(q, k, law), n)),
    ),
    Rule("how_many", "<sym>", lambda x: x.signs),
    Rule("base", "the? sample? mean/average of <draws_of>", lambda found: average(*found)),
    Rule("base", "the? sum/total of <draws_of>", lambda found: average(*found, is_sum=True)),
    *(
        Rule("base", f"the/a? {words} of/between <entity>", lambda thing, what=what: _joined(what, thing))
        for words, what in (
            ("sum", "sum"),
            ("difference", "difference"),
            ("product", "product"),
            ("mean/average", "mean"),
            ("dot/inner/scalar product", "inner"),
            ("euclidean? distance", "distance"),
            ("squared euclidean? distance", "squared distance"),
            ("cosine similarity", "cosine"),
            ("covariance", "covariance"),
            ("correlation coefficient?", "correlation"),
        )
    ),
    *(
        Rule("base", pattern, lambda what=what: Thing(theirs(what)))
        for words, what in (
            ("sum", "sum"),
            ("difference", "difference"),
            ("product", "product"),
            ("sample? mean/average", "mean"),
            ("dot/inner/scalar product", "inner"),
            ("euclidean? distance", "distance"),
            ("squared euclidean? distance", "squared distance"),
            ("cosine similarity", "cosine"),
            ("covariance", "covariance"),
            ("correlation coefficient?", "correlation"),
        )
        for pattern in (f"their {words}", f"the? {words} of/between them/both", f"the? {words} of/between the two")
    ),
    Rule("base", "their sample? mean/average <defined>", lambda thing: thing),
    Rule("base", "its/the expected squared euclidean? norm/length", lambda: Thing(f"E[‖{ITS}‖²]", about=Thing(ITS))),
    Rule("base", "its/the expected euclidean? norm/length", lambda: Thing(f"E[‖{ITS}‖]", about=Thing(ITS))),
    Rule("base", "its/the total variance", lambda: Thing(f"tr(Cov({ITS}))", about=Thing(ITS))),
    Rule("base", "the? total variance of <np>", lambda x: Thing(f"tr(Cov({x.signs}))", x.given, "", x)),
    Rule(
        "base",
        "the? squared euclidean? distance of/from <np> to/from <np>",
        lambda x, y: Thing(f"‖{x.signs} - {y.factor}‖²", (*x.given, *y.given), "", x),
    ),
    Rule(
        "base",
        "the? euclidean? distance of/from <np> to/from <np>",
        lambda x, y: Thing(f"‖{x.signs} - {y.factor}‖", (*x.given, *y.given), "", x),
    ),
    Rule("draws_of", "<named_sample>", lambda found: ("n", found)),
    Rule("named_sample", "<quals> random? variables <withfacts>?", _sample),
    Rule("base", "the? mean of <np>", lambda x: Thing(f"E{MEAN}[{x.signs}]", x.given, "", x.about or x)),
    Rule("base", "its/their mean/expectation vector?", lambda: Thing(f"E{MEAN}[{ITS}]", about=Thing(ITS))),
    Rule("base", "the? cosine of the angle between them", lambda: Thing(theirs("cosine"))),
    *(
        rule
        for word in ("sum", "difference", "product", "ratio")
        for words, measure in (
            ("means/expectations individual?", "means"),
            ("expected values", "means"),
            ("individual? variances", "variances"),
            ("standard deviations", "deviations"),
            ("covariance matrices", "covariances"),
            ("covariances", "covariances"),
        )
        for rule in _of_measures(word, words, f"{word} of {measure}")
    ),
    Rule("base", "the? sum of the? squares of <draws_of>", lambda found: average(*found, is_sum=True, of="{}^2")),
    Rule("base", "the? squared norm/length of <entity>", lambda x: Thing(f"‖{x.signs}‖²", x.given, "", x)),
)

RULES: tuple[Rule, ...] = (*descriptions.RULES, *random_entries.RULES, *CLAUSES, *independence.RULES, *LAWS, *ENTITIES)
