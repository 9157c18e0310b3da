"""What noise in the keys does to each head's output, to its layer, and to what the model says.

Random noise is predicted by `noise_laws`. A quantiser is no noise: its error is computed, exactly, from the keys that
are read back. The damage to what the model says is the head's error seen through the gradients of `influence`. All of
it comes from one forward and one backward pass.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import torch
from torch import Tensor

from regard.errors import CheckpointError
from regard.pretrained.capture import Change, LayerAttention, repeat_heads, rotary_modules
from regard.pretrained.influence import LayerInfluence, count_scored, influences
from regard.pretrained.load import Pretrained
from regard.pretrained.noise_laws import Noise, Rows, choose_methods, measure_errors
from regard.pretrained.profile import head_grams
from regard.pretrained.quantise import Quantiser
from regard.progress import Progress, part, silent, track
from regard.shapes import Float

N_QUERIES, N_ROW_KEYS = 256, 32768
"""Random noise is predicted on about this many queries of each layer; on fewer where they have more keys together."""
MAX_TEXT_QUERIES = 64
"""Of one text at most this many."""
MAX_TOGETHER = 1_000_000
"""Weights that are looked at in one go: whole heads, as many as fit; bounds the memory."""


@dataclass(frozen=True)
class HeadSensitivity:
    """One head under one noise. Errors are root mean squares after W_O."""

    layer: int
    head: int
    noise: str
    error: float
    """As a share of the size of the head's own output."""
    layer_error: float
    """As a share of the size of the whole layer's attention output."""
    damage: float
    """Predicted damage to what the model says, with noise in this head alone."""
    method: str
    first_order_share: float | None
    """The first-order mean squared error as a share of the one given; None for quantisers."""
    measured: float | None = None
    """The error by random draws of the noise, on the same queries."""


@dataclass
class _LayerTotals:
    """What is summed over the batches of one layer."""

    rows: list[Rows] = field(default_factory=list)
    n_queries: int = 0
    squares: Tensor | float = 0.0
    """Σ‖o W_O‖² of each head."""
    layer_square: float = 0.0
    quantised: dict[str, Tensor] = field(default_factory=dict)
    """Σ‖Δo W_O‖² of each head, by the quantiser's name."""
    damages: dict[str, Tensor] = field(default_factory=dict)
    """The sum of predicted damages: of quantisers exactly, of random noise at level 1 to first order."""

    def add(self, table: dict[str, Tensor], name: str, more: Tensor) -> None:
        """Add to one of the tables of sums."""
        table[name] = table.get(name, 0) + more


def predict_noise(
    pretrained: Pretrained,
    blocks: list[list[int]],
    noises: list[Noise | Quantiser],
    *,
    measure: bool = False,
    seed: int = 0,
    progress: Progress = silent,
) -> list[HeadSensitivity]:
    """Every head under every noise, from one forward and one backward pass; `measure` adds errors by random draws."""
    totals = [_LayerTotals() for _ in pretrained.attentions]
    n_scored = 0
    n_queries = min(N_QUERIES, N_ROW_KEYS / max(map(len, blocks)))
    share = min(1.0, n_queries / sum(map(len, blocks)))
    generator = torch.Generator().manual_seed(seed)
    quantisers = [each for each in noises if isinstance(each, Quantiser)]
    for quantiser in quantisers:
        require_stored_form(pretrained, quantiser)
    for layers in influences(pretrained, blocks, seed=seed, progress=part(progress, 0.0, 0.5)):
        batch, _, length, _ = layers[0].attention.queries.shape
        n_scored += count_scored(pretrained, (batch, length))
        for total in totals:
            # taken off the list, so that what is done with is given back
            _add_layer(pretrained, total, layers.pop(0), quantisers, share=share, generator=generator)
    found: list[HeadSensitivity] = []
    work = [(noise, layer) for noise in noises for layer in range(pretrained.n_layers)]
    for noise, place in track(work, progress=part(progress, 0.5, 1.0), message="predicting"):
        found += _predict_layer(totals[place], place, noise, n_scored=n_scored, measure=measure, seed=seed)
    return found


def _add_layer(
    pretrained: Pretrained,
    total: _LayerTotals,
    layer: LayerInfluence,
    quantisers: list[Quantiser],
    *,
    share: float,
    generator: torch.Generator,
) -> None:
    attention = layer.attention
    grams = head_grams(pretrained, attention.layer)
    total.n_queries += attention.queries.shape[0] * attention.queries.shape[2]
    total.squares = total.squares + gram_squares(attention.outputs, grams).sum((0, 2)).double()
    weight = pretrained.attentions[attention.layer].output_weight.detach()
    total.layer_square += float((attention.outputs.transpose(1, 2).flatten(2) @ weight.T).square().sum())
    for quantiser in quantisers:
        change = attention.outputs_with(read_back(pretrained, layer, quantiser)) - attention.outputs
        total.add(total.quantised, quantiser.name, gram_squares(change, grams).sum((0, 2)).double())
        effect = (layer.output_gradient * change).sum((-1, -2)).double()
        total.add(total.damages, quantiser.name, (effect**2).sum(0) / 2)
    for kind, effect in first_order_damages(layer).items():
        total.add(total.damages, kind, effect)
    total.rows.append(_sample_rows(attention, square_root(grams), share=share, generator=generator))


def gram_squares(
    rows: Float[Tensor, "batch head position width"], grams: Float[Tensor, "head width width"]
) -> Float[Tensor, "batch head position"]:
    """‖x W_O‖² of each row x of a head."""
    return ((rows @ grams) * rows).sum(-1)


def square_root(grams: Float[Tensor, "head width width"]) -> Float[Tensor, "head width width"]:
    """B with B Bᵀ = G, in float64: ‖x B‖ = ‖x W_O‖; also for a W_O that has lost a direction."""
    values, vectors = torch.linalg.eigh(grams.double())
    return vectors * values.clamp_min(0).sqrt()[:, None, :]


def require_stored_form(pretrained: Pretrained, quantiser: Quantiser) -> None:
    """Refuse to store keys before rotary positions where the family has them in a way that is not known."""
    if quantiser.rotary == "before" and not pretrained.has_unrotated:
        kinds = ", ".join(sorted({type(module).__name__ for module in rotary_modules(pretrained.model)}))
        raise CheckpointError(
            f"the keys of {pretrained.name} cannot be had before rotary positions, which are of a kind that is not "
            f"known here ({kinds}); give {quantiser.name}:after"
        )


def read_back(
    pretrained: Pretrained, layer: LayerInfluence, quantiser: Quantiser
) -> Float[Tensor, "batch key_head key width"]:
    """The keys that attention would be called with if they were stored by the quantiser."""
    if quantiser.rotary == "after" or pretrained.rotary is None:
        return quantiser.quantise(layer.attention.keys)
    stored = quantiser.quantise(layer.stored_keys)
    return pretrained.rotary.rotate(stored, torch.arange(stored.shape[-2]))


def first_order_damages(layer: LayerInfluence) -> dict[str, Float[Tensor, " head"]]:
    """The damage of random noise of level 1 in one head's keys, to first order, summed over the texts.

    With d_qi = p_qi g_q·(v_i − o_q), the derivative of the score by logit (q, i), and s_qi that logit:
    ½ Σ_i (Σ_q d_qi s_qi)² for radial noise, ½ Σ_i ‖Σ_q d_qi q_q scale‖² times the noise's variance for isotropic.
    """
    attention = layer.attention
    n_heads = attention.queries.shape[1]
    keys, values = repeat_heads(attention.keys, n_heads), repeat_heads(attention.values, n_heads)
    parts = (attention.weights, attention.queries, keys, values, attention.outputs, layer.output_gradient)
    together = max(1, MAX_TOGETHER * n_heads // attention.weights.numel())
    radial, isotropic = [], []
    for weights, queries, own_keys, own_values, outputs, gradient in zip(
        *(each.split(together, dim=1) for each in parts), strict=True
    ):
        own = (gradient * outputs).sum(-1, keepdim=True)
        by_logit = (gradient @ own_values.transpose(-1, -2) - own) * weights
        by_key = by_logit.transpose(-1, -2) @ queries * attention.scale
        by_logit *= queries @ own_keys.transpose(-1, -2) * attention.scale
        radial.append(by_logit.sum(-2).double().square().sum((0, 2)) / 2)
        isotropic.append(by_key.double().square().sum((0, 2, 3)) / 2)
    variance = keys.square().sum(-1).mean((0, 2)) / keys.shape[-1]
    return {"radial": torch.cat(radial), "isotropic": torch.cat(isotropic) * variance}


def _sample_rows(
    attention: LayerAttention, basis: Float[Tensor, "head width width"], *, share: float, generator: torch.Generator
) -> Rows:
    """Equally many queries of every text in the batch, drawn at random."""
    n_batch, n_heads, n, width = attention.queries.shape
    n_drawn = min(max(1, round(share * n)), MAX_TEXT_QUERIES)
    drawn = torch.rand(n_batch, n, generator=generator).argsort(-1)[:, :n_drawn]
    queries = attention.queries.gather(2, drawn[:, None, :, None].expand(-1, n_heads, -1, width)).double()
    keys = repeat_heads(attention.keys, n_heads).double()
    logits = queries @ keys.transpose(-1, -2) * attention.scale
    if attention.mask is not None:
        mask = attention.mask.expand(n_batch, 1, n, n)[:, 0].gather(1, drawn[..., None].expand(-1, -1, n))
        logits = torch.where(mask[:, None] > -1, logits, -math.inf)
    return Rows(
        logits,
        repeat_heads(attention.values, n_heads).double() @ basis,
        attention.scale * queries.norm(dim=-1),
        keys.square().sum(-1).mean((0, 2)).sqrt(),
    )


def _predict_layer(
    total: _LayerTotals, layer: int, noise: Noise | Quantiser, *, n_scored: int, measure: bool, seed: int
) -> list[HeadSensitivity]:
    assert isinstance(total.squares, Tensor)
    own = total.squares / total.n_queries
    whole = total.layer_square / total.n_queries
    found: list[tuple[str, float | None]]
    measured: list[float | None] = [None] * len(own)
    if isinstance(noise, Quantiser):
        square = total.quantised[noise.name] / total.n_queries
        damage = total.damages[noise.name] / n_scored
        found = [("exact", None)] * len(own)
    else:
        predicted = choose_methods(total.rows, noise, seed=seed)
        square = torch.tensor([each.square for each in predicted], dtype=torch.float64)
        correction = torch.tensor([each.square / max(each.first_order, 1e-300) for each in predicted])
        damage = noise.level**2 * total.damages[noise.kind] / n_scored * correction
        found = [(each.method, each.first_order / max(each.square, 1e-300)) for each in predicted]
        measured = measure_errors(total.rows, noise, seed=seed).tolist() if measure else measured
    return [
        HeadSensitivity(
            layer=layer,
            head=head,
            noise=noise.name,
            error=float((square[head] / own[head]).sqrt()),
            layer_error=float((square[head] / whole).sqrt()),
            damage=float(damage[head]),
            method=found[head][0],
            first_order_share=found[head][1],
            measured=None if draw is None else float((draw / own[head]) ** 0.5),
        )
        for head, draw in enumerate(measured)
    ]


def key_changes(pretrained: Pretrained, noise: Noise | Quantiser, *, seed: int = 0) -> dict[str, Change]:
    """What `watch_pass` takes to put noisy keys in place of the model's, in all layers; random noise is drawn again."""
    if isinstance(noise, Quantiser):
        before = noise.rotary == "before" and pretrained.rotary is not None
        return {"change_unrotated" if before else "change_keys": lambda _, keys: noise.quantise(keys)}
    generator = torch.Generator().manual_seed(seed)

    def change(_: int, keys: Tensor) -> Tensor:
        if noise.kind == "radial":
            return keys * (1 + noise.level * torch.randn(*keys.shape[:-1], 1, generator=generator))
        size = keys.square().sum(-1).mean((0, 2)).sqrt()[:, None, None] / math.sqrt(keys.shape[-1])
        return keys + noise.level * size * torch.randn(keys.shape, generator=generator)

    return {"change_keys": change}
