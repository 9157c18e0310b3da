"""What to be wary of when results stand in one table: figures in one column that cannot be compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from regard.records import Caution, PerplexityResult

UNLIKE_SHARES = 0.02


def units_differ(results: Sequence[PerplexityResult]) -> Caution | None:
    """Perplexities per word, per character or per byte in one column."""
    first: dict[str, PerplexityResult] = {}
    for result in results:
        first.setdefault(result.unit, result)
    if len(first) < 2:
        return None
    shown = ", ".join(f"{result.perplexity:.4g} per {unit} ({result.model})" for unit, result in first.items())
    message = f"perplexities in different units stand in one column: {shown}; compare bits per character instead"
    return Caution("units", message, {"units": {unit: result.model for unit, result in first.items()}})


def unknown_shares_differ(results: Sequence[PerplexityResult]) -> Caution | None:
    """Perplexities of word models that leave different tokens unknown: the one that knows less looks better."""
    for text in dict.fromkeys(result.text for result in results):
        rows = [result for result in results if result.text == text and result.unit == "word"]
        shares = [row.unknown_share for row in rows]
        if len(rows) < 2 or max(shares) - min(shares) < UNLIKE_SHARES:
            continue
        most, least = rows[shares.index(max(shares))], rows[shares.index(min(shares))]
        message = (
            f"on {text}, {most.model} leaves {100 * most.unknown_share:.3g} % unknown and has perplexity "
            f"{most.perplexity:.4g}, {least.model} {100 * least.unknown_share:.3g} % and {least.perplexity:.4g}: "
            f"in bits per character they are {most.bits_per_character:.4f} and {least.bits_per_character:.4f}"
        )
        return Caution("unknown-shares", message, {"text": text, "shares": {r.model: r.unknown_share for r in rows}})
    return None


def modes_differ(results: Sequence[PerplexityResult]) -> Caution | None:
    """Figures of models that learn from the text they score, beside figures of models that do not."""
    adaptive = list(dict.fromkeys(result.model for result in results if result.adaptive))
    static = list(dict.fromkeys(result.model for result in results if not result.adaptive))
    if not adaptive or not static:
        return None
    message = (
        f"adaptive figures ({', '.join(adaptive)}: the model learns from the text it has scored) stand beside "
        f"static ones ({', '.join(static)}): compare like with like"
    )
    return Caution("modes", message, {"adaptive": adaptive, "static": static})


TABLE_CHECKS: dict[str, Callable[[Sequence[PerplexityResult]], Caution | None]] = {
    "units": units_differ,
    "unknown-shares": unknown_shares_differ,
    "modes": modes_differ,
}


def table_cautions(results: Sequence[PerplexityResult]) -> tuple[Caution, ...]:
    """What the checks have to say of these results side by side; nothing where they can be compared."""
    return tuple(caution for check in TABLE_CHECKS.values() if (caution := check(results)) is not None)
