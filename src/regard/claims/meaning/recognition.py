"""Which of Regard's settings a claim is about, told by its letters.

The setting that knows most letters is taken. It is surely meant where it knows all of them, some are not just any
letters, and what the claim says of them itself is true there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from regard.claims.meaning.setting import Setting, builtin_settings, find_setting
from regard.claims.syntax.grammar import parse, parse_symbol
from regard.claims.syntax.letters import CONSTANT_NAMES
from regard.claims.syntax.printer import as_plain, choose_reading
from regard.claims.syntax.tree import Claim, Node, OneOf, Relation, Symbol, children, walk
from regard.errors import NotUnderstood

GENERIC = frozenset("ABMXYZabcdhkmnpqstuvwxyzGHJLVNPQRSTUW")
"""Letters that anybody may mean anything by: they alone do not tell a setting."""


def choose_setting(text: str) -> Setting:
    """The first of Regard's settings in which the fewest letters of a claim are unknown."""
    return recognise_setting(text)[0]


def recognise_setting(text: str) -> tuple[Setting, bool, tuple[Relation, ...]]:
    """The setting that knows most letters of a claim, and whether it is surely meant.

    It is where it knows all letters but those for any number, and one of them is not just any letter. Last come the
    statements in which the claim says itself what a letter of the setting is: it is meant only if they are true there.
    """
    try:
        claim = parse(text)
    except NotUnderstood:
        return next(iter(builtin_settings().values())), False, ()
    relations = [relation for one in (claim, *claim.more) for relation in one.relations]
    letters = set(_letters(relations)) - _describing_words(relations) - _letters_with_laws(claim)
    chosen = min(
        builtin_settings().values(),
        key=lambda setting: (
            len(_without_members(letters, setting) - _known_letters(setting)) + _has_other_keys(setting, claim),
            _has_other_keys(setting, claim),
        ),
    )
    letters = _without_members(letters, chosen)
    known = _known_letters(chosen)
    if len(letters & known) > 1 or letters & known - GENERIC:
        letters -= _subscripts(relations) - known  # the i and a of `for i ≠ a`
    unknown = letters - known - set(chosen.size_names) - CONSTANT_NAMES
    telling = {name for name in letters & known if name not in GENERIC} | (_indexed_letters(relations) & known)
    is_known = all(map(_is_scale, unknown)) if chosen.free_large else not unknown
    is_known = is_known or (len(unknown) == 1 and letters >= ATTENTION and chosen.name == "attention")
    is_sure = is_known and (bool(telling) or all(_defines(chosen, relation) for relation in relations))
    return chosen, is_sure, redefinitions(chosen, claim)


def _letters_with_laws(claim: Claim) -> set[str]:
    """Letters that a claim itself gives a law: g of k_a = (1 + g) μ_a with g ~ N(0, ½)."""
    lone = [one.left for part in (claim, *claim.more) for one in part.premises if one.comparison == "~"]
    return {_key(left) for left in lone if isinstance(left, Symbol) and not left.subscripts}


def _has_other_keys(setting: Setting, claim: Claim) -> bool:
    """Whether a claim takes orthonormal keys as given, and the setting has keys that are not."""
    has_them = any(spec.name == "k" and spec.law == "orthonormal" for spec in setting.symbols)
    return states_orthonormal_keys(claim) and not has_them


ORTHONORMAL = re.compile(r"K Kᵀ = I|k_(\w)(?:ᵀ | · )k_(?!\1)\w = δ_\{\w,\w\}")
"""How orthonormal keys are written in one statement; i and j are any two letters."""
_ORTHOGONAL = re.compile(r"k_(\w)(?:ᵀ | · )k_(?!\1)\w = 0")
_UNIT = re.compile(r"‖k_\w‖(?:\^2)? = 1|k_(\w)(?:ᵀ | · )k_\1 = 1")


def states_orthonormal_keys(claim: Claim) -> bool:
    """Whether K Kᵀ = I, k_iᵀ k_j = δ_ij, or k_iᵀ k_j = 0 beside ‖k_i‖ = 1 is given.

    >>> states_orthonormal_keys(parse("k_i^T k_j = δ_ij ⇒ α_a = α_b"))
    True
    """
    given = [as_plain(one) for one in claim.premises]
    has_both = any(map(_ORTHOGONAL.fullmatch, given)) and any(map(_UNIT.fullmatch, given))
    return has_both or any(map(ORTHONORMAL.fullmatch, given))


def _without_members(letters: set[str], setting: Setting) -> set[str]:
    """The letters with k_1 and α_2 as members of k and α, where the setting has no such letters by themselves."""
    several = {
        name for spec in setting.symbols if spec.over or spec.shape[0] == setting.counts for name in spec.spellings
    }
    known = _known_letters(setting)
    bases = {name: name.rpartition("_")[0] for name in letters - known}
    return {bases[name] if bases.get(name) in several else name for name in letters}


def settings_knowing(text: str) -> list[Setting]:
    """The settings that know the letters of a claim, but those for any number and at most one of the claim's own."""
    try:
        claim = parse(text)
    except NotUnderstood:
        return []
    relations = [relation for one in (claim, *claim.more) for relation in one.relations]
    letters = set(_letters(relations)) - _subscripts(relations) - _describing_words(relations)
    indexed = _indexed_letters(relations)
    found = []
    for setting in builtin_settings().values():
        known = _known_letters(setting)
        unknown = letters - known - set(setting.size_names) - CONSTANT_NAMES
        unknown = {name for name in unknown if not (name.isalpha() and set(name) <= known)}  # AA is A times A
        unknown = {name for name in unknown if not (setting.free_large and _is_scale(name))}
        telling = {name for name in letters & known if name not in GENERIC} | (indexed & known)
        is_fitting = not _has_other_keys(setting, claim)
        if is_fitting and telling and len(letters & known) > len(unknown) and len(unknown) <= 1:
            found.append(setting)
    return found


def _describing_words(relations: Sequence[Relation]) -> set[str]:
    """The words that say what a letter is, orthonormal or fixed: they are no letters."""
    return {one.right.name for one in relations if one.comparison == "is" and isinstance(one.right, Symbol)}


def redefinitions(setting: Setting, claim: Claim) -> tuple[Relation, ...]:
    """What a claim says itself of letters that the setting gives a meaning: L = −log p_k, s = v_a + v_b."""
    fixed = {name for spec in setting.symbols if spec.law is None and not spec.over for name in spec.spellings}
    drawn = {name for spec in setting.symbols if spec.law is not None and not spec.over for name in spec.spellings}
    families = {name for spec in setting.symbols if spec.law is None and spec.over for name in spec.spellings}
    everything = _known_letters(setting) | set(setting.size_names) | CONSTANT_NAMES | SCALES
    found = []
    for relation in (*claim.premises, *(claim.statements[:-1] if not claim.premises else ())):
        left = relation.left.readings[0] if isinstance(relation.left, OneOf) else relation.left
        known = fixed if relation.comparison == "=" else fixed | drawn if relation.comparison == "~" else set()
        if not isinstance(left, Symbol):
            continue
        names = {_key(node) for node in walk(relation.right) if isinstance(node, Symbol)}
        own = _without_members(names, setting) - everything
        own -= _letters_with_laws(claim) if setting.is_random else set()  # k_a = (1 + g) μ_a sets a random key
        is_family = relation.comparison == "=" and left.name in families and bool(left.subscripts) and bool(own)
        if is_family or (not left.subscripts and _key(left) in known):
            found.append(relation)
    return tuple(found)


ATTENTION = frozenset({"alpha", "v", "c"})
"""Weights, values and output together leave no doubt, whatever else a claim brings along: Σ_i α_i W v_i = W c."""
SCALES = frozenset(
    {"C", "C_1", "C_2", "c", "beta", "lambda", "gamma", "tau", "t", "epsilon", "kappa", "S", "B"} | {"Delta", "m"}
)
"""Letters for a number that any setting with a large or small one may have."""


def _is_scale(name: str) -> bool:
    """Whether this is a letter for any number, with or without a number below it: λ, λ_1."""
    base, _, digits = name.partition("_")
    return name in SCALES or (base in SCALES and digits.isdecimal())


def _subscripts(relations: Sequence[Relation]) -> set[str]:
    nodes = [node for relation in relations for node in walk(relation) if isinstance(node, Symbol)]
    return {word for node in nodes for word in node.subscripts}


def _indexed_letters(relations: Sequence[Relation]) -> set[str]:
    """Letters with an index that is no number: k_a, v_i."""
    nodes = [node for relation in relations for node in walk(relation) if isinstance(node, Symbol)]
    return {_key(node) for node in nodes if any(not word.isdecimal() for word in node.subscripts)}


def _defines(setting: Setting, relation: Relation) -> bool:
    """Whether a relation defines what a claim in this setting is to find."""
    left = relation.left.readings[0] if isinstance(relation.left, OneOf) else relation.left
    names = {name for spec in setting.symbols if spec.open for name in spec.spellings}
    return isinstance(left, Symbol) and relation.comparison == "=" and _key(left) in names


def _letters(nodes: Sequence[Node | Relation]) -> Iterator[str]:
    """The names in a claim, in the reading that would be shown."""
    for node in nodes:
        if isinstance(node, Symbol):
            yield _key(node)
        else:
            yield from _letters([choose_reading(node)] if isinstance(node, OneOf) else children(node))


def _key(symbol: Symbol) -> str:
    """A name, and a number below it: q_1 is another letter than q, but k_a is one of the k.

    δ_ij is no letter of its own.
    """
    if symbol.name == "delta" and len(symbol.subscripts) == 2:
        return "I"
    return "_".join([symbol.name, *filter(str.isdecimal, symbol.subscripts)])


@cache
def _known_letters(setting: Setting) -> frozenset[str]:
    shown = [spec for spec in setting.symbols if not spec.hidden]
    return frozenset(_key(parse_symbol(name)) for spec in shown for name in spec.spellings)


_HEAD = re.compile(
    r"(?<![A-Za-z\\])(?P<letter>[cqs]|\\alpha|α)(?:_(?P<before>[a-z])|_\{(?P<braced>[a-z])\})?\s*\^\{?\((?P<head>[12])\)\}?"
    r"(?:_(?P<behind>[a-z])|_\{(?P<last>[a-z])\})?"
)
"""c^{(1)} and α_i^{(2)}: outputs, queries, scores and weights of two heads."""


def of_two_heads(text: str) -> tuple[str, Setting] | None:
    """A claim in the letters of the setting of two heads, c_1 and α_{1,i}; None where it labels none.

    >>> of_two_heads("q^{(1)} = q^{(2)} ⇒ c_i^{(1)} = c_i^{(2)}")[0]
    'q_{1} = q_{2} ⇒ c_{1,i} = c_{2,i}'
    """

    def put(found: re.Match[str]) -> str:
        places = (found[name] for name in ("before", "braced", "behind", "last"))
        index = next((one for one in places if one), None)
        return f"{found['letter']}_{{{found['head']}{',' + index if index else ''}}}"

    labels = {found["head"] for found in _HEAD.finditer(text)}
    return (_HEAD.sub(put, text), find_setting("two-heads")) if labels == {"1", "2"} else None
