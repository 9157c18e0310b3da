"""What becomes of attention when key–value pairs are permuted, all repeated or one of them repeated or left out.

These changes rewrite no letter, so each says itself what output, weights and scores are afterwards, and before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from regard.claims.syntax.prose.attention.attention import OUTPUT, WEIGHT
from regard.claims.syntax.prose.attention.weights import OUTPUT_LETTER, WEIGHTS
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.phrases import Thing

_OUTPUT = "V^T softmax(K q)"
_WEIGHTS = "softmax(K q)"
_NORMALISER = "\\sum_j exp(k_j^T q)"


@dataclass(frozen=True)
class PairChange:
    """Output, weights and total weight of one value after a change and before it, and what is given."""

    output: tuple[str, str]
    weights: tuple[str, str]
    given: tuple[str, ...] = ()
    index: str = ""
    """The pair that is repeated or left out, if it is one."""

    def effect_on(self, thing: Thing) -> tuple[str, str]:
        """The thing after the change and before it.

        Raises: Unreadable for what is neither output nor weights.
        """
        signs = thing.signs
        if signs in (OUTPUT_LETTER, "c"):
            return self.output
        if signs == f"‖{OUTPUT_LETTER}‖":
            return f"‖{self.output[0]}‖", f"‖{self.output[1]}‖"
        if signs in (WEIGHTS, f"{WEIGHTS}_i", "α", "α_i", "\\alpha", "\\alpha_i"):
            return self.weights
        if self.index and signs.replace("{", "").replace("}", "") in (f"{WEIGHTS}_{self.index}", f"α_{self.index}"):
            return tuple(one.replace("_i", f"_{self.index}") for one in self.weights)  # type: ignore[return-value]
        raise Unreadable


def _permuted(*, keys: bool, values: bool) -> PairChange:
    new_keys, new_values = ("P K" if keys else "K"), ("(P V)" if values else "V")
    return PairChange(
        (f"{new_values}^T softmax({new_keys} q)", _OUTPUT),
        (f"softmax({new_keys} q)", _WEIGHTS),
        ("P is a permutation",),
    )


def _repeated_all() -> PairChange:
    once, total = "exp(k_i^T q)", _NORMALISER
    return PairChange((f"\\sum_i (2 exp(k_i^T q) / (2 {total})) v_i", OUTPUT), (f"{once} / (2 {total})", WEIGHT))


def _repeated(index: str) -> PairChange:
    """One pair once more: its value has two shares, each beside one more."""
    total = f"({_NORMALISER} + exp(k_{index}^T q))"
    output = f"((\\sum_i exp(k_i^T q) v_i) + exp(k_{index}^T q) v_{index}) / {total}"
    return PairChange((output, OUTPUT), (f"(2 exp(k_i^T q)) / {total}", WEIGHT), ("n ≥ 2",), index)


_PAIRS = "key-value/key–value/key/value"
_ALL = "all/the/our/both? of? the?"
_SAME = "in/by/with/using the/one/a same/common/single? way/permutation/order/manner/fashion"

SETS: tuple[tuple[str, Callable[[], PairChange]], ...] = (
    (f"{_ALL} {_PAIRS} pairs <same_way>?", lambda: _permuted(keys=True, values=True)),
    (f"{_ALL} pairs of keys and values <same_way>?", lambda: _permuted(keys=True, values=True)),
    (f"{_ALL} pairs ( <sym> , <sym> ) <same_way>?", lambda *_: _permuted(keys=True, values=True)),
    (f"{_ALL} keys and the? values <same_way>", lambda *_: _permuted(keys=True, values=True)),
    (
        f"{_ALL} keys and permuting/reordering/shuffling the? values <same_way>",
        lambda *_: _permuted(keys=True, values=True),
    ),
    (f"{_ALL} keys and permute/reorder/shuffle the? values <same_way>", lambda *_: _permuted(keys=True, values=True)),
    (f"{_ALL} keys but/and not the? values", lambda: _permuted(keys=True, values=False)),
    ("only/just the? keys", lambda: _permuted(keys=True, values=False)),
    ("the? keys only/alone", lambda: _permuted(keys=True, values=False)),
    ("the? keys <while> <leaving> the? values <in_place>", lambda *_: _permuted(keys=True, values=False)),
    ("only/just the? keys <while> the? values <stay> <in_place> ,?", lambda *_: _permuted(keys=True, values=False)),
    ("the? keys <while> the? values <stay> <in_place> ,?", lambda *_: _permuted(keys=True, values=False)),
    ("the? values <while> <leaving> the? keys <in_place>", lambda *_: _permuted(keys=False, values=True)),
    ("the? values but/and not the? keys", lambda: _permuted(keys=False, values=True)),
    ("only/just the? values", lambda: _permuted(keys=False, values=True)),
    ("the? values only/alone", lambda: _permuted(keys=False, values=True)),
)

_PERMUTE = "permute/reorder/shuffle/rearrange/reshuffle"
_PERMUTING = "permuting/reordering/shuffling/rearranging/reshuffling"
_PERMUTED = "permuted/reordered/shuffled/rearranged/reshuffled"


def _index_of_pair(key: Thing, value: Thing) -> str:
    names = [one.signs.replace("{", "").replace("}", "") for one in (key, value)]
    if len(names[0]) != 3 or names[0][:2] != "k_" or names[1] != f"v_{names[0][2]}":
        raise Unreadable
    return names[0][2]


RULES: tuple[Rule, ...] = (
    Rule("same_way", f",? both? {_SAME}", lambda: None),
    Rule("same_way", ",? ( the same permutation for/of/on keys and values )", lambda: None),
    Rule("same_way", ",? ( keys and values by/with/in the same permutation/way/order )", lambda: None),
    Rule("same_way", ",? together/jointly/simultaneously", lambda: None),
    Rule(
        "same_way",
        ",? <keeping> each/every/the value/values <attached>? to/with/beside its/their own? key/keys ,?",
        lambda *_: None,
    ),
    Rule("keeping", "keeping/leaving/with", lambda: None),
    Rule("keeping", "so that", lambda: None),
    Rule(
        "attached",
        "stays/staying/remains/remaining/kept/stay/remain? attached/together/paired/bound/tied?",
        lambda: None,
    ),
    Rule("same_way", "<same_way1> and/while keep/keeping/leave/leaving the? query fixed/unchanged", lambda _: None),
    Rule("same_way1", ",? ( the same permutation for/of/on keys and values )", lambda: None),
    Rule("same_way1", f"{_SAME}", lambda: None),
    Rule("same_way1", "together/jointly", lambda: None),
    *(Rule("pair_set", pattern, lambda *_, make=make: make()) for pattern, make in SETS),
    Rule("while", ",? while/and/but/whilst/when", lambda: None),
    Rule("leaving", "leaving/keeping/holding/leave/keep/hold", lambda: None),
    Rule("stay", "stay/remain/are left/kept?", lambda: None),
    Rule("in_place", "as/where they are/were", lambda: None),
    Rule("in_place", "in place", lambda: None),
    Rule("in_place", "in the/their same/original/old? order/places/positions", lambda: None),
    Rule("in_place", "fixed/unchanged/untouched/alone/unpermuted", lambda: None),
    Rule("change", f"{_PERMUTING} <pair_set>", lambda change: change),
    Rule("change", "any permutation of <pair_set>", lambda change: change),
    Rule("change", "a permutation of <pair_set>", lambda change: change),
    Rule("change", "the order of <pair_set>", lambda change: change),
    Rule("passive", f"we/you/one {_PERMUTE} <pair_set>", lambda change: change),
    Rule("passive", "we/you/one change the order of <pair_set>", lambda change: change),
    Rule("passive", f"{_ALL} {_PAIRS} pairs are {_PERMUTED} <same_way>?", lambda *_: _permuted(keys=True, values=True)),
    Rule("passive", f"{_ALL} keys and values are {_PERMUTED} <same_way>", lambda *_: _permuted(keys=True, values=True)),
    Rule(
        "passive",
        f"{_ALL} keys are {_PERMUTED} ,? and/but/while the? values are/stay left? where/as they are",
        lambda: _permuted(keys=True, values=False),
    ),
    Rule("passive", f"only the? keys are {_PERMUTED}", lambda: _permuted(keys=True, values=False)),
    Rule("passive", f"the? keys are {_PERMUTED} but not the? values", lambda: _permuted(keys=True, values=False)),
    Rule("passive", f"the? keys but not the? values are {_PERMUTED}", lambda: _permuted(keys=True, values=False)),
    Rule("passive", f"only the? values are {_PERMUTED}", lambda: _permuted(keys=False, values=True)),
    Rule("twice", "twice", lambda: None),
    Rule("every_pair", f"every/each/all/the of? the? {_PAIRS} pair/pairs", lambda: None),
    Rule("change", "duplicating/repeating/doubling <every_pair>", lambda _: _repeated_all()),
    Rule("change", "including/listing/using/adding <every_pair> twice", lambda _: _repeated_all()),
    Rule("passive", "we/you/one duplicate/repeat/double <every_pair>", lambda _: _repeated_all()),
    Rule("passive", "<every_pair> is/are duplicated/repeated/doubled", lambda _: _repeated_all()),
    Rule("passive", "<every_pair> occurs/appears/occur/appear/is/are listed? twice", lambda _: _repeated_all()),
    Rule("one_pair", f"the? {_PAIRS}? pair ( <sym> , <sym> )", _index_of_pair),
    Rule("one_pair", f"the? {_PAIRS}? pair <index>", lambda index: index.signs),
    Rule("change", "duplicating/repeating <one_pair>", _repeated),
    Rule("change", "adding/appending a second copy of <one_pair>", _repeated),
    Rule("passive", "we/you/one duplicate/repeat <one_pair>", _repeated),
    Rule("passive", "we/you/one add/append a/one second/further/another copy of <one_pair>", _repeated),
    Rule("passive", "<one_pair> is duplicated/repeated", _repeated),
)
