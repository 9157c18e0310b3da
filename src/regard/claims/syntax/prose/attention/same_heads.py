"""Two heads with the same query, keys and values: their outputs are the same, so that averaging changes nothing.

Running the same query in two heads and averaging the outputs halves the variance      Var((c + c)/2) = Var(c)/2
"""

from __future__ import annotations

from regard.claims.syntax.prose.chart import Rule
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.phrases import Clause, claim

_HEADS: tuple[str, ...] = (
    "two/both heads that/which? use/share/have/with/see the? same <same_things> <on_same>?",
    "heads that/which? share/use/have/with the? same? <same_things> <on_same>?",
)
_EFFECTS: tuple[tuple[str, str], ...] = (
    ("halves", "Var(({c} + {c})/2) = Var({c})/2"),
    ("reduces/lowers/decreases", "Var(({c} + {c})/2) < Var({c})"),
    ("does not reduce/lower/change/decrease", "Var(({c} + {c})/2) = Var({c})"),
    ("leaves", "Var(({c} + {c})/2) = Var({c})"),
    ("does nothing to", "Var(({c} + {c})/2) = Var({c})"),
)
_OUTPUTS = "the/their/these/those two? outputs/results"


def _said(template: str) -> Clause:
    name = fresh("random")
    return claim(template.replace("{c}", name), of=None)


def _equal_outputs() -> Clause:
    name = fresh("random")
    return claim(f"{name} = {name}")


_VARIANCE = "the? variance of? the? output? at? all? unchanged?"

RULES: tuple[Rule, ...] = (
    Rule("same_things", "noisy/random? query/keys/values ,? and/, the? same? <same_things>", lambda _: None),
    Rule("same_things", "noisy/random? query/keys/values/queries", lambda: None),
    Rule("on_same", "on/over/with the same <same_things>", lambda _: None),
    *(Rule("same_heads", words, lambda *_: None) for words in _HEADS),
    Rule(
        "heads_are_same",
        "both/two/the? two? heads use/share/have/see the? same <same_things> <on_same>?",
        lambda *_: None,
    ),
    Rule("running_same", "running/using the same query in two/both heads <on_same>?", lambda _: None),
    Rule("averaging_outputs", f"averaging {_OUTPUTS}", lambda: None),
    *(
        Rule("averaged_variance", f"{words} {_VARIANCE}", lambda template=template: template)
        for words, template in _EFFECTS
    ),
    Rule("clause", "<running_same> and <averaging_outputs> <averaged_variance>", lambda _, __, t: _said(t)),
    Rule(
        "body",
        "if/when/since <heads_are_same> ,? then? <averaging_outputs> <averaged_variance>",
        lambda _, __, t: _said(t),
    ),
    Rule("clause", "averaging the outputs of <same_heads> <averaged_variance>", lambda _, t: _said(t)),
    Rule("same_outputs", "produce/give/have/return identical/equal outputs", lambda: None),
    Rule("same_outputs", "produce/give/have/return the same output/outputs", lambda: None),
    Rule("clause", "<same_heads> <same_outputs>", lambda *_: _equal_outputs()),
    Rule(
        "clause",
        "<same_heads> <same_outputs> ,? so <averaging_outputs> <averaged_variance>",
        lambda _, __, ___, template: _said(template),
    ),
)
