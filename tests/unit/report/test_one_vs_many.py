"""The figures of one head against many."""

import numpy as np
import pytest

from regard.errors import OutputFileError, ValueRangeError
from regard.report import one_vs_many as drawing
from regard.report.figures import save_figure
from regard.studies import one_vs_many as study


@pytest.mark.slow
def test_the_figure_is_drawn_with_labelled_axes(tmp_path):
    config = study.Config(n_keys=3)
    curves = study.compute_curves(config, n_points=4)
    figure = drawing.draw_one_vs_many(curves, study.sample_clouds(config, 5.0, n_draws=50), scale=5.0, crossing=1.0)
    labels = [axes.get_xlabel() for axes in figure.axes]
    assert labels[0] == labels[1] == "scale C of the query"
    save_figure(figure, tmp_path / "study.svg")
    assert (tmp_path / "study.svg").read_text().startswith("<?xml")
    assert [path.name for path in tmp_path.iterdir()] == ["study.svg"]
    with pytest.raises(OutputFileError, match=r"expected a figure's name to end in \.png, \.svg or \.pdf"):
        save_figure(figure, tmp_path / "study.bmp")


def test_the_picture_of_a_key_says_how_often_it_points_backwards():
    draws = study.draw_keys(study.Config())
    above, below = drawing.draw_varying_key(draws, variance=0.5).axes
    assert [text.get_text() for text in above.texts] == ["points backwards: 7.86 %"]  # Φ(−√2)
    assert "0.29" in below.get_legend_handles_labels()[1][1]
    with pytest.raises(ValueRangeError, match=r"has a positive radial variance; got 0$"):
        drawing.draw_varying_key(draws, variance=0.0)


def test_a_table_of_the_study_draws_itself():
    table = study.run(study.Config(n_keys=3, scales=(1.0, 10.0), isotropic=0.0))
    left, right = table.plot().axes
    assert (left.get_ylabel(), right.get_xlabel()) == ("variance of the output, tr Cov c", "scale C of the query")
    assert [line.get_label() for line in left.lines] == ["one pull head", "one push head", "2 pull heads"]
    assert left.lines[0].get_xdata().tolist() == [1.0, 10.0]
    np.testing.assert_array_equal(right.lines[2].get_ydata(), table.column("mean_squared_error")[2::3])
