"""Nouns of attention, softmax and language models, which a claim names without a letter.

Signs are those of the settings: k_i, v_i, q, s_i, α_i and c; z for logits that belong to no keys.
"""

from __future__ import annotations

from regard.claims.syntax.prose.attention.weights import OUTPUT_LETTER, WEIGHTS
from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.english.nouns import noun
from regard.claims.syntax.prose.phrases import CROSS_ENTROPY, LOGITS, LOSS, Clause, Thing, claim

WEIGHT = "exp(k_i^T q) / \\sum_j exp(k_j^T q)"
OUTPUT = "\\sum_i (exp(k_i^T q) / \\sum_j exp(k_j^T q)) v_i"
SOFTMAX = f"softmax({LOGITS})"
JACOBIAN = f"(diag({SOFTMAX}) - {SOFTMAX} {SOFTMAX}^T)"

_ALL = "all/the/every/each/any/of?"
_ATT = "softmax/dot-product/unscaled/scaled/plain?"


def _sigma(symbol: Thing) -> Thing:
    if symbol.signs not in ("σ", "\\sigma", "sigma"):
        raise Unreadable
    return symbol


NOUNS: tuple[Rule, ...] = (
    noun(f"{_ALL} the? {_ATT} attention weights/weight", f"{WEIGHTS}_i", "weights"),
    noun(f"{_ALL} the? resulting weights/weight", f"{WEIGHTS}_i", "weights"),
    noun("the? attention distribution", WEIGHTS, "weights"),
    noun(f"the? output/result of the? one/a? {_ATT} attention head?", OUTPUT_LETTER, "output"),
    noun(f"the? {_ATT} attention output", OUTPUT_LETTER, "output"),
    noun("the output", OUTPUT_LETTER, "output"),
    noun("its output", OUTPUT_LETTER, "output"),
    noun("the? context vector", OUTPUT_LETTER, "output"),
    noun(f"{_ATT} attention", OUTPUT_LETTER, "output"),
    noun("the? largest/maximal/maximum attention? weight", f"max_i {WEIGHTS}_i", "number"),
    noun("the? smallest/minimal attention? weight", f"min_i {WEIGHTS}_i", "number"),
    noun(f"{_ALL} the? attention? logits/scores", "k_i^T q", "logits"),
    noun("the/a query vector?", "q", "query"),
    noun(f"{_ALL} the? <count>? keys/key vectors/vector?", "k_i", "keys"),
    noun(f"{_ALL} the? <count>? values/value vectors/vector?", "v_i", "values"),
    noun(
        "the? plain/arithmetic/simple/uniform/unweighted? mean/average of the? <count>? values/value vectors?",
        "(1/n) \\sum_i v_i",
    ),
    noun("the? mean/average value vector?", "(1/n) \\sum_i v_i"),
    noun("the? largest/maximum norm among/of the? values/value vectors?", "max_i ‖v_i‖"),
    noun("the? smallest/minimum norm among/of the? values/value vectors?", "min_i ‖v_i‖"),
    noun("the? norm of the? attention output", f"‖{OUTPUT_LETTER}‖"),
    noun("the? number of keys", "n"),
    noun("the? softmax function?", SOFTMAX, "softmax"),
    noun("the? softmax probabilities/output/outputs/distribution", SOFTMAX, "softmax"),
    noun("the? output/outputs/probabilities/result of a/the? softmax function/layer?", SOFTMAX, "softmax"),
    noun("the? jacobian matrix? of the? softmax function?", JACOBIAN, "matrix"),
    noun("the? softmax jacobian", JACOBIAN, "matrix"),
    noun("the? gradient of the? log-sum-exp function? at? <expr>", "∂/∂[0] (log(\\sum_i exp([0]_i)))"),
    noun("the? logistic? sigmoid function? <sigma>?", "σ(x)", "function"),
    noun("the? logistic function", "σ(x)", "function"),
    noun("the? hyperbolic tangent function?", "tanh(x)", "function"),
    noun("tanh", "tanh(x)", "function"),
    noun("the exponential function", "exp(x)", "function"),
    Rule("base", "the natural? logarithm function?", lambda: Thing("log(x)", ("x > 0",), "function")),
    Rule("base", "the square root function", lambda: Thing("sqrt(x)", ("x > 0",), "function")),
    noun("the? softplus function?", "log(1 + e^x)", "function"),
    noun("the? log-sum-exp function?", f"log(\\sum_i exp({LOGITS}_i))", "function"),
    noun("the? kl/kullback-leibler divergence", "KL(p || q)", "measure"),
    noun("the? cross-entropy", CROSS_ENTROPY, "measure"),
    noun("the? shannon? entropy", "H(p)", "measure"),
    noun("the? entropy of a/any/the? distribution", "H(p)", "measure"),
    noun("the? softmax? cross-entropy loss", LOSS, "number"),
    noun("the? loss", LOSS, "number"),
    noun("the? size of its/the vocabulary", "V", "number"),
    noun("the? vocabulary size", "V", "number"),
    noun("relu function?", "relu(x)", "function"),
    noun("the? softmax? probability of the? largest/most logit/likely class?", f"max_i {SOFTMAX}_i", "number"),
    noun("the? largest/maximum entry/component of <np>", "max_i {0}_i", "number"),
    noun("the? smallest/minimum entry/component of <np>", "min_i {0}_i", "number"),
    noun("the? largest/smaller? softmax? probability", f"max_i {SOFTMAX}_i", "number"),
    noun("the? softmax? probability of the first class", f"{SOFTMAX}_1", "number"),
    noun("the? smallest/minimum of the norms <expr> , <expr> ,? <expr>", "min_i ‖v_i‖", "number"),
    Rule("sigma", "<sym>", _sigma),
    Rule("count", "<expr>", lambda count: count),
    Rule("count", "remaining/other/value/key", lambda: Thing("n")),
)


SENTENCES: tuple[Rule, ...] = (
    Rule("clause", "<syms> be/are orthonormal keys", lambda n: claim("the keys be orthonormal")),
    Rule("clause", "there are? only? two keys", lambda: claim("n = 2")),
    Rule("clause", "only two keys", lambda: claim("n = 2")),
    Rule("clause", "only? two classes", lambda: claim("n = 2")),
    Rule("clause", "plain/unscaled/usual? dot-product/dot scores/products/attention", Clause),
    Rule("clause", "the? scores are plain/unscaled? dot-product/dot products?", Clause),
    Rule(
        "clause",
        "one? query <sym>? attends to/over <expr> keys that are/all happen? to? be? the? same/identical vector?",
        lambda *_: claim("k_r = k_u"),
    ),
    Rule(
        "clause", "the query q? is orthogonal to all/every/each the? key/keys", lambda: claim("k_m^T q = 0 for all m")
    ),
    Rule("clause", "the query q? is the? zero vector?", lambda: claim("q = 0", of=Thing("q"))),
    Rule("clause", "the? logits/scores are not all equal/identical", lambda: claim("max_i s_i > min_i s_i")),
    Rule(
        "clause", "attention/it just? returns/gives/outputs <np>", lambda what: claim(f"{OUTPUT_LETTER} = {what.signs}")
    ),
)


RULES: tuple[Rule, ...] = (*NOUNS, *SENTENCES)
