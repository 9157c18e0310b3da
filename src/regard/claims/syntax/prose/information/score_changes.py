"""What becomes of the perplexity as the loss falls by one nat, or as every token gets twice its probability.

A change says what stands for loss, perplexity or probabilities afterwards; what follows is written in them.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.information.perplexity import LENGTH, TOKEN, TOKEN_LOSS
from regard.claims.syntax.prose.phrases import CROSS_ENTROPY, LOSS, Thing

_LOSSES = (CROSS_ENTROPY, LOSS, TOKEN_LOSS)
_MEAN_LOSS = f"(-(1/N) \\sum_i log({TOKEN}_i))"
SCORES: dict[str, dict[str, str]] = {
    "CE": {"PP": "exp(CE)", "H_2": "CE/log(2)", **dict.fromkeys(_LOSSES, "CE")},
    "PP": {"CE": "log(PP)", "H_2": "log(PP)/log(2)", **dict.fromkeys(_LOSSES, "log(PP)")},
    f"{TOKEN}_i": {
        "PP": f"exp{_MEAN_LOSS}",
        "H_2": f"{_MEAN_LOSS}/log(2)",
        **dict.fromkeys(("CE", *_LOSSES), _MEAN_LOSS),
    },
}
"""By what is changed, how other scores are written in it."""

Change = tuple[tuple[str, str], ...]


def _shift(sign: str) -> Callable[[str, str], Change]:
    return lambda letter, amount: ((letter, f"{letter} {sign} ({amount})"),)


def _scale(letter: str, factor: str) -> Change:
    return ((letter, f"({factor}) {letter}"),)


def _counted(count: Thing | None) -> str:
    """Of the M token probabilities: there are M tokens."""
    return f"{LENGTH} = {count.signs}" if count is not None else ""


def _token_letter(symbol: Thing) -> str:
    """Every p_t.

    Raises: Unreadable for other letters.
    """
    if not re.fullmatch(r"p_\{?[itj]\}?|p[ₜᵢⱼ]", symbol.signs):
        raise Unreadable
    return ""


def _effect(template: str) -> Callable[[Thing, str], tuple[Thing, str]]:
    return lambda thing, amount: (thing, template.replace("{x}", amount))


_DOWN, _UP = (
    "lowering/reducing/decreasing/dropping/cutting/improving/shrinking",
    "raising/increasing/worsening/growing",
)
_FALLS = "falls/drops/decreases/shrinks/declines/goes/improves/fall/drop/decrease/shrink/go down?"
_RISES = "rises/grows/increases/goes/rise/grow/increase/go up?"
_BE = "is/are/gets/get/becomes/would/will/must be/get/become? exactly?"

TARGETS: tuple[Rule, ...] = (
    Rule("target", "the/a/its/our/every? <ce> <in_unit>? <of_lm>? <on_text>?", lambda *_: "CE"),
    Rule("target", "the/a/its/our? <pp> <of_lm>? <on_text>?", lambda *_: "PP"),
    Rule(
        "target",
        "the/its/all/each/every? of? the? <prob_adj> probability/probabilities <to_tokens>?",
        lambda *_: f"{TOKEN}_i",
    ),
    Rule("passive", "<counted> <scaled_verb>", lambda count, factor: (*_scale(f"{TOKEN}_i", factor), ("", count))),
    Rule("change", "<scaling_verb> <counted>", lambda factor, count: (*_scale(f"{TOKEN}_i", factor), ("", count))),
    Rule(
        "counted",
        "all/each/every? one? of? the/its? <expr>? <prob_adj>? probability/probabilities <to_tokens>?",
        lambda count, *_: _counted(count),
    ),
    Rule("counted", "all/each/every/the? <sym>", _token_letter),
    Rule("scaled_verb", "is/are/gets/get/becomes all? halved", lambda: "1/2"),
    Rule("scaled_verb", "is/are/gets/get all? cut/divided in/into half", lambda: "1/2"),
    Rule("scaled_verb", "halves", lambda: "1/2"),
    Rule("scaled_verb", "is/are/gets/get/becomes all? doubled", lambda: "2"),
    Rule("scaled_verb", "doubles", lambda: "2"),
    Rule("scaled_verb", "is/are/gets/get all? tripled", lambda: "3"),
    Rule("scaled_verb", "is/are/gets/get all? squared", lambda: f"{TOKEN}_i"),
    Rule("scaled_verb", "is/are/gets/get all? multiplied/scaled by/with <scaled_by>", lambda x: x),
    Rule("scaled_verb", "is/are/gets/get all? divided/reduced/cut by <scaled_by>", lambda x: f"1/({x})"),
    Rule("scaled_by", "a/the? factor of? <expr>", lambda x: x.signs),
    Rule("scaled_by", "<expr>", lambda x: x.signs),
    Rule("scaling_verb", "halving", lambda: "1/2"),
    Rule("scaling_verb", "doubling", lambda: "2"),
    Rule("scaling_verb", "tripling", lambda: "3"),
    Rule("passive", "<lm> <multiplies> <target>", lambda _, x, t: _scale(t, x)),
    Rule("multiplies", "doubles", lambda: "2"),
    Rule("multiplies", "halves", lambda: "1/2"),
    Rule("multiplies", "triples", lambda: "3"),
    Rule("target", "the/all? probability/probabilities <to_tokens>", lambda _: f"{TOKEN}_i"),
    Rule("in_unit", "in nats/bits <unit_per>?", lambda _: None),
    Rule("added", "exactly? <expr> nats/nat <unit_per>?", lambda x, _: x.signs),
    Rule("added", "exactly? <bits>", lambda x: x),
    Rule("added", "exactly? <expr>", lambda x: x.signs),
    Rule("factored", "a/the? factor of? <np>", lambda x: x.signs),
)

CHANGES: tuple[Rule, ...] = (
    *(
        rule
        for verbs, past, noun, falls, sign, power in (
            (_DOWN, "lowered/reduced/decreased/cut", "reduction/decrease/drop/improvement", _FALLS, "-", "1/({x})"),
            (_UP, "raised/increased", "increase/rise/growth", _RISES, "+", "{x}"),
        )
        for rule in (
            Rule("change", f"{verbs} <target> by <factored>", lambda t, x, p=power: _scale(t, p.replace("{x}", x))),
            Rule("change", f"{verbs} <target> by <added>", _shift(sign)),
            Rule(
                "change",
                f"a/an/any? {noun} of/in <target> by/of <factored>",
                lambda t, x, p=power: _scale(t, p.replace("{x}", x)),
            ),
            Rule("change", f"a/an/any? {noun} of/in <target> by/of <added>", _shift(sign)),
            Rule("change", f"a/an/any? {noun} of/by <added> in/of <target>", lambda x, t, s=sign: _shift(s)(t, x)),
            Rule("passive", f"<target> {falls} by <factored>", lambda t, x, p=power: _scale(t, p.replace("{x}", x))),
            Rule("passive", f"<target> {falls} by <added>", _shift(sign)),
            Rule(
                "passive",
                f"<target> is/are/gets {past} by <factored>",
                lambda t, x, p=power: _scale(t, p.replace("{x}", x)),
            ),
            Rule("passive", f"<target> is/are/gets {past} by <added>", _shift(sign)),
        )
    ),
    Rule("passive", "<target> is/are/gets/becomes squared", lambda t: _scale(t, t)),
    Rule("passive", "<target> squares", lambda t: _scale(t, t)),
    Rule(
        "change",
        "every/each/one/an/a? extra/additional/further/more bit of/in <target>",
        lambda t: _shift("+")(t, "log(2)"),
    ),
    Rule(
        "change", "every/each/one/an/a? extra/additional/further/more nat of/in <target>", lambda t: _shift("+")(t, "1")
    ),
    Rule("change", "<added> more <target>", lambda x, t: _shift("+")(t, x)),
    Rule("change", "<added> less <target>", lambda x, t: _shift("-")(t, x)),
    Rule("passive", "<target> halves", lambda t: _scale(t, "1/2")),
    Rule("passive", "<target> doubles", lambda t: _scale(t, "2")),
    Rule(
        "passive",
        "<lm> <assigns> <multiple> the probability to <tokens> <compared>?",
        lambda _, __, x, *___: _scale(f"{TOKEN}_i", x),
    ),
    Rule(
        "passive",
        "<lm> <assigns> to? <tokens> <multiple> the probability <compared>?",
        lambda _, __, ___, x, ____: _scale(f"{TOKEN}_i", x),
    ),
    Rule(
        "passive",
        "<tokens> gets/got/receives/has <multiple> the probability <compared>?",
        lambda _, x, __: _scale(f"{TOKEN}_i", x),
    ),
    Rule(
        "change",
        "giving/assigning <tokens> <multiple> the probability <compared>?",
        lambda _, x, __: _scale(f"{TOKEN}_i", x),
    ),
    Rule(
        "change",
        "giving/assigning <multiple> the probability to <tokens> <compared>?",
        lambda x, *_: _scale(f"{TOKEN}_i", x),
    ),
    Rule("multiple", "twice/double", lambda: "2"),
    Rule("multiple", "half", lambda: "1/2"),
    Rule("multiple", "<expr> times", lambda x: x.signs),
    Rule(
        "compared",
        "that? another/the/an? other/old/before? model? gives/gave/had/assigns/assigned? it/them?",
        lambda: None,
    ),
    Rule(
        "compared",
        "that/which/as? the/an? old/other/first/former/previous one/model gives/gave/assigned/had? it/them? ,?",
        lambda: None,
    ),
)

EFFECTS: tuple[Rule, ...] = (
    *(
        Rule("effect", f"{verbs} <np> by <{kind}>", _effect(template))
        for verbs, kind, template in (
            ("lowers/reduces/decreases/shrinks/cuts", "factored", "{a} = ({b})/({x})"),
            ("raises/increases", "factored", "{a} = ({x}) ({b})"),
            ("multiplies/scales", "factored", "{a} = ({x}) ({b})"),
            ("divides", "factored", "{a} = ({b})/({x})"),
            ("lowers/reduces/decreases/shrinks/cuts", "added", "{a} = {b} - ({x})"),
            ("raises/increases", "added", "{a} = {b} + ({x})"),
            ("divides", "added", "{a} = ({b})/({x})"),
            ("multiplies", "added", "{a} = ({x}) ({b})"),
        )
    ),
    *(
        Rule("passive_effect", f"<np> {words} <{kind}>", _effect(template))
        for words, kind, template in (
            (f"{_FALLS} by", "factored", "{a} = ({b})/({x})"),
            (f"{_RISES} by", "factored", "{a} = ({x}) ({b})"),
            (f"{_BE} smaller/lower/reduced/decreased/less/lowered/better/divided by", "factored", "{a} = ({b})/({x})"),
            (f"{_BE} larger/higher/greater/increased/raised/worse/multiplied by", "factored", "{a} = ({x}) ({b})"),
            (f"{_FALLS} by", "added", "{a} = {b} - ({x})"),
            (f"{_RISES} by", "added", "{a} = {b} + ({x})"),
            (f"{_BE} smaller/lower/reduced/decreased/less/lowered by", "added", "{a} = {b} - ({x})"),
            (f"{_BE} larger/higher/greater/increased/raised by", "added", "{a} = {b} + ({x})"),
            (f"{_BE} divided by", "added", "{a} = ({b})/({x})"),
            (f"{_BE} multiplied by", "added", "{a} = ({x}) ({b})"),
        )
    ),
    Rule("passive_effect", "<np> squares/square", lambda thing: (thing, "{a} = ({b})^2")),
    Rule("effect", "cuts <np> in half", lambda thing: (thing, "{a} = ({b})/2")),
    Rule("passive_effect", f"<np> {_BE} halved", lambda thing: (thing, "{a} = ({b})/2")),
    Rule("passive_effect", "<np> halves/halve", lambda thing: (thing, "{a} = ({b})/2")),
    Rule("passive_effect", f"<np> {_BE} doubled", lambda thing: (thing, "{a} = 2 ({b})")),
    Rule("passive_effect", f"<np> {_BE} squared", lambda thing: (thing, "{a} = ({b})^2")),
    Rule(
        "passive_effect",
        "<np> {_BE} its/the square root".replace("{_BE}", _BE),
        lambda thing: (thing, "{a} = sqrt({b})"),
    ),
    Rule(
        "passive_effect", "<np> is/gets/are replaced by its/the square root", lambda thing: (thing, "{a} = sqrt({b})")
    ),
    Rule("effect", "takes the square root of <np>", lambda thing: (thing, "{a} = sqrt({b})")),
    Rule("effect", "replaces <np> by/with its/the square root", lambda thing: (thing, "{a} = sqrt({b})")),
)

RULES: tuple[Rule, ...] = (*TARGETS, *CHANGES, *EFFECTS)
