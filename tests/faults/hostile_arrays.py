"""Hostile arrays through every public function of arrays, noise and design.

    python -m tests.faults.hostile_arrays --cases 100000 --seed 0

A case takes arguments that a function accepts and spoils one or two of them: NaN, infinities, huge and subnormal
numbers, no numbers at all, one of them, equal ones, other dtypes, other shapes, other kinds of objects. Regard must
answer with an error of its own, in one line, or with numbers none of which is NaN or infinite. It must not warn, and
must end in time.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from regard import arrays, design, noise
from regard.errors import RegardError
from tests.faults.harness import Outcome, search, try_use

SECONDS = 20.0
"""CPU time that one call may take."""
DTYPES = (
    "complex128",
    "object",
    "S8",
    "U8",
    "bool",
    "int8",
    "uint64",
    "float16",
    "float32",
    "longdouble",
    "datetime64[s]",
)
NUMBERS = (np.nan, np.inf, -np.inf, 1.7e308, -1.7e308, 1e160, 5e-324, 1e-300, -0.0, -1.0, 0.0)
OBJECTS = (None, "x", b"x", True, [], {}, 1j, 10**400, -1, 0, 2.5, Decimal("0.5"), Fraction(1, 3), float("nan"),
           float("inf"), -float("inf"), 1e308, 5e-324, object(), [[1.0], [1.0, 2.0]], (1, 2), np.float32(0.5),
           np.bool_(True), np.longdouble("1e4000"), np.array(1.0), np.array([1.0]), 10**18)  # fmt: skip


def recipes(rng: np.random.Generator) -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    """Each function with arguments that it accepts, of a few keys and a small width."""
    n, width, heads = int(rng.integers(2, 6)), int(rng.integers(2, 5)), int(rng.integers(1, 3))
    keys, queries = rng.normal(size=(n, width)), rng.normal(size=(heads, width))
    values = rng.normal(size=(n, 2))
    weights = rng.dirichlet(np.ones(n))
    basis_a, basis_b = rng.normal(size=(6, 2)), rng.normal(size=(6, 2))
    variance = float(rng.uniform(0.01, 2.0))
    noisy = {"mean": keys, "variance": variance, "values": values, "queries": queries}
    orthogonal = np.linalg.qr(rng.normal(size=(6, 6)))[0][:n]
    return {
        "attend": (arrays.attend, {"queries": queries, "keys": keys, "values": values, "scale": 1.0}),
        "attention_weights": (arrays.attention_weights, {"queries": queries, "keys": keys, "scale": 1.0}),
        "masked_softmax": (arrays.masked_softmax, {"logits": keys}),
        "masked_softmax, mask": (arrays.masked_softmax, {"logits": keys, "allowed": rng.random(keys.shape) < 0.9}),
        "log_sum_exp": (arrays.log_sum_exp, {"logits": keys}),
        "entropy": (arrays.entropy, {"weights": weights}),
        "effective_count": (arrays.effective_count, {"weights": weights}),
        "is_copying": (arrays.is_copying, {"weights": weights, "tolerance": 0.01}),
        "top": (arrays.top, {"weights": weights, "count": 2}),
        "extract": (arrays.extract, {"total": rng.normal(size=6), "basis": basis_a}),
        "projector": (arrays.projector, {"basis": basis_a}),
        "principal_angles": (arrays.principal_angles, {"basis_a": basis_a, "basis_b": basis_b}),
        "recover": (arrays.recover, {"total": rng.normal(size=6), "basis_a": basis_a, "basis_b": basis_b}),
        "multi_head": (arrays.multi_head, {"queries": queries, "keys": keys, "values": values, "scale": 1.0}),
        "head_moments": (noise.head_moments, {"mean": keys[:, 0], "sd": np.abs(keys[:, 1]), "values": values}),
        "moments": (noise.moments, {"logit_mean": keys[:, 0], "logit_variance": keys[:, 1] ** 2, "values": values}),
        "moment_gradient": (_gradient, {"mean": keys[:, 0], "sd": np.abs(keys[:, 1]), "values": values, "by": weights}),
        "isotropic": (_law, {**noisy, "part": "isotropic"}),
        "radial": (_law, {**noisy, "part": "radial"}),
        "diagonal": (_law, {**noisy, "variance": rng.uniform(0, 1, width), "part": "diagonal"}),
        "low_rank": (_law, {**noisy, "variance": rng.normal(size=(width, 1)), "part": "low_rank"}),
        "full": (_law, {**noisy, "variance": np.eye(width) * variance, "part": "full"}),
        "probability": (_ask, {**noisy, "key": 0, "above": 0.5}),
        "density": (_density, {**noisy, "key": 0, "at": 0.5}),
        "density_curve": (_curve, {**noisy, "key": 0, "at": np.linspace(0.1, 0.9, 3)}),
        "mean_squared_error": (_miss, {**noisy, "target": values[0]}),
        "sample": (_sample, {**noisy, "n_draws": 8}),
        "copy": (design.copy, {"keys": orthogonal, "index": 0, "error": 0.01}),
        "average": (design.average, {"keys": orthogonal, "subset": [0, 1], "error": 0.01}),
        "mix": (design.mix, {"keys": orthogonal, "weights": weights, "error": 0.01}),
        "hull_bound": (design.hull_bound, {"keys": keys, "index": 0}),
        "reachability": (design.reachability, {"keys": keys, "weights": weights, "tolerance": 1e-9}),
        "robust": (_robust, {**noisy, "target": values.mean(axis=0), "heads": 1}),
        "robust, two heads": (
            _robust,
            {**noisy, "target": values.mean(axis=0), "heads": 2, "bound": 5.0, "part": "radial"},
        ),
        "one noisy key": (_one_key, {**noisy, "key": 0}),
        "two kinds of noise": (_two_kinds, {**noisy, "factor": rng.normal(size=(width, 2))}),
        "shared noise": (_shared, {**noisy, "shared": rng.normal(size=(1, n, width))}),
        "draws": (_drawn, {**noisy, "seed": 0, "n_draws": 64, "method": "sampling"}),
        "attend, √width": (arrays.attend, {"queries": queries, "keys": keys, "values": values, "scale": "sqrt"}),
        "average_scale": (design.average_scale, {"n_keys": 8, "n_chosen": 2, "error": 0.01}),
        "copy_scale": (design.copy_scale, {"n_keys": 8, "error": 0.01, "coherence": 0.1}),
        "logit_gap": (design.logit_gap, {"n_keys": 8, "error": 0.01}),
        "outside_weight": (design.outside_weight, {"n_keys": 8, "n_chosen": 2, "scale": 5.0}),
        "smallest_scale": (design.smallest_scale, {"offsets": keys[:, 0], "gaps": keys[:, 1], "error": 0.01}),
    }


def _law(mean: Any, variance: Any, values: Any, queries: Any, part: str = "isotropic") -> Any:
    if not isinstance(part, str) or part not in noise.__all__:
        raise RegardError("no such part: the harness spoilt its own argument")
    keys = noise.GaussianKeys(mean, getattr(noise, part)(variance))
    return noise.output_law(keys, values, queries)


def _ask(key: Any, above: Any, **given: Any) -> Any:
    return _law(**given).probability(key, above=above)


def _density(key: Any, at: Any, **given: Any) -> Any:
    return _law(**given).density(key, at=at)


def _curve(key: Any, at: Any, **given: Any) -> Any:
    return _law(**given).density_curve(key, at=at)


def _miss(target: Any, **given: Any) -> Any:
    return _law(**given).mean_squared_error(target)


def _sample(n_draws: Any, **given: Any) -> Any:
    return _law(**given).sample(np.random.default_rng(0), n_draws)


def _gradient(mean: Any, sd: Any, values: Any, by: Any) -> Any:
    return noise.moment_gradient(mean, sd, values, noise.Cotangents(weight_mean=by))


def _robust(
    mean: Any, variance: Any, values: Any, queries: Any, target: Any, heads: Any, part: str = "isotropic", **more: Any
) -> Any:
    del queries
    return design.robust(noise.GaussianKeys(mean, getattr(noise, part)(variance)), values, target, heads=heads, **more)


def _one_key(mean: Any, variance: Any, values: Any, queries: Any, key: Any) -> Any:
    return noise.output_law(noise.GaussianKeys(mean, noise.radial(variance, key=key)), values, queries)


def _two_kinds(mean: Any, variance: Any, values: Any, queries: Any, factor: Any) -> Any:
    covariance = noise.isotropic(variance) + noise.low_rank(factor)
    return noise.output_law(noise.GaussianKeys(mean, covariance), values, queries)


def _shared(mean: Any, variance: Any, values: Any, queries: Any, shared: Any) -> Any:
    keys = noise.GaussianKeys(mean, noise.isotropic(variance), shared=shared)
    return noise.output_law(keys, values, queries)


def _drawn(mean: Any, variance: Any, values: Any, queries: Any, **settings: Any) -> Any:
    return noise.output_law(noise.GaussianKeys(mean, noise.isotropic(variance)), values, queries, **settings)


def spoil(argument: Any, rng: np.random.Generator) -> tuple[str, Any]:
    """The argument made hostile, and what was done to it."""
    is_array = isinstance(argument, np.ndarray) and argument.size > 0 < argument.ndim and argument.dtype.kind in "fb"
    if not is_array or rng.random() < 0.12:
        put = OBJECTS[rng.integers(len(OBJECTS))]
        return f"{put!r}"[:30], put
    kind = ("entry", "all", "dtype", "empty", "one", "equal", "shape", "scale", "list", "zero", "layout")[
        rng.integers(11)
    ]
    return _SPOILERS[kind](argument, rng)


def _spoil_entry(array: Any, rng: np.random.Generator) -> tuple[str, Any]:
    number, spoilt = NUMBERS[rng.integers(len(NUMBERS))], array.astype(float)
    if spoilt.size:
        spoilt.flat[rng.integers(spoilt.size)] = number
    return f"an entry {number}", spoilt


def _spoil_all(array: Any, rng: np.random.Generator) -> tuple[str, Any]:
    number = NUMBERS[rng.integers(len(NUMBERS))]
    return f"all {number}", np.full(array.shape, number)


def _spoil_dtype(array: Any, rng: np.random.Generator) -> tuple[str, Any]:
    dtype = DTYPES[rng.integers(len(DTYPES))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return f"dtype {dtype}", array.astype("int64").astype(dtype) if "datetime" in dtype else array.astype(dtype)


def _spoil_shape(array: Any, rng: np.random.Generator) -> tuple[str, Any]:
    ways = (
        array[..., None],
        array[None],
        array.ravel(),
        array[:1],
        array[..., :1],
        np.concatenate([array, array]),
        array.T,
    )
    way = ways[rng.integers(len(ways))]
    return f"shape {way.shape}", way


def _spoil_scale(array: Any, rng: np.random.Generator) -> tuple[str, Any]:
    factor = 10.0 ** rng.choice([-320, -200, -30, 3, 8, 30, 150, 200, 300])
    with np.errstate(all="ignore"):
        return f"times {factor:g}", array * factor


_SPOILERS: dict[str, Callable[[Any, np.random.Generator], tuple[str, Any]]] = {
    "entry": _spoil_entry,
    "all": _spoil_all,
    "dtype": _spoil_dtype,
    "empty": lambda array, rng: ("empty", array[:0] if rng.random() < 0.5 else array[..., :0]),
    "one": lambda array, rng: ("one element", np.array(array.flat[0])),
    "equal": lambda array, rng: ("equal rows", np.repeat(array[:1], len(array), axis=0)),
    "shape": _spoil_shape,
    "scale": _spoil_scale,
    "list": lambda array, rng: ("a list", array.tolist()),
    "zero": lambda array, rng: ("zeros", np.zeros_like(array)),
    "layout": lambda array, rng: ("reversed strides", array[::-1]),
}


def make_case(seed: int) -> tuple[str, Callable[..., Any], dict[str, Any], str]:
    """Case number `seed`: the function's name, the function, its arguments, and what was spoilt."""
    rng = np.random.default_rng([seed, 7])
    known = recipes(rng)
    name = list(known)[rng.integers(len(known))]
    function, arguments = known[name]
    spoilt = []
    for _ in range(1 if rng.random() < 0.7 else 2):
        which = list(arguments)[rng.integers(len(arguments))]
        if which == "part":
            continue
        what, arguments[which] = spoil(arguments[which], rng)
        spoilt.append(f"{which}: {what}")
    return name, function, arguments, ", ".join(spoilt)


def try_call(function: Callable[..., Any], arguments: dict[str, Any]) -> Outcome:
    """Call it, and say what it came to."""
    may_be_infinite = function is arrays.log_sum_exp  # of no logits, or of infinite ones

    def judge(answer: Any) -> Outcome:
        is_sound = all(_is_sound(part, may_be_infinite) for part in _numbers(answer))
        return Outcome("answered" if is_sound else "not finite")

    return try_use(lambda: function(**arguments), seconds=SECONDS, judge=judge)


def _numbers(answer: Any) -> Iterator[Any]:
    """The arrays and numbers within an answer."""
    if dataclasses.is_dataclass(answer):
        for field in dataclasses.fields(answer):
            if field.name not in (
                "angles",
                "worst_error_per_unit",
                "noise_gain",
                "residual_nats",
            ):  # infinite on purpose
                yield from _numbers(getattr(answer, field.name))
    elif isinstance(answer, tuple | list):
        for part in answer:
            yield from _numbers(part)
    elif isinstance(answer, np.ndarray | float | np.floating | complex):
        yield answer


def _is_sound(part: Any, may_be_infinite: bool) -> bool:
    array = np.asarray(part)
    if array.dtype.kind not in "fiub":
        return False
    wrong = np.isnan if may_be_infinite else lambda numbers: ~np.isfinite(numbers)
    return not wrong(array.astype(float)).any()


def run(seeds: range) -> tuple[Counter[str], dict[tuple[str, str, str], list[int]]]:
    """How often each kind of outcome came, and for each fault the cases that show it."""
    kinds: Counter[str] = Counter()
    faults: dict[tuple[str, str, str], list[int]] = {}
    for seed in seeds:
        name, function, arguments, _ = make_case(seed)
        outcome = try_call(function, arguments)
        kinds[outcome.kind] += 1
        if outcome.is_fault:
            faults.setdefault((name, outcome.kind, outcome.detail), []).append(seed)
    return kinds, faults


if __name__ == "__main__":
    search(__doc__ or "", 20_000, run)
