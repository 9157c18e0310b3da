"""Things that a claim names in words: the trace of AB, the gradient of … with respect to …, the attention weights.

Each noun phrase is put in symbols, and the verb after it becomes a relation:

    The derivative of tanh(x) is 1 - tanh(x)^2      ∂/∂x (tanh(x)) = 1 - tanh(x)^2
    the rank of A A^T equals the rank of A          rank(A A^T) = rank(A)
    The attention weights sum to one                sum_i α_i = 1

The last phrase of a text is read first, so that `the trace of the inverse of A` has its inverse before its trace. A
phrase that is not listed here stays as it is, and is complained of later on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from regard.claims.syntax.sentence.invariance import state_invariance
from regard.claims.syntax.sentence.padding import pad, write_over

_SUMMED = r"(?:entries|components|elements|coordinates)"
_VALUES = r"(?:the\s+)?(?:values|value\s+vectors)"

_FUNCTIONS: dict[str, str] = {
    r"trace": "tr({})",
    r"determinant": "det({})",
    r"rank": "rank({})",
    r"transpose": "({})^T",
    r"inverse": "({})^{{-1}}",
    r"standard\s+deviation": "Std({})",
    r"variance": "Var({})",
    r"(?:largest|maximum|maximal|biggest|top)\s+eigenvalue": "eigmax({})",
    r"(?:smallest|minimum|minimal|least)\s+eigenvalue": "eigmin({})",
    r"(?:largest|maximum|top)\s+singular\s+value|(?:spectral|operator)\s+norm": "sqrt(eigmax(({0})^T ({0})))",
    r"smallest\s+singular\s+value": "sqrt(eigmin(({0})^T ({0})))",
    r"covariance(?:\s+matrix)?": "Cov({})",
    r"expected\s+value|expectation|mean": "E[{}]",
    r"(?:Shannon\s+)?entropy": "H({})",
    r"expected\s+squared\s+(?:norm|length)": "E[||{}||^2]",
    r"squared\s+(?:Euclidean\s+|Frobenius\s+)?(?:norm|length)": "||{}||^2",
    r"(?:Euclidean\s+|Frobenius\s+)?(?:norm|length)": "||{}||",
    r"exponential": "exp({})",
    r"softmax": "softmax({})",
    r"sigmoid": "sigma({})",
    r"(?:natural\s+)?log(?:arithm)?": "log({})",
    r"square\s+root": "sqrt({})",
}
"""Functions of one thing: the trace of A."""

_PAIRS: dict[str, str] = {
    r"covariance": "Cov({}, {})",
    r"correlation(?:\s+coefficient)?": "Corr({}, {})",
    r"cosine(?:\s+similarity)?": "({0})^T ({1})/(||{0}|| ||{1}||)",
    r"KL(?:[\s-]+divergence)?|Kullback[-–\s]Leibler\s+divergence": "KL({} || {})",
    r"cross[-\s]entropy": "H({}, {})",
    r"(?:dot|inner|scalar)\s+product": "{}^T {}",
}
"""Functions of two things: the covariance of X and Y."""

_PLURALS: tuple[tuple[str, str], ...] = (
    (rf"weighted\s+(?:sum|mean|average)\s+of\s+{_VALUES}", "sum_i α_i v_i"),
    (rf"(?:mean|average)\s+of\s+(?:all\s+)?{_VALUES}", "(1/n) sum_i v_i"),
    (r"(?:mean|average)\s+of\s+(?:all\s+)?(?:the\s+)?keys", "(1/n) sum_i k_i"),
    (rf"sum\s+of\s+(?:all\s+)?{_VALUES}", "sum_i v_i"),
    (r"(?:(?:is|are)\s+)?orthogonal\s+to\s+(?:every\s+key|all\s+(?:the\s+)?keys|all\s+of\s+the\s+keys)", "⊥ k_r"),
    (r"sum\s+of\s+(?:all\s+)?(?:the\s+)?(?:attention\s+)?weights", "sum_i α_i"),
)
"""What is said of all values at once."""

_VERB = r"(?:is|are|lies?|equals?|becomes?|sums?|adds?|tends?|goes|go|converges?|approach(?:es)?|cannot|does|do)"
_NAMES: tuple[tuple[str, str], ...] = (
    (rf"(?:attention\s+)?output(?=\s+{_VERB}\b)", "Σα_iv_i"),
    (rf"attention\s+weights?(?=\s+{_VERB}\b)|weights?(?=\s+{_VERB}\b)", "α_i"),
    (r"cross[-\s]entropy(?:\s+loss)?(?=\s+(?:with\s+respect|w\.?r\.?t))|loss(?=\s+(?:with\s+respect|w\.?r\.?t))", "CE"),
    (r"(?<=respect to the )logits|(?<=respect to )logits|(?<=w.r.t. the )logits|(?<=wrt the )logits", "s"),
)
"""What a noun by itself stands for, in the letters of the settings."""

_ARTICLE = r"(?:\b(?:[Tt]he|[Ee]ach|[Ee]very|[Aa]ll(?:\s+(?:of\s+)?the)?|[Aa]ny|[Aa]n?)\s+)?"
_STOP = re.compile(
    r"\s+(?:is|are|equals?|becomes|tends|goes|converges|approaches|sums?|adds|with\s+respect\s+to|w\.?r\.?t\.?|if|when|"
    r"whenever|where|for|provided|given|assuming|then|as|does|plus|minus|times)\b|\s*(?:[=<>≤≥≈→≠⇒∝;:~∼]|\\[lg]eq?\b|\\neq?\b)|"
    r",(?=\s)|\.(?=\s|$)|\s*$"
)
"""Where the thing ends that a function is of."""
_WITH_RESPECT = re.compile(
    r"\s+(?:with\s+respect\s+to|w\.?r\.?t\.?)\s+(?:the\s+)?(?:(?:vector|logit|query|score|scalar|matrix)\s+)?"
    r"(?P<letter>(?:\\[a-z]+|[A-Za-zα-ω])(?:_(?:\w|\{\w+\}))?)(?![A-Za-z])"
)
_ARGUMENT = re.compile(r"[\w\\]+\s*\((?P<letter>[A-Za-zα-ω])\)$|(?:\|\||‖)(?P<normed>[a-z])(?:\|\||‖)(?:\^2|²)?$")
"""The letter of f(x) or ‖x‖², after which a derivative is meant that names none."""
_IS = re.compile(
    r"(?<=[\w)\]}²|‖'*])(?<!\b[Tt]here)\s+(?:is|are)(?:\s+(?:simply|just|exactly|always|all|each|given\s+by|equal\s+to|the\s+same\s+as))*\s+"
    r"(?!an?\s+[a-z]{2}|\w\s?(?:×|\\times|-by-)|N\s*\(|\\mathcal)(?=[\d(\[{\-−‖|√Σ∂∇\\$½+]|[A-Za-zα-ωΑ-Ω](?![A-Za-z])|(?:softmax|log|exp|tanh|sigma|diag|tr|det|rank|Var|Cov|KL|CE|"
    r"sum|sqrt|max|min|cos|sin|zero|one|[A-Z]{2})(?![a-z-]))"
)
_SIGNS: tuple[tuple[str, str], ...] = (
    (r"(?<=α_i )\s*(?:is|are)\s+uniform(?![a-z])", "= 1/n"),
    (r"(?<=α_i )\s*(?:are)\s+(?:all\s+)?(?:equal|identical|the\s+same)(?![a-z])(?!\s+(?:to|as)\s)", "= α_u"),
    (r"(?:is|are)\s+(?:the\s+)?identity(?:\s+matrix)?(?![a-z])", "= I"),
    (r"plus(?=\s)", "+"),
    (r"minus(?=\s)", "-"),
    (r"times(?=\s+[^\sa-z]|\s+[a-z](?![a-z]))", "·"),
    (r"divided\s+by(?=\s)", "/"),
    (r"equals(?:\s+to)?(?=\s)", "="),
)
_SIGNED = re.compile(
    r"(?P<left>(?:[)\]|²]|(?<=\|)\^2|α_i)\s*)\s(?:is|are)\s+(?:all\s+|always\s+|strictly\s+)*"
    r"(?P<sign>positive|non-?negative|never\s+negative|negative)(?![a-z])(?!\s+\w*definite)"
)
"""A number that a phrase stands for, and its sign; of a letter, `is positive` is a property."""
_NUMBER = re.compile(r"(?<=[=≤≥<>] )(\s*)(zero|one)\b")
_NUMBERS = {"zero": "0", "one": "1"}
_LETTER = r"\$?[A-Za-z](?:_\w)?\$?"
_LETTERS = rf"{_LETTER}(?:\s*(?:,|and|,\s*and)\s*{_LETTER})*"
_LAW = (
    r"(?P<law>N\(\s*0\s*,\s*(?P<variance>[^()]+)\)|standard\s+(?:normal|Gaussian)|"
    r"(?:(?:zero\s+mean|mean\s+(?:0|zero))\s+and\s+)(?:unit\s+variance|variance\s+(?P<spread>1|one|σ\^2|\\sigma\^2)))"
)
_EQUALLY = r"(?:i\.i\.d\.?|iid|IID|independent(?:\s+and\s+identically\s+distributed)?)(?:\s+random\s+variables)?"
_ENTRIES = (
    re.compile(
        rf"(?:[Tt]he\s+)?{_SUMMED}\s+of\s+(?P<names>{_LETTERS})\s+(?:are|be)\s+(?:all\s+)?{_EQUALLY}\s*(?:~|∼|with|from)?\s*{_LAW}"
    ),
    re.compile(
        rf"(?P<names>{_LETTERS})\s+(?:(?:are|be)\s+independent\s+(?:and\s+have|with)|with|have|has)\s+{_EQUALLY}\s+{_LAW}\s+{_SUMMED}"
    ),
    re.compile(
        rf"(?P<names>{_LETTERS})\s+(?:(?:are|be)\s+independent\s+(?:and\s+have|with)|with|have|has)\s+{_EQUALLY}\s+{_SUMMED}\s+"
        rf"(?:with|of|from)\s+{_LAW}"
    ),
)
"""Vectors whose entries are drawn alike: q and k have i.i.d. N(0, 1) entries."""
_MOMENTS = re.compile(
    r"(?<=then )(?P<thing>\S+(?:\s\S+){0,4}?)\s+has\s+mean\s+(?P<mean>[^,;.]+?)\s+and\s+(?:co)?variance"
    r"(?:\s+matrix)?\s+(?P<spread>[^,;.]+?)(?=[,;.]?\s*$|[,;.]\s)"
)
"""What follows from something: then A x has mean A μ and covariance A Σ A^T."""
_PROPERTY = re.compile(
    r"^(?:An?|Any|Every)\s+(?P<property>orthogonal|symmetric|(?:orthogonal\s+)?projection)(?:\s+matrix)?\s+"
    r"(?P<letter>[A-Z])\s+(?:satisfies|has)\s+"
)
_BETWEEN = re.compile(
    r"(?P<thing>[^\s,;:=]+)\s+(?:is|are|lies?)\s+(?:always\s+)?between\s+(?P<low>\S+)\s+and\s+(?P<high>[^\s,;.]+)"
)
_CONVEX = re.compile(
    r"(?:(?:[Tt]he\s+)?(?:attention\s+)?output(?:\s+\$?c\$?)?|(?<![A-Za-z])c)\s+is\s+(?:always\s+)?a\s+convex\s+combination\s+"
    r"of\s+(?:the\s+values(?:\s+\$?v_i\$?)?|(?:the\s+)?\$?v_i\$?)"
)
_ONE_SUM = re.compile(r"(?P<thing>[^\s,;:=]+)\s+(?:sums?|adds?)\s+(?:up\s+)?to\s+(?=[^\s])")
_ENTRY_SUM = re.compile(
    rf"{_ARTICLE}{_SUMMED}\s+of\s+(?P<thing>[^,;:=]+?)\s+(?:must\s+)?(?:sum|add)\s+(?:up\s+)?to\s+(?=[^\s])"
)
_AFTER_SYMBOL = re.compile(
    r"(?:(?:^|[^A-Za-z\\])[A-Za-zα-ωΑ-Ω]|[})\]\d∞]|\b(?:equal|identical|same|zero|orthonormal|orthogonal|symmetric))\s+$"
)
_RANDOM = re.compile(r"[~∼]|\\sim|random|Gaussian|normal|E\[|Var|Cov")
"""Where the mean of something is its expected value, and not that of its entries."""
MAX_PHRASES = 40


def write_in_symbols(text: str) -> tuple[str, list[str]]:
    """The text with its noun phrases in symbols, padded to their length where there is room, and a note of the reading.

    >>> write_in_symbols("The trace of AB equals the trace of BA")[0].split()
    ['tr(AB)', '=', 'tr(BA)']
    """
    given = text
    text = state_invariance(text)
    text = write_over(_CONVEX, "α_i >= 0 and sum_i α_i = 1", text)
    for pattern in _ENTRIES:
        text = pattern.sub(_entry_law, text)
    text = _MOMENTS.sub(r"E[\g<thing>] = \g<mean> and Cov(\g<thing>) = \g<spread>", text)
    text = _PROPERTY.sub(r"if \g<letter> is \g<property> then ", text)
    for phrase, symbols in (*_PLURALS, *_NAMES):
        text = _replace(rf"{_ARTICLE}(?:{phrase})", symbols, text)
    text = _ENTRY_SUM.sub(_sum_of, text)
    text = _ONE_SUM.sub(_sum_of, text)
    text = write_over(_BETWEEN, lambda found: f"{found['low']} <= {found['thing']} <= {found['high']}", text)
    for _ in range(MAX_PHRASES):
        after = _last_phrase(text)
        if after == text:
            break
        text = after
    text = _relate(text)
    if text == given:
        return given, []
    return text, [f"the words were read as: {' '.join(text.split())}"]


def _replace(pattern: str, symbols: str, text: str) -> str:
    whole = re.compile(rf"(?<![A-Za-z\\_]){pattern}(?![A-Za-z])")
    return write_over(whole, lambda found: write_apart(found.string, found.start(), symbols), text)


def write_apart(text: str, start: int, symbols: str) -> str:
    """The symbols, after a comma where a symbol stands before them: `if q = 0 the output is` has no product."""
    return f", {symbols}" if _AFTER_SYMBOL.search(text[:start]) else symbols


def _sum_of(found: re.Match[str]) -> str:
    """`the entries of p sum to` as sum_i p_i =."""
    thing = found["thing"].strip()
    if not (thing.endswith(")") or re.fullmatch(r"\$?(?:\\[a-z]+|[A-Za-zα-ω])(?:_i)?\$?", thing)):
        return found[0]
    summed = thing if thing.endswith("_i") else f"{thing}_i"
    return pad(f"sum_i {summed} = ", found)


def _entry_law(found: re.Match[str]) -> str:
    """`the entries of q and k are i.i.d. N(0, 1)` as q, k ~ N(0, I)."""
    variance = found["variance"] or found["spread"] or "1"
    matrix = "I" if variance.strip() in ("1", "one") else f"{variance.strip()} I"
    names = ", ".join(re.findall(r"[A-Za-z](?:_\w)?(?![a-z])", found["names"].replace("and", ",")))
    return pad(f"{names} ~ N(0, {matrix})", found, at_end=True)


def _last_phrase(text: str) -> str:
    """The text with the last `function of something` in symbols."""
    for found in reversed(list(_OF.finditer(text))):
        start = found.end()
        end = next(place for place in _ends(text, start) if place > start)
        thing = re.sub(r"^(?:the|a)\s+(?=\S+$)", "", text[start:end].strip())
        has_law = text[end:].lstrip()[:1] in ("~", "∼")  # the entropy of X ~ N(μ, σ²): X is declared, too
        is_of_entries = found["one"] == "mean" and not _RANDOM.search(text) and not thing[:1].isupper()
        if not thing or has_law or is_of_entries or re.search(r"(?<![\\A-Za-z_])(?:the|their|its|each|both)\s", thing):
            continue
        if found["derivative"]:
            symbols, end = _derivative(thing, text, end, is_second=found["derivative"] == "Hessian")
        elif found["pair"] and (pair := re.fullmatch(r"(.+?)\s+(?:and|from)\s+(.+)", thing)):
            symbols = next(form for name, form in _PAIRS.items() if re.fullmatch(name, found["pair"])).format(
                *pair.groups()
            )
        elif found["one"]:
            symbols = next(form for name, form in _FUNCTIONS.items() if re.fullmatch(name, found["one"])).format(thing)
        else:
            continue
        if symbols:
            symbols = write_apart(text, found.start(), symbols)
            return text[: found.start()] + symbols.ljust(end - found.start()) + text[end:]
    return text


def _ends(text: str, start: int) -> Iterator[int]:
    """Where a thing that begins here may end: stops outside of brackets, in their order."""
    for stop in _STOP.finditer(text, start):
        before = text[start : stop.start()]
        if all(before.count(one) <= before.count(other) for one, other in ("()", "[]", "{}")):
            yield stop.start()
    yield len(text)


def _derivative(thing: str, text: str, end: int, *, is_second: bool) -> tuple[str, int]:
    """The derivative of a thing, by the letter named after it or by its own argument; and where the phrase ends."""
    named = _WITH_RESPECT.match(text, end)
    own = _ARGUMENT.search(thing)
    letters = set(re.findall(r"(?<![A-Za-z\\])[a-z](?![A-Za-z(])", thing)) - {"e"}
    letter = named["letter"] if named else (own["letter"] or own["normed"]) if own else None
    letter = letters.pop() if letter is None and len(letters) == 1 else letter
    if letter is None:
        return "", end
    after = named.end() if named else end
    if is_second:
        return f"∂²({thing})/∂{letter}²", after
    return f"∂/∂{letter} ({thing})" if thing != "CE" else f"∂CE/∂{letter}", after


def _relate(text: str) -> str:
    """The text with the verbs between symbols as relations."""
    for pattern, sign in _SIGNS:
        text = write_over(re.compile(rf"(?<![A-Za-z\\_])(?:{pattern})"), sign, text)
    if "eigenvalue" not in text:
        text = _SIGNED.sub(_sign, text)
    text = _IS.sub(_equate, text)
    return write_over(_NUMBER, lambda found: found[1] + _NUMBERS[found[2]], text)


def _equate(found: re.Match[str]) -> str:
    """`is` as =; after a law, `X ~ N(0, 1) is`, it leads on."""
    clause = re.split(r"[;:.]\s|\b[Tt]hen\s", found.string[: found.start()])[-1]
    return found[0] if re.search(r"[~∼]|\\sim", clause) else pad(" = ", found)


def _sign(found: re.Match[str]) -> str:
    sign = {"positive": "> 0", "negative": "< 0"}.get(found["sign"], ">= 0")
    return pad(f"{found['left']} {sign}", found)


def _either(names: dict[str, str]) -> str:
    return "|".join(names)


_OF = re.compile(
    rf"(?<![A-Za-z\\_]){_ARTICLE}(?:(?P<derivative>gradient|Jacobian|(?:partial\s+)?derivative|Hessian)|(?P<pair>{_either(_PAIRS)})"
    rf"(?=\s+(?:of|between)\s+\S+\s+(?:and|from)\s)|(?P<one>{_either(_FUNCTIONS)}))\s+(?:of|between)\s+"
)
