"""Nouns for what attention computes: the weight on key j, the score of key a, the output, the mean of the values.

Weights and output have letters of their own here, which stand in no text. At the end they become the letters of the
text, or a formula where the text says how the scores are scaled: softmax(s/T) of attention at a temperature T.
"""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.nouns import noun
from regard.claims.syntax.prose.phrases import ITS, Thing, theirs
from regard.claims.syntax.prose.signs import letters_of

WEIGHTS = "ⱥ"
"""Stands for the vector of the weights until the text is known."""
OUTPUT_LETTER = "ȼ"
"""Stands for the output until the text is known."""

_NAME = r"(?<![A-Za-z\\_^{])(?P<name>\\?[A-Za-zα-ω]\w{0,5}?)"
_INDEX = r"(?:_\{?\w\}?|\(\w\)|\([^()=]{1,8}\))?"
_DEFINED = re.compile(
    rf"{_NAME}{_INDEX}\s*:?=\s*(?:\\(?:mathrm|operatorname|text|mathbf)\{{)?(?:softmax(?P<argument>[^=]*)"
    r"|\\?[dt]?frac\s*\{\s*(?:\\?exp|e\^)|(?:\\?exp\s*\\?[a-z]*\s*[({[]|e\^\{?\(?)\s*(?:k_|s_|q|β|\\beta))"
)
"""a = softmax(Kq), or a_i = exp(k_iᵀq)/Σ_j …: a text's own letter for the weights."""
_OUTPUT = re.compile(r"(?<![A-Za-z\\_^{])(?P<name>[a-zA-Z])\s*:?=\s*(?:\\sum|Σ|∑|V\^|Vᵀ|V⊤)[^=,;.]*v_?|(?!)")
_TEMPERATURE = re.compile(r"temperature\s+\$?(?:of\s+)?\$?(?P<name>\\?[A-Za-zτβ]+|\\tau)(?![A-Za-z])")
_NO_TEMPERATURE = re.compile(
    r"(?:no|without|unit)\s+(?:a\s+)?temperature|temperature\s+(?:of\s+|is\s+|=\s*)?(?:1|one)\b"
)
_SCALED = re.compile(r"(?<![A-Za-z])scaled (?:dot|softmax|attention)")
_SCALE = re.compile(r"/|\\frac|τ|\\tau|β|\\beta")


_ATTENTION = re.compile(
    r"attention|\bkeys?\b|\bquer(?:y|ies)\b|\bheads?\b|\bvalues?\b|\bscores\b|[kv]_|\bq\s*=", re.IGNORECASE
)


def _vector_of_weights(text: str) -> tuple[str, bool]:
    """The weights in the signs of a text, and whether these are no letter that every setting knows.

    Raises: Unreadable where the text has a matrix of weights.
    """
    found = _DEFINED.search(text)
    if found is not None:
        if found["name"][-1].isupper() or found["name"].startswith("\\math"):
            raise Unreadable
        is_own = found["name"] not in ("α", "\\alpha") or bool(_SCALE.search(found["argument"] or ""))
        return found["name"], is_own
    if "temperature" in text.lower() and not _NO_TEMPERATURE.search(text):
        return f"softmax(s/{_temperature(text)})", True
    if _SCALED.search(text):
        return "softmax(s/\\sqrt{d})", True
    return "α", False


THIS = "ʇ"
"""Stands for the index of the one key that a text speaks of: the value of this key."""
FIRST_KEY, SECOND_KEY = "ɐ", "ɓ"
"""Stand for the indices of keys that a text only counts: one of the keys, the sum of two of them."""
OTHER = "ꞷ"
"""Stands for the index of the first key that is given by itself: all other keys."""
TEMPERATURE = "ŧ"
"""Stands for the temperature until the text is known."""
GROWTH = "ȸ"
"""Stands for a factor before the query that grows: softmax(C s)."""


def _temperature(text: str) -> str:
    """The letter of the temperature."""
    named = _TEMPERATURE.search(text)
    if named and (len(named["name"]) == 1 or named["name"].startswith("\\")):
        return named["name"]
    return "τ" if "τ" in text else "T"


def _with_growing_query(written: str, weights: str) -> tuple[str, str]:
    """softmax(C s) for a query that is scaled up, with one largest score.

    Raises: Unreadable for weights of another form.
    """
    letter = next((one for one in "CβλT" if not re.search(rf"(?<![A-Za-z\\]){one}(?![A-Za-z])", written)), "")
    if weights != "α" or not letter:
        raise Unreadable
    return f"Let s uniquemax. {written.replace(GROWTH, letter)}", f"softmax({letter} s)"


def name_weights(written: str, text: str) -> str:
    """A claim with the text's own letters for weights and output.

    >>> name_weights("Let q = 0. Then ȼ = ⱥ_1 v_1", "Let a = softmax(Kq) for keys K. …")
    'Let q = 0. Then (\\\\sum_i a_i v_i) = a_1 v_1'
    """
    _check_derivatives(written)
    if not any(sign in written for sign in (WEIGHTS, OUTPUT_LETTER, TEMPERATURE, THIS, OTHER, FIRST_KEY, GROWTH)):
        return written
    if OUTPUT_LETTER in written and not _ATTENTION.search(text):
        raise Unreadable  # the output of a network, of a softmax
    weights, is_own = _vector_of_weights(text)
    if GROWTH in written:
        written, weights, is_own = *_with_growing_query(written, weights), True
    output = _OUTPUT.search(text)
    letter = output["name"] if output else f"(\\sum_i {weights}_i v_i)" if is_own else "c"
    if OTHER in written:
        named = re.search(r"Let k_\{?([a-hn-z\d])\}?\s*(?:=|~|∼|\\sim)", written)
        if named is None:
            raise Unreadable
        written = written.replace(OTHER, named[1])
    if THIS in written:
        members = sorted(set(re.findall(r"k_\{?(\w)\}?", written)) - {THIS, "i", "j", "m", "l", "r", "u"})
        if len(members) == 2 and f"for i ≠ {THIS}" in written:  # of all but keys a and b
            written = written.replace(f"for i ≠ {THIS}", f"for i ≠ {members[0]} and i ≠ {members[1]}")
        if len(members) != 1 and THIS in written:
            raise Unreadable
        written = written.replace(THIS, members[0])
    written = _name_counted_keys(written, text)
    written = written.replace(TEMPERATURE, _temperature(text))
    written = re.sub(rf"{WEIGHTS}\[(?:\(?[kv]_\{{?(\w)\}}?\)?)\]", rf"{WEIGHTS}_{{\1}}", written)
    if f"{WEIGHTS}[" in written:
        raise Unreadable
    return written.replace(WEIGHTS, weights).replace(OUTPUT_LETTER, letter)


_DERIVATIVE = re.compile(rf"∂/∂(\w) \((?:{WEIGHTS}|α|\\alpha)_\{{?\w\}}?\)")


def _check_derivatives(written: str) -> None:
    """Refuses α_a as a function of C where no query is given that has the letter.

    Raises: Unreadable.
    """
    for found in _DERIVATIVE.finditer(written):
        query = re.search(r"Let q = ([^.]*)\. ", written)
        if query is None or found[1] not in query[1]:
            raise Unreadable


def _name_counted_keys(written: str, text: str) -> str:
    """Letters that the text does not use, for keys that it only counts.

    Raises: Unreadable where the query is not made of as many of them.
    """
    if FIRST_KEY not in written:
        return written
    if f"k_{FIRST_KEY}" not in written or (SECOND_KEY in written and f"k_{SECOND_KEY}" not in written):
        raise Unreadable
    used = letters_of([text, written])
    free = [letter for letter in "abghr" if letter not in used or (letter == "a" and not re.search("_a|key a", text))]
    if len(free) < 2:
        raise Unreadable
    return written.replace(FIRST_KEY, free[0]).replace(SECOND_KEY, free[1])


_MEMBER = re.compile(
    r"[kvsμ]_\{?(?P<one>\w)\}?|\\mu_\{?(?P<two>\w)\}?|[kv](?P<three>[₀-₉ᵢⱼₐₖ])|(?P<four>[a-jl-pr-uw]|\d)(?:-th)?"
)
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉ᵢⱼₐₖ", "0123456789ijak")


def index_of(thing: Thing) -> Thing:
    """j of k_j, of v_j, of `key j`.

    Raises: Unreadable for anything else.
    """
    found = _MEMBER.fullmatch(thing.signs.strip())
    if found is None:
        raise Unreadable
    return Thing(next(one for one in found.groups() if one).translate(_SUBSCRIPTS))


_GIVEN_KEY = re.compile(r"Let k_\\?\{?(\w)\}?\s*(?:=|~|∼|\\sim)")


def keep_apart(written: str) -> str:
    """Keys of which each is given by itself are different ones: k_i ~ …, k_j ~ … with i ≠ j; k_c = (k_a + k_b)/2.

    Raises: Unreadable for two keys with laws of their own.
    """
    named = list(dict.fromkeys(_GIVEN_KEY.findall(written)))
    if named == ["c"]:
        written, named = re.sub(r"_\{?c\}?(?!\w)", "_m", written), ["m"]
    if len(named) == 1 and f"Let k_{named[0]} =" in written:
        of = re.search(rf"Let k_{named[0]} = ([^.]*)", written)
        named += dict.fromkeys(re.findall(r"k_\{?(\w)\}?", of[1])) if of else []
    if len(re.findall(r"Let k_\\?\{?\w\}?\s*(?:~|∼|\\sim)", written)) > 1:
        raise Unreadable  # whether their noise is independent, no signs say
    if "Let k_r = k_u" in written:
        return written
    apart = [f"Let {a} ≠ {b}. " for i, a in enumerate(named) for b in named[i + 1 :]]
    is_all = any(index in "ijlmr" for index in named) and not any(index.isdecimal() for index in named)
    if not is_all or "≠" in written or "\\ne" in written or "i = j" in written or len(named) > 3:
        return written
    return "".join(apart) + written


_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4"}
_PLACE = "key/value/position/token/item/pair/index/entry/component/vector/place/logit/score"
_WEIGHT = "the/its/a/this/his? <weight_words>? weight/weights/attention"
_ON = "on/of/for/at/to/by/in"

INDICES: tuple[Rule, ...] = (
    Rule("index", "this/that/the same? key/value/position/one vector?", lambda: Thing(THIS)),
    Rule("index", "the? <sym>", index_of),
    Rule("index", f"the? key/value? {_PLACE} vector? <sym>", lambda x: x if x.signs == "k" else index_of(x)),
    Rule("index", f"the? {_PLACE} number? <expr>", index_of),
    Rule("index", "its key", lambda: Thing(THIS)),
    Rule("index", "the? keys/values/positions/tokens <sym>", index_of),
    Rule("index", f"the? <expr> {_PLACE}", index_of),
    *(
        Rule("index", f"the? {letter}-th {_PLACE}? vector?", lambda letter=letter: Thing(letter))
        for letter in ("i", "j", "k", "l", "m", "a", "b", "r")
    ),
    *(
        Rule("index", f"the? {word} key/value? {_PLACE}? vector?", lambda number=number: Thing(number))
        for word, number in _ORDINALS.items()
    ),
)


def _given_query(rel: str) -> Thing:
    """The query q = k_a, of which something is said.

    Raises: Unreadable.
    """
    if not re.match(r"\s*q\s*=", rel):
        raise Unreadable
    return Thing("q", (rel,))


_PLACED = (
    "assigned/given/placed/put/received/lands/landing/falls/falling/sits/sitting/goes/going/attached/allotted/left"
)

NOUNS: tuple[Rule, ...] = (
    Rule(
        "weight_word",
        "attention/softmax/total/resulting/corresponding/normalised/normalized/output/whole",
        lambda: None,
    ),
    Rule("weight_words", "<weight_word> <weight_words>", lambda *_: None),
    Rule("weight_words", "<weight_word>", lambda _: None),
    noun(f"{_WEIGHT} that/which? is/are? {_PLACED}? {_ON} <index>", f"{WEIGHTS}_{{[1]}}", "weight"),
    noun(f"{_WEIGHT} that/which? <index> gets/receives/has", f"{WEIGHTS}_{{[1]}}", "weight"),
    noun(
        f"{_WEIGHT} that/which? the/a/this? <qualifiers>? query/head/attention/it puts/places on <index>",
        f"{WEIGHTS}_{{[2]}}",
        "weight",
    ),
    noun(
        f"{_WEIGHT} that/which? the/a? query? <query_rel> gives/puts/places/assigns to/on <index>",
        f"{WEIGHTS}_{{[2]}}",
        "weight",
    ),
    Rule("query_rel", "<rel>", _given_query),
    Rule("base", "its <weight_words>? weight", lambda _: Thing(f"{WEIGHTS}[{ITS}]", (), "weight", Thing(ITS))),
    Rule(
        "base",
        "the <weight_words>? weight of it/this/that key?",
        lambda _: Thing(f"{WEIGHTS}[{ITS}]", (), "weight", Thing(ITS)),
    ),
    noun("all/any/every/each/the/both/these? of? the/its? <weight_words>? weights/weight", f"{WEIGHTS}_i", "weights"),
    noun(
        "the? <weight_words>? weights/weight of/for/on/over any/every/each/all/the query/key/value/keys/values",
        f"{WEIGHTS}_i",
        "weights",
    ),
    noun("a/any/each/every <weight_words>? weight", f"{WEIGHTS}_i", "weights"),
    noun("the? vector/distribution of the? <weight_words>? weights", WEIGHTS, "weights"),
    noun("the? <weight_words>? distribution/pattern", WEIGHTS, "weights"),
    noun("any/the? two <weight_words>? weights", f"{WEIGHTS}_i", "weights"),
    noun("the? mean/average of all? the? <weight_words>? weights <over_keys>?", f"(1/n) \\sum_i {WEIGHTS}_i", "number"),
    noun("the? mean/average <weight_words>? weight <over_keys>?", f"(1/n) \\sum_i {WEIGHTS}_i", "number"),
    Rule("over_keys", "over/of all? of? the? keys/positions/values", lambda: None),
    noun("the? shannon? entropy of all? the? <weight_words>? weights", f"H({WEIGHTS})", "number"),
    noun("the? shannon? entropy of the? attention distribution", f"H({WEIGHTS})", "number"),
    noun("the? larger/greater/bigger of the? two <weight_words>? weights", f"max_i {WEIGHTS}_i", "number", ("n = 2",)),
    noun("the? smaller/lesser of the? two <weight_words>? weights", f"min_i {WEIGHTS}_i", "number", ("n = 2",)),
    noun("its softmax? probability/weight", f"{WEIGHTS}_{THIS}", "weight"),
    noun("the? score/logit difference <expr>", "[0]", "score"),
    noun("the? sum of all? the? <weight_words>? weights", f"\\sum_i {WEIGHTS}_i", "number"),
    noun(
        "the? largest/maximal/maximum/biggest/highest/greatest <weight_words>? weight", f"max_i {WEIGHTS}_i", "number"
    ),
    noun("the? smallest/minimal/minimum/lowest <weight_words>? weight", f"min_i {WEIGHTS}_i", "number"),
    Rule(
        "base",
        "the? ratio of/between any/the? two <weight_words>? weights",
        lambda _: Thing(f"{WEIGHTS}_i / {WEIGHTS}_j", (), "", Thing(f"{WEIGHTS}_i, {WEIGHTS}_j", (), "list")),
    ),
    *(
        Rule(
            "base",
            f"the? {word} of/between the/their two? corresponding? scores/logits",
            lambda what=word: Thing(theirs(f"{what} of scores")),
        )
        for word in ("difference", "ratio", "product", "sum")
    ),
    noun(
        "the? ratio of/between the? <weight_words>? weights of/on/for <index> and <index>",
        f"{WEIGHTS}_{{[1]}} / {WEIGHTS}_{{[2]}}",
    ),
    Rule(
        "base", "the? <weight_words>? ratio <expr> of/between any/the? two <weight_words>? weights", lambda _, x, __: x
    ),
)

_SCORE = "attention/raw/unscaled/dot-product/unnormalised/unnormalized/corresponding/plain?"

SCORES: tuple[Rule, ...] = (
    noun(f"the/a/its? {_SCORE} score/logit {_ON} <index>", "k_{[0]}^T q", "score"),
    noun(f"the/a? {_SCORE} score/logit that <index> gets/receives/has", "k_{[0]}^T q", "score"),
    noun(f"all/any/every/each/the/these? of? the? {_SCORE} scores/logits/score/logit", "k_i^T q", "logits"),
    noun("the? score/logit gap/difference between <index> and <index>", "k_{[0]}^T q - k_{[1]}^T q", "score"),
    noun("the? largest/maximum/highest/maximal/biggest score/logit", "max_i s_i", "number"),
    noun("the? smallest/minimum/lowest/minimal score/logit", "min_i s_i", "number"),
)

_HEAD = "attention/softmax/dot-product/single/only/causal/whole? attention/head/layer/mechanism"
_MEAN = "mean/average/midpoint/centroid"


def plain_query(symbol: Thing) -> None:
    """The letter of the query; the query Cq is another one.

    Raises: Unreadable.
    """
    if symbol.signs not in ("q", "q_i", "q_t", "\\mathbf{q}", "x"):
        raise Unreadable


def _mean_of_values(names: tuple[str, ...]) -> Thing:
    """The mean of v_1, …, v_n.

    Raises: Unreadable for other letters.
    """
    if names != ("v_i",):
        raise Unreadable
    return Thing("(1/n) \\sum_i v_i", (), "value")


OUTPUTS: tuple[Rule, ...] = (
    Rule(
        "of_head",
        f"of the/an/a/this/one/our? single? softmax/dot-product/unscaled? {_HEAD} head/layer/mechanism? <for_query>?",
        lambda _: None,
    ),
    Rule("of_head", "<for_query>", lambda _: None),
    Rule(
        "for_query",
        "for/of/at a/the/any/every/each/this/that/one? single/fixed/given/same? query vector? <plain_query>?",
        lambda _: None,
    ),
    noun("the/its/a/an/each? <head_words>? output/outputs vector? <of_head>?", OUTPUT_LETTER, "output"),
    noun("the/its? softmax attention output/outputs vector? <of_head>?", OUTPUT_LETTER, "output"),
    Rule("plain_query", "<sym>", plain_query),
    Rule("np", "<base> <for_query>", lambda thing, _: thing),
    noun("the/its? <head_words>? output/result vector? <sym> <of_head>?", "[1]", "output"),
    Rule("head_words", "attention/resulting/final/head/attention's/head's", lambda: None),
    Rule("head_words", "resulting/final attention/head", lambda: None),
    Rule("head_words", "attention head", lambda: None),
    noun(
        f"what the/a/one/an? {_HEAD} head/layer? returns/outputs/computes/produces/gives/retrieves",
        OUTPUT_LETTER,
        "output",
    ),
    noun(f"the/an? {_MEAN} value vector?", "(1/n) \\sum_i v_i", "value"),
    noun(
        f"the/an/a? <mean_words>? {_MEAN} of all? of? the/its? <count>? values/value vectors/vector? <syms>?",
        "(1/n) \\sum_i v_i",
        "value",
    ),
    Rule("mean_words", "<mean_word> and? <mean_words>", lambda *_: None),
    Rule("mean_words", "<mean_word>", lambda _: None),
    Rule(
        "mean_word",
        "plain/arithmetic/simple/uniform/unweighted/equal/ordinary/usual/common/equally-weighted",
        lambda: None,
    ),
    Rule("base", f"the/an/a? <mean_words>? {_MEAN} of all? <syms>", lambda _, names: _mean_of_values(names)),
    noun("the? unweighted/plain/uniform/arithmetic/simple average", "(1/n) \\sum_i v_i", "value"),
    noun("the? sum of all? of? the? <count>? values/value vectors?", "\\sum_i v_i", "value"),
    noun(
        "the/its? own? value/values vector? of/at/for/to/belonging/that/which belongs? to/at/for? <index>",
        "v_{[0]}",
        "value",
    ),
    noun("the value vector? of/at the first position/token/key", "v_1", "value"),
    noun("the? first value vector?", "v_1", "value"),
    noun("the? second value vector?", "v_2", "value"),
    noun("the? norm/length of the? longest/largest of? the? value/values vector/vectors?", "max_i ‖v_i‖"),
    noun("the? norm/length of the? shortest/smallest of? the? value/values vector/vectors?", "min_i ‖v_i‖"),
    noun("the? midpoint/middle of/between <np> and <np>", "({0} + {1})/2"),
    noun("the? point/vector? halfway/midway between <np> and <np>", "({0} + {1})/2"),
)

LIMITS: tuple[Rule, ...] = (
    *(
        Rule("limit", pattern, lambda *_, to=to: f"{TEMPERATURE} → {to}")
        for pattern, to in (
            ("as/when the? temperature <sym>? goes/tends/grows/approaches/→ to? infinity/∞", "∞"),
            ("as/when the? temperature <sym>? grows/increases/rises without? bound?", "∞"),
            ("as/when the? temperature <sym>? becomes/gets very? large/high", "∞"),
            ("in the limit of infinite/high/large temperature", "∞"),
            ("at/for very? high/large/infinite temperature/temperatures", "∞"),
            ("as/when the? temperature <sym>? goes/tends/shrinks/drops/approaches/→ to? zero", "0"),
            ("as/when the? temperature <sym>? vanishes", "0"),
            ("as/when the? temperature <sym>? becomes/gets very? small/low", "0"),
            ("in the limit of zero/low/small/vanishing temperature", "0"),
            ("at/for very? low/small/zero temperature/temperatures", "0"),
        )
    ),
    Rule(
        "limit",
        "as/when the? temperature <sym>? goes/tends/approaches to? <expr>",
        lambda _, to: f"{TEMPERATURE} → {to.signs}",
    ),
)

RULES: tuple[Rule, ...] = (*LIMITS, *INDICES, *NOUNS, *SCORES, *OUTPUTS)
