import marimo

app = marimo.App(width="medium", app_title="Perplexity")


@app.cell
def _():
    import marimo as mo

    from regard.errors import RegardError
    from regard.lab.chapters.perplexity import models, view
    from regard.lab.page import download_buttons, introduction, listing, show_figure, side_by_side, surprise_buttons
    from regard.lab.url_state import choice, choices, free_text, read_link, write_link
    from regard.lab.widgets.long_work import LongWork
    from regard.report import fragments
    from regard.text.normalise.prepare import STEPS

    return (
        LongWork, RegardError, STEPS, choice, choices, download_buttons, fragments, free_text, introduction,
        listing, mo, models, read_link, show_figure, side_by_side, surprise_buttons, view, write_link,
    )  # fmt: skip


@app.cell
def _(STEPS, choice, choices, free_text, mo, models, read_link, view):
    fields = {
        "text": choice("python-manual", tuple(models.TEXTS)),
        "models": choices(("letters", "words", "few words"), tuple(models.MODELS)),
        "a": free_text(view.PASSAGES["passage A"], most=view.MAX_CHARACTERS),
        "b": free_text(view.PASSAGES["passage B"], most=view.MAX_CHARACTERS),
        "steps": choices((), tuple(STEPS)),
        "gains": choice("words", tuple(models.MODELS)),
        "on": choice("passage B", tuple(view.PASSAGES)),
    }
    link = read_link(mo.query_params().to_dict(), fields)
    return fields, link


@app.cell
def _(introduction, link):
    introduction(
        "perplexity",
        "Perplexity is $\\exp(-\\frac1n \\sum \\ln p(\\text{token}))$, per word, per character or per byte: three"
        " different questions. A model that calls everything unknown is never surprised. Bits per character ask all"
        " models the same: what does it cost to write down this very passage, unknown words spelled out?",
        link.complaints,
    )


@app.cell
def _(link, mo, models):
    _names = {what: name for name, what in models.TEXTS.items()}
    text = mo.ui.dropdown(_names, value=models.TEXTS[link.values["text"]], label="all models have learnt from")
    text
    return (text,)


@app.cell
def _(LongWork, mo, models, text):
    cached, _name = models.cached_models(text.value), text.value
    work = mo.ui.anywidget(
        LongWork(
            lambda progress: models.train_models(_name, progress),
            label="Train the models",
            seconds=5,
            starts=True,
            once=True,
        )
    )
    work if cached is None else mo.md(f"*{len(cached)} models are at hand: trained once, then kept.*")
    return cached, work


@app.cell
def _(cached, work):
    language_models = cached or (work.widget.result if work.value["state"] == "done" else None)
    return (language_models,)


@app.cell
def _(link, mo, side_by_side, view):
    passages = mo.ui.dictionary(
        {
            name: mo.ui.text_area(
                value=link.values[field], label=f"{name}, up to {view.MAX_CHARACTERS:,} characters",
                rows=9, full_width=True, debounce=600,
            )
            for name, field in (("passage A", "a"), ("passage B", "b"))
        }
    )  # fmt: skip
    side_by_side(*passages.elements.values())
    return (passages,)


@app.cell
def _(STEPS, link, mo, models, side_by_side):
    _models = {name: f"**{name}**: {spec.what}" for name, spec in models.MODELS.items()}
    _steps = {name: f"**{name}**: {step.help}" for name, step in STEPS.items()}
    chosen, steps = (
        mo.ui.dictionary(
            {name: mo.ui.checkbox(name in link.values[field], label=what) for name, what in labels.items()}
        )
        for field, labels in (("models", _models), ("steps", _steps))
    )
    side_by_side(
        mo.vstack([mo.md("Models"), *chosen.elements.values()]),
        mo.vstack([mo.md("Preparation of the passages, in this order"), *steps.elements.values()]),
    )
    return chosen, steps


@app.cell
def _(RegardError, chosen, language_models, mo, passages, steps, view):
    request = view.read_request(passages.value, models=chosen.value, steps=steps.value)
    found, _complaints = None, list(request.complaints)
    try:
        with mo.status.spinner("scoring"):
            found = None if language_models is None else view.compare(language_models, request)
    except RegardError as error:
        _complaints.append(str(error))
    mo.vstack([mo.callout(mo.plain_text(line), kind="warn") for line in _complaints])
    return found, request


@app.cell
def _(download_buttons, found, mo, show_figure, view):
    _figure = None if found is None else view.bits_figure(found)
    None if found is None else mo.vstack(
        [
            mo.md("## The honest table"),
            mo.Html(view.result_html(found)),
            mo.md(view.verdict_text(found)),
            *[mo.callout(mo.Html(wary), kind="warn") for wary in view.warning_lists(found)],
            show_figure(_figure, label="Perplexity per token of each model, and bits per character"),
            download_buttons(_figure, view.result_columns(found), name="perplexity"),
        ]
    )


@app.cell
def _(found, fragments, mo, surprise_buttons):
    None if found is None else mo.vstack(
        [
            mo.md(
                "## Where the surprises are\n\nThe darker, the more bits a character cost; point at it to read them."
            ),
            mo.Html(fragments.heat_scale()),
            mo.Html(fragments.heat_maps(found.results)),
            surprise_buttons(found.results, found.cautions),
        ]
    )


@app.cell
def _(link, mo, models, view):
    gains_of = mo.ui.dropdown(list(models.MODELS), value=link.values["gains"], label="model")
    gains_on = mo.ui.dropdown(list(view.PASSAGES), value=link.values["on"], label="on")
    mo.vstack(
        [
            mo.md(
                "## What each step gains\n\nA step that makes a passage easier is charged for what it erased: capitals"
                " and line breaks must be restored, as the passage is to be written down as it was. Tick steps above."
            ),
            mo.hstack([gains_of, gains_on], justify="start", gap=2, wrap=True),
        ]
    )
    return gains_of, gains_on


@app.cell
def _(gains_of, gains_on, language_models, mo, request, view):
    _gains = language_models and view.step_gains(language_models, request, model=gains_of.value, passage=gains_on.value)
    mo.Html(view.gain_html(_gains)) if _gains else None


@app.cell
def _(fields, gains_of, gains_on, listing, mo, request, text, view, write_link):
    _link = {
        "text": text.value, "models": request.models, "steps": request.steps, "gains": gains_of.value,
        "on": gains_on.value, "a": request.in_link["passage A"], "b": request.in_link["passage B"],
    }  # fmt: skip
    write_link(mo.query_params(), _link, fields)
    mo.vstack(
        [
            mo.md(
                ""
                if request.fits_link
                else "*The passages are too long for a link: this page's address leaves them out.*"
            ),
            listing(view.python_for(text.value, request)),
        ]
    )


if __name__ == "__main__":
    app.run()
