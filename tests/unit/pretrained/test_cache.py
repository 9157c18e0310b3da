"""Packed bits hold the codes that were put in; models run on them as on keys that were quantised by hand."""

import pytest
import torch
from tests.support.pretrained import STORY, load

from regard.errors import CheckpointError
from regard.pretrained.bits import calibrate, make_plan, plan_bits
from regard.pretrained.cache import PackedCache, PackedChannels
from regard.pretrained.capture import watch_pass
from regard.pretrained.load import token_blocks
from regard.pretrained.quantise import Grid


@pytest.fixture(scope="module", params=["stories", "gpt2"])
def planned(request, layout_folder):
    """A model with and without rotary positions, and a plan for its keys and values."""
    pretrained = load(layout_folder(request.param))
    blocks = token_blocks(pretrained, [STORY])[:1]
    calibration = calibrate(pretrained, blocks)
    return pretrained, torch.tensor(blocks), plan_bits(pretrained, calibration, 3.0, per_channel=True, values=True)


def test_codes_come_back_whatever_the_steps_are():
    """Channels of 0, 1, 3 and 8 bits; tokens one by one, in sevens, and many at once."""
    bits = torch.tensor([[0, 1], [3, 8]])
    ones = torch.ones(2, 2, 1)
    grid = Grid(0 * ones, ones, 2.0 ** bits[..., None] - 1)
    generator = torch.Generator().manual_seed(0)
    whole = torch.rand(3, 2, 40, 2, generator=generator) * (2.0 ** bits[None, :, None] - 1)
    whole = whole.round()
    packed = PackedChannels(grid, bits)
    start = 0
    for size in (1, 7, 1, 20, 3, 8):
        packed.append(whole[:, :, start : start + size])
        start += size
        assert packed.n_tokens == start
        assert torch.equal(packed.read(), whole[:, :, :start])
    assert packed.planes.shape == (3, 12, 5)  # 0 + 1 + 3 + 8 planes of five bytes
    assert packed.n_bytes == 3 * 12 * 5
    packed.select(torch.tensor([2, 0]))
    assert torch.equal(packed.read(), whole[[2, 0]])


def test_a_prompt_is_read_as_with_keys_that_are_quantised_by_hand(planned):
    pretrained, ids, plan = planned
    cache = PackedCache(pretrained.model, plan)
    with torch.no_grad():
        found = pretrained.model(ids, past_key_values=cache).logits
        with watch_pass(pretrained.model, **plan.changes()):
            expected = pretrained.model(ids).logits
    assert (found - expected).abs().max() <= 1e-4
    assert cache.get_seq_length() == ids.shape[1]


def test_token_by_token_is_as_all_at_once(planned):
    pretrained, ids, plan = planned
    with torch.no_grad():
        whole = pretrained.model(ids[:, :21], past_key_values=PackedCache(pretrained.model, plan)).logits
        cache = PackedCache(pretrained.model, plan)
        steps = [pretrained.model(ids[:, i : i + 1], past_key_values=cache).logits for i in range(21)]
    assert (torch.cat(steps, dim=1) - whole).abs().max() <= 1e-3


def test_a_cache_takes_the_bits_that_were_planned(layout_folder):
    """3 bits a number, and less than eight tokens of a byte a number."""
    stories = load(layout_folder("stories"))
    ids = torch.tensor(token_blocks(stories, [STORY])[:1])[:, :64]
    calibration = calibrate(stories, ids.tolist())
    plan = make_plan(stories, calibration, torch.full((2, 5, 4, 8), 3), budget=3.0)
    cache = PackedCache(stories.model, plan)
    with torch.no_grad():
        stories.model(ids, past_key_values=cache)
    n_numbers = 2 * 5 * 4 * 8 * ids.shape[1]
    assert cache.n_bytes == n_numbers * 3 / 8
    keys_only = PackedCache(stories.model, make_plan(stories, calibration, torch.full((1, 5, 4, 8), 3), budget=3.0))
    with torch.no_grad():
        stories.model(ids, past_key_values=keys_only)
    assert keys_only.n_bytes == n_numbers / 2 * (3 / 8 + 4)


@pytest.mark.parametrize("beams", [1, 3])
def test_generation_runs_on_it(layout_folder, beams):
    stories = load(layout_folder("stories"))
    calibration = calibrate(stories, token_blocks(stories, [STORY]))
    plan = plan_bits(stories, calibration, 4.0, per_channel=True, values=True)
    cache = PackedCache(stories.model, plan)
    ids = stories.model.generate(
        torch.tensor([[1]]), max_length=24, do_sample=False, num_beams=beams, past_key_values=cache, pad_token_id=0
    )
    assert stories.tokenizer.decode(ids[0]).startswith("<s> Once upon a time, there was a little")
    cache.reset()
    assert cache.get_seq_length() == 0


def test_a_plan_of_another_model(planned, layout_folder):
    pretrained, _, plan = planned
    other = load(layout_folder("own" if pretrained.n_layers != 2 else "stories"))
    with pytest.raises(CheckpointError, match=r"this plan is for .* layers; the model has"):
        PackedCache(other.model, plan)
