"""The studies, one call each: what `regard study` and `regard perplexity` do, as `regard.study.NAME(…)`.

Each returns a table or a record; `progress=False` shows no bar.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from regard.progress import Progress, show_progress

if TYPE_CHECKING:
    from regard.evaluation.perplexity import PerplexityComparison
    from regard.models.base import LanguageModel
    from regard.models.classifier.base import Classifier
    from regard.records import ErrorStudy
    from regard.report.tour.answers import Tour
    from regard.studies.training.data import LabelledSource
    from regard.studies.training.glove import VectorSource
    from regard.tables import StudyTable
    from regard.text.corpora.corpus import TextSource

__all__ = ["averaging", "errors", "models", "one_vs_many", "perplexity", "scale", "tour"]


def one_vs_many(
    *, workers: int = 1, scheduler: str | None = None, progress: Progress | bool = True, **settings: Any
) -> StudyTable:
    """One pull head, one push head and many pull heads side by side when keys are noisy, exactly.

    `workers` processes of this machine, or those of a Dask `scheduler`, share the work; the figures are the same.
    Settings are those of `regard.studies.one_vs_many.Config`: n_keys, wanted, scales, radial, isotropic, all_noisy,
    n_draws, seed.

    >>> table = one_vs_many(scales=(10.0,))
    >>> [f"{row['design']}: {row['variance']:.4f}" for row in table.records()]
    ['one pull head: 0.3905', 'one push head: 0.0186', '2 pull heads: 0.0254']
    """
    from regard.records import Workers
    from regard.studies.one_vs_many import Config, run
    from regard.studies.training.run import make_config

    config = make_config(Config, settings)
    with show_progress(progress) as report:
        return run(config, workers=Workers(workers, scheduler), progress=report)


def models(
    text: TextSource = "python-manual",
    *,
    models: Sequence[str] | None = None,
    minutes: float = 0.25,
    n_drawn: int = 2000,
    seed: int = 0,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress | bool = True,
) -> StudyTable:
    """Models of characters and of words side by side on a text: quality, unknown words, size and speed.

    `text` is a corpus name, a path, or a text with a line break in it; its last tenth is measured on. `models` are
    names such as ngram-char; each network that learns by time gets `minutes` of the processor. Of several `workers`, or
    those of a Dask `scheduler`, each trains other models.
    """
    from regard.records import Workers
    from regard.studies.model_trainers import DEFAULT_MODELS
    from regard.studies.models import Config, compare_models
    from regard.text.corpora.corpus import find_text

    chosen = DEFAULT_MODELS if models is None else tuple(models)
    corpus = find_text(text)
    config = Config(text=corpus.name, models=chosen, minutes=minutes, n_drawn=n_drawn, seed=seed)
    with show_progress(progress) as report:
        return compare_models(corpus, config, workers=Workers(workers, scheduler), progress=report)


def averaging(
    data: LabelledSource = "movie-snippets",
    *,
    test: float | int | LabelledSource = 0.2,
    questions: Sequence[str] = (),
    vectors: VectorSource | None = None,
    seeds: int = 1,
    seed: int = 0,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress | bool = True,
    **settings: Any,
) -> StudyTable:
    """Averaging classifiers side by side on the same texts: dropout, depth, vectors, attention, n-grams.

    `data` is a corpus name, a path, or pairs of text and label; `test` is what to measure on, a share or other data.
    `questions` are some of dropout, depth, activation, vectors, weights, form; without any, all. Further settings
    (epochs, hidden …) hold for every classifier. Several `workers`, or those of a Dask `scheduler`, train a classifier
    each.
    """
    from regard.errors import ValueRangeError
    from regard.records import Workers
    from regard.studies.averaging import Config, run
    from regard.studies.training.averaging import epochs_for
    from regard.studies.training.data import split_data
    from regard.studies.training.glove import find_start_vectors
    from regard.studies.training.network import require_torch

    require_torch()
    vectors_name, start = find_start_vectors(vectors)
    parts = split_data(data, test)
    if parts.test is None:
        raise ValueRangeError(
            f"classifiers are compared on texts that none has learnt from, so test must keep some; got {test!r}"
        )
    shared = {"epochs": epochs_for(len(parts.train)), **settings}
    config = Config(parts.name, tuple(questions), vectors_name, shared, seeds, seed)
    with show_progress(progress) as report:
        group = Workers(workers, scheduler)
        return run(parts.train, parts.test, config, vectors=start, workers=group, progress=report)


def errors(
    model: Classifier | Path | str,
    data: LabelledSource = "movie-snippets",
    *,
    test: float | int | LabelledSource | None = None,
    n: int = 5,
    method: str | None = None,
    seed: int = 0,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress | bool = True,
) -> ErrorStudy:
    """Why a classifier is wrong: its worst errors, the words that decided, and what often accompanies errors.

    `model` is a classifier or the folder of one; `data` a corpus name, a path, or pairs of text and label. `test` is
    as in training; without it, the data's own test part, else all of it. `n` errors of each kind are explained. Several
    `workers`, or those of a Dask `scheduler`, share the texts.
    """
    from regard.models.checkpoint import load_classifier
    from regard.records import Workers
    from regard.studies.errors import Config, study_data
    from regard.studies.training.data import own_parts, split_data

    name = str(model) if isinstance(model, str | Path) else "the classifier"
    classifier = load_classifier(model) if isinstance(model, str | Path) else model
    parts = own_parts(data) if test is None else split_data(data, test)
    config = Config(model=name, n=n, method=method, seed=seed)
    with show_progress(progress) as report:
        return study_data(classifier, parts, config, workers=Workers(workers, scheduler), progress=report)


def perplexity(
    models: Mapping[str, LanguageModel] | Sequence[LanguageModel | Path | str],
    texts: Mapping[str, TextSource] | Sequence[TextSource],
    *,
    prepare: Sequence[str] | Literal["auto"] = (),
    adaptive: bool = False,
    progress: Progress | bool = True,
) -> PerplexityComparison:
    """Several models on several texts, in comparable units, with what to be wary of.

    `models` are models or folders, `texts` corpus names, paths, or texts with a line break; either may be given by
    name, as a dict. `prepare` are steps that the texts go through first, or "auto" for those that help.
    """
    from regard.evaluation.perplexity import compare_perplexity
    from regard.models.checkpoint import load_model
    from regard.text.corpora.corpus import find_text

    by_name = models if isinstance(models, Mapping) else _name_models(models)
    ready = {name: load_model(each) if isinstance(each, str | Path) else each for name, each in by_name.items()}
    if isinstance(texts, Mapping):
        contents = {name: find_text(each).text for name, each in texts.items()}
    else:
        contents = {corpus.name: corpus.text for corpus in map(find_text, texts)}
    with show_progress(progress) as report:
        return compare_perplexity(ready, contents, prepare=prepare, adaptive=adaptive, progress=report)


def scale(**settings: Any) -> StudyTable:
    """What it takes to count a text of a given size on some workers, and what would break first: a plan.

    Settings are those of `regard.studies.scale.Config`: text (in bytes), workers, memory, disk, disk_rate,
    network_rate, price. The totals, and the measurements behind them, are in the table's `config`.

    >>> scale(text=1e9, workers=2).title
    'Counting 1 GB of words, n-grams up to 3, on 2 workers'
    """
    from regard.studies.scale import Config, plan_scale
    from regard.studies.training.run import make_config

    return plan_scale(make_config(Config, settings))


def tour(*, only: Sequence[str] = (), quick: bool = False, seed: int = 0, progress: Progress | bool = True) -> Tour:
    """The questions of the exercise, answered with evidence that is computed now: what `regard tour` does.

    `only` are parts such as A or questions such as B2; without any, all. `quick` trains briefly, on texts that need no
    download. A question that cannot be answered has an answer whose `failure` says why.

    >>> (answer,) = tour(only=["A2"], progress=False).answers
    >>> round(answer.number("C for a leak of 0.01, 10 keys").value, 4)
    5.9814
    """
    from regard.studies.tour.evidence import Config
    from regard.studies.tour.run import run_tour

    with show_progress(progress) as report:
        return run_tour(Config(quick=quick, seed=seed), only=only, progress=report)


def _name_models(models: Sequence[LanguageModel | Path | str]) -> dict[str, LanguageModel | Path | str]:
    """Folders by their names, models by their kinds; its number is added where a name was there before."""
    named: dict[str, LanguageModel | Path | str] = {}
    for number, model in enumerate(models, start=1):
        name = str(model) if isinstance(model, str | Path) else model.kind
        named[f"{name} {number}" if name in named else name] = model
    return named
