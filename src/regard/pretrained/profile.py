"""What each head does while the model reads a text: a row of figures for every head, from one forward pass.

Every figure is a mean over the queries of the text. Shares are of attention weight: `first_token` 0.8 says that 0.8 of
what a query reads comes from the first token. A relation that not every query has, such as an earlier occurrence of its
token, is averaged over those queries that have it.

    first_token       the first key of the block, where many heads read when they have nothing to do
    separator         other marks of the tokeniser, such as [SEP]
    previous, same, next    the key before, at and after the query
    duplicate         other keys with the query's token
    induction         keys that follow another occurrence of the query's token
    sink_by_norm      first_token and separator once more, keys weighed by the size of what they add, ‖αᵢ vᵢ W_O‖

`capture_patterns` keeps the largest weights of every head on the beginning of a text, few enough to be shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

import numpy as np
import torch
from torch import Tensor

from regard.display import visible
from regard.errors import NothingScoredError
from regard.pretrained.capture import LayerAttention, repeat_heads, watch_pass
from regard.pretrained.load import Pretrained, special_tokens
from regard.progress import Progress, silent, track
from regard.records import HeadPatterns
from regard.shapes import Bool, Float, Int

OUTLIER_RATIO = 5.0
"""A channel of the keys is an outlier where its mean size is this many times the median channel's."""
MAX_BATCH_TOKENS = 4096
MAX_BATCH_WEIGHTS = 512 * 512
"""Queries times keys that are read together, for each head: bounds the memory."""
N_REPEATED, REPEATED_TOKENS = 4, 50
"""This many sequences of this many random tokens, read twice over: only induction can tell what comes next."""


@dataclass(frozen=True)
class HeadProfile:
    """One head over one text; the module's docstring says what the shares are."""

    layer: int
    head: int
    kind: str
    entropy: float
    """In nats."""
    effective_count: float
    """exp(entropy): among how many keys a query divides its weight."""
    largest_weight: float
    first_token: float
    separator: float
    previous: float
    same: float
    next: float
    duplicate: float
    induction: float
    induction_random: float
    """Induction on random tokens that are read twice."""
    distance: float
    """Mean distance from query to key, in tokens."""
    sink_by_norm: float
    output_norm: float
    """Mean size of what the head adds to the layer, ‖o W_O‖."""
    key_norm: float
    key_norm_spread: float
    """Standard deviation of the keys' lengths, as a share of their mean."""
    outlier_channels: int
    logit_spread: float
    """Standard deviation of a query's logits over its keys, in nats."""


KINDS: tuple[tuple[str, str, Callable[[HeadProfile], bool]], ...] = (
    ("induction", "induction_random ≥ 0.4", lambda head: head.induction_random >= 0.4),
    ("previous token", "previous ≥ 0.4", lambda head: head.previous >= 0.4),
    ("next token", "next ≥ 0.4", lambda head: head.next >= 0.4),
    ("same token", "same ≥ 0.4", lambda head: head.same >= 0.4),
    ("duplicate token", "duplicate ≥ 0.4", lambda head: head.duplicate >= 0.4),
    ("sink", "first_token + separator ≥ 0.5", lambda head: head.first_token + head.separator >= 0.5),
    ("one token", "largest_weight ≥ 0.6", lambda head: head.largest_weight >= 0.6),
    ("near tokens", "distance ≤ 3", lambda head: head.distance <= 3),
    ("broad", "none of the other rules", lambda head: True),
)
"""What a head is called: the first rule that holds."""


def profile_heads(pretrained: Pretrained, blocks: list[list[int]], *, progress: Progress = silent) -> list[HeadProfile]:
    """The profile of every head over these blocks of ids, by one forward pass through them."""
    if not any(blocks):
        raise NothingScoredError("there is no token to look at; give a text with at least two words")
    sums = _sum_over_blocks(pretrained, blocks, progress=progress)
    repeated = _sum_over_blocks(pretrained, repeated_tokens(pretrained), progress=silent)
    return [
        _profile(layer, head, sums[layer], repeated[layer])
        for layer in range(pretrained.n_layers)
        for head in range(pretrained.n_heads)
    ]


def repeated_tokens(pretrained: Pretrained) -> list[list[int]]:
    """Blocks of random tokens, each read twice, with the marks that the model expects around them."""
    before, after = special_tokens(pretrained.tokenizer)
    marks = set(pretrained.tokenizer.all_special_ids)
    ids = torch.tensor([i for i in range(int(pretrained.model.config.vocab_size)) if i not in marks])
    length = min(REPEATED_TOKENS, (pretrained.max_positions - len(before) - len(after)) // 2)
    chosen = torch.randint(len(ids), (N_REPEATED, length), generator=torch.Generator().manual_seed(0))
    return [[*before, *row, *row, *after] for row in ids[chosen].tolist()]


def equal_length_batches(blocks: Iterable[list[int]]) -> Iterator[Int[Tensor, "batch position"]]:
    """The blocks as rectangles without padding, shortest first, of a bounded size."""
    for length, group in groupby(sorted(blocks, key=len), key=len):
        members = list(group)
        size = max(1, min(MAX_BATCH_TOKENS // length, MAX_BATCH_WEIGHTS // length**2))
        for start in range(0, len(members), size):
            yield torch.tensor(members[start : start + size])


@dataclass
class LayerSums:
    """Sums over the queries of all blocks, a number for each head, and over how many queries each sum goes."""

    sums: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, float] = field(default_factory=dict)

    def add(self, name: str, total: Float[Tensor, " head"] | Float[Tensor, "head width"], count: float) -> None:
        """Add the sum over this many queries."""
        self.sums[name] = self.sums.get(name, 0) + total.double()
        self.counts[name] = self.counts.get(name, 0) + count

    def mean(self, name: str, head: int) -> float:
        """The mean over all queries; 0 where there was none."""
        return float(self.sums[name][head]) / self.counts[name] if self.counts[name] else 0.0


def _sum_over_blocks(pretrained: Pretrained, blocks: list[list[int]], *, progress: Progress) -> list[LayerSums]:
    sums = [LayerSums() for _ in pretrained.attentions]
    grams = [head_grams(pretrained, layer) for layer in range(pretrained.n_layers)]
    marks = torch.tensor(sorted(pretrained.tokenizer.all_special_ids), dtype=torch.long)
    for ids in track(list(equal_length_batches(blocks)), progress=progress, message="reading the text"):
        relations = find_relations(ids, marks=marks, is_decoder=pretrained.is_decoder)

        def look(attention: LayerAttention, relations: Relations = relations) -> None:
            _add_layer(sums[attention.layer], attention, relations, grams[attention.layer])

        with torch.no_grad(), watch_pass(pretrained.model, look):
            pretrained.model(input_ids=ids, attention_mask=torch.ones_like(ids))
    return sums


@dataclass(frozen=True)
class Relations:
    """How keys stand to queries: a table of numbers for each relation, by which weights are multiplied and summed."""

    names: tuple[str, ...]
    table: Float[Tensor, "relation batch query key"]
    n_queries: tuple[float, ...]
    """How many queries have a key in the relation."""
    allowed: Bool[Tensor, "query key"]


def find_relations(ids: Int[Tensor, "batch position"], *, marks: Int[Tensor, " mark"], is_decoder: bool) -> Relations:
    """The relations between the positions of these ids; in a decoder a query reads no key after it."""
    n = ids.shape[1]
    query, key = torch.arange(n)[:, None], torch.arange(n)[None, :]
    allowed = key <= query if is_decoder else torch.ones(n, n, dtype=torch.bool)
    is_mark = torch.isin(ids, marks)[:, None, :]
    equal = ids[:, :, None] == ids[:, None, :]
    # the key before this key has the query's token, and is not the query itself
    follows = torch.zeros_like(equal)
    follows[:, :, 1:] = equal[:, :, :-1] & (key[:, :-1] != query)
    tables = {
        "first_token": (key == 0) & (query >= 0),
        "separator": is_mark & (key > 0),
        "previous": key == query - 1,
        "same": key == query,
        "next": key == query + 1,
        "duplicate": equal & (key != query),
        "induction": follows,
    }
    whole = {name: (table & allowed).expand(len(ids), n, n) for name, table in tables.items()}
    counts = [float(table.any(-1).sum()) for table in whole.values()]
    distance = (query - key).abs().expand(len(ids), n, n)
    return Relations(
        (*whole, "distance"),
        torch.stack([table.float() for table in (*whole.values(), distance)]),
        (*counts, float(ids.numel())),
        allowed,
    )


def _add_layer(
    sums: LayerSums, attention: LayerAttention, relations: Relations, grams: Float[Tensor, "head width width"]
) -> None:
    weights = attention.weights
    n_heads, n_queries = weights.shape[1], float(weights.shape[0] * weights.shape[2])
    entropy = torch.special.entr(weights).sum(-1)
    keys, values = repeat_heads(attention.keys, n_heads), repeat_heads(attention.values, n_heads)
    by_norm = weights * projected_norms(values, grams)[:, :, None, :]
    by_norm /= by_norm.sum(-1, keepdim=True).clamp_min(1e-30)
    logits = attention.queries @ keys.transpose(-1, -2) * attention.scale
    key_norms = keys.norm(dim=-1)
    figures = {
        "entropy": entropy,
        "effective_count": entropy.exp(),
        "largest_weight": weights.amax(-1),
        "logit_spread": spread(logits, relations.allowed),
        "output_norm": projected_norms(attention.outputs, grams),
        "key_norm": key_norms,
        "key_norm_square": key_norms**2,
    }
    for name, figure in figures.items():
        sums.add(name, figure.sum((0, 2)), n_queries)
    sums.add("channel_sizes", keys.abs().sum((0, 2)), n_queries)
    related = _sum_by_relation(weights, relations)
    for place, name in enumerate(relations.names):
        sums.add(name, related[:, place], relations.n_queries[place])
    # the first two relations are those of sinks
    sinks = replace(relations, table=relations.table[:2])
    sums.add("sink_by_norm", _sum_by_relation(by_norm, sinks).sum(-1), n_queries)


def _sum_by_relation(
    weights: Float[Tensor, "batch head query key"], relations: Relations
) -> Float[Tensor, "head relation"]:
    """The weight on keys in each relation, summed over all queries."""
    return weights.transpose(0, 1).flatten(1) @ relations.table.flatten(1).T


def spread(
    numbers: Float[Tensor, "*axes query key"], allowed: Bool[Tensor, "query key"]
) -> Float[Tensor, "*axes query"]:
    """The standard deviation over the allowed keys."""
    count = allowed.sum(-1)
    mean = (numbers * allowed).sum(-1) / count
    return (((numbers - mean[..., None]) * allowed) ** 2).sum(-1).div(count).sqrt()


def projected_norms(
    rows: Float[Tensor, "batch head position width"], grams: Float[Tensor, "head width width"]
) -> Float[Tensor, "batch head position"]:
    """‖x W_O‖ of each row x of a head, √(x G xᵀ) with G = W_O W_Oᵀ, which is smaller than W_O."""
    return ((rows @ grams) * rows).sum(-1).clamp_min(0).sqrt()


def head_grams(pretrained: Pretrained, layer: int) -> Float[Tensor, "head width width"]:
    """W_O W_Oᵀ of each head of a layer."""
    weight = pretrained.attentions[layer].output_weight.detach()
    by_head = weight.reshape(len(weight), pretrained.n_heads, pretrained.head_width)
    return torch.einsum("ohw,ohx->hwx", by_head, by_head)


def _profile(layer: int, head: int, sums: LayerSums, repeated: LayerSums) -> HeadProfile:
    figures = {name: sums.mean(name, head) for name in sums.sums if name != "channel_sizes"}
    square = figures.pop("key_norm_square")
    sizes = sums.sums["channel_sizes"][head]
    profile = HeadProfile(
        layer=layer,
        head=head,
        kind="",
        induction_random=repeated.mean("induction", head),
        key_norm_spread=max(square / figures["key_norm"] ** 2 - 1, 0.0) ** 0.5 if figures["key_norm"] else 0.0,
        outlier_channels=int((sizes > OUTLIER_RATIO * sizes.median()).sum()),
        **figures,
    )
    return replace(profile, kind=name_kind(profile))


def name_kind(head: HeadProfile) -> str:
    """The name of the first rule of KINDS that holds."""
    return next(name for name, _, holds in KINDS if holds(head))


MAX_TOKENS = 512
MAX_PLACES = 24
"""How many of the largest weights of each query are kept."""
MAX_ENTRIES = 1_000_000
"""Weights of all heads together; with more heads, fewer for each query."""


def capture_patterns(pretrained: Pretrained, block: list[int]) -> HeadPatterns:
    """The largest weights of every query in every head, over the first MAX_TOKENS of a block."""
    ids = torch.tensor([block[:MAX_TOKENS]])
    n = ids.shape[1]
    n_rows = pretrained.n_layers * pretrained.n_heads * n
    places = max(1, min(MAX_PLACES, n, MAX_ENTRIES // n_rows))
    keys, levels, covered = [], [], []

    def look(attention: LayerAttention) -> None:
        largest = attention.weights[0].topk(places, dim=-1)
        keys.append(largest.indices.numpy().astype(np.uint16))
        # equal steps of the square root: small weights are seen, and one is still one
        levels.append(torch.round(255 * largest.values.sqrt()).numpy().astype(np.uint8))
        covered.append(float(largest.values.sum(-1).mean()))

    with torch.no_grad(), watch_pass(pretrained.model, look):
        pretrained.model(input_ids=ids, attention_mask=torch.ones_like(ids))
    tokens = [visible(token) for token in pretrained.tokenizer.convert_ids_to_tokens(ids[0].tolist())]
    return HeadPatterns(tuple(tokens), np.stack(keys), np.stack(levels), sum(covered) / len(covered))
