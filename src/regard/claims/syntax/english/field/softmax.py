"""Softmax and cross-entropy in words: what is said of logits, classes, distributions and temperature.

softmax(z)_i ≤ 1/K for every class i other than the argmax      softmax(z)_i ≤ 1/K if z_i < max(z)
q is the uniform distribution over n outcomes                   q_i = 1/n for all i
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

_LOGIT = r"(?:logit|score|entry|component|element|coordinate|input|activation)"
_OUTCOMES = r"(?:outcomes|classes|categories|symbols|states|elements|points|values|letters|events|labels|possibilities)"
_SPACE = (
    rf"(?:over|on|with|for) (?:the same |an? |the |all )?(?:(?P<size>\$?[A-Za-z]\$?|\d+|two|three) "
    rf"{_OUTCOMES}|(?:same )?(?:common )?"
    r"(?:finite )?(?:set|support|alphabet|space|sample space)(?: of (?:size )?\$?(?P<size2>[A-Za-z]|"
    r"\d+)\$?(?: \w+)?)?)(?![A-Za-z])"
)
_ON_SPACE = re.compile(
    rf"(?P<before>(?:distributions?|vectors?|probabilities)(?: (?:\$?[a-zπ]\$?(?:\s*,\s*(?:and )?| and "
    rf"))*\$?[a-zπ]\$?(?![A-Za-z(_]))?) {_SPACE}"
)
_UNIFORM = re.compile(
    rf"\$?(?P<letter>(?<![A-Za-z\\])[a-zπα])\$? (?:is|be|are|denotes) (?:the |an? )?uniform(?: "
    rf"(?:probability )?distribution)?(?: {_SPACE})?(?![A-Za-z])"
)


def write_distributions(text: str) -> str:
    """`distributions p, q over n outcomes` without what they are over, and a uniform one as p_i = 1/n.

    >>> write_distributions("H(p) = log n iff p is uniform")
    'H(p) = log n iff p_i = 1/n for all i'
    """

    def uniform(found: re.Match[str]) -> str:
        size = found["size"] or found["size2"] or _size_of(text)
        follows = re.match(r"\s*(?:for|over|on|in)\s", text[found.end() :])
        if size is None or follows or not (size.strip("$").isalpha() and len(size.strip("$")) == 1):
            return found[0]
        is_claimed = re.search(r"(?:iff|only if|when|⇔)\s*$", text[: found.start()])
        return f"{found['letter']}_i = 1/{size.strip('$')}" + (" for all i" if is_claimed else "")

    def known(found: re.Match[str]) -> str:
        size = (found["size"] or found["size2"] or "n").strip("$")
        if not size.isalpha() or len(size) > 1:
            return found[0]
        return found["before"]

    text = _UNIFORM.sub(uniform, text)
    return _ON_SPACE.sub(known, text)


def _size_of(text: str) -> str | None:
    """The letter that counts outcomes, where the text has one."""
    found = re.search(rf"(?<![A-Za-z])(?P<size>[nKNkdm]) {_OUTCOMES}|\\?log\s*\(?(?P<log>[nKNdm])(?![A-Za-z])", text)
    return "n" if found is None else found["size"] or found["log"]


_NUMBER_OF = re.compile(
    rf"(?<![A-Za-z\\])(?P<size>[KCkNM]) (?:classes|{_OUTCOMES}|logits|keys)(?![a-z])"
    r"|(?<=1/)(?P<size3>K)(?= for (?:every|each|all) class)"
    r"|(?<![A-Za-z\\])(?P<size2>[KCNM]) is the number of (?:classes|outcomes|logits|keys|categories)"
)


def rename_sizes(text: str) -> str:
    """The number of classes as n, which no setting means anything else by, where the text has no n.

    >>> rename_sizes("H(p) ≤ log K for distributions on K outcomes")
    'H(p) ≤ log n for distributions on n outcomes'
    """
    found = _NUMBER_OF.search(text)
    if found is None or re.search(r"(?<![A-Za-z\\])n(?![A-Za-z])", text):
        return text
    size = found["size"] or found["size2"] or found["size3"]
    return re.sub(rf"(?<![A-Za-z\\_]){size}(?![A-Za-z_'’])", "n", text)


_CLASSES: tuple[tuple[str, str], ...] = (
    (
        r"for (?:every|each|any|all) class(?:es)? \$?(?P<i>[a-z])\$? (?:other than|except(?: for)?|that "
        r"is not|which is not|but) the (?:argmax|largest(?: one)?|top class|winner)",
        "if {z}_{i} < max({z})",
    ),
    (r"for (?:every|each|any|all) class(?:es)? \$?(?P<i>[a-z])\$?(?![A-Za-z_])", "for all {i}"),
    (r"for each of the \$?[A-Za-z]\$? (?:classes|entries|components)", "for all i"),
    (
        r"for (?:every|each|all|any) (?:class|entry|component|classes|entries|components)(?=\s*[.,;]|\s*$)",
        "for all i",
    ),
    (
        rf"(?:class|{_LOGIT}) \$?(?P<i>[a-z]|\d)\$? (?:has|is the one with) the (?:unique |strictly "
        rf")?(?:largest|highest|maximal|biggest) {_LOGIT}",
        "{z}_{i} > {z}_{other} for all {other} ≠ {i}",
    ),
    (
        rf"(?:class|{_LOGIT}) \$?(?P<i>[a-z]|\d)\$? (?:does not|doesn't) have the (?:largest|highest|"
        rf"maximal|biggest) {_LOGIT}",
        "{z}_{i} < max({z})",
    ),
    (
        rf"\$?(?P<z2>[a-z])_\{{?(?P<i>[a-z]|\d)\}}?\$? is the (?:unique|strictly|single) (?:largest|"
        rf"highest|maximal|biggest)(?: (?:of )?(?:the |all )*(?:{_LOGIT}s?|entries))?",
        "{z2}_{i} > {z2}_{other} for all {other} ≠ {i}",
    ),
    (
        rf"\$?(?P<z2>[a-z])_\{{?(?P<i>[a-z]|\d)\}}?\$? is not the (?:largest|highest|maximal|biggest)(?: "
        rf"(?:of )?(?:the |all )*(?:{_LOGIT}s?|entries))?",
        "{z2}_{i} < max({z2})",
    ),
    (
        r"(?<!every )(?<!all )(?<!any )"
        rf"\$?(?P<z2>[a-z])\$? (?:has|with) an? (?:unique|single|strict) (?:largest|maximal|maximum|"
        rf"biggest)(?: {_LOGIT})?(?![a-z])",
        "{lead}{z2}_a > {z2}_{other} for all {other} ≠ a",
    ),
    (
        rf"\$?(?P<z2>[a-z])_\{{?(?P<i>[a-z]|\d)\}}?\$? (?:exceeds|is larger than|is above|beats|dominates) "
        rf"(?:every|each|all|any) (?:of the )?other (?:{_LOGIT}s?|entries|ones)"
        r"(?: by (?:at least|more than) \$?(?P<gap>[A-Za-zΔδ]|\\[A-Za-z]+|\d+(?:\.\d+)?)\$?)?",
        "{z2}_{i} {than} for all {other} ≠ {i}",
    ),
)


def write_classes(text: str) -> str:
    """Which class or logit is meant: class k has the largest logit, z has a unique largest entry.

    >>> write_classes("If class k has the largest logit then softmax(z/T)_k → 1 as T → 0")
    'If z_k > z_j for all j ≠ k then softmax(z/T)_k → 1 as T → 0'
    """
    inside = re.search(
        r"softmax\}?\s*(?:\\left)?\(\s*(?:\\?[a-zα-ω]\s*)?\$?(?P<z>[a-z])\s*(?:/\s*\w+)?\s*(?:\\right)?\)", text
    )
    letter = inside["z"] if inside else "z"

    other = next((one for one in "jlru" if not re.search(rf"[_{{ ]{one}(?![A-Za-z])", text)), "j")

    def write(found: re.Match[str], form: str) -> str:
        parts = {
            "z": letter,
            "other": other,
            "lead": "",
            **{name: value for name, value in found.groupdict().items() if value},
        }
        if "gap" in found.groupdict():
            beside = f"{parts['z2']}_{other}"
            parts["than"] = f"≥ {beside} + {parts['gap']}" if "gap" in parts else f"> {beside}"
        if re.search(r"(?:every|all|any|each) $", found.string[: found.start()]):
            parts["lead"] = f"{parts.get('z2', letter)} with "  # for every x with a unique maximum
        return form.format(**parts)

    for words, form in _CLASSES:
        text = re.sub(rf"(?<![A-Za-z\\]){words}", partial(write, form=form), text)
    return text


_FIXED: tuple[tuple[str, str], ...] = (
    (r"(?:the )?(?:largest|maximal|biggest) (?:component|entry|element) of (softmax\([^()]*\))", r"max(\1)"),
    (r"(?:the )?(?:smallest|minimal) (?:component|entry|element) of (softmax\([^()]*\))", r"min(\1)"),
    (r"has \$?[nKN]\$? (?:components|entries|classes|elements)(?= then|\s*,)", ""),
    (
        r"with all (?:of )?(?:its )?(?:entries|components|probabilities) (?:strictly )?positive"
        r"|(?:whose|with) (?:entries|components|probabilities) (?:that )?are all (?:strictly )?positive",
        "with positive entries",
    ),
    (
        r"(?:the )?gradient of (?:the )?(?:softmax )?cross-entropy(?: loss)? with respect to the logits,? "
        r"(?:summed over (?:all )?(?:of )?(?:the )?(?:classes|entries|components),? (?:is|equals)|sums to) "
        r"(?=zero|one|0|1)",
        "sum_i ∂CE/∂s_i = ",
    ),
    (r"(?:,? (?:when|if|provided|as long as) )(?:the )?targets sum to (?:one|1)", ""),
    (
        r"^for the (?:logistic )?(?:sigmoid|logistic|tanh|softmax|ReLU)(?: function)?(?: (?:σ|"
        r"\\sigma))?,? (?:we have |it holds that )(?=\S)",
        "",
    ),
    (r"(?:with|for) (?:only )?(?:two|2) classes,? (?=[^.]*\[\s*\w+\s*,\s*\w+\s*\])", ""),
    (
        r"(?:with|for) (?:only |just )?(?:two|2) (?:classes|logits|outcomes|keys)\s*,? (?=\S*(?:softmax|σ|sigma|α|p_))",
        "if n = 2 then ",
    ),
    (r"(?:,\s*)?(?:also )?when there are (?:three|3) or more classes", " if n ≥ 3"),
    (
        r"(?:whenever|when|if|provided|as long as) (?:all )?(?:of )?the (?:softmax )?probabilities are "
        r"(?:all )?(?:strictly )?positive",
        "",
    ),
    (
        r"(?:,?\s*(?:and|where) )?(?:[a-z]|\$[a-z]\$) (?:is|being|denotes) the (?:true|correct|target|"
        r"right) (?:class|label|index)",
        "",
    ),
    (
        r"^(?:the|a|an|any|every) (?:Shannon )?(?:entropy|softmax|cross[-\s]entropy|KL[-\s]divergence|"
        r"perplexity|sigmoid)(?: (?:function|loss))?(?: of (?:a|any|every) (?:probability "
        r")?distribution)? (?:always )?(?:satisfies|obeys) (?=[A-Zσ\\‖|(])",
        "",
    ),
    (
        r"(?:for|over) (?:any|every|each|all) (?:target|true|label|reference|model) (?=distributions?\s)",
        "for all ",
    ),
    (r"for an? (?:[a-z]+ )*example with margin m,? (?=the\s|log)", ""),
    (r"the (?:logistic|binary|softmax|cross-entropy|hinge) loss (?=\\?(?:log|max|-|−))", ""),
    (r"the (?:softmax )?log-?sum-?exp (?:function )?(?=LSE|log)", ""),
    (
        r"(?:\s*,)? (?:so|hence|thus|i\.e\.,?|that is,?|which means that|in other words,?) (?:the "
        r")?softmax (?:function )?(?:preserves the order(?:ing)?(?: of (?:its inputs|the logits))?|is "
        r"order[-\s]preserving)",
        "; if z_i > z_j then softmax(z)_i > softmax(z)_j",
    ),
    (
        r"^(?:the )?softmax (?:function )?(?:preserves the order(?:ing)?(?: of (?:its inputs|the "
        r"logits))?|is order[-\s]preserving)",
        "if z_i > z_j then softmax(z)_i > softmax(z)_j",
    ),
    (
        r"(?:the )?softmax(?: function)? is (?:invariant (?:to|under) (?:a )?(?:constant )?(?:shifts?|"
        r"translations?)(?: of (?:its input|the logits))?|shift[-\s]invariant|translation[-\s]invariant)",
        "softmax(z + t)_i = softmax(z)_i",
    ),
    (r"(?:the )?softmax(?: function)? is (?:injective|one-to-one)", "if softmax(x) = softmax(y) then x = y"),
    (
        r"^(?:the )?(?:softmax )?(?:probabilities|outputs)(?: of (?:a|the) softmax)? (?:always )?(?:sum|"
        r"add up|add) to (?:one|1)",
        "sum_i softmax(z)_i = 1",
    ),
    (
        r"(?:every|each) softmax (?:probability|output)|(?:all )?(?:the )?softmax (?:probabilities|"
        r"outputs)(?= (?:is|are|lies?)\s)",
        "softmax(z)_i",
    ),
    (
        r"the (?:largest|maximal|maximum|biggest|top) (?:softmax )?probability(?= (?:is|of|never|can|goes|"
        r"tends|→|≤|≥))(?: of (?:a|the) softmax)?",
        "max(softmax(z))",
    ),
)


def write_softmax(text: str) -> str:
    """Sentences about softmax that are always put alike, and nouns before a letter that name it.

    >>> write_softmax("softmax is shift-invariant")
    'softmax(z + t)_i = softmax(z)_i'
    """
    for words, form in _FIXED:
        ends = "" if "(?=" in words else "(?![A-Za-z])"
        text = re.sub(rf"(?<![A-Za-z\\])(?:{words}){ends}", form, text)
    return text


REWRITERS: tuple[Callable[[str], str], ...] = (
    rename_sizes,
    write_distributions,
    write_classes,
    write_softmax,
)
