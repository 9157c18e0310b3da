"""The figure of a comparison: every number of the table stands where it belongs."""

import pytest

from regard.report.comparisons import draw_model_comparison
from regard.report.figures import save_figure
from regard.tables import StudyTable

COLUMNS = (
    *("model", "unit", "training_seconds", "bits_per_character", "token_bits", "spelling_bits", "restoration_bits"),
    *("familiar_bits", "rare_bits", "scoring_characters_per_second", "sampling_characters_per_second"),
)
ROWS = (
    ("ngram-char", "character", 2.0, 1.5, 1.5, 0.0, 0.0, 1.25, 2.0, 5e5, 900.0),
    ("ngram-word", "word", 0.25, 1.75, 1.0, 0.5, 0.25, 1.3, None, 5e6, 6000.0),
)


@pytest.fixture
def axes():
    return draw_model_comparison(StudyTable("t", COLUMNS, ROWS, config={"text": "verse"})).axes


def test_quality_stands_against_cost(axes):
    points = [tuple(marks.get_offsets()[0]) for marks in axes[0].collections]
    assert points == [(2.0, 1.5), (0.25, 1.75)]
    assert [text.get_text() for text in axes[0].get_legend().get_texts()] == ["by characters", "by words"]
    assert {text.get_text(): text.xy for text in axes[0].texts} == {
        "ngram-char": (2.0, 1.5),
        "ngram-word": (0.25, 1.75),
    }
    assert (axes[0].get_xlabel(), axes[0].get_ylabel()) == ("training, seconds of the processor", "bits per character")


def test_bars_are_the_parts_one_after_another(axes):
    bars = [(bar.get_x(), bar.get_width()) for bar in axes[1].patches]
    assert bars == [(0.0, 1.5), (0.0, 1.0), (1.5, 0.0), (1.0, 0.5), (1.5, 0.0), (1.5, 0.25)]
    assert [text.get_text() for text in axes[1].texts] == ["1.500", "1.750"]
    assert axes[1].get_xlim()[1] > 1.75
    assert [label.get_text() for label in axes[1].get_yticklabels()] == ["ngram-char", "ngram-word"]


def test_what_there_is_no_number_for_is_left_out(axes):
    familiar, rare = (marks.get_offsets().tolist() for marks in axes[2].collections)
    assert familiar == [[1.25, 0], [1.3, 1]]
    assert rare == [[2.0, 0]]


def test_every_panel_says_what_it_shows(axes):
    assert all(panel.get_xlabel() and panel.get_title() and panel.get_legend() for panel in axes)
    assert axes[0].figure.get_suptitle() == "Characters or words: verse"


def test_one_model_alone_is_drawn_too(tmp_path):
    for row in (ROWS[0], ("ngram-byte", "byte", *ROWS[1][2:])):
        save_figure(draw_model_comparison(StudyTable("t", COLUMNS, (row,))), tmp_path / "one.png")
        assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")
