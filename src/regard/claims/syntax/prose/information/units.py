"""Numbers with a unit: nats and bits, chains of values such as ln 100 ≈ 4.61, and entropies measured in bits."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.predicates import Predicate, written_as
from regard.claims.syntax.prose.english.tails import with_tails
from regard.claims.syntax.prose.information.perplexity import SPELLING
from regard.claims.syntax.prose.phrases import CROSS_ENTROPY, IT, LOSS, Clause, Thing, claim
from regard.claims.syntax.prose.signs import without_brackets

_MEANS = (
    "means/implies/gives/yields/equals/mean/imply/give/equal",
    "corresponds/amounts/translates/converts/belongs/correspond/amount/translate exactly? to/into",
    "is/are exactly? the same thing? as",
    "is/are exactly? equivalent/equal to",
    "is/are",
)
_OTHER_RELATION = re.compile(r"[<>≤≥→∝∈~∼≠≪≫]|\\(?:le|ge|to|in|sim|ne|propto|ll|gg|lt|gt)")
_MEASURE = re.compile(
    rf"(?:H|KL|CE|I|D|h)\s*\(.*|PP|CE|H_2|{re.escape(LOSS)}|{re.escape(CROSS_ENTROPY)}|\(-?.*log.*\)|\(?H\(.*|log\(\d+\)"
)
_NAME = re.compile(r"\$?\s*(?:[A-Z]|ℓ|\\ell|PPL?|CE|KL|\\mathcal\s*\{?[A-Z]\}?|(?:H|KL|CE|I|D)\s*\([^()]*\))\s*")


def _chain(relation: str) -> str:
    """Values that are equal, exactly or nearly: 6 ln 2 ≈ 4.16.

    Raises: Unreadable for other relations.
    """
    if _OTHER_RELATION.search(without_brackets(relation)) or not re.search(r"=|≈|\\approx", relation):
        raise Unreadable
    return relation


def _values(relation: str) -> str:
    """A chain that begins with a value, and not with what it names."""
    first = re.split(r"=|≈|\\approx", _chain(relation))[0]
    if _NAME.fullmatch(first) or not first.strip():
        raise Unreadable
    return relation


def is_measure(thing: Thing) -> bool:
    """Whether a thing is an entropy, a loss or a divergence, which has a unit."""
    return thing.kind in ("measure", "score") or _MEASURE.fullmatch(thing.signs) is not None


def in_bits(thing: Thing) -> Thing:
    """The number of bits of what signs give in nats.

    Raises: Unreadable for what has no unit.
    """
    if not is_measure(thing) or thing.signs in ("PP", "H_2"):
        raise Unreadable
    return Thing(f"({thing.factor}/log(2))", thing.given, "measure")


def _in_nats(thing: Thing) -> Thing:
    if not is_measure(thing) or thing.signs in ("PP", "H_2"):
        raise Unreadable
    return thing


def _same_score(first: str, second: tuple[str, ...]) -> Clause:
    return claim(*second, given=(first,))


def _only(scored: tuple[str, ...]) -> str:
    """A score of which nothing else is said.

    Raises: Unreadable where more is said.
    """
    if len(scored) != 1:
        raise Unreadable
    return scored[0]


def _named_loss(x: Thing, relation: str) -> Clause:
    """The loss is L = …, which says what L is unless other words say what the loss is."""
    letter, _, rest = relation.partition("=")
    return claim(f"⟨loss {letter.strip()}⟩ = {rest.strip()}", of=x)


def _equals(relation: str) -> Predicate:
    """Is ln 100 ≈ 4.61; of entropies and losses, also: is H(p) = log n, which names it.

    Raises: Unreadable for what may be defined.
    """
    _chain(relation)

    def meaning(x: Thing) -> Clause:
        if not is_measure(x) and x.signs != IT:
            raise Unreadable
        first, sign, rest = re.split(r"(=|≈|\\approx)", relation, maxsplit=1)
        if _NAME.fullmatch(first):
            if sign != "=" or (x.signs == IT or not rest.strip()):
                raise Unreadable
            if x.signs in (LOSS, CROSS_ENTROPY, "CE") and "(" not in first:
                return _named_loss(x, relation)
            return claim(f"{x.signs} = {rest.strip()}", of=x)
        return claim(f"{x.signs} = {relation}", of=x)

    return meaning


SAME_SCORE: tuple[Rule, ...] = (
    *(Rule("clause", f"<score_value> {words} <same_as>", _same_score) for words in _MEANS),
    Rule(
        "clause",
        "<score_value> is/are/means/needs <bound> <bits>",
        lambda first, sign, value: claim(f"CE {sign} {value}", given=(first,)),
    ),
    Rule(
        "clause",
        "<score_value> is/are/means <bound> <expr> nats/nat <unit_size>?",
        lambda first, sign, x, size: claim(f"CE {sign} {x.factor}{size or ''}", given=(first,)),
    ),
    *(Rule("clause", f"it/this/that {words} <same_as>", lambda said: claim(*said)) for words in _MEANS),
    Rule("same_as", "<score_value> <same_more>?", lambda first, more: (first, *(more or ()))),
    Rule(
        "same_more", ",? or/ie/and equivalently/about/roughly? <score_value> <same_more>?", lambda a, b: (a, *(b or ()))
    ),
    Rule("score_value", "<scored>", _only),
    Rule("score_value", "<expr> nats/nat <unit_size>?", lambda x, size: f"CE = {x.factor}{size or ''}"),
    Rule("score_value", "a/the? perplexity of <values>", lambda rel: f"PP = {rel}"),
    Rule("score_value", "a/the? perplexity of <values> per word/token", lambda rel: f"PP = {rel}"),
    Rule("score_value", "a/the? perplexity of <values> per character", lambda rel: f"PP^{{1/{SPELLING}}} = {rel}"),
    Rule("score_value", "about/exactly? <measured_value>", lambda said: said),
    Rule("score_value", "a/an/the <ce> of <measured_value>", lambda _, said: said),
    Rule("measured_value", "<values> nats/nat <unit_size>?", lambda rel, size: f"CE{_per(size)} = {rel}"),
    Rule("measured_value", "<values> bits/bit <unit_size>?", lambda rel, size: f"CE/(log(2){size or ''}) = {rel}"),
    Rule("values", "<rel>", _values),
)


def _per(size: str | None) -> str:
    return f"/({size.strip()})" if size else ""


def _measured(thing: Thing, vps: Predicate, tails: tuple[tuple[str, object], ...] | None) -> Clause:
    return with_tails(vps(thing), tails or ())


_IN = "(/measured/expressed/computed/given? in"

ENTROPIES: tuple[Rule, ...] = (
    Rule("np", f"<base> ,? {_IN} bits <unit_per>? )?", lambda x, _: in_bits(x)),
    Rule("np", f"<base> ,? {_IN} nats <unit_per>? )?", lambda x, _: _in_nats(x)),
    Rule(
        "base",
        f"the? <qualifiers>? entropy {_IN} bits )? of <np>",
        lambda _, x: Thing(f"(H({x.signs})/log(2))", x.given, "measure"),
    ),
    Rule(
        "base",
        f"the? <qualifiers>? entropy {_IN} nats )? of <np>",
        lambda _, x: Thing(f"H({x.signs})", x.given, "measure"),
    ),
    Rule("base", f"its/the entropy {_IN} bits )?", lambda: Thing("(H(⟨its⟩)/log(2))", (), "measure")),
    Rule("base", f"its/the entropy {_IN} nats )?", lambda: Thing("H(⟨its⟩)", (), "measure")),
    Rule(
        "body",
        f"when/if? {_IN} bits ,? <np> <vps> <tails>?",
        lambda x, vps, tails: _measured(in_bits(x), vps, tails),
    ),
    Rule(
        "body",
        f"when/if? {_IN} nats ,? <np> <vps> <tails>?",
        lambda x, vps, tails: _measured(_in_nats(x), vps, tails),
    ),
    Rule("clause", f"<np> <vps> ,? when/if {_IN} bits", lambda x, vps: vps(in_bits(x))),
    Rule("clause", f"<np> <vps> ,? when/if {_IN} nats", lambda x, vps: vps(_in_nats(x))),
    Rule("pred", "exactly? <rel>", _equals),
    Rule("vp", "equals/reads/becomes/simplifies/reduces to? <rel>", _equals),
    Rule("vp", "can/may be written/rewritten/expressed as? <rel>", _equals),
    Rule(
        "vp",
        "can/may be written/rewritten/expressed as? <np>",
        written_as,
    ),
    Rule("pred", "<values> nats/nat <unit_per>?", lambda rel, _: _equals(rel)),
    Rule("pred", "<values> bits/bit <unit_per>?", lambda rel, _: lambda x: _equals(rel)(in_bits(x))),
)

RULES: tuple[Rule, ...] = (*SAME_SCORE, *ENTROPIES)
