"""A character model as one file that a browser reads: tensors, sizes, alphabet and figures together.

The file is safetensors; what is no tensor stands in its header, as JSON under the key "regard":

    {"kind": "transformer", "config": {sizes}, "vocabulary": ["<unk>", "\\n", " ", …], "start": id, "facts": {…}}

The numbers that ship are in half precision, half the size; `web/engine/transformer.js` reads and runs the file. A GRU
has the kind "recurrent", for `web/engine/recurrent.js`.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from regard.errors import CheckpointError, MethodError
from regard.models.background import assemble_background, digest
from regard.models.base import LanguageModel
from regard.models.network import start_id
from regard.models.recurrent.network import RecurrentModel
from regard.models.transformer.model import TransformerModel
from regard.text.tokenise.tokens import CharacterTokeniser

SHIPPED = "shakespeare.safetensors"
MAX_BYTES = 1_000_000
"""Of a file that ships with the package."""


def page_model_bytes(
    model: LanguageModel, *, facts: dict[str, Any] | None = None, dtype: type[np.floating] = np.float16
) -> bytes:
    """The file of a character model; `facts` are what a page may say of it, such as its bits per character.

    Raises MethodError for a model that the page cannot run: it has Transformers, and GRUs without context vectors.
    """
    from safetensors.numpy import save

    if not (_is_runnable(model) and isinstance(model.tokeniser, CharacterTokeniser)):
        raise MethodError(
            "the page runs Transformers and plain GRUs of characters alone; train one with `regard train transformer`"
        )
    about = {
        "kind": model.kind,
        "config": model.config(),
        "vocabulary": list(model.tokeniser.vocabulary),
        "start": start_id(model.tokeniser),
        "facts": facts or {},
    }
    # copies: a tensor that shares memory with another would be written as the other's
    numbers = {name: array.astype(dtype) for name, array in sorted(model.arrays().items())}
    return save(numbers, metadata={"regard": json.dumps(about)})


def _is_runnable(model: LanguageModel) -> bool:
    if isinstance(model, RecurrentModel):
        return model.network.config.cell == "gru" and model.network.contexts is None
    return isinstance(model, TransformerModel)


def read_page_model(data: bytes) -> TransformerModel:
    """The model in such a file, in single precision: what the page computes with."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        length = int.from_bytes(data[:8], "little")
        about = json.loads(json.loads(data[8 : 8 + length])["__metadata__"]["regard"])
        arrays = {name: array.astype(np.float32) for name, array in load(data).items()}
        tokeniser = CharacterTokeniser(about["vocabulary"])
    except (SafetensorError, KeyError, ValueError) as error:
        raise CheckpointError("this is no file of a character Transformer for the page; write it again") from error
    background = assemble_background(tokeniser, [], digest(""), {"facts": about["facts"]})
    return TransformerModel.restore(about["config"], arrays, background)


def surprise_and_next(model: LanguageModel, text: str) -> dict[str, list[float]]:
    """The surprise of each character in bits, and log₂ p of every character that may come next."""
    ids = model.tokeniser.encode(text).ids
    reader = model.reader()
    for token in ids.tolist():
        reader.read(token)
    bits = -model.token_log_probs(ids) / np.log(2)
    return {"bits": bits.tolist(), "next": (reader.next_log_probs() / np.log(2)).tolist()}


def shipped_bytes() -> bytes:
    """The file of the model that ships with the package."""
    return files("regard.lab").joinpath("web", "models", SHIPPED).read_bytes()


@lru_cache(maxsize=1)
def shipped_model() -> TransformerModel:
    """The model that ships with the package: a small Transformer of Shakespeare's characters; kept in memory."""
    return read_page_model(shipped_bytes())
