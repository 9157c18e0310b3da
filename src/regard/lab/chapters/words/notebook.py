import marimo

app = marimo.App(width="medium", app_title="Words")


@app.cell
def _():
    import marimo as mo

    from regard.errors import VocabularyError
    from regard.lab import texts
    from regard.lab.chapters.words import gradients, models, view
    from regard.lab.page import download_buttons, introduction, listing, show_figure
    from regard.lab.url_state import choice, free_text, number, read_link, whole_number, write_link
    from regard.lab.widgets.long_work import LongWork

    return (
        LongWork, VocabularyError, choice, download_buttons, free_text, gradients, introduction, listing, mo,
        models, number, read_link, show_figure, texts, view, whole_number, write_link,
    )  # fmt: skip


@app.cell
def _(choice, free_text, gradients, mo, models, number, read_link, texts, whole_number):
    fields = {
        "network": whole_number(0, 0, 999_999),
        "activation": choice("sigmoid", ("sigmoid", "tanh")),
        "mistake": choice("none", tuple(gradients.MISTAKES)),
        "text": choice(texts.EMBEDDED, texts.OFFERED),
        "hidden": choice("50", tuple(map(str, models.HIDDEN))),
        "seed": whole_number(0, 0, 99),
        "word": free_text("", most=40),
        "temperature": number(0.7, 0.1, 2),
        "draw": whole_number(0, 0, 999_999),
    }
    link = read_link(mo.query_params().to_dict(), fields)
    return fields, link


@app.cell
def _(introduction, link):
    introduction(
        "words",
        "A network reads the vector $x$ of one word and says which comes next: $h = \\sigma(xW_1 + b_1)$, $\\hat y ="
        " \\mathrm{softmax}(hW_2 + b_2)$. It learns by the derivatives of the cross-entropy $J = -\\sum_j y_j \\ln"
        " \\hat y_j$, which are short formulas: $\\delta = \\hat y - y$, then the chain rule backwards. Are they right?"
        " Nudge every entry and see.",
        link.complaints,
    )


@app.cell
def _(gradients, link, mo):
    again = mo.ui.button(
        label="Draw another network", value=link.values["network"], on_click=lambda seed: (seed + 1) % 1_000_000
    )
    activation = mo.ui.dropdown(["sigmoid", "tanh"], value=link.values["activation"], label="σ")
    mistake = mo.ui.dropdown(
        {way.label: name for name, way in gradients.MISTAKES.items()},
        value=gradients.MISTAKES[link.values["mistake"]].label,
        label="mistake to make",
    )
    mo.hstack([again, activation, mistake], justify="start", gap=2, wrap=True)
    return activation, again, mistake


@app.cell
def _(activation, again, download_buttons, gradients, mistake, mo, show_figure):
    _gaps = gradients.check_derivatives(
        gradients.draw_network(again.value, activation=activation.value), mistake=mistake.value
    )
    _figure = gradients.gap_figure(_gaps)
    mo.vstack(
        [
            mo.md(f"Network {again.value}:\n\n{gradients.gap_table(_gaps)}"),
            show_figure(_figure, label="The largest relative gap between formula and measurement for each parameter"),
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
def _(link, mo, models, texts):
    text = mo.ui.dropdown(list(texts.OFFERED), value=link.values["text"], label="text")
    hidden = mo.ui.slider(
        steps=models.HIDDEN, value=int(link.values["hidden"]), label="hidden units", show_value=True, debounce=True
    )
    seed = mo.ui.number(0, 99, value=link.values["seed"], label="seed", debounce=True)
    mo.hstack([text, hidden, seed], justify="start", gap=2, wrap=True)
    return hidden, seed, text


@app.cell
def _(LongWork, hidden, mo, models, seed, text):
    settings = models.Settings(text=text.value, hidden=int(hidden.value), seed=int(seed.value or 0))
    work = mo.ui.anywidget(
        LongWork(
            models.training_job(settings),
            label="Train the model",
            seconds=models.SECONDS[settings.text],
            axes=("step", "nats a word"),
            starts=True,
        )
    )
    work
    return settings, work


@app.cell
def _(mo, view, work):
    found = work.widget.result if work.value["state"] == "done" else None
    mo.md(view.training_text(found)) if found else None
    return (found,)


@app.cell
def _(link, mo, text, view):
    _asked = link.values["word"] if text.value == link.values["text"] else ""
    word = mo.ui.text(value=_asked or view.FIRST_WORDS[text.value], label="word", max_length=40)
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
def _(VocabularyError, download_buttons, found, mo, show_figure, view, word):
    _shown = None
    if found is not None:
        try:
            _asked = word.value.strip().lower()
            _figure = view.word_figure(found, _asked)
            _shown = mo.vstack(
                [
                    show_figure(_figure, label=f"The words nearest to {_asked}, and those likely to follow it"),
                    download_buttons(_figure, view.word_columns(found, _asked), name="words"),
                ]
            )
        except VocabularyError as _error:
            _shown = mo.callout(mo.plain_text(str(_error)), kind="warn")
    _shown


@app.cell
def _(link, mo):
    temperature = mo.ui.slider(
        0.1, 2.0, step=0.1, value=round(link.values["temperature"], 1), label="temperature", show_value=True
    )
    draw = mo.ui.button(label="Draw again", value=link.values["draw"], on_click=lambda seed: (seed + 1) % 1_000_000)
    mo.vstack(
        [
            mo.md(
                "## Sentences\n\nDrawn word after word, each by what the word before it makes likely:"
                " $p \\propto \\hat y^{\\,1/T}$. Nothing else is remembered, and it shows."
            ),
            mo.hstack([temperature, draw], justify="start", gap=2, wrap=True),
        ]
    )
    return draw, temperature


@app.cell
def _(draw, found, mo, temperature, view):
    None if found is None else mo.Html(
        view.sentence_list(view.draw_sentences(found, temperature=float(temperature.value), seed=draw.value))
    )


@app.cell
def _(activation, again, draw, fields, gradients, listing, mistake, mo, settings, temperature, view, word, write_link):
    _asked = word.value.strip().lower()
    _link = {
        "network": again.value, "activation": activation.value, "mistake": mistake.value,
        "text": settings.text, "hidden": str(settings.hidden), "seed": settings.seed,
        "word": "" if _asked == view.FIRST_WORDS[settings.text] else _asked,
        "temperature": float(temperature.value), "draw": draw.value,
    }  # fmt: skip
    write_link(mo.query_params(), _link, fields)
    listing(
        gradients.python_for(_link["network"], activation=_link["activation"], mistake=_link["mistake"])
        + view.python_for(settings, word=_asked, temperature=_link["temperature"], seed=_link["draw"])
    )


if __name__ == "__main__":
    app.run()
