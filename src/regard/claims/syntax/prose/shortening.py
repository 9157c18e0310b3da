"""A sentence without what may be left out: headings before a colon, reasons behind a claim, words in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from regard.claims.syntax.prose.notation import announce
from regard.claims.syntax.prose.signs import has_relation, is_limit
from regard.claims.syntax.prose.tokens import Token, tokenise_sentence, words
from regard.claims.syntax.sentence.vocabulary import is_denial


def shorten(tokens: list[Token]) -> Iterator[tuple[list[Token], tuple[str, ...]]]:
    """The sentence, then what is left of it without words that may be left out or have to be told."""
    bare = _without_asides(tokens)
    colons = [place for place, token in enumerate(bare) if token == Token(":", "mark")]
    colons += [place + len(words) - 1 for words in _NAMELY for place in _places(bare, words)]
    announced = (_announced(bare[:place], bare[place + 1 :]) for place in colons if _is_heading(bare[:place]))
    starts = [bare, *(one for one in announced if one is not None)]
    starts += [bare[place + 1 :] for place in colons if _is_of_variables(bare[:place], bare[place + 1 :])]
    if colons:
        yield bare, ()
    for one in ([tokens] if bare != tokens else []) + starts:
        yield [Token(",", "mark") if token == Token(":", "mark") else token for token in one], ()
    if any(token == Token(":", "mark") for token in bare):
        yield bare, ()
    for one in starts:
        for place in range(len(one) - 2, 2, -1):
            if _states_property(one[place:]):
                continue
            if one[place].text in ("because", "since", "—", "–") and one[place].kind != "formula":
                yield one[:place], ()
            if one[place] != Token(",", "mark"):
                continue
            rest = list(one[place + 1 :])
            is_clause = rest[0].text == "as" and tuple(token.text for token in rest[1:3]) != ("long", "as")
            is_reason = is_clause and not any(is_limit(token.text) for token in rest)
            is_remark = (
                tuple(token.text for token in rest[:2]) == ("which", "is")
                and rest[2:3]
                and (rest[2].text in ("why", "how", "what"))
            )
            if rest and (rest[0].text in _REASONS or is_reason or is_remark):
                yield one[:place], ()
            elif rest and rest[0].text in _CONCLUSIONS and not any(token.text == "," for token in rest[1:]):
                yield one[:place], (" ".join(token.text for token in rest),)
    yield from (said for place in colons if (said := _said_before(bare[:place], bare[place + 1 :])) is not None)


_PLAIN = words(
    "a an the its their this that it they of to in by at with for from if when all every each any other one both "
    "is are was were be becomes become gets get makes make gives give leads lead has have does do turns stays "
    "remains softmax sigmoid logistic tanh softplus function hyperbolic tangent temperature logit logits score "
    "scores entry entries component components input inputs output outputs probability probabilities distribution "
    "weights class classes value values number slope derivative gradient jacobian hessian entropy maximum minimum "
    "factor doubled halved squared scaled multiplied divided raised lowered increased decreased shifted negated "
    "doubling halving squaring scaling raising lowering increasing decreasing shifting negating sharper flatter "
    "softer peaked peakier smoother spread more less larger smaller higher lower bigger steeper twice times as "
    "half double same unchanged four two three much out closer further"
)
"""Words that a formula behind `i.e.` says again, and that are no condition which it leaves out."""
_OF_LETTER = re.compile(r"\\?\w+\s*(?:=|<|>|≤|≥|\\[lg]eq?(?![a-z]))[^=<>≤≥]*")


def _said_before(head: list[Token], rest: list[Token]) -> tuple[list[Token], tuple[str, ...]] | None:
    """A temperature T > 1 makes p sharper, i.e. A: where T > 1, A is claimed, and what the words say is not read."""
    given = [token for token in head if token.kind == "formula" and has_relation(token.text)]
    is_plain = all(token.text in _PLAIN or token.text == "," for token in head if token.kind != "formula")
    if not is_plain or not all(_OF_LETTER.fullmatch(one.text) for one in given):
        return None
    unread = (" ".join(token.text for token in head),)
    joined = [part for one in given for part in (Token("and", "word"), one)][1:]
    return ([Token("for", "word"), *joined, Token(",", "mark"), *rest] if given else rest), unread


_REASONS = frozenset(["because", "since"])
_PROPERTIES = words("orthonormal orthogonal perpendicular symmetric idempotent independent uncorrelated")


def _states_property(reason: list[Token]) -> bool:
    """Whether a reason says what a thing is, because the subspaces are orthogonal: a claim may be false without it."""
    begins = next((token.text for token in reason if token != Token(",", "mark")), "")
    return begins in {*_REASONS, "as"} and any(token.text in _PROPERTIES for token in reason)


_NAMELY: tuple[tuple[str, ...], ...] = (
    (",", "namely"),
    (",", "that", "is", ","),
    (",", "ie"),
    ("namely",),
    ("that", "is", ","),
)
"""Words before what says the same in a formula."""


_KEPT_IN_BRACKETS = frozenset(["not", "only", "bits", "bit", "base"])
"""Words that change what stands before the bracket: the entropy (in bits) is another number."""


def _places(tokens: list[Token], words: tuple[str, ...]) -> list[int]:
    texts = [token.text for token in tokens]
    return [i for i in range(len(texts) - len(words) + 1) if tuple(texts[i : i + len(words)]) == words]


_CONCLUSIONS = words("although even though while whereas but so hence thus therefore ie which and")
_CONDITIONS = words(
    "if for let with suppose given when assume whenever unless where take orthonormal keys provided assuming except"
)


def _is_heading(tokens: list[Token]) -> bool:
    """Whether words before a colon only announce what follows: no formula, no condition, no denial."""
    is_plain = all(token.kind != "formula" and token.text not in _CONDITIONS for token in tokens)
    return bool(tokens) and is_plain and not is_denial([token.text for token in tokens])


def _announced(heading: list[Token], rest: list[Token]) -> list[Token] | None:
    """What stands behind a heading, with what the heading says of its letters; None where that is not plain."""
    words = announce(*(" ".join(token.text for token in part) for part in (heading, rest)))
    if words is None or not words:
        return rest if words == "" else None
    return [*tokenise_sentence(words), Token(",", "mark"), *rest]


def _is_of_variables(heading: list[Token], rest: list[Token]) -> bool:
    """Whether words about random variables X and Y only announce what is said of their entropies."""
    is_plain = all(token.kind != "formula" or token.text in ("X", "Y") for token in heading)
    is_entropy = bool(rest) and rest[0].kind == "formula" and re.match(r"[HI]\s*\(\s*[A-Z]", rest[0].text) is not None
    return is_plain and is_entropy and all(token.text not in _CONDITIONS - {"for"} for token in heading)


def _without_likes(tokens: list[Token]) -> list[Token]:
    """Without `, like the derivative of the sigmoid,`."""
    for place in _places(tokens, (",", "like")):
        end = next((i for i in range(place + 2, len(tokens)) if tokens[i] == Token(",", "mark")), None)
        if end is not None and all(token.kind == "word" for token in tokens[place + 1 : end]):
            return tokens[:place] + tokens[end + 1 :]
    return tokens


def _without_asides(tokens: list[Token]) -> list[Token]:
    """Without brackets around words that say no condition, and without comparisons: like the sigmoid."""
    tokens = _without_likes(tokens)
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        end = next((i for i in range(at, len(tokens)) if tokens[i] == Token(")", "mark")), None)
        inner = tokens[at + 1 : end] if tokens[at] == Token("(", "mark") and end is not None else []
        if inner and all(
            token.kind != "formula" and token.text not in _CONDITIONS | _KEPT_IN_BRACKETS for token in inner
        ):
            at = end + 1  # type: ignore[operator]
            continue
        kept.append(tokens[at])
        at += 1
    return kept
