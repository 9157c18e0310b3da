"""The word model of chapter 5: trained once, kept, and as good as a plain loop says."""

import math

import numpy as np
import pytest
from tests.support.tales import SENTENCES

from regard.lab.chapters.words import models
from regard.lab.chapters.words.models import prepare_text, word_model
from regard.lab.jobs import JobProgress, WorkStopped
from regard.text.normalise.prepare import prepare


def quiet():
    return JobProgress(lambda: None)


def test_text_in_pieces_is_prepared_as_the_whole_is(monkeypatch):
    text = "\n\n".join(SENTENCES * 20)
    monkeypatch.setattr(models, "PIECE", 100)
    whole = prepare(text.replace("*", ""), models.STEPS).text
    assert prepare_text(text, quiet()) == whole
    assert whole.startswith("the king is old .\n")


def test_the_loss_falls_and_the_model_is_kept(settings, monkeypatch):
    progress = quiet()
    first = word_model(settings, progress)
    assert [point[0] for point in progress.points] == [step for step, _ in first.curve]
    assert first.curve[-1][1] < first.curve[0][1]
    assert 1 < first.perplexity < len(first.words)
    monkeypatch.setattr(models, "train_by_counts", None)  # nothing is trained now
    again = quiet()
    second = word_model(settings, again)
    assert again.message == "kept from an earlier visit"
    assert second.curve == first.curve
    np.testing.assert_array_equal(second.model.network.vectors, first.model.network.vectors)


def test_anew_it_trains_again_and_what_is_stopped_leaves_the_kept_one(settings):
    first = word_model(settings, quiet())
    progress = quiet()
    word_model(settings, progress, anew=True)
    assert progress.message.startswith("step ")
    calls = []

    def stop():
        calls.append(1)
        if len(calls) > 3:
            raise WorkStopped

    with pytest.raises(WorkStopped):
        word_model(settings, JobProgress(stop), anew=True)
    assert word_model(settings, quiet()).perplexity == first.perplexity


def test_validation_perplexity_is_that_of_a_plain_loop(settings):
    found = word_model(settings, quiet())
    with open(settings.text) as file:
        lines = prepare(file.read().replace("*", ""), models.STEPS).text.splitlines()
    nats, n_tokens = 0.0, 0
    for line in lines[len(lines) - len(lines) // 10 :]:
        context = len(found.model.tokeniser.vocabulary)  # the start mark
        for word in [*line.split(), "</s>"] if line else []:  # what is empty is no line
            token = list(found.model.tokeniser.vocabulary).index(word)
            nats -= found.model.after(np.array([context]))[0, token]
            context, n_tokens = token, n_tokens + 1
    assert found.perplexity == pytest.approx(math.exp(nats / n_tokens), rel=1e-9)
