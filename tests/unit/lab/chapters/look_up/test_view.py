"""What Python answers to chapter 1, against plain computations."""

import numpy as np
import pytest

from regard.errors import ValueRangeError
from regard.lab.chapters.look_up.view import PlaneInput, confirm
from regard.lab.inputs import read_input

SQUARE = [[1, 1], [-1, 1], [-1, -1], [1, -1]]


def asked(keys, query, *, scale=1.0, chosen=0):
    values = [[n / len(keys), 0.0, 1.0] for n in range(len(keys))]
    sent = {"keys": keys, "values": values, "query": query, "scale": scale, "chosen": chosen}
    return read_input(PlaneInput, sent)


def test_weights_and_output_are_those_worked_out_by_hand():
    now = asked(SQUARE, [0.5, 0.25], scale=2.0)
    powers = np.exp(2.0 * np.array(SQUARE) @ [0.5, 0.25])
    told = confirm(now)
    np.testing.assert_allclose(told["weights"], powers / powers.sum(), rtol=1e-14)
    np.testing.assert_allclose(told["output"], powers / powers.sum() @ np.array(now.values), rtol=1e-14)
    assert told["bound"] == 1.0


def test_the_bound_of_the_centre_of_a_square_is_a_fifth():
    told = confirm(asked([*SQUARE, [0, 0]], [1, 0], chosen=4))
    assert told["bound"] == pytest.approx(0.2)
    assert told["needs"] == []


def test_the_scale_along_the_query_meets_the_error():
    keys, query = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]), np.array([1, 0.2])
    needs = confirm(asked(keys.tolist(), query.tolist()))["needs"]
    for need in needs:
        powers = np.exp(need["scale"] * keys @ query)
        assert 1 - powers[0] / powers.sum() == pytest.approx(need["error"], rel=1e-9)
    assert needs[0]["shortest"] < needs[2]["shortest"]


def test_where_another_key_leads_no_scale_will_do():
    assert [need["scale"] for need in confirm(asked([[1, 0], [0, 1]], [0, 1]))["needs"]] == [None, None, None]


def test_what_does_not_belong_together_is_refused():
    with pytest.raises(ValueRangeError, match="each key needs one value"):
        confirm(asked(SQUARE, [0, 0], chosen=4))
