"""What letters are called before anything is claimed of them: sizes, shapes, spaces, names.

softmax(z/T)_i → 1/K for each of the K classes       K is the size of what is normalised, n
det(cA) = c^n det(A), where A is an n×n matrix       A ∈ R^{n×n}
As the temperature T → 0⁺, for x ∈ ℝⁿ                T → 0; x is a vector anyway
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.english.patterns import END, SYMBOL, SYMBOLS, phrase


def name_sizes(text: str) -> str:
    """The text with n for a letter that it calls the number of keys, classes, outcomes or tokens.

    >>> name_sizes("softmax(z/T)_i → 1/K for each of the K classes")
    'softmax(z/T)_i → 1/n for each i'
    >>> name_sizes("H(p) ≤ log n, where n is the number of outcomes.")
    'H(p) ≤ log n.'
    """
    text = _TWO.sub(r"\g<lead> n = 2,", text)
    letters = {found["letter"] for pattern in (_EACH_OF, *_SIZES) for found in pattern.finditer(text)}
    if len(letters) > 1:
        return text
    text = _EACH_OF.sub(" for each i", text)
    for pattern in _SIZES:
        text = pattern.sub("", text)
    letter = letters.pop() if letters else "n"
    if letter == "n" or re.search(r"(?<![A-Za-z\\])n(?![A-Za-z])", text):
        return text
    return re.sub(rf"(?<![A-Za-z\\_^{{]){letter}(?![A-Za-z(_])", "n", text)


_COUNTED = (
    r"(?:keys?|values?|classes|(?:possible )?outcomes|tokens|words|logits|components|entries|symbols|categories|"
    r"elements|"
    r"states|scores|positions|coordinates|labels)"
)
_COUNT = r"\$?(?P<letter>[nKVNmMCk])\$?"
_TWO = phrase(rf"(?P<lead>(?:^|(?<=[;.]\s))(?:[Ww]ith|[Ff]or|[Gg]iven)(?: only| just)?) two {_COUNTED}\s*,")
_EACH_OF = phrase(rf" for (?:each|all|every one|any) of the {_COUNT} {_COUNTED}(?![a-z])")
_SIZES = (
    phrase(
        rf"(?:\s*,)? (?:where|with|and) {_COUNT} (?:is|being|denotes|=) (?:the )?(?:total )?(?:number|"
        rf"count) of {_COUNTED}"
        rf"(?: in the \w+)?{END}"
    ),
    phrase(rf" (?:over|on|with|for|of|among) (?:the )?{_COUNT} (?:different |distinct )?{_COUNTED}(?![a-z])(?! whose)"),
    phrase(rf" \((?:there are )?{_COUNT} {_COUNTED}\)"),
    phrase(rf"(?<=\w) has {_COUNT} {_COUNTED}(?= then|\s*,)"),
)


def settle_spaces(text: str) -> str:
    """The text with 0 for 0⁺, `for all i` for i = 1, …, n, and ∈ R^n for a space, however it is written.

    >>> settle_spaces("for all x, y in ℝⁿ we have x = y as T → 0⁺")
    'for all x, y ∈ R^n we have x = y as T → 0'
    >>> settle_spaces("Let x ∈ R^d be random")
    'Let x be random'
    """
    text = _POSITIVE_SIDE.sub("", text)
    text = _ALL_INDICES.sub(r"for all \g<index>", text)
    return _SPACE.sub(_in_space, _THEIR_INDICES.sub("", text))


def _in_space(found: re.Match[str]) -> str:
    size = _SMALL_LETTERS.get(found["power"].strip("^{} "), found["power"].strip("^{} "))
    is_subject = re.match(r"\s+(?:be|have|has|are|is|with)\b", found.string[found.end() :])
    return found["letters"] if is_subject else f"{found['letters']} ∈ R^{size}"


_SMALL_LETTERS = {"ⁿ": "n", "ᵈ": "d", "ᵐ": "m", "ᵏ": "k"}


_POSITIVE_SIDE = phrase(r"(?<=0)(?:⁺|\+(?=\s*(?:[.;,)]|$| [a-z]))|\^\{\+\}|\^\+)|(?<=[→\s])\+(?=∞|\\infty)")
_R = r"(?:ℝ|\\mathbb\{?R\}?|\\R|R)"
_POWER = r"(?P<power>\^[a-zA-Z]|\^\{\s*[a-zA-Z]\s*\}|[ⁿᵈᵐᵏ])"
_SPACE = phrase(
    rf"(?P<letters>{SYMBOL}(?:(?:\s*,\s*| and ){SYMBOL})*)\s*(?:∈|\\in\b|\bin\b|are in\b|"
    rf"is in\b)\s*\$?{_R}{_POWER}\$?(?![\w×\\^])"
)
_DOTS = r"(?:…|\.\.\.|\\[lc]?dots)"
_LAST = r"\$?[nNKmdV]\$?"
_TO_LAST = rf"1\s*,\s*(?:2\s*,\s*)?{_DOTS}\s*,\s*{_LAST}"
_RUN = rf"(?:{_TO_LAST}|\\?\{{\s*{_TO_LAST}\s*\\?\}}|\[n\])"
_ALL_INDICES = phrase(
    rf"(?:for (?:all|each|every|any) |∀\s*|\\forall\s*)\$?(?P<index>[ijkl])\$?\s*(?:=|∈|\\in|in)\s*{_RUN}\$?"
)
_THEIR_INDICES = phrase(
    rf"\s*,?\s*(?:\(|(?<=[\s,]))\$?[ijkl]\$?\s*(?:=|∈|\\in)\s*{_RUN}\$?\)?(?=\s*[,;.]| (?:with|and|be|are)\b|$)"
)


def state_shapes(text: str) -> str:
    """The text with `A ∈ R^{m×n}` for a shape in words.

    >>> state_shapes("det(cA) = c^n det(A) where A is n×n and c is a scalar")
    'det(cA) = c^n det(A) where A ∈ R^{n×n} and c is a scalar'
    >>> state_shapes("For n×n matrices A and B, tr(AB) = tr(BA)")
    'For A, B ∈ R^{n×n}, tr(AB) = tr(BA)'
    >>> state_shapes("Let A be a symmetric n×n matrix.")
    'Let A ∈ R^{n×n} and A is symmetric.'
    """
    return _SHAPED.sub(_shape, _IS_SHAPED.sub(_shape, text))


_SHAPE = r"\$?(?P<rows>[a-zA-Z1])(?:\s*(?:×|\\times|x|-by-)\s*| by )(?P<columns>[a-zA-Z1])\$?"
_KIND = r"(?:real |square )*(?:matrix|matrices)"
_QUALITY = r"(?P<quality>(?:symmetric|orthogonal|invertible|diagonal|positive (?:semi-?)?definite) )?"
_IS_SHAPED = phrase(
    rf"(?P<letters>{SYMBOLS}) (?:is|are|be|both be) (?:an? |two |both )?(?:real )?{_QUALITY}{_SHAPE}(?: {_KIND}| real)?"
    r"(?=\s*[,;.:]| (?:and|then|where|with)\b|$)"
)
_SHAPED = phrase(
    rf"(?:\b(?:an?|the|two|all|any|every) )?(?:real )?(?<![\w^]){_SHAPE} {_KIND} (?P<letters>{SYMBOLS})(?![\w(])"
)


def _shape(found: re.Match[str]) -> str:
    letters = phrase(r"\s*,? and ").sub(", ", found["letters"].replace("$", ""))
    quantifier = re.match(r"(?:all|any|every)\s+", found[0])
    said = f"{quantifier[0] if quantifier else ''}{letters} ∈ R^{{{found['rows']}×{found['columns']}}}"
    quality = found.groupdict().get("quality")
    return "".join([said, *(f" and {letter} is {quality.strip()}" for letter in letters.split(", ") if quality)])


def drop_names(text: str) -> str:
    """The text without what a letter is called: the temperature T, every α_i, keys k_1, …, k_n.

    >>> drop_names("As the temperature T → 0 the weight α_a → 1")
    'As T → 0, α_a → 1'
    """
    text = _ORTHONORMAL.sub("the keys ", _KEYS.sub("the keys", _ENUMERATED.sub(r"\g<noun>", text)))
    text = _EACH.sub("", text)
    return re.sub(r"\s+,", ",", _NAME.sub(_without_name, text))


_ENUMERATED = phrase(
    rf"(?P<noun>keys|values) \$?[kv]_1\s*,\s*(?:[kv]_2\s*,\s*)?{_DOTS}\s*,\s*[kv]_\{{?n\}}?\$?(?= (?:be|are|is)\b)"
)
_KEYS = phrase(rf"\$?k_1\s*,\s*(?:k_2\s*,\s*)?{_DOTS}\s*,\s*k_\{{?n\}}?\$?(?= (?:be|are|is)\b)")
_ORTHONORMAL = phrase(r"(?<![A-Za-z])\$?k_i\$? (?=(?:be|are|is) (?:mutually )?orthonormal)")
_EACH = phrase(r"\b(?:[Ee]very|[Ee]ach) (?=\$?(?:[A-Za-zα-ω]|\\[a-z]+)_\{?[ijkl]\b)")
_NEUTRAL = (
    r"(?:temperature|scale|scaling factor|factor|parameter|margin|gap|dimension|width|learning rate|logit vector|"
    r"score vector|"
    r"hidden (?:state|layer|vector)|input|label|index|token|threshold|noise level|smoothing parameter|"
    r"query(?: vector)?|"
    r"key(?: vector)?|value(?: vector)?|attention weight|weight|score|logit|attention output|output|loss|target|"
    r"prediction|"
    r"number|real number|vector|angle|norm bound)"
)
_SIGN = r"\s*(?:[=<>≤≥≈→~∼≠,;.:)]|\\(?:to|le|ge|leq|geq|approx|rightarrow)\b)"
_VERB = r" (?:is|are|goes|tends|converges|then|as|on|of|and|by|with|for)\b"
_NAME = phrase(
    r"(?P<the>\b(?:[Tt]he|a|an|some|[Ii]ts|fixed|given) )?(?:(?:inverse|common|fixed|given|single|large|softmax) )?"
    rf"(?<![A-Za-z\\])(?P<noun>{_NEUTRAL}) (?={SYMBOL}(?:{_SIGN}|{_VERB}|\s*$))(?!a\s)"
)
_AFTER_SYMBOL = re.compile(r"(?:(?:^|[^A-Za-z\\])[A-Za-zα-ωΑ-Ω]|[})\]\d∞]|\\infty)\$?\s+$")


def _without_name(found: re.Match[str]) -> str:
    """Nothing; a comma after a symbol, so that `as C → ∞ the weight α_a` is no product."""
    is_apart = found["the"] and found["the"].strip() == "the" and _AFTER_SYMBOL.search(found.string[: found.start()])
    return ", " if is_apart else ""


REWRITERS: tuple[Callable[[str], str], ...] = (name_sizes, settle_spaces, state_shapes, drop_names)
