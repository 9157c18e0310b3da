"""The cross-entropy of one true class: logits z and correct class k, a one-hot target with its one at k."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.information.perplexity import TOKEN_LOSS
from regard.claims.syntax.prose.phrases import CROSS_ENTROPY, LOGITS, LOSS, PREDICTION, Clause, Thing

TRUE_CLASS = "⟨true class⟩"
"""Stands for the index whose probability the loss is of."""
_OWN_LOGITS, _OWN_PREDICTION = "⟨own logits⟩", "⟨own prediction⟩"

_CLASS = "class/label/index/position/target/answer/category label/index?"
_TRUE = "true/correct/target/right/gold/ground-truth/actual/observed"


_ANY_LOSS = rf"{LOSS}|{CROSS_ENTROPY}|{TOKEN_LOSS}|(?<![A-Za-z])CE(?![A-Za-z(_])"


_NAMED = re.compile(r"⟨loss ([^⟨⟩]+)⟩")
_LETTER_OF_LOSS = rf"(?:(?<=Then )|^){_NAMED.pattern}(?=\s*=)"


def _given(name: str, x: Thing) -> tuple[str, ...]:
    return (f"{name} = {x.signs}",)


RULES: tuple[Rule, ...] = (
    Rule("true_class", f"the/a? {_TRUE} {_CLASS} <sym>", lambda k: _given(TRUE_CLASS, k)),
    Rule("true_class", f"{_CLASS} <sym> being? the? {_TRUE} one", lambda k: _given(TRUE_CLASS, k)),
    Rule("true_class", f"the? {_TRUE} {_CLASS} is/being/be <sym>", lambda k: _given(TRUE_CLASS, k)),
    Rule(
        "true_class",
        f"<sym> is/be/being/denotes the? index? of? the? {_TRUE} {_CLASS}",
        lambda k: _given(TRUE_CLASS, k),
    ),
    Rule("true_class", f"{_CLASS} <sym> is the? {_TRUE} one/class?", lambda k: _given(TRUE_CLASS, k)),
    Rule("of_logits_z", "logits/logit/scores vector? <sym>", lambda z: _given(_OWN_LOGITS, z)),
    Rule("of_logits_z", "a/the vector of? logits/scores <sym>", lambda z: _given(_OWN_LOGITS, z)),
    Rule(
        "of_logits_z",
        "predicted/softmax/output/model? probabilities/prediction/predictions/probability/distribution vector? <sym>",
        lambda p: (*_given(_OWN_PREDICTION, p), f"{p.signs} is a distribution"),
    ),
    Rule("condition", "<true_class>", lambda given: Clause((), given)),
    Rule("condition", "<of_logits_z> ,? and? <true_class>", lambda a, b: Clause((), (*a, *b))),
    Rule("condition", "<true_class> ,? and? <of_logits_z>", lambda a, b: Clause((), (*a, *b))),
    Rule(
        "condition",
        "<true_class> ,? and <condition>",
        lambda a, b: Clause(b.claims, (*a, *b.given), b.subject, b.unread),
    ),
    Rule("condition", "the? logits <rel> and <true_class>", lambda rel, given: Clause((), (rel, *given))),
    Rule(
        "entity",
        f"a/the/any? one-hot {_TRUE}? target/label/vector/distribution/encoding? vector? <sym> <one_at>",
        lambda y, k: Thing(y.signs, (f"{y.signs} is onehot", f"{y.signs}_{k} = 1"), "distribution"),
    ),
    Rule("one_at", f"with/for/of the? {_TRUE} {_CLASS} <sym>", lambda k: k.signs),
    Rule("one_at", "with/for/of class/label <sym>", lambda k: k.signs),
    Rule(
        "one_at", "with a/the/its? single? one/1? at/in position/index/entry/place/component? <sym>", lambda k: k.signs
    ),
    Rule("one_at", "whose <sym> -th? entry/component is one", lambda k: k.signs),
    Rule("one_at", "for/of which class <sym> is? true/correct", lambda k: k.signs),
)


def name_true_class(written: str, text: str) -> str:
    """The loss as −log of the probability of the true class, by the letters that the text has for them.

    Raises: Unreadable where a class is named, and the loss may be that of several.
    """
    said, rest = _taken(TRUE_CLASS, written)
    logits, rest = _taken(_OWN_LOGITS, rest)
    prediction, rest = _taken(_OWN_PREDICTION, rest)
    if said is None:
        written = re.sub(rf"Let {_NAMED.pattern} =", r"Let \1 =", written)
        if _NAMED.search(written):
            raise Unreadable
        if logits is not None or prediction is not None:
            raise Unreadable
        return written
    if re.search(r"\b(?:mean|average|batch|examples|summed|smoothing|focal|squared|binary|hinge)\b", text):
        raise Unreadable
    found = f"(-log({PREDICTION}_{said}))"
    if prediction is not None:
        found = f"(-log({prediction}_{said}))"
    elif logits is not None and PREDICTION not in rest and not re.search(r"=\s*\S*softmax", text):
        found = f"(-log(softmax({logits})_{said}))"
    named = re.sub(_ANY_LOSS, lambda _: found, re.sub(_LETTER_OF_LOSS, lambda _: found, rest))
    if _NAMED.search(named):
        raise Unreadable
    if named == rest:
        raise Unreadable
    rest = named
    return rest.replace(LOGITS, logits) if logits is not None else rest


def _taken(name: str, written: str) -> tuple[str | None, str]:
    """What a letter is said to be, and the statement without that."""
    found = re.search(rf"Let {name} = (?P<letter>[^.⟨]+)\. (?:Then (?=[^.]*$))?", written)
    if found is None:
        return None, written
    rest = written.replace(f"Let {name} = {found['letter']}. ", "")
    return found["letter"].strip(), rest if rest.startswith("Let ") else rest.removeprefix("Then ")
