"""Bits for the keys of every head under a budget: chosen on one half of a text, checked on the other.

A plan that does worse than equal bits on the text it was chosen on is dropped for these. The check is end to end: the
model runs on keys that were stored by the plan, by equal bits everywhere, by the chosen bits in random order, and, on
request, by bits that single-head trials would give.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regard.errors import NothingScoredError, ValueRangeError
from regard.progress import Progress, part, show_progress, silent
from regard.studies.heads import Config as TextConfig
from regard.studies.heads import cut_text, open_pretrained
from regard.tables import StudyTable
from regard.text.corpora.corpus import TextSource, find_text

if TYPE_CHECKING:
    from regard.pretrained.bits import BitPlan, Calibration
    from regard.pretrained.load import Pretrained

N_RANDOM = 3
"""Random orders of the plan's bits that are tried."""
MIN_HALF = 16
"""Tokens that each half of a text needs."""


@dataclass(frozen=True)
class Config:
    """What is stored in few bits, and how it is checked."""

    budget: float
    """Bits for each stored number, on average."""
    per_channel: bool = False
    """Whether each channel has bits of its own; else all channels of a head have the same."""
    values: bool = False
    """Whether values share the budget; else they are kept as they are."""
    measure: bool = False
    """Whether bits by single-head trials are compared as well: a forward pass for every key head."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.budget <= 8:
            raise ValueRangeError(f"a budget is 1 to 8 bits for each stored number; got {self.budget:g}")


@dataclass(frozen=True)
class BitStudy:
    """A plan, and how it does beside others."""

    plan: BitPlan
    table: StudyTable

    def __repr__(self) -> str:
        return f"BitStudy({self.plan!r}, {len(self.table.rows)} schemes compared)"


def plan_bits(
    model: str | Path | Pretrained,
    text: TextSource,
    budget: float = 3.0,
    *,
    progress: Progress | bool = True,
    lines: bool = False,
    max_tokens: int = 8192,
    **settings: Any,
) -> BitStudy:
    """Bits for the keys of each head under a budget, chosen on the first half of the text, checked on the second.

    `model` is a folder, a name on the Hugging Face hub, or what `load_pretrained` returned. Settings are those of
    `regard.studies.head_bits.Config`: per_channel, values, measure, seed. The plan goes to a file by
    `plan.to_json()`, and into `model.generate` by `regard.pretrained.cache.PackedCache`.
    """
    from regard.studies.training.run import make_config

    config = make_config(Config, {"budget": budget, **settings})
    loaded = open_pretrained(model)
    corpus = find_text(text)
    read = TextConfig(model=loaded.name, text=corpus.name, lines=lines, max_tokens=max_tokens)
    with show_progress(progress) as report:
        return run(loaded, cut_text(loaded, corpus.text, read), config, progress=report)


def run(pretrained: Pretrained, blocks: list[list[int]], config: Config, *, progress: Progress = silent) -> BitStudy:
    """The plan for these blocks, and its check."""
    from regard.pretrained import bits
    from regard.pretrained.influence import damage_name

    chosen_on, tested_on = halve(blocks)
    calibration = bits.calibrate(pretrained, chosen_on, seed=config.seed, progress=part(progress, 0.0, 0.4))
    plan = bits.plan_bits(pretrained, calibration, config.budget, per_channel=config.per_channel, values=config.values)
    others = _other_plans(pretrained, calibration, plan, config)
    notes = []
    if _is_worse(pretrained, chosen_on, plan, others["equal bits"][0]):
        plan = others["equal bits"][0]
        advice = "" if config.per_channel else "; --per-channel tells the channels of a head apart"
        notes.append(f"on the half that bits were chosen on, equal bits did better: the plan has them{advice}")
    plans = {"plan": [plan], **others}
    if config.measure:
        plans["single-head trials"] = [_plan_by_trials(pretrained, calibration, chosen_on, config)]
    damages = {
        name: _mean_damage(pretrained, tested_on, each, progress=part(progress, 0.4, 1.0))
        for name, each in plans.items()
    }
    rows = tuple((name, each[0].mean_bits, damages[name]) for name, each in plans.items())
    unit = "channel" if config.per_channel else "head"
    what = "keys and values" if config.values else "keys"
    n_chosen, n_tested = (sum(map(len, each)) for each in (chosen_on, tested_on))
    notes = [
        f"damage: {damage_name(pretrained)}; bits were chosen on {n_chosen:,} tokens, checked on {n_tested:,} others",
        f"random: the bits that were chosen in random order, mean of {N_RANDOM}",
        *notes,
    ]
    title = f"{pretrained.name}: {what} in {config.budget:g} bits, bits for each {unit}"
    return BitStudy(plan, StudyTable(title, ("scheme", "mean_bits", "damage"), rows, tuple(notes), asdict(config)))


def _is_worse(pretrained: Pretrained, blocks: list[list[int]], plan: BitPlan, equal: BitPlan) -> bool:
    """Whether a plan does more damage than equal bits, which happens where errors of early layers compound."""
    from regard.pretrained.influence import measure_damage

    return measure_damage(pretrained, blocks, plan.changes()) > measure_damage(pretrained, blocks, equal.changes())


def halve(blocks: list[list[int]]) -> tuple[list[list[int]], list[list[int]]]:
    """The first and the second half of the text; a single block is cut in two, each with its first token."""
    if len(blocks) > 1:
        return blocks[: len(blocks) // 2], blocks[len(blocks) // 2 :]
    middle = len(blocks[0]) // 2
    if middle < MIN_HALF:
        raise NothingScoredError(
            f"bits are chosen on one half of a text and checked on the other, of {MIN_HALF} tokens at least; "
            f"this text has {len(blocks[0])}: give a longer one"
        )
    return [blocks[0][:middle]], [[blocks[0][0], *blocks[0][middle:]]]


def _other_plans(
    pretrained: Pretrained, calibration: Calibration, plan: BitPlan, config: Config
) -> dict[str, list[BitPlan]]:
    """Equal bits, and the plan's bits in random order: over heads, or over channels."""
    import torch

    from regard.pretrained import bits

    parts = [plan.keys.bits] if plan.values is None else [plan.keys.bits, plan.values.bits]
    chosen = torch.stack(parts)
    units = chosen if config.per_channel else chosen[..., :1]
    generator = torch.Generator().manual_seed(config.seed)

    def make(own: Any) -> BitPlan:
        return bits.make_plan(pretrained, calibration, own.expand(chosen.shape), budget=config.budget)

    shuffled = [
        units.flatten()[torch.randperm(units.numel(), generator=generator)].view(units.shape) for _ in range(N_RANDOM)
    ]
    equal = bits.spread_evenly(tuple(units.shape), config.budget)
    return {"equal bits": [make(equal)], "random": [make(each) for each in shuffled]}


def _plan_by_trials(
    pretrained: Pretrained, calibration: Calibration, blocks: list[list[int]], config: Config
) -> BitPlan:
    """One bit more than the budget for the half of the key heads that suffer most when they alone have one bit less."""
    import torch

    from regard.pretrained import bits
    from regard.pretrained.influence import measure_damage

    low, high = max(int(config.budget) - 1, 0), int(config.budget) + 1
    shape = (1 + config.values, pretrained.n_layers, pretrained.n_key_heads)
    suffering = torch.zeros(shape[1:], dtype=torch.float64)
    full = torch.full((*shape, pretrained.head_width), 8)
    for layer in range(shape[1]):
        for head in range(shape[2]):
            tried = full.clone()
            tried[:, layer, head] = low
            plan = bits.make_plan(pretrained, calibration, tried, budget=config.budget)
            suffering[layer, head] = measure_damage(pretrained, blocks, plan.changes())
    chosen = torch.full(shape[1:], low)
    chosen.view(-1)[suffering.flatten().argsort(descending=True)[: suffering.numel() // 2]] = high
    return bits.make_plan(pretrained, calibration, chosen[None, ..., None].expand(full.shape), budget=config.budget)


def _mean_damage(pretrained: Pretrained, blocks: list[list[int]], plans: list[BitPlan], *, progress: Progress) -> float:
    from regard.pretrained.influence import measure_damage

    damages = [measure_damage(pretrained, blocks, plan.changes(), progress=progress) for plan in plans]
    return sum(damages) / len(damages)
