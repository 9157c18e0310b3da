"""What stands beside a claim and says what its letters are, or says the claim again: …, p = softmax(z); …, i.e. A = B.

J 1 = 0 (i ≠ j), J = diag(p) − p pᵀ, p = softmax(z)        definitions behind the claim
p tends to the uniform distribution, p_i → 1/n, as T → ∞   the claim in words, then in signs
the Jacobian of p = softmax(z): J = diag(p) − p pᵀ          what a letter is claimed to be
just like the sigmoid, tanh is odd                         the same is said of two things
"""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.clauses import state
from regard.claims.syntax.prose.english.predicates import Predicate, negated
from regard.claims.syntax.prose.english.tails import Tails, with_tails
from regard.claims.syntax.prose.leaves import SYMBOL
from regard.claims.syntax.prose.phrases import Clause, Thing, both, claim, merged, name_things
from regard.claims.syntax.prose.signs import has_relation, is_limit, symbols_in

_EQUATION = re.compile(rf"\s*(?P<name>{SYMBOL.pattern})\s*:?=(?!=)\s*(?P<body>.+)", re.DOTALL)
_COMPARISON = re.compile(r"[=<>≤≥≈→∝]|\\(?:leq?|geq?|approx|to|propto)(?![a-z])")
_EXTREME_PLACE = re.compile(r"(?:→|->|\\to|\\rightarrow)\s*[-+−]?\s*(?:0|∞|\\infty|inf)")


def _with_definitions(main: Clause, relations: tuple[str, ...], tails: Tails | None) -> Clause:
    """A, with p = softmax(z): each letter is used before, and defined by nothing else.

    Raises: Unreadable where the last equation may be claimed.
    """
    if not main.claims or main.unread or not all(_COMPARISON.search(one) for one in main.claims):
        raise Unreadable
    used = " ".join((*main.claims, *main.given))
    for one in relations:
        found = _EQUATION.fullmatch(one)
        if found is None or has_relation(found["body"]) or SYMBOL.fullmatch(found["body"].strip()):
            raise Unreadable
        name = found["name"]
        own = symbols_in(name)
        if not own or own[0] not in symbols_in(used) or own[0] in symbols_in(found["body"]):
            raise Unreadable
        if not symbols_in(found["body"]) or any(_defines(each, name) for each in (*main.claims, *main.given)):
            raise Unreadable
        used += f" {one}"
    return with_tails(main.under(*relations), tails or ())


def _defines(relation: str, name: str) -> bool:
    found = _EQUATION.fullmatch(relation)
    return found is not None and found["name"] == name


def _again(main: Clause, relation: str, tails: Tails | None) -> Clause:
    """The claim in words, then in signs, and what is given for both.

    Raises: Unreadable where the signs may be a condition: x → 0, x = 1.
    """
    left = re.split(r"→|->|\\to|=|≤|≥|<|>", relation)[0].strip()
    is_plain = SYMBOL.fullmatch(left) is not None and not re.search(r"_|[₀-₉ᵢⱼₖ]", left)
    if is_plain or not main.claims or (is_limit(relation) and "_" in left and _EXTREME_PLACE.search(relation)):
        raise Unreadable
    return with_tails(both(name_things(main, relation), claim(relation)), tails or ())


def _is_called(thing: Thing, relation: str) -> Clause:
    """The Jacobian of softmax: J = diag(p) − p pᵀ, of which the right side is claimed.

    Raises: Unreadable where the left side is no letter.
    """
    found = _EQUATION.fullmatch(relation)
    if found is None or thing.signs.startswith("⟨") or SYMBOL.fullmatch(thing.signs):
        raise Unreadable
    return claim(f"{thing.signs} = {found['body']}", of=thing)


def _alike(predicate: Predicate, thing: Thing, other: Thing) -> Clause:
    """The same of both things."""
    first, second = predicate(thing), predicate(other)
    return Clause((*first.claims, *second.claims), (*merged(thing, other), *first.given, *second.given), thing)


def _unlike(predicate: Predicate, thing: Thing, other: Thing) -> Clause:
    """Said of the first, and not so of the second."""
    first, second = predicate(thing), negated(predicate(other))
    return Clause((*first.claims, *second.claims), (*merged(thing, other), *first.given, *second.given), thing)


DEFINITIONS: tuple[Rule, ...] = (
    Rule("body", "<main> , <defined_behind> <tails>?", _with_definitions),
    Rule("defined_behind", "<rel> ,? and? <defined_behind>", lambda first, rest: (first, *rest)),
    Rule("defined_behind", "<rel>", lambda rel: (rel,)),
)

_AGAIN = "ie/namely/meaning/so? that? is?"

RESTATED: tuple[Rule, ...] = (
    Rule("body", f"<clause> , {_AGAIN} ,? <rel> ,? <tails>?", _again),
    Rule("body", f"<clause> ( {_AGAIN} <rel> ) ,? <tails>?", _again),
    Rule("body", "<np> : <rel>", _is_called),
)

COMPARED: tuple[Rule, ...] = (
    Rule("like", "like/as/similarly to? for/with/in?", lambda: None),
    Rule("just_like", "like/similarly to? for/with/in?", lambda: None),  # x gives the same y as z: not of both
    Rule("just_like", "as for/with/in", lambda: None),
    Rule("just_like", "as is the case for/with", lambda: None),
    Rule("just_like", "as does/do/is", lambda: None),
    Rule("like", "as is the case for/with", lambda: None),
    Rule("like", "as does/do/is", lambda: None),
    Rule("clause", "<like> <np> , <np> <vps>", lambda _, other, thing, vps: _alike(vps, thing, other)),
    Rule("clause", "<np> , <like> <np> , <vps>", lambda thing, _, other, vps: _alike(vps, thing, other)),
    Rule("clause", "<np> <vps> , <like> <np>", lambda thing, vps, _, other: _alike(vps, thing, other)),
    Rule("clause", "<np> <vps> <just_like> <np>", lambda thing, vps, _, other: _alike(vps, thing, other)),
    Rule("clause", "unlike <np> , <np> <vps>", lambda other, thing, vps: _unlike(vps, thing, other)),
    Rule("clause", "<np> , unlike <np> , <vps>", lambda thing, other, vps: _unlike(vps, thing, other)),
    Rule("clause", "<np> <vps> , unlike <np>", lambda thing, vps, other: _unlike(vps, thing, other)),
)


def _checked_sign(pattern: str) -> object:
    """A sign that is only called what it means anyway.

    Raises: Unreadable for any other sign.
    """

    def meaning(signs: Thing, *_: object) -> None:
        if not re.fullmatch(pattern, signs.signs.strip()):
            raise Unreadable

    return meaning


_IS = "is/denotes/being/means/be/stands? for? the/an/a?"
SIGNS: tuple[tuple[str, str], ...] = (
    (
        r"⊙|∘|\\odot|\\circ",
        "elementwise/element-wise/entrywise/componentwise/pointwise/hadamard product/multiplication <of_sign>?",
    ),
    (r"⊙|∘|\\odot|\\circ", "product/multiplication <of_sign>? entry/component/element by entry/component/element"),
    (r"⊙|∘|\\odot|\\circ", "product <of_sign>?"),
    (r"1|\\mathbf\s*\{?1\}?|𝟏|\\mathbb\s*\{?1\}?|\\bm\{?1\}?", "all-ones/ones/all-one vector"),
    (r"1|\\mathbf\s*\{?1\}?|𝟏|\\mathbb\s*\{?1\}?|\\bm\{?1\}?", "vector of all? ones"),
    (r"I|\\mathbf\s*\{?I\}?|I_\w", "identity matrix?"),
    (r"(?:δ|\\delta|delta)_\{?\w,?\s*\w\}?|δᵢⱼ", "kronecker delta/symbol"),
    (r"(?:σ|\\sigma|sigma)(?:\(\w\))?", "usual? logistic/sigmoid sigmoid/function?"),
    (r"\\?(?:ln|log)", "natural? logarithm"),
    (r"e_\{?\w\}?|e[ᵢⱼₖ]|\\mathbf\{?e\}?_\w", "<nth>? standard/canonical? basis/unit vector"),
    (r"e_\{?\w\}?|e[ᵢⱼₖ]|\\mathbf\{?e\}?_\w", "one-hot vector of/for the? class/index/position? <sym>"),
    (r"(?:\\mathrm\{|\\operatorname\{)?diag\}?\s*\(\s*(\\?\w+)\s*\)", "diagonal matrix with <sym> on the/its diagonal"),
    (r"n|d|K|C|N", "number of classes/logits/entries/components/outcomes/categories"),
    (r"n|d|K|C|N", "dimension/length of <sym>"),
    (r"‖·‖|\|\|?·\|\|?|‖\\cdot‖|\\\|\\cdot\\\||‖[a-z]‖", "usual? euclidean norm <of_sign>?"),
)
"""Signs and what a claim may say that they are."""

NAMINGS: tuple[Rule, ...] = (
    *(Rule("naming", f"<expr> {_IS} {words}", _checked_sign(pattern)) for pattern, words in SIGNS),  # type: ignore[arg-type]
    Rule("of_sign", "of <np>", lambda _: None),
    Rule("of_sign", "of the? two? vectors/matrices/factors/arguments/sides", lambda: None),
    Rule("tail", "( <naming> )", lambda _: ("ignored", None)),
    Rule("tail", "( <bare_naming> )", lambda _: ("ignored", None)),
    *(Rule("bare_naming", f"<expr> the/an/a? {words}", _checked_sign(pattern)) for pattern, words in SIGNS),  # type: ignore[arg-type]
    Rule("tail", ",? where/with <bare_naming>", lambda _: ("ignored", None)),
    Rule("tail", ",? with/in/using/where the? usual/standard? euclidean/l2 norm", lambda: ("ignored", None)),
    Rule(
        "tail",
        ",? with/where? all? the? operations/products/functions/powers/squares/nonlinearities/operation/product "
        "are/being/is/taken/applied/understood/meant? taken/applied/understood/meant? <entry_by_entry>?",
        lambda _: ("ignored", None),
    ),
)

LABELLED: tuple[Rule, ...] = (
    Rule(
        "clause",
        "the? <label> <labelled_of>? can/may? be/is/are/reads/becomes/equals "
        "recovered/computed/written/expressed/obtained/given/read? off/out? as/by/via/from/through? <rel>",
        lambda _, __, rel: state(rel),
    ),
)
"""A label before what is claimed in signs, where no other rule knows what it stands for."""

RULES: tuple[Rule, ...] = (*RESTATED, *DEFINITIONS, *COMPARED, *NAMINGS, *LABELLED)
