"""What chapter 5 says of its model, against plain loops and closed forms."""

import contextlib
import io
import math

import numpy as np
import pytest

from regard.errors import VocabularyError
from regard.lab.chapters.words import view
from regard.lab.chapters.words.view import (
    Settings,
    draw_sentences,
    load_or_train,
    nearest_words,
    next_words,
    prepare_text,
    python_for,
    training_job,
)
from regard.lab.jobs import Report
from regard.text.normalise.prepare import prepare

SENTENCES = ["The king is old.", "The prince is young.", "A king was here.", "A *prince* was there!", "Who is old?"]


@pytest.fixture
def settings(monkeypatch, tmp_path):
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "tales.txt"
    path.write_text("\n\n".join(" ".join(np.random.default_rng(i).permutation(SENTENCES)) for i in range(60)))
    return Settings(text=str(path), hidden=6, seed=3)


def quiet():
    return Report(lambda: None)


def test_text_in_pieces_is_prepared_as_the_whole_is(monkeypatch):
    text = "\n\n".join(SENTENCES * 20)
    monkeypatch.setattr(view, "PIECE", 100)
    whole = prepare(text.replace("*", ""), view.STEPS).text
    assert prepare_text(text, quiet()) == whole
    assert whole.startswith("the king is old .\n")


def test_the_loss_falls_and_the_model_is_kept(settings, monkeypatch):
    report = quiet()
    first = load_or_train(settings, report)
    assert [point[0] for point in report.points] == [step for step, _ in first.curve]
    assert first.curve[-1][1] < first.curve[0][1]
    assert 1 < first.perplexity < len(first.words)
    assert f"perplexity of **{first.perplexity:.1f}**" in view.training_text(first)
    monkeypatch.setattr(view, "train_by_counts", None)  # nothing is trained now
    again = quiet()
    second = load_or_train(settings, again)
    assert again.line == "kept from an earlier visit"
    assert second.curve == first.curve
    np.testing.assert_array_equal(second.model.network.vectors, first.model.network.vectors)


def test_pressed_again_it_trains_again(settings):
    train = training_job(settings)
    train(quiet())
    report = quiet()
    train(report)
    assert report.line.startswith("step ")


def test_held_out_perplexity_is_that_of_a_plain_loop(settings):
    found = load_or_train(settings, quiet())
    with open(settings.text) as file:
        lines = prepare(file.read().replace("*", ""), view.STEPS).text.splitlines()
    nats, n_tokens = 0.0, 0
    for line in lines[len(lines) - len(lines) // 10 :]:
        context = len(found.model.tokeniser.vocabulary)  # the start mark
        for word in [*line.split(), "</s>"] if line else []:  # what is empty is no line
            token = list(found.model.tokeniser.vocabulary).index(word)
            nats -= found.model.after(np.array([context]))[0, token]
            context, n_tokens = token, n_tokens + 1
    assert found.perplexity == pytest.approx(math.exp(nats / n_tokens), rel=1e-9)


def test_nearest_words_are_those_of_largest_cosine(settings):
    found = load_or_train(settings, quiet())
    vocabulary, vectors = list(found.model.tokeniser.vocabulary), found.model.network.vectors.astype(float)

    def cosine(a, b):
        u, v = vectors[vocabulary.index(a)], vectors[vocabulary.index(b)]
        return float(u @ v / math.sqrt(u @ u) / math.sqrt(v @ v))

    cosines = sorted((cosine("king", word) for word in vocabulary[2:] if word != "king"), reverse=True)
    rows = nearest_words(found, "king")
    assert rows[0][0] == "prince"
    np.testing.assert_allclose([value for _, value in rows], cosines[: view.N_NEAREST], atol=1e-6)
    np.testing.assert_allclose([cosine("king", word) for word, _ in rows], [value for _, value in rows], atol=1e-6)


def test_what_follows_is_what_the_text_has(settings):
    found = load_or_train(settings, quiet())
    rows = next_words(found, "king")
    assert {word for word, _ in rows[:2]} == {"is", "was"}  # half of the times each
    expected = np.sort(np.exp(found.model.next_log_probs("king")))[::-1]
    np.testing.assert_allclose([value for _, value in rows], expected[: len(rows)])


def test_an_unknown_word_is_told_with_one_to_try(settings):
    found = load_or_train(settings, quiet())
    with pytest.raises(VocabularyError, match=r"'kings' is not among the 14 most frequent words of the text; try"):
        nearest_words(found, "kings")


def test_sentences_come_from_the_seed_and_are_escaped(settings):
    found = load_or_train(settings, quiet())
    lines = draw_sentences(found, temperature=0.5, seed=1)
    assert lines == draw_sentences(found, temperature=0.5, seed=1) != draw_sentences(found, temperature=0.5, seed=2)
    assert {word for line in lines for word in line.split()} <= {*found.words, "…"}
    assert view.sentence_list(["a < b"]).count("<li>a &lt; b</li>") == 1


def test_the_figure_names_marks(settings):
    found = load_or_train(settings, quiet())
    figure = view.word_figure(found, "old")
    labels = [label.get_text() for axes in figure.axes for label in axes.get_yticklabels()]
    assert "</s>" not in labels
    assert set(view.word_columns(found, "old")) == {"nearest", "cosine", "next", "probability"}


def test_the_shown_python_gives_the_shown_words(settings):
    found = load_or_train(settings, quiet())
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(python_for(settings, word="king", temperature=0.5, seed=4), names)  # our own text
    assert names["near"] == nearest_words(found, "king")
    assert [line.strip() for line in printed.getvalue().splitlines()[1:]] == draw_sentences(
        found, temperature=0.5, seed=4
    )
