"""`regard train`: language models, classifiers and word vectors from texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from regard.cli.options import Debug, Json, Seed, drawable, example, new_app, writable
from regard.cli.output import at_work, print_json, require_outputs
from regard.cli.train_averaging import averaging
from regard.cli.training_text import (
    Force,
    Out,
    Stopwatch,
    Text,
    Valid,
    measured,
    read_parts,
    report,
    require_memory,
    require_one,
)

app = new_app(
    "Train a model on a text and write it to a folder.",
    epilog=example(
        "regard train ngram --text python-manual --out manual",
        "regard train bigram --text book.txt --out book --vocabulary 2000",
    ),
)

MAX_THREADS = 1024
"""More than any processor has; torch ends the whole process where the system refuses it a thread."""
Curve = Annotated[
    Path | None,
    typer.Option("--figure", metavar="FILE", callback=drawable, help="Save the loss curve: .png, .svg or .pdf."),
]


@app.command(
    short_help="A model that counts: Kneser–Ney, or a mixture of all orders.",
    epilog=example(
        "regard train ngram --text python-manual --out manual",
        "regard train ngram --text ptb/train --valid ptb/valid --out ptb5 --unit word --method kneser-ney --order 5",
    ),
)
def ngram(
    text: Text,
    out: Out,
    valid: Valid = "0.1",
    unit: Annotated[
        Literal["char", "byte", "word", "course"],
        typer.Option("--unit", help="What is counted; course: words in lower case, digits as DG."),
    ] = "char",
    method: Annotated[
        Literal["mixing", "kneser-ney"],
        typer.Option("--method", help="Weigh all orders by how much each was seen, or modified Kneser–Ney."),
    ] = "mixing",
    order: Annotated[
        int | None, typer.Option("--order", min=1, max=10, help="The longest n-gram. [default: the best of its kind]")
    ] = None,
    vocabulary: Annotated[
        int | None,
        typer.Option("--vocabulary", min=2, help="So many words, the rest unknown. [default: all seen twice]"),
    ] = None,
    force: Force = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Count the n-grams of a text; the model goes to a folder, its perplexity on held-out text is printed."""
    from regard.models.checkpoint import save
    from regard.models.folder_writer import writing
    from regard.training.ngram import NgramConfig, train_ngram

    with writing(out, kind="ngram", force=force) as place:
        parts = read_parts(text, valid, at_line_ends=unit in ("word", "course"))
        config = NgramConfig(unit=unit, order=order, method=method, vocabulary=vocabulary)
        train = parts.train
        require_memory(len(train), order=config.chosen_order, unit=unit)
        watch = Stopwatch()
        with at_work("counting"):
            model = train_ngram(train, config)
            save(model, place)
    seconds = watch.seconds()
    sizes = {"vocabulary": len(model.tokeniser.vocabulary), "order": model.order}
    report({"out": str(out), **sizes, **seconds, **measured(model, parts)}, as_json=as_json)


@app.command(
    short_help="A network that reads one word and predicts the next.",
    epilog=example(
        "regard train bigram --text python-manual --out manual2 --figure loss.png",
        "regard train bigram --text ptb --valid ptb/valid --out ptb2 --vectors glove --trainer sgd --resume",
        "regard train bigram --check-gradients",
    ),
)
def bigram(
    text: Annotated[
        str | None, typer.Option("--text", metavar="NAME|FILE", help="What to learn from; - reads a pipe.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="The folder to write the model to.")] = None,
    valid: Valid = "0.1",
    vocabulary: Annotated[
        int | None,
        typer.Option(
            "--vocabulary", min=2, help="So many words, the rest unknown. [default: 2000, fewer if not seen twice]"
        ),
    ] = None,
    unit: Annotated[
        Literal["word", "course"], typer.Option("--unit", help="Words as they are, or lower case with digits as DG.")
    ] = "word",
    trainer: Annotated[
        Literal["counts", "sgd"],
        typer.Option("--trainer", help="L-BFGS on the counts of bigrams, or the course's recipe of small steps."),
    ] = "counts",
    vectors: Annotated[
        str | None,
        typer.Option(
            "--vectors", metavar="NAME|FILE", help="GloVe vectors, as text: words that they call alike learn together."
        ),
    ] = None,
    fix_vectors: Annotated[bool, typer.Option("--fix-vectors", help="The given vectors are read as they are.")] = False,
    hidden: Annotated[int | None, typer.Option("--hidden", min=1, help="Hidden units. [default: 200; sgd: 50]")] = None,
    width: Annotated[
        int | None,
        typer.Option(
            "--width", min=1, help="Numbers in a vector; given ones are cut to it. [default: as many as units]"
        ),
    ] = None,
    activation: Annotated[
        Literal["sigmoid", "tanh"] | None,
        typer.Option("--activation", help="Of the hidden units. [default: tanh; sgd: sigmoid]"),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(
            "--iterations", min=1, help="At most so many. [default: chosen on a tenth of the lines; sgd: 40000]"
        ),
    ] = None,
    beside_counts: Annotated[
        bool, typer.Option("--beside-counts", help="Mix the network with Kneser–Ney; trains it twice.")
    ] = False,
    stop_early: Annotated[
        bool, typer.Option("--stop-early", help="Keep one line in ten, and the network that predicts it best.")
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run of sgd that is in DIR.")] = False,
    force: Force = False,
    figure: Curve = None,
    check_gradients: Annotated[
        bool, typer.Option("--check-gradients", help="Train nothing; compare all derivatives with measured ones.")
    ] = False,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Train h = σ(x W₁ + b₁), ŷ = softmax(h W₂ + b₂) to predict each word from the one before it."""
    from regard.cli.train_bigram import print_checkpoints, print_gradients, run
    from regard.models.folder_writer import writing
    from regard.report.figure_file import save_figure
    from regard.training.bigram.train import BigramConfig

    if check_gradients:
        raise typer.Exit(print_gradients(activation=activation or "sigmoid", seed=seed, as_json=as_json))
    if text is None or out is None:
        raise typer.BadParameter("expected --text and --out, or --check-gradients alone")
    if trainer == "sgd" and (beside_counts or stop_early):
        raise typer.BadParameter("--beside-counts and --stop-early go with --trainer counts")
    if resume and trainer != "sgd":
        raise typer.BadParameter("--resume goes with --trainer sgd; counts are trained in one go")
    if fix_vectors and vectors is None:
        raise typer.BadParameter("--fix-vectors does nothing by itself: give the vectors with --vectors NAME|FILE")
    require_one(resume=resume, force=force)
    require_outputs(figure, inputs=(text, valid, vectors), model_folder=out)
    config = BigramConfig(
        unit=unit,
        vocabulary=vocabulary,
        trainer=trainer,
        hidden=hidden,
        width=width,
        activation=activation,
        vectors="fixed" if fix_vectors else "tuned",
        iterations=iterations,
        beside_counts=beside_counts,
        stop_early=stop_early,
        seed=seed,
    )
    with writing(out, kind="bigram", force=force, resume=resume) as place:
        outcome = run(read_parts(text, valid, at_line_ends=True), place, config, vectors=vectors)
    if figure is not None:
        from regard.report.loss import draw_loss

        loss = "loss of the training text" if trainer == "sgd" else "loss of the training text, with decay"
        save_figure(draw_loss(outcome.history, loss=loss, unit="word", title=f"bigram model of {text}"), figure)
    saved = {} if figure is None else {"figure": str(figure)}
    if as_json:
        print_json(outcome.facts | saved | {"history": outcome.checkpoints})
        return
    print_checkpoints(outcome.checkpoints)
    report(outcome.facts | saved, as_json=False)


Unit = Annotated[Literal["char", "byte"], typer.Option("--unit", help="What is read and predicted.")]
Minutes = Annotated[
    float | None, typer.Option("--minutes", min=0.01, help="Train so long; the steps are planned to end in time.")
]
Steps = Annotated[int | None, typer.Option("--steps", min=1, help="Train so many steps, however long they take.")]
Resume = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Go on with the run in DIR, if there is one; a finished one goes further, to more steps or minutes.",
    ),
]
Threads = Annotated[
    int | None,
    typer.Option("--threads", min=1, max=MAX_THREADS, help="Of the processor. [default: as many as it has cores]"),
]
Preset = Annotated[str, typer.Option("--preset", metavar="NAME", help="Size and schedule: course, best or plain.")]
SizePreset = Annotated[str, typer.Option("--preset", metavar="NAME", help="Size and schedule: small or best.")]


@app.command(
    short_help="A network with a state that is carried from character to character.",
    epilog=example(
        "regard train recurrent --text python-manual --out manual-rnn --preset course",
        "regard train recurrent --text book.txt --out book-rnn --minutes 10 --figure loss.png",
        "regard train recurrent --text book.txt --out book-rnn --minutes 10 --resume",
    ),
)
def recurrent(
    text: Text,
    out: Out,
    valid: Valid = "0.1",
    preset: Preset = "best",
    minutes: Minutes = None,
    steps: Steps = None,
    resume: Resume = False,
    force: Force = False,
    unit: Unit = "char",
    threads: Threads = None,
    figure: Curve = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Train a GRU or LSTM on the characters of a text; Ctrl-C keeps the best network so far."""
    from regard.cli.train_network import NetworkOptions, train_network

    options = NetworkOptions(
        "recurrent", out, preset, unit, steps, minutes, resume, force, threads, seed, figure, as_json
    )
    train_network(text, valid, options)


@app.command(
    short_help="A network that attends to the characters before.",
    epilog=example(
        "regard train transformer --text python-manual --out manual-tf --preset small",
        "regard train transformer --text book.txt --out book-tf --minutes 10 --figure loss.png",
        "torchrun --nproc-per-node 2 -m regard train transformer --text book.txt --out book-tf",
    ),
)
def transformer(
    text: Text,
    out: Out,
    valid: Valid = "0.1",
    preset: SizePreset = "best",
    minutes: Minutes = None,
    steps: Steps = None,
    resume: Resume = False,
    force: Force = False,
    unit: Unit = "char",
    threads: Threads = None,
    figure: Curve = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Train a Transformer on the characters of a text; Ctrl-C keeps the best network so far."""
    from regard.cli.train_network import NetworkOptions, train_network

    options = NetworkOptions(
        "transformer", out, preset, unit, steps, minutes, resume, force, threads, seed, figure, as_json
    )
    train_network(text, valid, options)


@app.command(
    short_help="Several models at once, weighed by what each is good at.",
    epilog=example(
        "regard train ngram --text book.txt --out book-ngram",
        "regard train recurrent --text book.txt --out book-rnn",
        "regard train mixture book-ngram book-rnn --text book.txt --out book-mixed",
    ),
)
def mixture(
    models: Annotated[
        list[Path], typer.Argument(metavar="MODEL MODEL...", help="Models of the same text, two or more.")
    ],
    text: Annotated[
        str, typer.Option("--text", metavar="NAME|FILE", help="What the models were trained on; the weights need it.")
    ],
    out: Out,
    valid: Valid = "0.1",
    form: Annotated[
        Literal["geometric", "linear"],
        typer.Option("--form", help="Multiply the models' probabilities, each to a power, or add them up."),
    ] = "geometric",
    gate: Annotated[
        Literal["features", "fixed"],
        typer.Option("--gate", help="Weights that look at the context, or the same everywhere."),
    ] = "features",
    adaptive: Annotated[
        bool, typer.Option("--adaptive/--no-adaptive", help="Also fit the part that learns from the text it scores.")
    ] = True,
    fit_on: Annotated[
        str | None,
        typer.Option(
            "--fit-on",
            metavar="NAME|FILE",
            help="Text that no model has seen, to fit the weights on. [default: what networks keep back of --text]",
        ),
    ] = None,
    force: Force = False,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Mix models over the same alphabet; the weights are fitted on text that none of them has learnt from."""
    from regard.cli.train_mixture import print_outcome, run
    from regard.models.folder_writer import writing
    from regard.training.mixture import MixtureConfig

    if len(models) < 2:
        raise typer.BadParameter("expected two models or more, as in: regard train mixture MODEL MODEL --text …")
    config = MixtureConfig(form=form, gate=gate, adaptive=adaptive)
    with writing(out, kind="mixture", force=force) as place:
        facts = run([str(model) for model in models], text, place, config, valid=valid, fit_on=fit_on)
    print_outcome(facts, as_json=as_json)


app.command(
    short_help="A classifier that averages the words of a text.",
    epilog=example(
        "regard train averaging --out films",
        "regard train averaging --data reviews.csv --out mine --form classic --layers 2 --dropout 0.3",
        "regard train averaging --data imdb --test 0.1 --out imdb-model --vectors glove",
    ),
)(averaging)


@app.command(
    short_help="Word vectors from which words stand near each other.",
    epilog=example("regard train glove --text python-manual --out vectors.txt --width 50"),
)
def glove(
    text: Text,
    out: Annotated[
        Path,
        typer.Option("--out", metavar="FILE", callback=writable(), help="Written as GloVe text; .gz packs it."),
    ],
    vocabulary: Annotated[
        int | None,
        typer.Option("--vocabulary", min=3, help="So many words, the rest unknown. [default: all seen twice]"),
    ] = None,
    unit: Annotated[
        Literal["word", "course"], typer.Option("--unit", help="Words as they are, or lower case with digits as DG.")
    ] = "word",
    width: Annotated[int, typer.Option("--width", min=1, help="Numbers in a vector.")] = 50,
    window: Annotated[int, typer.Option("--window", min=1, help="Words this near count as near.")] = 10,
    sweeps: Annotated[int, typer.Option("--sweeps", min=1, help="Rounds of alternating least squares.")] = 8,
    near: Annotated[
        list[str] | None, typer.Option("--near", metavar="WORD", help="Show the words nearest to it.")
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Train GloVe vectors on a text: w·w̃ + b + b̃ ≈ ln X, where X counts how often two words stand near each other."""
    from regard.cli.train_glove import print_outcome, run
    from regard.training.glove import GloveConfig

    require_outputs(out, inputs=(text,))
    config = GloveConfig(width=width, window=window, n_sweeps=sweeps)
    outcome = run(text, out, config, unit=unit, vocabulary=vocabulary, seed=seed)
    print_outcome(outcome, near or [], as_json=as_json)
