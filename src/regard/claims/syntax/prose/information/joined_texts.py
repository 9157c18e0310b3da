"""Two texts, their perplexities, and that of both together."""

from __future__ import annotations

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.phrases import Clause, Thing, claim

_SAME = ("N_1 = N_2",)
_TEXT = "texts/documents/corpora/sentences/parts/halves/passages/sets/batches/files/sequences/pieces"
_BOTH = "both/two/the/these/all?"

_WHOLE = (
    "both texts/documents/parts/corpora? together? combined?",
    "the two? texts/documents/parts taken? together/combined/jointly",
    "both/the? two? texts/documents/parts together/combined/jointly",
    "both together",
    "the two together",
    "the two texts taken? together",
    "the/their concatenation <of_both>?",
    "the/both? concatenated/joint/joined/combined/whole/full/entire/total text/texts/corpus/data/set/document",
)


def _perplexities(first: Thing, second: Thing) -> tuple[str, ...]:
    return tuple(
        f"{name} = {x.signs}" for name, x in (("PP_1", first), ("PP_2", second)) if x.signs.replace("L", "") != name
    )


def _lengths(first: Thing, second: Thing) -> tuple[str, ...]:
    return tuple(f"{name} = {x.signs}" for name, x in (("N_1", first), ("N_2", second)) if x.signs != name)


def _two(names: tuple[str, ...]) -> tuple[Thing, Thing]:
    if len(names) != 2:
        raise Unreadable
    return Thing(names[0]), Thing(names[1])


def _whole(letter: Thing | None, _: None) -> Thing:
    """The perplexity of both, which the text may give a letter."""
    given = (f"PP = {letter.signs}",) if letter is not None and letter.signs != "PP" else ()
    return Thing("PP", given, kind="score")


TWO_TEXTS: tuple[Rule, ...] = (
    Rule(
        "two_texts",
        f"{_BOTH} two/all? test/disjoint/separate? {_TEXT} <texts_tail>?",
        lambda tail: tail or (),
    ),
    Rule("two_texts", "a/the? text/corpus with/in/of two parts/halves <texts_tail>?", lambda tail: tail or ()),
    Rule("texts_tail", "<texts_tail1> ,? and? <texts_tail>?", lambda a, b: (*a, *(b or ()))),
    Rule("texts_tail1", "of/with the? same/equal size/length/lengths/sizes", lambda: _SAME),
    Rule("texts_tail1", "of/with/containing the? same/equal number of? tokens/words/symbols", lambda: _SAME),
    Rule("texts_tail1", "of/with the? <two_values> tokens/words", lambda two: _lengths(*two)),
    Rule("texts_tail1", "of/with lengths <two_values>", lambda two: _lengths(*two)),
    Rule("texts_tail1", "with? perplexity/perplexities <two_values> <under>?", lambda two, _: _perplexities(*two)),
    Rule(
        "texts_tail1",
        "on which a/the/one? same? language/unigram/bigram? model has perplexity/perplexities <two_values>",
        lambda two: _perplexities(*two),
    ),
    Rule("two_values", "<expr> and <expr>", lambda a, b: (a, b)),
    Rule("two_values", "<syms>", _two),
    Rule("two_values", "<expr> and <expr> respectively", lambda a, b: (a, b)),
    Rule("under", "under/for the/a/one? same? language/unigram/bigram? model", lambda: None),
    Rule(
        "texts_vp",
        "have/has/contain/are of? the? same/equal size/length/lengths",
        lambda: _SAME,
    ),
    Rule("texts_vp", "are equally long", lambda: _SAME),
    Rule("texts_vp", "have/contain the? same/equal number/numbers of? tokens/words/symbols", lambda: _SAME),
    Rule("texts_vp", "have/contain <two_values> tokens/words ,? respectively?", lambda two: _lengths(*two)),
    Rule(
        "texts_vp",
        "have/has perplexity/perplexities <two_values> <under>? ,? respectively?",
        lambda two, _: _perplexities(*two),
    ),
    Rule("texts_vps", "<texts_vp> and <texts_vps>", lambda a, b: (*a, *b)),
    Rule("texts_vps", "<texts_vp> and <texts_tail>", lambda a, b: (*a, *b)),
    Rule("texts_vps", "<texts_vp>", lambda a: a),
    Rule("clause", "<two_texts> <texts_vps>", lambda texts, said: Clause((), (*texts, *said))),
    Rule(
        "clause",
        "all/the? of? the? sentences/documents/texts/parts have/are of? the? same/equal length",
        lambda: Clause((), _SAME),
    ),
    Rule("declaration", "<two_texts>", lambda texts: Clause((), texts)),
    Rule("condition", "<two_texts>", lambda texts: Clause((), texts)),
    Rule(
        "clause",
        "a/the text/corpus has/with two parts/halves <texts_tail>",
        lambda said: Clause((), said),
    ),
    Rule(
        "clause",
        "a/the/one? <model_words>? model has perplexities <two_values> on <two_texts>",
        lambda _, two, texts: Clause((), (*_perplexities(*two), *texts)),
    ),
    Rule(
        "clause",
        "a/the/one? <model_words>? model has a? perplexity of? <expr> on one/the/a first? text/document/corpus and a? "
        "perplexity? of? <expr> on another/the/a other/second? text/document/corpus? <other_tail>?",
        lambda _, a, b, tail: Clause((), (*_perplexities(a, b), *(tail or ()))),
    ),
    Rule(
        "clause",
        "a/the/one? <model_words>? model has a? perplexity of? <expr> on one/a text of/with <expr> tokens and <expr> "
        "on another/a one/text? of/with <expr> tokens",
        lambda _, a, m, b, n: Clause((), (*_perplexities(a, b), *_lengths(m, n))),
    ),
    Rule(
        "clause",
        "a/the/one? <model_words>? model has/have perplexities <two_values> on two? texts/documents of/with "
        "<two_values> tokens",
        lambda _, two, sizes: Clause((), (*_perplexities(*two), *_lengths(*sizes))),
    ),
    Rule("clause", "the? token losses/probabilities are/is pooled/combined/averaged together?", Clause),
    Rule("other_tail", "of the? same/equal length/size", lambda: _SAME),
    Rule("other_tail", "with the same number of tokens/words", lambda: _SAME),
)

_OF_PERPLEXITIES = (
    ("sum", "(PP_1 + PP_2)"),
    ("product", "PP_1 PP_2"),
    ("arithmetic? mean/average", "((PP_1 + PP_2)/2)"),
    ("geometric mean", "sqrt(PP_1 PP_2)"),
)
WHOLE: tuple[Rule, ...] = (
    *(Rule("whole_text", pattern, lambda *_: None) for pattern in _WHOLE),
    Rule(
        "clause",
        "joining/concatenating/merging/combining/appending/pooling <two_texts> gives/yields/produces/leads/results "
        "in/to? a/an/the? joint/overall/combined/total? perplexity of? <np>",
        lambda texts, x: claim(f"PP = {x.signs}", given=texts),
    ),
    Rule(
        "clause",
        "joining/concatenating/merging/combining/appending/pooling <two_texts> gives/yields/produces a/one text "
        "with/of a/the? perplexity of? <np>",
        lambda texts, x: claim(f"PP = {x.signs}", given=texts),
    ),
    Rule(
        "np",
        "the? perplexity of two concatenated/joined/combined texts/documents/corpora",
        lambda: Thing("PP", (), "score", Thing("PP_1, PP_2", (), "list")),
    ),
    *(
        Rule("np", f"the? {word} of their perplexities", lambda form=form: Thing(form, kind="score"))
        for word, form in _OF_PERPLEXITIES
    ),
    Rule(
        "clause",
        "<np> lies/is between <both_perplexities>",
        lambda x, _: claim(f"min(PP_1, PP_2) ≤ {x.signs} ≤ max(PP_1, PP_2)", of=x),
    ),
    Rule("both_perplexities", "their perplexities", lambda: None),
    Rule("both_perplexities", "the/those perplexities? of the? two? parts/texts/documents", lambda: None),
    Rule("of_both", "of both/these/the? two? texts/documents/parts?", lambda: None),
    Rule("np", "its/the/a? perplexity <letter>? on/of/for/over <whole_text>", _whole),
    Rule("np", "the/its/their? joint/overall/combined/total perplexity <letter>?", lambda name: _whole(name, None)),
    Rule("np", "the? perplexity of/on/for the first text/part/half/document", lambda: Thing("PP_1", kind="score")),
    Rule(
        "np", "the? perplexity of/on/for the second/other text/part/half/document", lambda: Thing("PP_2", kind="score")
    ),
    Rule("np", "the? <mean_of_two> <individual>? perplexities <of_parts>?", lambda form, *_: Thing(form, kind="score")),
    Rule("letter", "<sym>", lambda name: name),
    Rule("lead1", "on <whole_text> ,?", lambda _: None),
    Rule(
        "individual", "the/their/both/its? the? two/individual/separate/single/batch/sentence/document?", lambda: None
    ),
    Rule("of_parts", "of/on all? its/their sentences/documents/parts/texts", lambda: None),
    Rule("of_parts", "of/on the? two? texts/parts/batches/documents/halves/sentences", lambda: None),
    Rule("mean_of_two", "plain/simple/unweighted? geometric mean/average of", lambda: "sqrt(PP_1 PP_2)"),
    Rule("mean_of_two", "plain/simple/unweighted/ordinary? arithmetic? mean/average of", lambda: "(PP_1 + PP_2)/2"),
    Rule("mean_of_two", "harmonic mean of", lambda: "2 PP_1 PP_2/(PP_1 + PP_2)"),
    Rule("mean_of_two", "product of", lambda: "PP_1 PP_2"),
    Rule("mean_of_two", "sum of", lambda: "(PP_1 + PP_2)"),
    Rule(
        "mean_of_two",
        "length-weighted/token-weighted/weighted arithmetic? mean/average of",
        lambda: "((N_1 PP_1 + N_2 PP_2)/(N_1 + N_2))",
    ),
    Rule(
        "mean_of_two",
        "length-weighted/token-weighted/weighted geometric mean/average of",
        lambda: "(PP_1^{N_1/(N_1 + N_2)} PP_2^{N_2/(N_1 + N_2)})",
    ),
)

_ONE_TEXT = "a/the/one/another? first/second/other/another? text/one/corpus/document/passage"
_PP = "a/the? perplexity of?"


def _sized(first: Thing, n_first: Thing, second: Thing, n_second: Thing) -> Clause:
    return Clause((), (*_perplexities(first, second), *_lengths(n_first, n_second)))


def _named_whole(letter: Thing, *relations: str) -> Clause:
    """The perplexity of both has a letter, of which something may be said."""
    given = () if letter.signs in ("PP", "PPL") else (f"PP = {letter.signs}",)
    return Clause(relations, given, letter)


SIZED: tuple[Rule, ...] = (
    Rule("sized_text", f"{_ONE_TEXT} of/with/containing <expr> tokens/words/symbols", lambda n: n),
    Rule(
        "clause",
        f"<lm> has/have/reaches {_PP} <expr> on <sized_text> and {_PP} <expr> on <sized_text>",
        lambda _, a, n, b, m: _sized(a, n, b, m),
    ),
    Rule(
        "clause",
        "<lm> has/have/reaches perplexity <expr> on <sized_text> and <expr> on <sized_text>",
        lambda _, a, n, b, m: _sized(a, n, b, m),
    ),
    Rule(
        "clause",
        f"<sized_text> has {_PP} <expr> <under>? and <sized_text> has {_PP} <expr> <under>?",
        lambda n, a, _, m, b, __: _sized(a, n, b, m),
    ),
    Rule(
        "clause",
        "<lm> have/has/reach/reaches the? perplexities/perplexity <two_values> on two? texts/corpora/documents "
        "with/of/containing <two_values> tokens/words ,? respectively?",
        lambda _, values, counts: _sized(values[0], counts[0], values[1], counts[1]),
    ),
    Rule("whole_text", "all/the? all? <expr>? token probabilities/tokens/losses of? both? texts?", lambda _: None),
    Rule("whole_text", "a/the joined/concatenated/combined/pooled text/corpus", lambda: None),
    Rule(
        "declaration",
        "<sym> be the? joint/overall/total? perplexity of/on/for/over/from <whole_text>",
        lambda letter, _: _named_whole(letter),
    ),
    Rule(
        "clause",
        f"<whole_text> has/have {_PP} <sym> with/where <rel>",
        lambda _, letter, rel: _named_whole(letter, rel),
    ),
    Rule("clause", f"<whole_text> has/have {_PP} <np>", lambda _, x: claim(f"PP = {x.signs}", given=x.given)),
    Rule("clause", "the? tokens/losses/token losses? are pooled/joined/concatenated/put together?", Clause),
    Rule(
        "base",
        "the? perplexity on/of/for/over two/both texts/documents/parts of the? same/equal length together/combined",
        lambda: Thing("PP", _SAME, "score"),
    ),
)

_THOSE = (
    "the/their? two? perplexities/those of/on the/its/both? two/both? texts/parts/halves/documents/pieces",
    "the/their two? individual/separate? perplexities",
)

BETWEEN: tuple[Rule, ...] = (
    *(Rule("those", words, lambda: None) for words in _THOSE),
    Rule(
        "whole_pp", "the/its/their? joint/overall/total? perplexity of/on/for/over <whole_text>", lambda _: Thing("PP")
    ),
    Rule("whole_pp", "the joint/overall/total perplexity", lambda: Thing("PP")),
    Rule(
        "clause",
        "<whole_pp> lies/is always? between <those>",
        lambda *_: claim("min(PP_1, PP_2) ≤ PP ≤ max(PP_1, PP_2)"),
    ),
    *(
        Rule("clause", f"<whole_pp> is/must always? be? {words} than <those>", lambda *_, sign=sign: _than_both(sign))
        for sign, words in ((">", "larger/higher/greater"), ("<", "smaller/lower/less"))
    ),
    *(
        Rule(
            "clause",
            f"<whole_pp> is/must always? be? {words} than the {extreme} of <those>",
            lambda *_, said=said: claim(said),
        )
        for words, extreme, said in (
            ("never/not larger/higher/greater", "larger/higher/maximum", "PP ≤ max(PP_1, PP_2)"),
            ("never/not larger/higher/greater", "smaller/lower/minimum", "PP ≤ min(PP_1, PP_2)"),
            ("never/not smaller/lower/less", "smaller/lower/minimum", "PP ≥ min(PP_1, PP_2)"),
            ("never/not smaller/lower/less", "larger/higher/maximum", "PP ≥ max(PP_1, PP_2)"),
        )
    ),
)


def _than_both(sign: str) -> Clause:
    return claim(f"PP {sign} PP_1", f"PP {sign} PP_2")


RULES: tuple[Rule, ...] = (*TWO_TEXTS, *SIZED, *BETWEEN, *WHOLE)
