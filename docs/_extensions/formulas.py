"""Formulas as pictures within the page, drawn when the page is built.

A page then needs no JavaScript, no font and no network to show them; `currentColor` lets them follow the theme, and
the formula as it was written is their text for screen readers.
"""

from __future__ import annotations

import html
import re
from typing import Any

EM = 14.0  # pixels to an em when formulas are drawn; their font looks small beside that of the text at 16


def svg(latex: str, *, inline: bool) -> str:
    """The formula as an SVG element whose size and depth below the line are given in em.

    Raises ValueError for a command that the library does not know, so that the build stops at it.
    """
    import ziafont
    import ziamath
    from latex2mathml.converter import convert

    if unknown := re.findall(r"\\[A-Za-z]+", convert(latex)):
        raise ValueError(f"{unknown[0]} cannot be typeset, in the formula {latex}")

    ziafont.config.svg2 = False  # plain paths: symbols that several formulas share would need unique names
    drawn = ziamath.Latex(latex, size=16, color="currentColor", inline=inline)
    picture = drawn.svg()
    width, height = (
        float(number) for number in re.findall(r'<svg[^>]*? width="([\d.]+)" height="([\d.]+)"', picture)[0]
    )
    opening = f'<svg role="img" aria-label="{html.escape(latex, quote=True)}"'
    size = f'style="width:{width / EM:.3f}em;height:{height / EM:.3f}em;vertical-align:{drawn.getyofst() / EM:.3f}em"'
    return picture.replace("<svg", f"{opening} {size}", 1)


def visit_inline(translator: Any, node: Any) -> None:
    """Set a formula within a line."""
    from docutils import nodes

    translator.body.append(f'<span class="math">{svg(node.astext(), inline=True)}</span>')
    raise nodes.SkipNode


def visit_displayed(translator: Any, node: Any) -> None:
    """Set a formula on a line of its own."""
    from docutils import nodes

    translator.body.append(f'<div class="math">{svg(node.astext(), inline=False)}</div>')
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """Register as the one renderer of formulas."""
    app.add_html_math_renderer("svg", (visit_inline, None), (visit_displayed, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
