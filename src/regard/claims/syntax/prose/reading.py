"""Sentences in, signs out: `read_prose` writes what a text claims and takes as given in the words of the grammar."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain

from regard.claims.syntax.prose.chart import Chart, Unreadable
from regard.claims.syntax.prose.commands import without_commands
from regard.claims.syntax.prose.english.called_formulas import without_labels
from regard.claims.syntax.prose.english.paraphrases import paraphrase
from regard.claims.syntax.prose.english.predicates import negated
from regard.claims.syntax.prose.notation import (
    MAX_LENGTH,
    has_quantified_condition,
    plain_signs,
)
from regard.claims.syntax.prose.phrases import (
    Clause,
)
from regard.claims.syntax.prose.rulebook import grammar
from regard.claims.syntax.prose.shortening import shorten
from regard.claims.syntax.prose.tokens import ARROW, Token, is_loose_comma, tokenise_sentence, words
from regard.claims.syntax.prose.writing import Reading, write_clauses

_DROPPED = words(
    "both always simply just exactly precisely clearly obviously indeed actually necessarily "
    "automatically mathematically purely again elementwise componentwise entrywise numerically certainly "
    "surely plainly"
)
"""Words that say nothing of what is claimed."""
_PAIRED = words("together texts documents parts corpora sentences satisfies sides")
"""What `both` names by itself or with this noun."""


def read_prose(text: str) -> Reading | None:
    """What a text says, statement by statement, in signs; None where a part of it was not understood.

    >>> read_prose("Let A be a symmetric matrix. Then the trace of A is at most its rank.").claims
    ('Let A is a matrix. Let A is symmetric. Then tr(A) ≤ rank(A)',)
    """
    found = _read(text)
    plain = without_commands(text) if found is None and "\\" in text else text
    return found if plain == text else _read(plain)


def _read(text: str) -> Reading | None:
    if len(text) > MAX_LENGTH or _NOT_PROSE.search(text):
        return None
    if has_quantified_condition(text) or _has_counted_family(text):
        return None
    found: list[Clause] = []
    for sentence in _split(text):
        if _is_of_logic(sentence):
            return None
        one = _read_sentence(sentence)
        if one is not None and one.unread and sentence[0].text in _OPENERS:
            return None  # all of such a sentence is given, so that without a part of it nothing can be said
        if one is None and (not any(each.claims for each in found) or sentence[0].text in _OPENERS):
            return None
        found.append(one or Clause(unread=(" ".join(token.text for token in sentence),)))
    if found and not any(each.claims for each in found):
        found[-1] = _claim_last(sentence) or found[-1]
    try:
        return write_clauses(found, text) if found else None
    except Unreadable:
        return None


_FAMILY = re.compile(
    r"(?P<name>[A-Za-z])_\{?1\}?\s*,[^;:=]{0,20}?(?:\.\.\.|…|\\[lc]?dots)\s*,?\s*(?P=name)_\{?(?P<last>[a-zA-Z])\}?"
)


def _has_counted_family(text: str) -> bool:
    """Whether random letters Z_1, …, Z_k come in a number with another letter than n that the text speaks of again."""
    found = _FAMILY.search(text)
    if found is None or found["last"] in "nN" or found["name"] in "kvqμ":
        return False
    return re.search(rf"(?<![A-Za-z\\_{{]){found['last']}(?![A-Za-z])", text[found.end() :]) is not None


def first_unread_words(text: str) -> str:
    """Where the grammar of sentences stops to understand a text; nothing where it reads every sentence by itself.

    >>> first_unread_words("The trace of A sings a song of its rank.")
    'sings a song of'
    """
    for sentence in _split(text[:MAX_LENGTH]):
        chart = Chart(sentence, grammar())
        if chart.whole("sentence") is None:
            return " ".join(token.text for token in sentence[chart.furthest : chart.furthest + MAX_WORDS_TOLD])
    return ""


MAX_WORDS_TOLD = 4
_NOT_PROSE = re.compile(r"[⇐∀∃]|\\(?:forall|exists)")
"""Quantifiers, which the grammar of formulas reads."""
_LOGIC = re.compile(r"[⇒⇔⟹⟺]|=>|\\(?:Rightarrow|implies|iff|Leftrightarrow)")


def _is_of_logic(sentence: list[Token]) -> bool:
    """A ⇒ B ⇒ C claims B as well, and arrows inside of a formula part it: the grammar of formulas reads them."""
    in_formula = any(token.kind == "formula" and _LOGIC.search(token.text) for token in sentence)
    return in_formula or sum(token == Token(ARROW, "mark") for token in sentence) > 1


_OPENERS = words("let suppose assume consider take fix choose define denote say write here given put set pick")
"""Words that begin a sentence of which all is given: without it nothing is understood."""


def _read_sentence(tokens: list[Token]) -> Clause | None:
    """The meaning of a sentence, if need be without a heading before a colon or a reason behind it.

    A is not necessarily B, if C: it does not hold that A is B if C.
    """
    if _NOT_ALWAYS not in tokens:
        return _read_plainly(tokens)
    place = tokens.index(_NOT_ALWAYS)
    before = {token.text for token in tokens[:place]}
    rest = tokens[place + 1 :]
    if before & _CONDITIONS or _NOT_ALWAYS in rest or {token.text for token in rest} & words("and but or not"):
        return None  # what of it is denied is not plain
    found = _read_plainly([*tokens[:place], *rest])
    try:
        return negated(found) if found is not None and not found.unread else None
    except Unreadable:
        return None


_NOT_ALWAYS = Token("not-always", "word")
_CONDITIONS = words("if when whenever for with where while given unless then so hence thus therefore and but as")


def _read_plainly(tokens: list[Token]) -> Clause | None:
    bare = without_labels(tokens)
    for shorter, unread in chain(shorten(tokens), shorten(bare) if bare != tokens else ()):
        found = Chart(shorter, grammar()).whole("sentence")
        if found is not None:
            return replace(found, unread=(*found.unread, *unread))
    return None


def _claim_last(tokens: list[Token]) -> Clause | None:
    """The last sentence with what stands behind its conditions as the claim: n keys, q = 0: α_i = 1/n."""
    commas = [Token(",", "mark") if token == Token(":", "mark") else token for token in tokens]
    found: Clause | None = Chart(commas, grammar()).whole("body")
    return found


def _plain(tokens: list[Token]) -> list[Token]:
    """Phrases of several words as one, and words that say nothing left out."""
    found = _with_denials(paraphrase(tokens))
    return [
        token
        for place, (token, follows) in enumerate(zip(found, [*found[1:], Token("", "mark")], strict=True))
        if (not _is_dropped(token) or (token.text == "both" and follows.text in _PAIRED))
        and not is_loose_comma(found, place, _is_dropped)
    ]


def _with_denials(tokens: list[Token]) -> list[Token]:
    """`not necessarily` as one word: without the second it would say more.

    An aside stays as it is: (not necessarily Gaussian).
    """
    found: list[Token] = []
    for token in tokens:
        is_denial = token.kind == "word" and token.text in _QUANTIFYING and found[-1:] == [Token("not", "word")]
        if is_denial and not (len(found) > 1 and found[-2].text in _ASIDES):
            found[-1] = _NOT_ALWAYS
        else:
            found.append(token)
    return found


_ASIDES = {"(", ",", "but", "though"}
_QUANTIFYING = words("always necessarily automatically certainly surely")


def _is_dropped(token: Token) -> bool:
    return token.kind == "word" and token.text in _DROPPED


def _split(text: str) -> list[list[Token]]:
    """The sentences of a text as tokens, without words that say nothing."""
    return _sentences(_plain(tokenise_sentence(plain_signs(" ".join(text.split())))))


def _sentences(tokens: list[Token]) -> list[list[Token]]:
    found: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == "mark" and token.text in ".;!?":
            found.append([])
        else:
            found[-1].append(token)
    return [one for one in found if one]
