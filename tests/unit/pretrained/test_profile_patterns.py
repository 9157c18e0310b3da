"""The largest weights of each query are those of the model's own attention."""

import numpy as np
import torch
from tests.support.pretrained import STORY

from regard.pretrained import profile
from regard.pretrained.load import token_blocks
from regard.pretrained.profile import capture_patterns


def test_patterns_are_the_largest_weights(stories):
    block = token_blocks(stories, [STORY])[0]
    found = capture_patterns(stories, block)
    with torch.no_grad():
        own = stories.model(torch.tensor([block]), output_attentions=True).attentions
    assert found.keys.shape == (5, 8, len(block), profile.MAX_PLACES)
    assert found.tokens[:3] == ("<s>", "▁Once", "▁upon")
    weights = own[3][0, 6, 20].numpy()
    expected = np.argsort(-weights)[:4]
    assert found.keys[3, 6, 20, :4].tolist() == expected.tolist()
    assert np.abs((found.levels[3, 6, 20, :4] / 255.0) ** 2 - weights[expected]).max() <= 0.005
    largest = np.mean([layer.topk(profile.MAX_PLACES).values.sum(-1).mean().item() for layer in own])
    assert abs(found.covered - largest) <= 1e-5


def test_many_heads_keep_fewer_weights(gpt2, monkeypatch):
    monkeypatch.setattr(profile, "MAX_ENTRIES", 4 * 20 * 3)
    assert capture_patterns(gpt2, [5] * 20).keys.shape == (2, 2, 20, 3)
    monkeypatch.setattr(profile, "MAX_TOKENS", 6)
    assert len(capture_patterns(gpt2, [5] * 20).tokens) == 6
