"""What a claim says in words of random letters: samples, moments in common, and independence where it is claimed.

    X_1, …, X_n i.i.d. ~ N(μ, σ²) with mean X̄      X_1, …, X_n ~ N(μ, σ²), X̄ = (1/n) sum_i X_i
    X and Y with means 0 and correlation ρ          E[X] = 0, E[Y] = 0, Corr(X, Y) = ρ
    … ⇒ X and Y are independent                     … ⇒ X ⫫ Y

Independence that is given is left as a word: letters whose laws are not stated get noise of their own by it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_LETTER = r"\$?[A-Za-z](?:_\{?\w\}?)?\$?"
_EQUALLY = re.compile(r"(?:(?:are|be)\s+)?(?:i\.\s?i\.\s?d\.?|iid|IID|independent(?:ly)?)(?=\s*(?:~|∼|\\sim))")
_WITH_MEAN = re.compile(
    r",?\s+(?:with|and)\s+(?:(?:sample|empirical)\s+)?(?:mean|average)\s+"
    r"(?P<mean>(?P<plain>[A-Za-z])[\u0304\u0305]|\\(?:bar|overline)\s*\{?\s*(?P<tex>[A-Za-z])\s*\}?|(?P<word>[A-Za-z])_bar)"
)
_AND_NUMBER = re.compile(r"\brandom\s+variables?\s+[A-Z]\s+and\s+(?=(?:[a-z]|[α-ω]|\\[a-z]+)\s*(?:[<>≤≥]|\\[lg]e))")
"""A random variable X and a > 0: only a is."""
_PAIR = rf"(?P<one>{_LETTER})\s*(?:,|and|,\s*and)\s*(?P<two>{_LETTER})"
_TERM = r"[^\s,;.]+"
_FACT = (
    rf"(?:(?:zero|common|equal|the\s+same|unit|joint)\s+)?(?:means?|variances?|correlation|covariance|expectations?)"
    rf"(?:\s+(?:coefficient\s+)?(?!and\b|if\b|then\b|is\b|are\b)(?:zero|one|{_TERM}))?"
)
_NOUN = re.compile(r"means?|variances?|correlation|covariance|expectations?")
_FACTS = re.compile(
    rf"(?<![A-Za-z\\])(?<!of\s){_PAIR}\s+(?:(?:are|be)\s+)?(?:(?:two\s+)?(?:jointly\s+|independent\s+|uncorrelated\s+|random\s+)*"
    rf"(?:Gaussian|normal|independent|uncorrelated|variables|random\s+variables)\s+)*"
    rf"(?:with|have|having)\s+(?P<facts>{_FACT}(?:\s*(?:,\s*and|,|and)\s+{_FACT})*)"
)
_ENTRIES_OF = re.compile(r"(?:components|entries|elements|coordinates)\s+of\s+(?:the\s+)?(?:vectors?\s+)?$")
_UNCORRELATED = re.compile(rf"(?<![A-Za-z\\]){_PAIR}\s+(?:are\s+|be\s+)?uncorrelated")
_JOINTLY = re.compile(
    rf"(?:(?:[Ii]f|[Ll]et|[Ff]or|[Ww]hen|where|with|[Ss]uppose)\s+)?(?:jointly\s+(?:Gaussian|normal)(?:\s+(?:random\s+)?variables)?\s+{_PAIR}"
    rf"|(?P<first>{_LETTER})\s*(?:,|and)\s*(?P<second>{_LETTER})\s+(?:are\s+|be\s+)?jointly\s+(?:Gaussian|normal)"
    r"(?:\s+(?:random\s+)?variables)?)"
    r"(?P<end>\s*(?:,\s*and(?![A-Za-z])|and(?![A-Za-z])|[,;:]|$|\.(?=\s|$))|(?=\s*(?:⇒|=>|\\Rightarrow|\\implies|then\b)))"
)
_SIDE = r"(?:[A-Za-zα-ω\\(][^,;:⇒⇔=<>~∼≤≥]{0,30}?)"
_THEN = r"⇒|=>|⟹|\\Rightarrow|\\implies|\bthen\b|\bimplies(?:\s+that)?\b|⇔|\biff\b|\bif and only if\b|\\iff\b"
_CLAIMED = re.compile(
    rf"(?P<lead>(?:{_THEN})\s*,?\s*)(?P<one>{_SIDE})\s*(?:,|and)\s+(?P<two>{_SIDE})\s+(?:(?:are|must\s+be)\s+)?(?:also\s+)?"
    r"(?:mutually\s+|statistically\s+)?independent(?:\s+of\s+each\s+other|\s+random\s+variables)?(?=\s*(?:$|[,;.]|if|when|where))"
)
_CLAIMED_OF = re.compile(
    rf"(?P<lead>(?:{_THEN})\s*,?\s*)(?P<one>{_SIDE})\s+is\s+(?:also\s+)?independent\s+of\s+(?P<two>{_SIDE})(?=\s*(?:$|[,;.]))"
)
_CLAIMED_FIRST = re.compile(
    rf"(?P<lead>(?:^|[,;:]\s|\.\s)\s*)(?P<one>{_SIDE})\s*(?:,|and)\s+(?P<two>{_SIDE})\s+are\s+(?:mutually\s+)?independent"
    r"(?=\s*,?\s*(?:⇔|\biff\b|\bif\b|\\iff\b|exactly\s+when|precisely\s+when|whenever\b|provided\b|as\s+soon\s+as\b))"
)
_THEY = re.compile(r"\bthey(?=\s+(?:are|must\s+be)\s+(?:also\s+)?(?:in)?(?:dependent|uncorrelated))")
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}")
_LAW = re.compile(r"[~∼]|\\sim")


def write_random_letters(text: str) -> str:
    """The text with what is said of random letters in symbols.

    >>> write_random_letters("Cov(X, Y) = 0 ⇒ X and Y are independent")
    'Cov(X, Y) = 0 ⇒ X ⫫ Y'
    """
    text = _EQUALLY.sub("", text)
    text = _AND_NUMBER.sub(r"\g<0>for ", text)
    text = _WITH_MEAN.sub(_sample_mean, text)
    pair = re.search(rf"(?<![A-Za-z\\]){_PAIR}(?![A-Za-z])", text)
    if pair is not None:
        text = _THEY.sub(f"{pair['one']} and {pair['two']}", text)
    for pattern in (_CLAIMED, _CLAIMED_OF, _CLAIMED_FIRST):
        text = pattern.sub(_independence, text)
    text = _FACTS.sub(_as_moments, text)
    text = _UNCORRELATED.sub(lambda found: f"Cov({found['one']}, {found['two']}) = 0", text)
    return text if _LAW.search(text) else _JOINTLY.sub("", text)


def _sample_mean(found: re.Match[str]) -> str:
    letter = found["plain"] or found["tex"] or found["word"]
    return f", {found['mean']} = (1/n) sum_{{i=1}}^n {letter}_i"


def _independence(found: re.Match[str]) -> str:
    """A and B are independent as A ⫫ B; what has words in it is left as it is."""
    if _WORD.search(found["one"]) or _WORD.search(found["two"]):
        return found[0]
    return f"{found['lead']}{found['one']} ⫫ {found['two']}"


def _as_moments(found: re.Match[str]) -> str:
    """Each fact as an equation for both letters; as it was where one of them is not read."""
    one, two = found["one"], found["two"]
    equations = [_equations(fact, one, two) for fact in re.split(r"\s*(?:,\s*and\s|,|\band\b)\s*", found["facts"])]
    is_of_entries = _ENTRIES_OF.search(found.string, 0, found.start())
    if is_of_entries or any(equation is None for equation in equations):
        return found[0]
    before = f"Cov({one}, {two}) = 0 and " if "uncorrelated" in found[0] else ""
    return before + " and ".join(equation for equation in equations if equation)


def _equations(fact: str, one: str, two: str) -> str | None:
    words = fact.split()
    noun = next(
        word for word in words if re.match(r"means?$|variances?$|correlation$|covariance$|expectations?$", word)
    )
    before, after = words[: words.index(noun)], words[words.index(noun) + 1 :]
    value = (
        {"zero": "0", "one": "1"}.get(after[-1], after[-1])
        if after
        else {"zero": "0", "unit": "1"}.get("".join(before))
    )
    if noun in ("correlation", "covariance"):
        return None if value is None else f"{'Corr' if noun == 'correlation' else 'Cov'}({one}, {two}) = {value}"
    function = "Var({})" if noun.startswith("variance") else "E[{}]"
    if value is not None:
        return f"{function.format(one)} = {value} and {function.format(two)} = {value}"
    if before and before[-1] in ("same", "common", "equal"):
        return f"{function.format(one)} = {function.format(two)}"
    return None


REWRITERS: tuple[Callable[[str], str], ...] = (write_random_letters,)
