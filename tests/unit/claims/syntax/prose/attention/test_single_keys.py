"""Keys and queries without letters."""

import pytest

from regard.claims.syntax.prose.reading import read_prose


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("A key orthogonal to the query has score zero.", ("Let k_m^T q = 0. Then k_m^T q = 0",)),
        ("If a key is orthogonal to the query, its weight is zero.", ("Let k_m^T q = 0. Then α_{m} = 0",)),
        (
            "The key with the largest score gets a weight of at least 1/n.",
            ("Let k_m^T q = max_i k_i^T q. Then α_m ≥ 1/n",),
        ),
        ("Two keys of equal length get equal weights.", ("Let ‖k_1‖ = ‖k_2‖. Then α_1 = α_2",)),
        (
            "If two keys have the same dot product with the query, they receive the same weight.",
            ("Let k_1^T q = k_2^T q. Then α_1 = α_2",),
        ),
        (
            "If s_a − s_b = ln 2, then key a receives twice the weight of key b.",
            ("Let s_a − s_b = ln 2. Then α_{a} = 2 α_{b}",),
        ),
        ("A zero query gives uniform attention weights.", ("Let q = 0. Then α_i = 1/n",)),
        ("A head whose query is zero returns the sum of the values.", ("Let q = 0. Then c = \\sum_i v_i",)),
        (
            "As the query grows without bound, the largest attention weight tends to one.",
            ("Let s uniquemax. Let C → ∞. Then max_i softmax(C s)_i → 1",),
        ),
    ],
)
def test_sentences(sentence, claims):
    assert read_prose(sentence).claims == claims


def test_a_growing_query_beside_a_temperature_is_not_read():
    text = "At temperature T, as the query grows without bound, the largest attention weight tends to one."
    assert read_prose(text) is None
