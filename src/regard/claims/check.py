"""A written claim in, a verdict out: which setting it is read in, and what other settings and meanings would say.

parse → read in the setting, in every way that types allow → try each statement → the first that fails decides
"""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import replace
from itertools import islice

from regard.claims.meaning.inference import NAME as GENERAL
from regard.claims.meaning.inference import infer_settings, tall_letters
from regard.claims.meaning.joint_entropies import JOINT, given_independence, read_joint
from regard.claims.meaning.recognition import recognise_setting, redefinitions, settings_knowing
from regard.claims.meaning.setting import Setting, find_setting
from regard.claims.meaning.unstated_laws import with_unstated_laws
from regard.claims.meaning.usage import CONSTANTS, SIZE_LETTERS
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.letters import GREEK
from regard.claims.syntax.printer import as_plain
from regard.claims.syntax.prose.notation import has_speaking_heading
from regard.claims.syntax.tree import Claim, Symbol, walk
from regard.claims.verdict.parts import SAYS, choose_reading, join_parts
from regard.claims.verdict.readings import check_in
from regard.claims.verdict.records import VERDICT_WORDS, Verdict
from regard.errors import ArgumentError, NotUnderstood

MIN_WORDS = 3
"""A text with fewer words is no sentence, unless nothing else is understood of it."""
MIN_WORDS_FOR_DOUBT = 8
"""From so many words on, a claim whose formulas were understood is read as sentences, too, and both have to agree."""
_WORDS = re.compile(r"(?<![\\A-Za-z_^{])[A-Za-z]{3,}(?![A-Za-z(_^{])")
MAX_MEANINGS = 3
MAX_EXTRA_COST = 1
"""How much less usual another meaning of the letters may be that speaks for a claim that fails."""
SECONDS_FOR_DOUBT = 0.5
"""Processor time after which no further setting is tried for a claim that named none."""


def check(claim: str, *, setting: str | Setting | None = None, goal: str | None = None) -> Verdict:
    """Whether a claim holds, holds in the limit, or fails, and why: what `regard check` does for one claim.

    `setting` is a name out of `builtin_settings()`, the path of a TOML file, or a `Setting`; without one, the setting
    that knows most of the letters is taken, and a note says which. A claim that only defines something is judged by
    `goal`, or without one by the goal of its setting.

    >>> check("M = A A^T", setting="two-subspaces")
    Verdict('M = A A^T' holds in two-subspaces: true of all 32 instances tried)
    >>> check("M = A^T", setting="two-subspaces").verdict
    'fails'

    Raises: InputFileError for a setting that does not exist or does not work; ArgumentError where the claim is no text.
    """
    if not isinstance(claim, str):
        raise ArgumentError(f"expected a claim as text, such as 'c = v_a'; got {type(claim).__name__}")
    named = find_setting(setting) if isinstance(setting, str) and setting else setting or None
    started = time.thread_time()
    found = _doubt_words(_check_text(claim, named, goal or None))
    found = found if named is not None else _doubt_definitions(found)
    return _check_sentences(claim, named, goal or None, found, started=started)


def _check_text(claim: str, named: Setting | None, goal: str | None) -> Verdict:
    if named is None and JOINT.search(claim):
        return _check_joint(claim, are_independent=False if _WORDS.search(_COMMANDS.sub("", claim)) is None else None)
    return _check_anywhere(claim, goal) if named is None else check_in(claim, named, goal)


def _check_sentences(claim: str, named: Setting | None, goal: str | None, found: Verdict, *, started: float) -> Verdict:
    """The verdict on a text that may be whole sentences, beside the one on its formulas with the words between."""
    is_slow = time.thread_time() - started > SECONDS_FOR_DOUBT
    n_words = len(_WORDS.findall(claim))
    enough = 1 if found.verdict == "not-understood" else MIN_WORDS
    is_headed = found.verdict == "fails" and has_speaking_heading(claim)  # of a projection: …, which formulas leave out
    is_sure = found.verdict in _DECIDED and (is_slow or n_words < MIN_WORDS_FOR_DOUBT) and not is_headed
    if n_words < enough or is_sure:
        return found  # formulas with a few words between them, which the grammar of formulas knows best
    from regard.claims.syntax.prose.reading import read_prose  # a large grammar, which a formula needs not wait for

    reading = read_prose(claim)
    if is_headed:
        reason = f"the words before the colon were not understood; without them, {found.reason}"
        found = replace(found, verdict="not-understood", reason=reason, counterexample=None, where=None, nearest=None)
    if reading is None or reading.claims == (claim,):
        return found
    parts = []
    by_words = _setting_of_words(claim) if named is None else ""
    for text in reading.claims:
        part = _check_statement(text, named, goal, by_words=by_words)
        parts.append(_trust_layout(part) if _LAYOUT.search(claim) else part)
        if parts[-1].verdict == "fails":
            break
    notes = tuple(f"{SAYS} {text}" for text in reading.claims)
    return choose_reading(join_parts(claim, parts, notes, reading.unread), found)


_COMMANDS = re.compile(r"\\[A-Za-z]+|\b(?:Let|Then|min|max|iff)\b")


def _check_joint(claim: str, *, are_independent: bool | None) -> Verdict:
    """The verdict on entropies of two random variables, of which a joint distribution is drawn.

    A = B iff they are independent, if the two differ by the mutual information.
    """
    left, iff, right = claim.partition(" iff ")
    if are_independent is None or (iff and (left.count("=") != 1 or right != "I(X;Y) = 0" or are_independent)):
        return _no_joint(claim)
    forms = [claim]
    if iff:
        first, second = left.rpartition("Then ")[2].split("=")
        forms = [f"({first}) - ({second}) = {sign}I(X;Y)" for sign in ("", "-")]
    read = [read_joint(form, are_independent=are_independent) for form in forms]
    found = [replace(check_in(one.text, one.setting, None), claim=claim) for one in read if one is not None]
    if iff:
        found = [one for one in found if one.is_true]
    return replace(found[0], where=None) if found else _no_joint(claim)


def _no_joint(claim: str) -> Verdict:
    return Verdict(claim, GENERAL, "not-understood", "these entropies of random variables are not read")


_LAYOUT = re.compile(
    r"\b(?:row|column)s?[ -](?:vectors?|convention)|\bin the (?:same )?shape of|\bsame shape\b", re.IGNORECASE
)
"""Words that say how vectors and gradients lie, so that a matrix is not taken for its transpose."""
_TRANSPOSED = re.compile(r"the left side is a matrix \((\w+), (\w+)\), the right side a matrix \(\2, \1\)")


def _trust_layout(verdict: Verdict) -> Verdict:
    """Of a text that says how its gradients lie, a side that has the shape of the transpose is wrong."""
    if verdict.verdict not in ("not-understood", "ill-formed") or not _TRANSPOSED.search(verdict.reason):
        return verdict
    return replace(verdict, verdict="fails", reason=verdict.reason.replace("as read, ", ""))


def _check_statement(text: str, named: Setting | None, goal: str | None, *, by_words: str) -> Verdict:
    """The verdict on one statement of a sentence; its words may have named a setting where its signs do not."""
    if by_words in _INDEPENDENCE and JOINT.search(text):
        return _check_joint(text, are_independent=_INDEPENDENCE[by_words])
    if by_words == "perplexity" and _SCORES.search(text):
        scored = check_in(text, find_setting(by_words), goal)
        if scored.verdict in _DECIDED:
            return scored
    found = _check_text(text, named, goal)
    if not by_words or by_words in _INDEPENDENCE or found.verdict in _DECIDED:
        return found
    other = check_in(text, find_setting(by_words), goal)
    return other if other.verdict in _DECIDED else found


def _setting_of_words(claim: str) -> str:
    """The setting that the words of a claim name, whatever its letters are."""
    if JOINT.search(claim):
        return next(name for name, said in _INDEPENDENCE.items() if said is given_independence(claim))
    if _KEYS.search(claim):
        return "attention"
    from regard.claims.syntax.prose.perplexity import speaks_of_perplexity

    is_defined = _SCORES.search(claim.replace("p_i", "").replace("p_j", ""))  # maybe as another thing
    return "perplexity" if speaks_of_perplexity(claim) and not is_defined else ""


_INDEPENDENCE = {"independent variables": True, "variables": False, "unclear variables": None}
_SCORES = re.compile(r"(?<![A-Za-z\\{])(?:PPL?(?:_[12])?|CE|p_i|p_j)(?![A-Za-z(])")
"""Letters of the setting perplexity."""


def _doubt_definitions(verdict: Verdict) -> Verdict:
    """What fails where no setting was named, before the last sentence, may be a definition: it is left open.

    So is a shape that does not fit where the letters of a setting were taken for the claim's own.
    """
    last = verdict.claim.rstrip(" .").rfind(". ")
    is_early = verdict.where is not None and verdict.where.end <= last
    is_guessed = verdict.verdict == "ill-formed" and verdict.setting != GENERAL and last > 0
    if not (verdict.verdict == "fails" and is_early and _DEFINITION.match(verdict.reason)) and not is_guessed:
        return verdict
    reason = (
        f"whether it is given or claimed is not plain: {verdict.reason}" if is_early else f"as read, {verdict.reason}"
    )
    return replace(verdict, verdict="not-understood", reason=reason, counterexample=None, nearest=None)


_DEFINITION = re.compile(r"of \S+ = ")
"""How the reason begins where one of several statements fails that says what a letter is."""


def _doubt_words(verdict: Verdict) -> Verdict:
    """Shapes that do not fit in a sentence say more of how its words were read than of the claim."""
    is_sentence = len(_WORDS.findall(verdict.claim)) >= MIN_WORDS_FOR_DOUBT
    if verdict.verdict != "ill-formed" or verdict.setting != GENERAL or not is_sentence:
        return verdict
    return replace(verdict, verdict="not-understood", reason=f"as it was read, {verdict.reason}")


def _check_anywhere(claim: str, goal: str | None) -> Verdict:
    """The verdict where no setting was named: in the setting that knows the letters, or by what they are used as."""
    chosen, is_sure, own = recognise_setting(claim)
    means_the_same = all(check_in(as_plain(one), chosen, None).is_true for one in own)
    if is_sure and means_the_same and _KEYS.search(claim):
        return _with_note(check_in(claim, chosen, goal), chosen.name)
    found = _check_where_it_belongs(
        claim, goal, chosen, is_sure=is_sure and means_the_same, means_the_same=means_the_same
    )
    if found.verdict not in ("fails", "ill-formed") or goal is not None:
        return found
    return _doubt_setting(claim, found)


_KEYS = re.compile(r"\bkeys\b|\bquer(?:y|ies)\b|\battention\b", re.IGNORECASE)
"""Words that leave no doubt that a claim is about attention."""


def _doubt_setting(claim: str, found: Verdict) -> Verdict:
    """What fails where nobody named the setting, and holds in another that knows all of its letters, is left open."""
    ends = time.thread_time() + SECONDS_FOR_DOUBT
    for setting in settings_knowing(claim):
        if time.thread_time() > ends:
            break
        own = redefinitions(setting, parse(claim))
        if not all(check_in(as_plain(one), setting, None).is_true for one in own):
            continue  # the claim means another thing by a letter of this setting
        other = check_in(claim, setting, None) if setting.name != found.setting else found
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
    inferred = None if is_sure else _check_inferred(claim, goal)
    if inferred is not None and inferred.verdict not in ("not-understood", "undecided"):
        return inferred
    named = check_in(claim, chosen, goal)
    named = named if named.verdict == "not-understood" else _with_note(named, chosen.name)
    if inferred is not None:
        return named if named.is_true and means_the_same else inferred
    if not is_sure or named.is_true:
        return named
    if named.verdict in _DECIDED and _unexplained(parse(claim)) is not None:
        return named  # of a letter that nothing else is said of, nothing holds
    inferred = _check_inferred(claim, goal)
    if named.verdict in ("fails", "ill-formed"):  # nobody named the setting in which it does
        return inferred if inferred is not None and inferred.is_true else named
    return named if inferred is None or inferred.verdict not in _DECIDED else inferred


_DECIDED = ("holds", "holds-in-limit", "fails")


def _with_note(verdict: Verdict, name: str) -> Verdict:
    return replace(verdict, notes=(*verdict.notes, f"no setting was named, so this was read in {name}"))


def _check_inferred(claim: str, goal: str | None) -> Verdict | None:
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
    unknown = _undefined_function(tree)
    if unknown is not None:
        return Verdict(claim, first[1].name, "not-understood", f"what function {unknown} is, the claim does not say")
    cost, setting = first
    verdict = _with_meanings(check_in(claim, setting, goal), setting)
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
    unknown = _unexplained(tree)
    if unknown is not None and verdict.verdict == "fails":
        reason = f"what {unknown} is, the claim does not say, so that nothing can be said of it"
        return replace(verdict, verdict="not-understood", reason=reason, counterexample=None, where=None, nearest=None)
    is_guessed = any(not spec.hidden for spec in setting.symbols)
    is_sure = tall_letters(tree) or _COLUMNS.search(claim)
    return _doubt_shapes(verdict) if is_guessed and not is_sure else verdict


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


_FUNCTION = re.compile(r"(?<![A-Za-z\\_^{])(?P<name>[fgFGφψ]|h(?=\s*\([A-Z]\))|\\(?:var)?phi|\\psi)\s*(?:\\left\s*)?\(")


def _undefined_function(tree: Claim) -> str | None:
    """A letter that everybody reads as a function, f of f(x), where the claim does not say which; else None.

    Read as a product, f(x + y) = f(x) + f(y) would hold.
    """
    sides = [side for one in tree.relations for side in (one.left, one.right)]
    names = {node.name for side in sides for node in walk(side) if isinstance(node, Symbol)}
    alone = {one.left.name for one in tree.relations if isinstance(one.left, Symbol)}
    for found in _FUNCTION.finditer(tree.text):
        name = GREEK.get(found["name"], found["name"].lstrip("\\").removeprefix("var"))
        if name in names and name not in alone:
            return found["name"]
    return None


def _check_with_unstated_laws(claim: str, tree: Claim, goal: str | None) -> Verdict | None:
    """The verdict where letters that only stand in E, Var and Cov are random; None where there are none."""
    for as_vectors in (False, True):
        random = with_unstated_laws(tree, as_vectors=as_vectors)
        if random is None and as_vectors:
            break  # of numbers alone
        if random is None:
            return None
        first = next(infer_settings(random), None)
        found = check_in(claim, first[1], goal, tree=random) if first is not None else None
        if found is not None and found.verdict in _DECIDED:
            return found
    reason = "what law the random letters have is not said, and no meaning of them was found that fits"
    return Verdict(claim, GENERAL, "not-understood", reason)


def _unexplained(tree: Claim) -> str | None:
    """A letter that one side of a claimed equation is, and that stands nowhere else: it is named, not spoken of.

    So is α_a beside keys or a query, where nothing says that it is their weight.
    """
    relations = [relation for part in (tree, *tree.more) for relation in part.relations]
    symbols = [node for one in relations for node in walk(one) if isinstance(node, Symbol)]
    defined = {one.left.name for one in relations if one.comparison == "=" and isinstance(one.left, Symbol)}
    weight = next((node for node in symbols if node.name == "alpha" and node.subscripts), None)
    if weight is not None and "alpha" not in defined and {node.name for node in symbols} & {"k", "q"}:
        return as_plain(weight)
    counts = Counter(word for node in symbols for word in (node.name, *node.subscripts))
    for one in [relation for part in (tree, *tree.more) for relation in part.statements]:
        for side in (one.left, one.right):
            is_lone = (
                isinstance(side, Symbol) and counts[side.name] == 1 and side.name not in CONSTANTS | {*SIZE_LETTERS}
            )
            if is_lone and one.comparison in ("=", "≈", "→") and isinstance(side, Symbol):
                return as_plain(side)
    return None


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
