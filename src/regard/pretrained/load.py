"""A pretrained Transformer from a folder, or from the Hugging Face hub by its name.

Weights are read from safetensors alone: a pickle can run code, and so can a model that brings its own Python, so both
are refused. `token_blocks` makes of a text what such a model reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from regard.errors import CheckpointError, MissingExtraError, NothingScoredError, ValueRangeError
from regard.pretrained import capture
from regard.pretrained.capture import Rotary
from regard.shapes import Float

HUB_FILES = ["*.json", "*.safetensors", "*.txt", "*.model"]
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".h5", ".msgpack")
OUTPUT_PROJECTIONS = ("o_proj", "c_proj", "out_proj")
"""What the linear map after the heads is called inside an attention module, in different families."""
MAX_POSITIONS = 512
"""Taken where neither the model nor its tokeniser says how many positions it has."""


@dataclass(frozen=True)
class AttentionModule:
    """The attention of one layer: where it is in the model, and the linear map that mixes its heads."""

    name: str
    module: nn.Module
    output: nn.Module

    @property
    def output_weight(self) -> Float[Tensor, "hidden width"]:
        """W_O: the layer adds W_O times the heads' outputs, which stand one after another."""
        weight = self.output.weight
        assert isinstance(weight, Tensor)
        # GPT-2 keeps its linear maps transposed, in a class of its own
        return weight.T if type(self.output).__name__ == "Conv1D" else weight


@dataclass(frozen=True)
class Pretrained:
    """A model whose attention can be captured."""

    name: str
    model: Any
    tokenizer: Any
    is_decoder: bool
    attentions: tuple[AttentionModule, ...]
    n_heads: int
    n_key_heads: int
    head_width: int
    max_positions: int
    rotary: Rotary | None
    """How positions reach the keys; None where they are not rotary, or of a kind that is not known."""
    has_unrotated: bool
    """Whether keys can be had before rotary positions; true as well where there are none."""

    @property
    def n_layers(self) -> int:
        """How many layers attend."""
        return len(self.attentions)

    def __repr__(self) -> str:
        shared = "" if self.n_key_heads == self.n_heads else f", {self.n_key_heads} key heads"
        kind = "decoder" if self.is_decoder else "encoder"
        return (
            f"Pretrained({self.name!r}, {kind}, {self.n_layers} layers × {self.n_heads} heads of "
            f"{self.head_width}{shared})"
        )


def load_pretrained(name_or_folder: str | Path) -> Pretrained:
    """The model in this folder; where there is no such folder, the model of this name from the hub.

    Raises CheckpointError where it cannot be loaded or its attention not be captured, with the reason.
    """
    try:
        import transformers
    except ImportError:
        raise MissingExtraError("pretrained models need transformers: pip install 'regard[pretrained]'") from None
    folder = Path(name_or_folder)
    if not folder.exists():
        folder = fetch_folder(str(name_or_folder))
    check_folder(folder)
    capture.register()
    with _quiet(transformers):
        try:
            model = _load_model(transformers, str(folder))
            tokenizer = transformers.AutoTokenizer.from_pretrained(
                str(folder), trust_remote_code=False, local_files_only=True
            )
        except CheckpointError:
            raise
        except Exception as error:  # whatever a library says of a folder that it cannot read
            raise CheckpointError(f"{name_or_folder} cannot be loaded: {_one_line(error)}") from error
    return _describe(str(name_or_folder), model.eval(), tokenizer)


def fetch_folder(name: str) -> Path:
    """Fetch the hub's model of this name, and return its folder; safetensors, settings and tokeniser only."""
    import huggingface_hub
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    try:
        return Path(huggingface_hub.snapshot_download(name, allow_patterns=HUB_FILES))
    except (OSError, ValueError, HfHubHTTPError, HFValidationError) as error:
        raise CheckpointError(
            f"{name} is no folder here, and the Hugging Face hub gave no model of that name: {_one_line(error)}"
        ) from error


def check_folder(folder: Path) -> None:
    """Say what is wrong with a folder before a library tries to read it."""
    if not folder.is_dir():
        raise CheckpointError(f"{folder} is a file; give the folder of a model, with its config.json")
    config = folder / "config.json"
    if not config.is_file():
        raise CheckpointError(f"{folder} holds no model: there is no config.json in it")
    try:
        entries = json.loads(config.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{config} is not JSON: {error}") from None
    if not isinstance(entries, dict) or "model_type" not in entries:
        raise CheckpointError(
            f'{config} describes no Transformer: it has no "model_type"; give a model of Hugging Face\'s kind, or one '
            "of `regard train transformer`"
        )
    if entries.get("auto_map"):
        raise CheckpointError(f'{folder} brings code of its own ("auto_map" in config.json), which is never run')
    if not any(folder.glob("*.safetensors")):
        pickles = sorted(path.name for path in folder.iterdir() if path.suffix in PICKLES)
        found = f"; {pickles[0]} is not read, for it could run code: convert it to safetensors" if pickles else ""
        raise CheckpointError(f"{folder} has no weights as .safetensors{found}")


def _load_model(transformers: Any, folder: str) -> Any:
    """The model with its language-model head where its configuration names one, else the bare network."""
    options = {"trust_remote_code": False, "local_files_only": True}
    config = transformers.AutoConfig.from_pretrained(folder, **options)
    has_head = any(str(each).endswith(("ForCausalLM", "LMHeadModel")) for each in config.architectures or ())
    loader = transformers.AutoModelForCausalLM if has_head else transformers.AutoModel
    model, report = loader.from_pretrained(
        folder,
        use_safetensors=True,
        attn_implementation="eager",
        dtype=torch.float32,
        output_loading_info=True,
        **options,
    )
    missing = sorted(name for name in report["missing_keys"] if "pooler" not in name)  # many are published without
    if missing:
        raise CheckpointError(f"{folder} lacks {len(missing)} of the model's tensors, the first of them {missing[0]}")
    return model


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """Without the bars and advice that transformers prints while it loads."""
    logging = transformers.utils.logging
    level, has_bar = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if has_bar:
            logging.enable_progress_bar()


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]


def _describe(name: str, model: Any, tokenizer: Any) -> Pretrained:
    """Find the attention of every layer by watching the model read a few tokens."""
    try:
        found = capture.find_structure(model)
    except Exception as error:  # whatever a model says that takes something else than ids
        raise CheckpointError(f"the attention of {name} cannot be captured: {_one_line(error)}") from error
    if found is None:
        kinds = sorted({type(module).__name__ for module in model.modules() if "ttention" in type(module).__name__})
        raise CheckpointError(
            f"the attention of {name} cannot be captured: none of its modules asks for an attention function"
            f" (found: {', '.join(kinds) or 'no attention at all'})"
        )
    return Pretrained(
        name=name,
        model=model,
        tokenizer=tokenizer,
        is_decoder=found.is_causal,
        attentions=tuple(_attention_module(name, model, module) for module in found.modules),
        n_heads=found.n_heads,
        n_key_heads=found.n_key_heads,
        head_width=found.head_width,
        max_positions=_max_positions(model.config, tokenizer),
        rotary=found.rotary,
        has_unrotated=found.has_unrotated,
    )


def _max_positions(config: Any, tokenizer: Any) -> int:
    """How many tokens the model reads at once; RoBERTa's table of positions begins after its padding token."""
    positions = int(getattr(config, "max_position_embeddings", None) or MAX_POSITIONS)
    if config.model_type in ("roberta", "xlm-roberta", "camembert"):
        positions -= int(config.pad_token_id) + 1
    return min(positions, int(tokenizer.model_max_length))


def _attention_module(name: str, model: nn.Module, module: nn.Module) -> AttentionModule:
    """Where an attention module is, and its output projection: inside it, or beside it as BERT has it."""
    place = next(path for path, each in model.named_modules() if each is module)
    for attribute in OUTPUT_PROJECTIONS:
        if hasattr(module, attribute):
            return AttentionModule(place, module, getattr(module, attribute))
    parent = model.get_submodule(place.rpartition(".")[0])
    output = getattr(getattr(parent, "output", None), "dense", None)
    if output is None:
        raise CheckpointError(
            f"the attention of {name} cannot be captured: {place} ({type(module).__name__}) has no output projection"
            f" that is known ({', '.join(OUTPUT_PROJECTIONS)}, or output.dense beside it)"
        )
    return AttentionModule(place, module, output)


def token_blocks(
    pretrained: Pretrained, texts: list[str], *, block: int | None = None, max_tokens: int | None = None
) -> list[list[int]]:
    """The texts as ids, each in blocks of at most `block` ids with the marks that the model expects at their ends.

    Of all texts together the first `max_tokens` are taken, marks not counted. Raises NothingScoredError where no
    block has two tokens of the text, for a single one has nothing to read but itself.
    """
    before, after = special_tokens(pretrained.tokenizer)
    size = _block_size(pretrained, block) - len(before) - len(after)
    left = max_tokens
    blocks: list[list[int]] = []
    n_longest = 0
    for text in texts:
        ids = pretrained.tokenizer(text, add_special_tokens=False, truncation=False, verbose=False)["input_ids"][:left]
        left = None if left is None else left - len(ids)
        cut = [ids[start : start + size] for start in range(0, len(ids), size)]
        n_longest = max([n_longest, *map(len, cut)])
        blocks += [[*before, *part, *after] for part in cut]
    if n_longest == 0:
        raise NothingScoredError("the text has no token; give a text with at least two words")
    if n_longest == 1:
        raise NothingScoredError("the text has one token, which has nothing to read but itself; give a longer text")
    return blocks


def _block_size(pretrained: Pretrained, block: int | None) -> int:
    if block is None:
        return min(MAX_POSITIONS, pretrained.max_positions)
    if not 4 <= block <= pretrained.max_positions:
        raise ValueRangeError(
            f"a block must have 4 tokens or more, and at most the {pretrained.max_positions} "
            f"that {pretrained.name} reads at once; "
            f"got {block}"
        )
    return block


def special_tokens(tokenizer: Any) -> tuple[list[int], list[int]]:
    """The ids that the tokenizer puts before and after a text, such as [CLS] and [SEP]."""
    bare = tokenizer("a", add_special_tokens=False)["input_ids"]
    whole = tokenizer("a", add_special_tokens=True)["input_ids"]
    start = next((place for place in range(len(whole)) if whole[place : place + len(bare)] == bare), 0)
    return whole[:start], whole[start + len(bare) :]
