"""Predictions for whole models against noise that is drawn in their keys, and against whole forward passes."""

import math

import pytest
import torch
from tests.support.pretrained import STORY, load

from regard.errors import CheckpointError
from regard.pretrained import sensitivity
from regard.pretrained.capture import repeat_heads, watch_pass
from regard.pretrained.influence import measure_damage
from regard.pretrained.load import token_blocks
from regard.pretrained.noise_laws import Noise
from regard.pretrained.profile import head_grams
from regard.pretrained.quantise import parse_quantiser
from regard.pretrained.sensitivity import predict_noise, square_root


def test_lengths_after_the_output_projection(minilm):
    basis = square_root(head_grams(minilm, 2))
    x = torch.randn(minilm.head_width, generator=torch.manual_seed(0)).double()
    weight = minilm.attentions[2].output_weight.detach().double()[:, 3 * 32 : 4 * 32]
    assert float((x @ basis[3]).norm()) == pytest.approx(float((weight @ x).norm()), rel=1e-5)


@pytest.mark.parametrize("name", ["gpt2", "roberta"])
def test_predictions_are_what_noise_in_whole_keys_does(layout_folder, name):
    """Noise is drawn in keys, not in logits; the error is measured through W_O in the captured layer."""
    pretrained = load(layout_folder(name))
    blocks = token_blocks(pretrained, [STORY])[:1]
    noises = [Noise("radial", 0.1), Noise("isotropic", 0.2)]
    found = {(each.noise, each.layer, each.head): each for each in predict_noise(pretrained, blocks, noises)}
    seen = []
    with torch.no_grad(), watch_pass(pretrained.model, seen.append):
        pretrained.model(input_ids=torch.tensor(blocks))
    layer, head, generator = seen[1], 1, torch.manual_seed(0)
    keys = repeat_heads(layer.keys, pretrained.n_heads)
    width = pretrained.head_width
    weight = pretrained.attentions[1].output_weight.detach()[:, head * width : (head + 1) * width]
    for noise in noises:
        squares = []
        for _ in range(200):
            if noise.kind == "radial":
                drawn = keys * (1 + noise.level * torch.randn(*keys.shape[:3], 1, generator=generator))
            else:
                size = keys[:, head].square().sum(-1).mean().sqrt() / math.sqrt(width)
                drawn = keys + noise.level * size * torch.randn(keys.shape, generator=generator)
            logits = layer.queries @ drawn.transpose(-1, -2) * layer.scale
            logits = logits if layer.mask is None else logits + layer.mask
            outputs = torch.softmax(logits, -1) @ repeat_heads(layer.values, pretrained.n_heads)
            squares.append(((outputs - layer.outputs)[:, head] @ weight.T).square().sum(-1).mean())
        own = (layer.outputs[:, head] @ weight.T).square().sum(-1).mean()
        expected = math.sqrt(float(torch.stack(squares).mean() / own))
        assert found[noise.name, 1, head].error == pytest.approx(expected, rel=0.25)


def test_a_quantisers_error_is_that_of_the_layer(stories):
    """Keys stored before rotary positions, in one layer: what the model then captures there."""
    blocks = token_blocks(stories, [STORY])
    quantiser = parse_quantiser("int3:channel")
    found = [each for each in predict_noise(stories, blocks, [quantiser]) if each.layer == 2]
    ids, seen, changed = torch.tensor(blocks), [], []
    with torch.no_grad():
        with watch_pass(stories.model, seen.append):
            stories.model(input_ids=ids)
        with watch_pass(
            stories.model,
            changed.append,
            change_unrotated=lambda number, keys: quantiser.quantise(keys) if number == 2 else keys,
        ):
            stories.model(input_ids=ids)
    weight = stories.attentions[2].output_weight.detach()
    for each in found:
        place = slice(each.head * 8, each.head * 8 + 8)
        own = (seen[2].outputs[0, each.head] @ weight[:, place].T).square().sum()
        change = ((changed[2].outputs - seen[2].outputs)[0, each.head] @ weight[:, place].T).square().sum()
        assert each.error == pytest.approx(math.sqrt(change / own), rel=1e-3)
        assert each.method == "exact"
    whole = (seen[2].outputs[0].transpose(0, 1).flatten(1) @ weight.T).square().sum()
    assert found[0].layer_error == pytest.approx(
        found[0].error * math.sqrt(float((seen[2].outputs[0, 0] @ weight[:, :8].T).square().sum() / whole)), rel=1e-3
    )


def test_predicted_damage_is_what_whole_passes_measure(gpt2):
    """Three bits in one head at a time, on many random texts: whole forward passes against one backward pass."""
    quantiser = parse_quantiser("int3:token")
    blocks = torch.randint(4, 40, (150, 24), generator=torch.manual_seed(0)).tolist()
    for each in predict_noise(gpt2, blocks, [quantiser]):

        def change(number, keys, each=each):
            keys = keys.clone()
            if number == each.layer:
                keys[:, each.head] = quantiser.quantise(keys[:, each.head : each.head + 1])[:, 0]
            return keys

        assert each.damage == pytest.approx(measure_damage(gpt2, blocks, {"change_keys": change}), rel=0.5)


def test_rotary_positions_of_an_unknown_kind_are_refused_with_the_reason(layout_folder):
    """Keys are never stored in a form that may not be theirs; after rotary positions they can be."""
    pretrained = load(layout_folder("cohere"))
    blocks = token_blocks(pretrained, [STORY])
    with pytest.raises(CheckpointError, match=r"not known here \(CohereRotaryEmbedding\); give int4:channel:after"):
        predict_noise(pretrained, blocks, [parse_quantiser("int4")])
    assert predict_noise(pretrained, blocks, [parse_quantiser("int4:after")])[0].error > 0


def test_weights_ask_for_gradients_again_after_a_backward_pass(gpt2):
    predict_noise(gpt2, [[5, 6, 7, 8]], [Noise("radial", 0.1)])
    assert all(parameter.requires_grad for parameter in gpt2.model.parameters())


def test_heads_looked_at_a_few_at_a_time_give_the_same(gpt2, monkeypatch):
    blocks = torch.randint(4, 40, (6, 24), generator=torch.manual_seed(1)).tolist()
    noises = [Noise("radial", 0.1), Noise("isotropic", 0.1)]
    whole = predict_noise(gpt2, blocks, noises)
    monkeypatch.setattr(sensitivity, "MAX_TOGETHER", 1)
    for alone, together in zip(predict_noise(gpt2, blocks, noises), whole, strict=True):
        assert alone.damage == pytest.approx(together.damage, rel=1e-5)
