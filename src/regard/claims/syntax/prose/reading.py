"""Sentences in, signs out: `read_prose` writes what a text claims and takes as given in the words of the grammar."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from regard.claims.syntax.prose.algebra import (
    column_spaces,
    matrices,
    projections,
    row_operations,
    spectra,
    subspaces,
    unnamed_subspaces,
)
from regard.claims.syntax.prose.algebra.column_spaces import in_coordinates, number_vectors
from regard.claims.syntax.prose.attention import (
    attending,
    attention,
    choices,
    existence,
    heads,
    key_noise,
    key_value_pairs,
    keys,
    noisy_keys,
    queries,
    same_heads,
    single_keys,
    temperatures,
    weights,
)
from regard.claims.syntax.prose.attention.weights import keep_apart, name_weights
from regard.claims.syntax.prose.chart import Chart, Grammar, Unreadable
from regard.claims.syntax.prose.english import (
    appositions,
    asides,
    change_effects,
    changes,
    clauses,
    comparatives,
    conditions,
    definites,
    dependence,
    entity_changes,
    lead_ins,
    limits,
    nouns,
    pairs,
    predicates,
    sentences,
    tails,
)
from regard.claims.syntax.prose.english.comparatives import as_function
from regard.claims.syntax.prose.english.entities import LETTERS
from regard.claims.syntax.prose.english.predicates import negated
from regard.claims.syntax.prose.information import (
    distributions,
    divergences,
    joined_texts,
    log_bases,
    model_claims,
    perplexity,
    random_entropies,
    score_changes,
    scores,
    token_averages,
    token_values,
    units,
)
from regard.claims.syntax.prose.information.perplexity import TOKEN
from regard.claims.syntax.prose.information.scores import name_cross_entropy
from regard.claims.syntax.prose.leaves import LEAVES
from regard.claims.syntax.prose.networks import (
    class_losses,
    gradients,
    layer_claims,
    layers,
    networks,
    softmax,
    softmax_words,
)
from regard.claims.syntax.prose.networks.layers import name_network
from regard.claims.syntax.prose.networks.softmax_letters import (
    define_softmax,
    divide_by_temperature,
    name_logits,
    name_loss,
)
from regard.claims.syntax.prose.notation import (
    MAX_LENGTH,
    fixed_scales,
    has_quantified_condition,
    plain_signs,
)
from regard.claims.syntax.prose.phrases import (
    RETURNS,
    VANISH,
    Clause,
    bind,
    is_limit,
    is_open,
    letters_of,
    symbols_in,
)
from regard.claims.syntax.prose.probability import (
    averaging,
    changed_variables,
    convexity,
    events,
    linear_forms,
    means,
    moments,
    random_variables,
)
from regard.claims.syntax.prose.probability.convexity import name_functions
from regard.claims.syntax.prose.probability.laws import state_laws
from regard.claims.syntax.prose.probability.moments import in_mean_square
from regard.claims.syntax.prose.probability.random_variables import is_of_model, tells_of_model
from regard.claims.syntax.prose.shortening import shorten
from regard.claims.syntax.prose.sizes import plain_size, tall_columns
from regard.claims.syntax.prose.tokens import ARROW, Token, is_loose_comma, tokenise_sentence, words

_DROPPED = words(
    "both always simply just exactly precisely clearly obviously indeed actually necessarily "
    "automatically mathematically purely again elementwise componentwise entrywise numerically certainly "
    "surely plainly"
)
"""Words that say nothing of what is claimed."""
_PAIRED = words("together texts documents parts corpora sentences satisfies sides")
"""What `both` names by itself or with this noun."""
_JOINED: tuple[tuple[tuple[str, ...], str], ...] = (
    (("if", "and", "only", "if"), "iff"),
    (("exactly", "when"), "iff"),
    (("exactly", "if"), "iff"),
    (("precisely", "when"), "iff"),
    (("precisely", "if"), "iff"),
    (("just", "when"), "iff"),
    (("with", "respect", "to"), "wrt"),
    (("cross", "entropy"), "cross-entropy"),
    (("log", "sum", "exp"), "log-sum-exp"),
    (("one", "hot"), "one-hot"),
)


@dataclass(frozen=True)
class Reading:
    """A text in signs: a claim for each statement that it makes, and conclusions in words that were not understood."""

    claims: tuple[str, ...]
    unread: tuple[str, ...] = ()


@cache
def grammar() -> Grammar:
    """The rules of all modules; what names a thing with a letter first, then the field's nouns."""
    of_models = (
        joined_texts,
        log_bases,
        units,
        class_losses,
        scores,
        score_changes,
        token_averages,
        token_values,
        model_claims,
        perplexity,
    )
    first = (random_entropies, divergences, distributions, *of_models)
    of_keys = (
        single_keys,
        key_value_pairs,
        existence,
        heads,
        same_heads,
        queries,
        key_noise,
        temperatures,
        keys,
        attending,
        choices,
        noisy_keys,
        weights,
    )
    of_matrices = (
        linear_forms,
        events,
        changed_variables,
        convexity,
        means,
        moments,
        projections,
        unnamed_subspaces,
        row_operations,
    )
    own = (
        definites,
        *of_matrices,
        averaging,
        layers,
        layer_claims,
        entity_changes,
        changes,
        change_effects,
        softmax,
        softmax_words,
        networks,
        gradients,
        *of_keys,
    )
    modules = (comparatives, column_spaces, subspaces, pairs, dependence, predicates, limits, clauses, tails)
    around = (lead_ins, conditions, asides, sentences, appositions)
    rules = (
        *(rule for one in (*first, attention, random_variables, *own, matrices, spectra) for rule in one.RULES),
        *nouns.PHRASES,
        *(rule for one in (*modules, *around) for rule in one.RULES),
        *comparatives.SCALES,
        *entity_changes.CHANGES,
    )
    return Grammar(rules, {**LEAVES, **token_values.LEAVES}, greedy=("reason", "commentary"))


def read_prose(text: str) -> Reading | None:
    """What a text says, statement by statement, in signs; None where a part of it was not understood.

    >>> read_prose("Let A be a symmetric matrix. Then the trace of A is at most its rank.").claims
    ('Let A is a matrix. Let A is symmetric. Then tr(A) ≤ rank(A)',)
    """
    if len(text) > MAX_LENGTH or _NOT_PROSE.search(text):
        return None
    if has_quantified_condition(text) or _has_counted_family(text):
        return None
    found: list[Clause] = []
    for sentence in _split(text):
        if _is_of_logic(sentence):
            return None
        one = _read_sentence(sentence)
        if one is not None and one.unread and sentence[0].text in _OPENERS:
            return None  # all of such a sentence is given, so that without a part of it nothing can be said
        if one is None and (not any(each.claims for each in found) or sentence[0].text in _OPENERS):
            return None
        found.append(one or Clause(unread=(" ".join(token.text for token in sentence),)))
    if found and not any(each.claims for each in found):
        found[-1] = _claim_last(sentence) or found[-1]
    try:
        return _write(found, text) if found else None
    except Unreadable:
        return None


_FAMILY = re.compile(
    r"(?P<name>[A-Za-z])_\{?1\}?\s*,[^;:=]{0,20}?(?:\.\.\.|…|\\[lc]?dots)\s*,?\s*(?P=name)_\{?(?P<last>[a-zA-Z])\}?"
)


def _has_counted_family(text: str) -> bool:
    """Whether random letters Z_1, …, Z_k come in a number with another letter than n that the text speaks of again."""
    found = _FAMILY.search(text)
    if found is None or found["last"] in "nN" or found["name"] in "kvqμ":
        return False
    return re.search(rf"(?<![A-Za-z\\_{{]){found['last']}(?![A-Za-z])", text[found.end() :]) is not None


def first_unread_words(text: str) -> str:
    """Where the grammar of sentences stops to understand a text; nothing where it reads every sentence by itself.

    >>> first_unread_words("The trace of A sings a song of its rank.")
    'sings a song of'
    """
    for sentence in _split(text[:MAX_LENGTH]):
        chart = Chart(sentence, grammar())
        if chart.whole("sentence") is None:
            return " ".join(token.text for token in sentence[chart.furthest : chart.furthest + MAX_WORDS_TOLD])
    return ""


MAX_WORDS_TOLD = 4
_NOT_PROSE = re.compile(r"[⇐∀∃]|\\(?:forall|exists)")
"""Quantifiers, which the grammar of formulas reads."""
_LOGIC = re.compile(r"[⇒⇔⟹⟺]|=>|\\(?:Rightarrow|implies|iff|Leftrightarrow)")


def _is_of_logic(sentence: list[Token]) -> bool:
    """A ⇒ B ⇒ C claims B as well, and arrows inside of a formula part it: the grammar of formulas reads them."""
    in_formula = any(token.kind == "formula" and _LOGIC.search(token.text) for token in sentence)
    return in_formula or sum(token == Token(ARROW, "mark") for token in sentence) > 1


_OPENERS = words("let suppose assume consider take fix choose define denote say write here given put set pick")
"""Words that begin a sentence of which all is given: without it nothing is understood."""


def _read_sentence(tokens: list[Token]) -> Clause | None:
    """The meaning of a sentence, if need be without a heading before a colon or a reason behind it.

    A is not necessarily B, if C: it does not hold that A is B if C.
    """
    if _NOT_ALWAYS not in tokens:
        return _read_plainly(tokens)
    place = tokens.index(_NOT_ALWAYS)
    before = {token.text for token in tokens[:place]}
    rest = tokens[place + 1 :]
    if before & _CONDITIONS or _NOT_ALWAYS in rest or {token.text for token in rest} & words("and but or not"):
        return None  # what of it is denied is not plain
    found = _read_plainly([*tokens[:place], *rest])
    try:
        return negated(found) if found is not None and not found.unread else None
    except Unreadable:
        return None


_NOT_ALWAYS = Token("not-always", "word")
_CONDITIONS = words("if when whenever for with where while given unless then so hence thus therefore and but as")


def _read_plainly(tokens: list[Token]) -> Clause | None:
    for shorter, unread in shorten(tokens):
        found = Chart(shorter, grammar()).whole("sentence")
        if found is not None:
            return replace(found, unread=(*found.unread, *unread))
    return None


def _claim_last(tokens: list[Token]) -> Clause | None:
    """The last sentence with what stands behind its conditions as the claim: n keys, q = 0: α_i = 1/n."""
    commas = [Token(",", "mark") if token == Token(":", "mark") else token for token in tokens]
    found: Clause | None = Chart(commas, grammar()).whole("body")
    return found


def _plain(tokens: list[Token]) -> list[Token]:
    """Phrases of several words as one, and words that say nothing left out."""
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        for phrase, joined in _JOINED:
            if tuple(token.text for token in tokens[at : at + len(phrase)]) == phrase:
                found.append(Token(joined, "word"))
                at += len(phrase)
                break
        else:
            found.append(tokens[at])
            at += 1
    found = _with_denials(found)
    return [
        token
        for place, (token, follows) in enumerate(zip(found, [*found[1:], Token("", "mark")], strict=True))
        if (not _is_dropped(token) or (token.text == "both" and follows.text in _PAIRED))
        and not is_loose_comma(found, place, _is_dropped)
    ]


def _with_denials(tokens: list[Token]) -> list[Token]:
    """`not necessarily` as one word: without the second it would say more.

    An aside stays as it is: (not necessarily Gaussian).
    """
    found: list[Token] = []
    for token in tokens:
        is_denial = token.kind == "word" and token.text in _QUANTIFYING and found[-1:] == [Token("not", "word")]
        if is_denial and not (len(found) > 1 and found[-2].text in _ASIDES):
            found[-1] = _NOT_ALWAYS
        else:
            found.append(token)
    return found


_ASIDES = {"(", ",", "but", "though"}
_QUANTIFYING = words("always necessarily automatically certainly surely")


def _is_dropped(token: Token) -> bool:
    return token.kind == "word" and token.text in _DROPPED


def _split(text: str) -> list[list[Token]]:
    """The sentences of a text as tokens, without words that say nothing."""
    return _sentences(_plain(tokenise_sentence(plain_signs(" ".join(text.split())))))


def _sentences(tokens: list[Token]) -> list[list[Token]]:
    found: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind == "mark" and token.text in ".;!?":
            found.append([])
        else:
            found[-1].append(token)
    return [one for one in found if one]


def _write(found: list[Clause], text: str) -> Reading | None:
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
    has_limit = any(is_limit(one) for one in conditions)
    head = "".join(f"Let {one}. " for one in conditions)
    if _SAID_IN_WORDS.search(claimed):
        claimed = _TWICE.sub(r"\1 \1", claimed)
    body = claimed.replace(VANISH, "→" if has_limit else "=")
    body = body.replace(RETURNS, "→" if has_limit and not is_exact else "=")
    if has_limit and is_of_limit and body.count(" = ") == 1:
        body = body.replace(" = ", " → ")
    return number_vectors(f"{head}Then {body}" if head else body)


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
        divide_by_temperature,
        noisy_keys.join_independent_keys,
        key_noise.as_random,
        key_noise.as_gaussian,
        key_noise.name_second_query,
        key_noise.keep_independence,
        noisy_keys.state_independence,
        noisy_keys.as_lone_key,
        noisy_keys.name_length_noise,
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
