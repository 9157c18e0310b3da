"""Where the heads of a character Transformer look, in the very windows in which it reads a text.

weights[layer, head, i, j] = softmax_j(qᵢ·kⱼ / √head_width)      position i reads itself and those before it
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from regard.arrays import attention_weights
from regard.display import visible
from regard.models.base import LanguageModel
from regard.report.figures import COLOURS, INK, new_figure
from regard.shapes import Float

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from regard.models.transformer.model import TransformerModel

PANELS = {"left": 0.665, "right": 0.995, "bottom": 0.02, "top": 0.955, "hspace": 0.22, "wspace": 0.1}
START = "⊢"
"""Stands for the start of the text, which is read before its first character."""


@dataclass(frozen=True)
class WindowAttention:
    """The attention weights of every head over one window; `characters` are those read, position by position."""

    characters: tuple[str, ...]
    weights: Float[np.ndarray, "layer head query key"]


def has_heads(model: LanguageModel) -> bool:
    """Whether there is attention to look at."""
    return model.kind == "transformer"


def n_windows(model: TransformerModel, text: str) -> int:
    """In how many windows the model reads the text."""
    config = model.network.config
    n_ids = len(model.tokeniser.encode(text))
    return 1 + max(0, -(-(n_ids - config.context) // config.stride))


def window_attention(model: TransformerModel, text: str, *, window: int) -> WindowAttention:
    """The weights in window 1, 2, 3, … of the text; of a text with fewer windows, in its last."""
    import torch

    from regard.models.network import before

    config = model.network.config
    start = (min(window, n_windows(model, text)) - 1) * config.stride
    here = slice(start, start + config.context)
    tokens = model.tokeniser.encode(text)
    spans = zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)
    characters = [START, *(text[start:end] for start, end in spans)][:-1]
    ids = torch.from_numpy(before(tokens.ids, model.tokeniser).astype(np.int64)[here])
    return WindowAttention(tuple(characters[here]), window_weights(model, ids))


def window_weights(model: TransformerModel, ids: Any) -> Float[np.ndarray, "layer head query key"]:
    """softmax(q kᵀ/√head_width) of every layer and head, for the ids of one window: the network's own steps."""
    import torch

    from regard.models.transformer.network import Rotation

    decoder, n_ids = model.network.model, len(ids)
    cos, sin = decoder.cos[:n_ids], decoder.sin[:n_ids]
    allowed = torch.ones(n_ids, n_ids, dtype=torch.bool).tril()
    found = []
    with torch.no_grad():
        x = decoder.embed_tokens(ids[None])
        for layer in decoder.layers:
            queries_keys, _ = layer.self_attn.project(layer.input_layernorm(x))
            queries, keys = Rotation.apply(queries_keys, cos, sin)[0].transpose(0, 1).chunk(2)
            weights = attention_weights(queries, keys, scale=queries.shape[-1] ** -0.5, allowed=allowed)
            found.append(weights.double().numpy())
            x, _, _ = layer(x, cos, sin, ())
    return np.stack(found)


def head_summary(attention: WindowAttention, *, layer: int, head: int) -> str:
    """What a head does over the window, in Markdown."""
    weights = attention.weights[layer, head]
    n_read = len(weights)
    back = np.arange(n_read)[:, None] - np.arange(n_read)
    # the first positions have hardly anything to choose from
    later = slice(min(8, n_read - 1), None)
    by_distance = [float(weights[later][back[later] == places].sum() / len(weights[later])) for places in range(4)]
    mean_back = float((weights * back)[later].sum(axis=1).mean())
    entropy = float(-(weights * np.log(np.maximum(weights, 1e-300)))[later].sum(axis=1).mean())
    return (
        f"**Layer {layer + 1}, head {head + 1}** looks {mean_back:.1f} characters back on average; of its weight"
        f" {by_distance[0]:.0%} is on the character just read, {by_distance[1]:.0%}, {by_distance[2]:.0%} and"
        f" {by_distance[3]:.0%} on those one, two and three before it. A row spreads over about"
        f" {np.exp(entropy):.1f} characters."
    )


def attention_figure(attention: WindowAttention, *, layer: int, head: int) -> Figure:
    """The chosen head, text against text; beside it, small, all heads."""
    figure = new_figure((11.0, 6.6))
    figure.set_layout_engine("none")  # which would measure each of the hundred letters many times
    _draw_head(
        figure.add_axes((0.045, 0.06, 0.525, 0.86)),
        figure.add_axes((0.585, 0.25, 0.014, 0.48)),
        attention,
        layer,
        head,
    )
    n_layers, n_heads = attention.weights.shape[:2]
    panels = figure.subplots(n_heads, n_layers, squeeze=False, gridspec_kw=PANELS)
    for i in range(n_layers):
        for j in range(n_heads):
            _draw_thumbnail(
                panels[j, i],
                attention.weights[i, j],
                f"layer {i + 1}, head {j + 1}",
                is_chosen=(i, j) == (layer, head),
            )
    return figure


def attention_columns(attention: WindowAttention, *, layer: int, head: int) -> dict[str, list[Any]]:
    """The weights of the chosen head, a row for each pair."""
    weights = attention.weights[layer, head]
    pairs = [(i, j) for i in range(len(weights)) for j in range(i + 1)]
    return {
        "position": [i for i, _ in pairs],
        "reads": [j for _, j in pairs],
        "character": [attention.characters[i] for i, _ in pairs],
        "read_character": [attention.characters[j] for _, j in pairs],
        "weight": [float(weights[i, j]) for i, j in pairs],
    }


def _mask_future(weights: Float[np.ndarray, "query key"]) -> Float[np.ndarray, "query key"]:
    """The weights, with nothing where a position must not look."""
    return np.where(np.tri(len(weights), dtype=bool), weights, np.nan)


def _draw_head(axes: Axes, scale: Axes, attention: WindowAttention, layer: int, head: int) -> None:
    weights = attention.weights[layer, head]
    image = axes.imshow(_mask_future(weights), cmap="Blues", vmin=0, vmax=max(float(weights[1:].max(initial=0.1)), 0.1))
    places = np.arange(len(weights))
    names = ["·" if character == " " else visible(character[:1]) for character in attention.characters]
    style: dict[str, Any] = {"fontsize": 7, "family": "monospace", "parse_math": False}
    axes.set_xticks(places, names, **style)
    axes.set_yticks(places, names, **style)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=1)
    axes.set_xlabel(f"is read: {START} is the start, · a space, ↵ a line end")
    axes.set_ylabel("reads, and predicts what comes next")
    axes.set_title(f"layer {layer + 1}, head {head + 1}", fontsize=10, color=INK)
    axes.figure.colorbar(image, cax=scale, label="attention weight")


def _draw_thumbnail(axes: Axes, weights: Float[np.ndarray, "query key"], title: str, *, is_chosen: bool) -> None:
    axes.imshow(_mask_future(weights), cmap="Blues", vmin=0, vmax=max(float(weights[1:].max(initial=0.1)), 0.1))
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_title(title, fontsize=8, color=COLOURS[1] if is_chosen else INK)
    for side in axes.spines.values():
        side.set_color(COLOURS[1] if is_chosen else "#DDDDDD")
        side.set_linewidth(2.5 if is_chosen else 1)


def python_for(*, window: int, layer: int, head: int) -> str:
    """Code that goes on with the model and the text, and gives the same weights; everything counts from 1."""
    return f"""
from regard.lab.chapters.characters.attention_windows import window_attention

weights = window_attention(model, text, window={window}).weights[{layer - 1}, {head - 1}]
print(weights)
"""
