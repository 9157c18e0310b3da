"""Reading one id at a time: a recurrent network written as products of a vector and a matrix.

A network that reads one id after another does little at a time, and what calling torch costs would outweigh it.
What depends on the id alone is laid ready for every id; the vectors of n-grams are found by a dictionary.

    LSTM   i, f, m, o = a + h U            a: what comes from the input, both biases included in a and U's part
           c ← σ(f) c + σ(i) tanh(m)       h ← σ(o) tanh(c)
    GRU    r, z, n = a;  r′, z′, n′ = h U
           m = tanh(n + σ(r + r′) n′)      h ← (1 − σ(z + z′)) m + σ(z + z′) h
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from regard.shapes import Float, Int

Parts = tuple[np.ndarray, ...]
"""The state of one layer: (h,) or (h, c)."""


@dataclass(frozen=True)
class LayerWeights:
    """The weights of one layer, laid out so that a row vector is multiplied from the left."""

    from_input: Float[np.ndarray, "width gate"]
    from_state: Float[np.ndarray, "hidden gate"]
    input_bias: Float[np.ndarray, " gate"]
    state_bias: Float[np.ndarray, " gate"]

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray], number: int) -> LayerWeights:
        """Layer `number` of a torch GRU or LSTM."""
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        return cls(*(np.ascontiguousarray(arrays[f"cell.{name}_l{number}"].T) for name in names))


@dataclass(frozen=True)
class ReaderWeights:
    """A recurrent network's numbers, laid ready for reading; shared by all readers of a model.

    `by_token` is what each id adds to the first layer's gates, `from_context` what the context vector does.
    """

    cell: str
    by_token: Float[np.ndarray, "vocab gate"]
    from_context: Float[np.ndarray, "width gate"]
    layers: tuple[LayerWeights, ...]
    output: Float[np.ndarray, "feature vocab"]
    output_bias: Float[np.ndarray, " vocab"]
    table: Float[np.ndarray, "context width"]
    rows: Mapping[int, int]
    n_contexts: int

    @classmethod
    def of(cls, arrays: Mapping[str, np.ndarray], *, cell: str, layers: int, n_contexts: int) -> ReaderWeights:
        """From the arrays of a network; `n_contexts` is the length of its longest n-gram."""
        embedding, every = arrays["embedding.weight"], tuple(LayerWeights.of(arrays, i) for i in range(layers))
        own, beside = np.split(every[0].from_input, [embedding.shape[1]])
        keys: Int[np.ndarray, " context"] = arrays.get("contexts.keys", np.zeros(1, np.int64))
        return cls(
            cell=cell,
            by_token=embedding @ own + every[0].input_bias,
            from_context=beside,
            layers=every,
            output=np.ascontiguousarray(arrays["output.weight"].T),
            output_bias=arrays["output.bias"],
            table=arrays.get("contexts.table.weight", np.zeros((1, 0), embedding.dtype)),
            rows={key: row for row, key in enumerate(keys.tolist())},
            n_contexts=n_contexts,
        )


class RecurrentReader:
    """Reads ids one by one; at any time says what comes next."""

    def __init__(self, weights: ReaderWeights, *, start: int) -> None:
        self._weights, self._base = weights, len(weights.by_token) + 1
        self._step, n_parts = STEPS[weights.cell]
        self._states: list[Parts] = [
            (np.zeros(len(layer.from_state), layer.from_state.dtype),) * n_parts for layer in weights.layers
        ]
        self._digits: list[int] = []
        self.read(start)

    def next_log_probs(self) -> Float[np.ndarray, " vocab"]:
        """How likely each id is to come next, in nats."""
        seen = np.concatenate([self._states[-1][0], self._context])
        # in float64, so that probabilities sum to one to the last digit
        logits = (seen @ self._weights.output + self._weights.output_bias).astype(np.float64)
        logits -= logits.max()
        return logits - np.log(np.exp(logits).sum())

    def read(self, token: int) -> None:
        """Take in one more id."""
        weights = self._weights
        self._context = self._context_vector(token)
        gates = weights.by_token[token] + self._context @ weights.from_context
        for i, layer in enumerate(weights.layers):
            if i > 0:
                gates = self._states[i - 1][0] @ layer.from_input + layer.input_bias
            self._states[i] = self._step(gates, self._states[i], layer)

    def _context_vector(self, token: int) -> Float[np.ndarray, " width"]:
        """The sum of the vectors of all n-grams that end with this id."""
        self._digits = [token + 1, *self._digits[: self._weights.n_contexts - 1]]
        key, power, rows = token + 1, 1, []
        for digit in self._digits[1:]:
            power *= self._base
            key += digit * power
            rows.append(self._weights.rows.get(key, 0))
        return self._weights.table[rows or [0]].sum(axis=0)


def lstm_step(gates: Float[np.ndarray, " gate"], state: Parts, layer: LayerWeights) -> Parts:
    """h and c after one more input."""
    hidden, memory = state
    gates = gates + (hidden @ layer.from_state + layer.state_bias)
    n = len(hidden)
    into, keep, new, out = sigmoid(gates[:n]), sigmoid(gates[n : 2 * n]), np.tanh(gates[2 * n : 3 * n]), gates[3 * n :]
    memory = keep * memory + into * new
    return sigmoid(out) * np.tanh(memory), memory


def gru_step(gates: Float[np.ndarray, " gate"], state: Parts, layer: LayerWeights) -> Parts:
    """h after one more input."""
    (hidden,) = state
    from_state = hidden @ layer.from_state + layer.state_bias
    n = len(hidden)
    reset, keep = np.split(sigmoid(gates[: 2 * n] + from_state[: 2 * n]), 2)
    new = np.tanh(gates[2 * n :] + reset * from_state[2 * n :])
    return (new + keep * (hidden - new),)


def sigmoid(x: Float[np.ndarray, " unit"]) -> Float[np.ndarray, " unit"]:
    """1 / (1 + e^−x) = ½ + ½ tanh(x/2), which cannot overflow."""
    return 0.5 + 0.5 * np.tanh(0.5 * x)


Step = Callable[[np.ndarray, Parts, LayerWeights], Parts]
STEPS: dict[str, tuple[Step, int]] = {"gru": (gru_step, 1), "lstm": (lstm_step, 2)}
"""For each cell its step, and how many vectors a layer's state has."""
