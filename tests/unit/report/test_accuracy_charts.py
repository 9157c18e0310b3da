"""Charts of accuracy put their marks where they belong."""

from xml.etree import ElementTree

import pytest

from regard.records import GroupAccuracy, RuleCount
from regard.report import accuracy_charts


def group(name, n, accuracy, confidence):
    return GroupAccuracy(name, n, accuracy, 0.0, accuracy - 0.1, min(1.0, accuracy + 0.05), confidence)


def circles(drawing):
    return [(float(each.get("cx")), float(each.get("cy"))) for each in ElementTree.fromstring(drawing).iter("circle")]


def test_reliability_puts_calibrated_bins_on_the_diagonal():
    drawing = accuracy_charts.reliability([group("a", 50, 0.5, 0.5), group("b", 50, 0.9, 0.9)])
    root = ElementTree.fromstring(drawing)
    diagonal = next(line for line in root.iter("line") if "dash" in line.get("class"))
    x1, y1, x2, y2 = (float(diagonal.get(name)) for name in ("x1", "y1", "x2", "y2"))
    for (x, y), share in zip(circles(drawing), (0.5, 0.9), strict=True):
        assert (x, y) == pytest.approx((x1 + share * (x2 - x1), y1 + share * (y2 - y1)), abs=0.1)
    assert {"confidence, mean of the bin", "accuracy"} <= {text.text for text in root.iter("text")}


def test_groups_stand_side_by_side_and_higher_is_better():
    drawing = accuracy_charts.by_group([group("short <", 50, 0.9, 0.9), group("long", 50, 0.7, 0.9)], label="length")
    (x1, y1), (x2, y2) = circles(drawing)
    assert x1 < x2
    assert y1 < y2  # y grows downwards
    names = [text.text for text in ElementTree.fromstring(drawing).iter("text")]
    assert {"short <", "long", "length", "accuracy", "60%", "100%"} <= set(names)


def test_ratios_stand_right_of_one_if_they_go_with_errors():
    counts = [
        RuleCount("turn", "?", 10, 90, 5, 10, 4.5, 2.0, 9.9, "goes with errors"),
        RuleCount("even", "?", 10, 90, 5, 45, 1.0, 0.5, 2.0, "says little"),
        RuleCount("never", "?", 10, 90, 0, 0, 1.0, 0.1, 10.0, "never seen here"),
    ]
    drawing = accuracy_charts.likelihood_ratios(counts)
    root = ElementTree.fromstring(drawing)
    one = float(next(line for line in root.iter("line") if line.get("class") == "ink").get("x1"))
    (turn, _), (even, _) = circles(drawing)
    assert even == pytest.approx(one, abs=0.1)
    assert turn > one
    assert "never" not in [text.text for text in root.iter("text")]
