"""Gradients in words: the cross-entropy with a one-hot y, the gradient with respect to W, row vectors, shapes.

The loss is a place (`LOSS`) until the letters of the text are known: its own letter where the text defines one, the
cross-entropy of y where it has a y, and else a loss L of which nothing is known.
"""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.nouns import derivative, hessian
from regard.claims.syntax.prose.phrases import LOGITS, LOSS, PREDICTION, Clause, Thing, both, claim, letter_of, merged

_TARGETS = "target/label/class/truth/distribution/labels/targets/vector"


def cross_entropy(prediction: Thing | None, target: Thing | None) -> Thing:
    """−Σ y_i log ŷ_i, with what the text says of y."""
    y = target.signs if target is not None else "y"
    signs = f"(-\\sum_i {y}_i log {prediction.signs if prediction is not None else PREDICTION}_i)"
    return Thing(signs, merged(prediction, target), "loss")


def _target(symbol: Thing | None, *, is_one_hot: bool) -> Thing:
    name = symbol.signs if symbol is not None else "y"
    return Thing(name, (f"{name} is onehot",) if is_one_hot else ())


def _between(first: Thing, second: Thing) -> tuple[Thing | None, Thing | None]:
    """The prediction and the target: y or t is the target, whichever stands first.

    Raises: Unreadable where neither is: of two distributions p and q the first is the target by custom.
    """
    targets = [one for one in (first, second) if re.fullmatch(r"[yt](?:_\w)?|\\mathbf\{?[yt]\}?", one.signs)]
    if len(targets) != 1:
        raise Unreadable
    return (second, first) if targets[0] is first else (first, second)


def _define(name: Thing, loss: Thing) -> Clause:
    return claim(f"{name.signs} = {loss.signs}", of=name, given=loss.given)


def _basis(symbol: Thing) -> Clause:
    """Of e_i, which is read as a unit vector anyway."""
    if not re.fullmatch(r"e_\{?\w\}?|e[ᵢⱼₖ]|\\mathbf\{?e\}?_\w", symbol.signs):
        raise Unreadable
    return Clause()


def _plain_letter(symbol: Thing) -> Thing:
    """A letter that a loss may have.

    Raises: Unreadable for any other.
    """
    if not re.fullmatch(r"[A-Z]|ℓ|\\ell|\\mathcal\s*\{?[A-Z]\}?|[A-Z]\w?_\{?\w+\}?", symbol.signs):
        raise Unreadable
    return symbol


_LOSS_NAMES = (
    "the? softmax/usual/categorical/naive/overall/training/total? cross-entropy/loss/objective/cost/error "
    "loss/function/error/objective?"
)

LOSSES: tuple[Rule, ...] = (
    Rule(
        "ce_target", f"the/a/its/some? one-hot true? {_TARGETS}? vector? <sym>?", lambda y: _target(y, is_one_hot=True)
    ),
    Rule(
        "ce_target",
        f"the/a/its/some? {_TARGETS} vector/distribution? <sym>?",
        lambda y: _target(y, is_one_hot=False),
    ),
    Rule("ce_target", "<sym>", lambda y: _target(y, is_one_hot=False)),
    Rule("ce_tail", "with/against/for/to/wrt/on/at/and <ce_target>", lambda y: (None, y)),
    Rule("ce_tail", "relative to <ce_target>", lambda y: (None, y)),
    Rule("ce_tail", "of/for <sym> with/against/for/to/wrt <ce_target>", lambda p, y: (p, y)),
    Rule("ce_tail", "of <ce_target> and <ce_target>", _between),
    Rule("ce_tail", "of/for <sym> relative to <ce_target>", lambda p, y: (p, y)),
    Rule("ce_tail", "between <ce_target> and <ce_target>", _between),
    Rule("ce_tail", "of/for <sym>", lambda p: (p, None)),
    Rule("example", "for/on a/one/the/this? single/one? training? example/sample/input", lambda: None),
    Rule(
        "cross_entropy",
        "the/a/softmax/usual? softmax/categorical? cross-entropy loss/error/cost/objective? function? "
        "<ce_tail>? <example>?",
        lambda parts, _: cross_entropy(*(parts or (None, None))),
    ),
    Rule(
        "clause", "<sym> is/be/denotes/denote/being/for? <cross_entropy>", lambda x, ce: _define(_plain_letter(x), ce)
    ),
    Rule("clause", "<sym> = <cross_entropy>", lambda x, ce: _define(_plain_letter(x), ce)),
    Rule(
        "clause",
        "the/a/with? softmax? cross-entropy loss/error/cost/objective? function? <sym> <ce_tail>? <example>?",
        lambda x, parts, _: _define(_plain_letter(x), cross_entropy(*(parts or (None, None)))),
    ),
    Rule(
        "condition", "the/a? cross-entropy loss/error <ce_tail>?", lambda parts: Clause((), merged(*(parts or (None,))))
    ),
    Rule(
        "training_loss", f"{_LOSS_NAMES} <sym>? <example>?", lambda name, _: name if name is not None else Thing(LOSS)
    ),
    Rule("training_loss", "<cross_entropy>", lambda ce: ce),
    Rule("training_loss", f"{_LOSS_NAMES} <expr>", lambda loss: loss),
    Rule("training_loss", "the? log/logistic/squared/hinge loss/error <expr>", lambda loss: loss),
    Rule("clause", "<sym> is/be/denotes/denote? the? <nth> standard? basis/unit vector", lambda x, _: _basis(x)),
    Rule(
        "clause",
        "<sym> is/be/denotes/denote/being? the? one-hot vector/label/encoding? of/for/at the? <name>? <sym>",
        lambda y, _, k: claim(f"{y.signs} = e_{k.signs}", of=y),
    ),
    Rule("nth", "<expr> th", lambda _: None),
    Rule("nth", "<expr>", lambda _: None),
    Rule("nth", "i-th/k-th/j-th/ith/jth/kth", lambda: None),
    Rule(
        "clause",
        "the? jacobian/hessian matrix? <sym> of <np>",
        lambda x, of: claim(f"{x.signs} = {derivative(of, None).signs}", of=x, given=of.given),
    ),
)

CONVENTIONS: tuple[Rule, ...] = (
    Rule("convention", "row/column vectors/convention", lambda: None),
    Rule("convention", "row-vector/column-vector convention/notation?", lambda: None),
    Rule("convention", "use/using/with/in/take/assume/adopting/for the? row/column vectors/convention", lambda: None),
    Rule(
        "convention", "use/using/with/in/take/adopting the? row-vector/column-vector convention/notation?", lambda: None
    ),
    Rule("convention", "in/with/using the? convention of row/column vectors", lambda: None),
    Rule("sentence", "<convention> ,? let? <declarations>", lambda _, found: _given(found)),
    Rule("lead1", "<convention> ,", lambda _: None),
    Rule("lead1", "using/by/with/under the convention that <reason> ,", lambda _: None),
    Rule("lead1", "in/for binary/multiclass/logistic logistic/softmax? regression ,?", lambda: None),
    Rule("clause", "row/column vectors <syms>?", lambda _: Clause()),
    Rule("clause", "<syms> are/be/being? row/column vectors", lambda _: Clause()),
    Rule("clause", "a/the? row/column vector <sym>", lambda _: Clause()),
    Rule("clause", "<sym> is/be/being? a? row/column vector", lambda _: Clause()),
    Rule("clause", "<syms> as row/column vectors/vector", lambda _: Clause()),
    Rule("layout", "written/laid/arranged/taken? out? in the same? shape/layout of/as <sym>", lambda _: None),
    Rule("layout", "with the same? shape/layout of/as <sym>", lambda _: None),
    Rule("layout", "written? as a row/column vector?", lambda: None),
    Rule("laid", "( <layout> )", lambda _: None),
    Rule("laid", ", <layout> ,", lambda _: None),
    Rule("laid", "<layout>", lambda _: None),
    Rule("of", "<laid>", lambda _: None),
    Rule(
        "sentence",
        "for/with/if <condition> ,? write/let/set/define/put/denote <declarations>",
        lambda first, second: _given(both(first, second)),
    ),
)


def _given(clause: Clause) -> Clause:
    return Clause((), (*clause.given, *clause.claims), clause.subject, clause.unread)


def _has_derivative(thing: Thing, value: Thing) -> Clause:
    """The loss has gradient p − y, by the letter that everybody would take."""
    return claim(f"∂/∂{letter_of(thing)} ({thing.signs}) = {value.signs}", of=thing, given=value.given)


_PASSED = (
    "passed/propagated/sent/flowing/that/which/flows? is/flows/arrives? passed/propagated/sent? down/back/on/backwards?"
)

GRADIENTS: tuple[Rule, ...] = (
    Rule("vp", "has/have the? gradient/derivative <np>", lambda value: lambda x: _has_derivative(x, value)),
    Rule("by", "<sym>", lambda x: x),
    Rule("by", "the/each/every/a? <qualifiers>? <name> <sym>", lambda _, __, x: x),
    Rule("by", "the? logits/scores", lambda: Thing(LOGITS)),
    Rule(
        "base",
        "the? <partial>? derivative/gradient of <training_loss> wrt <by> <laid>?",
        lambda _, of, by, __: derivative(of, by),
    ),
    Rule("base", "the? hessian of <training_loss> wrt <by> <laid>?", lambda of, by, _: hessian(of, by)),
    Rule("base", "the? loss <qualifiers>? gradient wrt <by> <laid>?", lambda _, by, __: derivative(Thing(LOSS), by)),
    Rule(
        "base",
        "the? upstream/column/row/loss/resulting? <partial>? derivative/gradient wrt <by> <laid>?",
        lambda _, by, __: derivative(Thing(LOSS), by),
    ),
    Rule(
        "base",
        "the? <partial>? derivative/gradient of <np> wrt <by> <laid>?",
        lambda _, of, by, __: derivative(of, by),
    ),
    Rule(
        "base",
        "the? <partial>? derivative/gradient of <np> as a function of <by>",
        lambda _, of, by: derivative(of, by),
    ),
    Rule("base", "the? hessian matrix? of <np> as a function of <by>", hessian),
    Rule(
        "base",
        f"the? gradient/error/error-signal/signal signal? {_PASSED} to the? <name>? <sym>",
        lambda _, x: derivative(Thing(LOSS), x),
    ),
    Rule(
        "clause",
        "<sym> be/denote/denotes/is the? upstream/column/row? <qualifiers>? gradient/derivative <expr> <laid>?",
        lambda x, _, value, __: claim(f"{x.signs} = {value.signs}", of=x),
    ),
    Rule(
        "base",
        f"the? gradient/error/error-signal/signal signal? {_PASSED} to the input/inputs",
        lambda: derivative(Thing(LOSS), Thing("x")),
    ),
    Rule("lead1", "differentiating/differentiation/backpropagation/backprop gives/yields/shows that?", lambda: None),
    Rule("lead1", "setting <np> to zero gives/yields/shows that?", lambda _: None),
)

RULES: tuple[Rule, ...] = (*LOSSES, *CONVENTIONS, *GRADIENTS)
