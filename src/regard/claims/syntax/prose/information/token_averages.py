"""Means and products of the probabilities that a model gives the tokens of a text."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.nouns import noun
from regard.claims.syntax.prose.information.perplexity import TOKEN
from regard.claims.syntax.prose.phrases import Clause, Thing

MEANS: tuple[tuple[str, str, str], ...] = (
    ("geometric mean/average", "(\\prod_i {0})^{1/N}", ""),
    ("arithmetic? mean/average", "(1/N) \\sum_i {0}", ""),
    ("harmonic mean/average", "N/(\\sum_i 1/({0}))", ""),
    ("product", "\\prod_i {0}", ""),
    ("sum", "\\sum_i {0}", ""),
)


def _mean(template: str) -> list[Rule]:
    def meaning(of: str, *_: object) -> Thing:
        return Thing("(" + template.replace("{0}", of) + ")", kind="score")

    words = next(name for name, form, _ in MEANS if form == template)
    return [Rule("np", f"the/a? <weighing>? {words} of <each_token> <given_by>?", lambda _, of, __: meaning(of))]


def _probabilities(names: tuple[str, ...]) -> Clause:
    """Token probabilities p_1, …, p_N.

    Raises: Unreadable for another letter, which the setting does not know.
    """
    if names not in (("p_i",), ("p",), ("p_t",)):
        raise Unreadable
    return Clause()


def _bounded_probabilities(relation: str) -> Clause:
    """Token probabilities 0 < p_i ≤ 1."""
    if not re.fullmatch(
        r"0\s*(?:<|≤|\\leq?)\s*p_i\s*(?:≤|<|\\leq?)\s*1|p_i\s*>\s*0|p_i\s*(?:∈|\\in)\s*[(\[]0\s*,\s*1\]", relation
    ):
        raise Unreadable
    return Clause()


def _of_token(x: Thing) -> str:
    """1/p_i.

    Raises: Unreadable for what is no probability of a token.
    """
    signs = x.signs.replace(" ", "")
    if signs not in ("1/p_i", "1/p_t", "p_i", "1/p"):
        raise Unreadable
    return f"1/{TOKEN}_i" if signs.startswith("1/") else f"{TOKEN}_i"


_FORMS = {"geometric": "(\\prod_i {0})^{1/N}", "arithmetic": "(1/N) \\sum_i {0}", "harmonic": "N/(\\sum_i 1/({0}))"}


def _inverse_mean(kind: str) -> Thing:
    """One over the geometric mean of the probabilities, which are those of tokens."""
    form = _FORMS[kind].replace("{0}", f"{TOKEN}_i")
    return Thing(f"1/({form})", kind="score")


_KINDS_OF_PROBABILITY = "conditional/token/model/predicted/individual/per-token/word/correct-token"
RULES: tuple[Rule, ...] = (
    *(rule for _, form, _ in MEANS for rule in _mean(form)),
    Rule("condition", "positive? <prob_adj> probabilities <syms>", lambda _, names: _probabilities(names)),
    Rule("condition", "positive? <prob_adj> probabilities <rel>", lambda _, rel: _bounded_probabilities(rel)),
    Rule("weighing", "plain/simple/ordinary/usual/unweighted", lambda: None),
    Rule("prob_adj", f"{_KINDS_OF_PROBABILITY} <prob_adj>?", lambda _: None),
    Rule("each_token", "all/the/its? <prob_adj> probabilities <expr>?", lambda _, __: f"{TOKEN}_i"),
    Rule("each_token", "all/the? probabilities <expr>? <to_tokens>", lambda _, __: f"{TOKEN}_i"),
    Rule(
        "each_token", "all/the/its? inverse/reciprocal <prob_adj>? probabilities <expr>?", lambda _, __: f"1/{TOKEN}_i"
    ),
    Rule(
        "each_token",
        "all/the/its? inverses/reciprocals of the/its? <prob_adj>? probabilities <expr>?",
        lambda _, __: f"1/{TOKEN}_i",
    ),
    Rule("each_token", "the? <expr>", _of_token),
    Rule("each_token", "the? token? probabilities <expr>", _of_token),
    *(
        Rule(
            "np",
            f"the/an? inverse/reciprocal {words} of <each_token> <given_by>?",
            lambda of, *_, form=form: Thing(f"1/({form.replace('{0}', of)})", kind="score"),
        )
        for words, form, _ in MEANS
    ),
    Rule(
        "each_token",
        "all/the? probabilities that/which? <lm> assigns/gives/assigned/gave <to_tokens>",
        lambda *_: f"{TOKEN}_i",
    ),
    *(
        Rule(
            "np",
            f"{lead} the? {kind} mean/average of all? the/its? probabilities",
            lambda kind=kind: _inverse_mean(kind),
        )
        for lead in ("the? inverse/reciprocal of", "one over")
        for kind in _FORMS
    ),
    Rule(
        "np",
        "the? geometric mean/average of all? the/its? probabilities",
        lambda: Thing("((\\prod_i {0})^{1/N})".replace("{0}", f"{TOKEN}_i"), kind="score"),
    ),
    Rule(
        "np",
        "the? geometric mean/average of all? the/its? inverse/reciprocal probabilities",
        lambda: _inverse_mean("geometric"),
    ),
    Rule(
        "np",
        "the? inverse probability <of_the_text>? ,? normalised/normalized by the? number/length of? words/tokens/text?",
        lambda _: _inverse_mean("geometric"),
    ),
    Rule("given_by", "<to_tokens>", lambda _: None),
    Rule("given_by", "that/which? <lm> assigns/gives/assigned/gave <to_tokens>?", lambda *_: None),
    Rule("given_by", "assigned/given by <lm> <to_tokens>?", lambda *_: None),
    Rule("given_by", "over/of/across all? the/its? tokens/words <tokens_tail>?", lambda _: None),
    Rule(
        "to_tokens",
        "of/to/over/for/given/assigned/received to/by? all/the/its/each/every? the/its? true/actual/correct? "
        "tokens/words/token/word <tokens_tail>?",
        lambda _: None,
    ),
    noun("the? total/joint? probability of the whole/entire? text/sequence/corpus/sentence/set", f"\\prod_i {TOKEN}_i"),
    noun("the? <expr> root of <np>", "{1}^{1/([0])}"),
)
