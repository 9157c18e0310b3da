"""Gradients and predicted damages against finite differences and whole forward passes."""

import pytest
import torch
from tests.support.pretrained import SENTENCES, STORY, load

from regard.pretrained.capture import watch_pass
from regard.pretrained.influence import damage_name, embed, has_predictions, influences, measure_damage, random_score
from regard.pretrained.load import token_blocks


def score_with(pretrained, ids, **changes):
    """The random score of seed 0, drawn from the unchanged model, when keys or values are changed."""
    with torch.no_grad():
        own = pretrained.model(input_ids=ids, attention_mask=torch.ones_like(ids))
        with watch_pass(pretrained.model, **changes):
            other = pretrained.model(input_ids=ids, attention_mask=torch.ones_like(ids))
    generator = torch.Generator().manual_seed(0)
    if not has_predictions(pretrained):
        direction = torch.randn(embed(own).shape, generator=generator)
        direction -= (direction * embed(own)).sum(-1, keepdim=True) * embed(own)
        return float((direction * embed(other)).sum())
    drawn = torch.multinomial(own.logits.softmax(-1).flatten(0, 1), 1, generator=generator)
    return float(other.logits.log_softmax(-1).flatten(0, 1).gather(-1, drawn).sum())


@pytest.mark.parametrize("name", ["stories", "gpt2", "roberta", "own"])
def test_gradients_are_those_of_finite_differences(layout_folder, name):
    pretrained = load(layout_folder(name))
    ids = torch.tensor(token_blocks(pretrained, [STORY])[:1])[:, :30]
    layer = next(influences(pretrained, ids.tolist()))[1]
    generator = torch.manual_seed(1)
    for what, tensor, gradient in (
        ("unrotated" if pretrained.rotary else "keys", layer.stored_keys, layer.key_gradient),
        ("values", layer.attention.values, layer.value_gradient),
    ):
        step = 1e-2 * torch.randn(tensor.shape, generator=generator)
        changes = [lambda number, each, by=by: each + by if number == 1 else each for by in (-step, step)]
        scores = [score_with(pretrained, ids, **{f"change_{what}": change}) for change in changes]
        assert (scores[1] - scores[0]) / 2 == pytest.approx(float((gradient * step).sum()), rel=0.05, abs=2e-4)


def test_the_change_of_an_output_is_weighed_by_its_gradient(gpt2):
    """The output of a head is a product of weights and values: its gradient gives that of the values."""
    ids = torch.tensor(token_blocks(gpt2, [STORY])[:1])
    layer = next(influences(gpt2, ids.tolist()))[0]
    by_value = layer.attention.weights.transpose(-1, -2) @ layer.output_gradient
    assert (by_value - layer.value_gradient).abs().max() <= 1e-5


@pytest.mark.parametrize("name", ["stories", "minilm"])
def test_half_the_squared_score_is_the_damage(layout_folder, name):
    """A small change of one layer's keys: mean of ½(g·Δ)² over random scores, against the measured damage."""
    pretrained = load(layout_folder(name))
    blocks = token_blocks(pretrained, [STORY] if name == "stories" else SENTENCES[:2], block=40)[:2]
    step = 0.05

    def change(number, keys):
        return keys * (1 + step) if number == 1 else keys

    measured = measure_damage(pretrained, blocks, {"change_keys": change})
    squares, count = 0.0, 0
    for seed in range(12):
        for layers in influences(pretrained, blocks, seed=seed):
            layer = layers[1]
            effect = (layer.key_gradient * layer.stored_keys).sum((-1, -2, -3)) * step
            squares += float((effect**2).sum()) / 2
            count += effect.numel() * (layer.stored_keys.shape[2] if name == "stories" else 1)
    assert squares / count == pytest.approx(measured, rel=0.6)
    assert measured > 0


def test_nothing_changed_is_no_damage(gpt2):
    assert measure_damage(gpt2, token_blocks(gpt2, SENTENCES), {}) == pytest.approx(0, abs=1e-9)


def test_what_damage_is_measured_in(gpt2, minilm):
    assert damage_name(gpt2) == "KL, nats a token"
    assert damage_name(minilm) == "1 − cosine of the embedding"


def test_a_score_of_an_embedding_is_orthogonal_to_it(minilm):
    """Making an embedding longer changes nothing that is measured: the score is 0 at the embedding itself."""
    ids = torch.tensor(token_blocks(minilm, SENTENCES[:1]))
    with torch.no_grad():
        output = minilm.model(input_ids=ids)
    assert float(random_score(minilm, output, torch.manual_seed(0))) == pytest.approx(0, abs=1e-5)
