"""What leads up to a claim and says nothing of it: hence, that is, it follows that, by Jensen's inequality."""

from __future__ import annotations

from regard.claims.syntax.prose.chart import Rule
from regard.claims.syntax.prose.english.clauses import check_space

ADVERBS = (
    "ie/eg",
    "that is to? say?",
    "in other words",
    "or/and? equivalently",
    "put differently/another way?",
    "namely/specifically/concretely/explicitly/precisely",
    "for instance/example",
    "as a result/consequence",
    "as an? example/special case?",
    "in particular/fact/general/short/summary/this/that case?",
    "on the other hand",
    "of course",
    "moreover/furthermore/clearly/conversely/similarly/likewise/finally/indeed/accordingly/first/firstly/secondly",
    "however/still/nevertheless/yet/besides/additionally/trivially/evidently",
    "to be precise",
    "more generally/precisely/explicitly/concretely/formally",
)
"""Words before a claim that only join it to what stands before."""
ANNOUNCEMENTS = (
    "note/recall/observe/remember/notice/show/prove/verify/check/deduce/conclude also?",
    "it is? then? follows/holds/known/clear/true/obvious/easy/immediate to? see/show/check?",
    "it is well known",
    "it is a fact",
    "it can be shown/seen/checked/verified/proved",
    "it turns out",
    "we/one/you then? also? have/has/get/gets/obtain/obtains/find/finds/know/knows/see/sees/conclude/deduce/note",
    "we/one/you then? can/may/could also? show/see/write/check/verify/conclude/deduce/say",
    "this/which/that then? also? shows/means/implies/gives/yields/says/tells us?",
    "the claim/statement/conclusion/result/point is",
    "we/i claim/assert/believe/think/say",
    "my/our/the/your notes/book/textbook/script/lecture/slides/teacher/lecturer say/says/state/states/claim/claims",
    "it is a matter of calculation/algebra/arithmetic",
    "it is an/a easy/simple/short/routine? exercise/calculation/fact to? see/show/check/verify/prove?",
    "we/one/you then? see/sees/check/checks/verify/verifies at/right? once/immediately/easily/directly/away",
)
"""Clauses whose object is what is claimed."""

RULES: tuple[Rule, ...] = (
    Rule("lead", "<lead1> <lead>?", lambda *_: None),
    Rule("lead1", "then/so/hence/thus/therefore/consequently/and/but/moreover/furthermore/now/also ,?", lambda: None),
    Rule("lead1", "because/since <reason> ,", lambda _: None),
    Rule("lead1", "in <expr> ,?", check_space),
    Rule("lead1", "for the? <function> ,?", lambda _: None),
    Rule("lead1", "differentiating <np> twice? gives/yields", lambda _: None),
    Rule("lead1", "if? the gradient is? arranged? in the same shape as <np> , then?", lambda _: None),
    Rule("lead1", "taking the gradient in the same shape as <np> ,", lambda _: None),
    Rule("function", "logistic? sigmoid/softmax/tanh/softplus/log-sum-exp/relu function?", lambda: None),
    Rule("function", "hyperbolic tangent", lambda: None),
    Rule("lead1", "<commentary> gives/yields/shows/implies/tells us? that? ,?", lambda _: None),
    Rule("lead1", "<commentary> means that ,?", lambda _: None),  # near their means: a noun, and a condition
    Rule("lead1", "we/one then? get/gets/obtain/find/have/has ,? by/from <commentary> ,? that?", lambda _: None),
    Rule("lead1", "to be precise ,?", lambda: None),
    Rule("lead1", "in the other direction ,?", lambda: None),
    Rule("lead1", "<ignored> ,", lambda _: None),
    Rule("lead1", "true or false :", lambda: None),
    Rule("lead1", "claim/exam/exercise/fact/lemma/note :", lambda: None),
    *(Rule("lead1", f"{words} ,?", lambda *_: None) for words in ADVERBS),
    *(Rule("lead1", f"{words} that? ,?", lambda *_: None) for words in ANNOUNCEMENTS),
    Rule("lead1", "it follows from <theorem> ,? that ,?", lambda _: None),
    Rule("lead1", "by/from/using/with/via/through <theorem> ,?", lambda _: None),
    Rule("lead1", "as a? consequence/corollary/application of <theorem> ,?", lambda _: None),
    Rule("lead1", "<theorem> gives/yields/shows/implies/says/states/means/asserts/tells us? that? ,?", lambda _: None),
    Rule("lead1", "<theorem> , ie? that? is? ,?", lambda _: None),
)
