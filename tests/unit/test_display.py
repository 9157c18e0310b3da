"""What is shown is harmless: control characters, HTML, long arrays; and nothing heavy is loaded for it."""

import dataclasses
import subprocess
import sys

import numpy as np
import pytest

from regard.claims.verdict.records import Verdict
from regard.display import (
    MAX_REPR,
    csv_text,
    element,
    html_list,
    html_page,
    html_table,
    join,
    one_line,
    percent,
    short,
    short_repr,
    visible,
)
from regard.tables import StudyTable

EVIL = "<script>alert('x')</script>"


@short_repr
@dataclasses.dataclass(frozen=True)
class Sample:
    name: str
    weights: np.ndarray
    words: tuple[str, ...] = ()
    hidden: str = dataclasses.field(default="secret", repr=False)


@pytest.mark.parametrize(
    ("share", "wish", "expected"),
    [
        (0.5, {}, "50 %"),
        (0.00123456, {}, "0.123 %"),
        (0.5, {"decimals": 2}, "50.00 %"),
        (0.98765, {"digits": 2}, "99 %"),
        (0.0, {}, "0 %"),
    ],
)
def test_percentages(share, wish, expected):
    assert percent(share, **wish) == expected


def test_no_control_character_reaches_a_terminal_and_nothing_moves():
    every = "".join(map(chr, [*range(0x20), 0x7F, *range(0x80, 0xA0), 0x200E, 0x202E, 0x2028, 0xD800]))
    assert visible(every).isprintable()
    assert len(visible(every)) == len(every)
    assert one_line(every).isprintable()
    assert len(one_line(every)) == len(every)
    assert visible("a\tb\x1b[2J\n", keep="\t\n") == "a\tb␛[2J\n"


def test_ordinary_letters_are_left_alone():
    assert visible("naïve 日本 ½") == one_line("naïve 日本 ½") == "naïve 日本 ½"


def test_a_long_line_is_cut_where_it_is_told():
    assert one_line("abcdef", max_length=6) == "abcdef"
    assert one_line("abcdefg", max_length=6) == "abcde…"


def test_csv_quotes_what_needs_it():
    assert csv_text(("word", "n"), [("a,b", 1), ('say "x"', 2.5)]) == 'word,n\n"a,b",1\n"say ""x""",2.5\n'


def test_text_is_escaped_wherever_it_stands():
    shown = [
        element("p", EVIL),
        element("p", "x", title=EVIL + '"'),
        join("a", EVIL),
        html_list([EVIL]),
        html_table([EVIL], [[EVIL]]),
        html_page(EVIL, EVIL),
    ]
    assert all("<script" not in each and "&lt;script" in each for each in shown)
    assert '&quot;"' in shown[1]


def test_elements_nest_and_are_escaped_once():
    assert element("div", element("b", "a & b"), " & ", class_="x", id=None) == (
        '<div class="x"><b>a &amp; b</b> &amp; </div>'
    )
    assert html_list([]) == ""


def test_a_page_forbids_scripts_and_other_files():
    page = html_page("t", element("p", "x"), style="p { color: red; }")
    assert page.startswith("<!doctype html>\n")
    assert "default-src &#x27;none&#x27;" in page
    assert "<style>p { color: red; }</style>" in page


def test_a_record_is_shown_in_one_line_with_sizes_for_arrays():
    sample = Sample("one\x1b\n", np.zeros((1000, 3)), tuple("abcdefgh"))
    assert repr(sample) == "Sample(name='one� ', weights=float64[1000 × 3], words=[8 items])"
    assert len(repr(Sample("x" * 10_000, np.zeros(3), ("y" * 10_000,) * 4))) <= MAX_REPR


def test_a_record_in_a_notebook_is_an_escaped_table():
    shown = Sample(EVIL, np.zeros(2))._repr_html_()
    assert type(shown) is str
    assert "<caption>Sample</caption>" in shown
    assert "<th>weights</th><td>float64[2]</td>" in shown
    assert "<script" not in shown
    assert "secret" not in shown


def test_single_numbers_are_shown_whatever_their_type():
    assert short(np.float64(1 / 3)) == short(np.array(1 / 3)) == short(1 / 3) == "0.333333"
    assert short({}) == "{}"
    assert short({"a": 1}) == "{a: 1}"
    assert short(dict.fromkeys(range(9), 0)) == "{9 items}"


def test_nothing_heavy_is_loaded():
    code = "import sys, regard.display; print(sorted({'numpy', 'csv', 'rich', 'torch', 'inspect'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


def test_notebooks_get_plain_text():
    """marimo writes a subclass of str as an empty object, and shows nothing."""

    @short_repr
    @dataclasses.dataclass(frozen=True)
    class Pair:
        left: int = 1

    assert type(Pair()._repr_html_()) is str
    assert type(StudyTable("a", ("n",), ((1,),))._repr_html_()) is str
    assert type(Verdict("a = a", "attention", "holds", "true")._repr_html_()) is str


@pytest.mark.parametrize(
    ("number", "words"),
    [(np.longdouble("1e4000"), "1e+4000"), (np.array(np.longdouble(0.5)), "0.5"), (np.float32(0.5), "0.5")],
)
def test_a_number_that_python_has_no_type_for_is_shown(number, words):
    assert short(number) == words
