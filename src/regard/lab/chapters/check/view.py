"""What chapter 9 asks of the package: a written claim typeset, its verdict, and what its letters mean.

A claim is never run: it has a grammar of its own. Formulas are sent as trees of MathML, from which the page builds only
elements that it knows.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

from regard.claims.check import check
from regard.claims.meaning.recognition import choose_setting
from regard.claims.meaning.setting import Setting, SymbolSpec, builtin_settings
from regard.claims.syntax.grammar import parse, parse_symbol
from regard.claims.syntax.printer import point_at
from regard.claims.syntax.tree import MAX_CHARACTERS, Claim, Node, Relation, Span
from regard.claims.syntax.typeset import as_mathml
from regard.claims.trial.tree_evaluation import watch
from regard.claims.trial.trials import MAX_SECONDS
from regard.claims.verdict.records import VERDICT_WORDS, Counterexample, Verdict, format_value
from regard.errors import NotUnderstood
from regard.lab.chapters.check.links import chapter_links, plane_pictures
from regard.lab.inputs import choice, text
from regard.lab.jobs import JobProgress
from regard.lab.server.api import Question

EVERY_SECONDS = 0.05


@dataclass(frozen=True)
class WrittenClaim:
    """What is typeset while it is written."""

    claim: str = text(most=MAX_CHARACTERS)


@dataclass(frozen=True)
class ClaimInput:
    """A claim; without a setting, one is found that knows its letters, and without a goal, the setting's is taken."""

    claim: str = text(most=MAX_CHARACTERS)
    setting: str = choice("", *builtin_settings())
    goal: str = text(least=0, most=MAX_CHARACTERS)

    @property
    def builtin_setting(self) -> Setting | None:
        """The setting, one of Regard's own: no file is read for it."""
        return builtin_settings()[self.setting] if self.setting else None

    @property
    def effective_setting(self) -> Setting:
        """The setting that the claim is tried in."""
        return self.builtin_setting or choose_setting(self.claim)


def typeset(now: WrittenClaim) -> dict[str, Any]:
    """The statements of a claim as formulas, made from what was understood; none where it cannot be read."""
    try:
        return {"formulas": [formula(statement) for statement in parse(now.claim).statements]}
    except NotUnderstood:
        return {"formulas": []}


def try_claim(now: ClaimInput, progress: JobProgress) -> dict[str, Any]:
    """The verdict on a claim with everything that the page shows of it; stops where the visitor has gone."""
    start = last_report = time.monotonic()

    def report_time() -> None:
        nonlocal last_report
        seconds = time.monotonic() - start
        if time.monotonic() - last_report > EVERY_SECONDS:
            last_report = time.monotonic()
            message = f"tried for {seconds:.0f} s" if seconds >= 1 else "trying examples"
            progress(None, f"{message}; at most {MAX_SECONDS:.0f} s of processor time")

    progress(None, "trying examples")
    with watch(report_time):
        verdict = find_verdict(now)
    setting = builtin_settings().get(verdict.setting)  # letters of any other setting stand in its notes
    return verdict_facts(verdict) | {"letters": None if setting is None else letter_table(setting)}


QUESTIONS = {"typeset": Question(WrittenClaim, typeset), "try": Question(ClaimInput, try_claim, is_long=True)}


@lru_cache(maxsize=512)
def find_verdict(now: ClaimInput) -> Verdict:
    """The verdict; what many ask is computed once."""
    try:
        parse(now.goal or "0 = 0")
    except NotUnderstood as error:  # the place is one in the goal
        reason = f"in the goal, {error}"
        return Verdict(now.goal, now.effective_setting.name, "not-understood", reason, where=Span(*error.span))
    return check(now.claim, setting=now.builtin_setting, goal=now.goal)


def verdict_facts(verdict: Verdict) -> dict[str, Any]:
    """What the page says of a verdict: name and tone, why, where it went wrong, what is near, and what was tried."""
    example = verdict.counterexample
    return {
        "verdict": verdict.verdict,
        "name": _headline(verdict),
        "tone": _tone(verdict),
        "reason": verdict.reason,
        "place": error_place(verdict),
        "nearest": verdict.nearest or "",
        "readings": [{"name": _name(one), "reason": one.reason} for one in verdict.readings],
        "notes": list(verdict.notes),
        "tried": verdict.how,
        "setting": verdict.setting,
        "example": None if example is None else example_facts(example),
        "links": [{"words": link.words, "address": link.address} for link in chapter_links(verdict)],
        "pictures": [] if example is None else plane_pictures(example),
    }


def _tone(verdict: Verdict) -> str:
    """How a verdict is set off: only what fails in every way to read it is marked as wrong."""
    differ = len({one.is_true for one in verdict.readings}) > 1
    if differ or verdict.verdict not in ("holds", "holds-in-limit", "fails"):
        return "open"
    return {"holds": "good", "holds-in-limit": "limit"}.get(verdict.verdict, "bad")


def _headline(verdict: Verdict) -> str:
    if len({one.verdict for one in verdict.readings}) > 1:
        return "It depends on how this is read"
    return _name(verdict)


def _name(verdict: Verdict) -> str:
    return VERDICT_WORDS.get(verdict.verdict, verdict.verdict).capitalize()


def error_place(verdict: Verdict) -> str:
    """The line that a complaint is about with a caret below, and the place in words; empty where there is none."""
    if verdict.where is None or verdict.verdict not in ("ill-formed", "not-understood"):
        return ""
    line, carets = point_at(verdict.claim, verdict.where)
    before = verdict.claim[: verdict.where.start]
    row, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    where = f"at character {column}" if row == 1 else f"at line {row}, character {column}"
    return f"{line}\n{carets} {where}"


def example_facts(example: Counterexample) -> dict[str, Any]:
    """The counterexample: its sizes and letters in rows, and both sides, as numbers where there are few."""
    letters = {**example.sizes, **example.symbols}
    rows = [
        {"name": name, "formula": formula(parse_symbol(name)), "value": format_value(letters[name])} for name in letters
    ]
    sides = {side: getattr(example, side) for side in ("left", "right")}
    return {
        "rows": rows,
        "sides": {side: {"text": format_value(value), "entries": _entries(value)} for side, value in sides.items()},
    }


MAX_ENTRIES = 24


def _entries(value: Any) -> list[float]:
    """All numbers of a side, row by row; none where there are too many to draw."""
    import numpy as np

    numbers = np.ravel(np.asarray(value, dtype=float))
    return numbers.tolist() if len(numbers) <= MAX_ENTRIES and np.isfinite(numbers).all() else []


def letter_table(setting: Setting) -> dict[str, Any]:
    """What the letters of a setting mean, and what a definition in it is judged by."""
    return {
        "setting": setting.name,
        "summary": setting.summary,
        "goal": None if setting.goal is None else formula(parse(setting.goal)),
        "rows": [_letter_row(spec) for spec in setting.symbols if not spec.hidden],
    }


def _letter_row(spec: SymbolSpec) -> dict[str, Any]:
    names = [f"{name}_i" if spec.over else name for name in spec.spellings]
    return {
        "formulas": [formula(parse_symbol(name)) for name in names],
        "shape": "number" if spec.shape == (1, 1) else f"{spec.shape[0]} × {spec.shape[1]}",
        "meaning": f"{spec.meaning} (a claim may define it)" if spec.open else spec.meaning,
    }


def formula(tree: Claim | Relation | Node) -> list[Any]:
    """A formula as a tree of MathML: [name, part, …], where a part is a text or a tree.

    >>> formula(parse_symbol("k_a"))
    ['math', ['msub', ['mi', 'k'], ['mrow', ['mi', 'a']]]]
    """
    return _tree(ElementTree.fromstring(as_mathml(tree)))


def _tree(node: ElementTree.Element) -> list[Any]:
    return [node.tag, *([node.text] if node.text else []), *map(_tree, node)]
