"""The direct effect of a head against whole forward passes, in models where the direct path is the only one."""

import copy
from dataclasses import replace

import pytest
import torch
from tests.support.pretrained import STORY, load

from regard.pretrained.influence import direct_effects, has_direct_path
from regard.pretrained.load import token_blocks


def without_last_feedforward(pretrained):
    """The model with the last layer's feed-forward part silenced: its last heads act on the loss directly alone."""
    model = copy.deepcopy(pretrained.model)
    layers = model.model.layers if hasattr(model, "model") else model.transformer.h
    last = layers[-1].mlp
    output = last.down_proj if hasattr(last, "down_proj") else last.c_proj
    for parameter in output.parameters():
        parameter.data.zero_()
    attentions = tuple(
        replace(each, module=model.get_submodule(each.name), output=model.get_submodule(f"{each.name}.{name}"))
        for each, name in (
            (each, "o_proj" if hasattr(each.module, "o_proj") else "c_proj") for each in pretrained.attentions
        )
    )
    return replace(pretrained, model=model, attentions=attentions)


def loss_with_mean(pretrained, ids, head):
    """The loss when a head of the last layer returns its mean, by a whole forward pass."""
    width = pretrained.head_width
    place = slice(head * width, (head + 1) * width)

    def set_mean(_, given):
        heads = given[0].clone()
        heads[..., place] = heads[..., place].mean(1, keepdim=True)
        return (heads,)

    hook = pretrained.attentions[-1].output.register_forward_pre_hook(set_mean)
    loss = float(pretrained.model(input_ids=ids, labels=ids).loss)
    hook.remove()
    return loss


@pytest.mark.parametrize("name", ["stories", "gpt2"])
def test_effects_are_those_of_whole_forward_passes(layout_folder, name):
    pretrained = without_last_feedforward(load(layout_folder(name)))
    blocks = token_blocks(pretrained, [STORY])
    ids = torch.tensor(blocks)
    effects = direct_effects(pretrained, blocks)
    assert effects.shape == (pretrained.n_layers, pretrained.n_heads)
    with torch.no_grad():
        loss = float(pretrained.model(input_ids=ids, labels=ids).loss)
        expected = [loss_with_mean(pretrained, ids, head) - loss for head in range(pretrained.n_heads)]
    assert effects[-1].tolist() == pytest.approx(expected, abs=2e-5)
    assert max(map(abs, expected)) > 1e-3


def test_a_model_without_such_a_path_has_no_effects(minilm):
    assert not has_direct_path(minilm)
    assert direct_effects(minilm, [[101, 102]]) is None
