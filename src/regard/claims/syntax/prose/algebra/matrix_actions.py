"""What a matrix does to a vector: A Aᵀ keeps v_a and kills v_b, takes v_a out of a sum, maps one vector to another.

M kills x          M x = 0                  multiplying x by M gives y      M x = y
M keeps x          M x = x                  M takes x out of s              M s = x
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.predicates import Predicate
from regard.claims.syntax.prose.phrases import Clause, Thing, claim, merged

ON_ONE: tuple[tuple[str, str], ...] = (
    ("kills/kill/annihilates/annihilate/removes/remove/destroys/eliminates/eliminate/deletes/erases", "0"),
    ("filters/filter/throws/cancels/cancel/wipes/projects out/away? <x>", "0"),
    ("sends/send/maps/map/takes/projects <x> to/onto/into the? zero/0/origin vector?", "0"),
    ("turns/makes <x> into? the? zero/0 vector?", "0"),
    ("gets rid of", "0"),
    ("keeps/keep/preserves/preserve/fixes/retains/retain/reproduces/returns", "x"),
    ("leaves/leave/keeps/keep <x> unchanged/alone/invariant/fixed/untouched/intact/unaffected", "x"),
    ("leaves/leave <x> as it is", "x"),
    ("does/do not change/affect/alter/touch", "x"),
    ("has/have no effect on", "x"),
    ("acts/act as the identity on", "x"),
    ("maps/map/sends/send/takes <x> to/onto itself", "x"),
    ("doubles/double", "2 x"),
    ("negates/negate/flips/reflects", "-x"),
)
"""What M does to x, and what M x is then; the vector stands last unless the words say where."""
ON_TWO: tuple[tuple[str, str, str], ...] = (
    ("maps/map/sends/send/takes/turns/carries/transforms <of> to/into/onto <is>", "of", "is"),
    ("projects/project <of> to/onto <is>", "of", "is"),
    (
        "extracts/extract/recovers/recover/takes/isolates/retrieves/picks/pulls/gets/reads out? <is> out? of/from <of>",
        "is",
        "of",
    ),
    ("filters/separates/splits <is> out? of/from <of>", "is", "of"),
    ("applied/acting/multiplied on/to/with/by <of> gives/yields/is/equals/produces/returns/leaves", "of", "is"),
    ("removes/subtracts/deletes/eliminates/filters <gone> from <of>", "gone", "of"),
)
"""What M does to one vector in terms of another; of the order in which they stand."""
_LETTER = re.compile(r"(?:\\?[A-Za-z]\w*|\s|ᵀ|⊤|\^\{?(?:T|\\top)\}?|[-+−()\d])+")


def _is_matrix(thing: Thing) -> bool:
    """Whether capital letters, alone or multiplied and added: A Aᵀ, I − P, a matrix without a letter."""
    signs = thing.signs.replace("\\top", "T")
    is_named = re.fullmatch(r"⟨matrix:\d+⟩", signs) is not None
    letters = re.findall(r"[A-Za-zα-ω]+", re.sub(r"\^\{?T\}?", "", signs))
    is_large = bool(letters) and all(one.isupper() for one in letters)
    return is_named or thing.kind in ("matrix", "projection") or (is_large and _LETTER.fullmatch(signs) is not None)


def _checked(matrix: Thing) -> Thing:
    """Raises: Unreadable for what is no matrix."""
    if not _is_matrix(matrix):
        raise Unreadable
    return matrix


def applied(matrix: Thing, vector: Thing, result: Thing) -> Clause:
    """M x = y.

    Raises: Unreadable where M is no matrix, or x one.
    """
    if _is_matrix(vector) or vector.kind in ("space", "output") or vector.signs.startswith("∂"):
        raise Unreadable
    _checked(matrix)
    written = f"{matrix.factor} {vector.factor} = {result.signs}"
    return claim(written, of=Thing(f"{matrix.factor} {vector.factor}"), given=merged(matrix, vector, result))


def _on_one(result: str) -> Callable[[Thing], Predicate]:
    def meaning(vector: Thing) -> Predicate:
        return lambda matrix: _about(matrix, applied(matrix, vector, Thing(result.replace("x", vector.factor))))

    return meaning


def _about(matrix: Thing, clause: Clause) -> Clause:
    """The clause about the matrix: it keeps x and kills y."""
    return Clause(clause.claims, clause.given, matrix)


def _on_two(vector: Thing, result: Thing) -> Predicate:
    return lambda matrix: _about(matrix, applied(matrix, vector, result))


def _without(gone: Thing, vector: Thing) -> Predicate:
    """M removes v_b from v_a + v_b: what is left is the rest."""
    return lambda matrix: _about(matrix, applied(matrix, vector, Thing(f"{vector.signs} - {gone.factor}")))


def _one_rules() -> list[Rule]:
    found = []
    for words, result in ON_ONE:
        pattern = words if "<x>" in words else f"{words} <x>"
        found.append(Rule("action", pattern, _on_one(result)))
    return found


def _two_rules() -> list[Rule]:
    found = []
    for words, first, second in ON_TWO:
        slots = [one for one in words.split() if one.startswith("<")]
        pattern = re.sub(r"<(?:of|is|gone)>", "<x>", words) + ("" if len(slots) == 2 else " <x>")
        if first == "gone":
            found.append(Rule("action", pattern, _without))
        elif (first, second) == ("of", "is"):
            found.append(Rule("action", pattern, _on_two))
        else:
            found.append(Rule("action", pattern, lambda result, vector: _on_two(vector, result)))
    return found


def _joined(first: Predicate, second: Predicate) -> Predicate:
    def meaning(matrix: Thing) -> Clause:
        one, other = first(matrix), second(matrix)
        return Clause((*one.claims, *other.claims), (*one.given, *other.given), matrix)

    return meaning


_GIVES = "gives/yields/produces/returns/recovers/leaves/is/equals/results extracts? back? in? just/only/exactly?"
_BY = "by/with/from"

RULES: tuple[Rule, ...] = (
    Rule("x", "any/every/all/each? vector/vectors <sym>", lambda x: x),
    Rule("x", "the? sum/vector <expr>", lambda x: x),
    Rule("x", "the? zero vector", lambda: Thing("0")),
    Rule("x", "the? other? component/part/contribution? <expr>", lambda x: x),
    Rule("x", "zero", lambda: Thing("0")),
    Rule("x", "<expr>", lambda x: x),
    *_one_rules(),
    *_two_rules(),
    Rule("actions", "<action> ,? and/but/while also? <action>", _joined),
    Rule("actions", "<action>", lambda a: a),
    Rule("acting", "the? projection/projector/matrix/operator <expr>", _checked),
    Rule("acting", "<expr>", _checked),
    Rule("acting", "<defined>", _checked),
    Rule("clause", "<acting> <actions>", lambda matrix, said: said(matrix)),
    Rule(
        "clause",
        f"multiplying/multiply <x> on? the? left? {_BY} <acting> {_GIVES} <x>",
        lambda x, m, y: applied(m, x, y),
    ),
    Rule("clause", f"applying/apply/multiplying <acting> to/on/onto/by/with/and <x> {_GIVES} <x>", applied),
    Rule(
        "clause",
        f"hitting/multiplying <x> {_BY} <acting> kills/removes/annihilates <x>",
        lambda x, m, gone: applied(m, x, Thing(f"{x.signs} - {gone.factor}")),
    ),
    Rule(
        "clause",
        "<x> is/are killed/annihilated/removed/eliminated/destroyed by <acting>",
        lambda x, m: applied(m, x, Thing("0")),
    ),
    Rule("clause", "<x> is/are kept/preserved/fixed/retained by <acting>", lambda x, m: applied(m, x, x)),
    Rule(
        "clause",
        "<x> is/are left? unchanged/invariant/fixed/untouched/unaffected by/under <acting>",
        lambda x, m: applied(m, x, x),
    ),
    Rule("clause", "<x> is/are mapped/sent/projected to/onto <x> by <acting>", lambda x, y, m: applied(m, x, y)),
    Rule(
        "clause",
        "<x> is/are extracted/recovered/obtained/retrieved from <x> by/with/via <acting>",
        lambda y, x, m: applied(m, x, y),
    ),
    Rule(
        "clause",
        "<x> is/are extracted/recovered/obtained/retrieved from <x> by multiplying/multiplication it? with/by <acting>",
        lambda y, x, m: applied(m, x, y),
    ),
)
