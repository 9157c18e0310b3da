"""Random keys: means and variances of keys, noise that is added, the other keys, scores that are normal."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.attention.weights import OTHER, WEIGHTS
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.clauses import state
from regard.claims.syntax.prose.english.nouns import noun
from regard.claims.syntax.prose.phrases import Clause, Thing, both, claim
from regard.claims.syntax.prose.signs import letters_of, symbols_in

_OF_KEY = re.compile(r"\s*k_\{?(?P<index>\w)\}?\s*(?P<rest>(?:=|~|∼|\\sim).*)", re.DOTALL)


def _other_keys(rel: str) -> Clause:
    """All other keys are k_i = μ_i: for every i but that of the key that was named before.

    Raises: Unreadable.
    """
    found = _OF_KEY.fullmatch(rel)
    if found is None or found["index"] not in "ijlm":
        raise Unreadable
    return claim(f"{rel} for all {found['index']} ≠ {OTHER}")


def _others_at_means(_: object, more: Clause | None = None) -> Clause:
    """All other keys are noise-free: each is its mean."""
    said = claim(f"k_i = μ_i for all i ≠ {OTHER}")
    return both(said, more) if more is not None else said


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


def _law_of_one_key(rel: str) -> Clause:
    """The same random key k ~ N(μ, Σ), which has no index.

    Raises: Unreadable for what is no law of k.
    """
    if re.match(r"\s*k\s*(?:~|∼|\\sim)", rel) is None:
        raise Unreadable
    return claim(rel)


def _normal(names: tuple[str, ...], mean: Thing, spread: Thing) -> Clause:
    return claim(*(f"{name} ~ N({mean.signs}, {spread.signs})" for name in names))


def _refuse() -> Clause:
    raise Unreadable


_NOISE = "independent/random/gaussian/normal/noisy/isotropic?"
_VARIANCE = "variance/covariance"
_STILL = "noise-free/noiseless/fixed/exact/deterministic/nonrandom/non-random/unperturbed/undisturbed/constant"
_ORTHONORMAL = claim("μ_i orthonormal")


def _laws_of_keys(first: str, second: str) -> Clause:
    return both(_law_of_keys(first), _law_of_keys(second))


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
    Rule(
        "verbless", "the/all? the? <key_count>? key? means <mu_list>? orthonormal", lambda *_: claim("μ_i orthonormal")
    ),
    Rule(
        "key_fact",
        "the/all? the? <key_count>? key? means <mu_list>? are/be/is/being mutually/pairwise? orthonormal",
        lambda *_: claim("μ_i orthonormal"),
    ),
    Rule("key_fact", "<rel> ,? and <rel> are/be? mutually? independent/independently", _laws_of_keys),
    Rule("key_fact", "independent/gaussian/normal/noisy/random/the keys <rel> and <rel>", _laws_of_keys),
    Rule("key_fact", "<other_key_words> <at_means>", _others_at_means),
    Rule("key_fact", "<other_key_words> <at_orthonormal_means>", lambda *_: both(_others_at_means(None), _ORTHONORMAL)),
    Rule("other_key_words", "all/only? of? the? other/remaining keys/ones", lambda: None),
    Rule("other_key_words", "every/each/any other/remaining key", lambda: None),
    Rule("other_key_words", "the others", lambda: None),
    Rule("at_means", f"<being> {_STILL}", lambda _: None),
    Rule("at_means", f"<being> {_STILL} at/to/with its/their means/mean", lambda _: None),
    Rule("at_means", "<being> equal/identical to? its/their means/mean", lambda _: None),
    Rule("at_means", "<being> its/their exact? means/mean", lambda _: None),
    Rule("at_means", "<being> at its/their means/mean", lambda _: None),
    Rule("at_means", "<being> not random/noisy/perturbed/disturbed", lambda _: None),
    Rule("at_means", "<being> without/free any/of? noise/randomness", lambda _: None),
    Rule("at_means", "equals/equal its/their means/mean", lambda: None),
    Rule("at_means", "stay/stays/remain/remains/sit/sits at its/their means/mean", lambda: None),
    Rule("at_means", "has/have/carry/carries/with no noise/randomness", lambda: None),
    Rule("at_orthonormal_means", f"<being> {_STILL} at/to/with their orthonormal means", lambda _: None),
    Rule("at_orthonormal_means", "<being> equal/identical? to? their orthonormal means", lambda _: None),
    Rule("at_orthonormal_means", "equal their orthonormal means", lambda: None),
    Rule("being", "is/are/be/being/stay/stays/remain/remains? all? just/simply/kept/held?", lambda: None),
    Rule("verbless", f"the? {_NOISE} {_NOISE} keys <key_law> independently?", _law_of_keys),
    Rule("verbless", f"the? {_NOISE} key <key_law>", _law_of_keys),
    Rule("verbless", "the/a/one same/single/fixed? random/gaussian/normal/noisy? key <rel>", _law_of_one_key),
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


_MOMENT = re.compile(r"(?<![A-Za-z])(?:E|Var|Std|Cov|Corr|P)\s*[\[({]")
_LAW_OF_G = re.compile(r"Let g\s*(?:~|∼|\\sim) .*?\. (?=Let|Then)")
_SIGN_OF_G = re.compile(r"(?:Let|iff|Then) (?:-1|−1)?\s*g?\s*[<>≤≥]")


_SAID_LAW = re.compile(r"Let (k_\{?(?P<index>\w)\}?\s*(?:~|∼|\\sim) (?:.*?))\. (?=Let|Then)")


def join_independent_keys(written: str, text: str) -> str:
    """Independent keys k_a ~ N(μ_a, αI) and k_b ~ N(μ_b, αI) are two of the family k_i ~ N(μ_i, αI)."""
    laws = list(_SAID_LAW.finditer(written))
    is_said = re.search(r"\bindependent(?:ly)?\b", text) and not re.search(r"\bnot\b|\bcorrelat|\bdependent", text)
    families = {re.sub(rf"_\{{?{one['index']}\}}?(?![A-Za-z0-9])", "_i", one[1]) for one in laws}
    if len(laws) < 2 or not is_said or len(families) > 1 or "_i" in "".join(one[1] for one in laws):
        return written
    for one in laws[1:]:
        written = written.replace(one.group(), "")
    written = written.replace(laws[0].group(), f"Let {families.pop()}. ")
    indices = [one["index"] for one in laws]
    return "".join(f"Let {a} ≠ {b}. " for i, a in enumerate(indices) for b in indices[i + 1 :]) + written


_FAMILY_LAW = re.compile(r"Let (k_\{?[ijlm]\}?\s*(?:~|∼|\\sim) (?:.*?))\. (?=Let|Then)")
_OPENED = re.compile(r"\b(?:[Ii]f|[Ff]or|[Ww]hen|[Ww]ith|[Gg]iven|[Ll]et|[Ss]uppose|[Aa]ssume|[Tt]ake)\b")


def state_independence(written: str, text: str) -> str:
    """Keys k_i ~ N(μ_i, Σ_i) that are given as independent, with the word, which their laws do not say.

    Raises: Unreadable where two covariances are compared, which are drawn alike.
    """
    if re.search(r"(?:Σ|\\Sigma)_\{?\w\}?\s*(?:=|≠)\s*(?:Σ|\\Sigma)_", written):
        raise Unreadable
    given, then, _ = re.sub(r"\bThen\b", "then", text).rpartition("then")
    given = given if then else text.partition(",")[0]
    is_said = _OPENED.match(given) and re.search(r"\bindependent(?:ly)?\b", given)
    if (
        not is_said
        or re.search(r"\bnot\b|\bcorrelat|\bdependent|\bindependent of\b", given)
        or " independent. " in written
    ):
        return written
    return _FAMILY_LAW.sub(lambda found: f"Let {found[1]} independent. ", written)


_OF_ATTENTION = re.compile(
    r"(?<![A-Za-z\\])(?:α|\\?alpha|v|w|k|μ|\\?mu)_\{?(\w)\}?|(?<![A-Za-z\\])[cno](?![A-Za-z])|softmax"
)


def as_lone_key(written: str, text: str) -> str:
    """A key with noise along its mean, of which only scores are claimed, without its index: k ~ N(μ, αI + ½ μ μᵀ)."""
    law = _SAID_LAW.search(written)
    names = list(_OF_ATTENTION.finditer(written))
    is_along = law is not None and re.search(r"μ|\\?mu", law[1].partition(",")[2]) is not None
    if law is None or not is_along or any(one[1] != law["index"] or one.group()[0] in "αvw" for one in names):
        return written
    if any("alpha_" in one.group() for one in names):
        return written
    letter = next((one for one in "mub" if one not in letters_of([written])), "")
    if not letter:
        raise Unreadable
    index = rf"_\{{?{law['index']}\}}?(?![A-Za-z0-9])"
    plain = re.sub(rf"(?<![A-Za-z])k{index}", "k", written)
    plain = re.sub(rf"(?<=[A-Za-z])(?:μ|\\mu){index}", f" {letter}", plain)  # Cμ_a is C m
    return re.sub(rf"(?:μ|\\?mu){index}", letter, plain)


def name_length_noise(written: str, text: str) -> str:
    """The g of k_a = (1 + g) μ_a is any number where no moment is claimed, so that g > 0 may be a condition.

    Raises: Unreadable where all letters for numbers are taken.
    """
    if not re.search(r"Let k_i = μ_i for all i ≠", written) or "g" not in symbols_in(written):
        return written
    law = _LAW_OF_G.search(written)
    if _MOMENT.search(written) or (law is not None and " iff " not in written and not _SIGN_OF_G.search(written)):
        return written
    used = letters_of([text, written])
    letter = next((one for one in "tβλ" if one not in used), "")
    if not letter:
        raise Unreadable
    plain = written.replace(law.group(), "") if law is not None else written
    return re.sub(r"(?<![A-Za-z\\])g(?![A-Za-z])", letter, plain)


NOUNS: tuple[Rule, ...] = (
    noun("the? expected <weight_words>? weight on/of/for/at <index>", f"E[{WEIGHTS}_{{[1]}}]", "number"),
    noun("the? expected <weight_words>? weight <expr>", "[1]", "number"),
    noun("the? expected <weight_words>? weights <expr>?", f"E[{WEIGHTS}_i]", "number"),
    noun("the? variance of the? <weight_words>? weight on/of/for/at <index>", f"Var({WEIGHTS}_{{[1]}})", "number"),
    noun(
        "the? variance of all/every/each/any/the/a? of? the? raw/attention? score/scores/logit/logits",
        "Var(k_i^T q)",
        "number",
    ),
    noun(
        "the? standard deviation of all/every/each/any/the/a? of? the? raw/attention? score/scores/logit/logits",
        "Std(k_i^T q)",
        "number",
    ),
    noun(
        "the? mean of all/every/each/any/the? of? the? raw/attention? score/scores/logit/logits", "E[k_i^T q]", "number"
    ),
    noun("the? noise in the? score/logit <expr>", "[0]", "score"),
)

RULES: tuple[Rule, ...] = (*MEANS, *NOUNS)
