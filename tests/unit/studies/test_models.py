"""Characters or words: the cut, what is measured, and every sentence beneath the table."""

import dataclasses
import hashlib
import math

import numpy as np
import pytest
from tests.support.texts import VERSE

from regard.errors import MissingExtraError, NothingScoredError, ValueRangeError
from regard.evaluation.perplexity import evaluate
from regard.models.sampling import stream
from regard.studies import model_notes, model_trainers, models
from regard.studies.model_measures import ModelRow, TextSplit, draw_sample, measure, measure_scoring_speed
from regard.training.ngram import NgramConfig, train_ngram

LINES = "to be or not to be\n" * 100


@pytest.fixture(scope="module")
def halves():
    return models.split_text(VERSE, share=0.1)


@pytest.fixture(scope="module")
def by_words(halves):
    return train_ngram(halves.train, NgramConfig(unit="word"))


def row(model="ngram-char", unit="character", **figures):
    """A row in which everything that is not told is 1."""
    plain = {field.name: 1 if field.type == "int" else 1.0 for field in dataclasses.fields(ModelRow)}
    told = {"model": model, "unit": unit, "tokens": 600, "sample": "", "seen_share": 0.0}
    return ModelRow(**(plain | told | figures))


# --- the cut


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
            "book has no line end and no space near the 90 % where it is to be cut; "
            "words must stand apart by white space",
        ),
        (
            "to be or not\n" * 60 + " \n" * 300,
            "book has no line end and no space near the 90 % where it is to be cut; "
            "words must stand apart by white space",
        ),
    ],
)
def test_a_text_that_cannot_be_compared_on(text, message):
    with pytest.raises(NothingScoredError) as found:
        models.split_text(text, share=0.1, name="book")
    assert str(found.value) == message


# --- what is measured


def test_rare_words_are_those_that_training_has_once_or_never():
    halves = TextSplit("the sea the ship\nthe sea\n", "the ship sings\nthe sea\n")
    assert "".join("x" if rare else "." for rare in halves.is_rare) == "....xxxxxxxxxx........."
    assert halves.new_share(halves.measured) == 1 / 5  # `sings`; a ship was seen
    assert halves.new_share(" ") is None


@pytest.mark.parametrize("unit", ["char", "byte", "word"])
def test_one_row(halves, unit):
    model = train_ngram(halves.train, NgramConfig(unit=unit))
    found = measure(model, halves, name="m", training_seconds=2.5, n_drawn=20, seed=3)
    result = evaluate(model, halves.measured, name="t")
    assert (found.model, found.training_seconds, found.tokens) == ("m", 2.5, result.tokens)
    assert found.tokens_per_1000_characters == pytest.approx(
        1000 * len(model.score(halves.measured)) / len(halves.measured)
    )
    assert found.vocabulary == len(model.tokeniser.vocabulary)
    assert found.parameters == sum(np.prod(array.shape) for array in model.arrays().values())
    mean_surprise = -model.score(halves.measured).log_probs_nats.mean()
    assert found.perplexity == pytest.approx(math.exp(mean_surprise), rel=1e-12)
    parts = found.token_bits + found.spelling_bits + found.restoration_bits
    assert parts == pytest.approx(found.bits_per_character, rel=1e-12)
    assert found.bits_per_character == result.bits_per_character
    assert found.scoring_characters_per_second > 0
    assert found.sampling_characters_per_second > 0
    assert len(found.sample) >= 20


def test_familiar_and_rare_words_together_are_the_whole_text():
    halves = TextSplit(VERSE, "the sea sings to the moon.\nthe sea is the harbour,\n")
    model = train_ngram(halves.train, NgramConfig(unit="word"))
    found = measure(model, halves, name="m", training_seconds=1.0, n_drawn=10, seed=0)
    n_rare = int(halves.is_rare.sum())
    n_all = len(halves.measured)
    together = found.rare_bits * n_rare + found.familiar_bits * (n_all - n_rare)
    assert 0 < n_rare < n_all
    assert together == pytest.approx(found.bits_per_character * n_all, rel=1e-12)
    assert found.rare_bits > found.familiar_bits


def test_where_no_word_is_rare_there_is_nothing_to_tell_of_them(by_words):
    line = VERSE.splitlines(keepends=True)[5]
    found = measure(by_words, TextSplit(VERSE, line), name="m", training_seconds=1.0, n_drawn=10, seed=0)
    assert found.rare_bits is None
    assert found.familiar_bits == pytest.approx(found.bits_per_character, rel=1e-12)


def test_what_the_training_text_has_too_is_told(halves, by_words):
    whole = measure(by_words, TextSplit(halves.train, halves.train), name="m", training_seconds=1.0, n_drawn=10, seed=0)
    assert whole.seen_share > 0.9


def test_a_sample_is_drawn_as_the_model_says(by_words):
    text, speed = draw_sample(by_words, n_characters=50, rng=np.random.default_rng(1))
    assert len(text) >= 50
    assert speed > 0
    expected = "".join(stream(by_words, np.random.default_rng(1), length=60, prompt="\n"))
    assert expected.startswith(text)
    assert text == draw_sample(by_words, n_characters=50, rng=np.random.default_rng(1))[0]
    assert draw_sample(by_words, n_characters=1, rng=np.random.default_rng(1))[0]


def test_speed_is_what_was_scored_by_the_seconds_it_took(by_words, monkeypatch):
    clock = iter(np.arange(100) * 0.02)
    monkeypatch.setattr("regard.studies.model_measures.time.process_time", lambda: next(clock))
    assert measure_scoring_speed(by_words, "the sea\n" * 10) == pytest.approx(2 * 80 / 0.06)


# --- the study


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
        return train_ngram(text, NgramConfig(order=2))

    monkeypatch.setitem(model_trainers.TRAINERS, "ngram-char", trainer)
    told = []
    config = models.Config(models=("ngram-char",), minutes=3.0, seed=2, n_drawn=5)
    models.run(VERSE, config, progress=lambda share, message: told.append(share))
    assert given == [(models.split_text(VERSE, share=0.1).train, model_trainers.Effort(minutes=3.0, seed=2))]
    assert told == [0.0, 0.5, 1.0]


def test_the_bigram_trainer_tells_how_far_it_is_and_knows_so_many_words(monkeypatch):
    monkeypatch.setattr(model_trainers, "NETWORK_VOCABULARY", 12)
    shares = []
    model = model_trainers.TRAINERS["bigram-word"](VERSE[:400], model_trainers.Effort(), shares.append)
    assert len(model.tokeniser.vocabulary) == 12
    assert 0 < shares[0] < shares[-1] <= 1
    assert model_trainers.TRAINERS["bigram-char"](VERSE[:200], model_trainers.Effort(), shares.append).kind == "bigram"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"models": ("ngram-char", "trigram")}, "there is no model 'trigram' to compare; choose from ngram-char, "),
        ({"models": ()}, "there is no model to compare; choose from ngram-char, "),
        ({"minutes": 0.0}, "a network is trained for more than 0 minutes; got 0"),
        ({"minutes": math.nan}, "a network is trained for more than 0 minutes; got nan"),
        ({"measured_share": 0.6}, "what is measured on is more than none and at most half; got 0.6"),
        ({"n_drawn": 0}, "a sample has at least one character; got 0"),
    ],
)
def test_settings_that_cannot_be(settings, message):
    with pytest.raises(ValueRangeError) as found:
        models.Config(**settings)
    assert str(found.value).startswith(message)


def test_networks_need_torch(monkeypatch):
    monkeypatch.setattr("regard.studies.model_trainers.importlib.util.find_spec", lambda name: None)
    models.Config(models=("ngram-char", "bigram-word"))
    with pytest.raises(
        MissingExtraError, match=r"recurrent-char needs PyTorch: pip install 'regard\[models\]', or leave"
    ):
        models.Config(models=("ngram-char", "recurrent-char"))


# --- networks that learn by time


@pytest.fixture
def quick(monkeypatch):
    """Networks of next to no size, so that some moments are enough for a few steps."""
    from regard.studies import network_trainers
    from regard.training.network.recurrent import RecurrentPreset, RecurrentRecipe
    from regard.training.network.schedule import ScheduleConfig
    from regard.training.network.transformer import TransformerPreset, TransformerRecipe

    schedule = ScheduleConfig(learning_rate=0.01, minutes=1.0, checkpoints=2)
    recurrent = RecurrentPreset(RecurrentRecipe(cell="gru", width=8, embedding=8, n_rows=4, length=8), schedule)
    transformer = TransformerPreset(
        TransformerRecipe(width=8, layers=1, heads=2, hidden=16, context=8, stride=4, n_rows=4), schedule
    )
    monkeypatch.setattr(network_trainers, "CHARACTERS", {0.0: recurrent})
    monkeypatch.setattr(network_trainers, "WORDS", recurrent)
    monkeypatch.setattr(network_trainers, "TRANSFORMERS", {0.0: transformer})


@pytest.mark.parametrize("name", ["recurrent-char", "recurrent-word", "transformer-char"])
def test_a_network_learns_for_as_long_as_it_may(quick, halves, name):
    shares = []
    model = model_trainers.TRAINERS[name](halves.train, model_trainers.Effort(minutes=0.3 / 60, seed=1), shares.append)
    assert 0 < shares[0] <= shares[-1] <= 1
    assert f"{model.kind}-{model.background.tokeniser.unit[:4]}" == name
    found = measure(model, halves, name=name, training_seconds=1.0, n_drawn=20, seed=0)
    assert 0 < found.bits_per_character < 8
    assert len(found.sample) >= 20
    assert model.background.notes["training"]["schedule"]["minutes"] == 0.3 / 60


def test_the_best_network_is_kept_not_the_last(quick, halves, monkeypatch):
    import torch

    from regard.studies import network_trainers
    from regard.training.network.run import NetworkTask

    costs = iter([1.0, 2.0])  # after half of the steps, and at the end
    weights = []

    def cost(task, network):
        weights.append(network.output.bias.detach().clone())
        return next(costs)

    monkeypatch.setattr(NetworkTask, "validation_nats", cost)
    task = network_trainers.recurrent_characters(halves.train, minutes=1.0, seed=0)
    by_steps = dataclasses.replace(
        task.schedule, minutes=None, steps=4, checkpoints=2
    )  # not by the clock, which may be slow
    model = network_trainers.train_to_end(dataclasses.replace(task, schedule=by_steps), lambda share: None)
    assert len(weights) == 2
    assert torch.equal(model.network.output.bias, weights[0])
    assert not torch.equal(weights[0], weights[1])


# --- the sentences


HALVES = TextSplit("the sea the ship\nthe sea\n", "the ship sings\nthe sea\n")
LETTERS = row(
    bits_per_character=2.0, familiar_bits=1.5, rare_bits=3.0, perplexity=4.0, unknown_share=0.0, invented_share=0.25
)
WORDS = row(
    "ngram-word",
    "word",
    tokens=100,
    bits_per_character=2.5,
    spelling_bits=1.0,
    restoration_bits=0.25,
    familiar_bits=1.2,
    rare_bits=4.0,
    perplexity=50.0,
    unknown_share=0.2,
    invented_share=0.0,
    training_seconds=0.5,
    scoring_characters_per_second=12.4,
    sampling_characters_per_second=0.25,
)


def said(say, *rows, halves=HALVES):
    return list(say(rows, halves))


def test_which_is_best():
    assert said(model_notes.best_models, LETTERS, WORDS) == [
        "fewest bits per character: ngram-char with 2.0000; of words, ngram-word with 2.5000, 25 % more"
    ]
    assert said(model_notes.best_models, WORDS) == ["fewest bits per character: ngram-word with 2.5000"]


def test_the_same_kind_by_both():
    assert said(model_notes.same_families, LETTERS, WORDS, row("recurrent-char")) == [
        "the same kind of model by characters and by words: ngram 2.0000 and 2.5000 bits per character"
    ]
    assert said(model_notes.same_families, LETTERS, row("bigram-word", "word")) == []


def test_which_does_better_where():
    assert said(model_notes.familiar_and_rare_words, LETTERS, WORDS) == [
        "56.5 % of the text are familiar words, which training has at least twice",
        "ngram-char and ngram-word: words do better on familiar words, 1.200 bits per character against 1.500; "
        "characters do better on others, 3.000 bits per character against 4.000",
    ]
    other = dataclasses.replace(WORDS, model="bigram-word", rare_bits=None)
    assert said(model_notes.familiar_and_rare_words, LETTERS, other)[1:] == [
        "ngram-char and bigram-word: words do better on familiar words, 1.200 bits per character against 1.500"
    ]
    assert said(model_notes.familiar_and_rare_words, WORDS) == []


def test_what_is_unknown_and_what_it_costs():
    assert said(model_notes.unknown_words, LETTERS, WORDS) == [
        "ngram-word does not know 20 % of its 100 tokens: spelling them takes 40 % of its bits, "
        "restoring spaces and line breaks 10 %",
        "ngram-char does not know 0 % of its 600 tokens",
    ]


def test_lengths_and_speeds():
    assert said(model_notes.lengths, LETTERS, WORDS) == [
        "the text has 6.0 times as many characters (600) as words and line ends (100)"
    ]
    assert said(model_notes.speeds, LETTERS, WORDS) == [
        "ngram-word trains 2, scores 12 and draws 0.25 times as fast as ngram-char"
    ]
    by_time = [dataclasses.replace(row, model=row.model.replace("ngram", "recurrent")) for row in (LETTERS, WORDS)]
    assert said(model_notes.speeds, *by_time) == [
        "recurrent-word scores 12 and draws 0.25 times as fast as recurrent-char"
    ]


def test_where_perplexity_misleads():
    worse = dataclasses.replace(LETTERS, model="bigram-char", perplexity=10.0, bits_per_character=3.5)
    fewer = dataclasses.replace(WORDS, model="bigram-word", perplexity=30.0, bits_per_character=2.75, unknown_share=0.4)
    assert said(model_notes.misleading_perplexity, LETTERS, WORDS, worse, fewer) == [
        "perplexity misleads: 10 per character of bigram-char is less than 50 per word of ngram-word, and yet it takes "
        "3.5000 bits per character, not 2.5000",
        "perplexity misleads: 30 per word of bigram-word is less than 50 per word of ngram-word, and yet it takes "
        "2.7500 bits per character, not 2.5000: it leaves 40 % of the tokens unknown, not 20 %",
    ]
    assert said(model_notes.misleading_perplexity, LETTERS, WORDS) == []


def test_words_that_were_never_read():
    assert said(model_notes.invented_words, LETTERS, WORDS) == [
        "drawn words that the training text does not have: ngram-char 25 %, ngram-word 0 %; "
        "of the words of the measured text it does not have 20 %"
    ]
    assert said(model_notes.invented_words, dataclasses.replace(LETTERS, invented_share=None)) == []


def test_a_text_that_repeats_itself_is_told_of():
    assert said(model_notes.repeated_text, LETTERS, dataclasses.replace(WORDS, seen_share=0.214)) == [
        "be wary: at least 21.4 % of the measured text stands in the training text too; "
        "there the figures say how well a model remembers"
    ]
    assert said(model_notes.repeated_text, LETTERS) == []


def test_all_sentences_in_their_order():
    found = model_notes.write_notes([LETTERS, WORDS], HALVES)
    assert len(found) == 11
    assert found[-1] == "a perplexity is per token of the model's own: no two units can be compared by it"
    assert len(model_notes.write_notes([LETTERS], HALVES)) == 4
