"""The parts of a network with one hidden layer in words: the output bias, the first weight matrix, the hidden layer.

A part is a place until the whole text is known; then it gets the letter of the setting one-hidden-layer.
"""

from __future__ import annotations

import re

from regard.claims.syntax.prose.chart import Rule, Unreadable
from regard.claims.syntax.prose.information.perplexity import TOKEN_LOSS, speaks_of_perplexity
from regard.claims.syntax.prose.phrases import CROSS_ENTROPY, LOGITS, LOSS, PREDICTION, Thing
from regard.claims.syntax.prose.signs import symbols_in

W1, W2, B1, B2 = "⟨W1⟩", "⟨W2⟩", "⟨b1⟩", "⟨b2⟩"
INPUT, HIDDEN, BEFORE_HIDDEN, LABEL = "⟨x⟩", "⟨h⟩", "⟨z1⟩", "⟨y⟩"
WEIGHTS, BIASES = (W1, W2), (B1, B2)
LETTERS = {
    W1: "W_1",
    W2: "W_2",
    B1: "b_1",
    B2: "b_2",
    INPUT: "x",
    HIDDEN: "h",
    BEFORE_HIDDEN: "z_1",
    LABEL: "y",
    LOGITS: "z_2",
    PREDICTION: "\\hat y",
    **dict.fromkeys((LOSS, CROSS_ENTROPY, TOKEN_LOSS), "J"),
}
"""What each part is called in the setting one-hidden-layer."""
SIZES = {W1: "d H", W2: "H m", B1: "H", B2: "m", INPUT: "d", HIDDEN: "H", BEFORE_HIDDEN: "H", LABEL: "m"} | {
    LOGITS: "m",
    PREDICTION: "m",
}
"""How many rows and columns, or entries, a part has."""

_HIDDEN_OF = f"σ({INPUT} {W1} + {B1})"
_PREDICTION_OF = f"softmax({_HIDDEN_OF} {W2} + {B2})"
_OUTPUTS = {
    HIDDEN: _HIDDEN_OF,
    LOGITS: f"({_HIDDEN_OF} {W2} + {B2})",
    PREDICTION: _PREDICTION_OF,
    **dict.fromkeys((LOSS, CROSS_ENTROPY, TOKEN_LOSS), f"(-\\sum_i {LABEL}_i log({_PREDICTION_OF}_i))"),
}
_OF_LOGITS = {
    PREDICTION: f"softmax({LOGITS})",
    **dict.fromkeys((LOSS, CROSS_ENTROPY, TOKEN_LOSS), f"H({LABEL}, softmax({LOGITS}))"),
}
WRITTEN_OUT: dict[str, dict[str, str]] = {**dict.fromkeys((W1, W2, B1, B2, INPUT), _OUTPUTS), LOGITS: _OF_LOGITS}
"""By the part that is changed, what prediction and loss are in its letters."""

_FIRST = "first/hidden/hidden-layer/input-to-hidden"
_SECOND = "second/output/last/final/output-layer/hidden-to-output"
_VECTOR = "vector/vectors/term/terms?"
_ACTIVATIONS = "activations/activation/units/unit/vector/vectors/values/representation/state/layer/outputs/output"
_PRE = "pre-activations/pre-activation/preactivations/preactivation"
_ITS = "the/its/their/this/each/every/all?"
_NET = "the/a/our/this/that network/net/model/mlp"

PARTS: tuple[tuple[str, str], ...] = (
    (B1, f"{_ITS} {_FIRST} bias/biases {_VECTOR}"),
    (B1, f"the bias/biases {_VECTOR} of/in the {_FIRST} layer"),
    (B2, f"{_ITS} {_SECOND} bias/biases {_VECTOR}"),
    (B2, f"the bias/biases {_VECTOR} of/in the {_SECOND} layer"),
    (W1, f"{_ITS} {_FIRST} weight matrix"),
    (W1, f"{_ITS} {_FIRST} weights"),
    (W1, f"{_ITS} first layer's weights"),
    (W1, f"the weights/matrix/weight matrix? of/in the {_FIRST} layer"),
    (W2, f"{_ITS} {_SECOND} weight matrix"),
    (W2, f"{_ITS} {_SECOND} weights"),
    (W2, f"the weights/matrix/weight matrix? of/in the {_SECOND} layer"),
    (INPUT, f"{_ITS} input/inputs/features vector/features/row/layer?"),
    (BEFORE_HIDDEN, f"{_ITS} hidden {_PRE} {_VECTOR}"),
    (BEFORE_HIDDEN, f"the {_PRE} {_VECTOR} of the hidden layer/units"),
    (BEFORE_HIDDEN, "the? input of/to the hidden layer/units"),
    (HIDDEN, f"{_ITS} hidden {_ACTIVATIONS}"),
    (HIDDEN, "the? activations/output/outputs of the hidden layer/units"),
    (LOGITS, f"{_ITS} logits/scores"),
    (LOGITS, f"{_ITS} output {_PRE}/scores/logits"),
    (LABEL, f"{_ITS} one-hot/true/target? label/target/labels/targets vector/distribution?"),
    (PREDICTION, f"{_ITS} network's/model's/network/model? prediction/predictions"),
    (PREDICTION, f"{_ITS} network's/model's/softmax? predicted/output/softmax? probabilities"),
    (PREDICTION, f"{_ITS} predicted/output distribution"),
    (PREDICTION, f"{_ITS} network's/model's output/outputs"),
    (PREDICTION, f"the output/outputs/prediction/predictions of {_NET}"),
)
"""How each part is called in words."""

_NEAR = "all/both/every/each/the"
GROUPS: tuple[tuple[tuple[str, ...], str], ...] = (
    ((W1, W2, B1, B2), f"{_NEAR} the? network's? weights and all? the? biases"),
    ((W1, W2, B1, B2), f"{_NEAR} the? network's? parameters/parameter of/in? the? network/model?"),
    ((W1, W2), f"{_NEAR} the? network's? weights"),
    ((W1, W2), "both/all/the two? weight matrices"),
    ((B1, B2), "both/all/the the? two? biases/bias vectors?"),
)
"""Several parts at once."""


def _named(place: str, letter: Thing | None) -> Thing:
    """The output bias b₂: a letter beside the words has to be that of the setting.

    Raises: Unreadable for another letter.
    """
    if letter is not None and plain_letter(letter.signs) != plain_letter(LETTERS[place]):
        raise Unreadable
    return Thing(place, (), "part")


def plain_letter(signs: str) -> str:
    """A letter without the ways to write it: W₁ and W_{1} are W1.

    >>> plain_letter("W_{1}"), plain_letter("W₁")
    ('W1', 'W1')
    """
    return re.sub(r"[\\{}_ ]|mathbf|boldsymbol", "", signs).translate(str.maketrans("₁₂", "12")).replace("haty", "ŷ")


NAMES: tuple[Rule, ...] = (
    *(Rule("part", f"{words} <sym>?", lambda letter, place=place: _named(place, letter)) for place, words in PARTS),
    *(Rule("parts", words, lambda places=places: places) for places, words in GROUPS),
    Rule("by", "<part>", lambda part: part),
    Rule("base", "<part>", lambda part: part),
)

_SPEAKS = re.compile(
    r"\bhidden\b|\b(?:in|out)put(?:-layer)? (?:bias|weight)|\b(?:first|second|output|last|final) (?:bias|weight|layer)"
    r"|\bweight matri|\bbias(?:es)?\b|\bnetwork|\bparameters?\b",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"tanh|relu|gelu|softplus|\blinear\b|squared error|mse\b|regression|dropout|regulari[sz]|weight decay|batch"
    r"|averag|examples\b|\bmean\b|residual|attention|recurrent|convolution|two hidden|three|deep|embedding"
    r"|without (?:a |any )?bias|no bias|binary",
    re.IGNORECASE,
)
"""Words of networks and losses that are not those of the setting."""
_PLACE = re.compile("|".join(re.escape(one) for one in (W1, W2, B1, B2, INPUT, HIDDEN, BEFORE_HIDDEN)))
_BY_PARAMETER = re.compile(r"∂/∂\\?[Wb]_?\{?[12₁₂]")
_BY_LAYER = re.compile(r"∂/∂(?:h|x|z_?1) \(")
_HAS_WEIGHTS = re.compile(r"(?<![A-Za-z])W_?\{?[12₁₂]")
_ENTRY_OF_CLASS = rf"{PREDICTION}_k"
_NUMBER = re.compile(r"⟨number:\d+⟩")


def names_parts(text: str) -> bool:
    """Whether words name parts of a network with one hidden layer, and no formula says what its letters are.

    >>> [names_parts(f"The gradient with respect to {one} is 0.") for one in ("the output bias", "b_2 = x")]
    [True, False]
    """
    return _SPEAKS.search(text) is not None and _OTHER.search(text) is None and "=" not in text


def name_network(written: str, text: str) -> str:
    """The parts of a network by the letters of its setting; a label alone is y.

    Raises: Unreadable where the words speak of another network, or where a letter may be another thing.
    """
    if re.search(rf"{_ENTRY_OF_CLASS}", written) and f"{LABEL}_k = 1" not in written:
        raise Unreadable  # the predicted probability of which class?
    if _PLACE.search(written) is None and not _is_by_parameter(written, text):
        return _name_softmax(written, text)
    if (
        _OTHER.search(text)
        or not (_SPEAKS.search(text) or _BY_PARAMETER.search(written) or _HAS_WEIGHTS.search(written))
        or _has_other_letters(written)
    ):
        raise Unreadable
    numbers = list(dict.fromkeys(_NUMBER.findall(written)))
    if len(numbers) > 1:
        raise Unreadable
    written = re.sub(rf"({B1}|{B2}|{HIDDEN}|{INPUT}) ([+-]) (⟨number:\d+⟩|\|⟨number:\d+⟩\|)", r"\1 \2 \3 1^T", written)
    for number in numbers:
        written = written.replace(number, "κ")
    return _with_letters(_by_entries(written), LETTERS)


def _is_by_parameter(written: str, text: str) -> bool:
    """Whether a loss is differentiated by W_1 or b_2, of which the text says nothing else."""
    is_plain = "=" not in text and _OTHER.search(text) is None and not _has_other_letters(written)
    is_by = _BY_PARAMETER.search(written) or (_BY_LAYER.search(written) and _HAS_WEIGHTS.search(written))
    return is_plain and LOSS in written and is_by is not None


def _with_letters(written: str, letters: dict[str, str]) -> str:
    for place, letter in letters.items():
        written = written.replace(place, letter)
    return written


def _by_entries(written: str) -> str:
    """0 < h < 1 of every entry."""
    written = re.sub(rf"(?<=[<≤>≥] )({HIDDEN}|{PREDICTION})(?= [<≤>≥]|$)", r"\1_i", written)
    return re.sub(
        rf"(?<=Then )({HIDDEN}|{PREDICTION})(?= [<≤>≥])|^({HIDDEN}|{PREDICTION})(?= [<≤>≥])", r"\1\2_i", written
    )


_OF_DISTRIBUTIONS = re.compile(r"(?<![A-Za-z])H\((?!y)\w, ?\w\)")
_TARGET_LETTERS = re.compile(r"(?<![A-Za-z\\])y(?![A-Za-z_])|ŷ|\\hat\s*\{?y\}?")


def _name_softmax(written: str, text: str) -> str:
    """A label, a loss or a prediction of which a text without letters speaks: those of softmax and cross-entropy."""
    places = (LABEL, LOSS, CROSS_ENTROPY, PREDICTION)
    others = text if PREDICTION not in written else _TARGET_LETTERS.sub(" ", text)
    has_letters = re.search(r"(?<![A-Za-z])[B-HJ-Zb-mo-z](?![A-Za-z'’])|[=<>α-ω\\]", others) is not None
    is_plain = not has_letters and _OTHER.search(text) is None and not speaks_of_perplexity(text)
    is_own = LABEL in written or f"{PREDICTION}_k" in written
    if PREDICTION in written and (_OF_DISTRIBUTIONS.search(written) or (not is_plain and CROSS_ENTROPY in written)):
        raise Unreadable  # the cross-entropy of which distributions?
    if not is_plain or not is_own or not any(one in written for one in places):
        return written.replace(LABEL, "y")
    return _with_letters(_by_entries(written), LETTERS | {LOGITS: "θ", LOSS: "CE", CROSS_ENTROPY: "CE"})


def _has_other_letters(written: str) -> bool:
    """Whether the text has letters that the setting does not know, or may mean other things by."""
    bare = re.sub(
        r"⟨[^⟩]*⟩|\bis (?:a |an )?[a-z]+|\bLet\b|\bThen\b|\bdoes not hold\b|\biff\b|\band\b|\bfor all\b", " ", written
    )
    known = {
        "κ",
        "W",
        "b",
        "x",
        "h",
        "z",
        "y",
        "J",
        "σ",
        "\\sum",
        "\\hat",
        "i",
        "j",
        "k",
        "r",
        "t",
        "P",
        "T",
        "m",
        "d",
        "H",
        "u",
    }
    return bool(set(symbols_in(bare)) - known)


RULES: tuple[Rule, ...] = NAMES
