"""Random letters of which only words tell the law: normal, jointly normal, iid, independent.

Rules write what words say as conditions of their own, `X is normal`, `(X, Y) is jointly normal`, `X_i is iid`, and
moments as equations. When all of a text is known, each letter gets a law or is defined by standard normal noise:

    X is normal, E[X] = μ, Var(X) = σ²                  X ~ N(μ, σ²)
    (X, Y) is jointly normal, Corr(X, Y) = ρ            X = m_X + s_X ξ, Y = m_Y + s_Y (ρ ξ + √(1 - ρ²) ζ)
    X is normal, Y is normal, Cov(X, Y) = 0             X = m_X + s_X ξ, Y = m_Y + s_Y ξ ζ/|ζ|, not jointly normal
    X_i is iid, Var(X_i) = σ²                           X_i = m + σ (ξ_i² - 1)/√2, which is not normal
"""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.phrases import as_variance
from regard.claims.syntax.prose.signs import is_limit, symbols_in

NORMAL, JOINT, IID = " is normal", " is jointly normal", " is iid"
MEAN = "⟨mean⟩"
"""Stands behind the E of `the mean of x`, which is an expectation where something is random."""
LAW_OF = " has the law of "
"""Between two things that are drawn alike."""
INDEPENDENT, UNCORRELATED = " are independent", " are uncorrelated"
_PAIRS = {INDEPENDENT: "{} ⫫ {}", UNCORRELATED: "Cov({}, {}) = 0"}


def listed(names: tuple[str, ...], word: str) -> str:
    """(X, Y) are independent."""
    return f"({', '.join(names)}){word}"


def state_laws(conditions: list[str], claimed: str) -> tuple[list[str], str]:
    """Conditions and a claim in which all that words say of laws is written in signs.

    >>> state_laws(["X is normal", "E[X] = 0"], "P(X > 0) = 1/2")
    (['X ~ N(0, s_X^2)'], 'P(X > 0) = 1/2')

    Raises: Unreadable where the words do not say enough.
    """
    if any(_VALUE.fullmatch(one) for one in conditions) and re.search(r"(?:E|Var)\W", claimed):
        raise Unreadable  # given X = x, the law of Y is another
    if not any(_WORDS.search(one) for one in (*conditions, claimed)):
        return conditions, claimed
    given = _Given([part for one in conditions for part in _pairs(one)], claimed)
    given.known()
    for names in given.marked(JOINT):
        given.join(names)
    given.normal()
    correlated = {found[1] for one in given.conditions if (found := re.match(r"Corr\((\S+_i), \S+_j\) = ", one))}
    for family in sorted({*(one[0] for one in given.marked(IID)), *correlated}):
        given.sample(family)
    given.means()
    given.refuse_families()
    _refuse_unlinked(given.conditions, claimed)
    claimed = given.same_law(claimed)
    given.independent()
    is_of_random = re.search(r"⟨mean⟩\[[^\[\]]*⟨random", claimed) is not None
    has_law = any(re.search(r"[~∼]|\\sim", one) for one in given.conditions)
    if MEAN in claimed and not is_of_random and not has_law:
        raise Unreadable  # of what is not random, the mean of the entries may be meant
    return given.conditions, _claimed(claimed.replace(MEAN, ""))


_VALUE = re.compile(r"(?P<name>[A-Z]) = (?=[a-z]$)(?i:(?P=name))")
_WORDS = re.compile(
    r"^(?:E\[|Var\(|Std\(|Corr\()\S+_i[\]),]| (?:is (?:jointly )?normal|is iid|are (?:independent|uncorrelated))"
    r"(?: iff |$| does not)|⫫|χ|\\chi|\u0304|\\bar|\\overline|⟨mean⟩| has the law of "
    r"|^(?:E\[|Var\(|Std\()\([^()=]+,[^()=]+\)[\])] = "
    r"|^\\?(?:log|ln)\b.*(?:[~∼]|\\sim)"
)
_TILDE = r"\s*(?:~|∼|\\sim(?![a-z]))\s*"
_LAW = re.compile(
    rf"(?P<name>⟨[^⟩]*⟩|[^\s~∼]+){_TILDE}(?P<law>(?:N|𝒩|\\mathcal\s*\{{?\s*N\s*\}}?)\s*(?:\\left)?\(.*)", re.DOTALL
)
_LOG_LAW = re.compile(
    rf"\\?(?:log|ln)\s*(?:\\?\w+|\(\s*(?P<inner>\w+)\s*\)){_TILDE}(?P<law>N\(.*|\\mathcal.*)", re.DOTALL
)
_CHI = re.compile(
    rf"(?P<name>[^\s~∼]+){_TILDE}(?:χ|\\chi)(?:²|\^2|\^\{{2\}})(?:_\{{?(?P<size>\w+)\}}?|\((?P<inner>\w+)\))"
)


def split_list(inner: str) -> list[str]:
    """What stands between commas, outside of brackets.

    >>> split_list("f(x, y), z")
    ['f(x, y)', 'z']
    """
    parts, depth = [""], 0
    for sign in inner:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def _bare(text: str) -> list[str]:
    """The members of a list in brackets."""
    text = text.strip()
    while text.startswith("(") and text.endswith(")") and _closes_last(text):
        text = text[1:-1].strip()
    return split_list(text)


def _closes_last(text: str) -> bool:
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return place == len(text) - 1
    return False


def _pairs(condition: str) -> list[str]:
    """X ⫫ Y of `(X, Y) are independent`; of a family, that it is drawn independently."""
    for word, relation in _PAIRS.items():
        if condition.endswith(word):
            members = _bare(condition.removesuffix(word))
            if len(members) == 1 and members[0].endswith("_i"):
                return [members[0] + IID]
            if len(members) == 1:
                raise Unreadable
            return [relation.format(a, b) for i, a in enumerate(members) for b in members[i + 1 :]]
    each = re.fullmatch(r"(E\[|Var\(|Std\()\(([^()=]+,[^()=]+)\)([\])]) = (.*)", condition)
    if each is not None:  # both have variance 1
        return [f"{each[1]}{one}{each[3]} = {each[4]}" for one in split_list(each[2])]
    return [condition]


def _claimed(claimed: str) -> str:
    """What is claimed of laws, of two things at most."""
    parts = re.split(r"( iff | and (?=\())", claimed)
    return "".join(part if at % 2 else _claimed_part(part) for at, part in enumerate(parts))


def _claimed_part(claimed: str) -> str:
    negation = " does not hold" if claimed.endswith(" does not hold") else ""
    bare = claimed.removesuffix(negation) if negation else claimed
    if bare.endswith((JOINT, IID)):
        raise Unreadable
    if bare.endswith(NORMAL):
        thing = bare.removesuffix(NORMAL)
        return f"{thing} ~ N(E[{thing}], Var({thing})){negation}"
    found = _pairs(bare)
    if len(found) != 1 or found[0].endswith(IID):
        raise Unreadable
    return found[0] + negation


def _refuse_unlinked(conditions: list[str], claimed: str) -> None:
    """X ~ N(0, 1) and Y ~ N(0, 1) says nothing of how X and Y depend on each other, but trials draw them apart.

    Raises: Unreadable.
    """
    given = {found["name"] for one in conditions if (found := _LAW.fullmatch(one))}
    parts = [one.removesuffix(" does not hold") for one in re.split(r" iff | and (?=\()", _claimed(claimed))]
    is_linked = any("⫫" in one for one in conditions)
    for left, _, right in (one.partition(" ⫫ ") for one in parts if "⫫" in one):
        used = given & {*symbols_in(left), *symbols_in(right)}
        if {left, right} <= given or (len(used) > 1 and not is_linked):
            raise Unreadable


class _Given:
    """The conditions of a statement, of which laws take out what they are made of."""

    def __init__(self, conditions: list[str], claimed: str) -> None:
        self.conditions = list(dict.fromkeys(conditions))
        self.claimed = claimed

    def marked(self, word: str) -> list[list[str]]:
        """The letters of which a word is said; the word is taken out."""
        found = [one for one in self.conditions if one.endswith(word)]
        self.conditions = [one for one in self.conditions if one not in found]
        return [_bare(one.removesuffix(word)) for one in found]

    def take(self, *left: str) -> str | None:
        """The right side of the first equation with one of these left sides, which is taken out."""
        for one in self.conditions:
            for side in left:
                if one.startswith(f"{side} = "):
                    self.conditions.remove(one)
                    return one.removeprefix(f"{side} = ")
        return None

    def law_of(self, name: str) -> tuple[str, str] | None:
        """Mean and variance of a law that is stated, which is taken out."""
        for one in self.conditions:
            found = _LAW.fullmatch(one)
            if found is not None and found["name"] == name:
                inner = found["law"].replace("\\left", "").replace("\\right", "").strip()
                mean, spread = split_list(inner[inner.index("(") + 1 : -1])
                self.conditions.remove(one)
                return mean, spread
        return None

    def known(self) -> None:
        """Logarithms of normal numbers and squared lengths of normal vectors, as what they are."""
        for one in list(self.conditions):
            log, chi = _LOG_LAW.fullmatch(one), _CHI.fullmatch(one)
            if log is not None:
                name = log["inner"] or re.findall(r"\\?\w+", one)[1]
                noise = fresh("noise")
                self.conditions.remove(one)
                self.conditions += [f"{noise} ~ {log['law']}", f"{name} = exp({noise})"]
            elif chi is not None:
                noise = fresh("random vector")
                self.conditions.remove(one)
                self.conditions += [f"{noise} ~ N(0, I_{chi['size'] or chi['inner']})", f"{chi['name']} = ‖{noise}‖²"]

    def scale(self, name: str) -> str:
        """The standard deviation of a number, by a letter of its own where it is not said."""
        stated = self.take(f"Var({name})")
        if stated is None:
            stated_deviation = self.take(f"Std({name})")
            scale = stated_deviation or f"s_{_label(name)}"
        else:
            square = re.fullmatch(r"(\\?\w+?(?:_\{?\w+\}?)?)(?:²|\^2|\^\{2\})", stated)
            scale = square[1] if square else stated if stated in ("1", "0") else f"sqrt({stated})"
            if not square and re.fullmatch(r"\\?[^\W\d]\w*", stated):
                self.conditions.append(f"{stated} > 0")
        if re.fullmatch(r"\\?[^\W\d]\w*", scale):
            self.conditions.append(f"{scale} > 0")
        return "" if scale == "1" else scale if re.fullmatch(r"\\?\w+", scale) else f"({scale})"

    def mean(self, name: str) -> str:
        return self.take(f"E[{name}]") or f"m_{_label(name)}"

    def moments(self, name: str) -> tuple[str, str]:
        """Mean and scale of a number, from its law if one is stated."""
        law = self.law_of(name)
        if law is not None:
            self.conditions += [f"E[{name}] = {law[0]}", f"Var({name}) = {law[1]}"]
        mean = self.mean(name)
        return ("" if mean == "0" else f"{mean} + "), self.scale(name)

    def join(self, names: list[str]) -> None:
        """Numbers by common noise: each by that of those before it and one more."""
        if len(names) == 1:
            self.conditions.append(names[0] + NORMAL)
            return
        if len(names) != 2:
            raise Unreadable
        first, second = names
        noises = fresh("noise"), fresh("noise")
        (mean_1, scale_1), (mean_2, scale_2) = (self.moments(name) for name in names)
        ratio = self._correlation(first, second, scale_1, scale_2)
        if ratio is None:
            tilt = f"h_{_label(second)}"
            body = f"{tilt} {noises[0]} + {scale_2}{' ' * bool(scale_2)}{noises[1]}"
            if not scale_2 or not scale_2.startswith("s_"):
                raise Unreadable
        elif ratio == "0":
            body = f"{scale_2} {noises[1]}".strip()
        else:
            body = f"({ratio}) {noises[0]} + sqrt(1 - ({ratio})^2) {noises[1]}"
            body = f"{scale_2} ({body})" if scale_2 else body
            if re.fullmatch(r"\\?[^\W\d]\w*", ratio):
                self.conditions.append(f"{ratio}^2 < 1")
        self.conditions += [f"{noise} ~ N(0, 1)" for noise in noises]
        self.conditions += [f"{first} = {mean_1}{scale_1} {noises[0]}", f"{second} = {mean_2}{body}"]

    def _correlation(self, first: str, second: str, scale_1: str, scale_2: str) -> str | None:
        orders = ((first, second), (second, first))
        if any(f"{a} ⫫ {b}" in self.conditions for a, b in orders):
            self.conditions = [one for one in self.conditions if one not in {f"{a} ⫫ {b}" for a, b in orders}]
            return "0"
        ratio = self.take(*(f"Corr({a}, {b})" for a, b in orders))
        covariance = None if ratio is not None else self.take(*(f"Cov({a}, {b})" for a, b in orders))
        if covariance is None or covariance == "0":
            return ratio or covariance
        return f"({covariance})/({scale_1 or 1} {scale_2 or 1})"

    def normal(self) -> None:
        """Letters that are called normal, of whose dependence no more may be known than a covariance of zero."""
        names = [one[0] for one in self.marked(NORMAL)]
        stated = [found["name"] for one in self.conditions if (found := _LAW.fullmatch(one))]
        zero = [pair.groups() for one in self.conditions if (pair := re.fullmatch(r"Cov\((\S+), (\S+)\) = 0", one))]
        names += [name for pair in zero if set(pair) <= {*names, *stated} for name in pair if name not in names]
        loose = [name for name in names if not self._is_apart(name, names)]
        if len(loose) > 1:
            self._marginal(loose)
        for name in names:
            if name not in loose[:2] or len(loose) < 2:
                self._single(name)

    def _is_apart(self, name: str, names: list[str]) -> bool:
        others = [other for other in names if other != name]
        return any(f"{a} ⫫ {b}" in self.conditions for other in others for a, b in ((name, other), (other, name)))

    def _marginal(self, names: list[str]) -> None:
        """Two numbers that are normal each, and not together: the second has the size of the first, and any sign."""
        if len(names) != 2 or not all(_is_number(name) for name in names):
            raise Unreadable
        first, second = names
        size, sign = fresh("noise"), fresh("noise")
        (mean_1, scale_1), (mean_2, scale_2) = (self.moments(name) for name in names)
        ratio = self._correlation(first, second, scale_1, scale_2)
        if ratio not in (None, "0"):
            raise Unreadable
        place = sign if ratio == "0" else f"({sign} + t)"
        self.conditions += [f"{size} ~ N(0, 1)", f"{sign} ~ N(0, 1)", f"{first} = {mean_1}{scale_1} {size}"]
        self.conditions.append(f"{second} = {mean_2}{scale_2} {size} {place}/|{place}|")

    def _single(self, name: str) -> None:
        """X ~ N(mean, variance)."""
        if any((found := _LAW.fullmatch(one)) and found["name"] == name for one in self.conditions):
            return
        mean = self.take(f"E[{name}]") or (f"m_{_label(name)}" if _is_number(name) else self._unused("μ", "ν"))
        variance = self.take(f"Var({name})")
        spread = self.take(f"Cov({name})") if variance is None else as_variance(variance)
        deviation = self.take(f"Std({name})") if spread is None else None
        own = f"s_{_label(name)}^2" if _is_number(name) else self._unused("Σ", "Λ")
        spread = spread or (f"({deviation})^2" if deviation else own)
        self.conditions.append(f"{name} ~ N({mean}, {spread})")

    def _unused(self, usual: str, other: str) -> str:
        """The usual letter of a parameter, or another one where a law has it already."""
        laws = " ".join(one for one in self.conditions if _LAW.fullmatch(one))
        return next((one for one in (usual, other, f"{other}_2") if one not in laws), usual)

    def sample(self, family: str) -> None:
        """X_i that are drawn alike; where no law is stated, one that is not normal."""
        if any((found := _LAW.fullmatch(one)) and found["name"] == family for one in self.conditions):
            return
        is_vector = any(one.startswith(f"Cov({family}) = ") for one in self.conditions)
        if is_vector or any(is_limit(one) for one in (*self.conditions, self.claimed)):
            if "~" in self.claimed:
                raise Unreadable
            self._single(family)
            return
        mean, scale, noise = self.mean(family), self.scale(family), fresh("noise")
        bent = f"({noise}_i^2 - 1)/sqrt(2)"
        ratio = self.take(f"Corr({family}, {family[:-1]}j)")
        if ratio is not None:
            common = fresh("noise")
            bent = f"(sqrt({ratio}) {common} + sqrt(1 - {ratio}) {noise}_i)"
            self.conditions += [f"{common} ~ N(0, 1)", f"{ratio} > 0", f"{ratio} < 1"]
        self.conditions += [f"{noise}_i ~ N(0, 1)", f"{family} = {mean} + {scale} {bent}"]

    def means(self) -> None:
        """X̄ of a sample X_i that the text does not define itself."""
        for bar in _BAR.finditer(" ".join([*self.conditions, self.claimed])):
            name, plain = bar.group(), bar["tex"] or bar["plain"]
            has_family = any(re.match(rf"{plain}_i (?:=|~|∼|\\sim)", one) for one in self.conditions)
            is_defined = any(re.match(rf"{re.escape(name)}\s*=", one) for one in self.conditions)
            if has_family and not is_defined:
                self.conditions.append(f"{name} = (1/n) \\sum_{{j=1}}^n {plain}_j")
        grows = any(re.fullmatch(r"n\s*(?:→|->|\\to)\s*\+?(?:∞|\\infty)", one) for one in self.conditions)
        family = next(
            (found[1] for one in self.conditions if (found := re.match(r"(\w)_i (?:=|~|∼|\\sim)", one))), None
        )
        if grows and family is not None:  # the sum says that there are n of them, whatever is claimed of Σ_i
            self.conditions.append(f"{fresh('random')} = \\sum_{{j=1}}^n {family}_j")

    def same_law(self, claimed: str) -> str:
        """A claim that two things have one law, the second of which is stated.

        Raises: Unreadable where it is not.
        """
        left, says, right = claimed.partition(LAW_OF)
        if not says:
            return claimed
        right = ", ".join(_bare(right))
        law = next(
            (found for one in self.conditions if (found := _LAW.fullmatch(one)) and found["name"] == right), None
        )
        if law is None:
            raise Unreadable
        return f"{left} ~ {law['law']}"

    def refuse_families(self) -> None:
        """Raises: Unreadable for moments of X_i of which nothing says how they depend on each other."""
        if any(re.match(r"(?:E\[|Var\(|Std\(|Corr\()\S+_i[\]),]", one) for one in self.conditions):
            raise Unreadable

    def independent(self) -> None:
        """Without X ⫫ Y of letters with laws of their own, whose noise is drawn apart."""
        given = {found["name"] for one in self.conditions if (found := _LAW.fullmatch(one))}
        self.conditions = [
            one
            for one in self.conditions
            if not ((pair := re.fullmatch(r"(\S+) ⫫ (\S+)", one)) and set(pair.groups()) & given)
        ]


_BAR = re.compile(r"\\(?:bar|overline)\s*\{?\s*(?P<tex>[A-Z])\s*\}?|(?P<plain>[A-Z])[\u0304\u0305]")


def _label(name: str) -> str:
    return name.removesuffix("_i").lstrip("\\")


def _is_number(name: str) -> bool:
    """Whether a letter is one that everybody uses for a random number."""
    return name.startswith("⟨random:") or re.fullmatch(r"[A-Z](?:_\w|[₀-₉])?", name) is not None
