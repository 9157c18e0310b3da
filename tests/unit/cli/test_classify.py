from dataclasses import replace

import pytest

from regard.cli.classify import (
    HOW_MEASURED,
    NO_PAIRS_MEASURED,
    NOTHING_MEASURED,
    print_missing,
    print_warnings,
    unusual_marks,
)
from regard.models.classifier.familiarity import Familiarity


def text(*, short: bool = False, long: bool = False, unknown: bool = False) -> Familiarity:
    warnings = ("so it is",) if short or long or unknown else ()
    return Familiarity(3, 0.25, 0.8, short, long, unknown, short or unknown, warnings)


def test_a_mark_says_what_is_unusual() -> None:
    strange = replace(text(), has_many_unknown_pairs=True)
    found = [text(), text(short=True), text(long=True, unknown=True), strange]
    assert unusual_marks(found) == ["", "short", "long, unknown", "pairs"]
    assert unusual_marks([text(), text()]) == unusual_marks([]) == []


@pytest.mark.parametrize(
    ("n_short", "told"),
    [(0, ""),
     (1, f"\ntext 2 is unlike the training texts: so it is\n{HOW_MEASURED}\n"),
     (4, "\n" + "".join(f"text {i} is unlike the training texts: so it is\n" for i in (2, 3, 4))
         + f"1 more text is unlike them: --json tells of each\n{HOW_MEASURED}\n")],
)  # fmt: skip
def test_the_first_few_are_told_and_the_others_counted(n_short: int, told: str, capsys) -> None:
    print_warnings([text(), *[text(short=True)] * n_short])
    assert capsys.readouterr().out == told


def test_nothing_was_measured_on_long_texts(capsys) -> None:
    print_warnings([text(long=True)])
    assert HOW_MEASURED not in capsys.readouterr().out


def test_the_record_for_programs() -> None:
    assert text(short=True).record() == {
        "n_words": 3,
        "unknown_share": 0.25,
        "unknown_pair_share": None,
        "unknown_pair_overconfidence": None,
        "expected_accuracy": 0.8,
        "warnings": ["so it is"],
    }


@pytest.mark.parametrize(
    ("found", "told"),
    [(None, f"\n{NOTHING_MEASURED}\n"),
     ([text()], ""),
     ([text(), replace(text(), unknown_pair_share=0.1)], f"\n{NO_PAIRS_MEASURED}\n"),
     ([replace(text(), unknown_pair_share=0.1, has_measured_pairs=True)], "")],
)  # fmt: skip
def test_what_an_older_model_does_not_know_is_told(found, told: str, capsys) -> None:
    print_missing(found)
    assert capsys.readouterr().out == told
