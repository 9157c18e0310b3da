"""`regard study`: one question each, answered with figures: exact ones of attention, measured ones of models."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

from regard.cli.app import example, new_app
from regard.cli.study import averaging, errors, models, one_vs_many

EXAMPLES = example(
    "regard study one-vs-many --figure study.png",
    "regard study one-vs-many --keys 100 --wanted 4 --all-noisy --scales 5,10,20 --draws 100000",
)
MODEL_EXAMPLES = example(
    "regard study models --figure models.png",
    "regard study models --text book.txt --models ngram-char,ngram-word,recurrent-char --minutes 2",
)
AVERAGING_EXAMPLES = example(
    "regard study averaging --figure averaging.png",
    "regard study averaging --data imdb --only vectors,form --seeds 3 --out best",
)
ERROR_EXAMPLES = example(
    "regard study errors films --html errors.html",
    "regard study errors films --data reviews.csv --n 10 --json",
)


class StudyGroup(TyperGroup):
    """The studies; without a name, the classic exercise is meant."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the name of the classic exercise where none is given."""
        named = bool(args) and (not args[0].startswith("-") or args[0] == "--help")
        return super().parse_args(ctx, args if named else ["one-vs-many", *args])


app = new_app("Answer one question with figures; without a name, one-vs-many.", epilog=EXAMPLES, group=StudyGroup)


@app.callback()
def study() -> None:
    """Answer one question with figures; without a name: one-vs-many, the classic exercise."""


app.command("one-vs-many", epilog=EXAMPLES)(one_vs_many.study_one_vs_many)
app.command("models", epilog=MODEL_EXAMPLES)(models.study_models)
app.command("averaging", epilog=AVERAGING_EXAMPLES)(averaging.study_averaging)
app.command("errors", epilog=ERROR_EXAMPLES)(errors.study_errors)
