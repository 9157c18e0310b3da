import marimo

app = marimo.App(width="medium", app_title="Perplexity")


@app.cell
def _():
    import marimo as mo

    from regard.errors import RegardError
    from regard.lab import shading
    from regard.lab.chapters.perplexity import models as rivals
    from regard.lab.chapters.perplexity import view as measuring
    from regard.lab.page import beside, download_buttons, listing, opening, shown
    from regard.lab.url_state import choice, read_view, several, typed, write_view
    from regard.lab.widgets.long_work import LongWork
    from regard.text.normalise.prepare import STEPS

    return (
        LongWork, RegardError, STEPS, beside, choice, download_buttons, listing, measuring, mo, opening, read_view,
        rivals, several, shading, shown, typed, write_view,
    )  # fmt: skip


@app.cell
def _(STEPS, choice, measuring, mo, read_view, rivals, several, typed):
    fields = {
        "text": choice("python-manual", tuple(rivals.TEXTS)),
        "models": several(("letters", "words", "few words"), tuple(rivals.RIVALS)),
        "a": typed(measuring.PASSAGES["passage A"], most=measuring.MOST_CHARACTERS),
        "b": typed(measuring.PASSAGES["passage B"], most=measuring.MOST_CHARACTERS),
        "steps": several((), tuple(STEPS)),
        "gains": choice("words", tuple(rivals.RIVALS)),
        "on": choice("passage B", tuple(measuring.PASSAGES)),
    }
    view = read_view(mo.query_params().to_dict(), fields)
    return fields, view


@app.cell
def _(opening, view):
    opening(
        "perplexity",
        "Perplexity is $\\exp(-\\frac1n \\sum \\ln p(\\text{token}))$, per word, per character or per byte: three"
        " different questions. A model that calls everything unknown is never surprised. Bits per character ask all"
        " models the same: what does it cost to write down this very passage, unknown words spelled out?",
        view.complaints,
    )


@app.cell
def _(mo, rivals, view):
    _names = {what: name for name, what in rivals.TEXTS.items()}
    text = mo.ui.dropdown(_names, value=rivals.TEXTS[view.values["text"]], label="all models have learnt from")
    text
    return (text,)


@app.cell
def _(LongWork, mo, rivals, text):
    kept, _name = rivals.kept_rivals(text.value), text.value
    work = mo.ui.anywidget(
        LongWork(
            lambda report: rivals.trained_rivals(_name, report),
            label="Train the models",
            seconds=5,
            starts=True,
            once=True,
        )
    )
    work if kept is None else mo.md(f"*{len(kept)} models are at hand: trained once, then kept.*")
    return kept, work


@app.cell
def _(kept, work):
    models = kept or (work.widget.result if work.value["state"] == "done" else None)
    return (models,)


@app.cell
def _(beside, measuring, mo, view):
    passages = mo.ui.dictionary(
        {
            name: mo.ui.text_area(
                value=view.values[field], label=f"{name}, up to {measuring.MOST_CHARACTERS:,} characters",
                rows=9, full_width=True, debounce=600,
            )
            for name, field in (("passage A", "a"), ("passage B", "b"))
        }
    )  # fmt: skip
    beside(*passages.elements.values())
    return (passages,)


@app.cell
def _(STEPS, beside, mo, rivals, view):
    _models = {name: f"**{name}**: {rival.what}" for name, rival in rivals.RIVALS.items()}
    _steps = {name: f"**{name}**: {step.help}" for name, step in STEPS.items()}
    chosen, steps = (
        mo.ui.dictionary(
            {name: mo.ui.checkbox(name in view.values[field], label=what) for name, what in labels.items()}
        )
        for field, labels in (("models", _models), ("steps", _steps))
    )
    beside(
        mo.vstack([mo.md("Models"), *chosen.elements.values()]),
        mo.vstack([mo.md("Preparation of the passages, in this order"), *steps.elements.values()]),
    )
    return chosen, steps


@app.cell
def _(RegardError, chosen, measuring, mo, models, passages, steps):
    wish = measuring.asked(passages.value, models=chosen.value, steps=steps.value)
    found, _told = None, list(wish.complaints)
    try:
        with mo.status.spinner("scoring"):
            found = None if models is None else measuring.compare(models, wish)
    except RegardError as error:
        _told.append(str(error))
    mo.vstack([mo.callout(mo.plain_text(line), kind="warn") for line in _told])
    return found, wish


@app.cell
def _(download_buttons, found, measuring, mo, shown):
    _figure = None if found is None else measuring.bits_figure(found)
    None if found is None else mo.vstack(
        [
            mo.md("## The honest table"),
            mo.Html(measuring.result_table(found)),
            mo.md(measuring.verdict(found)),
            *[mo.callout(mo.Html(wary), kind="warn") for wary in measuring.wary_lists(found)],
            shown(_figure, label="Perplexity per token of each model, and bits per character"),
            download_buttons(_figure, measuring.result_columns(found), name="perplexity"),
        ]
    )


@app.cell
def _(found, mo, shading):
    _files = {} if found is None else shading.heat_files(found.results, found.cautions)
    None if found is None else mo.vstack(
        [
            mo.md(
                "## Where the surprises are\n\nThe darker, the more bits a character cost; point at it to read them."
            ),
            mo.Html(shading.heat_scale()),
            mo.Html(shading.heat_maps(found.results)),
            mo.hstack(
                [mo.download(make, filename=f"surprise.{kind}", label=kind.upper()) for kind, make in _files.items()],
                justify="start",
                wrap=True,
            ),
        ]
    )


@app.cell
def _(measuring, mo, rivals, view):
    gains_of = mo.ui.dropdown(list(rivals.RIVALS), value=view.values["gains"], label="model")
    gains_on = mo.ui.dropdown(list(measuring.PASSAGES), value=view.values["on"], label="on")
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
def _(gains_of, gains_on, measuring, mo, models, wish):
    _gains = models and measuring.gains(models, wish, model=gains_of.value, passage=gains_on.value)
    mo.Html(measuring.gain_rows(_gains)) if _gains else None


@app.cell
def _(fields, gains_of, gains_on, listing, measuring, mo, text, wish, write_view):
    _view = {
        "text": text.value, "models": wish.models, "steps": wish.steps, "gains": gains_of.value, "on": gains_on.value,
        "a": wish.in_link["passage A"], "b": wish.in_link["passage B"],
    }  # fmt: skip
    write_view(mo.query_params(), _view, fields)
    mo.vstack(
        [
            mo.md(
                "" if wish.fits_link else "*The passages are too long for a link: this page's address leaves them out.*"
            ),
            listing(measuring.python_for(text.value, wish)),
        ]
    )


if __name__ == "__main__":
    app.run()
