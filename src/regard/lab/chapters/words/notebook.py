import marimo

app = marimo.App(width="medium", app_title="Words")


@app.cell
def _():
    import marimo as mo

    from regard.errors import VocabularyError
    from regard.lab import model_cache as corpora
    from regard.lab.chapters.words import gradients
    from regard.lab.chapters.words import view as bigrams
    from regard.lab.page import download_buttons, listing, opening, shown
    from regard.lab.url_state import choice, number, read_view, typed, whole, write_view
    from regard.lab.widgets.long_work import LongWork

    return (
        LongWork, VocabularyError, bigrams, choice, corpora, download_buttons, gradients, listing, mo, number, opening,
        read_view, shown, typed, whole, write_view,
    )  # fmt: skip


@app.cell
def _(bigrams, choice, corpora, gradients, mo, number, read_view, typed, whole):
    fields = {
        "network": whole(0, 0, 999_999),
        "activation": choice("sigmoid", ("sigmoid", "tanh")),
        "mistake": choice("none", tuple(gradients.MISTAKES)),
        "text": choice(corpora.EMBEDDED, corpora.OFFERED),
        "hidden": choice("50", tuple(map(str, bigrams.HIDDEN))),
        "seed": whole(0, 0, 99),
        "word": typed("", most=40),
        "temperature": number(0.7, 0.1, 2),
        "draw": whole(0, 0, 999_999),
    }
    view = read_view(mo.query_params().to_dict(), fields)
    return fields, view


@app.cell
def _(opening, view):
    opening(
        "words",
        "A network reads the vector $x$ of one word and says which comes next: $h = \\sigma(xW_1 + b_1)$, $\\hat y ="
        " \\mathrm{softmax}(hW_2 + b_2)$. It learns by the derivatives of the cross-entropy $J = -\\sum_j y_j \\ln"
        " \\hat y_j$, which are short formulas: $\\delta = \\hat y - y$, then the chain rule backwards. Are they right?"
        " Nudge every entry and see.",
        view.complaints,
    )


@app.cell
def _(gradients, mo, view):
    again = mo.ui.button(
        label="Draw another network", value=view.values["network"], on_click=lambda seed: (seed + 1) % 1_000_000
    )
    activation = mo.ui.dropdown(["sigmoid", "tanh"], value=view.values["activation"], label="σ")
    mistake = mo.ui.dropdown(
        {way.label: name for name, way in gradients.MISTAKES.items()},
        value=gradients.MISTAKES[view.values["mistake"]].label,
        label="mistake to make",
    )
    mo.hstack([again, activation, mistake], justify="start", gap=2, wrap=True)
    return activation, again, mistake


@app.cell
def _(activation, again, download_buttons, gradients, mistake, mo, shown):
    _gaps = gradients.checked(gradients.drawn(again.value, activation=activation.value), mistake=mistake.value)
    _figure = gradients.gap_figure(_gaps)
    mo.vstack(
        [
            mo.md(f"Network {again.value}:\n\n{gradients.gap_table(_gaps)}"),
            shown(_figure, label="The largest relative gap between formula and measurement for each parameter"),
            download_buttons(_figure, gradients.gap_columns(_gaps), name="gradients"),
        ]
    )


@app.cell
def _(mo):
    mo.md(
        "## Trained from counts\n\nThe loss over a text depends only on how often each word follows each other one. So"
        " the network is trained on that table, all of it at every step: seconds instead of hours."
    )


@app.cell
def _(bigrams, corpora, mo, view):
    text = mo.ui.dropdown(list(corpora.OFFERED), value=view.values["text"], label="text")
    hidden = mo.ui.slider(
        steps=bigrams.HIDDEN, value=int(view.values["hidden"]), label="hidden units", show_value=True, debounce=True
    )
    seed = mo.ui.number(0, 99, value=view.values["seed"], label="seed", debounce=True)
    mo.hstack([text, hidden, seed], justify="start", gap=2, wrap=True)
    return hidden, seed, text


@app.cell
def _(LongWork, bigrams, hidden, mo, seed, text):
    settings = bigrams.Settings(text=text.value, hidden=int(hidden.value), seed=int(seed.value or 0))
    work = mo.ui.anywidget(
        LongWork(
            bigrams.trainer(settings),
            label="Train the model",
            seconds=bigrams.SECONDS[settings.text],
            axes=("step", "nats a word"),
            starts=True,
        )
    )
    work
    return settings, work


@app.cell
def _(bigrams, mo, work):
    found = work.widget.result if work.value["state"] == "done" else None
    mo.md(bigrams.training_text(found)) if found else None
    return (found,)


@app.cell
def _(bigrams, mo, text, view):
    _asked = view.values["word"] if text.value == view.values["text"] else ""
    word = mo.ui.text(value=_asked or bigrams.FIRST_WORDS[text.value], label="word", max_length=40)
    mo.vstack(
        [
            mo.md(
                "## What it has learnt\n\nWords that are followed by the same words get vectors that point the same"
                " way. Ask for any word of the text."
            ),
            word,
        ]
    )
    return (word,)


@app.cell
def _(VocabularyError, bigrams, download_buttons, found, mo, shown, word):
    _shown = None
    if found is not None:
        try:
            _asked = word.value.strip().lower()
            _figure = bigrams.word_figure(found, _asked)
            _shown = mo.vstack(
                [
                    shown(_figure, label=f"The words nearest to {_asked}, and those likely to follow it"),
                    download_buttons(_figure, bigrams.word_columns(found, _asked), name="words"),
                ]
            )
        except VocabularyError as _error:
            _shown = mo.callout(mo.plain_text(str(_error)), kind="warn")
    _shown


@app.cell
def _(mo, view):
    temperature = mo.ui.slider(
        0.1, 2.0, step=0.1, value=round(view.values["temperature"], 1), label="temperature", show_value=True
    )
    draw = mo.ui.button(label="Draw again", value=view.values["draw"], on_click=lambda seed: (seed + 1) % 1_000_000)
    mo.vstack(
        [
            mo.md(
                "## Sentences\n\nDrawn word after word, each from what the last one says of it:"
                " $p \\propto \\hat y^{\\,1/T}$. Nothing else is remembered, and it shows."
            ),
            mo.hstack([temperature, draw], justify="start", gap=2, wrap=True),
        ]
    )
    return draw, temperature


@app.cell
def _(bigrams, draw, found, mo, temperature):
    None if found is None else mo.Html(
        bigrams.sentence_list(bigrams.sentences(found, temperature=float(temperature.value), seed=draw.value))
    )


@app.cell
def _(
    activation, again, bigrams, draw, fields, gradients, listing, mistake, mo, settings, temperature, word, write_view
):  # fmt: skip
    _asked = word.value.strip().lower()
    _view = {
        "network": again.value, "activation": activation.value, "mistake": mistake.value,
        "text": settings.text, "hidden": str(settings.hidden), "seed": settings.seed,
        "word": "" if _asked == bigrams.FIRST_WORDS[settings.text] else _asked,
        "temperature": float(temperature.value), "draw": draw.value,
    }  # fmt: skip
    write_view(mo.query_params(), _view, fields)
    listing(
        gradients.python_for(_view["network"], activation=_view["activation"], mistake=_view["mistake"])
        + bigrams.python_for(settings, word=_asked, temperature=_view["temperature"], seed=_view["draw"])
    )


if __name__ == "__main__":
    app.run()
