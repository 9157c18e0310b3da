"""Several heads that read the same keys: the plain form, and the form a Transformer has.

plain         c = (1/h) Σₕ attend(qₕ, K, V)                                 h queries, no matrices
Transformer   y = Σₕ softmax(scale · X Wq (M Wk)ᵀ) (M Wv) Wo                one Wq, Wk, Wv, Wo for each head h
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from regard.arrays.attention import Scale, attend, attention_weights
from regard.arrays.namespace import floating, narrow, quiet, require_finite, widen
from regard.arrays.softmax import require_broadcast
from regard.display import short_repr
from regard.errors import ShapeError, ValueRangeError
from regard.shapes import Array, Bool, Float

Combine: TypeAlias = Literal["mean", "concat"]
"""What becomes of the outputs of the heads: their mean, or all of them one after the other."""


def multi_head(
    queries: Float[Array, "*batch head width"],
    keys: Float[Array, "*batch key width"],
    values: Float[Array, "*batch key value_width"],
    *,
    combine: Combine = "mean",
    scale: Scale = 1.0,
    allowed: Bool[Array, "*mask"] | None = None,
) -> Float[Array, "*batch combined"]:
    """What several heads, one query each, read from the keys they share.

    The result is as wide as a value for "mean", and `head` times as wide for "concat".
    `scale` is that of `attend`; `allowed` broadcasts against "*batch head key".

    >>> import numpy as np
    >>> keys = 50 * np.eye(3)
    >>> multi_head(keys[:2], keys, np.array([[1.0], [3.0], [7.0]]))
    array([2.])
    """
    if combine not in get_args(Combine):
        raise ValueRangeError(f"combine must be 'mean' or 'concat'; got {combine!r}")
    xp, [queries, keys, values] = floating(queries=queries, keys=keys, values=values)
    outputs = attend(queries, keys, values, scale=scale, allowed=allowed)
    if combine == "concat":
        return xp.reshape(outputs, (*outputs.shape[:-2], outputs.shape[-2] * outputs.shape[-1]))
    if outputs.shape[-2] == 0:
        raise ShapeError(f"the mean over heads needs at least one query; got queries {tuple(queries.shape)}")
    with quiet():
        mean = xp.mean(outputs, axis=-2)
    return require_finite(xp, mean, what="the mean over heads", values=values)


@short_repr
@dataclass(frozen=True, eq=False)
class MultiHead:
    """Multi-head attention as a Transformer has it: four matrices for each head.

    y = Σₕ softmax(scale · X Wq (M Wk)ᵀ) (M Wv) Wo with inputs X and memory M, one position a row; `scale` is
    1/√head_width ("sqrt") unless a number is given. Many libraries store all heads in one matrix of
    (width, head · head_width): `w.reshape(width, head, head_width).swapaxes(0, 1)` takes them apart.
    """

    w_query: Float[Array, "head width head_width"]
    w_key: Float[Array, "head memory_width head_width"]
    w_value: Float[Array, "head memory_width value_width"]
    w_output: Float[Array, "head value_width out_width"]
    scale: Scale | None = None

    def __post_init__(self) -> None:
        _, matrices = floating(**self._matrices())
        for name, matrix in zip(self._matrices(), matrices, strict=True):
            object.__setattr__(self, name, matrix)
        shapes = [tuple(matrix.shape) for matrix in self._matrices().values()]
        if not _fit_together(shapes):
            raise ShapeError(
                "the matrices must fit together: w_query (head, width, head_width), "
                "w_key (head, memory_width, head_width), w_value (head, memory_width, value_width), "
                f"w_output (head, value_width, out_width); got {', '.join(map(str, shapes))}"
            )

    def __call__(
        self,
        inputs: Float[Array, "*batch query width"],
        *,
        memory: Float[Array, "*batch key memory_width"] | None = None,
        allowed: Bool[Array, "*mask"] | None = None,
        causal: bool = False,
    ) -> Float[Array, "*batch query out_width"]:
        """What every position of `inputs` reads from `memory`, or from the inputs themselves.

        `allowed` broadcasts against "*batch query key" and holds for all heads; `causal` lets position i read
        only the positions up to i.
        """
        queries, keys, memory, how = self._read(inputs, memory, allowed=allowed, causal=causal)
        xp, [w_value, w_output] = self._widen("w_value", "w_output")
        outputs = attend(queries, keys, _project_per_head(xp, memory=memory, w_value=w_value), **how)
        head = outputs.ndim - 3
        with quiet():
            total = xp.tensordot(outputs, w_output, axes=((head, head + 2), (0, 1)))
        return narrow(xp, require_finite(xp, total, what="the output", values=outputs, w_output=w_output), self.w_query)

    def weights(
        self,
        inputs: Float[Array, "*batch query width"],
        *,
        memory: Float[Array, "*batch key memory_width"] | None = None,
        allowed: Bool[Array, "*mask"] | None = None,
        causal: bool = False,
    ) -> Float[Array, "*batch head query key"]:
        """How strongly every position reads every other, head by head; arguments as in a call."""
        queries, keys, _, how = self._read(inputs, memory, allowed=allowed, causal=causal)
        xp, _ = self._widen("w_query")
        return narrow(xp, attention_weights(queries, keys, **how), self.w_query)

    def _read(
        self, inputs: Array, memory: Array | None, *, allowed: Array | None, causal: bool
    ) -> tuple[Array, Array, Array, dict[str, Any]]:
        """Queries and keys with a head axis, the memory, and the options of `attend`; in float32 at least."""
        memory = inputs if memory is None else memory
        xp, [inputs, memory, *_] = floating(inputs=inputs, memory=memory, **self._matrices(), allowed=allowed)
        self._require_fit(inputs, memory)
        if allowed is not None:
            require_broadcast(allowed, (*inputs.shape[:-1], memory.shape[-2]))
        if causal:
            _require_one_position_each(inputs.shape[-2], memory.shape[-2])
        how = {
            "scale": "sqrt" if self.scale is None else self.scale,
            "allowed": allowed if allowed is None or allowed.ndim < 2 else xp.expand_dims(allowed, axis=-3),
            "causal": causal,
        }
        inputs, memory = widen(xp, inputs, memory)
        _, [w_query, w_key] = self._widen("w_query", "w_key")
        queries, keys = (
            _project_per_head(xp, inputs=inputs, w_query=w_query),
            _project_per_head(xp, memory=memory, w_key=w_key),
        )
        return queries, keys, memory, how

    def _widen(self, *names: str) -> tuple[Any, list[Array]]:
        xp, matrices = floating(**{name: getattr(self, name) for name in names})
        return xp, widen(xp, *matrices)

    def _matrices(self) -> dict[str, Array]:
        return {
            "w_query": self.w_query,
            "w_key": self.w_key,
            "w_value": self.w_value,
            "w_output": self.w_output,
        }

    def _require_fit(self, inputs: Array, memory: Array) -> None:
        shapes = f"got inputs {tuple(inputs.shape)} and memory {tuple(memory.shape)}"
        if inputs.ndim < 2 or memory.ndim != inputs.ndim or inputs.shape[:-2] != memory.shape[:-2]:
            raise ShapeError(f"inputs and memory need a position axis, a width, and the same batch axes; {shapes}")
        for name, array, matrix in (("inputs", inputs, self.w_query), ("memory", memory, self.w_key)):
            if array.shape[-1] != matrix.shape[1]:
                raise ShapeError(f"{name} must have the width of the matrices, {matrix.shape[1]}; {shapes}")


def _require_one_position_each(n_inputs: int, n_memory: int) -> None:
    if n_inputs != n_memory:
        raise ShapeError(
            f"causal needs one memory position for each input; got {n_inputs} inputs and {n_memory} in memory"
        )


def _project_per_head(xp: Any, **rows_and_matrices: Array) -> Float[Array, "*batch head row narrow"]:
    """Rows of shape "*batch row wide" times matrices "head wide narrow", named so that an error can name them."""
    (rows, matrices), names = rows_and_matrices.values(), list(rows_and_matrices)
    with quiet():
        product = xp.moveaxis(xp.tensordot(rows, matrices, axes=((rows.ndim - 1,), (1,))), -2, -3)
    return require_finite(xp, product, what=f"{names[0]} @ {names[1]}", **rows_and_matrices)


def _fit_together(shapes: list[tuple[int, ...]]) -> bool:
    if any(len(shape) != 3 for shape in shapes):
        return False
    query, key, value, output = shapes
    return len({shape[0] for shape in shapes}) == 1 and (query[2], key[1], value[2]) == (
        key[2],
        value[1],
        output[1],
    )
