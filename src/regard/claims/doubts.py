"""Verdicts that are left open: what fails, or holds, for a reason that the writer can not have meant.

A definition that was taken for a claim, the last member of a list that may be given, a letter that nothing is said of,
a condition on a letter that stands nowhere else, a limit of what is drawn anew each time.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from regard.claims.meaning.inference import NAME as GENERAL
from regard.claims.meaning.setting import find_setting
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain
from regard.claims.syntax.prose.notation import is_limit_of_draws
from regard.claims.syntax.tree import Claim, Symbol, lone_symbol, symbol_names, walk
from regard.claims.unnamed_setting import check_anywhere
from regard.claims.verdict.records import DECIDED, SAYS, Verdict
from regard.errors import InputFileError, NotUnderstood


def doubt_definitions(verdict: Verdict) -> Verdict:
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


def doubt_list(verdict: Verdict) -> Verdict:
    """What fails is left open if a later member of its list may say what a letter is: KL(p‖u) = …, u_i = 1/n."""
    if verdict.verdict != "fails" or verdict.where is None:
        return verdict
    tree = parse(verdict.claim)
    first, later = tree.statements[0], tree.statements[1:]
    chosen = [one for one in later if one.comparison == "=" and lone_symbol(one.left) is not None]
    chosen = [one for one in chosen if symbol_names(one.left) <= symbol_names(first)]
    if not chosen or tree.more:
        return verdict
    rest = tuple(one for one in tree.statements if one not in chosen)
    text = as_plain(replace(tree, statements=rest, premises=(*tree.premises, *chosen)))
    if not check_anywhere(text, None).is_true:
        return verdict
    words = " and ".join(map(as_plain, chosen))
    reason = f"whether {words} is given or claimed is not plain: given it, the rest holds; else, {verdict.reason}"
    return replace(verdict, verdict="undecided", reason=reason, counterexample=None, nearest=None)


_DEFINITION = re.compile(r"of \S+ = ")
"""How the reason begins where one of several statements fails that says what a letter is."""


def doubt_draws(verdict: Verdict) -> Verdict:
    """No verdict on the limit of a Gaussian vector: at each dimension another one is drawn, and none tends to it."""
    if verdict.verdict not in DECIDED or not _DRAWN.search(verdict.claim) or not is_limit_of_draws(verdict.claim):
        return verdict
    reason = "a vector that is drawn anew at every dimension has no limit; its mean squared distance may have one"
    return replace(verdict, verdict="not-understood", reason=reason, counterexample=None, where=None, nearest=None)


_DRAWN = re.compile(r"[~∼]|\\sim")
"""The sign before a law, without which nothing is drawn."""


def doubt_lone_letter(found: Verdict) -> Verdict:
    """What fails for a letter that nothing is said of, perplexity = V, is left open: nobody knows what it stands for.

    A word before or behind it says something: the vocabulary size V, V words.
    """
    if found.verdict != "fails":
        return found
    said = [one.partition(SAYS)[2].strip() for one in found.notes if one.startswith(SAYS)]
    try:
        setting = find_setting(found.setting)
        tree = parse(said[-1] if said else found.claim)
    except (InputFileError, NotUnderstood):  # the letters are as the claim uses them
        return found
    drawn = {name for spec in setting.symbols if spec.law is not None and not spec.open for name in spec.spellings}
    letter = next((one for one in _lone_letters(tree) if one in drawn), None)
    if letter is None or _is_named(letter, found.claim):
        return found
    reason = f"what {letter} is, the claim does not say; name a setting that has it, or say what it stands for"
    return replace(found, verdict="not-understood", reason=reason, counterexample=None, where=None, nearest=None)


def doubt_unused_condition(found: Verdict) -> Verdict:
    """What fails under a condition on a letter that stands nowhere else, c ≈ v_a for g > 0, is left open."""
    if found.verdict != "fails":
        return found
    try:
        tree = parse(found.claim)
        known = {name for spec in find_setting(found.setting).symbols for name in (spec.name, *spec.spellings)}
    except (InputFileError, NotUnderstood):
        return found
    premises = [one for part in (tree, *tree.more) for one in part.premises]
    symbols = [node for part in (tree, *tree.more) for one in part.relations for node in walk(one)]
    counts = Counter(word for node in symbols if isinstance(node, Symbol) for word in (node.name, *node.subscripts))
    for one in premises:
        letter = one.left.name if isinstance(one.left, Symbol) and one.comparison in ("<", ">", "≤", "≥") else ""
        if letter.isalpha() and counts[letter] == 1 and letter not in known | _USUAL:
            reason = f"what {letter} has to do with the rest, the claim does not say; without {letter}, {found.reason}"
            return replace(found, verdict="undecided", reason=reason, counterexample=None, where=None, nearest=None)
    return found


_USUAL = frozenset("ndmNDMKHVTC")
"""Sizes and the scale of a query: everybody knows what they have to do with the rest."""


def _lone_letters(tree: Claim) -> list[str]:
    """Letters without an index that one side of a claimed relation is, and that stand nowhere else."""
    relations = [relation for part in (tree, *tree.more) for relation in part.relations]
    symbols = [node for one in relations for node in walk(one) if isinstance(node, Symbol)]
    counts = Counter(node.name for node in symbols)
    sides = [side for part in (tree, *tree.more) for one in part.statements for side in (one.left, one.right)]
    return [one.name for one in sides if isinstance(one, Symbol) and not one.subscripts and counts[one.name] == 1]


_NO_NOUNS = "is|are|equals|than|and|to|or|about|exactly|least|most|for|if|when|in|as|with|where"


def _is_named(letter: str, text: str) -> bool:
    """Whether a noun stands beside a letter that is set apart from it by a space alone."""
    written = re.escape(letter)
    if not re.search(rf"(?<![A-Za-z]){written}(?![A-Za-z])", text):
        return True  # by words alone: its vocabulary
    before = rf"\b(?!(?:{_NO_NOUNS})\b)[a-z]{{2,}} \$?{written}(?![A-Za-z])"
    behind = rf"(?<![A-Za-z]){written}\$? (?!(?:{_NO_NOUNS})\b)[a-z]{{3,}}"
    return re.search(before, text) is not None or re.search(behind, text) is not None
