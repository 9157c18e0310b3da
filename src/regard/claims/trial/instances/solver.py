"""Draws moved to where what a claim takes as given holds, by Gauss–Newton steps in their raw numbers.

Steps go on until every equation holds and every inequality has some room. The draws are then refined with decimals, so
that an equation holds to a hundred digits: a conclusion can then be judged with as many digits as any other claim.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from regard.claims.meaning.statements import Premise
from regard.claims.meaning.terms import symbols_in, with_dependencies
from regard.claims.trial.arithmetic.decimals import Decimals
from regard.claims.trial.arithmetic.numbers import FLOATS, Arithmetic, Value
from regard.claims.trial.instances.draws import DrawBatch
from regard.claims.trial.instances.premises import are_met, places_apart, premise_sides
from regard.claims.trial.instances.structured import law_of, structured_draws

if TYPE_CHECKING:
    from regard.claims.trial.trials import Trials

MAX_UNKNOWNS = 90
"""Raw numbers that are moved at once; larger instances are only searched for by chance."""
MAX_STEPS = 40
MAX_STEPS_IN_VAIN = 10
"""So many steps in which no draw comes nearer end the search."""
BETTER = 0.9
SOLVED = 1e-11
SHORTER = np.divide.accumulate([1.0, 3.0, 3.0, 3.0, 3.0, 3.0])[1:]
"""Parts of a step, of which the first is taken that comes nearer."""
MARGIN = 0.05
"""How much room an inequality is given, beside the size of its sides."""
FINE_DIGITS = 100
REFINEMENTS = 16
MIN_REFINED = 3
"""So many draws are worked out with many digits, however long it takes."""
REFINED_TOGETHER = 8
"""A step in Python costs the same for a few draws as for one; more might not be needed."""
STEP = 1e-6
MOVABLE = frozenset({"normal", "symmetric", "definite", "semidefinite", "orthonormal"}) | {
    *("positive", "probabilities", "distribution")
}
POSITIVE = frozenset({"positive", "probabilities", "distribution"})


@dataclass
class PremiseSolver:
    """Moves draws to where premises hold; `targets` widens the room that an approximate premise is given."""

    trials: Trials
    assignment: Mapping[str, int]
    scale: float = 1.0
    """How far ≫ is pushed, and ≈ drawn together."""
    sign: float = 1.0
    premises: tuple[Premise, ...] | None = None
    """Those to look at; all that are given where this is None."""

    def unknowns(self, batch: DrawBatch) -> list[str]:
        """The drawn symbols that premises depend on, and that may be moved."""
        task = self.trials.task
        named = set().union(
            *(symbols_in(one.statement.left) | symbols_in(one.statement.right) for one in task.premises)
        )
        depends = with_dependencies(named, task.definitions)
        found = []
        for spec in task.setting.symbols:
            key = spec.group or spec.name if spec.law == "orthonormal" else spec.name
            if spec.name in depends and spec.law in MOVABLE and spec.name not in task.definitions and key not in found:
                found.append(key)
        return found + [name for name in task.scalars if name in depends and name in batch.raw]

    def law_of(self, name: str) -> str:
        """The law of a drawn symbol."""
        return law_of(self.trials.task, name)

    def residuals(self, batch: DrawBatch, numbers: Arithmetic = FLOATS) -> Value:
        """How far each draw is from satisfying the premises: (draw, residual); 0 where it does."""
        parts = []
        for premise in self.trials.task.premises if self.premises is None else self.premises:
            for left, right in premise_sides(self.trials, premise, batch, numbers, self.assignment):
                part = self.residual(premise.statement.comparison, left, right, numbers)
                if part is not None:
                    parts.append(part.reshape(len(batch), -1))
        return np.concatenate(parts, axis=1) if parts else np.zeros((len(batch), 0))

    def residual(self, comparison: str, left: Value, right: Value, numbers: Arithmetic) -> Value | None:
        """One premise's part of it."""
        if comparison == "=":
            with np.errstate(all="ignore"):  # ∞ − ∞, which no step leads away from
                return left - right
        if comparison == "→" and not isinstance(numbers, Decimals) and bool(np.isinf(right).any()):
            return np.maximum(self.scale - np.sign(right) * left, 0.0)
        if comparison in ("≈", "→"):
            if isinstance(numbers, Decimals):
                return None  # how near it is drawn is no equation, which alone is worked out with many digits
            return left - right - self.sign * np.asarray(1.0 / self.scale)
        if comparison in "<≤>≥":
            if isinstance(numbers, Decimals):
                return None
            over = left - right if comparison in "<≤" else right - left
            return np.maximum(over + MARGIN, 0.0)
        if comparison in "≫≪":
            large, small = (left, right) if comparison == "≫" else (right, left)
            return np.maximum(self.scale + np.abs(small) - large, 0.0)
        return None

    def solve(self, batch: DrawBatch) -> DrawBatch | None:
        """The draws that could be moved to where all premises hold, in float64; None where there are none."""
        names = self.unknowns(batch)
        n_unknowns = sum(int(np.prod(batch.raw[name].shape[1:])) for name in names)
        if not names or n_unknowns > MAX_UNKNOWNS:
            return None
        best, since = np.full(len(batch), np.inf), 0
        value = self.residuals(batch)
        for _ in range(MAX_STEPS):
            if value.shape[1] == 0 or not np.isfinite(value).any():
                return None
            worst = np.abs(value).max(axis=1)
            is_nearer = worst < BETTER * best
            best, since = np.fmin(best, worst), 0 if is_nearer.any() else since + 1
            open_ = np.flatnonzero(~(worst <= SOLVED))
            if not len(open_) or since >= MAX_STEPS_IN_VAIN:
                break
            moved, value[open_] = self.step(batch.only(open_), names, value[open_])
            batch = _with_draws_of(batch, open_, moved, names)
            self.trials.forget()
            if self.trials.is_search_over() and bool((worst <= SOLVED * 100).any()):
                break
        worst = np.abs(value).max(axis=1)
        solved = np.flatnonzero(worst <= SOLVED * 100)
        return batch.only(solved) if len(solved) else None

    def step(self, batch: DrawBatch, names: list[str], value: np.ndarray) -> tuple[DrawBatch, np.ndarray]:
        """One damped Gauss–Newton step of every draw, and the residuals to which it leads."""
        jacobian = self.jacobian(batch, names)
        moves = np.zeros((len(batch), jacobian.shape[2]))
        finite = np.isfinite(jacobian).all(axis=(1, 2)) & np.isfinite(value).all(axis=1)
        moves[finite] = -(np.linalg.pinv(jacobian[finite], rcond=1e-8) @ value[finite, :, None])[..., 0]
        length = np.abs(moves).max(axis=1, keepdims=True)
        moves *= np.minimum(1.0, (2.0 + self.scale / 4) / np.maximum(length, 1e-300))
        moved, before = self.shift(batch, names, moves), np.linalg.norm(value, axis=1)
        found = self.residuals(moved)
        worse = np.flatnonzero(~(np.linalg.norm(found, axis=1) < before) & (before > SOLVED))
        if len(worse):
            shorter, values = self.shorter_step(batch.only(worse), names, moves[worse], before[worse])
            moved, found[worse] = _with_draws_of(moved, worse, shorter, names), values
        return moved, found

    def shorter_step(
        self, batch: DrawBatch, names: list[str], moves: np.ndarray, before: np.ndarray
    ) -> tuple[DrawBatch, np.ndarray]:
        """Of some shorter moves, all tried at once, the longest that comes nearer, or else the shortest."""
        n = len(SHORTER)
        tried = self.shift(batch.only(np.repeat(np.arange(len(batch)), n)), names, np.kron(moves, SHORTER[:, None]))
        values = self.residuals(tried)
        is_nearer = (np.linalg.norm(values, axis=1) < np.repeat(before, n)).reshape(-1, n)
        is_nearer[:, -1] = True
        places = np.arange(len(batch)) * n + is_nearer.argmax(axis=1)
        return tried.only(places), values[places]

    def jacobian(self, batch: DrawBatch, names: list[str]) -> np.ndarray:
        """∂ residual / ∂ raw numbers by differences: (draw, residual, unknown)."""
        n_unknowns = sum(int(np.prod(batch.raw[name].shape[1:])) for name in names)
        n_draws = len(batch)
        repeated = batch.only(np.tile(np.repeat(np.arange(n_draws), n_unknowns), 2))
        moves = np.tile(np.eye(n_unknowns) * STEP, (n_draws, 1))
        up, down = np.split(self.residuals(self.shift(repeated, names, np.concatenate([moves, -moves]))), 2)
        with np.errstate(all="ignore"):
            slopes = (up - down) / (2 * STEP)
        return np.asarray(slopes.reshape(n_draws, n_unknowns, -1).swapaxes(1, 2), dtype=float)

    def shift(self, batch: DrawBatch, names: list[str], moves: np.ndarray) -> DrawBatch:
        """The batch with raw numbers moved: added to, or where they are positive multiplied by e^move."""
        changed, start = {}, 0
        for name in names:
            shape = batch.raw[name].shape
            size = int(np.prod(shape[1:]))
            move = moves[:, start : start + size].reshape(shape)
            old = batch.raw[name]
            changed[name] = move_raw(old, move, self.law_of(name))
            start += size
        return batch.having(**changed)

    def refine(self, batch: DrawBatch) -> DrawBatch | None:
        """The draws with raw numbers of a hundred digits, where equations hold as exactly; others are dropped."""
        if not any(one.statement.comparison == "=" for one in self.trials.task.premises):
            return batch
        names = self.unknowns(batch)
        kept: list[DrawBatch] = []
        for start in range(0, len(batch), REFINED_TOGETHER):
            if sum(map(len, kept)) >= MIN_REFINED and self.trials.is_search_over():
                break
            some = self.refine_together(batch.only(np.arange(start, min(start + REFINED_TOGETHER, len(batch)))), names)
            kept += [some] if len(some) else []
        return join_batches(kept) if kept else None

    def refine_together(self, draws: DrawBatch, names: list[str]) -> DrawBatch:
        """Draws by chord steps: the slopes in float64, the residuals with many digits."""
        numbers = Decimals(FINE_DIGITS + 10)
        inverse = np.linalg.pinv(self.equation_jacobian(draws, names), rcond=1e-8)
        open_, met = np.arange(len(draws)), np.zeros(len(draws), dtype=bool)
        with numbers.context():
            fine = {name: numbers.from_floats(draws.raw[name]) for name in names}
            exact = numbers.from_floats(inverse)
            small = numbers.number(10).flat[0] ** -FINE_DIGITS
            for _ in range(REFINEMENTS):
                here = {name: array[open_] for name, array in fine.items()}
                value = self.residuals(draws.only(open_).having_fine(here), numbers).reshape(len(open_), -1)
                self.trials.forget()
                met[open_] = [all(abs(entry) <= small for entry in row) for row in value]
                going_on = [all(entry.is_finite() for entry in row) for row in value] & ~met[open_]
                if not going_on.any():
                    break
                open_, value = open_[going_on], value[going_on]
                moves = -(exact[open_] @ value[..., None])[..., 0]
                here = {name: array[open_] for name, array in fine.items()}
                for name, array in self.move_fine(here, names, moves, numbers).items():
                    fine[name][open_] = array
        return draws.only(met).having_fine({name: array[met] for name, array in fine.items()})

    def equation_jacobian(self, draws: DrawBatch, names: list[str]) -> np.ndarray:
        """Slopes of the equations alone."""
        only = [one for one in self.trials.task.premises if one.statement.comparison not in "<≤>≥≠≈→"]
        inner = PremiseSolver(self.trials, self.assignment, self.scale, self.sign, tuple(only))
        return inner.jacobian(draws, names)

    def move_fine(self, fine: dict[str, Value], names: list[str], moves: Value, numbers: Decimals) -> dict[str, Value]:
        """Raw numbers moved by a step, in decimals."""
        changed, start = {}, 0
        for name in names:
            old = fine[name]
            size = int(np.prod(old.shape[1:]))
            move = moves[:, start : start + size].reshape(old.shape)
            law = self.law_of(name)
            if law == "probabilities":  # the odds are multiplied
                odds = old / (numbers.number(1).flat[0] - old) * numbers.apply("exp", move)
                changed[name] = odds / (numbers.number(1).flat[0] + odds)
            else:
                changed[name] = old * numbers.apply("exp", move) if law in POSITIVE else old + move
            start += size
        return changed


def _with_draws_of(batch: DrawBatch, places: np.ndarray, others: DrawBatch, names: list[str]) -> DrawBatch:
    """The batch with the draws at some places replaced."""
    changed = {name: batch.raw[name].copy() for name in names}
    for name in names:
        changed[name][places] = others.raw[name]
    return batch.having(**changed)


def move_raw(old: np.ndarray, move: np.ndarray, law: str) -> np.ndarray:
    """Raw numbers moved as their law allows: added to, multiplied, or as probabilities by their odds."""
    if law == "probabilities":
        with np.errstate(all="ignore"):
            odds = old / (1 - old) * np.exp(np.clip(move, -2, 2))
            return np.where(np.isfinite(odds), odds / (1 + odds), old)
    return old * np.exp(np.clip(move, -2, 2)) if law in POSITIVE else old + move


def join_batches(batches: list[DrawBatch]) -> DrawBatch:
    """Draws of one size in one batch."""
    first = batches[0]
    raw = {name: np.concatenate([one.raw[name] for one in batches]) for name in first.raw}
    fine = {name: np.concatenate([one.fine[name] for one in batches]) for name in first.fine}
    return DrawBatch(first.setting, first.sizes, first.marked, raw, fine)


def satisfying_draws(trials: Trials, batch: DrawBatch, n_wanted: int) -> DrawBatch | None:
    """Up to so many draws that satisfy the exact premises for some place of the claim's indices."""
    assignments = places_apart(trials.assignments(batch))
    if not assignments:
        return None
    batch = join_batches([batch, structured_draws(trials.task, batch)])
    met = np.zeros(len(batch), dtype=bool)
    for assignment in assignments:
        met |= are_met(trials, batch, FLOATS, assignment)
    places = np.flatnonzero(met)
    places = np.unique([*places[:n_wanted], *places[-4:]])  # images and mirrored ones come last, and are tried as well
    kept = [batch.only(places)] if met.any() else []
    missing = n_wanted - int(met.sum())
    if missing > 0:
        others = batch.only(np.flatnonzero(~met)[: max(missing, 1)])
        if len(others):
            kept += _push(trials, others, assignments)
    kept = [_with_fine(one, kept) for one in kept]
    return join_batches(kept) if kept else None


def _push(trials: Trials, batch: DrawBatch, assignments: list[dict[str, int]]) -> list[DrawBatch]:
    """Draws moved to where the premises hold, each for one place of the indices."""
    found: list[DrawBatch] = []
    chosen = [assignments[place] for place in np.unique(np.linspace(0, len(assignments) - 1, 3).astype(int))]
    for place, assignment in enumerate(chosen):
        if found and trials.is_search_over():
            break
        part = batch.only(np.arange(place, len(batch), len(chosen)))
        if not len(part):
            continue
        solver = PremiseSolver(trials, assignment)
        solved = solver.solve(part)
        refined = solver.refine(solved) if solved is not None else None
        if refined is not None and len(refined):  # what differs by rounding alone is no instance of ≠
            met = np.flatnonzero(are_met(trials, refined, FLOATS, assignment))
            found += [refined.only(met)] if len(met) else []
    return found


def _with_fine(batch: DrawBatch, others: list[DrawBatch]) -> DrawBatch:
    """The batch with fine numbers for all names that any other has them for."""
    names = set().union(*(one.fine for one in others))
    fine = {name: batch.fine[name] if name in batch.fine else as_decimals(batch.raw[name]) for name in names}
    return DrawBatch(batch.setting, batch.sizes, batch.marked, batch.raw, fine)


def as_decimals(array: np.ndarray) -> np.ndarray:
    """Floats as decimals, exactly."""
    numbers = Decimals(FINE_DIGITS + 10)
    with numbers.context():
        return np.asarray(numbers.from_floats(array), dtype=object)
