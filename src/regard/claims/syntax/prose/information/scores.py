"""Scores of language models in two units: nats and bits, words and characters, loss and perplexity."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.information.perplexity import (
    LENGTH,
    SPELLING,
    TOKEN,
    TOKEN_LOSS,
    VOCABULARY,
    speaks_of_perplexity,
)
from regard.claims.syntax.prose.phrases import CROSS_ENTROPY, LOSS, Clause, Thing, claim
from regard.claims.syntax.prose.signs import letters_of, symbols_in


def _convert(factor: str, amount: Thing, *, divides: bool) -> Clause:
    return claim(f"1/{amount.factor} = {factor}" if divides else f"{amount.factor} = {factor}", given=amount.given)


def _characters(count: Thing) -> Clause:
    return Clause((), (f"{SPELLING} = {count.signs}",))


def _words_and_characters(of: tuple[str, ...], n_words: Thing, n_characters: Thing) -> Clause:
    given = (f"{SPELLING} = {n_characters.factor}/{n_words.factor}", f"{LENGTH} = {n_words.signs}")
    return Clause((), (*given, *of))


_PER_NAT, _PER_BIT = "1/log(2)", "log(2)"

RULES: tuple[Rule, ...] = (
    Rule("scored", "a/the? perplexity of <expr> per word/token", lambda x: (f"PP = {x.signs}",)),
    Rule("scored", "a/the? perplexity of <expr> per character", lambda x: (f"PP^{{1/{SPELLING}}} = {x.signs}",)),
    Rule(
        "clause",
        "every/each/a/the average? word has/consists/contains exactly? of? <expr> characters/letters <on_average>?",
        lambda count, _: _characters(count),
    ),
    Rule("on_average", "on average", lambda: None),
    Rule(
        "clause", "<text> has/contains/with/of <expr> words/tokens and <expr> characters/letters", _words_and_characters
    ),
    Rule(
        "clause",
        "there are <expr> words/tokens and <expr> characters/letters <on_text>?",
        lambda m, n, _: _words_and_characters((), m, n),
    ),
    Rule("clause", "words have/are <expr> characters/letters long? on? average?", _characters),
    Rule("clause", "there are <expr> characters/letters per/in a/each/every? word", _characters),
    Rule("condition", "<expr> characters/letters per word", _characters),
    Rule("clause", "the? average? word length is <expr> characters?", _characters),
    Rule("to_convert", "to convert/change/get/go/translate/turn <converted>?", lambda _: None),
    Rule("to_convert", "converting/going/changing <converted>?", lambda _: None),
    Rule(
        "converted",
        "a/an/the? loss/entropy/cross-entropy/information/value/quantity/number/divergence given/measured/expressed?",
        lambda: None,
    ),
    Rule("conversion", "from nats to/into bits", lambda: _PER_NAT),
    Rule("conversion", "nats to/into bits", lambda: _PER_NAT),
    Rule("conversion", "from bits to/into nats", lambda: _PER_BIT),
    Rule("conversion", "bits to/into nats", lambda: _PER_BIT),
    Rule("divides", "you/we/one? must/have/has/need/needs/can? to? divide/divides <quantity>? by", lambda _: True),
    Rule(
        "divides",
        "you/we/one? must/have/has/need/needs/can? to? multiply/multiplies <quantity>? by/with",
        lambda _: False,
    ),
    Rule("divides", "means/requires dividing <quantity>? by", lambda _: True),
    Rule("divides", "means/requires multiplying <quantity>? by/with", lambda _: False),
    Rule("divides", "it/is must? is/be? divided by", lambda: True),
    Rule("divides", "it/is must? is/be? multiplied by/with", lambda: False),
    Rule("quantity", "it/the/an? entropy/value/result/number/loss/cross-entropy/quantity?", lambda: None),
    Rule("worded", "<converting>", lambda said: said),
    Rule("clause", "<converting>", lambda said: said),
    Rule(
        "converting",
        "<to_convert> <conversion> ,? <divides> <np>",
        lambda _, factor, divides, amount: _convert(factor, amount, divides=divides),
    ),
    Rule(
        "converting",
        "<divides> <np> to convert/get/go <conversion>",
        lambda divides, amount, factor: _convert(factor, amount, divides=divides),
    ),
)

_UNIT_SAID = re.compile(r"\bnats?\b|natural|\\?\bln\b|\\exp|\bexp\b|e\^", re.IGNORECASE)
_LETTERS = "ctsur"


def name_scores(written: str, text: str) -> str:
    """A statement in the letters of the setting perplexity.

    Raises: Unreadable where unit, length or spelling are not plain.
    """
    written = _name_loss(_name_entropy(written, text), text)
    written = _name_vocabulary(written, text)
    written = _name_length(written, text)
    written = _name_characters(written, text)
    return _name_probabilities(written.removeprefix("Then "))


def name_cross_entropy(written: str, text: str) -> str:
    """The cross-entropy, and the loss, are those of a language model where a text speaks of one."""
    is_of_model = speaks_of_perplexity(text) and not re.search(r"(?<![A-Za-z])(?:y|q|z)(?![A-Za-z])|ŷ|\\hat", text)
    is_of_model = is_of_model and re.search(r"(?<![A-Za-z])H\s*\(", text) is None
    if is_of_model:
        return written.replace(CROSS_ENTROPY, "CE").replace(LOSS, "CE")
    return written.replace(CROSS_ENTROPY, "H(p, q)")


_POWER_OF_ENTROPY = re.compile(r"PP = (?:exp\(|e\^\{?|2\^\{?)\(*H\(p\)(?:/log\(2\))?\)*\}?")


def _name_entropy(written: str, text: str) -> str:
    """The entropy of which the perplexity is a power is the loss of a token.

    Raises: Unreadable where a perplexity is compared in another way with the entropy of a distribution without a name.
    """
    is_unnamed = re.search(r"(?<![A-Za-z])p(?![A-Za-z])|H\s*\(", text) is None
    if "PP" not in written or "H(p)" not in written or not is_unnamed:
        return written
    if not _POWER_OF_ENTROPY.fullmatch(written):
        raise Unreadable
    return written.replace("H(p)", "CE")


def _name_loss(written: str, text: str) -> str:
    """A loss without a unit is in nats, where nothing speaks for bits.

    Raises: Unreadable where the unit is open.
    """
    if TOKEN_LOSS not in written:
        return written
    if _UNIT_SAID.search(text) is None or re.search(r"\bbits?\b|2\s*\^|log_?2|log₂", text):
        raise Unreadable
    return written.replace(TOKEN_LOSS, "CE")


_SIZE_SAID = re.compile(r"(?:vocabular(?:y|ies)|alphabet)\s+(?:of|with|has)?\s*(?:size)?\s*\$?\|?(?P<size>\d+|[A-Z])\b")


def _name_vocabulary(written: str, text: str) -> str:
    """The letter of a vocabulary of size V, or a new one.

    Raises: Unreadable where all are used.
    """
    if VOCABULARY not in written:
        return written
    said = _SIZE_SAID.search(text)
    letter = said["size"] if said is not None else next((one for one in "VWMK" if one not in symbols_in(written)), "")
    if not letter:
        raise Unreadable
    return written.replace(f"({VOCABULARY})", letter).replace(VOCABULARY, letter)


def _taken(found: re.Match[str] | None, written: str) -> str:
    return written if found is None else written[: found.start()] + written[found.end() :]


def _name_length(written: str, text: str) -> str:
    found = re.search(rf"Let {LENGTH} = (?P<count>[^.⟨]+?)\. ", written)
    if found is None:
        return written
    count, rest = found["count"].strip(), _taken(found, written)
    if LENGTH in rest:
        return _name_length(rest, text) if f"{LENGTH} = {count}. " in rest else _raise()
    if count == "N":
        return rest
    if count.isdigit():
        return f"Let N = {count}. {rest}"
    if not re.fullmatch(r"[A-Za-z]", count):
        raise Unreadable
    if f"{SPELLING} = N/{count}. " in rest and TOKEN not in rest:  # M words and N characters
        rest = _renamed(rest, "N", next(one for one in "CKRS" if one not in symbols_in(written)))
    elif "N" in letters_of([text]):
        raise Unreadable
    return _renamed(rest, count, "N")


def _renamed(written: str, old: str, new: str) -> str:
    return re.sub(rf"(?<![A-Za-z\\]){old}(?![A-Za-z])", new, written)


def _raise() -> str:
    raise Unreadable


def _name_characters(written: str, text: str) -> str:
    found = re.search(rf"Let {SPELLING} = (?P<count>[^.⟨]+(?:\.\d+)?)\. ", written)
    rest = _taken(found, written)
    if SPELLING not in rest:
        return rest
    if found is not None:
        count = Thing(found["count"])
        positive = "" if count.signs[0].isdigit() else f"Let {count.signs[0]} > 0. "
        return positive + rest.replace(SPELLING, count.factor)
    if re.search(r"\b(?:words?|tokens?)\b", text):
        raise Unreadable
    return rest.replace(f"PP^{{1/{SPELLING}}}", "PP").replace(f"(H_2/{SPELLING})", "H_2").replace(f" {SPELLING}", "")


def _name_probabilities(written: str) -> str:
    """Where the text has a p of its own beside the probabilities of the tokens, that gets another letter."""
    if TOKEN not in written:
        return written
    if re.search(r"(?<![A-Za-z\\_^])p(?![A-Za-z_(])", written):
        letter = next((one for one in _LETTERS if one not in symbols_in(written)), "")
        if not letter:
            raise Unreadable
        written = re.sub(r"(?<![A-Za-z\\_^])p(?![A-Za-z_(])", letter, written)
    return written.replace(TOKEN, "p")
