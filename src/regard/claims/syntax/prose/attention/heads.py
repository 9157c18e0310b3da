"""Two heads on the same keys and values: the same query in both, the average of their outputs, one head instead."""

from __future__ import annotations

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.phrases import IT, Clause, Thing, claim

_OUTPUTS = ("V^T softmax(K q_1)", "V^T softmax(K q_2)")
_AVERAGE_OF_QUERIES = "((q_1 + q_2)/2)"
_KIND = "attention/softmax?"


def _one_query(rel: str) -> None:
    """q_1 = q_2, which says once more that the queries are equal.

    Raises: Unreadable for any other relation.
    """
    if rel.replace(" ", "") not in ("q_1=q_2", "q_2=q_1", "q₁=q₂"):
        raise Unreadable


def _named(first: Thing, second: Thing) -> None:
    if {one.signs for one in (first, second)} not in ({"q_1", "q_2"}, {"q₁", "q₂"}):
        raise Unreadable


_SAME = Clause(("q_1 = q_2",), (), Thing("c_1"))


def _averaged(part: str, output: str, same: Clause) -> Clause:
    """What the average of two outputs has of the covariance of one; `these outputs` are those of the clause before."""
    factor = "" if part == "1" else f"{part} "
    return claim(f"Cov((c_1 + c_2)/2) = {factor}Cov({output})", given=same.claims)


RULES: tuple[Rule, ...] = (
    Rule(
        "of_data",
        "on/over/for/and/with/of/using/share the/both? same? noisy/random/noise? keys and/, the? same? values",
        lambda: None,
    ),
    Rule("of_data", "on/over/for/with/of the/some? same? noisy/random? keys", lambda: None),
    Rule("of_data", "on/over/for/with the/some? same? key-value/key–value pairs", lambda: None),
    Rule("one_query", "the/one/a same/identical/single/common? query <of_data>?", lambda _: None),
    Rule("one_query", "the/one? same/identical query/queries q? <of_data>?", lambda _: None),
    Rule("one_query", "identical/equal queries <of_data>?", lambda _: None),
    Rule("twin_heads", f"two {_KIND} heads that/which use/share/have <one_query>", lambda _: None),
    Rule("twin_heads", f"two {_KIND} heads with/using/sharing <one_query>", lambda _: None),
    Rule("twin_heads", f"two identical {_KIND} heads <of_data>?", lambda _: None),
    Rule("twin_verb", "give/produce/return/compute/have/yield/generate always?", lambda: None),
    Rule(
        "clause",
        "<twin_heads> <twin_verb> the/exactly? same/identical output/outputs vector/vectors?",
        lambda *_: claim("c_1 = c_2", of=Thing("c_1"), given=_SAME.claims),
    ),
    Rule(
        "clause",
        "<twin_heads> <twin_verb> identical/equal outputs",
        lambda *_: claim("c_1 = c_2", of=Thing("c_1"), given=_SAME.claims),
    ),
    Rule("condition", "both/two heads use/have/share <one_query>", lambda _: _SAME),
    Rule("unreduced", "does not reduce/change/lower/affect/alter the/its variance/covariance at? all?", lambda: "1"),
    Rule("unreduced", "halves the/its variance/covariance", lambda: "1/2"),
    Rule("unreduced", "has no effect on the/its variance/covariance", lambda: "1"),
    Rule(
        "clause",
        "averaging the two? outputs of <twin_heads> <unreduced>",
        lambda _, part: _averaged(part, "c_1", _SAME),
    ),
    Rule("clause", "averaging these/them/their two? outputs? <unreduced>", lambda part: _averaged(part, IT, Clause())),
    Rule(
        "differing",
        "two {0} heads with/using? different? queries <expr> and <expr> <of_data>?".replace("{0}", _KIND),
        lambda a, b, _: _named(a, b),
    ),
    Rule("differing", f"two {_KIND} heads with/using/having different queries <of_data>?", lambda _: None),
    Rule(
        "differing",
        f"two {_KIND} heads that/which share/use the? same? keys and the? same? values but/and <other_queries>",
        lambda _: None,
    ),
    Rule("differing", f"two {_KIND} heads that/which have/use different queries <of_data>?", lambda _: None),
    Rule("differing", f"two {_KIND} heads <of_data>?", lambda _: None),
    Rule("other_queries", "have/use/with different queries", lambda: None),
    Rule(
        "base",
        "the? average/mean of the? two? outputs of? <differing>",
        lambda _: Thing(f"({_OUTPUTS[0]} + {_OUTPUTS[1]})/2", (), "output"),
    ),
    Rule(
        "base",
        "averaging the? two? outputs of? <differing>",
        lambda _: Thing(f"({_OUTPUTS[0]} + {_OUTPUTS[1]})/2", (), "output"),
    ),
    Rule("base", "averaging <differing>", lambda _: Thing(f"({_OUTPUTS[0]} + {_OUTPUTS[1]})/2", (), "output")),
    Rule(
        "base",
        "the? sum of the? two? outputs of? <differing>",
        lambda _: Thing(f"{_OUTPUTS[0]} + {_OUTPUTS[1]}", (), "output"),
    ),
    Rule(
        "other_query",
        "the/their average/mean of? the/these/both/their? two? queries?",
        lambda: Thing(_AVERAGE_OF_QUERIES),
    ),
    Rule("other_query", "the/their sum of? the/these/both/their? two? queries?", lambda: Thing("(q_1 + q_2)")),
    Rule("other_query", "the/their averaged/mean query", lambda: Thing(_AVERAGE_OF_QUERIES)),
    Rule(
        "vp",
        "gives/yields/produces/is the? same vector/output/result/thing as <np>",
        lambda y: lambda x: claim(f"{x.signs} = {y.signs}", of=x),
    ),
    Rule("vp", "is/gives the same as <np>", lambda y: lambda x: claim(f"{x.signs} = {y.signs}", of=x)),
)
