"""Quantisers against grids worked by hand and plain loops."""

import itertools

import pytest
import torch

from regard.errors import ArgumentError, DTypeError, RegardError, ValueRangeError
from regard.pretrained.quantise import Grid, Quantiser, fit_grid, parse_quantiser


def keys(*shape, seed=0):
    return torch.randn(*shape, generator=torch.manual_seed(seed))


def test_two_bits_by_hand():
    """From 0 to 6 in steps of 2; from −6 to 6 in steps of 4."""
    numbers = torch.tensor([[0.0, 0.9, 1.1, 6.0]])
    assert fit_grid(numbers, 2).codes(numbers).tolist() == [[0, 0, 1, 3]]
    assert fit_grid(numbers, 2).quantise(numbers).tolist() == [[0, 0, 2, 6]]
    assert fit_grid(numbers, 2, symmetric=True).quantise(numbers).tolist() == [[2, 2, 2, 6]]


def test_no_bits_store_the_mean_and_equal_numbers_are_kept():
    numbers = torch.tensor([[1.0, 2.0, 6.0]])
    assert fit_grid(numbers, 0).quantise(numbers).tolist() == [[3, 3, 3]]
    assert fit_grid(torch.full((1, 4), 2.5), 3).quantise(torch.full((1, 4), 2.5)).tolist() == [[2.5] * 4]


def test_numbers_beyond_the_grid_get_its_ends():
    grid = Grid(torch.tensor([[0.0]]), torch.tensor([[1.0]]), torch.tensor([[3.0]]))
    assert grid.quantise(torch.tensor([[-5.0, 9.0]])).tolist() == [[0, 3]]


def test_each_group_has_bits_of_its_own():
    numbers = keys(3, 50)
    together = fit_grid(numbers, torch.tensor([[1], [3], [8]])).quantise(numbers)
    for row, bits in enumerate((1, 3, 8)):
        assert torch.equal(together[row], fit_grid(numbers[row : row + 1], bits).quantise(numbers[row : row + 1])[0])
        assert len(together[row].unique()) <= 2**bits


def test_clipping_never_has_a_larger_error():
    numbers = torch.cat([keys(20, 100), 30 * torch.ones(20, 1)], dim=1)
    for bits in (1, 2, 4):
        plain, clipped = (fit_grid(numbers, bits, clip=clip).quantise(numbers) for clip in (False, True))
        errors = [((each - numbers) ** 2).sum(-1) for each in (plain, clipped)]
        assert (errors[1] <= errors[0] + 1e-4).all()
    assert errors[1].sum() < errors[0].sum()


@pytest.mark.parametrize("along", ["token", "channel"])
@pytest.mark.parametrize("group", [None, 3])
def test_groups_run_along_the_axis_that_is_named(along, group):
    """A plain loop over texts, heads, and stretches of tokens or channels."""
    numbers = keys(2, 2, 7, 8)
    found = Quantiser(3, along=along, group=group).quantise(numbers)
    for text in range(2):
        for head in range(2):
            lines = numbers[text, head] if along == "token" else numbers[text, head].T
            restored = found[text, head] if along == "token" else found[text, head].T
            for line, got in zip(lines, restored, strict=True):
                size = group or len(line)
                for start in range(0, len(line), size):
                    stretch = line[start : start + size]
                    low, high = stretch.min(), stretch.max()
                    step = (high - low) / 7 if high > low else 1.0
                    expected = [float(low + step * round(float((x - low) / step))) for x in stretch]
                    assert got[start : start + size].tolist() == pytest.approx(expected, abs=1e-5)


def test_errors_fall_by_a_factor_of_four_a_bit():
    numbers = keys(1, 4, 400, 16)
    errors = [float(((Quantiser(bits).quantise(numbers) - numbers) ** 2).mean()) for bits in range(2, 9)]
    assert all(3 < before / after < 6.5 for before, after in itertools.pairwise(errors))


@pytest.mark.parametrize(
    "name", ["int4:channel", "int2:token:symmetric", "int3:channel:clip", "int8:token:after", "int4:channel:group32"]
)
def test_names_are_read_as_they_are_written(name):
    assert parse_quantiser(name).name == name


@pytest.mark.parametrize("name", ["int", "4", "int4:", "int4:tokens", "int4:group", "fp8"])
def test_other_names_are_refused(name):
    with pytest.raises(ArgumentError, match="a quantiser is written as int4, with any of :token"):
        parse_quantiser(name)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("int9", "keys are stored in 0 to 8 bits; got 9"),
        ("int0:symmetric", "a symmetric quantiser needs at least one bit, for the sign; got 0"),
        ("int4:group1", "a group has at least two numbers; got 1"),
    ],
)
def test_impossible_quantisers(name, line):
    with pytest.raises(ValueRangeError) as caught:
        parse_quantiser(name)
    assert str(caught.value) == line


@pytest.mark.parametrize(
    ("numbers", "complaint"),
    [
        (
            torch.zeros(1, 1, 2, 2, dtype=torch.complex128),
            "floating-point numbers can be stored in few bits; got torch.complex128",
        ),
        (torch.zeros(1, 1, 2, 2, dtype=torch.int64), "got torch.int64"),
        (torch.zeros(1, 1, 0, 2), "there are no numbers to store"),
        (torch.full((1, 1, 2, 2), torch.nan), "numbers to store must be finite"),
        (torch.tensor([[[[3e38, -3e38]]]]), "and their range within torch.float32"),
    ],
)
def test_what_no_grid_holds_is_refused(numbers, complaint, unchecked):
    with pytest.raises(RegardError, match=complaint):
        Quantiser(4).quantise(numbers)


@pytest.mark.parametrize("setting", [{"bits": 2.0}, {"bits": "4"}, {"bits": 4, "group": 2.5}])
def test_bits_and_groups_are_whole_numbers(setting, unchecked):
    with pytest.raises(DTypeError, match="must be a whole number"):
        Quantiser(**setting)
