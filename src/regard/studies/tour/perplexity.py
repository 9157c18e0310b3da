"""Part E of the tour: perplexity does not depend on the base; why figures differ so much; what preparation gains."""

from __future__ import annotations

from functools import lru_cache

from regard.display import percent
from regard.errors import CorpusError, InputFileError, MissingExtraError
from regard.evaluation.perplexity import best_steps, charge_choice, evaluate
from regard.files import sha256
from regard.models.base import LanguageModel
from regard.progress import Progress, part, track
from regard.records import PerplexityResult
from regard.report.tour.answers import Answer, Question, Table
from regard.report.tour.figures import draw_bars
from regard.studies.perplexity import compare_perplexity
from regard.studies.tour.evidence import Config, Origin, draw, try_claims
from regard.studies.tour.materials import character_material, train_characters, train_words, word_material
from regard.text.corpora.corpus import find_corpus
from regard.text.normalise.prepare import STEPS, prepare
from regard.training.ngram import NgramConfig, train_ngram

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
"""Passages for where the course's are not at hand: a sonnet, and a text in the manner of an encyclopaedia."""
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


def answer_base(question: Question, config: Config, progress: Progress) -> Answer:
    """E1: the same perplexity by logarithms to any base."""
    texts, notes = passages(config)
    name, text = next(iter(texts.items()))
    learnt = character_material(config)
    model = train_ngram(learnt.parts.train, NgramConfig(order=5, method="kneser-ney"))
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
        claims=try_claims(
            ("PP = 2^{H_2}", "perplexity"),
            (r"PP = \exp(CE)", "perplexity"),
            ("PP = 2^{CE}", "perplexity"),
            (r"PP = \frac12(PP_1 + PP_2)", "perplexity"),
            (r"PP = \frac1N \sum_i 1/p_i", "perplexity"),
        ),
        command="regard check 'PP = 2^{H_2}' --setting perplexity",
        python="""\
import regard

model = regard.train_ngram("python-manual", order=5, method="kneser-ney", progress=False)
print(regard.evaluate(model, "Shall I compare thee to a summer's day?\\n").perplexity_by_base)
""",
        link="chapter/perplexity/",
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
    words, others = results[WORDS, first], results[WORDS, second]
    letters, other_letters = results[CHARACTERS, first], results[CHARACTERS, second]
    lower = min(results.values(), key=lambda each: each.perplexity)
    fewer = min(results.values(), key=lambda each: each.bits_per_character)
    return Answer(
        question=question,
        sentences=(
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
        ),
        numbers=tuple(
            number
            for each in results.values()
            for origin in (_origin(config, each, texts),)
            for number in (
                origin.number(f"perplexity, {each.model} on {each.text}", each.perplexity, how="measured"),
                origin.number(
                    f"bits per character, {each.model} on {each.text}", each.bits_per_character, how="measured"
                ),
            )
        ),
        tables=(
            Table(
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
            ),
        ),
        drawings=draw(
            "The one unit in which all can be compared: bits per character, fewer are better",
            lambda: draw_bars(
                {f"{each.model}, {each.text}": each.bits_per_character for each in results.values()},
                label="bits per character",
            ),
        ),
        command=f"regard tour {'--quick ' if config.quick else ''}--only E2 --seed {config.seed}",
        python=_python(config, "regard.study.perplexity(both, texts, progress=False).results"),
        link="chapter/perplexity/",
        notes=(*notes, *word_material(config).notes, *character_material(config).notes),
    )


def answer_preparation(question: Question, config: Config, progress: Progress) -> Answer:
    """E3: what each preparation step does to the perplexity and to the honest cost of the text."""
    texts, notes = passages(config)
    both = models(config, part(progress, 0.0, 0.6))
    cases = [(model, text) for model in both for text in texts]
    rows, best = [], []
    for model, text in track(cases, progress=part(progress, 0.6, 1.0), message="trying steps"):
        plain = evaluate(both[model], texts[text], name=text, model_name=model)
        for step in STEPS:
            if prepare(texts[text], [step]).text == texts[text]:
                continue
            after = evaluate(both[model], texts[text], name=text, model_name=model, steps=[step])
            rows.append((plain, step, after))
        steps = best_steps(both[model], texts[text])
        best.append((plain, steps, charge_choice(evaluate(both[model], texts[text], name=text, steps=steps))))
    seeming = [row for row in rows if row[2].perplexity < row[0].perplexity * (1 - 1e-9)]
    real = [row for row in seeming if row[2].bits_per_character < row[0].bits_per_character - 1e-9]
    greatest = max(rows, key=lambda row: row[0].bits_per_character - row[2].bits_per_character)
    worst = max(seeming, key=lambda row: row[2].bits_per_character - row[0].bits_per_character, default=None)
    plain, steps, chosen = max(best, key=lambda row: row[0].bits_per_character - row[2].bits_per_character)
    gained = greatest[0].bits_per_character - greatest[2].bits_per_character
    sentences = [
        f"Of {len(rows)} trials (a step that changes something, a model, a passage) {len(seeming)} lower the "
        f"perplexity, but only {len(real)} of these also lower the cost of the original text, in which what a step "
        "erased must be told again.",
        f"Most helps {greatest[1]} for {greatest[0].model} on {greatest[0].text}: {gained:.3f} bits per character, "
        f"with unknown tokens going from {percent(greatest[0].unknown_share)} to {percent(greatest[2].unknown_share)} "
        f"and the perplexity from {greatest[0].perplexity:.1f} to {greatest[2].perplexity:.1f}. All steps that pay "
        f"together ({', '.join(steps) or 'none'}) bring {plain.model} on {plain.text} from "
        f"{plain.bits_per_character:.3f} to {chosen.bits_per_character:.3f} bits, the price of the choice included: "
        "that improvement is real.",
    ]
    if worst is not None and worst[2].bits_per_character > worst[0].bits_per_character:
        sentences.append(
            f"Not real is, above all, {worst[1]} for {worst[0].model} on {worst[0].text}: the perplexity falls from "
            f"{worst[0].perplexity:.2f} to {worst[2].perplexity:.2f} while the text costs "
            f"{worst[2].bits_per_character - worst[0].bits_per_character:.3f} bits per character more; an easier text "
            "was predicted, not the same one better."
        )
    return Answer(
        question=question,
        sentences=tuple(sentences),
        numbers=(
            Origin(config.seed).number("trials", len(rows), how="counted"),
            Origin(config.seed).number("trials that lower the perplexity", len(seeming), how="counted"),
            Origin(config.seed).number("of these, trials that lower the cost", len(real), how="counted"),
            *(
                _origin(config, before, texts).number(
                    f"bits per character gained by all that pays, {before.model} on {before.text}",
                    before.bits_per_character - after.bits_per_character,
                    how="measured",
                )
                for before, _, after in best
            ),
        ),
        tables=(
            Table(
                "Each step by itself: perplexity, and bits per character of the original text",
                ("model", "passage", "step", "perplexity before", "after", "bits before", "after", "is it real?"),
                tuple(
                    (
                        before.model,
                        before.text,
                        step,
                        before.perplexity,
                        after.perplexity,
                        before.bits_per_character,
                        after.bits_per_character,
                        _judge(before, after),
                    )
                    for before, step, after in rows
                ),
            ),
        ),
        command=f"regard tour {'--quick ' if config.quick else ''}--only E3 --seed {config.seed}",
        python=_python(config, 'regard.study.perplexity(both, texts, prepare="auto", progress=False).gains'),
        link=f"chapter/perplexity/?steps={','.join(steps)}",
        notes=(*notes, "Steps that change nothing in a passage are left out."),
    )


def _judge(before: PerplexityResult, after: PerplexityResult) -> str:
    """What a step did, in a word or two."""
    seems = before.perplexity - after.perplexity
    gain = before.bits_per_character - after.bits_per_character
    if gain > 0:
        return "real" if seems > 0 else "real, unseen in the perplexity"
    return "seeming only" if seems > 0 else "a loss"


def _known(result: PerplexityResult) -> str:
    return "undefined" if result.perplexity_known is None else f"{result.perplexity_known:.2f}"


def _origin(config: Config, result: PerplexityResult, texts: dict[str, str]) -> Origin:
    return Origin(config.seed, f"{result.text} passage", sha256(texts[result.text]))


def _python(config: Config, call: str) -> str:
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
