"""Every sentence beneath the table of models."""

import dataclasses

from regard.studies import model_notes
from regard.studies.model_measures import ModelRow, TextSplit


def row(model="ngram-char", unit="character", **figures):
    """A row in which everything that is not told is 1."""
    plain = {field.name: 1 if field.type == "int" else 1.0 for field in dataclasses.fields(ModelRow)}
    told = {"model": model, "unit": unit, "tokens": 600, "sample": "", "seen_share": 0.0}
    return ModelRow(**(plain | told | figures))


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
