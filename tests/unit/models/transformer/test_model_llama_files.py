"""A Transformer's folder in the hands of Hugging Face's own libraries."""

import json
import os
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors import safe_open
from tests.support.texts import VERSE
from tests.support.transformers import random_model

from regard.models.transformer.model import TransformerModel

TEXTS = [
    VERSE[:300],
    "",
    " ",
    "\n",
    "  two\n\n\nlines\t\r\n ",
    "unknown: ж, 漢, 😀 é",
    "<unk> </s> <s> [INST] <0x0A>",
    "don't, we'll",
    "�",
]


@pytest.fixture(scope="module", params=["char", "byte"])
def opened(request, tmp_path_factory):
    """A model of ours, and the same folder as `transformers` opens it: network, loading report, tokeniser."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # importing it is not what is tested
        transformers = pytest.importorskip("transformers", reason="pip install transformers to open the folder with it")
    transformers.utils.logging.disable_progress_bar()
    model = random_model(VERSE + "é<>\t", unit=request.param, context=64, stride=32, sd=0.1)
    folder = tmp_path_factory.mktemp("llama") / "model"
    model.save(folder)
    network, report = transformers.AutoModelForCausalLM.from_pretrained(folder, output_loading_info=True)
    return model, folder, network, report, transformers.AutoTokenizer.from_pretrained(folder)


def test_every_weight_finds_its_place(opened) -> None:
    _, _, network, report, _ = opened
    assert {kind: list(names) for kind, names in report.items() if names} == {}
    assert type(network).__name__ == "LlamaForCausalLM"
    assert network.dtype == torch.float32


def test_the_logits_are_the_same(opened) -> None:
    model, _, network, _, _ = opened
    ids = torch.from_numpy(np.stack([model.tokeniser.encode(VERSE[i : i + 64]).ids for i in range(0, 600, 50)]))
    with torch.no_grad():
        theirs, (ours, _) = network(ids).logits, model.network(ids)
    assert ours.std() > 0.1  # there is something to compare
    torch.testing.assert_close(theirs, ours, atol=1e-5, rtol=1e-5)


def test_attention_can_be_looked_into(opened) -> None:
    """The first head of the first layer looks back one place, the second one two."""
    _, folder, _, _, tokenizer = opened
    from transformers import AutoModelForCausalLM

    network = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager")
    ids = torch.tensor([tokenizer(VERSE[:40])["input_ids"]])
    with torch.no_grad():
        weights = network(ids, output_attentions=True).attentions[0][0]
    assert weights.shape == (2, 40, 40)
    for head in (0, 1):
        by_distance = [float(weights[head].diagonal(-distance).mean()) for distance in range(10)]
        assert np.argmax(by_distance) == head + 1


@pytest.mark.parametrize("text", TEXTS)
def test_the_ids_are_the_same_and_so_is_the_text_again(opened, text: str) -> None:
    model, _, _, _, tokenizer = opened
    ids = model.tokeniser.encode(text).ids
    assert tokenizer(text)["input_ids"] == ids.tolist()
    assert tokenizer.decode(ids) == model.tokeniser.decode(ids)
    assert tokenizer.decode(ids, skip_special_tokens=True) == model.tokeniser.decode(ids)


def test_every_id_alone_is_the_same_text(opened) -> None:
    model, _, _, _, tokenizer = opened
    for i in range(len(model.tokeniser.vocabulary)):
        assert tokenizer.decode([i]) == model.tokeniser.decode(np.array([i]))
    assert len(tokenizer) == len(model.tokeniser.vocabulary)


def test_it_writes_and_never_the_unknown(opened) -> None:
    model, _, network, _, tokenizer = opened
    torch.manual_seed(0)
    written = network.generate(max_new_tokens=40, num_return_sequences=4)
    start = model.tokeniser.encode("\n").ids[0]
    assert (written[:, 0] == start).all()
    assert model.tokeniser.unknown is None or (written != model.tokeniser.unknown).all()
    assert tokenizer.decode(written[0]) == model.tokeniser.decode(written[0].numpy())


def test_the_folder(opened) -> None:
    model, folder, _, _, _ = opened
    names = {"tokenizer.json", "tokenizer_config.json", "generation_config.json", "config.json", "model.safetensors"}
    assert {path.name for path in folder.iterdir()} == names | {"background.safetensors", "tokeniser.json"}
    config = json.loads((folder / "config.json").read_text())
    assert config["model_type"] == "llama"
    assert config["regard"]["kind"] == "transformer"
    with safe_open(folder / "model.safetensors", "np") as file:
        assert set(file.keys()) == set(model.arrays())


def test_nothing_but_json_and_numbers_is_needed_to_write_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saving imports neither transformers nor tokenizers."""
    for name in ("transformers", "tokenizers"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    model: TransformerModel = random_model()
    model.save(tmp_path / "model")
    assert (tmp_path / "model" / "tokenizer.json").exists()
