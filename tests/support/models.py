"""Every kind of language model, trained on a small text in a moment."""

from dataclasses import replace

from regard.models.background import digest
from regard.models.base import LanguageModel
from regard.models.bigram import BigramModel
from regard.models.mixture.model import MixtureModel
from regard.models.ngram.model import NgramConfig, NgramModel, fit_ngram
from regard.models.recurrent.network import RecurrentModel
from regard.models.transformer.model import TransformerModel
from regard.training.bigram.train import BigramConfig, bigram_task, train_by_counts
from regard.training.mixture import MixtureConfig, train_mixture
from regard.training.network.recurrent import RecurrentPreset, RecurrentRecipe, recurrent_task
from regard.training.network.run import Run, train
from regard.training.network.schedule import ScheduleConfig
from regard.training.network.transformer import TransformerPreset, TransformerRecipe, transformer_task
from regard.training.network.validation import split_validation
from tests.support.texts import VERSE

MODELS = {
    f"ngram-{method}-{unit}": lambda method=method, unit=unit: fit_ngram(VERSE, NgramConfig(unit=unit, method=method))
    for method in ("kneser-ney", "mixing")
    for unit in ("char", "byte", "word", "course")
}


def _every_word(method: str) -> NgramModel:
    """Words that a part of the text has once are in the vocabulary; the digest is that of all, as for the others."""
    model = fit_ngram(VERSE[:300], NgramConfig(unit="word", method=method, vocabulary=10_000))
    return replace(model, background=replace(model.background, digest=digest(VERSE)))


MODELS |= {
    f"ngram-{method}-every-word": lambda method=method: _every_word(method) for method in ("kneser-ney", "mixing")
}


def _bigram(**settings: object) -> BigramModel:
    return train_by_counts(bigram_task(VERSE, BigramConfig(hidden=8, width=6, iterations=20, **settings)))


MODELS |= {
    "bigram-word": _bigram,
    "bigram-char": lambda: _bigram(unit="char", activation="sigmoid"),
    "bigram-beside-counts-word": lambda: _bigram(beside_counts=True, vocabulary=20),
    "bigram-beside-counts-char": lambda: _bigram(beside_counts=True, unit="char"),
    "bigram-stopped-early-course": lambda: _bigram(stop_early=True, unit="course"),
}


def _recurrent(unit: str = "char", **settings: object) -> RecurrentModel:
    """In float64, where every way of computing the same agrees; it kept nothing back, so its digest is of all."""
    recipe = RecurrentRecipe(width=12, embedding=6, context_width=5, n_rows=8, length=24, **settings)
    task = recurrent_task(VERSE, preset=RecurrentPreset(recipe, ScheduleConfig(0.02, steps=20)), unit=unit)
    for _ in train(Run.begin(task)):
        pass
    return RecurrentModel(task.network.double(), replace(task.background, digest=digest(VERSE)))


MODELS |= {
    "recurrent-gru-char": lambda: _recurrent(cell="gru"),
    "recurrent-lstm-contexts-char": lambda: _recurrent(contexts=4, layers=2),
    "recurrent-lstm-contexts-byte": lambda: _recurrent("byte", contexts=3),
}


def _transformer(unit: str = "char", **settings: object) -> TransformerModel:
    """In float64, as above; its windows are so short that every text has several."""
    recipe = TransformerRecipe(width=16, heads=2, layers=2, hidden=24, context=12, n_rows=16, **settings)
    task = transformer_task(VERSE, preset=TransformerPreset(recipe, ScheduleConfig(0.02, steps=30)), unit=unit)
    for _ in train(Run.begin(task)):
        pass
    return TransformerModel(task.network.double(), replace(task.background, digest=digest(VERSE)))


MODELS |= {
    "transformer-char": lambda: _transformer(stride=6),
    "transformer-byte": lambda: _transformer("byte", stride=5),
    "transformer-char-without-overlap": lambda: _transformer(stride=12),
}


def _aware_of_the_beginning(model: RecurrentModel | TransformerModel) -> RecurrentModel | TransformerModel:
    """The model, with the digest of only what it has learnt from."""
    return replace(model, background=replace(model.background, digest=digest(split_validation(VERSE)[0])))


def _mixture(*members: LanguageModel, **settings: object) -> MixtureModel:
    return train_mixture(members, VERSE, MixtureConfig(adaptive=False, **settings))


MODELS |= {
    "mixture-geometric-char": lambda: _mixture(fit_ngram(VERSE), _aware_of_the_beginning(_recurrent(contexts=3))),
    "mixture-linear-word": lambda: _mixture(
        *(fit_ngram(VERSE, NgramConfig(unit="word", order=order)) for order in (2, 3, 4)), form="linear"
    ),
    "mixture-fixed-byte": lambda: _mixture(
        fit_ngram(VERSE, NgramConfig(unit="byte", method="kneser-ney")),
        _aware_of_the_beginning(_transformer("byte", stride=5)),
        gate="fixed",
    ),
}
