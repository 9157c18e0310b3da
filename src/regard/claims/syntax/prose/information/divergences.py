"""The Kullback–Leibler divergence as a distance, cross-entropies of truth and model, and of Gaussians."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.phrases import Clause, Thing, claim

_SYMMETRIC = "KL(p || q) = KL(q || p)"
_TRIANGLE = "KL(p || r) ≤ KL(p || q) + KL(q || r)"

DISTANCES: tuple[Rule, ...] = (
    Rule("kl", "the? kl/kullback-leibler/kullback–leibler divergence", lambda: None),
    Rule("kl", "the? relative entropy", lambda: None),
    Rule("kl", "kl", lambda: None),
    Rule(
        "metric",
        "a/an? true/proper/genuine/real/actual/symmetric? distance/metric measure/function? <between>?",
        lambda _: None,
    ),
    Rule("metric", "a/an? distance/metric in the mathematical/usual/strict sense", lambda: None),
    Rule("between", "between/on/of/for/over probability? distributions", lambda: None),
    *(
        Rule(category, pattern, lambda *_, said=said: claim(said, of=Thing("KL(p || q)", (), "measure")))
        for category in ("clause", "worded")
        for pattern, said in (
            ("<kl> is <metric>", _SYMMETRIC),
            ("<kl> is not <metric>", f"{_SYMMETRIC} does not hold"),
            ("<kl> is symmetric <in_arguments>?", _SYMMETRIC),
            ("<kl> is not symmetric <in_arguments>?", f"{_SYMMETRIC} does not hold"),
            ("<kl> is asymmetric <in_arguments>?", f"{_SYMMETRIC} does not hold"),
            ("<kl> satisfies/obeys/fulfils/fulfills the triangle inequality", _TRIANGLE),
            ("<kl> does not satisfy/obey/fulfil/fulfill the triangle inequality", f"{_TRIANGLE} does not hold"),
            ("<kl> violates the triangle inequality", f"{_TRIANGLE} does not hold"),
            ("the triangle inequality holds for <kl>", _TRIANGLE),
            ("the triangle inequality fails for <kl>", f"{_TRIANGLE} does not hold"),
        )
    ),
    Rule("in_arguments", "in its two? arguments", lambda: None),
    Rule("in_arguments", "in <expr> and <expr>", lambda *_: None),
)

_TRUTH = "true/data/target/empirical/actual"
_MODEL = "a/the/our? model's/model/model/predicted/approximating distribution/prediction?"


def _smallest_where_equal(fixed: str, varied: str) -> Clause:
    """With q fixed, H(p, q) would be smallest at p = q.

    Raises: Unreadable where one is said to be both.
    """
    if fixed == varied:
        raise Unreadable
    return claim(f"H(p, q) ≥ H({fixed}, {fixed})")


TRUTHS: tuple[Rule, ...] = (
    *(
        Rule("np", pattern, lambda *_, signs=signs: Thing(signs, (), "measure"))
        for pattern, signs in (
            (f"the? cross-entropy between/of a/the? {_TRUTH} distribution and/relative/with to? {_MODEL}", "H(p, q)"),
            (
                f"the? kl/kullback-leibler divergence between/of/from a/the? {_TRUTH} distribution and/to {_MODEL}",
                "KL(p || q)",
            ),
            (f"the? entropy of the/a? {_TRUTH} distribution", "H(p)"),
            ("the? entropy of the/a? model distribution", "H(q)"),
        )
    ),
    Rule(
        "body",
        "if/when <p_or_q> is held/kept fixed/constant and <p_or_q> is varied/optimised/optimized ,? then? the "
        "cross-entropy is smallest/minimal/minimised/minimized when/if the? two/they distributions? are "
        "equal/identical",
        _smallest_where_equal,
    ),
    Rule("p_or_q", f"the {_TRUTH} distribution <expr>?", lambda _: "p"),
    Rule("p_or_q", "the model distribution <expr>?", lambda _: "q"),
)

GAUSSIANS: tuple[Rule, ...] = (
    Rule("body", "<two_gaussians> have/satisfy <rel>", lambda _, rel: claim(rel)),
    Rule("body", "for/between <two_gaussians> ,? we? have? <rel>", lambda _, rel: claim(rel)),
    Rule(
        "two_gaussians",
        "two? one-dimensional/univariate/1-d/scalar? gaussians/normals/gaussian/normal "
        "distributions/densities/variables? with/of the/a? same/equal/common/shared variance/variances",
        lambda: None,
    ),
)

PRODUCTS: tuple[Rule, ...] = (
    Rule(
        "clause",
        "the? joint/product distribution <expr> has <qualifiers>? entropy <np>",
        lambda joint, _, x: claim(f"{_joint_entropy(joint)} = {x.signs}"),
    ),
    Rule(
        "np",
        "the? <qualifiers>? entropy of the? joint/product distribution <expr>",
        lambda _, joint: Thing(_joint_entropy(joint), (), "measure"),
    ),
    Rule(
        "condition",
        "<syms> are independent random? variables? with distributions/laws <sym> and <sym>",
        lambda _, p, q: Clause((), (f"{p.signs} is a distribution", f"{q.signs} is a distribution")),
    ),
)


def _joint_entropy(joint: Thing) -> str:
    """The entropy of p_i q_j over pairs.

    Raises: Unreadable for other products.
    """
    found = re.fullmatch(r"(?P<p>[a-z])_\{?i\}?\s*(?:·|\\cdot)?\s*(?P<q>[a-z])_\{?j\}?", joint.signs)
    if found is None or found["p"] == found["q"]:
        raise Unreadable
    product = f"{found['p']}_i {found['q']}_j"
    return f"(-\\sum_i \\sum_j {product} log({product}))"


RULES: tuple[Rule, ...] = (*DISTANCES, *TRUTHS, *GAUSSIANS, *PRODUCTS)
