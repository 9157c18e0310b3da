"""Laws of single scores and keys: k_aᵀq is Gaussian with this mean and variance, keys come near to their means."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.phrases import Clause, Thing, as_variance, claim

_TRANSPOSE = r"(?:\^T|\^\{T\}|ᵀ|⊤|\^\\top|\^\{\\top\}|')"
_SCORE = re.compile(rf"k_\{{?\w\}}?{_TRANSPOSE} ?q(?:_\{{?\w\}}?)?|q{_TRANSPOSE} ?k_\{{?\w\}}?|s_\{{?\w\}}?")
_KEY = re.compile(r"k_\{?(?P<index>\w)\}?")


def _score(thing: Thing) -> Thing:
    """Raises: Unreadable for what is no score k_aᵀq."""
    if not _SCORE.fullmatch(thing.signs.strip()):
        raise Unreadable
    return thing


def _gaussian(score: Thing, mean: Thing, variance: Thing) -> Clause:
    return claim(f"{score.signs} ~ N({mean.signs}, {as_variance(variance.signs)})", of=score)


def _near_mean(sign: str, key: Thing) -> Clause:
    """A key is, or comes near to, its mean μ_i.

    Raises: Unreadable for what is no key.
    """
    found = _KEY.fullmatch(key.signs)
    if found is None:
        raise Unreadable
    return claim(f"{key.signs} {sign} μ_{found['index']}", of=key)


_MEANS = "its/their own? mean/means"
_GAUSSIAN = "again/also/still? gaussian/normal/normally ,? distributed?"

RULES: tuple[Rule, ...] = (
    Rule("score", "the? score/logit/product? <expr>", _score),
    Rule(
        "clause",
        f"<score> is/are {_GAUSSIAN} with mean <np> and variance/covariance <np>",
        _gaussian,
    ),
    Rule(
        "clause", "<score> has/follows a normal/gaussian distribution/law with mean <np> and variance <np>", _gaussian
    ),
    Rule("base", "the? mean/expectation/average of <score>", lambda x: Thing(f"E[{x.signs}]", (), "number")),
    Rule("base", "the? expected value of <score>", lambda x: Thing(f"E[{x.signs}]", (), "number")),
    Rule("any_key", "all/the all/the? keys/key vectors? <sym>?", lambda key: key or Thing("k_i")),
    Rule("any_key", "each/every key vector? <sym>?", lambda key: key or Thing("k_i")),
    Rule("any_key", "<sym>", lambda key: key),
    Rule(
        "clause",
        "<any_key> converges/converge/tends/tend/concentrates/concentrate/shrinks/shrink/collapses/collapse/goes/go "
        f"to/at/around/on/towards {_MEANS}",
        lambda key: _near_mean("→", key),
    ),
    Rule("clause", f"<any_key> approaches/approach {_MEANS}", lambda key: _near_mean("→", key)),
    Rule(
        "clause",
        f"<any_key> is/are/becomes/become approximately/nearly/almost/roughly equal? to? {_MEANS}",
        lambda key: _near_mean("≈", key),
    ),
)
