"""Small Transformers with random numbers everywhere, so that every part of them shows in what they say."""

import numpy as np
import torch

from regard.models.background import make_background
from regard.models.transformer.model import TransformerModel
from regard.models.transformer.network import TransformerConfig, TransformerNetwork
from regard.text.tokenise.tokenisers import fit_tokeniser
from regard.training.network.transformer import previous_token_start
from tests.support.texts import VERSE


def random_network(vocab: int, *, sd: float = 0.2, **sizes: object) -> TransformerNetwork:
    """At its start, with noise on every number: no bias is zero, no scale is one, the output layer says something."""
    small = {"width": 16, "heads": 2, "layers": 2, "hidden": 20, "context": 12, "stride": 6}
    network = TransformerNetwork(TransformerConfig(vocab, **(small | sizes)))
    rng = np.random.default_rng(3)
    previous_token_start(network, rng)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.from_numpy(rng.normal(0, sd, tuple(parameter.shape))))
    return network.eval()


def random_model(text: str = VERSE, *, unit: str = "char", **sizes: object) -> TransformerModel:
    """A model of such a network."""
    tokeniser = fit_tokeniser(text, unit=unit)
    network = random_network(len(tokeniser.vocabulary), **sizes)
    return TransformerModel(network, make_background(text, tokeniser.encode(text), tokeniser))
