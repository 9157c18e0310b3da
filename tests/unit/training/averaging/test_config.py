"""Settings of an averaging classifier that cannot be are refused with what was expected."""

import pytest

from regard.errors import ValueRangeError
from regard.training.averaging.config import RANGES, AveragingConfig


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"activation": "sine"}, "there is no activation 'sine'; choose from "),
        ({"valid": 0.6}, "valid must be from 0.01 to 0.5; got 0.6"),
        ({"layers": 4}, "layers must be from 0 to 3; got 4"),
        ({"dropout": float("nan")}, "dropout must be from 0.0 to 0.95; got nan"),
        ({"folds": 3, "parts": 4}, "parts must be at most folds, 3; got 4"),
    ],
)
def test_what_cannot_be_is_refused(settings, message):
    with pytest.raises(ValueRangeError) as found:
        AveragingConfig(**settings)
    assert str(found.value).startswith(message)


def test_every_range_holds_the_usual_setting_and_both_of_its_ends():
    usual = AveragingConfig()
    for name, least, most in RANGES:
        assert least <= getattr(usual, name) <= most
        for end in (least, most):
            others = {"parts": 2} if name == "folds" else {"folds": 100} if name == "parts" else {}
            assert getattr(AveragingConfig(**{**others, name: end}), name) == end
