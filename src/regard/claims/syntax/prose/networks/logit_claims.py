"""Short claims about softmax: shift invariant, uniform for equal logits, flatter at a high temperature."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.dependence import at_place
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.english.nouns import derivative, hessian
from regard.claims.syntax.prose.english.predicates import Predicate, negated, say_uniform
from regard.claims.syntax.prose.networks.softmax import _injective, _keeps_order
from regard.claims.syntax.prose.phrases import ITS_LETTER, LOGITS, LOSS, Clause, Thing, claim, merged
from regard.claims.syntax.prose.signs import substitute

_SOFTMAX = f"softmax({LOGITS})"
_ENTRIES = "logits/scores/inputs/entries/components"


def _is_invariant(thing: Thing, *, by_factor: bool) -> Clause:
    """Softmax of z + c 1, or of c z with c > 0, is that of z.

    Raises: Unreadable for what is no softmax.
    """
    if "softmax" not in thing.signs or LOGITS not in thing.signs:
        raise Unreadable
    number = fresh("number")
    moved = f"(|{number}| {LOGITS})" if by_factor else f"({LOGITS} + {number})"
    return claim(f"{thing.signs.replace(LOGITS, moved)} = {thing.signs}", of=thing)


def _invariance(*, by_factor: bool, is_denied: bool = False) -> Predicate:
    def meaning(thing: Thing) -> Clause:
        found = _is_invariant(thing, by_factor=by_factor)
        return negated(found) if is_denied else found

    return meaning


_KINDS = (
    (
        False,
        "shift-invariant/translation-invariant",
        "shift/translation",
        "shifts/translations/shift/translation/shifting",
    ),
    (True, "scale-invariant", "scale/scaling", "scalings/scaling/rescaling/rescalings"),
)
INVARIANCE: tuple[Rule, ...] = (
    *(
        rule
        for by_factor, hyphened, adjective, nouns in _KINDS
        for lead, is_denied in (("is/are", False), ("is/are not", True))
        for rule in (
            Rule("vp", f"{lead} {hyphened}", lambda f=by_factor, d=is_denied: _invariance(by_factor=f, is_denied=d)),
            Rule(
                "vp",
                f"{lead} {adjective} invariant",
                lambda f=by_factor, d=is_denied: _invariance(by_factor=f, is_denied=d),
            ),
            Rule(
                "vp",
                f"{lead} invariant/insensitive/unaffected to/under/by constant/uniform? {nouns} <of_its_inputs>?",
                lambda _, f=by_factor, d=is_denied: _invariance(by_factor=f, is_denied=d),
            ),
        )
    ),
    Rule("of_its_inputs", f"of/in all? its/the {_ENTRIES}", lambda: None),
    Rule("of_its_inputs", f"its/the {_ENTRIES}", lambda: None),
    Rule("of_its_inputs", "of/in its/the input/argument/logit vector?", lambda: None),
)


def _uniform(thing: Thing) -> Clause:
    """Raises: Unreadable for what is no softmax."""
    if "softmax" not in thing.signs:
        raise Unreadable
    return say_uniform(thing)


def _each_is(value: Thing) -> Predicate:
    def meaning(thing: Thing) -> Clause:
        if "softmax" not in thing.signs or thing.signs.endswith("_i"):
            raise Unreadable
        return claim(f"{thing.factor}_i = {value.signs}", of=thing)

    return meaning


_ALIKE = "equal/identical/constant"
EQUAL_LOGITS: tuple[Rule, ...] = (
    Rule("equal_logits", f"{_ALIKE} {_ENTRIES}", lambda: (f"{LOGITS}_r = {LOGITS}_u",)),
    Rule("equal_logits", f"all {_ALIKE} {_ENTRIES}", lambda: (f"{LOGITS}_r = {LOGITS}_u",)),
    Rule("equal_logits", f"{_ENTRIES} that are all? equal/identical", lambda: (f"{LOGITS}_r = {LOGITS}_u",)),
    Rule("equal_logits", "a/the constant/zero/all-zero vector", lambda: (f"{LOGITS}_r = {LOGITS}_u",)),
    Rule("equal_logits", "a/the constant/zero/all-zero logit/input vector", lambda: (f"{LOGITS}_r = {LOGITS}_u",)),
    Rule("base", "the? softmax of/for/over <equal_logits>", lambda given: Thing(_SOFTMAX, given, "softmax")),
    Rule("simple", "<equal_logits>", lambda given: Clause((), given)),
    Rule(
        "clause",
        "<equal_logits> give/gives/get/have/produce/lead/yield to? equal/identical/uniform "
        "probabilities/outputs/weights",
        lambda given: claim(f"{_SOFTMAX}_r = {_SOFTMAX}_u", given=given),
    ),
    Rule(
        "clause",
        "<equal_logits> give/gives/get/have/produce/lead/yield to? the? same probability/probabilities/output",
        lambda given: claim(f"{_SOFTMAX}_r = {_SOFTMAX}_u", given=given),
    ),
    Rule(
        "clause",
        "<equal_logits> give/gives/produce/lead/yield to? a/the uniform distribution/softmax/output",
        lambda given: claim(f"{_SOFTMAX}_r = {_SOFTMAX}_u", given=given),
    ),
    Rule("body", f"all? the? {_ENTRIES} equal ,? <np> <vps>", lambda x, vps: vps(x).under(f"{LOGITS}_r = {LOGITS}_u")),
    Rule(
        "clause",
        "all/the? of? the/its? inputs are/is all? equal/identical/alike",
        lambda: claim(f"{LOGITS}_r = {LOGITS}_u"),
    ),
    Rule(
        "vp",
        "is/gives/yields/returns/outputs/produces/equals a/the uniform distribution/output/vector",
        lambda: _uniform,
    ),
    Rule(
        "vp",
        "gives/yields/returns/outputs/produces <expr> for/to/in each/every entry/class/component",
        _each_is,
    ),
    Rule("vp", "gives/yields/returns/outputs/produces <expr> everywhere", _each_is),
)


def _to_uniform(thing: Thing) -> Clause:
    """Every entry of a softmax goes to 1/n."""
    if "softmax" not in thing.signs or thing.signs.endswith("_i"):
        return claim(f"{thing.signs} → 1/n", of=thing)
    return claim(f"{thing.factor}_i → 1/n", of=thing)


_GOES = "tends/tend/goes/go/converges/converge/approaches/becomes/become/gets to/towards? "
UNIFORM_LIMITS: tuple[Rule, ...] = (
    Rule("vp", f"{_GOES}a/the? uniform distribution/vector? <on_them>?", lambda _: _to_uniform),
    Rule("clause", "<np> → a/the? uniform distribution/vector?", _to_uniform),
    Rule(
        "vp",
        "tends/goes/converges/approaches/becomes to? one-hot at/on/for the? largest/maximal/biggest/maximum <sym>",
        lambda entry: lambda x: _one_hot_at(x, entry),
    ),
)


def _one_hot_at(thing: Thing, entry: Thing) -> Clause:
    """Softmax(x/T) becomes one-hot at the largest x_i.

    Raises: Unreadable where that is no entry of what the softmax is of.
    """
    found = re.fullmatch(r"(?P<name>\\?\w+?)_\{?[ijk]\}?", entry.signs)
    if found is None or "softmax" not in thing.signs or found["name"] not in thing.signs:
        raise Unreadable
    name = found["name"]
    return claim(f"{name}^T {thing.factor} → max_i {name}_i", of=thing)


_TEMPERATURE = f"softmax({LOGITS}/T)"
_FLATTER = "flatter/softer/smoother/broader/uniform/random/spread/even"
_SHARPER = "sharper/peakier/harder/narrower/peaked/peaky/concentrated/one-hot/confident/deterministic"
_DISTRIBUTION = "the/its/a? softmax/output? softmax/distribution/distributions/output/probabilities/weights"


def _entropy_by_temperature(is_raised: bool, is_flatter: bool) -> Clause:
    """A flatter distribution has more entropy."""
    sign = "≥" if is_raised == is_flatter else "≤"
    return claim(f"∂/∂T (H({_TEMPERATURE})) {sign} 0", given=("T > 0",))


TEMPERATURES: tuple[Rule, ...] = (
    *(
        Rule("temperature_moved", words, lambda *_, up=up: up)
        for up, words in (
            (True, "a/the? high/higher/larger/large/big temperature <sym>? <of_the_softmax>?"),
            (True, "raising/increasing the? temperature <sym>? <of_the_softmax>?"),
            (False, "a/the? low/lower/smaller/small temperature <sym>? <of_the_softmax>?"),
            (False, "lowering/decreasing/reducing the? temperature <sym>? <of_the_softmax>?"),
        )
    ),
    Rule("of_the_softmax", "of/in a/the? softmax", lambda: None),
    Rule("evenness", f"more? {_FLATTER}", lambda: True),
    Rule("evenness", "less peaked/peaky/sharp/concentrated/confident", lambda: True),
    Rule("evenness", f"more? {_SHARPER}", lambda: False),
    Rule("evenness", "less uniform/flat/even/random", lambda: False),
    Rule(
        "clause",
        f"<temperature_moved> makes/make/renders {_DISTRIBUTION} <evenness>",
        _entropy_by_temperature,
    ),
    Rule(
        "clause",
        "<temperature_moved> gives/give/means/yields/leads/produces to? a/an? <evenness> softmax? "
        "distribution/softmax/output",
        _entropy_by_temperature,
    ),
    Rule(
        "clause",
        f"<temperature_moved> <evens> {_DISTRIBUTION}",
        _entropy_by_temperature,
    ),
    Rule("evens", "flattens/smooths/softens", lambda: True),
    Rule("evens", "sharpens/concentrates", lambda: False),
)


def _by_logits(value: Thing) -> Thing:
    """What only the gradient by the logits may be said to be: a sum of ŷ and y.

    Raises: Unreadable for anything else, such as −y/ŷ, the gradient by the prediction.
    """
    if not re.fullmatch(r"0|(?:ŷ|\\hat\s*\{?y\}?|y|[-−+()\s])+", value.signs):
        raise Unreadable
    return value


_CROSS_ENTROPY = "the? softmax? cross-entropy loss/error/cost? function?"
WITHOUT_LOGITS: tuple[Rule, ...] = (
    Rule(
        "clause",
        f"the? gradient/derivative of {_CROSS_ENTROPY} is/equals <np>",
        lambda value: claim(
            f"{derivative(Thing(LOSS), Thing(LOGITS)).signs} = {_by_logits(value).signs}", given=value.given
        ),
    ),
    Rule(
        "clause",
        f"the? gradient/derivative of {_CROSS_ENTROPY} vanishes",
        lambda: claim(f"{derivative(Thing(LOSS), Thing(LOGITS)).signs} = 0"),
    ),
    Rule("base", f"the? hessian matrix? of {_CROSS_ENTROPY}", lambda: hessian(Thing(LOSS), Thing(LOGITS))),
    Rule("base", "the? ce/cross-entropy hessian", lambda: hessian(Thing(LOSS), Thing(LOGITS))),
    Rule(
        "base",
        f"the? hessian matrix? of {_CROSS_ENTROPY} in/as a? function? of? the? logits/scores",
        lambda: hessian(Thing(LOSS), Thing(LOGITS)),
    ),
    Rule("base", f"the? gradient of {_CROSS_ENTROPY} in the logits", lambda: derivative(Thing(LOSS), Thing(LOGITS))),
)


def _of_entries(thing: Thing) -> Thing:
    """Every entry of a softmax; a sigmoid is a number.

    Raises: Unreadable for anything else.
    """
    if "softmax" in thing.signs:
        return thing if thing.signs.endswith("_i") else Thing(f"{thing.factor}_i", thing.given, "entry")
    if re.fullmatch(r"(?:σ|\\sigma)\(\w+\)", thing.signs):
        return thing
    raise Unreadable


def _reaches(value: Thing, *, is_denied: bool) -> Predicate:
    """Can be 0, can reach 1: of what lies strictly between both, as soon as there are two entries.

    Raises: Unreadable for another value.
    """
    if value.signs not in ("0", "1"):
        raise Unreadable

    def meaning(thing: Thing) -> Clause:
        entry = _of_entries(thing)
        given = ("n ≥ 2",) if value.signs == "1" and "softmax" in thing.signs else ()
        never = claim(f"{entry.signs} {'>' if value.signs == '0' else '<'} {value.signs}", of=entry, given=given)
        return never if is_denied else negated(never)

    return meaning


def _lies_between(low: Thing, high: Thing, sign: str) -> Predicate:
    def meaning(thing: Thing) -> Clause:
        entry = _of_entries(thing) if "softmax" in thing.signs else thing
        return claim(f"{low.signs} {sign} {entry.signs} {sign} {high.signs}", of=entry)

    return meaning


_ATTAINS = "output/reach/equal/be/give/return/become/produce/hit/attain"
_ATTAINS_NEVER = "outputs/output/reaches/reach/equals/gives/returns/is/becomes/attains/produces/hits"
ENTRIES: tuple[Rule, ...] = (
    Rule("vp", f"can/could/may/might {_ATTAINS} <expr>", lambda v: _reaches(v, is_denied=False)),
    Rule("vp", f"can/could not/never {_ATTAINS} <expr>", lambda v: _reaches(v, is_denied=True)),
    Rule("vp", f"never {_ATTAINS_NEVER} <expr>", lambda v: _reaches(v, is_denied=True)),
    Rule("vp", "is/are never <expr>", lambda v: _reaches(v, is_denied=True)),
    Rule("vp", "lies/lie/is/are strictly between <expr> and <expr>", lambda a, b: _lies_between(a, b, "<")),
)


def _increasing(sign: str) -> Predicate:
    """The sigmoid is increasing: its derivative is nowhere negative.

    Raises: Unreadable for what is no function of one number.
    """

    def meaning(thing: Thing) -> Clause:
        if thing.kind != "function" or LOGITS in thing.signs:
            raise Unreadable
        return claim(f"{derivative(thing, None).signs} {sign} 0", of=thing)

    return meaning


def _linear(thing: Thing) -> Clause:
    """F(κz + w) = κ f(z) + f(w).

    Raises: Unreadable for what is no softmax of all logits.
    """
    if thing.signs != _SOFTMAX:
        raise Unreadable
    factor, other = fresh("number"), fresh("vector")
    moved = f"softmax({factor} {LOGITS} + {other})"
    return claim(f"{moved} = {factor} {_SOFTMAX} + softmax({other})", of=thing)


FUNCTIONS: tuple[Rule, ...] = (
    *(
        Rule("pred", f"{strictly} {words} function?", lambda sign=sign: _increasing(sign))
        for strictly, words, sign in (
            ("a/an? monotone/monotonically?", "increasing", "≥"),
            ("a? strictly monotonically?", "increasing", ">"),
            ("a/an? monotone/monotonically?", "decreasing", "≤"),
            ("a? strictly monotonically?", "decreasing", "<"),
        )
    ),
    Rule("pred", "a? linear function/map?", lambda: _linear),
    Rule("pred", "not a? linear function/map?", lambda: lambda x: negated(_linear(x))),
    Rule("base", "the? sum of all? the? softmax outputs/probabilities/entries", lambda: Thing(f"sum({_SOFTMAX})")),
    Rule("base", "the? sum of the? outputs/entries of the? softmax", lambda: Thing(f"sum({_SOFTMAX})")),
    Rule(
        "base",
        "the? softmax function? of its argument/arguments/input/inputs",
        lambda: Thing(f"softmax({ITS_LETTER})", (), "softmax"),
    ),
    Rule("base", "a softmax function/vector/distribution?", lambda: Thing(_SOFTMAX, (), "softmax")),
    Rule("vp", "is/are order preserving", lambda: _keeps_order),
    Rule(
        "clause",
        "the order/ordering/ranking of the? logits/inputs/scores is preserved/kept by the? softmax",
        lambda: _keeps_order(Thing(_SOFTMAX, (), "softmax")),
    ),
    Rule(
        "clause",
        "two? different/distinct? logit/input? vectors can not/never lead/give/have/produce to? the same softmax? "
        "probabilities/output/outputs/distribution",
        lambda: _injective(Thing(_SOFTMAX, (), "softmax")),
    ),
    Rule(
        "clause",
        "two? different/distinct logit/input? vectors can/may lead/give/have/produce to? the same softmax? "
        "probabilities/output/outputs/distribution",
        lambda: negated(_injective(Thing(_SOFTMAX, (), "softmax"))),
    ),
)

_DIFFERENCE = "the? difference of/between? the? two? logits/scores/inputs?"
TWO_CLASSES: tuple[Rule, ...] = (
    Rule("of_two", "for/with/in the? case? of? two classes/logits/inputs/categories ,?", lambda: None),
    Rule("logit_difference", _DIFFERENCE, lambda: None),
    Rule("logit_difference", "the/their? logit/score difference", lambda: None),
    Rule(
        "is_sigmoid",
        "is/equals/becomes/gives/reduces to? just? a/the? logistic? sigmoid of <logit_difference>",
        lambda _: None,
    ),
    Rule("body", "<of_two> the? softmax function? <is_sigmoid>", lambda *_: _of_two_classes()),
    Rule("clause", "the? softmax function? <of_two> <is_sigmoid>", lambda *_: _of_two_classes()),
    Rule(
        "clause",
        "the? softmax of/over two logits/scores/inputs/classes/numbers <is_sigmoid>",
        lambda _: _of_two_classes(),
    ),
)


def _of_two_classes() -> Clause:
    return claim(f"{_SOFTMAX}_1 = σ({LOGITS}_1 - {LOGITS}_2)", given=(f"{LOGITS} ∈ R^{{2}}",))


_CURVES = {"sigmoid": "σ(x)", "tanh": "tanh(x)"}


def _greatest(thing: Thing, value: Thing, sign: str) -> Clause:
    """The greatest value of the derivative of σ or tanh, which it has at 0; of no other function.

    Raises: Unreadable.
    """
    signs = re.sub(r"\s|\\left|\\right", "", thing.signs)
    is_slope = re.fullmatch(r"(?:σ|\\sigma|tanh|\\tanh)(?:'|′|\^\{?\\prime\}?)\((\w)\)", signs)
    if is_slope is not None:
        there = substitute(thing.signs, is_slope[1], "0")
    elif thing.kind == "derivative" and thing.about is not None and thing.about.signs in _CURVES.values():
        there = at_place(thing, "x", "0")
    else:
        raise Unreadable
    given = merged(thing, value)
    return claim(f"{thing.signs} {sign} {there}", f"{there} = {value.signs}", of=Thing(there), given=given)


def _at_zero(relation: str) -> None:
    """Raises: Unreadable for another place than 0."""
    if not re.fullmatch(r"\w\s*=\s*0", relation):
        raise Unreadable


MAXIMA: tuple[Rule, ...] = (
    *(
        Rule("base", f"the? {name} derivative", lambda signs=signs: derivative(Thing(signs, (), "function"), None))
        for name, signs in _CURVES.items()
    ),
    Rule(
        "clause",
        "the? maximum/maximal/largest/greatest/highest value? of <np> is/equals <np> <at_zero>?",
        lambda x, value, _: _greatest(x, value, "≤"),
    ),
    Rule(
        "clause",
        "the? maximum/largest/greatest slope/derivative of the? logistic? sigmoid function? is/equals <np> <at_zero>?",
        lambda value, _: _greatest(derivative(Thing("σ(x)"), None), value, "≤"),
    ),
    Rule("at_zero", ",? and? it? is? attained/reached/achieved/taken/assumed at/for <rel>", _at_zero),
    Rule("at_zero", ",? attained/reached/achieved/taken/assumed? at zero/0/origin", lambda: None),
    Rule("at_zero", ",? attained/reached/achieved/taken/assumed? at the origin", lambda: None),
    Rule("at_zero", ",? at <rel>", _at_zero),
)

RULES: tuple[Rule, ...] = (
    *INVARIANCE,
    *EQUAL_LOGITS,
    *UNIFORM_LIMITS,
    *TEMPERATURES,
    *WITHOUT_LOGITS,
    *ENTRIES,
    *TWO_CLASSES,
    *FUNCTIONS,
    *MAXIMA,
)
