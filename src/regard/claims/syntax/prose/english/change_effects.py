"""What a change does to a thing: doubles it, leaves it unchanged, shifts it by a constant, gives the same output.

An effect is a thing and what relates it afterwards, {a}, to what it was before, {b}.
"""

from __future__ import annotations

from collections.abc import Callable

from regard.claims.syntax.prose.chart import Rule
from regard.claims.syntax.prose.phrases import Thing

OUTPUT_OF_ANY = "⟨output⟩"
"""Stands for the output, which is that of softmax or of attention by what is changed."""

EFFECTS: tuple[tuple[str, str], ...] = (
    ("does/do/will/can not change/affect/alter/influence <np>", "{a} = {b}"),
    ("never changes/affects/alters <np>", "{a} = {b}"),
    ("has/have no effect/influence on <np>", "{a} = {b}"),
    ("leaves/leave/keeps <np> unchanged/invariant/unaffected/alone", "{a} = {b}"),
    ("leaves/leave/keeps/keep <np> the same", "{a} = {b}"),
    ("leaves/leave <np> completely/entirely/totally unchanged/unaffected/invariant", "{a} = {b}"),
    ("makes/make no difference to <np>", "{a} = {b}"),
    ("has/have no effect/influence/impact whatsoever? on <np>", "{a} = {b}"),
    ("preserves/preserve <np>", "{a} = {b}"),
    ("triples/triple <np>", "{a} = 3 ({b})"),
    ("negates/flips the? sign? of? <np>", "{a} = -({b})"),
    ("flips/reverses/changes the sign of <np>", "{a} = -({b})"),
    ("does/do/will not change/affect/alter/influence <np> at all", "{a} = {b}"),
    ("leaves/leave <np> as they/it are/is/were/was", "{a} = {b}"),
    ("changes/alters/affects/shifts/moves <np>", "({a} = {b}) does not hold"),
    ("doubles/double <np>", "{a} = 2 ({b})"),
    ("halves/halve <np>", "{a} = ({b})/2"),
    ("squares/square <np>", "{a} = ({b})^2"),
    ("quadruples/quadruple <np>", "{a} = 4 ({b})"),
    ("never decreases/lowers/reduces <np>", "{a} ≥ {b}"),
    ("never increases/raises <np>", "{a} ≤ {b}"),
    ("increases/raises/enlarges <np>", "{a} ≥ {b}"),
    ("decreases/lowers/reduces/shrinks <np>", "{a} ≤ {b}"),
    ("strictly increases/raises <np>", "{a} > {b}"),
    ("strictly decreases/lowers/reduces <np>", "{a} < {b}"),
)
PASSIVE_EFFECTS: tuple[tuple[str, str], ...] = (
    ("<np> is/are/stays/stay/remains/remain unchanged/invariant/unaffected/the same?", "{a} = {b}"),
    ("<np> does/do/will not change at? all?", "{a} = {b}"),
    ("<np> does/do not care", "{a} = {b}"),
    ("<np> stays/stay/remains/remain/is/are as it/they was/is/were/are", "{a} = {b}"),
    ("<np> stays/stay/remains/remain/keeps/keep exactly/completely the same/unchanged", "{a} = {b}"),
    ("<np> is/are not changed/affected/altered/influenced", "{a} = {b}"),
    ("<np> triples/triple", "{a} = 3 ({b})"),
    ("<np> changes/flips its? sign", "{a} = -({b})"),
    ("<np> halves/halve", "{a} = ({b})/2"),
    ("<np> is/are halved", "{a} = ({b})/2"),
    ("<np> changes/change", "({a} = {b}) does not hold"),
    ("<np> doubles/double", "{a} = 2 ({b})"),
    ("you/we/one also? double/doubles <np>", "{a} = 2 ({b})"),
    ("you/we/one also? halve/halves <np>", "{a} = ({b})/2"),
    ("you/we/one also? triple/triples <np>", "{a} = 3 ({b})"),
    ("you/we/one also? negate/negates <np>", "{a} = -({b})"),
    ("you/we/one do/does not change/alter <np>", "{a} = {b}"),
    ("<np> is/are doubled", "{a} = 2 ({b})"),
    ("<np> is/are halved", "{a} = ({b})/2"),
    ("<np> quadruples/quadruple", "{a} = 4 ({b})"),
    ("<np> is/are quadrupled", "{a} = 4 ({b})"),
    ("<np> is/are squared", "{a} = ({b})^2"),
)


def _effect(template: str) -> Callable[[Thing], tuple[Thing, str]]:
    return lambda thing: (thing, template)


def _multiplied(thing: Thing, factor: str) -> tuple[Thing, str]:
    return thing, f"{{a}} = ({factor}) ({{b}})"


def _into(thing: Thing, new: Thing) -> tuple[Thing, str]:
    return thing, f"{{a}} = {new.signs}"


SAME_AMOUNT = "⟨same amount⟩"
"""Stands for what the change adds, or multiplies by, in an effect `by the same constant`."""

RULES: tuple[Rule, ...] = (
    Rule("effect", "changes/alters/affects nothing", lambda: (Thing(OUTPUT_OF_ANY), "{a} = {b}")),
    Rule("effect", "does/do not change/alter/affect anything", lambda: (Thing(OUTPUT_OF_ANY), "{a} = {b}")),
    Rule("effect", "makes/make no difference at? all?", lambda: (Thing(OUTPUT_OF_ANY), "{a} = {b}")),
    Rule("effect", "does/do not matter", lambda: (Thing(OUTPUT_OF_ANY), "{a} = {b}")),
    Rule(
        "same_amount",
        "the/that/this same? positive? amount/constant/factor/number/vector/scalar",
        lambda: SAME_AMOUNT,
    ),
    Rule("same_amount", "it", lambda: SAME_AMOUNT),
    Rule("effect", "multiplies/multiply/scales/rescales <np> by/with <same_amount>", _multiplied),
    Rule("effect", "adds/add <same_amount> to <np>", lambda x, of: (of, f"{{a}} = ({{b}}) + {x}")),
    Rule(
        "effect",
        "shifts/shift/moves/translates/increases/raises <np> by <same_amount>",
        lambda of, x: (of, f"{{a}} = ({{b}}) + {x}"),
    ),
    Rule("effect", "divides/divide <np> by <same_amount>", lambda x, d: (x, f"{{a}} = ({{b}})/({d})")),
    Rule(
        "passive_effect",
        "<np> is/are shifted/moved/translated/increased/raised by <same_amount>",
        lambda of, x: (of, f"{{a}} = ({{b}}) + {x}"),
    ),
    Rule(
        "passive_effect",
        "<np> shifts/moves/increases/rises by <same_amount>",
        lambda of, x: (of, f"{{a}} = ({{b}}) + {x}"),
    ),
    Rule("passive_effect", "<np> is/are multiplied/scaled by/with <same_amount>", _multiplied),
    Rule("passive_effect", "<np> is/are divided by <same_amount>", lambda x, d: (x, f"{{a}} = ({{b}})/({d})")),
    *(Rule("effect", pattern, _effect(template)) for pattern, template in EFFECTS),
    *(Rule("passive_effect", pattern, _effect(template)) for pattern, template in PASSIVE_EFFECTS),
    Rule("effect", "multiplies/multiply/scales <np> by <amount>", _multiplied),
    Rule("effect", "adds/add <amount> to <np>", lambda x, of: (of, f"{{a}} = ({{b}}) + {x}")),
    Rule("effect", "subtracts/subtract <amount> from <np>", lambda x, of: (of, f"{{a}} = ({{b}}) - {x}")),
    Rule("effect", "shifts/shift/moves/move/translates <np> by <amount>", lambda of, x: (of, f"{{a}} = ({{b}}) + {x}")),
    Rule(
        "passive_effect",
        "<np> is/are shifted/moved/translated by <amount>",
        lambda of, x: (of, f"{{a}} = ({{b}}) + {x}"),
    ),
    Rule("effect", "inverts/invert <np>", lambda of: (of, "{a} = 1/({b})")),
    Rule("effect", "increases/increase/raises <np> by <amount>", lambda x, d: (x, f"{{a}} = ({{b}}) + {d}")),
    Rule("effect", "decreases/decrease/lowers <np> by <amount>", lambda x, d: (x, f"{{a}} = ({{b}}) - {d}")),
    Rule("effect", "divides/divide <np> by <amount>", lambda x, d: (x, f"{{a}} = ({{b}})/({d})")),
    Rule("effect", "replaces/replace <np> by/with <expr>", _into),
    Rule("effect", "turns/turn/changes/transforms <np> into <expr>", _into),
    Rule("passive_effect", "<np> is/are replaced by <expr>", _into),
    Rule("passive_effect", "<np> becomes/become <expr>", _into),
    Rule("passive_effect", "<np> is/are multiplied by <amount>", _multiplied),
    Rule("passive_effect", "<np> is/are divided by <amount>", lambda x, d: (x, f"{{a}} = ({{b}})/({d})")),
    Rule(
        "effect",
        "gives/yields/produces/leads to? exactly? the same probabilities/result/output/outputs/distribution/softmax",
        lambda: (Thing(OUTPUT_OF_ANY), "{a} = {b}"),
    ),
    Rule(
        "effect",
        "leaves/leave/keeps the/its? output/outputs/result/probabilities/distribution "
        "unchanged/invariant/unaffected/alone",
        lambda: (Thing(OUTPUT_OF_ANY), "{a} = {b}"),
    ),
    Rule(
        "effect",
        "leaves/leave/keeps the/its? output/outputs/result/probabilities/distribution the same",
        lambda: (Thing(OUTPUT_OF_ANY), "{a} = {b}"),
    ),
    Rule(
        "effect",
        "does/do/will/can not change/affect/alter the/its? output/outputs/result/probabilities/distribution",
        lambda: (Thing(OUTPUT_OF_ANY), "{a} = {b}"),
    ),
)
