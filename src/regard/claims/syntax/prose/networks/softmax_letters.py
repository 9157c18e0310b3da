"""Letters of softmax and losses: what logits, temperatures, predictions and the loss are called in a text."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.phrases import LOGITS, LOSS, PREDICTION, TEMPERATURE
from regard.claims.syntax.prose.signs import letters_of

_ARGUMENT = re.compile(
    r"softmax\}?\s*(?:\\left)?\(\s*(?:[βγtCcλκ]|\\[a-z]+)?\s*(?:\*|·|\\cdot)?\s*(?P<letter>[zxsuvabhθ]|\\theta)\s*(?:/\s*(?:[TτtB]|\\tau))?"
    r"\s*(?:\\right)?\)|(?:softmax|LSE|logsumexp)\}?\s*\(\s*(?P<other>[A-Za-zα-ω]|\\[a-z]+)\s*\)"
)
"""softmax(z), softmax(z/T), softmax(βz): what the logits are called."""


_CALLED = re.compile(
    r"(?:logits|scores|inputs)\s+\$?(?:vector\s+)?(?P<letter>[zxsuvabhθ]|\\theta)\$?\s*(?:=|∈|\\in(?![a-z])|,|are\b|of\b)(?P<other>)"
)
"""The logits z = (1, 2): a letter beside the noun."""
_HAS_LOGITS = re.compile(
    r"softmax|soft-max|logit|log-?sum-?exp|\blse\b|scores?|cross.entropy|\bce\b|smooth max|temperature", re.IGNORECASE
)


def name_logits(written: str, text: str) -> str:
    """The letter of softmax(x), if the text has one, for logits without a name.

    Raises: Unreadable where the text speaks of nothing that has logits.
    """
    if TEMPERATURE in written:
        written = written.replace(f"softmax({LOGITS})", f"softmax({LOGITS}/{TEMPERATURE})")
        written = written.replace(TEMPERATURE, "τ" if re.search(r"τ|\\tau", text) else "T")
    if LOGITS in written and not _HAS_LOGITS.search(text):
        raise Unreadable
    by = _DIFFERENTIATED.search(written) if LOGITS in written else None
    if by is not None:
        return written.replace(LOGITS, by["letter"] or by["second"])
    found = _ARGUMENT.search(text) or _ARGUMENT.search(written.replace(LOGITS, "")) or _CALLED.search(text)
    return written.replace(LOGITS, (found["letter"] or found["other"]) if found else "z")


_EXACT_PREDICTION = re.compile(r"Let (?:(?:ŷ|\\hat\s*\{?y\}?) = y|y = (?:ŷ|\\hat\s*\{?y\}?))\. ")
"""ŷ = y as something given, of a ŷ of which the text does not say that it is the softmax."""
_DIFFERENTIATED = re.compile(
    r"∂/∂(?P<letter>θ|\\theta|z|s)(?:_\w)? \((?=.*⟨logits⟩)|⟨logits⟩.*/∂(?P<second>θ|\\theta|z|s)²"
)
"""What a loss of logits without a letter is differentiated by, which are the logits."""
_PREDICTION = re.compile(
    r"(?P<name>ŷ|\\hat\s*\{?y\}?|\\mathbf\{p\}|p)\s*=\s*(?:\\mathrm\{|\\operatorname\{|\\text\{)?softmax\}?\s*\("
)


_DEFINED_LOSS = re.compile(r"Let (?P<name>[JLEC]|ℓ|\\ell|\\mathcal\s*\{[LJ]\})(?:\([^()=]*\))? = ")


_CROSS_ENTROPY = re.compile(r"[Cc]ross.[Ee]ntropy|(?<![A-Za-z])CE(?![A-Za-z])")
_BY_PREDICTION = re.compile(r"/\s*(?:ŷ|\\hat)|\}\s*\{\\hat")
_DERIVATIVES_OF_LOSS = re.compile(rf"∂/∂\S+ \({LOSS}\)|∂²\({LOSS}\)/∂")


def name_loss(written: str, text: str) -> str:
    """The loss by the letter that the text defines, as the cross-entropy of y, or as a loss L that may be any.

    Raises: Unreadable where the text says nothing of the loss, and it is not only differentiated.
    """
    if LOSS in written:
        own = _DEFINED_LOSS.search(written)
        has_target = "y" in letters_of([text])
        is_cross_entropy = _CROSS_ENTROPY.search(text) is not None
        if f"∂/∂{LOGITS} ({LOSS}" in written and _BY_PREDICTION.search(text):
            raise Unreadable  # −y/ŷ is the gradient by the prediction
        if not own and not has_target and len(_DERIVATIVES_OF_LOSS.findall(written)) != written.count(LOSS):
            raise Unreadable
        is_any = not has_target and not is_cross_entropy
        written = written.replace(LOSS, own["name"] if own else "L" if is_any else f"(-\\sum_i y_i log {PREDICTION}_i)")
        if not own and not is_any and not has_target:
            written = f"Let y is a distribution. {'' if written.startswith('Let ') else 'Then '}{written}"
    if PREDICTION not in written:
        return written
    found = _PREDICTION.search(text)
    if found is None:
        written = _EXACT_PREDICTION.sub(f"Let softmax({LOGITS}) = y. ", written)
    return written.replace(PREDICTION, found["name"] if found else f"softmax({LOGITS})")


_OUTPUT_BY_LOGIT = re.compile(
    r"(?:∂|\\partial)\s*(?:\\?log\s*)?(?P<output>[a-zα]|\\alpha|\\hat\s*\{?y\}?)_\{?\w\}?\s*(?:/|\}\s*\{)\s*(?:∂|\\partial)\s*(?P<logit>[a-zθ]|\\theta)_"
)
_OF_PROBABILITIES = re.compile(r"diag\}?\s*\(\s*(?P<output>[a-zα]|\\alpha)\s*\)|(?<![A-Za-z\\])(?P<other>p)_\{?\w")


def define_softmax(said: list[str], text: str) -> list[str]:
    """p = softmax(z), where a text about softmax writes p_i, or ∂p_i/∂z_j, and does not say what p is."""
    if not re.search(r"softmax", text, re.IGNORECASE) or re.search(r"softmax\}?\s*(?:\\left)?\(", text):
        return []
    everything = " ".join(said)
    found = _OUTPUT_BY_LOGIT.search(everything)
    name, logits = (found["output"], found["logit"]) if found is not None else ("", LOGITS)
    if found is None:
        other = _OF_PROBABILITIES.search(everything)
        name = (other["output"] or other["other"]) if other is not None else ""
    if not name or re.search(rf"(?<![A-Za-z\\]){re.escape(name)} (?:=|~|∼|is|∈)", everything):
        return []
    return [f"{name} = softmax({logits})"]


_MOVING_TEMPERATURE = re.compile(r"Let (?P<name>T|τ) → ")


def divide_by_temperature(written: str, text: str) -> str:
    """softmax(z/T), where a text sends a temperature to a limit that none of its letters is divided by."""
    found = _MOVING_TEMPERATURE.search(written)
    if found is None or "temperature" not in text.lower() or f"/{found['name']}" in written.replace(" ", ""):
        return written
    if "H(p)" in written and not re.search(r"(?<![A-Za-z])p(?![A-Za-z])|H\s*\(", text):
        logits = next((one for one in "zsxu" if not re.search(rf"(?<![A-Za-z]){one}(?![A-Za-z])", written)), "z")
        written = written.replace("H(p)", f"H(softmax({logits}))")  # the entropy of the distribution
    return re.sub(r"softmax\((\w)\)", rf"softmax(\1/{found['name']})", written)
