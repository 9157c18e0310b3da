"""What is captured is what the model's own eager attention computes."""

import pytest
import torch
from tests.support.pretrained import ids_of

from regard.pretrained.capture import Rotary, attention_weights, repeat_heads, watch_pass


def run(pretrained, ids, **changes):
    """The attention of every layer, and what the model returns."""
    seen = []
    with torch.no_grad(), watch_pass(pretrained.model, seen.append, **changes):
        output = pretrained.model(input_ids=ids)[0]
    return seen, output


def test_the_model_returns_what_it_returns_with_its_own_attention(pretrained):
    ids = ids_of(pretrained)
    with torch.no_grad():
        own = pretrained.model(input_ids=ids)[0]
    seen, output = run(pretrained, ids)
    assert len(seen) == pretrained.n_layers
    assert (output - own).abs().max() <= 1e-5


def test_weights_and_outputs_are_those_of_eager_attention(pretrained):
    ids, into = ids_of(pretrained), []
    hooks = [
        each.output.register_forward_pre_hook(lambda _, given: into.append(given[0])) for each in pretrained.attentions
    ]
    with torch.no_grad():
        own = pretrained.model(input_ids=ids, output_attentions=True).attentions
    for hook in hooks:
        hook.remove()
    seen, _ = run(pretrained, ids)
    for layer, weights, heads in zip(seen, own, into, strict=True):
        assert (layer.weights - weights).abs().max() <= 1e-5
        assert (layer.outputs.transpose(1, 2).flatten(2) - heads).abs().max() <= 1e-5


def test_queries_keys_and_values_give_the_outputs_by_a_plain_loop(pretrained):
    seen, _ = run(pretrained, ids_of(pretrained))
    layer = seen[-1]
    group = layer.queries.shape[1] // layer.keys.shape[1]
    last = layer.queries.shape[2] - 1  # the last query reads every key, in encoders and in decoders
    for head in range(layer.queries.shape[1]):
        keys, values = layer.keys[0, head // group].double(), layer.values[0, head // group].double()
        logits = keys @ layer.queries[0, head, last].double() * layer.scale
        expected = (logits - logits.max()).exp() @ values / (logits - logits.max()).exp().sum()
        assert (layer.outputs[0, head, last] - expected).abs().max() <= 1e-5
    assert torch.equal(layer.outputs_with(layer.keys), layer.outputs)


def test_the_model_is_left_as_it_was(pretrained):
    hooks = sum(len(module._forward_hooks) for module in pretrained.model.modules())
    run(pretrained, ids_of(pretrained))
    assert pretrained.model.config._attn_implementation == "eager"
    assert sum(len(module._forward_hooks) for module in pretrained.model.modules()) == hooks


def test_keys_that_are_replaced_reach_the_output(pretrained):
    ids = ids_of(pretrained)
    _, own = run(pretrained, ids)
    _, same = run(pretrained, ids, change_keys=lambda _, keys: keys, change_values=lambda _, values: values)
    assert torch.equal(own, same)
    _, other = run(pretrained, ids, change_keys=lambda layer, keys: keys * (0.5 if layer == 0 else 1))
    assert (other - own).abs().max() > 1e-4


def test_keys_before_rotary_positions_turn_into_those_after(stories):
    seen, own = run(stories, ids_of(stories))
    positions = torch.arange(seen[0].keys.shape[2])
    for layer in seen:
        assert (stories.rotary.rotate(layer.unrotated, positions) - layer.keys).abs().max() <= 1e-5
        assert (stories.rotary.unrotate(layer.keys, positions) - layer.unrotated).abs().max() <= 1e-5
    _, same = run(stories, ids_of(stories), change_unrotated=lambda _, keys: keys.clone())
    assert torch.equal(same, own)
    _, other = run(stories, ids_of(stories), change_unrotated=lambda _, keys: 0 * keys)
    assert (other - own).abs().max() > 0.1


def test_rotation_by_hand():
    """A quarter turn of the pair (1, 2) is (−2, 1); a stretch of three is undone."""

    class Quarter(torch.nn.Module):
        def forward(self, keys, positions):
            zeros = torch.zeros(1, positions.shape[1], 2)
            return zeros, zeros + 3

    key = torch.tensor([[[[1.0, 2.0, 7.0]]]])
    turned = Rotary(Quarter()).rotate(key, torch.tensor([0]))
    assert turned.flatten().tolist() == [-6, 3, 7]
    assert Rotary(Quarter()).unrotate(turned, torch.tensor([0])).flatten().tolist() == [1, 2, 7]


def test_shared_heads_are_repeated_one_by_one():
    shared = torch.arange(2.0)[None, :, None, None]
    assert repeat_heads(shared, 4).flatten().tolist() == [0, 0, 1, 1]
    assert repeat_heads(shared, 2) is shared


def test_weights_by_hand():
    queries, keys = torch.tensor([[[[2.0]]]]), torch.tensor([[[[0.0], [1.0]]]])
    weights = attention_weights(queries, keys, mask=None, scale=0.5)
    assert weights.flatten().tolist() == pytest.approx([1 / (1 + 2.718281828), 2.718281828 / (1 + 2.718281828)])
    masked = attention_weights(queries, keys, mask=torch.tensor([[[[0.0, -1e30]]]]), scale=0.5)
    assert masked.flatten().tolist() == [1, 0]
