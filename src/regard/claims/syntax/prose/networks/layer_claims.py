"""What is said of the parts of a network: which gradients vanish or agree, and what a change of a bias does."""

from __future__ import annotations

from collections.abc import Callable

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.dependence import at_place
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.english.nouns import derivative
from regard.claims.syntax.prose.english.predicates import negated
from regard.claims.syntax.prose.networks.layers import B1, INPUT, LABEL, SIZES, W1, W2, WRITTEN_OUT
from regard.claims.syntax.prose.phrases import LOGITS, LOSS, PREDICTION, Clause, Thing, both, claim, given_by, letter_of

Predicate = Callable[[Thing], Clause]
_CLASS_INDEX = "k"
_ENTRIES = "entries/components/elements/coordinates"


def _each(things: tuple[Thing, ...], predicate: Predicate) -> Clause:
    found = predicate(things[0])
    for thing in things[1:]:
        found = both(found, predicate(thing))
    return found


def _gradients(of: Thing | None, places: tuple[str, ...]) -> tuple[Thing, ...]:
    return tuple(derivative(of or Thing(LOSS), Thing(place)) for place in places)


def _all_zero(places: tuple[str, ...]) -> Clause:
    return claim(*(f"{place} = 0" for place in places))


def _size(thing: Thing) -> str:
    """How many rows and columns, or entries, something has.

    Raises: Unreadable for what is no part of a network, and no gradient by one.
    """
    place = thing.signs if thing.kind != "derivative" else thing.signs[3:].split(" ")[0]
    if place not in SIZES:
        raise Unreadable
    return SIZES[place]


def _same_shape(one: Thing, other: Thing) -> Clause:
    """As many rows, and as many columns.

    Raises: Unreadable where one is a matrix and the other a vector.
    """
    pairs = list(zip(_size(one).split(), _size(other).split(), strict=False))
    if len(_size(one).split()) != len(_size(other).split()):
        raise Unreadable
    return claim(*(f"{a} = {b}" for a, b in pairs), of=one)


def _as_many_entries(one: Thing, count: str) -> Clause:
    if " " in _size(one):
        raise Unreadable
    return claim(f"{_size(one)} = {count}", of=one)


def _at_true_class(thing: Thing) -> Thing:
    """The entry of a vector at the true class: with y_k = 1, its k-th."""
    given = (f"{LABEL} is onehot", f"{LABEL}_{_CLASS_INDEX} = 1")
    return Thing(f"({thing.signs})_{_CLASS_INDEX}", (*thing.given, *given), "entry")


def _log_of(thing: Thing, sign: str) -> Thing:
    return Thing(f"({sign}log({thing.signs}))", thing.given, "number")


def _slope_at(of: Thing, spot: str) -> Thing:
    """The derivative of a function at zero."""
    letter = letter_of(of)
    return Thing(at_place(derivative(of, None), letter, spot.removeprefix("= ")), of.given)


def _under(condition: Clause, main: Clause) -> Clause:
    return main.under(*given_by(condition))


def _permuted(places: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Columns of W₁ and entries of b₁ by P, rows of W₂ by Pᵀ."""
    if len(set(places)) != len(places):
        raise Unreadable
    new = {W1: f"{W1} P_1", B1: f"{B1} P_1", W2: f"P_1^T {W2}"}
    return tuple((place, new[place]) for place in places)


_ONE_HOT = "a/an/the/any/some/every/each? one-hot label/labels/target/targets/encoding vector/vectors?"
_EXAMPLE = "a/one/each/every/any? single/one? training? example/input"

CONDITIONS: tuple[Rule, ...] = (
    Rule("condition", _ONE_HOT, lambda: Clause((), (f"{LABEL} is onehot",))),
    Rule("condition", f"{_ONE_HOT} <and_classes>", lambda _: Clause((), (f"{LABEL} is onehot",))),
    Rule("clause", "the label/target is one-hot", lambda: claim(f"{LABEL} is onehot")),
    Rule("and_classes", "and at least two classes", lambda: None),
    Rule("condition", "at least two classes", Clause),
    Rule("condition", f"{_EXAMPLE}", Clause),
    Rule("condition", f"{_EXAMPLE} with <condition>", lambda said: said),
    Rule("condition", "every/each/any/all input/inputs and every/each/any/all? label/labels/target/targets", Clause),
    Rule("condition", "every/each/any/all input/inputs <sym> and every/any? label/target <sym>", lambda *_: Clause()),
    Rule("clause", "<parts> are/is all? zero/0", _all_zero),
    Rule("clause", "<parts> vanish", _all_zero),
    Rule("clause", "<part> and <part> are both? zero/0", lambda a, b: _all_zero((a.signs, b.signs))),
    Rule(
        "clause",
        "the? gradients/gradient/derivative/derivatives <of_loss>? wrt <parts> <vps>",
        lambda of, places, vps: _each(_gradients(of, places), vps),
    ),
    Rule("of_loss", "of <training_loss>", lambda of: of),
    Rule(
        "base",
        "the? gradient/derivative <of_loss>? wrt the? logit of the? true/correct/right/target class",
        lambda of: _at_true_class(derivative(of or Thing(LOSS), Thing(LOGITS))),
    ),
)

_TRUE_CLASS = "the? true/correct/right/target class"
NOUNS: tuple[Rule, ...] = (
    Rule("base", f"the? predicted? probability of {_TRUE_CLASS}", lambda: _at_true_class(Thing(PREDICTION))),
    *(
        Rule(
            "base",
            f"{words} of {_TRUE_CLASS}",
            lambda sign=sign: _log_of(_at_true_class(Thing(PREDICTION)), sign),
        )
        for words, sign in (
            ("the/a? negative/minus log/logarithm probability", "-"),
            ("the/a? negative/minus log-probability/log-likelihood", "-"),
            ("the/a? negative/minus log/logarithm of the? predicted? probability", "-"),
            ("- log of the? predicted? probability", "-"),
            ("the/a? log/logarithm of the? predicted? probability", ""),
            ("the/a? log/logarithm probability", ""),
            ("the/a? log-probability", ""),
        )
    ),
    Rule(
        "base",
        "the/a? negative/minus log-probability/log-likelihood that/which? the/a? model/network gives/assigns to "
        f"{_TRUE_CLASS}",
        lambda: _log_of(_at_true_class(Thing(PREDICTION)), "-"),
    ),
    Rule("base", "the? predicted probability", lambda: Thing(f"{PREDICTION}_{_CLASS_INDEX}", (), "entry")),
    Rule("base", "its/the predicted? probability of this/that class", lambda: Thing(f"{PREDICTION}_{_CLASS_INDEX}")),
    Rule("base", "the softmax jacobian", lambda: derivative(Thing(f"softmax({LOGITS})"), None)),
    Rule("base", "the jacobian of the softmax", lambda: derivative(Thing(f"softmax({LOGITS})"), None)),
    Rule("tail", "everywhere", lambda: ("ignored", None)),
    Rule("base", "the? derivative/slope of <np> at <spot>", _slope_at),
    Rule(
        "body",
        "in/for the/a/our network/net/model with? <condition> , <lead>? <body>",
        lambda c, _, main: _under(c, main),
    ),
    Rule(
        "vp",
        "has/have the? same shape/size/dimensions as this/that/the/it matrix/vector/bias/parameter? itself?",
        lambda: lambda x: _same_shape(x, x),
    ),
    Rule(
        "base",
        "the? difference between/of <part> and <part>",
        lambda a, b: Thing(f"({a.signs} - {b.signs})", (), "vector"),
    ),
    Rule("base", "the? outer product of <part> and <output_error>", lambda a, b: Thing(f"{a.factor}^T {b.signs}")),
    Rule("output_error", "the? output/prediction? error/residual vector?", lambda: Thing(f"({PREDICTION} - {LABEL})")),
    Rule(
        "output_error",
        "the? difference between/of prediction/predictions and label/target",
        lambda: Thing(f"({PREDICTION} - {LABEL})"),
    ),
    Rule("base", "the prediction/output error", lambda: Thing(f"({PREDICTION} - {LABEL})")),
    Rule("vp", "is/are zero too/also/as well?", lambda: lambda x: claim(f"{x.signs} = 0", of=x)),
    Rule("pred", "a? matrix of rank at most <np>", lambda r: lambda x: claim(f"rank({x.signs}) ≤ {r.signs}", of=x)),
    Rule("pred", "a? matrix of rank <np>", lambda r: lambda x: claim(f"rank({x.signs}) = {r.signs}", of=x)),
    Rule("vp", "has/have the? same shape/size/dimensions as <part>", lambda y: lambda x: _same_shape(x, y)),
    Rule("vp", f"has/have as many {_ENTRIES} as <part>", lambda y: lambda x: _as_many_entries(x, _size(y))),
    Rule(
        "vp",
        f"has/have as many {_ENTRIES} as there are <counted_units>",
        lambda count: lambda x: _as_many_entries(x, count),
    ),
    Rule("counted_units", "hidden units/neurons", lambda: "H"),
    Rule("counted_units", "classes/outputs/labels", lambda: "m"),
    Rule("counted_units", "inputs/features/input features/dimensions?", lambda: "d"),
)

ENTRIES: tuple[Rule, ...] = (
    Rule(
        "clause",
        f"all/every/each/the? of? the? {_ENTRIES}/entry of <np> are/is <pred>",
        lambda x, predicate: predicate(x),
    ),
    Rule(
        "clause",
        "the? entry/component of <np> <at_true_class> <vps>",
        lambda x, _, predicate: predicate(_at_true_class(x)).under(*_at_true_class(x).given),
    ),
    Rule("at_true_class", "that/which belongs to the? true/correct/right/target class", lambda: None),
    Rule("at_true_class", "at/for/of the? true/correct/right/target class", lambda: None),
)

CHANGES: tuple[Rule, ...] = (
    Rule("target", f"all/every/each/the? of? the? {_ENTRIES}/entry of <part>", lambda part: part.signs),
    Rule("target", "<part>", lambda part: part.signs),
    Rule("amount", "the/one? same/common/fixed/arbitrary? number/constant/amount", lambda: fresh("number")),
    Rule(
        "change",
        "permuting <permuted> <alike>? <not_others>?",
        lambda places, *_: _permuted(places),
    ),
    Rule("permuted", "<permuted1> <alike>? ,? and <alike>? <permuted>", lambda a, _, __, b: (*a, *b)),
    Rule("permuted", "<permuted1> , <permuted>", lambda a, b: (*a, *b)),
    Rule("permuted", "<permuted1>", lambda a: a),
    Rule("permuted1", "the? hidden units/neurons", lambda: (W1, B1, W2)),
    Rule("permuted1", "the? columns of <part>", lambda part: _only(part, W1)),
    Rule("permuted1", "the? entries/components of <part>", lambda part: _only(part, B1)),
    Rule("permuted1", "the? rows of <part>", lambda part: _only(part, W2)),
    Rule("alike", ",? in the same way/manner/order ,?", lambda: None),
    Rule("alike", ",? accordingly/correspondingly/alike/together/consistently ,?", lambda: None),
    Rule(
        "not_others",
        ",? without touching/changing any/the? other/others/another parameter/parameters? ,?",
        lambda: None,
    ),
    Rule("not_others", ",? and leaving/keeping all/the? other/others parameters? unchanged/fixed ,?", lambda: None),
)


def _only(part: Thing, place: str) -> tuple[str, ...]:
    """The part whose columns, entries or rows belong to hidden units.

    Raises: Unreadable for another part.
    """
    if part.signs != place:
        raise Unreadable
    return (place,)


def _positive(x: Thing) -> Clause:
    """Of what is never negative anyway, that it is never zero.

    Raises: Unreadable for anything else.
    """
    if not x.signs.startswith("softmax("):
        raise Unreadable
    return claim(f"{x.signs if x.signs.endswith('_i') else x.signs + '_i'} > 0", of=x)


_TARGET = "a/an/the/any/some/every/each? fixed/given/true? target/label"
_ONE_HOT_LABEL = "a/an/the/any/every/each? one-hot label/target vector/distribution?"
_SIZES = (("≥", "smallest/minimal/minimum/lowest/least"), ("≤", "largest/maximal/maximum/highest/greatest"))
_BOTH_DISTRIBUTIONS = ("p is a distribution", "q is a distribution")


def _where_equal(sign: str, one: Thing, other: Thing) -> Clause:
    """Of a fixed target p, the cross-entropy with q is smallest at q = p.

    Raises: Unreadable where not the prediction and the target are said to be equal.
    """
    if {one.signs, other.signs} != {PREDICTION, LABEL}:
        raise Unreadable
    return claim(f"H(p, q) {sign} H(p, p)", given=_BOTH_DISTRIBUTIONS)


def _depends(thing: Thing, part: Thing, *, depends: bool) -> Clause:
    """The prediction does not depend on the input: it is the same for another one."""
    before = WRITTEN_OUT.get(part.signs, {}).get(thing.signs)
    if before is None or part.signs != INPUT:
        raise Unreadable
    said = claim(f"{before.replace(INPUT, '(κ x)')} = {before}", of=thing)
    return negated(said) if depends else said


LOSSES: tuple[Rule, ...] = (
    Rule(
        "base",
        f"the? cross-entropy/loss loss? <natural>? for/with/of/against/on/at {_ONE_HOT_LABEL}",
        lambda _: Thing(LOSS, (f"{LABEL} is onehot",)),
    ),
    Rule("natural", "( with? the? natural logarithm/logarithms )", lambda: None),
    Rule("clause", "all the? <expr>? logits/scores are equal/identical", lambda _: claim(f"{LOGITS}_r = {LOGITS}_t")),
    Rule("base", "the? negative logarithm/log of <np>", lambda x: Thing(f"(-log({x.signs}))", x.given)),
    Rule("lead1", f"for {_TARGET} distribution? ,?", lambda: None),
    *(
        Rule(
            "clause",
            f"the? cross-entropy is {words} when/if/where/for/iff <part> equals/is/= equal? to? <part>",
            lambda a, b, sign=sign: _where_equal(sign, a, b),
        )
        for sign, words in _SIZES
    ),
    *(
        Rule(
            "clause",
            f"the? {words} possible? value? of? the? cross-entropy is/equals <np>",
            lambda x, sign=sign: claim(
                f"H(p, q) {sign} {x.signs}", f"H(p, p) = {x.signs}", given=(*_BOTH_DISTRIBUTIONS, *x.given)
            ),
        )
        for sign, words in _SIZES[:1]
    ),
    Rule(
        "base", f"the? entropy of {_TARGET} distribution?", lambda: Thing("H(p)", ("p is a distribution",), "measure")
    ),
)

INPUTS: tuple[Rule, ...] = (
    Rule("condition", "<part> equal to zero/0", lambda part: claim(f"{part.signs} = 0")),
    Rule("condition", "<part> zero", lambda part: claim(f"{part.signs} = 0")),
    Rule(
        "clause",
        "setting <part> to zero makes <np> <vanish>",
        lambda part, x, _: claim(f"{x.signs} = 0", of=x, given=(f"{part.signs} = 0", *x.given)),
    ),
    Rule("vanish", "vanish/zero/disappear", lambda: None),
    Rule("vp", "does/do not depend on <part>", lambda part: lambda x: _depends(x, part, depends=False)),
    Rule("vp", "depends/depend on <part>", lambda part: lambda x: _depends(x, part, depends=True)),
    Rule("pred", "the same for every/any/each input", lambda: lambda x: _depends(x, Thing(INPUT), depends=False)),
    Rule(
        "tail",
        ",? for every/all/each/any <index_noun> <sym>",
        lambda _, index: ("forall", index.signs),
    ),
    Rule("index_noun", "class/classes/hidden/entry/index/output/unit unit/units?", lambda: None),
    Rule("where", "of its/the inputs/arguments/input/entries/logits", lambda: None),
    Rule("base", "the? softmax of a/any/the/every/some vector", lambda: Thing(f"softmax({LOGITS})", (), "softmax")),
    Rule("base", "a/the/every/each/any softmax output/probability", lambda: Thing(f"softmax({LOGITS})_i", (), "entry")),
    Rule("vp", "is/are never zero/0", lambda: _positive),
    Rule("vp", "can/could/may be zero/0", lambda: lambda x: negated(_positive(x))),
)


RULES: tuple[Rule, ...] = (*LOSSES, *INPUTS, *CONDITIONS, *NOUNS, *ENTRIES, *CHANGES)
