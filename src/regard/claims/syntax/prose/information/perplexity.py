"""Perplexity in words: what a language model gives the tokens of a text, and what it scores there.

The letters are those of the setting perplexity: p_i for the N tokens, CE in nats, H_2 in bits, PP; PP_1 and PP_2 for
two parts of N_1 and N_2 tokens.
"""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.predicates import COMPARISONS
from regard.claims.syntax.prose.phrases import Clause, Thing, claim, merged

TOKEN = "⟨token⟩"
"""Stands for the probabilities p of the tokens, until the text's own p has another letter."""
LENGTH = "⟨tokens⟩"
"""Stands for the number of tokens, for which a text may have another letter than N."""
VOCABULARY = "⟨vocabulary⟩"
"""Stands for the number of words of a vocabulary that has no letter."""
SPELLING = "⟨characters⟩"
"""Stands for the number of characters per word, if the text has both."""
TOKEN_LOSS = "⟨mean loss⟩"
"""Stands for the mean loss of a token: in nats, unless a text that says no unit takes powers of two."""


def speaks_of_perplexity(text: str) -> bool:
    """Whether a text is about language models, so that a loss without more words is that of its tokens."""
    return _SUBJECT.search(text) is not None


_SUBJECT = re.compile(
    r"[Pp]erplexit|(?<![A-Za-z])PPL?(?![A-Za-z])|language model|per[- ](?:token|word|character)|\bbpc\b"
    r"|(?:uni|bi|tri|n-)gram|\b(?:nat|bit)s?\b",
)

_TOKENS = "token/tokens/word/words/symbol/symbols/character/characters"
_TEXTS = "text/texts/corpus/set/sequence/document/sentence/data/passage/file"


def _checked_size(count: Thing | None) -> str:
    """V of |V| words."""
    if count is None:
        return VOCABULARY
    return re.sub(r"^\\?\|\s*(?:\\mathcal\s*\{?)?(\w)\}?\s*\\?\|$", r"\1", count.signs)


def _length(count: Thing) -> tuple[str, ...]:
    return (f"{LENGTH} = {count.signs}",)


def _refuse() -> None:
    raise Unreadable


def _given(claims: tuple[str, ...]) -> Thing:
    return Thing("⟨model⟩", claims, "model")


def _uniform(count: Thing | None) -> tuple[str, ...]:
    return (f"{TOKEN}_i = 1/{_checked_size(count)}",)


def _probability(value: Thing) -> tuple[str, ...]:
    plain = re.sub(r"\|(\w)\|", r"\1", value.signs)
    return (f"{TOKEN}_i = {plain}",)


def _one_token(value: Thing) -> tuple[str, ...]:
    """A token of probability zero, as a limit, or of a probability with a letter.

    Raises: Unreadable for another probability of a single token.
    """
    if value.signs == "0":
        return (f"{TOKEN}_j → 0",)
    if not re.fullmatch(r"[εδη]|\\(?:var)?epsilon|\\delta|\\eta|epsilon|eps|delta", value.signs):
        raise Unreadable
    return (f"{TOKEN}_j = {value.signs}",)


_DETERMINER = "a/an/the/any/every/each/our/some/this/that/its/one?"
_SAME = "a/an/the? same/equal/uniform/constant?"

TEXTS: tuple[Rule, ...] = (
    Rule("text_word", _TEXTS, lambda: None),
    Rule("text_adj", "<text_adj1> <text_adj>?", lambda *_: None),
    Rule(
        "text_adj1",
        "test/training/validation/held-out/heldout/given/same/whole/entire/full/very/long/short/fixed/single/natural/"
        "non-empty/new",
        lambda: None,
    ),
    Rule(
        "text",
        f"{_DETERMINER} all? <text_adj>? <text_word> <text_word>? <expr>? <text_tail>?",
        lambda _, __, ___, ____, tail: tail or (),
    ),
    Rule("text", "it/them/there", lambda: ()),
    Rule("text_tail", f"of/with/containing length? <expr> {_TOKENS}?", _length),
    Rule("text_tail", "of/over/from/in <vocabulary>", lambda _: ()),
    Rule("text_tail", "in/of <expr> <vocabulary_word>", lambda *_: ()),
    Rule("vocabulary_word", "words/tokens/symbols/types/word-types/characters/outcomes/classes", lambda: None),
    Rule(
        "vocabulary",
        "a/an/the/its/that/this/fixed? fixed/given/whole? vocabulary/alphabet <size>?",
        lambda size: size,
    ),
    Rule("vocabulary", "<expr> <vocabulary_word>", lambda n, _: n),
    Rule("vocabulary", "the/its/all/a? all? <expr> possible? <vocabulary_word> <in_vocabulary>?", lambda n, *_: n),
    Rule("vocabulary", "the/all? of? the? words/tokens/types/symbols of/in/from <vocabulary_noun>", lambda size: size),
    Rule("vocabulary_noun", "a/an/the/its/that/this fixed/given/whole? vocabulary/alphabet <size>?", lambda size: size),
    Rule("in_vocabulary", "of/in/from <vocabulary>", lambda _: None),
    Rule("size", "of/with size? <expr> <vocabulary_word>?", lambda n, _: n),
    Rule("size", "size? <expr>", lambda n: n),
    Rule("on_text", "on/of/for/over/in <text>", lambda said: said),
    Rule("at_step", "at every/each/any step/position/place", lambda: None),
)

_PREDICTS = (
    "assigns/assign/gives/give/gave/assigned/predicts/predict/puts/put/places/place/allocates/attributes/"
    "assigning/giving/predicting"
)
_EACH = "each/every/all/any"

TOKENS: tuple[Rule, ...] = (
    Rule(
        "tokens",
        f"{_EACH} single? one? of? the/its? <expr>? true/correct/actual/observed/next/scored/single/individual? "
        f"vocabulary? {_TOKENS} <tokens_tail>?",
        lambda count, tail: (count, tail or ()),
    ),
    Rule("tokens", f"the/its? true/correct/actual? {_TOKENS} <tokens_tail>", lambda tail: (None, tail)),
    Rule("tokens", "everything/them/each", lambda: (None, ())),
    Rule("tokens_tail", "that/which? actually? occurs? of/in/from/on <text>", lambda said: said),
    Rule("tokens_tail", "in/of/from <vocabulary>", lambda _: ()),
    Rule("tokens_tail", "<at_step>", lambda _: ()),
    Rule(
        "one_token",
        "a/one/some/any/at? least? one? single/test? of? the/its? test? "
        "token/word/tokens/words/symbol/character <occurring>?",
        lambda _: None,
    ),
    Rule("occurring", "that/which does/actually/do? occurs/occur/appears/appear? in/of <text>", lambda _: None),
    Rule("occurring", "of/in/from <text>", lambda _: None),
)

PREDICTIONS: tuple[Rule, ...] = (
    Rule("zero", "probability? of? <expr> probability?", lambda x: x),
    Rule("assigns", f"always? {_PREDICTS}", lambda: None),
    Rule(
        "lm_vp",
        f"<assigns> to? <tokens> {_SAME} probability of? <expr> <at_step>?",
        lambda _, tokens, value, __: (*_probability(value), *tokens[1]),
    ),
    Rule(
        "lm_vp",
        f"<assigns> {_SAME} probability of? <expr> to <tokens> <at_step>?",
        lambda _, value, tokens, __: (*_probability(value), *tokens[1]),
    ),
    Rule(
        "lm_vp",
        "<assigns> to? <tokens> a/the? probability of? <bound> <expr>",
        lambda _, tokens, sign, value: (f"{TOKEN}_i {sign} {value.signs}", *tokens[1]),
    ),
    Rule(
        "lm_vp",
        "<assigns> a/the? probability of? <bound> <expr> to <tokens>",
        lambda _, sign, value, tokens: (f"{TOKEN}_i {sign} {value.signs}", *tokens[1]),
    ),
    Rule("lead1", "on <text> ,?", lambda said: None if not said else _refuse()),
    Rule("lm_vp", "<assigns> to? <tokens> the? same/equal probability", lambda _, tokens: _uniform(tokens[0])),
    Rule("lm_vp", "<assigns> the? same/equal probability to <tokens>", lambda _, tokens: _uniform(tokens[0])),
    Rule("lm_vp", "<assigns> <zero> to <one_token> <at_step>?", lambda _, zero, *__: _one_token(zero)),
    Rule("lm_vp", "<assigns> <one_token> <zero>", lambda _, __, zero: _one_token(zero)),
    Rule(
        "lm_vp",
        "guesses/guess/guessing/predicts/chooses/picks/samples the/each? next? token/word? uniformly at? random? "
        "among/over/from/on/between <vocabulary>",
        _uniform,
    ),
    Rule(
        "lm_vp",
        "spreads/distributes/spreading/assigns its/the/all? probability/mass mass? uniformly/evenly/equally "
        "over/among/across/on/to <vocabulary>",
        _uniform,
    ),
    Rule("lm_vp", "is? uniform over/on <vocabulary>", _uniform),
    Rule(
        "lm_vp", "assigns/predicts/uses/gives a/the? uniform probability/probabilities to/over <vocabulary>", _uniform
    ),
    Rule("lm_vp", "assigns/predicts/uses/gives a/the? uniform distribution to/over/on <vocabulary>", _uniform),
    Rule(
        "lm_vp",
        f"predicts {_EACH} <count>? token/word <tokens_tail>? with certainty",
        lambda *_: _probability(Thing("1")),
    ),
    Rule(
        "lm_vp",
        f"predicts {_EACH} <count>? token/word <tokens_tail>? with probability <expr>",
        lambda _, __, value: _probability(value),
    ),
    Rule(
        "got",
        "<tokens> gets/get/receives/receive/has/have/is/are assigned/given? exactly? the? same? probability of? <expr>",
        lambda tokens, value: (*_probability(value), *tokens[1]),
    ),
    Rule(
        "got",
        "<tokens> was/were assigned/given? exactly? the? same? probability of? <expr>",
        lambda tokens, value: (*_probability(value), *tokens[1]),
    ),
    Rule("got", "all/the? the? token? probabilities are all? equal? to? <expr>", _probability),
    Rule(
        "got", "<one_token> gets/has/receives/is given/assigned? probability <expr>", lambda _, zero: _one_token(zero)
    ),
    Rule("got", "<one_token> gets/has/receives/is given/assigned? zero probability", lambda _: _one_token(Thing("0"))),
    Rule(
        "got",
        "the? probability of/for <one_token> goes/tends/is to? zero <others_fixed>?",
        lambda *_: _one_token(Thing("0")),
    ),
    Rule(
        "others_fixed",
        "and/while/with those/the of? the? other/others/remaining <expr>? token? tokens/words/probabilities? "
        "are/stay/remain? kept/held/stay? fixed/constant",
        lambda _: None,
    ),
    Rule("clause", "<got>", lambda said: claim(*said)),
    Rule("clause", "<others_kept>", lambda _: Clause()),
    Rule(
        "others_kept",
        "all/the? the? probabilities of the? other/others/remaining <expr>? tokens/words? are/stay/remain? "
        "kept/held/stay? fixed/constant/unchanged",
        lambda _: None,
    ),
    Rule(
        "others_kept",
        "all/the? the? other/others/remaining <expr>? token/test? probabilities/tokens/words? are/stay/remain? "
        "kept/held/stay? fixed/constant/unchanged",
        lambda _: None,
    ),
    Rule("got", "<tokens> is/are predicted with probability <expr>", lambda tokens, v: (*_probability(v), *tokens[1])),
    Rule("got", "<tokens> is/are predicted with certainty", lambda tokens: (*_probability(Thing("1")), *tokens[1])),
)

_MODEL_WORDS = (
    "language/statistical/trained/fixed/unigram/bigram/trigram/n-gram/neural/given/character-level/"
    "word/character/token/word-level/token-level/probabilistic/better/autoregressive/new/old/second/other/larger"
)

MODELS: tuple[Rule, ...] = (
    Rule("model_words", f"{_MODEL_WORDS} <model_words>?", lambda _: None),
    Rule("lm", f"{_DETERMINER} <model_words>? model <lm_name>? <lm_tail>?", lambda _, __, tail: _given(tail or ())),
    Rule(
        "lm",
        f"{_DETERMINER} uniform <model_words>? model over/on/with <vocabulary>",
        lambda _, size: _given(_uniform(size)),
    ),
    Rule(
        "lm",
        f"{_DETERMINER} perfect <model_words>? model <lm_tail>?",
        lambda _, tail: _given((*_probability(Thing("1")), *(tail or ()))),
    ),
    Rule("lm", f"{_DETERMINER} uniform <model_words>? model", lambda _: _given(_uniform(None))),
    Rule("lm", "it", lambda: Thing("⟨model⟩", (), "known model")),
    Rule("lm", "uniform guessing/prediction among/over/from <vocabulary>", lambda size: _given(_uniform(size))),
    Rule("lm_name", "<sym>", lambda _: None),
    Rule("lm_tail", "<lm_tail1> ,? and? <lm_tail>?", lambda a, b: (*a, *(b or ()))),
    Rule("lm_tail1", "over/with/on/using/for <vocabulary>", lambda _: ()),
    Rule("lm_tail1", "over/with/on/using a? vocabulary of size? <rel>", lambda rel: (rel,)),
    Rule("lm_tail1", ",? that/which <lm_vp>", lambda said: said),
    Rule("lm_tail1", "assigning/giving/predicting <lm_rest>", lambda said: said),
    Rule("lm_tail1", ",? that/which/with has/reaches/achieves/attains/with/gets? <scored>", lambda said: said),
    Rule("lm_tail1", "with/having/of/reaching <scored>", lambda said: said),
    Rule("lm_tail1", "whose <pp> is <np>", lambda pp, x: (f"{pp} = {x.signs}",)),
    Rule("lm_tail1", "whose <ce> is <loss>", lambda _, x: (x,)),
    Rule("lm_tail1", "<on_text>", lambda said: said),
    Rule("lm_rest", f"to? <tokens> {_SAME} probability of? <expr>", lambda tokens, v: (*_probability(v), *tokens[1])),
    Rule("lm_rest", f"{_SAME} probability of? <expr> to <tokens>", lambda v, tokens: (*_probability(v), *tokens[1])),
    Rule("clause", "<lm> <lm_vp>", lambda model, said: claim(*said, of=model)),
)

_PLAIN_LOGARITHM = re.compile(r"\\?(?:log|ln)(?![A-Za-z_₀-₉])")


def _of_any_unit(value: Thing) -> str:
    """A loss without a unit; of a plain logarithm it is the one that the loss is taken with."""
    loss = "CE" if _PLAIN_LOGARITHM.match(value.signs) or value.signs == "0" else TOKEN_LOSS
    return f"{loss} = {value.signs}"


_PER = "per token/word/symbol/character"


def _score(signs: str, on: tuple[str, ...] | None, model: Thing | None) -> Thing:
    """What a model scores on a text, under all that is said of both."""
    return Thing(signs, (*(on or ()), *merged(model)), "score")


_GEOMETRIC = re.compile(
    r"\(?p_1\s*(?:⋯|…|\.\.\.|\\[lc]?dots|p_2|[·*]|\\cdot|\s)*\s*p_N\)?\s*\^[({]?\s*[-−–]\s*1\s*/\s*N\s*[)}]?"
    r"|\(?\(?(?:∏|\\prod)(?:_\{?i(?:=1)?\}?)?(?:\^\{?N\}?)?\s*p_i\)?\s*\^[({]?\s*[-−–]\s*1\s*/\s*N\s*[)}]?\)?"
)


def _geometric(form: Thing) -> Thing:
    """The perplexity as it is defined: (p_1 ⋯ p_N)^(−1/N).

    Raises: Unreadable for other forms.
    """
    if form.signs.strip() in ("PP", "PPL"):
        return Thing("PP", (), "score")
    if not _GEOMETRIC.fullmatch(form.signs.strip()) or not form.signs.strip().startswith("("):
        raise Unreadable
    return Thing("PP", (), "score")


_BITS_PER_CHARACTER = f"(H_2/{SPELLING})"

SCORES: tuple[Rule, ...] = (
    Rule("unit_per", _PER, lambda: None),
    Rule(
        "pp_adj", "per-token/per-word/token-level/word-level/test/corpus/model/overall/resulting/total/text", lambda: ""
    ),
    Rule("pp", "perplexity", lambda: "PP"),
    Rule("pp", "<pp_adj> perplexity", lambda _: "PP"),
    Rule("pp", "perplexity per token/word", lambda: "PP"),
    Rule("pp", "perplexity per character", lambda: f"PP^{{1/{SPELLING}}}"),
    Rule("pp", "per-character/character-level perplexity", lambda: f"PP^{{1/{SPELLING}}}"),
    Rule("ce_adj", "<ce_adj1> <ce_adj>?", lambda *_: None),
    Rule(
        "ce_adj1",
        "average/mean/token/word/per-token/per-word/per-character/empirical/test/validation/training/model/total?/token-level",
        lambda: None,
    ),
    Rule("ce_word", "cross-entropy loss?", lambda: None),
    Rule("ce_word", "loss/nll/surprisal/surprise/log-loss", lambda: None),
    Rule("ce_word", "negative log-likelihood/log-probability", lambda: None),
    Rule("ce", "<ce_adj>? <ce_word> <unit_per>? <of_tokens>?", lambda *_: "CE"),
    Rule("of_tokens", "over/of the/all? tokens/words <tokens_tail>?", lambda _: None),
    Rule(
        "scored",
        f"{_DETERMINER} <pp> of? exactly? <np> <on_text>?",
        lambda pp, x, on: (f"{pp} = {x.signs}", *(on or ())),
    ),
    Rule("scored", f"{_DETERMINER} <pp> equal to <np>", lambda pp, x: (f"{pp} = {x.signs}",)),
    Rule("scored", f"{_DETERMINER} <ce> of? <loss>", lambda _, said: (said,)),
    Rule("scored", "<bits>", lambda value: (f"CE = {value}",)),
    Rule("loss", "about/approximately/roughly <amount_of_loss>", lambda value: f"CE ≈ {value}"),
    Rule("loss", "exactly? <amount_of_loss>", lambda value: f"CE = {value}"),
    Rule("loss", "<expr>", _of_any_unit),
    Rule("amount_of_loss", "<bits>", lambda value: value),
    Rule("amount_of_loss", "<expr> nats/nat <unit_size>?", lambda value, size: f"{value.factor}{size or ''}"),
    Rule("bits", "<expr> bits/bit <unit_size>?", lambda value, size: f"({value.factor} log(2){size or ''})"),
    Rule("unit_size", "per/a/each token/word/symbol", lambda: ""),
    Rule("unit_size", "per/a/each character/letter", lambda: f" {SPELLING}"),
    Rule("np", f"{_DETERMINER} <pp> <on_text>? <of_lm>?", _score),
    Rule("np", f"{_DETERMINER} <pp> <of_lm> <on_text>?", lambda pp, model, on: _score(pp, on, model)),
    Rule("np", f"{_DETERMINER} <pp> <expr>", lambda _, x: _geometric(x)),
    Rule("np", "its/their/the same? <pp> <on_text>?", lambda pp, on: _score(pp, on, None)),
    Rule(
        "np",
        f"{_DETERMINER} average/mean/per-token/per-word/empirical/test? <ce> in bits <unit_per>? <on_text>?",
        lambda _, __, on: _score("H_2", on, None),
    ),
    Rule("np", f"{_DETERMINER} <ce> in nats <unit_per>? <on_text>?", lambda ce, __, on: _score(ce, on, None)),
    Rule(
        "np", f"{_DETERMINER} <ce_adj> <ce_word> <unit_per>? <on_text>?", lambda _, __, ___, on: _score("CE", on, None)
    ),
    Rule("np", f"{_DETERMINER} <ce_word> per token/word <on_text>?", lambda _, on: _score("CE", on, None)),
    Rule("np", f"{_DETERMINER} <ce> of <lm> <on_text>?", lambda ce, model, on: _score(ce, on, model)),
    Rule("np", "the? number of? bits per token/word <on_text>?", lambda on: _score("H_2", on, None)),
    Rule("np", "the? bits per token/word <on_text>?", lambda on: _score("H_2", on, None)),
    Rule("np", "the? number of? bits per character <on_text>?", lambda on: _score(_BITS_PER_CHARACTER, on, None)),
    Rule("np", "the? bits per character <on_text>?", lambda on: _score(_BITS_PER_CHARACTER, on, None)),
    Rule("of_lm", "of/under/by/for <lm>", lambda model: model),
)


BOUNDS: tuple[Rule, ...] = (
    *(Rule("bound", written, lambda sign=sign: sign) for sign, written in COMPARISONS if written),
    *(Rule("bound", f"of {written}", lambda sign=sign: sign) for sign, written in COMPARISONS if written),
    Rule("higher", "larger/greater/higher/bigger/more/above than?", lambda: "≤"),
    Rule("higher", "smaller/lower/less/below than?", lambda: "≥"),
    Rule("exceeds", "above/over/exceeding", lambda: ">"),
    Rule(
        "clause",
        f"<lm> can not/never have {_DETERMINER} <pp> <higher> <np> <on_text>?",
        lambda model, pp, sign, x, on: claim(f"{pp} {sign} {x.signs}", given=(*merged(model, x), *(on or ()))),
    ),
    Rule(
        "clause",
        f"<lm> never has {_DETERMINER} <pp> <higher> <np> <on_text>?",
        lambda model, pp, sign, x, on: claim(f"{pp} {sign} {x.signs}", given=(*merged(model, x), *(on or ()))),
    ),
    Rule(
        "clause",
        f"<lm> always? has/have/reaches/achieves {_DETERMINER} <pp> of? <bound> <np> <on_text>?",
        lambda model, pp, sign, x, on: claim(f"{pp} {sign} {x.signs}", given=(*merged(model, x), *(on or ()))),
    ),
    Rule(
        "scoring",
        "<lm> always? has/have/reaches/reach/achieves/achieve/attains/gets/obtains/scores exactly? <scored> <on_text>?",
        lambda model, said, on: claim(*said[:1], of=model, given=(*said[1:], *(on or ()))),
    ),
    Rule(
        "scoring",
        "<lm> needs/uses/requires/spends/takes exactly? <bits> on? average? <on_text>?",
        lambda model, said, on: claim(f"CE = {said}", of=model, given=on or ()),
    ),
    Rule("clause", "<scoring>", lambda a: a),
    Rule("clause1", "<scoring>", lambda a: a),
    Rule(
        "scoring",
        f"{_DETERMINER} <ce> <of_lm>? <on_text>? is/equals <loss>",
        lambda _, model, on, said: claim(said, of=Thing("CE", (*merged(model), *(on or ()))), given=()),
    ),
)

RULES: tuple[Rule, ...] = (*TEXTS, *TOKENS, *PREDICTIONS, *MODELS, *SCORES, *BOUNDS)
