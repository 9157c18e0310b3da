"""What is said of softmax, sigmoid, tanh and log-sum-exp: one-hot limits, temperatures, even and odd, Lipschitz."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.dependence import _monotone, at_place
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.english.nouns import derivative
from regard.claims.syntax.prose.english.predicates import Predicate, name_sign, negated
from regard.claims.syntax.prose.phrases import LOGITS, RETURNS, Clause, Thing, claim, letter_of, merged
from regard.claims.syntax.prose.signs import substitute

UNIQUE = f"{LOGITS} uniquemax"


def _argument(thing: Thing) -> str:
    """The letter that a function is of."""
    return letter_of(thing)


def _mirrored(sign: str) -> Predicate:
    """f(−x) = ±f(x)."""

    def meaning(thing: Thing) -> Clause:
        if thing.kind == "derivative" and thing.about is not None:  # f′(−x) is −∂/∂x f(−x)
            letter = _argument(thing.about)
            there = f"-(∂/∂{letter} ({substitute(thing.about.signs, letter, f'(-{letter})')}))"
        else:
            letter = _argument(thing)
            there = substitute(thing.signs, letter, f"(-{letter})")
        return claim(f"{there} = {sign}({thing.signs})", of=thing)

    return meaning


def _lipschitz(constant: Thing) -> Predicate:
    """|f(x) − f(y)| ≤ L |x − y|, with norms for vectors."""

    def meaning(thing: Thing) -> Clause:
        letter = _argument(thing)
        other = fresh("vector")
        there = substitute(thing.signs, letter, other)
        bars = ("‖", "‖") if "softmax" in thing.signs else ("|", "|")
        around = "‖{}‖" if letter == LOGITS or bars[0] == "‖" else "|{}|"
        difference = around.format(f"{letter} - {other}")
        left = f"{bars[0]}{thing.signs} - {there}{bars[1]}"
        return claim(f"{left} ≤ {constant.factor} {difference}", of=thing)

    return meaning


def _steepest(at: Thing) -> Predicate:
    """The derivative is largest at a place, and is spoken of there afterwards."""

    def meaning(thing: Thing) -> Clause:
        slope = derivative(thing, None)
        letter = _argument(thing)
        there = at_place(slope, letter, at.signs)
        return claim(f"{slope.signs} ≤ {there}", of=Thing(there, thing.given))

    return meaning


def _in_size(thing: Thing) -> Thing:
    """The absolute value of an expression, once."""
    return thing if re.fullmatch(r"\|[^|]*\|", thing.signs) else Thing(f"|{thing.signs}|", thing.given, thing.kind)


def _one_hot(thing: Thing) -> Clause:
    """Nearly all on one entry: of numbers that sum to one, the largest goes to 1."""
    if thing.kind != "softmax" and "softmax" not in thing.signs:
        raise Unreadable
    return claim(f"max_i {thing.factor}_i → 1", of=thing)


def _one_hot_at_largest(thing: Thing, scores: Thing) -> Clause:
    """All on the largest entry of z: the mean of z by these weights is that entry."""
    if thing.kind != "softmax" and "softmax" not in thing.signs:
        raise Unreadable
    return claim(f"{scores.factor}^T {thing.factor} → max_i {scores.factor}_i", of=thing, given=scores.given)


def _unique(thing: Thing) -> tuple[str, ...]:
    return (f"{thing.signs} uniquemax",)


def _is_sigmoid(thing: Thing) -> Clause:
    """σ is the sigmoid, which names a sign; anything else is an equation."""
    if re.fullmatch(r"σ|\\sigma", thing.signs):
        return name_sign(thing)
    return claim(f"{thing.signs} = σ(x)", of=thing)


_LARGEST = "largest/maximal/maximum/greatest/highest/biggest"
_BECOMES = "tends/tend/goes/converges/converge/approaches/becomes/become/collapses/concentrates/turns to/into? "
_ONE_HOT = "the/a/some? one-hot vector/distribution?"

ONE_HOT: tuple[Rule, ...] = (
    Rule("vp", f"{_BECOMES}{_ONE_HOT}", lambda: _one_hot),
    Rule(
        "vp",
        f"{_BECOMES}{_ONE_HOT} at/of/for/on/in/with the? position/index/location? of? the? {_LARGEST} "
        "entry/component/element/logit/score/value/coordinate of <np>",
        lambda z: lambda x: _one_hot_at_largest(x, z),
    ),
    Rule(
        "vp",
        f"{_BECOMES}{_ONE_HOT} at/of/for/on/in/with the? position/index/location? of? the? "
        f"{_LARGEST} entry/component/element/logit/score/value/coordinate?",
        lambda: lambda x: _one_hot_at_largest(x, Thing(LOGITS)),
    ),
    Rule(
        "vp",
        f"{_BECOMES}{_ONE_HOT} at/of/for/on the? argmax/arg-max/maximiser/maximizer of <np>",
        lambda z: lambda x: _one_hot_at_largest(x, z),
    ),
    Rule("unique_of", "of <sym>", lambda x: x),
    Rule("largest", f"{_LARGEST} entry/component/element/logit/score/value/coordinate?", lambda: None),
    Rule("largest", "maximum/argmax/maximiser/maximizer", lambda: None),
    Rule(
        "clause",
        "the/its <largest> <unique_of>? is/be? assumed? to? be? unique",
        lambda _, x: claim(f"{x.signs if x else LOGITS} uniquemax"),
    ),
    Rule(
        "clause",
        "<sym> has/have/with? a/one/exactly? a/one? unique/single <largest>",
        lambda x, _: claim(f"{x.signs} uniquemax", of=x),
    ),
    Rule("clause", "there is/are a/one/exactly? unique/single? <largest>", lambda _: claim(UNIQUE)),
    Rule("clause", "the? <largest> is attained/reached/taken only? once", lambda _: claim(UNIQUE)),
    Rule("clause", "a/one/exactly? unique/single <largest>", lambda _: claim(UNIQUE)),
    Rule("clause", "no ties/two? largest? equal? entries/logits? are? equal?", lambda: claim(UNIQUE)),
    Rule("entity_tail", "with a/one? unique/single <largest>", lambda _: _unique),
    Rule("entity_tail", "whose <largest> is unique", lambda _: _unique),
    Rule("entity_tail", "that/which has a unique/single <largest>", lambda _: _unique),
)

FUNCTIONS: tuple[Rule, ...] = (
    Rule("vp", "denotes/is the? usual? logistic? sigmoid/logistic function?", lambda: _is_sigmoid),
    Rule("pred", "an? even function?", lambda: _mirrored("")),
    Rule("pred", "an? odd function?", lambda: _mirrored("-")),
    Rule("pred", "not an? even function?", lambda: lambda x: negated(_mirrored("")(x))),
    Rule("pred", "not an? odd function?", lambda: lambda x: negated(_mirrored("-")(x))),
    Rule("pred", "globally? lipschitz continuous? with constant/modulus <expr> <norms>?", lambda c, _: _lipschitz(c)),
    Rule("pred", "<lipschitz> continuous? <norms>?", lambda c, _: _lipschitz(c)),
    Rule("norms", "wrt the? <expr> norm", lambda _: None),
    Rule("norms", "wrt/in the? <expr>", lambda _: None),
    Rule("norms", "wrt/in the? euclidean norm", lambda: None),
    Rule("norms", "in <expr> norm", lambda _: None),
    Rule("lipschitz", "1-lipschitz", lambda: Thing("1")),
    Rule("lipschitz", "<expr> lipschitz", lambda c: Thing(c.signs.rstrip("-–"))),
    Rule("lipschitz", "non-expansive/nonexpansive", lambda: Thing("1")),
    Rule("pred", "steepest at/in <np>", _steepest),
    Rule("base", "its/the slope <place_word>?", lambda there: Thing("⟨it⟩")),
    Rule("place_word", "there/here", lambda: None),
)


_COMPARED: tuple[tuple[str, str], ...] = (
    ("is larger/greater/bigger/more than", "≤"),
    ("is above", "≤"),
    ("exceeds", "≤"),
    ("is smaller/less/lower than", "≥"),
    ("is below", "≥"),
    ("is negative", "≥"),
    ("is positive", "≤"),
    ("is equal to", "≠"),
    ("equals", "≠"),
)


def _no_entry(thing: Thing, sign: str, bound: Thing | None) -> Clause:
    value = "0" if bound is None else bound.signs
    return claim(f"{thing.signs} {sign} {value}", of=thing, given=merged(thing, bound))


def _jacobian(letter: str, *given: str) -> Thing:
    p = f"softmax({letter})"
    return Thing(f"(diag({p}) - {p} {p}^T)", given, "matrix")


def _gradient_of_log_sum_exp(at: Thing) -> Thing:
    return derivative(Thing(f"log(\\sum_i exp({at.factor}_i))", at.given), at)


def _of_softmax(thing: Thing) -> Thing:
    """Diag(p) − p pᵀ that is called the Jacobian of softmax: p is a softmax."""
    found = re.search(r"diag\}?\s*\(\s*(?P<name>\\?\w+)\s*\)", " ".join((thing.signs, *thing.given)))
    if found is None:
        raise Unreadable
    return Thing(thing.signs, (*thing.given, f"{found['name']} = softmax({LOGITS})"), "matrix")


def _entry(thing: Thing) -> Thing:
    """An entry of a vector, or of a matrix that the words or signs show to be one."""
    is_matrix = thing.kind == "matrix" or re.match(r"\(?(?:diag|\\mathrm\{diag\}|\\operatorname\{diag\})", thing.signs)
    return Thing(f"{thing.factor}_{'ij' if is_matrix else 'i'}", thing.given)


def _maps_into(low: Thing, high: Thing, *, is_open: bool) -> Predicate:
    sign = "<" if is_open else "≤"
    return lambda x: claim(f"{low.signs} {sign} {x.signs}", f"{x.signs} {sign} {high.signs}", of=x)


def _interval(bounds: Thing) -> Predicate:
    """Into (0, 1) or [0, 1].

    Raises: Unreadable for what is no interval.
    """
    found = re.fullmatch(r"(?P<left>[(\[])\s*(?P<low>[^,]+),(?P<high>[^,]+)(?P<right>[)\]])", bounds.signs.strip())
    if found is None:
        raise Unreadable
    left, right = ("<" if found[one] in "()" else "≤" for one in ("left", "right"))
    return lambda x: claim(f"{found['low']} {left} {x.signs}", f"{x.signs} {right} {found['high']}", of=x)


_MAPS = (
    "maps/takes/sends/squashes/squeezes all/every/any/the? real? numbers/number/values/value/inputs/input/line? to/into"
)
INTERVALS: tuple[Rule, ...] = (
    Rule(
        "vp", f"{_MAPS} the? open interval from/between <np> to/and <np>", lambda a, b: _maps_into(a, b, is_open=True)
    ),
    Rule(
        "vp",
        f"{_MAPS} the? closed? interval from/between <np> to/and <np>",
        lambda a, b: _maps_into(a, b, is_open=False),
    ),
    Rule("vp", f"{_MAPS} values/numbers between <np> and <np>", lambda a, b: _maps_into(a, b, is_open=False)),
    Rule("vp", f"{_MAPS} the? open/closed? interval? <expr>", _interval),
)

ENTRIES: tuple[Rule, ...] = (
    Rule("entry", "diagonal entry/element of <np>", lambda x: Thing(f"{x.factor}_ii", x.given)),
    Rule("entry", "off-diagonal entry/element of <np>", lambda x: Thing(f"{x.factor}_ij", (*x.given, "i ≠ j"))),
    Rule("entry", "entry/element/component of <np>", _entry),
    Rule("entry", "entries/elements/components/coordinates of <np>", _entry),
    Rule("base", "the? gradient of the? log-sum-exp function? at? <expr>", _gradient_of_log_sum_exp),
    Rule("base", "every/each/any/all/the? the? <entry>", lambda entry: entry),
    Rule(
        "base",
        "all/the/every/each? the? softmax? probabilities/probability",
        lambda: Thing(f"softmax({LOGITS})_i", (), "softmax"),
    ),
    Rule(
        "base",
        "the? softmax? jacobian matrix? of the? softmax function? at/for a/any/every/each? point? <typed>",
        lambda typed: _jacobian(typed[0], typed[1]),
    ),
    Rule("base", "the? softmax? jacobian matrix? of the? softmax function? at <sym>", lambda z: _jacobian(z.signs)),
    Rule("base", "the/this? softmax jacobian matrix? <defined>", _of_softmax),
    Rule("base", "the/this? softmax jacobian matrix? <expr>", _of_softmax),
    Rule("base", "the/this? jacobian matrix? <expr> of the? softmax function?", _of_softmax),
    *(
        Rule(
            "clause",
            f"no <entry> {words}" + (" <np>" if sign not in words and not words.endswith("tive") else ""),
            lambda x, bound=None, sign=sign: _no_entry(x, sign, bound),
        )
        for words, sign in _COMPARED
    ),
    Rule("size_bound", "at most <np>", lambda x: ("≤", x)),
    Rule("size_bound", "no/not/never more/larger/greater/bigger than <np>", lambda x: ("≤", x)),
    Rule("size_bound", "bounded by <np>", lambda x: ("≤", x)),
    Rule("size_bound", "less/smaller than <np>", lambda x: ("<", x)),
    Rule(
        "clause",
        "<np> is/are <size_bound> in absolute/modulus value/magnitude?",
        lambda x, bound: claim(f"{_in_size(x).signs} {bound[0]} {bound[1].signs}", of=x, given=merged(x, bound[1])),
    ),
    Rule(
        "clause",
        "<np> is/are in absolute value/magnitude? <size_bound>",
        lambda x, bound: claim(f"{_in_size(x).signs} {bound[0]} {bound[1].signs}", of=x, given=merged(x, bound[1])),
    ),
)


def _temperature(symbol: Thing | None) -> str:
    return symbol.signs if symbol is not None else "T"


def at_temperature(thing: Thing, letter: str) -> Thing:
    """An expression with softmax(z/T) for softmax(z), where a temperature T is spoken of that it does not have."""
    plain = f"softmax({LOGITS})"
    if letter not in ("T", "τ", "\\tau") or plain not in thing.signs:
        return thing
    return Thing(thing.signs.replace(plain, f"softmax({LOGITS}/{letter})"), (*thing.given, f"{letter} > 0"), thing.kind)


def _moved(by: str, thing: Thing, sign: str) -> Clause:
    """The derivative of an expression by a letter that is raised, which must stand in it."""
    thing = at_temperature(thing, by)
    return _monotone(thing, Thing(by), sign)


_UP = "raising/increasing/enlarging"
_DOWN = "lowering/decreasing/reducing"
_OPPOSITE = {"≥": "≤", "≤": "≥", ">": "<", "<": ">"}
_EFFECTS: tuple[tuple[str, str], ...] = (
    ("makes <np> larger/bigger/greater/higher", "≥"),
    ("makes <np> smaller/lower/less", "≤"),
    ("increases/raises/enlarges <np>", "≥"),
    ("decreases/lowers/reduces/shrinks <np>", "≤"),
    ("never decreases/lowers/reduces <np>", "≥"),
    ("never increases/raises <np>", "≤"),
    ("can not decrease/lower/reduce <np>", "≥"),
    ("can not increase/raise <np>", "≤"),
)
_RISES = "increases/grows/rises"
_FALLS = "decreases/shrinks/falls/drops"
_CHANGES: tuple[tuple[str, str], ...] = (
    (_RISES, "≥"),
    ("never decreases/shrinks/falls/drops", "≥"),
    ("does not decrease/shrink/fall/drop", "≥"),
    (_FALLS, "≤"),
    ("never increases/grows/rises", "≤"),
    ("does not increase/grow/rise", "≤"),
    ("strictly increases/grows/rises", ">"),
    ("strictly decreases/shrinks/falls", "<"),
)


def _raised(thing: Thing, by: Thing | tuple[Thing, str], sign: str) -> Clause:
    letter, given = by if isinstance(by, tuple) else (by, "")
    found = _moved(letter.signs, thing, sign)
    return found.under(given) if given else found


TEMPERATURES: tuple[Rule, ...] = (
    Rule("dial", "the? <qualifiers>? <name>? <sym>", lambda _, __, x: x),
    Rule("dial", "the? <qualifiers>? <name>? <typed>", lambda _, __, x: (Thing(x[0]), x[1])),
    Rule("dial", "the? temperature", lambda: Thing("T")),
    *(
        Rule("clause", f"{verbs} <dial> {effect}", lambda by, x, sign=sign, d=d: _raised(x, by, d[sign]))
        for verbs, d in ((_UP, {one: one for one in _OPPOSITE}), (_DOWN, _OPPOSITE))
        for effect, sign in _EFFECTS
    ),
    *(
        Rule(
            "clause",
            f"<np> {words} when/as/if/whenever <dial> {verbs}",
            lambda x, by, sign=sign, d=d: _raised(x, by, d[sign]),
        )
        for verbs, d in (
            ("is? raised/increased/increases/grows/rises/larger", {one: one for one in _OPPOSITE}),
            ("is? lowered/decreased/reduced/decreases/falls/shrinks", _OPPOSITE),
        )
        for words, sign in _CHANGES
    ),
)


def _keeps_order(thing: Thing) -> Clause:
    """Larger logits give larger entries."""
    if "softmax" not in thing.signs:
        raise Unreadable
    letter = _argument(thing)
    return claim(f"{thing.signs}_i > {thing.signs}_j", of=thing, given=(f"{letter}_i > {letter}_j",))


def _multiple(thing: Thing, of: Thing) -> Clause:
    factor = fresh("number")
    return claim(f"{thing.signs} = {factor} {of.factor} for some {factor}", of=thing)


def _injective(thing: Thing) -> Clause:
    """f(x) = f(y) only where x = y."""
    letter = _argument(thing)
    other = fresh("vector")
    there = substitute(thing.signs, letter, other)
    return Clause((f"{letter} = {other}",), (f"{thing.signs} = {there}",), thing)


EQUAL: tuple[Rule, ...] = (
    Rule(
        "clause",
        "all/the? of? the? classes/outcomes/labels/options/tokens are/become all? equally likely/probable",
        lambda: claim(f"softmax({LOGITS})_i {RETURNS} 1/n"),
    ),
    Rule("vp", "turns/turn into the? uniform distribution", lambda: lambda x: claim(f"{x.factor}_i → 1/n", of=x)),
    Rule(
        "clause",
        "all the? <expr> logits/scores are/be all? equal/identical",
        lambda _: claim(f"{LOGITS}_r = {LOGITS}_u"),
    ),
    Rule(
        "clause",
        "all/the? of? the? logits/scores are/be all? equal/identical/alike/coincide to? each? other?",
        lambda: claim(f"{LOGITS}_r = {LOGITS}_u"),
    ),
    Rule(
        "clause", "all/the? of? the? logits/scores have/take the same value", lambda: claim(f"{LOGITS}_r = {LOGITS}_u")
    ),
    Rule("clause", "all/the? of? the? logits/scores are/be all? the same", lambda: claim(f"{LOGITS}_r = {LOGITS}_u")),
)

ORDERS: tuple[Rule, ...] = (
    Rule(
        "vp",
        "preserves/keeps/respects the order/ordering/ranking of? its/the? inputs/input/logits/entries/scores?",
        lambda: _keeps_order,
    ),
    Rule("vp", "is/are order-preserving", lambda: _keeps_order),
    Rule("vp", "is/are not one-to-one/injective", lambda: lambda x: negated(_injective(x))),
    Rule("vp", "is/are one-to-one/injective", lambda: _injective),
    Rule("vp", "is/are an/a injective/one-to-one map/function <from_to>?", lambda _: _injective),
    Rule("from_to", "from <expr> to/into <expr>", lambda *_: None),
    Rule("from_to", "from <expr> to/into the? probability? simplex", lambda _: None),
    Rule("from_to", "on <expr>", lambda _: None),
    Rule(
        "clause",
        "two/different different? logit/input? vectors can/may/might produce/give/have/lead exactly? to? the same "
        "softmax output/outputs/distribution/probabilities/vector?",
        lambda: negated(_injective(Thing(f"softmax({LOGITS})", (), "softmax"))),
    ),
    Rule("vp", "is/are a scalar? multiple of <np>", lambda y: lambda x: _multiple(x, y)),
)

RULES: tuple[Rule, ...] = (*EQUAL, *INTERVALS, *ORDERS, *ONE_HOT, *FUNCTIONS, *ENTRIES, *TEMPERATURES)
