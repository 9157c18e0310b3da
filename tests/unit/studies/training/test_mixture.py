"""Mixtures in one call, of models in hand or in folders, measured beside their members."""

import pytest
from tests.support.texts import VERSE

from regard.errors import ValueRangeError
from regard.models.checkpoint import load_model
from regard.studies.training.mixture import PER_CHARACTER, run, train_mixture
from regard.studies.training.ngram import train_ngram
from regard.studies.training.run import split_text
from regard.training.mixture import MixtureConfig

LOW, HIGH = (train_ngram(VERSE, order=order, progress=False) for order in (1, 3))


def test_models_in_hand_or_in_folders(tmp_path):
    HIGH.save(tmp_path / "high")
    settings = {"gate": "fixed", "adaptive": False, "progress": False}
    mixture = train_mixture([LOW, HIGH], VERSE, **settings)
    same = train_mixture([LOW, tmp_path / "high"], VERSE, **settings, out=tmp_path / "mixture")
    expected = mixture.score(VERSE).log_probs_nats.tolist()
    assert same.score(VERSE).log_probs_nats.tolist() == expected
    assert load_model(tmp_path / "mixture").score(VERSE).log_probs_nats.tolist() == expected
    with pytest.raises(ValueRangeError, match="a mixture needs two models or more; got 1"):
        train_mixture([LOW], VERSE)


def test_each_member_is_measured_alone():
    config = MixtureConfig(form="linear", gate="fixed", adaptive=False)
    found = run([LOW, HIGH], split_text(VERSE, valid=0.1), config, names=["low", "high"]).facts
    assert [member["model"] for member in found["members"]] == ["low", "high"]
    assert sum(member["mean_weight"] for member in found["members"]) == pytest.approx(1)
    assert found[PER_CHARACTER] <= max(member[PER_CHARACTER] for member in found["members"])
