"""What a kept model writes and is surprised by, as the package itself says."""

import contextlib
import io

import numpy as np
import pytest

from regard.lab.chapters.characters.models import counting_model
from regard.lab.chapters.characters.view import WritingRequest, python_for, surprise, unknown_characters, write
from regard.lab.jobs import JobProgress
from regard.models.sampling import stream

ASKED = WritingRequest(prompt="", length=30, temperature=0.7, top_p=0.9, seed=3)


@pytest.fixture
def found(monkeypatch, tmp_path):
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "tale.txt"
    path.write_text("".join(f"KING:\nThe {n}th day is as the {n - 1}th.\n\n" for n in range(200)))
    return counting_model(str(path), quiet())


def quiet():
    return JobProgress(lambda: None)


def test_writing_streams_what_sampling_draws(found):
    model = found.model
    progress = quiet()
    write(model, ASKED, progress)
    drawn = "".join(stream(model, np.random.default_rng(3), length=30, prompt="\nKING:\n", how=ASKED.how))
    assert progress.text == "KING:\n" + drawn
    assert (progress.share, progress.message) == (1.0, "30 of 30 characters")


def test_unknown_characters_are_told(found):
    model = found.model
    assert unknown_characters(model, "KING") == ""
    assert unknown_characters(model, "é☃é") == (
        "The model has never seen 'é', '☃'; it treats each of them as the same unknown character."
    )


def test_surprise_is_minus_the_logarithm_of_what_the_reader_says(found):
    text, reader, total = "The 7th day", found.model.reader(), 0.0
    for token in found.model.tokeniser.encode(text).ids:
        total -= reader.next_log_probs()[token]
        reader.read(int(token))
    result = surprise(found.model, text, found.key)
    assert result.surprise.nats.sum() == pytest.approx(total)
    assert result.model == found.label


def test_the_shown_python_writes_the_same(found):
    names, progress = {}, quiet()
    with contextlib.redirect_stdout(io.StringIO()):
        exec(python_for(found.key, ASKED, "The day"), names)  # our own text
    write(found.model, ASKED, progress)
    assert names["prompt"].lstrip("\n") + names["written"] == progress.text
    np.testing.assert_allclose(names["surprise"].nats, surprise(found.model, "The day", found.key).surprise.nats)
