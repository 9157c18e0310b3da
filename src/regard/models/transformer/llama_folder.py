"""What makes a Transformer's folder one that Hugging Face's libraries open.

    AutoModelForCausalLM.from_pretrained(folder)       config.json says how model.safetensors is to be read
    AutoTokenizer.from_pretrained(folder)              tokenizer.json, tokenizer_config.json
    model.generate(…)                                  generation_config.json

The ids are those of our tokeniser. Nothing is marked as a special token, not even the unknown one: the characters
"<unk>" in a text are five characters, as everywhere in Regard.
"""

from __future__ import annotations

from typing import Any

from regard.models.base import ForeignFiles
from regard.models.folder import json_bytes
from regard.models.network import start_id
from regard.models.transformer.network import EPSILON, TransformerConfig
from regard.text.tokenise.characters import REPLACEMENT, ByteTokeniser
from regard.text.tokenise.tokens import UNKNOWN, Tokeniser


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
