"""The words that part formulas, and what each makes of what stands beside it."""

from __future__ import annotations

import itertools

GIVENS = frozenset({"if", "when", "where", "with", "for", "given", "since", "as", "while", "because", "using", "by"})
"""Words before what is given."""
OPENERS = frozenset({"let", "suppose", "assume", "consider", "take", "choose", "define", "set", "fix"})
"""Words before what is given until the sentence ends."""
FORALL, EXISTS, NOT = "∀", "∃", "¬"
IMPLIES = frozenset({"⇒", "=>", "⟹", "⟶⟶", "Rightarrow", "implies", "Longrightarrow", "then"})
IMPLIED_BY = frozenset({"⇐", "⟸", "Leftarrow", "impliedby", "Longleftarrow"})
EQUIVALENT = frozenset({"⇔", "⟺", "<=>", "<->", "↔", "iff", "Leftrightarrow", "Longleftrightarrow", "leftrightarrow"})
NOT_IMPLIES = frozenset({"⇏", "nRightarrow"})
JOINS = frozenset({"and", ",", "land", "wedge", "∧", "&", "both", "also"})
ENDS = frozenset({";", "\n"})
NEUTRAL = frozenset(
    {"so", "hence", "thus", "therefore", "we", "have", "that", "get", "obtain", "always", "exactly", "hold", "holds"}
    | {"true", "is", "are", "be", "it", "very", "sufficiently", "enough", "also", "still", "∴", "equality"}
)
"""Words that lead on and say nothing else."""
LEAD_ON = frozenset({"so", "hence", "thus", "therefore", "we", "get", "obtain", "∴"})
"""Words that end what is given: with q = 0 we get α_i = 1/n."""
LARGE = frozenset({"large", "big", "huge"})
SMALL = frozenset({"small", "tiny", "vanishing"})
QUANTITIES = frozenset({"all", "every", "each", "any"})
PROPERTIES = frozenset(
    {
        "symmetric",
        "orthogonal",
        "orthonormal",
        "idempotent",
        "invertible",
        "nonsingular",
        "positive",
        "nonnegative",
        "negative",
        "independent",
        "unit",
        "onehot",
        "distribution",
        "distributions",
        "projection",
        "nonzero",
        "constant",
        "scalar",
        "scalars",
        "vector",
        "vectors",
        "matrix",
        "matrices",
        "square",
        "real",
        "equal",
        "identical",
        "antisymmetric",
        "definite",
        "semidefinite",
        "permutation",
        "eignonnegative",
        "eigpositive",
        "probability",
        "random",
        "fixed",
        "number",
        "numbers",
        "normalised",
        "normalized",
        "iid",
        "standard",
        "normal",
        "columns",
        "rows",
        "uniquemax",
        "fullrank",
        "fullcolumn",
        "fullrow",
    }
)
"""What can be said of a symbol in a word."""
DENIALS = frozenset(
    {"nobody", "none", "nothing", "neither", "nor", "hardly", "unless", "false", "wrong", "incorrect", "untrue"}
    | {
        "mistake",
        "mistaken",
        "myth",
        "contrary",
        "except",
        "instead",
        "isn",
        "aren",
        "isn't",
        "aren't",
        "fail",
        "fails",
        "must",
        "arbitrary",
        "suffices",
        "enough",
        "need",
        "needs",
    }
)
"""Words that turn what stands beside them into its opposite."""
ARTICLES = frozenset({"an", "the"})
OTHER_SIGNS = frozenset({"or", "∨", "lor", "vee", ":", NOT, FORALL, EXISTS, "not", "unless"})
ALL_WORDS = (
    GIVENS
    | OPENERS
    | IMPLIES
    | IMPLIED_BY
    | EQUIVALENT
    | NOT_IMPLIES
    | JOINS
    | NEUTRAL
    | LARGE
    | SMALL
    | QUANTITIES
    | PROPERTIES
    | ARTICLES
    | OTHER_SIGNS
)
"""Every word that is no letter of a formula."""


def is_denial(words: list[str]) -> bool:
    """Whether words deny something, so that they are no comment on the formula behind them.

    >>> is_denial(["perplexity", "is", "not", "a", "mean"]), is_denial(["a", "product", "can", "not", "create", "rank"])
    (True, False)
    """
    pairs = list(itertools.pairwise(words))
    if any(two == "to" and one in ("have", "has", "only") for one, two in pairs):
        return True  # they only have to be independent
    return bool(set(words) & DENIALS) or any(one in ("is", "are", "it") and two == "not" for one, two in pairs)
