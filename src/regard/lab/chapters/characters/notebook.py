import marimo

app = marimo.App(width="medium", app_title="Characters")


@app.cell
def _():
    import marimo as mo

    from regard.errors import RegardError
    from regard.lab import texts
    from regard.lab.chapters.characters import attention_windows, models, view
    from regard.lab.page import download_buttons, introduction, listing, show_figure, surprise_buttons
    from regard.lab.url_state import (
        choice,
        fits_link,
        free_text,
        length_complaint,
        number,
        read_link,
        replace_surrogates,
        whole_number,
        write_link,
    )
    from regard.lab.widgets.long_work import LongWork
    from regard.report import fragments

    return (
        LongWork, RegardError, attention_windows, choice, download_buttons, fits_link, fragments, free_text,
        introduction, length_complaint, listing, mo, models, number, read_link, replace_surrogates, show_figure,
        surprise_buttons, texts, view, whole_number, write_link,
    )  # fmt: skip


@app.cell
def _(choice, free_text, mo, models, number, read_link, texts, view, whole_number):
    fields = {
        "corpus": choice("tinyshakespeare", texts.OFFERED),
        "steps": choice("2000", tuple(map(str, models.STEPS))),
        "model": free_text("", most=120),
        "prompt": free_text("", most=view.MAX_PROMPT),
        "temperature": number(0.8, 0.1, 2),
        "top_p": number(0.95, 0.05, 1),
        "length": whole_number(400, 50, 2000),
        "draw": whole_number(0, 0, 999_999),
        "text": free_text("", most=view.MAX_CHARACTERS),
        "window": whole_number(1, 1, 9999),
        "layer": whole_number(1, 1, 99),
        "head": whole_number(1, 1, 99),
    }
    link = read_link(mo.query_params().to_dict(), fields)
    return fields, link


@app.cell
def _(introduction, link):
    introduction(
        "characters",
        "A model of characters reads what has been written and says how likely each character is to come next. One"
        " that counts is made in a second: how often did each follow the last five? A Transformer attends instead;"
        " its training takes about a minute, and can be stopped.",
        link.complaints,
    )


@app.cell
def _(link, mo, models, texts):
    corpus = mo.ui.dropdown(list(texts.OFFERED), value=link.values["corpus"], label="text to learn from")
    steps = mo.ui.slider(
        steps=models.STEPS, value=int(link.values["steps"]), label="steps of the Transformer", show_value=True,
        debounce=True,
    )  # fmt: skip
    mo.hstack([corpus, steps], justify="start", gap=2, wrap=True)
    return corpus, steps


@app.cell
def _(LongWork, corpus, mo, models):
    _name = corpus.value
    counting = mo.ui.anywidget(
        LongWork(
            lambda progress: models.counting_model(_name, progress),
            label="Count the characters",
            seconds=2,
            starts=True,
        )
    )
    counting
    return (counting,)


@app.cell
def _(LongWork, corpus, mo, models, steps):
    _name, _steps = corpus.value, int(steps.value)
    training = mo.ui.anywidget(
        LongWork(
            lambda progress: models.transformer_model(_name, _steps, progress),
            label="Train the Transformer",
            seconds=models.expected_seconds(_steps),
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
    transformer = training.widget.result if training.value["state"] == "done" else None
    return (transformer,)


@app.cell
def _(link, mo, models, start, training, transformer):
    model_key, _note = None, None
    if start is not None:
        _ = training.value  # a Transformer that was stopped is kept too
        _keys = {start.key: None, **dict.fromkeys(models.cached_keys())}
        _labels = models.labels(list(_keys))
        _wanted = transformer.key if transformer else link.values["model"] or start.key
        if _wanted not in _keys:
            _note = mo.callout(mo.plain_text(f"there is no kept model {_wanted!r} here: train it first"), kind="warn")
            _wanted = start.key
        model_key = mo.ui.dropdown(
            _labels, value=next(label for label, key in _labels.items() if key == _wanted), label="model"
        )
    None if model_key is None else mo.vstack(list(filter(None, [mo.md("## It writes"), model_key, _note])))
    return (model_key,)


@app.cell
def _(RegardError, mo, model_key, models, start):
    model, _note = None, None
    if start is not None:
        try:
            with mo.status.spinner("loading the model"):
                model = start.model if model_key.value == start.key else models.load_cached(model_key.value)
        except RegardError as _error:
            _note = mo.callout(mo.plain_text(str(_error)), kind="warn")
    _note
    return (model,)


@app.cell
def _(link, mo, view):
    temperature = mo.ui.slider(
        0.1, 2.0, step=0.1, value=round(link.values["temperature"], 1), label="temperature", show_value=True,
        debounce=True,
    )  # fmt: skip
    top_p = mo.ui.slider(
        steps=view.TOP_PS, value=view.nearest(view.TOP_PS, link.values["top_p"]), label="top-p",
        show_value=True, debounce=True,
    )  # fmt: skip
    length = mo.ui.slider(
        steps=view.LENGTHS, value=view.nearest(view.LENGTHS, link.values["length"]), label="characters",
        show_value=True, debounce=True,
    )  # fmt: skip
    prompt = mo.ui.text(
        value=link.values["prompt"], label="go on from", placeholder="a line that the text often has",
        max_length=view.MAX_PROMPT,
    )  # fmt: skip
    draw = mo.ui.button(label="Draw again", value=link.values["draw"], on_click=lambda seed: (seed + 1) % 1_000_000)
    mo.hstack([prompt, temperature, top_p, length, draw], justify="start", gap=2, wrap=True)
    return draw, length, prompt, temperature, top_p


@app.cell
def _(LongWork, draw, length, mo, model, prompt, replace_surrogates, temperature, top_p, view):
    stream, _note = None, []
    request = view.WritingRequest(
        prompt=replace_surrogates(prompt.value), length=int(length.value), temperature=float(temperature.value),
        top_p=float(top_p.value), seed=draw.value,
    )  # fmt: skip
    if model is not None:
        _model, _request = model, request
        stream = mo.ui.anywidget(
            LongWork(lambda progress: view.write(_model, _request, progress), label="Write", starts=True)
        )
        _unknown = view.unknown_characters(model, request.prompt)
        _note = [mo.callout(mo.plain_text(_unknown), kind="warn")] if _unknown else []
    None if stream is None else mo.vstack([stream, *_note])
    return (request,)


@app.cell
def _(link, mo, start, view):
    pasted = None
    if start is not None:
        pasted = mo.ui.text_area(
            value=link.values["text"] or start.passage, rows=6, full_width=True, debounce=600,
            label=f"text, up to {view.MAX_CHARACTERS:,} characters",
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
def _(RegardError, length_complaint, mo, model, model_key, pasted, replace_surrogates, view):
    text, result, _note = "", None, None
    if model is not None:
        _note = length_complaint("the text", pasted.value, most=view.MAX_CHARACTERS)
        text = "" if _note else replace_surrogates(pasted.value)
    if text:
        try:
            with mo.status.spinner("scoring"):
                result = view.surprise(model, text, model_key.value)
        except RegardError as _error:
            text, _note = "", str(_error)
    mo.callout(mo.plain_text(_note), kind="warn") if _note else None
    return result, text


@app.cell
def _(fragments, mo, result, surprise_buttons):
    None if result is None else mo.vstack(
        [
            mo.Html(fragments.heat_scale() + fragments.heat_map(result)),
            surprise_buttons([result], result.cautions),
            *(mo.callout(mo.plain_text(warning)) for warning in result.warnings),
        ]
    )


@app.cell
def _(attention_windows, link, mo, model, text):
    layer = head = window = None
    _shown = mo.md("*The model that counts has no heads: train or choose a Transformer.*")
    if model is not None and text and attention_windows.has_heads(model):
        _sizes, _last = model.network.config, attention_windows.n_windows(model, text)
        layer, head = (
            mo.ui.dropdown(list(map(str, range(1, most + 1))), value=str(min(most, link.values[name])), label=name)
            for name, most in (("layer", _sizes.layers), ("head", _sizes.heads))
        )
        window = mo.ui.slider(
            1, max(_last, 2), value=min(_last, link.values["window"]), label="window", show_value=True, debounce=True
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
def _(attention_windows, download_buttons, head, layer, mo, model, show_figure, text, window):
    _shown = None
    if layer is not None:
        _place = {"layer": int(layer.value) - 1, "head": int(head.value) - 1}
        with mo.status.spinner("drawing"):
            _seen = attention_windows.window_attention(model, text, window=window.value)
            _figure = attention_windows.attention_figure(_seen, **_place)
            _shown = mo.vstack(
                [
                    mo.md(attention_windows.head_summary(_seen, **_place)),
                    show_figure(
                        _figure, label="Attention weights of the chosen head, text against text, and of all heads"
                    ),
                    download_buttons(_figure, attention_windows.attention_columns(_seen, **_place), name="attention"),
                ]
            )
    _shown


@app.cell
def _(
    attention_windows, corpus, fields, fits_link, head, layer, link, listing, mo, model_key, request, start, steps,
    text, view, window, write_link,
):  # fmt: skip
    _shown = None
    if start is not None:
        _own = "" if text == start.passage or not fits_link(text) else text
        _looks = {} if layer is None else {
            "window": window.value, "layer": int(layer.value), "head": int(head.value)
        }  # fmt: skip
        _link = {
            **link.values, "corpus": corpus.value, "steps": str(steps.value), **request.link_values(), "text": _own,
            "model": "" if model_key.value == start.key else model_key.value, **_looks,
        }  # fmt: skip
        write_link(mo.query_params(), _link, fields)
        _code = view.python_for(model_key.value, request, text)
        _shown = listing(_code if layer is None else _code + attention_windows.python_for(**_looks))
    _shown


if __name__ == "__main__":
    app.run()
