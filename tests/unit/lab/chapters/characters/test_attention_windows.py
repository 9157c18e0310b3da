"""Where heads look, against what the network itself does and a plain loop."""

import cmath
import math

import numpy as np
import pytest
import torch

from regard.lab.chapters.characters.attention_windows import (
    START,
    attention_columns,
    attention_figure,
    has_heads,
    head_summary,
    n_windows,
    python_for,
    window_attention,
)
from regard.lab.chapters.characters.attention_windows import window_weights as weights_of
from regard.models.network import before
from regard.models.transformer.model import TransformerModel, scoring_windows
from regard.models.transformer.network import TransformerConfig, TransformerNetwork, rotary_frequencies
from regard.models.transformer.previous_token_init import previous_token_start
from regard.training.network.validation import encode_training_text
from regard.training.ngram import train_ngram

TEXT = "to be or not to be, that is the question: whether 'tis nobler"


@pytest.fixture(scope="module")
def model():
    given = encode_training_text(TEXT * 20, unit="char")
    config = TransformerConfig(given.vocab, width=16, layers=2, heads=2, hidden=12, context=16, stride=8)
    network = TransformerNetwork(config)
    previous_token_start(network, np.random.default_rng(0))
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.3 * torch.randn(parameter.shape, generator=generator))
    return TransformerModel(network.double(), given.background)


def given_ids(model, text):
    return torch.from_numpy(before(model.tokeniser.encode(text).ids, model.tokeniser).astype(np.int64))


def test_values_mixed_by_these_weights_are_what_the_network_reads(model):
    decoder, ids = model.network.model, given_ids(model, TEXT[:16])
    weights = torch.from_numpy(weights_of(model, ids))
    with torch.no_grad():
        x = decoder.embed_tokens(ids[None])
        for layer, of_layer in zip(decoder.layers, weights, strict=True):
            normed = layer.input_layernorm(x)
            _, values = layer.self_attn.project(normed)
            read = torch.einsum("hij,jhw->ihw", of_layer, values[0]).flatten(1)
            own, _, _ = layer.self_attn(normed, decoder.cos[:16], decoder.sin[:16], ())
            torch.testing.assert_close(layer.self_attn.o_proj(read), own[0])
            x, _, _ = layer(x, decoder.cos[:16], decoder.sin[:16], ())


def test_a_row_of_the_first_layer_by_a_plain_loop(model):
    ids, config = given_ids(model, TEXT[:12]), model.network.config
    decoder, width = model.network.model, config.head_width
    attention, frequencies = decoder.layers[0].self_attn, rotary_frequencies(config).tolist()
    with torch.no_grad():
        normed = decoder.layers[0].input_layernorm(decoder.embed_tokens(ids[None]))[0]
        queries, keys = attention.q_proj(normed).numpy(), attention.k_proj(normed).numpy()

    def turned(vector, place):
        pairs = [complex(vector[f], vector[f + width // 2]) for f in range(width // 2)]
        return [pair * cmath.exp(1j * place * angle) for pair, angle in zip(pairs, frequencies, strict=True)]

    head, i = 1, 9
    own = slice(head * width, (head + 1) * width)
    query = turned(queries[i, own], i)
    logits = [
        sum((a * b.conjugate()).real for a, b in zip(query, turned(keys[j, own], j), strict=True)) / math.sqrt(width)
        for j in range(i + 1)
    ]
    expected = np.exp(logits) / np.exp(logits).sum()
    row = weights_of(model, ids)[0, head, i]
    np.testing.assert_allclose(row[: i + 1], expected, rtol=1e-6)
    assert (row[i + 1 :] == 0).all()


def test_windows_are_those_that_the_model_scores(model):
    windows = [window for batch, _ in scoring_windows(given_ids(model, TEXT), model.network.config) for window in batch]
    assert n_windows(model, TEXT) == len(windows)
    characters = START + TEXT[:-1]
    for number, ids in enumerate(windows, start=1):
        attention = window_attention(model, TEXT, window=number)
        assert "".join(attention.characters) == characters[8 * (number - 1) :][:16]
        np.testing.assert_allclose(attention.weights, weights_of(model, ids))
        np.testing.assert_allclose(attention.weights.sum(axis=-1), 1)
    assert window_attention(model, TEXT, window=99).characters == attention.characters


@pytest.mark.parametrize("n_characters", [1, 16, 17, 24, 25])
def test_short_texts_have_their_windows(model, n_characters):
    ids = given_ids(model, TEXT[:n_characters])
    assert n_windows(model, TEXT[:n_characters]) == sum(len(b) for b, _ in scoring_windows(ids, model.network.config))
    attention = window_attention(model, TEXT[:n_characters], window=1)
    assert attention_figure(attention, layer=0, head=0).axes


def test_a_head_made_to_look_one_back_does(model):
    network = TransformerNetwork(TransformerConfig(len(model.tokeniser.vocabulary), context=32, stride=16))
    previous_token_start(network, np.random.default_rng(0))
    attention = window_attention(TransformerModel(network, model.background), TEXT, window=1)
    for head in range(4):
        assert attention.weights[0, head, 20].argmax() == 20 - (head + 1)
    assert head_summary(attention, layer=0, head=0).startswith("**Layer 1, head 1** looks ")


def test_the_file_has_a_row_for_each_pair_that_may_be_read(model):
    attention = window_attention(model, TEXT, window=1)
    columns = attention_columns(attention, layer=1, head=0)
    assert len(columns["weight"]) == 16 * 17 // 2
    assert columns["read_character"][:3] == [START, START, "t"]
    assert columns["weight"][1] == attention.weights[1, 0, 1, 0]


def test_the_figure_frames_the_chosen_head(model):
    figure = attention_figure(window_attention(model, TEXT, window=2), layer=1, head=0)
    large, *small = [axes for axes in figure.axes if axes.get_title()]
    assert large.get_title() == "layer 2, head 1"
    framed = [axes.get_title() for axes in small if axes.spines["top"].get_linewidth() > 2]
    assert framed == ["layer 2, head 1"]


def test_only_transformers_have_heads(model):
    assert has_heads(model)
    assert not has_heads(train_ngram(TEXT))


def test_the_shown_python_gives_the_shown_weights(model):
    names = {"model": model, "text": TEXT}
    exec(python_for(window=2, layer=2, head=1).replace("print(weights)", ""), names)  # our own text
    np.testing.assert_array_equal(names["weights"], window_attention(model, TEXT, window=2).weights[1, 0])
