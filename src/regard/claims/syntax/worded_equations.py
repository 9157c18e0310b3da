"""Equations of words: perplexity = exp(cross-entropy), bits per character = log2(perplexity) × tokens / characters.

Each quantity becomes its letter in the setting perplexity, or what is written of two distributions. A loss without a
unit has the one of the base that stands beside it; where two bases stand there, the equation is left alone.
"""

from __future__ import annotations

import re

_ARTICLE = r"(?:[Tt]he\s+|[Aa]\s+)?"
_KIND = r"(?:(?:average|mean|per-token|per-word|per-character|test|total number of|number of)\s+)?"
_UNIT = r"(?:\s*[(,]?\s*(?:measured\s+)?in\s+(?P<unit>bits|nats)\)?)?"
_LOSS = re.compile(
    rf"(?<![A-Za-z\\_⟨]){_ARTICLE}{_KIND}(?:[Cc]ross[- ]entropy(?:\s+loss)?|[Ll]oss|CE|NLL)(?![A-Za-z(_]){_UNIT}"
)
_QUANTITIES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<![A-Za-z\\_])(?:[Bb]its per (?:character|char|letter)|bpc|BPC)(?![A-Za-z])"), "⟨bpc⟩"),
    (re.compile(r"(?<![A-Za-z\\_])[Bb]its per (?:token|word)(?![A-Za-z])"), "⟨H_2⟩"),
    (re.compile(r"(?<![A-Za-z\\_])[Nn]ats per (?:token|word)(?![A-Za-z])"), "⟨CE⟩"),
    (re.compile(rf"(?<![A-Za-z\\_]){_ARTICLE}(?:[Pp]erplexity|PPL)(?![A-Za-z(_])"), "⟨PP⟩"),
    (re.compile(rf"(?<![A-Za-z\\_]){_ARTICLE}(?:number of |#\s?)?(?:tokens|words)(?![A-Za-z])"), "⟨N⟩"),
    (re.compile(rf"(?<![A-Za-z\\_]){_ARTICLE}(?:number of |#\s?)?(?:characters|chars|letters)(?![A-Za-z])"), "⟨K⟩"),
)
_OF_DISTRIBUTIONS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"(?<![A-Za-z\\_]){_ARTICLE}[Cc]ross[- ]entropy(?![A-Za-z(_])"), "H(p, q)"),
    (
        re.compile(rf"(?<![A-Za-z\\_]){_ARTICLE}(?:(?<!\{{)KL(?:[- ]divergence)?|[Rr]elative entropy)(?![A-Za-z(_])"),
        "KL(p || q)",
    ),
    (re.compile(rf"(?<![A-Za-z\\_]){_ARTICLE}[Ee]ntropy(?![A-Za-z(_])"), "H(p)"),
)
_UNITS = {"bits": "H_2", "nats": "CE"}
_GIVEN_UNIT = re.compile(
    r",?\s*(?:,|\b(?:if|where|with|when|for|and))\s+(?:the\s+)?(?P<name>H|CE|[Cc]ross[- ]entropy|[Ll]oss|entropy|it)"
    r"\s+(?:is\s+)?(?:the\s+(?:cross[- ]entropy|entropy|loss)\s+)?(?:measured\s+|given\s+|computed\s+)?"
    r"in\s+(?P<unit>bits|nats)\s*$"
)
_OF_CHARACTERS = re.compile(
    r",?\s*(?:for|of|with|in)\s+(?:a|the|any)\s+char(?:acter)?(?:-level)?(?:\s+language)?\s+model\s*$"
)
_BASE_TWO = re.compile(r"(?<![\d.])2\s*(?:\^|\*\*)|log_?\{?2\}?(?!\d)|log₂")
_BASE_E = re.compile(r"(?<![A-Za-z])(?:exp|e\s*\^|e\s*\*\*|ln|log_?\{?e)|\\exp|\\ln")
_KNOWN = frozenset(["exp", "log", "ln", "sqrt", "frac", "cdot", "e", "PP", "CE", "H", "N", "K", "log2", "p", "q", "KL"])
"""Functions, and letters of which it is plain what they are."""
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]+")


def with_letters(text: str) -> str:
    """An equation of words in letters; any other text as it is.

    >>> with_letters("perplexity = exp(cross-entropy)"), with_letters("PP = 2^{H} if H is in bits")
    ('PP = exp(CE)', 'PP = 2^{H_2}')
    >>> with_letters("nats = bits × log2(e)"), with_letters("cross-entropy = entropy + KL divergence")
    ('CE = H_2 · log2(e)', 'H(p, q) = H(p) + KL(p || q)')
    >>> with_letters("bits per character = log2(perplexity) × tokens / characters")
    'Let K > 0. Then (N H_2 / K) = log2(PP) · N / K'
    """
    plain = text.strip().rstrip(".").strip()
    if not re.search(r"[=≈]", plain) or re.search(r"[<>≤≥→$&]|\n", plain) or len(plain) > 200:
        return text
    written = _of_distributions(plain) or _of_scores(plain)
    return text if written is None or written == plain else written


def _of_distributions(text: str) -> str | None:
    if not re.search(r"\b(?:KL|relative entropy)\b", text):
        return None
    for pattern, signs in _OF_DISTRIBUTIONS:
        text = pattern.sub(signs, text)
    return text if _is_formula(text) and "H(p" in text else None


def _of_scores(text: str) -> str | None:
    given = _GIVEN_UNIT.search(text)
    unit = given["unit"] if given is not None else ""
    text = text[: given.start()] if given is not None else text
    of_characters = _OF_CHARACTERS.search(text)
    text = text[: of_characters.start()] if of_characters is not None else text
    base = _base(text)
    is_open = False

    def loss(found: re.Match[str]) -> str:
        nonlocal is_open
        is_letter = found.group().strip() == "CE"  # which stands for a loss in nats
        said = found["unit"] or unit or ("nats" if is_letter else base)
        is_open = is_open or not said
        return f"⟨{_UNITS.get(said, '')}⟩"

    written = text
    if given is not None and given["name"] == "H":
        written = re.sub(r"(?<![A-Za-z\\_])H(?![A-Za-z(_])", f"⟨{_UNITS[unit]}⟩", written)
    for pattern, letter in _QUANTITIES:
        written = pattern.sub(letter, written)
    written = _LOSS.sub(loss, written)
    if re.search(r"(?<![A-Za-z_{])[Bb]its(?![A-Za-z])", written) and re.search(
        r"(?<![A-Za-z_{])[Nn]ats(?![A-Za-z])", written
    ):
        written = re.sub(r"(?<![A-Za-z_{])[Bb]its(?![A-Za-z])", "⟨H_2⟩", written)
        written = re.sub(r"(?<![A-Za-z_{])[Nn]ats(?![A-Za-z])", "⟨CE⟩", written)
    if is_open or "⟨" not in written or (given is not None and not re.search(r"⟨(?:CE|H_2)⟩", written)):
        return None
    return _with_plain_letters(written, of_characters=of_characters is not None)


def _base(text: str) -> str:
    """The unit that the base of powers and logarithms speaks for; none where there are two."""
    has_two, has_e = _BASE_TWO.search(text) is not None, _BASE_E.search(text) is not None
    if has_two and has_e:
        return ""
    return "bits" if has_two else "nats"


def _with_plain_letters(written: str, *, of_characters: bool) -> str | None:
    """PP for ⟨PP⟩; bits per character by how many characters there are, which have to be spoken of."""
    head = ""
    if "⟨bpc⟩" in written:
        if not of_characters and not ("⟨K⟩" in written and "⟨N⟩" in written):
            return None
        written = written.replace("⟨bpc⟩", "⟨H_2⟩" if of_characters else "(⟨N⟩ ⟨H_2⟩ / ⟨K⟩)")
    elif of_characters:
        return None
    if "⟨K⟩" in written:
        head = "Let K > 0. Then "
    written = re.sub(r"(?<=\^)\s*⟨(\w+)⟩", r"{\1}", written)
    written = re.sub(r"(?<=\^)\s*\(⟨(\w+)⟩\)", r"{\1}", written)
    written = re.sub(r"⟨(\w+)⟩", r"\1", written)
    written = re.sub(r"\s*(?:×|\*|\btimes\b)\s*", " · ", written)
    return head + written if _is_formula(written) else None


def _is_formula(text: str) -> bool:
    """Whether all words that are left are functions and letters; of perplexity = V nothing is known."""
    return all(word in _KNOWN for word in _WORD.findall(text.removeprefix("Let K > 0. Then ")))
