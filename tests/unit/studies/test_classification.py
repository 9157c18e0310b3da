"""What a classifier says of many texts, read from lines, tables or pairs."""

import numpy as np
import pytest

from regard.studies import classification
from regard.studies.classification import GivenTexts, classify, explain_answers, measure, read_texts
from regard.studies.training.data import find_labelled

torch = pytest.importorskip("torch")

PAIRS = [
    (f"{word} film number {i}", label) for i in range(12) for word, label in (("superb", "good"), ("awful", "bad"))
]


@pytest.fixture(scope="module")
def classifier():
    from regard.studies.training.averaging import train_averaging

    return train_averaging(PAIRS, vectors="none", form="classic", layers=0, width=4, epochs=20, progress=False)


def test_batches_change_nothing(classifier, monkeypatch):
    given = GivenTexts(tuple(text for text, _ in PAIRS))
    whole = classify(classifier, given)
    monkeypatch.setattr(classification, "BATCH_SIZE", 5)
    np.testing.assert_allclose(classify(classifier, given).log_probs, whole.log_probs, rtol=1e-5)
    assert whole.decision(3).place == 3
    assert whole.decision(3).true_label is None
    assert len(whole.familiarity) == len(PAIRS)


def test_labelled_texts_are_measured_and_set_against_the_truth(classifier):
    data = find_labelled(PAIRS)
    answers = classify(classifier, GivenTexts(data.texts, data))
    found = measure(answers)
    assert found["texts"] == 24
    assert found["always the commonest label"] == 0.5
    wrong = next((i for i in range(24) if answers.decision(i).label != answers.true_label(i)), 0)
    (explained,) = explain_answers(classifier, answers, [wrong])
    assert (explained.place, explained.true_label) == (wrong, answers.true_label(wrong))


def test_a_file_of_lines_and_a_table_with_labels(classifier, tmp_path):
    (tmp_path / "lines.txt").write_text("a film\n\na plot\n")
    assert read_texts(tmp_path / "lines.txt", classifier.labels).texts == ("a film", "", "a plot")
    (tmp_path / "table.csv").write_text("text,label\na superb film,good\nan awful plot,bad\n")
    found = read_texts(tmp_path / "table.csv", classifier.labels)
    assert found.labelled is not None
    assert [found.labelled.labels[i] for i in found.labelled.label_ids] == ["good", "bad"]
    (tmp_path / "bare.csv").write_text("text,author\na superb film,x\n")
    assert read_texts(tmp_path / "bare.csv", classifier.labels) == GivenTexts(("a superb film",))
