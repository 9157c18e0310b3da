"""Maps of heads: one for each figure, layers downwards and heads to the right."""

import numpy as np
from matplotlib.figure import Figure
from tests.support.head_study import head_table

from regard.report.heads_page import draw_heads, draw_map


def test_a_map_for_each_figure():
    figure = draw_heads(head_table())
    maps = {axes.get_title(): axes for axes in figure.axes if axes.get_title()}
    assert list(maps)[-1] == "int4: relative error"
    assert len(maps) == 6
    image = maps["weight on the previous token"].images[0].get_array()
    assert image.tolist() == [[0, 0.8], [0, 0.8]]
    assert (maps["int4: relative error"].get_xlabel(), maps["int4: relative error"].get_ylabel()) == ("head", "layer")
    assert len([axes for axes in draw_heads(head_table(noise=False)).axes if axes.get_title()]) == 5


def test_effects_of_both_signs_have_zero_in_the_middle():
    axes = Figure().subplots()
    draw_map(axes, np.array([[-1.0, 3.0]]), "effect", diverging=True)
    assert axes.images[0].get_clim() == (-3.0, 3.0)


def test_a_small_share_looks_small():
    axes = Figure().subplots()
    draw_map(axes, np.array([[0.01, 0.02]]), "share", share=True)
    assert axes.images[0].get_clim() == (0.0, 1.0)
    draw_map(axes, np.array([[20.0, 30.0]]), "count")
    assert axes.images[1].get_clim() == (0.0, 30.0)
