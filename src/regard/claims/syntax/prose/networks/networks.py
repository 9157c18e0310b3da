"""How many parameters a network with one hidden layer has, from the sizes of its layers.

A network with D inputs, one hidden layer of H units and K outputs, with biases in both layers, has D H + H + H K + K.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.phrases import Clause, Thing, claim


@dataclass(frozen=True)
class Sizes:
    """What a text says of a network: how many inputs, hidden units and outputs, and which layers have biases."""

    inputs: str = ""
    hidden: str = ""
    outputs: str = ""
    biases: str = ""

    def with_all_of(self, other: Sizes) -> Sizes:
        """Both of what is said; of each size once.

        Raises: Unreadable where a size is said twice.
        """
        pairs = [(getattr(self, one), getattr(other, one)) for one in ("inputs", "hidden", "outputs", "biases")]
        if any(first and second for first, second in pairs):
            raise Unreadable
        return Sizes(*(first or second for first, second in pairs))


_BIASES = {"both": (True, True), "none": (False, False), "hidden": (True, False), "output": (False, True)}


def count(sizes: Sizes) -> str:
    """The number of weights and biases.

    Raises: Unreadable where a size, or whether there are biases, is not said.
    """
    if not (sizes.inputs and sizes.hidden and sizes.outputs and sizes.biases):
        raise Unreadable
    in_hidden, in_output = _BIASES[sizes.biases]
    n_in, n_hidden, n_out = (Thing(one).factor for one in (sizes.inputs, sizes.hidden, sizes.outputs))
    terms = [f"{n_in} · {n_hidden}", f"{n_hidden} · {n_out}"] + [n_hidden] * in_hidden + [n_out] * in_output
    return " + ".join(terms)


def _has_parameters(sizes: Sizes, number: Thing, more: Sizes | None = None) -> Clause:
    whole = sizes if more is None else sizes.with_all_of(more)
    total = Thing(count(whole))
    return claim(f"{total.signs} = {number.signs}", of=total)


def _has_sum(sizes: Sizes, total: str) -> Clause:
    sides = total.split("=")
    return claim(*(f"{count(sizes)} = {side.strip()}" for side in sides), of=Thing(count(sizes)))


def _acronym(name: Thing) -> None:
    """An MLP.

    Raises: Unreadable for any other letters.
    """
    if name.signs not in ("MLP", "NN", "FFN"):
        raise Unreadable


_KIND = "feed-forward/feedforward/fully/two-layer/one-hidden-layer/single-hidden-layer/small/neural/dense?"
_ON = "in/on/for/at"

SIZES: tuple[Rule, ...] = (
    Rule(
        "layer_size", "<expr> inputs/input/input-dimensions features/units/dimensions?", lambda n: Sizes(inputs=n.signs)
    ),
    Rule("layer_size", "input dimension/size <expr>", lambda n: Sizes(inputs=n.signs)),
    Rule("layer_size", "<expr> hidden units/neurons/nodes", lambda n: Sizes(hidden=n.signs)),
    Rule("layer_size", "hidden dimension/size/width <expr>", lambda n: Sizes(hidden=n.signs)),
    Rule(
        "layer_size",
        "one/a single? hidden layer of/with size/width? <expr> units/neurons/nodes?",
        lambda n: Sizes(hidden=n.signs),
    ),
    Rule("layer_size", "a hidden layer of/with <expr> units/neurons/nodes", lambda n: Sizes(hidden=n.signs)),
    Rule("layer_size", "<expr> outputs/output/classes units/classes/neurons?", lambda n: Sizes(outputs=n.signs)),
    Rule("layer_size", "output dimension/size <expr>", lambda n: Sizes(outputs=n.signs)),
    Rule("layer_size", "<bias>", lambda bias: bias),
    Rule("bias", f"a? bias/biases vector/vectors? {_ON} each/the/all? layers/layer", lambda: Sizes(biases="both")),
    Rule("bias", "biases everywhere", lambda: Sizes(biases="both")),
    Rule("bias", "bias vectors/terms", lambda: Sizes(biases="both")),
    Rule("bias", "biases", lambda: Sizes(biases="both")),
    Rule("bias", "no bias/biases", lambda: Sizes(biases="none")),
    Rule("bias", f"a? bias/biases only? {_ON} the? hidden layer only?", lambda: Sizes(biases="hidden")),
    Rule("bias", f"a? bias/biases only? {_ON} the? output layer only?", lambda: Sizes(biases="output")),
    Rule("with_sizes", "with/without <sizes>", lambda sizes: sizes),
    Rule("sizes", "<layer_size> ,? and/with? <sizes>", lambda first, rest: first.with_all_of(rest)),
    Rule("sizes", "<layer_size> , and? with? <sizes>", lambda first, rest: first.with_all_of(rest)),
    Rule("sizes", "<layer_size>", lambda size: size),
    Rule("sizes", "no biases", lambda: Sizes(biases="none")),
)

NETWORKS: tuple[Rule, ...] = (
    Rule(
        "net_kind", f"a/an/the/this? {_KIND} connected/neural? neural? network/net/perceptron/mlp/model", lambda: None
    ),
    Rule("net_kind", "a/an/the? <expr>", _acronym),
    Rule("net", "<net_kind> with <sizes>", lambda _, sizes: sizes),
    Rule(
        "net",
        "<net_kind> with <sizes> ,? without biases/bias ,?",
        lambda _, sizes: sizes.with_all_of(Sizes(biases="none")),
    ),
    Rule("net", "<net_kind> with <sizes> ,", lambda _, sizes: sizes),
    Rule("counted", "trainable/learnable/free? parameters/weights in? total/all/altogether?", lambda: None),
    Rule("counted", "trainable/learnable/free? parameters in total", lambda: None),
    Rule("clause", "<net> has <expr> <counted>", lambda sizes, n, _: _has_parameters(sizes, n)),
    Rule("clause", "<net> has <rel> <counted>", lambda sizes, total, _: _has_sum(sizes, total)),
    Rule(
        "clause",
        "<net> has <expr> <counted> if/when/provided layers/each/every? layer? have/has <bias>",
        lambda sizes, n, _, bias: _has_parameters(sizes, n, bias),
    ),
    Rule(
        "clause",
        "<net> has <expr> <counted> if/when/provided layers/each/every layer? have/has a/biases bias?",
        lambda sizes, n, _: _has_parameters(sizes, n, Sizes(biases="both")),
    ),
    Rule(
        "clause",
        "with <sizes> ,? the? total? number of trainable/learnable? parameters is/equals <rel>",
        _has_sum,
    ),
    Rule(
        "clause",
        "with <sizes> ,? the? total? number of trainable/learnable? parameters is/equals <expr>",
        _has_parameters,
    ),
    Rule(
        "clause", "the? total? number of trainable/learnable? parameters of/in <net> is/equals <expr>", _has_parameters
    ),
    Rule("clause", "the? total? number of trainable/learnable? parameters of/in <net> is/equals <rel>", _has_sum),
)


_USUAL = Sizes("D_x", "H", "D_y", "both")
"""The sizes of a network by the letters that the course has for them."""


def _in_usual_letters(total: Thing, said: Sizes | None = None) -> Clause:
    """(D_x + 1) H + (H + 1) D_y, of a network of which no size is told.

    Raises: Unreadable where other letters stand there.
    """
    signs = total.signs.replace("{", "").replace("}", "")
    if set(re.findall(r"[A-Za-z](?:_[A-Za-z])?", signs)) != {"D_x", "H", "D_y"}:
        raise Unreadable
    sizes = _USUAL if said is None else Sizes("D_x", "H", "D_y", said.biases)
    return claim(f"{count(sizes)} = {total.signs}", of=total)


_PARAMETERS = "the? total? number of trainable/learnable? parameters <of_the_net>?"
USUAL: tuple[Rule, ...] = (
    Rule("of_the_net", "of/in the/this? network/model/net", lambda: None),
    Rule("clause", f"{_PARAMETERS} is/equals <expr>", lambda _, total: _in_usual_letters(total)),
    Rule(
        "clause",
        f"{_PARAMETERS} is/equals <expr> ,? with/including/counting <bias>",
        lambda _, total, bias: _in_usual_letters(total, bias),
    ),
    Rule(
        "clause",
        f"{_PARAMETERS} is/equals <expr> ,? without any? biases/bias",
        lambda _, total: _in_usual_letters(total, Sizes(biases="none")),
    ),
    Rule(
        "clause",
        f"{_PARAMETERS} ,? with/including/counting <bias> ,? is/equals <expr>",
        lambda _, bias, total: _in_usual_letters(total, bias),
    ),
    Rule("clause", "there are <expr> <counted>", lambda total, _: _in_usual_letters(total)),
    Rule("clause", "the/this? network/model/net has <expr> <counted>", lambda total, _: _in_usual_letters(total)),
    Rule(
        "clause",
        "the/this? network/model/net has <expr> <counted> ,? with/including/counting <bias>",
        lambda total, _, bias: _in_usual_letters(total, bias),
    ),
)

RULES: tuple[Rule, ...] = (*SIZES, *NETWORKS, *USUAL)
