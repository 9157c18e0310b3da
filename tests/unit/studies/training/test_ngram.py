"""The counting model in one call, and what it refuses."""

import pytest
from tests.support.texts import VERSE

from regard.errors import CheckpointError, ValueRangeError
from regard.models.checkpoint import load_model
from regard.studies.sources import split_text
from regard.studies.training.ngram import require_memory, run, train_ngram
from regard.training.ngram import NgramConfig


def test_one_call_gives_the_model_and_writes_it(tmp_path):
    model = train_ngram(VERSE, unit="word", order=2, out=tmp_path / "model", progress=False)
    assert (model.order, model.tokeniser.unit) == (2, "word")
    loaded = load_model(tmp_path / "model")
    assert loaded.score(VERSE).log_probs_nats.tolist() == model.score(VERSE).log_probs_nats.tolist()
    with pytest.raises(CheckpointError, match="force"):
        train_ngram(VERSE, out=tmp_path / "model", progress=False)
    train_ngram(VERSE, NgramConfig(order=3), out=tmp_path / "model", force=True, progress=False)
    assert load_model(tmp_path / "model").order == 3


def test_what_is_measured_is_the_end_of_the_text():
    told = []
    result = run(split_text(VERSE, valid=0.2), NgramConfig(order=2), progress=lambda share, what: told.append(what))
    assert result.facts["order"] == 2
    assert result.facts["valid_tokens"] == len(split_text(VERSE, valid=0.2).valid)
    assert told == ["counting", "measuring"]


def test_more_than_fits_into_memory_is_refused():
    require_memory(1_000_000, order=10, unit="char")
    expected = r"counting 10,000,000,000,000 characters at order 10 takes about 5,000,000 GB of memory, this"
    with pytest.raises(ValueRangeError, match=expected):
        require_memory(10**13, order=10, unit="char")
