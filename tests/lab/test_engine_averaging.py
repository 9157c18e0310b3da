"""The averaging classifier in the page says what Python says of any words that are kept."""

import numpy as np
import pytest
from tests.support.averaging import MAKES, trained
from tests.support.engine import EnginePage

from regard.lab.chapters.reviews.page_classifier import page_classifier

REVIEW = "A good film with great acting, but dull, dull and so boring: not as bad as zyxw says, i like the end."


@pytest.fixture(scope="module")
def engine(window):
    page = window.new_page()
    found = EnginePage(page)
    yield found
    page.close()
    assert found.errors == []


CLASSIC = [make for make, settings in MAKES.items() if settings["form"] == "classic"]


@pytest.mark.parametrize("n_labels", [2, 3])
@pytest.mark.parametrize("make", CLASSIC)
def test_any_selection_of_words(engine, make, n_labels):
    classifier = trained(make, n_labels)
    given = page_classifier(classifier, REVIEW)
    kept = np.random.default_rng(0).random((100, len(given["words"]))) < np.linspace(0, 1, 100)[:, None]
    kept[0], kept[1] = True, False
    found = np.array(engine.map("averaging", "classifyKept", [[given, row.tolist()] for row in kept]))
    assert np.abs(found - classifier.log_probs_of_parts(REVIEW, kept)).max() < 1e-5
    assert np.abs(found[0] - classifier.log_probs([REVIEW])[0]).max() < 1e-5


def test_order_plays_no_part(engine):
    given = page_classifier(trained("one-layer"), REVIEW)
    shuffled = given | {"words": [given["words"][i] for i in np.random.default_rng(1).permutation(len(given["words"]))]}
    everything = [True] * len(given["words"])
    one, other = engine.map("averaging", "classifyKept", [[given, everything], [shuffled, everything]])
    assert np.abs(np.array(one) - other).max() < 1e-14


def test_what_each_word_does(engine):
    """Leaving out a word with its twins, as the page says, is what Python says of the text without them."""
    classifier = trained("one-layer")
    given = page_classifier(classifier, REVIEW)
    everything = np.ones(len(given["words"]), bool)
    [effects] = engine.map("averaging", "wordEffects", [[given, everything.tolist(), 1]])
    rows = np.array([word["row"] for word in given["words"]])
    kept = np.array([everything, *[(rows != row) | (row < 0) for row in rows]])
    log_probs = classifier.log_probs_of_parts(REVIEW, kept)
    odds = log_probs[:, 1] - log_probs[:, 0]
    assert np.abs(effects - (odds[0] - odds[1:])).max() < 1e-4
    assert max(np.abs(effects)) > 0.05


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rows": None}, "this is no classifier of a text's words: labels, words or rows are missing"),
        ({"activation": "loud"}, "the activations are relu, tanh, sigmoid, gelu, linear"),
        ({"words": [{"text": "a", "row": 999}]}, "a word's row must be a whole number from -1 to 16; got 999"),
    ],
)
def test_bad_input_is_refused_in_one_line(engine, changes, message):
    given = page_classifier(trained("one-layer"), REVIEW)
    [found] = engine.map("averaging", "readAveraging", [[given | changes]])
    assert found == {"refused": message}
