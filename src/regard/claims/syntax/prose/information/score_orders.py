"""Scores that go up and down together: lower cross-entropy means lower perplexity; minimising one minimises the other.

Each score of a text is a function of the mean loss t of its tokens, so that what is said of two scores is said of two
values of t: where the first score is smaller, the second is smaller, or larger.
"""

from __future__ import annotations

from typing import NamedTuple

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.phrases import Clause, claim

OF_LOSS: dict[str, str] = {
    "CE": "{}",
    "PP": "exp({})",
    "H_2": "{}/log(2)",
    "likelihood": "exp(-{})",
    "log-likelihood": "(-{})",
}
"""Each score as a function of the mean loss of a token, in nats."""
DIVERGENCE = "divergence"
"""The divergence from the fixed distribution of the data, of which the cross-entropy is a function of the model."""


class Moved(NamedTuple):
    """A score, and whether it goes up."""

    score: str
    is_up: bool


def _checked(score: str) -> str:
    """Raises: Unreadable for a score of other tokens, of which nothing follows."""
    if score not in OF_LOSS and score != DIVERGENCE:
        raise Unreadable
    return score


def _together(first: Moved, second: Moved) -> Clause:
    """Where the first score moves so, the second moves so.

    Raises: Unreadable for twice the same score.
    """
    if first.score == second.score:
        raise Unreadable
    is_same = first.is_up == second.is_up
    if DIVERGENCE in (first.score, second.score):
        if {first.score, second.score} != {DIVERGENCE, "CE"}:
            raise Unreadable
        other = fresh("distribution")
        product = f"(H(p, q) - H(p, {other})) (KL(p || q) - KL(p || {other}))"
        return claim(f"{product} {'≥' if is_same else '≤'} 0", given=(f"{other} is a distribution",))
    before, after = fresh("number"), fresh("number")
    one, other = (OF_LOSS[each.score] for each in (first, second))
    given = (f"{before} > 0", f"{after} > 0", f"{one.format(before)} < {one.format(after)}")
    return claim(f"{other.format(before)} {'<' if is_same else '>'} {other.format(after)}", given=given)


def _alike(first: str, second: str) -> Clause:
    return _together(Moved(first, is_up=True), Moved(second, is_up=True))


_THE = "the/a/an/its/their/our/any?"
_TEXT = "the/a? test/training/validation/whole? text/data/corpus/set/words/tokens/set?"
SCORES: tuple[Rule, ...] = (
    Rule("ordered_score", f"{_THE} <ce> <in_unit>? <on_text>?", lambda ce, *_: _checked(ce)),
    Rule("ordered_score", f"{_THE} <pp> <on_text>?", lambda pp, _: _checked(pp)),
    Rule("ordered_score", f"{_THE} likelihood <of_the_text>?", lambda _: "likelihood"),
    Rule("ordered_score", f"{_THE} probability <of_the_text>", lambda _: "likelihood"),
    Rule("ordered_score", f"{_THE} log-likelihood/log-probability <of_the_text>?", lambda _: "log-likelihood"),
    Rule("ordered_score", f"{_THE} log likelihood/probability <of_the_text>?", lambda _: "log-likelihood"),
    Rule("ordered_score", f"{_THE} kl/kullback-leibler divergence <from_data>?", lambda _: DIVERGENCE),
    Rule("ordered_score", f"{_THE} relative entropy <from_data>?", lambda _: DIVERGENCE),
    Rule("of_the_text", f"of/on {_TEXT}", lambda: None),
    Rule("from_data", "from/to/of/between the? data distribution? to/and? the? model? distribution?", lambda: None),
)

_LOW = "lower/smaller/less/reduced/decreased"
_HIGH = "higher/larger/greater/bigger/increased"
_LOWEST = "lowest/smallest/minimal/minimum/least"
_HIGHEST = "highest/largest/maximal/maximum/greatest"
_LOWERS = "minimising/minimizing/lowering/reducing/decreasing"
_RAISES = "maximising/maximizing/raising/increasing"
_DROPS = "falls/drops/decreases/shrinks/declines/fall/drop/decrease/shrink"
_GROWS = "rises/grows/increases/rise/grow/increase"
_COMES_DOWN, _COMES_UP = (
    "goes/go/comes/gets/becomes/is down/lower/smaller",
    "goes/go/comes/gets/becomes/is up/higher/larger",
)
_MEANS = "means/mean/gives/give/implies/imply/yields/brings/entails/is"
_SAME = (
    "is/are the? same thing/problem/task/goal/objective? as/to/with",
    "is/are equivalent/identical/equal to",
    "is/are mathematically/exactly? equivalent to",
    "amounts/corresponds/comes down? to",
    "means/implies/is/equals also? too?",
)

MOVES: tuple[Rule, ...] = (
    *(
        rule
        for is_up, verbs, adjectives, extreme, moves, comes, bare in (
            (False, _LOWERS, _LOW, _LOWEST, _DROPS, _COMES_DOWN, "minimises/minimizes/lowers/reduces"),
            (True, _RAISES, _HIGH, _HIGHEST, _GROWS, _COMES_UP, "maximises/maximizes/raises/increases"),
        )
        for rule in (
            Rule("optimising", f"{verbs} <ordered_score>", lambda x, up=is_up: Moved(x, up)),
            Rule("optimises", f"{bare} <ordered_score>", lambda x, up=is_up: Moved(x, up)),
            Rule("in_comparison", f"a/the/any? {adjectives} <ordered_score>", lambda x, up=is_up: Moved(x, up)),
            Rule("in_extreme", f"the? {extreme} possible? <ordered_score>", lambda x, up=is_up: Moved(x, up)),
            Rule("score_moves", f"<ordered_score> also? {moves} too?", lambda x, up=is_up: Moved(x, up)),
            Rule("score_moves", f"<ordered_score> also? {comes} too?", lambda x, up=is_up: Moved(x, up)),
        )
    ),
    Rule("one_model", "a/the/any/one/every model/parameters/one/network that/which/with", lambda: None),
)

ORDERS: tuple[Rule, ...] = (
    *(Rule("clause", f"<optimising> {words} <optimising>", _together) for words in _SAME),
    Rule("clause", "<optimising> and <optimising> are/is the? same/equivalent/identical thing/problem?", _together),
    Rule("clause", "<optimising> also? <optimises> too?", _together),
    Rule("clause", "<one_model> <optimises> also? <optimises> too?", lambda _, a, b: _together(a, b)),
    Rule("clause", f"<in_comparison> always? {_MEANS} always/also? <in_comparison>", _together),
    Rule("clause", "<in_comparison> always? leads/corresponds/goes to/with? <in_comparison>", _together),
    Rule("clause", "the? <in_comparison> ,? the? <in_comparison>", _together),
    Rule(
        "clause",
        "<one_model> <in_comparison> has/gets/reaches also? <in_comparison> too?",
        lambda _, a, b: _together(a, b),
    ),
    Rule(
        "clause", "<one_model> <in_extreme> has/gets/reaches also? <in_extreme> too?", lambda _, a, b: _together(a, b)
    ),
    Rule("body", "if/when/as/whenever/once <score_moves> ,? then? <score_moves>", _together),
    Rule("clause", "<score_moves> if/when/as/whenever <score_moves>", lambda b, a: _together(a, b)),
    Rule("clause", "<score_moves> only if/when <score_moves>", _together),
    *(
        rule
        for words, verb, is_up in (
            ("increasing/growing/rising", "increases/grows/rises", True),
            ("decreasing/falling/shrinking", "decreases/falls/shrinks", False),
        )
        for rule in (
            Rule(
                "clause",
                f"<ordered_score> is a/an? monotone/monotonic/monotonically/strictly? {words} function? in/of "
                "<ordered_score>",
                lambda b, a, up=is_up: _together(Moved(a, is_up=True), Moved(b, is_up=up)),
            ),
            Rule(
                "clause",
                f"<ordered_score> strictly/monotonically? {verb} with/in <ordered_score>",
                lambda b, a, up=is_up: _together(Moved(a, is_up=True), Moved(b, is_up=up)),
            ),
        )
    ),
    Rule(
        "clause",
        "<ordered_score> and <ordered_score> are/have minimised/minimized by the same model/parameters/models",
        _alike,
    ),
    Rule("clause", "<ordered_score> and <ordered_score> have the same minimiser/minimizer/minimum/minimizers", _alike),
    Rule("clause", "<ordered_score> and <ordered_score> rank/order models in? the same way/order?", _alike),
)

RULES: tuple[Rule, ...] = (*SCORES, *MOVES, *ORDERS)
