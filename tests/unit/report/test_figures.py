"""What all figures share, and the curves of losses."""

import pytest

from regard.errors import MissingExtraError, OutputFileError
from regard.records import TrainingStep
from regard.report.figures import draw_loss, draw_network_loss, require_figure


def test_a_missing_matplotlib_is_told_before_the_study(tmp_path, monkeypatch):
    monkeypatch.setattr("regard.report.figures.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"figures need matplotlib: pip install 'regard\[figures\]'"):
        require_figure(tmp_path / "study.png")


def test_a_figure_file_has_one_of_three_endings(tmp_path):
    for name in ("a.png", "a.SVG", "a.pdf"):
        require_figure(tmp_path / name)
    with pytest.raises(OutputFileError, match=r"a\.gif: expected a figure's name to end in \.png, \.svg or \.pdf$"):
        require_figure(tmp_path / "a.gif")


def test_the_loss_is_drawn_and_the_perplexity_where_it_was_measured():
    history = [TrainingStep(1, 3.0), TrainingStep(2, 2.5, 9.0), TrainingStep(3, 2.0, 8.0)]
    loss, perplexity = draw_loss(history, loss="objective", unit="word", title="t").axes
    assert loss.lines[0].get_xydata().tolist() == [[1.0, 3.0], [2.0, 2.5], [3.0, 2.0]]
    assert perplexity.lines[0].get_xydata().tolist() == [[2.0, 9.0], [3.0, 8.0]]
    assert loss.get_ylabel() == "objective, nats per word"
    assert len(draw_loss(history[:1], loss="objective", unit="word", title="t").axes) == 1


def test_the_lowest_loss_of_the_last_text_is_marked():
    losses = {"training text": [2.0, 1.0, 0.5], "held back": [2.1, 1.5, 1.75]}
    (axes,) = draw_network_loss([10, 1000, 2000], losses, title="t").axes
    assert [text.get_text() for text in axes.texts] == ["held back: 1.5000 at step 1,000"]
    assert [line.get_label() for line in axes.lines[:2]] == ["training text", "held back"]
