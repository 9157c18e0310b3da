"""What becomes of a thing when something in it is changed: doubling all values doubles the output.

A change says what stands for a letter afterwards. The thing is written twice, before and after, and the effect relates
the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.prose.attention.attention import OUTPUT, SOFTMAX, WEIGHT
from regard.claims.syntax.prose.attention.key_value_pairs import PairChange
from regard.claims.syntax.prose.attention.weights import OUTPUT_LETTER, WEIGHTS
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.change_effects import OUTPUT_OF_ANY, SAME_AMOUNT
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.english.tails import with_tails
from regard.claims.syntax.prose.information.score_changes import SCORES
from regard.claims.syntax.prose.networks.layers import INPUT, WRITTEN_OUT
from regard.claims.syntax.prose.phrases import IT, ITS, LOGITS, Clause, Thing, both, claim, given_by, put_it
from regard.claims.syntax.prose.signs import substitute, symbols_in

Change = tuple[tuple[str, str], ...]
"""Letters and what stands for them afterwards."""
AMOUNT = "⟨amount⟩"
"""Stands for what the change adds, or multiplies by: it shifts the mean by that constant."""

_EXPLICIT = (
    ("α", WEIGHT),
    ("\\alpha", WEIGHT),
    (WEIGHTS, WEIGHT),
    (f"{WEIGHTS}_i", WEIGHT),
    ("α_i", WEIGHT),
    ("\\alpha_i", WEIGHT),
    (OUTPUT_LETTER, OUTPUT),
    ("c", OUTPUT),
)
_WRITTEN_OUT = SCORES | WRITTEN_OUT
"""By what is changed, what other things are in its letters."""
_WEIGHT_OF = re.compile(rf"(?:{WEIGHTS}|α|\\alpha)_\{{?(\w)\}}?")


def change_thing(thing: Thing, change: Change | PairChange) -> tuple[str, str]:
    """The thing after the change and before it.

    Raises: Unreadable where it has none of the letters, so that nothing can be seen of the change.
    """
    if isinstance(change, PairChange):
        return change.effect_on(thing)
    before = thing.signs
    letters = {letter for letter, _ in change}
    if letters & {"k", "v", "q"}:
        ratio = re.fullmatch(rf"{_WEIGHT_OF.pattern}\s*/\s*{_WEIGHT_OF.pattern}", before)
        if ratio is not None:
            before = f"exp(k_{ratio[1]}^T q) / exp(k_{ratio[2]}^T q)"
        before = dict(_EXPLICIT).get(before, before)
        before = before.replace("‖c‖", f"‖{OUTPUT}‖").replace(f"‖{OUTPUT_LETTER}‖", f"‖{OUTPUT}‖")
        before = before.replace("H(α)", "H(softmax(K q))").replace(f"H({WEIGHTS}_i)", "H(softmax(K q))")
        before = _WEIGHT_OF.sub(
            lambda found: "(" + WEIGHT.replace("k_i", f"k_{found[1]}", 1).replace("_j", "_m") + ")", before
        )
    if letters & _TEMPERATURES:
        vector = f"softmax(s/{min(letters & _TEMPERATURES)})"
        before = before.replace(f"H({WEIGHTS}_i)", f"H({vector})").replace(WEIGHTS, vector)
        before = before.replace(OUTPUT_LETTER, f"(\\sum_i {vector}_i v_i)")
        before = before.replace(SOFTMAX, f"softmax({LOGITS}/{min(letters & _TEMPERATURES)})")
    before = next((_WRITTEN_OUT[one].get(before, before) for one in letters if one in _WRITTEN_OUT), before)
    if letters == {INPUT} and SOFTMAX in before:  # of softmax by itself, the inputs are the logits
        change = tuple((LOGITS, new.replace(INPUT, LOGITS)) for _, new in change)
        letters = {LOGITS}
    if letters == {LOGITS}:
        before = before.replace(OUTPUT_LETTER, f"(\\sum_i {SOFTMAX}_i v_i)")
        before = _OF_SCORES.get(before, before)
    if letters & {"k", "v", "q"}:
        before = {OUTPUT_OF_ANY: OUTPUT}.get(before, before)
    if letters == {"v"} and thing.signs in (WEIGHTS, f"{WEIGHTS}_i", "α", "α_i", "\\alpha_i", "k_i^T q"):
        return before, before  # values have no part in weights and scores
    after = before
    changed = False
    for letter, new in change:
        try:
            after = (
                _replace_family(after, letter, new) if letter in ("k", "v") else substitute(after, letter, f"({new})")
            )
            changed = True
        except Unreadable:
            continue
    if not changed:
        raise Unreadable
    return after, before


_OF_SCORES = {
    **{f"{name}{index}": f"{SOFTMAX}{index}" for name in (WEIGHTS, "α", "\\alpha") for index in ("", "_i")},
    OUTPUT_OF_ANY: SOFTMAX,
    "c": f"(\\sum_i {SOFTMAX}_i v_i)",
}
"""What weights and output are as functions of the scores."""


def _together(first: Change | PairChange, second: Change | PairChange) -> Change:
    """Doubling q and halving all keys: both at once.

    Raises: Unreadable for changes of pairs, and for two of one letter.
    """
    if isinstance(first, PairChange) or isinstance(second, PairChange):
        raise Unreadable
    letters = [letter for letter, _ in (*first, *second) if letter]
    if len(letters) != len(set(letters)):
        raise Unreadable
    return (*first, *second)


def _replace_family(signs: str, letter: str, new: str) -> str:
    """k_i and k_j with what is said of k_i."""
    pattern = re.compile(rf"(?<![A-Za-z\\]){letter}_(\w)")
    if not pattern.search(signs):
        raise Unreadable
    return pattern.sub(lambda found: f"({new.replace('_•', '_' + found[1])})", signs)


_TARGETS: tuple[tuple[str, str], ...] = (
    ("all/every/each/the? of? the? keys/key <any>?", "k"),
    ("all/every/each/the? of? the? key vectors/vector <any>?", "k"),
    ("all/every/each/the? of? the? values/value vectors/vector? <any>?", "v"),
    ("the? query vector? <any>?", "q"),
    ("the? length of the query vector?", "q"),
    ("all/every/each/the? of? the? logits/logit/scores/score", LOGITS),
    ("all/every/each/the? of? its/the? inputs/arguments/entries/components", LOGITS),
    ("all/every/each/the? entries/components of the? logits/scores", LOGITS),
    ("the? temperature", "T"),
)


def _target(letter: str) -> str:
    return f"{letter}_•" if letter in ("k", "v") else letter


def _times(letter: str, factor: str) -> Change:
    return ((letter, f"({factor}) {_target(letter)}"),)


def _plus(letter: str, added: str, sign: str = "+") -> Change:
    return ((letter, f"{_target(letter)} {sign} {added}"),)


def _moved(letter: str, direction: int) -> Change:
    """A temperature that is raised or lowered by some factor.

    Raises: Unreadable for what may have either sign.
    """
    if letter not in _TEMPERATURES:
        raise Unreadable
    factor = f"(1 + |{fresh('number')}|)"
    return ((letter, f"{factor} {letter}" if direction > 0 else f"{letter}/{factor}"), ("", f"{letter} > 0"))


_TEMPERATURES = frozenset(["T", "τ", "\\tau"])


def _positive(rel: str) -> str:
    found = re.fullmatch(r"\s*(\\?\w+)\s*>\s*0\s*", rel)
    if found is None:
        raise Unreadable
    return found[1]


def _replaced(old: Thing, new: Thing) -> Change:
    name = old.signs.strip()
    family = re.fullmatch(r"([kv])_(\w)", name)
    if family is not None:
        return ((family[1], re.sub(rf"(?<![A-Za-z\\])?{family[1]}_{family[2]}", f"{family[1]}_•", new.signs)),)
    return ((name, new.signs),)


def _whole(thing: Thing, factor: str) -> Change:
    """All entries of a matrix times a number."""
    return ((thing.signs, f"({factor}) {thing.signs}"), ("", " and ".join(thing.given)))


def _negated(names: tuple[str, ...]) -> Change:
    return tuple((name, f"-{name}") for name in names)


def _replace_tuple(old: Thing, new: Thing) -> Change:
    """(W, b) by (aW, ab): each letter by what stands in its place."""
    before, after = (re.fullmatch(r"\(([^()]*)\)", one.signs.strip()) for one in (old, new))
    if before is None or after is None:
        raise Unreadable
    names, values = (found[1].split(",") for found in (before, after))
    others = [{one.strip() for one in names} - {name.strip()} for name in names]
    is_mixed = any(set(symbols_in(value)) & other for value, other in zip(values, others, strict=False))
    if len(names) != len(values) or len(names) < 2 or is_mixed:  # (x, y) by (y, x) is not done letter by letter
        raise Unreadable
    return tuple((name.strip(), value.strip()) for name, value in zip(names, values, strict=True))


def _amount(thing: Thing | None, kind: str) -> str:
    return thing.signs if thing is not None else fresh(kind)


_CONSTANT = "the/a/any/an/some/one? and? the? same? arbitrary/fixed/common/real/constant?"


def _state(change: Change | PairChange, effect: tuple[Thing, str]) -> Clause:
    thing, template = effect
    template = _with_same_amount(template, change)
    if isinstance(change, PairChange):
        after, before = change.effect_on(thing)
        return claim(_written(template, after, before), given=(*change.given, *thing.given))
    said = tuple(one for letter, one in change if not letter and one)
    change = tuple(one for one in change if one[0])
    template = _with_amount(template, change)
    if (IT in thing.signs or ITS in thing.signs) and len(change) == 1:
        thing = Thing(put_it(thing.signs, Thing(change[0][0])), (*thing.given, *said))
    after, before = change_thing(thing, change)
    return claim(_written(template, after, before), given=tuple(dict.fromkeys((*thing.given, *said))))


def _same_effect(first: Change | PairChange, thing: Thing, second: Change | PairChange) -> Clause:
    """The thing after one change is what it is after another."""
    return claim(f"{change_thing(thing, first)[0]} = {change_thing(thing, second)[0]}", given=thing.given)


def _with_amount(template: str, change: Change) -> str:
    """The template with what the change adds to its letter, or multiplies it by.

    Raises: Unreadable where it does neither.
    """
    if AMOUNT not in template:
        return template
    (letter, new), *others = change
    found = re.fullmatch(rf"{re.escape(letter)} \+ (.+)|(.+) {re.escape(letter)}", new)
    if others or found is None:
        raise Unreadable
    return template.replace(AMOUNT, found[1] or found[2])


_ADDED_OR_FACTOR = re.compile(r"\S+ \+ (?P<added>.+)|\((?P<factor>.+)\) \S+")


def _with_same_amount(template: str, change: Change | PairChange) -> str:
    """The effect with what the change adds, or multiplies by, for `the same constant`.

    Raises: Unreadable where the change does neither.
    """
    if SAME_AMOUNT not in template:
        return template
    moved = [new for letter, new in change if letter] if not isinstance(change, PairChange) else []
    found = _ADDED_OR_FACTOR.fullmatch(moved[0]) if len(moved) == 1 else None
    if found is None or (found["added"] is None) != (
        f"({SAME_AMOUNT}) (" in template or f"/({SAME_AMOUNT})" in template
    ):
        raise Unreadable
    return template.replace(SAME_AMOUNT, found["added"] or found["factor"])


def _written(template: str, after: str, before: str) -> str:
    written = template.replace("{a}", after).replace("{b}", before)
    return re.sub(r"^\((.*)\) does not hold$", r"\1 does not hold", written)


def _after(
    change: Change | PairChange, thing: Thing, vps: Callable[[Thing], Clause], tails: tuple[tuple[str, object], ...]
) -> Clause:
    """What is said of the thing that the change leaves."""
    after, _ = change_thing(thing, change)
    return with_tails(vps(Thing(after, thing.given)), tails)


def _only_arrow(rel: str) -> None:
    """k_i → k_i + u, which says once more what is changed.

    Raises: Unreadable for any other relation.
    """
    if not re.match(r"\s*[kqv](?:_\w)?\s*(?:→|->|\\to|\\mapsto)", rel):
        raise Unreadable


def _check_any(symbol: Thing) -> None:
    """The letter of every key, k_i; key a and k_a are one of them, which is changed alone.

    Raises: Unreadable.
    """
    if re.fullmatch(r"(?:[a-zμ]_?\{?)?(?:[a-h]|\d|[₀-₉ₐ])\}?", symbol.signs):
        raise Unreadable


CHANGES: tuple[Rule, ...] = (
    *(Rule("target", pattern, lambda *_, letter=letter: letter) for pattern, letter in _TARGETS),
    Rule(
        "target",
        "all/every/each of? the? inputs/input/entries/logits/logit of/to the? softmax function?",
        lambda: LOGITS,
    ),
    Rule("target", "the? <name>? <sym>", lambda _, sym: sym.signs),
    Rule("target", "the? temperature of the? softmax", lambda: "T"),
    Rule("any", "<sym>", _check_any),
    Rule("change", "doubling every/each/all of? the? entry/entries of <entity>", lambda x: _whole(x, "2")),
    Rule("change", "multiplying every/each/all of? the? entry/entries of <entity> by <amount>", _whole),
    Rule("amount", f"{_CONSTANT} vector <expr>?", lambda x: _amount(x, "vector")),
    Rule(
        "amount", f"{_CONSTANT} positive constant/number/scalar/factor <expr>?", lambda x: f"|{_amount(x, 'number')}|"
    ),
    Rule("amount", f"{_CONSTANT} constant/number/scalar/amount/factor <expr>?", lambda x: _amount(x, "number")),
    Rule("amount", f"{_CONSTANT} factor of <expr>", lambda x: x.signs),
    Rule("amount", "<expr>", lambda x: x.signs),
    Rule(
        "amount",
        "the/its/their? largest/maximum/maximal/biggest/max logit/score/entry/input/value?",
        lambda: f"max_j {LOGITS}_j",
    ),
    Rule(
        "amount", "the/its/their? smallest/minimum/minimal logit/score/entry/input/value?", lambda: f"min_j {LOGITS}_j"
    ),
    Rule("amount", "the/its/their? mean/average logit/score? <of_logits>?", lambda _: f"(1/n) \\sum_j {LOGITS}_j"),
    Rule(
        "amount",
        "the/its/their? mean/average/maximum of all? the? logits/scores/entries",
        lambda: f"(1/n) \\sum_j {LOGITS}_j",
    ),
    Rule("of_logits", "of all? the? logits/scores", lambda: None),
    Rule("change", "adding/we/you? add? <amount> to <target>", lambda x, t: _plus(t, x)),
    Rule("change", "subtracting <amount> from <target>", lambda x, t: _plus(t, x, "-")),
    Rule("bare_change", "add <amount> to <target>", lambda x, t: _plus(t, x)),
    Rule("bare_change", "subtract <amount> from <target>", lambda x, t: _plus(t, x, "-")),
    Rule("bare_change", "shift/move <target> by <amount>", _plus),
    Rule("bare_change", "multiply/scale/rescale <target> by/with <amount>", _times),
    Rule("bare_change", "divide <target> by <amount>", lambda t, x: _times(t, f"1/({x})")),
    Rule("passive", "<amount> is/are subtracted from <target>", lambda x, t: _plus(t, x, "-")),
    Rule("passive", "we/you/one <bare_change>", lambda change: change),
    Rule(
        "clause",
        "we/you/one can/may/could always/safely? <bare_change> without changing/affecting/altering <np>",
        lambda change, thing: _state(change, (thing, "{a} = {b}")),
    ),
    Rule("change", "shifting <target> by <amount>", _plus),
    Rule("change", "multiplying/scaling/rescaling <target> by/with <amount>", _times),
    Rule("change", "dividing <target> by <amount>", lambda t, x: _times(t, f"1/({x})")),
    Rule("change", "scaling/rescaling <target>", lambda t: _times(t, f"|{fresh('number')}|")),
    Rule("change", "doubling <target>", lambda t: _times(t, "2")),
    Rule("change", "raising/increasing/enlarging <target>", lambda t: _moved(t, 1)),
    Rule("change", "lowering/decreasing/reducing <target>", lambda t: _moved(t, -1)),
    Rule("amount", "a/the temperature <sym>", lambda x: x.signs),
    Rule("amount", "a/the? temperature <rel>", _positive),
    Rule("amount", "a/the? same? positive? number/factor/constant? <rel>", _positive),
    Rule(
        "passive",
        "we/you/one replace/replaces <sym> by/with <expr> and <sym> by/with <expr>",
        lambda a, b, c, d: (*_replaced(a, b), *_replaced(c, d)),
    ),
    Rule(
        "passive",
        "<sym> is replaced by/with <expr> and <sym> is? by/with <expr>",
        lambda a, b, c, d: (*_replaced(a, b), *_replaced(c, d)),
    ),
    Rule("passive", "every/each/the value vector? is replaced by/with <expr>", lambda x: _replaced(Thing("v_i"), x)),
    Rule("passive", "every/each/the key vector? is replaced by/with <expr>", lambda x: _replaced(Thing("k_i"), x)),
    Rule("passive", "the query vector? is replaced by/with <expr>", lambda x: _replaced(Thing("q"), x)),
    Rule("passive", "<target> is/are raised/increased", lambda t: _moved(t, 1)),
    Rule("passive", "<target> is/are lowered/decreased/reduced", lambda t: _moved(t, -1)),
    Rule("passive", "we/you/one raise/increase <target>", lambda t: _moved(t, 1)),
    Rule("passive", "we/you/one lower/decrease/reduce <target>", lambda t: _moved(t, -1)),
    Rule("change", "negating both? <target> and <target>", lambda a, b: (*_times(a, "-1"), *_times(b, "-1"))),
    Rule("change", "doubling both? <target> and <target>", lambda a, b: (*_times(a, "2"), *_times(b, "2"))),
    Rule(
        "passive",
        "we/you/one negate/negates both? <target> and <target>",
        lambda a, b: (*_times(a, "-1"), *_times(b, "-1")),
    ),
    Rule(
        "passive",
        "we/you/one double/doubles both? <target> and <target>",
        lambda a, b: (*_times(a, "2"), *_times(b, "2")),
    ),
    Rule("passive", "<target> and <target> are both/all? negated", lambda a, b: (*_times(a, "-1"), *_times(b, "-1"))),
    Rule("passive", "<target> and <target> are both/all? doubled", lambda a, b: (*_times(a, "2"), *_times(b, "2"))),
    Rule("change", "halving <target>", lambda t: _times(t, "1/2")),
    Rule("change", "tripling <target>", lambda t: _times(t, "3")),
    Rule("change", "negating <target>", lambda t: _times(t, "-1")),
    Rule("change", "flipping/reversing the sign/signs of <target>", lambda t: _times(t, "-1")),
    Rule("change", "replacing the/each/every? <name>? <sym> by/with <expr>", lambda _, a, b: _replaced(a, b)),
    Rule("change", "replacing <expr> by/with <expr>", _replace_tuple),
    Rule(
        "change",
        "replacing <sym> by/with <expr> and each/every? <sym> by/with <expr>",
        lambda a, b, c, d: (*_replaced(a, b), *_replaced(c, d)),
    ),
    Rule("passive", "<target> is/are/gets all? multiplied/scaled/rescaled by <amount>", _times),
    Rule("passive", "<target> is/are all? divided by <amount>", lambda t, x: _times(t, f"1/({x})")),
    Rule("passive", "<target> is/are doubled", lambda t: _times(t, "2")),
    Rule("passive", "<target> is/are halved", lambda t: _times(t, "1/2")),
    Rule("passive", "<target> is/are negated", lambda t: _times(t, "-1")),
    Rule("passive", "we/you/one negate/negates <target>", lambda t: _times(t, "-1")),
    Rule("passive", "we/you/one halve/halves <target>", lambda t: _times(t, "1/2")),
    Rule("passive", "we/you/one triple/triples <target>", lambda t: _times(t, "3")),
    Rule("passive", "<target> is/are replaced by its/their negative/negatives", lambda t: _times(t, "-1")),
    Rule("change", "replacing <target> by/with its/their negative/negatives", lambda t: _times(t, "-1")),
    Rule("passive", "<syms> are all? negated", _negated),
    Rule("passive", "<syms> are all? replaced by their negatives", _negated),
    Rule("passive", "<target> is/are tripled", lambda t: _times(t, "3")),
    Rule("passive", "<target> is/are shifted by <amount>", _plus),
    Rule("passive", "<amount> is added to <target>", lambda x, t: _plus(t, x)),
    Rule("passive", "we/you/one add/adds <amount> to <target>", lambda x, t: _plus(t, x)),
    Rule("passive", "we/you/one multiply/multiplies/scale <target> by <amount>", _times),
    Rule("passive", "we/you/one double/doubles <target>", lambda t: _times(t, "2")),
    Rule(
        "passive",
        "we/you/one replace/replaces the/each/every? <name>? <sym> by/with <expr>",
        lambda _, a, b: _replaced(a, b),
    ),
    Rule("passive", "the/each/every? <name>? <sym> is/are replaced by/with <expr>", lambda _, a, b: _replaced(a, b)),
)


RULES: tuple[Rule, ...] = (
    *CHANGES,
    Rule("clause", "<change> <before>? <effect>", lambda change, _, effect: _state(change, effect)),
    Rule(
        "clause",
        "<change> , with/where/for <condition> , <effect>",
        lambda change, condition, effect: _state(change, effect).under(*given_by(condition)),
    ),
    Rule("kept", ",? so/ie that? <sym> becomes/become <expr> ,? <kept>?", lambda *_: None),
    Rule(
        "clause",
        "<change> ,? and/while/but also/simultaneously? <change> <effect>",
        lambda first, second, effect: _state(_together(first, second), effect),
    ),
    Rule(
        "body",
        "if/when/whenever <passive> ,? and/while/but <passive> ,? then? <passive_effect>",
        lambda first, second, effect: _state(_together(first, second), effect),
    ),
    Rule(
        "clause",
        "<change> <effect> ,? and/but/while also? <effect>",
        lambda change, first, second: both(_state(change, first), _state(change, second)),
    ),
    Rule(
        "clause", "<passive_effect> if/when/whenever/under/by <passive>", lambda effect, change: _state(change, effect)
    ),
    Rule("clause", "<passive_effect> if/when/under/by <change>", lambda effect, change: _state(change, effect)),
    Rule(
        "body",
        "if/when/whenever <passive> <kept>? ,? then? <passive_effect> <too>?",
        lambda change, _, effect, __: _state(change, effect),
    ),
    Rule(
        "body",
        "if/when/whenever <passive> <kept>? ,? then? you/we/one/this also? <effect>",
        lambda change, _, effect: _state(change, effect),
    ),
    Rule("too", "as well", lambda: None),
    Rule("too", "too/also/accordingly", lambda: None),
    Rule("kept", ",? ie <rel> ,? <kept>?", lambda rel, _: _only_arrow(rel)),
    Rule("kept", ",? and/while/but the? query is/stays/remains left/kept? as/fixed/unchanged it? is?", lambda: None),
    Rule("kept", ",? and/while/but keep/keeping/leave/leaving the? query q? fixed/unchanged/alone", lambda: None),
    Rule("kept", ",? and/while/but keep/keeping/leave/leaving the? query q? as it is", lambda: None),
    Rule("kept", ",? and/while/but the? values are/stay left/kept? as/where/fixed/unchanged they? are?", lambda: None),
    Rule(
        "body",
        "if/when/whenever <passive> <before>? ,? then? <np> <vps> <tails>?",
        lambda change, _, thing, vps, tails: _after(change, thing, vps, tails or ()),
    ),
    Rule("before", "before the softmax", lambda: None),
    Rule("before", "before/when taking/applying/computing/evaluating the softmax", lambda: None),
    Rule("before", "before exponentiating/exponentiation/normalising/normalizing/normalisation", lambda: None),
    Rule("before", "inside/in/of the softmax", lambda: None),
    Rule(
        "clause",
        "it makes no difference to/for? <np>? whether one/we/you takes/take/uses/use/writes/write? <np> or <np>",
        lambda _, a, b: claim(f"{a.signs} = {b.signs}", of=a, given=b.given),
    ),
    Rule(
        "clause",
        "one/we/you may/can/could <do_change> without changing/altering/affecting <np>",
        lambda change, thing: _state(change, (thing, "{a} = {b}")),
    ),
    Rule("do_change", "replace the/each/every? <name>? <sym> by/with <expr>", lambda _, a, b: _replaced(a, b)),
    Rule("do_change", "add <amount> to <target>", lambda x, t: _plus(t, x)),
    Rule("do_change", "multiply/scale <target> by <amount>", _times),
    Rule("do_change", "divide <target> by <amount>", lambda t, x: _times(t, f"1/({x})")),
    Rule("clause", "<change> has the? same effect on <np> as <change>", _same_effect),
    Rule("clause", "<change> changes <np> in the same way as <change>", _same_effect),
    Rule(
        "clause",
        "<np> is/are unaffected/insensitive/immune by/to <change>",
        lambda thing, change: _state(change, (thing, "{a} = {b}")),
    ),
    Rule(
        "clause",
        "<np> is/are not invariant/unchanged to/under/by <change>",
        lambda thing, change: _state(change, (thing, "({a} = {b}) does not hold")),
    ),
    Rule(
        "clause",
        "<np> is/are invariant/unchanged to/under/by <change>",
        lambda thing, change: _state(change, (thing, "{a} = {b}")),
    ),
)
