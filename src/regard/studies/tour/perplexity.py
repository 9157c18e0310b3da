"""Part E of the tour: perplexity does not depend on the base, and why two models on two passages differ so much."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import quote, urlencode

from regard.display import percent
from regard.errors import CorpusError, InputFileError, MissingExtraError
from regard.evaluation.perplexity import compare_perplexity, evaluate
from regard.files import sha256
from regard.models.base import LanguageModel
from regard.models.ngram.model import NgramConfig, fit_ngram
from regard.progress import Progress, part
from regard.records import PerplexityResult
from regard.report.tour.answers import Answer, Question, Table
from regard.studies.tour.evidence import Config, Origin, draw, draw_bars, try_claims
from regard.studies.tour.materials import (
    character_fingerprint,
    character_material,
    digest_settings,
    train_characters,
    train_words,
    word_fingerprint,
    word_material,
)
from regard.text.corpora.corpus import find_corpus
from regard.text.normalise.prepare import STEPS

WORDS, CHARACTERS = "words", "characters"
"""What the two models are called."""
PASSAGES = {
    "Shakespeare": """\
Shall I compare thee to a summer's day?
Thou art more lovely and more temperate:
Rough winds do shake the darling buds of May,
And summer's lease hath all too short a date;
Sometime too hot the eye of heaven shines,
And often is his gold complexion dimm'd;
And every fair from fair sometime declines,
By chance or nature's changing course untrimm'd;
But thy eternal summer shall not fade,
Nor lose possession of that fair thou ow'st;
Nor shall death brag thou wander'st in his shade,
When in eternal lines to time thou grow'st:
So long as men can breathe or eyes can see,
So long lives this, and this gives life to thee.
""",
    "encyclopaedia": """\
A lighthouse is a tower that sends out light to guide ships at sea. Most stand on rocks, capes or harbour walls, and \
many were built between 1750 and 1900, when coastal trade grew quickly. Early keepers burned wood, coal or oil; from \
1822 on, the lens of Augustin Fresnel gathered the light into a narrow beam that could be seen 30 kilometres away. \
Today nearly all of them work without a keeper. Their lamps are switched on by sensors, and satellite navigation has \
made some of them unnecessary, but about 1,500 are still used around the world.
""",
}
"""Passages used where the course's are not available: a sonnet, and a text in the manner of an encyclopaedia."""
MAX_LINKED = 1500
"""Characters of a passage that an address of the lab carries."""
COURSE_PASSAGES = {"Shakespeare": "shakespeare-passage", "Wikipedia": "wikipedia-passage"}


@lru_cache(maxsize=2)
def passages(config: Config) -> tuple[dict[str, str], tuple[str, ...]]:
    """The two passages, and a note where they are not the course's."""
    if not config.quick:
        try:
            return {name: find_corpus(corpus).text for name, corpus in COURSE_PASSAGES.items()}, ()
        except (CorpusError, InputFileError, MissingExtraError):
            pass
    note = (
        "The passages are Shakespeare's sonnet 18 and a text about lighthouses, written for this tour in the manner of "
        "an encyclopaedia, in place of the course's passages."
    )
    return PASSAGES, (note,)


def models(config: Config, progress: Progress) -> dict[str, LanguageModel]:
    """The model of words of part C and the model of characters of part D."""
    words = train_words(config, part(progress, 0.0, 0.4)).by_steps.model
    return {WORDS: words, CHARACTERS: train_characters(config, part(progress, 0.4, 1.0)).model}


def fingerprint(config: Config) -> str:
    """Of the passages, and of what both models learnt from."""
    texts, _ = passages(config)
    return digest_settings(texts, word_fingerprint(config), character_fingerprint(config), tuple(STEPS))


BASE_CLAIMS = (
    ("PP = 2^{H_2}", "perplexity"),
    (r"PP = \exp(CE)", "perplexity"),
    ("PP = 2^{CE}", "perplexity"),
    (r"PP = \frac12(PP_1 + PP_2)", "perplexity"),
    (r"PP = \frac1N \sum_i 1/p_i", "perplexity"),
)


BASE_PYTHON = """\
import regard

model = regard.train_ngram("python-manual", order=5, method="kneser-ney", progress=False)
print(regard.evaluate(model, "Shall I compare thee to a summer's day?\\n").perplexity_by_base)
"""


def answer_base(question: Question, config: Config, progress: Progress) -> Answer:
    """E1: logarithms to any base give one perplexity."""
    texts, notes = passages(config)
    name, text = next(iter(texts.items()))
    learnt = character_material(config)
    model = fit_ngram(learnt.parts.train, NgramConfig(order=5, method="kneser-ney"))
    by_base = evaluate(model, text, name=name).perplexity_by_base
    gap = max(by_base.values()) / min(by_base.values()) - 1
    origin = Origin(config.seed, f"{name} passage", sha256(text))
    return Answer(
        question=question,
        sentences=(
            "log_b p = ln p / ln b, so b^(−(1/n) Σ log_b p) = e^(−(1/n) Σ ln p): the base cancels. Perplexity is the "
            "geometric mean of 1/p, in which no logarithm occurs at all.",
            f"Computed with bases 2, e and 10 for a counting model of characters on a passage, it is "
            f"{', '.join(f'{value:.6f}' for value in by_base.values())}: the largest relative difference, {gap:.0e}, "
            "is rounding. What must not be mixed is the base of the logarithm with another base of the power.",
        ),
        numbers=(
            *(
                origin.number(f"perplexity by base {base}", value, error=1e-13 * value)
                for base, value in by_base.items()
            ),
            origin.number("largest relative difference", gap, how="measured; rounding alone"),
        ),
        claims=try_claims(*BASE_CLAIMS),
        command="regard check 'PP = 2^{H_2}' --setting perplexity",
        python=BASE_PYTHON,
        link=link_passages(config, {"a": text, "models": "letters"}),
        notes=notes,
    )


def answer_gaps(question: Question, config: Config, progress: Progress) -> Answer:
    """E2: both models on both passages, and why the figures differ."""
    texts, notes = passages(config)
    both = models(config, part(progress, 0.0, 0.9))
    results = {
        (each.model, each.text): each
        for each in compare_perplexity(both, texts, progress=part(progress, 0.9, 1.0)).results
    }
    first, second = texts
    return Answer(
        question=question,
        sentences=_describe_gaps(results, first, second),
        numbers=tuple(
            number
            for each in results.values()
            for origin in (passage_origin(config, each, texts),)
            for number in (
                origin.number(f"perplexity, {each.model} on {each.text}", each.perplexity, how="measured"),
                origin.number(
                    f"bits per character, {each.model} on {each.text}", each.bits_per_character, how="measured"
                ),
            )
        ),
        tables=(_gap_table(results),),
        drawings=draw(
            "The one unit in which all can be compared: bits per character, fewer are better",
            lambda: draw_bars(
                {f"{each.model}, {each.text}": each.bits_per_character for each in results.values()},
                label="bits per character",
            ),
        ),
        claims=try_claims((r"PP = PP_1 PP_2", "perplexity"), (r"PP \le V", "perplexity")),
        command=f"regard tour {'--quick ' if config.quick else ''}--only E2 --seed {config.seed}",
        python=code_for_both(config, "regard.study.perplexity(both, texts, progress=False).results"),
        link=link_passages(config, {"a": texts[first], "b": texts[second]}),
        notes=(*notes, *word_material(config).notes, *character_material(config).notes),
    )


def _describe_gaps(results: dict[tuple[str, str], PerplexityResult], first: str, second: str) -> tuple[str, ...]:
    words, others = results[WORDS, first], results[WORDS, second]
    letters, other_letters = results[CHARACTERS, first], results[CHARACTERS, second]
    lower = min(results.values(), key=lambda each: each.perplexity)
    fewer = min(results.values(), key=lambda each: each.bits_per_character)
    return (
        f"On the {first} passage the model of words has a perplexity of {words.perplexity:.2f} per word and the "
        f"model of characters {letters.perplexity:.2f} per character; on the {second} passage "
        f"{others.perplexity:.2f} and {other_letters.perplexity:.2f}.",
        "The units differ: a word is worth several characters. And unknown words are cheap, as one symbol stands "
        f"for all of them: {percent(words.unknown_share)} of the words of the first passage and "
        f"{percent(others.unknown_share)} of the second are unknown; on the known ones alone the perplexity is "
        f"{_known(words)} and {_known(others)}.",
        f"In bits per character of the text, unknown words spelled out, the figures can be compared: "
        f"{words.bits_per_character:.2f} (words) against {letters.bits_per_character:.2f} (characters) on {first}, "
        f"{others.bits_per_character:.2f} against {other_letters.bits_per_character:.2f} on {second}. What remains "
        f"is how far a passage is from the training text. The lowest perplexity has {lower.model} on {lower.text}, "
        f"the fewest bits {fewer.model} on {fewer.text}.",
    )


def _gap_table(results: dict[tuple[str, str], PerplexityResult]) -> Table:
    return Table(
        "Both models on both passages",
        ("model", "passage", "tokens", "unknown", "perplexity", "on known tokens", "bits per character"),
        tuple(
            (
                each.model,
                each.text,
                each.tokens,
                each.unknown_share,
                each.perplexity,
                "–" if each.perplexity_known is None else each.perplexity_known,
                each.bits_per_character,
            )
            for each in results.values()
        ),
    )


def link_passages(config: Config, values: dict[str, str]) -> str:
    """The chapter with these passages and steps; a longer passage begins as this one does."""
    learnt = {} if config.quick else {"text": "shakespeare"}
    short = {name: value[:MAX_LINKED] for name, value in values.items() if value}
    return f"chapter/perplexity/?{urlencode({**learnt, **short}, quote_via=quote)}"


def _known(result: PerplexityResult) -> str:
    return "undefined" if result.perplexity_known is None else f"{result.perplexity_known:.2f}"


def passage_origin(config: Config, result: PerplexityResult, texts: dict[str, str]) -> Origin:
    """The stamp of numbers that are measured on a passage."""
    return Origin(config.seed, f"{result.text} passage", sha256(texts[result.text]))


def code_for_both(config: Config, call: str) -> str:
    """Python that prints what a call says of both models and both passages."""
    return f"""\
import regard
from regard.progress import silent
from regard.studies.tour import perplexity
from regard.studies.tour.evidence import Config

config = Config(quick={config.quick}, seed={config.seed})
texts, _ = perplexity.passages(config)
both = perplexity.models(config, silent)
for each in {call}:
    print(each)
"""
