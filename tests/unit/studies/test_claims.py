import pytest

from regard.claims.meaning.recognition import choose_setting
from regard.claims.sheets.formulas import FoundClaim
from regard.claims.sheets.totals import Answer, mistake, total_by_question
from regard.claims.verdict.records import Verdict
from regard.errors import InputFileError
from regard.studies.claims import Config, check_claims, check_document, totals_table


def answer(text, outcome, question="1", nearest=None):
    return Answer(FoundClaim(text, 1, question=question), Verdict(text, "two-subspaces", outcome, "", nearest=nearest))


def test_totals_count_verdicts_and_find_the_most_common_mistake():
    answers = [
        answer("M = A A^T", "holds"),
        answer("M = A^T", "fails", nearest="A Aᵀ, not Aᵀ"),
        answer("M = B B^T", "fails"),
        answer("M = A.T", "fails"),
        answer("M = (", "not-understood"),
        answer("q = C k_a", "holds-in-limit", question="2"),
    ]
    first, second = total_by_question(answers)
    assert (first.question, first.answers, first.mistake, first.times) == ("1", 5, "M = Aᵀ", 2)
    assert first.outcomes == {
        "holds": 1,
        "holds-in-limit": 0,
        "fails": 3,
        "ill-formed": 0,
        "undecided": 0,
        "not-understood": 1,
    }
    assert first.nearest == "A Aᵀ, not Aᵀ"
    assert (second.question, second.mistake, second.times) == ("2", "", 0)
    assert totals_table(answers).rows == (("1", 5, 1, 0, 3, 0, 0, 1, "M = Aᵀ", 2), ("2", 1, 0, 1, 0, 0, 0, 0, "", 0))
    assert totals_table(answers).columns[2:4] == ("holds", "holds in the limit")


def test_a_mistake_that_cannot_be_read_is_shown_as_it_was_written():
    assert mistake(answer("M = (\x1b", "not-understood")) == "M = (·"


def test_claims_are_checked_in_their_own_setting(unchecked):
    found = [
        FoundClaim("M = A A^T", 1, setting="two-subspaces"),
        FoundClaim("M = A^T", 2),
        FoundClaim("M v_b = 0; M = A A^T", 3),
        FoundClaim("M = A^T", 4),
    ]
    answers = check_claims(found, Config(setting="two-subspaces"))
    assert [answer.verdict.verdict for answer in answers] == ["holds", "fails", "holds", "fails"]
    assert [answer.is_true for answer in answers] == [True, False, True, False]
    assert answers[1].verdict is answers[3].verdict  # tried once


def test_a_document_cannot_name_a_file_as_its_setting(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("claim,setting\nM = A^T,/etc/hosts.toml\n", "utf-8")
    with pytest.raises(InputFileError, match=r"a.csv: line 2: no setting '/etc/hosts.toml'; there are attention, "):
        check_document(path)


@pytest.mark.parametrize(
    ("claim", "setting"),
    [
        ("q = C(k_a + k_b)", "attention"),
        ("M = AA^T", "two-subspaces"),
        ("q = C μ_a", "noisy-keys"),
        ("q_1 = C μ_a; q_2 = C μ_b", "two-heads"),
        (r"\partial CE/\partial\theta = \hat y - y", "softmax-cross-entropy"),
        ("∂J/∂W_2 = h^T(ŷ - y)", "one-hidden-layer"),
        ("PP = 2^{H_2}", "perplexity"),
        ("x = (", "attention"),
    ],
)
def test_a_setting_is_found_by_its_letters(claim, setting):
    assert choose_setting(claim).name == setting
