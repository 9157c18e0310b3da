"""Random keys: means and variances of keys, noise that is added, the other keys, scores that are normal."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.clauses import state
from regard.claims.syntax.prose.nouns import noun
from regard.claims.syntax.prose.phrases import Clause, Thing, both, claim
from regard.claims.syntax.prose.weights import OTHER, WEIGHTS

_OF_KEY = re.compile(r"\s*k_\{?(?P<index>\w)\}?\s*(?P<rest>(?:=|~|∼|\\sim).*)", re.DOTALL)


def _other_keys(rel: str) -> Clause:
    """All other keys are k_i = μ_i: for every i but that of the key that was named before.

    Raises: Unreadable.
    """
    found = _OF_KEY.fullmatch(rel)
    if found is None or found["index"] not in "ijlm":
        raise Unreadable
    return claim(f"{rel} for all {found['index']} ≠ {OTHER}")


def _except(all_: str, one: str) -> Clause:
    """The keys are k_i = μ_i except k_a = (1 + g) μ_a."""
    index = _OF_KEY.fullmatch(one)
    if index is None:
        raise Unreadable
    return both(claim(one), _other_keys(all_))


def _law_of_keys(rel: str) -> Clause:
    if _OF_KEY.fullmatch(rel) is None:
        raise Unreadable
    return state(rel)


def _normal(names: tuple[str, ...], mean: Thing, spread: Thing) -> Clause:
    return claim(*(f"{name} ~ N({mean.signs}, {spread.signs})" for name in names))


def _refuse() -> Clause:
    raise Unreadable


_NOISE = "independent/random/gaussian/normal/noisy/isotropic?"
_VARIANCE = "variance/covariance"


def _orthonormal_means(names: tuple[str, ...]) -> Clause:
    """Orthonormal means: all of them, or those that are named."""
    if len(names) == 1:
        return claim("μ_i orthonormal")
    lengths = [f"‖{name}‖ = 1" for name in names]
    return claim(*lengths, *(f"{a}^T {b} = 0" for i, a in enumerate(names) for b in names[i + 1 :]))


MEANS: tuple[Rule, ...] = (
    Rule("mu_list", "<syms>", lambda names: names if re.match(r"μ|\\\\?mu|m_", names[0]) else _refuse()),
    Rule(
        "key_fact",
        "the/all/let? the? mean/means keys? <mu_list>? are/be/is mutually/pairwise? orthonormal",
        lambda _: claim("μ_i orthonormal"),
    ),
    Rule(
        "key_fact",
        "all? the? <mu_list> are/be mutually/pairwise? orthonormal vectors/means?",
        _orthonormal_means,
    ),
    Rule("key_fact", "all/the? the? μ's are? orthonormal", lambda: claim("μ_i orthonormal")),
    Rule("verbless", "the/with? <key_count>? orthonormal means <mu_list>?", lambda *_: claim("μ_i orthonormal")),
    Rule("verbless", "orthonormal <mu_list>", _orthonormal_means),
    Rule("verbless", "all? <mu_list> orthonormal", _orthonormal_means),
    Rule("verbless", "the/all? means <mu_list>? orthonormal", lambda _: claim("μ_i orthonormal")),
    Rule("verbless", f"the? {_NOISE} {_NOISE} keys <key_law> independently?", _law_of_keys),
    Rule("verbless", f"the? {_NOISE} key <key_law>", _law_of_keys),
    Rule("key_law", "<rel>", lambda rel: rel),
    Rule("key_fact", f"the? {_NOISE} keys are {_NOISE} and? ,? {_NOISE} ,? <key_law>", _law_of_keys),
    Rule(
        "key_fact",
        f"the? keys <syms> are/be {_NOISE} {_NOISE} with means/mean <expr> and {_VARIANCE} matrix/matrices? <expr>",
        _normal,
    ),
    Rule(
        "key_fact", "all? the? other/remaining keys are? noise-free/fixed/exact/just/noiseless? ,? <rel>", _other_keys
    ),
    Rule("key_fact", "every/each/any other key is noise-free/fixed/exact/just/noiseless? ,? <rel>", _other_keys),
    Rule("key_fact", "the? keys are <rel> except/but for? <rel>", _except),
    Rule(
        "key_fact",
        "the? keys are <rel> ( <verbless> ) except/but for? <rel>",
        lambda all_, said, one: both(said, _except(all_, one)),
    ),
    Rule("key_fact", "<rel> independently/independent for? each/all? other? <rel>?", lambda rel, _: _law_of_keys(rel)),
    Rule("verbless", "isotropic/gaussian/normal/random isotropic? key noise", Clause),
    Rule("verbless", "isotropic/gaussian/normal/random isotropic/gaussian? noise on/in the? keys", Clause),
    Rule(
        "key_fact",
        "the? keys are <rel> ( orthonormal ) except/but for? <rel>",
        lambda all_, one: both(claim("μ_i orthonormal"), _except(all_, one)),
    ),
    Rule(
        "verbless", "random/arbitrary <sym>", lambda x: Clause() if x.signs in ("g", "γ", "\\gamma", "ε") else _refuse()
    ),
    Rule(
        "verbless",
        "a random/arbitrary <sym>",
        lambda x: Clause() if x.signs in ("g", "γ", "\\gamma", "ε") else _refuse(),
    ),
)


NOUNS: tuple[Rule, ...] = (
    noun("the? expected <weight_words>? weight on/of/for/at <index>", f"E[{WEIGHTS}_{{[1]}}]", "number"),
    noun("the? expected <weight_words>? weight <expr>", "[1]", "number"),
    noun("the? expected <weight_words>? weights <expr>?", f"E[{WEIGHTS}_i]", "number"),
    noun("the? variance of the? <weight_words>? weight on/of/for/at <index>", f"Var({WEIGHTS}_{{[1]}})", "number"),
    noun(
        "the? variance of all/every/each/any/the? of? the? raw/attention? score/scores/logit/logits",
        "Var(k_i^T q)",
        "number",
    ),
    noun(
        "the? standard deviation of all/every/each/any/the? of? the? raw/attention? score/scores/logit/logits",
        "Std(k_i^T q)",
        "number",
    ),
    noun(
        "the? mean of all/every/each/any/the? of? the? raw/attention? score/scores/logit/logits", "E[k_i^T q]", "number"
    ),
    noun("the? noise in the? score/logit <expr>", "[0]", "score"),
)

RULES: tuple[Rule, ...] = (*MEANS, *NOUNS)
