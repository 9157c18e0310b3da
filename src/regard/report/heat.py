"""Heat maps of surprise: each character of a text on a ground that says what it cost. ANSI, HTML, figure.

The darker, the more surprising. The scale is one of bits per character, the same for every model and text, so that two
maps can be laid side by side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from regard.display import Markup, element, html_list, html_page, html_table, join, visible
from regard.records import Caution, PerplexityResult, SurpriseMap
from regard.report.figures import INK, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BITS = (0.25, 0.5, 1.0, 2.0, 3.0, 4.5, 6.5, 9.0)
"""Where one shade ends and the next begins."""
SHADES = ("#FFFFFF", "#FFF6E0", "#FEE8BC", "#FDD08C", "#FBAF62", "#F0853F", "#C8441E", "#9C241C", "#5F0F14")
ANSI_SHADES = (231, 230, 223, 222, 215, 209, 166, 124, 52)
LIGHT_FROM = 6  # from this shade on, letters are white
MAX_CHARACTERS = 20_000
COLUMNS, LINES = 88, 30  # of one figure's panel


class ShadedSpan(NamedTuple):
    """Neighbouring characters of one line with one cost."""

    text: str
    bits: float
    shade: int


def to_ansi(surprise: SurpriseMap, *, max_characters: int = MAX_CHARACTERS) -> str:
    """The map for a terminal of 256 colours; nothing in the text can command the terminal."""
    lines = [_ansi_legend()]
    parts = []
    for span in cut_spans(surprise, max_characters=max_characters):
        parts.append(_ansi_ground(span.shade) + visible(span.text) + "\x1b[0m")
        if span.text == "\n":
            parts.append("\n")
    lines.append("".join(parts))
    if len(surprise.text) > max_characters:
        lines.append(_shortening_note(surprise, max_characters))
    return "\n".join(lines)


def heat_page(
    results: Sequence[PerplexityResult], *, cautions: Sequence[Caution] = (), max_characters: int = MAX_CHARACTERS
) -> str:
    """One page that needs no other file: a table of the results, what to be wary of, and a map of each."""
    headings = ("model", "text", "tokens", "unknown", "perplexity", "bits/character", "bits/byte")
    parts = [
        element("h1", "Surprise per character"),
        html_table(headings, map(_table_row, results)),
        html_list((caution.message for caution in cautions), class_="wary"),
        _html_legend(),
    ]
    for result in results:
        spans = cut_spans(result.surprise, max_characters=max_characters)
        parts += [element("h2", _subject(result)), html_list(result.warnings, class_="wary")]
        parts.append(element("pre", *map(_html_span, spans)))
        if len(result.surprise.text) > max_characters:
            parts.append(element("p", _shortening_note(result.surprise, max_characters)))
    return html_page("Surprise per character", *filter(None, parts), style=_style(), policy=None)


def draw_heat(results: Sequence[PerplexityResult]) -> Figure:
    """A panel for each result: the beginning of the text on its shades, a character a cell."""
    tables = [_lay_out_cells(result.surprise) for result in results]
    heights = [len(table) + 4 for table in tables]
    picture = new_figure((11.0, 0.19 * sum(heights) + 0.7))
    panels = list(picture.subplots(len(results), 1, squeeze=False, height_ratios=heights)[:, 0])
    for axes, result, table in zip(panels, results, tables, strict=True):
        _draw_panel(axes, result, table)
    _draw_scale(picture, panels)
    return picture


def cut_spans(surprise: SurpriseMap, *, max_characters: int | None = None) -> Iterator[ShadedSpan]:
    """Neighbouring characters with one cost, line by line; a line break is a run of its own."""
    text = surprise.text[:max_characters]
    bits = surprise.nats[:max_characters] / math.log(2)
    shades = shade(bits)
    is_break = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32) == ord("\n")
    # The same token's characters have equal costs but for rounding.
    begins = np.concatenate([[True], (np.abs(np.diff(bits)) > 1e-9) | is_break[1:] | is_break[:-1]])
    starts = np.flatnonzero(begins[: len(text)]).tolist()
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield ShadedSpan(text[start:end], float(bits[start]), int(shades[start]))


def shade(bits: np.ndarray) -> np.ndarray:
    """Which shade a surprise has.

    >>> shade(np.array([0.0, 1.5, 100.0])).tolist()
    [0, 3, 8]
    """
    return np.searchsorted(BITS, bits, side="right")


def _ansi_ground(shade: int) -> str:
    letters = 231 if shade >= LIGHT_FROM else 16
    return f"\x1b[48;5;{ANSI_SHADES[shade]};38;5;{letters}m"


def _ansi_legend() -> str:
    cells = [f"{_ansi_ground(i)} {label} \x1b[0m" for i, label in enumerate(_labels())]
    return f"bits per character: {''.join(cells)}"


def _labels() -> list[str]:
    return [*(f"<{bits:g}" for bits in BITS), f"≥{BITS[-1]:g}"]


def _shortening_note(surprise: SurpriseMap, max_characters: int) -> str:
    return f"the first {max_characters:,} of {len(surprise.text):,} characters are shown"


def _subject(result: PerplexityResult) -> str:
    mode = ", adaptive" if result.adaptive else ""
    prepared = f", prepared: {', '.join(result.prepare)}" if result.prepare else ""
    return f"{result.model} on {result.text}{mode}{prepared}: {result.bits_per_character:.4f} bits per character"


def _style() -> str:
    shades = "".join(
        f".s{i}{{background:{colour}{';color:#fff' if i >= LIGHT_FROM else ''}}}" for i, colour in enumerate(SHADES)
    )
    return (
        f":root{{color-scheme:light}}body{{font:16px/1.5 system-ui,sans-serif;color:{INK};background:#fff;"
        "max-width:62rem;margin:2rem auto;padding:0 1rem}"
        "pre{font:14px/1.7 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;"
        "border:1px solid #ccc;border-radius:4px;padding:.8rem}"
        "table{border-collapse:collapse;display:block;overflow-x:auto}"
        "th,td{white-space:nowrap;padding:.2rem .8rem;text-align:right;border-bottom:1px solid #ddd}"
        "th:first-child,td:first-child,th:nth-child(2),td:nth-child(2){text-align:left}"
        "h2{font-size:1.1rem;margin-top:2rem}ul.wary li{margin:.3rem 0}.scale span{padding:.2rem .6rem}" + shades
    )


def _table_row(result: PerplexityResult) -> tuple[str, ...]:
    return (
        result.model + (" (adaptive)" if result.adaptive else ""),
        result.text,
        f"{result.tokens:,} {result.unit}s",
        f"{100 * result.unknown_share:.1f} %",
        f"{result.perplexity:.4g} per {result.unit}",
        f"{result.bits_per_character:.4f}",
        f"{result.bits_per_byte:.4f}",
    )


def _html_legend() -> Markup:
    cells = [element("span", label, class_=f"s{i}") for i, label in enumerate(_labels())]
    return element("p", "bits per character: ", *cells, class_="scale")


def _html_span(span: ShadedSpan) -> Markup:
    shaded = element("span", visible(span.text, keep="\t"), class_=f"s{span.shade}", title=f"{span.bits:.2f} bits")
    return join(shaded, "\n") if span.text == "\n" else shaded


def _lay_out_cells(surprise: SurpriseMap) -> list[list[tuple[str, float]]]:
    """Lines of (character, bits), broken where the text breaks, and between words where a line is full."""
    bits = (surprise.nats[: COLUMNS * LINES] / math.log(2)).tolist()
    lines: list[list[tuple[str, float]]] = []
    start = 0
    while start < len(bits) and len(lines) < LINES:
        end = _line_end(surprise.text, start)
        lines.append(list(zip(surprise.text[start:end], bits[start:end], strict=False)))
        start = end
    return lines


def _line_end(text: str, start: int) -> int:
    """The end of the line that begins at `start`: after a line break, or after the last space that fits."""
    line_break = text.find("\n", start, start + COLUMNS)
    if line_break >= 0:
        return line_break + 1
    if start + COLUMNS >= len(text):
        return len(text)
    space = text.rfind(" ", start, start + COLUMNS)
    return start + COLUMNS if space < 0 else space + 1


def _draw_panel(axes: Axes, result: PerplexityResult, table: list[list[tuple[str, float]]]) -> None:
    from matplotlib.colors import BoundaryNorm, ListedColormap

    ground = np.full((len(table), COLUMNS), np.nan)
    draws = _drawable_characters()
    for row, line in enumerate(table):
        for column, (character, bits) in enumerate(line):
            ground[row, column] = bits
            if character == " ":
                continue
            shown = visible(character)
            axes.text(
                column,
                row,
                shown if draws(shown) else "□",
                family="monospace",
                fontsize=9,
                ha="center",
                va="center",
                color="white" if bits >= BITS[LIGHT_FROM - 1] else "black",
                in_layout=False,  # thousands of letters need not be measured: their cells are
            )
    norm = BoundaryNorm([0, *BITS, BITS[-1] * 2], len(SHADES), clip=True)
    axes.imshow(ground, cmap=ListedColormap(SHADES), norm=norm, aspect="auto", interpolation="nearest")
    axes.set_title(_subject(result), fontsize=9, loc="left", parse_math=False)  # a dollar is a dollar
    axes.set_xticks([])
    axes.set_yticks([])
    shown_characters = sum(map(len, table))
    if shown_characters < len(result.surprise.text):
        axes.set_xlabel(_shortening_note(result.surprise, shown_characters), fontsize=8, loc="right")


def _drawable_characters() -> Callable[[str], bool]:
    """A question: has the figure's font a picture of this character?"""
    from matplotlib.font_manager import findfont, get_font

    font = get_font(findfont("monospace"))
    return lambda character: font.get_char_index(ord(character)) != 0


def _draw_scale(picture: Figure, panels: list[Axes]) -> None:
    image = panels[0].images[0]
    bar = picture.colorbar(image, ax=panels, orientation="horizontal", fraction=0.02, pad=0.01, aspect=60)
    bar.set_ticks(list(BITS), labels=[f"{bits:g}" for bits in BITS])
    bar.ax.tick_params(labelsize=8)
    bar.set_label("bits per character", fontsize=8)
