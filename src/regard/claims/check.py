"""A written claim in, a verdict out: which setting it is read in, and what other settings and meanings would say.

parse → read in the setting, in every way that types allow → try each statement → the first that fails decides
"""

from __future__ import annotations

import re
from dataclasses import replace

from regard.claims.doubts import (
    doubt_definitions,
    doubt_draws,
    doubt_list,
    doubt_lone_letter,
    doubt_unused_condition,
)
from regard.claims.meaning.inference import NAME as GENERAL
from regard.claims.meaning.joint_entropies import JOINT, given_independence, read_joint
from regard.claims.meaning.recognition import of_two_heads, redefinitions
from regard.claims.meaning.setting import Setting, find_setting
from regard.claims.syntax.grammar import parse
from regard.claims.syntax.printer import as_plain
from regard.claims.syntax.prose.information.model_letters import in_model_letters
from regard.claims.syntax.prose.notation import MAX_LENGTH, has_speaking_heading
from regard.claims.syntax.sentence.shorthand import with_signs
from regard.claims.syntax.tree import Binary, Claim, Derivative, Number, Symbol, walk
from regard.claims.syntax.true_class import with_target
from regard.claims.syntax.worded_equations import with_letters
from regard.claims.unnamed_setting import WORDS_OF_ATTENTION, check_anywhere, doubt_stronger_setting
from regard.claims.unstated_facts import doubt_unstated, outputs_as_variables
from regard.claims.verdict.dependence import gives_independence
from regard.claims.verdict.judge import UNDEFINED_FOR_SOME
from regard.claims.verdict.readings import check_in
from regard.claims.verdict.records import DECIDED, SAYS, Verdict, choose_reading, join_parts, write_statement
from regard.errors import ArgumentError, NotUnderstood

MIN_WORDS = 3
"""A text with fewer words is no sentence, unless nothing else is understood of it."""
MIN_WORDS_FOR_DOUBT = 6
"""From so many words on, a claim whose formulas were understood is read as sentences, too, and both have to agree."""
_WORDS = re.compile(r"(?<![\\A-Za-z_^{])[A-Za-z]{3,}(?![A-Za-z(_^{])")


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
    text = with_target(with_letters(with_signs(claim)))
    heads = of_two_heads(text) if named is None else None
    if heads is not None:
        text, named = heads
    found = _doubt_words(_check_text(text, named, goal or None))
    found = found if named is not None else doubt_draws(doubt_definitions(doubt_list(found)))
    found = _check_sentences(text, named, goal or None, found)
    found = _check_letter_e(_check_by_entries(text, named, goal or None, found), named, goal or None)
    found = found if named is not None else doubt_stronger_setting(doubt_unused_condition(doubt_lone_letter(found)))
    found = _check_in_known_letters(text, named, goal or None, found)
    if named is None and goal is None:
        found = doubt_unstated(found, lambda wider: _check_sentences(wider, None, None, _check_text(wider, None, None)))
    return found if text == claim else replace(found, claim=claim, where=None)


def _check_in_known_letters(claim: str, named: Setting | None, goal: str | None, found: Verdict) -> Verdict:
    """The verdict in the letters of a setting, where the claim has others for the same things."""
    if len(claim) > MAX_LENGTH:
        return found
    if found.is_true and named is None and found.setting in NEEDING_DISTRIBUTIONS:
        wider = with_any_target(claim)
        if wider is None:
            return found
        other = _check_sentences(wider, named, goal, _check_text(wider, named, goal))
        return replace(other, claim=claim) if other.verdict in DECIDED else doubt_target(found)
    if found.verdict in DECIDED:
        return found
    of_variables = outputs_as_variables(claim) if named is None else None
    if of_variables is not None:
        other = _check_sentences(of_variables, named, goal, _check_text(of_variables, named, goal))
        words = "c_1 and c_2 are taken for any two random numbers X and Y"
        is_decided = other.verdict in DECIDED
        return replace(other, claim=claim, where=None, notes=(*other.notes, words)) if is_decided else found
    written = known_letters(claim, named)
    if written is None:
        return found
    text, setting = written
    other = _check_sentences(text, setting, goal, _doubt_words(check_in(text, setting, goal)))
    other = _trust_layout(other) if _LAYOUT.search(claim) else other
    if other.verdict not in DECIDED:
        return found
    note = () if text == claim else (f"in the letters of the setting {setting.name}: {write_statement(text)}",)
    return replace(other, claim=claim, where=None, notes=(*other.notes, *note))


_STAR = re.compile(r"(?<![*^_{])\*(?![*}])")


def _check_by_entries(claim: str, named: Setting | None, goal: str | None, found: Verdict) -> Verdict:
    """The verdict with * as the product entry by entry, as in NumPy, where shapes fit in no other way."""
    if found.verdict not in ("ill-formed", "not-understood") or "cannot be multiplied" not in found.reason:
        return found
    written = _STAR.sub("∘", claim)
    other = _check_text(written, named, goal) if written != claim else found
    if other.verdict not in ("holds", "holds-in-limit", "fails"):
        return found
    return replace(other, claim=claim, where=None, notes=(*other.notes, "* is read as the product entry by entry"))


_VECTOR_E = re.compile(r"(?<=[A-Z])(?P<space>\s*)e(?![A-Za-z_^])")
_LETTER_E = re.compile(r"(?<![A-Za-z\\])e(?![A-Za-z])")


def _check_letter_e(found: Verdict, named: Setting | None, goal: str | None) -> Verdict:
    """The verdict with e as a vector of the claim's own, where B e does not hold with e = 2.718…."""
    if found.verdict not in ("ill-formed", "fails") or not _multiplies_by_e(found.claim):
        return found
    letter = next((one for one in "wuzxyt" if not re.search(rf"(?<![A-Za-z\\]){one}(?![A-Za-z])", found.claim)), None)
    written = _VECTOR_E.sub(lambda one: f"{one['space'] or ' '}{letter}", found.claim)
    if letter is not None and not _LETTER_E.search(written):
        other = _check_text(written, named, goal)
        if other.verdict in (*DECIDED, "ill-formed"):
            note = f"e is read as a vector, with the letter {letter}"
            return replace(other, claim=found.claim, where=None, notes=(*other.notes, note))
    reason = f"with e = 2.718…, {found.reason}; a vector needs another letter"
    return replace(found, verdict="not-understood", reason=reason, counterexample=None, where=None, nearest=None)


def _multiplies_by_e(claim: str) -> bool:
    """Whether a matrix stands before e in the formulas of a claim."""
    try:
        tree = parse(claim)
    except NotUnderstood:  # whole sentences, whose words are no letters
        return False
    sides = [side for one in tree.relations for side in (one.left, one.right)]
    products = [node for side in sides for node in walk(side) if isinstance(node, Binary) and node.operator == "*"]
    return any(
        one.right == Symbol("e") and isinstance(one.left, Symbol) and one.left.name.isupper() for one in products
    )


def _check_text(claim: str, named: Setting | None, goal: str | None) -> Verdict:
    if named is None and JOINT.search(claim):
        return _check_joint(claim, are_independent=False if _WORDS.search(_COMMANDS.sub("", claim)) is None else None)
    return check_anywhere(claim, goal) if named is None else check_in(claim, named, goal)


def _check_sentences(claim: str, named: Setting | None, goal: str | None, found: Verdict) -> Verdict:
    """The verdict on a text that may be whole sentences, beside the one on its formulas with the words between."""
    if len(claim) > MAX_LENGTH:
        return found
    if _MODE.search(claim) and found.verdict in DECIDED:
        reason = "what converges in probability was not understood"
        found = replace(found, verdict="not-understood", reason=reason, counterexample=None, where=None, nearest=None)
    n_words = len(_WORDS.findall(claim))
    enough = MIN_WORDS if found.verdict != "not-understood" else 0 if _ASIDE.search(claim) else 1
    # of a projection: …, which formulas leave out
    is_headed = found.verdict == "fails" and ":" in claim and has_speaking_heading(claim)
    is_sure = found.verdict in DECIDED and n_words < MIN_WORDS_FOR_DOUBT and not is_headed
    if n_words < enough or is_sure or found.reason == UNDEFINED_FOR_SOME:
        return found  # formulas with a few words between them, which the grammar of formulas knows best
    from regard.claims.syntax.prose.reading import read_prose  # a large grammar, which a formula needs not wait for

    reading = read_prose(claim)
    if is_headed:
        reason = f"the words before the colon were not understood; without them, {found.reason}"
        found = replace(found, verdict="not-understood", reason=reason, counterexample=None, where=None, nearest=None)
    if reading is None:
        return _tell_unread(found) if n_words >= MIN_WORDS else found
    if reading.claims == (claim,):
        return found
    parts = []
    by_words = _setting_of_words(claim) if named is None else ""
    for text in reading.claims:
        part = _check_statement(_keep_independence(text, claim), named, goal, by_words=by_words)
        parts.append(_trust_layout(part) if _LAYOUT.search(claim) else part)
        if parts[-1].verdict == "fails":
            break
    notes = tuple(f"{SAYS} {write_statement(text)}" for text in reading.claims)
    return choose_reading(join_parts(claim, parts, notes, reading.unread), found)


_FIRST_LAW = re.compile(r"(?P<given>\b(?:Let|Suppose)\b[^.~]*~[^.]*?\))(?=\. )")


def _keep_independence(text: str, claim: str) -> str:
    """A statement of a sentence with the word of that sentence which says that the letters given are independent."""
    if gives_independence(text) or not gives_independence(claim):
        return text
    return _FIRST_LAW.sub(r"\g<given> independent", text, count=1)


def _tell_unread(found: Verdict) -> Verdict:
    """The verdict on a sentence that nobody could read, with the words at which it stopped being understood."""
    from regard.claims.syntax.prose.reading import first_unread_words

    if found.verdict != "not-understood":
        return found
    words = first_unread_words(found.claim)
    place = f"from '{words}' on" if words else "as a whole"
    return replace(found, reason=f"read as a sentence, it is not understood {place}; as formulas, {found.reason}")


_MODE = re.compile(r"\bin (?:probability|distribution|mean square)\b")
"""How something converges, which is no product i n of letters."""
_ASIDE = re.compile(r"\s\([^()]*(?:≠|!=|\\neq?|→|\\to(?![a-z])|≤|≥|<|>|=)[^()]*\)")
"""A bracket with a condition behind a formula, (i ≠ j), which only sentences have."""
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
    if (by_words == "perplexity" and _SCORES.search(text)) or by_words == _NETWORK:
        scored = check_in(text, find_setting(by_words), goal)
        if scored.verdict in DECIDED:
            return scored
    found = _check_text(text, named, goal)
    if not by_words or by_words in _INDEPENDENCE or found.verdict in DECIDED:
        return found
    other = check_in(text, find_setting(by_words), goal)
    return other if other.verdict in DECIDED else found


def _setting_of_words(claim: str) -> str:
    """The setting that the words of a claim name, whatever its letters are."""
    if JOINT.search(claim):
        return next(name for name, said in _INDEPENDENCE.items() if said is given_independence(claim))
    if WORDS_OF_ATTENTION.search(claim) or _OUTPUT.search(claim):
        return "attention"
    from regard.claims.syntax.prose.information.perplexity import speaks_of_perplexity
    from regard.claims.syntax.prose.networks.layers import names_parts

    if names_parts(claim):
        return _NETWORK
    is_defined = _SCORES.search(claim.replace("p_i", "").replace("p_j", ""))  # maybe as another thing
    return "perplexity" if speaks_of_perplexity(claim) and not is_defined else ""


_OUTPUT = re.compile(
    r"\b(?:the|as|as an) output\b(?! (?:of|bias|weight|layer|probabilit))|\bvalue vectors?\b"
    r"|convex hull of (?:the )?\$?v_|\b(?:of|by|over) (?:the|all|all the|these) values\b",
    re.IGNORECASE,
)
_NETWORK = "one-hidden-layer"
_INDEPENDENCE = {"independent variables": True, "variables": False, "unclear variables": None}
_SCORES = re.compile(r"(?<![A-Za-z\\{])(?:PPL?(?:_[12])?|CE|H_2|p_i|p_j)(?![A-Za-z(])")
"""Letters of the setting perplexity."""


def _doubt_words(verdict: Verdict) -> Verdict:
    """Shapes that do not fit in a sentence say more of how its words were read than of the claim."""
    is_sentence = len(_WORDS.findall(verdict.claim)) >= MIN_WORDS_FOR_DOUBT
    if verdict.verdict != "ill-formed" or not is_sentence:
        return verdict
    return replace(verdict, verdict="not-understood", reason=f"as it was read, {verdict.reason}")


_PERPLEXITY = "perplexity"
NEEDING_DISTRIBUTIONS = ("softmax-cross-entropy", _NETWORK)
"""Settings in which the target y sums to one."""
_LONG_WORDS = re.compile(r"(?<![\\A-Za-z_^{])[A-Za-z]{4,}(?![A-Za-z(_^{])")
_ANY_TARGET = re.compile(
    r"(?:any|arbitrary|general)\s+(?:real\s+|target\s+|label\s+|column\s+|row\s+)*vector\s+\$?y(?![A-Za-z])"
    r"|(?<![A-Za-z])y\$?\s+(?:is|be|denotes?)\s+(?:an?\s+)?(?:any|arbitrary|general)(?:\s+real)?\s+vector"
    r"|(?:any|arbitrary|all|every)\s+\$?y\s*(?:∈|\\in)\s*(?:R|ℝ|\\mathbb)"
    r"|need\s+not\s+(?:sum|add up)|not\s+necessarily\s+(?:sum|summing|a distribution)"
)
"""Words that say that y may be any vector."""


def known_letters(claim: str, named: Setting | None) -> tuple[str, Setting] | None:
    """The claim in the letters of a setting that knows what it is about; None where there is none."""
    if named is None or named.name == _PERPLEXITY:
        written = in_model_letters(claim)
        if written is not None:
            return written, find_setting(_PERPLEXITY)
    plain = _ROWS.sub("", claim)
    return (plain, find_setting(_NETWORK)) if named is None and _is_of_network(plain) else None


_VECTOR = r"(?:\\hat ?\{?[a-z]\}?|[a-zŷ])(?:_\w)?"
_ROWS = re.compile(
    rf",?(?:\s|\\[ ,;:])*(?<![A-Za-z\\])(?:with\s+)?{_VECTOR}(?:\s*(?:,|and)\s*{_VECTOR})*\s+"
    r"(?:are\s+|is\s+)?(?:an?\s+)?row[ -]vectors?(?![a-z])"
)
"""What the letters of the network are there anyway: h, y, ŷ row vectors."""


def _is_of_network(claim: str) -> bool:
    """Whether formulas differentiate the loss of a network whose parts they call as the setting does."""
    if len(_LONG_WORDS.findall(claim)) > 1:
        return False
    try:
        tree = parse(claim)
    except NotUnderstood:
        return False
    if not _differentiates_loss(tree):
        return False
    setting = find_setting(_NETWORK)
    own = redefinitions(setting, tree)
    own = tuple(one for one in own if not isinstance(one.right, Symbol | Number))  # ŷ = y is a condition
    return all(check_in(as_plain(one), setting, None).is_true for one in own)


def _differentiates_loss(tree: Claim) -> bool:
    """Whether J or L is differentiated by a weight or bias, or by a layer beside one: ∂J/∂W_1, ∇_{b_2} L, ∂J/∂h."""
    nodes = [node for part in (tree, *tree.more) for one in part.relations for node in walk(one)]
    by = [node.by for node in nodes if isinstance(node, Derivative) and node.of in (Symbol("J"), Symbol("L"))]
    has_parameter = any(isinstance(node, Symbol) and _is_parameter(node) for node in nodes)
    return has_parameter and any(_is_parameter(one) or one.name in ("x", "h", "z") for one in by)


def _is_parameter(symbol: Symbol) -> bool:
    """W_1, W_2, b_1 or b_2."""
    return symbol.name in ("W", "b") and symbol.subscripts[:1] in (("1",), ("2",))


def with_any_target(claim: str) -> str | None:
    """The claim with another letter for a target of which it says that it may be any vector; else None.

    >>> with_any_target("If y is any vector, then sum(y) = 1 and ŷ = y.")
    'If w is any vector, then sum(w) = 1 and ŷ = w.'
    """
    if not _ANY_TARGET.search(claim) or re.search(r"(?<![A-Za-z\\])w(?![A-Za-z])", claim):
        return None
    return re.sub(r"(?<![A-Za-z\\])(?<!hat )(?<!hat\{)y(?![A-Za-z\u0302])", "w", claim)


def doubt_target(found: Verdict) -> Verdict:
    """What holds of targets that sum to one is left open where the claim says that y may be any vector."""
    reason = f"the target sums to one in {found.setting}, and the claim is about any vector: {found.reason}"
    return replace(found, verdict="not-understood", reason=reason)
