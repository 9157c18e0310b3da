"""Noun phrases: what has a name in words, the entropy of p, three times the norm of x, a symmetric matrix A."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import DETERMINER, ENTITIES
from regard.claims.syntax.prose.english.restrictions import TAILS
from regard.claims.syntax.prose.leaves import SYMBOL
from regard.claims.syntax.prose.phrases import (
    IT,
    ITS,
    ITS_LETTER,
    LOGITS,
    THAT,
    Clause,
    Thing,
    fill,
    given_by,
    is_open,
    letter_of,
    merged,
    that_of,
)
from regard.claims.syntax.prose.signs import symbols_in
from regard.claims.syntax.prose.tokens import words


def noun(pattern: str, template: str, kind: str = "", given: tuple[str, ...] = ()) -> Rule:
    """A noun phrase that is written as a template of its parts."""
    is_of_one = pattern.endswith(("of <np>", "expected <np>", "of <np> with itself")) and pattern.count("<") == 1

    def meaning(*things: Thing | None) -> Thing:
        about = (things[0].about or things[0]) if is_of_one and things[0] is not None else None
        return Thing(fill(template, *things), (*merged(*things), *given), kind, about)

    return Rule("base", pattern, meaning)


def possessive(pattern: str, template: str) -> Rule:
    """The trace of it, as `its trace`."""
    words = pattern.removeprefix("the? ").removesuffix(" of <np>")
    return Rule("base", f"its/their own? {words}", lambda: Thing(fill(template, Thing(ITS)), about=Thing(ITS)))


FUNCTIONS: tuple[tuple[str, str], ...] = (
    ("the? shannon? entropy of <np>", "H([0])"),
    ("the? cross-entropy of <np> relative/with to/respect to? <np>", "H([0], [1])"),
    ("the? kl/kullback-leibler divergence between/from <np> and/to <np>", "KL([0] || [1])"),
    ("the? trace of <np>", "tr([0])"),
    ("the? rank of <np>", "rank([0])"),
    ("the? determinant of <np>", "det([0])"),
    ("the? inverse of <np>", "{0}^{-1}"),
    ("the? transpose of <np>", "{0}^T"),
    ("the? largest/maximal/maximum eigenvalue of <np>", "eigmax([0])"),
    ("the? smallest/minimal/minimum eigenvalue of <np>", "eigmin([0])"),
    ("the? largest/maximal singular value of <np>", "sqrt(eigmax({0}^T {0}))"),
    ("the? spectral/operator norm of <np>", "sqrt(eigmax({0}^T {0}))"),
    ("the? frobenius norm of <np>", "sqrt(tr({0}^T {0}))"),
    ("the? squared frobenius norm of <np>", "tr({0}^T {0})"),
    ("the? sum of the? absolute values of the/all? entries/components/coordinates of <np>", "‖[0]‖_1"),
    ("the? largest/maximal/maximum absolute entry/component/value/coordinate of <np>", "‖[0]‖_∞"),
    ("the? squared euclidean? norm/length of <np>", "‖[0]‖²"),
    ("the? euclidean? squared norm/length of <np>", "‖[0]‖²"),
    ("the? euclidean/l2? norm/length/norms of <np>", "‖[0]‖"),
    ("the? dot/inner/scalar product of <np> with itself", "{0}^T {0}"),
    ("the? covariance of <np> with itself", "Cov([0], [0])"),
    ("the? correlation of <np> with itself", "Corr([0], [0])"),
    ("the? covariance of <np> with <np>", "Cov([0], [1])"),
    ("the? correlation of <np> with <np>", "Corr([0], [1])"),
    ("the? correlation coefficient of/between <np> and/with <np>", "Corr([0], [1])"),
    ("the? dot/inner/scalar product of <np> with <np>", "{0}^T {1}"),
    ("the? cosine of the angle between <np> and <np>", "{0}^T {1} / (‖[0]‖ ‖[1]‖)"),
    ("the? variance of <np>", "Var([0])"),
    ("the? variances of <np>", "Var([0])"),
    ("the? standard deviation of <np>", "Std([0])"),
    ("the? covariance matrix? of <np>", "Cov([0])"),
    ("the? expected value of <np>", "E[[0]]"),
    ("the? expectation of <np>", "E[[0]]"),
    ("the? expected <np>", "E[[0]]"),
    ("the? conditional mean/expectation/average of <np> given <condition_on>", "E[[0] | [1]]"),
    ("the? conditional variance of <np> given <condition_on>", "Var([0] | [1])"),
    ("the? second moment of <np>", "E[{0}^2]"),
    ("the? fourth moment of <np>", "E[{0}^4]"),
    ("the? third moment of <np>", "E[{0}^3]"),
    ("the? ratio of <np> to <np>", "{0} / {1}"),
    ("the? square of <np>", "{0}^2"),
    ("the? square root of <np>", "sqrt([0])"),
    ("the? exponential of <np>", "exp([0])"),
    ("the? natural? logarithm/log of <np>", "log([0])"),
    ("the? absolute value of <np>", "|[0]|"),
    ("the? reciprocal of <np>", "1/{0}"),
    ("the? product <expr>", "[0]"),
    ("the? transposed inverse of <np>", "{0}^{-T}"),
    ("the? softmax of the? logits/scores? <np>", "softmax([0])"),
    ("the? logistic? sigmoid of <np>", "σ([0])"),
    ("the? log-sum-exp of <np>", "log(sum_i exp({0}_i))"),
    ("the? row/rows? sums of <np>", "{0} 1"),
    ("the? orthogonal? projection of <np> onto the? line/direction? spanned? by? <np>", "({1}^T {0} / ‖[1]‖²) {1}"),
    ("the? orthogonal? projection/projector matrix? onto the? column space/span of <np>", "{0} ({0}^T {0})^{-1} {0}^T"),
    ("the? hat matrix? projecting? onto the column space of <np>", "{0} ({0}^T {0})^{-1} {0}^T"),
    ("the? orthogonal? projection/projector matrix? onto the? line/direction? spanned by <np>", "{0} {0}^T / ‖[0]‖²"),
    ("the? entropy of a fair coin flip/toss?", "log(2)"),
    ("the? entropy of a coin with? heads? probability <expr>", "(-{0} log({0}) - (1 - {0}) log(1 - {0}))"),
    ("the? sum of the? squares of the? entries/components of <np>", "‖[0]‖²"),
    ("the? sum of the? entries/components of <np>", "sum([0])"),
    ("the? diagonal entries of <np>", "{0}_ii"),
    ("the? off-diagonal entries of <np>", "{0}_ij"),
    ("<expr> nats/nat per? token/character/symbol/word?", "[0]"),
    ("<expr> bits/bit per? token/character/symbol/word?", "({0} log(2))"),
    ("a per-token/per-character/per-word? perplexity of <expr>", "[0]"),
    ("the? hessian matrix? of the? log-sum-exp function?", f"∂²(log(\\sum_i exp({LOGITS}_i)))/∂{LOGITS}²"),
    ("<expr> times as large/big as <np>", "{0} {1}"),
    ("the? frobenius norm <expr>", "[0]"),
    ("twice <np>", "2 {0}"),
    ("double <np>", "2 {0}"),
    ("half of? <np>", "(1/2) {0}"),
    ("<expr> times <np>", "{0} {1}"),
    ("minus <np>", "-{0}"),
    ("the? number <expr>", "[0]"),
    ("the? all-ones vector", "1"),
    ("the? argmax of <np>", "argmax([0])"),
    ("which entry/component/element/class/coordinate of <np> is the? largest", "argmax([0])"),
    ("the? class/index/position/entry with the largest probability of <np>", "argmax([0])"),
    ("the? mean/average of the? logits/scores", f"((1/n) \\sum_j {LOGITS}_j)"),
    ("the? largest/maximal/maximum/greatest logit/score/input", f"max_j {LOGITS}_j"),
    ("the? smallest/minimal/minimum/least logit/score/input", f"min_j {LOGITS}_j"),
    ("the? identity matrix?", "I"),
    ("<expr> identity matrix", "I"),
    ("the? zero vector/matrix", "0"),
    ("the? origin", "0"),
)
"""Words and the expression that they stand for."""


NAMES = words(
    "means variances gradients derivatives moments squares ratios differences equation equations problem "
    "expectation form jacobian-matrix kind case square length vector-space distance bound decomposition "
    "estimator moment unit query key value weight output score logit temperature vector matrix loss error "
    "gradient derivative jacobian hessian mean variance covariance entropy cross-entropy perplexity "
    "function expression quantity norm ratio residual estimate distribution probability parameter "
    "constant factor number scalar quotient dimension width size target label prediction projector projection "
    "operator map event difference sum product average likelihood log-likelihood objective identity "
    "inequality bound term answer result formula gap margin rate signal input activation bias layer "
    "coefficient combination softmax sigmoid tanh softplus log-sum-exp divergence information trace rank "
    "determinant values keys weights vectors matrices logits scores outputs entries components "
    "probabilities norms columns variable variables"
)
_QUALIFIERS = words(
    "sample empirical absolute second-moment fourth third "
    "attention dot-product scaled unscaled dot inner outer product quadratic form gram hat householder "
    "projection covariance correlation weight key value query total average mean squared square-root "
    "euclidean kl kullback-leibler shannon categorical binary logistic sigmoid hyperbolic tangent "
    "softplus log-sum-exp relu squared-error least-squares expected negative-sampling naive softmax "
    "cross-entropy log conditional joint marginal mutual second first upstream hidden per-token negative "
    "log-likelihood standard normal gaussian random orthogonal symmetric matrix vector scalar true "
    "context elementwise noisy unnormalised normalised resulting corresponding usual plain ordinary whole "
    "final partial fixed given constant single real positive closed-form linear model language least "
    "squares one geometric arithmetic harmonic reverse forward ridge regularised regularized central symmetric "
    "divided logit numerical"
)


def _probability(clause: Clause) -> Thing:
    """The probability of one event; what is given of its letters is given of the probability."""
    if len(clause.claims) != 1 or clause.unread:
        raise Unreadable
    return Thing(f"P({clause.claims[0]})", clause.given)


def derivative(of: Thing, by: Thing | None) -> Thing:
    """The derivative by a letter that the claim names, or that is plain."""
    letter = by.signs if by is not None else letter_of(of)
    return Thing(f"∂/∂{letter} ({of.signs})", merged(of, by), "derivative", of)


def hessian(of: Thing, by: Thing | None) -> Thing:
    """The matrix of second derivatives."""
    letter = by.signs if by is not None else letter_of(of)
    return Thing(f"∂²({of.signs})/∂{letter}²", merged(of, by), "matrix")


def named_of(expr: Thing, of: Thing, kind: str) -> Thing:
    """The product uvᵀ of two nonzero vectors: what is said of two vectors is said of u and v.

    Raises: Unreadable where the letters are not as many.
    """
    names = of.signs.split(", ")
    if not all(name.startswith("⟨") and ":" in name for name in names):
        return Thing(expr.signs, of.given, kind, of if of.kind.endswith("list") else None)
    letters = list(dict.fromkeys(symbols_in(expr.signs)))
    if len(letters) != len(names):
        raise Unreadable
    given = of.given
    for name, letter in zip(names, letters, strict=True):
        given = tuple(one.replace(name, letter) for one in given)
    return Thing(expr.signs, given, kind, Thing(", ".join(letters), given, "list") if len(letters) > 1 else None)


def with_given(thing: Thing, of: Thing) -> Thing:
    """The Jacobian J = … of p = softmax(z): what is given of p is given of J."""
    return Thing(thing.signs, merged(thing, of), thing.kind, thing.about)


def _appositive(name: str, expr: Thing) -> Thing:
    """The query q: what the letter is.

    Raises: Unreadable for key b, which is no letter of a key but one of an index.
    """
    if name in ("key", "keys") and re.fullmatch(r"[a-jl-z]|\d", expr.signs):
        raise Unreadable
    return Thing(expr.signs, expr.given, name)


APPOSITIONS: tuple[Rule, ...] = (
    *(Rule("name", word, lambda word=word: word) for word in NAMES),
    *(Rule("qualifier", word, lambda: None) for word in dict.fromkeys(_QUALIFIERS)),
    Rule("qualifiers", "<qualifier> <qualifiers>", lambda *_: None),
    Rule("qualifiers", "<qualifier>", lambda _: None),
    Rule("base", f"{DETERMINER} <qualifiers>? <name> <expr>", lambda _, name, expr: _appositive(name, expr)),
    Rule(
        "base",
        f"{DETERMINER} <qualifiers>? <name> <expr> of/between <np>",
        lambda _, name, expr, of: named_of(expr, of, name),
    ),
    Rule(
        "base",
        f"{DETERMINER} <qualifiers>? <name> <expr> of/between <np> and <np>",
        lambda _, name, expr, of, other: Thing(expr.signs, merged(of, other), name),
    ),
    Rule(
        "base",
        f"{DETERMINER} <qualifiers>? <name> <defined> of <np>",
        lambda _, __, thing, of: with_given(thing, of),
    ),
    Rule(
        "base",
        f"{DETERMINER} centred/centered? gaussian/normal <typed>",
        lambda typed: Thing(typed[0], (typed[1],), "random"),
    ),
    Rule("base", "<typed>", lambda typed: Thing(typed[0], (typed[1],))),
    Rule("base", f"{DETERMINER} <qualifiers>? <name> <defined>", lambda _, name, thing: thing),
    Rule("base", "<defined>", lambda thing: thing),
    Rule("base", f"{DETERMINER} <qualifiers>? <name> <typed>", lambda _, __, typed: Thing(typed[0], (typed[1],))),
)


def _same_in_signs(thing: Thing, formula: Thing) -> Thing:
    """Softplus, log(1 + e^x), … is what the formula says, since both name one function."""
    if thing.kind not in ("function", "softmax", "named"):
        raise Unreadable
    return Thing(formula.signs, merged(thing, formula), thing.kind, thing.about)


def _where(thing: Thing, condition: Clause) -> Thing:
    """The matrix u uᵀ (unit vector u): what a bracket or a clause between commas says of letters is given.

    Raises: Unreadable where `it` is spoken of, or nothing is said.
    """
    said = given_by(condition)
    if any(is_open(one) for one in said):
        raise Unreadable
    return Thing(thing.signs, (*thing.given, *said), thing.kind, thing.about)


_DEFINITION = re.compile(r"(?P<name>[^=<>≤≥∈]+?)\s*(?:=|>=|≥|>|∈|\\in\b|\\geq?\b)")


def _with_definition(thing: Thing, relation: str) -> Thing:
    """The matrix diag(p) − p pᵀ, p = softmax(z), …: what a letter is, or how large a size."""
    found = _DEFINITION.match(relation)
    if found is None or not SYMBOL.fullmatch(found["name"].strip()):
        raise Unreadable
    return Thing(thing.signs, (*thing.given, relation), thing.kind, thing.about)


PHRASES: tuple[Rule, ...] = (
    *(noun(pattern, template) for pattern, template in FUNCTIONS),
    *(possessive(pattern, template) for pattern, template in FUNCTIONS if pattern.endswith(" of <np>")),
    Rule("base", "its/the? entries/components/elements", lambda: Thing(IT)),
    Rule(
        "base",
        "the? sum of the? absolute values of its/the entries/components/coordinates",
        lambda: Thing(f"‖{ITS}‖_1", about=Thing(ITS)),
    ),
    Rule(
        "base",
        "its/the? largest/maximal/maximum absolute entry/component/coordinate",
        lambda: Thing(f"‖{ITS}‖_∞", about=Thing(ITS)),
    ),
    Rule("base", "its/the derivative/gradient/jacobian", lambda: derivative(Thing(ITS), Thing(ITS_LETTER))),
    Rule("base", "its/the hessian", lambda: hessian(Thing(ITS), Thing(ITS_LETTER))),
    noun("each/every/the/any row of <np>", "({0} 1)_i", "row"),
    noun("each/every/the/any column of <np>", "({0}^T 1)_i", "row"),
    Rule("condition_on", "<rel>", Thing),
    Rule("condition_on", "<sym>", lambda x: x),
    Rule("partial", "partial/first", lambda: None),
    Rule(
        "base",
        "the? <partial>? derivative/gradient of <np> wrt the? <name>? <sym>",
        lambda _, of, __, by: derivative(of, by),
    ),
    Rule(
        "base",
        "the? <partial>? derivative/gradient/jacobian wrt the? <name>? <sym> of <np>",
        lambda _, __, by, of: derivative(of, by),
    ),
    Rule("base", "the? jacobian matrix? of <np> wrt the? <name>? <sym>", lambda of, _, by: derivative(of, by)),
    Rule("base", "the? hessian matrix? of <np> wrt the? <name>? <sym>", lambda of, _, by: hessian(of, by)),
    Rule("base", "the? derivative/gradient of <np> in <sym>", derivative),
    Rule("base", "the? second derivative of <np> wrt <sym>", hessian),
    Rule("base", "the? derivative/gradient of <np>", lambda of: derivative(of, None)),
    Rule("base", "the? jacobian matrix? of <np>", lambda of: derivative(of, None)),
    Rule("base", "the? second derivative of <np>", lambda of: hessian(of, None)),
    Rule("base", "the? hessian matrix? of <np>", lambda of: hessian(of, None)),
    Rule("base", "the? probability that <clause>", _probability),
    Rule("base", "a/any/every/each/the matrix/vector/number/expression/quantity of the form <expr>", lambda x: x),
    Rule("base", "it/this/they/both", lambda: Thing(IT)),
    Rule("base", "that/those of <np>", that_of),
    *(
        Rule("base", f"the/that {kind} itself?", lambda kind=kind: Thing(THAT.format(kind)))
        for kind in ("vector", "matrix")
    ),
    Rule("base", "every/each/all/any of? the? <sym>", lambda sym: sym),
    Rule("base", "<entity>", lambda thing: thing),
    Rule("base", "<expr>", lambda thing: thing),
    Rule("base", "the? <fraction> <np>", lambda part, of: Thing(f"{part} {of.factor}", of.given)),
    Rule("fraction", "one/a half/third/quarter of", lambda: "(1/2)"),
    Rule("np", "<base> evaluated at <name>? <sym>", lambda thing, _, __: thing),
    Rule("np", "<base> plus <np>", lambda a, b: Thing(f"{a.signs} + {b.signs}", merged(a, b))),
    Rule("np", "<base> minus <np>", lambda a, b: Thing(f"{a.signs} - {b.factor}", merged(a, b))),
    Rule("np", "<base> times <np>", lambda a, b: Thing(f"{a.factor} {b.factor}", merged(a, b))),
    Rule("np", "<base> divided by <np>", lambda a, b: Thing(f"{a.factor} / {b.factor}", merged(a, b))),
    Rule("np", "<base> over <np>", lambda a, b: Thing(f"{a.factor} / {b.factor}", merged(a, b))),
    Rule("np", "<base> itself/alone?", lambda thing: thing),
    Rule("np", "<base> <laid>", lambda thing, _: thing),
    Rule("np", "<base> ,? with/where/for <defined> ,?", with_given),
    Rule("np", "<base> , <expr> ,", _same_in_signs),
    Rule("np", "<base> ( <condition> )", _where),
    Rule("np", "<base> ( with/for/where/here <condition> )", _where),
    Rule("np", "<base> , with/where/for <condition> ,", _where),
    Rule("np", "<base> , <rel> ,", _with_definition),
    *ENTITIES,
    *TAILS,
    *APPOSITIONS,
)
