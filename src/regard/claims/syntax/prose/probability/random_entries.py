"""Random vectors whose entries are drawn alike: q and k have iid entries with mean 0 and variance 1.

Written as a law of the whole vector: q ~ N(0, I), k ~ N(0, I).
"""

from __future__ import annotations

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.descriptions import Description, Names
from regard.claims.syntax.prose.phrases import Clause, Thing, claim
from regard.claims.syntax.prose.probability.laws import split_list


def _entries(names: Names, said: Description) -> Clause:
    """Vectors whose entries are drawn alike."""
    law = next((values[0] for measure, values in said.facts if measure == "law"), None)
    values = {measure: value[0] for measure, value in said.facts if len(value) == 1}
    if law is not None:
        mean, spread = split_list(law[law.index("(") + 1 : law.rindex(")")])
    else:
        default = "0" if said.qualities & {"standard", "centred"} else None
        mean, spread = values.get("mean", default), values.get("variance")  # type: ignore[assignment]
        if spread is None and said.qualities & {"standard", "unit variance"}:
            spread = "1"
        if spread is None and "deviation" in values:
            spread = f"({values['deviation']})^2"
    if mean is None or spread is None:
        raise Unreadable
    identity = "I" if spread == "1" else f"{spread} I"
    laws = (f"{name} ~ N({mean if mean == '0' else f'{mean} 1'}, {identity})" for name in names)
    return claim(*laws, of=Thing(", ".join(names)))


RULES: tuple[Rule, ...] = (
    Rule("vecs", "two? random? column? vectors/vector", lambda: None),
    Rule("vecs", "two? random? column? vectors/vector in/of <expr> dimensions?", lambda _: None),
    Rule(
        "clause",
        "<randoms> are/is/be a/an? <vecs> whose all? <entry_noun> are all? <randomness>",
        lambda names, _, __, said: _entries(names, said),
    ),
    Rule(
        "clause",
        "<randoms> are/is/be a/an? <vecs> with <quals>? <entry_noun> <entry_tail>",
        lambda n, _, q, __, f: _entries(n, (q or Description()).with_facts(f)),
    ),
    Rule("clause", "<randoms> are/is/be a/an? <vecs> with <quals> <entry_noun>", lambda n, _, q, __: _entries(n, q)),
    Rule(
        "clause",
        "<randoms> are/is/be a/an? <vecs> with <quals>? <law> <entry_noun>",
        lambda n, _, q, law, __: _entries(n, (q or Description()).with_facts((("law", (law,)),))),
    ),
    Rule("clause", "<randoms> have/has <randomness> <entry_noun>", lambda names, said, _: _entries(names, said)),
    Rule(
        "clause",
        "<randoms> have/has <quals>? <entry_noun> <entry_tail>",
        lambda n, q, _, f: _entries(n, (q or Description()).with_facts(f)),
    ),
    Rule(
        "clause",
        "all? the? <entry_noun> of <randoms> are/be/is all/each? <randomness>",
        lambda _, names, said: _entries(names, said),
    ),
    Rule(
        "clause",
        "<randoms> have/has <quals>? <law> <entry_noun>",
        lambda n, q, law, _: _entries(n, (q or Description()).with_facts((("law", (law,)),))),
    ),
    Rule(
        "said",
        "<randoms> with <quals>? <entry_noun> <entry_tail>",
        lambda n, q, _, f: _entries(n, (q or Description()).with_facts(f)),
    ),
    Rule(
        "said",
        "<randoms> with <quals>? <law> <entry_noun>",
        lambda n, q, law, _: _entries(n, (q or Description()).with_facts((("law", (law,)),))),
    ),
    Rule("said", "<randoms> with <quals> <entry_noun>", lambda n, q, _: _entries(n, q)),
    Rule("entry_noun", "entries/components/coordinates/elements", lambda: None),
    Rule("entry_tail", "<drawn>", lambda facts: facts),
    Rule("entry_tail", "with/of <facts>", lambda facts: facts),
)
