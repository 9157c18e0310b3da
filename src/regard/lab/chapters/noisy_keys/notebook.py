import marimo

app = marimo.App(width="medium", app_title="Noisy keys")


@app.cell
def _():
    import marimo as mo

    from regard.lab.chapters.noisy_keys import view
    from regard.lab.page import download_buttons, introduction, listing, show_figure
    from regard.lab.url_state import number, read_link, whole_number, write_link

    return download_buttons, introduction, listing, mo, number, read_link, show_figure, view, whole_number, write_link


@app.cell
def _(mo, number, read_link, whole_number):
    fields = {
        "scale": number(10.0, 0.3, 100),
        "variance": number(0.5, 0, 1),
        "n": whole_number(6, 3, 20),
        "seed": whole_number(0, 0, 999_999),
    }
    link = read_link(mo.query_params().to_dict(), fields)
    return fields, link


@app.cell
def _(introduction, link):
    introduction(
        "noisy-keys",
        "Two values are to be averaged, but the key $k_a = (1 + g)\\mu_a$ varies in length. A query that *pulls*"
        " towards both keys turns the noise $g$ into a difference of logits $C g$, and flips between the values. One"
        " that *pushes* the others away holds both logits at 0, and $g$ changes nothing.",
        link.complaints,
    )


@app.cell
def _(link, mo):
    scale = mo.ui.slider(
        steps=[0.3, 0.5, 1, 2, 3, 5, 10, 20, 30, 50, 100],
        value=min([0.3, 0.5, 1, 2, 3, 5, 10, 20, 30, 50, 100], key=lambda step: abs(step - link.values["scale"])),
        label="scale C",
        show_value=True,
    )
    variance = mo.ui.slider(
        0, 1, step=0.05, value=link.values["variance"], label="variance of the length", show_value=True
    )
    n_keys = mo.ui.slider(3, 20, value=link.values["n"], label="keys", show_value=True)
    again = mo.ui.button(label="Draw again", value=link.values["seed"], on_click=lambda seed: (seed + 1) % 1_000_000)
    mo.hstack([scale, variance, n_keys, again], justify="start", gap=2, wrap=True)
    return again, n_keys, scale, variance


@app.cell
def _(again, n_keys, scale, variance, view):
    now = view.run_experiment(
        n_keys=n_keys.value, variance=float(variance.value), scale=float(scale.value), seed=again.value
    )
    return (now,)


@app.cell
def _(download_buttons, mo, now, show_figure, view):
    _figure = view.figure(now)
    mo.vstack(
        [
            mo.md(view.outcome_table(now)),
            show_figure(
                _figure, label="Draws of the noisy key, variance against scale, and the weight of the key per design"
            ),
            download_buttons(_figure, view.variance_curves(now.config.n_keys, now.config.radial), name="noisy-keys"),
        ]
    )


@app.cell
def _(fields, listing, mo, now, view, write_link):
    write_link(
        mo.query_params(),
        {"scale": now.scale, "variance": now.config.radial, "n": now.config.n_keys, "seed": now.config.seed},
        fields,
    )
    listing(view.python_for(now))


if __name__ == "__main__":
    app.run()
