"""The character Transformer in the page: its logits are torch's, and a damaged file is refused in one line."""

import base64
import json

import numpy as np
import pytest
import torch
from tests.support.transformers import random_model

from regard.lab.chapters.characters.page_model import page_model_bytes, read_page_model, shipped_bytes
from regard.models.network import start_id

LOAD = """async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    globalThis.transformer = await import('/transformer.js');
    try {
        globalThis.model = transformer.readTransformer(bytes.buffer);
        return null;
    } catch (error) { return error.message; }
}"""
READ = """([text, heads]) => {
    const reader = transformer.createReader(model, {heads: heads ?? null});
    const rows = [];
    for (const id of transformer.encodeText(model, text)) {
        rows.push(Array.from(reader.logits()));
        reader.read(id);
    }
    rows.push(Array.from(reader.logits()));
    const attention = reader.attention().map((layer) => layer.map((head) => head.map((row) => Array.from(row))));
    return {rows, attention};
}"""
SCENE = "ROMEO:\nBut, soft! what light through yonder window breaks?\nIt is the east, and Juliet is the sun.\nArise, Ω!"


def load(engine, data):
    assert engine.run(LOAD, base64.b64encode(data).decode()) is None
    return read_page_model(data)


def expected_logits(model, text):
    """Of each character of one window and of what follows, by torch."""
    ids = [start_id(model.tokeniser), *model.tokeniser.encode(text).ids.tolist()]
    with torch.inference_mode():
        return model.network(torch.tensor([ids]))[0][0].numpy()


MODELS = {
    "random": lambda: page_model_bytes(random_model(SCENE)),
    "random, one layer, four heads": lambda: page_model_bytes(random_model(SCENE, layers=1, heads=4)),
    "random, large numbers": lambda: page_model_bytes(random_model(SCENE, sd=0.6, context=40, stride=10)),
    "trained": shipped_bytes,
}


@pytest.mark.parametrize("name", MODELS)
def test_logits_are_those_of_torch(engine, name):
    model = load(engine, MODELS[name]())
    text = SCENE[: model.network.config.context - 1]
    found = np.array(engine.run(READ, [text, None])["rows"])
    assert np.abs(found - expected_logits(model, text)).max() < 1e-4


def test_what_is_kept_is_what_was_read_and_windows_move_as_in_python(engine):
    model = load(engine, MODELS["random"]())
    text = SCENE[:60]  # five windows of twelve
    found = engine.run(READ, [text, None])["rows"]
    reader = model.reader()
    for token, logits in zip([*model.tokeniser.encode(text).ids, None], found, strict=True):
        log_probs = np.array(logits) - np.logaddexp.reduce(logits)
        assert np.abs(log_probs - reader.next_log_probs()).max() < 1e-4
        if token is not None:
            reader.read(int(token))


def test_surprise_is_that_of_the_score(engine):
    model = load(engine, shipped_bytes())
    text = SCENE * 3
    found = engine.run("(text) => transformer.surpriseOf(model, text)", text)
    expected = -model.token_log_probs(model.tokeniser.encode(text).ids) / np.log(2)
    assert np.abs(np.array(found["bits"]) - expected).max() < 2e-4
    assert found["mean"] == pytest.approx(expected.mean(), abs=1e-5)


def test_attention_is_causal_and_sums_to_one(engine):
    load(engine, shipped_bytes())
    layers = engine.run(READ, [SCENE[:30], None])["attention"]
    assert [len(layer) for layer in layers] == [4, 4, 4]
    for rows in (rows for layer in layers for rows in layer):
        assert [len(row) for row in rows] == list(range(1, 32))
        assert np.abs(np.array([sum(row) for row in rows]) - 1).max() < 1e-9


def change(*, layer, head, n_layers=2, n_heads=2, **wanted):
    return [[wanted if (i, j) == (layer, head) else None for j in range(n_heads)] for i in range(n_layers)]


def head_rows(model, head):
    size = model.network.config.head_width
    return slice(head * size, (head + 1) * size)


def test_a_head_that_is_off_adds_nothing(engine):
    model = load(engine, MODELS["random"]())
    found = np.array(engine.run(READ, [SCENE[:11], change(layer=1, head=0, off=True)])["rows"])
    before = expected_logits(model, SCENE[:11])
    with torch.no_grad():
        model.network.model.layers[1].self_attn.o_proj.weight[:, head_rows(model, 0)] = 0
    assert np.abs(found - expected_logits(model, SCENE[:11])).max() < 1e-4
    assert np.abs(found - before).max() > 0.01


def test_a_sharper_head_has_a_longer_query(engine):
    model = load(engine, MODELS["random"]())
    found = np.array(engine.run(READ, [SCENE[:11], change(layer=0, head=1, sharpen=3)])["rows"])
    with torch.no_grad():
        query = model.network.model.layers[0].self_attn.q_proj
        query.weight[head_rows(model, 1)] *= 3
        query.bias[head_rows(model, 1)] *= 3
    assert np.abs(found - expected_logits(model, SCENE[:11])).max() < 1e-4


def test_keys_in_few_bits_and_with_noise(engine):
    """More bits change less; no bits make all numbers of a key one; noise is that of its seed."""
    load(engine, MODELS["random"]())
    plain = np.array(engine.run(READ, [SCENE[:11], None])["rows"])
    off = []
    for bits in (16, 8, 4, 2, 1, 0):
        found = np.array(engine.run(READ, [SCENE[:11], change(layer=0, head=0, bits=bits)])["rows"])
        off.append(np.abs(found - plain).max())
    assert off[0] < 1e-3
    assert off[1] < off[2] < off[3]
    noisy = change(layer=0, head=0, noise=0.5)
    once, again = (np.array(engine.run(READ, [SCENE[:11], noisy])["rows"]) for _ in range(2))
    assert (once == again).all()
    assert np.abs(once - plain).max() > 1e-3


def test_the_steps_of_chapter_10_say_what_is_so(engine):
    """The surprise of the text that the chapter opens with: as it is, without each head, and with keys in two bits."""
    load(engine, shipped_bytes())
    text = "ROMEO:\nBut, soft! what light through yonder window breaks?\nIt is the e"
    script = "([text, heads]) => transformer.surpriseOf(model, text, {heads}).mean"
    sizes = {"n_layers": 3, "n_heads": 4}
    without = {
        (layer, head): engine.run(script, [text, change(layer=layer, head=head, off=True, **sizes)])
        for layer in range(3)
        for head in range(4)
    }
    plain = engine.run(script, [text, None])
    rounded = engine.run(script, [text, change(layer=2, head=1, bits=2, **sizes)])
    assert f"{plain:.2f}" == f"{rounded:.2f}" == "1.83"
    assert f"{without[0, 0]:.2f}" == "3.06" == f"{max(without.values()):.2f}"
    assert without[2, 1] - plain == pytest.approx(0.05, abs=0.005)
    layers = engine.run(READ, [text, None])["attention"]
    before = np.mean([row[-2] if len(row) > 1 else 0 for row in layers[0][0]])
    assert before == pytest.approx(2 / 3, abs=0.02)


def test_written_text_follows_its_seed_and_settings(engine):
    model = load(engine, shipped_bytes())
    script = """([prompt, settings, n]) => {
        const found = [];
        for (const one of transformer.generateText(model, prompt, settings)) {
            found.push(one);
            if (found.length >= n) return found;
        }
    }"""
    once, again, other = (engine.run(script, ["ROMEO:\n", {"seed": seed}, 120]) for seed in (1, 1, 2))
    assert once == again != other
    assert all(one["id"] != model.tokeniser.unknown for one in once)
    greedy = engine.run(script, ["ROMEO:\n", {"topK": 1}, 40])
    assert {one["probability"] for one in greedy} == {1}
    reader = model.reader()
    for token in model.tokeniser.encode("ROMEO:\n").ids:
        reader.read(int(token))
    for one in greedy:
        assert one["id"] == int(np.argmax(reader.next_log_probs()))
        reader.read(one["id"])


def test_temperature_is_a_power_of_the_probabilities(engine):
    load(engine, shipped_bytes())
    script = "([logits, how]) => transformer.nextDistribution(logits, how)"
    logits = np.random.default_rng(0).normal(size=20)
    found = np.array(engine.run(script, [logits.tolist(), {"temperature": 0.5, "topK": 5}]))
    expected = np.where(np.arange(20) > 0, np.exp(logits) ** 2, 0)
    expected[expected < np.sort(expected)[-5]] = 0
    assert np.abs(found - expected / expected.sum()).max() < 1e-12


def damaged(**entries):
    """The shipped file with other words in its header."""
    data = shipped_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length]) | entries
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data[8 + length :]


FIRST = {"dtype": "F16", "shape": [66, 96], "data_offsets": [0, 12672]}
NO_FILE = "this is no file of tensors: "


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", NO_FILE + "it is too short"),
        (b"\xff" * 60, NO_FILE + "its header has no sound length"),
        ((10).to_bytes(8, "little") + b"not a JSON", NO_FILE + "its header is not JSON"),
        (shipped_bytes()[:8000], NO_FILE + 'tensor "lm_head.weight" does not fit its place'),
        (damaged(**{"lm_head.weight": FIRST | {"dtype": "I64"}}),
         NO_FILE + 'tensor "lm_head.weight" has numbers of kind "I64", not F16 or F32'),
        (damaged(**{"lm_head.weight": FIRST | {"shape": [66, -96]}}),
         NO_FILE + 'tensor "lm_head.weight" has no sound shape or place'),
        (damaged(**{"lm_head.weight": FIRST | {"shape": [96, 66]}}), "the model lacks a sound tensor lm_head.weight"),
        (damaged(extra=FIRST), NO_FILE + "two of its tensors overlap"),
        (damaged(__metadata__={}), "this is no character Transformer: the file does not say what it holds"),
    ],
)  # fmt: skip
def test_damaged_files_are_refused_in_one_line(engine, data, message):
    assert engine.run(LOAD, base64.b64encode(data).decode()) == message


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("() => transformer.createReader(model, {heads: [[null]]})", "changes of heads need 3 rows of 4"),
        ("() => transformer.createReader(model).read(1000)", "an id must be a whole number from 0 to 65; got 1000"),
        ("() => transformer.nextDistribution([1, 2], {temperature: 0})",
         "temperature must be a finite number from 0.001 to 100; got 0"),
        ("() => transformer.encodeText(model, 5)", "a text must have at most 100000 characters"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_one_line(engine, script, message):
    load(engine, shipped_bytes())
    assert (
        engine.run(f"() => {{ try {{ ({script})(); return null; }} catch (error) {{ return error.message; }} }}")
        == message
    )
