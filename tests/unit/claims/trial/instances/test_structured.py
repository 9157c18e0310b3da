"""Instances in which symbols are alike."""

import numpy as np

from regard.claims.meaning.definitions import compile_setting
from regard.claims.meaning.setting import find_setting
from regard.claims.syntax.grammar import parse
from regard.claims.trial.instances.draws import draw_batch
from regard.claims.trial.instances.structured import law_of, structured_draws
from regard.claims.verdict.readings import _readings


def test_symbols_of_one_shape_become_multiples_of_each_other(unchecked):
    setting = find_setting("attention")
    [task], _ = _readings(parse("k_a = v_a"), compile_setting(setting), None, insist=False)
    batch = structured_draws(task, draw_batch(setting, 2, 8))
    k, v = batch.raw["k"], batch.raw["v"]
    np.testing.assert_array_equal(k[:2], v[:2])
    np.testing.assert_array_equal(2 * k[2:4], v[2:4])
    assert law_of(task, "k") == "normal"
