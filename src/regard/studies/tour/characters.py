"""Part D of the tour: a network of characters that writes, and characters measured against words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from regard.display import visible
from regard.files import sha256
from regard.progress import Progress
from regard.report.figures import draw_network_loss
from regard.report.tour.answers import Answer, Drawing, Number, Question, Sample, Table
from regard.studies import models
from regard.studies.tour.evidence import Config, Origin, draw, draw_bars, try_claims
from regard.studies.tour.materials import (
    character_fingerprint,
    character_material,
    character_settings,
    digest_settings,
    train_characters,
)
from regard.studies.training.network import NetworkResult

TEMPERATURES = (0.5, 0.8, 1.1)
DRAWN, SHOWN = 1500, 300
"""Characters that are drawn at each temperature, and of these shown."""
PROMPTS = {"tinyshakespeare": "ROMEO:\n", "shakespeare": "ROMEO\n"}
WORD = re.compile(r"[^\W\d_]+")
COMPARED = ("ngram-char", "ngram-word", "bigram-char", "bigram-word")
"""Models of characters and of words that are the same in every run: no training that is measured in minutes."""


def fingerprint(config: Config) -> str:
    """Of the characters learnt from and measured on, and of what is drawn."""
    return digest_settings(character_fingerprint(config), TEMPERATURES, DRAWN, COMPARED)


WRITING_CLAIMS = (
    (r"\mathrm{softmax}(\theta / 2) = \mathrm{softmax}(\theta)", "softmax-cross-entropy"),
    (r"PP = 2^{H_2}", "perplexity"),
    (r"PP = 2^{CE}", "perplexity"),
)


def answer_writing(question: Question, config: Config, progress: Progress) -> Answer:
    """D1: the loss over training, and samples at three temperatures."""
    progress(None, "reading")
    material, settings = character_material(config), character_settings(config)
    origin = material.origin(config.seed)
    found = train_characters(config, progress)
    prompt = PROMPTS.get(_text(config), "The ")
    drawn = {
        temperature: found.model.sample(prompt, length=DRAWN, temperature=temperature, seed=config.seed)
        for temperature in TEMPERATURES
    }
    invented = {temperature: invented_share(text, material.parts.train) for temperature, text in drawn.items()}
    nats = -found.model.score(material.measured).log_probs_nats
    error = float(nats.std() / np.sqrt(len(nats)))
    return Answer(
        question=question,
        sentences=_describe_writing(found, settings.family, error, invented),
        numbers=_writing_numbers(found, origin, error, len(nats), invented),
        drawings=_curve(found, f"{settings.family}, preset {settings.preset}"),
        samples=tuple(
            Sample(f"Drawn at temperature {temperature:g}", visible((prompt + text)[:SHOWN].strip(), keep="\n"))
            for temperature, text in drawn.items()
        ),
        claims=try_claims(*WRITING_CLAIMS),
        command=_command(
            config,
            "D1",
            f"regard train {settings.family} --text {_text(config)} --preset {settings.preset} --out letters",
        ),
        python=_writing_python(config, prompt),
        link=f"chapter/characters/?corpus={_text(config)}&temperature={TEMPERATURES[1]:g}",
        notes=material.notes,
    )


def _writing_python(config: Config, prompt: str) -> str:
    return f"""\
from regard.studies.tour.evidence import Config
from regard.studies.tour.materials import train_characters

model = train_characters(Config(quick={config.quick}, seed={config.seed})).model
print(model.sample({prompt!r}, length={SHOWN}, temperature={TEMPERATURES[0]}, seed={config.seed}))
"""


def _describe_writing(
    found: NetworkResult, family: str, error_nats: float, invented: dict[float, float]
) -> tuple[str, ...]:
    facts, first, last = found.facts, found.history[0], found.history[-1]
    return (
        f"A {family} network of {facts['parameters']:,} parameters reads a character at a time and learns "
        f"to predict the next; in {facts['steps']:,} steps its loss on text held back from training falls from "
        f"{first.validation_nats:.3f} to {last.validation_nats:.3f} nats a character.",
        f"On new text it needs {facts['valid_bits_per_character']:.3f} ± {error_nats / np.log(2):.3f} bits a "
        f"character, a perplexity of {facts['valid_perplexity']:.2f} per character.",
        "Temperature trades safety for variety: of the words it draws, the training text does not have "
        + ", ".join(f"{_percent(share)} at {temperature:g}" for temperature, share in invented.items())
        + ". It learns letters and layout first, then words; sense is not to be had from so short a training.",
    )


def _writing_numbers(
    found: NetworkResult, origin: Origin, error_nats: float, n_scored: int, invented: dict[float, float]
) -> tuple[Number, ...]:
    facts, first, last = found.facts, found.history[0], found.history[-1]
    return (
        origin.number(
            "bits per character on new text",
            facts["valid_bits_per_character"],
            error=error_nats / np.log(2),
            how=f"measured; standard error over {n_scored:,} characters",
        ),
        origin.number("perplexity per character on new text", facts["valid_perplexity"], how="measured"),
        origin.number("loss held back, first checkpoint, nats", first.validation_nats, how="measured"),
        origin.number("loss held back, last checkpoint, nats", last.validation_nats, how="measured"),
        origin.number("parameters", facts["parameters"], how="counted"),
        *(
            origin.number(f"share of invented words at temperature {each:g}", share, how=f"{DRAWN:,} characters drawn")
            for each, share in invented.items()
        ),
    )


def _curve(found: NetworkResult, title: str) -> tuple[Drawing, ...]:
    lines = {
        "training text": [each.train_nats for each in found.history],
        "held back": [each.validation_nats for each in found.history],
    }
    return draw(
        "Loss over training, on the characters trained on and on those held back",
        lambda: draw_network_loss([each.step for each in found.history], lines, title=title),
    )


def invented_share(drawn: str, training_text: str) -> float:
    """The share of the words of a drawn text, the last one aside, which may be cut, that the training text has not.

    >>> invented_share("the sea is blorft and de", "the sea is deep and blue")
    0.2
    """
    words = WORD.findall(drawn)[:-1]
    known = set(WORD.findall(training_text))
    return sum(word not in known for word in words) / max(len(words), 1)


COMPARISON_CLAIMS = (
    (r"PP = \frac12(PP_1 + PP_2)", "perplexity"),
    (r"PP = PP_1 PP_2", "perplexity"),
    (r"\ln PP = \frac{N_1}{N} \ln PP_1 + \frac{N_2}{N} \ln PP_2", "perplexity"),
)


def answer_characters_or_words(question: Question, config: Config, progress: Progress) -> Answer:
    """D2: what characters do better than words and the other way round, measured in bits per character."""
    progress(None, "reading")
    material = character_material(config)
    compared = COMPARED[:2] if config.quick else COMPARED
    study = models.Config(text=material.name, models=compared, n_drawn=DRAWN, seed=config.seed)
    text = material.parts.train + material.measured
    rows = models.run(text, study, progress=progress).records()
    origin = Origin(config.seed, material.name.removesuffix(", last tenth"), sha256(text))
    return Answer(
        question=question,
        sentences=_describe_comparison(rows[0], rows[1]),
        numbers=_comparison_numbers(rows, origin),
        tables=(_comparison_table(rows),),
        drawings=draw(
            "Bits per character on one validation text: fewer are better",
            lambda: draw_bars({row["model"]: row["bits_per_character"] for row in rows}, label="bits per character"),
        ),
        claims=try_claims(*COMPARISON_CLAIMS),
        command=_command(config, "D2", f"regard study models --text {_text(config)} --models {','.join(compared)}"),
        python=_comparison_python(config, compared),
        link=f"chapter/characters/?corpus={_text(config)}",
        notes=material.notes,
    )


def _comparison_numbers(rows: Sequence[dict[str, Any]], origin: Origin) -> tuple[Number, ...]:
    return tuple(
        number
        for row in rows
        for number in (
            origin.number(f"bits per character, {row['model']}", row["bits_per_character"], how="measured"),
            origin.number(f"share of unknown tokens, {row['model']}", row["unknown_share"], how="counted"),
            origin.number(f"share of invented words, {row['model']}", row["invented_share"] or 0.0, how="sampled"),
        )
    )


def _comparison_python(config: Config, compared: tuple[str, ...]) -> str:
    return f"""\
from regard.studies import models
from regard.studies.tour.evidence import Config
from regard.studies.tour.materials import character_material

material = character_material(Config(quick={config.quick}, seed={config.seed}))
study = models.Config(models={compared!r}, n_drawn={DRAWN}, seed={config.seed})
for row in models.run(material.parts.train + material.measured, study).records():
    print(row["model"], row["bits_per_character"], row["unknown_share"])
"""


def _describe_comparison(characters: dict[str, Any], words: dict[str, Any]) -> tuple[str, ...]:
    better = "characters" if characters["bits_per_character"] < words["bits_per_character"] else "words"
    return (
        f"Measured on the same text in bits per character, unknown words spelled out: counting characters "
        f"{characters['bits_per_character']:.3f}, counting words {words['bits_per_character']:.3f}; here {better} "
        "predict better. Perplexities per character and per word say nothing beside each other.",
        f"Characters leave {_percent(characters['unknown_share'])} of the text unknown with a vocabulary of "
        f"{characters['vocabulary']:,}, and keep case, "
        f"punctuation and layout; but they invent {_percent(characters['invented_share'])} of the words they draw. "
        f"Words invent {_percent(words['invented_share'])} and reach further back with each step; but with a "
        f"vocabulary of {words['vocabulary']:,} they do not know {_percent(words['unknown_share'])} of the tokens, "
        f"and spend {words['spelling_bits']:.3f} of their bits a character on spelling these.",
        f"In familiar words characters need {_bits(characters['familiar_bits'])} bits a character and words "
        f"{_bits(words['familiar_bits'])}; in rare ones {_bits(characters['rare_bits'])} and "
        f"{_bits(words['rare_bits'])}.",
    )


def _comparison_table(rows: list[dict[str, Any]]) -> Table:
    columns = ("model", "vocabulary", "unknown", "bits", "of them spelling", "in familiar words", "in rare words")
    names = ("model", "vocabulary", "unknown_share", "bits_per_character", "spelling_bits")
    return Table(
        "Characters and words on the same text; bits are per character",
        columns,
        tuple((*(row[name] for name in names), _cell(row["familiar_bits"]), _cell(row["rare_bits"])) for row in rows),
    )


def _text(config: Config) -> str:
    """The name of the corpus that was learnt from, as the command line takes it."""
    return character_material(config).name.partition(",")[0]


def _command(config: Config, question: str, command: str) -> str:
    """The command that repeats this answer; a quick tour takes only a part of the text, as no command does."""
    return f"{f'regard tour --quick --only {question}' if config.quick else command} --seed {config.seed}"


def _percent(share: float | None) -> str:
    return "none" if share is None else f"{100 * share:.1f} %"


def _bits(bits: float | None) -> str:
    return "–" if bits is None else f"{bits:.3f}"


def _cell(bits: float | None) -> float | str:
    return "–" if bits is None else bits
