import marimo

app = marimo.App(width="medium", app_title="Reviews")


@app.cell
def _():
    import marimo as mo

    from regard.lab.chapters.reviews import classifiers as judging
    from regard.lab.chapters.reviews import view as explaining
    from regard.lab.page import beside, download_buttons, listing, opening, shown
    from regard.lab.url_state import choice, cleaned, fits_link, length_complaint, read_view, typed, whole, write_view
    from regard.lab.widgets.long_work import LongWork

    return (
        LongWork, beside, choice, cleaned, download_buttons, explaining, fits_link, judging, length_complaint, listing,
        mo, opening, read_view, shown, typed, whole, write_view,
    )  # fmt: skip


@app.cell
def _(choice, explaining, judging, mo, read_view, typed, whole):
    fields = {
        "review": typed(explaining.REVIEW, most=explaining.MOST_CHARACTERS),
        "form": choice("classic", tuple(judging.FORMS)),
        "data": choice("movie-snippets", tuple(judging.SOURCES)),
        "seed": whole(0, 0, 999_999),
    }
    view = read_view(mo.query_params().to_dict(), fields)
    return fields, view


@app.cell
def _(opening, view):
    opening(
        "reviews",
        "A deep averaging network takes a vector for each word, $m = \\frac1n \\sum x(w_i)$, and reads the verdict off"
        " the mean. Type a review and watch the words take sides.",
        view.complaints,
    )


@app.cell
def _(beside, judging, mo, view):
    form = mo.ui.radio(
        {f"{name}: {what}": name for name, what in judging.FORMS.items()},
        value=f"{view.values['form']}: {judging.FORMS[view.values['form']]}",
        label="form of the classifier",
    )
    data = mo.ui.radio(
        {source.what: name for name, source in judging.SOURCES.items()},
        value=judging.SOURCES[view.values["data"]].what,
        label="it has learnt from",
    )
    beside(form, data)
    return data, form


@app.cell
def _(LongWork, data, form, judging, mo):
    _data, _form, _source = data.value, form.value, judging.SOURCES[data.value]
    kept_judge = judging.kept_judge(_data, _form)
    training = mo.ui.anywidget(
        LongWork(
            lambda report: judging.trained_judge(_data, _form, report),
            label="Train the classifier",
            seconds=_source.seconds[_form],
            axes=("round", "nats per held-out review"),
            starts=_source.quick,
            once=True,
        )
    )
    _here = training if judging.is_at_hand(_data) else mo.callout(mo.plain_text(_source.needs), kind="warn")
    _here if kept_judge is None else mo.md("*The classifier is at hand: trained once, then kept.*")
    return kept_judge, training


@app.cell
def _(kept_judge, training):
    judge = kept_judge or (training.widget.result if training.value["state"] == "done" else None)
    return (judge,)


@app.cell
def _(explaining, mo, view):
    review = mo.ui.text_area(
        value=view.values["review"], label=f"your review, up to {explaining.MOST_CHARACTERS:,} characters",
        rows=4, full_width=True, debounce=300,
    )  # fmt: skip
    review
    return (review,)


@app.cell
def _(cleaned, explaining, length_complaint, mo, review):
    words = cleaned(review.value)
    complaint = length_complaint("your review", words, most=explaining.MOST_CHARACTERS)
    mo.callout(mo.plain_text(complaint), kind="warn") if complaint else None
    return complaint, words


@app.cell
def _(mo, view):
    again = mo.ui.button(
        label="Shuffle the words", value=view.values["seed"], on_click=lambda seed: (seed + 1) % 1_000_000
    )
    return (again,)


@app.cell
def _(again, complaint, explaining, judge, words):
    found = explaining.shuffled(judge, words, seed=again.value) if judge is not None and not complaint else None
    return (found,)


@app.cell
def _(download_buttons, explaining, found, mo, shown):
    _figure = None if found is None else explaining.shares_figure(found.before)
    None if found is None else mo.vstack(
        [
            mo.Html(explaining.verdict(found.before)),
            mo.Html(explaining.familiarity_html(found.familiarity)),
            shown(_figure, label="What each word did to the answer, in nats"),
            download_buttons(_figure, explaining.share_columns(found.before), name="words"),
        ]
    )


@app.cell
def _(again, explaining, found, mo):
    None if found is None else mo.vstack(
        [mo.md("## The same words in another order"), again, mo.Html(explaining.shuffle_pair(found))]
    )


@app.cell
def _(LongWork, data, form, judge, judging, mo):
    _data, _form = data.value, form.value
    kept_study = judging.kept_mistakes(_data, _form)
    search = mo.ui.anywidget(
        LongWork(
            lambda report: judging.found_mistakes(_data, _form, judge, report),
            label="Find its worst mistakes",
            seconds=5 if judging.SOURCES[_data].quick else 10,
            once=True,
        )
    )
    _title = mo.md("## Where it is wrong, and why")
    None if judge is None else mo.vstack([_title] if kept_study else [_title, search])
    return kept_study, search


@app.cell
def _(explaining, judge, kept_study, mo, search):
    _study = kept_study or (search.widget.result if search.value["state"] == "done" else None)
    None if judge is None or _study is None else mo.Html(explaining.mistakes_html(_study))


@app.cell
def _(again, data, explaining, fields, fits_link, form, found, listing, mo, words, write_view):
    _fits = fits_link(words)
    _view = {
        "review": words if _fits else explaining.REVIEW,
        "form": form.value,
        "data": data.value,
        "seed": again.value,
    }
    write_view(mo.query_params(), _view, fields)
    mo.vstack(
        [
            mo.md("" if _fits else "*The review is too long for a link: this page's address leaves it out.*"),
            *([] if found is None else [listing(explaining.python_for(data.value, form.value, found))]),
        ]
    )


if __name__ == "__main__":
    app.run()
