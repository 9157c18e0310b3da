"""A text of a few tokens whose probabilities are numbers: what a model scores on it is an expression of these.

Two tokens of probability 1/2 and 1/8: the perplexity is 4          ((1/2) (1/8))^(−1/2) = 4
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from regard.claims.syntax.prose.chart import Leaf, Rule, Unreadable
from regard.claims.syntax.prose.phrases import Clause, Thing
from regard.claims.syntax.prose.tokens import Token

_VALUES = "⟨values⟩"
_NUMBER = re.compile(r"0?\.\d+|1(?:\.0)?|\d+\s*/\s*\d+|\\[dt]?frac\s*\{?\d+\}?\s*\{?\d+\}?|[½¼⅓⅛⅔¾⅙⅕]|2\^\{?[-−]\d+\}?")
_PARTS = {"two-token": 2, "three-token": 3, "four-token": 4, "two-word": 2, "three-word": 3, "four-word": 4}


def read_values(tokens: Sequence[Token], start: int) -> list[tuple[int, tuple[str, ...]]]:
    """Two or more numbers, one after another: 1/2, 1/4 and 1/8."""
    found: list[str] = []
    ends: list[tuple[int, tuple[str, ...]]] = []
    at = start
    while at < len(tokens) and tokens[at].kind == "formula":
        parts = [one.strip() for one in tokens[at].text.split(",")]
        if not all(_NUMBER.fullmatch(one) for one in parts):
            break
        found += parts
        at += 1
        if len(found) > 1:
            ends.append((at, tuple(found)))
        while at < len(tokens) and tokens[at].kind != "formula" and tokens[at].text in (",", "and"):
            at += 1
    return ends


def _scored(count: int | None, values: tuple[str, ...]) -> Clause:
    """The numbers are the probabilities of all tokens.

    Raises: Unreadable where there are more or fewer tokens.
    """
    if count is not None and count != len(values):
        raise Unreadable
    return Clause((), (f"{_VALUES} = {'; '.join(values)}",), Thing("⟨model⟩", (), "known model"))


def _count(number: Thing) -> int:
    """Raises: Unreadable for what is no small number."""
    signs = re.sub(r"^N\s*=\s*", "", number.signs)
    if not signs.isdigit():
        raise Unreadable
    return int(signs)


def _count_in(relation: str) -> int:
    return _count(Thing(relation))


_SCORE = re.compile(r"(?<![A-Za-z\\{⟨])(?:PP|CE|H_2)(?![A-Za-z(_])|\\prod_i ⟨token⟩_i")


def put_values(written: str) -> str:
    """A statement with the numbers put into what a model scores.

    Raises: Unreadable where it speaks of anything else of the model, or of no score.
    """
    found = re.search(rf"Let {_VALUES} = (?P<values>[^⟨]+?)\. (?=Let|Then)", written)
    if found is None:
        return written
    values = [f"({one})" for one in found["values"].split("; ")]
    rest = (written[: found.start()] + written[found.end() :]).removeprefix("Then ")
    size, product = len(values), " ".join(values)
    scores = {
        "PP": f"({product})^{{-1/{size}}}",
        "CE": f"(-log({product})/{size})",
        "H_2": f"(-log({product})/({size} log(2)))",
        "\\prod_i ⟨token⟩_i": f"({product})",
    }
    put = _SCORE.sub(lambda one: scores[one.group()], rest)
    if put == rest or _VALUES in put or re.search(r"⟨token|⟨characters|(?<![A-Za-z\\])N(?![A-Za-z])|p_", put):
        raise Unreadable
    return put


_PROBABILITY = "probability/probabilities"
_GIVES = "assigns/assign/gives/give/gave/assigned/predicts"
_TOKEN = "token/tokens/word/words/symbols/characters"
LEAVES: dict[str, Leaf] = {"values_list": read_values}
RULES: tuple[Rule, ...] = (
    Rule("n_tokens", "<expr>", _count),
    Rule("n_tokens", "<rel>", _count_in),
    *(
        Rule("short_text", f"a/the {words} text/sentence/sequence/corpus/phrase?", lambda n=n: n)
        for words, n in _PARTS.items()
    ),
    Rule(
        "short_text",
        f"a/the text/sentence/sequence/corpus/phrase of/with/containing <n_tokens> {_TOKEN}",
        lambda n: n,
    ),
    Rule("verbless", f"<n_tokens> {_TOKEN} of/with {_PROBABILITY} <values_list>", _scored),
    Rule("condition", f"<n_tokens> {_TOKEN} of/with {_PROBABILITY} <values_list>", _scored),
    Rule("clause", f"<n_tokens> {_TOKEN} have/has/get/receive the? {_PROBABILITY} <values_list>", _scored),
    Rule(
        "clause",
        f"the? <n_tokens>? {_TOKEN} of <short_text> have/get/receive the? {_PROBABILITY} <values_list>",
        lambda m, n, v: _scored(n, v) if m in (None, n) else _refuse(),
    ),
    Rule("clause", f"<short_text> has token/word? {_PROBABILITY} <values_list>", _scored),
    Rule("clause", f"the? token/word? {_PROBABILITY} are <values_list>", lambda values: _scored(None, values)),
    Rule(
        "clause",
        f"<lm> {_GIVES} the? <n_tokens> {_TOKEN} <of_text>? the? {_PROBABILITY} <values_list>",
        lambda _, n, __, values: _scored(n, values),
    ),
    Rule(
        "clause",
        f"<lm> {_GIVES} the? {_PROBABILITY} <values_list> to the? <n_tokens> {_TOKEN} <of_text>?",
        lambda _, values, n, __: _scored(n, values),
    ),
    Rule(
        "clause",
        f"<lm> {_GIVES} the? {_PROBABILITY} <values_list> to the? {_TOKEN} of <short_text>",
        lambda _, values, n: _scored(n, values),
    ),
    Rule("of_text", "of/in a/the/some text/sentence/sequence/corpus", lambda: None),
)


def _refuse() -> Clause:
    raise Unreadable
