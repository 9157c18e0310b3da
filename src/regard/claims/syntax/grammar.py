"""From text to a claim: `parse` splits tokens into statements, and each statement into its chain of relations.

Before that, tokens are arranged: an end of line separates statements unless the formula plainly goes on, a comma in
brackets belongs to a list, and the d of dJ/dx becomes a ∂. Expressions are read in `expressions` and `forms`.
"""

from __future__ import annotations

from functools import lru_cache

from regard.claims.syntax.double_sums import expand_double_sums
from regard.claims.syntax.letters import COMMON_WORDS, SUBSCRIPT_WORDS, WORDS
from regard.claims.syntax.lexer import Token, tokenise
from regard.claims.syntax.means import complete_means
from regard.claims.syntax.printer import as_plain, shorten
from regard.claims.syntax.sentence.phrases import mark_phrases, take_comments
from regard.claims.syntax.sentence.quantities import named_ranges
from regard.claims.syntax.sentence.sentences import Sentences
from regard.claims.syntax.sentence.shorthand import expand_layouts, write_out
from regard.claims.syntax.sentence.substitutions import LEFT_OPEN, complete
from regard.claims.syntax.tree import Claim, OneOf, Symbol, check_length, check_size, symbol_names
from regard.errors import NotUnderstood

OPENING, CLOSING = "([{⟨", ")]}⟩"


def arrange(tokens: list[Token]) -> list[Token]:
    """The tokens as the grammar wants them."""
    return _mark_differentials(_name_primed_letters(_drop_soft_lines(tokens)))


def _name_primed_letters(tokens: list[Token]) -> list[Token]:
    """q' = 2q gives a letter q' of its own, read as q̃ everywhere; any other ' is a transpose."""
    primed = {
        tokens[i].value
        for i in range(len(tokens) - 2)
        if _is_letter(tokens[i])
        and (i == 0 or tokens[i - 1].kind == "separator")
        and (tokens[i + 1].value, tokens[i + 2].value) == ("'", "=")
    }
    kept: list[Token] = []
    for token in tokens if primed else []:
        if token.value == "'" and kept and kept[-1].kind in ("letters", "name") and _last_name(kept[-1]) in primed:
            last = kept.pop()
            if not _is_letter(last):
                kept.append(last._replace(value=last.value[:-1], end=last.end - 1))
                last = last._replace(value=last.value[-1], start=last.end - 1, spaced=False)
            kept += [last._replace(kind="accent", value="tilde"), last._replace(spaced=False)]
        else:
            kept.append(token)
    return kept or tokens


def _is_letter(token: Token) -> bool:
    return token.kind == "name" or (token.kind == "letters" and len(token.value) == 1)


def _last_name(token: Token) -> str:
    return token.value if token.kind == "name" else token.value[-1]


def _drop_soft_lines(tokens: list[Token]) -> list[Token]:
    """Ends of lines part statements, unless a bracket is open or the formula plainly goes on."""
    kept: list[Token] = []
    depth, is_soft = 0, False
    for token, following in zip(tokens, [*tokens[1:], tokens[-1]], strict=True):
        if token.kind == "line":
            is_soft = depth > 0 or _goes_on(kept[-1] if kept else None, following)
            if not is_soft:
                kept.append(token._replace(kind="separator", value="\n"))
            continue
        if token.kind == "sign":
            depth += (token.value in OPENING) - (token.value in CLOSING)
        is_listed = token.value == "," and depth > 0
        kept.append(token._replace(kind="sign" if is_listed else token.kind, spaced=token.spaced or is_soft))
        is_soft = False
    return kept


def _goes_on(before: Token | None, after: Token) -> bool:
    """Whether a formula runs on past the end of its line."""
    if before is None or before.kind in ("relation", "separator"):
        return True
    wants_more = before.kind == "sign" and before.value in "+-*·∘/^_"
    return wants_more or after.kind == "relation" or (after.kind == "sign" and after.value in "+-*·∘/^_'{")


def _mark_differentials(tokens: list[Token]) -> list[Token]:
    """dJ/dx and \\frac{dJ}{dx} written with ∂; any other d is a letter."""
    kept = _drop_second_powers(tokens)
    for i in range(len(tokens) - 1, -1, -1):
        if kept[i].value == "/" and _starts_with_d(kept, i + 1):
            top = max(_previous_operand(kept, i), 0)
            if _starts_with_d(kept, top):
                _mark(kept, i + 1)
                _mark(kept, top)
        elif kept[i].value == "}" and _starts_with_d(kept, i + 2) and kept[i + 1].value == "{":
            top = _previous_operand(kept, i)
            if top > 1 and kept[top - 2].value == "frac" and _starts_with_d(kept, top):
                _mark(kept, i + 2)
                _mark(kept, top)
    return kept


def _drop_second_powers(tokens: list[Token]) -> list[Token]:
    """d²y/dx² with ∂ for the d and the square of the first d kept: ∂^2 y/∂x^2."""
    kept = list(tokens)
    for i in range(len(kept) - 3):
        is_d = kept[i].kind == "letters" and kept[i].value == "d" and _power_of_two(kept, i + 1)
        if not is_d:
            continue
        after = i + 1 + _power_of_two(kept, i + 1)
        below = next((at for at in range(after, min(after + 6, len(kept) - 1)) if kept[at].value in ("/", "}")), None)
        start = None if below is None else below + 1 + (kept[below].value == "}")
        if start is not None and _is_differential(kept, start) and _power_of_two(kept, start + 1):
            kept[i] = kept[i]._replace(kind="sign", value="∂")
            first = kept[start]
            sign = first._replace(kind="sign", value="∂", end=first.start + 1)
            kept[start : start + 1] = [sign, first._replace(value=first.value[1:], start=first.start + 1)]
    return kept


def _power_of_two(tokens: list[Token], i: int) -> int:
    """How many tokens a second power takes here; 0 where there is none."""
    values = [token.value for token in tokens[i : i + 4]]
    return 2 if values[:2] == ["^", "2"] else 4 if values == ["^", "{", "2", "}"] else 0


def _starts_with_d(tokens: list[Token], i: int) -> bool:
    """dx, or d right before a name or an accent."""
    if i >= len(tokens) - 1 or tokens[i].kind != "letters" or tokens[i].value[0] != "d":
        return False
    rest, follows = tokens[i].value[1:], tokens[i + 1]
    if rest:
        return len(rest) <= 2 or rest in WORDS
    if follows.value in ("/", "}") and _is_differential(tokens, i + 2 + (follows.value == "}")):
        return tokens[i - 1].value == "{" if follows.value == "}" else True
    return follows.kind in ("name", "accent", "letters", "word") and not follows.spaced


def _is_differential(tokens: list[Token], i: int) -> bool:
    """dx, as below d/dx."""
    is_letters = i < len(tokens) and tokens[i].kind == "letters" and tokens[i].value[0] == "d"
    return is_letters and 1 < len(tokens[i].value) <= 3


def _previous_operand(tokens: list[Token], end: int) -> int:
    """Where a name with its subscripts, ending before `end`, begins: the d of dJ_1."""
    i = end - 1
    while i > 0 and not _starts_with_d(tokens, i) and tokens[i].kind in ("letters", "name", "number", "word", "accent"):
        i -= 1
        i -= tokens[i].value == "_"
    return i


def _mark(tokens: list[Token], i: int) -> None:
    """Turn the leading d into ∂."""
    token = tokens[i]
    sign = token._replace(kind="sign", value="∂", end=token.start + 1)
    rest = token._replace(value=token.value[1:], start=token.start + 1, spaced=False)
    tokens[i : i + 1] = [sign, rest] if rest.value else [sign]


@lru_cache(maxsize=64)
def parse(text: str) -> Claim:
    """The claim that is written in a text: LaTeX, plain or Unicode.

    >>> parse("M = A A^T").statements[0].left
    Symbol(name='M', subscripts=(), span=Span(start=0, end=1))

    Raises: NotUnderstood, with the place in the text and what was expected there. Nothing in the text is ever run.
    """
    check_length(text)
    bare, comments = take_comments(expand_layouts(write_out(text)))
    tokens, notes = tokenise(mark_phrases(bare))
    _refuse_words(tokens)
    notes = comments + notes
    sentences = Sentences(arrange(tokens), notes=notes, ranges=named_ranges(bare))
    claim = sentences.read_claim(text)
    for one in (claim, *claim.more):
        check_size(one)
    claim = expand_double_sums(claim)
    if any(symbol_names(*one.relations) & LEFT_OPEN for one in (claim, *claim.more)):
        claim = complete(claim)
    claim = complete_means(claim)
    for one in (claim, *claim.more):
        check_size(one)
    return claim


_SHORT_WORDS = frozenset(
    [
        "The",
        "An",
        "Its",
        "All",
        "Any",
        "One",
        "Two",
        "Let",
        "For",
        "And",
        "But",
        "Not",
        "No",
        "Put",
        "Set",
        "Say",
        "Fix",
        "Get",
        "Has",
        "Can",
        "May",
        "Now",
        "Yet",
        "Use",
        "Who",
        "How",
        "Why",
        "Our",
        "You",
        "Are",
        "Was",
        "Does",
    ]
)


def _refuse_words(tokens: list[Token]) -> None:
    """No word with a capital letter is a product of letters: `Take n = 2` says nothing of T, a, k and e.

    Raises: NotUnderstood.
    """
    for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        word = token.value
        is_reason = word in ("for", "to", "that") and before is not None and before.value in ("enough", "sufficient")
        if is_reason and after is not None and after.kind != "end":  # A is enough for B: A is given, and B is claimed
            expected = "'if' or 'implies': what is enough for what is not read"
            raise NotUnderstood(f"{word!r} does not fit here", span=(token.start, token.end), expected=expected)
        is_title = len(word) > 3 and word.isascii() and word.isalpha() and word[0].isupper() and word[1:].islower()
        is_word = is_title or word in _SHORT_WORDS or word in COMMON_WORDS - SUBSCRIPT_WORDS
        if token.kind == "letters" and word not in WORDS and is_word:
            raise NotUnderstood(
                f"{word!r} does not fit here",
                span=(token.start, token.end),
                expected="a formula, or a word that is known",
            )


@lru_cache(maxsize=512)
def parse_symbol(spelling: str) -> Symbol:
    """A symbol from how a setting spells it: W_1, alpha, y_hat, score.

    Its words are names, so that no phrase is looked for in it.
    """
    text = f"{spelling} = 0"
    tokens, notes = tokenise(text)
    left = Sentences(arrange(tokens), notes=notes).read_claim(text).statements[0].left
    node = left.readings[0] if isinstance(left, OneOf) else left
    return node if isinstance(node, Symbol) else Symbol(spelling)


def format_claim(text: str) -> str:
    """The claim on one line, in one notation; as it was written where it cannot be read.

    >>> format_claim("M=A.T"), format_claim("M = (")
    ('M = Aᵀ', 'M = (')
    """
    try:
        return as_plain(parse(text))
    except NotUnderstood:
        return shorten(text)
