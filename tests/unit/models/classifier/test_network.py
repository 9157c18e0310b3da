import math

import numpy as np
import pytest
import torch

from regard.arrays import attend
from regard.models.classifier.network import MODULES, AveragingNetwork, NetworkShape
from regard.models.classifier.words import ACTIVATIONS
from regard.text.word_bags import WordBags

ROWS, OFFSETS = torch.tensor([3, 1, 4, 0, 2]), torch.tensor([0, 3, 3, 5])
HASHES = np.array([2, 3, 5, 7, 2**63], np.uint64)


def network(**settings: object) -> AveragingNetwork:
    torch.manual_seed(0)
    made = AveragingNetwork(torch.randn(5, 4), NetworkShape(n_labels=2, **settings)).eval()
    if made.query is not None:
        made.query.data = torch.randn(4)
    return made


def attended(made: AveragingNetwork, query: torch.Tensor) -> list[torch.Tensor]:
    """What `attend` reads with one query from each text's vectors, as keys and values."""
    vectors = [made.vectors[ROWS[OFFSETS[t] : OFFSETS[t + 1]]] for t in (0, 2)]
    return [attend(query[None], values, values, scale=1 / math.sqrt(4))[0] for values in vectors]


def test_the_mean_is_attention_with_a_zero_query() -> None:
    made = network()
    mean = made.mean(ROWS, OFFSETS)
    for found, expected in zip(mean[[0, 2]], attended(made, torch.zeros(4)), strict=True):
        torch.testing.assert_close(found, expected)
    assert not mean[1].any()


def test_the_option_is_attention_with_the_learnt_query() -> None:
    made = network(attention=True)
    mean = made.mean(ROWS, OFFSETS)
    for found, expected in zip(mean[[0, 2]], attended(made, made.query), strict=True):
        torch.testing.assert_close(found, expected)
    assert not torch.allclose(mean[0], attended(made, torch.zeros(4))[0])


def test_a_query_of_zero_changes_nothing() -> None:
    made = network(attention=True)
    made.query.data.zero_()
    torch.testing.assert_close(made.mean(ROWS, OFFSETS), network().mean(ROWS, OFFSETS))


@pytest.mark.parametrize("attention", [False, True])
@pytest.mark.parametrize("layers", [0, 1, 3])
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_prediction_without_torch_is_the_same(activation: str, layers: int, attention: bool) -> None:
    made = network(layers=layers, hidden=3, activation=activation, attention=attention)
    bags = WordBags(HASHES[np.r_[ROWS.numpy(), ROWS.numpy()[-1:]]], np.array([0, 3, 3, 6]))  # the last word twice
    found = made.as_average(HASHES).logits(bags)
    np.testing.assert_allclose(found, made(ROWS, OFFSETS).detach().numpy(), atol=2e-3)  # rows are float16


def test_every_activation_is_there_twice() -> None:
    assert MODULES.keys() == ACTIVATIONS.keys()


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_slopes_are_those_of_finite_differences(name: str) -> None:
    function, slope = ACTIVATIONS[name]
    x = np.array([-2.0, -0.3, 0.4, 1.7])
    np.testing.assert_allclose(slope(x), (function(x + 1e-6) - function(x - 1e-6)) / 2e-6, atol=1e-6)
