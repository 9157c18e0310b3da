"""Two perplexities compared in words: of two models, of texts put together, of probabilities that are scaled."""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.english.field.perplexity import EACH, MODEL, TEXT

_TWO_MODELS = re.compile(
    r"[Ii]f (?:the )?(?:model )?(?P<first>[A-Z1-9]|one model)(?:'s|’s)? (?:has a |(?:average "
    r")?)(?:cross[-\s]entropy|loss) (?:is |that is )?(?P<gap>one|two|1|2|half a|\d+(?:\.\d+)?) "
    r"(?P<unit>nats?|bits?)(?: per (?:token|word))? "
    r"(?P<way>lower|higher|smaller|larger) than (?:that of )?(?:model )?(?P<second>[A-Z2-9])(?:'s|’s)?,? "
    r"(?:then )?(?:model )?(?:its|(?P=first)(?:'s|’s)?) perplexity is (?P<claim>.+?)\s*\.?\s*$"
)
_GAPS = {"one": "1", "two": "2", "half a": "1/2", "twice": "2", "half": "1/2"}
_COMPARED = (
    (
        re.compile(r"(?:lower|smaller|less) (?:than \S+(?: perplexity)? )?by (?:exactly )?(?P<x>\S+)$"),
        "{other} - {x}",
    ),
    (
        re.compile(r"(?:higher|larger|greater) (?:than \S+(?: perplexity)? )?by (?:exactly )?(?P<x>\S+)$"),
        "{other} + {x}",
    ),
    (
        re.compile(r"(?:lower|smaller) (?:than \S+(?: perplexity)? )?by a factor (?:of )?(?:exactly )?(?P<x>\S+)$"),
        "{other} / {x}",
    ),
    (
        re.compile(
            r"(?:higher|larger|greater) (?:than \S+(?: perplexity)? )?by a factor (?:of )?(?:exactly )?(?P<x>\S+)$"
        ),
        "{other} {x}",
    ),
    (
        re.compile(r"(?:exactly )?(?P<x>\S+) times (?:that of (?:model )?\S+|\S+(?:'s|’s)(?: perplexity)?)$"),
        "{x} {other}",
    ),
    (re.compile(r"(?:exactly )?(?P<x>half|twice) (?:that of (?:model )?\S+|\S+(?:'s|’s))$"), "({x}) {other}"),
)


def compare_models(text: str) -> str:
    """Two models whose losses are a number apart: a loss b, and the other b ± gap.

    >>> compare_models("If model A's loss is 1 bit per token lower than model B's, its perplexity is half that of B.")
    '2^{b - 1} = (1/2) 2^{b}'
    """
    found = _TWO_MODELS.match(text.strip())
    if found is None:
        return text
    base = "2^{{{}}}" if found["unit"].startswith("bit") else "exp({})"
    gap = _GAPS.get(" ".join(found["gap"].split()), found["gap"])
    sign = "-" if found["way"] in ("lower", "smaller") else "+"
    for pattern, form in _COMPARED:
        claimed = pattern.match(found["claim"])
        if claimed is not None:
            amount = _GAPS.get(claimed["x"], claimed["x"])
            return f"{base.format(f'b {sign} {gap}')} = {form.format(other=base.format('b'), x=amount)}"
    return text


_TWO_TEXTS = re.compile(
    r"[Ii]f two (?:test )?(?:texts|corpora|documents|test sets|halves) (?:have|are of|of) (?:the "
    r")?(?:same|equal) (?:number of tokens|length),? (?:then )?"
    r"the perplexity of (?:both together|their concatenation|the concatenation|the two together|the "
    r"whole) (?:is|equals) (?P<what>.+?)\s*\.?\s*$"
)
_MEANS = (
    (r"the arithmetic mean|the average|the mean", "(P + Q)/2"),
    (r"the geometric mean", "sqrt(P Q)"),
    (r"the harmonic mean", "2 P Q/(P + Q)"),
    (r"the product", "P Q"),
    (r"the sum", "P + Q"),
)
_WEIGHTED = re.compile(
    r"(?:[Tt]he )?(?P<kind>length-weighted|token-weighted|weighted|simple|plain) (?:arithmetic "
    r")?(?:average|mean) of (?:the )?(?:sentence|document|two|parts'|individual) perplexities"
    r"(?:\s*,?\s*weighted by (?:their )?(?:length|number of tokens)s?,?)? (?:gives|is|equals|yields) the "
    r"perplexity of the (?:whole|entire|full)?\s*(?:corpus|text)\s*\.?\s*$"
)


def join_texts(text: str) -> str:
    """The perplexity of texts that are put together.

    >>> join_texts("If two texts have the same length, the perplexity of the whole is the mean of their perplexities.")
    'if P ≥ 1 and Q ≥ 1 then sqrt(P Q) = (P + Q)/2'
    """
    found = _TWO_TEXTS.match(text.strip())
    if found is not None:
        for words, mean in _MEANS:
            if re.fullmatch(rf"(?:{words}) of (?:the (?:two )?|their |both )?(?:two )?perplexities", found["what"]):
                return f"if P ≥ 1 and Q ≥ 1 then sqrt(P Q) = {mean}"
    weighted = _WEIGHTED.match(text.strip())
    if weighted is not None:
        is_plain = weighted["kind"] in ("simple", "plain")
        return "(PP_1 + PP_2)/2 = PP" if is_plain else "(N_1 PP_1 + N_2 PP_2)/N = PP"
    return text


_SCALED = re.compile(
    rf"(?:[Ii]f {MODEL} (?:gave|gives|assigned|assigns) (?P<times>twice|half|double|\S+ times) the "
    rf"probability to {EACH}(?: (?:in|of) the {TEXT})?"
    rf"|(?:[Ii]f )?(?P<verb>[Dd]oubling|[Hh]alving) the probability (?:of|given to) "
    rf"{EACH.replace('count', 'count2')}(?: (?:in|of) the {TEXT})?),? (?:then )?"
    r"(?:its |the )?(?:perplexity )?(?P<does>.+?)\s*\.?\s*$"
)
_DOES = (
    (re.compile(r"(?:would be|is|gets|would get) divided by (?:exactly )?(?P<x>\S+)$"), "PP/({x})"),
    (re.compile(r"(?:would be|is|gets|would get) multiplied by (?:exactly )?(?P<x>\S+)$"), "PP ({x})"),
    (re.compile(r"(?:would be|is|gets) halved$|halves(?: the perplexity)?$|would halve$"), "PP/2"),
    (re.compile(r"(?:would be|is|gets) doubled$|doubles(?: the perplexity)?$|would double$"), "2 PP"),
    (re.compile(r"(?:would )?(?:not change|does not change|stays? the same)$"), "PP"),
)


def scale_probabilities(text: str) -> str:
    """What becomes of the perplexity if every token gets a multiple of its probability.

    >>> scale_probabilities("If the model gave twice the probability to each token, its perplexity would be halved.")
    'exp(-(1/N) \\\\sum_i log((2) p_i)) = PP/2'
    """
    found = _SCALED.match(text.strip())
    if found is None:
        return text
    words = found["times"] or found["verb"].lower()
    times = {"twice": "2", "double": "2", "half": "1/2", "doubling": "2", "halving": "1/2"}.get(words)
    times = times or words.removesuffix("times").strip()
    for pattern, form in _DOES:
        does = pattern.match(found["does"])
        if does is not None:
            return f"exp(-(1/N) \\sum_i log(({times}) p_i)) = {form.format(**does.groupdict())}"
    return text


_RISE = re.compile(
    r"^(?:[Ii]f|[Ww]hen) (?:the |a model's )?(?:average |mean )?(?:cross[- ]entropy|loss|negative "
    r"log-likelihood)(?: per (?:token|word))? "
    r"(?P<way>increases|rises|grows|goes up|decreases|drops|falls|goes down|is (?:increased|reduced|"
    r"lowered|raised)) by (?P<gap>\d+(?:\.\d+)?|one|two|[a-zδΔ]|log\(?2\)?|ln\(?2\)?) "
    r"(?P<unit>nats?|bits?)(?: per (?:token|word))?,? (?:then )?the perplexity (?P<does>.+?)\s*\.?\s*$"
)
_BECOMES = (
    (re.compile(r"doubles|is doubled|is multiplied by (?:2|two)"), "2·({0})"),
    (re.compile(r"halves|is halved|is divided by (?:2|two)"), "({0})/2"),
    (
        re.compile(
            r"is (?:multiplied|increased) by (?:a factor (?:of )?)(?P<x>\S+)|is multiplied by (?P<y>\S+)|grows by "
            r"a factor (?:of )?(?P<z>\S+)"
        ),
        "({x}) {0}",
    ),
    (
        re.compile(
            r"is (?:divided|reduced) by (?:a factor (?:of )?)(?P<x>\S+)|is divided by (?P<y>\S+)|(?:drops|falls|"
            r"shrinks) by a factor (?:of )?(?P<z>\S+)"
        ),
        "({0})/({x})",
    ),
    (re.compile(r"(?:increases|rises|grows) by (?:exactly )?(?P<x>\d\S*|one|two)"), "{0} + {x}"),
)


def raise_loss(text: str) -> str:
    """What becomes of the perplexity as the loss grows by a number of nats or bits.

    >>> raise_loss("If the cross-entropy increases by 1 bit, the perplexity doubles.")
    '2^{b + 1} = 2·(2^{b})'
    """
    found = _RISE.match(text.strip())
    if found is None:
        return text
    base = "2^{{{}}}" if found["unit"].startswith("bit") else "exp({})"
    sign = "+" if re.search(r"increase|rise|grow|up", found["way"]) else "-"
    gap = _GAPS.get(found["gap"], found["gap"])
    for pattern, form in _BECOMES:
        does = pattern.fullmatch(found["does"])
        if does is not None:
            amount = next((value for value in does.groups() if value), "1")
            amount = _GAPS.get(amount, amount)
            return f"{base.format(f'b {sign} {gap}')} = {form.format(base.format('b'), x=amount)}"
    return text


_MEANS_LOSS = re.compile(
    r"^(?:[Aa] )?perplexity of (?P<value>\d+(?:\.\d+)?|[A-Zk]) (?:means|corresponds to|is the same as|is "
    r"equivalent to) (?:an? )?(?:(?:average )?(?:cross[- ]entropy|loss) of )?"
    r"(?P<loss>[^\s,]+(?: \d+)?) (?P<unit>nats?|bits?)(?: per (?:token|word))?\s*\.?\s*$"
)


def match_loss(text: str) -> str:
    """`A perplexity of 8 corresponds to 3 bits` as 2³ = 8.

    >>> match_loss("A perplexity of 8 corresponds to 3 bits per token.")
    '2^{3} = 8'
    """
    found = _MEANS_LOSS.match(text.strip())
    if found is None:
        return text
    base = f"2^{{{found['loss']}}}" if found["unit"].startswith("bit") else f"exp({found['loss']})"
    return f"{base} = {found['value']}"


REWRITERS: tuple[Callable[[str], str], ...] = (compare_models, join_texts, scale_probabilities, raise_loss, match_loss)
