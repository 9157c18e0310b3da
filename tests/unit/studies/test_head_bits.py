"""A plan of bits by one call, chosen on one half of a text and checked on the other."""

import pytest
import torch
from tests.support.pretrained import SENTENCES, STORY, load, save_tiny, stories_folder

import regard
from regard.errors import NothingScoredError, ValueRangeError
from regard.pretrained import bits
from regard.studies.head_bits import halve


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_tiny("roberta", tmp_path_factory.mktemp("tiny") / "model")


def test_a_plan_for_channels_beats_equal_bits():
    study = regard.plan_bits(load(stories_folder()), STORY * 4 + "\n", 3.0, per_channel=True, progress=False)
    damages = dict(zip(study.table.column("scheme"), study.table.column("damage"), strict=True))
    assert list(damages) == ["plan", "equal bits", "random"]
    assert damages["plan"] < damages["equal bits"] < damages["random"]
    assert study.table.column("mean_bits") == pytest.approx([3.0] * 3, abs=0.01)
    assert "KL, nats a token; bits were chosen on" in study.table.notes[0]
    assert repr(study).startswith("BitStudy(BitPlan(")


def test_an_encoder_with_lines_and_trials(folder):
    study = regard.plan_bits(folder, "\n".join(SENTENCES), 2.0, lines=True, measure=True, progress=False)
    assert study.table.column("scheme") == ["plan", "equal bits", "random", "single-head trials"]
    assert all(damage > 0 for damage in study.table.column("damage"))
    assert study.plan.values is None


def test_a_plan_that_is_worse_than_equal_bits_is_dropped(folder, monkeypatch):
    def choose_badly(pretrained, calibration, budget, **_):
        chosen = torch.zeros(1, pretrained.n_layers, pretrained.n_key_heads, pretrained.head_width, dtype=torch.long)
        chosen[0, 0] = 8
        return bits.make_plan(pretrained, calibration, chosen, budget=budget)

    monkeypatch.setattr(bits, "plan_bits", choose_badly)
    study = regard.plan_bits(folder, "\n".join(SENTENCES), 3.0, lines=True, progress=False)
    assert study.plan.keys.bits.unique().tolist() == [3]
    assert study.table.notes[2].startswith("on the half that bits were chosen on, equal bits did better: the plan has")


def test_halves():
    assert halve([[1, 2], [3], [4]]) == ([[1, 2]], [[3], [4]])
    first, second = halve([list(range(40))])
    assert (first, second) == ([list(range(20))], [[0, *range(20, 40)]])
    with pytest.raises(NothingScoredError, match="this text has 20: give a longer one"):
        halve([list(range(20))])


def test_a_budget_below_one_bit(folder):
    with pytest.raises(ValueRangeError, match=r"a budget is 1 to 8 bits for each stored number; got 0\.5"):
        regard.plan_bits(folder, "a b\n", 0.5, progress=False)
