"""Things that a claim names without a letter, or beside one: the KL divergence, the loss −log p_k.

KL divergence is never negative                    KL(p ‖ q) ≥ 0
The derivative of the sigmoid is at most 1/4       σ'(x) ≤ 1/4
The loss −log p_k is bounded above by log n        −log p_k ≤ log n
"""

from __future__ import annotations

import re
from collections.abc import Callable

_TWO = (
    r"(?: (?:of|between) (?:any )?(?:two )?(?:probability )?distributions(?: p and q)?| of p (?:and|from|"
    r"to|relative to) q"
    r"| between p and q| from p to q)?"
)
_ONE = r"(?: of (?:a|any|every|the) (?:probability |finite |discrete )*distribution(?: p)?)?"
_VERB = r"(?= (?:is|are|equals?|can|cannot|never|does|has|always|lies|satisfies|=|≤|≥|<|>)(?![a-z]))"
_DERIVATIVES: tuple[tuple[str, str], ...] = (
    (
        r"(?:the )?(?:logistic )?sigmoid(?: function| activation)?(?: σ| \\sigma)?|(?:the )?logistic "
        r"function|σ(?![(\w'])",
        "σ'({x})",
    ),
    (r"(?:the )?(?:hyperbolic tangent|tanh)(?: function| activation)?(?!\s*\()", "tanh'({x})"),
    (r"(?:the )?softplus(?: function)?", "∂/∂x (log(1 + e^{{{x}}}))"),
)
_MEASURES: tuple[tuple[str, str], ...] = (
    (rf"(?:the )?(?:KL|Kullback[-–]Leibler)(?:[- ]divergence)?{_TWO}", "KL(p || q)"),
    (rf"(?:the )?cross[- ]entropy{_TWO}", "H(p, q)"),
    (rf"(?:the )?(?:Shannon )?entropy{_ONE}", "H(p)"),
)
_SWAPPED = {"KL(p || q)": "KL(q || p)", "H(p, q)": "H(q, p)"}


def write_measures(text: str) -> str:
    """Entropy, cross-entropy and KL divergence that are given no letters, of distributions p and q.

    >>> write_measures("the KL divergence is symmetric in its two arguments")
    'KL(p || q) = KL(q || p)'
    """
    if re.search(r"perplexit|\btokens?\b|\bnats?\b|\bbits?\b|logits|attention|\bloss\b|gradient", text, re.IGNORECASE):
        return text
    if re.search(r"(?<![A-Za-z])(?:KL|H)\s*\(|(?<![A-Za-z])D_", text):
        return text
    for words, form in _MEASURES:
        swapped = _SWAPPED.get(form)
        if swapped:
            arguments = r"(?: in (?:its (?:two )?arguments|p and q))?(?![a-z])"
            text = re.sub(
                rf"^(?:{words}) is (?:always )?(?:symmetric|commutative){arguments}", f"{form} = {swapped}", text
            )
            text = re.sub(rf"^(?:{words}) is not (?:symmetric|commutative){arguments}", f"{form} ≠ {swapped}", text)
        text = re.sub(rf"(?<![A-Za-z-])(?:{words}){_VERB}", form, text)
        text = re.sub(rf"(?<=[≤≥<>=n] )(?:{words})(?=\s*[.,;]|\s*$)", form, text)
    if "H(p)" in text and not re.search(r"(?<![A-Za-z])q(?![A-Za-z])", text):
        text = re.sub(r"\b(?:it|the distribution) is uniform", "p is uniform", text)
    return re.sub(r"(?<=\)) (?:is|are) (?:never negative|always non-?negative|non-?negative)", " >= 0", text)


_LOG_SUM = re.compile(
    r"(?:the )?(?P<what>gradient|Jacobian|derivative|Hessian) of (?:the )?(?:log-sum-exp|logsumexp|"
    r"LSE)(?: function)?(?!\s*\()"
    r"(?: (?:at|in) z| with respect to z)?(?: (?:is|equals|=)(?: (?:the|just the) "
    r"(?=softmax))?)(?P<softmax> softmax(?: function)?(?:\(z\))?(?=\s*[.,;]|\s*$))?"
)


def _of_log_sum(found: re.Match[str]) -> str:
    value = " softmax(z)" if found["softmax"] else ""
    return f"∂²(logsumexp(z))/∂z² ={value}" if found["what"] == "Hessian" else f"∂/∂z (logsumexp(z)) ={value}"


_MOST = r"(?:largest|maximal|greatest|biggest|at its (?:largest|maximum)|steepest)"
_EXTREME = re.compile(
    rf"(?P<of>\S+'\(x\)|σ\(x\)|tanh\(x\)|∂/∂x \(.*\)) (?:is|attains its (?P<noun>maximum)|has its "
    rf"(?P<noun2>maximum)|takes its (?P<noun3>maximum))(?: (?P<most>{_MOST}|smallest|minimal))?(?: value)?"
    r" (?:at|for|in) (?:x = )?(?P<at>-?\d+|zero|the origin)(?:,? (?:where|and there) it (?:is|equals|has "
    r"the value) (?P<value>\S+?))?(?P<end>\s*\.?\s*)$"
)
_MAXIMUM = re.compile(
    r"(?:the )?(?P<which>maximum|maximal value|largest value|max|minimum|smallest value) of "
    r"(?P<of>\S+'\(x\)|σ\(x\)|tanh\(x\)) is (?P<value>[^\s,;]+?)(?:,? (?:which is )?(?:attained|reached|"
    r"taken) at (?:x = )?(?P<at>-?\d+|zero))?(?P<end>\s*\.?\s*)$"
)


def write_functions(text: str) -> str:
    """The derivative of a function by its name, and where it is largest.

    >>> write_functions("the derivative of the sigmoid is largest at x = 0, where it equals 1/2.")
    "σ'(x) ≤ σ'(0); σ'(0) = 1/2"
    """
    for words, form in _DERIVATIVES:
        derivative = (
            rf"(?:the )?(?:first )?(?:derivative|slope|gradient) of (?:{words})(?: at (?P<at>-?\d+|zero|"
            rf"x\s*=\s*-?\d+))?(?=\s+(?:is|are|equals?|never|can|cannot|has|attains|takes|lies|tends|goes|=|≤|"
            rf"≥|<|>)(?![a-z])|\s*$)"
        )

        def write(found: re.Match[str], form: str = form) -> str:
            at = re.sub(r"x\s*=\s*", "", found["at"] or "x").replace("zero", "0")
            return form.format(x=at)

        text = re.sub(rf"(?<![A-Za-z]){derivative}", write, text)
    text = _LOG_SUM.sub(_of_log_sum, text)
    found = _EXTREME.search(text)
    if found is not None and (found["most"] or found["noun"] or found["noun2"] or found["noun3"]):
        return text[: found.start()] + _extreme(found["of"], found["at"], found["value"], found["most"] or "")
    found = _MAXIMUM.search(text)
    if found is not None:
        sign = "≥" if found["which"] in ("minimum", "smallest value") else "≤"
        value = _NUMBERS.get(found["value"].rstrip("."), found["value"].rstrip("."))
        point = (found["at"] or "").replace("zero", "0")
        reached = f"; {found['of'].replace('(x)', f'({point})')} = {value}" if point else ""
        if point:
            return f"{text[: found.start()]}{found['of']} {sign} {value}{reached}"
    return text


_NUMBERS = {"one": "1", "zero": "0", "two": "2"}


def _extreme(of: str, at: str, value: str | None, most: str) -> str:
    """f(x) ≤ f(0); f(0) = 1/4."""
    point = at.replace("zero", "0").replace("the origin", "0")
    there = of.replace("(x)", f"({point})")
    sign = "≥" if most in ("smallest", "minimal") else "≤"
    stated = f"{of} {sign} {there}"
    return f"{stated}; {there} = {_NUMBERS.get(value, value)}" if value else stated


_BEFORE = re.compile(
    r"(?<![A-Za-z-])(?:the |a |its |this )?(?:(?:average|binary|logistic|softmax|categorical|negative|"
    r"Shannon|predicted|true|hinge|usual) )*"
    r"(?:cross[- ]entropy(?: loss)?|entropy|loss(?: function)?|KL[- ]divergence|Kullback[-–]Leibler "
    r"divergence|log[- ]likelihood|log-sum-exp(?: function)?)"
    r" (?=\$?(?:H\(|KL\s*\(|D_|CE\(|[−-]\s*\\?(?:log|sum|Σ)|\\?log[\s(]|LSE\(|[−-]?Σ|[−-]?\\sum|L\s*=|ℓ\s*=))"
)
_IS_FORMULA = re.compile(
    r"(?<![A-Za-z-])(?:the |its )?(?:gradient|derivative|Jacobian|Hessian|second derivative)(?: (?:of "
    r"(?:the loss|L|it)|with respect to (?:z|the logits)))? (?:is|equals|reads|becomes|is given by) "
    r"(?=\$?(?:∇|∂|\\nabla|\\frac\{\\partial|\\partial|d[A-Za-z]/d))"
)


def drop_nouns(text: str) -> str:
    """Nouns before the formula that they name: the loss −log p_k, the gradient is ∇L = p − y.

    >>> drop_nouns("The entropy H(p) is at most log n")
    'H(p) is at most log n'
    """
    return _IS_FORMULA.sub("", _BEFORE.sub("", re.sub(r"^The (?=\w+)", "the ", text) if _BEFORE.search(text) else text))


_TEMPERATURE = re.compile(
    r"^(?P<how>lowering|decreasing|reducing|raising|increasing) (?:the )?(?:softmax )?temperature(?: "
    r"\$?[Tτ]\$?)?(?: (?:in|of) (?:the )?softmax(?:\(z/T\))?)? (?P<effect>.+?)\s*\.?\s*$"
)
_HOT = (
    (
        r"the (?:softmax\(z/T\) |softmax )?probability of the (?:largest|top|most likely|biggest) "
        r"(?:logit|class|entry)|the (?:largest|maximum|top) (?:softmax )?probability",
        "max_i softmax(z/{T})_i",
    ),
    (
        r"the entropy(?: of (?:the )?(?:softmax(?:\(z/T\))?|(?:output )?distribution|softmax distribution))?",
        "H(softmax(z/{T}))",
    ),
    (
        r"the (?:smallest|minimum) (?:softmax )?probability|the probability of the smallest logit",
        "min_i softmax(z/{T})_i",
    ),
)
_RISES = (
    (r"makes {thing} (?:larger|bigger|higher|greater)|increases {thing}|raises {thing}", "rises"),
    (r"makes {thing} (?:smaller|lower)|decreases {thing}|reduces {thing}|lowers {thing}", "falls"),
)


def write_temperature(text: str) -> str:
    """What a higher or lower temperature does, at any two of them.

    >>> write_temperature("Raising the temperature increases the entropy")
    'if 0 < T and T < S then H(softmax(z/T)) <= H(softmax(z/S))'
    """
    found = _TEMPERATURE.match(text[:1].lower() + text[1:])
    if found is None:
        return text
    for noun, thing in _HOT:
        for effect, way in _RISES:
            if re.fullmatch(effect.replace("{thing}", f"(?:{noun})"), found["effect"]):
                is_up = (way == "rises") == (found["how"] in ("raising", "increasing"))
                cold, hot = thing.format(T="T"), thing.format(T="S")
                return f"if 0 < T and T < S then {cold} {'<=' if is_up else '>='} {hot}"
    return text


_ARGUMENT = r"\((?:T|τ|β|λ|\\tau|\\beta|\\lambda)\)"
_AS_FUNCTION = re.compile(
    rf"(?<![A-Za-z\\])(?:α|\\alpha|p|s|c|w)(?:_\{{?\w\}}?)?{_ARGUMENT}\s*=\s*(?P<body>[^,;=]+?)(?= "
    rf"(?:tends|goes|converges|approaches|→|is|≤|≥|<|>)(?![a-z])|\s*(?:→|\\to))"
)


def drop_arguments(text: str) -> str:
    """`α_i(T) = softmax(s/T)_i tends to` without the name, which is no product.

    >>> drop_arguments("α_i(T) = softmax(s/T)_i tends to 1/n as T → ∞")
    'softmax(s/T)_i tends to 1/n as T → ∞'
    """
    return _AS_FUNCTION.sub(lambda found: found["body"], text)


REWRITERS: tuple[Callable[[str], str], ...] = (
    drop_arguments,
    write_temperature,
    write_measures,
    write_functions,
    drop_nouns,
)
