import numpy as np
import pytest
import torch

from regard.training.network.learner import RowSteps


def table_of(n_rows, width, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.nn.Parameter(torch.randn(n_rows, width, generator=generator, dtype=torch.float64))


def set_gradient(table, rows, values):
    table.grad = torch.sparse_coo_tensor(
        torch.tensor([rows]), torch.as_tensor(values, dtype=table.dtype), tuple(table.shape), check_invariants=True
    )


def test_worked_by_hand():
    """Rows (3, 4): mean square 12.5; then twice that gradient: a mean of (12.5 + 50)/2 over two readings."""
    table = torch.nn.Parameter(torch.zeros(3, 2, dtype=torch.float64))
    optimiser, told = RowSteps([table], lr=0.1), np.array([3.0, 4.0])
    set_gradient(table, [1], told[None])
    optimiser.step()
    first = 0.1 * told / np.sqrt(12.5)
    np.testing.assert_allclose(table.detach()[1], -first, rtol=1e-12)
    set_gradient(table, [1], 2 * told[None])
    optimiser.step()
    np.testing.assert_allclose(table.detach()[1], -first - 0.1 * 2 * told / np.sqrt(31.25), rtol=1e-12)
    assert not table.detach()[[0, 2]].any()


def test_a_plain_loop_says_the_same():
    rng = np.random.default_rng(1)
    table = table_of(6, 3)
    expected, squares, readings = table.detach().numpy().copy(), np.zeros(6), np.zeros(6)
    optimiser = RowSteps([table], lr=0.3)
    for _ in range(20):
        rows, values = rng.integers(0, 6, 5), rng.standard_normal((5, 3))
        set_gradient(table, rows.tolist(), values)
        optimiser.step()
        for row in set(rows.tolist()):  # a row that was read twice has one gradient, the sum
            gradient = values[rows == row].sum(axis=0)
            squares[row] += (gradient**2).mean()
            readings[row] += 1
            expected[row] -= 0.3 * gradient / np.sqrt(squares[row] / readings[row])
    np.testing.assert_allclose(table.detach(), expected, rtol=1e-12)


@pytest.mark.parametrize("scale", [1e-7, 1.0, 1e6])
def test_the_size_of_gradients_does_not_matter(scale):
    table = torch.nn.Parameter(torch.zeros(2, 4))
    optimiser = RowSteps([table], lr=0.5)
    set_gradient(table, [0], [[scale, -scale, scale, scale]])
    optimiser.step()
    np.testing.assert_allclose(table.detach()[0], [-0.5, 0.5, -0.5, -0.5], rtol=1e-5)


def test_gradients_that_are_zero_or_missing_move_nothing():
    table, idle = table_of(3, 2), table_of(2, 2)
    before = table.detach().clone()
    set_gradient(table, [1], [[0.0, 0.0]])
    RowSteps([table, idle]).step()
    assert torch.equal(table.detach(), before)


def test_its_state_is_two_numbers_a_row():
    table = table_of(4, 3)
    optimiser = RowSteps([table])
    for _ in range(2):
        set_gradient(table, [2], [[1.0, 1.0, 1.0]])
        optimiser.step()
    state = {name: value.tolist() for name, value in optimiser.state[table].items()}
    assert state == {"squares": [0, 0, 2, 0], "readings": [0, 0, 2, 0]}
