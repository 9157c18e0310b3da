"""Random keys in words: the keys are k_i ~ N(μ_i, εI) with orthonormal means, all other keys k_i = μ_i, two keys.

The letters become those of the settings with noisy keys, where μ_i are orthonormal means and α is the variance:

    Keys k_i ~ N(μ_i, εI) with orthonormal means; q = Cμ_a    Let μ_i orthonormal; let k_i ~ N(μ_i, αI); let q = Cμ_a
"""

from __future__ import annotations

import re
from collections.abc import Callable

_MEAN = r"(?:μ|\\mu)"
_SPEAKS_OF_KEYS = re.compile(
    rf"\bkeys?\b.*{_MEAN}_|{_MEAN}_.*\bkeys?\b|(?<![A-Za-z])k_(?:[a-z]|\{{[a-z]\}}|\d).*{_MEAN}_|{_MEAN}_.*(?<![A-Za-z])k_",
    re.DOTALL,
)
_SIM = r"(?:~|∼|\\sim)"
_NORMAL = r"(?:N|\\mathcal\s*\{?\s*N\s*\}?|𝒩)"
_END = r"(?=\s*(?:[,.;:)$]|and\b|then\b|$))"

_ORTHONORMAL = re.compile(
    r"(?P<lead>,?\s*(?:\band\s+)?(?:(?:where|with|for|around|having|suppose|assume|let)\s+)?(?:that\s+)?)(?:all\s+)?(?:the\s+)?"
    r"(?:orthonormal\s+(?:key\s+)?means?(?:\s+vectors)?(?:\s+\$?MEAN_i\$?)?"
    r"|(?:(?:key\s+)?means?(?:\s+vectors)?\s+)?(?:\$?MEAN(?:'s|s)\$?|\$?MEAN_i\$?(?:\s+being)?|\$?MEAN_(?:1|\{1\})\s*,\s*(?:MEAN_2\s*,\s*)?"
    r"(?:…|\.\.\.|\\[lc]?dots)\s*,\s*MEAN_\{?n\}?\$?|\$?MEAN_a\$?\s*(?:,|and|\$,\s*\$)\s*\$?MEAN_b\$?|(?:key\s+)?means)"
    r"\s+(?:(?:are|be|being)\s+)?(?:mutually\s+)?orthonormal"
    r"|\$?MEAN_a\$?\s*(?:⊥|\\perp)\s*\$?MEAN_b\$?\s+(?:(?:are|being)\s+)?unit\s+vectors)(?:\s+vectors)?".replace(
        "MEAN", _MEAN
    )
    + _END,
    re.IGNORECASE,
)
"""What is said of the means, with the word before it."""

_KEYS_ARE = re.compile(
    r"\b(?P<first>[Tt]he\s+keys|[Kk]eys|[Kk]ey\s+vectors|[Tt]he\s+key\s+vectors)\s+(?:are\s+|be\s+|satisfy\s+)?(?:given\s+by\s+)?"
    r"(?:independent\s*,?\s+)?(?:Gaussians?\s*,?\s+)?(?=\$?k_)"
)
_OTHER_KEYS = re.compile(
    rf"(?:,?\s*(?:and|while|but)?\s*)(?:(?:all|every|each|the)\s+)?(?:of\s+)?(?:the\s+)?(?:others?|other\s+keys?|remaining\s+keys|rest(?:\s+of\s+the\s+keys)?)\s+"
    rf"(?:(?:is|are|being|be)\s+)?(?:exactly\s+)?(?:(?:equal\s+to\s+)?their\s+means?|\$?k_i\$?\s*=\s*\$?{_MEAN}_i\$?){_END}"
)
_EXCEPT = re.compile(
    rf"(?P<all>\$?k_i\s*=\s*{_MEAN}_i\$?)\s*(?:\(orthonormal\)\s*)?,?\s+except(?:\s+(?:for|that))?\s+(?=\$?k_)"
)
_TWO_KEYS = re.compile(
    r"^(?P<lead>\s*)(?:[Tt]here\s+are\s+(?:only\s+)?two\s+keys|[Tt]wo\s+keys|[Ww]ith\s+(?:only\s+|just\s+)?two\s+keys|[Ff]or\s+two\s+keys)\s*[,:;.]?\s+"
)
_RANDOM_LETTER = re.compile(r",?\s*(?:with|for)\s+(?:a\s+|some\s+)?random\s+\$?(?P<letter>[a-zγδηξζ])\$?(?![a-z])")
_VARIANCE_ASIDE = re.compile(
    r"(?<=\))(\$?)\s*(?:\(\s*(?:so\s+|i\.e\.\s+|that\s+is\s+|with\s+|where\s+)?(?:[^()]{1,12}\s+is\s+the\s+)?variance(?:\s+[^()]*)?\)|,\s*where\s+\S{1,8}\s+is\s+the\s+variance)"
)
_SAMPLE = re.compile(
    r"\s+for\s+(?:every|each|any|all)\s+(?:samples?|draws?|realisations?|realizations?)\s+(?:of\s+the\s+(?:keys|noise))?"
)
_NOISE = re.compile(
    rf"k_(?:i|\{{i\}})\s*{_SIM}\s*{_NORMAL}\s*\(\s*{_MEAN}_(?:i|\{{i\}})\s*,\s*\\?,?\s*(?P<letter>[a-zεελτηδσς]|\\[a-z]+)(?P<square>²|\^2|\^\{{2\}})?\s*\\?,?\s*"
    r"(?:\\,|·)?\s*(?:I|\\mathbf\{I\}|\\mathbb\{I\})(?:_\w)?\s*\)"
)
_DEFINITION = re.compile(rf"\s*\$?(?:[A-Za-zα-ω]|\\[a-z]+)(?:_(?:\w|\{{\w\}}))?\s*(?:=|{_SIM}|⊥|\\perp)|\s*\$?[in]\s*=")


_RANGE = re.compile(r",?\s*(?:for\s+)?i\s*=\s*1\s*(?:\.\.\.?|,\s*(?:…|\.\.\.|\\[lc]?dots)\s*,)\s*n(?![A-Za-z])")
_EXPECTED_WEIGHT = re.compile(
    r"(?:\b[Tt]he\s+)?expected\s+(?:attention\s+)?weight\s+(?:on|of)\s+key\s+(?P<key>[a-z])(?![A-Za-z])"
)
_WEIGHT = re.compile(r"(?:\b[Tt]he\s+)?(?:attention\s+)?weight\s+(?:on|of)\s+key\s+(?P<key>[a-z])(?![A-Za-z])")


def write_noisy_keys(text: str) -> str:
    """The text with what it says of random keys in the letters of the settings.

    >>> write_noisy_keys("Keys k_i ~ N(μ_i, εI) with orthonormal means. Then Var(k_i^T q) = ε‖q‖²")
    'Let μ_i orthonormal. Let k_i ~ N(μ_i, αI). Then Var(k_i^T q) = α‖q‖²'
    """
    if not _SPEAKS_OF_KEYS.search(text):
        return text
    text = _RANGE.sub("", text)
    text = _EXPECTED_WEIGHT.sub(r"E[α_\g<key>]", text)
    text = _WEIGHT.sub(r"α_\g<key>", text)
    text = re.sub(
        r"\b(?:once|when|if)\s+(C|D|λ|β)\s+is\s+(?:very\s+|sufficiently\s+)?large(?:\s+enough)?", r"for large \1", text
    )
    if not re.search(r"q(?:_\{?2|₂)", text):
        text = re.sub(r"(?<![A-Za-z])q(?:_\{?1\}?|₁)", "q", text)
    text = _VARIANCE_ASIDE.sub(r"\1", _SAMPLE.sub("", text))
    text = _KEYS_ARE.sub("", text)
    text = _EXCEPT.sub(r"\g<all>, ", text)
    text = _OTHER_KEYS.sub(", k_i = μ_i for i ≠ a", text)
    text = _TWO_KEYS.sub(r"\g<lead>n = 2, ", text)
    text = _name_noise(text)
    for found in list(_RANDOM_LETTER.finditer(text)):
        if not re.search(rf"(?<![A-Za-z]){found['letter']}\$?\s*{_SIM}", text):
            text = text.replace(found[0], "")
    are_orthonormal = bool(_ORTHONORMAL.search(text))
    text = _ORTHONORMAL.sub(_without_means, text)
    text = re.sub(r"(?:(?<=Suppose )|(?<=Assume ))\s*,\s*", "", re.sub(r"(?<=Let )\s*,\s*", "", text))
    text = re.sub(r"(?:(?<=^)|(?<=[.;] ))[,\s]+", "", re.sub(r"\s+([.,;])", r"\1", text))
    text = _open_definitions(text)
    return f"Let μ_i orthonormal. {text}" if are_orthonormal else text


def _without_means(found: re.Match[str]) -> str:
    """Nothing, or the word that begins a sentence, which goes on with something else."""
    lead = found["lead"].strip(" ,").lower()
    is_first = found.start() == 0 or found.string[: found.start()].rstrip().endswith((".", ";"))
    follows = found.string[found.end() :].lstrip()[:1] in (",", "a")
    return (
        f"{found['lead'].strip(' ,').capitalize()} "
        if is_first and follows and lead in ("suppose", "assume", "let")
        else ""
    )


def _name_noise(text: str) -> str:
    """The variance in the letter α, where that is not taken by another number."""
    found = _NOISE.search(text)
    if found is None or found["letter"] in ("α", r"\alpha") or re.search(r"(?:α|\\alpha)(?![_A-Za-z]|\s*_)", text):
        return text
    letter = re.escape(found["letter"])
    if found["square"]:
        text = re.sub(rf"(?<![A-Za-z\\]){letter}(?:²|\^2|\^\{{2\}})", "α", text)
        return re.sub(rf"(?<![A-Za-z\\]){letter}(?![A-Za-z_])", "√α ", text)
    return re.sub(rf"(?<![A-Za-z\\]){letter}(?![a-z_])", "α", text)


def _open_definitions(text: str) -> str:
    """`let` before a first sentence that has only definitions, one of them of a random letter."""
    first, stop, rest = text.partition(". ")
    if re.match(r"\s*Let\s+n = 2,|\s*n = 2,", first):
        first = first.replace("; ", ", ")
        text = first + stop + rest
    is_opened = re.match(
        r"\s*(?:let|suppose|assume|take|consider|choose|fix|if|for|with|when|given|as)\b", first, re.IGNORECASE
    )
    parts = re.split(r",\s+(?![^()]*\))|;\s+|\s+(?:and|with)\s+", first)
    has_law = re.search(_SIM, first) is not None
    if (
        stop
        and rest
        and not is_opened
        and has_law
        and all(_DEFINITION.match(part) or part == "independent" for part in parts)
    ):
        return f"Let {first.strip()}. {rest}"
    return text


REWRITERS: tuple[Callable[[str], str], ...] = (write_noisy_keys,)
