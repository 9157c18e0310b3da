"""Two things in one phrase: the sum of two vectors, their product, the determinants of A and B, the two norms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import fresh, introduce
from regard.claims.syntax.prose.english.predicates import Predicate
from regard.claims.syntax.prose.phrases import FIRST, SECOND, Clause, Thing, both, claim, fill, is_open, merged, put_it


@dataclass(frozen=True)
class Pair:
    """Two things, and as a list what they are or belong to: A and B of `the determinants of A and B`."""

    first: Thing
    second: Thing
    owners: Thing | None = None

    @property
    def given(self) -> tuple[str, ...]:
        """What is given of either."""
        return merged(self.first, self.second)


THEM = Pair(Thing(FIRST), Thing(SECOND))
"""What was named before, of which there are two."""


def split_pair(things: Thing) -> Pair:
    """Two things out of a list with two letters.

    Raises: Unreadable for any other list, and for one thing.
    """
    names = things.signs.split(", ")
    if not things.kind.endswith("list") or len(names) != 2:
        raise Unreadable
    return Pair(Thing(names[0], things.given), Thing(names[1]), things)


def _of_any(template: str) -> Thing:
    """A dot product: of any two vectors."""
    names = (fresh("vector"), fresh("vector"))
    given = tuple(f"{name} is a vector" for name in names)
    return combine(template, split_pair(Thing(", ".join(names), given, "list")))


def _product_of_any() -> Thing:
    """A product: of any two matrices."""
    names = (fresh("matrix"), fresh("matrix"))
    return combine("{0} {1}", split_pair(Thing(", ".join(names), tuple(f"{one} is a matrix" for one in names), "list")))


def _pair_of(first: Thing, second: Thing) -> Pair:
    """A and B; a matrix and its transpose."""
    if is_open(second.signs) and not is_open(first.signs):
        second = replace(second, signs=put_it(second.signs, first))
    return Pair(first, second)


def _measured(template: str) -> Callable[[Pair], Pair]:
    def meaning(pair: Pair) -> Pair:
        first, second = (Thing(fill(template, one), one.given) for one in (pair.first, pair.second))
        return Pair(first, second, pair.owners or _as_list(pair))

    return meaning


def _as_list(pair: Pair) -> Thing | None:
    if FIRST in pair.first.signs or ", " in pair.first.signs + pair.second.signs:
        return None
    return Thing(f"{pair.first.signs}, {pair.second.signs}", pair.given, "list")


PLURALS: tuple[tuple[str, str], ...] = (
    ("traces", "tr([0])"),
    ("ranks", "rank([0])"),
    ("determinants", "det([0])"),
    ("inverses", "{0}^{-1}"),
    ("transposes", "{0}^T"),
    ("euclidean? norms/lengths", "‖[0]‖"),
    ("squared euclidean? norms/lengths", "‖[0]‖²"),
    ("frobenius norms", "sqrt(tr({0}^T {0}))"),
    ("spectral/operator norms", "sqrt(eigmax({0}^T {0}))"),
    ("eigenvalues", "eigreal([0])"),
    ("largest/maximal eigenvalues", "eigmax([0])"),
    ("smallest/minimal eigenvalues", "eigmin([0])"),
    ("variances", "Var([0])"),
    ("means/expectations", "E[[0]]"),
    ("expected values", "E[[0]]"),
    ("standard deviations", "Std([0])"),
    ("entropies", "H([0])"),
    ("squares", "{0}^2"),
    ("logarithms", "log([0])"),
    ("absolute values", "|[0]|"),
)
"""What each of two things has."""

OF_TWO: tuple[tuple[str, str], ...] = (
    ("sum/sums", "{0} + {1}"),
    ("difference/differences", "{0} - {1}"),
    ("matrix? product/products", "{0} {1}"),
    ("outer product", "{0} {1}^T"),
    ("dot/inner/scalar product", "{0}^T {1}"),
    ("hadamard/elementwise/entrywise product", "{0} ⊙ {1}"),
    ("squared euclidean? distance", "‖[0] - {1}‖²"),
    ("euclidean? distance", "‖[0] - {1}‖"),
    ("cosine similarity", "{0}^T {1} / (‖[0]‖ ‖[1]‖)"),
    ("arithmetic? mean/average", "({0} + {1})/2"),
    ("geometric mean", "sqrt({0} {1})"),
    ("ratio/quotient", "{0} / {1}"),
    ("covariance", "Cov([0], [1])"),
    ("correlation", "Corr([0], [1])"),
    ("larger/maximum/greater one?", "max([0], [1])"),
    ("smaller/minimum one?", "min([0], [1])"),
)
"""What is made of two things."""

SYMMETRIC_PRODUCT = "{1} {0}"


def combine(template: str, pair: Pair) -> Thing:
    """One thing made of two; `their` afterwards are the two."""
    about = pair.owners or _as_list(pair)
    if pair.first.signs.startswith("⟨") and pair.first.signs in pair.second.signs:
        about = pair.first  # a vector and its mean
    return Thing(fill(template, pair.first, pair.second), pair.given, "", about)


def _pair_nouns() -> list[Rule]:
    found = []
    for words, template in OF_TWO:
        pattern = f"the/a/an/any/every? {words} of/between <pair>"
        found.append(Rule("base", pattern, lambda pair, template=template: combine(template, pair)))
        found.append(Rule("base", f"their {words}", lambda template=template: combine(template, THEM)))
    for words in ("product", "matrix product"):
        found.append(Rule("base", f"their {words} in <reverse> order", lambda _: combine(SYMMETRIC_PRODUCT, THEM)))
        pattern = f"the/a? {words} of <pair> in <reverse> order"
        found.append(Rule("base", pattern, lambda pair, _: combine(SYMMETRIC_PRODUCT, pair)))
    for words, template in (
        ("sum", "{0} + {1}"),
        ("product", "{0} {1}"),
        ("difference", "{0} - {1}"),
        ("dot/inner/scalar product", "{0}^T {1}"),
        ("outer product", "{0} {1}^T"),
    ):
        # the rank of the product: of the two things that were named
        found.append(Rule("base", f"the {words}", lambda template=template: combine(template, THEM)))
    return found


def _pair_rules() -> list[Rule]:
    found = []
    for words, template in PLURALS:
        make = _measured(template)
        found.append(Rule("pair", f"the? {words} of both? <pair>", make))
        found.append(Rule("pair", f"their two? individual? {words}", lambda make=make: make(THEM)))
        found.append(Rule("pair", f"the two/individual/single/respective? {words}", lambda make=make: make(THEM)))
    return found


SAID_OF_TWO: tuple[tuple[str, str], ...] = (
    ("are/be equal/identical to? each/one? other/another?", "[0] = [1]"),
    ("are the same", "[0] = [1]"),
    ("are the same vector/matrix/number/function/distribution/thing", "[0] = [1]"),
    ("coincide/agree", "[0] = [1]"),
    ("are orthogonal/perpendicular to? each/one? other/another?", "{0}^T {1} = 0"),
    ("are mutually/pairwise orthogonal/perpendicular", "{0}^T {1} = 0"),
    ("are uncorrelated", "Cov([0], [1]) = 0"),
    ("are linearly independent", "‖[0]‖ ‖[1]‖ > |{0}^T {1}|"),
    ("are linearly dependent", "‖[0]‖ ‖[1]‖ = |{0}^T {1}|"),
    ("are parallel/collinear", "‖[0]‖ ‖[1]‖ = |{0}^T {1}|"),
    ("commute with? each? other?", "{0} {1} = {1} {0}"),
    ("do not commute", "{0} {1} ≠ {1} {0}"),
    ("have the same rank", "rank([0]) = rank([1])"),
    ("have the same trace", "tr([0]) = tr([1])"),
    ("have the same frobenius norm", "sqrt(tr({0}^T {0})) = sqrt(tr({1}^T {1}))"),
    ("have the same spectral/operator norm", "sqrt(eigmax({0}^T {0})) = sqrt(eigmax({1}^T {1}))"),
    ("have the same determinant", "det([0]) = det([1])"),
    ("have the same norm/length", "‖[0]‖ = ‖[1]‖"),
    ("have equal norms/length/lengths", "‖[0]‖ = ‖[1]‖"),
    ("have the same characteristic polynomial", "det({0} - ⟨number:900⟩ I) = det({1} - ⟨number:900⟩ I)"),
    ("have the same eigenvalues", "det({0} - ⟨number:900⟩ I) = det({1} - ⟨number:900⟩ I)"),
    ("have the same largest/maximal eigenvalue", "eigmax([0]) = eigmax([1])"),
    ("have the same column space/span/range", "proj([0]) = proj([1])"),
    ("have the same range/image", "proj([0]) = proj([1])"),
    ("have the same row space", "proj({0}^T) = proj({1}^T)"),
    ("have the same null/zero space", "proj({0}^T) = proj({1}^T)"),
    ("have the same kernel/nullspace", "proj({0}^T) = proj({1}^T)"),
    ("have the same singular values", "det({0}^T {0} - ⟨number:900⟩ I) = det({1}^T {1} - ⟨number:900⟩ I)"),
)
"""What is said of two things."""

_NONZERO = ("tr({0}) = tr({1})", "tr({0}^2) = tr({1}^2)", "tr({0}^3) = tr({1}^3)")
"""The sums of powers of eigenvalues, to which those that are zero add nothing."""


def _say(template: str, pair: Pair) -> Clause:
    return Clause((fill(template, pair.first, pair.second),), pair.given, pair.owners or _as_list(pair))


def _same_nonzero_eigenvalues(pair: Pair) -> Clause:
    claims = tuple(fill(one, pair.first, pair.second) for one in _NONZERO)
    return Clause(claims, pair.given, pair.owners or _as_list(pair))


def _each(predicate: Predicate) -> Clause:
    return both(predicate(THEM.first), predicate(THEM.second))


def _say_rules() -> list[Rule]:
    found = []
    for words, template in SAID_OF_TWO:
        found.append(Rule("clause", f"<pair> {words}", lambda pair, template=template: _say(template, pair)))
        found.append(Rule("clause", f"they/both {words}", lambda template=template: _say(template, THEM)))
        found.append(
            Rule("clause", f"the/these vectors/matrices {words}", lambda template=template: _say(template, THEM))
        )
        found.append(Rule("clause", f"the two <type>? {words}", lambda *_, template=template: _say(template, THEM)))
    return found


def _compare(sign: str) -> Callable[[Thing, Pair], Clause]:
    return lambda left, pair: claim(f"{left.signs} {sign} {pair.first.signs}", of=left, given=pair.given)


def declare_all(names: tuple[str, ...], predicate: Predicate) -> Clause:
    """A and B have orthonormal columns: each of them has."""
    if len(names) < 2:
        raise Unreadable
    found = [predicate(Thing(name)) for name in names]
    whole = found[0]
    for one in found[1:]:
        whole = both(whole, one)
    return replace(whole, subject=Thing(", ".join(names), (), "list"))


RULES: tuple[Rule, ...] = (
    *_pair_nouns(),
    Rule("base", "a/an/any/every dot/inner/scalar product", lambda: _of_any("{0}^T {1}")),
    Rule("base", "a product", _product_of_any),
    Rule("reverse", "reverse/reversed/opposite", lambda: None),
    Rule("reverse", "the reverse/reversed/opposite", lambda: None),
    *_pair_rules(),
    Rule("pair", "them/both", lambda: THEM),
    Rule("base", "the former/first one/distribution/vector/matrix/variable/model/factor?", lambda: THEM.first),
    Rule("base", "the latter/second one/distribution/vector/matrix/variable/model/factor?", lambda: THEM.second),
    Rule("pair", "the two <type>?", lambda _: THEM),
    Rule("pair", "<entity>", split_pair),
    *(
        Rule(
            "pair", f"<adjs>? {many}", lambda adjs, many=many: split_pair(introduce(("two", *(adjs or ())), many, None))
        )
        for many in ("matrices", "vectors")
    ),
    Rule("pair", "the? two/linear? <qualifiers>? <name> <expr> and <expr>", lambda _, __, a, b: Pair(a, b)),
    Rule("pair", "the? two/linear? forms/combinations <expr> and <expr>", Pair),
    Rule("pair", "<np> and/with/by <np>", _pair_of),
    Rule("pair", "both? <syms>", lambda names: split_pair(Thing(", ".join(names), (), "list"))),
    *_say_rules(),
    Rule("clause", "<pair> have the same nonzero/non-zero eigenvalues", _same_nonzero_eigenvalues),
    Rule("clause", "<syms> <vps>", declare_all),
)
