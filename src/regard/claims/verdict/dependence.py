"""What holds of independent random letters, where the claim does not say that they are independent.

Two laws say nothing of two letters at once: with X, Y ~ N(0, 1) the sum is N(0, 2) if they are independent, and 0 if
Y = −X. So what holds of independent letters is tried once more with noise in common, which leaves each law as it is:

    noise of X      r ξ + √(1 − r²) ξ_X      r = 2t / (1 + t²), √(1 − r²) = (1 − t²) / (1 + t²), t any number

Noise by name is independent of all else: ε, and the z of y = x + σ z. So are the keys of a setting, unless the claim
itself gives their covariances one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from regard.claims.meaning.setting import SymbolSpec
from regard.claims.meaning.statements import Task
from regard.claims.meaning.terms import (
    Apply,
    Combine,
    Constant,
    Definition,
    Moment,
    Ref,
    Statement,
    Term,
    contains,
    symbols_in,
    with_dependencies,
)
from regard.claims.syntax.tree import Claim, Symbol, walk
from regard.claims.trial.trials import Trials
from regard.claims.verdict.counterexample import VISIBLE
from regard.claims.verdict.judge import judge_statement
from regard.claims.verdict.records import StatementVerdict

COMMON = "noise in common"
NOISE = re.compile(r"noise (?:\d+ )?of (?P<letter>.+)")
"""The noise of a letter to which the claim itself gives a law."""
TILT = "t of "
"""How the name of the number begins that says how much of a letter's noise is in common."""
ALWAYS_NOISE = frozenset({"epsilon", "xi", "eta", "zeta"})
NOISE_WHERE_ADDED = ALWAYS_NOISE | {"e", "g", "z", "Z", "w", "W", "gamma"}
"""Letters for noise where another letter is made of them: k = (1 + γ) μ, Y = ρ X + √(1 − ρ²) Z."""
_SAID = re.compile(
    r"(?<!linearly )\b(?:statistically )?independen(?:t|ce|tly)\b(?! of (?:the )?(?:size|scale|[nmdNK]\b))"
    r"|\bi\.?\s?i\.?\s?d\b|\bIID\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|n't|never|without|whether|even if|need not be|be they)\b[^.;:]{0,30}\bindependen|\bindependent or not"
)
_LEADS_ON = re.compile(
    r"\b(?:then|so|hence|thus|therefore|implies|implying|it follows)\b|⇒|⟹|=>|\\implies|\\(?:Long)?[Rr]ightarrow"
)
_GIVEN_LATER = re.compile(r"(?:\b(?:if|for|when|given|provided|with|assuming|since|as|because|where)\b|\()[^.;]*$")


def gives_independence(text: str) -> bool:
    """Whether a text takes letters as independent in words; where it claims that they are, it does not.

    >>> gives_independence("X, Y i.i.d. ~ N(0, 1)"), gives_independence("X and Y, not necessarily independent")
    (True, False)
    >>> gives_independence("Cov(X, Y) = 0 => X, Y independent"), gives_independence("Var(X + Y) = 2 if independent")
    (False, True)
    """
    if _DENIED.search(text):
        return False
    before = _LEADS_ON.split(text)[0]
    return any(
        found.start() < len(before) or _GIVEN_LATER.search(text[len(before) : found.start()])
        for found in _SAID.finditer(text)
    )


def judge_dependent(trials: Trials, statement: Statement, tree: Claim, found: StatementVerdict) -> StatementVerdict:
    """The verdict for letters that may depend on each other, where nothing says that they do not.

    `found`: the verdict for independent ones, which is itself a counterexample where it is one.
    """
    if found.verdict == "fails":
        return found
    is_stated = gives_independence(tree.text)
    if tree.premises and not is_stated and not trials.task.setting.broadcasts:
        found = _with_one_noise(trials, statement, tree, found)
    letters = _letters_with_noise(trials.task, statement)
    noise = [one for one in letters if _is_noise(one, trials.task)]
    if found.verdict == "fails" or is_stated or sum(2 if one.is_family else 1 for one in letters) < 2:
        return found
    if len(letters) == len(noise):
        return replace(found, notes=(*found.notes, _as_noise(letters)))
    dependent = with_common_noise(trials.task, [one for one in letters if one not in noise])
    if dependent is None:
        return replace(found, notes=(*found.notes, _as_noise(noise))) if noise else found
    again = _tell_correlations(judge_statement(Trials(dependent, deadline=trials.deadline), statement))
    if again.verdict in ("holds", "holds-in-limit"):
        extreme = [_at_extreme(trials, statement, letters, noise, sign) for sign in (1, -1)]
        again = next((one for one in extreme if one.counterexample is not None), again)
        is_open = any(one.verdict == "fails" and one.counterexample is None for one in extreme)
        again = _UNDEFINED if again.counterexample is None and is_open else again
    notes = (_as_noise(noise),) if noise else ()
    names = _join([one.name for one in letters if one not in noise])
    if again.verdict in ("holds", "holds-in-limit") and _needs_joint_law(statement, tree):
        return StatementVerdict("fails", _COIN.format(names=names), again.how, notes=notes, span=statement.span)
    if again.verdict in ("holds", "holds-in-limit"):
        return replace(again, notes=(*again.notes, *notes))
    if found.verdict not in ("holds", "holds-in-limit"):
        return found
    if again.verdict == "fails" and not _is_usual(letters):
        reason = f"nothing says that {names} are independent; where they depend on each other, {again.reason}"
        return replace(again, reason=reason, notes=(*again.notes, *notes))
    reason = f"it holds if {names} are independent, which nothing says; otherwise, {again.reason}"
    return StatementVerdict("undecided", reason, again.how, notes=notes, span=statement.span)


_UNDEFINED = StatementVerdict("undecided", "with the same noise in both a side is not defined")
_JOINT = re.compile(r"\b(?:joint|bivariate|multivariate|Gaussian vector|normal vector)", re.IGNORECASE)
_COIN = (
    "normal laws of {names} are not a joint normal law: where a coin says whether Y = X or Y = −X, both are N(0, 1), "
    "and a sum of them is 0 with probability 1/2, or with that of the coin"
)
"""The pair that is normal each by itself, with any covariance that the coin gives it, and not jointly."""


def _needs_joint_law(statement: Statement, tree: Claim) -> bool:
    """Whether a normal law of a sum, or independence, is claimed of letters that nobody says are jointly normal."""
    is_independence = statement.moment == "covariance" and any(one.comparison == "⫫" for one in tree.statements)
    is_given = any(one.comparison == "⫫" for one in tree.premises)
    return (statement.comparison == "normal" or is_independence) and not is_given and not _JOINT.search(tree.text)


@dataclass(frozen=True)
class RandomLetter:
    """A letter with a law of the claim's own: its noise symbols, and whether there are several of it, x_i."""

    name: str
    noise: tuple[SymbolSpec, ...]

    @property
    def is_family(self) -> bool:
        """Whether it has an index."""
        return self.noise[0].over is not None


def _letters_with_noise(task: Task, statement: Statement) -> list[RandomLetter]:
    """The random letters that a statement, or what is given, speaks of."""
    sides = [statement.left, statement.right]
    sides += [side for one in task.premises for side in (one.statement.left, one.statement.right)]
    depends = with_dependencies(set().union(*map(symbols_in, sides)), task.definitions)
    found: dict[str, list[SymbolSpec]] = {}
    for spec in task.setting.symbols:
        match = NOISE.fullmatch(spec.name)
        if match and spec.name in depends:
            found.setdefault(match["letter"], []).append(spec)
    return [RandomLetter(name, tuple(specs)) for name, specs in found.items()]


def _is_noise(letter: RandomLetter, task: Task) -> bool:
    """Whether a letter is one for noise: ε anywhere, z where another letter of the claim is made of it."""
    name = letter.name.split("_")[0]
    written = {key.split("_")[0] for key in task.trees}
    own = [one for key, one in task.definitions.items() if key.split("_")[0] in written]
    is_added = any(letter.name in symbols_in(one.body) for one in own)
    return name in ALWAYS_NOISE or (name in NOISE_WHERE_ADDED and is_added)


def _is_usual(letters: list[RandomLetter]) -> bool:
    """Whether everybody means independent ones without saying so: a query and a key, or a sample x_i."""
    return {one.name for one in letters} <= {"q", "k"} or any(one.is_family for one in letters)


def _as_noise(letters: list[RandomLetter]) -> str:
    return f"noise is independent of all else: {_join([one.name for one in letters])}"


def _join(names: list[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]


def with_common_noise(task: Task, letters: list[RandomLetter]) -> Task | None:
    """The task with letters that share noise, each with its own law; None where no two of them can.

    Noise of one length is shared; so is that of the members of a family.
    """
    specs = [spec for letter in letters for spec in letter.noise]
    shared = [spec for spec in specs if spec.over is not None or sum(other.shape == spec.shape for other in specs) > 1]
    if not shared:
        return None
    added: dict[str, SymbolSpec] = {}
    changes: dict[str, Callable[[Ref], Term]] = {}
    for spec in shared:
        common = f"{COMMON}, {spec.shape[0]}"
        tilt = TILT + spec.name
        added[common] = SymbolSpec(common, spec.shape, "", law="noise", random=True, hidden=True)
        added[tilt] = SymbolSpec(tilt, (1, 1), "", over=spec.over, law="normal", hidden=True)
        changes[spec.name] = _mixture(common, tilt)
    setting = replace(task.setting, symbols=(*task.setting.symbols, *added.values()))
    families = {name for name, spec in added.items() if spec.over is not None}
    compiled = replace(task.compiled, setting=setting, families=task.compiled.families | families)
    definitions = {name: _change_all(one, changes) for name, one in task.definitions.items()}
    return replace(
        task,
        compiled=compiled,
        definitions=definitions,
        families=task.families | families,
        random=task.random | {name for name, spec in added.items() if spec.random},
    )


def _mixture(common: str, tilt: str) -> Callable[[Ref], Term]:
    """(2t ξ + (1 − t²) ξ_X) / (1 + t²) for the noise ξ_X."""

    def mix(own: Ref) -> Term:
        t = Ref(tilt, own.indices)
        square = Combine("^", t, Constant(Fraction(2)))
        one = Constant(Fraction(1))
        shared = Combine("*", Combine("*", Constant(Fraction(2)), t), Ref(common))
        rest = Combine("*", Combine("-", one, square), own)
        return Combine("/", Combine("+", shared, rest), Combine("+", one, square))

    return mix


def _at_extreme(
    trials: Trials, statement: Statement, letters: list[RandomLetter], noise: list[RandomLetter], sign: int
) -> StatementVerdict:
    """The verdict where all letters have one noise, every second one with this sign: Y = X, or Y = −X."""
    specs = [spec for one in letters if one not in noise for spec in one.noise]
    [first, *_] = specs
    common = Ref(first.name, ("1",) if first.over is not None else ())

    def same(place: int) -> Callable[[Ref], Term]:
        is_turned = place % 2 and sign < 0
        return lambda own: Apply("negative", (common,)) if is_turned else common

    changes = {spec.name: same(place) for place, spec in enumerate(specs) if spec.shape == first.shape}
    definitions = {name: _change_all(one, changes) for name, one in trials.task.definitions.items()}
    return judge_statement(Trials(replace(trials.task, definitions=definitions), deadline=trials.deadline), statement)


def _tell_correlations(found: StatementVerdict) -> StatementVerdict:
    """The verdict with correlations of its counterexample instead of the numbers t that make them."""
    if found.counterexample is None:
        return found
    symbols = found.counterexample.symbols
    tilts = {name: value for name, value in symbols.items() if name.startswith(TILT)}
    kept = {name: value for name, value in symbols.items() if name not in tilts}
    shares: Mapping[str, float] = {
        NOISE.fullmatch(name.removeprefix(TILT))["letter"]: 2 * value / (1 + value**2)  # type: ignore[index]
        for name, value in tilts.items()
        if isinstance(value, float)
    }
    correlations = {
        f"Corr({one}, {other})": float(f"{shares[one] * shares[other]:.6g}") for one, other in combinations(shares, 2)
    }
    return replace(found, counterexample=replace(found.counterexample, symbols={**kept, **correlations}))


def _with_one_noise(trials: Trials, statement: Statement, tree: Claim, found: StatementVerdict) -> StatementVerdict:
    """The verdict, or its opposite where covariances of single keys were given but independence is needed too."""
    has_moment = contains(statement.left, Moment) or contains(statement.right, Moment)
    symbols = [node for relation in tree.premises for node in walk(relation)]
    has_sigma = any(isinstance(node, Symbol) and node.name == "Sigma" for node in symbols)
    is_given = has_sigma or _LAW_OF_KEYS.search(tree.text) is not None
    families = {spec.name for spec in trials.task.setting.symbols if spec.random and spec.over is not None}
    if found.verdict != "holds" or not has_moment or not is_given or not families:
        return found
    changes = dict.fromkeys(families, _first_member)
    definitions = {name: _change_all(one, changes) for name, one in trials.task.definitions.items()}
    together = replace(trials.task, definitions=definitions)
    again = judge_statement(Trials(together, deadline=trials.deadline), statement)
    is_plain = again.counterexample is not None and again.counterexample.gap > VISIBLE
    if again.verdict != "fails" or not is_plain:  # laws of equal keys are degenerate, and known to rounding only
        return found
    given = "Σ_i" if has_sigma else "the law of each key"
    reason = f"{given} says nothing of two keys at once; with the same noise in all of them, {again.reason}"
    if _COVARIANCE.search(tree.text):
        return replace(again, reason=reason)
    words = f"it holds if the keys are independent, which the claim does not say: {reason}"
    return StatementVerdict("undecided", words, found.how)


_COVARIANCE = re.compile(r"Cov|Corr", re.IGNORECASE)
"""What speaks of how two keys go together; of other things, most people take keys as independent."""
_LAW_OF_KEYS = re.compile(r"(?<![A-Za-z\\])k_\{?[a-z]\}?\s*(?:~|∼|\\sim(?![a-z]))")


def _first_member(own: Ref) -> Term:
    return replace(own, indices=("1", *own.indices[1:])) if own.indices else own


def _change_all(definition: Definition, changes: Mapping[str, Callable[[Ref], Term]]) -> Definition:
    special = tuple((name, _change(body, changes)) for name, body in definition.special)
    return replace(definition, body=_change(definition.body, changes), special=special)


def _change(term: Any, changes: Mapping[str, Callable[[Ref], Term]]) -> Any:
    """A term with other terms for some symbols."""
    if isinstance(term, Ref):
        return changes[term.symbol](term) if term.symbol in changes else term
    new = {}
    for one in fields(term):
        value = getattr(term, one.name)
        if one.name == "arguments":
            new[one.name] = tuple(_change(child, changes) for child in value)
        elif one.name in ("left", "right", "body", "of", "first", "last") and value is not None:
            new[one.name] = _change(value, changes)
    return replace(term, **new) if new else term
