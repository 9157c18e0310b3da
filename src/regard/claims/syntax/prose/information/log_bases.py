"""The base of the logarithm: perplexity is the same in every base, the cross-entropy is not."""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.entities import fresh
from regard.claims.syntax.prose.english.predicates import negated
from regard.claims.syntax.prose.information.perplexity import TOKEN, VOCABULARY
from regard.claims.syntax.prose.phrases import CROSS_ENTROPY, LOSS, Clause, Thing, claim, merged


def _same_in_every_base(thing: Thing) -> Clause:
    """With logarithms to base b, and powers of b, a perplexity is what it is with natural ones.

    Raises: Unreadable for what has no logarithm.
    """
    base = fresh("number")
    mean = f"-(1/N) \\sum_i log({TOKEN}_i)/log({base})"
    if thing.signs == "PP":
        said = f"{base}^{{{mean}}} = PP"
    elif thing.signs in ("CE", LOSS, CROSS_ENTROPY):
        said = f"({mean}) = CE"
    else:
        raise Unreadable
    return claim(said, of=thing, given=(f"{base} > 1",))


def _log_sign(thing: Thing) -> None:
    """The sign log alone.

    Raises: Unreadable for others.
    """
    if not re.fullmatch(r"\\?(?:log|ln)", thing.signs):
        raise Unreadable


def _log_in_base(thing: Thing) -> None:
    if not re.fullmatch(r"\\?(?:log|ln)(?:_\{?\w+\}?|[₂₁₀]+)?", thing.signs):
        raise Unreadable


_INVARIANT = (
    "does/do not depend on <log_base>",
    "is/are independent of <log_base>",
    "is/are invariant to/under <log_base>",
    "is/are not affected/changed/influenced by <log_base>",
    "is/are unaffected by <log_base>",
    "is/are the same/unchanged for/in/with/under every/any/all/each possible? base/bases <of_log>?",
    "is/are the same/unchanged whatever/whichever/regardless/irrespective of? the? base <of_log>? is?",
    "is/are the same ,? no matter what/which base <of_log>? <used>?",
    "is/are the same ,? whatever/whichever base <of_log>? <used>?",
    "has/have the same value in/for every/any base <of_log>?",
    "is/are the same/unchanged ,? <log_base>",
)
_SAME_BASE = (
    "the? same base/one is used/taken/chosen? in/for/to? <exponential>",
    "<exponential> uses/has/is/are uses/taken/done/computed? with/in/to? the? same base/one",
    "<exponential> and <logarithm> use/have/share the? same base",
    "<logarithm> and <exponential> use/have/share the? same base",
    "both use/have/share the? same base",
    "we/one/you exponentiate/exponentiates with/to/in the? same base",
    "the? bases match/agree",
    "the? base is used consistently",
    "it is used consistently",
    "one/we/you is/are consistent",
    "the? same base is used throughout/consistently/everywhere",
    "the? same base is used in/for both? <logarithm> and <exponential>",
    "the? same base is used in/for both? <exponential> and <logarithm>",
    "<exponential> matches <log_base>",
    "<exponential> matches",
)

BASES: tuple[Rule, ...] = (
    Rule("log_base", "the? choice? of? the? base <of_log>?", lambda _: None),
    Rule("log_base", "the? choice of <logarithm>", lambda _: None),
    Rule("log_base", "which base <used>", lambda _: None),
    Rule("log_base", "which/what base of? the? logarithm <used>", lambda _: None),
    Rule(
        "log_base", "whether the? entropy/cross-entropy/loss/it is measured/computed in nats or in? bits", lambda: None
    ),
    Rule(
        "log_base", "whether it/one/we is/are/use/uses/measured/computed? in/with? nats or in/with? bits", lambda: None
    ),
    Rule("used", "is/we/one/you/they/you're used/use/uses/chosen/choose/chooses/take/takes?", lambda: None),
    Rule("used", "for <logarithm>", lambda _: None),
    Rule("of_log", "of/for/in <logarithm>", lambda _: None),
    Rule("logarithm", "the/all/its? logarithm/logarithms/logs", lambda: None),
    Rule("logarithm", "the? log/ln", lambda: None),
    Rule("logarithm", "<log_sign>", lambda _: None),
    Rule("log_sign", "<expr>", _log_sign),
    Rule(
        "exponential",
        "the? base? of? the? exponential/exponentiation/exponentiating/exponent/power/powers/antilogarithm function?",
        lambda: None,
    ),
    Rule("exponential", "the? final/outer exponential/exponentiation", lambda: None),
    *(Rule("same_base", pattern, lambda *_: None) for pattern in _SAME_BASE),
    Rule("with_same_base", ",? as/so long as <same_base>", lambda _: None),
    Rule("with_same_base", ",? if/when/provided/because/since/assuming that? <same_base>", lambda _: None),
    Rule("with_same_base", ",? provided that <same_base>", lambda _: None),
    Rule("scored_noun", "the/a? <pp> <of_lm>? <on_text>?", lambda pp, *_: Thing(pp)),
    Rule("scored_noun", "the/a? <ce> <of_lm>? <on_text>?", lambda *_: Thing("CE")),
    *(
        Rule("clause", f"<scored_noun> {words} <with_same_base>?", lambda x, *_: _same_in_every_base(x))
        for words in _INVARIANT
    ),
    Rule("clause", "<scored_noun> depends on <log_base>", lambda x, _: negated(_same_in_every_base(x))),
    Rule(
        "clause",
        "<log_base> does not matter for/to <scored_noun> <with_same_base>?",
        lambda _, x, __: _same_in_every_base(x),
    ),
    Rule(
        "clause",
        "<log_base> has no effect/influence on <scored_noun> <with_same_base>?",
        lambda _, x, __: _same_in_every_base(x),
    ),
    Rule(
        "clause",
        "changing <log_base> does not change/affect/alter <scored_noun> <with_same_base>?",
        lambda _, x, __: _same_in_every_base(x),
    ),
    Rule(
        "clause",
        "changing <log_base> changes/affects/alters <scored_noun> <with_same_base>?",
        lambda _, x, __: negated(_same_in_every_base(x)),
    ),
)


_SMALL_FACTOR = re.compile(r"\\?(?:ln|log)\s*\(?2\)?|0?\.\d+|1/\d+")
_LARGE_FACTOR = re.compile(r"\d+(?:\.\d+)?|1/\\?(?:ln|log)\s*\(?2\)?|\\?log_\{?2\}?\s*\(?e\)?|N|V|e")


def _by_factor(x: Thing, is_larger: bool, y: Thing, factor: Thing) -> Clause:
    """Larger or smaller by a factor, which is above one, or says below one what has become of it.

    Raises: Unreadable for a factor that may be either.
    """
    is_small = _SMALL_FACTOR.fullmatch(factor.signs) is not None
    if (not is_small and not _LARGE_FACTOR.fullmatch(factor.signs)) or (is_small and is_larger):
        raise Unreadable
    times = f"{factor.factor} {y.factor}" if is_larger or is_small else f"{y.factor}/{factor.factor}"
    return claim(f"{x.signs} = {times}", of=x, given=merged(x, y))


FACTORS: tuple[Rule, ...] = (
    Rule("log_kind", "logarithms/logs/log to/of/with/in base <expr>", lambda _: None),
    Rule("log_kind", "base <expr> logarithms/logs?", lambda _: None),
    Rule("log_kind", "natural/binary/decimal logarithms/logs", lambda: None),
    Rule("log_kind", "base-2/base-10/base-e logarithms/logs", lambda: None),
    Rule("log_kind", "<expr>", _log_in_base),
    Rule(
        "computed",
        "computed/calculated/measured/obtained/defined with/in/using/from/by using? the? <log_kind>",
        lambda _: None,
    ),
    Rule("np", "the/a? <pp> <of_lm>? <on_text>? <computed>", lambda pp, *_: Thing(pp, (), "score")),
    Rule("base", "the/that one/perplexity? <computed>", lambda _: Thing("PP", (), "score")),
    Rule("by_factor", "by a/the? factor of? <np>", lambda x: x),
    Rule(
        "clause",
        "<np> is/are larger/greater/higher/bigger than <np> <by_factor>",
        lambda x, y, f: _by_factor(x, True, y, f),
    ),
    Rule("clause", "<np> is/are smaller/lower/less than <np> <by_factor>", lambda x, y, f: _by_factor(x, False, y, f)),
    Rule(
        "clause",
        "<np> is/are <by_factor> larger/greater/higher/bigger than <np>",
        lambda x, f, y: _by_factor(x, True, y, f),
    ),
    Rule("clause", "<np> is/are <by_factor> smaller/lower/less than <np>", lambda x, f, y: _by_factor(x, False, y, f)),
)


SIZES: tuple[Rule, ...] = (
    Rule("np", "the/its/their? <lm_possessive>? vocabulary size", lambda _: Thing(f"({VOCABULARY})")),
    Rule("np", "the/its/their? size of the/its/their vocabulary", lambda: Thing(f"({VOCABULARY})")),
    Rule(
        "np",
        "the? number of different/distinct/possible? words/tokens/types/symbols in/of the/its/their vocabulary",
        lambda: Thing(f"({VOCABULARY})"),
    ),
    Rule("np", "the? logarithm/log of the/its vocabulary size", lambda: Thing(f"log({VOCABULARY})")),
    Rule("np", "the/its vocabulary", lambda: Thing(f"({VOCABULARY})")),
    Rule("lm_possessive", "model's", lambda: None),
)

RULES: tuple[Rule, ...] = (*BASES, *FACTORS, *SIZES)
