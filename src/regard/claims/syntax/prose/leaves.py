"""What is read without rules: formulas, symbols, numbers in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from regard.claims.syntax.prose.chart import Leaf
from regard.claims.syntax.prose.phrases import Thing
from regard.claims.syntax.prose.signs import has_relation
from regard.claims.syntax.prose.tokens import Token, words

NUMBERS = {
    **{
        word: str(number)
        for number, word in enumerate(
            ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
        )
    },
    "eleven": "11",
    "twelve": "12",
    "thirteen": "13",
    "fourteen": "14",
    "fifteen": "15",
    "sixteen": "16",
    "seventeen": "17",
    "eighteen": "18",
    "nineteen": "19",
    "twenty": "20",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "seventy": "70",
    "eighty": "80",
    "ninety": "90",
    "hundred": "100",
    "thousand": "1000",
    "unity": "1",
    "infinity": "∞",
    "half": "1/2",
}
_PARTS = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "thirds": 3,
    "quarter": 4,
    "quarters": 4,
    "fourth": 4,
    "fourths": 4,
    "fifth": 5,
    "fifths": 5,
    "sixth": 6,
    "eighth": 8,
    "tenth": 10,
    "tenths": 10,
    "sixteenth": 16,
    "twentieth": 20,
    "fiftieth": 50,
    "hundredth": 100,
    "thousandth": 1000,
}
SYMBOL = re.compile(
    r"\\?[A-Za-zα-ωΑ-ΩŷℓẐŶz̄]\w{0,2}[\u0302-\u0305]?['′]?(?:_(?:\w|\{[^{}]*\}|\\\w+))?[₀-₉ₐᵢⱼₖₗₘₙ]*['′]?|\\(?:mathbf|hat|tilde|bar|overline|boldsymbol)\s*\{?\\?\w+\}?(?:_\w)?"
)
_LIST = re.compile(rf"\s*(?:{SYMBOL.pattern})\s*(?:,\s*(?:{SYMBOL.pattern}|…|\.\.\.|\\l?c?dots)\s*)*")


def read_relation(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, str]]:
    """A formula that says something."""
    if start < len(tokens) and tokens[start].kind == "formula" and has_relation(tokens[start].text):
        yield start + 1, tokens[start].text


_MAP = re.compile(r"\\?\w+\s*(?:↦|\\mapsto)\s*")
"""The x ↦ of a function x ↦ f(x)."""


def read_expression(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, Thing]]:
    """A formula that names something, or a number in words."""
    if start >= len(tokens):
        return
    token = tokens[start]
    if token.kind == "formula" and not has_relation(token.text) and token.text != "…":
        mapped = _MAP.match(token.text)
        yield start + 1, Thing(token.text[mapped.end() :], (), "function") if mapped else Thing(token.text)
    yield from _number(tokens, start)


def _number(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, Thing]]:
    words = [token.text for token in tokens[start : start + 2]]
    if words[0] in (*NUMBERS, "a", "an") and len(words) == 2:
        many = {"hundred": "100", "thousand": "1000"}.get(words[1], "")
        if many:
            yield start + 2, Thing(f"{NUMBERS.get(words[0], '1')}{many[1:]}")  # two hundred is 2 and 00
        parts = words[1] if words[1] in _PARTS else ""
        if parts:
            yield start + 2, Thing(f"{NUMBERS.get(words[0], '1')}/{_PARTS[parts]}")
    first = words[0].split("-")
    if len(first) == 2 and first[0] in NUMBERS and first[1] in _PARTS:
        yield start + 1, Thing(f"{NUMBERS[first[0]]}/{_PARTS[first[1]]}")
    if words[0] in NUMBERS:
        yield start + 1, Thing(NUMBERS[words[0]])


def read_symbol(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, Thing]]:
    """One letter with its marks."""
    if start < len(tokens) and tokens[start].kind == "formula" and SYMBOL.fullmatch(tokens[start].text):
        yield start + 1, Thing(tokens[start].text)


def read_symbols(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """x; x and y; x, y and z; k_1, …, k_n, of which k_i are left."""
    names: list[str] = []
    at = start
    while at < len(tokens) and tokens[at].kind == "formula":
        text = tokens[at].text
        if text in _DOTS:
            names.append("…")
        elif _LIST.fullmatch(text):
            names += [part.strip() for part in text.split(",")]
        else:
            break
        at += 1
        yield at, _families(names)
        step = 0
        while (
            at + step < len(tokens) and tokens[at + step].text in (",", "and") and tokens[at + step].kind != "formula"
        ):
            step += 1
        if step == 0 or step > 2:
            break
        at += step


def read_tuple(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The letters of (X, Y)."""
    if start < len(tokens) and tokens[start].kind == "formula" and re.fullmatch(r"\(.+,.+\)", tokens[start].text):
        names = tuple(part.strip() for part in tokens[start].text[1:-1].split(","))
        if all(SYMBOL.fullmatch(name) for name in names):
            yield start + 1, names


_DOTS = ("…", "...", "..", "\\dots", "\\ldots", "\\cdots")
_RANGE = re.compile(
    r"(?P<index>[a-z])\s*(?:=|∈|\\in)\s*(?:\\?\{)?1(?:\s*(?:,|…|\.\.\.?|\\[lc]?dots)\s*)*(?P<last>[a-zA-Z])?(?:\\?\})?"
)


def read_range(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, str]]:
    """The values of an index, i = 1, …, n."""
    found = _RANGE.fullmatch(tokens[start].text) if start < len(tokens) and tokens[start].kind == "formula" else None
    if found is None:
        return
    if found["last"]:
        yield start + 1, f"{found['index']} = 1, …, {found['last']}"
    texts = [token.text for token in tokens[start + 1 : start + 5]]
    is_list = len(texts) == 4 and texts[0] == texts[2] == "," and texts[1] in _DOTS
    if is_list and re.fullmatch("[a-zA-Z]", texts[3]):
        yield start + 5, f"{found['index']} = 1, …, {texts[3]}"


def _families(names: list[str]) -> tuple[str, ...]:
    """k_i for k_1, …, k_n."""
    dots = [i for i, name in enumerate(names) if name in ("…", "...", "\\dots", "\\ldots", "\\cdots")]
    if not dots:
        return tuple(names)
    stem = re.split(r"_|[₀-₉]", names[0])[0]
    return (f"{stem}_i",)


_SHARED = re.compile(
    r"(?P<name>[^∈~∼<>≤≥=≠\\]+|\\[a-z]+(?:_\w)?\s*)(?P<rest>(?:[∈~∼<>≤≥≠]|\\(?:in|sim|ge|geq|gt|le|leq)(?![a-z])).*)",
    re.DOTALL,
)


def read_shared_relation(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """x, y ∈ ℝ^n: what is said of the last letter of a list is said of all."""
    for end, names in read_symbols(tokens, start):
        last = end
        while last < len(tokens) and tokens[last].text in (",", "and") and tokens[last].kind != "formula":
            last += 1
        if last == end or last >= len(tokens) or tokens[last].kind != "formula":
            continue
        found = _SHARED.fullmatch(tokens[last].text)
        if found is not None and SYMBOL.fullmatch(found["name"].strip()):
            yield last + 1, tuple(f"{name} {found['rest']}" for name in (*names, found["name"].strip()))


def read_relation_of_symbol(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, tuple[str, str]]]:
    """A ∈ ℝ^{m×n}: a letter and the whole relation."""
    if start < len(tokens) and tokens[start].kind == "formula":
        found = _SHARED.fullmatch(tokens[start].text)
        if found is not None and SYMBOL.fullmatch(found["name"].strip()):
            yield start + 1, (found["name"].strip(), tokens[start].text)


def read_definition(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, Thing]]:
    """P = A Aᵀ as a thing: P, of which the equation is given."""
    if start < len(tokens) and tokens[start].kind == "formula":
        left, equals, right = tokens[start].text.partition("=")
        name = left.rstrip(" :").strip()
        is_known = (
            re.match(r"σ|\\sigma|tanh|softmax|E\b|Var|Cov|P\(|H\(|α_|\\alpha_|∂|d\w/", name) is not None or "'" in name
        )
        if (
            equals
            and right
            and not is_known
            and not has_relation(right)
            and not has_relation(name)
            and re.fullmatch(rf"(?:{SYMBOL.pattern})(?:\(\w\))?", name)
        ):
            yield start + 1, Thing(name, (tokens[start].text,), "defined")


def read_reason(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, None]]:
    """Anything up to the next comma."""
    for place in range(start + 1, len(tokens)):
        if tokens[place] == Token(",", "mark"):
            yield place, None
            return


SERIOUS = words(
    "not no never if for let with unless only when where suppose given assume at most least larger "
    "smaller greater less than all every each any some whenever half twice except without but and or"
)
"""Words that may change what is claimed: no commentary has them."""


def read_commentary(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, None]]:
    """Up to ten words that only lead up to what is claimed: a short calculation."""
    for place in range(start, min(start + 10, len(tokens))):
        if tokens[place].kind != "word" or tokens[place].text in SERIOUS:
            return
        yield place + 1, None


_THEOREMS = words(
    "inequality theorem lemma identity rule formula law definition symmetry linearity convexity concavity "
    "monotonicity construction induction continuity cauchy-schwarz cauchy–schwarz jensen pythagoras pinsker gibbs "
    "hölder markov chebyshev bayes stein isserlis taylor differentiation substitution independence orthogonality "
    "decomposition above normalisation normalization expansion argument computation calculation"
)
"""The last word of what a claim is said to follow from."""


def read_theorem(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, None]]:
    """Up to six words that name a theorem, and the word or two that it is of: the concavity of the logarithm."""
    for place in range(start, min(start + 6, len(tokens))):
        word = tokens[place].text
        if tokens[place].kind != "word" or word in SERIOUS:
            return
        is_side = word == "above" and tokens[place - 1].text != "the"  # x → 0 from above
        if word in _THEOREMS and not is_side:
            yield place + 1, None
            if [token.text for token in tokens[place + 1 : place + 2]] == ["of"]:
                yield from ((end, None) for end, _ in _object(tokens, place + 2))


_OBJECTS = words(
    "the log logarithm trace expectation entropy exponential variance norm function natural square determinant"
)


def _object(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, None]]:
    place = start
    while place < len(tokens) and (tokens[place].text in _OBJECTS or tokens[place].text in ("\\log", "log", "ln")):
        place += 1
    if place > start and tokens[place - 1].text != "the":
        yield place, None


LEAVES: dict[str, Leaf] = {
    "rel": read_relation,
    "expr": read_expression,
    "sym": read_symbol,
    "syms": read_symbols,
    "tuple": read_tuple,
    "range": read_range,
    "symrel": read_shared_relation,
    "typed": read_relation_of_symbol,
    "defined": read_definition,
    "reason": read_reason,
    "commentary": read_commentary,
    "theorem": read_theorem,
}
