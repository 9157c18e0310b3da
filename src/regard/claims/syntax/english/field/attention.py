"""Attention in words: what is said of keys, queries, scores, weights and the output.

The attention output always lies in the convex hull of the values    uᵀ Σ α_i v_i ≤ max_i uᵀ v_i, for any direction u
Let the keys k_1, …, k_n be orthonormal                              K Kᵀ = I
If we rescale the query q → βq then c → v_a as β → ∞                 the output with β kᵀ q for scores
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from regard.claims.syntax.sentence.noun_phrases import write_apart

_CONTEXT = re.compile(
    r"entropy of the weights|largest weight|\b(?:attention|keys?|quer(?:y|ies)|value vectors?|"
    r"values\b.*\boutput|output\b.*\bvalues)\b|"
    r"k_\{?[a-z1]|α_|\\alpha_"
)
_DOTS = r"(?:…|\.\.\.|\\[lc]?dots)"
_LIST = rf"(?:\$?{{0}}_\{{{{?1\}}}}?\s*,\s*(?:{{0}}_\{{{{?2\}}}}?\s*,\s*)?{_DOTS}\s*,\s*{{0}}_\{{{{?[nm]\}}}}?\$?)"
_KEY_LIST, _VALUE_LIST = _LIST.format("k"), _LIST.format("v")
_KEYS = (
    rf"(?:(?:all|all of|every one of) )?(?:the )?(?:n )?(?:keys?(?: vectors)?(?: (?:{_KEY_LIST}|\$?k_i\$?))?|"
    rf"{_KEY_LIST})"
)
_ARE = r"(?:are|be|were)(?: all)?"
_VALUES = (
    rf"(?:all )?(?:of )?(?:the )?(?:value vectors|values)(?: (?:\$?v_i\$?|{_VALUE_LIST}))?|(?:the "
    rf")?\$?v_i\$?(?:'s|’s)?|(?:the )?{_VALUE_LIST}"
)
_OUTPUT = (
    r"(?:the )?(?:(?:dot-product )?attention (?:layer(?:'s|’s)? )?(?:output|head|result)|output (?:of "
    r"(?:the )?(?:attention|head|layer))|context vector|output vector)"
    r"(?: (?:\$?c\$?(?![A-Za-z])|for (?:a|any|the) (?:given )?query))?"
)
OUTPUT = "\\sum_i α_i v_i"
_SCORE = r"(?:(?:attention )?(?:score|logit|dot product))"
_BEST = (
    rf"(?:(?:key )?(?:k_)?\$?(?P<a>[a-z]|1)\$? has (?:the|a) (?:unique |strictly )?(?:largest|highest|"
    rf"biggest|larger|higher) {_SCORE}"
    rf"(?: (?:of all(?: keys)?|than (?:all|any|every) (?:of the )?other(?:s| keys?)?))?|(?:one|a single) "
    rf"{_SCORE}(?: s_(?P<a2>[a-z]))? (?:exceeds|is (?:strictly )?larger than) (?:all|every) (?:the "
    rf")?others?)"
)

_CONDITIONS: tuple[tuple[str, str], ...] = (
    (
        r"(?:the query(?: q)?|q) is (?:orthogonal|perpendicular) to (?:every key|each key|all (?:of )?(?:the )?keys)",
        "K q = 0",
    ),
    (r"for n keys,? (?=the|every|each|max|α)", ""),
    (r"no (?:attention )?weight (?:α_i )?is (?:ever )?(?:exactly )?(?:zero|0)", "α_i > 0"),
    (
        rf"(?P<keys>{_KEYS}) {_ARE} (?:identical|equal|the same)(?: to each other)?(?! (?:as|to)\b)",
        "k_r = k_u",
    ),
    (rf"(?:{_KEYS}) (?:all )?coincide", "k_r = k_u"),
    (r"(?:every|each) key(?: k_i)? is (?:the same(?: vector)?|identical|equal to the same vector)", "k_r = k_u"),
    (
        rf"(?:{_KEYS}) {_ARE} (?:mutually |pairwise )?orthogonal(?: to each other)?(?! to)",
        "k_i^T k_j = 0 for all i ≠ j",
    ),
    (
        rf"(?:{_KEYS}) (?:{_ARE} (?:of )?(?:unit (?:norm|length)|normali[sz]ed)|have (?:unit )(?:norm|"
        rf"length)|have (?:norm|length) (?:1|one))",
        "‖k_i‖ = 1 for all i",
    ),
    (r"(?:the )?query(?: (?:vector )?\$?q\$?)? (?:is|equals) (?:the )?(?:zero(?: vector)?|0)", "q = 0"),
    (r"(?<![A-Za-z])q is (?:the )?zero(?: vector)?", "q = 0"),
    (
        rf"(?:n keys whose )?(?:the )?{_SCORE}s?(?: \$?(?:k_i\s*(?:·|⋅|\^T|ᵀ)\s*q|s_i)\$?)? are not all "
        rf"(?:the same|equal|identical)",
        "max_i k_i^T q > min_i k_i^T q",
    ),
    (_BEST, "k_{a}^T q > k_j^T q for all j ≠ {a}"),
    (r"no matter (?:what|which) (?:the )?(?:query|q|keys|values) (?:is|are),?\s*", ""),
    (
        r"(?:,?\s*(?:for|whatever) (?:every|any|all|each|the) (?:query|queries)(?: "
        r"\$?q\$?)?(?![A-Za-z])(?: (?:is|vector))?)(?= (?:there|we|the|,)|\s*,|\s*\.?$)",
        "",
    ),
    (
        r"(?:,? (?:and|where) )?(?:the \$?k_i\$? are the rows of \$?K\$?|\$?k_i(?:ᵀ|\^T|\^\\top|"
        r"\^\{\\top\})?\$? is (?:the )?(?:i-th|ith|\$i\$-th) row of \$?K\$?)(?P<then> and |\s*,\s*)?",
        "{then}",
    ),
)
_SOME = "".join(f"(?<!{word} )" for word in ("two", "three", "some", "both", "most", "no", "few", "several", "other"))
_EXISTS = re.compile(
    r"(?:,?\s*there (?:is|exists)(?: always)?|always there is) (?:an?|some|at least one) (?:index |key "
    r")?\$?(?P<i>[ijk])\$? (?:with|such that|for which) (?P<what>[^,;]+?)(?P<end>\s*[,;.]|\s*$)"
)
_NOUNS: tuple[tuple[str, str], ...] = (
    (
        rf"(?:just |simply )?(?:the |a )?(?:plain|simple|arithmetic|uniform|unweighted|ordinary|equal|"
        rf"straight)?\s*(?:mean|average) of (?:{_VALUES})",
        "(1/n) \\sum_i v_i",
    ),
    (
        rf"(?:the )?(?:largest|maximal|maximum|biggest) (?:norm|length) (?:of|among) (?:{_VALUES}|any "
        rf"value|a value)|(?:the )?(?:largest|maximal|maximum) value norm|the (?:norm|length) of the "
        rf"longest value",
        "max_i ‖v_i‖",
    ),
    (
        rf"(?:the )?(?:smallest|minimal|minimum) (?:norm|length) (?:of|among) (?:{_VALUES}|any value|a "
        rf"value)|(?:the )?(?:smallest|minimal|minimum) value norm|the (?:norm|length) of the shortest "
        rf"value",
        "min_i ‖v_i‖",
    ),
    (rf"(?:the )?(?:norm|length) of (?:{_OUTPUT}|the output)(?: \$?c\$?(?![a-z]))?", f"‖{OUTPUT}‖"),
    (r"(?:the )?entropy of (?:the )?(?:attention )?(?:weights|distribution)", "H(α)"),
    (r"(?:the )?sum of (?:all )?(?:the )?(?:attention )?weights", "\\sum_i α_i"),
    (r"(?:the )?(?:largest|maximal|maximum|biggest|top) (?:attention )?weight(?: \$?α_a\$?)?", "max_i α_i"),
    (r"(?:the )?(?:smallest|minimal|minimum) (?:attention )?weight", "min_i α_i"),
    (
        r"(?:every|each|any|all(?: the)?|the) (?:attention )?weights? (?:of (?:key )?i "
        r")?(?:\$?α_i\$?\s*)?(?!(?:is|are) (?:uniform|invariant|unaffected|unchanged))(?=(?:is|are|goes?|"
        r"tends?|converges?|becomes?|equals?|lies?|never|can|→|=|≤|"
        r"≥|<|>)(?![a-z]))",
        "α_i ",
    ),
    (r"(?:every|each|all(?: the)?) (?=\$?(?:α|\\alpha)_)", ""),
    (
        r"the output(?: \$?c\$?(?![a-z]))?(?= (?:is|becomes|equals) (?:always |just |simply |exactly )*\(1/n\) \\sum)",
        OUTPUT,
    ),
    (
        rf"{_OUTPUT}(?! is (?:always )?(?:a convex|invariant|unaffected|unchanged))(?= (?:is|goes|tends|"
        rf"converges|becomes|equals|lies|never|"
        rf"approaches|can|always|does|→|=)(?![a-z]))",
        OUTPUT,
    ),
)
_HULL = re.compile(
    rf"(?:{_OUTPUT}|{re.escape(OUTPUT)}|the output(?: \$?c\$?(?![a-z]))?|\$?(?<![A-Za-z])c\$?) (?:always "
    rf")?(?:lies|is|stays|remains|is contained|must lie) (?:always )?(?:in|inside|within|inside of) the "
    rf"convex hull (?:of (?P<values>{_VALUES})|of (?P<keys>{_KEYS})|spanned by (?:{_VALUES}))"
)


def write_conditions(text: str) -> str:
    """What is said of all keys, of the query and of scores, and existence of a place, in signs.

    >>> write_conditions("If all the keys are identical and the query is zero then α_i = 1/n")
    'If k_r = k_u and q = 0 then α_i = 1/n'
    """
    if not _CONTEXT.search(text):
        return text
    for words, form in _CONDITIONS:
        text = re.sub(rf"{_SOME}(?<![A-Za-z\\_])(?:{words}){_end(words)}", partial(_fill, form=form), text)
    found = _EXISTS.search(text)
    if found is not None:
        text = (
            f"{text[: found.start()]} {_exists(found['i'], found['what'])}{found['end']}{text[found.end() :]}".strip()
        )
    return text


def _exists(index: str, what: str) -> str:
    """`α_i > 1/n for some i` as max_i α_i > 1/n, which is hunted for counterexamples."""
    sides = re.fullmatch(r"\$?(?P<left>[^=<>≤≥]+?)\s*(?P<sign>>=|<=|[<>≤≥])\s*(?P<right>[^=<>≤≥]+?)\$?", what.strip())
    if sides is None or re.search(rf"_\{{?{index}", sides["right"]):
        return f"{what} for some {index}"
    bound = "max" if sides["sign"] in (">", "≥", ">=") else "min"
    return f"{bound}_{index} {sides['left']} {sides['sign']} {sides['right']}"


def _end(words: str) -> str:
    """A phrase ends with its last word, unless it says itself what follows."""
    return "" if "(?=" in words else "(?![A-Za-z])"


def _fill(found: re.Match[str], form: str) -> str:
    parts = {name: value for name, value in found.groupdict().items() if value}
    if "{a}" in form:
        return form.format(a=parts.get("a") or parts.get("a2") or "a")
    return form.format(then=parts.get("then", "")) if "{then}" in form else form


def _place(found: re.Match[str], form: str) -> str:
    return write_apart(found.string, found.start(), form)


def write_nouns(text: str) -> str:
    """The weights, the output and what is made of them in signs; the hull as a bound in every direction.

    >>> write_nouns("The attention output lies in the convex hull of the values")
    'u^T (\\\\sum_i α_i v_i) <= max_i u^T v_i'
    """
    if not _CONTEXT.search(text):
        return text
    text = _HULL.sub(lambda found: f"u^T ({OUTPUT}) <= max_i u^T {'k' if found['keys'] else 'v'}_i", text)
    text = re.sub(r"^The (?=u\^T)", "", text)
    for words, form in _NOUNS:
        text = re.sub(
            rf"(?<![A-Za-z\\_])(?:{words}){_end(words)}",
            partial(_place, form=form),
            text,
        )
    return re.sub(
        rf"(?<=[\w)]) (?:is|are|becomes?|equals?) (?:just |simply |exactly |always |then "
        rf")*(?=\(1/n\)\s\\sum|{re.escape(OUTPUT)}|max_i|min_i|‖)",
        " = ",
        text,
    )


_SCALE = re.compile(
    r"(?:(?:and )?(?:[Ii]f|[Ww]hen|[Ss]uppose|[Ll]et) )?(?:(?:we|you|one) )?(?:(?:rescale|scale|multiply|"
    r"replace|change) (?:the query )?\$?q?\$?\s*(?:→|->|\\to|by|with|to|into)\s*\$?(?P<scale>[βλγtCT]|"
    r"\\beta|\\lambda|\\gamma)\s*(?:q(?![A-Za-z]))?\$?"
    r"|(?:the query|\$?q\$?) is (?:re)?(?:scaled|multiplied|replaced) by (?:a (?:large )?factor "
    r")?\$?(?P<scale2>[βλγtC]|\\beta|\\lambda|\\gamma)\s*(?:q(?![A-Za-z]))?\$?)\s*(?:,?\s*then |"
    r",\s*(?:then )?)"
)


def scale_query(text: str) -> str:
    """`if we rescale the query q → βq then …`: what follows has β k_iᵀ q for scores.

    >>> scale_query("If q is multiplied by β then α_a → 1 as β → ∞")
    '(exp(β k_a^T q) / \\\\sum_j exp(β k_j^T q)) → 1 as β → ∞'
    """
    found = _SCALE.search(text)
    if found is None:
        return text
    scale = found["scale"] or found["scale2"]
    before, after = text[: found.start()], text[found.end() :]
    if not re.search(rf"{re.escape(scale)}\s*(?:→|->|\\to)", after) or re.search(r"(?<![A-Za-z])q(?![A-Za-z])", after):
        return text

    def weight(index: str) -> str:
        other = "j" if index != "j" else "i"
        return f"exp({scale} k_{index}^T q) / \\sum_{other} exp({scale} k_{other}^T q)"

    after = re.sub(r"(?:α|\\alpha)_\{?([a-z])\}?", lambda one: f"({weight(one[1])})", after)
    output = f"(\\sum_i ({weight('i')}) v_i)"
    after = re.sub(rf"(?<![A-Za-z\\])c(?![A-Za-z_])|{re.escape(OUTPUT)}", lambda _: output, after)
    lead = before.rstrip()
    lead = f"{lead.removesuffix('and')}then" if lead.endswith(" and") else lead
    lead = f"{lead} Then " if lead.endswith(".") else f"{lead} " if lead else ""
    return f"{lead}{after}"


_N = r"\$?(?P<{0}>[A-Za-z]|\d+)\$?"
_PRODUCTS = re.compile(
    rf"^(?:computing|forming|calculating|to compute) (?:the (?:matrix )?(?:product )?)?\$?Q\s*K(?:ᵀ|\^T|"
    rf"\^\\top|\^\{{\\top\}})\$?(?: by the (?:usual|naive|standard) matrix product)?,? for "
    rf"{_N.format('n')} queries and {_N.format('m')} keys "
    rf"(?:of|in|with) (?:dimension )?{_N.format('d')}(?: dimensions)?,? (?:takes|needs|requires|costs) "
    rf"(?P<count>.+?) (?:scalar )?multiplications\s*\.?\s*$"
)
_MASKED = re.compile(
    rf"^(?:with|under|using) a causal mask(?:\s*\([^()]*\))?,? (?:an? )?(?:{_N.format('n')}-token sequence|"
    rf"sequence of (?:length )?{_N.format('m')}(?: tokens)?) has (?:exactly )?(?P<count>.+?) (?:nonzero|"
    rf"non-zero|allowed|unmasked) (?:attention )?(?:weights|scores|entries)(?: per head| in each "
    rf"head)?\s*\.?\s*$"
)
_PAIRS = re.compile(
    rf"^(?:self-)?attention (?:over|on|with|for) {_N.format('n')} (?:tokens|queries and {_N.format('m')} "
    rf"keys) (?:has|computes|needs|produces) (?:exactly )?(?P<count>.+?) (?:attention )?(?:weights|scores|"
    rf"dot products)(?: per head)?\s*\.?\s*$"
)


def count_scores(text: str) -> str:
    """How many products and weights attention takes, as plain arithmetic.

    >>> count_scores("with a causal mask, a sequence of n tokens has n(n+1)/2 nonzero attention weights")
    '(n)*((n) + 1)/2 = n(n+1)/2'
    """
    if found := _PRODUCTS.match(text):
        return f"({found['n']})*({found['m']})*({found['d']}) = {found['count']}"
    if found := _MASKED.match(text):
        size = found["n"] or found["m"]
        return f"({size})*(({size}) + 1)/2 = {found['count']}"
    if found := _PAIRS.match(text):
        return f"({found['n']})*({found['m'] or found['n']}) = {found['count']}"
    return text


REWRITERS: tuple[Callable[[str], str], ...] = (count_scores, write_conditions, write_nouns, scale_query)
