import marimo

app = marimo.App(width="medium", app_title="Characters")


@app.cell
def _():
    import marimo as mo

    from regard.errors import RegardError
    from regard.lab import model_cache as corpora
    from regard.lab import shading
    from regard.lab.chapters.characters import attention as looking
    from regard.lab.chapters.characters import models as letters
    from regard.lab.chapters.characters import view as writing
    from regard.lab.page import download_buttons, listing, opening, shown
    from regard.lab.url_state import (
        choice,
        cleaned,
        fits_link,
        length_complaint,
        number,
        read_view,
        typed,
        whole,
        write_view,
    )
    from regard.lab.widgets.long_work import LongWork

    return (
        LongWork, RegardError, choice, cleaned, corpora, download_buttons, fits_link, length_complaint, letters,
        listing, looking, mo, number, opening, read_view, shading, shown, typed, whole, write_view,
        writing,
    )  # fmt: skip


@app.cell
def _(choice, corpora, letters, mo, number, read_view, typed, whole, writing):
    fields = {
        "corpus": choice("tinyshakespeare", corpora.OFFERED),
        "steps": choice("2000", tuple(map(str, letters.STEPS))),
        "model": typed("", most=120),
        "prompt": typed("", most=writing.MOST_PROMPT),
        "temperature": number(0.8, 0.1, 2),
        "top_p": number(0.95, 0.05, 1),
        "length": whole(400, 50, 2000),
        "draw": whole(0, 0, 999_999),
        "text": typed("", most=writing.MOST_CHARACTERS),
        "window": whole(1, 1, 9999),
        "layer": whole(1, 1, 99),
        "head": whole(1, 1, 99),
    }
    view = read_view(mo.query_params().to_dict(), fields)
    return fields, view


@app.cell
def _(opening, view):
    opening(
        "characters",
        "A model of characters reads what has been written and says how likely each character is to come next. One"
        " that counts is made in a second: how often did each follow the last five? A Transformer attends instead;"
        " its training takes about a minute, and can be stopped.",
        view.complaints,
    )


@app.cell
def _(corpora, letters, mo, view):
    corpus = mo.ui.dropdown(list(corpora.OFFERED), value=view.values["corpus"], label="text to learn from")
    steps = mo.ui.slider(
        steps=letters.STEPS, value=int(view.values["steps"]), label="steps of the Transformer", show_value=True,
        debounce=True,
    )  # fmt: skip
    mo.hstack([corpus, steps], justify="start", gap=2, wrap=True)
    return corpus, steps


@app.cell
def _(LongWork, corpus, letters, mo):
    _name = corpus.value
    counting = mo.ui.anywidget(
        LongWork(lambda report: letters.counted(_name, report), label="Count the characters", seconds=2, starts=True)
    )
    counting
    return (counting,)


@app.cell
def _(LongWork, corpus, letters, mo, steps):
    _name, _steps = corpus.value, int(steps.value)
    training = mo.ui.anywidget(
        LongWork(
            lambda report: letters.attentive(_name, _steps, report),
            label="Train the Transformer",
            seconds=letters.expected_seconds(_steps),
            axes=("step", "nats a character"),
        )
    )
    training
    return (training,)


@app.cell
def _(counting, mo):
    start = counting.widget.result if counting.value["state"] == "done" else None
    mo.callout(mo.plain_text(start.note), kind="warn") if start and start.note else None
    return (start,)


@app.cell
def _(training):
    # apart from the cell above: else the end of training would make anew what depends on that, the pasted text too
    attentive = training.widget.result if training.value["state"] == "done" else None
    return (attentive,)


@app.cell
def _(attentive, letters, mo, start, training, view):
    model_key, _told = None, None
    if start is not None:
        _ = training.value  # a Transformer that was stopped is kept too
        _keys = {start.key: None, **dict.fromkeys(letters.kept_keys())}
        _labels = letters.labels(list(_keys))
        _wanted = attentive.key if attentive else view.values["model"] or start.key
        if _wanted not in _keys:
            _told = mo.callout(mo.plain_text(f"there is no kept model {_wanted!r} here: train it first"), kind="warn")
            _wanted = start.key
        model_key = mo.ui.dropdown(
            _labels, value=next(label for label, key in _labels.items() if key == _wanted), label="model"
        )
    None if model_key is None else mo.vstack(list(filter(None, [mo.md("## It writes"), model_key, _told])))
    return (model_key,)


@app.cell
def _(RegardError, letters, mo, model_key, start):
    model, _told = None, None
    if start is not None:
        try:
            with mo.status.spinner("loading the model"):
                model = start.model if model_key.value == start.key else letters.loaded(model_key.value)
        except RegardError as _error:
            _told = mo.callout(mo.plain_text(str(_error)), kind="warn")
    _told
    return (model,)


@app.cell
def _(mo, view, writing):
    temperature = mo.ui.slider(
        0.1, 2.0, step=0.1, value=round(view.values["temperature"], 1), label="temperature", show_value=True,
        debounce=True,
    )  # fmt: skip
    top_p = mo.ui.slider(
        steps=writing.TOP_PS, value=writing.nearest(writing.TOP_PS, view.values["top_p"]), label="top-p",
        show_value=True, debounce=True,
    )  # fmt: skip
    length = mo.ui.slider(
        steps=writing.LENGTHS, value=writing.nearest(writing.LENGTHS, view.values["length"]), label="characters",
        show_value=True, debounce=True,
    )  # fmt: skip
    prompt = mo.ui.text(
        value=view.values["prompt"], label="go on from", placeholder="a line that the text often has",
        max_length=writing.MOST_PROMPT,
    )  # fmt: skip
    draw = mo.ui.button(label="Draw again", value=view.values["draw"], on_click=lambda seed: (seed + 1) % 1_000_000)
    mo.hstack([prompt, temperature, top_p, length, draw], justify="start", gap=2, wrap=True)
    return draw, length, prompt, temperature, top_p


@app.cell
def _(LongWork, cleaned, draw, length, mo, model, prompt, temperature, top_p, writing):
    stream, _told = None, []
    asked = writing.Asked(
        prompt=cleaned(prompt.value), length=int(length.value), temperature=float(temperature.value),
        top_p=float(top_p.value), seed=draw.value,
    )  # fmt: skip
    if model is not None:
        _model, _asked = model, asked
        stream = mo.ui.anywidget(
            LongWork(lambda report: writing.write(_model, _asked, report), label="Write", starts=True)
        )
        _unknown = writing.unknown_characters(model, asked.prompt)
        _told = [mo.callout(mo.plain_text(_unknown), kind="warn")] if _unknown else []
    None if stream is None else mo.vstack([stream, *_told])
    return (asked,)


@app.cell
def _(mo, start, view, writing):
    pasted = None
    if start is not None:
        pasted = mo.ui.text_area(
            value=view.values["text"] or start.passage, rows=6, full_width=True, debounce=600,
            label=f"text, up to {writing.MOST_CHARACTERS:,} characters",
        )  # fmt: skip
    None if pasted is None else mo.vstack(
        [
            mo.md(
                "## It is surprised\n\nWhat each character costs, $-\\log_2 p$ in bits: the darker, the more"
                " surprising. The passage is one that the model has not read; paste any other."
            ),
            pasted,
        ]
    )
    return (pasted,)


@app.cell
def _(RegardError, cleaned, length_complaint, mo, model, model_key, pasted, writing):
    text, result, _told = "", None, None
    if model is not None:
        _told = length_complaint("the text", pasted.value, most=writing.MOST_CHARACTERS)
        text = "" if _told else cleaned(pasted.value)
    if text:
        try:
            with mo.status.spinner("scoring"):
                result = writing.surprise(model, text, model_key.value)
        except RegardError as _error:
            text, _told = "", str(_error)
    mo.callout(mo.plain_text(_told), kind="warn") if _told else None
    return result, text


@app.cell
def _(mo, result, shading):
    None if result is None else mo.vstack(
        [
            mo.Html(shading.heat_scale() + shading.heat_map(result)),
            mo.hstack(
                [
                    mo.download(data=make, filename=f"surprise.{kind}", label=kind.upper())
                    for kind, make in shading.heat_files([result], result.cautions).items()
                ],
                justify="start",
                wrap=True,
            ),
            *(mo.callout(mo.plain_text(warning)) for warning in result.warnings),
        ]
    )


@app.cell
def _(looking, mo, model, text, view):
    layer = head = window = None
    _shown = mo.md("*The model that counts has no heads: train or choose a Transformer.*")
    if model is not None and text and looking.has_heads(model):
        _sizes, _last = model.network.config, looking.n_windows(model, text)
        layer, head = (
            mo.ui.dropdown(list(map(str, range(1, most + 1))), value=str(min(most, view.values[name])), label=name)
            for name, most in (("layer", _sizes.layers), ("head", _sizes.heads))
        )
        window = mo.ui.slider(
            1, max(_last, 2), value=min(_last, view.values["window"]), label="window", show_value=True, debounce=True
        )
        _shown = mo.hstack([layer, head, window] if _last > 1 else [layer, head], justify="start", gap=2, wrap=True)
    mo.vstack(
        [
            mo.md(
                "## It attends\n\nWhere the Transformer's own heads look as they read this text: each row is a"
                " character, and how it weighs those before it. A long text is read in windows that overlap."
            ),
            _shown,
        ]
    )
    return head, layer, window


@app.cell
def _(download_buttons, head, layer, looking, mo, model, shown, text, window):
    _shown = None
    if layer is not None:
        _place = {"layer": int(layer.value) - 1, "head": int(head.value) - 1}
        with mo.status.spinner("drawing"):
            _seen = looking.looks(model, text, window=window.value)
            _figure = looking.looks_figure(_seen, **_place)
            _shown = mo.vstack(
                [
                    mo.md(looking.habit(_seen, **_place)),
                    shown(_figure, label="Attention weights of the chosen head, text against text, and of all heads"),
                    download_buttons(_figure, looking.looks_columns(_seen, **_place), name="attention"),
                ]
            )
    _shown


@app.cell
def _(
    asked, corpus, fields, fits_link, head, layer, listing, looking, mo, model_key, start, steps, text, view, window,
    write_view, writing,
):  # fmt: skip
    _shown = None
    if start is not None:
        _own = "" if text == start.passage or not fits_link(text) else text
        _looks = {} if layer is None else {
            "window": window.value, "layer": int(layer.value), "head": int(head.value)
        }  # fmt: skip
        _view = {
            **view.values, "corpus": corpus.value, "steps": str(steps.value), **asked.view(), "text": _own,
            "model": "" if model_key.value == start.key else model_key.value, **_looks,
        }  # fmt: skip
        write_view(mo.query_params(), _view, fields)
        _code = writing.python_for(model_key.value, asked, text)
        _shown = listing(_code if layer is None else _code + looking.python_for(**_looks))
    _shown


if __name__ == "__main__":
    app.run()
