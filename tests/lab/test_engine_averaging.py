"""The averaging classifier in the page says what Python says of any words that are kept."""

import base64

import numpy as np
import pytest
from tests.support.averaging import MAKES, THREE, TWO, trained

from regard.evaluation.attribution import explain
from regard.lab.chapters.reviews.page_classifier import page_classifier_bytes, read_page_classifier
from regard.text.word_bags import plain_bytes, word_spans

pytestmark = pytest.mark.usefixtures("unchecked")  # annotations are checked where Python itself is tested
REVIEW = "A good film with great acting, but dull, dull and so boring: not as bad as zyxw says, i like the end."
CLASSIC = [make for make, settings in MAKES.items() if settings["form"] == "classic"]
LETTERS = [*"abzAZ019 '’-—<>/.…«ß", "é", "İ", "Σ", "ς", "日", "\xa0", "\n", "\x91", "😀", "<br />", "it's", "good"]
JUDGE = """async ([data, review, cases, sharesOf]) => {
  const { readClassifier, readText, classifyKept, wordShares } = await import("/averaging.js");
  const classifier = readClassifier(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)).buffer);
  const text = readText(classifier, review);
  return {
    words: text.words.map(({ text, row }) => [text, row >= 0]),
    judged: cases.map((kept) => Array.from(classifyKept(classifier, text, kept))),
    ...wordShares(classifier, text, text.words.map(() => true), ...sharesOf),
  };
}"""


def stored(make, n_labels=2):
    """The file of a classifier, and the classifier that Python reads from it."""
    data = page_classifier_bytes(trained(make, n_labels), (TWO if n_labels == 2 else THREE).texts)
    return base64.b64encode(data).decode(), read_page_classifier(data)


@pytest.mark.parametrize("n_labels", [2, 3])
@pytest.mark.parametrize("make", CLASSIC)
def test_any_selection_of_words_and_what_each_word_does(engine, make, n_labels):
    data, classifier = stored(make, n_labels)
    words = classifier.words(REVIEW)
    kept = np.random.default_rng(0).random((100, len(words))) < np.linspace(0, 1, 100)[:, None]
    kept[0], kept[1] = True, False
    expected = explain(classifier, REVIEW, method="integrated-gradients")
    places = [classifier.labels.index(label) for label in (expected.label, expected.against)]
    found = engine.run(JUDGE, [data, REVIEW, kept.tolist(), places])
    assert found["words"] == [[words.word(i), bool(words.is_known[i])] for i in range(len(words))]
    assert np.abs(found["judged"] - classifier.log_probs_of_parts(REVIEW, kept)).max() < 1e-9
    assert np.abs(found["judged"][0] - classifier.log_probs([REVIEW])[0]).max() < 1e-9
    near = 1e-9 if make in ("linear", "one-layer", "attention") else 1e-5  # a rule of other nodes
    assert np.abs(found["shares"] - expected.shares).max() < near
    assert abs(found["baseline"] - expected.baseline) < 1e-9
    assert max(np.abs(expected.shares)) > 0.03


def test_words_are_those_that_python_reads(engine):
    rng = np.random.default_rng(0)
    texts = ["".join(rng.choice(LETTERS, rng.integers(0, 25))) for _ in range(1_000)]
    texts.append(f"<b{'x' * 60}> and <b{'x' * 50}> but <b{'é' * 40}> <a<b> < b>")
    found = engine.map("words", "splitWords", [[text] for text in texts])
    for text, words in zip(texts, found, strict=True):
        expected = [text[start:end] for start, end in zip(*word_spans(text), strict=True)]
        assert [word["text"] for word in words] == expected, text
        # İ becomes two letters, the second of which may begin the next word
        assert all(word["word"] == plain_bytes(word["text"]).decode() for word in words if "İ" not in text), text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            b'\\"averaging\\"',
            b'\\"something\\"',
            "this is no averaging classifier: the file does not say what it holds",
        ),
        (b'"words.bias"', b'"other.bias"', "the classifier lacks a sound tensor words.bias"),
    ],
)
def test_a_damaged_file_is_refused_in_one_line(engine, old, new, message):
    data = base64.b64decode(stored("one-layer")[0])
    assert old in data
    broken = base64.b64encode(data.replace(old, new)).decode()
    script = """async (data) => {
      const { readClassifier } = await import("/averaging.js");
      const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
      try { readClassifier(bytes.buffer); } catch (error) { return error.message; }
    }"""
    assert engine.run(script, broken) == message
