"""A formula with what it is called before it, in words that nobody else knows: the smooth maximum τ log Σ_i exp(x_i/τ).

Such a formula says itself what it is, so that the words can be passed over. They cannot where they may do something
to the formula (the expected squared error ‖x − y‖²), choose one of many (the largest product x_i y_i), or count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from regard.claims.syntax.prose.chart import Leaf, Rule
from regard.claims.syntax.prose.english.entities import ADJECTIVES
from regard.claims.syntax.prose.english.nouns import NAMES
from regard.claims.syntax.prose.leaves import NUMBERS, SERIOUS, SYMBOL, read_definition
from regard.claims.syntax.prose.phrases import Thing
from regard.claims.syntax.prose.signs import has_relation
from regard.claims.syntax.prose.tokens import Token, words

MAX_WORDS = 4
_DETERMINERS = words("the a an this each every")
_DOING = words(
    "expected average averaged mean squared absolute negative negated inverse reciprocal transposed transpose "
    "half double twice conditional normalised normalized centred centered root exponential exponentiated "
    "doubled halved tripled sum summed total product difference derivative gradient expectation variance "
    "logarithm log square reverse opposite limit limiting smallest maximal minimal optimal unique true wrong "
    "false correct other same different remaining original new old first second third last next only such very"
)
"""Words that may do something to a formula, or choose one of many."""
_JOINING = words(
    "of in on for with by at to from as than that which who whose into onto over under between per via about "
    "against is are was were be being been has have had does do did can may must will would could should shall "
    "might gives give gets get puts put makes make equals equal becomes become stays stay remains remain tends "
    "tend goes go grows grow vanishes vanish satisfies satisfy holds hold means mean yields yield implies "
    "imply sums sum adds add exceeds exceed approaches approach converges converge lies lie it its their they "
    "we one you he she there here then so hence thus also still too again"
)
"""Words that are no name of a formula: verbs, prepositions, pronouns."""
_COMPOUND = re.compile(
    r"[-+−/·⊙^∑Σ∏√‖|∂∇⁻²³ᵀ]|\\(?:sum|prod|frac|log|ln|sqrt|partial|nabla|cdot|exp|mathrm|operatorname)|\("
)


def read_called_formula(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, Thing]]:
    """The … formula, with words that only name it."""
    for place, token in _after_name(tokens, start):
        if _speaks_for_itself(token.text):
            yield place + 1, Thing(token.text)


def _after_name(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, Token]]:
    """The formula behind an article and some words that may be a name; nothing where there is none."""
    if start >= len(tokens) or tokens[start].text not in _DETERMINERS or tokens[start].kind != "word":
        return
    for place in range(start + 1, min(start + 2 + MAX_WORDS, len(tokens))):
        token = tokens[place]
        if token.kind == "formula":
            if place > start + 1:
                yield place, token
            return
        if token.kind != "word" or not _is_name(token.text):
            return


def _is_name(word: str) -> bool:
    if word in _DOING or ADJECTIVES.get(word) is not None or word in _JOINING or word in SERIOUS or word in NUMBERS:
        return False
    return not word.endswith("est") and (not word.endswith("s") or word.endswith("ss") or word in NAMES)


def _speaks_for_itself(formula: str) -> bool:
    is_symbol = SYMBOL.fullmatch(formula) is not None and "ᵀ" not in formula
    return not is_symbol and not has_relation(formula) and _COMPOUND.search(formula) is not None


def read_called_definition(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, Thing]]:
    """The … letter = formula, with words that only name it: of the letter, the equation is given."""
    for place, _ in _after_name(tokens, start):
        yield from read_definition(tokens, place)


_LABELS = words(
    "forms scores logits weights vectors variables quantities numbers expressions functions matrices outputs products "
    "sums terms probabilities entries combinations norms lengths values differences "
    "ratios sides"
)


def without_labels(tokens: list[Token]) -> list[Token]:
    """The tokens without what two formulas are called together: the linear forms aᵀX and bᵀX are aᵀX and bᵀX."""
    for place in range(1, len(tokens) - 2):
        label, first, joint, second = tokens[place : place + 4] if place + 4 <= len(tokens) else [Token("", "mark")] * 4
        are_formulas = first.kind == second.kind == "formula" and joint == Token("and", "word")
        if label.text not in _LABELS or not are_formulas:
            continue
        if not _speaks_for_itself(first.text) or not _speaks_for_itself(second.text):
            continue
        start = place
        while start and tokens[start - 1].kind == "word" and tokens[start - 1].text not in ("the", "both", "these"):
            if not _is_name(tokens[start - 1].text) and tokens[start - 1].text != "two":
                break
            start -= 1
        if start and tokens[start - 1].text in ("the", "both", "these"):
            before = tokens[: start - 1]
            parted = [Token(",", "mark")] if before and before[-1].kind == "formula" else []
            return without_labels([*before, *parted, *tokens[place + 1 :]])
    return tokens


LEAVES: dict[str, Leaf] = {"called": read_called_formula, "called_definition": read_called_definition}
RULES: tuple[Rule, ...] = (
    Rule("base", "<called>", lambda thing: thing),
    Rule("base", "<called_definition>", lambda thing: thing),
)
