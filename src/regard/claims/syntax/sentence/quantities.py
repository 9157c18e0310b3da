"""Quantities, laws and conditions that are named in words or in signs of their own, put as formulas where they stand.

    q^T k has mean 0                     E[q^T k] = 0
    x is standard normal                 x ~ N(0, 1)
    X_1, …, X_n are independent          X_i
    for all i = 1, …, n                  ∀ i

Each formula takes the place of its words and is padded to their length, so that places in the text stay where they
were. What has no room for its formula is left as it is, and is then not understood.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

Formula = str | Callable[[re.Match[str]], str]


def write_over(pattern: re.Pattern[str], formula: Formula, text: str) -> str:
    """The text with a formula over every match; a formula that depends on the match is a function of it.

    >>> write_over(re.compile("tends to"), "→", "x tends to 0")
    'x →        0'
    """

    def write(found: re.Match[str]) -> str:
        return pad(formula if isinstance(formula, str) else formula(found), found)

    return pattern.sub(write, text)


def blank(pattern: re.Pattern[str], text: str) -> str:
    """The text with spaces over every match."""
    return write_over(pattern, "", text)


def pad(formula: str, found: re.Match[str], *, at_end: bool = False) -> str:
    """The formula with spaces after it up to the length of what was found; with `at_end`, before it.

    At the end it stands close to a full stop that follows. A formula that is longer makes the text longer.
    """
    return formula.rjust(len(found[0])) if at_end else formula.ljust(len(found[0]))


def pad_if_room(formula: str, found: re.Match[str]) -> str:
    """The formula at the end of what was found; that itself where the formula is longer, and nothing is understood."""
    return pad(formula, found, at_end=True) if len(formula) <= len(found[0]) else found[0]


_KEY_WIDTH = re.compile(r"(?<![A-Za-z\\])d_(?:k(?![A-Za-z])|\{k\})")
_OTHER_WIDTH = re.compile(r"(?<![A-Za-z\\.])d(?:_\{?(?:v|q|h|m|\\text|\\mathrm)|(?![A-Za-z_/]))")
"""d_k is the width d, unless the claim has a d or another width besides."""
_KEYS_ARE = re.compile(
    r"(?:the\s+)?keys?(?:\s+(?:k_i|k_j|\$k_i\$))?\s+(?:(?:are|be|is)\s+)?(?:all\s+)?(?:mutually\s+)?orthonormal(?!\s+(?:to|col))"
    r"|(?:the\s+)?orthonormal\s+keys(?:\s+(?:k_i|\$k_i\$))?"
)
_GROWS = re.compile(
    r"(?P<letter>(?<![A-Za-z\\])[A-Za-zα-ω]|\\[a-z]+)(?P<end>\$?)\s+(?:grows|increases|gets\s+large|becomes\s+large|becomes\s+very\s+large)"
    r"(?:\s+(?:without\s+bound|large|to\s+infinity|arbitrarily\s+large))?(?![a-z])"
)
_HAS_MEAN = re.compile(
    r"(?:(?<=^)|(?<=[,;:.⇒]))(?P<lead>\s*(?:(?:[Tt]hen|[Ss]o|[Hh]ence|[Tt]hus|that)\s+)?)(?P<of>[^,;:=<>≤≥⇒~]+?)\s+has\s+"
    r"(?:zero\s+mean|mean\s+(?P<mean>[^\s,;]+?))(?:\s+and\s+variance\s+(?P<variance>[^\s,;]+?))?(?=\s*(?:[,;]|\.?\s*$|\.\s))"
)
_WORD = re.compile(r"(?<![\\A-Za-z])(?!softmax|sigmoid|tanh)[A-Za-z]{4,}")
_PRODUCT_NOUN = re.compile(r"(?:[Tt]he\s+)?(?:dot|inner|scalar)\s+product\s+(?=\$?[A-Za-z]\w?\s*(?:·|⋅|\\cdot|\^))")
_IN_EXPECTATION = re.compile(
    r"(?:[Ii]n\s+expectation|[Oo]n\s+average),?\s+(?P<left>[^=≈≤≥<>,;⇒]+?)\s+(?P<sign>=|≈)(?=\s)"
)
_EVENT = r"(?P<event>[^,;:=⇒]+?[<>≤≥][^,;:=⇒]+?)"
_PROBABILITY = r"(?P<share>[^\s,;]+)"
_CHANCE_FIRST = re.compile(
    rf"[Ww]ith\s+probability\s+{_PROBABILITY},?\s+(?:we\s+have\s+)?{_EVENT}(?=\s+(?:if|when|where|for|with|given)\s|[,;]|\.?\s*$)"
)
_CHANCE_LAST = re.compile(
    rf"(?:(?<=^)|(?<=⇒)|(?<=then)|(?<=[,;:]))\s*{_EVENT}\s+with\s+probability\s+(?:exactly\s+)?{_PROBABILITY}(?=[\s,;.]|$)"
)
_INDEPENDENT_OF = re.compile(
    r",?\s*(?:(?:is|are|be|and|which\s+is)\s+)*independent\s+of\s+(?=\$?(?:[A-Za-zα-ω]|\\[a-z]+)(?:_\w)?\s*(?:~|∼|\\sim))"
)
_RANGE = re.compile(
    r"(?P<lead>\bfor\s+(?:(?:all|every|each|any)\s+)?|∀\s*|\\forall\s*|,\s*)(?P<index>[a-z](?:\s*,\s*[a-z])*)\s*(?:=|∈|\\in(?![a-z])|in)\s*(?:\\?\{\s*)?1\s*"
    r"(?:,\s*(?:2\s*,\s*)?(?:…|\.\.\.|\\[lc]?dots)\s*,\s*|(?:…|\.\.\.?|\\[lc]?dots)\s*)(?P<last>[a-zA-Z])(?![a-zA-Z])(?:\s*\\?\})?"
)
"""For i = 1, …, n: for all i."""
_KL = r"(?:\\(?:mathrm|text|operatorname)\{KL\}|KL)"
_EIGENVALUES = re.compile(
    r"(?:[Aa]ll |[Tt]he |[Aa]ll the )?eigenvalues of (?P<matrix>[^:;⇒=<>≤≥]+?) (?:are|is) (?:all )?"
    r"(?P<sign>non-?negative|positive|at least (?:0|zero))(?![A-Za-z-])"
)
_EIGENVALUE = re.compile(r"(?:λ|\\lambda)_(?:\{\s*(?:\\text|\\mathrm)?\{?)?\\?(max|min)\}?\}?(?=\s*[\[(])")
_NAMED_SIGN = re.compile(
    r"(?:[,;]?\s*\(?\b(?:where|with|and|for)\s+|[,;]\s*)\$?(?:σ|\\sigma(?![A-Za-z]))\$?(?:\s*\(\w\))?\s*"
    r"(?:\s(?:is|denotes|being|=)\s+)?\s*(?:the\s+)?(?:usual\s+|standard\s+)?"
    r"(?:logistic(?:\s+(?:sigmoid|function))*|sigmoid)(?:\s+function)?\)?(?=\s*(?:[,.;)]|$|and\b|⇒|=>))"
)
"""Where σ is the logistic function: what σ(x) means anyway."""
_IN_SPACE = re.compile(r"(?<=\))\s+(?:in|on|∈|\\in)\s+(?:ℝ|\\mathbb\{R\}|\\R|R)\^\{?\w\}?")
_IID = re.compile(
    r"(?:(?:be|are|is)\s+)?(?:two\s+)?(?:i\.i\.d\.?|iid|IID|independent(?:ly)?)(?:\s+(?:as|from))?"
    r"(?=\s*(?:N|\\mathcal\{?\s*N\}?)\s*\()"
)
_STANDARD_NORMAL = re.compile(
    r"(?:(?:be|are|is)\s+)?(?:(?:an?|two)\s+)?(?:(?:mutually\s+)?(?:independent|i\.i\.d\.?|iid)\s+)?"
    r"standard\s+(?:normal|[Gg]aussian)s?(?![a-z])(?P<vector>\s+(?:random\s+)?vectors?(?:\s+(?:in|∈|\\in)\s+"
    r"(?:ℝ|\\mathbb\{R\}|\\R|R)\^\{?(?P<size>\w)\}?)?)?(?:\s+(?:random\s+)?(?:variables?|numbers?))?"
)
"""X and Y are independent standard normal variables; x is a standard Gaussian vector in ℝ^d."""
_ENUMERATION = re.compile(
    r"(?<![A-Za-z\\])(?P<letter>[A-Za-zα-ω]|\\[a-z]+)_\{?1\}?\s*,\s*(?:(?P=letter)_\{?2\}?\s*,\s*)?"
    r"(?:…|\.\.\.|\\[lc]?dots)\s*,\s*(?P=letter)_\{?[nmdhHKMNTV]\}?"
    r"(?=\s*(?:~|∼|\\sim|are\b|be\b|iid|i\.i\.d|independent|(?P<bound>[<>≤≥]|\\[lg](?:eq?|t)(?![a-z])|∈|\\in(?![a-z]))))"
)
"""X_1, …, X_n before what is said of all of them."""
_CHAIN = re.compile(
    r"(?<![A-Za-z\\])(?P<letter>[A-Za-zα-ω])_\{?1\}?\s*=\s*(?:(?P=letter)_\{?2\}?\s*=\s*)?"
    r"(?:…|\.\.\.|\\[lc]?dots)\s*=\s*(?P=letter)_\{?[nmdNK]\}?"
)
"""v_1 = v_2 = … = v_n: all of them are equal."""
_CONDITION_BEHIND = re.compile(
    r"(?<![PE])(?<!Pr)(?:\\q?quad\s*|\\[ ;,]\s*|\s)\((?P<condition>\s*(?:[A-Za-zα-ω]|\\[a-z]+)\s*"
    r"(?:≥|≤|>|<|≠|→|->|\\(?:geq?|leq?|neq?|to|rightarrow)(?![a-z]))[^(),;=]*)\)(?P<end>\s*\$?\s*\.?\s*)$"
)
"""A condition in brackets behind a formula: 0 < α_i < 1 (n ≥ 2)."""
_UNIT_VECTOR = re.compile(
    r"\s*[,;(]\s*(?:(?:where|with|and|here)\s+)?(?:\$?e_\{?(?P<index>[a-z])\}?\$?\s+(?:is|denotes|being|=)\s+)?(?:the\s+)?"
    r"\$?(?:[a-z]|\d)\$?\s*-?\s*(?:th|st|nd|rd)\s+(?:(?:standard|canonical|coordinate)\s+)?(?:unit|basis)\s+vectors?\)?"
    r"(?=\s*(?:$|[,.;)]))"
)
"""What e_k is, anyway: e_k, the k-th unit vector."""
_ON_OUTCOMES = re.compile(
    r"(?<=\s)(?:on|over)\s+\$?(?P<size>[nmdKVN])\$?\s+(?:outcomes|classes|symbols|states|categories|points|elements|words|events)(?![a-z])"
)
"""A distribution p on n outcomes has n entries."""
_DENSITY = re.compile(
    r"(?:(?<![A-Za-z\\])N|\\mathcal\{?\s*N\}?)\s*(?:\\left)?\(\s*[^(),;|‖]+?(?P<bar>;|\||\\mid\b)(?=[^()]*,)"
)
"""N(x; μ, Σ) and N(x | μ, Σ)."""
_DIFFERENTIAL_ENTROPY = re.compile(r"(?<![A-Za-z\\])h(?=\(\s*(?:[A-Zxz]|N\(|\\mathcal)[^()]*(?:\([^()]*\))?\s*\))")
"""The differential entropy h(X)."""
_OF_MEAN = re.compile(
    r"(?<!\b\w\s)(?<![)}ᵀ⊤]\s)(?<![·⋅*^_])(?P<name>[A-Za-z])\s+"
    r"(?:(?:be|is)\s+(?:an?\s+)?(?:\w-dimensional\s+)?(?:(?:random|Gaussian|normal|multivariate)\s+)+"
    r"(?:vector|variable)?\s*(?:in\s+\S+\s+)?with|has|with)\s+mean\s+(?P<mean>[^\s,;.]+)\s+and\s+"
    r"(?:covariance(?:\s+matrix)?|variance)\s+(?P<spread>[^\s,;.]+)(?=[\s,;.]|$)"
)
"""x is a Gaussian vector with mean μ and covariance Σ."""
_IS_PROJECTION = re.compile(
    r"\s+is\s+(?:the|an?)\s+(?:orthogonal\s+)?(?:projection|projector)(?:\s+matrix)?\s+on(?:to)?\s+"
    r"(?:the\s+)?(?:(?:column\s+)?(?:span|space|range|col)\s*(?:of\s+)?)?\(?[A-Z]\)?\s*:(?=\s)"
)
"""What a formula is called before a colon: P = AAᵀ is the projection onto span(A): …"""
_LETTERS = r"\$?[A-Zxyzuv](?:_\w)?\$?"
_INDEPENDENT = re.compile(
    rf"(?<!⇒\s)(?<!=>\s)(?<!iff\s)(?<!then\s)(?<!that\s)(?<!implies\s)(?<!Rightarrow\s)(?:(?:[Ii]f|[Ll]et|[Ff]or|[Ss]uppose|[Ww]hen|[Ww]here|[Ww]ith|provided)\s+)?(?:{_LETTERS}\s*(?:,|and|\\perp|⊥)\s*"
    rf"{_LETTERS}\s+(?:are\s+|be\s+)?(?:mutually\s+)?independent(?:\s+random\s+variables)?"
    rf"|independent(?:\s+random\s+variables)?\s+{_LETTERS}(?:\s*(?:,|and)\s*{_LETTERS})?)"
    r"(?P<end>\s*(?:,\s*then|[,.;:]|⇒|\\implies|\\Rightarrow|=>|then|implies)(?![A-Za-z])|\s*$)"
)
"""X and Y are independent, of letters whose laws are not stated."""
_RANDOM_NOUN = re.compile(
    r"(?:\b(?:an?|the)\s+)?(?:(?:[Gg]aussian|normal|random|multivariate|independent)\s+)+(?:vectors?|variables?|numbers?)\s+"
    r"(?=(?:[A-Za-zα-ω](?:_\w)?|\$|\\[a-z]+)\s*(?:,|~|∼|\\sim|and\s|with\s|[.;:]|$))"
)
"""What stands before a letter whose law follows: a Gaussian random vector x ~ N(0, Σ)."""
_OTHERS_FIXED = re.compile(
    r",?\s*(?:with|while|and)\s+(?:all\s+)?(?:the\s+)?(?:others|other(?:\s+(?:[a-z]{4,}|\$?\\?\w+_\{?\w\}?\$?))?)\s+"
    r"(?:(?:are|stay|remain|is|stays)\s+)?(?:held\s+|kept\s+)?(?:fixed|constant)(?![a-z])"
)
"""What a limit leaves as it is: with all other scores fixed."""
_ALL_EQUAL = re.compile(
    r"all\s+(?:the\s+|of\s+the\s+)?(?P<noun>keys|values|logits|scores|weights)\s+are\s+(?:equal|identical|the\s+same)"
)
_ONE_HOT_AT = re.compile(
    r"(?P<name>\w+)\s+(?:is\s+)?one-hot\s+(?:at|with)\s+(?:class\s+|index\s+)?(?P<place>[a-z])(?![\w_])"
)
_DIVERGENCE = re.compile(rf"\bD_(?:\{{\s*{_KL}\s*\}}|{_KL}(?![A-Za-z]))")
_LOGIT = re.compile(r"(?:σ|\\sigma)\^\{-1\}(?=\s*(?:\\left)?\()")
_PROBABILITY_SIGN = re.compile(
    r"\\Pr(?![A-Za-z])|\\(?:mathbb|mathrm|operatorname)\{(?:P|Pr)\}|(?<![A-Za-z\\])Pr(?=\s*[\[(])"
)
_ARGMAX = re.compile(
    r"\\arg\s*\\?(max|min)(?![A-Za-z])|\\operatorname\*?\{arg\s*\\?,?\s*(max|min)\}|\b(?:arg\s)(max|min)\b"
)
_ENTRYWISE = re.compile(
    r"\s*[,;(]\s*(?:(?:where|with|and|here)\s+)?\$?(?P<sign>\*|×|\\times|·|\\cdot|∘|⊙|\\odot|\\circ)\$?\s+"
    r"(?:(?:is|denotes|being|means)\s+)?(?:the\s+)?(?:element-?wise|entry-?wise|component-?wise|Hadamard)"
    r"(?:\s+(?:product|multiplication))?\)?(?=\s*(?:[,.;)]|$))"
)
"""A sign that the claim says to multiply entry by entry: ((yhat - y) W2^T * h), * elementwise."""
_PROBABILITY_OF = re.compile(r"(?<![A-Za-z\\])(?:\\Pr|P|Pr|\\mathbb\s*\{?P\}?)\s*[(\[]")
_LETTER_OF = {"keys": "k", "values": "v", "logits": "s", "scores": "s", "weights": "α"}


def _as_moments(found: re.Match[str]) -> str:
    """`qᵀk has mean 0 and variance d` as E[qᵀk] = 0, Var[qᵀk] = d; of a letter alone it is its law."""
    of = re.sub(r"^(?:[A-Za-z]{3,}\s+)+", "", found["of"].strip())  # the score qᵀk
    if len(of) == 1 or _WORD.search(of):
        return found[0]
    formula = f"{found['lead']}E[{of}]={found['mean'] or 0}"
    if found["variance"] is not None:
        formula += f",Var[{of}]={found['variance']}"
    return pad_if_room(formula, found)


def _as_probability(found: re.Match[str]) -> str:
    """`with probability 1/2, x > 0` as P(x > 0) = 1/2."""
    return pad_if_room(f" P({found['event'].strip()}) = {found['share']}", found)


def _as_member(found: re.Match[str]) -> str:
    """X_i for X_1, …, X_n; with a bound behind, which is one of all, an index that stands nowhere else."""
    unused = next((one for one in "iljmrsu" if not re.search(rf"_\{{?{one}|[{one}]\}}", found.string)), "i")
    return f"{found['letter']}_{unused if found['bound'] else 'i'}"


def _as_law(found: re.Match[str]) -> str:
    """`x has mean μ and covariance Σ` as x ~ N(μ, Σ), close to what follows."""
    text = f"{found['name']} ~ N({found['mean']}, "
    return text + f"{found['spread']})".rjust(len(found[0]) - len(text))


def _one_hot_at(found: re.Match[str]) -> str:
    """`y is one-hot at k` as y one-hot, y_k = 1, where there is room for it."""
    return pad_if_room(f"{found['name']} onehot,{found['name']}_{found['place']}=1", found)


def _standard_normal(found: re.Match[str]) -> str:
    variance = "1" if found["vector"] is None else f"I_{found['size']}" if found["size"] else "I"
    return "~ N(0," + f"{variance})".rjust(len(found[0]) - 6)  # a full stop after it must stand close


def _as_property(found: re.Match[str]) -> str:
    """`all eigenvalues of A are nonnegative` as what is said of A, at the places it was written."""
    word = "eigpositive" if found["sign"] == "positive" else "eignonnegative"
    start = found.start("matrix") - found.start()
    rest = len(found[0]) - start - len(found["matrix"])
    return " " * start + found["matrix"] + f" {word}".ljust(rest)


class Rule(NamedTuple):
    """What is written over the matches of a pattern, in texts with `where` and without `unless`."""

    pattern: re.Pattern[str]
    formula: Formula
    where: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None

    def apply(self, text: str) -> str:
        """The text with the formula over every match."""
        if self.where is not None and not self.where.search(text):
            return text
        return text if self.unless is not None and self.unless.search(text) else write_over(*self[:2], text)


_MOMENTS = (
    Rule(_NAMED_SIGN, ""),
    Rule(_KEY_WIDTH, "d", unless=_OTHER_WIDTH),
    Rule(_KEYS_ARE, lambda found: pad_if_room("K K^T = I", found)),
    Rule(_GROWS, lambda found: pad_if_room(f"{found['letter']} → ∞{found['end']}", found)),
    Rule(_PRODUCT_NOUN, ""),
    Rule(_INDEPENDENT_OF, lambda found: pad_if_room("and ", found)),
    Rule(_HAS_MEAN, _as_moments),
    Rule(_IN_EXPECTATION, lambda found: pad_if_room(f"E[{found['left']}] {found['sign']}", found)),
    Rule(_CHANCE_FIRST, _as_probability),
    Rule(_CHANCE_LAST, _as_probability),
)
"""In this order, since one may make what the next is looked for in."""
_LAWS = (
    Rule(_CONDITION_BEHIND, lambda found: pad_if_room(f" if {found['condition'].strip()}{found['end']}", found)),
    Rule(_UNIT_VECTOR, "", where=re.compile(r"(?<![A-Za-z\\])e_")),
    Rule(_ON_OUTCOMES, lambda found: pad_if_room(f"∈ ℝ^{found['size']}", found)),
    Rule(_ENUMERATION, _as_member),
    Rule(_RANGE, lambda found: pad(f" ∀ {found['index']}", found, at_end=True)),
    Rule(_DENSITY, lambda found: found[0][: -len(found["bar"])] + ","),
    Rule(_DIFFERENTIAL_ENTROPY, "H", where=re.compile(r"(?:π|\\pi)\s*e(?![a-z])|entrop")),
    Rule(_INDEPENDENT, "", unless=re.compile(r"[~∼]|\\sim")),
    Rule(_OTHERS_FIXED, ""),
    Rule(_RANDOM_NOUN, ""),
    Rule(_OF_MEAN, _as_law, unless=_PROBABILITY_OF),  # mean and variance fix moments, but no probability
    Rule(_IS_PROJECTION, ";"),
    Rule(_CHAIN, lambda found: "{0}_r = {0}_u".format(found["letter"])),
    Rule(_ALL_EQUAL, lambda found: "{0}_r = {0}_u".format(_LETTER_OF[found["noun"]])),
    Rule(_ONE_HOT_AT, _one_hot_at),
    Rule(_STANDARD_NORMAL, _standard_normal),
    Rule(_EIGENVALUES, _as_property),
    Rule(_EIGENVALUE, lambda found: f"eig{found[1]}"),
    Rule(_IID, "~"),
    Rule(_IN_SPACE, ""),
    Rule(_DIVERGENCE, "KL"),
    Rule(_LOGIT, "logit"),
    Rule(_PROBABILITY_SIGN, "P"),
    Rule(_ARGMAX, lambda found: f"arg{found[1] or found[2] or found[3]}"),
)


def write_quantities(text: str) -> str:
    """The text with quantities, laws and conditions in words put as formulas of their length.

    >>> write_quantities("so q^T k has mean 0 and variance d")
    '        so E[q^T k]=0,Var[q^T k]=d'
    """
    for rule in _MOMENTS:
        text = rule.apply(text)
    text = _mark_entrywise(text)
    for rule in _LAWS:
        text = rule.apply(text)
    return text


def _mark_entrywise(text: str) -> str:
    found = _ENTRYWISE.search(text)
    if found is None:
        return text
    sign = found["sign"]
    return write_over(re.compile(re.escape(sign)), "∘", blank(_ENTRYWISE, text))


def named_ranges(text: str) -> dict[str, str]:
    """The indices whose values a text lists, each with the last one.

    >>> named_ranges("p_t > 0 for t = 1, …, M and x_i > 0 for all i = 1, ..., n")
    {'t': 'M', 'i': 'n'}
    """
    return {index: found["last"] for found in _RANGE.finditer(text) for index in re.findall("[a-z]", found["index"])}
