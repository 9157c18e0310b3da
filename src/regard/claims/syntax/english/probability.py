"""Random letters in words: jointly Gaussian with correlation ρ, iid entries, chi-square, log-normal, in probability.

What a letter is said to be becomes a law or a definition by standard normal noise, and what is claimed of it a
statement about moments:

    (X, Y) jointly Gaussian with mean zero, unit variances and correlation ρ    X = ξ, Y = ρ ξ + √(1 − ρ²) ζ
    Z/n → 0 in probability                                                      E[Z/n] → 0 and Var(Z/n) → 0
    ‖Z‖² is chi-square with n degrees of freedom                                E = n, Var = 2n, third moment 8n
"""

from __future__ import annotations

import re
from collections.abc import Callable

from regard.claims.syntax.english.formulas import formula_after, formula_before, join, wrap

_LETTER = r"(?:[A-Za-zα-ωΑ-Ω]|\\[a-z]+)(?:_(?:\w|\{\w+\}))?"
_NOISE = "ξ ~ N(0, 1), ζ ~ N(0, 1)"
_ARTICLE = r"(?:the|an?|each|every)"


def drop_dollars(text: str) -> str:
    """The text without the marks of formulas: $x$ and \\(x\\) are x."""
    if text.count("$") % 2 == 0:
        text = text.replace("$", "")
    return re.sub(r"\\[()]", "", text)


# What letters are


def declare_pairs(text: str) -> str:
    """Two numbers that are jointly Gaussian, with what is said of their moments.

    >>> declare_pairs("(X, Y) jointly Gaussian with mean zero, unit variances and correlation ρ: Var(Y) = 1")
    'Let ξ ~ N(0, 1), ζ ~ N(0, 1), ρ^2 < 1, X = ξ, Y = (ρ) ξ + √(1 - (ρ)^2) ζ; Var(Y) = 1'
    """
    found = _PAIR.search(text)
    if found is None:
        return text
    end = found.end()
    said, place = found["said"] or "", found.end("said") if found["said"] else found.end()
    facts = _facts(said)
    if facts is None:
        return text
    one, other = found["one"], found["other"]
    means = facts.get("means", ["0", "0"] if facts.get("centred") else [f"m_{_label(one)}", f"m_{_label(other)}"])
    variances = facts.get("variances", [f"u_{_label(one)}^2", f"u_{_label(other)}^2"])
    scales = [_root(variance) for variance in variances]
    ratio = facts.get("correlation", ["r"])[0]
    if "covariance" in facts:
        ratio = f"{wrap(facts['covariance'][0])}/({scales[0] or 1} * {scales[1] or 1})"
    second = "ζ" if ratio == "0" else f"({ratio}) ξ + √(1 - ({ratio})^2) ζ"
    bound = f", {ratio}^2 < 1" if re.fullmatch(_LETTER, ratio) else ""
    laws = [
        f"{one} = {_shift(means[0])}{scales[0]}ξ".strip(),
        f"{other} = {_shift(means[1])}{scales[1]}{second if not scales[1] else f'({second})'}",
    ]
    return f"{text[: found.start()]}Let {_NOISE}{bound}, {', '.join(laws)}; {text[max(end, place) :].lstrip(' :.,;')}"


_PAIR = re.compile(
    r"(?:\b(?:[Ll]et|[Ii]f|[Ss]uppose|[Aa]ssume|[Ff]or|[Ww]hen)\s+(?:that\s+)?)?(?:\(\s*(?P<one>[A-Z])\s*,\s*(?P<other>[A-Z])\s*\)|"
    r"(?P<first>[A-Z])(?:\s+and\s+|\s*,\s*)(?P<last>[A-Z]))\s+(?:(?:be|are|is)\s+)?(?:(?:jointly|bivariate)\s+(?:[Gg]aussian|normal(?:ly\s+distributed)?)|"
    r"standard\s+bivariate\s+normal)(?:\s+random\s+variables|\s+numbers)?(?P<said>\s*,?\s*(?:with|having|and\s+uncorrelated)\s+[^:.;]*?)?"
    r"\s*(?::|\.\s|;|,?\s*then\b|$)".replace(
        "(?P<first>[A-Z])(?:\\s+and\\s+|\\s*,\\s*)(?P<last>[A-Z])", "(?P<first>(?!))"
    )
)


def _label(letter: str) -> str:
    return letter.upper()[:1]


def _shift(mean: str) -> str:
    return "" if mean == "0" else f"{mean} + "


def _root(variance: str) -> str:
    """The deviation that belongs to a variance, as a factor."""
    bare = variance.strip()
    if bare == "1":
        return ""
    square = re.fullmatch(rf"({_LETTER}|\\?[a-zσ]+_?\w?)(?:²|\^2|\^\{{2\}})", bare)
    return f"{square[1]} " if square else f"√({bare}) "


def _facts(said: str) -> dict[str, list[str]] | None:
    """What is said of two numbers; None where something is left over."""
    found: dict[str, list[str]] = {}
    rest = said
    for name, pattern, values in _FACTS:
        match = re.search(pattern, rest)
        if match is None:
            continue
        if name not in found:
            found[name] = (
                [*values]
                if values
                else [one.strip() for one in match.groups() if one]
                * (1 if len([g for g in match.groups() if g]) > 1 else 2)
            )
        rest = rest[: match.start()] + " " + rest[match.end() :]
    return None if re.search(r"\w", re.sub(r"\b(?:with|having|and|both|each)\b", "", rest)) else found


_VALUE = r"([^\s,;:]+)"
_FACTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("means", r"(?:zero\s+means?|means?\s+(?:zero|0)|both\s+centred)(?![\w])", ("0", "0")),
    ("means", rf"means?\s+{_VALUE}(?:\s+and\s+|\s*,\s*){_VALUE}", ()),
    ("means", rf"means?\s+{_VALUE}", ()),
    ("variances", r"unit\s+variances?|(?<!co)variances?\s+(?:one|1)(?![\w])", ("1", "1")),
    ("variances", rf"(?<!co)variances?\s+{_VALUE}(?:\s+and\s+|\s*,\s*){_VALUE}(?=\s|,|$)(?!\s*correlation)", ()),
    ("variances", rf"(?<!co)variances?\s+{_VALUE}", ()),
    (
        "correlation",
        r"uncorrelated|(?:zero|no)\s+(?:correlation|covariance)|(?:correlation|covariance)\s+(?:zero|0)(?![\w.])",
        ("0",),
    ),
    ("correlation", rf"correlation(?:\s+coefficient)?\s+{_VALUE}", ()),
    ("covariance", rf"covariance\s+{_VALUE}", ()),
)


def declare_entries(text: str) -> str:
    """Vectors whose entries are drawn alike, in any order of words.

    >>> declare_entries("If q, k are independent and all their entries are iid with mean 0 and variance 1, then x")
    'If q, k ~ N(0, I), then x'
    """
    return _ENTRIES.sub(_entry_law, text)


_FILLER = (
    r"(?:independent|vectors?|random|whose|all|all\s+of|their|its|the|components?|entries|coordinates|elements|are|is|be|have|has|having|"
    r"with|iid|i\.i\.d\.?|and|identically|distributed|each|of|drawn|from|two|~|∼|\\sim|a)"
)
_ENTRIES = re.compile(
    rf"(?P<names>(?:{_LETTER}\s*(?:,|and)\s*)*{_LETTER})(?:\s*(?:∈|\\in|in)\s*(?:ℝ|R|\\mathbb\{{R\}}|\\R)\s*(?:\^\{{?(?P<size>\w)\}}?|ᵈ|ⁿ))?"
    rf"(?P<middle>(?:\s*,?\s+{_FILLER})+)\s*,?\s+(?:mean\s+(?:0|zero)\s*(?:,|and)\s*(?:unit\s+variance|variance\s+(?P<spread>[^\s,.;]+))|"
    r"zero\s+mean\s*(?:,|and)\s*(?:unit\s+variance|variance\s+(?P<width>[^\s,.;]+))|N\(\s*0\s*,\s*(?P<variance>[^()]+?)\)|"
    r"(?P<standard>standard\s+(?:normal|Gaussian)))(?P<after>\s+(?:entries|components|coordinates|elements))?"
)


def _entry_law(found: re.Match[str]) -> str:
    if not re.search(r"entries|components?|coordinates|elements", (found["middle"] or "") + (found["after"] or "")):
        return found[0]
    variance = (found["spread"] or found["width"] or found["variance"] or "1").strip()
    identity = f"I_{found['size']}" if found["size"] else "I"
    matrix = identity if variance in ("1", "one") else f"{variance} {identity}"
    names = ", ".join(one for one in re.split(r"\s*,\s*and\s+|\s*,\s*|\s+and\s+", found["names"]) if one)
    return f"{names} ~ N(0, {matrix})"


_SPACE = (
    r"(?:\s+(?:in|of|∈|\\in)\s+(?:ℝ|R|\\mathbb\{R\}|\\R)\s*(?:\^\{?(?P<size>\w)\}?|(?P<script>[ᵈⁿᵐ]))|"
    r"\s+in\s+(?P<word>\w)\s+dimensions)?"
)
_IS = r"\s+(?:is|be|are)\s+"
_SCRIPTS = {"ᵈ": "d", "ⁿ": "n", "ᵐ": "m"}
_DECLARATIONS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (
        re.compile(
            rf"(?P<name>{_LETTER})(?:{_IS}|\s+)(?:drawn\s+|chosen\s+|distributed\s+)?(?:a\s+)?(?:uniform(?:ly)?)(?:\s+distributed|\s+at\s+random|\s+random)?"
            rf"(?:\s+point)?\s+(?:on|over|from)\s+the\s+unit\s+sphere{_SPACE}"
        ),
        lambda found: f"ξ ~ N(0, I_{_size(found)}), {found['name']} = ξ/‖ξ‖",
    ),
    (
        re.compile(
            rf"(?P<name>{_LETTER}){_IS}(?:a\s+)?log-?normal(?:ly\s+distributed)?(?:\s+random\s+variable)?\s+with\s+parameters\s+"
            rf"(?P<mean>[^\s,]+)\s+and\s+(?P<spread>[^\s,]+?)(?P<bound>\s*>\s*0)?(?:\s*\((?:so|i\.e\.|that\s+is|meaning)[^()]*(?:\([^()]*\))?[^()]*\))?(?=[\s,.;]|$)"
        ),
        lambda found: f"ξ ~ N({found['mean']}, {found['spread']}), {found['name']} = exp(ξ)",
    ),
    (
        re.compile(
            r"(?:a\s+)?(?:strictly\s+)?positive\s+random\s+variable\s+(?P<name>[A-Z])(?:\s+with\s+(?:a\s+)?finite\s+(?:mean|expectation|variance|moments))?(?![A-Za-z])"
        ),
        lambda found: f"ξ ~ N(0, 1), {found['name']} = exp(m + u ξ)",
    ),
    (
        re.compile(
            r",?\s*(?:[Ff]or|where|[Ll]et|[Ii]f)\s+(?:(?:any|every|each|all|a|an)\s+)?(?:real\s+)?random\s+variables?\s+(?P<name>[A-Z])(?:(?:\s*,\s*|\s+and\s+)[A-Z])?"
            r"(?:\s+(?:with|of|for\s+which|such\s+that|whose)\s+[^,.;:=<>≤≥]*?(?:finite|exists?|defined)(?:\s+(?:mean|expectation|variances?|moments|second\s+moments?))?)?(?=\s*[,.;:]|\s*$)"
        ),
        lambda found: "",
    ),
)


_SAMPLES = re.compile(
    r"(?P<letter>[A-Z])_\{?1\}?\s*,\s*(?:(?P=letter)_\{?2\}?\s*,\s*)?(?:…|\.\.\.|\\[lc]?dots)\s*,\s*(?P=letter)_\{?n\}?\s+(?:be|are)\s+(?:iid|i\.i\.d\.?|"
    r"independent(?:\s+and\s+identically\s+distributed)?)(?:\s+random\s+variables)?\s+with\s+(?:mean\s+(?P<mean>[^\s,.;]+)\s+and\s+)?variance\s+(?P<spread>[^\s,.;]+)"
)
_SAMPLE_MEAN = re.compile(
    r"(?:,?\s*(?:and|with|let)\s+)(?P<name>(?P<letter>[A-Z])(?:̄|̅)|\\bar\s*\{?\s*(?P<latex>[A-Z])\s*\}?)\s+(?:be\s+|is\s+|for\s+)?(?:their|the)\s+(?:sample\s+)?(?:mean|average)"
)


def declare_samples(text: str) -> str:
    """X_1, …, X_n that are drawn alike, and their mean.

    >>> declare_samples("Let X_1, …, X_n be iid with variance σ² and X̄ their mean. Then Var(X̄) = σ²/n")
    'Let X_i ~ N(m, σ²), X̄ = (1/n) sum_j X_j. Then Var(X̄) = σ²/n'
    """
    given = text
    if _SAMPLES.search(text) is None:
        return text
    text = _SAMPLES.sub(lambda one: f"{one['letter']}_i ~ N({one['mean'] or 'm'}, {one['spread']})", text)
    named = _SAMPLE_MEAN.sub(lambda one: f", {one['name']} = (1/n) sum_j {one['letter'] or one['latex']}_j", text)
    has_mean = re.search(r"\u0304|\u0305|\\bar", text) is not None
    return given if has_mean and named == text else named  # what the bar stands for, others tell


def _size(found: re.Match[str]) -> str:
    return found["size"] or found["word"] or _SCRIPTS.get(found["script"] or "", "") or "d"


def declare_laws(text: str) -> str:
    """Letters that are on a sphere, log-normal, or positive.

    >>> declare_laws("Let u be uniform on the unit sphere of R^d. Then E[u] = 0")
    'Let ξ ~ N(0, I_d), u = ξ/‖ξ‖. Then E[u] = 0'
    """
    for pattern, law in _DECLARATIONS:
        text = re.sub(r"^\s*[,:]\s*", "", pattern.sub(law, text))
    return text


# What is claimed of them


def claim_laws(text: str) -> str:
    """Claims about laws and convergence, as statements about moments.

    >>> claim_laws("‖Z‖/√d → 1 in probability")
    'E[‖Z‖/√d] → 1 and Var(‖Z‖/√d) → 0'
    """
    for pattern, moments in _CLAIMS:
        found = pattern.search(text)
        if found is None:
            continue
        start = formula_before(text, found.start())
        thing = text[start : found.start()].strip()
        if not thing:
            continue
        end = found.end()
        value = ""
        if "NEXT" in moments:
            end = formula_after(text, found.end())
            value = text[found.end() : end].strip()
            tail = re.match(r"\s+in\s+(?:probability|mean\s+square|L\^?2)(?:\s+sense)?", text[end:])
            if not value or ("PROBABILITY" in moments and tail is None):
                continue
            end += tail.end() if tail else 0
        size = found.groupdict().get("size") or ""
        claim = moments.replace("PROBABILITY", "").replace("THING", thing).replace("NEXT", value).replace("SIZE", size)
        text = join(text[:start], claim, text[end:])
    return text


_TO = r"\s*(?:→|->|\\to\b|\s(?:tends|converges|goes|concentrates|conv\.)(?:\s+(?:to|around|at))?(?=\s))"
_CLAIMS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"\s+(?:converges|tends|goes)\s+in\s+probability\s+to(?=\s)"),
        "E[THING] → NEXT and Var(THING) → 0",
    ),
    (
        re.compile(rf"{_TO}(?=[^.;]*\bin\s+(?:probability|mean\s+square))"),
        "PROBABILITYE[THING] → NEXT and Var(THING) → 0",
    ),
    (
        re.compile(
            r"\s+(?:converges|tends|goes)\s+(?:in\s+distribution|in\s+law)\s+to\s+(?:a\s+fair\s+coin(?:\s*,?\s*(?:i\.e\.|that\s+is)?,?\s*(?:a\s+)?Bernoulli\(\s*(?:1/2|½|0\.5)\s*\))?|"
            r"(?:a\s+)?Bernoulli\(\s*(?:1/2|½|0\.5)\s*\)(?:\s+(?:variable|law|distribution))?)"
        ),
        "E[THING] → 1/2 and Var(THING) → 1/4",
    ),
    (
        re.compile(
            r"\s+(?:converges|tends|goes)\s+(?:in\s+distribution|in\s+law)\s+to\s+(?:a\s+)?Bernoulli\(\s*(?P<size>[^()]+)\)"
        ),
        "E[THING] → SIZE and Var(THING) → (SIZE)(1 - (SIZE))",
    ),
    (
        re.compile(
            r"\s+(?:is|has|follows)\s+(?:an?\s+)?(?:chi-?\s?squared?|χ²|χ\^2|\\chi\^2)(?:\s+distribut(?:ed|ion))?\s+with\s+(?P<size>[^,;]+?)\s+degrees?\s+of\s+freedom"
        ),
        "E[THING] = SIZE and Var(THING) = 2 (SIZE)",
    ),
    (
        re.compile(
            r"\s+(?:is|are)\s+(?:(?:normally\s+)?distributed\s+(?:as|like)\s+|normal\s*,\s*|Gaussian\s*,\s*)?(?=(?:N|\\mathcal\{?\s*N\}?)\s*\()"
        ),
        "THING ~ ",
    ),
)


def name_probabilities(text: str) -> str:
    """`the probability that α_a < 1/2` as P(α_a < 1/2), and the median of X as where P is one half."""
    found = _PROBABILITY.search(text)
    if found is not None:
        end = formula_after(text, found.end())
        if end > found.end():
            after = re.sub(r"^\s+(?:is|equals)(?=\s+[^\sa-z]|\s+[a-z](?![a-z]))", " =", text[end:])
            text = join(text[: found.start()], f"P({text[found.end() : end].strip()})", after)
    found = _MEDIAN.search(text)
    if found is not None:
        end = formula_after(text, found.end())
        text = f"{text[: found.start()]}P({found['thing']} > {text[found.end() : end].strip()}) = 1/2{text[end:]}"
    return text


_PROBABILITY = re.compile(r"\b(?:[Tt]he\s+)?probability\s+(?:that|of)\s+")
_MEDIAN = re.compile(r"\b(?:[Tt]he\s+)?median\s+of\s+(?P<thing>\S+)\s+(?:is|equals|=)\s+")

REWRITERS: tuple[Callable[[str], str], ...] = (
    drop_dollars,
    declare_pairs,
    declare_entries,
    declare_laws,
    declare_samples,
    claim_laws,
    name_probabilities,
)
