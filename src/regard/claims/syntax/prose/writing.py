"""Clauses in, signs out: each statement of a text with all that is given for it, its letters named."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from regard.claims.syntax.prose.algebra.column_spaces import in_coordinates, number_vectors
from regard.claims.syntax.prose.attention import (
    dominance,
    key_noise,
    noisy_keys,
    outcomes,
    queries,
)
from regard.claims.syntax.prose.attention.weights import keep_apart, name_weights
from regard.claims.syntax.prose.chart import Unreadable
from regard.claims.syntax.prose.english import (
    definites,
)
from regard.claims.syntax.prose.english.comparatives import as_function
from regard.claims.syntax.prose.english.entities import LETTERS
from regard.claims.syntax.prose.information import (
    scores,
    token_values,
)
from regard.claims.syntax.prose.information.perplexity import TOKEN
from regard.claims.syntax.prose.information.rounded_values import with_tolerance
from regard.claims.syntax.prose.information.scores import name_cross_entropy
from regard.claims.syntax.prose.networks import (
    class_losses,
)
from regard.claims.syntax.prose.networks.layers import name_network
from regard.claims.syntax.prose.networks.softmax_letters import (
    define_softmax,
    divide_by_temperature,
    name_logits,
    name_loss,
)
from regard.claims.syntax.prose.notation import (
    fixed_scales,
)
from regard.claims.syntax.prose.phrases import RETURNS, VANISH, Clause, bind, is_open
from regard.claims.syntax.prose.probability import averaging
from regard.claims.syntax.prose.probability.convexity import name_functions
from regard.claims.syntax.prose.probability.laws import state_laws
from regard.claims.syntax.prose.probability.moments import in_mean_square
from regard.claims.syntax.prose.probability.random_variables import is_of_model, tells_of_model
from regard.claims.syntax.prose.signs import is_limit, letters_of, symbols_in
from regard.claims.syntax.prose.sizes import plain_size, tall_columns


@dataclass(frozen=True)
class Reading:
    """A text in signs: a claim for each statement that it makes, and conclusions in words that were not understood."""

    claims: tuple[str, ...]
    unread: tuple[str, ...] = ()


def write_clauses(found: list[Clause], text: str) -> Reading | None:
    """Every statement with all that is given for it, in the words of the grammar.

    Raises: Unreadable where `it` or a thing without a name is left.
    """
    lets: list[str] = []
    said: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    subject = None
    unread: list[str] = []
    for clause in found:
        one = _with_definitions_given(bind(clause, subject), lets)
        subject = one.subject or subject
        unread += one.unread
        is_declared = clause is not found[-1] and bool(one.claims) and _is_declaration(one, lets)
        rest = found[found.index(clause) + 1 :]
        is_declared = is_declared or (
            bool(rest) and not lets and tells_of_model(one) and not any(map(is_of_model, rest))
        )
        if is_declared and one.unread:
            raise Unreadable  # what was not read may be given
        if is_declared:
            lets += [*one.given, *one.claims]  # keys are noisy: k_i ~ N(μ_i, αI)
        elif one.claims:
            given = one.given or (said[-1][0] if said else ())  # in particular, …: under the same conditions
            said.append((given, one.claims))
        else:
            lets += one.given
    is_exact = _EXACT.search(text) is not None
    is_of_limit = not is_exact and _OF_LIMIT.search(text) is not None
    lets += define_softmax([*lets, *(one for given, claims in said for one in (*given, *claims))], text)
    fixed = tuple(f"{one} is fixed" for one in fixed_scales(text))
    written = [
        one
        for given, claims in said
        for each in claims
        for one in queries.with_negative_factor(
            _claim(lets, given, each, is_exact=is_exact, is_of_limit=is_of_limit, fixed=fixed), text
        )
    ]
    if not written or any(is_open(one) for one in written):
        return None
    each = (one for statement in written for one in name_functions(statement))
    return Reading(tuple(_name_all(one, text) for one in each), tuple(unread))


_FUNCTION_OF = re.compile(r"\\?\w+ ?:?= ?(?:\\mathrm\{|\\operatorname\{|\\text\{)?softmax\}? ?\(")


def _with_definitions_given(clause: Clause, lets: list[str]) -> Clause:
    """p = softmax(z) beside another statement is nothing that is claimed: with p = softmax(z), one gets A."""
    described = tuple(one for one in clause.claims if _OF_TOKENS.fullmatch(one))
    if described and len(described) < len(clause.claims):  # each token gets 1/V, so the perplexity is V
        others = tuple(one for one in clause.claims if one not in described)
        return replace(clause, claims=others, given=(*clause.given, *described))
    defined = tuple(one for one in clause.claims if _FUNCTION_OF.match(one))
    names = {one.partition("=")[0].rstrip(" :") for one in defined}
    others = tuple(one for one in clause.claims if one not in defined)
    is_used = all(any(name in symbols_in(other) for other in others) for name in names)
    is_again = any(one.partition("=")[0].rstrip(" :") in names for one in lets)
    if not others or not defined or not is_used or is_again:
        return clause
    return replace(clause, claims=others, given=(*defined, *clause.given))


_OF_TOKENS = re.compile(rf"{TOKEN}_[ij] (?:=|≥|≤|<|>|→) (?:(?! iff | does not hold).)*")
"""What a model gives the tokens, which describes the model and is nothing that anybody proves."""
_EXACT = re.compile(r"\b(?:exact(?:ly)?|precisely|perfect(?:ly)?)\b", re.IGNORECASE)


def _is_declaration(clause: Clause, lets: list[str]) -> bool:
    """Whether a sentence before the last says what its letters are; not so of a letter that was defined."""
    if clause.claims and all(_OF_TOKENS.fullmatch(each) for each in clause.claims):
        return True
    defined = {one.partition("=")[0].strip() for one in lets if "=" in one}
    return any(_DECLARATION.search(each) and each[0] not in defined for each in clause.claims)


_OF_LIMIT = re.compile(r"^in the limit (?:of|as|where|when)\b", re.IGNORECASE)
"""How a text begins of which `is` says what the limit is."""


def _claim(
    lets: list[str],
    given: tuple[str, ...],
    claimed: str,
    *,
    is_exact: bool,
    is_of_limit: bool = False,
    fixed: tuple[str, ...] = (),
) -> str:
    """Let A. Let B. Then C."""
    said = (one.replace(VANISH, "=").replace(RETURNS, "=") for one in (*lets, *given))
    conditions = [one for one in dict.fromkeys(said) if not _is_trivial(one)]
    conditions.sort(key=lambda one: one.startswith("rank("))  # instances are moved to where equations hold before
    used = {name for one in (claimed, *conditions) for name in symbols_in(one)}
    conditions += [one for one in fixed if one.split()[0] in used and one not in conditions]
    defined = " ".join(one.partition("=")[2] for one in conditions if re.match(r"\w+ = ", one))
    if any(name not in claimed + defined for one in conditions for name in _UNNAMED.findall(one)):
        raise Unreadable  # for independent variables, A: which letters these are is not said
    conditions, claimed = as_function(claimed, conditions)
    conditions, claimed = state_laws([in_coordinates(one) for one in conditions], claimed)
    claimed = in_mean_square(conditions, claimed)
    conditions = [plain_size(one, [claimed, *(other for other in conditions if other != one)]) for one in conditions]
    conditions = [*conditions, *tall_columns(conditions, claimed)]
    claimed = _UP_TO_INFINITY.sub(r"\g<rest>", claimed)
    claimed, conditions = with_tolerance(claimed, conditions)
    has_limit = any(is_limit(one) or " ≫ " in one for one in conditions)
    head = "".join(f"Let {one}. " for one in conditions)
    if _SAID_IN_WORDS.search(claimed):
        claimed = _TWICE.sub(r"\1 \1", claimed)
    body = claimed.replace(VANISH, "→" if has_limit else "=")
    body = body.replace(RETURNS, "→" if has_limit and not is_exact else "=")
    if has_limit and is_of_limit and body.count(" = ") == 1:
        body = body.replace(" = ", " → ")
    return number_vectors(f"{head}Then {body}" if head else body)


_UP_TO_INFINITY = re.compile(r"^(?P<rest>[^≤<]+ [≤<] [^≤<]+) [≤<] ∞$")
"""Between 1 and infinity, which says no more than at least 1."""
_SAID_IN_WORDS = re.compile(r" is (?:a )?[a-z]")
_TWICE = re.compile(r"(?<![A-Za-z\\])([A-HJ-Z])\1(?=\^|ᵀ|⊤|\')")
"""AAᵀ, which is no transpose of one matrix AA."""
_UNNAMED = re.compile(r"⟨random(?: vector)?:\d+⟩")
_DECLARATION = re.compile(
    r"^\S+ (?:~|∼|\\sim) |^the keys be |orthonormal$|^([A-Z])\^T \1 = I$"
    r"|^[A-Z] is (?:symmetric|square|invertible|orthogonal|idempotent|a projection|positive (?:semi)?definite)$"
    r"|^k_[im]\^T k_[jl] = 0 for all|^‖k_[im]‖ = |^k_m ≠ |^(?:k_r = k_u|v_r = v_u|v_i = \S+|k_i = \S+)$"
    r"|^[kv]_\{?\w\}?\^T \S+ = 0|^k_r\^T q = |^\S+ is invertible$|^[kq]_?\{?\w?\}? ?= "
    r"|^\S+ is (?:jointly )?normal$|^\([A-Za-z], [A-Za-z]\) (?:is|are) | is iid$"
)
"""What nobody would claim before the last sentence: a law, what keys, values and queries are, that A is symmetric."""
_OF_FUNCTION = re.compile(r"⟨argument of (?P<name>\w)⟩")


def _name_arguments(written: str, text: str) -> str:
    """The z of f(z) = …, for the derivative of f.

    Raises: Unreadable where the text does not say what f is a function of.
    """

    def put(found: re.Match[str]) -> str:
        argument = re.search(rf"(?<![A-Za-z]){found['name']}\s*\(\s*([A-Za-zα-ω])\s*\)\s*=", text)
        if argument is None:
            raise Unreadable
        return argument[1]

    return _OF_FUNCTION.sub(put, written)


_ENTROPY_OF_ENTRY = re.compile(r"(?<![A-Za-z])H\((?:\w+_\w\s*)+\)")
"""H(p_i q_j): not the number p_i q_j is meant, but the distribution with these entries."""
_GROWING_SIZE = re.compile(r"Let [ndNm] ?(?:→|\\to|->) ?(?:∞|\\infty|inf)")
"""A limit in which other numbers are drawn at every size, so that convergence in probability is no limit of each."""


def _name_all(written: str, text: str) -> str:
    """The letters of the text, or new ones, for all that has none yet."""
    is_of_draws = "in probability" in text and _GROWING_SIZE.search(written) and "Then E[(" not in written
    if _ENTROPY_OF_ENTRY.search(written) or is_of_draws:
        raise Unreadable
    for name in (
        class_losses.name_true_class,
        name_network,
        lambda written, _: token_values.put_values(written),
        name_cross_entropy,
        scores.name_scores,
        _name_arguments,
        name_loss,
        name_logits,
        name_weights,
        dominance.name_one,
        divide_by_temperature,
        noisy_keys.join_independent_keys,
        key_noise.as_random,
        key_noise.as_gaussian,
        key_noise.name_second_query,
        key_noise.keep_independence,
        noisy_keys.state_independence,
        noisy_keys.as_lone_key,
        noisy_keys.name_length_noise,
        outcomes.name_draws,
        averaging.refuse_unknown_spread,
        definites.name_definites,
        _name_fresh,
    ):
        written = name(written, text)
    return keep_apart(written)


def _is_trivial(relation: str) -> bool:
    """q = q, of `let q be a query`."""
    left, equals, right = relation.partition("=")
    return bool(equals) and left.strip() == right.strip()


_FRESH = re.compile(r"⟨(?P<kind>[a-z ]+):\d+⟩")


def _name_argument_of_entropy(written: str) -> str:
    """The p of H(p) for the one distribution that has no letter, if the text says nothing else of p."""
    places = set(re.findall(r"⟨distribution:\d+⟩", written))
    letters = set(re.findall(r"(?<![A-Za-z])H\((\w)\)", written))
    declared = re.findall(r"Let (\w) ", written)
    if len(places) == len(letters) == 1 and not letters & set(declared):
        return written.replace(places.pop(), letters.pop())
    return written


def _name_fresh(written: str, text: str) -> str:
    """Letters that the text does not use, for what it gives no name."""
    used = letters_of([text, written])
    written = _name_argument_of_entropy(written)
    for place in dict.fromkeys(found.group() for found in _FRESH.finditer(written)):
        kind = _FRESH.fullmatch(place)["kind"]  # type: ignore[index]
        letter = next((one for one in LETTERS[kind] if one not in used), "")
        if not letter:
            raise Unreadable
        used.add(letter)
        written = written.replace(place, letter)
    return written
