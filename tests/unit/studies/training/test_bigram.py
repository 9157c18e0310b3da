"""What is said of a bigram network that predicts worse than word frequencies alone."""

import math
from collections import Counter
from dataclasses import replace

import pytest
from tests.support.texts import VERSE

from regard.errors import RegardError
from regard.evaluation.perplexity import perplexity
from regard.models.checkpoint import load_model
from regard.studies.training.bigram import compare_with_frequencies, train_bigram
from regard.studies.training.run import TextParts
from regard.training.bigram.train import BigramConfig, bigram_task, train_by_counts

TASK = bigram_task(VERSE, BigramConfig(hidden=8, width=6, iterations=20))
PARTS = TextParts("verse", lambda: iter([VERSE]), VERSE, "verse")


def test_a_network_that_has_learnt_something_is_not_compared():
    model = train_by_counts(TASK)
    found = perplexity(model.score(VERSE).log_probs_nats)
    assert compare_with_frequencies(model, TASK, PARTS, found=found) == []
    assert compare_with_frequencies(model, TASK, replace(PARTS, valid=None), found=None) == []


def test_a_network_worse_than_word_frequencies_says_so():
    model = train_by_counts(TASK)
    wrong = replace(model, network=replace(model.network, w2=-3 * model.network.w2))
    found = perplexity(wrong.score(VERSE).log_probs_nats)
    [note] = compare_with_frequencies(wrong, TASK, PARTS, found=found)
    ids = TASK.tokeniser.encode(VERSE).ids.tolist()
    by_hand = math.exp(sum(-n * math.log(n / len(ids)) for n in Counter(ids).values()) / len(ids))
    assert float(note.split("have perplexity ")[1].split(" ")[0]) == pytest.approx(
        by_hand, rel=0.02
    )  # <unk> has a share
    assert note.endswith(f"the network's {found:.4g} is worse: the word before does not help it here")


def test_one_call_gives_the_model(tmp_path):
    model = train_bigram(VERSE, hidden=4, iterations=3, out=tmp_path / "model", progress=False)
    again = train_bigram(VERSE, hidden=4, iterations=3, progress=False)
    assert model.score(VERSE).log_probs_nats.tolist() == again.score(VERSE).log_probs_nats.tolist()
    assert load_model(tmp_path / "model").kind == "bigram"


def test_small_steps_go_on_where_they_stopped(tmp_path):
    settings = {"trainer": "sgd", "hidden": 4, "width": 4, "iterations": 20, "progress": False}
    whole = train_bigram(VERSE, out=tmp_path / "model", **settings)
    further = train_bigram(VERSE, out=tmp_path / "model", resume=True, **settings)
    assert whole.score(VERSE).log_probs_nats.tolist() == further.score(VERSE).log_probs_nats.tolist()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"hiden": 4}, "there is no setting 'hiden'; choose from unit, vocabulary"),
        ({"fix_vectors": True}, "fix_vectors does nothing by itself"),
        ({"resume": True}, "resume needs the folder of the run"),
    ],
)
def test_what_cannot_be_is_refused_at_once(settings, message):
    with pytest.raises(RegardError, match=message):
        train_bigram("no such file", **settings)
