"""What a claim says in its setting: what it defines, and what is to be judged.

Where a claim only defines, the setting's goal is judged: q = C(k_a + k_b) asks whether c ≈ ½(v_a + v_b).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from regard.claims.meaning.claimed_laws import state_independence
from regard.claims.meaning.conditions import ClaimStatements, sort_statements
from regard.claims.meaning.definitions import CompiledSetting, define, with_dependents
from regard.claims.meaning.properties import ORDER, read_relation
from regard.claims.meaning.randomness import declare
from regard.claims.meaning.recognition import ORTHONORMAL
from regard.claims.meaning.resolve import TreeReader
from regard.claims.meaning.setting import Setting
from regard.claims.meaning.shapes import (
    Dim,
    IllFormed,
    Shape,
    UnknownName,
    UnknownSize,
    describe,
    known_size,
)
from regard.claims.meaning.stated_sizes import rows_to_try, sizes_from_one, with_stated_sizes
from regard.claims.meaning.terms import (
    Constant,
    Definition,
    FreeScalar,
    Statement,
    mentions_index,
)
from regard.claims.syntax.printer import as_plain
from regard.claims.syntax.sentence.substitutions import rename_index, substitute
from regard.claims.syntax.tree import ONE_PLACE, Claim, Node, ReadingPath, Relation, Symbol, symbol_names


@dataclass(frozen=True, eq=False)
class Premise:
    """What an instance must satisfy; `indices` run over all places, others are those of the claim."""

    statement: Statement
    indices: dict[str, Dim]


@dataclass(frozen=True, eq=False)
class Task:
    """A claim ready to be tried.

    `premises`: what instances must satisfy to count. `some`: letters and indices of which one fitting will do.
    `same`: indices that are equal to another, or to a number. `fixed`: letters that no limit is taken in.
    `single`: indices that are given for one place, whichever it is. `from_one`: sizes that the claim lets be 1;
    `stated_sizes`: those of which it says anything. `universal`: letters and indices after `for all`.

    `trees`: what the claim defines, as it was written. `free_indices`: indices that stand for any key or entry, and
    what they count; `distinct`: pairs of indices that differ. `lower_bounds`: numbers that free letters are larger
    than. `rows`: which sizes of the setting are meant. `stated_limits`: letters that the claim itself sends to a limit;
    `growing`: sizes that it sends to infinity.
    `spread`: how Var of a vector was read: 0 for a matrix, then its trace, then its diagonal.
    """

    compiled: CompiledSetting
    definitions: dict[str, Definition]
    families: frozenset[str]
    random: frozenset[str]
    statements: tuple[Statement, ...]
    scalars: dict[str, FreeScalar]
    free_indices: dict[str, Dim]
    distinct: frozenset[tuple[str, str]]
    lower_bounds: dict[str, float]
    rows: tuple[int, ...]
    trees: dict[str, Node]
    notes: tuple[str, ...]
    stated_limits: dict[str, str] = field(default_factory=dict)
    spread: int | None = None
    is_goal: bool = False
    premises: tuple[Premise, ...] = ()
    some: frozenset[str] = frozenset()
    same: frozenset[tuple[str, str]] = frozenset()
    growing: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()
    single: frozenset[str] = frozenset()
    from_one: frozenset[str] = frozenset()
    stated_sizes: frozenset[str] = frozenset()
    universal: frozenset[str] = frozenset()

    @property
    def setting(self) -> Setting:
        """The setting it stands in."""
        return self.compiled.setting


def interpret_claim(
    claim: Claim, compiled: CompiledSetting, goal: Claim | None, path: ReadingPath, *, insist: bool = False
) -> Task:
    """The claim in its setting, in the reading that `path` takes.

    With `insist` the goal is judged too where the claim says more than definitions.
    Raises: IllFormed, UnknownName.
    """
    for name in set(claim.universal) & set(compiled.setting.marked):
        claim = rename_index(claim, name)
    claim = _without_noise(_with_common_member(claim, compiled.setting), compiled.setting)
    reader = TreeReader(compiled.setting, path, claim=claim)
    _refuse_narrower(claim, reader)
    parts = sort_statements(claim, reader)
    compiled = with_stated_sizes(compiled, parts, claim)
    reader.setting = compiled.setting
    compiled = declare(reader, compiled, parts) if parts.declared else compiled
    for symbol, body, relation in _in_order(parts.definitions, compiled.setting.marked):
        if not define(reader, compiled, symbol, body, relation, others_than=_left_out(symbol, relation, claim, reader)):
            (parts.premises if relation in claim.premises else parts.claims).append(relation)
    statements = [one for relation in parts.claims for one in _read_claimed(reader, relation)]
    is_goal = not statements and bool(parts.definitions)
    if is_goal or (insist and goal is not None):
        statements += _goal(reader, goal, claim)
    if not statements:
        raise UnknownName("nothing is claimed here: only conditions are given", claim.span)
    premises = _premises(reader, parts, claim)
    _refuse_signs(claim, reader)
    _unify_written_sizes(reader, claim)
    some = frozenset("_".join((one.name, *one.subscripts)) for one in claim.some)
    task = _task(compiled, reader, parts, tuple(statements), is_goal)
    return replace(
        task,
        premises=premises,
        some=some,
        fixed=_fixed_letters(claim),
        single=frozenset(claim.single),
        from_one=frozenset(sizes_from_one(parts, claim)),
        universal=frozenset(claim.universal) | _real_letters(claim),
        stated_sizes=frozenset({name for name, _, _ in parts.sizes} | set(claim.universal)),
    )


def _left_out(symbol: Symbol, relation: Relation, claim: Claim, reader: TreeReader) -> tuple[str, ...]:
    """The members that a definition leaves as they are: a, where `for all i ≠ a` stands behind k_i = μ_i."""
    starts = sorted(one.span.start for one in claim.relations if one.span.start > relation.span.start)
    next_one = [one for one in claim.premises if starts and one.span.start == starts[0]]
    sides = [(one.left, one.right) for one in next_one if one.comparison == "≠"]
    names = [(getattr(left, "name", ""), getattr(right, "name", "")) for left, right in sides]
    return tuple(right for left, right in names if left in symbol.subscripts and right in reader.setting.marked)


def _unify_written_sizes(reader: TreeReader, claim: Claim) -> None:
    """Vectors that are written out and meet no letter for a size have as many entries as they show.

    Raises: IllFormed where two of different lengths should be one size.
    """
    seen: dict[object, int] = {}
    for size, n_entries in reader.exact_sizes:
        known = known_size(size)
        if seen.setdefault(known, n_entries) != n_entries or (isinstance(known, int) and known != n_entries):
            raise IllFormed(f"a vector of {n_entries} entries stands where one of another size should", claim.span)
    for size, n_entries in reader.exact_sizes:
        last = known_size(size)
        if isinstance(last, UnknownSize):
            last.is_ = n_entries


def _fixed_letters(claim: Claim) -> frozenset[str]:
    """Letters that the claim calls fixed, or speaks of all of (`for every C > 0`), which therefore go nowhere."""
    said = [one for one in claim.premises if one.comparison == "is" and isinstance(one.left, Symbol)]
    fixed = {one.left.name for one in said if getattr(one.right, "name", "") in ("fixed", "constant")}  # type: ignore[union-attr]
    return frozenset(fixed | set(claim.universal))


def _real_letters(claim: Claim) -> set[str]:
    """Letters that the claim calls real, and so speaks of all real numbers."""
    said = [one for one in claim.premises if one.comparison == "is" and getattr(one.right, "name", "") == "real"]
    return {one.left.name for one in said if isinstance(one.left, Symbol)}


def _refuse_narrower(claim: Claim, reader: TreeReader) -> None:
    """`for any y ∈ ℝ^n` is about every vector, and not about the y of a setting in which it is a distribution.

    Raises: UnknownName.
    """
    kinds = ("vector", "vectors", "real")
    described = {
        one.left for one in claim.premises if one.comparison == "is" and getattr(one.right, "name", "") not in kinds
    }
    for one in claim.premises:
        symbol = one.left
        is_any = isinstance(symbol, Symbol) and symbol.name in claim.universal and symbol not in described
        is_kind = one.comparison == "∈" or (one.comparison == "is" and getattr(one.right, "name", "") in kinds)
        found = reader.spec(symbol) if is_any and isinstance(symbol, Symbol) and is_kind else None
        if found is not None and found[0].law in ("distribution", "one-hot", "probabilities"):
            raise UnknownName(f"{found[0].name} is {found[0].meaning} here; the claim is about any vector", one.span)


def _refuse_signs(claim: Claim, reader: TreeReader) -> None:
    """‖q‖ = C √2 for any real C: a letter that stands for a positive number is not tried below 0.

    Raises: UnknownName.
    """
    for one in claim.premises:
        is_real = one.comparison == "is" and getattr(one.right, "name", "") == "real"
        if is_real and isinstance(one.left, Symbol) and one.left.name in reader.scalars:
            raise UnknownName(f"{one.left.name} stands for a positive number here, and not for any real one", one.span)


def _without_noise(claim: Claim, setting: Setting) -> Claim:
    """Orthonormal keys, where the setting has noise around orthonormal means, are these means: k_i = μ_i."""
    laws = {spec.name: spec.law for spec in setting.symbols if spec.over}
    if laws.get("mu") != "orthonormal" or laws.get("k", "") is not None:
        return claim
    keys = Relation("=", Symbol("k", ("i",)), Symbol("mu", ("i",)))
    changed = [keys if ORTHONORMAL.fullmatch(as_plain(one)) else one for one in claim.premises]
    return replace(claim, premises=tuple(changed))


def _with_common_member(claim: Claim, setting: Setting) -> Claim:
    """`v_i = v for all i`: the v that all of them equal is the first of them."""
    families = {spelling for spec in setting.symbols if spec.over for spelling in spec.spellings}
    for one in claim.premises:
        sides = [side for side in (one.left, one.right) if isinstance(side, Symbol)]
        names = {side.name for side in sides}
        if one.comparison == "=" and len(sides) == 2 and len(names) == 1 and names <= families:
            bare = [side for side in sides if not side.subscripts]
            for side in bare[: len(sides) - 1]:
                claim = substitute(claim, side, replace(side, subscripts=("1",)))
    return claim


def _in_order(
    definitions: list[tuple[Symbol, Node, Relation]], marked: tuple[str, ...]
) -> list[tuple[Symbol, Node, Relation]]:
    """Definitions so that each comes after those it rests on: J = diag(p) − ppᵀ, p = softmax(z) begins with p.

    Single members come last, as k_a of: k_i = μ_i for i ≠ a, k_a = 2 μ_a.
    """
    waiting, found = sorted(definitions, key=lambda one: bool(set(one[0].subscripts) & set(marked))), []
    while waiting:
        names = {symbol.name for symbol, _, _ in waiting}
        ready = [one for one in waiting if not symbol_names(one[1]) & (names - {one[0].name})]
        chosen = ready[0] if ready else waiting[0]
        waiting.remove(chosen)
        found.append(chosen)
    return found


def _read_claimed(reader: TreeReader, relation: Relation) -> list[Statement]:
    """What is to be judged; of a shape, which was checked already, nothing is left but that a side equals itself."""
    is_square = relation.comparison == "is" and getattr(relation.right, "name", "") == "square"
    if is_square and any(isinstance(known_size(size), UnknownSize) for size in reader.read(relation.left)[1]):
        raise UnknownName("whether it is square depends on sizes that the claim leaves open", relation.span)
    found = read_relation(reader, relation)
    if not found:
        side, _ = reader.read(relation.left)
        found = [Statement("=", side, side, span=relation.span)]
    return found


def _premises(reader: TreeReader, parts: ClaimStatements, claim: Claim) -> tuple[Premise, ...]:
    """What instances must satisfy.

    An index that the claim itself does not mention runs over all places where `for all` says so or where only one
    premise has it, unless that says `for some`; one that several share is the same in all of them, as k in: y_k = 1 and
    θ_k ≫ θ_j. Bounds, p_i > 0 and q_i > 0, are meant for all. The a of α_a ≈ 1 is one place.
    """
    claimed = set(reader.free_indices)
    _refuse_random(reader, parts)
    statements = [one for relation in parts.premises for one in _read_given(reader, relation)]
    new = [name for name in reader.free_indices if name not in claimed]
    users = {name: [one for one in statements if _uses(one, name)] for name in new}
    shared = {name for name in new if len(users[name]) > 1 and not all(map(_is_bound, users[name]))}
    one_place = shared | ONE_PLACE | set(claim.single)
    own = [name for name in new if name in claim.universal or name not in one_place]
    sizes = {name: reader.free_indices.pop(name) for name in own}
    for size in sizes.values():
        if isinstance(size, UnknownSize) and size.is_ is None:
            size.is_ = reader.setting.counts
    return tuple(Premise(one, {name: sizes[name] for name in own if _uses(one, name)}) for one in statements)


def _refuse_random(reader: TreeReader, parts: ClaimStatements) -> None:
    """s_a = C(1 + g) with a random g, of an s that follows from keys and query: no draw of these makes it so.

    Raises: UnknownName.
    """
    random = {symbol.name for symbol, _ in parts.declared}
    for relation in parts.premises:
        found = reader.spec(relation.left) if isinstance(relation.left, Symbol) else None
        is_equation = found is not None and found[0].definition is not None and relation.comparison == "="
        if found is not None and is_equation and symbol_names(relation.right) & random:
            raise UnknownName(
                f"{found[0].name} follows from other letters here: it cannot be given as random", relation.span
            )


def _read_given(reader: TreeReader, relation: Relation) -> list[Statement]:
    is_independence = relation.comparison == "⫫"
    return state_independence(reader, relation, is_given=True) if is_independence else read_relation(reader, relation)


def _is_bound(statement: Statement) -> bool:
    return statement.comparison in ORDER and any(
        isinstance(side, Constant) for side in (statement.left, statement.right)
    )


def _uses(statement: Statement, index: str) -> bool:
    return mentions_index(statement.left, index) or mentions_index(statement.right, index)


def with_fixed_indices(task: Task, universal: tuple[str, ...]) -> Task | None:
    """The task with an index of a premise as one place that is not further known; None where nothing changes."""
    loose = {name: size for one in task.premises for name, size in one.indices.items() if name not in universal}
    if not loose:
        return None
    premises = tuple(
        Premise(one.statement, {name: size for name, size in one.indices.items() if name in universal})
        for one in task.premises
    )
    return replace(task, premises=premises, free_indices={**task.free_indices, **loose})


def with_every_place(task: Task) -> Task | None:
    """The task with an index that premises alone share, i of k_iᵀ k_j = 0 and ‖k_i‖ = 1, over all places; else None."""
    sides = [side for one in task.statements for side in (one.left, one.right)]
    own = [one for one in task.definitions.values() if one.symbol in task.trees]
    terms = [*sides, *(one.body for one in own)]
    loose = {
        name: size
        for name, size in task.free_indices.items()
        if name not in ONE_PLACE | task.some | task.single
        and any(_uses(one.statement, name) for one in task.premises)
        and not any(mentions_index(term, name) for term in terms)
    }
    if not loose:
        return None
    premises = tuple(
        replace(one, indices={**one.indices, **{name: loose[name] for name in loose if _uses(one.statement, name)}})
        for one in task.premises
    )
    kept = {name: size for name, size in task.free_indices.items() if name not in loose}
    return replace(task, premises=premises, free_indices=kept)


def _task(
    compiled: CompiledSetting,
    reader: TreeReader,
    parts: ClaimStatements,
    statements: tuple[Statement, ...],
    is_goal: bool,
) -> Task:
    definitions = {**compiled.definitions, **reader.local}
    base = {spec.name for spec in compiled.setting.symbols if spec.random}
    for name, limit in parts.stated_limits.items():
        if name in reader.scalars:
            reader.scalars[name] = FreeScalar(name, limit)
    for size in reader.free_indices.values():
        if isinstance(size, UnknownSize) and size.is_ is None:
            size.is_ = compiled.setting.counts
    return Task(
        compiled=compiled,
        definitions=definitions,
        families=compiled.families - set(reader.local) | frozenset(reader.local_families),
        random=frozenset(with_dependents(base, definitions)),
        statements=statements,
        scalars=reader.scalars,
        free_indices=dict(reader.free_indices),
        distinct=frozenset(parts.distinct),
        same=frozenset(parts.same),
        growing=frozenset(parts.growing),
        lower_bounds=parts.lower_bounds,
        rows=rows_to_try(compiled.setting, parts, statements[0], reader),
        trees={"_".join((symbol.name, *symbol.subscripts)): body for symbol, body, _ in parts.definitions},
        notes=tuple(dict.fromkeys(reader.notes)) + _scalar_notes(reader),
        stated_limits=dict(parts.stated_limits),
        spread=reader.spread,
        is_goal=is_goal,
    )


def _scalar_notes(reader: TreeReader) -> tuple[str, ...]:
    words = {"large": "any positive number, large in a limit", "small": "any positive number, small in a limit"}
    return tuple(
        f"{one.name} stands for {words.get(one.limit, 'any positive number')}" for one in reader.scalars.values()
    )


class GoalMissed(Exception):
    """What the claim defines has another shape than the goal needs: no number need be drawn."""

    def __init__(self, left: Shape, right: Shape, goal: str) -> None:
        super().__init__(
            f"the goal is {goal}, but its left side would be {describe(left)} and its right side is {describe(right)}"
        )


def _goal(reader: TreeReader, goal: Claim | None, claim: Claim) -> list[Statement]:
    if goal is None:
        raise UnknownName(
            f"{reader.setting.name} has no goal to judge a definition by: add a claim, or give a goal",
            claim.span,
        )
    found = []
    for relation in goal.statements:
        try:
            found += [replace(one, span=claim.span) for one in read_relation(reader, relation)]
        except IllFormed as error:
            left, right = (_shape_or_none(reader, side) for side in (relation.left, relation.right))
            is_direct = any(
                isinstance(side, Symbol) and side.name in reader.local for side in (relation.left, relation.right)
            )
            if left is not None and right is not None and not is_direct:
                raise GoalMissed(left, right, goal.text) from error
            raise IllFormed(f"in the goal {goal.text}: {error}", claim.span) from error
    return found


def _shape_or_none(reader: TreeReader, node: Node) -> Shape | None:
    try:
        return reader.read(node)[1]
    except IllFormed:
        return None
