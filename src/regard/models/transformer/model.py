"""The Transformer character model: a network that reads windows, seen as a language model of texts of any length.

A text is read in windows of `context` ids. The first window predicts at all of its places, every later one starts
`stride` ids further on and predicts at its last `stride` places, so that each id is predicted once, and all but the
first ones from at least context − stride ids. With context 4 and stride 2:

    ids         s  0  1  2  3  4  5  6  7        s: the start id, before the text
    window 0    s  0  1  2                       predicts  0 1 2 3
    window 1          1  2  3  4                 predicts          4 5
    window 2                3  4  5  6           predicts              6 7

Whoever reads id by id (`TransformerReader`) goes by the same windows, so that scoring and sampling agree. It keeps the
keys and values of the window so far:

    ids so far        the window         taken in anew
    s 0 1 2           s 0 1 2            2
    s 0 1 2 3         1 2 3              1 2 3      the window is full: it moves on by 2
    s 0 1 2 3 4       1 2 3 4            4

Its arithmetic is NumPy's: for one id at a time, what PyTorch does around each operation would take longer than the
operation.

`llama_files` make the model's folder one that Hugging Face's libraries open: config.json says how model.safetensors is
to be read, tokenizer.json and tokenizer_config.json are for AutoTokenizer, generation_config.json for `generate`. The
ids are those of our tokeniser. Nothing is marked as a special token, not even the unknown one: the characters "<unk>"
in a text are five characters, as everywhere in Regard.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from regard.models.background import Background
from regard.models.base import ForeignFiles
from regard.models.folder import json_bytes
from regard.models.network import Network, NetworkModel, log_softmax, previous_ids, restore_network, start_id
from regard.models.transformer.network import EPSILON, Layer, TransformerConfig, TransformerNetwork
from regard.shapes import Float, Int
from regard.text.tokenise.tokens import REPLACEMENT, UNKNOWN, ByteTokeniser, Tokeniser


@dataclass(frozen=True)
class LayerNumbers:
    """The numbers of a layer, each matrix as [in out]; `keys` and `values` are those of the window so far."""

    attention_norm: Float[np.ndarray, " width"]
    projections: Float[np.ndarray, "width projected"]
    projection_biases: Float[np.ndarray, " projected"]
    output: Float[np.ndarray, "width width"]
    output_bias: Float[np.ndarray, " width"]
    gated_norm: Float[np.ndarray, " width"]
    gate: Float[np.ndarray, "width hidden"]
    up: Float[np.ndarray, "width hidden"]
    down: Float[np.ndarray, "hidden width"]
    keys: Float[np.ndarray, "head position head_width"]
    values: Float[np.ndarray, "head position head_width"]

    @classmethod
    def of(cls, layer: Layer, *, context: int) -> LayerNumbers:
        """The numbers of a layer, and room for the keys and values of `context` ids."""
        read, gated = layer.self_attn, layer.mlp
        parts = (read.q_proj, read.k_proj, read.v_proj)
        projections = np.concatenate([_numbers(part.weight) for part in parts])
        room = (read.heads, context, projections.shape[1] // read.heads)
        return cls(
            attention_norm=_numbers(layer.input_layernorm.weight),
            projections=_columns(projections),
            projection_biases=np.concatenate([_numbers(part.bias) for part in parts]),
            output=_columns(_numbers(read.o_proj.weight)),
            output_bias=_numbers(read.o_proj.bias),
            gated_norm=_numbers(layer.post_attention_layernorm.weight),
            gate=_columns(_numbers(gated.gate_proj.weight)),
            up=_columns(_numbers(gated.up_proj.weight)),
            down=_columns(_numbers(gated.down_proj.weight)),
            keys=np.empty(room, projections.dtype),
            values=np.empty(room, projections.dtype),
        )


class TransformerReader:
    """Reads ids one by one, and takes all new ones in at once when it is asked what comes next."""

    def __init__(self, network: TransformerNetwork, *, start_id: int) -> None:
        config = self._config = network.config
        self._embedding = _numbers(network.model.embed_tokens.weight)
        self._layers = [LayerNumbers.of(layer, context=config.context) for layer in network.model.layers]
        self._norm, self._head = _numbers(network.model.norm.weight), _numbers(network.lm_head.weight).T
        cos, sin = (_numbers(table)[:, 0] for table in (network.model.cos, network.model.sin))
        self._cos, self._sin = np.concatenate([cos, cos], -1), np.concatenate([-sin, sin], -1)
        self._window, self._n_taken_in = [start_id], 0
        self._log_probs = np.empty(0)

    def read(self, token: int) -> None:
        """Take in one more id."""
        self._window.append(token)

    def next_log_probs(self) -> Float[np.ndarray, " vocab"]:
        """How likely each id is to come next, in nats."""
        n_over = len(self._window) - self._config.context
        if n_over > 0:
            n_moves = -(-n_over // self._config.stride)
            del self._window[: n_moves * self._config.stride]
            self._n_taken_in = 0
        if self._n_taken_in < len(self._window):
            self._take_in(np.array(self._window[self._n_taken_in :]))
        return self._log_probs.copy()

    def _take_in(self, ids: np.ndarray) -> None:
        """Work out the keys and values of the next ids of the window, and what follows the last of them."""
        here = slice(self._n_taken_in, self._n_taken_in + len(ids))
        x = self._embedding[ids]
        for layer in self._layers:
            x = x + self._attention(layer, normalise(x, layer.attention_norm), here)
            h = normalise(x, layer.gated_norm)
            gate = h @ layer.gate
            x += (gate / (1 + np.exp(-gate)) * (h @ layer.up)) @ layer.down
        logits = (normalise(x[-1:], self._norm) @ self._head)[0].astype(np.float64)
        logits -= logits.max()
        self._log_probs = logits - np.log(np.exp(logits).sum())
        self._n_taken_in = here.stop

    def _attention(self, layer: LayerNumbers, x: Float[np.ndarray, "position width"], here: slice) -> np.ndarray:
        """What the heads read at the places `here`, from all places up to each."""
        heads, width = self._config.heads, self._config.head_width
        projected = (x @ layer.projections + layer.projection_biases).reshape(len(x), 3, heads, width)
        queries, keys, values = projected.transpose(1, 2, 0, 3)
        layer.keys[:, here] = self._rotate(keys, here)
        layer.values[:, here] = values
        logits = self._rotate(queries, here) @ layer.keys[:, : here.stop].mT
        logits *= 1 / np.sqrt(np.array(width, logits.dtype))
        if len(x) > 1:
            is_ahead = np.arange(here.stop) > np.arange(here.start, here.stop)[:, None]
            logits[:, is_ahead] = -np.inf
        weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
        read = weights @ layer.values[:, : here.stop] / weights.sum(axis=-1, keepdims=True)
        return read.transpose(1, 0, 2).reshape(len(x), -1) @ layer.output + layer.output_bias

    def _rotate(self, x: Float[np.ndarray, "head position head_width"], here: slice) -> np.ndarray:
        """Queries or keys turned by their positions."""
        half = x.shape[-1] // 2
        swapped = np.concatenate([x[..., half:], x[..., :half]], axis=-1)
        return x * self._cos[here] + swapped * self._sin[here]


def normalise(x: Float[np.ndarray, "position width"], weight: Float[np.ndarray, " width"]) -> np.ndarray:
    """w ∘ x / √(mean x² + ε)."""
    return x * (weight / np.sqrt(np.vecdot(x, x)[:, None] / x.shape[-1] + np.array(EPSILON, x.dtype)))


def _columns(matrix: np.ndarray) -> np.ndarray:
    """[out in] as [in out], laid out so in memory too: a vector times it is then faster."""
    return np.ascontiguousarray(matrix.T)


def _numbers(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().numpy()


def llama_files(config: TransformerConfig, tokeniser: Tokeniser) -> ForeignFiles:
    """Entries of config.json, and the files of a tokeniser with the same ids."""
    start = start_id(tokeniser)
    settings = {
        # the class that needs no more than tokenizer.json; Llama's own would bring rules for words
        "tokenizer_class": "PreTrainedTokenizerFast",
        "clean_up_tokenization_spaces": False,
        "model_max_length": config.context,
    }
    generation: dict[str, Any] = {"bos_token_id": start, "do_sample": True}
    if tokeniser.unknown is not None:
        generation["suppress_tokens"] = [tokeniser.unknown]
    files = {
        "tokenizer.json": tokenizer_entries(tokeniser),
        "tokenizer_config.json": settings,
        "generation_config.json": generation,
    }
    entries = llama_entries(config, start_id=start)
    return ForeignFiles(entries, {name: json_bytes(value) for name, value in files.items()})


def llama_entries(config: TransformerConfig, *, start_id: int) -> dict[str, Any]:
    """The network in the words of a `LlamaConfig`."""
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": config.vocab,
        "hidden_size": config.width,
        "intermediate_size": config.hidden,
        "num_hidden_layers": config.layers,
        "num_attention_heads": config.heads,
        "num_key_value_heads": config.heads,
        "max_position_embeddings": config.context,
        "rope_parameters": {"rope_type": "default", "rope_theta": config.theta},
        "rope_theta": config.theta,  # where versions before 5 look for it
        "rms_norm_eps": EPSILON,
        "hidden_act": "silu",
        "attention_bias": True,
        "mlp_bias": False,
        "tie_word_embeddings": False,
        "bos_token_id": start_id,
        "eos_token_id": None,  # a text has no end; without this entry 2 would be taken for it
        "pad_token_id": None,
        "dtype": "float32",
    }


def tokenizer_entries(tokeniser: Tokeniser) -> dict[str, Any]:
    """The tokeniser as tokenizer.json: the rules that cut, the vocabulary, the rules that join again."""
    rules = _byte_rules() if isinstance(tokeniser, ByteTokeniser) else _character_rules(tokeniser)
    nothing: dict[str, Any] = {
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "post_processor": None,
    }
    return {"version": "1.0", **nothing, **rules}


def _character_rules(tokeniser: Tokeniser) -> dict[str, Any]:
    """Every character, line ends and spaces too, is a word of the vocabulary."""
    ids = {character: i for i, character in enumerate(tokeniser.vocabulary)}
    shown = {"type": "Replace", "pattern": {"String": UNKNOWN}, "content": REPLACEMENT}
    return {
        "pre_tokenizer": {"type": "Split", "pattern": {"Regex": r"[\s\S]"}, "behavior": "Isolated", "invert": False},
        "model": {"type": "WordLevel", "vocab": ids, "unk_token": UNKNOWN},
        "decoder": {"type": "Sequence", "decoders": [shown, {"type": "Fuse"}]},
    }


def _byte_rules() -> dict[str, Any]:
    """Every byte is a token: pairs are never merged."""
    as_bytes = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    names = {name: byte for byte, name in enumerate(byte_characters())}
    return {
        "pre_tokenizer": as_bytes,
        "model": {"type": "BPE", "vocab": names, "merges": [], "fuse_unk": False, "byte_fallback": False},
        "decoder": as_bytes,
    }


def byte_characters() -> list[str]:
    """The character that byte-level tokenisers write for each byte: itself if it can be seen in Latin-1.

    The others, which are spaces and controls, are numbered from U+0100 on.

    >>> [byte_characters()[byte] for byte in (65, 32, 10, 233)]
    ['A', 'Ġ', 'Ċ', 'é']
    """
    seen = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    unseen = {byte: 0x100 + i for i, byte in enumerate(sorted(set(range(256)) - set(seen)))}
    return [chr(unseen.get(byte, byte)) for byte in range(256)]


IDS_AT_ONCE = 2048
"""As many windows are read together as have about this many ids; with more, a layer's numbers outgrow the cache."""


@dataclass(frozen=True, repr=False)
class TransformerModel(NetworkModel):
    """A language model whose predictions are a Transformer's."""

    kind: ClassVar[str] = "transformer"
    network: TransformerNetwork

    def next_log_probs_along(self, ids: Int[np.ndarray, " position"]) -> Iterator[Float[np.ndarray, "position vocab"]]:
        """ln p(every id | the ids before it in its window) at each position, piece by piece."""
        given = torch.from_numpy(previous_ids(ids, self.tokeniser).astype(np.int64))
        for windows, n_predicted in scoring_windows(given, self.network.config):
            with torch.inference_mode():
                logits, _ = self.network(windows)
            yield log_softmax(logits[:, -n_predicted:].flatten(0, 1))

    def logits_along(
        self, network: Network, given: Int[Tensor, " position"], *, size: int
    ) -> Iterator[Float[Tensor, "position vocab"]]:
        """What follows each id by `network`, window by window; of a first window, at most `size` ids at a time."""
        for windows, n_predicted in scoring_windows(given, self.network.config):
            for window in windows:
                for end in range(len(window) - n_predicted, len(window), size):
                    read = window[: end + size]
                    yield network(read[None])[0][0, end:]

    def reader(self) -> TransformerReader:
        """A reader that has read nothing yet."""
        return TransformerReader(self.network, start_id=start_id(self.tokeniser))

    def config(self) -> dict[str, Any]:
        """The sizes of the network."""
        return asdict(self.network.config)

    @classmethod
    def restore(cls, config: dict[str, Any], arrays: dict[str, np.ndarray], background: Background) -> TransformerModel:
        """The model that `config` and `arrays` came from, in the precision of the arrays."""
        network = restore_network(TransformerConfig, TransformerNetwork, config, arrays, name="Transformer")
        return cls(network, background)

    def for_other_tools(self) -> ForeignFiles:
        """What makes the folder one that Hugging Face's libraries open."""
        return llama_files(self.network.config, self.tokeniser)


def scoring_windows(
    given: Int[Tensor, " position"], config: TransformerConfig
) -> Iterator[tuple[Int[Tensor, "batch position"], int]]:
    """Windows that are read together, and how many places at the end of each predict something.

    >>> config = TransformerConfig(vocab=9, context=4, stride=2)
    >>> [(windows.tolist(), n) for windows, n in scoring_windows(torch.arange(7), config)]
    [([[0, 1, 2, 3]], 4), ([[2, 3, 4, 5]], 2), ([[4, 5, 6]], 1)]
    """
    context, stride = config.context, config.stride
    if len(given):
        yield given[None, :context], min(context, len(given))
    later = given[stride:]
    n_whole = max(0, (len(later) - context) // stride + 1)
    if n_whole:
        for windows in later.unfold(0, context, stride).split(max(1, IDS_AT_ONCE // context)):
            yield windows, stride
    rest = later[n_whole * stride :]
    if len(rest) > context - stride:
        yield rest[None], len(rest) - (context - stride)
