"""Small recurrent networks with random weights."""

from __future__ import annotations

import numpy as np
import torch

from regard.models.background import make_background
from regard.models.recurrent.network import RecurrentConfig, RecurrentModel, RecurrentNetwork, context_keys
from regard.text.tokenise.tokenisers import fit_tokeniser

TEXT = "a cab\nbad\n" * 20
TOKENISER = fit_tokeniser(TEXT, unit="char")
VOCAB = len(TOKENISER.vocabulary)
IDS = np.random.default_rng(3).choice(TOKENISER.encode(TEXT).ids, 200)


def network_of(dtype=torch.float64, seed=0, **settings) -> RecurrentNetwork:
    config = RecurrentConfig(VOCAB, **{"width": 5, "embedding": 3, "context_width": 4, **settings})
    keys = context_keys(IDS, vocab=VOCAB, contexts=config.contexts) if config.contexts > 1 else None
    torch.manual_seed(seed)
    network = RecurrentNetwork(config, keys).to(dtype)
    for parameter in network.sparse_parameters():
        parameter.data[1:] *= 20  # so that the context vectors count as much as the rest
    return network


def recurrent_model(dtype=torch.float64, **settings) -> RecurrentModel:
    background = make_background(TEXT, TOKENISER.encode(TEXT), TOKENISER)
    return RecurrentModel(network_of(dtype, **settings), background)
