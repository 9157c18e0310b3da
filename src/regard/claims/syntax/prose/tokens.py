"""A sentence as words, marks and formulas: every run of signs between words is one formula.

Let p = softmax(z), with n entries.        Let | p = softmax(z) | , | with | n | entries | .
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

Kind = Literal["word", "formula", "mark"]


def words(text: str) -> frozenset[str]:
    """The words of a list that is written as a text."""
    return frozenset(text.split())


class Token(NamedTuple):
    """A word in small letters, a formula as it was written, or a mark: comma, full stop, bracket around words."""

    text: str
    kind: Kind


class _Piece(NamedTuple):
    """A part of the text between spaces and marks; `is_math` pieces beside each other make one formula."""

    text: str
    is_math: bool
    start: int
    end: int


_SHORT_WORDS = words(
    "is if in of to as be by we it or an at on so no us do up my go vs ie eg st iid wrt are the and for "
    "has not any all can its one two let get yet how but was may per out own too new both"
)
_FUNCTIONS = words(
    "log ln exp tr det diag tanh cosh sinh sin cos sqrt relu ReLU Var Cov Corr KL CE PP PPL LSE NLL Tr "
    "dim lim max min argmax argmin logsumexp Std sd std proj eigmax eigmin mu sigma tau theta eps epsilon "
    "gamma delta rho phi lambda alpha beta nabla Sigma Lambda Phi"
)
"""Words that belong to a formula where one follows them."""
_HATTED = words("yhat zhat phat xhat")
"""Letters with a hat as they are typed."""
_GREEK = words("mu sigma tau theta eps epsilon gamma delta rho phi lambda alpha beta Sigma Lambda Phi")
_CALLED = words(
    "softplus gelu relu softmax sigmoid rank trace norm mean var cov span sum logit sigma alpha beta mu lambda "
    "col Col row Row range null Null ker Ker"
)
"""Words that belong to a formula where a bracket or an index follows at once."""
_ABBREVIATIONS = (
    (re.compile(r"\bi\.\s?i\.\s?d\.?(?=[\s,;:)])"), "iid"),
    (re.compile(r"\bi\.\s?e\.,?"), "ie"),
    (re.compile(r"\be\.\s?g\.,?"), "eg"),
    (re.compile(r"\bw\.\s?r\.\s?t\.?"), "wrt"),
    (re.compile(r"\bs\.\s?t\."), "st"),
    (re.compile(r"\bcf\."), ""),
    (re.compile(r"\br\.\s?v\.\s?[’']?s\b\.?|\b(?:rvs|RVs)\b"), "random variables"),
    (re.compile(r"\br\.\s?v\.|\b(?:rv|RV)\b"), "random variable"),
    (re.compile(r"(?<![A-Za-z])(?:PSD|p\.s\.d\.)(?![A-Za-z])"), "positive semidefinite"),
    (re.compile(r"[‐‑]"), "-"),
    (re.compile(r"\bcan[’']t\b"), "can not"),
    (re.compile(r"\b([Ii]t|[Tt]here|[Tt]hat)[’']s\b"), r"\1 is"),
    (re.compile(r"\bcannot\b"), "can not"),
    (re.compile(r"\b([Ll]et)[’']s\b"), r"\1 us"),
    (re.compile(r"(?<=[a-z])n[’']t\b"), " not"),
)
ARROW = "⇒"
"""How every arrow of logic is written as a mark: what stands before it is given."""
_ARROWS = re.compile(r"⇒|⟹|=>|\\(?:Rightarrow|Longrightarrow|implies)(?![A-Za-z])")
_EQUIVALENCES = re.compile(r"⇔|⟺|<=>|\\(?:Leftrightarrow|Longleftrightarrow|iff)(?![A-Za-z])")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_LETTERS = re.compile(r"[A-Za-zéö]+(?:[’'][a-z]+|(?<=[a-z]s)[’'](?=\s+[a-z]))?(?:[-–][A-Za-z]+)*")
_OPENING, _CLOSING = "([{⟨", ")]}⟩"
RELATION = re.compile(
    r":=|<=|>=|!=|->|[=<>≤≥≈→↓↑∝∈∉~∼≠≪≫≡⇒⇔⟂]|(?<!\^)⊥|\\(?:in|notin|to|le|leq|ge|geq|approx|sim|ne|neq|propto|rightarrow|downarrow|uparrow|lt|gt|gg|ll|perp)"
    r"(?![A-Za-z])"
)
_OPERATOR_END = re.compile(r"(?:[-+*/·×⊙∘=<>≤≥≈→∝∈~∼≠−,(]|\\[a-z]+)\s*$")
_OPERATOR_START = re.compile(r"\s*(?:[-+*/·×⊙∘=<>≤≥≈→∝∈~∼≠−^_]|\\(?:cdot|times|in|to|leq?|geq?|approx|sim|neq?)\b)")


def tokenise_sentence(text: str) -> list[Token]:
    """The words, marks and formulas of a text, in their order.

    >>> [token.text for token in tokenise_sentence("If A is a 2×2 matrix, then det(cA) = c² det A.")]
    ['if', 'A', 'is', 'a', '2×2', 'matrix', ',', 'then', 'det(cA) = c² det A', '.']
    """
    for pattern, plain in _ABBREVIATIONS:
        text = pattern.sub(plain, text)
    return _join_formulas(text, _pieces(text))


def _pieces(text: str) -> list[_Piece]:
    found: list[_Piece] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        end, is_math = _piece_end(text, at, found)
        found.append(_Piece(text[at:end], is_math, at, end))
        at = end
    return found


def _piece_end(text: str, at: int, before: list[_Piece]) -> tuple[int, bool]:
    """Where the piece that begins here ends, and whether it belongs to a formula."""
    sign = text[at]
    if sign == "$":
        return _dollars(text, at), True
    if sign in _OPENING:
        return _bracket(text, at, before)
    if text.startswith(("...", "..", "…"), at):
        return at + (3 if text.startswith("...", at) else 2 if sign == "." else 1), True
    for arrow in (_EQUIVALENCES, _ARROWS):
        found = arrow.match(text, at)
        if found is not None:
            return found.end(), False
    if sign in ",;:!" and text[at - 1 : at] == "\\":
        return at + 1, True
    if text.startswith("!=", at):
        return at + 2, True
    if sign in ",;:.!?)" or (sign in "—–" and text[at - 1 : at] == " " and text[at + 1 : at + 2] == " "):
        is_assignment = text.startswith(":=", at)
        return at + 1 + is_assignment, is_assignment
    number = _NUMBER.match(text, at)
    if number is not None:
        return number.end(), True
    letters = _LETTERS.match(text, at)
    if letters is None or (at and text[at - 1] in "\\_^"):
        command = re.compile(r"\\[A-Za-z]+|[A-Za-z]+|.", re.DOTALL).match(text, at)
        assert command is not None
        return command.end(), True
    return _word_end(text, at, letters.group(), before)


def _word_end(text: str, at: int, word: str, before: list[_Piece]) -> tuple[int, bool]:
    """Letters are a word, the name of a function, or a product such as AB."""
    follows = text[at + len(word) : at + len(word) + 1]
    if "-" in word or "–" in word:
        first = re.split("[-–]", word)[0]
        if len(first) == 1 or first in _FUNCTIONS:
            rest = word[len(first) + 1 :]
            if len(rest) < 2 or not rest.islower():
                return at + len(first), True
        return at + len(word), False
    is_differential = word[0] == "d" and word[1:] in _GREEK | _HATTED and text[at - 1 : at] == "/"
    if word in _HATTED or is_differential:
        return at + len(word), True
    if len(word) == 1:
        return at + 1, not _is_article(text, at, word, before)
    if word in _FUNCTIONS:
        rest = text[at + len(word) :].lstrip()
        follower = _LETTERS.match(rest)
        is_called = follower is not None and rest[follower.end() : follower.end() + 1] in ("(", "_")
        is_word = follower is not None and (len(follower.group()) > 2 or follower.group() in _SHORT_WORDS)
        is_named = follower is not None and is_word and follower.group() not in _FUNCTIONS
        is_named = is_named and not is_called
        is_letter = word in _GREEK or word in ("PP", "PPL")
        return at + len(word), is_letter or (bool(rest) and not (is_named or (rest[0] in ".,;" and word.islower())))
    if word in _CALLED:
        return at + len(word), follows in ("(", "_", "^", "{", "[") and bool(follows)
    if follows and follows in "_^" and len(word) <= 3:
        return at + len(word), True
    if word.lower() in _SHORT_WORDS and not re.fullmatch("[a-z][A-Z]", word):
        return at + len(word), False  # by, and not the product bY
    is_product = len(word) == 2 or (len(word) <= 4 and word[1:] != word[1:].lower())
    return at + len(word), is_product


_NUMBERED = words("key keys value values position token index score logit weight")
"""Words behind which the letter a may be an index."""
_AFTER_NAME = re.compile(
    r"\s+(?:an?|more|most|all|exactly|precisely|exceeds|receives|carries|obtains|gains|keeps|loses|vanishes|grows|goes|converges|"
    r"approaches|does|can|cannot|will|must|may|have|never|always|alone|only|by|on|of|for|from|at|as|which|that|whose|"
    r"points|stays|remains|becomes|takes|equals|equal|whenever|for|than|less|larger|while|but|so|beats|dominates|increases|decreases|rises|falls|drops|shrinks|tends|fully|strictly)\b"
)


def _is_article(text: str, at: int, word: str, before: list[_Piece]) -> bool:
    """Whether the letter a is an article: it has spaces around it, and no sign of a formula joins it to another."""
    if word not in "aA" or text[at + 1 : at + 2] != " ":
        return False
    if word == "a" and re.match(r"\s+[A-Za-zα-ω](?:_\w)?(?:\s*[+−=·^)]|\s-\s|\s*$|[.,;]\s)", text[at + 1 :]):
        return False  # the variance of a X + b
    is_joined = bool(before) and before[-1].is_math and (_OPERATOR_END.search(text[:at]) or before[-1].end == at)
    if is_joined or _OPERATOR_START.match(text, at + 1):
        return False
    if word == "A":
        is_first = not before or before[-1].text in ".;:"
        return (
            is_first
            and re.match(r"\s+(?:[a-z]{2,}|[A-Z][a-z]{3,})(?!\s*[=(])|\s+\S+[×x]\S+\s+[a-z]{3}", text[at + 1 :])
            is not None
            and re.match(r"\s+(?:is|has|be|and|are|or|to|in)\b", text[at + 1 :]) is None
        )
    if before and before[-1].text.lower() in _NUMBERED and _AFTER_NAME.match(text, at + 1):
        return False  # key a exceeds, gives key a a weight
    return (
        re.match(
            r"\s+(?:is|are|be|has|and|or|the|in|with|tends|attends|then|gets|wins|receives|obtains|carries|gains|to|when|if)\b",
            text[at + 1 :],
        )
        is None
    )


def _dollars(text: str, at: int) -> int:
    mark = "$$" if text.startswith("$$", at) else "$"
    end = text.find(mark, at + len(mark))
    return len(text) if end < 0 else end + len(mark)


def _bracket(text: str, at: int, before: list[_Piece]) -> tuple[int, bool]:
    """The whole of a bracket of a formula; only the sign of one around words."""
    end = _closing(text, at)
    inner = text[at + 1 : end - 1]
    is_joined = bool(before) and before[-1].is_math and before[-1].end == at
    if text[at] != "(" or is_joined:
        return end, True
    words = [
        word for word in re.findall(r"(?<![\\A-Za-z_^{])[A-Za-z]{3,}(?![A-Za-z(_^])", inner) if word not in _FUNCTIONS
    ]
    is_aside = bool(words) or (bool(before) and RELATION.search(inner) is not None)
    return (at + 1, False) if is_aside else (end, True)


def _closing(text: str, at: int) -> int:
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] in _OPENING) - (text[place] in _CLOSING)
        if depth == 0:
            return place + 1
    return len(text)


def _join_formulas(text: str, pieces: list[_Piece]) -> list[Token]:
    found: list[Token] = []
    run: list[_Piece] = []
    for piece in [*pieces, None]:
        is_apart = (
            piece is not None and bool(run) and "$" in (run[-1].text[-1], piece.text[0]) and run[-1].end != piece.start
        )
        if run and (piece is None or not piece.is_math or is_apart):
            found += _split_relations(text[run[0].start : run[-1].end].replace("$", "").strip())
            run = []
        if piece is not None and piece.is_math:
            run.append(piece)
        elif piece is not None and _EQUIVALENCES.fullmatch(piece.text):
            found.append(Token("iff", "word"))
        elif piece is not None and _ARROWS.fullmatch(piece.text):
            found.append(Token(ARROW, "mark"))
        elif piece is not None:
            is_word = piece.text[0].isalpha()
            found.append(Token(piece.text.lower() if is_word else piece.text, "word" if is_word else "mark"))
    return found


_EDGE = re.compile(
    rf"^\s*(?P<first>(?:{RELATION.pattern})*)(?P<body>.*?)(?P<last>(?:{RELATION.pattern})?)\s*$", re.DOTALL
)


def _split_relations(formula: str) -> list[Token]:
    """A formula, and the relation that begins or ends it as a mark of its own: ≥ the perplexity; σ = the sigmoid."""
    found = _EDGE.match(formula)
    assert found is not None
    parts = (Token(found["first"], "mark"), Token(found["body"].strip(), "formula"), Token(found["last"], "mark"))
    return [part for part in parts if part.text]


def is_loose_comma(tokens: Sequence[Token], place: int, is_dropped: Callable[[Token], bool]) -> bool:
    """A comma that stands between a dropped word and the edge of a sentence: …, elementwise. Mathematically, …"""
    if tokens[place] != Token(",", "mark"):
        return False
    before = tokens[place - 1] if place else None
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    ends = (None, Token(".", "mark"), Token(";", "mark"))
    is_after = before is not None and is_dropped(before) and (tokens[place - 2] if place > 1 else None) in ends
    is_before = after is not None and is_dropped(after) and next(iter(tokens[place + 2 : place + 3]), None) in ends
    return is_after or is_before
