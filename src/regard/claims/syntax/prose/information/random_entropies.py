"""Entropies of two random variables in words: joint, conditional and mutual, at single values and on average."""

from __future__ import annotations

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.phrases import Clause, Thing, claim

_VARIABLES = "the? two? discrete? random? variables?"


def _measure(form: str, first: Thing, second: Thing) -> Thing:
    if not (first.signs.isupper() and second.signs.isupper() and len(first.signs + second.signs) == 2):
        raise Unreadable
    return Thing(form.format(first.signs, second.signs), (), "measure")


def _plain(form: str, first: str = "X", second: str = "Y") -> Thing:
    return Thing(form.format(first, second), (), "measure")


def _independence(names: tuple[str, ...]) -> Clause:
    """Two variables are independent where they share no information.

    Raises: Unreadable for others than two capital letters.
    """
    if len(names) != 2 or not all(len(name) == 1 and name.isupper() for name in names):
        raise Unreadable
    return claim(f"I({names[0]};{names[1]}) = 0")


NOUNS: tuple[Rule, ...] = (
    *(
        Rule("base", pattern, lambda a, b, form=form: _measure(form, a, b))
        for pattern, form in (
            (f"the? mutual information of/between {_VARIABLES} <sym> and <sym>", "I({0};{1})"),
            (f"the? joint entropy of {_VARIABLES} <sym> and <sym>", "H({0}, {1})"),
            ("the? conditional? entropy of <sym> given <sym>", "H({0}|{1})"),
            ("the? information that? <sym> gives/contains/carries/has about/on <sym>", "I({0};{1})"),
        )
    ),
    Rule("base", "the? mutual information", lambda: _plain("I({0};{1})")),
    Rule("base", "the? joint entropy", lambda: _plain("H({0}, {1})")),
    Rule("base", "the? mutual information <of_two>", lambda _: _plain("I({0};{1})")),
    Rule("base", "the? product of their? individual/marginal/separate? entropies", lambda: _plain("H({0}) H({1})")),
    Rule("base", "the? joint entropy <of_two>", lambda _: _plain("H({0}, {1})")),
    Rule("base", "the? sum of the/their? individual/marginal/separate? entropies", lambda: _plain("H({0}) + H({1})")),
    Rule("base", "the/their? mutual information <expr> <of_two>?", lambda x, _: x),
    Rule("base", "the/their? joint entropy <expr> <of_two>?", lambda x, _: x),
    Rule("base", "the/their? conditional entropy <expr>", lambda x: x),
    Rule("of_two", "of/between two/any? two? discrete? random? variables <finite>?", lambda _: None),
)


def _names(names: tuple[str, ...]) -> Clause:
    """Random variables, which are capital letters.

    Raises: Unreadable for others.
    """
    if not all(name[0].isupper() for name in names):
        raise Unreadable
    return Clause()


def _checked_event(relation: str) -> str:
    """P(Y = y) > 0: what has no probability is no value.

    Raises: Unreadable for other conditions.
    """
    plain = relation.replace(" ", "").replace("\\", "")
    if not (plain[:2] in ("P(", "p(") and plain.endswith((")>0", ")gt0"))):
        raise Unreadable
    return relation


_VALUE = "single/individual/particular/possible/fixed/specific? value/outcome/observation"
TAILS: tuple[Rule, ...] = (
    Rule("tail", f",? for all/every/each/any {_VALUE} <sym> <value_tail>?", lambda *_: ("ignored", None)),
    Rule("tail", f",? for all/every/each/any {_VALUE} <value_tail>?", lambda _: ("ignored", None)),
    Rule("tail", ",? for every/each/any <sym> with <rel>", lambda _, rel: ("ignored", _checked_event(rel))),
    Rule("tail", ",? with equality iff <syms> are independent", lambda names: ("equality", _independence(names))),
    Rule(
        "tail",
        ",? with equality only? if/when <syms> are independent",
        lambda names: ("equality", _independence(names)),
    ),
    Rule("tail", ",? on average", lambda: ("ignored", None)),
    Rule("value_tail", "of/with positive/nonzero? probability", lambda: None),
    Rule("value_tail", "with <rel>", _checked_event),
    Rule("value_tail", "that? <sym> can take/have/assume", lambda _: None),
    Rule("value_tail", "of <sym>", lambda _: None),
    Rule(
        "body", f"for all/every/each/any {_VALUE} <sym> <value_tail>? ,? <lead>? <body>", lambda _, __, ___, body: body
    ),
    Rule("lead1", "on average ,?", lambda: None),
    Rule("condition", "discrete? random? variables? <syms> <finite>?", lambda names, _: _names(names)),
    Rule("condition", "two/any? two? discrete? random? variables <syms>? <finite>?", lambda *_: Clause()),
    Rule("finite", "of/with finite entropy/entropies", lambda: None),
    Rule(
        "clause",
        "the? mutual information <of_two>? can be computed/obtained/written from three? entropies as <rel>",
        lambda _, rel: claim(rel),
    ),
    Rule("vp", "can be computed/obtained/found from three? entropies as <rel>", lambda rel: lambda x: claim(rel, of=x)),
)


_ON = "on any/another/a/some/more? other/random/further/second/additional/extra? variable/information/data?"
_REDUCES = "reduces/decreases/lowers"
CONDITIONING: tuple[Rule, ...] = (
    Rule("clause", "<on_conditioning>", lambda said: said),
    Rule("worded", "<on_conditioning>", lambda said: said),
    Rule("conditioning", "conditioning <conditioned_on>? <on_average>?", lambda *_: None),
    Rule("conditioning", "more/additional/extra/further information <on_average>?", lambda _: None),
    Rule("conditioned_on", _ON, lambda: None),
    Rule("conditioned_on", "on <sym>", lambda _: None),
    Rule("an_entropy", "the? shannon? entropy <of_one>? <on_average>?", lambda *_: None),
    Rule("of_one", "of a/the? random? variable", lambda: None),
    Rule("of_one", "of <sym>", lambda _: None),
    *(
        Rule(
            "on_conditioning",
            f"<conditioning> {words} <an_entropy>",
            lambda *_, sign=sign: claim(f"H(X|Y) {sign} H(X)"),
        )
        for words, sign in (
            ("never/cannot increases/increase/raises/raise", "≤"),
            ("can/does/will/may not/never increase/raise", "≤"),
            ("can/may only reduce/decrease/lower", "≤"),
            (_REDUCES, "≤"),
            ("always? reduces/decreases/lowers or? leaves?", "≤"),
            ("strictly reduces/decreases/lowers", "<"),
            ("never/cannot decreases/decrease/reduces/reduce/lowers/lower", "≥"),
            ("can/does/will/may not/never decrease/reduce/lower", "≥"),
            ("increases/raises", "≥"),
            ("can/may only increase/raise", "≥"),
        )
    ),
)

RULES: tuple[Rule, ...] = (*NOUNS, *TAILS, *CONDITIONING)
