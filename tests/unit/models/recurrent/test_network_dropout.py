import pytest
import torch

from regard.models.network import BATCH_SHARE, BatchShare
from regard.models.recurrent.network import Dropout, random_bytes
from regard.models.transformer.network import drop


@pytest.mark.parametrize("share", [0.1, 0.4, 0.5])
def test_as_many_are_dropped_as_asked_and_the_mean_stays(share):
    torch.manual_seed(0)
    x = torch.ones(300, 1000)
    dropped = Dropout(share)(x)
    rounded = round(256 * share) / 256
    assert (dropped == 0).double().mean().item() == pytest.approx(rounded, abs=0.004)
    torch.testing.assert_close(dropped[dropped > 0].unique(), torch.tensor([1 / (1 - rounded)]))


def test_the_gradient_goes_where_the_value_went():
    x = torch.randn(7, 5, dtype=torch.float64, requires_grad=True)
    dropped = Dropout(0.5)(x)
    dropped.sum().backward()
    torch.testing.assert_close(x.grad * x, dropped)
    assert dropped.dtype == torch.float64


def test_nothing_is_dropped_in_evaluation_or_without_a_share():
    x = torch.randn(4, 3)
    assert Dropout(0.5).eval()(x) is x
    assert Dropout(0.0)(x) is x


def test_bytes_are_even_and_differ_each_time():
    torch.manual_seed(0)
    drawn = random_bytes((256, 999))
    counts = torch.bincount(drawn.flatten().long(), minlength=256)
    assert counts.min() > 850
    assert counts.max() < 1150
    assert (drawn != random_bytes((256, 999))).any()
    pairs = drawn.flatten()[: 2 * 127_000].view(-1, 2).double()
    assert abs(torch.corrcoef(pairs.T)[0, 1]) < 0.01


def test_the_seed_decides():
    drawn = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        drawn.append(Dropout(0.5)(torch.ones(40)))
    assert torch.equal(drawn[0], drawn[1])
    assert not torch.equal(drawn[0], drawn[2])


@pytest.mark.parametrize("drop_some", [Dropout(0.5), lambda x: drop(x, 0.5, True)], ids=["recurrent", "transformer"])
def test_processes_together_drop_what_one_alone_would(drop_some):
    whole = torch.ones(5, 3, 4, requires_grad=True)
    torch.manual_seed(0)
    alone, after = drop_some(whole), torch.rand(1)
    parts = []
    for own in (slice(0, 2), slice(2, 5)):
        token = BATCH_SHARE.set(BatchShare(own, 5))
        torch.manual_seed(0)
        parts.append(drop_some(whole[own]))
        assert torch.equal(torch.rand(1), after)  # and what is drawn next is the same
        BATCH_SHARE.reset(token)
    assert 0 < (alone == 0).sum() < alone.numel()
    assert torch.equal(torch.cat(parts), alone)
