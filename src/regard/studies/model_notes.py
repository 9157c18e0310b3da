"""What the figures of a comparison of models say, in words: each sentence is worked out, or left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import TypeAlias

from regard.display import percent
from regard.studies.model_measures import ModelRow, TextSplit
from regard.studies.model_trainers import BY_TIME, family

Rows: TypeAlias = Sequence[ModelRow]


def write_notes(rows: Rows, halves: TextSplit) -> tuple[str, ...]:
    """Every sentence that there is ground for."""
    return tuple(sentence for say in SENTENCES for sentence in say(rows, halves))


def best_models(rows: Rows, halves: TextSplit) -> Iterator[str]:
    """The fewest bits per character, and the fewest of every other unit."""
    first = find_best(rows)
    note = f"fewest bits per character: {first.model} with {first.bits_per_character:.4f}"
    for unit in dict.fromkeys(row.unit for row in rows if row.unit != first.unit):
        row = find_best([row for row in rows if row.unit == unit])
        more = row.bits_per_character / first.bits_per_character - 1
        note += f"; of {unit}s, {row.model} with {row.bits_per_character:.4f}, {percent(more)} more"
    yield note


def same_families(rows: Rows, halves: TextSplit) -> Iterator[str]:
    """Each family by characters and by words."""
    listed = ", ".join(
        f"{family(letters.model)} {letters.bits_per_character:.4f} and {words.bits_per_character:.4f}"
        for letters, words in pair_families(rows)
    )
    if listed:
        yield f"the same kind of model by characters and by words: {listed} bits per character"


def familiar_and_rare_words(rows: Rows, halves: TextSplit) -> Iterator[str]:
    """Which unit does better on words that are familiar from training, and which on the others."""
    pairs = pair_families(rows) or pair_leaders(rows)
    if pairs:
        familiar = 1 - float(halves.is_rare.mean())
        yield f"{percent(familiar)} of the text are familiar words, which training has at least twice"
    for letters, words in pairs:
        kinds = {"familiar words": "familiar_bits", "others": "rare_bits"}
        comparisons = [
            _compare_units(getattr(letters, column), getattr(words, column), on) for on, column in kinds.items()
        ]
        yield f"{letters.model} and {words.model}: {'; '.join(filter(None, comparisons))}"


def unknown_words(rows: Rows, halves: TextSplit) -> Iterator[str]:
    """What the best of each unit does not know, and what that costs."""
    for row in (find_best(kind) for kind in (select_words(rows), select_characters(rows)) if kind):
        bits = row.bits_per_character
        note = f"{row.model} does not know {percent(row.unknown_share)} of its {row.tokens:,} tokens"
        if row.unit == "word":
            note += (
                f": spelling them takes {percent(row.spelling_bits / bits)} of its bits, restoring spaces and line "
                f"breaks {percent(row.restoration_bits / bits)}"
            )
        yield note


def lengths(rows: Rows, halves: TextSplit) -> Iterator[str]:
    """How much longer a text is in characters."""
    for letters, words in pair_leaders(rows):
        yield (
            f"the text has {letters.tokens / words.tokens:.1f} times as many characters ({letters.tokens:,}) as words "
            f"and line ends ({words.tokens:,})"
        )


def speeds(rows: Rows, halves: TextSplit) -> Iterator[str]:
    """What words gain or lose in time; where time was given, training took that time."""
    for letters, words in pair_families(rows):
        training, scoring, sampling = (
            letters.training_seconds / words.training_seconds,
            words.scoring_characters_per_second / letters.scoring_characters_per_second,
            words.sampling_characters_per_second / letters.sampling_characters_per_second,
        )
        trains = "" if family(words.model) in BY_TIME else f"trains {_format_ratio(training)}, "
        yield (
            f"{words.model} {trains}scores {_format_ratio(scoring)} and draws {_format_ratio(sampling)} times as fast "
            f"as {letters.model}"
        )


def misleading_perplexity(rows: Rows, halves: TextSplit) -> Iterator[str]:
    """Two models that perplexity puts in the wrong order: of two units, and of one."""
    wrong = [
        (lower, better)
        for lower, better in permutations(rows, 2)
        if lower.perplexity < better.perplexity and lower.bits_per_character > better.bits_per_character
    ]
    across = [pair for pair in wrong if pair[0].unit != pair[1].unit]
    within = [pair for pair in wrong if pair[0].unit == pair[1].unit]
    for pairs in filter(None, (across, within)):
        lower, better = max(pairs, key=lambda pair: pair[0].bits_per_character - pair[1].bits_per_character)
        yield (
            f"perplexity misleads: {lower.perplexity:.4g} per {lower.unit} of {lower.model} is less than "
            f"{better.perplexity:.4g} per {better.unit} of {better.model}, and yet it takes "
            f"{lower.bits_per_character:.4f} bits per character, not {better.bits_per_character:.4f}"
            + _unknown_shares(lower, better)
        )


def invented_words(rows: Rows, halves: TextSplit) -> Iterator[str]:
    """How many of the drawn words there are not in the training text."""
    listed = ", ".join(f"{row.model} {percent(row.invented_share)}" for row in rows if row.invented_share is not None)
    natural = halves.new_share(halves.measured)
    if listed and natural is not None:
        yield (
            f"drawn words that the training text does not have: {listed}; of the words of the measured text it does "
            f"not have {percent(natural)}"
        )


def repeated_text(rows: Rows, halves: TextSplit) -> Iterator[str]:
    """Say that the measured text repeats the training text, where it does."""
    share = max(row.seen_share for row in rows)
    if share > 0:
        yield (
            f"be wary: at least {percent(share)} of the measured text stands in the training text too; there the "
            "figures say how well a model remembers"
        )


def measurement(rows: Rows, halves: TextSplit) -> Iterator[str]:
    """What the columns are."""
    yield "seconds and speeds are the processor's, all threads together"
    if len({row.unit for row in rows}) > 1:
        yield "a perplexity is per token of the model's own: no two units can be compared by it"


SENTENCES: tuple[Callable[[Rows, TextSplit], Iterator[str]], ...] = (
    best_models,
    same_families,
    familiar_and_rare_words,
    unknown_words,
    lengths,
    speeds,
    misleading_perplexity,
    invented_words,
    repeated_text,
    measurement,
)


def find_best(rows: Rows) -> ModelRow:
    """The row with the fewest bits per character."""
    return min(rows, key=lambda row: row.bits_per_character)


def select_words(rows: Rows) -> list[ModelRow]:
    """The models whose tokens are words."""
    return [row for row in rows if row.unit == "word"]


def select_characters(rows: Rows) -> list[ModelRow]:
    """The models whose tokens are characters."""
    return [row for row in rows if row.unit == "character"]


def pair_leaders(rows: Rows) -> list[tuple[ModelRow, ModelRow]]:
    """The best by characters and the best by words: one pair, or none."""
    letters, words = select_characters(rows), select_words(rows)
    return [(find_best(letters), find_best(words))] if letters and words else []


def pair_families(rows: Rows) -> list[tuple[ModelRow, ModelRow]]:
    """Models of one family: by characters, and by words."""
    by_words = {family(row.model): row for row in select_words(rows)}
    return [(row, by_words[family(row.model)]) for row in select_characters(rows) if family(row.model) in by_words]


def _compare_units(by_letters: float | None, by_words: float | None, on: str) -> str | None:
    """Whose bits per character are fewer on such words; None where there are no such words."""
    if by_letters is None or by_words is None:
        return None
    if by_words < by_letters:
        return f"words do better on {on}, {by_words:.3f} bits per character against {by_letters:.3f}"
    return f"characters do better on {on}, {by_letters:.3f} bits per character against {by_words:.3f}"


def _unknown_shares(lower: ModelRow, better: ModelRow) -> str:
    """For two models of one unit: what perplexity does not count."""
    if lower.unit != better.unit or lower.unknown_share <= better.unknown_share:
        return ""
    return f": it leaves {percent(lower.unknown_share)} of the tokens unknown, not {percent(better.unknown_share)}"


def _format_ratio(ratio: float) -> str:
    return f"{ratio:.2g}" if ratio < 10 else f"{ratio:.0f}"
