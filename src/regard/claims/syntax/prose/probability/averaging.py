"""What averaging does to moments: of n independent copies, of two heads whose outputs have the same variance.

Averaging n independent copies divides the variance by n            Var((1/n) Σ X_i) = Var(X_i)/n
Averaging two independent outputs halves the variance               Var((X + Y)/2) = Var(X)/2
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.phrases import Clause, Thing, claim, join_things
from regard.claims.syntax.prose.probability.laws import INDEPENDENT, listed

_MEASURES: tuple[tuple[str, str], ...] = (
    ("variance", "Var({})"),
    ("standard deviation", "Std({})"),
    ("mean/expectation", "E[{}]"),
    ("expected value", "E[{}]"),
)
_EFFECTS: tuple[tuple[str, str], ...] = (
    ("halves", "{a} = {b}/2"),
    ("quarters", "{a} = {b}/4"),
    ("doubles", "{a} = 2 {b}"),
    ("leaves/keeps", "{a} = {b}"),
    ("does not change/reduce/affect/alter", "{a} = {b}"),
    ("reduces/decreases/lowers", "{a} ≤ {b}"),
)


def _sides(names: list[str], average: str, measure: str) -> tuple[str, str]:
    return measure.format(average), measure.format(names[0])


def _two(entity: Thing, measure: str, template: str) -> Clause:
    """The mean of two random things of the same variance.

    Raises: Unreadable for other than two, or where their variances may differ.
    """
    names = entity.signs.split(", ")
    if len(names) != 2 or not entity.kind.startswith("random"):
        raise Unreadable
    if measure.startswith(("Var", "Std")) and not _is_alike(entity, names):
        raise Unreadable
    after, before = _sides(names, join_things("mean", names), measure)
    return claim(template.replace("{a}", after).replace("{b}", before), given=entity.given)


def _is_alike(entity: Thing, names: list[str]) -> bool:
    values = [
        {one.partition("=")[2].strip() for one in entity.given if one.startswith(f"Var({name}) =")} for name in names
    ]
    laws = [{one.replace(name, "") for one in entity.given if one.startswith(f"{name} ~")} for name in names]
    is_said = any(one == f"Var({names[0]}) = Var({names[1]})" for one in entity.given) or "iid" in " ".join(
        entity.given
    )
    return is_said or (bool(values[0]) and values[0] == values[1]) or (bool(laws[0]) and laws[0] == laws[1])


def _draws(found: tuple[str, Thing], measure: str, template: str) -> Clause:
    """The mean of n draws beside one of them."""
    count, family = found
    if not family.signs.endswith("_i"):
        raise Unreadable
    average = f"(1/{count}) \\sum_{{i=1}}^{{{count}}} {family.signs}"
    after, before = _sides([f"{family.signs[:-2]}_1"], average, measure)
    return claim(template.replace("{a}", after).replace("{b}", before), given=family.given)


def _copies(count: Thing) -> tuple[str, Thing]:
    """n independent copies of a random variable.

    Raises: Unreadable where the number has no letter.
    """
    if not count.signs.isalpha():
        raise Unreadable
    name = f"{fresh('random')}_i"
    return count.signs, Thing(name, (f"{name} is iid",), "random")


def _heads(given: str) -> Thing:
    """The outputs of two heads: two numbers of the same variance."""
    names = (fresh("random"), fresh("random"))
    facts = (f"Var({names[0]}) = Var({names[1]})",)
    said = (listed(names, INDEPENDENT),) if given == "independent" else ()
    return Thing(", ".join(names), (*said, *facts), "random list")


def _rules() -> list[Rule]:
    found = []
    for words, measure in _MEASURES:
        of = f"the/its/their? {words} <of_output>?"
        for effect, template in _EFFECTS:
            end = " unchanged" if effect.startswith("leaves") else ""
            found += _both(f"{effect} {of}{end}", lambda *_, t=template: t, measure)
        found += _both(f"divides/reduces {of} by <factor>", lambda *a: f"{{a}} = {{b}}/({a[-1].signs})", measure)
        found += _both(f"multiplies {of} by/with <np>", lambda *a: f"{{a}} = ({a[-1].signs}) {{b}}", measure)
    return found


def _both(effect: str, template: Callable[..., str], measure: str) -> list[Rule]:
    return [
        Rule("clause", f"averaging <averaged> {effect}", lambda x, *a: _two(x, measure, template(*a))),
        Rule("clause", f"averaging <draws_of> {effect}", lambda x, *a: _draws(x, measure, template(*a))),
    ]


def _of_heads(count: Thing) -> tuple[str, Thing]:
    """n independent heads: `the variance` is that of each of them.

    Raises: Unreadable where the number has no letter.
    """
    return _copies(count)


def refuse_unknown_spread(written: str, _: str) -> str:
    """A claim about copies of a random variable, where it says what σ is.

    Raises: Unreadable for `the mean of n independent copies has variance σ²/n`, of which σ² may be the variance.
    """
    head, _, said = written.rpartition("Then ")
    is_said = "σ" in head.replace("\\sigma", "σ")
    if "⟨random:" in written and re.search(r"(?<![A-Za-z(])(?:σ|\\sigma)(?!\s*\()", said) and not is_said:
        raise Unreadable
    return written


_HEADS_KIND = "attention/softmax?"
_OUTPUTS = "heads/outputs/estimates/samples/copies/results"
_EQUAL = "equal/the/identical same? variance/variances"
RULES: tuple[Rule, ...] = (
    Rule("factor", "a factor of? <np>", lambda x: x),
    Rule("factor", "<np>", lambda x: x),
    Rule("of_output", "of the? averaged? output/outputs/result/average", lambda: None),
    Rule("averaged", "<entity>", lambda x: x),
    Rule("averaged", f"two heads with independent outputs of/with {_EQUAL}", lambda: _heads("independent")),
    Rule("averaged", f"two heads whose outputs are independent and have {_EQUAL}", lambda: _heads("independent")),
    Rule("averaged", f"two independent heads of/with {_EQUAL}", lambda: _heads("independent")),
    Rule("averaged", f"two independent head? outputs of/with {_EQUAL}", lambda: _heads("independent")),
    Rule("averaged", f"the? outputs of two independent heads of/with {_EQUAL}", lambda: _heads("independent")),
    Rule("draws_of", "<expr> independent copies <of_variable>?", lambda n, _: _copies(n)),
    Rule("draws_of", "<expr> iid copies <of_variable>?", lambda n, _: _copies(n)),
    Rule("averaged", f"two independent {_HEADS_KIND} {_OUTPUTS}", lambda: _heads("independent")),
    Rule("averaged", "two independent head/attention outputs", lambda: _heads("independent")),
    Rule("averaged", f"the? outputs of two independent {_HEADS_KIND} heads", lambda: _heads("independent")),
    Rule("draws_of", f"<expr> independent {_HEADS_KIND} {_OUTPUTS}", _of_heads),
    Rule("draws_of", "<expr> independent head/attention outputs", _of_heads),
    Rule("draws_of", f"the? outputs of <expr> independent {_HEADS_KIND} heads", _of_heads),
    Rule("of_variable", "of a/the/any? random? variable/quantity", lambda: None),
    *_rules(),
)
