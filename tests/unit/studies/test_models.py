"""Characters or words: where a text is cut, and the table of a study."""

import hashlib
import math

import pytest
from tests.support.texts import VERSE

from regard.errors import NothingScoredError, ValueRangeError
from regard.models.ngram.model import NgramConfig, fit_ngram
from regard.records import Workers
from regard.studies import model_trainers, models

LINES = "to be or not to be\n" * 100


def test_a_text_is_cut_after_the_line_in_which_nine_tenths_of_it_end():
    found = models.split_text(LINES, share=0.1)
    assert found.train + found.measured == LINES
    assert found.measured == "to be or not to be\n" * 9
    assert len(found.measured) <= 0.1 * len(LINES)


def test_without_lines_it_is_cut_between_words():
    text = "to be or not " * 100
    found = models.split_text(text, share=0.1)
    assert found.train + found.measured == text
    assert found.train.endswith(" ")
    assert 0.09 < len(found.measured) / len(text) <= 0.1
    # One line end far from where the cut should be does not draw it there.
    assert len(models.split_text("first line\n" + text, share=0.1).measured) == pytest.approx(0.1 * len(text), abs=5)


def test_where_the_last_line_is_long_the_cut_is_before_it():
    text = "to be\n" * 130 + "or not " * 17 + "\n"
    found = models.split_text(text, share=0.1)
    assert found.measured == "or not " * 17 + "\n"
    assert len(found.measured) > 0.1 * len(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "book has no words; expected a text with words in it"),
        (" \n" * 1000, "book has no words; expected a text with words in it"),
        ("to be", "book has 5 characters; a comparison needs at least 500, better 100,000"),
        (
            "a" * 1000,
            "book has no line end and no space near the place where it is to be cut, at 90 %; "
            "expected words with white space between them",
        ),
        (
            "to be or not\n" * 60 + " \n" * 300,
            "book has no line end and no space near the place where it is to be cut, at 90 %; "
            "expected words with white space between them",
        ),
    ],
)
def test_a_text_that_cannot_be_compared_on(text, message):
    with pytest.raises(NothingScoredError) as found:
        models.split_text(text, share=0.1, name="book")
    assert str(found.value) == message


def test_a_table_with_its_circumstances():
    told = []
    config = models.Config(text="verse", models=("ngram-char", "ngram-word", "ngram-char"), n_drawn=10, seed=7)
    table = models.run(VERSE, config, progress=lambda share, message: told.append((message, share)))
    assert table.column("model") == ["ngram-char", "ngram-word"]
    assert table.column("unit") == ["character", "word"]
    n_measured = table.rows[0][table.columns.index("tokens")]
    assert table.title == (
        f"Characters or words: verse, {len(VERSE) - n_measured:,} characters to learn from "
        f"and the {n_measured:,} after them to measure on"
    )
    assert table.config["sha256"] == hashlib.sha256(VERSE.encode()).hexdigest()
    assert (table.config["characters"], table.config["seed"]) == (len(VERSE), 7)
    assert told == [
        ("training ngram-char (1 of 2)", 0.0),
        ("measuring ngram-char (1 of 2)", 0.5),
        ("training ngram-word (2 of 2)", 0.5),
        ("measuring ngram-word (2 of 2)", 1.0),
    ]
    assert table.notes[0].startswith("fewest bits per character: ngram-")


def test_models_learn_only_from_the_first_part(monkeypatch):
    given = []

    def trainer(text, effort, progress):
        given.append((text, effort))
        progress(0.5)
        return fit_ngram(text, NgramConfig(order=2))

    monkeypatch.setitem(model_trainers.TRAINERS, "ngram-char", trainer)
    told = []
    config = models.Config(models=("ngram-char",), minutes=3.0, seed=2, n_drawn=5)
    models.run(VERSE, config, progress=lambda share, message: told.append(share))
    assert given == [(models.split_text(VERSE, share=0.1).train, model_trainers.Effort(minutes=3.0, seed=2))]
    assert told == [0.0, 0.5, 1.0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"models": ("ngram-char", "trigram")}, "there is no model 'trigram' to compare; choose from ngram-char, "),
        ({"models": ()}, "there is no model to compare; choose from ngram-char, "),
        ({"minutes": 0.0}, "minutes, for training a network, must be above 0 and finite; got 0"),
        ({"minutes": math.nan}, "minutes, for training a network, must be above 0 and finite; got nan"),
        ({"measured_share": 0.6}, "the share to measure on must be above 0 and at most 0.5; got 0.6"),
        ({"n_drawn": 0}, "the length of a sample must be at least 1 character; got 0"),
    ],
)
def test_settings_that_cannot_be(settings, message):
    with pytest.raises(ValueRangeError) as found:
        models.Config(**settings)
    assert str(found.value).startswith(message)


def test_workers_find_what_one_process_finds(monkeypatch):
    monkeypatch.setattr(Workers, "are_here", property(lambda self: self.count == 1))
    monkeypatch.setattr(models, "map_batches", lambda task, batches, **_: (task(*batch) for batch in batches))
    config = models.Config(models=("ngram-char", "ngram-word"), n_drawn=20)
    alone, shared = (models.run(VERSE * 2, config, workers=Workers(n)) for n in (1, 2))
    timed = {"training_seconds", "scoring_characters_per_second", "sampling_characters_per_second"}
    rows = [[{k: v for k, v in row.items() if k not in timed} for row in table.records()] for table in (alone, shared)]
    assert rows[0] == rows[1]
    assert [row["model"] for row in rows[1]] == ["ngram-char", "ngram-word"]
