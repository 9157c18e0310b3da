"""LaTeX that says in commands what people say in words: words in \\text, signs with a word above them, named matrices.

Every construct has one meaning, and is written here as the grammar knows it:

    \\text{ for all } x                       for all x
    \\overset{\\text{iid}}{\\sim} p             iid \\sim p
    \\stackrel{\\text{def}}{=}                 =
    \\lim_{|z|\\to\\infty}                      \\lim_{z\\to\\pm\\infty}, both cases
    Σ_x p(x) log q(x)                       Σ_i p_i log q_i, where p distribution, q distribution
    P_{\\mathrm{col}(A)}, A A^{+}, A^{+} A    proj(A), proj(A), proj(Aᵀ)
"""

from __future__ import annotations

import re

from regard.claims.syntax.letters import FUNCTIONS
from regard.claims.syntax.sentence.vocabulary import ALL_WORDS

_TEXT = re.compile(r"(?P<before>[_^] ?\{? ?)?\\(?:text|textrm|textnormal|mbox) ?\{(?P<words>[^{}\\$]*)\}")
_LABEL = r"\{(?P<label>[^{}]*(?:\{[^{}]*\}[^{}]*)?)\}"
_ABOVE = re.compile(rf"\\(?:overset|stackrel) ?{_LABEL} ?\{{ ?(?P<sign>\\sim(?![a-z])|~|∼|=|:=|\\equiv(?![a-z])) ?\}}")
_BELOW = re.compile(rf"(?P<sign>\\sim|~|∼) ?_{_LABEL}")
_COMMAND = re.compile(r"\\?(?:text|mathrm|rm|mathit|operatorname)(?![a-z])|[\s{}\\]")
_IID = re.compile(r"i\.?\s*i\.?\s*d\.?|ind(?:ep)?\.?")
_DEFINED = re.compile(r"def\.?|!|\?")
_BOTH_WAYS = re.compile(
    r"(?P<lead>lim(?:\\limits)? ?_ ?\{? ?)(?:\||\\lvert|\\vert) ?(?P<letter>[a-z]|\\[a-z]+) ?(?:\||\\rvert|\\vert) ?"
    r"(?P<arrow>\\to(?![a-z])|\\rightarrow(?![a-z])|→|->) ?(?P<end>\\infty|∞)"
)
_COLUMN_SPACE = r"(?:\\(?:mathrm|operatorname|text|mathcal) ?\{ ?)?\\?(?:col|Col|C|range|ran|span|im|R) ?\}? ?\(? ?"
_PROJECTION = r"(?:P|\\Pi|Π|\\mathcal ?\{?P\}?|\\(?:operatorname|mathrm|text) ?\{ ?proj ?\})"
_ONTO_COLUMNS = re.compile(
    rf"{_PROJECTION}_\{{ ?{_COLUMN_SPACE}(?P<matrix>[A-Z](?:\^\{{?(?:\\top|T)\}}?|ᵀ|⊤)?) ?\)? ?\}}"
)
_PLUS = r"(?:\^\{?\s*(?:\+|\\dagger|†)\s*\}?|⁺|†)"
_ONTO_BY_INVERSE = re.compile(rf"(?<![A-Za-z\\])(?P<matrix>[A-Z])\s*(?P=matrix){_PLUS}(?![\w(])")
_ONTO_ROWS = re.compile(rf"(?<![A-Za-z\\])(?P<matrix>[A-Z]){_PLUS}\s*(?P=matrix)(?![A-Za-z_^'ᵀ⊤])")
_TIGHT_END = re.compile(r"(?P<end>\\(?:sum|prod)(?:\\limits)?\s*_\{[^{}]*\}\^)(?P<last>[A-Za-z])(?=[A-Za-z\\])")
"""The n of \\sum_{i=1}^nx_i, which takes one letter."""


def with_plain_words(text: str) -> str:
    """The text with words and signs as the grammar knows them.

    >>> with_plain_words(r"x = y\\text{ for all }x"), with_plain_words(r"w \\overset{\\text{iid}}{\\sim} p")
    ('x = y for all x', 'w  iid \\\\sim  p')
    """
    if "\\" not in text and "^" not in text and "†" not in text and "⁺" not in text:
        return text
    text = _ABOVE.sub(_without_word, _BELOW.sub(_without_word, text))
    text = _TEXT.sub(_as_words, text)
    text = _BOTH_WAYS.sub(r"\g<lead>\g<letter>\g<arrow>\\pm\g<end>", text)
    text = _ONTO_COLUMNS.sub(r"proj(\g<matrix>)", text)
    text = _ONTO_ROWS.sub(r"proj(\g<matrix>^T)", _ONTO_BY_INVERSE.sub(r"proj(\g<matrix>)", text))
    return _TIGHT_END.sub(r"\g<end>\g<last> ", text)


def _as_words(found: re.Match[str]) -> str:
    """Words that are known without the command; a name, and words that nobody knows, stay as they are."""
    words = [word.strip(",.;:") or "," for word in found["words"].split()]
    is_name = len(words) == 1 and (
        words[0] in FUNCTIONS or (found["words"] == words[0] and words[0] not in _LONE | ALL_WORDS)
    )
    if found["before"] or is_name or not words or not all(len(word) == 1 or word in _KNOWN for word in words):
        return found[0]
    follows = found.string[found.end() : found.end() + 1]
    lead = "" if found["words"][0].isspace() or found["words"][0] in ",.;:" else " "
    return lead + found["words"] + ("" if found["words"][-1].isspace() or follows in (",", ".", ";", "") else " ")


_LONE = frozenset(
    {"and", "or", "if", "iff", "for", "with", "when", "where", "whenever", "given", "then", "implies", "so", "hence"}
    | {"thus", "as", "otherwise", "provided", "all", "every", "each", "any", "some", "by", "since", "because"}
    | {"symmetric", "orthogonal", "orthonormal", "invertible", "iid", "i.i.d", "is", "are"}
)
"""Words that are none of a formula's even where they stand in a command by themselves."""
_KNOWN = (
    ALL_WORDS
    | _LONE
    | {"a", "an", "the", "in", "of", "to", "on", "at", "has", "have", "there", "exists", "such", "only", "some"}
    | {
        "strictly",
        "entries",
        "norm",
        "length",
        "row",
        "column",
        "semi-definite",
        "one-hot",
        "iid",
        "mutually",
        "non-negative",
    }
    | {"Gaussian", "gaussian", "projector", "onto", "both", "kept", "held", "law", "else", "not", "does", "is"}
)
"""Words that sentences between formulas know; anything else in \\text is not understood."""


def _without_word(found: re.Match[str]) -> str:
    """A sign with what stands above it as a word before it, where it is one that says how letters are drawn."""
    words = _COMMAND.sub("", found["label"])
    if _IID.fullmatch(words) and found["sign"] in ("\\sim", "~", "∼"):
        return f" iid {found['sign']} "
    return f" {found['sign']} " if _DEFINED.fullmatch(words) and found["sign"] in ("=", ":=", "\\equiv") else found[0]


_SUM = r"(?P<sign>(?<![A-Za-z])(?:Σ|∑|\\sum|sum)(?:\\limits)?) ?_"
_SET = r"(?:∈|\\in(?![a-z])) ?(?:\\mathcal ?\{? ?[A-Z] ?\}?|[A-Z𝒳𝒱])"
_OVER = re.compile(rf"{_SUM}(?:(?P<bare>[a-z])(?![A-Za-z_])|\{{ ?(?P<braced>[a-z]) ?(?:{_SET} ?)?\}})")
_OF_OUTCOME = r"(?<![A-Za-z\\])(?P<name>[pqr])\({}\)"
_INDICES = "ijlmrsu"


def over_outcomes(text: str) -> str:
    """A formula with a sum over the outcomes x of p(x) as one over an index: p(x) is an entry of a distribution p.

    >>> over_outcomes("Σ_x p(x) log q(x) = 0")
    'Σ_{i} p_{i} log q_{i} = 0 , where p distribution, q distribution'
    """
    outcomes = {found["bare"] or found["braced"] for found in _OVER.finditer(text)}
    outcomes = {one for one in outcomes if re.search(_OF_OUTCOME.format(one), text)}
    if len(outcomes) != 1:
        return text
    [outcome] = outcomes
    used = set(re.findall(r"_\{?([a-z])", text)) - outcomes
    index = next((one for one in _INDICES if one not in used), outcome)
    pattern = _OF_OUTCOME.format(outcome)
    names = sorted({found["name"] for found in re.finditer(pattern, text)})

    def put(found: re.Match[str]) -> str:
        is_it = outcome in (found["bare"], found["braced"])
        return f"{found['sign']}_{{{index}}}" if is_it else found[0]

    text = re.sub(pattern, rf"\g<name>_{{{index}}}", _OVER.sub(put, text))
    if re.search(rf"(?<![A-Za-z\\({{]){outcome}(?![A-Za-z_])", text) is not None or "distribution" in text:
        return text
    end = len(text.rstrip(" .$"))
    return f"{text[:end]} , where {', '.join(f'{name} distribution' for name in names)}{text[end:]}"
