"""What becomes of something when its inputs are changed: doubling all values doubles the output.

A sentence names a change, a thing and an effect, each out of a list. The thing is written out twice, with the change
made and without, and the effect relates the two:

    adding the same vector u to every key changes the attention weights        weights of k_i + u ≠ weights of k_i
    replacing q by Rq and each k_i by Rk_i leaves all weights unchanged        weights of Rq and R k_i = weights
"""

from __future__ import annotations

import re
from collections.abc import Callable

_ALL = r"(?:every|each(?: of the)?|all(?: of)?(?: the)?|the)"
_WHAT = (
    rf"(?:{_ALL} )?(?P<what{{0}}>(?:softmax )?(?:logits?|scores?|inputs?)|keys?(?: (?:vectors?|k_i))?|"
    rf"values?(?: (?:vectors?|v_i))?|query(?: (?:vector|q))?|queries|q(?![A-Za-z])|z(?![A-Za-z])|temperature)"
)
_AMOUNT = (
    r"(?:the same|an?(?: (?:arbitrary|fixed|common|single))?|any|some|one) (?:constant|number|scalar|amount|"
    r"vector|shift)(?: \$?(?P<by{0}>[a-z])\$?(?![A-Za-z]))?|\$?(?P<sign{0}>[a-z])\$?"
)
_FACTOR = (
    r"(?:(?:an?|the same|any) (?:positive |common |constant )*(?:constant|factor|number|scalar)(?: (?:of "
    r")?)?)?\$?(?P<factor{0}>[A-Za-zα-ω]|[−-]?\d+(?:\.\d+)?|two|three|minus one)?\$?(?:\s*>\s*0)?(?![A-Za-z])"
)
_CHANGES: tuple[tuple[str, str], ...] = (
    (rf"(?:adding|we add|you add|shifting) (?:{_AMOUNT}) to {_WHAT}", "add"),
    (rf"subtracting (?:{_AMOUNT}) from {_WHAT}", "subtract"),
    (rf"shifting {_WHAT} by (?:{_AMOUNT})", "add"),
    (rf"(?:{_AMOUNT}) is added to {_WHAT}", "add"),
    (rf"{_WHAT} (?:is|are) (?:all )?shifted by (?:{_AMOUNT})", "add"),
    (rf"{_WHAT} (?:is|are) (?:all )?negated", "negate"),
    (rf"(?:multiplying|scaling|rescaling|we multiply|we scale) {_WHAT} (?:by|with) {_FACTOR}", "times"),
    (rf"{_WHAT} (?:is|are) (?:all )?(?:multiplied|scaled|rescaled) (?:by|with) {_FACTOR}", "times"),
    (rf"(?:dividing|we divide) {_WHAT} by {_FACTOR}", "divide"),
    (rf"{_WHAT} (?:is|are) (?:all )?divided by {_FACTOR}", "divide"),
    (rf"(?:doubling|we double) {_WHAT}", "twice"),
    (rf"{_WHAT} (?:is|are) doubled", "twice"),
    (rf"(?:halving|we halve) {_WHAT}", "half"),
    (
        rf"(?:flipping|reversing|changing|switching|we flip) the signs? of {_WHAT}|negating "
        rf"{_WHAT.replace('{0}', '{0}b')}",
        "negate",
    ),
    (
        r"(?:replacing|we replace|if we replace) (?P<old{0}>(?:each |every |all |the )?(?:query |keys? |"
        r"values? )?\$?[kqv](?:_i)?\$?) (?:by|with) \$?(?P<new{0}>[^\s,;]+(?:\s*[+−-]\s*[^\s,;]+)?)\$?",
        "replace",
    ),
    (
        r"(?P<old{0}>(?:each |every |the )?(?:query |key |value )?\$?[kqv](?:_i)?\$?) is replaced (?:by|"
        r"with) \$?(?P<new{0}>[^\s,;]+(?:\s*[+−-]\s*[^\s,;]+)?)\$?",
        "replace",
    ),
    (
        r"(?:and )(?P<old{0}>(?:each |every |all )?(?:query |key |value )?\$?[kqv](?:_i)?\$?) (?:by|with) "
        r"\$?(?P<new{0}>[^\s,;]+)\$?",
        "replace",
    ),
)
_THINGS: dict[str, str] = {
    r"(?:the |all |every |its )*softmax(?: (?:function|output|outputs|probabilities|probability(?: p_i)?|"
    r"distribution))?|(?:the )?(?:class |output )?probabilities(?: p_i)?|(?:the )?(?:output "
    r")?distribution": "softmax",
    r"(?:all |the |every |each |any )*(?:(?:of the )?attention )?weights?(?: α_i)?|(?:the )?attention "
    r"(?:distribution|pattern)": "weights",
    r"(?:the )?(?:attention )?output(?: (?:of (?:the )?attention|c|vector))?(?: for a given query)?|"
    r"(?:dot-product )?attention(?: output)?|the context vector": "output",
    r"(?:the )?(?:largest|maximal) (?:attention )?weight": "largest",
}
_NUMBERS = {"two": "2", "three": "3", "minus one": "-1", "itself": "1"}
_UNCHANGED = r"unchanged|the same|as (?:it is|they are)|unaffected|invariant|alone"
_EFFECTS: tuple[tuple[str, str], ...] = (
    (
        r"(?:does not|doesn't|do not|never|will not|cannot) (?:change|affect|alter|influence|modify)s? "
        r"{thing}(?: at all)?",
        "{after} = {before}",
    ),
    (rf"(?:leaves|leave|keeps|keep) {{thing}} (?:{_UNCHANGED})", "{after} = {before}"),
    (r"has no (?:effect|influence) on {thing}", "{after} = {before}"),
    (r"(?:makes no difference (?:to|for)) {thing}", "{after} = {before}"),
    (r"(?:changes|alters|affects|modifies) {thing}", "{after} ≠ {before}"),
    (r"doubles {thing}", "{after} = 2 ({before})"),
    (r"halves {thing}", "{after} = ({before})/2"),
    (
        r"(?:multiplies|scales) {thing} by (?:the same (?:factor|constant|number)|(?P<x>\S+))",
        "{after} = ({x}) ({before})",
    ),
    (r"divides {thing} by (?P<x>\S+)", "{after} = ({before})/({x})"),
    (r"squares {thing}", "{after} = ({before})^2"),
    (
        r"(?:adds|shifts) (?:the same (?:vector|constant|number)|(?P<x>\S+)) to {thing}|shifts {thing2} "
        r"by (?:the same (?:vector|constant|amount)|(?P<y>\S+))",
        "{after} = {before} + {x}",
    ),
    (r"(?:turns|transforms|changes) {thing} (?:p_i )?into (?P<x>[^,;.]+?)", "{after} = {x}"),
    (r"(?:flips|reverses|negates) (?:the sign of )?{thing}", "{after} = -({before})"),
)
_PASSIVE: tuple[tuple[str, str], ...] = (
    (rf"{{thing}} (?:is|are|stays?|remains?) (?:{_UNCHANGED}|not (?:affected|changed))", "{after} = {before}"),
    (r"{thing} (?:does|do) not change", "{after} = {before}"),
    (r"{thing} (?:changes?|is (?:changed|affected)|are (?:changed|affected))", "{after} ≠ {before}"),
    (r"{thing} (?:is|are) (?:doubled|multiplied by (?:two|2))|{thing2} doubles?", "{after} = 2 ({before})"),
    (
        r"{thing} (?:is|are) multiplied by (?:the same (?:factor|constant|number)|(?P<x>\S+))",
        "{after} = ({x}) ({before})",
    ),
    (
        r"{thing} (?:is|are) shifted by (?:the same (?:vector|constant|amount)|(?P<x>\S+))",
        "{after} = {before} + {x}",
    ),
    (r"{thing} (?:is|are) (?:squared)", "{after} = ({before})^2"),
)
_THING = "|".join(_THINGS)
_LEAD = re.compile(r"^(?:for (?:every|any|all|an?) orthogonal matrix (?P<rotation>[A-Z]),? )", re.IGNORECASE)
_MANY = re.compile(r",? (?:also |even )?(?:when|if|for|with) (?:there are )?(?:three|3) or more classes$")
_REORDER = re.compile(
    r"^(?:if )?(?:we )?(?:reorder(?:ing)?|permut(?:e|ing)|shuffl(?:e|ing)) (?:the )?keys and "
    r"(?:(?:reorder(?:ing)? |permut(?:e|ing) )?(?:the )?)?values (?:in the same way|by the same "
    r"permutation|alike|together|jointly|simultaneously|consistently)",
    re.IGNORECASE,
)


def state_changes(text: str) -> str:
    """A sentence about a change and its effect as an equation; any other text as it is.

    >>> state_changes("Adding the same vector u to every key leaves the weights unchanged.")
    'exp((k_i + u)^T q) / \\\\sum_j exp((k_j + u)^T q) = exp(k_i^T q) / \\\\sum_j exp(k_j^T q)'
    """
    sentence = text.strip().rstrip(".")
    lead = _LEAD.match(sentence)
    rest = sentence[lead.end() :] if lead else sentence
    given = f" if {lead['rotation']} is orthogonal" if lead else ""
    if re.search(r"[;:=]|\.\s", re.sub(r"\([^()]*\)", "", rest)):
        return text
    tail = _MANY.search(rest)
    rest, given = (rest[: tail.start()], f"{given} if n ≥ 3") if tail else (rest, given)
    made = _read_change(re.sub(r"^(?:if|when) ", "", rest))
    if made is not None:
        change, after = made
        stated = _read_effect(after.strip(" ,").removeprefix("then "), change, (*_EFFECTS, *_PASSIVE))
        return text if stated is None else stated + given
    split = re.search(r" (?:if|when|under|by) ", rest)
    if split is not None:
        made = _read_change(rest[split.end() :])
        if made is not None and not made[1].strip():
            stated = _read_effect(rest[: split.start()], made[0], _PASSIVE)
            return text if stated is None else stated + given
    return text


def _read_change(text: str) -> tuple[dict[str, str], str] | None:
    """What a sentence begins by changing, letter by letter, and the rest of it."""
    change: dict[str, str] = {}
    while True:
        text = text.lstrip(" ,")
        for pattern, kind in _CHANGES:
            is_next = text.startswith("and ") and bool(change) and not pattern.startswith("(?:and")
            rest = text[4:] if is_next else text
            found = re.match(pattern.replace("{0}", ""), rest, re.IGNORECASE if kind != "replace" else 0)
            made = None if found is None or (text.startswith("and ") and not change) else _change_of(found, kind)
            if found is None or made is None or made[0] in change:
                continue
            change[made[0]] = made[1]
            text = rest[found.end() :]
            break
        else:
            return (change, text) if change else None


def _change_of(found: re.Match[str], kind: str) -> tuple[str, str] | None:
    """A letter and what it becomes: k and (k + u)."""
    parts = {name: value for name, value in found.groupdict().items() if value}
    if kind == "replace":
        letter = re.sub(r"_i|\$", "", parts["old"]).split()[-1]
        new = re.sub(r"([kqv])_i(?![A-Za-z])", r"\1", parts["new"].strip("$"))
        new = re.sub(r"(?<=[A-Z\d−-])(?=[kqv](?![A-Za-z]))", " ", new)
        return letter, f"({new})"
    found_letter = _letter_of(parts.get("what") or parts.get("whatb") or "")
    if found_letter is None:
        return None
    letter = found_letter
    amount = parts.get("by") or parts.get("sign") or ("u" if letter in "kqv" else "t")
    factor = _NUMBERS.get(parts.get("factor", ""), parts.get("factor") or "t").replace("−", "-")
    forms = {
        "add": f"({letter} + {amount})",
        "subtract": f"({letter} - {amount})",
        "times": f"({factor} {letter})" if not factor.startswith("-") else f"(({factor}) {letter})",
        "divide": f"({letter}/({factor}))",
        "twice": f"(2 {letter})",
        "half": f"({letter}/2)",
        "negate": f"(-{letter})",
    }
    return letter, forms[kind]


def _letter_of(noun: str) -> str | None:
    for words, letter in ((r"logit|score|input|z$", "z"), (r"key", "k"), (r"value", "v"), (r"quer|q$", "q")):
        if re.search(words, noun, re.IGNORECASE):
            return letter
    return None


def _read_effect(text: str, change: dict[str, str], effects: tuple[tuple[str, str], ...]) -> str | None:
    """The equation that an effect states; None where it is not understood as a whole."""
    for pattern, form in effects:
        words = pattern.replace("{thing2}", f"(?P<thing2>{_THING})").replace("{thing}", f"(?P<thing>{_THING})")
        found = re.fullmatch(words, text.strip(), re.IGNORECASE)
        if found is None:
            continue
        parts = found.groupdict()
        noun = parts.get("thing") or parts.get("thing2") or ""
        thing = next(name for one, name in _THINGS.items() if re.fullmatch(one, noun, re.IGNORECASE))
        if ("z" in change) != (thing == "softmax") or (len(change) > 1 and "z" in change):
            return None if thing != "weights" or set(change) != {"z"} else _state("softmax", change, form, parts)
        return _state(thing, change, form, parts)
    return None


def _state(thing: str, change: dict[str, str], form: str, parts: dict[str, str | None]) -> str:
    before, after = _written(thing, {}), _written(thing, change)
    first = next(iter(change.values()))
    same = re.search(r"\+ (\w)\)$|^\((\w) ", first)
    value = parts.get("x") or parts.get("y") or (next(one for one in same.groups() if one) if same else "1")
    if thing == "softmax":
        value = re.sub(r"p_i", lambda _: before, value)
    return form.format(after=after, before=before, x=value)


def _written(thing: str, change: dict[str, str]) -> str:
    """A thing in full, with a change made, so that no letter means anything else."""
    become = {letter: change.get(letter, letter) for letter in "kqvz"}
    if thing == "softmax":
        return f"softmax({become['z']})_i"
    scores = [re.sub(r"(?<![A-Za-z])k(?![A-Za-z])", f"k_{index}", become["k"]) + f"^T {become['q']}" for index in "ij"]
    weight = "exp({}) / \\sum_j exp({})".format(*scores)
    value = re.sub(r"(?<![A-Za-z])v(?![A-Za-z])", "v_i", become["v"])
    if thing == "largest":
        return f"max_i ({weight})"
    return weight if thing == "weights" else f"\\sum_i ({weight}) {value}"


def state_reordering(text: str) -> str:
    """`Permuting keys and values alike does not change the output`: as P K and P V for a permutation P.

    >>> state_reordering("Permuting the keys and values by the same permutation does not change the output.")
    '(P V)^T softmax(P K q) = V^T softmax(K q) if P is a permutation'
    """
    found = _REORDER.match(text)
    if found is None:
        return text
    rest = text[found.end() :].strip(" ,.").removeprefix("then ")
    for pattern, form in (*_EFFECTS[:5], *_PASSIVE[:3]):
        words = pattern.replace("{thing}", f"(?P<thing>{_THING})")
        effect = re.fullmatch(words, rest, re.IGNORECASE)
        if effect is None:
            continue
        noun = effect["thing"]
        if next(name for one, name in _THINGS.items() if re.fullmatch(one, noun, re.IGNORECASE)) != "output":
            return text
        stated = form.format(after="(P V)^T softmax(P K q)", before="V^T softmax(K q)")
        return f"{stated} if P is a permutation"
    return text


REWRITERS: tuple[Callable[[str], str], ...] = (state_reordering, state_changes)
