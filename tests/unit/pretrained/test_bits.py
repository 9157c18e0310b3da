"""Bits under a budget: the allocation against all others, damages against plain loops, plans in files."""

import itertools

import pytest
import torch
from tests.support.pretrained import STORY, load

from regard.errors import InputFileError, ValueRangeError
from regard.pretrained import bits
from regard.pretrained.bits import BitPlan, allocate, calibrate, channel_damages, make_plan, plan_bits, spread_evenly
from regard.pretrained.influence import influences, measure_damage
from regard.pretrained.load import token_blocks
from regard.pretrained.quantise import fit_grid


@pytest.fixture(scope="module")
def story(layout_folder):
    stories = load(layout_folder("stories"))
    blocks = token_blocks(stories, [STORY])
    return stories, blocks, calibrate(stories, blocks)


def test_the_best_of_all_allocations_is_found():
    """Convex rows: the greedy choice is the best one."""
    generator = torch.Generator().manual_seed(0)
    steps = torch.rand(4, 4, generator=generator).double().sort(dim=1, descending=True).values
    damages = torch.cat([torch.zeros(4, 1).double(), -steps.cumsum(1)], dim=1) + 9
    found = allocate(damages, budget=2.0)
    assert int(found.sum()) == 8
    totals = {
        chosen: float(damages[range(4), chosen].sum())
        for chosen in itertools.product(range(5), repeat=4)
        if sum(chosen) <= 8
    }
    assert float(damages[range(4), found].sum()) == pytest.approx(min(totals.values()))


def test_bits_that_save_nothing_alone_come_with_the_next():
    """The first bit of the first unit is useless, two together save most."""
    damages = torch.tensor([[9.0, 9.0, 0.0], [2.0, 1.0, 0.5]])
    assert allocate(damages, budget=1.0).tolist() == [2, 0]
    assert allocate(damages, budget=1.5).tolist() == [2, 1]


def test_bits_that_are_not_allowed_are_not_given():
    infinite = float("inf")
    damages = torch.tensor([[infinite, infinite, 2.0, infinite, 1.0], [infinite, infinite, 5.0, infinite, 1.0]])
    assert allocate(damages, budget=3.0).tolist() == [2, 4]
    with pytest.raises(
        ValueRangeError, match="a budget of 1 bits is below the fewest that are allowed; give a larger one"
    ):
        allocate(damages, budget=1.0)


def test_equal_bits_have_the_mean_of_the_budget():
    assert spread_evenly((2, 3), 2.5).tolist() == [[2, 3, 2], [3, 2, 3]]
    assert spread_evenly((4,), 3.0).tolist() == [3, 3, 3, 3]


def test_damages_are_those_of_a_plain_loop(story, monkeypatch):
    stories, blocks, calibration = story
    table = channel_damages(calibration.keys, calibration.n_scored)
    monkeypatch.setattr(bits, "MAX_TOGETHER", 1)
    assert torch.equal(channel_damages(calibration.keys[:2], calibration.n_scored), table[:2])
    assert table.shape == (5, 4, 8, 9)
    assert (table[..., 1:].sum((0, 1, 2)).diff() < 0).all()
    layer = next(influences(stories, blocks))[3]
    keys, gradients = layer.stored_keys[0, 2, :, 5], layer.key_gradient[0, 2, :, 5]
    grid = fit_grid(keys[None], 3, clip=True)
    expected = sum(
        float(g * (restored - key)) ** 2 / 2
        for key, g, restored in zip(keys, gradients, grid.quantise(keys[None])[0], strict=True)
    )
    assert float(table[3, 2, 5, 3]) == pytest.approx(expected / len(blocks[0]), rel=1e-4)


@pytest.mark.parametrize(("per_channel", "values"), [(False, True), (True, False)])
def test_a_plan_keeps_its_budget(story, per_channel, values):
    stories, _, calibration = story
    plan = plan_bits(stories, calibration, 2.5, per_channel=per_channel, values=values)
    assert plan.mean_bits == pytest.approx(2.5, abs=0.06)
    assert plan.mean_bits <= 2.5
    assert (plan.values is not None) == values
    same = (plan.keys.bits == plan.keys.bits[..., :1]).all()
    assert bool(same) == (not per_channel)


def test_channels_with_bits_of_their_own_do_less_damage(story):
    stories, blocks, calibration = story
    plan = plan_bits(stories, calibration, 3.0, per_channel=True)
    equal = make_plan(stories, calibration, torch.full((1, 5, 4, 8), 3), budget=3.0)
    assert measure_damage(stories, blocks, plan.changes()) < 0.7 * measure_damage(stories, blocks, equal.changes())


def test_eight_bits_change_next_to_nothing(story):
    stories, blocks, calibration = story
    plan = make_plan(stories, calibration, torch.full((2, 5, 4, 8), 8), budget=8.0)
    assert measure_damage(stories, blocks, plan.changes()) < 1e-3


def test_a_plan_survives_a_file(story, tmp_path):
    stories, _, calibration = story
    plan = plan_bits(stories, calibration, 3.0, per_channel=True, values=True)
    (tmp_path / "plan.json").write_text(plan.to_json())
    read = BitPlan.read(tmp_path / "plan.json")
    assert repr(read) == repr(plan)
    for name in ("keys", "values"):
        for field, tensor in vars(getattr(plan, name)).items():
            assert torch.equal(getattr(getattr(read, name), field), tensor)


@pytest.mark.parametrize("content", ["", "{}", '{"format": "other"}', '{"format": "regard bit plan 1"}'])
def test_a_file_that_is_no_plan(tmp_path, content):
    (tmp_path / "plan.json").write_text(content)
    with pytest.raises(InputFileError, match=r"plan.json is no plan of bits as `regard heads --bits --plan` writes it"):
        BitPlan.read(tmp_path / "plan.json")


def test_a_budget_below_one_bit(story):
    stories, _, calibration = story
    with pytest.raises(ValueRangeError, match=r"a budget is 1 to 8 bits for each stored number; got 0\.5"):
        plan_bits(stories, calibration, 0.5)
