"""What a claim says in its setting: what it defines, and what is to be judged.

Where a claim only defines, the setting's goal is judged: q = C(k_a + k_b) asks whether c ≈ ½(v_a + v_b).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from regard.claims.meaning.definitions import Parts, define, sorted_statements
from regard.claims.meaning.resolve import ZERO, Reader
from regard.claims.meaning.resolved import (
    Combine,
    Constant,
    Definition,
    Dim,
    Form,
    FreeScalar,
    Moment,
    Statement,
    UnknownSize,
)
from regard.claims.meaning.setting import Setting
from regard.claims.meaning.settings import Compiled, reaching
from regard.claims.meaning.shapes import IllFormed, UnknownName, describe, fits, is_number
from regard.claims.meaning.symbols import Path
from regard.claims.syntax.tree import Call, Claim, Node, OneOf, Relation, Symbol


@dataclass(frozen=True, eq=False)
class Task:
    """A claim ready to be tried.

    `trees`: what the claim defines, as it was written. `free`: indices that stand for any key or entry, and what they
    count; `apart`: pairs of indices that differ. `above`: numbers that free letters are larger than.
    `rows`: which sizes of the setting are meant. `toward`: letters that the claim itself sends to a limit.
    `spread`: how Var of a vector was read: 0 for a matrix, then its trace, then its diagonal.
    """

    compiled: Compiled
    definitions: dict[str, Definition]
    families: frozenset[str]
    random: frozenset[str]
    statements: tuple[Statement, ...]
    scalars: dict[str, FreeScalar]
    free: dict[str, Dim]
    apart: frozenset[tuple[str, str]]
    above: dict[str, float]
    rows: tuple[int, ...]
    trees: dict[str, Node]
    told: tuple[str, ...]
    toward: frozenset[str] = frozenset()
    spread: int | None = None
    is_goal: bool = False

    @property
    def setting(self) -> Setting:
        """The setting it stands in."""
        return self.compiled.setting


ORDER = frozenset({"<", "≤", ">", "≥", "≪", "≫"})


def read_claim(claim: Claim, compiled: Compiled, goal: Claim | None, path: Path, *, insist: bool = False) -> Task:
    """The claim in its setting, in the reading that `path` takes.

    With `insist` the goal is judged too where the claim says more than definitions.
    Raises: IllFormed, UnknownName.
    """
    reader = Reader(compiled.setting, path)
    parts = sorted_statements(claim, reader)
    for symbol, body, relation in parts.definitions:
        if not define(reader, compiled, symbol, body, relation):
            parts.claims.append(relation)
    statements = [one for relation in parts.claims for one in _statements(reader, relation)]
    is_goal = not statements and (bool(parts.definitions) or goal is not None)
    if is_goal or (insist and goal is not None):
        statements += _goal(reader, goal, claim)
    if not statements:
        raise UnknownName("nothing is claimed here: only conditions are given", claim.statements[0].span)
    return _task(compiled, reader, parts, tuple(statements), is_goal)


def _task(compiled: Compiled, reader: Reader, parts: Parts, statements: tuple[Statement, ...], is_goal: bool) -> Task:
    definitions = {**compiled.definitions, **reader.local}
    base = {spec.name for spec in compiled.setting.symbols if spec.random}
    for name, limit in parts.toward.items():
        if name in reader.scalars:
            reader.scalars[name] = FreeScalar(name, limit)  # type: ignore[arg-type]
    for size in reader.free.values():
        if isinstance(size, UnknownSize) and size.is_ is None:
            size.is_ = compiled.setting.counts
    return Task(
        compiled=compiled,
        definitions=definitions,
        families=compiled.families - set(reader.local) | frozenset(reader.local_families),
        random=frozenset(reaching(base, definitions)),
        statements=statements,
        scalars=reader.scalars,
        free=dict(reader.free),
        apart=frozenset(parts.apart),
        above=parts.above,
        rows=_rows(compiled.setting, parts, statements[0]),
        trees={"_".join((symbol.name, *symbol.subscripts)): body for symbol, body, _ in parts.definitions},
        told=tuple(dict.fromkeys(reader.told)) + _told_scalars(reader),
        toward=frozenset(parts.toward),
        spread=reader.spread,
        is_goal=is_goal,
    )


def _told_scalars(reader: Reader) -> tuple[str, ...]:
    words = {"large": "any positive number, large in a limit", "small": "any positive number, small in a limit"}
    return tuple(f"{one.name} stands for {words[one.limit]}" for one in reader.scalars.values())


def _rows(setting: Setting, parts: Parts, statement: Statement) -> tuple[int, ...]:
    """The rows of sizes that meet all conditions."""
    tests = {"<": Fraction.__lt__, "≤": Fraction.__le__, ">": Fraction.__gt__, "≥": Fraction.__ge__}
    tests |= {"=": Fraction.__eq__, "≠": Fraction.__ne__}
    rows = tuple(
        row
        for row, sizes in enumerate(setting.sizes)
        if all(tests[comparison](Fraction(sizes[size]), number) for size, comparison, number in parts.sizes)
    )
    if not rows:
        raise UnknownName("no instance that can be tried has such sizes", statement.span)
    return rows


def _statements(reader: Reader, relation: Relation) -> list[Statement]:
    if relation.comparison == "~":
        return _distribution(reader, relation)
    left, left_form = reader.read(relation.left)
    right, right_form = reader.read(relation.right)
    if ZERO not in (left, right) and not fits(left_form, right_form):
        raise IllFormed(f"the left side is {describe(left_form)}, the right side {describe(right_form)}", relation.span)
    if relation.comparison in ORDER and not (is_number(left_form) or is_number(right_form)):
        raise IllFormed(
            f"{describe(left_form)} is neither smaller nor larger than another: compare norms", relation.span
        )
    return [Statement(relation.comparison, left, right, span=relation.span, forms=(left_form, right_form))]


def _distribution(reader: Reader, relation: Relation) -> list[Statement]:
    """x ~ N(m, v): x is normal, E x = m, Var x = v; a second argument that is a number may also be a deviation."""
    law = relation.right
    if isinstance(law, OneOf):
        law = law.readings[0]
    if not isinstance(law, Call) or law.function != "N" or len(law.arguments) != 2:
        raise UnknownName("after ~ a normal law is expected: N(mean, variance)", relation.right.span)
    left, form = reader.read(relation.left)
    mean, mean_form = reader.read(law.arguments[0])
    spread, spread_form = reader.read(law.arguments[1])
    if mean != ZERO and not fits(mean_form, form):
        raise IllFormed(f"{describe(form)} cannot have the mean {describe(mean_form)}", law.arguments[0].span)
    length = form[0] if not is_number((form[0], 1)) else form[1]
    if not fits(spread_form, (length, length)):
        wanted = describe((length, length))
        raise IllFormed(f"the variance must be {wanted}; got {describe(spread_form)}", law.arguments[1].span)
    if is_number(spread_form) and reader.path.choose(2):
        spread = Combine("^", spread, Constant(Fraction(2)))
        reader.told.append("the second number of N(·, ·) read as a standard deviation")
    elif is_number(spread_form):
        reader.told.append("the second number of N(·, ·) read as a variance")
    square: Form = (length, length)
    return [
        Statement("normal", left, left, span=relation.span, forms=(form, form)),
        Statement("≈", Moment("mean", (left,)), mean, span=relation.span, forms=(form, form)),
        Statement("≈", Moment("covariance", (left,)), spread, span=relation.span, forms=(square, square)),
    ]


class GoalMissed(Exception):
    """What the claim defines has another shape than the goal needs: no number need be drawn."""

    def __init__(self, left: Form, right: Form, goal: str) -> None:
        super().__init__(
            f"the goal is {goal}, but its left side would be {describe(left)} and its right side is {describe(right)}"
        )
        self.sides = (left, right)


def _goal(reader: Reader, goal: Claim | None, claim: Claim) -> list[Statement]:
    if goal is None:
        raise UnknownName(
            f"{reader.setting.name} has no goal to judge a definition by: add a claim, or give a goal",
            claim.statements[0].span,
        )
    found = []
    for relation in goal.statements:
        try:
            found += [replace(one, span=claim.statements[0].span) for one in _statements(reader, relation)]
        except IllFormed as error:
            left, right = (_form_or_none(reader, side) for side in (relation.left, relation.right))
            is_direct = any(
                isinstance(side, Symbol) and side.name in reader.local for side in (relation.left, relation.right)
            )
            if left is not None and right is not None and not is_direct:
                raise GoalMissed(left, right, goal.text) from error
            raise IllFormed(f"in the goal {goal.text}: {error}", claim.statements[0].span) from error
    return found


def _form_or_none(reader: Reader, node: Node) -> Form | None:
    try:
        return reader.read(node)[1]
    except IllFormed:
        return None
