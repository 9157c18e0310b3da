"""Instances with a structure that random draws do not have: alike, collinear, uniform, zero, one, the identity."""

from __future__ import annotations

import numpy as np

from regard.claims.meaning.statements import Task
from regard.claims.trial.instances.draws import DrawBatch


def structured_draws(task: Task, batch: DrawBatch) -> DrawBatch:
    """Variants of the first draws that are alike: mirrored, equal, collinear, uniform, zero, the identity."""
    base = batch.only(slice(0, 2))
    variants = [_alike(task, base, factor) for factor in (1.0, 2.0, -1.0)]
    variants += [_flat(task, base, value) for value in (0.0, 1.0, 0.5, 2.0, -1.0)]
    variants += [_not_negative(task, base, sums_to_one=sums) for sums in (False, True)]
    if any(map(_is_square, base.raw.values())):
        variants += [_square(task, base, diagonal) for diagonal in (0, 1)]
    variants += [_images(task, base), _mirror(task, base)]
    raw = {name: np.concatenate([one.raw[name] for one in variants]) for name in base.raw}
    return DrawBatch(batch.setting, batch.sizes, batch.marked, raw)


N_SPARSE = 24


def sparse_draws(task: Task, batch: DrawBatch) -> DrawBatch:
    """Draws whose vectors and matrices have few entries, all of them 1: ranks are low, and products of them vanish."""
    base = batch.only(np.arange(N_SPARSE) % len(batch))
    rng = np.random.default_rng(len(batch))
    changed = {}
    for name, array in base.raw.items():
        if law_of(task, name) in ("normal", "symmetric"):
            entries = array.reshape(N_SPARSE, -1)
            ranks = np.argsort(rng.random(entries.shape), axis=1)
            changed[name] = (ranks < 1 + rng.integers(0, 3, (N_SPARSE, 1))).astype(float).reshape(array.shape)
    return base.having(**changed)


def _alike(task: Task, batch: DrawBatch, factor: float) -> DrawBatch:
    """Each symbol is a multiple of the first of its shape and law; with the factor 1, members of a family are equal."""
    families = {spec.name for spec in task.setting.symbols if spec.over}
    first: dict[tuple[object, ...], str] = {}
    changed: dict[str, np.ndarray] = {}
    for name, array in batch.raw.items():
        law = law_of(task, name)
        if law not in ("normal", "symmetric", "distribution", "positive", "probabilities"):
            continue
        key = (law, array.shape)
        source = changed.get(first.setdefault(key, name), batch.raw[first[key]])
        scale = factor if law in ("normal", "symmetric") and first[key] != name else 1.0
        is_family = factor == 1.0 and law == "normal" and name in families
        changed[name] = np.broadcast_to(source[:, :1], source.shape) if is_family else source * scale
    return batch.having(**changed)


def _not_negative(task: Task, batch: DrawBatch, *, sums_to_one: bool) -> DrawBatch:
    """Numbers without their signs; for each symbol divided by their sum, as weights are."""
    changed = {}
    for name, array in batch.raw.items():
        if law_of(task, name) == "normal":
            sizes = np.abs(array) + 1e-3
            axes = tuple(range(1, array.ndim))
            changed[name] = sizes / sizes.sum(axis=axes, keepdims=True) if sums_to_one else sizes
    return batch.having(**changed)


def _flat(task: Task, batch: DrawBatch, value: float) -> DrawBatch:
    """Distributions uniform, numbers all 0 or all 1."""
    changed = {}
    for name, array in batch.raw.items():
        law = law_of(task, name)
        if law in ("normal", "symmetric"):
            changed[name] = np.full_like(array, value)
        elif law in ("distribution", "positive", "probabilities"):
            changed[name] = np.ones_like(array)
    return batch.having(**changed)


def _square(task: Task, batch: DrawBatch, diagonal: int) -> DrawBatch:
    """Every square matrix the identity; or, with ones beside the diagonal, one that is singular and not symmetric."""
    laws = _ANY_MATRIX if diagonal == 0 else frozenset({"normal"})
    names = [name for name, array in batch.raw.items() if _is_square(array) and law_of(task, name) in laws]
    return batch.having(
        **{
            name: np.broadcast_to(np.eye(batch.raw[name].shape[-1], k=diagonal), batch.raw[name].shape)
            for name in names
        }
    )


_ANY_MATRIX = frozenset({"normal", "symmetric"})


def _mirror(task: Task, batch: DrawBatch) -> DrawBatch:
    """Vectors and distributions that are the first of their kind with its entries in the other order."""
    first: dict[tuple[object, ...], str] = {}
    changed: dict[str, np.ndarray] = {}
    for name, array in batch.raw.items():
        key = (law_of(task, name), array.shape)
        if (
            key[0] in ("normal", "distribution")
            and array.shape[-2:].count(1) == 1
            and first.setdefault(key, name) != name
        ):
            axis = -2 if array.shape[-1] == 1 else -1
            changed[name] = np.flip(batch.raw[first[key]], axis=axis)
    return batch.having(**changed)


def _images(task: Task, batch: DrawBatch) -> DrawBatch:
    """Every projection one onto the first axis, and vectors there: it changes none of them, without any rounding."""
    changed = {}
    for name, array in batch.raw.items():
        axis = np.zeros(array.shape[-2:])
        axis[0, 0] = 1.0
        if _is_square(array) and law_of(task, name) == "projection":
            changed[name] = np.broadcast_to(axis, array.shape)
        elif array.shape[-1] == 1 and law_of(task, name) == "normal":
            changed[name] = array * axis
    has_projection = any(law_of(task, name) == "projection" for name in changed)
    return batch.having(**changed) if has_projection else batch


def _is_square(array: np.ndarray) -> bool:
    return array.shape[-1] == array.shape[-2] > 1


def law_of(task: Task, name: str) -> str:
    """The law of a drawn symbol; letters for any number are positive."""
    laws = (spec.law for spec in task.setting.symbols if name in (spec.name, spec.group))
    return next(laws, None) or "positive"
