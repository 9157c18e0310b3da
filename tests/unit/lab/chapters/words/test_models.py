"""The word model of chapter 5: trained once, kept, and as good as a plain loop says."""

import math

import numpy as np
import pytest
from tests.support.tales import SENTENCES

from regard.lab.chapters.words import models
from regard.lab.chapters.words.models import prepare_text, training_job, word_model
from regard.lab.chapters.words.view import training_text
from regard.lab.jobs import JobProgress
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
    assert f"perplexity of **{first.perplexity:.1f}**" in training_text(first)
    monkeypatch.setattr(models, "train_by_counts", None)  # nothing is trained now
    again = quiet()
    second = word_model(settings, again)
    assert again.message == "kept from an earlier visit"
    assert second.curve == first.curve
    np.testing.assert_array_equal(second.model.network.vectors, first.model.network.vectors)


def test_pressed_again_it_trains_again(settings):
    train = training_job(settings)
    train(quiet())
    progress = quiet()
    train(progress)
    assert progress.message.startswith("step ")


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
