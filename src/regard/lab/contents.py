"""The table of contents: every chapter of the lab, one a row."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "chapters"
WEB = Path(__file__).parent / "web"


@dataclass(frozen=True)
class Chapter:
    """A chapter at the address /chapter/<slug>/: its page is web/chapters/<slug>.js, its answers are in Python."""

    number: int
    slug: str
    title: str
    line: str

    @property
    def package(self) -> str:
        """The name of the chapter's Python package."""
        return self.slug.replace("-", "_")

    @property
    def script(self) -> Path:
        """Where the JavaScript of the plain page is."""
        return WEB / "chapters" / f"{self.slug}.js"


CHAPTERS = (
    Chapter(1, "look-up", "Look-up", "Drag the query and the keys; see what is read, and what never can be."),
    Chapter(2, "average-and-subspace", "Average and subspace", "Mix values, then take one back out of the sum."),
    Chapter(3, "noisy-keys", "Noisy keys", "A key whose length varies, and what that does to the output."),
    Chapter(4, "many-heads", "Many heads", "One head against two against many, under the same noise."),
    Chapter(5, "words", "Words", "A neural bigram model, trained while you watch."),
    Chapter(6, "characters", "Characters", "Text letter by letter, and the surprise of each."),
    Chapter(7, "perplexity", "Perplexity", "Models compared in units that can be compared."),
    Chapter(8, "reviews", "Reviews", "A verdict on a film review, and the words that decided it."),
    Chapter(9, "check", "Check", "Write a claim; see it hold, or see where it fails."),
    Chapter(10, "heads", "Heads", "What each head of a Transformer reads in your text, and what it is worth."),
)
