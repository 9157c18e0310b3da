"""From text to a claim: `parse` splits tokens into statements, and each statement into its chain of relations.

Before that, tokens are arranged: an end of line separates statements unless the formula plainly goes on, a comma in
brackets belongs to a list, and the d of dJ/dx becomes a ∂. Expressions are read in `expressions` and `forms`.
"""

from __future__ import annotations

from regard.claims.syntax.letters import WORDS
from regard.claims.syntax.lexer import Token, tokenise
from regard.claims.syntax.printer import as_plain, shorten
from regard.claims.syntax.sentence.functions import apply_functions
from regard.claims.syntax.sentence.layouts import expand_layouts
from regard.claims.syntax.sentence.phrases import mark_phrases, take_comments
from regard.claims.syntax.sentence.sentences import Sentences
from regard.claims.syntax.tree import Claim, OneOf, Symbol, check_length, check_size
from regard.errors import NotUnderstood

OPENING, CLOSING = "([{⟨", ")]}⟩"


def arrange(tokens: list[Token]) -> list[Token]:
    """The tokens as the grammar wants them."""
    return _mark_differentials(_drop_soft_lines(tokens))


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
    kept = list(tokens)
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


def parse(text: str) -> Claim:
    """The claim that is written in a text: LaTeX, plain or Unicode.

    >>> parse("M = A A^T").statements[0].left
    Symbol(name='M', subscripts=(), span=Span(start=0, end=1))

    Raises: NotUnderstood, with the place in the text and what was expected there. Nothing in the text is ever run.
    """
    check_length(text)
    bare, comments = take_comments(expand_layouts(text))
    tokens, notes = tokenise(mark_phrases(bare))
    notes = comments + notes
    claim = apply_functions(Sentences(arrange(tokens), notes=notes).read_claim(text))
    for one in (claim, *claim.more):
        check_size(one)
    return claim


def parse_symbol(spelling: str) -> Symbol:
    """A symbol from how a setting spells it: W_1, alpha, y_hat, score."""
    left = parse(f"{spelling} = 0").statements[0].left
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
