"""Softmax, its logits and losses in words: raising one logit, the prediction minus the target, for two classes."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.clauses import state
from regard.claims.syntax.prose.english.nouns import noun
from regard.claims.syntax.prose.english.predicates import Predicate
from regard.claims.syntax.prose.networks.gradients import cross_entropy
from regard.claims.syntax.prose.phrases import FIRST, LOGITS, PREDICTION, SECOND, Clause, Thing, claim

_SOFTMAX = f"softmax({LOGITS})"
_LOGIT = "logit/score/input/entry/component"
_CLASS = "class/classes/entry/entries/position/positions/logit/logits/outcome/outcomes/key/keys"
_LARGER = "larger/greater/higher/bigger"
_SMALLER = "smaller/lower/less"

NOUNS: tuple[Rule, ...] = (
    noun(
        "the? number of classes/logits/entries/components/outcomes/categories/labels/inputs/scores/options",
        "n",
        "number",
    ),
    noun("the? logsumexp/lse function?", f"log(\\sum_i exp({LOGITS}_i))", "function"),
    noun("the? model/predicted? prediction/predictions/probabilities vector?", PREDICTION, "softmax"),
    noun("the? predicted distribution", PREDICTION, "softmax"),
    noun("the? one-hot/true? target/label/targets vector/distribution?", "y", "target"),
    noun("the? one-hot vector <sym>", "[0]"),
    *(
        noun(f"the {words} of their softmaxes/softmax outputs/vectors/probabilities?", template)
        for words, template in (
            ("average/mean", f"(softmax({FIRST}) + softmax({SECOND}))/2"),
            ("sum", f"softmax({FIRST}) + softmax({SECOND})"),
            ("difference", f"softmax({FIRST}) - softmax({SECOND})"),
            ("elementwise/entrywise/componentwise/pointwise? product", f"softmax({FIRST}) ⊙ softmax({SECOND})"),
        )
    ),
    Rule("adj", "score/logit/input", lambda: "real"),
)


def _of_entries(predicate: Predicate) -> Predicate:
    """Has entries proportional to p_i²: said of each entry."""
    return lambda x: predicate(Thing(f"{x.factor}_i", x.given))


def _beyond_others(thing: Thing, sign: str, of: Thing | None) -> Clause:
    """z_k > z_i for all i ≠ k.

    Raises: Unreadable where it is no entry of the vector that is named.
    """
    found = re.fullmatch(r"(?P<stem>\\?[^\W_]+)_\{?(?P<index>\w)\}?", thing.signs)
    if found is None or (of is not None and of.signs != found["stem"]):
        raise Unreadable
    other = "i" if found["index"] != "i" else "j"
    return claim(f"{thing.signs} {sign} {found['stem']}_{other} for all {other} ≠ {found['index']}", of=thing)


_OTHERS = "all/every/each/any? of? the? other/others/remaining entries/entry/components/logits/logit/scores/score?"

ENTRIES: tuple[Rule, ...] = (
    Rule("vp", "has/have entries/components/elements/coordinates <pred>", _of_entries),
    *(
        Rule(
            "pred",
            f"strictly/always? {words} than {_OTHERS} <of_vector>?",
            lambda of, sign=sign: lambda x: _beyond_others(x, sign, of),
        )
        for words, sign in ((_LARGER, ">"), (_SMALLER, "<"))
    ),
    Rule(
        "pred",
        "the? unique/strictly/single largest/maximal/maximum/greatest/biggest "
        "entry/logit/component/score/element <of_vector>?",
        lambda of: lambda x: _beyond_others(x, ">", of),
    ),
    Rule("of_vector", "of/in the? vector? <sym>", lambda x: x),
)


def _raised(sign: str, up: bool, at: str) -> Clause:
    """The derivative of an entry of softmax by a logit, its own or another."""
    signs = {"<": ">", ">": "<", "≤": "≥", "≥": "≤"}
    entry, given = ("j", ()) if at == "own" else ("i", ("i ≠ j",))
    slope = f"∂/∂{LOGITS}_j ({_SOFTMAX}_{entry})"
    return claim(f"{slope} {sign if up else signs.get(sign, sign)} 0", given=given)


_RAISED: tuple[tuple[str, bool], ...] = (
    ("raising/increasing/enlarging/raise/increase", True),
    ("lowering/decreasing/reducing/lower/decrease/reduce", False),
)
_ONE = f"one/a/any/a/the/some/its? single/own/one/particular? {_LOGIT} <sym>?"
_EFFECTS: tuple[tuple[str, str], ...] = (
    ("lowers/decreases/reduces/shrinks", "<"),
    ("strictly lowers/decreases/reduces", "<"),
    ("never raises/increases", "≤"),
    ("raises/increases/enlarges", ">"),
    ("strictly raises/increases", ">"),
    ("never lowers/decreases/reduces", "≥"),
    ("does not change/affect/alter", "="),
    ("has no effect/influence on", "="),
)
_CHANGES: tuple[tuple[str, str], ...] = (
    ("goes/go/moves down", "<"),
    ("goes/go/moves up", ">"),
    ("decreases/falls/drops/shrinks/decrease/fall/drop/shrink", "<"),
    ("increases/rises/grows/increase/rise/grow", ">"),
    ("becomes/become/gets/get strictly? smaller/lower", "<"),
    ("becomes/become/gets/get strictly? larger/higher/greater", ">"),
    ("stays/stay/remains/remain unchanged/fixed/constant/put", "="),
    ("stays/stay/remains/remain the same", "="),
    ("does/do not change", "="),
)

LOGIT_CHANGES: tuple[Rule, ...] = (
    *(Rule("raised_logit", f"{words} {_ONE} <other_logits_fixed>?", lambda *_, up=up: up) for words, up in _RAISED),
    *(
        Rule("logit_raised", f"we/you/one? {words} {_ONE} <other_logits_fixed>?", lambda *_, up=up: up)
        for words, up in _RAISED
    ),
    *(
        Rule("logit_raised", f"{_ONE} is/gets {words} <other_logits_fixed>?", lambda *_, up=up: up)
        for words, up in (("raised/increased/larger/higher", True), ("lowered/decreased/reduced/smaller/lower", False))
    ),
    *(
        Rule("logit_raised", f"{_ONE} {words} <other_logits_fixed>?", lambda *_, up=up: up)
        for words, up in (("increases/grows/rises", True), ("decreases/falls/drops", False))
    ),
    Rule(
        "other_logits_fixed",
        ",? while/and/with? keeping/holding/leaving/keep/hold/leave all? the? others/rest fixed/constant/unchanged ,?",
        lambda: None,
    ),
    Rule(
        "other_logits_fixed",
        f",? while/and/with? keeping/holding/leaving? all? the? other/remaining {_CLASS}/scores "
        "are/stay/remain/being? kept/held? fixed/constant/unchanged ,?",
        lambda: None,
    ),
    Rule(
        "other_logits_fixed",
        ",? while/and/with all? the? others/rest are/stay/remain? kept/held? fixed/unchanged ,?",
        lambda: None,
    ),
    Rule(
        "probability_at",
        f"the? softmax? probability/probabilities of every/each/all/any? of? the? other/others/remaining {_CLASS}?",
        lambda: "other",
    ),
    Rule(
        "probability_at",
        "every/each/all/any? of? the? other/remaining softmax? probability/probabilities",
        lambda: "other",
    ),
    Rule("probability_at", "all/the others", lambda: "other"),
    Rule(
        "probability_at",
        f"the? softmax? probability of its/that/this/the? own/same/corresponding? {_CLASS}",
        lambda: "own",
    ),
    Rule("probability_at", "its/the own/corresponding? softmax? probability", lambda: "own"),
    *(
        Rule("clause", f"<raised_logit> {words} <probability_at>", lambda up, at, sign=sign: _raised(sign, up, at))
        for words, sign in _EFFECTS
    ),
    *(
        Rule(
            "clause",
            f"<raised_logit> makes <probability_at> strictly? {words}",
            lambda up, at, sign=sign: _raised(sign, up, at),
        )
        for words, sign in ((_LARGER, ">"), (_SMALLER, "<"))
    ),
    *(
        Rule(
            "body",
            f"if/when/whenever <logit_raised> ,? then? <probability_at> {words}",
            lambda up, at, sign=sign: _raised(sign, up, at),
        )
        for words, sign in _CHANGES
    ),
    *(
        Rule(
            "clause",
            f"<probability_at> {words} if/when/whenever <logit_raised>",
            lambda at, up, sign=sign: _raised(sign, up, at),
        )
        for words, sign in _CHANGES
    ),
)


def _ordered(more: bool, gets_more: bool) -> Clause:
    """A larger logit gets a larger probability."""
    sign = ">" if gets_more else "<"
    given = f"{LOGITS}_i {'>' if more else '<'} {LOGITS}_j"
    return claim(f"{_SOFTMAX}_i {sign} {_SOFTMAX}_j", given=(given,))


_GETS = "gets/get/receives/receive/has/have/means/mean/gives/give/leads/lead/yields/yield/implies/comes/come to/with?"

CHANGES: tuple[Rule, ...] = (
    Rule("amount", "the/their/its maximum/max/largest", lambda: f"max_j {LOGITS}_j"),
    Rule("amount", "the/their/its minimum/min/smallest", lambda: f"min_j {LOGITS}_j"),
    Rule(
        "effect",
        "gives/yields/produces/leads/results to/in? exactly? the same softmax "
        "probabilities/result/output/outputs/distribution/weights",
        lambda: (Thing(_SOFTMAX), "{a} = {b}"),
    ),
    Rule(
        "effect",
        "does/do/will/can not change/affect/alter the softmax probabilities/result/output/outputs/distribution?",
        lambda: (Thing(_SOFTMAX), "{a} = {b}"),
    ),
)

ORDERS: tuple[Rule, ...] = tuple(
    Rule(
        "clause",
        f"a/the? {first} {_LOGIT}/logits/scores/entries {_GETS} a/the? {second} "
        "probability/probabilities/weight/weights",
        lambda more=more, gets_more=gets_more: _ordered(more, gets_more),
    )
    for first, more in ((_LARGER, True), (_SMALLER, False))
    for second, gets_more in ((_LARGER, True), (_SMALLER, False))
)

CONDITIONS: tuple[Rule, ...] = (
    Rule("simple", "a/the softmax output/outputs/layer/activation/classifier layer/units/unit?", Clause),
    Rule(
        "simple",
        "a/the softmax output/outputs/layer/activation/classifier layer/units/unit? and the/a cross-entropy "
        "loss/error/cost/objective? function?",
        Clause,
    ),
    Rule("simple", "softmax outputs/probabilities/output and cross-entropy loss/error/cost?", Clause),
    Rule("simple", "a/some/any temperature <sym>", lambda _: Clause()),
    Rule("simple", "a/some/any? network/model/layer/classifier/unit <rel>", state),
    Rule("simple", "the network/model/layer/classifier/unit <rel>", state),
    Rule("simple", "loss/cost/objective/error function? <rel>", state),
    Rule("simple", "the/a loss/cost/objective/error function? <rel>", state),
    Rule("simple", "row/column vectors <syms>", lambda _: Clause()),
    Rule("simple", "a/the row/column vector <sym>", lambda _: Clause()),
    Rule(
        "simple",
        "<rel> for/with a/the? one-hot <name>? <sym>",
        lambda rel, _, y: claim(rel, given=(f"{y.signs} is onehot",)),
    ),
    Rule(
        "simple",
        "the? cross-entropy loss/error/cost? <sym>",
        lambda loss: claim(f"{loss.signs} = {cross_entropy(None, None).signs}", of=loss),
    ),
    Rule("clause", "<sym> depends on <sym> only through <sym>", lambda *_: Clause()),
    Rule("clause", "<sym> depends only on <sym> through <sym>", lambda *_: Clause()),
)

_IN_TWO = "for/with/in/given the? case? of? only? two classes/logits/outcomes/categories/inputs ,?"
_BECOMES = "reduces/simplifies/becomes/collapses/is/boils/amounts/equals down? to?"

TWO_CLASSES: tuple[Rule, ...] = (
    Rule("body", f"{_IN_TWO} <lead>? <binary>", lambda _, main: main.under(f"{LOGITS} ∈ R^{{2}}")),
    Rule(
        "binary",
        f"the? softmax function? {_BECOMES} just? the/a logistic? sigmoid/logistic function? <of_difference>? "
        ",? ie? <rel>",
        lambda _, rel: state(rel),
    ),
    Rule("binary", "<main>", lambda main: main),
    Rule("of_difference", "of the? difference of/between? the? two? logits/scores/inputs?", lambda: None),
    Rule("of_difference", "of the? logit difference", lambda: None),
)

LABELLED: tuple[Rule, ...] = (
    Rule("labelled_of", "wrt the? <input_name>", lambda _: None),
    Rule("labelled_of", "wrt the? <name>? <sym>", lambda *_: None),
    Rule("labelled_of", "in/with the same? shape of/as the? <name>? <sym>", lambda *_: None),
    Rule("input_name", "input/inputs/logits/weights/bias/parameters/scores/features/activations vector?", lambda: None),
    Rule("vp", "behaves/looks/behave/look like/as <rel>", lambda rel: lambda _: state(rel)),
    Rule("base", "the? term/summand/expression <expr> in/of the? entropy/sum/loss/softmax", lambda x: x),
    Rule("body", "from/knowing <condition> ,? <lead>? <body>", lambda given, _, main: _under(given, main)),
    Rule("vp", "has/have full rank", lambda: _full_rank),
    Rule("vp", "has/have full rank and can therefore/thus/hence/also/so? be inverted", lambda: _full_rank),
    Rule("vp", "can therefore/thus/hence/also? be inverted", lambda: _full_rank),
    Rule("vp", "can not therefore/thus/hence/also? be inverted", lambda: _singular),
    Rule("vp", "does/do not have full rank", lambda: _singular),
)


def _under(given: Clause, main: Clause) -> Clause:
    if given.unread:
        raise Unreadable
    return main.under(*given.given, *given.claims)


def _full_rank(thing: Thing) -> Clause:
    """Of a square matrix, the Jacobian of softmax.

    Raises: Unreadable for any other matrix, which need not be square.
    """
    _check_square(thing)
    return claim(f"{thing.signs} is invertible", of=thing)


def _singular(thing: Thing) -> Clause:
    _check_square(thing)
    return claim(f"det({thing.signs}) = 0", of=thing)


def _check_square(thing: Thing) -> None:
    if "softmax" not in thing.signs or not ("diag" in thing.signs or thing.kind == "derivative"):
        raise Unreadable


RULES: tuple[Rule, ...] = (
    *NOUNS,
    *ENTRIES,
    *LOGIT_CHANGES,
    *CHANGES,
    *ORDERS,
    *CONDITIONS,
    *TWO_CLASSES,
    *LABELLED,
)
