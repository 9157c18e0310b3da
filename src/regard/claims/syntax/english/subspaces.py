"""Subspaces, each read as the orthogonal projector onto it: its dimension is a rank, and its complement I − P.

U + W                      proj(U + W), the projector onto the columns of the sum
U ∩ W                      (I - proj((I - U) + (I - W)))
U^⊥                        (I - U)
the null space of A        (I - proj(A^T))
U ⊆ W, x ∈ U, dim U        W U = U, U x = x, rank(U)
"""

from __future__ import annotations

import re
from collections.abc import Callable

_SPACE = r"(?:ℝ|R|\\mathbb\{R\}|\\R|𝐑)\s*(?:\^\s*(?:\{\s*)?(?P<size>\w)(?:\s*\})?|(?P<script>[ᵈⁿᵐ]))"
_SPACE_BARE = re.sub(r"\?P<\w+>", "?:", _SPACE)
_SHAPE = r"(?P<shape>\s*(?:∈|\\in)\s*(?:[^\s{}]|\{[^{}]*\})+)?"
_MATRIX = r"(?P<matrix>\\?[A-Z](?:\^T|\^\\top|\^\{\\top\}|ᵀ)?|\([^()]*\)|[A-Z]{2}(?:ᵀ|\^T)?)"
_ONE = r"(?:\b[Tt]he\s+)?"
_NAMED: tuple[tuple[str, str], ...] = (
    (rf"{_ONE}(?:column\s+space|range|image|column\s+span|span\s+of\s+the\s+columns)\s+of\s+{_MATRIX}", "⟪proj({})⟫"),
    (rf"{_ONE}(?:null\s*space|kernel)\s+of\s+{_MATRIX}", "⟪(I - proj(({})^T))⟫"),
    (rf"{_ONE}row\s+space\s+of\s+{_MATRIX}", "⟪proj(({})^T)⟫"),
    (
        r"(?<![A-Za-z])(?:[Cc]ol|range|im|Im|\\operatorname\{(?:col|range|im)\}|span|C)\s*\(\s*(?P<matrix>[A-Z](?:\^T|ᵀ)?)\s*\)",
        "⟪proj({})⟫",
    ),
    (
        r"(?<![A-Za-z])(?:[Nn]ull|[Kk]er|\\ker|\\operatorname\{(?:null|ker)\})\s*\(?\s*(?P<matrix>[A-Z](?:\^T|ᵀ)?)\s*\)?(?![A-Za-z])",
        "⟪(I - proj(({})^T))⟫",
    ),
    (r"(?<![A-Za-z])(?:[Rr]ow)\s*\(\s*(?P<matrix>[A-Z](?:\^T|ᵀ)?)\s*\)", "⟪proj(({})^T)⟫"),
)
"""Spaces that belong to a matrix; ⟪…⟫ marks the projector onto a space until the sentence is done."""
_COMPLEMENT = re.compile(rf"{_ONE}orthogonal\s+complement\s+of\s+(?P<space>⟪[^⟪⟫]*⟫)")
_PERP = r"\s*\^\s*(?:⊥|\\perp|\{\s*(?:⊥|\\perp)\s*\})|\s*⊥(?=\s*[=⊆⊂,.;)]|\s*$)"
_AFTER = re.compile(rf"(?P<space>⟪[^⟪⟫]*⟫|\(\s*⟪[^⟪⟫]*⟫\s*\))(?:{_PERP})")
_MEET = re.compile(r"(?P<one>⟪[^⟪⟫]*⟫)\s*(?:∩|\\cap)\s*(?P<other>⟪[^⟪⟫]*⟫)")
_SUM = re.compile(r"(?P<one>⟪[^⟪⟫]*⟫)\s*(?:\+|⊕|\\oplus)\s*(?P<other>⟪[^⟪⟫]*⟫)")
_BRACKETS = re.compile(r"\(\s*(?P<space>⟪[^⟪⟫]*⟫)\s*\)")
_SUBSPACE = r"(?:linear\s+|vector\s+)?subspaces?"
_LETTERS = r"(?P<names>[A-Z](?:_\d)?(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)[A-Z](?:_\d)?)*)"
_DECLARED = (
    re.compile(
        rf"(?P<lead>\b(?:[Ff]or|[Ll]et|[Ii]f|[Ss]uppose|[Gg]iven|[Ww]here|[Ww]ith|[Aa]ssume)\s+)?(?:(?:any|all|every|each|a|an|the)\s+)?(?:two\s+)?"
        rf"(?P<kind>orthogonal\s+)?{_SUBSPACE}\s+{_LETTERS}(?![A-Za-z])(?:\s*(?:of|in|⊆|⊂|\\subseteq|\\subset)\s+{_SPACE})?"
    ),
    re.compile(
        rf"(?P<lead>\b(?:[Ll]et|[Ii]f|[Ss]uppose|[Ww]here|[Ww]hen|[Aa]ssume)\s+(?:that\s+)?)?{_LETTERS}\s+(?:be|are|is)\s+(?:(?:any|a|an|two|both)\s+)*"
        rf"(?P<kind>orthogonal\s+)?{_SUBSPACE}(?:\s*(?:of|in)\s+{_SPACE})?"
    ),
)
_DIMENSIONS = re.compile(
    r"^\s+(?:of|with)\s+dimensions?\s+(?P<one>\w)(?:\s+and\s+(?P<other>\w))?(?![A-Za-z])(?:\s*,?\s*respectively)?"
)
_TWO = re.compile(
    r"\b(?P<lead>[Ii]f\s+|[Ff]or\s+)?(?:any\s+)?two\s+(?P<kind>orthogonal\s+)?subspaces(?:\s+of\s+"
    + _SPACE_BARE
    + r")?(?=\s+[a-z])"
)
_SCRIPTS = {"ᵈ": "d", "ⁿ": "n", "ᵐ": "m"}


def write_subspaces(text: str) -> str:
    """The text with its subspaces as projectors.

    >>> write_subspaces("dim(U + W) = dim U + dim W")
    'Let U be a projection and W be a projection. rank(proj(U + W)) = rank(U) + rank(W)'
    """
    if not _SPEAKS.search(text):
        return text
    given = text
    text = _TWO.sub(_name_two, text)
    text, letters, premises = _take_declarations(text)
    letters += [name for name in _used_letters(text) if name not in letters]
    for pattern, form in _NAMED:
        text = re.sub(pattern, form.replace("{}", r"\g<matrix>"), text)
    for name in letters:
        text = re.sub(rf"(?<![A-Za-z\\⟪_^{{]){re.escape(name)}(?![A-Za-z_⟫])", f"⟪{name}⟫", text)
        text = re.sub(rf"(?<![A-Za-z\\])P_(?:{re.escape(name)}|\{{{re.escape(name)}\}})(?![A-Za-z])", name, text)
    if "⟪" not in text and not letters:
        return given
    text = _relate(_combine(text))
    if "⟪" in text or "∩" in text or "subspace" in text:
        return given
    laws = [f"{name} be a projection" for name in letters] + premises
    return f"Let {' and '.join(laws)}. {text.lstrip(' ,:;.')}" if laws else text


_SPEAKS = re.compile(
    r"subspace|\bdim\b|\\dim|∩|\\cap|column\s+space|null\s*space|row\s+space|\bkernel\s+of|\brange\s+of|orthogonal\s+complement|"
    r"\^\s*\{?\s*(?:⊥|\\perp)|[⊥∩⊆].*(?<![A-Za-z])P_[A-Z](?!\s*\()|(?<![A-Za-z])(?:col|null|ker|range|Null|Col|Ker)\s*\("
)


def _name_two(found: re.Match[str]) -> str:
    return f"{found['lead'] or 'For '}{found['kind'] or ''}subspaces U and W, they "


def _take_declarations(text: str) -> tuple[str, list[str], list[str]]:
    """The text without what only says that letters are subspaces, those letters, and what else is given of them."""
    letters: list[str] = []
    premises: list[str] = []
    for pattern in _DECLARED:
        found = pattern.search(text)
        if found is None:
            continue
        names = re.findall(r"[A-Z](?:_\d)?", found["names"])
        letters += names
        if found["kind"] and len(names) == 2:
            premises.append(f"{names[0]} {names[1]} = 0")
        size = found["size"] or _SCRIPTS.get(found["script"] or "")
        premises += [f"{names[0]} ∈ R^{{{size}×{size}}}"] if size else []
        rest = text[found.end() :]
        dimensions = _DIMENSIONS.match(rest)
        if dimensions is not None:
            rest = rest[dimensions.end() :]
            for letter, name in zip((dimensions["one"], dimensions["other"] or dimensions["one"]), names, strict=False):
                rest = re.sub(rf"(?<![A-Za-z_\\]){letter}(?![A-Za-z_])", f"rank({name})", rest)
        rest = re.sub(r"^\s*,\s*they\s+", " they ", rest)
        is_object = not found["lead"] and re.search(r"\w\s*$", text[: found.start()]) is not None
        text = text[: found.start()] + (names[0] + rest if is_object else _go_on(found["lead"], rest, names))
    if len(letters) == 2:
        text = _say_of_two(text, *letters)
    return text, letters, premises


def _go_on(lead: str | None, rest: str, names: list[str]) -> str:
    """What follows a declaration: `then` falls away, `if … and …` goes on as a condition."""
    first = (lead or "").strip().lower()
    goes_on = re.match(r"\s*(?:and|with|such\s+that|that)\s+|\s+(?=they\b|meet\b|intersect\b)", rest)
    if goes_on and first.startswith(("if", "let", "suppose", "when", "assume", "for")):
        return f"{'If' if first.startswith(('if', 'when', 'for')) else 'Suppose'} {rest[goes_on.end() :]}"
    return re.sub(r"^\s*(?:[,:;.]\s*)?(?:then\s+|we\s+have\s+)?", "", rest)


def _say_of_two(text: str, one: str, other: str) -> str:
    """What is said of two subspaces as `they`."""
    both = rf"(?:they|{one}\s+and\s+{other})\s+"
    pairs = (
        (
            rf"{both}(?:meet|intersect)\s+(?:only\s+(?:in|at)\s+(?:the\s+)?(?:zero(?:\s+vector)?|origin|0|\{{0\}})|trivially)",
            f"{one} ∩ {other} = {{0}}",
        ),
        (
            rf"{both}(?:have|has)\s+(?:a\s+)?(?:only\s+the\s+zero\s+vector\s+in\s+common|trivial\s+intersection)",
            f"{one} ∩ {other} = {{0}}",
        ),
        (
            rf"{both}(?:are|must\s+be)\s+(?:mutually\s+)?(?:orthogonal|perpendicular)(?:\s+to\s+each\s+other)?",
            f"{one} ⊥ {other}",
        ),
        (rf"{both}(?:are|must\s+be)\s+(?:equal|the\s+same)", f"{one} = {other}"),
        (rf"{both}(?:have|has)\s+the\s+same\s+dimension", f"dim {one} = dim {other}"),
    )
    for pattern, sign in pairs:
        text = re.sub(pattern, sign, text)
    return text


def _used_letters(text: str) -> list[str]:
    """Letters that only subspaces are written with: of dim U, U ∩ W and U^⊥."""
    found = re.findall(rf"(?<![A-Za-z])\\?dim\s*\(?\s*([A-Z])(?![A-Za-z])|(?<![A-Za-z])([A-Z])(?:{_PERP})", text)
    found += [(name, "") for name in re.findall(r"(?<![A-Za-z])P_([A-Z])(?![A-Za-z(])", text)]
    found += re.findall(r"(?<![A-Za-z])([A-Z])\s*(?:∩|\\cap)\s*([A-Z])(?![A-Za-z])", text)
    return list(dict.fromkeys(name for pair in found for name in pair if name))


def _combine(text: str) -> str:
    """The text with sums, intersections and complements of spaces worked out, from the innermost."""
    for _ in range(12):
        before = text
        text = _COMPLEMENT.sub(lambda found: f"⟪(I - {found['space'][1:-1]})⟫", text)
        text = _AFTER.sub(lambda found: f"⟪(I - {found['space'].strip('( )')[1:-1]})⟫", text)
        text = _BRACKETS.sub(r"\g<space>", text)
        text = _MEET.sub(lambda found: f"⟪(I - proj((I - {found['one'][1:-1]}) + (I - {found['other'][1:-1]})))⟫", text)
        if text == before:
            text = _SUM.sub(lambda found: f"⟪proj({found['one'][1:-1]} + {found['other'][1:-1]})⟫", text, count=1)
        if text == before:
            return text
    return text


def _relate(text: str) -> str:
    """The text with what is said of spaces as equations of their projectors."""
    space = r"⟪(?P<{}>[^⟪⟫]*)⟫"
    one, other = space.format("one"), space.format("other")
    projector = r"(?:\b[Tt]he\s+|\ban?\s+)?(?:orthogonal\s+)?(?:projector|projection)(?:\s+matrix)?\s+on(?:to)?\s+"
    for pattern, sign in (
        (rf"rank(?:\()?{one}(?:\))?", r"rank(\g<one>)"),
        (rf"(?:\\?dim|(?:\b[Tt]he\s+)?dimension\s+of)\s*(?:\(\s*)?{one}(?:\s*\))?", r"rank(\g<one>)"),
        (rf"\s+(?:is|be|equals)\s+{projector}{one}", r" = \g<one>"),
        (rf"{projector}{one}", r"\g<one>"),
        (rf"{one}\s*(?:=|is|equals)\s*(?:\{{\s*0\s*\}}|\\\{{\s*0\s*\\\}}|0(?![\d.]))", r"rank(\g<one>) = 0"),
        (rf"{one}\s*(?:≠|\\neq?|!=)\s*(?:\{{\s*0\s*\}}|\\\{{\s*0\s*\\\}})", r"rank(\g<one>) > 0"),
        (rf"{one}\s*(?:⊥|\\perp|is\s+orthogonal\s+to)\s*{other}", r"(\g<one>) (\g<other>) = 0"),
        (
            rf"{one}\s*(?:⊆|⊂|\\subseteq|\\subset|is\s+(?:contained|included)\s+in|is\s+a\s+subspace\s+of)\s*{other}",
            r"(\g<other>) (\g<one>) = \g<one>",
        ),
        (rf"{one}\s*(?:=|is|equals)\s*{other}", r"\g<one> = \g<other>"),
        (rf"(?<![A-Za-z])(?P<vector>[a-z])\s*(?:∈|\\in|in)\s*{one}", r"(\g<one>) \g<vector> = \g<vector>"),
        (rf"(?<![A-Za-z])(?P<vector>[a-z])\s*(?:⊥|\\perp|is\s+orthogonal\s+to)\s*{one}", r"(\g<one>) \g<vector> = 0"),
    ):
        text = re.sub(pattern, sign, text)
    return text


_PROJECTOR = re.compile(
    r"\b(?P<article>the\s+|an?\s+)?orthogonal\s+projectors?(?:\s+matri(?:x|ces))?(?:\s+(?:on|in|of)\s+"
    + _SPACE_BARE
    + r")?(?!\s+onto)"
)


def write_projectors(text: str) -> str:
    """`orthogonal projectors on R^d` as projections, a word that the grammar knows.

    >>> write_projectors("Let P and Q be orthogonal projectors on R^d. PQ is an orthogonal projector.")
    'Let P and Q be projections. PQ is a projection.'
    """
    return _PROJECTOR.sub(lambda found: "projections" if "projectors" in found[0] else "a projection", text)


_BASIS = re.compile(
    rf"(?:the\s+)?columns\s+of\s+(?P<matrix>[A-Z]){_SHAPE}\s+(?:are|form)\s+(?:an\s+)?orthonormal(?:\s+basis\s+(?:of|for)\s+(?:a\s+|the\s+)?subspace\s+(?P<space>[A-Z])"
    rf"(?:\s+of\s+{_SPACE_BARE})?)?(?![a-z])"
)


def write_bases(text: str) -> str:
    """`the columns of A are an orthonormal basis of a subspace U` as A^T A = I and U = proj(A).

    >>> write_bases("If the columns of A are orthonormal, then ‖Ax‖ = ‖x‖")
    'If A^T A = I, then ‖Ax‖ = ‖x‖'
    """

    def state(found: re.Match[str]) -> str:
        name = found["matrix"]
        shape = f"{name}{found['shape']} and " if found["shape"] else ""
        rest = text[found.end() :]
        uses = found["space"] and re.search(rf"(?<![A-Za-z]){found['space']}(?![A-Za-z])", rest)
        return f"{shape}{name}^T {name} = I" + (f" and {found['space']} = proj({name})" if uses else "")

    text = _BASIS.sub(state, text)
    text = re.sub(r"(?<=\bI)\s+with\s+(?=\w\s*[<>≤≥])", " and ", text)
    for words, form in _FULL_RANK:
        text = re.sub(
            rf"(?P<name>(?<![A-Za-z])[A-Z]){_SHAPE}\s+(?:has|have|having|with|of)\s+{words}(?![a-z])", form, text
        )
    return text


_FULL_RANK = (
    (
        r"(?:full\s+column\s+rank|linearly\s+independent\s+columns)",
        r"\g<name>\g<shape> and \g<name>^T \g<name> is invertible",
    ),
    (
        r"(?:full\s+row\s+rank|linearly\s+independent\s+rows)",
        r"\g<name>\g<shape> and \g<name> \g<name>^T is invertible",
    ),
)

REWRITERS: tuple[Callable[[str], str], ...] = (write_bases, write_subspaces, write_projectors)
