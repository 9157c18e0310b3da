"""The recurrent network in the page says what Python says of it."""

import base64

import numpy as np
import pytest
import torch

from regard.lab.chapters.characters.page_model import page_model_bytes
from regard.models.sampling import Sampling, shape_probs
from regard.training.network.recurrent import RecurrentPreset, RecurrentRecipe, recurrent_task
from regard.training.network.schedule import ScheduleConfig

SCENE = "ROMEO:\nBut, soft! what light through yonder window breaks?\nIt is the east, and Juliet is the sun.\n"
READ = """async ([data, text]) => {
  const { readRecurrent, createRecurrentReader } = await import("/recurrent.js");
  const { encodeText, logProbabilities } = await import("/transformer.js");
  try {
    const model = readRecurrent(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)).buffer);
    const reader = createRecurrentReader(model);
    const found = encodeText(model, text).map((id) => {
      const nats = logProbabilities(reader.logits())[id];
      reader.read(id);
      return nats;
    });
    const next = Array.from(logProbabilities(reader.logits()));
    return { found, next, heads: reader.attention().length, n: reader.window().length };
  } catch (error) { return error.message; }
}"""


def network(**changes):
    """A network with random numbers, larger than those it would begin with."""
    recipe = RecurrentRecipe(**{"cell": "gru", "width": 12, "embedding": 6, **changes})
    task = recurrent_task(SCENE * 20, preset=RecurrentPreset(recipe, ScheduleConfig(learning_rate=0.01, steps=1)))
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for part in task.network.parameters():
            part.normal_(std=0.6, generator=generator)
    return task.as_model(task.network)


@pytest.mark.parametrize("layers", [1, 3])
def test_every_character_costs_what_python_says(engine, layers):
    model = network(layers=layers)
    data = base64.b64encode(page_model_bytes(model, dtype=np.float32)).decode()
    found = engine.run(READ, [data, SCENE + "☃"])
    ids = model.tokeniser.encode(SCENE + "☃").ids
    assert np.abs(found["found"] - model.token_log_probs(ids)).max() < 1e-4
    assert (found["heads"], found["n"]) == (0, len(ids) + 1)
    reader = model.reader()
    for token in ids.tolist():
        reader.read(token)
    assert np.abs(found["next"] - reader.next_log_probs()).max() < 1e-4


def test_the_likeliest_that_hold_a_share_are_pythons(engine):
    rng = np.random.default_rng(0)
    cases = [
        [rng.normal(0, 2, 12).tolist(), {"temperature": t, "topP": p}] for t in (0.3, 1.0) for p in (0.1, 0.5, 0.99)
    ]
    for (logits, how), found in zip(cases, engine.map("transformer", "nextDistribution", cases), strict=True):
        wanted = shape_probs(np.array(logits), Sampling(how["temperature"], top_p=how["topP"]), never=0)
        np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_other_files_are_refused(engine):
    data = page_model_bytes(network(), dtype=np.float32)
    for old, new, message in (
        (b'\\"gru\\"', b'\\"elm\\"', "this is no recurrent network: the file does not say what it holds"),
        (b'"output.bias"', b'"outputs.bia"', "the model lacks a sound tensor output.bias"),
    ):
        assert old in data
        broken = base64.b64encode(data.replace(old, new)).decode()
        assert engine.run(READ, [broken, "a"]) == message
