import math

import mpmath
import numpy as np
import pytest
import torch

from regard.arrays import log_sum_exp, masked_softmax
from regard.errors import MaskedRowError, ShapeError, ValueRangeError

INF = math.inf
E = math.e


def tolerance(array) -> float:
    return 16 * float(np.finfo(str(array.dtype).removeprefix("torch.")).eps)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_worked_by_hand(make, dtype):
    weights = masked_softmax(make([[0.0, 1.0], [2.0, 2.0]], dtype=dtype))
    expected = [[1 / (1 + E), E / (1 + E)], [0.5, 0.5]]
    np.testing.assert_allclose(weights, expected, rtol=tolerance(weights))
    assert str(weights.dtype).endswith(dtype)
    assert type(weights) is type(make([0.0]))


@pytest.mark.parametrize(
    ("logits", "weights"),
    [
        ([1e308, -1e308], [1, 0]),
        ([-1e308, -1e308], [0.5, 0.5]),
        ([1e308, 1e308, 0.0], [0.5, 0.5, 0]),
        ([-INF, 3.0], [0, 1]),
        ([-INF, -1e308], [0, 1]),
        ([INF, 1e308], [1, 0]),
        ([INF, INF, 5.0, -INF], [0.5, 0.5, 0, 0]),
        ([1000.0, 1000.0 + math.log(3)], [0.25, 0.75]),
    ],
)
def test_logits_of_any_size(make, logits, weights):
    with np.errstate(all="raise"):
        np.testing.assert_allclose(masked_softmax(make(logits)), weights, rtol=1e-12)


def test_an_infinite_row_does_not_disturb_the_others(make):
    weights = masked_softmax(make([[INF, 0.0], [0.0, 0.0], [-INF, 0.0]]))
    np.testing.assert_array_equal(weights, [[1, 0], [0.5, 0.5], [0, 1]])


def test_a_mask_broadcasts_and_its_keys_weigh_exactly_nothing(make):
    logits = make([[0.0, 0.0, 700.0], [1.0, 1.0, -700.0]])
    weights = masked_softmax(logits, allowed=make([True, True, False], dtype=bool))
    np.testing.assert_array_equal(weights, [[0.5, 0.5, 0], [0.5, 0.5, 0]])


def test_what_is_masked_is_never_read(make):
    weights = masked_softmax(make([0.0, math.nan, INF]), allowed=make([True, False, False], dtype=bool))
    np.testing.assert_array_equal(weights, [1, 0, 0])


def test_the_logits_are_left_as_they_were(make):
    logits = make([1.0, 2.0])
    masked_softmax(logits)
    log_sum_exp(logits)
    np.testing.assert_array_equal(logits, [1.0, 2.0])


def test_nan_names_its_row(make):
    with pytest.raises(ValueRangeError) as caught:
        masked_softmax(make([[0.0, 1.0], [math.nan, 1.0]]))
    assert str(caught.value) == ("the logits in row 1 hold NaN: remove it, or mask its key with `allowed`")
    with pytest.raises(ValueRangeError, match=r"^the logits hold NaN"):
        log_sum_exp(make([math.nan, 1.0]))


def test_a_row_without_a_key_names_the_first(make):
    allowed = np.ones((2, 3, 4), dtype=bool)
    allowed[0, 2] = allowed[1, 1] = False
    with pytest.raises(MaskedRowError) as caught:
        masked_softmax(make(np.zeros((2, 3, 4))), allowed=make(allowed, dtype=bool))
    assert str(caught.value) == (
        "no key may be read in row (0, 2): each one is masked or has a logit of −∞; "
        "allow at least one, or ask for zeros with empty='zeros'"
    )


def test_a_row_without_a_key_gives_zeros_when_asked(make):
    weights = masked_softmax(make([[-INF, -INF], [0.0, -INF]]), empty="zeros")
    np.testing.assert_array_equal(weights, [[0, 0], [1, 0]])


def test_no_keys_at_all(make):
    nothing = make(np.zeros((2, 0)))
    with pytest.raises(MaskedRowError, match="in row 0"):
        masked_softmax(nothing)
    assert masked_softmax(nothing, empty="zeros").shape == (2, 0)
    np.testing.assert_array_equal(log_sum_exp(nothing), [-INF, -INF])


def test_no_rows_at_all(make):
    assert masked_softmax(make(np.zeros((0, 3)))).shape == (0, 3)


def test_another_word_for_empty(make, unchecked):
    with pytest.raises(ValueRangeError, match="empty must be one of 'error', 'zeros'; got 'nan'"):
        masked_softmax(make([0.0]), empty="nan")


@pytest.mark.parametrize("shape", [(3,), (3, 1), (1, 2, 2), ()])
def test_a_mask_that_does_not_fit(make, shape):
    with pytest.raises(ShapeError) as caught:
        masked_softmax(make(np.zeros((2, 2))), allowed=make(np.ones(shape), dtype=bool))
    assert str(caught.value) == (
        f"allowed must broadcast to the logits, of shape (2, 2) with the keys last; got {shape}"
    )


def test_a_single_number_has_no_keys(make, unchecked):
    with pytest.raises(ShapeError, match="logits need at least one axis, the keys; got a single number"):
        masked_softmax(make(1.0))


def test_log_sum_exp_against_fifty_digits(make):
    logits = [-3.0, 0.25, 700.0, 700.5]
    with mpmath.workdps(50):
        exact = float(mpmath.log(mpmath.fsum(mpmath.exp(x) for x in logits)))
    assert float(log_sum_exp(make(logits))) == pytest.approx(exact, rel=1e-15)


def test_log_sum_exp_at_the_limits(make):
    with np.errstate(all="raise"):
        np.testing.assert_array_equal(log_sum_exp(make([[1e308, -1e308]])), [1e308])
        logits = make([[1e308, 1e308], [-INF, 2.0], [-INF, -INF], [INF, 0.0]])
        np.testing.assert_array_equal(log_sum_exp(logits), [1e308, 2.0, -INF, INF])


def test_log_sum_exp_of_the_allowed(make):
    value = log_sum_exp(make([0.0, 0.0, 50.0]), allowed=make([True, True, False], dtype=bool))
    assert float(value) == pytest.approx(math.log(2), rel=1e-15)


def rows_with_every_case() -> tuple[torch.Tensor, torch.Tensor]:
    """Two ordinary rows; one that is masked, one of −∞, one with +∞, whose weights no small change moves."""
    rows = [[0.3, -1.2, 0.7], [2.0, 1.0, -INF], [1.0, 2.0, 3.0], [-INF, -INF, -INF], [INF, 0.0, 1.0]]
    allowed = torch.tensor([True, True, False, True, True])[:, None].expand(5, 3)
    return torch.tensor(rows, dtype=torch.float64, requires_grad=True), allowed


def test_gradients_hold_no_nan_and_agree_with_torch():
    logits, allowed = rows_with_every_case()
    upstream = torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64)
    (masked_softmax(logits, allowed=allowed, empty="zeros") * upstream).sum().backward()
    reference = logits.detach()[:2].clone().requires_grad_()
    (torch.softmax(reference, dim=-1) * upstream).sum().backward()
    torch.testing.assert_close(logits.grad[:2], reference.grad, rtol=1e-14, atol=1e-16)
    assert torch.equal(logits.grad[2:], torch.zeros(3, 3, dtype=torch.float64))


def test_gradient_of_log_sum_exp_is_softmax():
    logits, allowed = rows_with_every_case()
    log_sum_exp(logits, allowed=allowed).sum().backward()
    expected = torch.softmax(logits.detach()[:2], dim=-1)
    torch.testing.assert_close(logits.grad[:2], expected, rtol=1e-14, atol=0)
    assert torch.equal(logits.grad[2:], torch.zeros(3, 3, dtype=torch.float64))


def test_gradients_against_finite_differences():
    logits = torch.tensor([[0.1, -2.0, 1.3], [0.0, 0.5, 0.5]], dtype=torch.float64, requires_grad=True)
    allowed = torch.tensor([[True, True, True], [True, False, True]])
    assert torch.autograd.gradcheck(lambda x: masked_softmax(x, allowed=allowed), logits)
    assert torch.autograd.gradcheck(lambda x: log_sum_exp(x, allowed=allowed), logits)
    assert torch.autograd.gradgradcheck(lambda x: masked_softmax(x, allowed=allowed), logits)
