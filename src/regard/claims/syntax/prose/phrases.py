"""What phrases mean: a thing is an expression in signs, a clause what it claims and what it takes as given."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.signs import (
    symbols_in,
)

IT = "⟨it⟩"
"""Stands for what the clause before was about, until that is known."""
ITS = "⟨its⟩"
"""Stands for the owner in `its trace`: what the subject is of, or the subject itself."""
FIRST, SECOND = "⟨first⟩", "⟨second⟩"
"""Stand for the two things in `their sum`."""
THAT = "⟨that {}⟩"
"""Stands for the vector, the matrix that the thing is of: twice the vector."""
EITHER = "⟨either⟩"
"""Stands for each of these two: at most the rank of either factor."""
SPACE = "⟨its space⟩"
"""Stands for the space that the clause before was about: this subspace."""
FELLOW = "⟨its fellow⟩"
"""Stands for the second of two things in what is said of both: matrices whose column spaces are orthogonal."""
COEFFICIENTS, OTHER_COEFFICIENTS, VECTOR = "⟨its coefficients⟩", "⟨other coefficients⟩", "⟨its vector⟩"
"""Stand for a, b and x of the linear forms aᵀx and bᵀx that the clause before was about."""
ITS_LETTER = "⟨its letter⟩"
"""Stands for the letter that a function is of, in `its derivative`."""
LOGITS = "⟨logits⟩"
"""Stands for the argument of a softmax that has no letter."""
TEMPERATURE = "⟨temperature⟩"
"""Stands for T or τ."""
LOSS = "⟨loss⟩"
"""Stands for the loss until the letters of the text are known."""
PREDICTION = "⟨prediction⟩"
"""Stands for ŷ, or whatever is the softmax of the text, until its letters are known."""
CROSS_ENTROPY = "⟨cross-entropy⟩"
"""Stands for CE where a text speaks of language models, and for H(p, q) elsewhere."""
VANISH = "≐"
"""`→` in a limit and `=` elsewhere: the error vanishes."""
RETURNS = "≑"
"""As VANISH, but `=` where a text insists on what is exact: a head returns v_a exactly, for large C."""


@dataclass(frozen=True)
class Thing:
    """An expression, what is given of its letters, and what kind of thing it is ("matrix", "random", "weights", …)."""

    signs: str
    given: tuple[str, ...] = ()
    kind: str = ""
    about: Thing | None = None
    """P of `the trace of P`."""

    @property
    def factor(self) -> str:
        """The expression in brackets where it needs them."""
        return self.signs if _SIMPLE.fullmatch(self.signs) else f"({self.signs})"


_SIMPLE = re.compile(
    r"(?:\\[A-Za-z]+|PP|CE|[a-z]hat|[^\W\d_ᵀᵢⱼₖ]\u0302?|\d+)[′']?(?:_\{?\w+\}?)?[₀-₉ᵢⱼₖ²³]*|\w+\([^()]*\)|‖[^‖]*‖"
    r"|⟨\w+(?::\w+)?⟩|\([^()]*\)"
)


_PLACE = re.compile(r"\[(\d)\]|\{(\d)\}")


def fill(template: str, *things: Thing | None) -> str:
    """The template with expressions in its places: bare in [0], in brackets where they need them in {0}."""

    def put(found: re.Match[str]) -> str:
        thing = things[int(found[1] or found[2])]
        if thing is None:
            raise Unreadable
        return thing.signs if found[1] else thing.factor

    return _PLACE.sub(put, template)


_PLAIN_VARIANCE = re.compile(r"\d*\.?\d+(?:/\d+)?|\\[a-z]+|[a-zα-ω]")


def as_variance(signs: str) -> str:
    """A variance that nobody takes for a standard deviation: 4 is √4².

    >>> as_variance("4"), as_variance("σ²")
    ('sqrt(4)^2', 'σ²')
    """
    return f"sqrt({signs})^2" if _PLAIN_VARIANCE.fullmatch(signs) and signs not in ("0", "1") else signs


def merged(*things: Thing | None) -> tuple[str, ...]:
    """What is given of any of some things, each once."""
    return tuple(dict.fromkeys(given for thing in things if thing is not None for given in thing.given))


@dataclass(frozen=True)
class Clause:
    """Relations that are claimed and given; `subject` is what `it` means in the next clause.

    `unread` are conclusions in words that were not understood: without them a claim can fail, but not hold.
    """

    claims: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    subject: Thing | None = None
    unread: tuple[str, ...] = ()

    def under(self, *given: str) -> Clause:
        """The clause with more that is given."""
        return replace(self, given=(*given, *self.given))


def claim(*claims: str, of: Thing | None = None, given: tuple[str, ...] = ()) -> Clause:
    """A clause that claims some relations of a thing."""
    return Clause(claims, (*(of.given if of else ()), *given), of)


def both(first: Clause, second: Clause) -> Clause:
    """A and B; `it` of the second is what the first was about."""
    second = _state_equality(first, bind(second, first.subject))
    return Clause(
        (*first.claims, *second.claims),
        tuple(dict.fromkeys((*first.given, *second.given))),
        second.subject or first.subject,
        (*first.unread, *second.unread),
    )


_FRESH = re.compile(r"⟨(?P<kind>[a-z ]+):\d+⟩")


def name_things(clause: Clause, relation: str) -> Clause:
    """What a clause says of things without letters, of the letters of a relation: a projection P in tr(P) = rank(P).

    Raises: Unreadable where there are not as many of either.
    """
    places = list(dict.fromkeys(found for one in clause.given for found in _FRESH.finditer(one)))
    kinds = dict(zip([one.group() for one in places], [one["kind"] for one in places], strict=True))
    letters = [one for one in dict.fromkeys(symbols_in(relation)) if one != "I"]
    for kind, wanted in (
        ("matrix", [one for one in letters if one.isupper()]),
        ("vector", [one for one in letters if one.islower() and len(one) == 1]),
    ):
        named = [place for place in kinds if kinds[place] == kind]
        if named and len(named) != len(wanted):
            raise Unreadable
        for place, letter in zip(named, wanted, strict=bool(named)):
            clause = _renamed(clause, place, letter)
    if set(kinds.values()) - {"matrix", "vector"}:
        raise Unreadable
    return clause


def _renamed(clause: Clause, old: str, new: str) -> Clause:
    own = clause.subject
    return Clause(
        tuple(one.replace(old, new) for one in clause.claims),
        tuple(one.replace(old, new) for one in clause.given),
        replace(own, signs=own.signs.replace(old, new)) if own is not None else None,
        clause.unread,
    )


def claim_in_signs(relation: str, of: Thing) -> Clause:
    """A relation that a thing satisfies, which may give the thing its letters: two vectors satisfy ‖x + y‖ ≤ …"""
    if of.kind.endswith("of query"):
        return claim(_of_other_query(relation, of), of=of)
    return name_things(claim(relation, of=of), relation)


def _of_other_query(relation: str, of: Thing) -> str:
    """α_i → 1/n of the weights for the query Cq: with these weights for α.

    Raises: Unreadable for a relation that does not begin with a weight.
    """
    found = re.fullmatch(r"\s*(?:α|\\alpha)_\{?(\w)\}?(?P<rest>[^α]*)", relation)
    if found is None or not of.signs.endswith("_i") or "\\alpha" in found["rest"]:
        raise Unreadable
    return f"{of.signs[:-1]}{found[1]}{found['rest']}"


EQUALITY = "⟨equality⟩"
"""Stands for the last inequality with = instead: equality holds iff."""
LEFT_EQUALITY, RIGHT_EQUALITY = "⟨left equality⟩", "⟨right equality⟩"
"""Of a chain a ≤ b ≤ c: a = b, and b = c."""


def _state_equality(first: Clause, second: Clause) -> Clause:
    marks = [one for one in (EQUALITY, LEFT_EQUALITY, RIGHT_EQUALITY) if any(one in each for each in second.claims)]
    if not marks:
        return second
    sides = re.split(r"\s*(?:≤|≥|\\leq?(?![a-z])|\\geq?(?![a-z])|<=|>=)\s*", first.claims[-1] if first.claims else "")
    if len(sides) != (2 if marks[0] == EQUALITY else 3):
        raise Unreadable
    left, right = sides[-2:] if marks[0] == RIGHT_EQUALITY else sides[:2]
    return replace(second, claims=tuple(one.replace(marks[0], f"{left} = {right}") for one in second.claims))


def bind(clause: Clause, subject: Thing | None) -> Clause:
    """The clause with a thing for `it`, if there is one."""
    if subject is None or not any(is_open(one) for one in (*clause.claims, *clause.given)):
        return clause
    own = clause.subject
    is_it = own is None or IT in own.signs
    return replace(
        clause,
        claims=tuple(put_it(one, subject) for one in clause.claims),
        given=tuple(put_it(one, subject) for one in clause.given),
        subject=subject if is_it or own is None else replace(own, signs=put_it(own.signs, subject)),
    )


JOINED: dict[str, tuple[str, str]] = {
    "sum": ("{0} + {1}", "\\sum_{{j=1}}^n {1}"),
    "difference": ("{0} - {1}", ""),
    "product": ("{0} {1}", ""),
    "ratio": ("({0}) / ({1})", ""),
    "mean": ("({0} + {1})/2", "(1/n) \\sum_{{j=1}}^n {1}"),
    "arithmetic mean": ("({0} + {1})/2", "(1/n) \\sum_{{j=1}}^n {1}"),
    "geometric mean": ("sqrt({0} {1})", "exp((1/n) \\sum_{{j=1}}^n log({1}))"),
    "harmonic mean": ("2/(1/{0} + 1/{1})", "n / \\sum_{{j=1}}^n (1/{1})"),
    "quadratic mean": ("sqrt(({0}^2 + {1}^2)/2)", "sqrt((1/n) \\sum_{{j=1}}^n {1}^2)"),
    "inner": ("{0}^T {1}", ""),
    "cosine": ("{0}^T {1} / (‖{0}‖ ‖{1}‖)", ""),
    "distance": ("‖{0} - {1}‖", ""),
    "squared distance": ("‖{0} - {1}‖²", ""),
    "covariance": ("Cov({0}, {1})", ""),
    "correlation": ("Corr({0}, {1})", "Corr({0}, {1})"),
    **{
        f"{word} of {measure}": (f"({function.format('{0}')} {sign} {function.format('{1}')})".replace("  ", " "), "")
        for word, sign in (("sum", "+"), ("difference", "-"), ("product", ""), ("ratio", "/"))
        for measure, function in (
            ("means", "E[{}]"),
            ("variances", "Var({})"),
            ("deviations", "Std({})"),
            ("covariances", "Cov({})"),
        )
    },
}
"""What is made of two things, or of all of a family: their sum, the sum of their variances."""
_THEIRS = re.compile(r"⟨their (?P<what>[a-z ]+)⟩")


def theirs(what: str) -> str:
    """Stands for what is made of the things of which the clause before was."""
    return f"⟨their {what}⟩"


def _score_of(weight: str) -> str:
    """k_iᵀq of the weight α_i.

    Raises: Unreadable for what is no weight.
    """
    found = re.fullmatch(r"(?:ⱥ|α|\\alpha)_\{?(\w)\}?", weight)
    if found is None:
        raise Unreadable
    return f"k_{found[1]}^T q"


def join_things(what: str, names: list[str]) -> str:
    """The sum of two letters, or of a family.

    Raises: Unreadable for more than two, and for what a family has not.
    """
    if what.endswith(" of scores"):
        return join_things(what.removesuffix(" of scores"), [_score_of(name) for name in names])
    of_two, of_family = JOINED[what]
    if len(names) == 1 and names[0].endswith("_i") and of_family:
        return of_family.format(names[0], names[0][:-1] + "j")
    if len(names) != 2:
        raise Unreadable
    return of_two.format(*names)


def put_theirs(text: str, thing: Thing) -> str:
    """The text with what is made of two things, or of a family; as it was where the thing is neither."""
    names = [name.strip() for name in (thing.about or thing).signs.split(",")]
    if len(names) != 2 and not (len(names) == 1 and names[0].endswith("_i")):
        return text
    return _THEIRS.sub(lambda found: join_things(found["what"], names), text)


def put_it(text: str, thing: Thing) -> str:
    """The text with a thing for `it`, and what the thing is of for `its`."""
    text = put_theirs(text, thing)
    text = _put_that_of(_put_that(text, thing), thing)
    owner = thing.about or thing
    for one in (owner, thing):
        if one.kind.startswith("linear form"):
            text = put_parts(text, one.signs)
    space = next((one for one in (owner, thing) if one.kind == "space"), None)
    if space is not None:
        text = text.replace(SPACE, space.factor)
    if ITS_LETTER in text:
        text = text.replace(ITS_LETTER, letter_of(owner))
    for one in (owner, thing):
        names = one.signs.split(", ")
        if one.kind.endswith("list") and len(names) == 2:
            text = text.replace(FIRST, names[0]).replace(SECOND, names[1])
    letters = list(dict.fromkeys(symbols_in(owner.signs)))
    if len(letters) == 2 and not is_open(owner.signs) and "⟨" not in owner.signs:  # their ranks, of A + B
        text = text.replace(FIRST, letters[0]).replace(SECOND, letters[1])
    if not thing.kind.endswith("list") or thing.kind.startswith("random"):
        text = text.replace(IT, thing.factor)
    owner = thing if owner.kind.endswith("list") else owner
    return text if owner.kind.endswith("list") else text.replace(ITS, owner.factor)


_PARTS = (COEFFICIENTS, OTHER_COEFFICIENTS, VECTOR)
_FORM = re.compile(r"(?P<a>⟨[^⟩]*⟩|\S+?)(?:\^T|\^\{T\}|ᵀ|\^\\top|\^\{\\top\}|') ?(?P<x>⟨[^⟩]*⟩|[^\s,]+)")


def put_parts(text: str, forms: str) -> str:
    """The text with the coefficients and the vector of linear forms.

    >>> put_parts("⟨its coefficients⟩^T ⟨other coefficients⟩ = 0", "a^T x, b^T x")
    'a^T b = 0'
    """
    parts = _FORM.findall(forms)
    for place, (coefficients, _) in zip((COEFFICIENTS, OTHER_COEFFICIENTS), parts, strict=False):
        text = text.replace(place, coefficients)
    return text.replace(VECTOR, parts[0][1]) if parts else text


_OF_OTHER = re.compile(r"⟨that of (?P<other>[^⟨⟩]*)⟩")


def that_of(other: Thing) -> Thing:
    """Stands for what the thing before is, of another: the rank of A B is at most that of A.

    Raises: Unreadable where the other is not known yet.
    """
    if "⟨" in other.signs:
        raise Unreadable
    return Thing(f"⟨that of {other.signs}⟩", other.given)


def _put_that_of(text: str, thing: Thing) -> str:
    """The text with the rank of A for `that of A`, of the rank of A B; as it was for a thing that is of nothing."""
    owner = thing.about
    if owner is None or thing.kind == "derivative" or thing.signs.count(owner.signs) != 1:
        return text
    before, _, after = thing.signs.partition(owner.signs)
    return _OF_OTHER.sub(lambda found: before + Thing(found["other"]).signs + after, text)


_THAT = re.compile(r"⟨that [a-z]+⟩")


def _put_that(text: str, thing: Thing | None) -> str:
    """The text with the vector that a thing is of, of the things that it is of in turn."""
    while thing is not None and _THAT.search(text):
        text = text.replace(THAT.format(thing.kind), thing.factor)
        thing = thing.about
    return text


def is_open(text: str) -> bool:
    """Whether it is not said yet what `it`, `its` or `their` are."""
    return (
        _THEIRS.search(text) is not None
        or _THAT.search(text) is not None
        or _OF_OTHER.search(text) is not None
        or any(place in text for place in (IT, ITS, FIRST, SECOND, SPACE, EITHER, *_PARTS))
    )


def bind_own(clause: Clause, thing: Thing) -> Clause:
    """`Its` in what is said of a thing: the trace of P is its rank."""
    if is_open(thing.signs):
        return clause
    each = tuple(one for said in clause.claims for one in _each_of_two(said))
    return replace(clause, claims=tuple(_put_own(one, thing) for one in each))


def _each_of_two(said: str) -> tuple[str, ...]:
    """What is said of either of two things, of the first and of the second.

    Raises: Unreadable where it is denied.
    """
    if EITHER not in said:
        return (said,)
    if said.endswith("does not hold"):
        raise Unreadable
    return said.replace(EITHER, FIRST), said.replace(EITHER, SECOND)


def _put_own(text: str, thing: Thing) -> str:
    """`It` stays open: it is what the clause before was about."""
    return put_it(text.replace(IT, "⟨other⟩"), thing).replace("⟨other⟩", IT)


def given_by(clause: Clause) -> tuple[str, ...]:
    """All that a condition says.

    Raises: Unreadable for a condition of which a part was not read.
    """
    if clause.unread:
        raise Unreadable
    return (*clause.given, *clause.claims)


_NATURAL = ("z", "x", "θ", "\\theta", "w", "q", "s", "t", "W", "X", "a")
"""Letters that a derivative is taken by where the claim names none."""


FUNCTION_LETTERS = frozenset("fgLJ")
"""Letters of functions, whose argument the text names: f(z) = …"""


def letter_of(of: Thing) -> str:
    """The one letter that an expression has, or of several the one that everybody would take."""
    if LOGITS in of.signs:
        return LOGITS
    definition = next((one for one in of.given if re.match(rf"{re.escape(of.signs)}\s*=(?!=)", one)), "")
    if definition:
        return letter_of(Thing(definition.partition("=")[2]))
    if of.signs in FUNCTION_LETTERS:
        return f"⟨argument of {of.signs}⟩"
    entropy = re.fullmatch(r"H\((\w)\)", of.signs)
    if entropy is not None:
        return entropy[1]
    present = symbols_in(of.signs)
    unnamed = {found.group() for found in _FRESH.finditer(of.signs)}
    if len(unnamed) == 1 and not present:
        return unnamed.pop()
    letters = [one for one in _NATURAL if one in present]
    if not letters:
        raise Unreadable
    return letters[0] if "x" not in letters else "x"
