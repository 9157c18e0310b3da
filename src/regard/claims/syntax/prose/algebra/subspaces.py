"""Subspaces, each written as the orthogonal projection onto it: column spaces, complements, sums, dimensions.

the column space of A       proj(A)            the null space of A      I − proj(Aᵀ)
the complement of U         I − U              U + W                    proj(U + W)
U ∩ W                       I − proj(2I − U − W)                        dim U = rank(U)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.predicates import Predicate
from regard.claims.syntax.prose.phrases import FIRST, ITS, SECOND, Clause, Thing, bind_own, both, claim, fill, merged

SPACES: tuple[tuple[str, str], ...] = (
    ("column/columns space/span", "proj([0])"),
    ("range/image/span", "proj([0])"),
    ("span of the columns", "proj([0])"),
    ("row/rows space/span", "proj({0}^T)"),
    ("span of the rows", "proj({0}^T)"),
    ("left null space", "(I - proj([0]))"),
    ("left nullspace/kernel", "(I - proj([0]))"),
    ("null/zero space", "(I - proj({0}^T))"),
    ("nullspace/kernel", "(I - proj({0}^T))"),
)
"""Spaces of a matrix; the projection onto each."""
PLURAL_SPACES: tuple[tuple[str, str], ...] = (
    ("column spaces", "proj([0])"),
    ("ranges/images/spans", "proj([0])"),
    ("row spaces", "proj({0}^T)"),
    ("null spaces", "(I - proj({0}^T))"),
    ("nullspaces/kernels", "(I - proj({0}^T))"),
)


def _complement(space: Thing) -> Thing:
    return Thing(f"(I - {space.factor})", space.given, "space", space.about or space)


def sum_of(first: str, second: str) -> str:
    """The projection onto U + W."""
    return f"proj({first} + {second})"


def intersection_of(first: str, second: str) -> str:
    """The projection onto U ∩ W: beside it, all is in the sum of both complements."""
    return f"(I - proj((I - {first}) + (I - {second})))"


def _of_matrix(template: str) -> Callable[[Thing], Thing]:
    return lambda x: Thing(fill(template, _all_members(x)), x.given, "space", x.about or x)


def _all_members(x: Thing) -> Thing:
    """Of the values or the keys, the matrix of all of them as columns.

    Raises: Unreadable for the members of other families.
    """
    member = re.fullmatch(r"([kv])_\{?[i-m]\}?", x.signs)
    if member is None and re.search(r"_\{?[i-m]\}?$", x.signs):
        raise Unreadable
    return x if member is None else replace(x, signs=f"{member[1].upper()}^T")


def _both_spaces(template: str) -> Callable[[Thing, Thing], tuple[Thing, Thing]]:
    return lambda a, b: (_of_matrix(template)(a), _of_matrix(template)(b))


def _space_rules() -> list[Rule]:
    found = []
    for words, template in SPACES:
        make = _of_matrix(template)
        found.append(Rule("space", f"the? {words} of <np>", make))
        found.append(Rule("space", f"its/the {words}", lambda make=make: make(Thing(ITS))))
    for words, template in PLURAL_SPACES:
        pair = _both_spaces(template)
        found.append(Rule("spaces", f"the? {words} of <np> and <np>", pair))
        them = (Thing(FIRST), Thing(SECOND))
        found.append(Rule("spaces", f"their/the {words}", lambda pair=pair, them=them: pair(*them)))
    return found


SAID_OF_SPACES: tuple[tuple[str, str], ...] = (
    ("are equal/identical/the same? subspace/space?", "{0} = {1}"),
    ("coincide", "{0} = {1}"),
    ("are orthogonal/perpendicular to? each? other?", "{0} {1} = 0"),
    ("are mutually orthogonal", "{0} {1} = 0"),
    ("are orthogonal complements of? each? other?", "{0} = I - {1}"),
    ("meet/intersect only in the? zero/origin/0 vector?", "rank({0} + {1}) = rank({0}) + rank({1})"),
    ("intersect/meet trivially", "rank({0} + {1}) = rank({0}) + rank({1})"),
    ("have trivial intersection", "rank({0} + {1}) = rank({0}) + rank({1})"),
    ("have only the? zero/0 vector? in common", "rank({0} + {1}) = rank({0}) + rank({1})"),
    ("share only the? zero/0 vector?", "rank({0} + {1}) = rank({0}) + rank({1})"),
    ("are disjoint except/apart for/from the? zero/origin/0 vector?", "rank({0} + {1}) = rank({0}) + rank({1})"),
    ("have the same dimension", "rank({0}) = rank({1})"),
    ("have equal dimension/dimensions", "rank({0}) = rank({1})"),
)
SAID_OF_SPACE: tuple[tuple[str, str], ...] = (
    ("is/equals equal? to? <space>", "{0} = {1}"),
    ("is/equals the same as <space>", "{0} = {1}"),
    ("is identical to <space>", "{0} = {1}"),
    ("coincides/agrees with <space>", "{0} = {1}"),
    ("is orthogonal/perpendicular to <space>", "{0} {1} = 0"),
    ("is contained/included in <space>", "{1} {0} = {0}"),
    ("is a subspace of <space>", "{1} {0} = {0}"),
    ("lies in/inside <space>", "{1} {0} = {0}"),
    ("contains/includes <space>", "{0} {1} = {1}"),
    ("has the same dimension as <space>", "rank({0}) = rank({1})"),
)
"""What is said of a space beside another."""
SAID_OF_VECTOR: tuple[tuple[str, str], ...] = (
    ("lies/lie/is/are/be in/inside <space>", "{1} {0} = {0}"),
    ("belongs/belong to <space>", "{1} {0} = {0}"),
    ("is/are/be orthogonal/perpendicular to <space>", "{1} {0} = 0"),
    ("is/are/be orthogonal/perpendicular to every/each/all/any vector/vectors in <space>", "{1} {0} = 0"),
    ("is/are the? orthogonal? projection/projector/projections onto/on <space>", "[0] = [1]"),
    ("projects/project orthogonally? onto/on <space>", "[0] = [1]"),
    ("is/are the? orthogonal? projection/projector matrix onto/on <space>", "[0] = [1]"),
    ("are/form/is an? orthonormal basis of/for <space>", "{0} {0}^T = {1}"),
)
"""What is said of a vector, or of a matrix, beside a space."""


def _say_rules() -> list[Rule]:
    found = []
    for words, template in SAID_OF_SPACES:
        found.append(Rule("clause", f"<spaces> {words}", lambda pair, t=template: _of_two(t, *pair)))
        found.append(Rule("clause", f"<space> and <space> {words}", lambda a, b, t=template: _of_two(t, a, b)))
    for words, template in SAID_OF_SPACE:
        found.append(Rule("clause", f"<space> {words}", lambda a, b, t=template: _of_two(t, a, b)))
        verb = words.split()[0]
        if verb in ("is/equals", "is"):
            found.append(
                Rule(
                    "clause",
                    f"<space> {words.replace(verb, 'is not', 1)}",
                    lambda a, b, t=template: _not(_of_two(t, a, b)),
                )
            )
    for words, template in SAID_OF_VECTOR:
        found.append(Rule("vp", words, lambda space, t=template: _said(t, space)))
    return found


def _of_two(template: str, first: Thing, second: Thing) -> Clause:
    return bind_own(Clause((fill(template, first, second),), merged(first, second), first), first)


def _not(clause: Clause) -> Clause:
    return Clause(tuple(f"{one} does not hold" for one in clause.claims), clause.given, clause.subject)


def _said(template: str, space: Thing) -> Predicate:
    return lambda x: claim(fill(template, x, space), of=x, given=space.given)


def declare_spaces(names: tuple[str, ...], space: Thing | None) -> Clause:
    """Subspaces U and W of ℝ^n: each letter stands for the projection onto it."""
    subject = Thing(", ".join(names), (), "space list" if len(names) > 1 else "space")
    return Clause((), tuple(f"{name} is a projection" for name in names), subject)


_DIMENSION = re.compile(r"(?:\\dim|\\operatorname\{dim\}|\\mathrm\{dim\}|dim)")
_SIGNS = re.compile(
    r"\^\s*(?:\{\s*)?(?:\\perp|⊥|⟂)\s*\}?|\\dim(?![a-z])|\\(?:operatorname|mathrm)\{(?:dim|rank|null|col|row|ker|im|span)\}|∩|\\cap(?![a-z])|\\(?:left|right)(?![a-z])|\\,|[A-Za-z]+|\d+|\S"
)
_OPERATORS = {"\\cap": "∩", "\\dim": "dim", "\\ker": "ker"}
_FUNCTIONS_OF_MATRICES = {
    **dict.fromkeys(("col", "Col", "range", "im", "Im", "span", "colspace", "R", "C"), "proj({0})"),
    **dict.fromkeys(("row", "Row"), "proj({0}^T)"),
    **dict.fromkeys(("null", "Null", "ker", "Ker", "nullspace", "N"), "(I - proj({0}^T))"),
}
_RELATIONS = {
    "=": "=",
    "⊆": "⊆",
    "⊂": "⊆",
    "\\subseteq": "⊆",
    "\\subset": "⊆",
    "≤": "≤",
    "≥": "≥",
    "<": "<",
    ">": ">",
    "\\le": "≤",
    "\\leq": "≤",
}
_SPACE_SIGNS = re.compile(
    r"∩|\\cap(?![a-z])|⊥|\\perp|(?<![A-Za-z])dim(?![a-z])|⊆|\\subset|(?<![A-Za-z])(?:null|col|row|ker|Null|Col|span)\s*\("
)


class _SpaceFormula:
    """Reads dim(U + W) = dim U + dim W and (U ∩ W)^⊥ as expressions of projections."""

    def __init__(self, text: str, is_number: bool) -> None:
        self.tokens = [_token(one) for one in _SIGNS.findall(text) if one not in ("\\left", "\\right", "\\,")]
        self.at = 0
        self.letters: set[str] = set()
        self.is_number = is_number

    @property
    def token(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        if self.at >= len(self.tokens) or (wanted and self.token != wanted):
            raise Unreadable
        self.at += 1
        return self.tokens[self.at - 1]

    def whole(self) -> str:
        found = self.number() if self.is_number else self.space()
        if self.token:
            raise Unreadable
        return found

    def number(self) -> str:
        """d − dim U + dim(U ∩ W)."""
        found = self.one_number()
        while self.token in ("+", "-", "−"):
            sign = "+" if self.take() == "+" else "-"
            found = f"{found} {sign} {self.one_number()}"
        return found

    def one_number(self) -> str:
        if self.token in ("dim", "rank"):
            self.take()
            return f"rank({self.one_space()})"
        if re.fullmatch(r"\d+|[a-z]", self.token):
            return self.take()
        raise Unreadable

    def space(self) -> str:
        """U + W, U ∩ W."""
        found = self.one_space()
        while self.token in ("+", "∩"):
            make = sum_of if self.take() == "+" else intersection_of
            found = make(found, self.one_space())
        return found

    def one_space(self) -> str:
        if self.token == "(":
            self.take()
            found = self.space()
            self.take(")")
        elif self.token in _FUNCTIONS_OF_MATRICES and self.tokens[self.at + 1 : self.at + 2] == ["("]:
            found = self.of_matrix()
        elif re.fullmatch(r"[A-Z]", self.token):
            found = self.take()
            self.letters.add(found)
        else:
            raise Unreadable
        while self.token == "⊥":
            self.take()
            found = f"(I - {found})"
        return found

    def of_matrix(self) -> str:
        template = _FUNCTIONS_OF_MATRICES[self.take()]
        self.take("(")
        written = ""
        while self.token != ")":
            written += self.take()
        self.take(")")
        if not re.fullmatch(r"(?:[A-Z](?:ᵀ|⊤|\^T|\^\\top|\^\{T\}|\^\{\\top\}|')?)+", written):
            raise Unreadable
        return fill(template, Thing(written))


def _token(sign: str) -> str:
    if re.match(r"\^", sign):
        return "⊥"
    named = re.fullmatch(r"\\(?:operatorname|mathrm)\{(\w+)\}", sign)
    return named[1] if named else _OPERATORS.get(sign, sign)


def space_in_signs(signs: str) -> Thing:
    """The projection onto col(A), U^⊥ or U ∩ W.

    Raises: Unreadable for signs that are no space of a matrix and no operation on spaces.
    """
    reader = _SpaceFormula(signs, is_number=False)
    written = reader.whole()
    if re.fullmatch(r"\s*[A-Z]\s*", signs) or ("proj(" not in written and "⊥" not in signs and "\\perp" not in signs):
        raise Unreadable
    return Thing(written, tuple(f"{name} is a projection" for name in sorted(reader.letters)), "space")


_TRIVIAL = re.compile(
    r"(?P<first>[^∩]+?)(?:∩|\\cap(?![a-z]))(?P<second>[^∩]+?)\s*=\s*(?:\\?\{\s*(?:\\?(?:mathbf|vec)\s*\{?)?0\}?\s*\\?\}|0)\s*"
)
"""col(A) ∩ col(B) = {0}."""


def _meet_in_zero(first: _SpaceFormula, second: _SpaceFormula) -> Clause:
    """Two subspaces meet in zero alone where the dimensions add up."""
    one, other = first.whole(), second.whole()
    given = tuple(f"{name} is a projection" for name in sorted(first.letters | second.letters))
    return Clause((f"rank({one} + {other}) = rank({one}) + rank({other})",), given, None)


def space_relation(rel: str) -> Clause:
    """dim(U + W) = dim U + dim W; (U + W)^⊥ = U^⊥ ∩ W^⊥: relations between subspaces or their dimensions.

    Raises: Unreadable for any other relation.
    """
    trivial = _TRIVIAL.fullmatch(rel)
    if trivial is not None:
        return _meet_in_zero(*(_SpaceFormula(side, is_number=False) for side in (trivial["first"], trivial["second"])))
    parts = re.split(r"(=|⊆|⊂|\\subseteq|\\subset|≤|≥|<|>|\\leq?(?![a-z])|\\geq?(?![a-z]))", rel)
    if len(parts) != 3 or not _SPACE_SIGNS.search(rel):
        raise Unreadable
    left, sign, right = parts[0], _RELATIONS.get(parts[1].strip(), ""), parts[2]
    is_number = any(re.search(r"(?<![A-Za-z])dim(?![a-z])", side) for side in (left, right))
    sides = [_SpaceFormula(side, is_number) for side in (left, right)]
    letters = set[str]()
    written = []
    for side in sides:
        written.append(side.whole())
        letters |= side.letters
    if not is_number and sign == "⊆":
        said = f"{written[1]} {written[0]} = {written[0]}"
    elif (is_number and sign in ("=", "≤", "≥", "<", ">")) or sign == "=":
        said = f"{written[0]} {sign} {written[1]}"
    else:
        raise Unreadable
    return Clause((said,), tuple(f"{name} is a projection" for name in sorted(letters)), None)


RULES: tuple[Rule, ...] = (
    *_space_rules(),
    Rule("space", "the? orthogonal? complement of <space>", _complement),
    Rule("space", "its/the orthogonal complement", lambda: _complement(Thing(ITS))),
    Rule("space", "the? line/space/subspace spanned by <np>", _of_matrix("proj([0])")),
    Rule("space", "the? span of <np>", _of_matrix("proj([0])")),
    Rule(
        "space",
        "the? sum of <space> and <space>",
        lambda a, b: Thing(sum_of(a.factor, b.factor), merged(a, b), "space"),
    ),
    Rule(
        "space",
        "the? intersection of <space> and <space>",
        lambda a, b: Thing(intersection_of(a.factor, b.factor), merged(a, b), "space"),
    ),
    Rule("base", "the? dimension of <space>", lambda a: Thing(f"rank({a.signs})", a.given, "", a.about)),
    Rule(
        "base",
        "the? orthogonal? projection/projector matrix? onto/on <space>",
        lambda a: Thing(a.signs, a.given, "", a.about),
    ),
    Rule(
        "base",
        "the? orthogonal? projection/projector of <np> onto/on <space>",
        lambda x, a: Thing(f"{a.factor} {x.factor}", (*x.given, *a.given), "vector", x),
    ),
    *_say_rules(),
    Rule("space", "<expr>", lambda signs: space_in_signs(signs.signs)),
    Rule("clause", "<rel>", space_relation),
    Rule(
        "entity",
        "a/any/all/every/the/two? two? linear? subspace/subspaces <syms> <of_space>?",
        lambda names, space: _as_entity(names),
    ),
    Rule(
        "clause",
        "<syms> are/be/is a/an/any/two? orthogonal subspaces/subspace <of_space>?",
        lambda names, _: _orthogonal_spaces(names),
    ),
    Rule("clause", "<syms> are/be/is a/two/any? linear? subspaces/subspace <of_space>?", declare_spaces),
    Rule("of_space", "of/in <expr>", lambda space: space),
    Rule("of_space", "of the same space/vector-space", lambda: None),
)


def _as_entity(names: tuple[str, ...]) -> Thing:
    found = declare_spaces(names, None)
    return Thing(", ".join(names), found.given, "space list" if len(names) > 1 else "space")


def _orthogonal_spaces(names: tuple[str, ...]) -> Clause:
    if len(names) != 2:
        raise Unreadable
    return both(declare_spaces(names, None), Clause((), (f"{names[0]} {names[1]} = 0",), None))
