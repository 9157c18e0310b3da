"""How many parameters a network has, said in words: each description is a row of layer sizes, and the count is plain.

A network with d inputs, one hidden layer of h units and k outputs, with biases, has dh + h + hk + k parameters
    d h + h k + (h) + (k) = dh + h + hk + k

What is described must be understood as a whole: any word that is left over leaves the sentence as it is. Without a
word on biases, only a count of *weights* is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

_S = r"\$?(?P<{0}>\d+|(?:n|d|m)_\{{?[a-z]+\}}?|[A-Za-z](?:_\{{?\w\}}?|[₀-₉])?)\$?"
_UNITS = r"(?:hidden )?(?:units?|neurons?|nodes?|cells?)"
_INPUT = (
    rf"{_S.format('input')}(?:-dimensional)? inputs?(?: (?:units?|neurons?|nodes?|features?))?(?![a-z])"
    rf"|inputs? (?:of )?(?:dimension|size|width) {_S.format('input2')}(?![a-z])"
    rf"|{_S.format('input3')}(?:-dimensional)? (?:input )?features?(?![a-z])"
    rf"|(?:an? )?input layer (?:of|with) (?:size )?{_S.format('input4')}(?: {_UNITS})?(?![a-z])"
)
_OUTPUT = (
    rf"{_S.format('output')}(?:-dimensional)? (?:outputs?(?: (?:units?|neurons?|nodes?|classes))?|classes)(?![a-z])"
    rf"|outputs? (?:of )?(?:dimension|size|width) {_S.format('output2')}(?![a-z])"
    rf"|(?:an? )?output layer (?:of|with) (?:size )?{_S.format('output3')}(?: {_UNITS})?(?![a-z])"
)
_HIDDEN = (
    rf"(?:two|2) hidden layers (?:of|with) (?:size )?{_S.format('each')}(?: {_UNITS})? each"
    rf"|(?:two )?hidden layers (?:of|with) (?:sizes? )?{_S.format('first')} and {_S.format('second')}"
    rf"(?: {_UNITS})?(?![a-z])"
    rf"|(?:(?:one|a|an|a single|1) )?hidden layer (?:of|with|having) (?:(?:size|width|dimension) )?"
    rf"{_S.format('hidden')}(?: {_UNITS})?(?![a-z])"
    rf"|{_S.format('hidden2')} hidden (?:units?|neurons?|nodes?)(?: in (?:one|a|a single|the) hidden layer)?"
    rf"(?![a-z])|hidden (?:size|width|dimension) {_S.format('hidden3')}(?![a-z])"
)
_BETWEEN = (
    rf"(?:from|mapping|that maps|which maps|taking) {_S.format('input')}(?: (?:inputs?|units?|features?))? to "
    rf"{_S.format('output')}(?: (?:outputs?|units?|classes))?(?![a-z])"
)
_LAYERS = r" (?:(?:in|on|at|for|to|of) )?(?:both|all|each|every|the two|its) (?:of the )?(?:layers?|units?)"
_WITH_BIAS = (
    r"(?:(?:including|counting|with|and|plus) )*(?:all |the |an? )*bias(?:es| terms?| vectors?| units?)?"
    rf"(?: (?:are )?(?:included|counted))?(?:{_LAYERS}| (?:on|for|per) (?:every|each) (?:unit|output))?"
    r"(?: everywhere)?(?![a-z])"
)
_WITHOUT_BIAS = (
    r"(?:and |but )?(?:without|(?:with )?no|ignoring|excluding|not counting|leaving out) (?:any |the |an? )?"
    rf"bias(?:es| terms?| vectors?| units?)?(?:{_LAYERS})?(?: anywhere)?(?![a-z])"
)
_FILLER = re.compile(
    r"\b(?:an?|the|fully|densely|connected|feed-?\s?forward|neural|network|net|mlp|multi-?layer|"
    r"perceptron|with|and|of|has|"
    r"having|for|in|dense|linear|affine|layer|one-hidden-layer|two-layer|single|one|simple|plain|standard|"
    r"classifier|softmax|"
    r"logistic|regression|model|there are|which|that|whose|consider|take)\b|[,\s.:()$]",
    re.IGNORECASE,
)
_COUNT = r"(?P<count>[^,;:=<>≤≥]+?(?:\s*=\s*\d+)?)"
_KIND = r"(?:(?:trainable|learnable|free|scalar|adjustable|model) )*(?P<kind>parameters|weights)"
_SENTENCES = (
    re.compile(
        rf"^(?P<what>.+?),? (?:has|have|contains?|needs?) (?:exactly |a total of |altogether |in total )?{_COUNT} "
        rf"{_KIND}(?: (?:in total|altogether|overall))?(?P<rest>(?:,? [a-z ]*bias[a-z ]*)?)\s*\.?\s*$"
    ),
    re.compile(
        rf"^(?P<what>.+?),? (?:the |has a )?(?:total )?number of {_KIND}(?P<rest>(?:,?\s*\(?[a-z ]*bias[a-z ]*\)?,?)?) "
        rf"(?:is|equals|=|of) (?:exactly )?{_COUNT}\s*\.?\s*$"
    ),
    re.compile(
        rf"^(?:[Tt]he )?(?:total )?number of {_KIND} (?:of|in) (?P<what>.+?) (?:is|equals|=) (?:exactly )?{_COUNT}"
        r"(?P<rest>(?:,? [a-z ]*bias[a-z ]*)?)\s*\.?\s*$"
    ),
)


@dataclass
class _Layers:
    """The sizes of a network, from its inputs to its outputs, and whether it has biases."""

    sizes: list[str] = field(default_factory=list)
    has_bias: bool | None = None

    def count(self, kind: str) -> str | None:
        """The count as a formula; None where biases are not spoken of and might be counted."""
        if self.has_bias is None and kind == "parameters":
            return None
        terms = [f"({a})*({b})" for a, b in zip(self.sizes, self.sizes[1:], strict=False)]
        if self.has_bias and kind == "parameters":
            terms += [f"({size})" for size in self.sizes[1:]]
        return " + ".join(terms)


_TABLE = re.compile(
    r"^(?:[Aa]n? |[Tt]he )?(?:word )?embedding (?:table|matrix|layer) (?:for|of|with|over) (?:a "
    r"vocabulary of )?(?P<words>[A-Z]|\d+)(?: (?:words|tokens))?"
    r"(?:,? (?:and|with|in|of))?(?: vectors of)?(?: (?:dimension|size|width))? (?P<width>[a-z]|\d+)(?:[- "
    r"]dimension(?:s|al)(?: vectors)?| dimensions)? has (?P<count>[^,;:=]+?) (?:trainable )?(?:parameters|"
    r"entries|weights)\s*\.?\s*$"
)
_WORDS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "ten": "10", "a single": "1"}


def count_parameters(text: str) -> str:
    """A sentence on the number of parameters of a network as an equation; any other text as it is.

    >>> count_parameters("A network with d inputs, 7 hidden units and k outputs has 7d + 7k weights.")
    '(d)*(7) + (7)*(k) = 7d + 7k'
    """
    table = _TABLE.match(text)
    if table is not None:
        return f"({table['words']})*({table['width']}) = {table['count']}"
    written = re.sub(
        r"(?<![A-Za-z])(?P<word>one|two|three|four|five|ten|a single) (?=(?:inputs?|outputs?|hidden "
        r"units?|classes)(?![a-z]))",
        lambda found: f"{_WORDS[found['word']]} ",
        text,
    )
    for sentence in _SENTENCES:
        found = sentence.match(written)
        if found is None or re.search(r"[A-Za-z]{4,}", found["count"]):
            continue
        layers = _read_layers(f"{found['what']} {found['rest']}")
        count = layers.count(found["kind"]) if layers is not None else None
        if count is not None:
            return f"{count} = {found['count'].strip()}"
    return text


def _read_layers(text: str) -> _Layers | None:
    """What a description says; None where a word of it is not understood, or inputs or outputs are missing."""
    layers, parts = _Layers(), {}
    for name, pattern in (("none", _WITHOUT_BIAS), ("bias", _WITH_BIAS), ("hidden", _HIDDEN)):
        text, sizes = _take(pattern, text)
        parts[name] = sizes
    between: list[str] | None = None
    if not parts["hidden"]:
        text, between = _take(_BETWEEN, text)
    text, inputs = _take(_INPUT, text)
    text, outputs = _take(_OUTPUT, text)
    if parts["none"] is not None and parts["bias"] is not None:
        return None
    layers.has_bias = True if parts["bias"] is not None else False if parts["none"] is not None else None
    layers.sizes = between or [*(inputs or []), *(parts["hidden"] or []), *(outputs or [])]
    is_whole = bool(between) or (len(inputs or []) == 1 and len(outputs or []) == 1)
    return layers if is_whole and not _FILLER.sub("", text) else None


def _take(pattern: str, text: str) -> tuple[str, list[str] | None]:
    """The text without the first match of a pattern, and the sizes in it; None where there is no match."""
    found = re.search(rf"(?<![A-Za-z])(?:{pattern})", text)
    if found is None:
        return text, None
    sizes = [value for value in found.groups() if value]
    if "each" in found.groupdict() and found["each"]:
        sizes = [found["each"], found["each"]]
    return text[: found.start()] + " " + text[found.end() :], sizes


_LETTER = r"(?:\\hat\s*\{?[a-z]\}?|[A-Za-z]\u0302?|ŷ|Ŷ|\\ell|ℓ)(?:_\w)?"
_PREDICTION = re.compile(rf"(?P<letter>{_LETTER})\$?\s*=\s*\$?\\?(?:mathrm\{{|text\{{|operatorname\{{)?softmax")
_LOSS_NOUN = r"(?:the )?(?:average |usual |softmax |categorical )?cross[-\s]entropy(?: (?:loss|error|cost))?"
_TARGET = (
    r"(?: (?:loss )?(?:with|for|against|to|and|given|from) (?:an? |the )?(?:one-hot )?"
    r"(?:(?:target|label|true|correct|reference)s?(?: (?:distribution|vector|label))? "
    r")?\$?(?P<target>[a-z])\$?(?![A-Za-z_]))"
)
_OF_BOTH = (
    rf"(?: (?:of|between) \$?(?P<one>{_LETTER})\$? (?:and|against|to|with respect to) "
    rf"\$?(?P<other>{_LETTER})\$?(?![A-Za-z]))"
)
_LOSS = (
    re.compile(
        rf"(?<![A-Za-z\\])(?P<loss>[JL]|ℓ|\\ell|E)\$? (?:is |be |denotes? |"
        rf"=\s*)?(?:{_LOSS_NOUN})(?:{_OF_BOTH}|{_TARGET})?(?![A-Za-z(])"
    ),
    re.compile(rf"(?:{_LOSS_NOUN}) \$?(?P<loss>[JL]|ℓ|\\ell)(?![A-Za-z_(])\$?(?:{_OF_BOTH}|{_TARGET})?(?![A-Za-z(])"),
)
"""L is the cross-entropy with target y; the cross-entropy loss L against y."""


def write_losses(text: str) -> str:
    """`L is the cross-entropy with target y` as L = −Σ y_i log ŷ_i, for the prediction that the text has as a softmax.

    >>> write_losses("Let p = softmax(z) and let L be the cross-entropy with target y.")
    'Let p = softmax(z) and let L = -sum_i y_i log p_i.'
    """
    predictions = {found["letter"] for found in _PREDICTION.finditer(text)}

    def write(found: re.Match[str]) -> str:
        letters = [one for one in (found["one"], found["other"]) if one]
        prediction = next((one for one in letters if one in predictions), None)
        target = found["target"] or next((one for one in letters if one != prediction), "y")
        if prediction is None and not letters and len(predictions) == 1:
            prediction = next(iter(predictions))
        has_target = re.search(rf"(?<![A-Za-z\\]){target}(?![A-Za-z])", text) is not None
        if prediction is None or not has_target or target == prediction or not prediction[-1:].isalpha():
            return found[0]
        return f"{found['loss']} = -sum_i {target}_i log {prediction}_i"

    for pattern in _LOSS:
        text = pattern.sub(write, text)
    return text


_NOTHING = re.compile(
    r"(?:all |the )*(?:weights and (?:the )?biases|parameters|weights|biases) (?:are|is) (?:all "
    r")?(?:(?:initiali[sz]ed|set|equal) to )?"
    r"(?:zero|0)(?: in)?(?=[\s,])"
)


def start_from_zero(text: str) -> str:
    """`All weights and biases are zero in h = …` as W_1 = 0, …, for the letters that the text has.

    >>> start_from_zero("Suppose all weights are zero in h = tanh(xW_1), with y one-hot.")
    'Suppose W_1 = 0, h = tanh(xW_1), with y one-hot.'
    """
    found = _NOTHING.search(text)
    kinds = "" if found is None else ("W" if "weights" in found[0] or "parameters" in found[0] else "")
    kinds += "" if found is None else ("b" if "biases" in found[0] or "parameters" in found[0] else "")
    letters = sorted(set(re.findall(rf"(?<![A-Za-z])[a-z]?([{kinds}]_\d)", text))) if kinds else []
    if found is None or not letters:
        return text
    given = ", ".join(f"{letter} = 0" for letter in letters)
    return text[: found.start()] + f"{given}," + text[found.end() :]


_UPSTREAM = re.compile(
    r"(?:let |write |with |and )?\$?(?P<gradient>[gδuG]|\\delta)\$?\s*(?:=|:=|be|denote|for)\s*\$?(?:∂|"
    r"\\partial\s*)(?P<loss>[JLE]|ℓ)\s*/\s*"
    r"(?:∂|\\partial\s*)(?P<of>[a-z])(?![A-Za-z_])\$?(?:\s*,?\s*(?:be|is|denotes|for)?\s*(?:the "
    r")?(?:upstream|incoming|backpropagated)"
    r" (?:gradient|error))?(?=\s*[.,;]| (?:and|be|for|is)\b|$)"
)


def write_upstream(text: str) -> str:
    """`g = ∂L/∂p` of a loss that is not said: to first order any loss is gᵀ p with a constant g.

    >>> write_upstream("Let p = softmax(z) and let g = ∂L/∂p be the upstream gradient. Then ∂L/∂z = g")
    'Let p = softmax(z) and L = g^T p. Then ∂L/∂z = g'
    """
    found = _UPSTREAM.search(text)
    if found is None or re.search(rf"(?<![∂A-Za-z\\]){found['loss']}\s*(?:=|\()", text):
        return text
    before = text[: found.start()]
    lead = "Let " if not before.strip() else "and " if not before.rstrip().endswith((",", "and", "Let", "let")) else ""
    stated = f"{lead}{found['loss']} = {found['gradient']}^T {found['of']}"
    if re.search(r"(?<![A-Za-z])[a-z]\s*W", text):  # rows
        stated = f"{lead}{found['loss']} = {found['gradient']} {found['of']}^T"
    return before + stated + text[found.end() :]


_ROWS = re.compile(
    r"(?:,\s*)?(?:(?:[Ww]ith|[Uu]sing|for|where|in) )?(?:the )?(?:(?:\$?[a-zŷ]\$?(?:\s*,\s*| and "
    r"))*\$?[a-zŷ]\$? (?:are |as |being )?)?"
    r"(?:all )?(?P<kind>row|column)[\s-]vectors?(?: (?:convention|notation|throughout))?"
    r"(?: (?:\$?[a-zŷ]\$?(?![A-Za-z_])(?:\s*,\s*(?=\$?[a-zŷ]\$?(?![A-Za-z_]))| and "
    r"(?=[a-zŷ]\$?(?![A-Za-z_])))?)+)?(?P<end>\s*,|(?=\s*[.;])| and\b|\s*$)"
)


def drop_layouts(text: str) -> str:
    """`With row vectors` where xW says so itself, and `with column vectors` where Wx does.

    >>> drop_layouts("With row vectors, h = tanh(xW + b)")
    'h = tanh(xW + b)'
    """

    if re.search(r"(?<![A-Za-z])x\s*W", text):
        text = re.sub(r"(?<=x) (?:∈|\\in) (?:ℝ|R|\\mathbb\{R\})\^\{1\s*(?:×|\\times)\s*\w\}\s*,", ",", text)
        text = re.sub(r"(?<![A-Za-z])(?:[Cc]onsider|[Ll]et) x, ", "Let ", text)

    def drop(found: re.Match[str]) -> str:
        has_rows = re.search(r"(?<![A-Za-z])[a-z]\s*W(?:_\w|[₀-₉])?", text) is not None
        has_columns = re.search(r"W(?:_\w|[₀-₉])?\s*[a-z](?![A-Za-z])", text) is not None
        fits = has_rows and not has_columns if found["kind"] == "row" else has_columns and not has_rows
        if not fits:
            return found[0]
        end = found["end"].strip()
        return " and" if end == "and" and found.start() else "," if end == "," and found.start() else ""

    return _ROWS.sub(drop, text).lstrip() if _ROWS.search(text) else text


REWRITERS: tuple[Callable[[str], str], ...] = (
    count_parameters,
    drop_layouts,
    start_from_zero,
    write_losses,
    write_upstream,
)
