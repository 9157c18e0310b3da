"""Formulas of language models in the letters of the setting perplexity: p(w_t | w_{<t}), M tokens, H_bits, PP(W).

Every book has its own letters for the tokens' probabilities and for how many tokens there are. Here they become p_t and
N, the loss in nats CE and the one in bits H_2, so that one setting can judge them all.
"""

from __future__ import annotations

import re

_SUBJECT = re.compile(
    r"(?<![A-Za-z\\])PPL?(?![A-Za-z])|[Pp]erplexity|\\(?:mathrm|text|operatorname|mathit)\s*\{(?:PPL?|[Pp]erplexity)\}"
    r"|(?:H|CE|L|ℓ|\\mathcal\s*\{?L\}?)_\{?(?:\\(?:text|mathrm)\s*\{)?(?:bits?|nats?)(?![a-z])"
)
"""Signs of a perplexity, or of one loss in two units."""
_INDEX = r"[ijkt]"
_COUNT = r"[A-MO-Z]|n"
_WORD = r"[wxWX]"
_RANGE_DOTS = r"(?:,|\s|…|\.\.\.?|\\[lc]?dots)+"

_TOKEN = re.compile(
    rf"(?:p|P|q|\\mathbb\s*\{{?P\}}?)(?:_\{{?(?:\\theta|θ|M)\}}?)?\s*(?:\\left|\\[bB]igg?l?)?\(\s*{_WORD}_(?:\{{(?P<braced>{_INDEX})\}}"
    rf"|(?P<index>{_INDEX}))\s*(?:(?:\\mid|\\vert|\||∣)\s*(?P<history>[^()]*?))?\s*(?:\\right|\\[bB]igg?r?)?\)"
)
"""p(w_t | w_{<t}), with any history or none."""
_HISTORY = re.compile(
    rf"{_WORD}_(?:\{{[<1:ijkt\s\-,]+\}}|<\s*{_INDEX}|\{{?1\}}?)|{_WORD}_\{{?\w\s*-\s*\d\}}?|h_\{{?{_INDEX}\}}?|[ck]_\{{?{_INDEX}\}}?"
    rf"|{_RANGE_DOTS}|\\text\{{[a-z ]+\}}|context|history"
)
_LISTED = rf"{_WORD}_\{{?1\}}?{_RANGE_DOTS}(?:{_WORD}_\{{?\w\}}?{_RANGE_DOTS})*{_WORD}_\{{?\w\}}?"
_TEXT = rf"(?:\\mathbf\s*)?\{{?{_WORD}\}}?|{_LISTED}|{_WORD}_\{{1:\w\}}"
_JOINT = re.compile(rf"(?<![A-Za-z\\])(?:p|P)\s*(?:\\left|\\[bB]igg?l?)?\(\s*(?:{_TEXT})\s*(?:\\right|\\[bB]igg?r?)?\)")
_OF_TEXT = re.compile(
    rf"(?P<name>(?<![A-Za-z\\])PPL?|\\(?:mathrm|text|operatorname)\s*\{{PPL?\}})\s*(?:\\left)?\(\s*(?:{_TEXT})\s*(?:\\right)?\)"
)
_BITS = re.compile(
    r"(?<![A-Za-z\\])(?:H|CE|L|ℓ|\\mathcal\s*\{?L\}?)_(?:\{?\s*\\(?:text|mathrm)\s*\{\s*bits?\s*\}\s*\}?|\{\s*bits?\s*\}|bits?(?![a-z]))"
)
_NATS = re.compile(
    r"(?<![A-Za-z\\])(?:H|CE|L|ℓ|\\mathcal\s*\{?L\}?)_(?:\{?\s*\\(?:text|mathrm)\s*\{\s*nats?\s*\}\s*\}?|\{\s*nats?\s*\}|nats?(?![a-z]))"
)
_VOCABULARY = re.compile(r"\|\s*(?:\\mathcal\s*\{?\s*V\s*\}?|𝒱|V)\s*\|")
_LOSS_OF_TOKEN = re.compile(
    rf"(?:[Ll]et\s+)?(?P<name>ℓ|\\ell|s)_\{{?(?P<index>{_INDEX})\}}?\s*(?::=|=)\s*[-−–]\s*\\?(?:ln|log)\s*\(?p_\{{?(?P=index)\}}?\)?"
    rf"(?:\s*for\s+(?:all\s+)?(?P=index)\s*=\s*1{_RANGE_DOTS}[A-Za-z])?\s*[.,;]?\s*(?:[Tt]hen\s+|⟹|⇒|\\Rightarrow|\\implies)?"
)

_COUNTS = (
    re.compile(rf"_\{{?\s*{_INDEX}\s*=\s*1\s*\}}?\s*\^\s*\{{?\s*(?P<count>{_COUNT})(?![A-Za-z])"),
    re.compile(rf"(?<![A-Za-z]){_INDEX}\s*(?:=|∈|\\in)\s*(?:\\?\{{)?\s*1{_RANGE_DOTS}(?P<count>{_COUNT})(?![A-Za-z])"),
    re.compile(rf"{_WORD}_\{{?1\}}?{_RANGE_DOTS}{_WORD}_\{{?(?P<count>{_COUNT})\}}?(?![A-Za-z])"),
    re.compile(rf"p_\{{?1\}}?{_RANGE_DOTS}(?:p_\{{?2\}}?{_RANGE_DOTS})?p_\{{?(?P<count>{_COUNT})\}}?(?![A-Za-z])"),
    re.compile(rf"1\s*/\s*(?P<count>{_COUNT})\s*\)?\s*[*·]?\s*(?:\\sum|Σ|∑|sum\b)"),
    re.compile(rf"\\[dt]?frac\s*(?:1\s*(?P<count>{_COUNT})|\{{1\}}\s*\{{(?P<braced>{_COUNT})\}})\s*\\sum"),
)
"""Where a formula shows how many tokens there are."""
_RANGE = re.compile(
    rf",?\s*(?:\b(?:for|with)\s+)?(?:\b(?:all|every|each)\s+)?(?<![A-Za-z_{{])(?P<index>{_INDEX})\s*=\s*1{_RANGE_DOTS}N(?![A-Za-z])"
)


def in_model_letters(text: str) -> str | None:
    """The text in the letters of the setting perplexity; None where it has no such formula, or where that is not plain.

    >>> in_model_letters("PP(W) = exp(-(1/T) sum_{t=1}^T ln p(w_t | w_{<t}))")
    'PP = exp(-(1/N) sum_{t=1}^N ln p_t)'
    >>> in_model_letters("H_bits = H_nats / ln 2")
    'H_2 = CE / ln 2'
    """
    if _SUBJECT.search(text) is None:
        return None
    counts = {found for pattern in _COUNTS for one in pattern.finditer(text) for found in one.groups() if found}
    written, is_plain = _with_token_letters(text)
    if not is_plain or len(counts) > 1:
        return None
    if counts:
        (count,) = counts
        if _letter("N").search(written):
            return None
        written = _letter(count).sub("N", written)
    written = _VOCABULARY.sub("V", _NATS.sub("CE", _BITS.sub("H_2", written)))
    written = _without_losses(written)
    return _RANGE.sub(_as_condition, written)


def _with_token_letters(text: str) -> tuple[str, bool]:
    """The text with p_t for the probability of a token, and whether everything in its place was understood."""
    plain = True

    def put(found: re.Match[str]) -> str:
        nonlocal plain
        history = found["history"] or ""
        plain = plain and not _HISTORY.sub("", history).strip(" ,…;")
        return f"p_{found['braced'] or found['index']}"

    written = _OF_TEXT.sub(lambda found: found["name"], text)
    written = _TOKEN.sub(put, written)
    return _JOINT.sub(r"(\\prod_i p_i)", written), plain


def _letter(name: str) -> re.Pattern[str]:
    """A letter that stands by itself, or as an exponent or index."""
    return re.compile(rf"(?<![A-Za-z\\]){name}(?![A-Za-z_]|['’])")


def _without_losses(text: str) -> str:
    """The text with −log p_t for ℓ_t, where it says that this is what ℓ_t is."""
    found = _LOSS_OF_TOKEN.search(text)
    if found is None:
        return text
    rest = text[: found.start()] + text[found.end() :]
    name = re.escape(found["name"])
    return re.sub(rf"{name}_\{{?({_INDEX})\}}?", r"(-log(p_\1))", rest)


def _as_condition(found: re.Match[str]) -> str:
    """For all t, where the range says so; nothing behind a sum, whose bounds it says again."""
    before = found.string[: found.start()]
    is_given = re.search(r"p_\{?\w\}?\s*(?:=|≥|≤|<|>|\\[lg]eq?)\s*[^,]*$", before) is not None
    has_sum = re.search(r"\\sum|Σ|∑|\bsum\b|\\prod|∏", before) is not None
    return f" for all {found['index']}" if is_given and not has_sum else ""
