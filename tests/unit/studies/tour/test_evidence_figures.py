"""The tour's own figures: a line or a bar for each thing that is compared."""

from regard.studies.tour.evidence import draw_bars, draw_copy_weight, draw_weight_densities


def test_a_line_and_a_dot_for_each_number_of_keys():
    figure = draw_copy_weight([0.0, 5.0], {2: [0.5, 0.99], 10: [0.1, 0.9]}, error=0.01, needed={2: 4.6, 10: 6.8})
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["2 keys", "10 keys"]
    assert [list(line.get_xdata()) for line in axes.lines[1:4:2]] == [[4.6], [6.8]]


def test_a_line_for_each_scale():
    (axes,) = draw_weight_densities([0.1, 0.9], {2.0: [1.0, 1.0], 10.0: [3.0, 0.5]}).axes
    assert [line.get_label() for line in axes.lines] == ["C = 2", "C = 10"]


def test_a_bar_for_each_value_the_first_on_top():
    (axes,) = draw_bars({"words": 2.0, "letters": 1.0}, label="bits").axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["words", "letters"]
    assert [bar.get_y() > 0 for bar in axes.patches] == [True, False]
