"""The verdict on a claim for which nobody named a setting: where its letters are known, or by what they are used as."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import islice

from regard.claims.meaning.inference import NAME as GENERAL
from regard.claims.meaning.inference import infer_settings, tall_letters
from regard.claims.meaning.letter_laws import with_unstated_laws
from regard.claims.meaning.recognition import recognise_setting, redefinitions, settings_knowing
from regard.claims.meaning.setting import Setting
from regard.claims.meaning.usage import SIZE_LETTERS
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.letters import CONSTANT_NAMES
from regard.claims.syntax.printer import as_plain
from regard.claims.syntax.tree import Binary, Call, Claim, Relation, SumOver, Symbol, symbol_names, walk
from regard.claims.verdict.readings import check_in, undefined_function
from regard.claims.verdict.records import DECIDED, VERDICT_WORDS, Verdict
from regard.errors import NotUnderstood

MAX_MEANINGS = 3
MAX_EXTRA_COST = 1
"""How much less usual another meaning of the letters may be that speaks for a claim that fails."""
MAX_SETTINGS = 4
"""How many settings that know all letters are asked about a claim that fails. A count, so that no verdict depends on
the speed of the machine."""
WORDS_OF_ATTENTION = re.compile(r"\bkeys\b|\bquer(?:y|ies)\b|\battention\b", re.IGNORECASE)
"""Words that leave no doubt that a claim is about attention."""


def check_anywhere(claim: str, goal: str | None) -> Verdict:
    """The verdict where no setting was named: in the setting that knows the letters, or by what they are used as."""
    chosen, is_sure, own = recognise_setting(claim)
    means_the_same = all(check_in(as_plain(one), chosen, None).is_true for one in own)
    if _speaks_for_itself(claim):
        is_sure = means_the_same = False
    if is_sure and means_the_same and WORDS_OF_ATTENTION.search(claim):
        return _with_note(check_in(claim, chosen, goal), chosen.name)
    found = _check_where_it_belongs(
        claim, goal, chosen, is_sure=is_sure and means_the_same, means_the_same=means_the_same
    )
    if found.is_true and found.setting == GENERAL and _denies(claim):
        return _doubt_denial(claim, found)
    if found.verdict not in ("fails", "ill-formed") or goal is not None or _says_what_all_is(claim):
        return found
    return _doubt_setting(claim, found)


def _has_rows(claim: str) -> bool:
    """Whether a claim has K and k_i, which are a matrix and its rows in a setting, and two letters elsewhere."""
    tree = parse(claim)
    symbols = [node for one in tree.relations for node in walk(one) if isinstance(node, Symbol)]
    indexed = {node.name for node in symbols if node.subscripts}
    return any(node.name in ("K", "V") and node.name.lower() in indexed for node in symbols if not node.subscripts)


def _says_what_all_is(claim: str) -> bool:
    """Whether all letters are any distributions, by the claim's own words: p of softmax(θ) is a narrower one."""
    return _speaks_for_itself(claim) and all(
        one.comparison == "is" and getattr(one.right, "name", "") == "distribution" for one in parse(claim).premises
    )


def _denies(claim: str) -> bool:
    """Whether a claim says that something does not hold, which of free letters is true of nearly everything."""
    try:
        return parse(claim).negated
    except NotUnderstood:
        return False


def _doubt_denial(claim: str, found: Verdict) -> Verdict:
    """What does not hold of free letters, and holds in a setting that knows all of them, is left open."""
    for setting in islice(settings_knowing(claim), MAX_SETTINGS):
        other = check_in(claim, setting, None)
        if other.verdict == "fails":
            reason = f"no setting was named: in {setting.name}, {other.reason}; else, {found.reason}"
            return replace(found, verdict="undecided", reason=reason, readings=(found, other))
    return found


def _speaks_for_itself(claim: str) -> bool:
    """Whether the claim says of every letter of its own what it is, so that no setting may say more of it.

    Given AᵀA = I and BᵀB = I, nothing is known of AᵀB, which is 0 in the setting of two subspaces.
    """
    try:
        tree = parse(claim)
    except NotUnderstood:
        return False
    letters = {name for one in tree.relations for name in _letters(one)}
    alone = [names for one in tree.premises if one.comparison in ("=", "is") and len(names := _letters(one)) == 1]
    is_any = any(one.comparison == "is" and getattr(one.right, "name", "") == "distribution" for one in tree.premises)
    return (len(letters) > 1 or is_any) and letters <= {name for names in alone for name in names}


def _letters(relation: Relation) -> set[str]:
    """The letters of a relation but I; in `P is a projection` the word is none, and AA is A twice."""
    sides = (relation.left,) if relation.comparison == "is" else (relation.left, relation.right)
    is_sum = any(isinstance(node, SumOver) for side in sides for node in walk(side))
    names = symbol_names(*sides) - {"I"} - ({"Sigma"} if is_sum else set())  # Σ_i x may be a matrix times x
    return {letter for name in names for letter in (name if name.isupper() else (name,))}


def _doubt_setting(claim: str, found: Verdict) -> Verdict:
    """What fails where nobody named the setting, and holds in another that knows all of its letters, is left open."""
    for setting in islice(settings_knowing(claim), MAX_SETTINGS):
        own = redefinitions(setting, parse(claim))
        if not all(check_in(as_plain(one), setting, None).is_true for one in own):
            continue  # the claim means another thing by a letter of this setting
        other = check_in(claim, setting, None) if setting.name != found.setting else found
        if other.is_true and found.setting == GENERAL and _has_rows(claim):
            return _with_note(other, setting.name)
        if other.is_true:
            where = "with letters as they are used" if found.setting == GENERAL else f"in {found.setting}"
            reason = (
                f"no setting was named: it {VERDICT_WORDS[other.verdict]} in {setting.name}; {where}, {found.reason}"
            )
            return replace(
                found, verdict="undecided", reason=reason, counterexample=None, where=None, readings=(found, other)
            )
    return found


def _check_where_it_belongs(
    claim: str, goal: str | None, chosen: Setting, *, is_sure: bool, means_the_same: bool
) -> Verdict:
    """The verdict in the setting that knows most letters, or with letters as the claim uses them.

    `means_the_same`: whether what the claim defines itself is what the setting means by it.
    """
    inferred = None if is_sure else _check_by_use(claim, goal)
    if inferred is not None and inferred.verdict not in ("not-understood", "undecided"):
        return inferred
    named = check_in(claim, chosen, goal)
    named = named if named.verdict == "not-understood" else _with_note(named, chosen.name)
    if inferred is not None:
        is_meant = named.is_true or (inferred.verdict == "not-understood" and _speaks_of_attention(claim, named))
        return named if is_meant and means_the_same else inferred
    if not is_sure or named.is_true:
        return named
    if named.verdict in DECIDED and _letter_without_use(parse(claim)) is not None:
        return named  # of a letter that nothing else is said of, nothing holds
    inferred = _check_by_use(claim, goal)
    if named.verdict in ("fails", "ill-formed"):  # nobody named the setting in which it does
        is_open = named.verdict == "ill-formed" and inferred is not None and inferred.verdict == "undecided"
        return inferred if inferred is not None and (inferred.is_true or is_open) else named
    return named if inferred is None or inferred.verdict not in DECIDED else inferred


def _speaks_of_attention(claim: str, named: Verdict) -> bool:
    """Whether a claim that fails in a setting has weights, scores or outputs that no reading without it explains."""
    letter = _letter_without_use(parse(claim)) if named.verdict == "fails" else None
    return letter is not None and letter[0] in "αcs"


def _with_note(verdict: Verdict, name: str) -> Verdict:
    return replace(verdict, notes=(*verdict.notes, f"no setting was named, so this was read in {name}"))


def _check_by_use(claim: str, goal: str | None) -> Verdict | None:
    """The verdict by what the letters are used as; of several meanings the first in which the claim holds."""
    try:
        tree = parse(claim)
    except NotUnderstood:
        return None
    random = _check_with_unstated_laws(claim, tree, goal)
    if random is not None:
        return random
    found = islice(infer_settings(tree), MAX_MEANINGS)
    first = next(found, None)
    if first is None:
        return None
    if any(one.comparison == "is" and getattr(one.right, "name", "") == "square" for one in tree.statements):
        return Verdict(claim, first[1].name, "not-understood", "how large a matrix is cannot be tried on instances")
    unknown = undefined_function(tree, {spec.name for spec in first[1].symbols})
    if unknown is not None:
        return Verdict(claim, first[1].name, "not-understood", f"what function {unknown} is, the claim does not say")
    cost, setting = first
    verdict = _with_meanings(check_in(claim, setting, goal), setting)
    letter = _matrix_as_number(tree, setting) if verdict.is_true else None
    if letter is not None and not _SCALAR.search(claim):
        reason = f"the shapes fit only if {letter} is a number; say so if it is one"
        return replace(verdict, verdict="not-understood", reason=reason)
    if verdict.verdict not in ("fails", "ill-formed"):
        return verdict
    for other_cost, other in found:
        if other_cost > cost + MAX_EXTRA_COST:
            break
        again = _with_meanings(check_in(claim, other, goal), other)
        if again.is_true:
            return _leave_open(verdict, again)
    as_targets = _check_distributions(claim, tree, setting, goal)
    if as_targets is not None and as_targets.is_true:
        return _leave_open(verdict, as_targets)
    unknown = _letter_without_use(tree)
    if unknown is not None and verdict.verdict == "fails":
        reason = f"what {unknown} is, the claim does not say, so that nothing can be said of it"
        return replace(verdict, verdict="not-understood", reason=reason, counterexample=None, where=None, nearest=None)
    is_guessed = any(not spec.hidden for spec in setting.symbols)
    is_sure = tall_letters(tree) or _COLUMNS.search(claim)
    return _doubt_shapes(verdict) if is_guessed and not is_sure else verdict


_SCALAR = re.compile(
    r"\b(?:scalars?|numbers?|constants?|reals?|factors?)\b|∈\s*(?:ℝ|R)(?![\^\w])|\\in\s*(?:\\mathbb\{?R\}?|\\R)(?!\s*\^)"
)
_MATRIX_LETTERS = frozenset("ABMQRUW")


def _matrix_as_number(tree: Claim, setting: Setting) -> str | None:
    """A letter that everybody writes for a matrix, taken for a number before a vector: A of A x."""
    shapes = {spec.name: spec.shape for spec in setting.symbols}
    for relation in tree.relations:
        for node in (*walk(relation.left), *walk(relation.right)):
            if not (isinstance(node, Binary) and node.operator == "*" and isinstance(node.left, Symbol)):
                continue
            letter, right = node.left, node.right
            is_number = letter.name in _MATRIX_LETTERS and not letter.subscripts and shapes.get(letter.name) == (1, 1)
            if is_number and isinstance(right, Symbol) and shapes.get(right.name, (1, 1))[0] != 1:
                return letter.name
    return None


_COLUMNS = re.compile(r"\bcolumns?\b(?!\s+(?:space|rank|span))")
"""Words that say that a vector is a column, so that pᵀp is a number whatever the claim means by it."""


_TARGETS = ("y", "y_hat", "t", "p", "q", "pi", "alpha")
"""Letters that the field writes for distributions without saying so, the targets of −Σ y_i log p_i above all."""


def _check_distributions(claim: str, tree: Claim, setting: Setting, goal: str | None) -> Verdict | None:
    """The verdict where such vectors sum to one; None where the claim has none, or says something of them itself."""
    said = {
        node.name
        for one in tree.premises
        for node in walk(one)
        if isinstance(node, Symbol) and not (one.comparison == "=" and isinstance(one.left, Symbol))
    }
    chosen = [
        spec
        for spec in setting.symbols
        if spec.name in _TARGETS and spec.name not in said and spec.law == "normal" and spec.meaning == "a vector"
    ]
    if not chosen:
        return None
    symbols = tuple(
        replace(spec, law="distribution", meaning="a distribution") if spec in chosen else spec
        for spec in setting.symbols
    )
    other = replace(setting, symbols=symbols)
    return _with_meanings(check_in(claim, other, goal), other)


def _check_with_unstated_laws(claim: str, tree: Claim, goal: str | None) -> Verdict | None:
    """The verdict where letters that only stand in E, Var and Cov are random; None where there are none."""
    calls = {node.function for one in tree.relations for node in walk(one) if isinstance(node, Call)}
    has_probability = "probability" in calls and with_unstated_laws(tree, as_vectors=False) is not None
    if has_probability:  # moments are those of any law; a probability is not
        return Verdict(
            claim, GENERAL, "not-understood", "the law of the random letters is not said: X ~ N(0, 1) says it"
        )
    for as_vectors in (False, True):
        random = with_unstated_laws(tree, as_vectors=as_vectors)
        if random is None and as_vectors:
            break  # of numbers alone
        if random is None:
            return None
        first = next(infer_settings(random), None)
        found = check_in(claim, first[1], goal, tree=random) if first is not None else None
        if found is not None and found.verdict in DECIDED:
            return found
    reason = "what law the random letters have is not said, and no meaning of them was found that fits"
    return Verdict(claim, GENERAL, "not-understood", reason)


def _letter_without_use(tree: Claim) -> str | None:
    """A letter that one side of a claimed equation is, and that stands nowhere else: it is named, not spoken of.

    So is α_a beside keys or a query, where nothing says that it is their weight.
    """
    relations = [relation for part in (tree, *tree.more) for relation in part.relations]
    symbols = [node for one in relations for node in walk(one) if isinstance(node, Symbol)]
    defined = {one.left.name for one in relations if one.comparison == "=" and isinstance(one.left, Symbol)}
    weight = next((node for node in symbols if node.name == "alpha" and node.subscripts), None)
    if weight is not None and "alpha" not in defined and {node.name for node in symbols} & {"k", "q"}:
        return as_plain(weight)
    names = {node.name for node in symbols}
    if "c" in names - defined and "v" in names and {"k", "q"} <= names:
        return "c"  # the output of attention, which a setting of free letters does not know
    given = {one.left.name for part in (tree, *tree.more) for one in part.premises if isinstance(one.left, Symbol)}
    if "s" in names - given and {"k", "q"} <= names:
        return "s"  # so are its scores
    counts = Counter(word for node in symbols for word in (node.name, *node.subscripts))
    for one in [relation for part in (tree, *tree.more) for relation in part.statements]:
        for side in (one.left, one.right):
            is_lone = (
                isinstance(side, Symbol)
                and counts[side.name] == 1
                and side.name not in CONSTANT_NAMES | {*SIZE_LETTERS}
            )
            if is_lone and one.comparison in ("=", "≈", "→") and isinstance(side, Symbol):
                return as_plain(side)
    return None


_WEAKER = re.compile(
    r"\blinearly (?:in)?dependent\b|\bneed not be (?:orthogonal|orthonormal)\b|\bnot necessarily ortho", re.IGNORECASE
)
"""Words that give less than the settings do, in which bases are orthonormal and subspaces orthogonal."""


def doubt_stronger_setting(found: Verdict) -> Verdict:
    """What holds in a setting that nobody named is left open where the claim gives less than that setting."""
    if not found.is_true or found.setting == GENERAL or not _WEAKER.search(found.claim):
        return found
    reason = f"it {VERDICT_WORDS[found.verdict]} in {found.setting}, where bases are orthonormal; the claim gives less"
    return replace(found, verdict="undecided", reason=reason)


def _doubt_shapes(verdict: Verdict) -> Verdict:
    """Shapes of guessed letters that do not fit within one side say more of the guess than of the claim."""
    if verdict.verdict != "ill-formed" or verdict.reason.startswith(("the left side", "of ")):
        return verdict
    reason = f"no meaning of the letters was found in which shapes fit: {verdict.reason}"
    return replace(verdict, verdict="not-understood", reason=reason)


def _leave_open(verdict: Verdict, again: Verdict) -> Verdict:
    """What fails for one meaning of the letters and holds for another that is as usual is not decided."""
    reason = f"it depends on what the letters are ({again.notes[-1]}: it {again.verdict}); else: {verdict.reason}"
    return replace(
        verdict, verdict="undecided", reason=reason, counterexample=None, where=None, readings=(verdict, again)
    )


def _with_meanings(verdict: Verdict, setting: Setting) -> Verdict:
    """The verdict with what each letter was taken for."""
    words = ", ".join(f"{spec.name} {spec.meaning}" for spec in setting.symbols if not spec.hidden)
    return replace(verdict, notes=(*verdict.notes, f"letters as they are used: {words}")) if words else verdict
