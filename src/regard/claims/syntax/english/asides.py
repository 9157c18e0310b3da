"""What a sentence says beside its claim: reasons, remarks in brackets, words that only lead on.

    tr(ABC) = tr(BAC), since the trace does not care about the order     the reason is not judged
    softmax([a, b])_1 = σ(a − b), where σ is the logistic sigmoid        σ is that anyway

A remark that may be a condition stays, as one: f(x) > 0 (x ≠ 0) holds where x ≠ 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.english.patterns import END, SYMBOL, SYMBOLS, WORD, phrase


def mark_sentences(text: str) -> str:
    """The text with a semicolon for every full stop before another sentence, whatever that begins with.

    >>> mark_sentences("Let P be n×n. PQ = QP, i.e. they commute. Then x = 1.")
    'Let P be n×n; PQ = QP, that is, they commute; Then x = 1.'
    >>> mark_sentences("q and k are i.i.d. N(0, 1)")
    'q and k are iid N(0, 1)'
    """
    for pattern, words in _ABBREVIATIONS:
        text = pattern.sub(words, text)
    return _FULL_STOP.sub(";", text)


_ABBREVIATIONS = (
    (re.compile(r"\bi\.\s?e\.,?"), "that is,"),
    (re.compile(r"\bw\.\s?r\.\s?t\."), "wrt"),
    (re.compile(r"\be\.\s?g\.,?"), "for example"),
    (re.compile(r"\bi\.\s?i\.\s?d\.?(?=[\s,;:)])"), "iid"),
    (re.compile(r"\bs\.\s?t\.(?=\s)"), "such that"),
    (re.compile(r"\b[Ww]\.?\s?l\.?\s?o\.?\s?g\.?,?\s+"), ""),
    (re.compile(r"(?<=\d)\s?\.\.\s?(?=[\w$\\])"), ", …, "),  # i = 1..n
)
_FULL_STOP = re.compile(r"(?<=[^\s.])\.(?=\s+[A-ZΑ-Ωα-ω$\\(‖∂∇Σ½])|(?<=[^\s.])\.(?=\s+[a-z](?:_\w+)?\s*[=<>≤≥≈→~∼∈])")


def give_context(text: str) -> str:
    """The text with `suppose` before every formula that a later sentence concludes from: A. Then B.

    >>> give_context("A^T A = I; Then ‖A x‖ = ‖x‖.")
    'suppose A^T A = I; Then ‖A x‖ = ‖x‖.'
    >>> give_context("A = B; C = D")
    'A = B; C = D'
    """
    return _suppose(text, lambda sentence: _FORMULA.match(sentence) is not None)


def give_sentences(text: str) -> str:
    """The text with `suppose` before sentences in words, too, once all that can be read of them is in signs."""
    return _suppose(text, lambda sentence: _OPENED.match(sentence) is None)


def _suppose(text: str, is_stated: Callable[[str], bool]) -> str:
    sentences = text.split("; ")
    last = next((i for i, one in enumerate(sentences) if i > 0 and _CONCLUSION.match(one)), None)
    if last is None or any(one.count("(") != one.count(")") for one in sentences):
        return text
    given = [f"suppose {one}" if is_stated(one) else one for one in sentences[:last]]
    return "; ".join(given + sentences[last:])


_CONCLUSION = phrase(
    r"\s*(?:[Tt]hen|[Ss]o|[Hh]ence|[Tt]hus|[Tt]herefore|[Cc]onsequently|[Ii]t follows|[Ii]n that case)\b(?! if\b)"
)
_FORMULA = re.compile(r"\s*(?:[^\sA-Za-z]|[A-Za-z](?![a-z]|\s+[a-z]{2}))")
"""A sentence that begins with a formula."""
_OPENED = phrase(
    r"\s*(?:[Ll]et|[Ss]uppose|[Aa]ssum|[Cc]onsider|[Tt]ake|[Ff]ix|[Cc]hoose|[Gg]iven|[Ww]ith|[Ff]or|[Ii]f|[Ww]hen|[Ww]here|"
    r"[Dd]efine|[Dd]enote|[Ww]rite|[Aa]s|[Ss]et|[Pp]ick|[Tt]here|[Ii]n|[Oo]n|[Uu]nder|[Ss]how|[Pp]rove|[Cc]laim)"
)


def drop_reasons(text: str) -> str:
    """The text without a reason in words, and without the name of a theorem that gives one.

    >>> drop_reasons("tr(AB) = tr(BA), since the trace does not care about the order.")
    'tr(AB) = tr(BA).'
    >>> drop_reasons("|x^T y| <= ||x|| ||y|| by Cauchy-Schwarz")
    '|x^T y| <= ||x|| ||y||'
    """
    for pattern in _REASONS:
        text = pattern.sub("", text)
    return text


_NAME = r"[A-Z][a-zéö'’]{3,}"
_THEOREM = (
    rf"(?:the )?(?:{_NAME}|AM)(?:(?:'s|’s)?[\s–-]+(?:{_NAME}|GM|inequality|theorem|lemma|rule|identity|formula|"
    rf"law))*"
    r"|(?:the )?(?:symmetry|linearity|definition|construction|cyclicity|concavity|convexity|independence|orthogonality)"
    rf"(?: of (?:the )?{WORD})?"
)
_PLAIN = r"[^\s.;,:=<>≤≥≈→~∼()]+"
"""A word or a letter, in one way only: what can be read in two ways takes forever to be refused."""
_REASONS = (
    phrase(rf"(?:\s*[,;—–-])? (?:since|because) (?:{_PLAIN} ){{2,}}{WORD}(?=\s*(?:[.;]\s*$|$|[.;]\s|⇒))"),
    phrase(rf"(?:\s*,)? (?:by|from|using|via|due to) (?:{_THEOREM})(?!\s*[=<>≤≥~({{\[]){END}"),
    phrase(rf" \((?:by )?(?:{_THEOREM})(?:\s*[,;:][A-Za-zé'’\s–-]+)?\)"),
)


def settle_remarks(text: str) -> str:
    """The text without remarks in brackets that change nothing; a condition in brackets is said outside of them.

    >>> settle_remarks("the keys are orthogonal (not necessarily of the same length) and n = 2")
    'the keys are orthogonal and n = 2'
    >>> settle_remarks("x^T A x > 0 (x ≠ 0).")
    'x^T A x > 0, where x ≠ 0.'
    >>> settle_remarks("q = μ_a ⇒ μ_a^T q = 1 (orthonormal μ_i)")
    'q = μ_a ⇒ μ_a^T q = 1, with orthonormal μ_i'
    """
    text = _FIXED.sub(
        lambda found: f", with fixed {found['one'] or found['other'] or found['several']}", _IDLE_REMARK.sub("", text)
    )
    text = _PROPERTY_REMARK.sub(r", with \g<said>", text)
    text = _CONDITION_REMARK.sub(r", where \g<said>\g<after>", text)
    return _INDEX_REMARK.sub(r"\g<rest>, where \g<said>", text)


_IDLE_REMARK = phrase(
    r" \((?:not necessarily|possibly|strictly|always|exactly|in general|as usual|say|for any|here|so|no bias|no biases|"
    r"element-?wise|componentwise|natural log(?:arithm)?s?|in nats|nats|"
    rf"{SYMBOL} (?:does not have|need not|may|can) )(?:[^()=<>≤≥~]*)\)"
)
_FIXED = phrase(
    rf"\s*,? (?:with|for|and) (?:a )?(?:fixed (?P<one>{SYMBOL})|(?P<other>{SYMBOL}) (?:held |kept )?fixed){END}"
    rf"| \((?P<several>{SYMBOLS}) (?:held |kept |is |are )?fixed\)"
)
_SIGN = r"(?:=|<|>|≤|≥|≠|<=|>=|!=|∈|\\(?:ne|neq|le|leq|ge|geq|in)\b)"
_CONDITION_REMARK = phrase(
    rf"(?<=\S) \((?P<said>{SYMBOLS}\s*{_SIGN}\s*[^\s()]+(?:\s*,\s*{SYMBOL}\s*{_SIGN}\s*[^\s()]+)*)\)(?P<after>[.;,]|$)"
)
_PROPERTY_REMARK = phrase(
    rf" \((?:with )?(?P<said>(?:orthonormal|orthogonal|symmetric|invertible|unit) {SYMBOLS})\)(?=[.;,]|$)"
)
_INDEX_REMARK = phrase(r" \((?P<said>\$?[a-l]\s*(?:≠|\\neq?)\s*[a-l]\$?)\)(?P<rest> [^.;()]+)(?=[.;]|$)")


def drop_common_knowledge(text: str) -> str:
    """The text without what a letter is anyway: σ the logistic sigmoid, log the natural logarithm, x a row.

    >>> drop_common_knowledge("softmax([a, b])_1 = σ(a − b), where σ is the logistic sigmoid.")
    'softmax([a, b])_1 = σ(a − b).'
    """
    for pattern in _KNOWN:
        text = pattern.sub("", text)
    return re.sub(r"^\s*,\s*", "", text)


_SIGMA = r"\$?(?:σ|\\sigma)(?:\(\w\))?\$?"
_SIGMOID = r"(?:the )?(?:logistic )?(?:sigmoid(?: function| activation)?|logistic(?: function)?)"
_LOG = r"natural log(?:arithm)?"
_KNOWN = (
    phrase(rf"(?:\s*,)? (?:where|with|and) {_SIGMA}\s*(?:is|being|denotes|=|denoting)? {_SIGMOID}{END}"),
    phrase(rf"(?:\s*,)? (?:where|with) (?:the )?{_SIGMOID} {_SIGMA}{END}| \({_SIGMA}\s*(?:=|is|:)?\s*{_SIGMOID}\)"),
    phrase(rf"(?:\s*,)? (?:where|with) {_SIGMA} is applied element-?wise{END}"),
    phrase(rf"(?:\s*,)? (?:where|with|and) (?:log|ln|\\log) (?:is|denotes|being) (?:the )?{_LOG}{END}"),
    phrase(rf"(?:\s*,)? (?:with|using|in) {_LOG}s{END}"),
    phrase(rf"(?:^|(?<=[;.]\s))[Ww]ith (?:{_LOG}s|row vectors|column vectors), "),
    phrase(rf"(?:\s*,)? (?:with|where|for) (?:{SYMBOLS} )?(?:are )?(?:as )?(?:row|column) vectors(?: {SYMBOLS})?{END}"),
    phrase(
        rf" (?:on|over) (?:all of )?(?:the same )?(?:(?:finite|common) )*(?:set|alphabet|support|space|outcomes){END}"
    ),
    phrase(rf" of (?:the same|equal|matching|compatible) (?:sizes?|shapes?|dimensions?|order){END}"),
    phrase(rf"(?<=[\w)\]'′}}]) be the (?:upstream|incoming|usual|corresponding|ordinary)(?: {WORD}){{1,3}}(?=[;.,])"),
)


def settle_lead_ins(text: str) -> str:
    """The text without words that only lead on, wherever they stand: we get, it holds that, one has.

    >>> settle_lead_ins("For the sigmoid we have σ(0) = 1/2, that is, 2σ(0) = 1")
    'σ(0) = 1/2; 2σ(0) = 1'
    """
    text = _ANOTHER_FORM.sub("; ", _OF_FUNCTION.sub("", text))
    return _LEAD_ON.sub("", text)


_OF_FUNCTION = phrase(
    r"(?:^|(?<=;\s))(?:[Ff]or|[Oo]f) (?:the )?(?:logistic )?(?:sigmoid|softmax|tanh)(?: function)?,? (?:we|one|it) "
    r"(?:have|has|get|gets|holds that) "
)
_ANOTHER_FORM = phrase(
    r"\s*[,;]? (?:that is|in other words|more precisely|(?:or )?equivalently|namely), |"
    r"\s*, (?:more precisely|equivalently) (?=\S*[^\sA-Za-z])"
)
_LEAD_ON = phrase(
    r"(?<=[,;]) (?:then )?(?:we|one|you) (?:gets?|obtains?|have|has|finds?|sees?)(?: that)?(?=\s)|"
    r"(?<=[Tt]hen) (?:we|one|it) (?:gets?|obtains?|have|has|finds?|holds)(?: that)?(?=\s)"
)

REWRITERS: tuple[Callable[[str], str], ...] = (
    mark_sentences,
    give_context,
    drop_reasons,
    settle_remarks,
    drop_common_knowledge,
    settle_lead_ins,
)
