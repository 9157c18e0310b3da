"""A classifier's errors as one HTML page that needs no other file, light or dark, on any screen."""

from __future__ import annotations

from collections.abc import Sequence

from regard.display import Markup, element, html_list, html_page, html_table, join
from regard.records import ClassificationResult, ErrorStudy, ExplainedText, GroupAccuracy, RuleCount
from regard.report import accuracy_charts, explanation
from regard.report.explanation import name_deciding_words, sum_line

LIGHT = {
    "ink": "#222",
    "ground": "#fff",
    "card": "#f7f7f5",
    "faint": "#d5d5d0",
    "blue": "#0063a3",
    "orange": "#b85410",
    "rule": "#7a3f9c",
}
DARK = {
    "ink": "#e6e6e6",
    "ground": "#16181b",
    "card": "#202327",
    "faint": "#44484d",
    "blue": "#6db3ea",
    "orange": "#f0a35e",
    "rule": "#b573dc",
}
MAX_LABELS = 12
"""With more labels than this, a table of who is taken for whom does not fit on a page."""


def errors_page(study: ErrorStudy) -> str:
    """Accuracy and calibration, what often accompanies errors, and single errors with the words that decided."""
    sections = [
        _summary(study),
        _charts(study),
        _rules(study),
        _errors(study.worst, "The worst errors", "Those in which the true label got the least."),
        _errors(study.borderline, "The most borderline errors", "Those that were closest to the true label."),
    ]
    opening = join(element("h1", "Why was it wrong?"), element("p", study.title, "."))
    return html_page(study.title, element("main", opening, *sections), style=_style(), policy=None)


def _summary(study: ErrorStudy) -> Markup:
    rows = [_result_row("all texts", study.result)]
    if study.unseen is not None and study.unseen.n < study.result.n:
        rows.append(_result_row("without texts that training has", study.unseen))
    headings = ("", "texts", "accuracy", "± s.e.", "nats", "calibration error")
    confusion = _confusion(study.result) if len(study.result.labels) <= MAX_LABELS else ""
    return join(element("h2", "In short"), _table(headings, rows), html_list(study.notes), confusion)


def _result_row(name: str, result: ClassificationResult) -> list[str]:
    return [
        name,
        f"{result.n:,}",
        f"{100 * result.accuracy:.2f} %",
        f"{100 * result.standard_error:.2f}",
        f"{result.nats:.4f}",
        f"{result.calibration_error:.4f}",
    ]


def _confusion(result: ClassificationResult) -> Markup:
    rows = [
        [label, *(f"{count:,}" for count in row)]
        for label, row in zip(result.labels, result.confusion.tolist(), strict=True)
    ]
    heading = element("h3", "True labels (rows) and answers (columns)")
    return join(heading, _table(("", *result.labels), rows))


def _charts(study: ErrorStudy) -> Markup:
    error = f"expected calibration error {study.result.calibration_error:.4f}, in bins of 1/15"
    drawn = [_figure(accuracy_charts.reliability(study.result.reliability), f"As often right as it says? {error}")]
    drawn += [
        _figure(accuracy_charts.by_group(groups, label=name), f"Accuracy by {name}, with 95 % intervals")
        for name, groups in study.groups.items()
    ]
    tables = [_group_table(name, groups) for name, groups in study.groups.items()]
    details = _details("The same as tables", *tables)
    return join(element("h2", "Where it is right"), element("div", *drawn, class_="charts"), details)


def _figure(drawing: str, caption: str) -> Markup:
    return element("figure", Markup(drawing), element("figcaption", caption))


def _details(summary: str, *content: Markup) -> Markup:
    return element("details", element("summary", summary), *content)


def _group_table(name: str, groups: Sequence[GroupAccuracy]) -> Markup:
    rows = [
        [each.group, f"{each.n:,}", f"{100 * each.accuracy:.1f} %", f"{100 * each.low:.1f}–{100 * each.high:.1f} %"]
        for each in groups
    ]
    return _table((name, "texts", "accuracy", "95 % interval"), rows)


def _rules(study: ErrorStudy) -> Markup:
    """What often accompanies errors, over all texts and for each answer."""
    intro = (
        "Each question is asked of every text, right answer or wrong, without looking at the true label. What is seen "
        "in wrong answers no more often than in right ones explains nothing, however well it fits an example. "
        f"Intervals are for one rule at a time: of {len(study.rules)} rules that say nothing, about one in twenty "
        "would seem to say something."
    )
    apart = [
        _details(f"Among texts that were called {label}", _rule_table(counts))
        for label, counts in study.rules_by_answer.items()
    ]
    chart = _figure(accuracy_charts.likelihood_ratios(study.rules), "Likelihood ratios with 95 % intervals")
    heading = join(element("h2", "What goes with errors"), element("p", intro))
    return join(heading, chart, _rule_table(study.rules), *apart, _doubts(study))


def _doubts(study: ErrorStudy) -> Markup:
    """How often a text's own rating or verdict contradicts its label; this alone looks at the true label."""
    if study.label_doubts is None:
        return Markup()
    intro = "Here the true label is looked at: where a text plainly says the opposite, the label may be the error."
    return join(element("h3", "Labels in doubt"), element("p", intro), _rule_table([study.label_doubts]))


def _rule_table(counts: Sequence[RuleCount]) -> Markup:
    rows = [[f"{count.rule}: {count.question}", *explanation.format_rule(count)] for count in counts]
    return _table(("", *explanation.RULE_HEADINGS), rows)


def _errors(errors: Sequence[ExplainedText], title: str, intro: str) -> Markup:
    if not errors:
        return Markup()
    legend = Markup(
        '<p class="legend"><span class="p4">word</span> <span class="p2">word</span> for the answer, '
        '<span class="c2">word</span> <span class="c4">word</span> for the true label; '
        "<u>underlined</u>: evidence of a rule</p>"
    )
    return join(element("h2", title), element("p", intro), legend, *map(error_card, errors))


def error_card(error: ExplainedText) -> Markup:
    """One text with its answer, the words that decided, and what may have misled the classifier."""
    number = "" if error.place is None else f"Text {error.place + 1:,}: "
    heading = f"{number}called {error.label} ({100 * error.probability:.1f} %)"
    if error.true_label is not None:
        heading += f", is {error.true_label} ({100 * error.against_probability:.2g} %)"
    telling, other = explanation.split_by_verdict(error.findings)
    found = html_list(map(explanation.write_finding, telling))
    also = "; ".join(f"{finding.rule}: {finding.remark}" for finding in other)
    decided = f"Words that decided, in nats ({error.attribution.method}): {name_deciding_words(error)}"
    return element(
        "article",
        element("h3", heading),
        explanation.to_html(error),
        element("p", decided, class_="words"),
        element("p", sum_line(error), class_="note"),
        element("p", "What may have gone wrong:" if found else "No rule has found a likely reason."),
        found,
        element("p", "Also seen, but hardly less so in right answers: ", also, class_="note") if also else "",
    )


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Markup:
    return element("div", html_table(headings, rows), class_="wide")


def _style() -> str:
    light, dark = (";".join(f"--{name}:{colour}" for name, colour in colours.items()) for colours in (LIGHT, DARK))
    return (
        f":root{{color-scheme:light dark;{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}"
        "body{font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--ground);margin:0}"
        "main{max-width:60rem;margin:0 auto;padding:1rem}h1{margin:.5rem 0}h2{margin-top:2.2rem}h3{font-size:1rem}"
        ".wide{overflow-x:auto}table{border-collapse:collapse;margin:.6rem 0}"
        "th,td{padding:.25rem .7rem;text-align:right;border-bottom:1px solid var(--faint)}"
        "th:first-child,td:first-child{text-align:left}td:not(:first-child){white-space:nowrap}"
        "article{background:var(--card);border:1px solid var(--faint);border-radius:8px;"
        "padding:.2rem 1rem;margin:1rem 0}"
        "article .text{max-height:24rem;overflow-y:auto;line-height:1.8}.note,figcaption{opacity:.8;font-size:.9rem}"
        ".charts{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:.5rem 0;max-width:100%}figcaption{max-width:340px}"
        "summary{cursor:pointer}.legend span{border-radius:3px;padding:0 3px}"
        ".legend u{text-decoration:underline 2px;text-decoration-color:var(--rule);text-underline-offset:3px}"
        + explanation.TEXT_STYLE
        + accuracy_charts.STYLE
    )
