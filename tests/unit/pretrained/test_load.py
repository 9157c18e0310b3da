"""Models are opened with what is known of them, and what cannot be opened is refused in one line."""

import json
import shutil

import pytest
import torch
from tests.support.pretrained import STORY, stories_folder, transformers_library, word_tokenizer

from regard.errors import CheckpointError, NothingScoredError, ValueRangeError
from regard.pretrained import load
from regard.pretrained.load import load_pretrained, token_blocks


@pytest.fixture
def folder(tmp_path, layout_folder):
    """A copy of a tiny model's folder, to be damaged."""
    return shutil.copytree(layout_folder("gpt2"), tmp_path / "model")


def refusal(folder):
    with pytest.raises(CheckpointError) as caught:
        load_pretrained(folder)
    line = str(caught.value)
    assert "\n" not in line
    return line


def test_what_is_known_of_each_model(layout_folder):
    known = {name: repr(load.load_pretrained(layout_folder(name))).split(", ", 1)[1] for name in ("gpt2", "roberta")}
    assert known == {
        "gpt2": "decoder, 2 layers × 2 heads of 8)",
        "roberta": "encoder, 2 layers × 2 heads of 8)",
    }


def test_the_trained_models(stories, minilm):
    assert repr(stories).endswith("stories260k', decoder, 5 layers × 8 heads of 8, 4 key heads)")
    assert repr(minilm).endswith("encoder, 6 layers × 12 heads of 32)")
    assert stories.rotary is not None
    assert minilm.rotary is None
    assert minilm.has_unrotated
    assert (stories.max_positions, minilm.max_positions) == (512, 512)
    ids = stories.model.generate(torch.tensor([[1]]), max_length=40, do_sample=False, pad_token_id=0)
    assert "Once upon a time, there was a little girl named Lily." in stories.tokenizer.decode(ids[0])


def test_the_output_projection_is_what_the_layer_applies(pretrained):
    attention = pretrained.attentions[0]
    heads = torch.randn(3, pretrained.n_heads * pretrained.head_width, generator=torch.manual_seed(0))
    with torch.no_grad():
        change = attention.output(heads) - attention.output(0 * heads)
        assert (heads @ attention.output_weight.T - change).abs().max() <= 1e-5


def test_positions_of_roberta_begin_after_its_padding(layout_folder):
    roberta = load.load_pretrained(layout_folder("roberta"))
    assert roberta.max_positions == 64
    blocks = token_blocks(roberta, ["cat " * 200])
    assert max(map(len, blocks)) == 64
    with torch.no_grad():
        roberta.model(torch.tensor(blocks[:1]))


def test_no_model(tmp_path):
    transformers_library()
    (tmp_path / "file").write_text("x")
    assert refusal(tmp_path / "file") == f"{tmp_path}/file is a file; give the folder of a model, with its config.json"
    assert refusal(tmp_path) == f"{tmp_path} holds no model: there is no config.json in it"
    (tmp_path / "config.json").write_text("{")
    assert refusal(tmp_path).startswith(f"{tmp_path}/config.json is not JSON: ")
    (tmp_path / "config.json").write_text('{"kind": "ngram"}')
    assert "describes no Transformer" in refusal(tmp_path)


def test_pickles_are_not_read(folder):
    (folder / "model.safetensors").unlink()
    assert refusal(folder) == f"{folder} has no weights as .safetensors"
    (folder / "pytorch_model.bin").write_bytes(b"x")
    assert refusal(folder).endswith("; pytorch_model.bin is not read, for it could run code: convert it to safetensors")


def test_code_of_a_model_is_not_run(folder):
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "auto_map": {"AutoModel": "code.Model"}}))
    assert "brings code of its own" in refusal(folder)


def test_weights_that_are_missing_or_damaged(folder):
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    del weights["transformer.h.0.attn.c_attn.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    assert refusal(folder) == (
        f"{folder} lacks 1 of the model's tensors, the first of them transformer.h.0.attn.c_attn.weight"
    )
    (folder / "model.safetensors").write_bytes(b"damaged")
    assert refusal(folder).startswith(f"{folder} cannot be loaded: ")


def test_an_attention_of_another_kind_is_refused_with_what_was_found(tmp_path):
    """Mamba has no attention; MPT computes its own."""
    transformers = transformers_library()
    word_tokenizer(transformers, is_roberta=False).save_pretrained(tmp_path)
    config = transformers.MptConfig(d_model=16, n_heads=2, n_layers=1, vocab_size=40, max_seq_len=32)
    transformers.MptModel(config).save_pretrained(tmp_path)
    line = refusal(tmp_path)
    assert line.startswith(f"the attention of {tmp_path} cannot be captured: ")
    assert "MptAttention" in line


def test_the_hub_is_asked_where_there_is_no_folder(monkeypatch, tmp_path):
    transformers_library()
    monkeypatch.chdir(tmp_path)
    assert refusal("nobody/nothing").startswith(
        "nobody/nothing is no folder here, and the Hugging Face hub gave no model of that name: "
    )


def test_a_model_of_the_hub_is_fetched_without_its_pickles(monkeypatch, tmp_path):
    transformers_library()
    import huggingface_hub

    asked = {}

    def snapshot_download(name, **options):
        asked.update(options, name=name)
        return str(stories_folder())

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    monkeypatch.chdir(tmp_path)
    assert load_pretrained("someone/stories").n_layers == 5
    assert asked["name"] == "someone/stories"
    assert not any(pattern.endswith("bin") for pattern in asked["allow_patterns"])


def test_blocks_have_the_marks_that_the_model_expects(minilm, stories):
    blocks = token_blocks(minilm, [STORY], block=16)
    assert {(block[0], block[-1]) for block in blocks} == {(101, 102)}
    assert [len(block) for block in blocks[:-1]] == [16] * (len(blocks) - 1)
    bare = minilm.tokenizer(STORY, add_special_tokens=False)["input_ids"]
    assert [token for block in blocks for token in block[1:-1]] == bare
    assert token_blocks(stories, [STORY])[0][0] == 1
    assert sum(map(len, token_blocks(minilm, [STORY, STORY], max_tokens=90))) == 90 + 4


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "the text has no token; give a text with at least two words"),
        ("cat", "the text has one token, which has nothing to read but itself; give a longer text"),
    ],
)
def test_too_little_text(minilm, text, line):
    with pytest.raises(NothingScoredError) as caught:
        token_blocks(minilm, [text])
    assert str(caught.value) == line


def test_a_block_longer_than_the_positions(gpt2):
    with pytest.raises(ValueRangeError, match=r"at most the 64 that .* reads at once; got 65"):
        token_blocks(gpt2, [STORY], block=65)
