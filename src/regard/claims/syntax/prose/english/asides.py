"""Words that restrict nothing and may be left out: whatever the keys are, no matter how large n is, in general."""

from __future__ import annotations

from regard.claims.syntax.prose.chart import Rule

_SIZED = "large/small/long/short/big/tiny/high/low/negative/positive/many/close/far/strong/weak/noisy"

RULES: tuple[Rule, ...] = (
    Rule("ignored", "no matter which/what <np> is? used/chosen/taken?", lambda _: None),
    Rule("ignored", "no matter which/what query is? used/chosen/taken?", lambda: None),
    Rule("ignored", "however large/small/long/big/short <np> is/are", lambda _: None),
    Rule("ignored", "not merely/only/just in the/a? limit", lambda: None),
    Rule("ignored", "whatever the lengths/norms/values of <np> are", lambda _: None),
    Rule("ignored", "in the same? shape of/as <np> ,?", lambda _: None),
    Rule("ignored", "regardless/irrespective of <np>", lambda _: None),
    Rule("ignored", "regardless/irrespective of <np> and <np>", lambda *_: None),
    Rule("ignored", "whatever <np> is/are/may? be?", lambda _: None),
    Rule("ignored", "whatever <np>", lambda _: None),
    Rule("ignored", "no matter what <np> is/are", lambda _: None),
    Rule("ignored", "no matter how large/small/long/short/big <np> is/are", lambda _: None),
    Rule("ignored", "however large/small/long/short/big <np> is/are/may? be?", lambda _: None),
    Rule("ignored", "no matter how <any_words> is/are chosen/picked/drawn/placed/oriented", lambda _: None),
    Rule("ignored", "however <any_words> is/are chosen/picked/drawn/placed/oriented", lambda _: None),
    Rule("ignored", "no matter the? <np>", lambda _: None),
    Rule("ignored", "for a/any/every/the/each? fixed/given/single? query <plain_query>?", lambda _: None),
    Rule("ignored", "for any/every/all query/queries", lambda: None),
    Rule("ignored", "for any/every text", lambda: None),
    Rule("ignored", "in general", lambda: None),
    Rule("ignored", "no matter? whether or not <open_question>", lambda _: None),
    Rule("ignored", "whether or not <open_question>", lambda _: None),
    Rule("ignored", "no matter whether/if <open_question> or? not?", lambda _: None),
    Rule("ignored", "with or without ties/noise/bias/biases/a? scaling?", lambda: None),
    Rule(
        "ignored",
        "whichever/whatever <any_words> one/we/you/i takes/take/chooses/choose/picks/pick/uses/use",
        lambda _: None,
    ),
    Rule("ignored", "for whatever/whichever <any_words>", lambda _: None),
    Rule("ignored", f"however {_SIZED} <large_thing>? is/are/be/may/might? be/become?", lambda _: None),
    Rule("ignored", f"no matter how {_SIZED} <large_thing>? is/are/be/may/might? be/become?", lambda _: None),
    Rule(
        "ignored",
        "as <seers>? can/may/must/should/is/are? be? easily/readily/directly/quickly/also? "
        "seen/see/sees/check/checks/checked/verify/verifies/verified/expect/expects/expected/know/known/shown/show "
        "directly/easily/from/above/before/at? above/once?",
        lambda _: None,
    ),
    Rule("seers", "one/we/you/it", lambda: None),
    Rule("large_thing", "<np>", lambda _: None),
    Rule("large_thing", "the/its/their <any_words>", lambda _: None),
    Rule("open_question", "<asked> <question>", lambda *_: None),
    Rule("asked", "they/it/these", lambda: None),
    Rule("asked", "<syms>", lambda _: None),
    Rule(
        "asked",
        "the/its/their? matrix/matrices/vectors/factors/entries/values/maximum/temperature <syms>?",
        lambda _: None,
    ),
    Rule(
        "question",
        "is/are/be? symmetric/square/invertible/singular/diagonal/distinct/different/equal/unique/large/small/long/"
        "short/commuting/attained/integer/even/odd/known",
        lambda: None,
    ),
    Rule("question", "commute/commutes/differ/agree/coincide", lambda: None),
    Rule("ignored", "<ignored1> and/or/, <ignored1>", lambda *_: None),
    Rule("ignored", "<ignored1>", lambda _: None),
    Rule(
        "ignored1",
        "no matter which/what/how <qualifiers>? <name> <sym>? is/are/was/were "
        "used/chosen/taken/picked/we? start/started? with/from?",
        lambda *_: None,
    ),
    Rule(
        "ignored1",
        "no matter which/what <qualifiers>? <name> <sym>? we/you/one "
        "start/started/use/used/choose/chose/take/took with/from?",
        lambda *_: None,
    ),
    Rule("ignored1", "no matter how many <any_words> there are", lambda _: None),
    Rule("ignored1", "no matter what/which/where the/its? <any_words> is/are/look/looks/says? like?", lambda _: None),
    Rule("ignored1", "whatever/whichever the/its/they? <any_words> is/are/may/might/happens? to? be?", lambda _: None),
    Rule("ignored1", "whatever/whichever the/its? <any_words>", lambda _: None),
    Rule("ignored1", "regardless/irrespective/independently of the/its/their/any? <any_words>", lambda _: None),
    Rule(
        "ignored1",
        "for a/any/every/the/each/all/arbitrary? fixed/given/single/arbitrary? choice/choices of <any_words>",
        lambda _: None,
    ),
    Rule("ignored1", "for/of any/every/each/all query/queries <plain_query>?", lambda _: None),
    Rule("ignored1", "for any/every/all set/sets/choice of keys", lambda: None),
    Rule("ignored1", "for any/every/all keys/values/key/value", lambda: None),
    Rule("ignored1", "in probability", lambda: None),
    Rule("ignored1", "for/with a/any/some/each/every given/arbitrary <sym>", lambda _: None),
    Rule("ignored1", "almost surely", lambda: None),
    Rule("ignored1", "before/after the softmax", lambda: None),
    Rule("any_words", "<any_word> <any_words>", lambda *_: None),
    Rule("any_words", "<any_word>", lambda _: None),
    Rule("any_word", "<sym>", lambda _: None),
    Rule(
        "any_word",
        "query/queries/key/keys/value/values/vector/vectors/score/scores/logit/logits/other/remaining/weights/and/of/the/"
        "its/their/length/lengths/norm/norms/number/direction/directions/noise/temperature/dimension/width/actual/else",
        lambda: None,
    ),
    Rule("ignored", "as well", lambda: None),
    Rule("ignored", "as for/in/with <commentary>", lambda _: None),
    Rule("ignored", "too/instead/again/also", lambda: None),
    Rule("ignored", "by <theorem>", lambda _: None),
)
