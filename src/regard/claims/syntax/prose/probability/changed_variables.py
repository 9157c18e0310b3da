"""What becomes of random letters that are shifted, scaled, rotated or averaged.

adding a constant to a random variable does not change its variance          Var(X + c) = Var(X)
doubling a random variable multiplies its variance by four                   Var(2 X) = 4 Var(X)
averaging n independent draws of variance σ² gives a variance of σ²/n        Var((1/n) Σ X_i) = σ²/n
"""

from __future__ import annotations

from collections.abc import Callable

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.changes import AMOUNT
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.phrases import IT, Clause, Thing, claim, fill
from regard.claims.syntax.prose.probability.laws import LAW_OF
from regard.claims.syntax.prose.probability.random_variables import average

Change = tuple[tuple[str, str], ...]


def _random(thing: Thing) -> Thing:
    """Raises: Unreadable for what is not one random letter."""
    if not thing.kind.startswith("random") or thing.kind.endswith("list"):
        raise Unreadable
    return thing


def _scaled(thing: Thing) -> Thing:
    """A random letter, any vector or matrix: one thing without a letter.

    Raises: Unreadable for anything else.
    """
    if thing.kind not in ("vector", "matrix") or not thing.signs.startswith("⟨"):
        return _random(thing)
    return thing


def _change(template: str) -> Callable[..., Change]:
    """A random letter by what is made of it: [0] the letter, [1] the amount."""

    def meaning(thing: Thing, amount: str = "") -> Change:
        return ((thing.signs, fill(template, thing, Thing(amount))), *(("", one) for one in thing.given))

    return meaning


def _rotate(thing: Thing, matrix: Thing | None = None) -> Change:
    matrix = matrix or Thing(name := fresh("matrix"), (f"{name} is orthogonal",))
    return ((thing.signs, f"{matrix.signs} {thing.signs}"), *(("", one) for one in (*thing.given, *matrix.given)))


Draws = tuple[str, Thing]
"""How many there are of a family, and the family."""


def _measured(template: str, draws: Draws, value: Thing) -> Clause:
    """A measure of the mean of many draws is a value."""
    mean = average(*draws)
    return claim(f"{fill(template, mean)} = {value.signs}", of=mean, given=(*mean.given, *value.given))


def _reduced(template: str, draws: Draws, factor: Thing) -> Clause:
    """A measure of the mean is that of each draw divided by a factor."""
    each = Thing(f"{draws[1].signs.removesuffix('_i')}_1")
    return _measured(template, draws, Thing(f"{fill(template, each)} / {factor.factor}", factor.given))


_MEASURES: tuple[tuple[str, str], ...] = (
    ("variance", "Var([0])"),
    ("standard deviation", "Std([0])"),
    ("mean/expectation", "E[[0]]"),
)
_BOTH = "deterministic/fixed/constant/nonrandom/non-random"

CHANGES: tuple[Rule, ...] = (
    Rule("random_thing", "<entity>", _random),
    Rule("scaled_thing", "<entity>", _scaled),
    Rule("change", "adding/we/you? add? <amount> to <random_thing>", lambda c, x: _change("{0} + [1]")(x, c)),
    Rule("change", "subtracting its/the mean from <random_thing>", _change("{0} - E[[0]]")),
    Rule("change", "subtracting <amount> from <random_thing>", lambda c, x: _change("{0} - {1}")(x, c)),
    Rule("change", "shifting/translating/moving <random_thing> by <amount>", _change("{0} + [1]")),
    Rule("change", "multiplying/scaling/rescaling <scaled_thing> by/with <amount>", _change("{1} {0}")),
    Rule("change", "dividing <scaled_thing> by <amount>", _change("{0} / {1}")),
    Rule("change", "doubling <scaled_thing>", _change("2 {0}")),
    Rule("change", "halving <scaled_thing>", _change("{0} / 2")),
    Rule("change", "tripling <scaled_thing>", _change("3 {0}")),
    Rule("change", "negating <scaled_thing>", _change("-{0}")),
    Rule("change", "flipping/changing the sign of <scaled_thing>", _change("-{0}")),
    Rule("change", "rotating <random_thing>", _rotate),
    Rule("change", "rotating <random_thing> by/with <np>", _rotate),
    Rule("change", "multiplying <random_thing> by/with a/an/any <orthogonal_matrix>", lambda x, _: _rotate(x)),
    Rule("change", "applying a/an/any <orthogonal_matrix> to <random_thing>", lambda _, x: _rotate(x)),
    Rule("change", "a/any rotation of <random_thing>", _rotate),
    Rule("orthogonal_matrix", "orthogonal/rotation matrix/transformation <sym>?", lambda _: None),
    Rule("orthogonal_matrix", "rotation", lambda: None),
    Rule("passive", "<scaled_thing> is multiplied/scaled by <amount>", _change("{1} {0}")),
    Rule("passive", "<scaled_thing> is divided by <amount>", _change("{0} / {1}")),
    Rule("passive", "<random_thing> is shifted by <amount>", _change("{0} + [1]")),
    Rule("passive", "<scaled_thing> is doubled", _change("2 {0}")),
    Rule("passive", "<scaled_thing> is halved", _change("{0} / 2")),
    Rule("passive", "<random_thing> is rotated", _rotate),
    Rule("passive", "<amount> is added to <random_thing>", lambda c, x: _change("{0} + [1]")(x, c)),
    Rule("passive", "we/you/one add/adds <amount> to <random_thing>", lambda c, x: _change("{0} + [1]")(x, c)),
    Rule("passive", "we/you/one multiply/multiplies/scale/scales <scaled_thing> by <amount>", _change("{1} {0}")),
    Rule("passive", "we/you/one double/doubles <scaled_thing>", _change("2 {0}")),
    Rule("amount", f"a/any/some {_BOTH} vector <expr>?", lambda x: x.signs if x else fresh("coefficients")),
    Rule("amount", f"a/any/some {_BOTH} number/amount/constant <expr>?", lambda x: x.signs if x else fresh("number")),
    Rule("amount", "that/this constant/vector/number/amount/scalar/factor", lambda: AMOUNT),
    Rule("amount", "the square of that/this constant/number/scalar/factor", lambda: f"({AMOUNT})^2"),
)

EFFECTS: tuple[Rule, ...] = (
    *(
        Rule("effect", words, lambda: (Thing(IT), f"{{a}}{LAW_OF}{{b}}"))
        for words in (
            "does/do/will not change/affect/alter its/the distribution/law",
            "never changes/alters its/the distribution/law",
            "leaves/leave/keeps its/the distribution/law unchanged/invariant/alone",
            "preserves its/the distribution/law",
        )
    ),
    Rule("effect", "shifts/moves <np>", lambda x: (x, "({a} = {b}) does not hold")),
)

AVERAGES: tuple[Rule, ...] = tuple(
    rule
    for words, template in _MEASURES
    for rule in (
        Rule(
            "clause",
            f"averaging <draws_of> gives/yields/has/leaves a/an/the? {words} of? <np>",
            lambda found, value, t=template: _measured(t, found, value),
        ),
        Rule(
            "clause",
            f"averaging <draws_of> reduces/lowers/brings/cuts/changes their/its/the {words} to <np>",
            lambda found, value, t=template: _measured(t, found, value),
        ),
        Rule(
            "clause",
            f"averaging <draws_of> reduces/lowers/cuts/divides their/its/the {words} by a? factor? of? <np>",
            lambda found, factor, t=template: _reduced(t, found, factor),
        ),
        Rule(
            "clause",
            f"averaging <draws_of> does not change/reduce/alter their/its/the {words}",
            lambda found, t=template: _reduced(t, found, Thing("1")),
        ),
    )
)


RULES: tuple[Rule, ...] = (*CHANGES, *EFFECTS, *AVERAGES)
