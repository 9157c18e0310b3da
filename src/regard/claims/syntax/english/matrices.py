"""Matrices in words: a symmetric matrix has real eigenvalues, if A is singular then, λ is an eigenvalue of A.

A matrix without a name gets one, and what is said of it first is given:

    The rank of an orthogonal projector equals its trace    Let P be a projection. The rank of P equals the trace of P
    If P is a projection, then so is I − P                  If P is a projection, then I − P is a projection
"""

from __future__ import annotations

import re
from collections.abc import Callable

_ADJECTIVES = {
    r"symmetric\s+positive\s+definite|positive[\s-]definite\s+symmetric|positive[\s-]definite": "positive definite",
    r"symmetric\s+positive\s+semi-?definite|positive\s+semi-?definite|PSD": "positive semidefinite",
    r"skew[\s-]symmetric|antisymmetric": "antisymmetric",
    r"symmetric": "symmetric",
    r"orthogonal": "orthogonal",
    r"idempotent": "idempotent",
    r"invertible|non-?singular": "invertible",
    r"square": "square",
    r"permutation": "permutation",
    r"projection": "projection",
    r"real|given|fixed|general|arbitrary": "",
    r"non-?zero": "nonzero",
}
_ADJECTIVE = "|".join(_ADJECTIVES)
_SQUARE = re.compile(
    r"\b(?:(?P<one>[a-z])\s*(?:×|\\times|x|-by-)\s*(?P<other>[a-z]))\s+(?=(?:real\s+)?(?:[a-z-]+\s+)?matri(?:x|ces)(?!\s+[A-Z]\b))"
)
_SAME_SIZE = re.compile(
    r"(?:\s*,)?\s+(?:all\s+|both\s+)?of\s+(?:the\s+)?(?:same|equal|compatible|matching|appropriate|suitable|conformable)\s+(?:sizes?|dimensions?|shapes?|order)"
    r"|\b(?:same|equal)-size[d]?\s+"
)
_SUBJECT = re.compile(
    r"(?<![A-Za-z])(?<!\bis )(?<!\bbe )(?<!\bare )(?<!\balso )(?<!\bnot )(?<!\bas )(?P<lead>[Ff]or\s+)?"
    rf"(?P<article>[Aa]n?|[Aa]ny|[Ee]very|[Ee]ach)\s+(?P<adjectives>(?:(?:{_ADJECTIVE})(?:\s*,\s*|\s+(?:and\s+)?))*)"
    r"(?P<noun>matrix|projector|(?<=orthogonal )projection)(?![A-Za-z])(?P<name>\s+(?P<letter>[A-Z])(?![A-Za-z]))?"
)


def tidy_sizes(text: str) -> str:
    """`n×n matrix` as a square one where n is not spoken of again; `of the same size` falls away: products tell.

    >>> tidy_sizes("(AB)⁻¹ = B⁻¹A⁻¹ for invertible A, B of the same size")
    '(AB)⁻¹ = B⁻¹A⁻¹ for invertible A, B'
    """
    text = re.sub(r"\b([Aa])n(?= square )", r"\1", _SQUARE.sub(_square, text))
    text = re.sub(r"\b[Tt]he\s+square\s+matrix\s+(?=[A-Z]\s+is\s+singular)", "", text)
    return _SAME_SIZE.sub("", text)


def _square(found: re.Match[str]) -> str:
    """The shape in a word; as it was where its letters stand elsewhere, too, and mean these sizes there."""
    one, other = found["one"], found["other"]
    rest = found.string[: found.start()] + " " + found.string[found.end() :]
    if re.search(rf"(?<![A-Za-z\\])(?:{one}|{other})(?![A-Za-z])", rest):
        return found[0]
    return "square " if one == other else ""


_BEFORE_SUBJECT = re.compile(r"(?:^|[.;:]\s|\b(?:of|[Ii]f|that|when|[Ww]henever|then)\s)\s*$")


def name_subjects(text: str) -> str:
    """A letter for a matrix that is spoken of without one, and for what refers to it.

    >>> name_subjects("The rank of an orthogonal projector equals its trace.")
    'Let P be a projection. The rank of P equals the trace of P.'
    """
    found = _SUBJECT.search(text)
    if found is None or (found["letter"] and not found["lead"]):
        return text
    if not _BEFORE_SUBJECT.search(text[: found.start()]):
        return text  # P a permutation matrix, or A, a symmetric matrix, has a name
    kinds = _kinds(found["adjectives"])
    if found["noun"] in ("projector", "projection"):
        kinds = [one for one in kinds if one not in ("orthogonal", "symmetric", "square")] + ["projection"]
    letter = found["letter"] or _fresh(text, kinds)
    before, rest = text[: found.start()], text[found.end() :]
    if found["lead"]:
        follows = re.match(r"\s*[,:]\s*(?:we\s+have\s+)?", rest)
        if follows is None:
            return text
        rest = rest[follows.end() :]
    rest = _refer(rest, letter, has_lead=bool(found["lead"]))
    said = " and ".join(f"{letter} be {_spell(kind)}" for kind in kinds if kind) or f"{letter} be a matrix"
    return f"Let {said}. {before}{'' if found['lead'] else letter}{rest}"


_TWO = re.compile(
    rf"(?P<start>(?:^|(?<=[.;,] )))(?:[Tt]he\s+)?(?P<what>product|sum|difference)\s+of\s+(?:any\s+)?two\s+"
    rf"(?P<adjectives>(?:(?:{_ADJECTIVE})(?:\s*,\s*|\s+(?:and\s+)?))*)(?P<noun>matrices|projectors|projections)(?=\s+(?:is|are|has|have)\b)"
)
_JOINED = {"product": "A B", "sum": "A + B", "difference": "A - B"}


def name_pairs(text: str) -> str:
    """The product or sum of two matrices without names.

    >>> name_pairs("The product of two orthogonal matrices is orthogonal.")
    'Let A be orthogonal and B be orthogonal. A B is orthogonal.'
    """
    found = _TWO.search(text)
    if found is None or re.search(r"(?<![A-Za-z])[AB](?![A-Za-z])", text):
        return text
    kinds = _kinds(found["adjectives"])
    if found["noun"] != "matrices":
        kinds = [one for one in kinds if one != "orthogonal"] + ["projection"]
    said = " and ".join(f"{name} be {_spell(kind)}" for name in "AB" for kind in kinds or ["square"])
    rest = re.sub(r"\b(?:their|the)\s+(?P<noun>trace|determinant|rank)s?\b", r"\g<noun>", text[found.end() :])
    rest = re.sub(r"^\s+is\s+(?:always\s+|again\s+|also\s+)+", " is ", rest)
    return f"{text[: found.start()]}Let {said}. {_JOINED[found['what']]}{rest}"


def _kinds(words: str) -> list[str]:
    found: list[str] = []
    rest = words
    for pattern, kind in _ADJECTIVES.items():
        if re.search(rf"(?<![A-Za-z-])(?:{pattern})(?![A-Za-z-])", rest):
            rest = re.sub(rf"(?<![A-Za-z-])(?:{pattern})(?![A-Za-z-])", " ", rest)
            found.append(kind)
    return [kind for kind in found if kind]


def _spell(kind: str) -> str:
    return {"projection": "a projection", "permutation": "a permutation matrix"}.get(kind, kind)


def _fresh(text: str, kinds: list[str]) -> str:
    wanted = "P" if "projection" in kinds or "idempotent" in kinds else "Q" if "orthogonal" in kinds else "A"
    used = set(re.findall(r"(?<![A-Za-z\\])[A-Z](?![a-z])", text))
    return next(letter for letter in (wanted, *"AMBGHKQP") if letter not in used or letter == "A")


def _refer(text: str, letter: str, *, has_lead: bool) -> str:
    """The text with `its trace`, `it` and `the matrix` as the letter."""
    text = re.sub(r"\ball\s+(?:of\s+)?its\s+eigenvalues", f"the eigenvalues of {letter}", text)
    text = re.sub(
        r"\b[Ii]ts\s+(?:own\s+)?(?P<noun>(?:largest\s+|smallest\s+|row\s+|column\s+|null\s+)?[a-z]+)(?![a-z])",
        rf"the \g<noun> of {letter}",
        text,
    )
    return re.sub(
        r"\bit(?=\s+(?:is|has|satisfies|equals|commutes|maps|preserves))|\b(?:the|such\s+a)\s+matrix(?=\s+(?:is|has))",
        letter,
        text,
    )


_SO_IS = re.compile(
    r"(?P<name>[A-Z](?:\s+and\s+[A-Z])?)\s+(?P<verb>is|be|are)\s+(?P<kind>(?:an?\s+)?(?:orthogonal\s+|symmetric\s+|positive\s+|projection\s+)?(?:projector|projection|definite|semidefinite|symmetric|orthogonal|"
    r"invertible|idempotent|antisymmetric|matrix)(?:\s+matrix)?)(?P<middle>\s*,?\s*then|\.\s+Then|\s*,)\s+so\s+(?:is|are)\s+"
    r"(?P<other>[^.,;]+?)(?P<end>\s*(?:[.,;]|$))"
)
_ALSO = re.compile(r"(?P<other>[A-Z](?:\^\S+|[⁻¹ᵀ²]+))\s+is\s+also\s+(?=[a-z])")


def repeat_property(text: str) -> str:
    """`if P is a projection, then so is I − P`: what is said of P is said of I − P.

    >>> repeat_property("If A is symmetric, then so is A^2.")
    'If A is symmetric, then A^2 is symmetric.'
    """
    text = _ALSO.sub(r"\g<other> is ", text)
    return _SO_IS.sub(r"\g<name> \g<verb> \g<kind>\g<middle> \g<other> is \g<kind>\g<end>", text)


_EIGENVALUE_OF = r"(?P<matrix>\(?[A-Z](?:\^(?:\{-?1\}|T|-1|2|\{\w+\})|⁻¹|²|ᵀ)?(?:\s*[+−-]\s*\S+)?\)?|[A-Z]\s?[A-Z])"
_IS_EIGENVALUE = re.compile(
    rf"(?P<value>\(?[^\s,]+(?:\s*[+*/−-]\s*[^\s,]+)*?\)?)\s+is\s+(?:an?\s+|the\s+only\s+)?eigenvalue\s+of\s+(?:the\s+)?(?:matrix\s+)?{_EIGENVALUE_OF}(?=[\s,.;:]|$)"
)
_EXTREME = re.compile(
    r"(?P<name>(?<![A-Za-z])[A-Z])(?P<said>\s+(?:is|be)\s+[a-z\s]+?)\s+(?:with|whose)\s+(?P<kind>smallest|largest|minimum|maximum)\s+eigenvalue\s+(?:is\s+)?(?P<value>[^\s,.;]+)"
)
_SINGULAR = re.compile(
    r"(?P<name>(?<![A-Za-z])[A-Z]|\([^()]*\))\s+(?P<verb>is|be|are)\s+(?P<not>not\s+)?singular(?![a-z])"
)
_NORM = re.compile(
    r"(?:,|\s+and|\s+where)\s+(?:\\\||‖|\|\|)\s*(?:\\cdot|·|•)\s*(?:\\\||‖|\|\|)_2\s+(?:is|denotes)\s+the\s+(?:spectral|operator)\s+norm"
)


def _name_extreme(found: re.Match[str]) -> str:
    """`A is symmetric with largest eigenvalue L` with L = eigmax(A)."""
    function = "eigmin" if found["kind"] in ("smallest", "minimum") else "eigmax"
    return f"{found['name']}{found['said']} and {found['value']} = {function}({found['name']})"


def state_eigenvalues(text: str) -> str:
    """`λ is an eigenvalue of A` as det(A − λ I) = 0, and what else is said of eigenvalues in words.

    >>> state_eigenvalues("If λ is an eigenvalue of A, then λ^2 is an eigenvalue of A^2")
    'If det(A - (λ) I) = 0, then det(A^2 - (λ^2) I) = 0'
    """
    if not re.search(r"eigenvalue|singular|spectral|operator", text):
        return text
    text = _EXTREME.sub(_name_extreme, text)
    text = _SINGULAR.sub(lambda found: f"det({found['name']}) {'≠' if found['not'] else '='} 0", text)
    text = _IS_EIGENVALUE.sub(lambda found: f"det({found['matrix']} - ({found['value']}) I) = 0", text)
    if _NORM.search(text):
        text = re.sub(
            r"(?:\\\||‖|\|\|)\s*(?P<name>[A-Z])\s*(?:\\\||‖|\|\|)_2",
            r"sqrt(eigmax(\g<name>^T \g<name>))",
            _NORM.sub("", text),
        )
    return text


REWRITERS: tuple[Callable[[str], str], ...] = (
    tidy_sizes,
    repeat_property,
    name_pairs,
    name_subjects,
    state_eigenvalues,
)
