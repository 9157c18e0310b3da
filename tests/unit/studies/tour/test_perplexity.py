"""Part E of the tour: bases and gaps, on tiny models."""

from urllib.parse import parse_qs, urlsplit

import pytest
from tests.unit.studies.tour.conftest import CONFIG

from regard.studies.tour.perplexity import PASSAGES, passages


@pytest.mark.parametrize("identifier", ["E1", "E2"])
def test_every_answer_keeps_the_rules(keeps_the_rules, identifier):
    keeps_the_rules(identifier)


def test_the_base_does_not_matter(answer):
    found = answer("E1")
    values = [found.number(f"perplexity by base {base}").value for base in ("2", "e", "10")]
    assert values == pytest.approx([values[0]] * 3, rel=1e-12)
    verdicts = {claim.claim: claim.verdict for claim in found.claims}
    assert (verdicts["PP = 2^{H_2}"], verdicts["PP = 2^{CE}"]) == ("holds", "fails")


def test_both_models_on_both_passages(answer):
    found = answer("E2")
    assert [row[:2] for row in found.tables[0].rows] == [
        ("words", "Shakespeare"), ("words", "encyclopaedia"),
        ("characters", "Shakespeare"), ("characters", "encyclopaedia"),
    ]  # fmt: skip
    assert f"{found.number('perplexity, words on Shakespeare').value:.2f}" in found.sentences[0]


def test_a_quick_tour_has_its_own_passages_and_says_so():
    texts, notes = passages(CONFIG)
    assert texts == PASSAGES
    assert "sonnet 18" in notes[0]


def test_links_carry_the_passages(answer):
    for identifier, names in (("E1", ["a"]), ("E2", ["a", "b"]), ("E3", ["b"])):
        given = parse_qs(urlsplit(answer(identifier).link).query)
        assert [name for name in ("a", "b") if name in given] == names
        assert all(given[name][0] in PASSAGES.values() for name in names)
