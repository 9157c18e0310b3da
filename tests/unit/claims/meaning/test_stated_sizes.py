"""Rows of sizes that a claim names and its setting does not try."""

from regard.claims.meaning.conditions import ClaimStatements
from regard.claims.meaning.definitions import compile_setting
from regard.claims.meaning.setting import find_setting
from regard.claims.meaning.stated_sizes import sizes_from_one, with_one, with_stated_sizes
from regard.claims.syntax.grammar import parse


def sizes_of(claim: str, *conditions: tuple[str, str, int], setting: str = "orthonormal-keys") -> list[dict[str, int]]:
    parts = ClaimStatements(sizes=list(conditions))  # type: ignore[arg-type]
    return list(with_stated_sizes(compile_setting(find_setting(setting)), parts, parse(claim)).setting.sizes)


def test_one_key_where_the_claim_lets_it_be():
    assert sizes_of("α_i < 1", ("n", "≥", 1))[0] == {"n": 1, "d": 2}
    assert sizes_of("α_i < 1", ("n", "≥", 2))[0] == {"n": 2, "d": 2}
    assert sizes_of("α_a = α_b", ("n", "≥", 1))[0] == {"n": 2, "d": 2}  # b is a second key
    assert with_one(find_setting("perplexity"), parse("PP > 1")) is None  # N is N_1 + N_2


def test_a_written_size_comes_last_with_room_for_its_vectors():
    assert sizes_of("α_i = 1/16", ("n", "=", 16))[-1] == {"n": 16, "d": 16}
    assert len(sizes_of("α_i = 1/4", ("n", "=", 4))) == 4


def test_sizes_that_may_be_one():
    claim = parse("0 < α_i < 1 for all n")
    assert sizes_from_one(ClaimStatements(), claim) == {"n"}
    assert sizes_from_one(ClaimStatements(sizes=[("n", "≥", 2)]), claim) == set()  # type: ignore[list-item]
