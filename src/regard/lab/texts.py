"""Texts that a visitor types, and several choices at once: how they stand in the address bar, and how long they may be.

    FIELDS = {"a": typed("The default.", most=4_000), "steps": several((), ("lower", "digits"))}

Only short texts go into a link: a browser, and whoever is sent the link, must be able to hold it.
"""

from __future__ import annotations

from urllib.parse import quote

from regard.lab.url_state import Field

LINK_CHARACTERS = 2_000
LINK_BYTES = 12_000
"""As a link spells them: a letter outside ASCII takes up to twelve characters there."""


def typed(default: str, *, most: int) -> Field:
    """A text of at most so many characters."""

    def read(text: str) -> str:
        if len(text) > most:
            raise ValueError(text)
        return text

    return Field(default, read, str, f"a text of at most {most:,} characters")


def several(default: tuple[str, ...], options: tuple[str, ...]) -> Field:
    """Some of these words, in their order, written with commas between.

    >>> field = several(("b",), ("a", "b", "c"))
    >>> field.read("c,a"), field.read(""), field.write(("a", "c"))
    (('a', 'c'), (), 'a,c')
    """

    def read(text: str) -> tuple[str, ...]:
        chosen = text.split(",") if text else []
        if not set(chosen) <= set(options):
            raise ValueError(text)
        return tuple(option for option in options if option in chosen)

    return Field(default, read, ",".join, f"some of {', '.join(options)}, with commas between")


def fits_link(*texts: str) -> bool:
    """Whether a link may carry these texts."""
    return sum(map(len, texts)) <= LINK_CHARACTERS and len(quote("".join(texts))) <= LINK_BYTES


def cleaned(text: str) -> str:
    """The text as UTF-8 can hold it: halves of characters, which a browser may send, become question marks.

    >>> cleaned("caf\\ud800é")
    'caf?é'
    """
    return text.encode("utf-8", "replace").decode()


def length_complaint(name: str, text: str, *, most: int) -> str | None:
    """What to say of a text that is empty or too long; None where it is neither."""
    if not text.strip():
        return f"{name} is empty: type or paste something"
    if len(text) > most:
        return f"{name} has {len(text):,} characters; at most {most:,} are taken: shorten it"
    return None
