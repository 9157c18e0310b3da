"""Words between formulas: which of them part statements, and which say how the statements hang together.

Every phrase is put into one of a few signs of equal length in the text, so that places in it stay where they were:

    if …      if, when, where, with, for, given, provided, as long as, assuming, since, as: what follows is given
    let …     let, suppose, consider: what follows is given, up to the end of the sentence
    ⇒         then, implies, gives: what stands before is given
    ⇔         if and only if, iff
    ∀ ∃       for all, for every, any; for some, there is
    ¬         does not hold, is not true
    and or    as they are

Words that only lead on (we have, so, hence) part statements and say nothing more.
"""

from __future__ import annotations

import re

from regard.claims.syntax.sentence.quantities import blank, write_over, write_quantities
from regard.claims.syntax.sentence.vocabulary import LARGE, PROPERTIES, SMALL, is_denial

NOUNS = (
    r"(?:unit|real|square|fixed|given|constant|orthogonal|orthonormal|symmetric|random|standard|normal|gaussian|"
    r"positive|negative|probability|one-hot|projection|invertible|full|column|row|"
    r"vectors?|matrix|matrices|scalars?|numbers?|distributions?|logits?|keys?|values?|quer(?:y|ies)|weights?|outputs?)"
)
"""What an article or a name may stand before; `a vector x` is x."""

_PHRASES: tuple[tuple[str, str], ...] = (
    (
        r"(?:are |which are |and |be )?(?:mutually )?independent(?: of each other)?"
        r"|(?:i\.i\.d\.?|iid|IID|i\.i\.d)(?=[\s,;:)⇒])"
        r"|(?<=[),\s$])(?:are |and |be )?jointly (?:[Gg]aussian|[Nn]ormal)"
        r"(?=\s*(?:$|[,;.:]|⇒|=>|\\implies|\\Rightarrow))",
        "also",
    ),
    (r"strictly(?= positive (?!entries|comp|elem|prob))", ""),
    (r"(?:is |are )?one-hot(?: vectors?)?", "onehot"),
    (r"(?:with|has|have) (?:all |strictly )?positive (?:entries|components|elements|probabilities)", "positive"),
    (r"(?:with|has|have) (?:all )?non-?negative (?:entries|components|elements)", "nonnegative"),
    (r"(?:is |are )?(?:a )?(?:probability )?distributions?|(?:is |are )?(?:a )?probability vectors?", "distribution"),
    (r"(?:is |are )?(?:symmetric )?positive[ -]semi-?definite|(?:is |are )?PSD", "semidefinite"),
    (r"(?:is |are )?(?:symmetric )?positive definite", "definite"),
    (r"(?:is |are )?(?:a )?permutation(?: matrix| matrices)?", "permutation"),
    (r"(?:has |have |with )?orthonormal columns", "orthonormal"),
    (
        r"(?:is |are |being |be )?(?:held|kept)(?: at an?(?: finite)?(?: value)?)? (?:fixed|constant|finite)(?: value)?"
        r"|(?:stays?|remains?|is|are) (?:fixed|finite)|finite(?= \\?\w(?![A-Za-z]))",
        "fixed",
    ),
    (r"has unit (?:norm|length)|normali[sz]ed|(?:is |are )?(?:a )?unit vectors?", "unit"),
    (r"(?:is |are )?(?:an? )?(?:orthogonal )?(?:projections?|projectors?)(?: matrix)?", "projection"),
    (r"if and only if|exactly (?:when|if)|precisely (?:when|if)|is equivalent to|iff", "⇔"),
    (r"only if", "⇒"),
    (r"does(?: not|n't) imply|do(?: not|n't) imply", "⇏"),
    (r"(?:does|do|is|are)(?: not|n't) (?:equal|the same as)(?: to)?", "≠"),
    (
        r"(?:does|do|need|will|is|are|was)(?: not|n't)(?: always| generally| in general)?"
        r"(?: hold| true| be true| correct)(?: true)?(?: in general)?",
        "¬",
    ),
    (r"(?:is|are) (?:false|wrong|incorrect)|fails to hold|fails", "¬"),
    (r"there (?:is|are|exists?)(?: always)?(?: an?| some| at least one)?|for some|for at least one", "∃"),
    (r"for (?:all|every|each|any)|for (?:arbitrary|general)|over all|whatever", "∀"),
    (r"such that|so that|s\.t\.", ":"),
    (
        r"as long as|so long as|provided(?: that)?|assuming(?: that)?|given(?: that)?"
        r"|under the (?:assumption|condition)(?: that)?|in case|on condition that|whenever|subject to"
        r"|in the limit(?: as| of| when| that)?",
        "if",
    ),
    (
        r"(?:which |this |that )?(?:implies|imply|gives|yields|means|makes|ensures|guarantees|leads to|results in|"
        r"satisfies|satisfy)(?: that)?|it follows that",
        "⇒",
    ),
    (r"then(?: we have)?", "⇒"),
    (r"(?:is|are) equal to|equals?", "="),
    (r"(?:is|are) (?:much|far) (?:larger|greater|bigger) than", "≫"),
    (r"(?:is|are) (?:much|far) (?:smaller|less) than", "≪"),
    (r"(?:is|are) (?:at most|no (?:more|larger|greater) than)", "≤"),
    (r"(?:is|are) (?:at least|no (?:less|smaller) than)", "≥"),
    (r"(?:is|are) (?:less|smaller) than", "<"),
    (r"(?:is|are) (?:greater|larger|more) than", ">"),
    (r"(?:is|are) proportional to", "∝"),
    (r"(?:is|are) (?:orthogonal|perpendicular) to(?! (?:both )?\S+ and \S+?(?:[,.;]|$| then))", "⊥"),
    (r"(?:is|are) (?:approximately|roughly|about)|approximately equals?", "≈"),
    (r"(?:tends?|goes|go|converges?) to(?!\w)|approaches", "→"),
    (r"(?:is|are) (?:distributed as|drawn from)|(?:i\.?i\.?d\.?|independently) (?:from )?(?=~|∼|\\sim)", "~"),
)
"""Phrases and the sign that each is read as, longest meaning first."""

_ARTICLE = re.compile(
    rf"\b(?:(?:[Tt]he|(?<!\bfor\s)[Ss]ome|[Aa]ny|an)\s+(?={NOUNS}\b)|a\s+(?=(?:{NOUNS}\s+)+[A-Za-zα-ωΑ-Ω\\](?![a-z]{{2}}))"
    rf"|(?:(?<=\bbe\s)|(?<=\bis\s))a\s+(?={NOUNS}\b))"
)
"""Articles; the letter a is one only before a noun and a symbol, `a unit vector x`, or after a verb, `is a matrix`."""
_NOUN = re.compile(
    r"\b(?:quer(?:y|ies)|keys?|values?|weights?|outputs?|logits?|scores?|gaps?|bases?|variances?|(?:[Cc]ross-)?entropy|loss|gradient)\s+"
    r"(?=(?:[A-Za-zα-ωΑ-ΩŷΔ]|\\[a-zA-Z]+)(?![a-z]))"
)
"""Nouns before the symbol that they name: the query q."""
_ONE_SIDED = re.compile(
    r"(?<![\d.^_{])(?P<number>\d+(?:\.\d+)?)(?:\^(?:\{\s*(?P<braced>[-+−])\s*\}|(?P<raised>[-+−])(?![\w(]))|"
    r"(?P<small>[⁺⁻])(?![¹²³⁰-⁹])|"
    r"(?<=0)(?P<plain>\+)(?=\s*(?:$|[,;.)}]|(?:for|if|when|where|with|and|whenever|provided|as|given)\b)))"
)
"""The side of x → 0⁺ or x → 1⁻."""


def _as_side(found: re.Match[str]) -> str:
    sign = found["braced"] or found["raised"] or found["small"] or found["plain"]
    return f" {'rightof' if sign in '+⁺' else 'leftof'}({found['number']})"


_DRAWN_ALIKE = re.compile(
    r",?\s*(?:are |be )?(?:i\.\s?i\.\s?d\.?|iid|IID|independent(?:ly)?)(?:\s+(?:from|with law))?(?=\s*(?:~|∼|\\sim))"
)
"""What stands before a law and says that all are drawn apart, as they are anyway: X_1, …, X_n iid ~ N(0, 1)."""
_FIRST_WORDS = (
    "If Let For With When Where Then Suppose Given As Since Assume So Hence Thus Therefore Because Consider We There "
    "Whenever Provided Assuming Both Any Every Each All Take Choose Define Set Fix"
)
_SATISFYING = re.compile(
    r"\b(?:[Ii]f|[Ll]et|[Ss]uppose|[Aa]ssume|[Tt]ake|[Cc]onsider|[Cc]hoose|[Ff]ix|[Ww]hen|[Ww]henever|[Pp]rovided)\s+"
    rf"(?:(?:that|the|an?|any|two|and|{NOUNS}|\$?\\?[A-Za-zα-ωΑ-Ω](?:_\{{?\w+\}}?)?\$?)(?:\s*,\s*|\s+))+"
    r"(?P<verb>satisf(?:y|ies))(?![a-z])"
)
"""Let x and y satisfy A: of letters that are introduced, so that A is given."""
_LEADING = re.compile(rf"(?:(?<=^)|(?<=[.;\n]\s)|(?<=[.;\n]))(?P<word>{'|'.join(_FIRST_WORDS.split())})\b")
_ANYWHERE = re.compile(
    r"(?<![A-Za-z\\_^{])(?:If|Let|For|With|When|Where|Then|Suppose|Given|Since|Assume|Hence|Thus|Therefore|Because|"
    r"Consider|Whenever|Provided|Assuming)(?=\s)"
)
"""Words that are no product of letters wherever they stand."""
_LEAD_IN = re.compile(
    r"\((?:[a-z]|[ivx]+|\d+)\)\s+|(?:\d+|[a-z])[.)]\s+(?=[A-Za-z\\$∂∇(‖√Σ])|"
    r"(?:[Cc]laim|[Pp]rove|[Pp]roof|[Ss]how|[Tt]heorem|[Ll]emma|[Ff]act|[Ee]xercise|[Qq]uestion|[Tt]rue or false|T/F|"
    r"[Aa]nswer|[Nn]ote|[Rr]ecall|[Rr]emark|[Oo]bserve|[Ii]t is known|[Ww]e know|[Ii]t is well known|[Ii]t holds|"
    r"[Ii]t follows|[Ww]e see|[Oo]ne has|[Oo]ne can show|[Vv]erify|[Cc]heck|[Ii]dentity|[Ss]tatement|[Cc]orollary|"
    r"[Pp]roposition)(?:\s+\d+(?:\.\d+)*)?(?:\s+that(?![a-z]))?\s*[:,.]?\s+|"
    r"(?:[Cc]learly|[Oo]bviously|[Ii]ndeed|[Tt]rivially|[Ee]vidently|[Ii]n particular|[Ii]n general|[Oo]f course|"
    r"[Ii]n fact|[Ff]urthermore|[Mm]oreover|[Aa]dditionally|[Aa]lso|[Cc]onsequently|[Ss]imilarly|[Ff]inally|[Nn]ow|"
    r"[Hh]owever|[Aa]s a result|[Bb]y definition|[Bb]y symmetry|[Bb]y linearity|"
    r"[Ii]n other words|[Ss]pecifically)\s*,?\s+"
)
"""What leads up to a claim and says nothing of it: Show that, In particular, (a)."""
_TRAILING = re.compile(
    r"\s*(?:\((?:always|in general|true|exactly|by definition)\)|"
    r",?\s+as (?:claimed|required|desired|expected))\s*\.?\s*$"
)
_SENTENCE = re.compile(
    r"(?<=[^\s.])(?<!\bi\.e)(?<!\be\.g)(?<!\bi\.i\.d)(?<!w\.r\.t)(?<!s\.t)(?<!\bcf)(?<!\bvs)(?<!\bresp)\.(?=\s+\S)"
)
"""A full stop between two sentences, and not after an abbreviation."""


_COMMENT = re.compile(
    r"(?:(?<=^)|(?<=[;.,] )|(?<=then )|(?<=⇒ )|(?<=implies ))"
    r"[^:;,=<>≤≥≈→~∼∈⊥⇒⇔≠\\]+?\s*(?::(?=\s)|,\s*(?:so|hence|thus|therefore)(?=\s))"
)
_ARROW = re.compile(r"⇒|=>|\\implies|\\[Rr]ightarrow|\bthen\b|\bimplies\b")
_OPENING = frozenset(
    {"if", "when", "for", "with", "let", "where", "suppose", "consider", "fix", "take", "choose", "then"}
    | {"assume", "given", "provided", "there", "no", "only", "whenever"}
)
"""Words that make of what follows them no comment, but a condition."""
LONG_COMMENT = 6
"""So many words are a sentence, whatever is said in it of a symbol."""
_KINDS = frozenset(
    {"vector", "vectors", "matrix", "matrices", "scalar", "scalars", "number", "numbers"}
    | {"equal", "identical", "rows", "columns"}
)
_EQUIVALENT = frozenset({"iff", "equals", "never"})
_RESTRICTING = frozenset({"orthonormal", "orthogonal", "independent", "iid", "unit", "onehot"})
"""Words that say what something is: the keys are orthonormal, so c ≈ v_j."""
MAX_CONDITION = 4
"""Words before a colon that may be a condition, orthonormal keys: …; more of them are a sentence."""
MIN_COMMENT = 3
"""Words of at least three letters that make a comment of what stands before a colon."""


MIN_LABEL = 6
"""Letters of a word that no product of letters has: `Mahalanobis:` is a label by itself."""


def take_comments(text: str) -> tuple[str, list[str]]:
    """The text with words before a colon blanked, `c is the mean of the values: c = …`, and a note of each.

    >>> take_comments("The weights sum to one: x = 1")
    ('                         x = 1', ["the words 'The weights sum to one' were taken as a comment"])
    """
    notes: list[str] = []

    def take(found: re.Match[str]) -> str:
        lead = "then " if found[0].startswith("then ") else ""
        comment = found[0][len(lead) :]
        words = [word.lower() for word in re.findall(r"[A-Za-z-]+", comment)]
        is_of_symbol = any(len(word) == 1 and word != "a" for word in words) or not comment.isascii()
        is_label = any(len(word) >= MIN_LABEL and word not in PROPERTIES for word in words)
        is_short = sum(len(word) > 2 for word in words) < MIN_COMMENT and not is_label
        is_about = is_of_symbol and len(words) < LONG_COMMENT
        described = LARGE | SMALL | (PROPERTIES - _KINDS) if is_about else frozenset()
        has_arrow = not is_of_symbol and _ARROW.search(text, found.end())
        is_label_alone = comment.rstrip().endswith(":") and len(words) > MAX_CONDITION
        restricting = _EQUIVALENT if is_label_alone else _EQUIVALENT | _RESTRICTING
        is_condition = words[:1] and words[0] in _OPENING and not has_arrow
        is_condition = is_condition or (is_of_symbol and "linearly" in words)
        if is_short or is_condition or is_denial(words) or set(words) & (described | restricting):
            return found[0]
        notes.append(f"the words {comment.rstrip(' :')!r} were taken as a comment")
        return lead + " " * len(comment)

    for _ in range(MAX_LEAD_INS):
        text = _without_lead_in(text)
    return _COMMENT.sub(take, blank(_TRAILING, text)), notes


MAX_LEAD_INS = 3


def _without_lead_in(text: str) -> str:
    """The text with the first phrase that leads up to a claim blanked."""
    start = len(text) - len(text.lstrip())
    rest = text[start:]
    found = _LEAD_IN.match(rest)
    return text if found is None else " " * (start + found.end()) + rest[found.end() :]


def mark_phrases(text: str) -> str:
    """The text with every phrase as one sign, padded with spaces to its length.

    >>> mark_phrases("p = q if and only if KL = 0")
    'p = q ⇔              KL = 0'
    """
    text = write_quantities(text)
    text = _ANYWHERE.sub(lambda found: found[0].lower(), text)
    text = _LEADING.sub(lambda found: found["word"].lower(), text)
    text = _SENTENCE.sub(";", text)
    text = _SATISFYING.sub(lambda found: found[0][: -len(found["verb"])] + "with".ljust(len(found["verb"])), text)
    text = write_over(_NOUN, _without_noun, blank(_ARTICLE, text))
    text = blank(_DRAWN_ALIKE, write_over(_ONE_SIDED, _as_side, text))
    for pattern, sign in _COMPILED:
        text = write_over(pattern, sign, text)
    return text


def _without_noun(found: re.Match[str]) -> str:
    """Nothing; a comma after a symbol, so that `for large C the query q` is no product."""
    after_symbol = re.search(r"(?:^|[^A-Za-z\\])[A-Za-zα-ωΑ-Ω]\s*$|[})\d]\s*$", found.string[: found.start()])
    return "," if after_symbol else ""


_COMPILED = tuple((re.compile(rf"(?<![\\A-Za-z_^{{])(?:{words})(?![A-Za-z_^}}])"), sign) for words, sign in _PHRASES)
