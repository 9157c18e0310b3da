"""What `regard train averaging` does: read labelled texts, train, keep the classifier, measure it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from regard.cli.options import Debug, Json, Seed
from regard.cli.output import Cell, Stopped, at_work, print_json
from regard.cli.training_data import Data, DataParts, LabelColumn, TextColumn, class_facts, print_classes, read_data
from regard.cli.training_text import Force, Out, Stopwatch, report, require_one

if TYPE_CHECKING:
    from regard.models.classifier.base import Classifier
    from regard.models.folder_writer import ModelFolder
    from regard.text.vectors.word_vectors import WordVectors
    from regard.training.averaging.words import Round

GLOVE = "glove"
ROUNDS = (6, 20)
STEPS = 2000
"""Fewest and most rounds, unless told, and the steps that they are to make in all: few texts need more rounds."""


@dataclass(frozen=True)
class AveragingOptions:
    """What was asked for on the command line. `choices` are settings of the model that are not to be the usual ones."""

    data: str
    out: Path
    test: str | None
    vectors: str | None
    text_column: str | None
    label_column: str | None
    resume: bool
    force: bool
    as_json: bool
    choices: dict[str, Any]


def averaging(
    out: Out,
    data: Data = "movie-snippets",
    test: Annotated[
        str | None,
        typer.Option(
            "--test",
            metavar="FRACTION|NAME|FILE",
            help="What to measure on: a part of the data, or other data; 0: none. [default: its test part, else 0.1]",
        ),
    ] = None,
    form: Annotated[
        Literal["classic", "strong"],
        typer.Option("--form", help="Words alone, or n-grams up to three words beside them."),
    ] = "strong",
    vectors: Annotated[
        str | None,
        typer.Option(
            "--vectors",
            metavar="NAME|FILE|none",
            help="Word vectors to start from, as GloVe text. [default: glove where it is at hand, else none]",
        ),
    ] = None,
    fix_vectors: Annotated[bool, typer.Option("--fix-vectors", help="Given vectors do not learn.")] = False,
    width: Annotated[
        int | None, typer.Option("--width", min=1, help="Numbers in a vector, where none are given. [default: 100]")
    ] = None,
    order: Annotated[
        int | None,
        typer.Option("--order", min=1, max=5, help="Words of the longest n-grams, in the strong form. [default: 3]"),
    ] = None,
    layers: Annotated[
        int | None, typer.Option("--layers", min=0, max=3, help="Hidden layers; 0: a linear read-out. [default: 1]")
    ] = None,
    hidden: Annotated[
        int | None, typer.Option("--hidden", min=1, help="Units in a hidden layer. [default: 32]")
    ] = None,
    activation: Annotated[
        Literal["relu", "tanh", "sigmoid", "gelu", "linear"] | None,
        typer.Option("--activation", help="Of hidden units. [default: relu]"),
    ] = None,
    dropout: Annotated[
        float | None, typer.Option("--dropout", help="Share of units left out in training. [default: 0.2]")
    ] = None,
    word_dropout: Annotated[
        float | None, typer.Option("--word-dropout", help="Share of words left out in training. [default: 0.5]")
    ] = None,
    attention: Annotated[
        bool, typer.Option("--attention", help="Weigh words by one learnt query, instead of all alike.")
    ] = False,
    epochs: Annotated[
        int | None, typer.Option("--epochs", min=1, help="Times through the data, at most. [default: 6 to 20]")
    ] = None,
    text_column: TextColumn = None,
    label_column: LabelColumn = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on where an interrupted run for DIR stopped, if there is one.")
    ] = False,
    force: Force = False,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Train a deep averaging network, attention with the query zero, to tell labels of texts apart."""
    from regard.cli.study_models import use_one_thread

    use_one_thread()  # the steps are so small that threads would only wait for each other
    settings: dict[str, Any] = {
        "width": width,
        "order": order,
        "layers": layers,
        "hidden": hidden,
        "activation": activation,
        "dropout": dropout,
        "word_dropout": word_dropout,
        "epochs": epochs,
    }
    choices = {name: value for name, value in settings.items() if value is not None}
    choices |= {"form": form, "attention": attention, "fine_tune": not fix_vectors, "seed": seed}
    run(AveragingOptions(data, out, test, vectors, text_column, label_column, resume, force, as_json, choices))


def run(options: AveragingOptions) -> None:
    """Train a classifier on labelled texts; it goes to a folder, what came of it is printed."""
    from regard.cli.train_network import require_torch
    from regard.models.checkpoint import save
    from regard.models.folder_writer import writing

    require_torch()
    require_one(resume=options.resume, force=options.force)
    from regard.training.averaging.train import AveragingConfig, train_averaging

    AveragingConfig(**options.choices)  # refuses what cannot be before anything is read
    with writing(options.out, kind="averaging", force=options.force, resume=options.resume) as place:
        columns = {"text_column": options.text_column, "label_column": options.label_column}
        parts = read_data(options.data, options.test, **columns)
        config = AveragingConfig(**{"epochs": rounds_for(len(parts.train)), **options.choices})
        if not options.as_json:
            print_classes(parts)
        name, vectors = chosen_vectors(options.vectors)
        watch = Stopwatch()
        with telling_what_is_kept(place):
            classifier = train_averaging(parts.train, config, vectors=vectors, on_round=print_round, place=place)
        save(classifier, place)
    facts = {"out": str(options.out), "form": config.form, "vectors": name, **watch.seconds()}
    facts |= measured(classifier, parts)
    if options.as_json:
        print_json(facts | class_facts(parts))
        return
    report(facts, as_json=False)


@contextmanager
def telling_what_is_kept(place: ModelFolder) -> Iterator[None]:
    """Say, where training is interrupted, whether it can go on."""
    try:
        yield
    except KeyboardInterrupt:
        is_begun = bool(place.place.run.names())
        kept = "the same command with --resume goes on" if is_begun else "nothing had been learnt yet"
        raise Stopped(f"stopped before the end; {kept}") from None


def rounds_for(n_texts: int, *, batch_size: int = 64) -> int:
    """How often to go through so many texts, at most; early stopping ends it before, if nothing more is gained.

    >>> rounds_for(25_000), rounds_for(8_500), rounds_for(100)
    (6, 16, 20)
    """
    fewest, most = ROUNDS
    return min(most, max(fewest, -(-STEPS * batch_size // n_texts)))


def chosen_vectors(name: str | None) -> tuple[str, WordVectors | None]:
    """The word vectors to begin with, and their name; unless told, GloVe's where they are at hand."""
    from regard.cli.train_bigram import read_vectors
    from regard.text.corpora.corpus import find_local_corpus

    if name == "none":
        return "none", None
    if name is None and find_local_corpus(GLOVE) is None:
        return "none", None
    return name or GLOVE, read_vectors(name or GLOVE)


def print_round(done: Round) -> None:
    """One line a round, at once, beside what is printed in the end."""
    line = f"{done.train_nats:.4f} nats, held out {done.valid_nats:.4f}, accuracy there {done.valid_accuracy:.4f}"
    print(f"epoch {done.epoch}: {line}", file=sys.stderr, flush=True)


def measured(classifier: Classifier, parts: DataParts) -> dict[str, Cell]:
    """Accuracy on the texts to measure on, with its error; what true labels cost; how honest probabilities are."""
    if parts.test is None:
        return {}
    from regard.evaluation.accuracy import evaluate
    from regard.text.labelled.split import majority_share

    with at_work("measuring"):
        found = evaluate(classifier.log_probs(parts.test.texts), parts.test.label_ids, labels=parts.test.labels)
    return {
        "test_texts": found.n,
        "test_accuracy": found.accuracy,
        "test_standard_error": found.standard_error,
        "always_the_commonest_class": majority_share(parts.test),
        "test_nats": found.nats,
        "test_calibration_error": found.calibration_error,
    }
