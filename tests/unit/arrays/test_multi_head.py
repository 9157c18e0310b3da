import math

import numpy as np
import pytest
import torch
from torch.nn.functional import multi_head_attention_forward

from regard.arrays import MultiHead, attend, multi_head
from regard.errors import DTypeError, MaskedRowError, ShapeError, ValueRangeError


def test_two_heads_that_copy_give_the_mean_of_what_they_copy(make):
    keys, values = make(100 * np.eye(3)), make([[1.0, 0.0], [3.0, 2.0], [50.0, 60.0]])
    queries = make(np.eye(3)[:2])
    np.testing.assert_allclose(multi_head(queries, keys, values), [2.0, 1.0], rtol=1e-15)
    joined = multi_head(queries, keys, values, combine="concat")
    np.testing.assert_allclose(joined, [1.0, 0.0, 3.0, 2.0], rtol=1e-15, atol=1e-15)


def test_copies_of_one_query_are_no_better_than_one(make):
    rng = np.random.default_rng(0)
    query, keys, values = (make(rng.standard_normal(shape)) for shape in ((1, 4), (5, 4), (5, 2)))
    three = make(np.repeat(np.asarray(query), 3, axis=0))
    np.testing.assert_allclose(multi_head(three, keys, values), attend(query, keys, values)[0], rtol=1e-14)


def test_batches_scale_and_mask_reach_every_head(make):
    rng = np.random.default_rng(1)
    queries, keys, values = (make(rng.standard_normal(shape)) for shape in ((2, 3, 4), (2, 5, 4), (2, 5, 6)))
    allowed = make(np.arange(5) > 1, dtype=bool)
    outputs = attend(queries, keys, values, scale=2.0, allowed=allowed)
    mean = multi_head(queries, keys, values, scale=2.0, allowed=allowed)
    concat = multi_head(queries, keys, values, combine="concat", scale=2.0, allowed=allowed)
    np.testing.assert_allclose(mean, np.asarray(outputs).mean(axis=1), rtol=1e-14)
    np.testing.assert_array_equal(concat, np.asarray(outputs).reshape(2, 18))


def test_another_word_for_combine(make, unchecked):
    ones = make(np.ones((2, 2)))
    with pytest.raises(ValueRangeError, match="combine must be 'mean' or 'concat'; got 'sum'"):
        multi_head(ones, ones, ones, combine="sum")


def test_no_head_has_no_mean(make):
    with pytest.raises(ShapeError, match=r"the mean over heads needs at least one query; got queries \(0, 2\)"):
        multi_head(make(np.ones((0, 2))), make(np.ones((3, 2))), make(np.ones((3, 2))))


WIDTH, HEADS, POSITIONS = 12, 3, 5


def heads_of(matrix: torch.Tensor) -> torch.Tensor:
    """torch stores (head · head_width, width) and multiplies from the right by the transpose."""
    return matrix.T.reshape(WIDTH, HEADS, -1).swapaxes(0, 1)


def torch_module(dtype=torch.float64) -> torch.nn.MultiheadAttention:
    torch.manual_seed(0)
    return torch.nn.MultiheadAttention(WIDTH, HEADS, bias=False, batch_first=True, dtype=dtype)


def from_torch(module: torch.nn.MultiheadAttention) -> MultiHead:
    query, key, value = map(heads_of, module.in_proj_weight.detach().chunk(3))
    output = module.out_proj.weight.detach().T.reshape(HEADS, WIDTH // HEADS, WIDTH)
    return MultiHead(query, key, value, output)


def random_positions(*shape: int, dtype=torch.float64) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(2), dtype=dtype)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-13), (torch.float32, 1e-5)])
def test_self_attention_as_in_torch(dtype, tolerance):
    module, inputs = torch_module(dtype), random_positions(2, POSITIONS, WIDTH, dtype=dtype)
    output, weights = module(inputs, inputs, inputs, average_attn_weights=False)
    torch.testing.assert_close(from_torch(module)(inputs), output.detach(), rtol=tolerance, atol=tolerance)
    torch.testing.assert_close(from_torch(module).weights(inputs), weights.detach(), rtol=tolerance, atol=tolerance)


def test_causal_attention_as_in_torch():
    module, inputs = torch_module(), random_positions(2, POSITIONS, WIDTH)
    hidden = torch.ones(POSITIONS, POSITIONS).triu(1).bool()
    output, weights = module(inputs, inputs, inputs, attn_mask=hidden, average_attn_weights=False)
    ours = from_torch(module)
    torch.testing.assert_close(ours(inputs, causal=True), output.detach(), rtol=1e-13, atol=1e-14)
    torch.testing.assert_close(ours.weights(inputs, causal=True), weights.detach(), rtol=1e-13, atol=1e-14)
    torch.testing.assert_close(ours(inputs, allowed=~hidden), output.detach(), rtol=1e-13, atol=1e-14)


def test_another_memory_with_padding_as_in_torch():
    module, inputs, memory = torch_module(), random_positions(2, 4, WIDTH), random_positions(2, 7, WIDTH) + 1
    padding = torch.tensor([[False] * 5 + [True] * 2, [False] * 7])
    output, weights = module(inputs, memory, memory, key_padding_mask=padding, average_attn_weights=False)
    ours, allowed = from_torch(module), ~padding[:, None, :]
    actual = ours(inputs, memory=memory, allowed=allowed)
    torch.testing.assert_close(actual, output.detach(), rtol=1e-13, atol=1e-14)
    actual = ours.weights(inputs, memory=memory, allowed=allowed)
    torch.testing.assert_close(actual, weights.detach(), rtol=1e-13, atol=1e-14)


def test_agrees_with_the_function_under_the_module():
    module, inputs = torch_module(), random_positions(POSITIONS, 1, WIDTH)
    output, weights = multi_head_attention_forward(
        inputs, inputs, inputs, WIDTH, HEADS, module.in_proj_weight.detach(), None, None, None, False, 0.0,
        module.out_proj.weight.detach(), None,
    )  # fmt: skip
    ours = from_torch(module)
    torch.testing.assert_close(ours(inputs[:, 0]), output[:, 0], rtol=1e-13, atol=1e-14)
    torch.testing.assert_close(ours.weights(inputs[:, 0]).mean(dim=0), weights[0], rtol=1e-13, atol=1e-14)


def test_numpy_and_torch_give_the_same():
    module, inputs = torch_module(), random_positions(2, POSITIONS, WIDTH)
    ours = from_torch(module)
    in_numpy = MultiHead(*(matrix.numpy() for matrix in (ours.w_query, ours.w_key, ours.w_value, ours.w_output)))
    actual = in_numpy(inputs.numpy(), causal=True)
    assert isinstance(actual, np.ndarray)
    np.testing.assert_allclose(actual, ours(inputs, causal=True), rtol=1e-13, atol=1e-14)


def test_widths_may_all_differ(make):
    """One head, one position of memory: the output is M Wv Wo, whatever the query."""
    rng = np.random.default_rng(4)
    shapes = ((1, 2, 3), (1, 4, 3), (1, 4, 5), (1, 5, 6))
    matrices = [rng.standard_normal(shape) for shape in shapes]
    memory = rng.standard_normal((1, 4))
    head = MultiHead(*map(make, matrices))
    expected = np.repeat(memory @ matrices[2][0] @ matrices[3][0], 3, axis=0)
    np.testing.assert_allclose(head(make(np.ones((3, 2))), memory=make(memory)), expected, rtol=1e-13)


def test_the_scale_is_one_over_the_root_of_the_head_width_unless_given(make):
    one = make(np.ones((1, 1, 4)))
    inputs = make([[1.0], [2.0]])
    weights = MultiHead(one, one, one, make(np.ones((1, 4, 1)))).weights(inputs)
    assert float(weights[0, 0, 1]) == pytest.approx(1 / (1 + math.exp(-4 / 2)), rel=1e-14)
    weights = MultiHead(one, one, one, make(np.ones((1, 4, 1))), scale=1.0).weights(inputs)
    assert float(weights[0, 0, 1]) == pytest.approx(1 / (1 + math.exp(-4)), rel=1e-14)


def test_gradients_reach_every_matrix():
    ours, inputs = from_torch(torch_module()), random_positions(2, WIDTH).requires_grad_()
    matrices = [m.clone().requires_grad_() for m in (ours.w_query, ours.w_key, ours.w_value, ours.w_output)]
    MultiHead(*matrices)(inputs).square().sum().backward()
    assert all(bool((tensor.grad != 0).any()) for tensor in (inputs, *matrices))


def small(make) -> MultiHead:
    return MultiHead(*(make(np.ones((2, 3, 3))) for _ in range(4)))


def test_matrices_that_do_not_fit(make, unchecked):
    square, wide = make(np.ones((2, 3, 3))), make(np.ones((2, 3, 4)))
    for matrices in (
        (wide, square, square, square),
        (square, square, wide, square),
        (square[:1], *[square] * 3),
    ):
        with pytest.raises(ShapeError, match=r"the matrices must fit together: w_query \(head, width, head_width\)"):
            MultiHead(*matrices)
    with pytest.raises(ShapeError, match=r"got \(3, 3\), \(2, 3, 3\), \(2, 3, 3\), \(2, 3, 3\)$"):
        MultiHead(square[0], square, square, square)
    with pytest.raises(DTypeError, match=r"w_key is .*float32"):
        MultiHead(square, make(np.ones((2, 3, 3)), dtype="float32"), square, square)


def test_inputs_that_do_not_fit(make, unchecked):
    head, inputs = small(make), make(np.ones((4, 3)))
    with pytest.raises(ShapeError, match="inputs must have the width of the matrices, 3; got inputs"):
        head(make(np.ones((4, 2))))
    with pytest.raises(ShapeError, match=r"memory must have .* 3; got inputs \(4, 3\) and memory \(4, 2\)"):
        head(inputs, memory=make(np.ones((4, 2))))
    with pytest.raises(ShapeError, match="need a position axis, a width, and the same batch axes"):
        head(inputs, memory=make(np.ones((2, 4, 3))))
    with pytest.raises(ShapeError, match=r"of shape \(4, 4\) with the keys last; got \(4, 5\)"):
        head(inputs, allowed=make(np.ones((4, 5)), dtype=bool), causal=True)


def test_causal_needs_positions_that_correspond(make):
    with pytest.raises(ShapeError, match="causal needs one memory position for each input; got 4 inputs and 5 in"):
        small(make)(make(np.ones((4, 3))), memory=make(np.ones((5, 3))), causal=True)


def test_a_position_that_may_read_nothing(make):
    allowed = make([[True, True], [False, False]], dtype=bool)
    with pytest.raises(MaskedRowError, match=r"in row \(0, 1\)"):
        small(make)(make(np.ones((2, 3))), allowed=allowed)
    only_later = make([False, True], dtype=bool)
    with pytest.raises(MaskedRowError, match=r"in row \(0, 0\)"):
        small(make)(make(np.ones((2, 3))), allowed=only_later, causal=True)
