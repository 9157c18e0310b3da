"""Eigenvalues and singular values: that all are positive, that v is an eigenvector, that cI shifts them by c."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.english.predicates import Predicate, negated
from regard.claims.syntax.prose.phrases import IT, ITS, Clause, Thing, both, claim, fill

SPECTRA: tuple[tuple[str, str], ...] = (
    ("eigenvalues", "eigreal([0])"),
    ("eigenvalue", "eigreal([0])"),
    ("singular values", "singularvalues([0])"),
    ("singular value", "singularvalues([0])"),
)
MODULI: tuple[tuple[str, str], ...] = (
    ("<moduli> of the? eigenvalues", "eigmoduli([0])"),
    ("<modulus> of every/each/any/an eigenvalue", "eigmoduli([0])"),
)


def _extreme(spectrum: Thing, sign: str, bound: Thing) -> Clause:
    """All eigenvalues are above, or below, a number: the smallest, or the largest is."""
    end = "max" if sign in "<≤" else "min"
    claims = [f"{end}({spectrum.signs}) {sign} {bound.signs}"]
    if spectrum.signs.startswith("eigreal("):
        claims.append(f"eigimag({spectrum.signs.removeprefix('eigreal(')} = 0")
    return claim(*claims, of=spectrum, given=bound.given)


def _of_spectrum(template: str) -> Predicate:
    """Said of every eigenvalue, entry by entry; of real matrices the imaginary parts are 0 where it is a number."""

    def meaning(spectrum: Thing) -> Clause:
        is_of_eigenvalues = spectrum.signs.startswith("eigreal(")
        if ("{y}" in template or "{m}" in template) and not is_of_eigenvalues:
            raise Unreadable
        matrix = spectrum.signs.removeprefix("eigreal(")
        said = template.replace("{x}", spectrum.signs).replace("{y}", f"eigimag({matrix}")
        is_of_numbers = is_of_eigenvalues and "{y}" not in template and "{m}" not in template
        real = (f"eigimag({matrix} = 0",) if is_of_numbers else ()
        return claim(said.replace("{m}", f"eigmoduli({matrix}"), *real, of=spectrum)

    return meaning


_SPECTRAL: tuple[tuple[str, str], ...] = (
    ("<be> real", "{y} = 0"),
    ("<be> real? and? positive", "min({x}) > 0"),
    ("<be> strictly positive", "min({x}) > 0"),
    ("<be> negative", "max({x}) < 0"),
    ("<be> nonnegative/non-negative", "min({x}) ≥ 0"),
    ("<be> zero/0", "{x} = 0"),
    ("vanish/vanishes", "{x} = 0"),
    ("<be> nonzero/non-zero", "min({m}) > 0"),
    ("<be> purely? imaginary", "{x} + 0 {y} = 0"),
    ("<be> equal to? one/1", "{x} = 1"),
    ("<be> one/1", "{x} = 1"),
    ("<be> either? zero/0 or/and one/1", "{x} ∘ (1 - {x}) = 0"),
    ("<be> either? one/1 or/and zero/0", "{x} ∘ (1 - {x}) = 0"),
    ("<be> either? one/1 or/and minus one", "{x} ∘ {x} = 1"),
    ("have/has <modulus> one/1", "{m} = 1"),
    ("<be> of <modulus> one/1", "{m} = 1"),
    ("<be> on the unit circle", "{m} = 1"),
    ("lie/lies on the unit circle", "{m} = 1"),
    ("have/has an? <modulus> strictly? smaller/less than one/1", "max({m}) < 1"),
    ("have/has <modulus> at most one/1", "max({m}) ≤ 1"),
    ("lie/lies strictly? inside the unit circle/disc/disk", "max({m}) < 1"),
)
"""What is said of eigenvalues."""


def _either(first: Thing, second: Thing) -> Predicate:
    a, b = first.signs, second.signs
    return _of_spectrum(f"({{x}} - {a}) ∘ ({{x}} - {b}) = 0")


_OF_LETTER = re.compile(
    r"(?P<bar>\|?)\s*(?:λ|\\lambda|μ|\\mu|σ|\\sigma)(?:_\{?[ijk]\}?)?\s*(?P=bar)\s*"
    r"(?P<sign><|>|≤|≥|=|<=|>=|\\leq?|\\geq?)\s*(?P<bound>[\w./]+)"
)
_PLAIN_SIGNS = {"<=": "≤", ">=": "≥", "\\le": "≤", "\\leq": "≤", "\\ge": "≥", "\\geq": "≥"}


def _of_letter(relation: str) -> Predicate:
    """All eigenvalues satisfy |λ| < 1.

    Raises: Unreadable for any other relation.
    """
    found = _OF_LETTER.fullmatch(relation.strip())
    if found is None:
        raise Unreadable
    sign, what = _PLAIN_SIGNS.get(found["sign"], found["sign"]), "{m}" if found["bar"] else "{x}"
    if sign == "=":
        return _of_spectrum(f"{what} = {found['bound']}")
    end = "max" if sign in "<≤" else "min"
    return _of_spectrum(f"{end}({what}) {sign} {found['bound']}")


def _spectral_rules() -> list[Rule]:
    found = [
        Rule("spectral", words, lambda *_, template=template: _of_spectrum(template)) for words, template in _SPECTRAL
    ]
    for sign, words in (
        ("≤", "at most"),
        ("≤", "bounded above? by"),
        ("≥", "at least"),
        ("≥", "bounded below by"),
        ("<", "strictly? smaller/less than"),
        (">", "strictly? larger/greater/bigger/more than"),
    ):
        found.append(Rule("spectral", f"<be> {words} <np>", lambda _, y, sign=sign: lambda x: _extreme(x, sign, y)))
    return found


def _eigenpair(vector: Thing, matrix: Thing, value: Thing) -> Clause:
    said = f"{matrix.factor} {vector.factor} = {value.factor} {vector.factor}"
    return Clause((said,), (*vector.given, *matrix.given, *value.given, f"{vector.signs} is nonzero"), vector)


def _eigenvalue(value: Thing, matrix: Thing) -> Clause:
    return claim(f"det({matrix.signs} - {value.factor} I) = 0", of=value, given=(*value.given, *matrix.given))


def _no_eigenvalue(value: Thing, matrix: Thing) -> Clause:
    return claim(f"det({matrix.signs} - {value.factor} I) ≠ 0", of=value, given=(*value.given, *matrix.given))


def _has_eigenvalue(value: Thing) -> Predicate:
    return lambda matrix: claim(f"det({matrix.signs} - {value.factor} I) = 0", of=matrix, given=value.given)


def _orthogonal_eigenvectors(matrix: Thing) -> Clause:
    """Eigenvectors of different eigenvalues: A u = λ u, A v = μ v."""
    u, v = fresh("vector"), fresh("vector")
    first, second = fresh("number"), fresh("number")
    given = (
        *matrix.given,
        f"{matrix.factor} {u} = {first} {u}",
        f"{matrix.factor} {v} = {second} {v}",
        f"{u} is nonzero",
        f"{v} is nonzero",
        f"{first} ≠ {second}",
    )
    return Clause((f"{u}^T {v} = 0",), given, matrix)


def _shift(amount: Thing, matrix: Thing) -> Thing:
    return Thing(f"{matrix.signs} + {amount.factor} I", (*matrix.given, *amount.given), "", matrix)


def _shift_by_identity(amount: Thing, matrix: Thing) -> Thing:
    """Adding cI to A."""
    if not amount.signs.endswith("I"):
        raise Unreadable
    return _shift(Thing(amount.signs.removesuffix("I").strip() or "1", amount.given), matrix)


def _shifts_eigenvalues(new: Thing, amount: Thing) -> Clause:
    old = new.about
    if old is None:
        raise Unreadable
    said = f"eigreal({new.signs}) = eigreal({old.signs}) + {amount.factor}"
    return claim(said, f"eigimag({new.signs}) = eigimag({old.signs})", of=new, given=new.given)


RULES: tuple[Rule, ...] = (
    *(
        Rule(
            "spectrum",
            f"the/all/every/each/any? of? the? {words} of <np>",
            lambda *parts, template=template: Thing(fill(template, parts[-1]), parts[-1].given, "", parts[-1]),
        )
        for words, template in (*SPECTRA, *MODULI)
    ),
    *(
        Rule(
            "spectrum",
            f"{every} {words}",
            lambda template=template: Thing(fill(template, Thing(ITS)), (), "", Thing(ITS)),
        )
        for words, template in SPECTRA
        for every in ("all/every/each? of? its/the", "all/every/each")
    ),
    Rule("modulus", "absolute value", lambda: None),
    Rule("modulus", "modulus/magnitude", lambda: None),
    Rule("moduli", "absolute values", lambda: None),
    Rule("moduli", "moduli/magnitudes", lambda: None),
    Rule("be", "is/are/be/must/must? be?", lambda: None),
    Rule("be", "can only be", lambda: None),
    Rule("be", "can be only", lambda: None),
    Rule("be", "can be nothing but", lambda: None),
    Rule("be", "is/are all/both/always", lambda: None),
    *_spectral_rules(),
    Rule("spectral", "<be> <expr> or/and <expr>", lambda _, a, b: _either(a, b)),
    Rule("spectral", "<be> either <expr> or <expr>", lambda _, a, b: _either(a, b)),
    Rule("spectral", "satisfy/satisfies/obey/obeys <rel>", _of_letter),
    Rule("spectrals", "<spectral>", lambda a: a),
    Rule("spectrals", "<spectral> and <spectral>", lambda a, b: lambda x: both(a(x), b(x))),
    Rule("clause", "<spectrum> <spectrals>", lambda x, said: said(x)),
    Rule("clause", "<spectrum> need not <spectrals>", lambda x, said: negated(said(x))),
    Rule(
        "vp",
        "has/have only? nonnegative/non-negative eigenvalues",
        lambda: lambda x: _of_spectrum("min({x}) ≥ 0")(Thing(f"eigreal({x.signs})", x.given)),
    ),
    Rule(
        "vp",
        "has/have only the? eigenvalues <expr> and/or <expr>",
        lambda a, b: lambda x: _either(a, b)(Thing(f"eigreal({x.signs})", x.given)),
    ),
    Rule("vp", "has/have only? real eigenvalues", lambda: lambda x: claim(f"eigimag({x.signs}) = 0", of=x)),
    Rule(
        "vp",
        "has/have only? positive eigenvalues",
        lambda: lambda x: _of_spectrum("min({x}) > 0")(Thing(f"eigreal({x.signs})", x.given)),
    ),
    Rule(
        "clause",
        "<sym> is/be an? eigenvector of <np> with/to/for the? eigenvalue <expr>",
        _eigenpair,
    ),
    Rule("clause", "<sym> is/be an? eigenvalue of <np>", _eigenvalue),
    Rule("clause", "<expr> is/be an? eigenvalue of <np>", _eigenvalue),
    Rule("clause", "<expr> is not an eigenvalue of <np>", _no_eigenvalue),
    *(
        rule
        for one in ("an eigenvalue", "one of its eigenvalues", "among its eigenvalues")
        for rule in (
            Rule("clause", f"<expr> is {one}", lambda value: _eigenvalue(value, Thing(ITS))),
            Rule("clause", f"<expr> is not {one}", lambda value: _no_eigenvalue(value, Thing(ITS))),
        )
    ),
    Rule("clause", "<expr> is not one of the eigenvalues of <np>", _no_eigenvalue),
    Rule(
        "clause",
        "<sym> is/be an? eigenvalue of <np> with eigenvector <sym>",
        lambda value, a, v: _eigenpair(v, a, value),
    ),
    Rule("vp", "has/have an/the? eigenvalue <expr>", _has_eigenvalue),
    Rule("vp", "has/have <expr> as an? eigenvalue", _has_eigenvalue),
    Rule(
        "clause",
        "the? eigenvectors of <np> <apart> are always? mutually/pairwise? orthogonal/perpendicular to? each? other?",
        lambda a, _: _orthogonal_eigenvectors(a),
    ),
    Rule(
        "clause",
        "the? eigenvectors <apart> of <np> are always? mutually/pairwise? orthogonal/perpendicular to? each? other?",
        lambda _, a: _orthogonal_eigenvectors(a),
    ),
    Rule(
        "clause",
        "the? eigenvectors <apart> are always? mutually/pairwise? orthogonal/perpendicular to? each? other?",
        lambda _: _orthogonal_eigenvectors(Thing(IT)),
    ),
    Rule(
        "apart",
        "that/which? belong/belonging/corresponding/correspond? to/for/with different/distinct eigenvalues",
        lambda: None,
    ),
    Rule("shifted", "adding <expr> times the identity matrix? to <np>", _shift),
    Rule(
        "shifted",
        "adding <expr> to <np>",
        _shift_by_identity,
    ),
    Rule("clause", "<shifted> shifts all/every? of? its/the eigenvalues/eigenvalue by <expr>", _shifts_eigenvalues),
    Rule(
        "clause",
        "<shifted> adds <expr> to all/every/each? of? its/the eigenvalues/eigenvalue",
        _shifts_eigenvalues,
    ),
)
