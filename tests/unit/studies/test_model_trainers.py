"""The models that can be compared: what each learns from, how far it says it is, what it needs."""

import pytest
from tests.support.texts import VERSE

from regard.errors import MissingExtraError
from regard.studies import model_trainers, models


def test_the_bigram_trainer_tells_how_far_it_is_and_knows_so_many_words(monkeypatch):
    monkeypatch.setattr(model_trainers, "NETWORK_VOCABULARY", 12)
    shares = []
    model = model_trainers.TRAINERS["bigram-word"](VERSE[:400], model_trainers.Effort(), shares.append)
    assert len(model.tokeniser.vocabulary) == 12
    assert 0 < shares[0] < shares[-1] <= 1
    assert model_trainers.TRAINERS["bigram-char"](VERSE[:200], model_trainers.Effort(), shares.append).kind == "bigram"


def test_networks_need_torch(monkeypatch):
    monkeypatch.setattr("regard.studies.model_trainers.importlib.util.find_spec", lambda name: None)
    models.Config(models=("ngram-char", "bigram-word"))
    with pytest.raises(
        MissingExtraError, match=r"recurrent-char needs PyTorch: pip install 'regard\[models\]', or leave"
    ):
        models.Config(models=("ngram-char", "recurrent-char"))
