"""What chapter 9 asks of the package: a written claim typeset, its verdict, and what its letters mean.

A claim is never run: it has a grammar of its own. Most verdicts take some milliseconds and are given at once; one that
takes longer is handed to a computation that can be looked on and stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from regard.claims.check import check
from regard.claims.meaning.setting import Setting, SymbolSpec, builtin_settings, choose_setting
from regard.claims.syntax.grammar import parse, parse_symbol
from regard.claims.syntax.printer import point_at
from regard.claims.syntax.tree import MAX_CHARACTERS, Span
from regard.claims.syntax.typeset import as_latex
from regard.claims.trial.tree_evaluation import watch
from regard.claims.trial.trials import MAX_SECONDS
from regard.claims.verdict import VERDICT_WORDS, Verdict
from regard.errors import NotUnderstood
from regard.lab.jobs import JobProgress

AT_ONCE_SECONDS = 0.8
"""Of processor time for a verdict that is waited for; beyond, it is worked out while the page says so."""
ANY_SETTING = "chosen by the letters in the claim"
MAX_TYPED = 20_000
EVERY_SECONDS = 0.05


@dataclass(frozen=True)
class Question:
    """A claim; without a setting, one is found that knows its letters, and without a goal, the setting's is taken."""

    claim: str
    setting: str = ""
    goal: str = ""

    @property
    def builtin_setting(self) -> Setting | None:
        """The setting, one of Regard's own: no file is read for it."""
        return builtin_settings()[self.setting] if self.setting else None

    @property
    def effective_setting(self) -> Setting:
        """The setting that the claim is tried in."""
        return self.builtin_setting or choose_setting(self.claim)


EXAMPLES = {
    "weights sum to one": Question(r"\sum_i \alpha_i = 1", "attention"),
    "copying with any keys": Question(r"q = C k_a; \alpha_a \to 1", "attention"),
    "copying with orthonormal keys": Question(r"q = C k_a; \alpha_a \to 1", "orthonormal-keys"),
    "the weight as a logistic function": Question(r"\alpha_a = \sigma(s_a - s_b)", "attention"),
    "an average without a factor": Question("q = k_a + k_b", "orthonormal-keys"),
    "an average with a large factor": Question("q = C(k_a + k_b)", "orthonormal-keys"),
    "one summand out of a sum": Question(r"M = A A^\top", "two-subspaces"),
    "one summand, transposed": Question(r"M = A^\top", "two-subspaces"),
    "pulling, keys a little noisy": Question(r"q = C(\mu_a + \mu_b)", "noisy-keys"),
    "pulling, one length varies": Question(r"q = C(\mu_a + \mu_b)", "magnitude-noise"),
    "pushing, one length varies": Question(r"q = -C \sum_{i \ne a,b} \mu_i", "magnitude-noise"),
    "variance of the weight, one length varies": Question(
        r"q = C(\mu_a + \mu_b); Var[\alpha_a] \to \frac12", "magnitude-noise"
    ),
    "two heads, one length varies": Question(r"q_1 = C\mu_a; q_2 = C\mu_b", "two-heads-magnitude"),
    "the softmax's derivative": Question(r"\partial \alpha_i/\partial s_j = -\alpha_i \alpha_j", "attention"),
    "the gradient of cross-entropy": Question(
        r"\frac{\partial CE}{\partial \theta} = \hat{y} - y", "softmax-cross-entropy"
    ),
    "perplexity from bits": Question("PP = 2^{CE}", "perplexity"),
}
"""Claims to begin with: right ones, wrong ones, and some that lack a hypothesis."""


def typeset(text: str) -> tuple[str, ...] | None:
    """The statements of a claim in clean LaTeX, made from what was understood; None where it cannot be read."""
    try:
        return tuple(as_latex(statement) for statement in parse(text).statements)
    except NotUnderstood:
        return None


class _TimeIsUp(BaseException):
    """A verdict is not there in time; not an Exception, so that nothing on its way takes it for a failed trial."""


@lru_cache(maxsize=512)
def quick_verdict(question: Question) -> Verdict | None:
    """The verdict, if it takes no longer than one can wait for it."""
    end = time.thread_time() + AT_ONCE_SECONDS  # of this visitor: others may be at work in the same process

    def check_time() -> None:
        if time.thread_time() > end:
            raise _TimeIsUp

    try:
        with watch(check_time):
            return _verdict(question)
    except _TimeIsUp:
        return None


def verdict_job(question: Question) -> Callable[[JobProgress], Verdict]:
    """The verdict as a computation that tells how long it has been trying, and can be stopped."""

    def compute(progress: JobProgress) -> Verdict:
        start = last_report = time.monotonic()

        def check_time() -> None:
            nonlocal last_report
            now = time.monotonic()
            if now - last_report > EVERY_SECONDS:
                last_report = now
                message = f"trying instances for {now - start:.0f} s; at most {MAX_SECONDS:.0f} s of processor time"
                progress(None, message)

        progress(None, "trying instances")
        with watch(check_time):
            return _verdict(question)

    return compute


def _verdict(question: Question) -> Verdict:
    try:
        parse(question.goal or "0 = 0")
    except NotUnderstood as error:  # the place is one in the goal
        reason = f"in the goal, {error}"
        return Verdict(
            question.goal, question.effective_setting.name, "not-understood", reason, where=Span(*error.span)
        )
    return check(question.claim, setting=question.builtin_setting, goal=question.goal)


def error_place(verdict: Verdict) -> str:
    """The line that a complaint is about with a caret below, and the place in words; empty where there is none."""
    if verdict.where is None or verdict.verdict not in ("ill-formed", "not-understood"):
        return ""
    line, carets = point_at(verdict.claim, verdict.where)
    before = verdict.claim[: verdict.where.start]
    row, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    where = f"at character {column}" if row == 1 else f"at line {row}, character {column}"
    return f"{line}\n{carets} {where}"


def verdict_html(verdict: Verdict) -> str:
    """The verdict in words: what, why, where, and what is near it; whatever was typed is escaped."""
    parts = [f"<p><strong>{_name(verdict)}</strong>: {escape(verdict.reason)}</p>"]
    place = error_place(verdict)
    if place:
        parts.append(f'<pre style="overflow-x: auto" aria-label="The place in the claim">{escape(place)}</pre>')
    notes = [f"Nearest: {verdict.nearest}"] if verdict.nearest else []
    notes += [f"One reading {_name(one).lower()}: {one.reason}" for one in verdict.readings]
    notes += [*verdict.notes, f"Tried: {verdict.how}" if verdict.how else ""]
    parts += [f'<p style="font-size: 0.9em">{escape(note)}</p>' for note in notes if note]
    return "".join(parts)


def _name(verdict: Verdict) -> str:
    return VERDICT_WORDS.get(verdict.verdict, verdict.verdict).capitalize()


KINDS = {"holds": "success", "holds-in-limit": "info", "fails": "danger"}
"""How a verdict is set off; the others are warnings."""


def letters_table(setting: Setting) -> str:
    """What the letters of a setting mean, in Markdown."""
    rows = [
        f"| {', '.join(f'${_typeset(spec, name)}$' for name in spec.spellings)} | {_shape(spec)} | {_meaning(spec)} |"
        for spec in setting.symbols
        if not spec.hidden
    ]
    goal = "" if setting.goal is None else f"\n\nA definition is judged by ${as_latex(parse(setting.goal))}$."
    heading = "| letter | shape | meaning |\n| --- | --- | --- |"
    return f"**{setting.name}**: {setting.summary}.{goal}\n\n" + "\n".join([heading, *rows])


def _typeset(spec: SymbolSpec, name: str) -> str:
    return as_latex(parse_symbol(name)) + ("_i" if spec.over else "")


def _shape(spec: SymbolSpec) -> str:
    return "number" if spec.shape == (1, 1) else f"{spec.shape[0]} × {spec.shape[1]}"


def _meaning(spec: SymbolSpec) -> str:
    return f"{spec.meaning} (may be defined)" if spec.open else spec.meaning


def limits_text() -> str:
    """How much is read, in a sentence."""
    return f"A claim has at most {MAX_CHARACTERS:,} characters; several statements are separated by ;"


def python_for(question: Question) -> str:
    """Code that gives the same verdict."""
    given = [repr(question.claim)]
    given += [f"setting={question.setting!r}"] if question.setting else []
    given += [f"goal={question.goal!r}"] if question.goal else []
    return f"""
from regard.claims.check import check

verdict = check({", ".join(given)})
print(verdict.verdict, verdict.reason, sep=": ")
print(verdict.counterexample)
"""
