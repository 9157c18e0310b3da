"""What models can reach: probabilities with bounds, perplexities that exist or do not, texts and losses said first."""

from __future__ import annotations

import re
from dataclasses import replace

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.english.predicates import COMPARISONS, Predicate, negated
from regard.claims.syntax.prose.information.perplexity import TOKEN, TOKEN_LOSS, VOCABULARY
from regard.claims.syntax.prose.phrases import CROSS_ENTROPY, ITS, LOSS, Clause, Thing, claim, merged

_OPPOSITE = {"<": "≥", ">": "≤", "≤": ">", "≥": "<"}
_DETERMINER = "a/an/the/any/every/each/its/some?"
_PREDICTS = "assigns/assign/gives/give/gave/assigned/predicts/puts/places/allocates/assigning/giving"
_REACHES = "reach/have/attain/achieve/get/obtain/score/reaches/has/attains/achieves/gets/obtains/scores"
_LIMITED = "at? limited?"


def _token_bound(sign: str, value: Thing) -> tuple[str, ...]:
    """A bound for the probability of every token."""
    return (f"{TOKEN}_i {sign} {value.signs}",)


def exists(sign: str, value: Thing) -> Predicate:
    """Can be below 1: that it is never below 1 does not hold.

    Raises: Unreadable for equality, for which no counterexample is looked for.
    """
    if sign not in _OPPOSITE:
        raise Unreadable

    def meaning(x: Thing) -> Clause:
        given = tuple(dict.fromkeys((*value.given, *_types(x), *_types(value))))
        return negated(claim(f"{x.signs} {_OPPOSITE[sign]} {value.signs}", of=x, given=given))

    return meaning


_SCORE = re.compile(r"PP(?:_[12])?|CE|H_2|\(N CE\)|[\d./ ]+|\(?⟨vocabulary⟩\)?")
_OF_DISTRIBUTIONS = re.compile(r"(?:KL|H)\((?P<p>[a-z])(?: ?(?:\|\||,) ?(?P<q>[a-z]))?\)")


def _types(of: Thing) -> tuple[str, ...]:
    """What the letters of a score are: a counterexample with other letters would be none.

    Raises: Unreadable for anything else.
    """
    if _SCORE.fullmatch(of.signs):
        return ()
    found = _OF_DISTRIBUTIONS.fullmatch(of.signs)
    if found is None:
        raise Unreadable
    return tuple(f"{one} is a distribution" for one in found.groups() if one)


def _none(sign: str, value: Thing) -> Predicate:
    """No model has a perplexity below 1: all have at least 1."""
    if sign not in _OPPOSITE:
        raise Unreadable
    return lambda x: claim(f"{x.signs} {_OPPOSITE[sign]} {value.signs}", of=x, given=value.given)


def _reached(model: Thing, score: str, said: tuple[str, Thing], on: tuple[str, ...] | None) -> Clause:
    sign, value = said
    found = exists(sign, value)(Thing(score))
    return found.under(*merged(model), *(on or ()))


def _described(words: str, found: Clause) -> Clause:
    """Of a model that is described in words which no sign says, something may exist less often than of any.

    What no model has, such a model has not; so without these words the claim can fail, and not hold.
    """
    return replace(found, unread=(words,))


_LOSS_NOUN = "loss/entropy/cross-entropy/information/value/quantity/number/divergence"
_UNITS = (("bits", "1/log(2)"), ("nats", "log(2)"))


def _converted(factor: str, amount: Thing, *, divides: bool) -> Clause:
    return claim(f"1/{amount.factor} = {factor}" if divides else f"{amount.factor} = {factor}", given=amount.given)


def _number_of_units(one: str, other: str, factor: Thing) -> Clause:
    """Bits from nats, or nats from bits.

    Raises: Unreadable for two numbers of the same unit.
    """
    if one == other:
        raise Unreadable
    return claim(f"{factor.signs} = {dict(_UNITS)[one]}", given=factor.given)


def _other_cross_entropy() -> Thing:
    name = fresh("distribution")
    return Thing(f"H({ITS}, {name})", (f"{name} is a distribution",), "measure", Thing(ITS))


def _token_letters(names: tuple[str, ...], model: Thing) -> Clause:
    """The letters p_1, …, p_N that the tokens have anyway.

    Raises: Unreadable for others.
    """
    if names not in (("p_i",), ("p_t",), ("p",)):
        raise Unreadable
    return Clause((), merged(model))


def _limit_of_one(symbol: str) -> tuple[str, ...]:
    found = re.fullmatch(r"p_\{?\w\}?\s*(?:=|→|->|\\to)\s*0", symbol.strip())
    if found is None:
        raise Unreadable
    return (f"{TOKEN}_j → 0",)


def _sent_to_infinity(score: str, *, is_negated: bool) -> Clause:
    found = claim(f"{score} → ∞", of=Thing(score), given=(f"{TOKEN}_j → 0",))
    return negated(found) if is_negated else found


def _stays_finite(score: str) -> Clause:
    return negated(claim(f"{score} → ∞", of=Thing(score)))


def _power(base: Thing, exponent: Thing) -> Thing:
    return Thing(f"{base.factor}^{{{exponent.signs}}}", merged(base, exponent), "number")


def _raising(base: Thing, exponent: Thing, result: Thing) -> Clause:
    power = _power(base, exponent)
    return claim(f"{power.signs} = {result.signs}", of=result, given=(*power.given, *result.given))


def _log_or_size(x: Thing) -> Thing:
    """The logarithm of a number, or the number of words: as large in nats as what it is compared with.

    Raises: Unreadable for other numbers, which may be in nats or in bits.
    """
    if not re.search(r"log\(|⟨vocabulary⟩", x.signs):
        raise Unreadable
    return x


_TOKEN_RELATION = re.compile(r"p_\{?[ijt]\}?\s*(?P<sign>=|≥|≤|<|>)\s*(?P<value>[^=≥≤<>]+)")


def _token_relation(relation: str) -> tuple[str, ...]:
    """With p_t = 1/50.

    Raises: Unreadable for other letters.
    """
    found = _TOKEN_RELATION.fullmatch(relation)
    if found is None:
        raise Unreadable
    return (f"{TOKEN}_i {found['sign']} {found['value']}",)


def _score_in_signs(model: Thing, relation: str) -> Clause:
    """A model has PP = 50.

    Raises: Unreadable for a relation about anything else.
    """
    if not re.match(r"\s*(?:PPL?|CE)\s*(?:=|≤|≥|<|>|≈)", relation):
        raise Unreadable
    return claim(relation, given=merged(model))


_BOUNDS = tuple((sign, words) for sign, words in COMPARISONS if sign in _OPPOSITE)

BOUNDED: tuple[Rule, ...] = (
    Rule("lm_tail1", "with <rel> <every_token>?", lambda rel, _: _token_relation(rel)),
    Rule("every_token", "for all/every/each/any <expr>", lambda _: None),
    Rule("every_token", "for all/every/each/any token/tokens", lambda: None),
    Rule("clause", "<lm> has/reaches/satisfies <rel>", _score_in_signs),
    *(Rule("ordered", f"of? {words} <np>", lambda x, sign=sign: (sign, x)) for sign, words in _BOUNDS),
    Rule("ordered", "strictly? below/under <np>", lambda x: ("<", x)),
    Rule("ordered", "strictly? above/over/exceeding <np>", lambda x: (">", x)),
    Rule(
        "lm_vp",
        f"always? {_PREDICTS} to? <tokens> a/an? probability <ordered> <at_step>?",
        lambda tokens, said, _: (*_token_bound(*said), *tokens[1]),
    ),
    Rule(
        "lm_vp",
        f"always? {_PREDICTS} a/an? probability <ordered> to <tokens> <at_step>?",
        lambda said, tokens, _: (*_token_bound(*said), *tokens[1]),
    ),
    Rule(
        "lm_vp",
        f"always? {_PREDICTS} to? <tokens> {_LIMITED} <bounded_words> probability <expr>",
        lambda tokens, sign, value: (*_token_bound(sign, value), *tokens[1]),
    ),
    Rule(
        "lm_vp",
        f"always? {_PREDICTS} {_LIMITED} <bounded_words> probability <expr> to <tokens>",
        lambda sign, value, tokens: (*_token_bound(sign, value), *tokens[1]),
    ),
    Rule("bounded_words", "at least", lambda: "≥"),
    Rule("bounded_words", "at most", lambda: "≤"),
    Rule(
        "got",
        "<tokens> gets/get/receives/receive/has/have a/an? probability <ordered>",
        lambda tokens, said: (*_token_bound(*said), *tokens[1]),
    ),
    Rule(
        "got",
        "no token/word <tokens_tail>? gets/receives/has a/an? probability <ordered>",
        lambda tail, said: (f"{TOKEN}_i {_OPPOSITE[said[0]]} {said[1].signs}", *(tail or ())),
    ),
    Rule(
        "got",
        "the? probability/probabilities of <tokens> is/are <ordered>",
        lambda tokens, said: (*_token_bound(*said), *tokens[1]),
    ),
    Rule(
        "got",
        "all/the? the? token probabilities are <ordered>",
        lambda said: _token_bound(*said),
    ),
)

EXISTENCE: tuple[Rule, ...] = (
    Rule("vp", "can/could/may/might be/become/get/fall/drop/go <ordered>", lambda said: exists(*said)),
    Rule("vp", "can/could/may/might even/also/indeed? be negative", lambda: exists("<", Thing("0"))),
    Rule("vp", "can/could not/never be <ordered>", lambda said: _none(*said)),
    Rule("vp", "is/are never <ordered>", lambda said: _none(*said)),
    Rule("vp", "can/could not/never be negative", lambda: lambda x: claim(f"{x.signs} ≥ 0", of=x)),
    Rule("quantity_of_model", "<pp>", lambda pp: pp),
    Rule("quantity_of_model", "<ce>", lambda ce: ce),
    Rule(
        "clause",
        f"<lm> can/could/may/might {_REACHES} {_DETERMINER} <quantity_of_model> <ordered> <on_text>?",
        _reached,
    ),
    Rule(
        "clause",
        f"<described_lm> can/could/may/might {_REACHES} {_DETERMINER} <quantity_of_model> <ordered> <on_text>?",
        lambda words, score, said, on: _described(words, _reached(Thing("⟨model⟩"), score, said, on)),
    ),
    Rule(
        "clause",
        f"no <model_words>? model can/could? ever? {_REACHES} {_DETERMINER} <quantity_of_model> <ordered> <on_text>?",
        lambda _, score, said, on: _none(*said)(Thing(score)).under(*(on or ())),
    ),
    Rule(
        "clause",
        f"there is/exists/are {_DETERMINER} <model_words>? model/models whose/with <quantity_of_model> <on_text>? is? "
        "<ordered>",
        lambda _, score, on, said: _reached(Thing("⟨model⟩"), score, said, on),
    ),
    Rule("described_lm", f"{_DETERMINER} <flattery> <model_words>? model", lambda *_: "how good the model is"),
    Rule(
        "described_lm",
        f"{_DETERMINER} <model_words>? model that is <flattery> of/about the? right/true/correct/next? tokens/words",
        lambda *_: "how sure the model is",
    ),
    Rule(
        "flattery",
        "very/extremely/sufficiently? good/strong/large/sure/confident/certain/clever/bad/weak",
        lambda: None,
    ),
)


UNITS: tuple[Rule, ...] = (
    *(
        rule
        for unit, factor in _UNITS
        for rule in (
            Rule(
                "converting",
                f"to get/obtain/have/compute/express a/the? {_LOSS_NOUN} in {unit} ,? <divides> <np>",
                lambda divides, amount, factor=factor: _converted(factor, amount, divides=divides),
            ),
            Rule("quantity", f"a/the? {_LOSS_NOUN} in {unit}", lambda: None),
            Rule("number_of", f"the number of {unit}", lambda unit=unit: unit),
        )
    ),
    Rule(
        "clause",
        "<number_of> is/equals <number_of> divided by <np>",
        lambda a, b, x: _number_of_units(a, b, Thing(f"1/{x.factor}", x.given)),
    ),
    Rule(
        "clause",
        "<number_of> is/equals <number_of> times/multiplied by? <np>",
        _number_of_units,
    ),
    Rule("log_base", f"whether the? {_LOSS_NOUN} is measured/computed/given/taken in <two_units>", lambda _: None),
    Rule("log_base", "whether it is measured/computed/given/taken in <two_units>", lambda _: None),
    Rule("log_base", "whether one/we/you use/uses/measure/measures/take/takes it? in? <two_units>", lambda _: None),
    Rule("two_units", "bits or in? nats", lambda: None),
    Rule("two_units", "nats or in? bits", lambda: None),
)


_BIGNESS = "good/bad/large/small/strong/weak/big/long/short/clever"

LEADS: tuple[Rule, ...] = (
    Rule("lead1", f"however {_BIGNESS} the/a/its? <model_words>? model/text/corpus/vocabulary is ,", lambda _: None),
    Rule(
        "lead1", f"no matter how {_BIGNESS} the/a/its? <model_words>? model/text/corpus/vocabulary is ,", lambda _: None
    ),
    Rule("body", "on/for <text> ,? <lead>? <body>", lambda said, _, body: body.under(*said)),
    Rule("body", "with/at/for/from <scored> ,? <lead>? <body>", lambda said, _, body: body.under(*said)),
    Rule("declaration", "<lm>", lambda model: Clause((), merged(model))),
    Rule(
        "declaration",
        f"<lm> {_PREDICTS} the? probabilities <syms> to the? <expr>? tokens/words <tokens_tail>?",
        lambda model, names, *_: _token_letters(names, model),
    ),
    Rule(
        "clause",
        f"<lm> {_PREDICTS} the? probabilities <syms> to the? <expr>? tokens/words <tokens_tail>?",
        lambda model, names, *_: _token_letters(names, model),
    ),
    Rule("np", "its/their <ce> <on_text>", lambda ce, on: Thing(ce, on, "score")),
    Rule("np", f"{_DETERMINER} <ce_adj> <ce_word> <of_tokens>", lambda *_: Thing("CE", (), "score")),
    Rule(
        "np",
        "the? total/summed/whole <ce_word> <of_tokens>? <on_text>?",
        lambda _, __, on: Thing("(N CE)", on or (), "score"),
    ),
    Rule("np", "the? number of tokens <on_text>?", lambda on: Thing("N", on or (), "number")),
    Rule("np", "the? length of the text/corpus", lambda: Thing("N", (), "number")),
    Rule(
        "np",
        "its/the cross-entropy with/relative/wrt/against/to to? any/every/an/another? other? distribution",
        _other_cross_entropy,
    ),
)


_STAY = "stay/stays/remain/remains/are/is kept/held/stay?"
_FINITE = "finite/bounded"

LIMITS: tuple[Rule, ...] = (
    Rule("one_token", "even one/a single? token/word <occurring>?", lambda _: None),
    Rule(
        "scoring",
        "<lm> has/gets/reaches an? infinite <pp> <on_text>?",
        lambda model, pp, on: claim(f"{pp} → ∞", of=model, given=on or ()),
    ),
    *(
        Rule(
            "clause",
            f"a/one/any single? zero probability {words}",
            lambda pp, negative=negative: _sent_to_infinity(pp, is_negated=negative),
        )
        for words, negative in (
            ("makes/renders the/its? <pp> infinite", False),
            (f"leaves/keeps the/its? <pp> {_FINITE}", True),
        )
    ),
    Rule(
        "got",
        "<rel> for just/only/exactly? one/a single? of? the? <expr>? token/tokens <rest_fixed>?",
        lambda rel, _, __: _limit_of_one(rel),
    ),
    Rule(
        "rest_fixed",
        f",? and/while/with all? the? other <sym> {_STAY} fixed/positive/constant/unchanged",
        lambda _: None,
    ),
    *(
        Rule(
            "clause",
            f"<one_token> of/with/having probability zero {words}",
            lambda _, pp, negative=negative: _sent_to_infinity(pp, is_negated=negative),
        )
        for words, negative in (
            ("makes/renders the/its? <pp> infinite", False),
            ("sends the/its? <pp> to infinity", False),
            (f"leaves/keeps the/its? <pp> {_FINITE}", True),
        )
    ),
    Rule("clause", f"the/its <pp> <still_finite> {_FINITE} <large_text>?", lambda pp, *_: _stays_finite(pp)),
    Rule("still_finite", "is/stays/remains still?", lambda: None),
    Rule("large_text", ",? if/when/provided/once that? <expr> is large/long enough", lambda _: None),
    Rule("large_text", ",? if/when/provided/once that? the text is large/long enough", lambda: None),
)


_OPEN_LOSSES = (CROSS_ENTROPY, LOSS, TOKEN_LOSS, "H(p)")


def _exponential(base: Thing, exponent: Thing) -> Thing:
    """e to the cross-entropy, two to the cross-entropy, which is in bits where nothing else is said.

    Raises: Unreadable for another base, or for what is no loss.
    """
    in_bits = [f"(({one})/log(2))" for one in _OPEN_LOSSES] + ["(H(p)/log(2))"]
    if base.signs not in ("e", "2") or exponent.signs not in (*_OPEN_LOSSES, *in_bits, "CE", "H_2"):
        raise Unreadable
    is_in_bits = exponent.signs in in_bits or (base.signs == "2" and exponent.signs in _OPEN_LOSSES)
    return _power(base, Thing("H_2", exponent.given, "score") if is_in_bits else exponent)


def _check_fraction(value: Thing) -> Thing:
    """1/V, which is assigned as a probability.

    Raises: Unreadable for what may be another number.
    """
    if not re.fullmatch(r"1\s*/\s*(?:\w+|\|\w+\|)|0\.\d+|\\[dt]?frac\{?1\}?\{?\w+\}?", value.signs):
        raise Unreadable
    return value


POWERS: tuple[Rule, ...] = (
    Rule("np", "<expr> raised? to the? power? of? <np>", _exponential),
    Rule("np", "the? exponentiated <np>", lambda x: Thing(f"exp({x.signs})", x.given, "score")),
    Rule(
        "lm_vp",
        f"always? {_PREDICTS} <expr> to <tokens>",
        lambda value, tokens: (*_token_bound("=", _check_fraction(value)), *tokens[1]),
    ),
    Rule("lm", "uniform/random guessing", lambda: Thing("⟨model⟩", (f"{TOKEN}_i = 1/{VOCABULARY}",), "model")),
    Rule("vp", "can/could/may/might exceed <np>", lambda x: exists(">", x)),
    Rule("base", "a nat", lambda: Thing("1")),
    Rule(
        "clause",
        "<lm> has/gets/reaches <scored> and an/a? <scored>",
        lambda model, one, other: claim(*one[:1], *other[:1], of=model, given=(*one[1:], *other[1:])),
    ),
    Rule(
        "clause",
        "<lm> has/gets/reaches <scored> and an/a? <ce> of? <rel>",
        lambda model, one, _, rel: claim(*one[:1], f"CE = {rel}", of=model, given=one[1:]),
    ),
    Rule("np", "the vocabulary size", lambda: Thing(f"({VOCABULARY})")),
    Rule("np", "<expr> to the? power of? <np>", _power),
    Rule("np", "<expr> raised to the? power? of? <np>", _power),
    Rule("factored", "a/the? factor of? <np>", lambda x: x.signs),
    Rule("result_is", "gives/yields/produces/results/returns in?", lambda: None),
    Rule("clause", "raising <expr> to the? power? of? <np> <result_is> <np>", lambda a, b, _, c: _raising(a, b, c)),
    Rule(
        "clause",
        "exponentiating <np> <result_is> <np>",
        lambda x, _, y: claim(f"exp({x.signs}) = {y.signs}", of=y, given=merged(x, y)),
    ),
    Rule("scored", f"{_DETERMINER} <ce> of/equal? to? <size_of_loss>", lambda ce, x: (f"{ce} = {x.signs}",)),
    Rule("size_of_loss", "<np>", _log_or_size),
)


RULES: tuple[Rule, ...] = (*BOUNDED, *EXISTENCE, *UNITS, *LEADS, *LIMITS, *POWERS)
