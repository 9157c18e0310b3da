"""Part C of the tour: the neural bigram model of words, beside counting."""

from __future__ import annotations

import numpy as np

from regard.display import percent
from regard.evaluation.perplexity import evaluate, perplexity
from regard.models.base import LanguageModel
from regard.models.bigram import BigramModel
from regard.models.ngram.model import NgramConfig, fit_ngram
from regard.progress import Progress, part
from regard.report.figures import draw_loss
from regard.report.tour.answers import Answer, Number, Question, Table
from regard.studies.tour.evidence import Config, Origin, draw, try_claims
from regard.studies.tour.materials import EMBEDDED, TrainedWords, train_words, word_fingerprint, word_material

NAMES = {
    "by small steps": "course's recipe: network by stochastic gradient descent, fixed vectors",
    "by counts": "network from counts, learnt vectors",
    "Kneser–Ney": "Kneser–Ney bigram, no network",
}


def fingerprint(config: Config) -> str:
    """Of the words learnt from and measured on."""
    return word_fingerprint(config)


BIGRAM_CLAIMS = (
    ("PP = V with p_i = 1/V", "perplexity"),
    (r"PP \le V", "perplexity"),
    (r"CE = -\sum_i \ln p_i", "perplexity"),
    ("PP = 2^{CE}", "perplexity"),
)


def answer_bigram(question: Question, config: Config, progress: Progress) -> Answer:
    """C1: trained by stochastic gradient descent, measured on validation text, compared with counts."""
    progress(None, "reading")
    material = word_material(config)
    origin = material.origin(config.seed)
    trained = train_words(config, part(progress, 0.0, 0.9))
    steps = trained.by_steps
    models = compare_models(trained, material.parts.train)
    figures = {name: measure(model, material.measured, name, origin) for name, model in models.items()}
    gap = abs(_restored_perplexity(steps.model, material.measured) - figures["by small steps"].value)
    known = evaluate(steps.model, material.measured).perplexity_known or float("nan")
    order = sorted(figures, key=lambda name: figures[name].value)
    return Answer(
        question=question,
        sentences=(
            _describe_recipe(trained, figures["by small steps"], known),
            _describe_others(figures, best=order[0]),
            "The parameters that are saved are all there is: restored from them, the network has the same perplexity, "
            f"off by {gap:.1g}.",
        ),
        numbers=(
            *figures.values(),
            origin.number("perplexity per known word, by small steps", known, how="measured"),
            origin.number("tokens measured", steps.facts["valid_tokens"], how="counted"),
            origin.number("share of unknown words", steps.facts["valid_unknown_share"], how="counted"),
            origin.number("change of perplexity by saving and restoring", gap, how="measured"),
        ),
        tables=(_perplexity_table(figures, order),),
        drawings=draw(
            "Loss of the training text over stochastic gradient descent, and perplexity of validation text",
            lambda: draw_loss(steps.history, loss="mean loss of the batches", unit="word", title="Neural bigram model"),
        ),
        claims=try_claims(*BIGRAM_CLAIMS),
        command=_command(config),
        python=_python(config),
        link=f"chapter/words/?text={EMBEDDED}&seed={config.seed % 100}",
        notes=(*material.notes, *trained.notes),
    )


def _describe_others(figures: dict[str, Number], *, best: str) -> str:
    return (
        f"The same kind of network, found from the table of pair counts with vectors that learn, has "
        f"{figures['by counts'].value:.2f}; Kneser–Ney counting has {figures['Kneser–Ney'].value:.2f}. The "
        f"lowest has the {NAMES[best]}. A bigram model's loss depends on the text through its pair counts "
        "alone, so that what is left to gain is in how rare pairs are smoothed."
    )


def _perplexity_table(figures: dict[str, Number], order: list[str]) -> Table:
    rows = tuple((NAMES[name], figures[name].value, figures[name].error) for name in order)
    return Table("Perplexity per word on validation text", ("model", "perplexity", "standard error"), rows)


def compare_models(trained: TrainedWords, training_text: str) -> dict[str, LanguageModel]:
    """The models that are measured beside each other, all of one vocabulary, by the names of NAMES."""
    size = trained.by_steps.facts["vocabulary"]
    kneser_ney = NgramConfig(unit="word", order=2, method="kneser-ney", vocabulary=size)
    return {
        "by small steps": trained.by_steps.model,
        "by counts": trained.by_counts.model,
        "Kneser–Ney": fit_ngram(training_text, kneser_ney),
    }


def _restored_perplexity(model: BigramModel, text: str) -> float:
    """The perplexity of a model that is rebuilt from the parameters that this one saves."""
    restored = BigramModel.restore(model.config(), model.arrays(), model.background)
    return perplexity(restored.score(text).log_probs_nats)


def _describe_recipe(trained: TrainedWords, figure: Number, known: float) -> str:
    """What was trained in which way, its perplexity, and what that can be compared with."""
    facts = trained.by_steps.facts
    return (
        f"The network h = σ(xW₁ + b₁), ŷ = softmax(hW₂ + b₂) on fixed word vectors ({trained.vectors}), trained by the "
        f"course's recipe, {facts['iterations']:,} steps of stochastic gradient descent on batches of 50 pairs, has a "
        f"perplexity of {figure.value:.2f} ± {figure.error:.2f} per word on validation text; if all words were "
        f"equally likely, it would be {facts['vocabulary']:,}. {percent(facts['valid_unknown_share'])} of the words "
        f"are unknown, and one symbol stands for them; on known words alone it is {known:.2f}. A figure from "
        "elsewhere, such as the 113.31 that solutions of the course have, can be compared with it only where text, "
        "vocabulary and the rule for unknown words are equal."
    )


def measure(model: LanguageModel, text: str, name: str, origin: Origin) -> Number:
    """The perplexity of a model on a text, with the standard error that the spread of its tokens gives."""
    nats = -model.score(text).log_probs_nats
    value = perplexity(-nats)
    spread = float(nats.std() / np.sqrt(len(nats)))
    how = f"measured; standard error over {len(nats):,} tokens"
    return origin.number(f"perplexity per word, {name}", value, error=value * spread, how=how)


def _command(config: Config) -> str:
    if config.quick:
        return f"regard tour --quick --only C1 --seed {config.seed}"
    return (
        "regard train bigram --text ptb/train --valid ptb/valid --out course --trainer sgd --vectors glove "
        f"--fix-vectors --seed {config.seed}"
    )


def _python(config: Config) -> str:
    return f"""\
from regard.studies.tour.evidence import Config
from regard.studies.tour.materials import train_words

trained = train_words(Config(quick={config.quick}, seed={config.seed}))
print(trained.by_steps.facts["valid_perplexity"], trained.by_counts.facts["valid_perplexity"])
"""
