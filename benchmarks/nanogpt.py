"""nanoGPT's own recipe for a CPU, trained by nanoGPT itself and scored on the whole validation text.

The clone's place is given by NANOGPT; nothing of it is part of this project. Its `train.py` runs as it is, in a copy of
the clone, on the same characters and the same 90 %.
"""

from __future__ import annotations

import os
import pickle
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

from regard.text.corpora.corpus import find_corpus

Row = tuple[str, str, str]
RECIPE = (
    "config/train_shakespeare_char.py --device=cpu --compile=False --eval_iters=20 --block_size=64 --batch_size=12 "
    "--n_layer=4 --n_head=4 --n_embd=128 --max_iters=2000 --lr_decay_iters=2000 --dropout=0.0"
)
"""As its README gives it, word for word but for how often it logs."""
SCORE = """
import sys, numpy as np, torch
from model import GPT, GPTConfig
saved = torch.load("out-shakespeare-char/ckpt.pt", map_location="cpu", weights_only=True)
net = GPT(GPTConfig(**saved["model_args"])); net.load_state_dict(saved["model"]); net.eval()
ids = torch.from_numpy(np.fromfile("data/shakespeare_char/val.bin", dtype=np.uint16).astype(np.int64))
size, stride = 64, int(sys.argv[1])
total, count = 0.0, 0
for first in range(0, len(ids) - 1, stride):
    start = max(0, first + stride - size)
    window = ids[start : first + stride + 1]
    with torch.no_grad():
        logits, _ = net(window[None, :-1], window[None, 1:])
    nats = torch.nn.functional.cross_entropy(logits[0], window[1:], reduction="none")[first - start :]
    total, count = total + nats.sum().item(), count + len(nats)
print(total / count, count)
"""


def nanogpt_rows(runs: Path) -> list[Row]:
    """What nanoGPT reaches and costs, on windows of 64 and with a stride of 16."""
    clone = os.environ.get("NANOGPT")
    what = "nanoGPT, its recipe for a CPU (2,000 iterations)"
    if clone is None:
        return [(what, "not run: NANOGPT names no clone of it", "1.8741 with stride 16, 189 s CPU")]
    folder, cost = runs / "nanogpt", runs / "nanogpt" / "cpu_seconds.txt"
    if not cost.exists():
        shutil.copytree(clone, folder, dirs_exist_ok=True)
        write_data(folder / "data" / "shakespeare_char")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run(folder, "train.py", *RECIPE.split())
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cost.write_text(str(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    cpu = float(cost.read_text())
    apart, near = (run(folder, "-c", SCORE, stride).split()[-2:] for stride in ("64", "16"))
    figures = f"{float(near[0]):.4f} with stride 16, {float(apart[0]):.4f} in windows of 64, {near[1]} characters"
    return [(what, f"{figures}; {cpu:.0f} s CPU", "1.8741 with stride 16, 189 s CPU")]


def write_data(folder: Path) -> None:
    """What its `prepare.py` would write, from our copy of the text; it wants the size of its vocabulary as a pickle."""
    text = find_corpus("tinyshakespeare").text
    characters = sorted(set(text))
    ids = np.array([characters.index(character) for character in text], dtype=np.uint16)
    cut = int(0.9 * len(text))
    ids[:cut].tofile(folder / "train.bin")
    ids[cut:].tofile(folder / "val.bin")
    (folder / "meta.pkl").write_bytes(pickle.dumps({"vocab_size": len(characters)}))


def run(folder: Path, *arguments: str) -> str:
    """What a Python process in the clone prints, with one thread: that costs least CPU."""
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=os.environ | threads, capture_output=True, text=True, check=True
    )
    return done.stdout
