"""Colours of keys: eight that differ, then darker ones, and as numbers."""

import numpy as np

from regard.lab.widgets.attention_plane import PALETTE, palette, to_rgb


def test_the_first_eight_colours_differ_and_are_taken_in_order():
    assert palette(0) == []
    assert palette(8) == list(PALETTE)
    assert len(set(PALETTE)) == 8


def test_later_rounds_are_darker_by_a_factor_each():
    # #E69F00 is (230, 159, 0); times 0.74 that is (170.2, 117.66, 0), and times 0.74² (125.9, 87.07, 0).
    colours = palette(21)
    assert (colours[4], colours[12], colours[20]) == ("#E69F00", "#AA7600", "#7E5700")
    assert len(set(colours)) == 21


def test_channels_are_between_0_and_1():
    np.testing.assert_array_equal(to_rgb(["#000000", "#FF3300", "#ffffff"]), [[0, 0, 0], [1, 0.2, 0], [1, 1, 1]])
    assert to_rgb([]).shape == (0, 3)
