"""Noise of keys in words: a covariance that is a multiple of the identity, a length that varies, Gaussian scores.

A key whose mean and covariance are said in words is k_i ~ N(μ_i, Σ) of every i; one key by itself is k ~ N(m, Σ).
"""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.nouns import noun
from regard.claims.syntax.prose.phrases import Clause, Thing, claim
from regard.claims.syntax.prose.signs import has_relation, letters_of

GAUSSIAN = "≗"
"""`=` where the keys of the text are Gaussian, so that scores without covariance are independent; else nothing."""
LAW = "≘"
"""Nothing where the keys of the text are Gaussian, so that a law may be claimed of their scores."""
ALONG = "ꝋ"
"""0 where a key has its mean's direction but for its sign; else nothing."""
_ALL = "all/every/each/the/a/any of? the? <noise_words>? key/keys"
_IDENTITY = "the? identity/unit matrix?"
_OUTER = "the outer product of its/the/their mean/means with itself/themselves"
_HALF = "plus/and half/(1/2) of?"


def _covariance_of(signs: str) -> str:
    """The covariance in signs, if it is one of no other key.

    Raises: Unreadable for a relation.
    """
    if has_relation(signs):
        raise Unreadable
    return signs


def _family(*parts: object) -> Clause:
    return claim(f"k_i ~ N(μ_i, {parts[-1]})")


def _with_mean(mean: Thing, covariance: str) -> Clause:
    return claim(f"k_i ~ N({mean.signs}, {covariance})")


NOISE: tuple[Rule, ...] = (
    Rule("noise_words", "<noise_word> <noise_words>?", lambda *_: None),
    Rule("noise_word", "random/noisy/gaussian/normal/single/independent", lambda: None),
    Rule("isotropic", f"<expr> times {_IDENTITY}", lambda x: f"{x.factor} I"),
    Rule("isotropic", f"a/some multiple <expr> of {_IDENTITY}", lambda x: f"{x.factor} I"),
    Rule("isotropic", "<expr>", lambda x: _covariance_of(x.signs)),
    Rule("covariance", f"<isotropic> {_HALF} {_OUTER}", lambda one: f"{one} + (1/2) μ_i μ_i^T"),
    Rule("covariance", "<isotropic>", lambda one: one),
    Rule(
        "key_fact",
        f"{_ALL} has/have the? same? covariance matrix? <covariance>",
        _family,
    ),
    Rule(
        "key_fact",
        f"{_ALL} has/have as its/their covariance matrix? <covariance>",
        _family,
    ),
    Rule("key_fact", f"the? covariance matrix? of {_ALL} is/be <covariance>".replace("<noise_words>? ", ""), _family),
    Rule(
        "key_fact",
        f"{_ALL} has/have mean <expr> and covariance matrix? <covariance>",
        lambda _, mean, covariance: _with_mean(mean, covariance),
    ),
)


def as_gaussian(written: str, text: str) -> str:
    """A claim that needs Gaussian keys, or a key along its mean, where the text gives such keys.

    Raises: Unreadable.
    """
    if (GAUSSIAN in written or LAW in written) and not re.search(
        r"Let k(?:_\{?\w\}?)?\s*(?:~|∼|\\sim)\s*(?:N|\\mathcal)", written
    ):
        raise Unreadable
    if ALONG in written and not re.search(r"Let k_\{?\w\}?\s*=\s*\(\s*1\s*\+", written):
        raise Unreadable
    return written.replace(GAUSSIAN, "=").replace(LAW, "").replace(ALONG, "0")


_MOMENT_OF_SCORE = re.compile(r"(?:Var|Std)\(k_i\^T")


def as_random(written: str, text: str) -> str:
    """Any noise of the keys, where a text compares variances of scores and says nothing of what is random."""
    is_said = "~" in written or "∼" in written or "Let k_" in written or "Cov" in written
    if is_said or len(_MOMENT_OF_SCORE.findall(written)) < 2:
        return written
    return f"Let k_i ~ N(μ_i, Σ_i). {'' if written.startswith('Let ') else 'Then '}{written}"


_PRIMED = re.compile(r"(?<![A-Za-z\\])q(?:['′’](?![A-Za-z])|\^\{?\\prime\}?)")


def name_second_query(written: str, text: str) -> str:
    """A letter of its own for q′ beside q, which is no transpose of q.

    Raises: Unreadable where none is free.
    """
    if not re.search(rf"(?<![A-Za-z\\])q\s*(?:,|and|\$)[\s$]*(?:and\s*)?{_PRIMED.pattern}", text):
        return written
    letter = next((one for one in "uwz" if one not in letters_of([text, written])), "")
    if not letter:
        raise Unreadable
    return _PRIMED.sub(letter, written)


_SIGMA_LAW = re.compile(r"Let (k_\{?i\}?\s*(?:~|∼|\\sim)[^.]*(?:Σ|Sigma)[^.]*)\. ")
_OPENING = re.compile(r"[.;]|\bthen\b|,\s*(?:the|we|so)\b", re.IGNORECASE)
_LAW = re.compile(
    r"k_\{?i\}?\s*(?:~|∼|\\sim)|\bkeys\b[^.;]*\b(?:gaussian|normal)|(?:gaussian|normal)[^.;]*\bkeys\b", re.IGNORECASE
)


def keep_independence(written: str, text: str) -> str:
    """Keys with laws N(μ_i, Σ_i) of which the text says that they are independent: their laws say nothing of it."""
    parts = [part for part in _OPENING.split(text) if _LAW.search(part)]
    is_said = any(re.search(r"\bindependent", part) and not re.search(r"\bnot\b", part) for part in parts)
    return _SIGMA_LAW.sub(r"Let \1 independent. ", written) if is_said else written


def _linear_in_key(thing: Thing) -> str:
    """A score, k_iᵀq of any query.

    Raises: Unreadable for anything else.
    """
    if not re.fullmatch(r"k(?:_\{?\w\}?|[ᵢⱼₐ])?\s*(?:\^\{?(?:T|\\top)\}?|ᵀ|⊤)\s*\(?[^()]*\)?", thing.signs):
        raise Unreadable
    return thing.signs


def _gaussian_scores(*, are_independent: bool) -> Clause:
    law = f"k_i^T q ~ N(μ_i^T q, q^T Σ_i q){LAW}"
    return claim(*((f"Cov(k_i^T q, k_j^T q) {GAUSSIAN} 0 for i ≠ j",) if are_independent else ()), law)


def _length_noise(variance: Thing) -> Clause:
    return claim("k_a = (1 + g) μ_a", f"g ~ N(0, {variance.signs})", "‖μ_a‖ = 1", of=Thing("k_a"))


def _opposite(sign: str, probability: str) -> Clause:
    return claim(f"P(k_a^T μ_a < {ALONG}) {sign} {probability}")


_KEY = "a/the/this/one/it key?"
_NORMAL = "gaussian/normal"

SCORES: tuple[Rule, ...] = (
    Rule("key_fact", f"the/all? the? keys are {_NORMAL} vectors?", lambda: claim("k_i ~ N(μ_i, Σ_i)")),
    Rule(
        "key_fact",
        f"the/all? the? keys are independent and? {_NORMAL} random? vectors?",
        lambda: claim("k_i ~ N(μ_i, Σ_i)"),
    ),
    Rule("key_fact", f"a/the/every/each key is a? {_NORMAL} random? vector?", lambda: claim("k_i ~ N(μ_i, Σ_i)")),
    Rule("of_keys_of_scores", "of the? different/distinct/individual/single? keys", lambda: None),
    Rule("scores", "the/its/all/every/each? attention? scores/score/logits/logit <of_keys_of_scores>?", lambda _: None),
    Rule("scores", "the/its/all/every/each? attention? scores/score for a/the/any fixed? query", lambda: None),
    Rule(
        "clause",
        f"<scores> are/is also/again? a? {_NORMAL} random? variables/variable/numbers/number? <ignored>?",
        lambda *_: _gaussian_scores(are_independent=False),
    ),
    Rule(
        "clause",
        f"<scores> are also/again? independent and? {_NORMAL} random? variables/numbers?",
        lambda _: _gaussian_scores(are_independent=True),
    ),
    Rule(
        "clause",
        "the? scores? <expr> and <expr> <of_two>? have/has covariance <np>",
        lambda a, b, _, x: claim(f"Cov({_linear_in_key(a)}, {_linear_in_key(b)}) = {x.signs}", given=x.given),
    ),
    Rule("of_two", "of/for/with two different/distinct? queries", lambda: None),
    Rule("clause", "<syms> satisfy/fulfil <rel>", lambda _, rel: claim(rel)),
    Rule("declaration", "<syms> be two/any? queries/query with <rel>", lambda _, rel: claim(rel)),
    Rule("declaration", "<syms> be two/any? queries", lambda _: Clause()),
)

LENGTHS: tuple[Rule, ...] = (
    Rule("relative_noise", f"a/an? <centred> {_NORMAL} random? number/variable/factor", lambda _: None),
    Rule("centred", "centred/centered/zero-mean", lambda: None),
    Rule(
        "length_noise",
        "its unit mean vector? ,? times/multiplied by? one plus <relative_noise> of/with variance <np>",
        lambda _, variance: variance,
    ),
    Rule("key_fact", f"{_KEY} is/equals equal? to? <length_noise>", _length_noise),
    Rule(
        "body",
        f"{_KEY} that/which is/equals equal? to? <length_noise> <body_of_key>",
        lambda v, said: said.under(*_length_noise(v).claims),
    ),
    Rule("body_of_key", "<opposite>", lambda said: said),
    Rule("body_of_key", "has <squared_length> <np>", lambda _, x: claim(f"E[‖k_a‖²] = {x.signs}")),
    Rule("squared_length", "expected/mean squared length/norm", lambda: None),
    Rule("clause", "<sym> <opposite>", lambda x, said: said if x.signs in ("k_a", "kₐ") else _refuse()),
    Rule("clause", "it/the/this key? <opposite>", lambda said: said),
    Rule(
        "opposite",
        "never points/point <opposite_way> <again>?",
        lambda *_: _opposite("=", "0"),
    ),
    Rule("opposite", "points <opposite_way> with probability <np>", lambda _, x: _opposite("=", x.signs)),
    Rule("opposite", "can point <opposite_way>", lambda _: _opposite(">", "0")),
    Rule("opposite_way", "in the direction opposite to its/the mean", lambda: None),
    Rule("opposite_way", "in the direction opposite to <sym>", lambda _: None),
    Rule("opposite_way", "opposite to its/the mean", lambda: None),
    Rule("opposite_way", "away from its mean", lambda: None),
    Rule("again", ", that/this event has probability zero/0", lambda: None),
    noun("the? expected/mean squared length/norm of the/this key", "E[‖k_a‖²]", "number"),
)


def _refuse() -> Clause:
    raise Unreadable


RULES: tuple[Rule, ...] = (*NOISE, *SCORES, *LENGTHS)
