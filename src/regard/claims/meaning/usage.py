"""How a claim uses its letters: what stands before and behind each, in which functions, with how many indices."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from regard.claims.syntax.letters import CONSTANT_NAMES, GREEK_NAMES, WORDS
from regard.claims.syntax.tree import (
    ONE_PLACE,
    Binary,
    Call,
    Claim,
    Derivative,
    Node,
    Number,
    OneOf,
    Relation,
    SumOver,
    Symbol,
    children,
    symbol_names,
    walk,
)

SIZE_LETTERS = ("n", "d", "m", "N", "D", "K", "V", "k", "p", "r", "T", "M")
"""Letters that count, where they stand alone and are nothing else; open sizes are given them in this order."""


DISTRIBUTION_FUNCTIONS = frozenset({"H", "KL", "CE"})
MATRIX_LETTERS = frozenset("AWMPQU")
"""Letters that people write for matrices."""
DISTRIBUTION_LETTERS = frozenset({"p", "q", "r"})


@dataclass
class Usage:
    """How a letter is used in a claim."""

    transposed: bool = False
    functions: set[str] = field(default_factory=set)
    divides: bool = False
    in_exponent: bool = False
    n_indices: set[int] = field(default_factory=set)
    said: set[str] = field(default_factory=set)
    claimed: set[str] = field(default_factory=set)
    """What is to be judged of it, so that it must not be drawn with this property."""
    shape: tuple[str, ...] | None = None
    limit: str | None = None
    is_random: bool = False
    numbered: set[str] = field(default_factory=set)
    after_transpose: bool = False
    by_matrix: bool = False
    """Whether a letter that people write for matrices stands before it, x of A x, or a row after it, u of u vᵀ."""
    is_scale: bool = False
    """Whether it stands in a variance, so that as a number it is positive."""
    is_compared: bool = False
    """Whether its sign is not to be taken for granted: λ ≥ 0 is claimed, λ solves A x = λ x, or t is to be found."""


MAX_RUN = 3
ENGLISH = frozenset(
    {"of", "on", "in", "to", "at", "by", "the", "has", "its"}
    | {"onto", "into", "from", "was", "not", "mod", "for", "and", "all"}
)


def has_words(claim: Claim) -> bool:
    """Whether words stand in the formulas of a claim, where letters should."""
    sides = [
        side
        for part in (claim, *claim.more)
        for one in part.relations
        for side in ((one.left,) if one.comparison == "is" else (one.left, one.right))
    ]
    return any(_is_word(node) for side in sides for node in walk(side))


def _is_word(node: Node) -> bool:
    """A run of letters that is a word rather than a product: nothing is made of it."""
    if not isinstance(node, Symbol) or node.name.split("_")[0] in GREEK_NAMES | WORDS:
        return False
    return node.name in ENGLISH or (
        len(node.name) > MAX_RUN and node.name.isalpha() and node.name[1:].islower() and node.name not in CONSTANT_NAMES
    )


def letters_with_definition(claim: Claim) -> set[str]:
    """Letters that the claim itself defines, P = A Aᵀ, or gives a law, X ~ N(0, 1): their shape follows."""
    found: set[str] = set()
    random = {one.left.name for one in claim.relations if one.comparison == "~" and isinstance(one.left, Symbol)}
    for part in (claim, *claim.more):
        relations = (*part.premises, *part.statements)
        appended = _trailing_definitions(relations)
        for place, relation in enumerate(relations):
            symbol = relation.left.readings[0] if isinstance(relation.left, OneOf) else relation.left
            if not isinstance(symbol, Symbol):
                continue
            if relation.comparison == "~":
                found.add(symbol.name)
            names = symbol_names(relation.right)
            is_known = _is_known_function(relation.right) or _is_written_out(relation.right)
            is_anywhere = names & random or place in appended or is_known
            others = [one for one in relations if one is not relation] if is_anywhere else relations[place + 1 :]
            later = symbol_names(*others)
            is_new = relation.comparison == "=" and symbol.name in later and symbol.name not in names | CONSTANT_NAMES
            is_new = is_new and not speaks_of_one_place(symbol, relation, relation.right, others)
            is_common = all(_sets(one, symbol) for one in (claim, *claim.more))
            if is_new and (is_common or not claim.more) and not isinstance(relation.right, Number):
                found.add(symbol.name)
    return found


def speaks_of_one_place(symbol: Symbol, relation: Relation, body: Node, others: Iterable[Relation]) -> set[str]:
    """The places of x_a = z_a beside x or x_i: an equation at the place a, which says nothing of other places.

    So is the a of k_i = μ_i for all i ≠ a, an equation at all other places. With k_b = μ_b + ε beside it, k_a = μ_a + ε
    says what k_a is.
    """
    others = list(others)
    places = set(symbol.subscripts) & ONE_PLACE
    in_body = {word for node in walk(body) for word in getattr(node, "subscripts", ())}
    nodes = [node for other in others for node in walk(other) if isinstance(node, Symbol)]
    drawn = {getattr(one.left, "name", "") for one in others if one.comparison == "~"}
    is_drawn = any(getattr(node, "name", None) in drawn for node in walk(body))
    known = {symbol, *(one.left for one in others if one.comparison == "=" and is_drawn)}
    is_elsewhere = any(node.name == symbol.name and node not in known for node in nodes)
    behind = [one for one in others if one.comparison == "≠" and 0 < one.span.start - relation.span.end < BEHIND]
    left_out = {
        one.right.name
        for one in behind
        if isinstance(one.right, Symbol) and getattr(one.left, "name", "") in symbol.subscripts
    }
    return (places & in_body | left_out) if is_elsewhere else set()


BEHIND = 24
"""So near stands what a statement is said of: k_i = μ_i for all i ≠ a."""


def _trailing_definitions(relations: tuple[Relation, ...]) -> set[int]:
    """Places of definitions at the end, each of the one behind it: …, J = diag(p) − p pᵀ, p = softmax(z).

    So is one of a letter by others that are new: xᵀAx ≥ 0, A = BᵀB.
    """
    found: set[int] = set()
    names: set[str] = set()
    for place in range(len(relations) - 1, 0, -1):
        one = relations[place]
        used = symbol_names(one.right) - CONSTANT_NAMES
        before = {node.name for other in relations[:place] for node in walk(other) if isinstance(node, Symbol)}
        says_what_it_is = isinstance(one.left, Symbol) and one.left.name in before and bool(used) and not used & before
        is_last = not found and (_is_known_function(one.right) or says_what_it_is)
        if one.comparison != "=" or not isinstance(one.left, Symbol) or not (is_last or used & names):
            break
        found.add(place)
        names.add(one.left.name)
    return found


def _sets(claim: Claim, symbol: Symbol) -> bool:
    """Whether what is given says what a letter is."""
    return any(one.comparison == "=" and one.left == symbol for one in claim.premises)


def _is_known_function(node: Node) -> bool:
    """Whether this is softmax(x) or the like: after a comma, `p = softmax(x)` says what p is."""
    node = node.readings[0] if isinstance(node, OneOf) else node
    return isinstance(node, Call) and node.function in ("softmax", "sigmoid", "tanh", "relu", "logsumexp", "diag")


def _is_written_out(node: Node) -> bool:
    """Whether this is a vector or matrix of plain numbers."""
    return isinstance(node, Call) and node.function == "vector" and not any(isinstance(n, Symbol) for n in walk(node))


def find_usages(claim: Claim) -> dict[str, Usage]:
    """How a claim uses each of its letters; indices and constants are none."""
    found: dict[str, Usage] = {}
    indices: set[str] = set()
    for part in (claim, *claim.more):
        for name in _compared_letters(part) | _solutions(part) | {one.name for one in part.some if not one.subscripts}:
            found.setdefault(name, Usage()).is_compared = True
        for relation in part.relations:
            _note_relation(relation, found)
            if relation.comparison == "is" and relation in part.statements and isinstance(relation.left, Symbol):
                found.setdefault(relation.left.name, Usage()).claimed.add(getattr(relation.right, "name", ""))
            for side in (relation.left, relation.right):
                if relation.comparison not in ("is", "∈") or side is relation.left:
                    _walk(side, found, indices, ())
    _merge_entries(found)
    for name in _rotations(claim) & found.keys():
        found[name].said.add("square")
    if any(usage.functions & DISTRIBUTION_FUNCTIONS for usage in found.values()):
        for name in DISTRIBUTION_LETTERS & found.keys():
            found[name].functions.add("H")  # m = ½(p + q) and KL(p ‖ m): q is one as p is
    for name in [*found]:
        usage, base = found[name], name.split("_")[0]
        is_index = name in indices and not usage.n_indices - {0} and not usage.transposed
        is_run = len(base) > 1 and base not in GREEK_NAMES | {"ell"}
        is_known = base in ("e", "I")  # e_1 is a unit vector, I_2 an identity
        if name in CONSTANT_NAMES or is_index or is_run or is_known:
            del found[name]
    return found


def _compared_letters(claim: Claim) -> set[str]:
    """Letters that are claimed to be larger or smaller than something, if something is given."""
    compared = [one.left for one in claim.statements if claim.premises and one.comparison in ("<", "≤", ">", "≥")]
    return {left.name for left in compared if isinstance(left, Symbol)}


def _solutions(claim: Claim) -> set[str]:
    """Letters of an equation that defines nothing, as λ of A x = λ x: they are what solves it, of either sign."""
    sides = [
        (one.left, one.right)
        for one in claim.premises
        if one.comparison == "=" and not isinstance(one.left, Symbol) and not isinstance(one.right, Symbol | Number)
    ]
    nodes = [node for pair in sides for side in pair for node in walk(side)]
    return {node.name for node in nodes if isinstance(node, Symbol) and node.name == "lambda" and not node.subscripts}


def _rotations(claim: Claim) -> set[str]:
    """The letter Q where Qᵀ Q = I is given: nobody writes this letter for less than a square matrix."""
    found = set()
    for one in claim.premises:
        left = one.left.readings[0] if isinstance(one.left, OneOf) else one.left
        if not isinstance(left, Binary) or one.comparison != "=" or getattr(one.right, "name", "") != "I":
            continue
        if isinstance(left.left, Call) and left.left.function == "transpose" and left.left.arguments == (left.right,):
            found.add(getattr(left.right, "name", ""))
    return found & {"Q", "R", "O"}


def _merge_entries(found: dict[str, Usage]) -> None:
    """x_1 is an entry of x where x stands alone or with an index too; else it is a letter of its own."""
    for name in [*found]:
        base, _, digits = name.rpartition("_")
        if base in found and digits.isdigit() and (found[base].n_indices - {0} or found[base].functions):
            found[base].n_indices.add(1)
            del found[name]


def _note_relation(relation: Relation, found: dict[str, Usage]) -> None:
    left = relation.left.readings[0] if isinstance(relation.left, OneOf) else relation.left
    base = left.name.split("_")[0] if isinstance(left, Symbol) else ""  # y of ŷ, which is y_hat
    if len(base) > 1 and base not in GREEK_NAMES:
        return
    if relation.comparison == "~":
        _note_variance(relation.right, found)
        return
    if not isinstance(left, Symbol):
        return
    labels = [word for word in left.subscripts if _is_label(left.name, word)]
    own = labels if labels == list(left.subscripts) else []
    usage = found.setdefault("_".join((left.name, *own)), Usage())
    if relation.comparison == "is" and isinstance(relation.right, Symbol):
        usage.said.add(relation.right.name)
    elif relation.comparison == "∈" and isinstance(relation.right, Call):
        usage.shape = tuple(_size_name(size) for size in relation.right.arguments)
    elif relation.comparison == "→" and not left.subscripts and _is_bound(relation.right):
        usage.limit = "to"


def _note_variance(law: Node, found: dict[str, Usage]) -> None:
    """Letters of a variance, s of N(0, s I), are positive where they are numbers."""
    law = law.readings[0] if isinstance(law, OneOf) else law
    if isinstance(law, Call) and law.function == "N" and len(law.arguments) == 2:
        for node in walk(law.arguments[1]):
            if isinstance(node, Symbol) and not node.subscripts and node.name not in CONSTANT_NAMES:
                found.setdefault(node.name, Usage()).is_scale = True


def _note_law(law: Call, found: dict[str, Usage]) -> None:
    """The Σ of N(x; μ, Σ) is positive definite, the σ of σ² positive."""
    if law.function != "N" or len(law.arguments) not in (2, 3):
        return
    variance = law.arguments[-1]
    if isinstance(variance, Symbol) and (variance.name[0].isupper()):
        digits = [word for word in variance.subscripts if _is_label(variance.name, word)]
        found.setdefault("_".join((variance.name, *digits)), Usage()).said.add("definite")
        return
    for node in walk(variance):
        if isinstance(node, Symbol) and node.name not in CONSTANT_NAMES:
            digits = [word for word in node.subscripts if _is_label(node.name, word)]
            found.setdefault("_".join((node.name, *digits)), Usage()).is_scale = True


def _is_bound(node: Node) -> bool:
    inner = node.arguments[0] if isinstance(node, Call) and node.function == "negative" else node
    return isinstance(inner, Number) or (isinstance(inner, Symbol) and inner.name == "infinity")


def _size_name(node: Node) -> str:
    return str(node.value) if isinstance(node, Number) else getattr(node, "name", "n")


def _walk(node: Node, found: dict[str, Usage], indices: set[str], above: tuple[str, ...]) -> None:
    """Notes every symbol below a node; `above` says what it stands in, innermost first."""
    match node:
        case Symbol(name="delta", subscripts=(_, _)):
            indices.update(node.subscripts)
        case Symbol():
            free = [word for word in node.subscripts if not word.startswith("(")]
            digits = [word for word in free if _is_label(node.name, word)]
            usage = found.setdefault("_".join((node.name, *digits)) if free == digits else node.name, Usage())
            usage.n_indices.add(len(free) - len(digits))
            usage.numbered.update(digits)
            indices.update(word for word in free if word not in digits)
            usage.transposed |= "transpose" in above[:1]
            usage.functions.update(above)
            usage.divides |= "divisor" in above[:1]
            usage.in_exponent |= "exponent" in above
        case Call():
            _walk_call(node, found, indices, above)
        case Binary():
            _walk(node.left, found, indices, above if node.operator in "+-" else ("factor", *above))
            inside = {"/": "divisor", "^": "exponent"}.get(node.operator)
            _note_product(node, found)
            _walk(node.right, found, indices, (inside, *above) if inside else ("factor", *above))
        case SumOver():
            indices.add(node.index)
            for child in children(node):
                _walk(child, found, indices, above)
        case Derivative():
            _walk(node.of, found, indices, ("derivative", *above))
            _walk(node.by, found, indices, ("by", *above))
        case OneOf() if isinstance(node.readings[0], SumOver):
            _walk(node.readings[0], found, indices, above)  # Σ is a matrix only where it stands as one elsewhere
        case OneOf():
            calls = [one for one in node.readings if _is_known_call(one)]
            for reading in calls[:1] or node.readings:
                _walk(reading, found, indices, above)


def _note_product(node: Binary, found: dict[str, Usage]) -> None:
    """Notes letters that a product shows to be vectors: x of aᵀ x and A x, u of u vᵀ."""
    left, right = node.left, node.right
    if node.operator in "*·" and _ends_transposed(left) and isinstance(right, Symbol):
        found.setdefault(right.name, Usage()).after_transpose = True
    if node.operator == "*" and isinstance(left, Symbol) and left.name in MATRIX_LETTERS and isinstance(right, Symbol):
        found.setdefault(right.name, Usage()).by_matrix = True
    if node.operator == "*" and isinstance(left, Symbol) and isinstance(right, Call) and right.function == "transpose":
        found.setdefault(left.name, Usage()).by_matrix = True


def _walk_call(node: Call, found: dict[str, Usage], indices: set[str], above: tuple[str, ...]) -> None:
    """Notes every symbol in a function; of H(softmax(x)) the softmax is a distribution, and x is none."""
    _note_law(node, found)
    inner, places = _split_entry(node)
    indices.update(places)
    if node.function in ("softmax", "sigmoid"):
        above = tuple(word for word in above if word not in DISTRIBUTION_FUNCTIONS)
    for argument in inner:
        _walk(argument, found, indices, (node.function, *above))


def _split_entry(node: Call) -> tuple[tuple[Node, ...], set[str]]:
    """The arguments of a call; of an entry what it is one of, and its indices."""
    if node.function != "entry":
        return node.arguments, set()
    return node.arguments[:1], {one.name for one in node.arguments[1:] if isinstance(one, Symbol)}


def _is_label(name: str, word: str) -> bool:
    """Whether a subscript belongs to the name: digits, capital letters (W_Q), and what d_k and d_v are sizes of."""
    return word.isdigit() or word.isupper() or (name == "d" and word in ("k", "v", "q", "h", "model"))


def _ends_transposed(node: Node) -> bool:
    """Whether the last factor is transposed: aᵀ of aᵀ x."""
    while isinstance(node, Binary) and node.operator in "*·":
        node = node.right
    return isinstance(node, Call) and node.function == "transpose"


def _is_known_call(node: Node) -> bool:
    """σ(x), H(p) and the like, with what is written above or below: no product of σ and x."""
    while (isinstance(node, Binary) and node.operator in "^") or (isinstance(node, Call) and node.function == "entry"):
        node = node.left if isinstance(node, Binary) else node.arguments[0]
    return isinstance(node, Call) and node.function in ("sigmoid", "normal_cdf", "H", "E", "KL", "CE")


_AVERAGED = re.compile(
    r"(?:1\s*/\s*|\\[dt]?frac\s*\{?1\}?\s*\{?)(?P<count>[TM])\}?\s*\)?\s*[·*]?\s*(?:Σ|∑|\\sum)_?\{?t\}?(?!\s*=)(?![A-Za-z])"
)
"""The T of (1/T) Σ_t, a mean over all t."""
_ENUMERATED = re.compile(r"_\{?1\}?\$?\s*,[^;:=]{0,20}?(?:…|\.\.\.|\\[lc]?dots)\s*,\s*\$?\w_\{?([nmdNK])\}?(?!\w)")
"""The n of X_1, …, X_n."""


def size_letters(claim: Claim, usages: dict[str, Usage]) -> list[str]:
    """Letters that count entries: n of Σ_{i=1}^n, d of ℝ^d or I_d, or n of log n."""
    found: list[str] = [*_ENUMERATED.findall(claim.text), *_AVERAGED.findall(claim.text)]

    def visit(node: Node) -> None:
        if isinstance(node, SumOver) and isinstance(node.last, Symbol):
            found.append(node.last.name)
        if isinstance(node, Symbol) and node.name == "I" and node.subscripts and not node.subscripts[0].isdecimal():
            found.append(node.subscripts[0])
        for child in children(node):
            visit(child)

    for part in (claim, *claim.more):
        for relation in part.relations:
            if relation.comparison == "∈" and isinstance(relation.right, Call):
                found += [name for name in map(_size_name, relation.right.arguments) if not name.isdigit()]
                visit(relation.left)
                continue
            visit(relation.left)
            visit(relation.right)
    others = [
        name
        for name in (*SIZE_LETTERS[:3], "K", "N", "V")
        if name in usages
        and not usages[name].transposed
        and usages[name].n_indices <= {0}
        and not usages[name].said
        and not usages[name].limit
        and not usages[name].is_random
        and (usages[name].functions & {"log", "sqrt"} or usages[name].divides or name in ("n", "d"))
    ]
    return list(dict.fromkeys([*found, *others]))
