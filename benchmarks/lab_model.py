"""Train the small character Transformer that ships with the lab, and write its file.

REGARD_DATA=folder-with-tinyshakespeare python benchmarks/lab_model.py        about 15 minutes of one core

The text is the first 90 % of tinyshakespeare (Shakespeare: public domain); the last 10 % are measured on once, at the
end, with the numbers as they are stored. One thread, a fixed seed and a fixed number of steps: with one version of
torch on one kind of processor the file is the same, byte for byte; elsewhere its figures differ in the third digit.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

import torch

from regard.lab.chapters.characters.page_model import MAX_BYTES, page_model_bytes, read_page_model
from regard.models.base import LanguageModel
from regard.text.corpora.corpus import find_corpus
from regard.training.network.run import Checkpoint, Run, train
from regard.training.network.schedule import ScheduleConfig
from regard.training.network.transformer import TransformerPreset, TransformerRecipe, transformer_task

TEXT, TRAINING_SHARE, SEED = "tinyshakespeare", 0.9, 0
OUT = Path(__file__).parents[1] / "src/regard/lab/web/models/shakespeare.safetensors"
RECIPE = TransformerRecipe(width=96, layers=3, heads=4, hidden=256, context=96, stride=48, n_rows=12)
SCHEDULE = ScheduleConfig(
    learning_rate=0.003, steps=6000, weight_decay=0.1, warm_up=0.025, decay="linear", checkpoints=12
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--steps", type=int, default=SCHEDULE.steps)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    text = find_corpus(TEXT).text
    cut = int(TRAINING_SHARE * len(text))
    model = trained(text[:cut], asked.steps)
    stored = read_page_model(page_model_bytes(model))
    nats = -float(stored.token_log_probs(stored.tokeniser.encode(text[cut:]).ids).mean())
    facts = {
        "text": "tinyshakespeare: scenes of Shakespeare, public domain",
        "trained_on": f"its first {TRAINING_SHARE:.0%}, {cut} characters",
        "measured_on": f"its last {1 - TRAINING_SHARE:.0%}, {len(text) - cut} characters",
        "bits_per_character": round(nats / math.log(2), 4),
        "steps": asked.steps,
        "seed": SEED,
        "parameters": sum(array.size for array in model.arrays().values()),
        "command": "python benchmarks/lab_model.py",
    }
    data = page_model_bytes(model, facts=facts)
    if len(data) > MAX_BYTES:
        sys.exit(f"the file would have {len(data)} bytes; at most {MAX_BYTES} may ship")
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_bytes(data)
    print(f"{nats:.4f} nats, {nats / math.log(2):.4f} bits a character; {len(data)} bytes in {asked.out}")


def trained(text: str, steps: int) -> LanguageModel:
    """The Transformer after so many steps; its best checkpoint is the last, for the learning rate falls to zero."""
    task = transformer_task(text, preset=TransformerPreset(RECIPE, SCHEDULE), steps=steps, seed=SEED)
    run = Run.begin(task)
    for event in train(run):
        if isinstance(event, Checkpoint):
            print(f"step {event.step}: {event.validation_nats:.4f} nats, {event.seconds:.0f} s", file=sys.stderr)
    with run.learner.mean_weights() as network:
        network.eval()
        return task.as_model(network)


if __name__ == "__main__":
    main()
