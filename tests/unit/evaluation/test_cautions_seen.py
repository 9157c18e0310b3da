"""From which length on a stretch that training has too is worth a warning, where little of the text is seen."""

from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest

from regard.evaluation import cautions


def scoring_of(text):
    costs = SimpleNamespace(per_character=np.full(len(text), 2.0), prepared=SimpleNamespace(original=text))
    return Mock(spec=cautions.Scoring, costs=costs)


@pytest.mark.parametrize(("n_seen", "is_told"), [(79, False), (80, True)])
def test_a_stretch_of_eighty_characters_is_told(n_seen, is_told, monkeypatch):
    is_seen = np.zeros(2000, dtype=bool)
    is_seen[100 : 100 + n_seen] = True
    monkeypatch.setattr(cautions, "_is_seen", lambda scoring: is_seen)
    found = cautions.seen_in_training(scoring_of("x" * 2000))
    assert (found is not None) == is_told
    if found is not None:
        assert found.evidence["ranges"] == [[100, 180]]
