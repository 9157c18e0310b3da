"""The parameters of a network with one hidden layer in words, and the gradients of its loss with respect to them.

The letters are those of the setting one-hidden-layer: h = σ(x W_1 + b_1), ŷ = softmax(h W_2 + b_2), J the loss.
"""

from __future__ import annotations

from regard.claims.syntax.prose.chart import Rule
from regard.claims.syntax.prose.english.nouns import noun
from regard.claims.syntax.prose.phrases import Clause, Thing, claim

_MATRIX = "weight/weights matrix/matrices?"
_BIAS = "bias/biases vector?"
_PARAMETERS: tuple[tuple[str, str], ...] = (
    (f"first/hidden/hidden-layer {_MATRIX}", "W_1"),
    (f"second/output/last/output-layer {_MATRIX}", "W_2"),
    (f"first/hidden/hidden-layer {_BIAS}", "b_1"),
    (f"second/output/last/output-layer {_BIAS}", "b_2"),
    ("bias vector? of the first/hidden layer", "b_1"),
    ("bias vector? of the second/output/last layer", "b_2"),
    (f"{_MATRIX} of the first/hidden layer", "W_1"),
    (f"{_MATRIX} of the second/output/last layer", "W_2"),
    ("hidden pre-activation/pre-activations/preactivation/preactivations vector?", "z_1"),
    ("hidden activation/activations/vector/layer/units/state vector?", "h"),
    ("input vector", "x"),
    ("network/network's input", "x"),
)
"""What belongs to the network, and its letter in the setting."""
_LOSS = "of the loss/cross-entropy/error loss/error?"
_ALL = ("W_1", "b_1", "W_2", "b_2")


def _gradient(of: Thing) -> Thing:
    return Thing(f"∂J/∂{of.signs}", of.given, "gradient")


RULES: tuple[Rule, ...] = (
    *(Rule("parameter", f"the? {words}", lambda name=name: Thing(name)) for words, name in _PARAMETERS),
    Rule("base", f"the? gradient/gradients/derivative/derivatives {_LOSS} wrt <parameter>", _gradient),
    Rule("base", "the? gradient/gradients wrt <parameter>", _gradient),
    Rule("target", "all? the? entries/components? of? <parameter>", lambda x: x.signs),
    noun("the network's predicted? probabilities/predictions/prediction/output", "softmax(h W_2 + b_2)", "softmax"),
    noun("the predictions/output/outputs of the network", "softmax(h W_2 + b_2)", "softmax"),
    Rule("clause", "<parameter> is/vanishes zero/0?", lambda x: claim(f"{x.signs} = 0", of=x)),
    Rule("clause", "<parameter> is/are all? zero", lambda x: claim(f"{x.signs} = 0", of=x)),
    Rule("clause", "all the? weights are zero", lambda: claim("W_1 = 0", "W_2 = 0")),
    Rule("clause", "all the? biases are zero", lambda: claim("b_1 = 0", "b_2 = 0")),
    Rule("clause", "all the? weights and biases are zero", lambda: claim(*(f"{one} = 0" for one in _ALL))),
    Rule("clause", "all the? parameters are zero", lambda: claim(*(f"{one} = 0" for one in _ALL))),
    Rule("lead1", "for/on a/one/the? single/one? training? example/sample ,?", lambda: None),
    Rule("tail", "for/with a/the/any one-hot label/target/vector?", lambda: ("if", Clause(("y is onehot",)))),
    Rule("pred", "a matrix of rank at most <np>", lambda r: lambda x: claim(f"rank({x.signs}) ≤ {r.signs}", of=x)),
    Rule("pred", "a matrix of rank <np>", lambda r: lambda x: claim(f"rank({x.signs}) = {r.signs}", of=x)),
)
