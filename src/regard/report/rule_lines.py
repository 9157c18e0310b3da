"""How often a rule is seen, in words and figures: one way to write them, so that a sentence agrees with its table."""

from __future__ import annotations

from regard.records import Finding, RuleCount

HEADINGS = ("of errors", "of right answers", "ratio", "95 % interval", "verdict")


def format_figures(count: RuleCount) -> list[str]:
    """What stands under HEADINGS."""
    return [
        percent(count.seen_wrong, count.n_wrong),
        percent(count.seen_right, count.n_right),
        ratio(count.likelihood_ratio) if count.is_compared else "–",
        f"{ratio(count.low)}–{ratio(count.high)}" if count.is_compared else "–",
        count.verdict,
    ]


def write_sentence(count: RuleCount) -> str:
    """The row of the table as a sentence."""
    wrong, right, *_ = format_figures(count)
    said = times_as_common(count.likelihood_ratio) if count.verdict == "goes with errors" else count.verdict
    return f"{count.rule}: seen in {wrong} of errors and {right} of right answers: {said}"


def write_finding(finding: Finding) -> str:
    """What a rule found in one text, with how telling the rule is among all texts."""
    telling = "" if finding.likelihood_ratio is None else f" ({times_as_common(finding.likelihood_ratio)})"
    return f"{finding.rule}{telling}: {finding.remark}"


def times_as_common(likelihood_ratio: float) -> str:
    """A likelihood ratio in words."""
    return f"{ratio(likelihood_ratio)} times as common where it was wrong"


def ratio(number: float) -> str:
    """A likelihood ratio, or an end of its interval."""
    return f"{number:.2f}"


def percent(part: int, whole: int) -> str:
    """A share of texts."""
    return f"{100 * part / whole:.1f} %" if whole else "–"
