"""Steps for tables of which each batch reads only a few rows.

    n_r ← n_r + 1,  s_r ← s_r + mean(g_r²)   two numbers for each row: how often it was read, and what it was told
    w_r ← w_r − rate · g_r / √(s_r/n_r)

Each reading moves a row by about `rate` per entry, whatever the size of its gradients. So a row that is read twice in a
round through the text stays near zero, and one that is read often goes as far as it has reason to: rare n-grams are
trusted little, which is what keeps such a table from learning the text by heart. Adagrad, which divides by √s_r, has
the opposite habit, long first steps; at the same loss of the training text it predicts other text worse by 0.02 nats.
Adam does as well as this, with two moments for each entry that cost more to update and to save than the table itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import torch
from torch import Tensor

TINY = 1e-20
"""Where a row's gradient has been zero so far, it stays where it is."""


class RowSteps(torch.optim.Optimizer):
    """Gradient descent with one scale for each row of a table; gradients must be sparse, other rows are not touched."""

    def __init__(self, params: Iterable[Tensor], lr: float = 0.002) -> None:
        super().__init__(params, {"lr": lr})

    def step(self, closure: Callable[[], float] | None = None) -> None:
        """Move every row that has a gradient."""
        assert closure is None, "the gradients must be there already"
        for group in self.param_groups:
            for table in group["params"]:
                if table.grad is not None:
                    with torch.no_grad():
                        self._move(table, group["lr"])

    def _move(self, table: Tensor, rate: float) -> None:
        state = self.state[table]
        if not state:
            state["squares"], state["readings"] = table.new_zeros(len(table)), table.new_zeros(len(table))
        gradient = table.grad.coalesce()
        rows, values = gradient.indices()[0], gradient.values()
        squares, readings = state["squares"][rows] + values.square().mean(dim=1), state["readings"][rows] + 1
        state["squares"][rows], state["readings"][rows] = squares, readings
        table.index_add_(0, rows, values * (-rate * (readings / (squares + TINY)).sqrt())[:, None])
