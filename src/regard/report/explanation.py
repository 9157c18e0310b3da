"""Why a classifier decided as it did, for people: its words by their share in the decision, and what rules found.

The text is coloured on a terminal, marked in a pipe, and HTML in a page. Shares are those of `ExplainedText.shares`:
nats by which a word moves the log-odds of the answer against the other label, counted from those without any word.
Blue speaks for the answer, orange against it; colour-blind readers can tell the two apart. How often a rule is seen is
written in one way, so that a sentence agrees with its table.
"""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from regard.display import Markup, element, escape, join, visible
from regard.records import ExplainedText, Finding, RuleCount
from regard.report.figures import INK
from regard.shapes import Bool, Float, Int

if TYPE_CHECKING:
    from rich.text import Text


RULE_HEADINGS = ("of errors", "of right answers", "ratio", "95 % interval", "verdict")


def format_rule(count: RuleCount) -> list[str]:
    """The cells of a rule's row, under RULE_HEADINGS."""
    return [
        format_share(count.seen_wrong, count.n_wrong),
        format_share(count.seen_right, count.n_right),
        format_ratio(count.likelihood_ratio) if count.is_compared else "–",
        f"{format_ratio(count.low)}–{format_ratio(count.high)}" if count.is_compared else "–",
        count.verdict,
    ]


def write_rule(count: RuleCount) -> str:
    """The row of the table as a sentence."""
    wrong, right, *_ = format_rule(count)
    said = times_as_common(count.likelihood_ratio) if count.verdict == "goes with errors" else count.verdict
    return f"{count.rule}: seen in {wrong} of errors and {right} of right answers: {said}"


def write_finding(finding: Finding) -> str:
    """What a rule found in one text, with how telling the rule is among all texts."""
    telling = "" if finding.likelihood_ratio is None else f" ({times_as_common(finding.likelihood_ratio)})"
    return f"{finding.rule}{telling}: {finding.remark}"


def times_as_common(likelihood_ratio: float) -> str:
    """A likelihood ratio in words."""
    return f"{format_ratio(likelihood_ratio)} times as common where it was wrong"


def format_ratio(number: float) -> str:
    """A likelihood ratio, or an end of its interval."""
    return f"{number:.2f}"


def format_share(part: int, whole: int) -> str:
    """A share of texts."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def headline(explained: ExplainedText) -> str:
    """What the classifier says of a text, how sure it is, and whether it is right, where that is known."""
    said = f"{explained.label} {explained.probability:.3f}, {explained.against} {explained.against_probability:.3f}"
    if explained.true_label is None:
        return said
    return (
        f"{said} (right)"
        if explained.true_label == explained.label
        else f"{said} (wrong: it is {explained.true_label})"
    )


def explanation_page(texts: Sequence[ExplainedText], *, title: str, max_words: int = 10) -> str:
    """A page with each text, its words coloured by what they did, and the words that decided."""
    sections = [_section(number, each, max_words) for number, each in enumerate(texts, start=1)]
    legend = Markup(
        '<p>Words in <span class="p2">blue</span> speak for the answer, in <span class="c2">orange</span> against '
        "it; the numbers are nats of log-odds between the answer and the label named after it, counted from those of "
        "the text without any word.</p>"
    )
    style = element("style", Markup(_page_style() + TEXT_STYLE))
    head = element("head", Markup('<meta charset="utf-8">'), element("title", title), style)
    body = element("body", element("h1", title), legend, *sections)
    return f'<!DOCTYPE html><html lang="en">{head}{body}</html>\n'


def _section(number: int, explained: ExplainedText, max_words: int) -> Markup:
    decided = f"decided by ({explained.attribution.method}): {name_deciding_words(explained, max_words=max_words)}"
    words = element("p", decided, Markup("<br>"), sum_line(explained))
    return join(element("h2", f"{number}. {headline(explained)}"), to_html(explained), words)


def _page_style() -> str:
    return (
        f":root{{color-scheme:light;--rule:{INK}}}body{{font:16px/1.5 system-ui,sans-serif;color:{INK};"
        "background:#fff;max-width:62rem;margin:2rem auto;padding:0 1rem}h1{font-size:1.4rem}"
        "h2{font-size:1.1rem;margin-top:2rem}.text{border:1px solid #ccc;border-radius:4px;padding:.8rem}"
    )


THRESHOLD = 1 / 3
"""A word is listed if its share is at least this part of the largest one."""
SHADE_STEPS = (0.1, 0.3, 0.55, 0.8)
"""Parts of the largest share from which on a word is shaded, the darker the larger."""
FOR = ("#DCEBF7", "#A8CFEC", "#5FA5D6", "#1F6FB0")
AGAINST = ("#FCE8D5", "#F9C796", "#EE9443", "#B85410")
ANSI_FOR = (195, 153, 74, 25)
ANSI_AGAINST = (230, 222, 208, 130)
LIGHT_FROM = 3  # from this step on, letters are white
WIDTH = 100
WORDS_AROUND = 7
"""Words that are shown on either side of one that is marked, where a long text is shortened."""
MAX_MARKED = 12  # of the words of a text; with more, nobody could read it
LONG_TEXT_WORDS = 120
"""Words of a text from which on it is shortened for terminals and pipes."""


class Piece(NamedTuple):
    """A stretch of text: a word with its share and its step (negative: against the answer), or what is between."""

    text: str
    share: float = 0.0
    step: int = 0
    is_marked: bool = False


class WordShare(NamedTuple):
    """A word, how often it occurs, and what all its occurrences did together."""

    word: str
    n: int
    share: float


def rank_words(explained: ExplainedText, *, threshold: float = THRESHOLD) -> list[WordShare]:
    """The words that decided, largest share first: those with at least `threshold` of the largest one."""
    found = explained.attribution
    together: defaultdict[str, list[float]] = defaultdict(list)
    for start, end, share in zip(found.starts.tolist(), found.ends.tolist(), explained.shares.tolist(), strict=True):
        together[found.text[start:end].lower()].append(share)
    sums = [WordShare(word, len(shares), sum(shares)) for word, shares in together.items()]
    least = threshold * max((abs(word.share) for word in sums), default=0.0)
    return sorted((word for word in sums if abs(word.share) >= least > 0), key=lambda word: -abs(word.share))


def cut_pieces(explained: ExplainedText, *, threshold: float = THRESHOLD, shorten: bool = False) -> Iterator[Piece]:
    """The text, word by word, with what stands between; if it is to be shortened, only what is near marked words."""
    found, text = explained.attribution, explained.text
    sizes = np.abs(explained.shares)
    largest = sizes.max(initial=0.0)
    steps = _shade_steps(explained.shares, largest)
    is_marked = (sizes >= threshold * largest) & (sizes > 0)
    is_marked[np.argsort(-sizes, kind="stable")[MAX_MARKED:]] = False
    is_shown = (
        _mark_neighbours(is_marked) if shorten and len(sizes) > LONG_TEXT_WORDS else np.ones(len(sizes), dtype=bool)
    )
    place, was_shown = 0, True
    for i, (start, end) in enumerate(zip(found.starts.tolist(), found.ends.tolist(), strict=True)):
        if is_shown[i]:
            yield Piece(text[place:start] if was_shown else " … ")
            yield Piece(text[start:end], float(explained.shares[i]), int(steps[i]), bool(is_marked[i]))
        place, was_shown = end, bool(is_shown[i])
    yield Piece(text[place:] if was_shown else " …")


def to_rich(explained: ExplainedText, *, threshold: float = THRESHOLD) -> Text:
    """The text in colour; what a terminal without colours shows has marks instead (`to_plain_text`)."""
    from rich.text import Text

    shown = Text()
    for piece in cut_pieces(explained, threshold=threshold, shorten=True):
        shown.append(_safe(piece.text), style=_terminal_style(piece.step))
    return shown


def to_plain_text(explained: ExplainedText, *, threshold: float = THRESHOLD, width: int = WIDTH) -> str:
    """The text with marks and numbers at words above the threshold: the film is [awful −1.20]."""
    parts = [
        f"[{_safe(piece.text)}\u00a0{format_signed(piece.share)}]" if piece.is_marked else _safe(piece.text)
        for piece in cut_pieces(explained, threshold=threshold, shorten=True)
    ]
    shown = "".join(parts).strip()
    lines = textwrap.wrap(shown, width, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines).replace("\u00a0", " ")


def to_html(explained: ExplainedText, *, threshold: float = THRESHOLD) -> Markup:
    """The text as HTML, with `TEXT_STYLE`: whatever stands in it comes out as text. Rules' evidence is underlined."""
    evidence = _evidence(explained)
    place, parts = 0, []
    for piece in cut_pieces(explained, threshold=threshold):
        parts.append(_html_piece(piece, bool(evidence[place : place + len(piece.text)].any())))
        place += len(piece.text)
    return element("p", *parts, class_="text")


def format_signed(number: float) -> str:
    """A number with its sign.

    >>> format_signed(-0.5), format_signed(2.0)
    ('−0.50', '+2.00')
    """
    return f"{number:+.2f}".replace("-", "−")


def list_words(explained: ExplainedText, *, threshold: float = THRESHOLD, max_words: int = 10) -> str:
    """The words that decided, in one line."""
    found = rank_words(explained, threshold=threshold)
    named = [
        f"{_safe(word)}{f' (×{n})' if n > 1 else ''} {format_signed(share)}" for word, n, share in found[:max_words]
    ]
    return ", ".join(named) + (f" and {len(found) - max_words} more" if len(found) > max_words else "")


def sum_line(explained: ExplainedText) -> str:
    """What the shares add up to, and from where they are counted."""
    words = float(explained.shares.sum())
    line = (
        f"log-odds of {explained.label} against {explained.against}: {format_signed(explained.log_odds)} nats = "
        f"{format_signed(explained.baseline)} before any word {format_signed(words)} for the words"
    )
    if not adds_up(explained):
        line += f" {format_signed(explained.remainder)} that no word accounts for, as this method does not add up"
    if explained.standard_errors is not None:
        largest = float(explained.standard_errors.max(initial=0.0))
        line += f"; shares were sampled, standard errors up to {largest:.2f}"
    return line


def adds_up(explained: ExplainedText) -> bool:
    """Whether the shares sum to the decision, within a hundredth of it."""
    return abs(explained.remainder) <= max(0.01 * abs(explained.log_odds), 1e-3)


def name_deciding_words(explained: ExplainedText, *, max_words: int = 10) -> str:
    """The words that decided in one line; where there are none, what that means."""
    listed = list_words(explained, max_words=max_words)
    if listed:
        return listed
    return "no word says anything" if adds_up(explained) else "no single word: without any one, the answer is the same"


def split_by_verdict(findings: Sequence[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Findings of rules that go with errors (or were not counted), and those that are as common in right answers."""
    telling = [finding for finding in findings if finding.verdict in ("", "goes with errors")]
    return telling, [finding for finding in findings if finding not in telling]


TEXT_STYLE = (
    ".text{white-space:pre-wrap;overflow-wrap:anywhere}.text span{border-radius:3px;padding:0 1px}"
    ".text u{text-decoration:underline 2px;text-decoration-color:var(--rule);text-underline-offset:3px}"
    + "".join(
        f".{side}{i + 1}{{background:{colour};color:{'#fff' if i >= LIGHT_FROM else '#111'}}}"
        for side, colours in (("p", FOR), ("c", AGAINST))
        for i, colour in enumerate(colours)
    )
)


def _shade_steps(shares: Float[np.ndarray, " word"], largest: float) -> Int[np.ndarray, " word"]:
    if largest == 0:
        return np.zeros(len(shares), dtype=np.int64)
    steps = np.searchsorted(SHADE_STEPS, np.abs(shares) / largest, side="right")
    return np.where(shares < 0, -steps, steps)


def _mark_neighbours(is_marked: Bool[np.ndarray, " word"]) -> Bool[np.ndarray, " word"]:
    """Words at most this many places from a marked one."""
    return np.convolve(is_marked, np.ones(2 * WORDS_AROUND + 1), mode="same")[: len(is_marked)] > 0


def _safe(text: str) -> str:
    """The text without anything that could command a terminal; line breaks become spaces."""
    return "".join(" " if c in "\n\r\t\u00a0" else visible(c) for c in text)


def _terminal_style(step: int) -> str:
    if step == 0:
        return ""
    ground = (ANSI_FOR if step > 0 else ANSI_AGAINST)[abs(step) - 1]
    return f"color({231 if abs(step) > LIGHT_FROM else 16}) on color({ground})"


def _evidence(explained: ExplainedText) -> Bool[np.ndarray, " character"]:
    is_evidence = np.zeros(len(explained.text), dtype=bool)
    for finding in explained.findings:
        for start, end in finding.spans:
            is_evidence[start:end] = True
    return is_evidence


def _html_piece(piece: Piece, is_evidence: bool) -> Markup:
    text = visible(piece.text, keep="\n\t")
    shown = element("u", text) if is_evidence and piece.text.strip() else escape(text)
    if piece.step == 0:
        return shown
    name = f"{'p' if piece.step > 0 else 'c'}{abs(piece.step)}"
    return element("span", shown, class_=name, title=format_signed(piece.share))
