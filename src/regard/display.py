"""How things are shown: percentages, text that cannot harm a terminal, CSV, one-line reprs, and HTML that is escaped.

Every floor shows things, so this module loads nothing heavy. HTML is built from elements: whatever is not itself an
element is text, and is escaped; nobody has to think of it.

>>> element("p", "1 < 2 ", element("em", "always"), class_="note")
'<p class="note">1 &lt; 2 <em>always</em></p>'
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

Record = TypeVar("Record")
Cell: TypeAlias = str | bool | int | float
"""What a table may hold."""
GAP = "  "
"""Between two columns of a table in plain text."""

MAX_REPR = 160
"""Characters of a one-line repr."""
MAX_SHOWN_ITEMS = 4
"""A longer list of numbers or words is shown by its length."""


def percent(share: float, *, decimals: int | None = None, digits: int = 3) -> str:
    """A share from 0 to 1 as a percentage, with this many decimals, or without `decimals` this many significant digits.

    >>> percent(0.12345), percent(0.5), percent(0.5, decimals=1)
    ('12.3 %', '50 %', '50.0 %')
    """
    return f"{100 * share:.{digits}g} %" if decimals is None else f"{100 * share:.{decimals}f} %"


def visible(text: str, *, keep: str = "") -> str:
    """The text with a sign for each character that cannot be seen or that would steer a terminal, unless it is kept.

    >>> visible("a\\n\\x1b\\u202e"), visible("a\\n\\x1b", keep="\\n")
    ('a↵␛�', 'a\\n␛')
    """
    return "".join(c if c in keep else _visible_sign(c) for c in text)


def one_line(text: str, *, max_length: int | None = None, mark: str = "\ufffd") -> str:
    """The text on one line: white space as spaces, `mark` for what cannot be seen, and … where it is cut.

    >>> one_line("not\\nbad\\x1b"), one_line("abcdef", max_length=4)
    ('not bad�', 'abc…')
    """
    if max_length is not None and len(text) > max_length:
        text = f"{text[: max_length - 1]}…"
    return "".join(" " if c.isspace() else c if c.isprintable() else mark for c in text)


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    r"""A line of column names, then one for each row; numbers with all their digits.

    >>> csv_text(("key", "weight"), [(0, 0.25), (1, 0.75)])
    'key,weight\n0,0.25\n1,0.75\n'
    """
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def format_cell(cell: Cell, *, digits: int = 6) -> str:
    """A number with this many digits, a truth as yes or no."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return cell if isinstance(cell, str) else str(cell) if isinstance(cell, int) else f"{cell:.{digits}g}"


def align_table(rows: Sequence[Sequence[str]], is_text: Sequence[bool]) -> list[str]:
    """Lines with text set left and numbers set right, two spaces between columns.

    >>> align_table([["key", "weight"], ["3", "0.25"]], [False, False])
    ['key  weight', '  3    0.25']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [join_cells(row, widths, is_text) for row in rows]


def join_cells(cells: Sequence[str], widths: Sequence[int], is_text: Sequence[bool]) -> str:
    """One line of a table: each cell as wide as its column, text set left."""
    return GAP.join(
        cell.ljust(width) if left else cell.rjust(width)
        for cell, width, left in zip(cells, widths, is_text, strict=True)
    ).rstrip()


class Markup(str):
    """HTML that is finished: an element that contains it takes it as it is."""

    __slots__ = ()


def escape(text: object) -> Markup:
    """Text as HTML; what is HTML already stays as it is.

    >>> escape("<b>"), escape(escape("<b>"))
    ('&lt;b&gt;', '&lt;b&gt;')
    """
    return text if isinstance(text, Markup) else Markup(html.escape(str(text)))


def join(*parts: object, separator: str = "") -> Markup:
    """Texts and elements one after another, the texts escaped."""
    return Markup(separator.join(map(escape, parts)))


def element(tag: str, *content: object, **attributes: object) -> Markup:
    """An HTML element around texts, which are escaped, and other elements, which are not.

    An attribute that is a word of Python ends with an underscore (`class_`), other underscores stand for hyphens
    (`aria_label`), and one that is None is left out.

    >>> element("td", "a & b", class_=None, data_n=2)
    '<td data-n="2">a &amp; b</td>'
    """
    named = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{tag}{named}>{join(*content)}</{tag}>")


def html_list(items: Iterable[object], **attributes: object) -> Markup:
    """An unordered list, or nothing where there are no items."""
    entries = [element("li", item) for item in items]
    return element("ul", *entries, **attributes) if entries else Markup()


def html_table(headings: Sequence[object], rows: Iterable[Sequence[object]], **attributes: object) -> Markup:
    """A table: a line of headings, then the rows.

    >>> html_table(["n"], [[1], ["<"]])
    '<table><tr><th>n</th></tr><tr><td>1</td></tr><tr><td>&lt;</td></tr></table>'
    """
    head = element("tr", *(element("th", heading) for heading in headings))
    body = [element("tr", *(element("td", cell) for cell in row)) for row in rows]
    return element("table", head, *body, **attributes)


def html_page(
    title: str, *body: object, style: str = "", policy: str | None = "default-src 'none'; style-src 'unsafe-inline'"
) -> str:
    """A whole page that needs no other file and, unless its policy is None, may not load any nor run scripts."""
    head = element(
        "head",
        Markup('<meta charset="utf-8">'),
        element("title", title),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">' if policy else ""),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        element("style", Markup(style)),
    )
    content = join(*body, separator="\n")
    return f'<!doctype html>\n<html lang="en">{head}<body>\n{content}\n</body></html>\n'


def short_repr(cls: type[Record]) -> type[Record]:
    """Give a dataclass a repr of one line, with sizes in place of arrays, and a table of its fields for notebooks."""
    cls.__repr__ = lambda self: one_line_repr(self, facts(self))  # type: ignore[method-assign]
    # plain str: marimo shows nothing of a subclass
    cls._repr_html_ = lambda self: str(facts_table(self, facts(self)))  # type: ignore[attr-defined]
    return cls


def facts(record: Any) -> dict[str, str]:
    """What a dataclass holds, by field, each in a few words; fields that are None are left out."""
    import dataclasses

    shown = {field.name: getattr(record, field.name) for field in dataclasses.fields(record) if field.repr}
    return {name: short(value) for name, value in shown.items() if value is not None}


def one_line_repr(record: object, shown: Mapping[str, str]) -> str:
    """The record's name with these facts, on one line.

    >>> one_line_repr("x", {"n": "3", "weights": "float64[3]"})
    'str(n=3, weights=float64[3])'
    """
    inner = ", ".join(f"{name}={value}" for name, value in shown.items())
    return one_line(f"{type(record).__name__}({inner})", max_length=MAX_REPR)


def facts_table(record: object, shown: Mapping[str, str]) -> Markup:
    """The record's name over a table of these facts, for notebooks."""
    rows = [element("tr", element("th", name), element("td", value)) for name, value in shown.items()]
    return element("table", element("caption", type(record).__name__), *rows)


def short(value: Any) -> str:
    """A value in a few words: an array by its dtype and shape, a long list by its length, a number by six digits.

    >>> short(1 / 3), short([1.5] * 9), short("ab")
    ('0.333333', '[9 items]', "'ab'")
    """
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        dtype = str(value.dtype).removeprefix("torch.")
        if value.shape != ():
            return f"{dtype}[{' × '.join(map(str, value.shape))}]"
        item = value.item()
        return one_line(str(item), max_length=60) if hasattr(item, "dtype") else short(item)  # Python has no longdouble
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, str):
        return repr(one_line(value, max_length=40))
    if isinstance(value, dict):
        if len(value) > MAX_SHOWN_ITEMS:
            return f"{{{len(value)} items}}"
        return f"{{{', '.join(f'{name}: {short(each)}' for name, each in value.items())}}}"
    if isinstance(value, list | tuple | set | frozenset):
        if len(value) > MAX_SHOWN_ITEMS:
            return f"[{len(value)} items]"
        return f"[{', '.join(map(short, value))}]"
    return one_line(repr(value), max_length=60)


def _visible_sign(character: str) -> str:
    code = ord(character)
    if character == "\n":
        return "↵"
    if code < 32:
        return chr(0x2400 + code)  # the control pictures of Unicode
    if character.isprintable() or character in "\u00a0\u3000":
        return character
    return "␡" if code == 127 else "�"
