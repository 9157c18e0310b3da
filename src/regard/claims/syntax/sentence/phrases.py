"""Words between formulas: which of them part statements, and which say how the statements hang together.

Every phrase is put into one of a few signs of equal length in the text, so that places in it stay where they were:

    if …      if, when, where, with, for, given, provided, as long as, assuming, since, as: what follows is given
    let …     let, suppose, consider: what follows is given, up to the end of the sentence
    ⇒         then, implies, gives: what stands before is given
    ⇔         if and only if, iff
    ∀ ∃       for all, for every, any; for some, there is
    ¬         does not hold, is not true
    and or    as they are

Words that only lead on (we have, so, hence) part statements and say nothing more.
"""

from __future__ import annotations

import re
from collections.abc import Callable

NOUNS = (
    r"(?:unit|real|square|fixed|given|constant|orthogonal|orthonormal|symmetric|random|standard|normal|gaussian|"
    r"positive|negative|probability|one-hot|projection|invertible|full|column|row|"
    r"vectors?|matrix|matrices|scalars?|numbers?|distributions?|logits?|keys?|values?|quer(?:y|ies)|weights?|outputs?)"
)
"""What an article or a name may stand before; `a vector x` is x."""

_PHRASES: tuple[tuple[str, str], ...] = (
    (r"(?:are |which are |and |be )?(?:mutually )?independent(?: of each other)?|i\.i\.d\.?(?=[\s,;)⇒])", "also"),
    (r"(?:is |are )?one-hot(?: vectors?)?", "onehot"),
    (r"(?:is |are )?(?:a )?(?:probability )?distributions?|(?:is |are )?(?:a )?probability vectors?", "distribution"),
    (r"(?:is |are )?(?:symmetric )?positive[ -]semi-?definite|(?:is |are )?PSD", "semidefinite"),
    (r"(?:is |are )?(?:symmetric )?positive definite", "definite"),
    (r"(?:is |are )?(?:a )?permutation(?: matrix| matrices)?", "permutation"),
    (r"(?:has |have |with )?orthonormal columns", "orthonormal"),
    (r"has unit (?:norm|length)|normali[sz]ed|(?:is |are )?(?:a )?unit vectors?", "unit"),
    (r"(?:is |are )?(?:an? )?(?:orthogonal )?projections?(?: matrix)?", "projection"),
    (r"if and only if|exactly (?:when|if)|precisely (?:when|if)|is equivalent to|iff", "⇔"),
    (r"only if", "⇒"),
    (r"does(?: not|n't) imply|do(?: not|n't) imply", "⇏"),
    (r"(?:does|do|is|are)(?: not|n't) (?:equal|the same as)(?: to)?", "≠"),
    (
        r"(?:does|do|need|will|is|are|was)(?: not|n't)(?: always| generally| in general)?"
        r"(?: hold| true| be true| correct)(?: true)?(?: in general)?",
        "¬",
    ),
    (r"(?:is|are) (?:false|wrong|incorrect)|fails to hold|fails", "¬"),
    (r"there (?:is|are|exists?)(?: always)?(?: an?| some| at least one)?|for some|for at least one", "∃"),
    (r"for (?:all|every|each|any)|for (?:arbitrary|general)|over all|whatever", "∀"),
    (r"such that|so that|s\.t\.", ":"),
    (
        r"as long as|so long as|provided(?: that)?|assuming(?: that)?|given(?: that)?"
        r"|under the (?:assumption|condition)(?: that)?|in case|on condition that|whenever|subject to"
        r"|in the limit(?: as| of| when| that)?",
        "if",
    ),
    (r"(?:which |this |that )?(?:implies|imply|gives|yields|means|satisfies|satisfy)(?: that)?|it follows that", "⇒"),
    (r"then(?: we have)?", "⇒"),
    (r"(?:is|are) equal to|equals?", "="),
    (r"(?:is|are) (?:much|far) (?:larger|greater|bigger) than", "≫"),
    (r"(?:is|are) (?:much|far) (?:smaller|less) than", "≪"),
    (r"(?:is|are) (?:at most|no (?:more|larger|greater) than)", "≤"),
    (r"(?:is|are) (?:at least|no (?:less|smaller) than)", "≥"),
    (r"(?:is|are) (?:less|smaller) than", "<"),
    (r"(?:is|are) (?:greater|larger|more) than", ">"),
    (r"(?:is|are) proportional to", "∝"),
    (r"(?:is|are) (?:orthogonal|perpendicular) to", "⊥"),
    (r"(?:is|are) (?:approximately|roughly|about)|approximately equals?", "≈"),
    (r"(?:tends?|goes|go|converges?) to(?!\w)|approaches", "→"),
    (r"(?:is|are) (?:distributed as|drawn from)|(?:i\.?i\.?d\.?|independently) (?:from )?(?=~|∼|\\sim)", "~"),
)
"""Phrases and the sign that each is read as, longest meaning first."""

_ARTICLE = re.compile(
    rf"\b(?:(?:[Tt]he|[Ss]ome|[Aa]ny|an)\s+(?={NOUNS}\b)|a\s+(?=(?:{NOUNS}\s+)+[A-Za-zα-ωΑ-Ω\\](?![a-z]{{2}})))"
)
"""Articles; the letter a is one only before a noun and a symbol, `a unit vector x`."""
_NOUN = re.compile(
    r"\b(?:quer(?:y|ies)|keys?|values?|weights?|outputs?|logits?|scores?|gaps?|variances?|entropy|loss|gradient)\s+"
    r"(?=(?:[A-Za-zα-ωΑ-ΩŷΔ]|\\[a-zA-Z]+)(?![a-z]))"
)
"""Nouns before the symbol that they name: the query q."""
_ONE_SIDED = re.compile(r"(?<=0)\^(?:\{\s*\+\s*\}|\+)")
"""The + of x → 0⁺."""
_FIRST_WORDS = (
    "If Let For With When Where Then Suppose Given As Since Assume So Hence Thus Therefore Because Consider We There "
    "Whenever Provided Assuming Both Any Every Each All"
)
_LEADING = re.compile(rf"(?:(?<=^)|(?<=[.;\n]\s)|(?<=[.;\n]))(?P<word>{'|'.join(_FIRST_WORDS.split())})\b")
_KL = r"(?:\\(?:mathrm|text|operatorname)\{KL\}|KL)"
_EIGENVALUES = re.compile(
    r"(?:all |the |all the )?eigenvalues of (?P<matrix>[^:;⇒=<>≤≥]+?) (?:are|is) (?:all )?"
    r"(?P<sign>non-?negative|positive|at least (?:0|zero))(?![A-Za-z-])"
)
_EIGENVALUE = re.compile(r"(?:λ|\\lambda)_(?:\{\s*(?:\\text|\\mathrm)?\{?)?\\?(max|min)\}?\}?(?=\s*[\[(])")
_IN_SPACE = re.compile(r"(?<=\))\s+(?:in|on|∈|\\in)\s+(?:ℝ|\\mathbb\{R\}|\\R|R)\^\{?\w\}?")
_IID = re.compile(r"(?:i\.i\.d\.?|iid|IID|independent(?:ly)?)(?=\s*(?:N|\\mathcal\{?\s*N\}?)\s*\()")
_DIVERGENCE = re.compile(rf"\bD_(?:\{{\s*{_KL}\s*\}}|{_KL}(?![A-Za-z]))")
_LOGIT = re.compile(r"(?:σ|\\sigma)\^\{-1\}(?=\s*(?:\\left)?\()")
_PROBABILITY = re.compile(
    r"\\Pr(?![A-Za-z])|\\(?:mathbb|mathrm|operatorname)\{(?:P|Pr)\}|(?<![A-Za-z\\])Pr(?=\s*[\[(])"
)
_ARGMAX = re.compile(
    r"\\arg\s*\\?(max|min)(?![A-Za-z])|\\operatorname\*?\{arg\s*\\?,?\s*(max|min)\}|\b(?:arg\s)(max|min)\b"
)
_SENTENCE = re.compile(r"(?<=[^\s.])\.(?=\s+(?:[A-Z][a-z]+\b|[Ii]f\b|[Tt]hen\b))")


_COMMENT = re.compile(r"(?:(?<=^)|(?<=[;.] )|(?<=then )|(?<=⇒ )|(?<=implies ))[^:;,=<>≤≥≈→~∼∈⊥⇒⇔≠\\]+?\s*:(?=\s)")
_MEANINGFUL = frozenset(
    {"if", "when", "for", "with", "let", "where", "not", "unless", "suppose", "consider", "fix", "take", "choose"}
    | {"assume", "given", "provided", "there", "never", "no", "only", "iff", "then", "equals", "fails", "false"}
)
_KINDS = frozenset(
    {"vector", "vectors", "matrix", "matrices", "scalar", "scalars", "number", "numbers"}
    | {"equal", "identical", "rows", "columns"}
)
MIN_COMMENT = 3
"""Words of at least three letters that make a comment of what stands before a colon."""


def take_comments(text: str) -> tuple[str, list[str]]:
    """The text with words before a colon blanked, `c is the mean of the values: c = …`, and a note of each.

    >>> take_comments("The weights sum to one: x = 1")
    ('                         x = 1', ["the words 'The weights sum to one' were taken as a comment"])
    """
    notes: list[str] = []

    def blank(found: re.Match[str]) -> str:
        lead = "then " if found[0].startswith("then ") else ""
        comment = found[0][len(lead) :]
        words = [word.lower() for word in re.findall(r"[A-Za-z]+", comment)]
        is_short = sum(len(word) > 2 for word in words) < MIN_COMMENT
        is_of_symbol = any(len(word) == 1 and word != "a" for word in words) or not comment.isascii()
        described = LARGE | SMALL | (PROPERTIES - _KINDS) if is_of_symbol else frozenset()
        if is_short or set(words) & (_MEANINGFUL | described):
            return found[0]
        notes.append(f"the words {comment.rstrip(' :')!r} were taken as a comment")
        return lead + " " * len(comment)

    return _COMMENT.sub(blank, text), notes


def mark_phrases(text: str) -> str:
    """The text with every phrase as one sign, padded with spaces to its length.

    >>> mark_phrases("p = q if and only if KL = 0")
    'p = q ⇔              KL = 0'
    """
    text = _EIGENVALUES.sub(_as_property, text)
    text = _EIGENVALUE.sub(lambda found: f"eig{found[1]}".ljust(len(found[0])), text)
    text = _IID.sub(lambda found: "~".ljust(len(found[0])), text)
    text = _IN_SPACE.sub(lambda found: " " * len(found[0]), text)
    text = _DIVERGENCE.sub(lambda found: "KL".ljust(len(found[0])), text)
    text = _LOGIT.sub(lambda found: "logit".ljust(len(found[0])), text)
    text = _PROBABILITY.sub(lambda found: "P".ljust(len(found[0])), text)
    text = _ARGMAX.sub(lambda found: f"arg{found[1] or found[2] or found[3]}".ljust(len(found[0])), text)
    text = _LEADING.sub(lambda found: found["word"].lower(), text)
    text = _SENTENCE.sub(";", text)
    text = _ARTICLE.sub(lambda found: " " * len(found[0]), text)
    text = _NOUN.sub(_without_noun, text)
    text = _ONE_SIDED.sub(lambda found: " " * len(found[0]), text)
    for pattern, sign in _COMPILED:
        text = pattern.sub(_padded(sign), text)
    return text


def _without_noun(found: re.Match[str]) -> str:
    """Spaces; a comma after a symbol, so that `for large C the query q` is no product."""
    after_symbol = re.search(r"(?:^|[^A-Za-z\\])[A-Za-zα-ωΑ-Ω]\s*$|[})\d]\s*$", found.string[: found.start()])
    return ("," if after_symbol else " ").ljust(len(found[0]))


def _as_property(found: re.Match[str]) -> str:
    """`all eigenvalues of A are nonnegative` as what is said of A, at the places it was written."""
    word = "eigpositive" if found["sign"] == "positive" else "eignonnegative"
    start = found.start("matrix") - found.start()
    rest = len(found[0]) - start - len(found["matrix"])
    return " " * start + found["matrix"] + f" {word}".ljust(rest)


def _padded(sign: str) -> Callable[[re.Match[str]], str]:
    return lambda found: sign.ljust(len(found[0]))


_COMPILED = tuple((re.compile(rf"(?<![\\A-Za-z_^{{])(?:{words})(?![A-Za-z_^}}])"), sign) for words, sign in _PHRASES)

GIVENS = frozenset({"if", "when", "where", "with", "for", "given", "since", "as", "while", "because", "using", "by"})
"""Words before what is given."""
OPENERS = frozenset({"let", "suppose", "assume", "consider", "take", "choose", "define", "set"})
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
    }
)
"""What can be said of a symbol in a word."""
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
