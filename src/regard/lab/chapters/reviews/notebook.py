import marimo

app = marimo.App(width="medium", app_title="Reviews")


@app.cell
def _():
    import marimo as mo

    from regard.lab.chapters.reviews import classifiers, view
    from regard.lab.page import download_buttons, introduction, listing, show_figure, side_by_side
    from regard.lab.url_state import (
        choice,
        fits_link,
        free_text,
        length_complaint,
        read_link,
        replace_surrogates,
        whole_number,
        write_link,
    )
    from regard.lab.widgets.long_work import LongWork

    return (
        LongWork, choice, classifiers, download_buttons, fits_link, free_text, introduction, length_complaint,
        listing, mo, read_link, replace_surrogates, show_figure, side_by_side, view, whole_number, write_link,
    )  # fmt: skip


@app.cell
def _(choice, classifiers, free_text, mo, read_link, view, whole_number):
    fields = {
        "review": free_text(view.REVIEW, most=view.MAX_CHARACTERS),
        "form": choice("classic", tuple(classifiers.FORMS)),
        "data": choice("movie-snippets", tuple(classifiers.SOURCES)),
        "seed": whole_number(0, 0, 999_999),
    }
    link = read_link(mo.query_params().to_dict(), fields)
    return fields, link


@app.cell
def _(introduction, link):
    introduction(
        "reviews",
        "A deep averaging network takes a vector for each word, $m = \\frac1n \\sum x(w_i)$, and reads the verdict off"
        " the mean. Type a review, and see which words speak for and against the verdict.",
        link.complaints,
    )


@app.cell
def _(classifiers, link, mo, side_by_side):
    form = mo.ui.radio(
        {f"{name}: {what}": name for name, what in classifiers.FORMS.items()},
        value=f"{link.values['form']}: {classifiers.FORMS[link.values['form']]}",
        label="form of the classifier",
    )
    data = mo.ui.radio(
        {source.what: name for name, source in classifiers.SOURCES.items()},
        value=classifiers.SOURCES[link.values["data"]].what,
        label="it has learnt from",
    )
    side_by_side(form, data)
    return data, form


@app.cell
def _(LongWork, classifiers, data, form, mo):
    _data, _form, _source = data.value, form.value, classifiers.SOURCES[data.value]
    cached_classifier = classifiers.cached_classifier(_data, _form)
    training = mo.ui.anywidget(
        LongWork(
            lambda progress: classifiers.train_classifier(_data, _form, progress),
            label="Train the classifier",
            seconds=_source.seconds[_form],
            axes=("round", "nats per validation review"),
            starts=_source.quick,
            once=True,
        )
    )
    _here = training if classifiers.is_at_hand(_data) else mo.callout(mo.plain_text(_source.needs), kind="warn")
    _here if cached_classifier is None else mo.md("*The classifier is at hand: trained once, then kept.*")
    return cached_classifier, training


@app.cell
def _(cached_classifier, training):
    classifier = cached_classifier or (training.widget.result if training.value["state"] == "done" else None)
    return (classifier,)


@app.cell
def _(link, mo, view):
    review = mo.ui.text_area(
        value=link.values["review"], label=f"your review, up to {view.MAX_CHARACTERS:,} characters",
        rows=4, full_width=True, debounce=300,
    )  # fmt: skip
    review
    return (review,)


@app.cell
def _(length_complaint, mo, replace_surrogates, review, view):
    words = replace_surrogates(review.value)
    complaint = length_complaint("your review", words, most=view.MAX_CHARACTERS)
    mo.callout(mo.plain_text(complaint), kind="warn") if complaint else None
    return complaint, words


@app.cell
def _(link, mo):
    again = mo.ui.button(
        label="Shuffle the words", value=link.values["seed"], on_click=lambda seed: (seed + 1) % 1_000_000
    )
    return (again,)


@app.cell
def _(again, classifier, complaint, view, words):
    found = (
        view.compare_orders(classifier, words, seed=again.value) if classifier is not None and not complaint else None
    )
    return (found,)


@app.cell
def _(download_buttons, found, mo, show_figure, view):
    _figure = None if found is None else view.shares_figure(found.before)
    None if found is None else mo.vstack(
        [
            mo.Html(view.verdict_html(found.before)),
            mo.Html(view.familiarity_html(found.familiarity)),
            show_figure(_figure, label="What each word did to the answer, in nats"),
            download_buttons(_figure, view.share_columns(found.before), name="words"),
        ]
    )


@app.cell
def _(again, found, mo, view):
    None if found is None else mo.vstack(
        [mo.md("## The same words in another order"), again, mo.Html(view.orders_html(found))]
    )


@app.cell
def _(LongWork, classifier, classifiers, data, form, mo):
    _data, _form = data.value, form.value
    cached_study = classifiers.cached_mistakes(_data, _form)
    search = mo.ui.anywidget(
        LongWork(
            lambda progress: classifiers.find_mistakes(_data, _form, classifier, progress),
            label="Find its worst mistakes",
            seconds=5 if classifiers.SOURCES[_data].quick else 10,
            once=True,
        )
    )
    _title = mo.md("## Where it is wrong, and why")
    None if classifier is None else mo.vstack([_title] if cached_study else [_title, search])
    return cached_study, search


@app.cell
def _(cached_study, classifier, mo, search, view):
    _study = cached_study or (search.widget.result if search.value["state"] == "done" else None)
    None if classifier is None or _study is None else mo.Html(view.mistakes_html(_study))


@app.cell
def _(again, data, fields, fits_link, form, found, listing, mo, view, words, write_link):
    _fits = fits_link(words)
    _link = {
        "review": words if _fits else view.REVIEW,
        "form": form.value,
        "data": data.value,
        "seed": again.value,
    }
    write_link(mo.query_params(), _link, fields)
    mo.vstack(
        [
            mo.md("" if _fits else "*The review is too long for a link: this page's address leaves it out.*"),
            *([] if found is None else [listing(view.python_for(data.value, form.value, found))]),
        ]
    )


if __name__ == "__main__":
    app.run()
