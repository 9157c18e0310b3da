"""Tables and facts that fit a terminal, whatever its width, with every number whole."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest

from regard.cli.output import fit_table

SCRIPT = """
from regard.cli.output import print_table
why = "because the weights of the two keys need not be the same, see \\\\frac{\\\\partial_CE}{\\\\partial_theta}"
print_table(["line", "verdict", "claim", "why"], [[3, "fails", "q = k_a + k_b", why], [14, "holds", "M = A A^T", ""]])
print_table(["scale", *"abcdefgh"], [[1.0, *[1 / 7] * 8], [100.0, *[-1e-9 / 7] * 8]])
"""
NUMBERS = ["3", "14", "1", "100", *["0.142857"] * 8, *["-1.42857e-10"] * 8]


FACTS = {
    "norm": 0.1428571,
    "note": "the weights of the two keys need not be the same, and no number is cut: " + "0.142857 " * 12,
    "mean of all the weights that were drawn": "1, 2",
    "saved": "/home/" + "x" * 60 + "/query.npy",
}
FACTS_SCRIPT = f"from regard.cli.output import print_facts\nprint_facts({FACTS!r})"
CHECK_SCRIPT = "import sys; from regard.cli.main import main; sys.exit(main(['check', *sys.argv[1:]]) * 0)"
LONG_CLAIM = "q = " + "k_a + " * 12 + "* " + "k_b + " * 12 + "k_a"


def printed(script, width, *arguments):
    """What a script prints on a terminal of this width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    command = [sys.executable, "-c", script, *arguments]
    process = subprocess.Popen(command, stdout=theirs, env=environment | {"TERM": "dumb"})
    os.close(theirs)
    pieces = []
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        pieces.append(piece)
    os.close(ours)
    assert process.wait() == 0
    return b"".join(pieces).decode().replace("\r\n", "\n")


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_lines_fit_the_terminal_and_numbers_are_whole(width):
    out = printed(SCRIPT, width)
    assert max(map(len, out.splitlines())) <= width
    words = re.findall(r"\S+", out)
    for number in set(NUMBERS):
        assert words.count(number) >= NUMBERS.count(number)
    assert "because" in out


@pytest.mark.parametrize("width", [40, 80])
def test_facts_fit_the_terminal_and_hang_below_their_beginning(width):
    lines = printed(FACTS_SCRIPT, width).splitlines()
    assert max(map(len, lines)) <= width
    start = lines[0].index("0.142857")
    texts, pieces = list(map(str, FACTS.values())), [line[start:] for line in lines]
    assert " ".join(pieces).count("0.142857") == 13
    assert "".join("".join(pieces).split()) == "".join("".join(texts).replace("0.1428571", "0.142857").split())
    assert " ".join(line[:start] for line in lines).split() == " ".join(FACTS).split()


def test_facts_in_a_pipe_are_one_line_each():
    done = subprocess.run(
        [sys.executable, "-c", FACTS_SCRIPT],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"COLUMNS": "40"},
    )
    assert len(done.stdout.splitlines()) == len(FACTS)


@pytest.fixture(scope="module")
def whole():
    """A verdict in a pipe."""
    command = [sys.executable, "-m", "regard", "check", "q = k_a"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


@pytest.mark.slow
@pytest.mark.parametrize("width", [40, 80])
def test_a_verdict_fits_the_terminal(width, whole):
    lines = printed(CHECK_SCRIPT, width, "q = k_a").splitlines()
    assert max(map(len, lines)) <= width
    assert max(map(len, whole.splitlines())) > 80
    assert " ".join(lines).split() == whole.split()
    assert lines[4].startswith(" " * len("verdict  "))


@pytest.mark.slow
@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("claim", [LONG_CLAIM, "q = k_a + k_a + k_a + k_a + ("])
def test_carets_stand_below_their_place(width, claim):
    lines = printed(CHECK_SCRIPT, width, claim).splitlines()
    assert max(map(len, lines)) <= width
    place = lines[1].index("^")
    assert lines[0][place:].startswith("*") if "*" in claim else place == len(lines[0])


@pytest.mark.parametrize("width", [40, 80])
def test_settings_fit_the_terminal(width):
    out = printed(CHECK_SCRIPT, width, "--settings")
    assert max(map(len, out.splitlines())) <= width


def test_a_table_too_narrow_for_its_numbers_becomes_a_list():
    rows = [["scale", "error of one head", "variance"], ["1", "0.123456", "-1.42857e-10"], ["10", "0.01", "3"]]
    assert fit_table(rows, [False] * 3, 24) == [
        "scale       1",
        "error of    0.123456",
        "one head",
        "variance    -1.42857e-10",
        "",
        "scale       10",
        "error of    0.01",
        "one head",
        "variance    3",
    ]


def test_cells_that_were_set_right_stay_so():
    rows = [["what", "bits"], ["the deep sea", " 0.5"], ["ship", "10.5"]]
    assert fit_table(rows, [True, True], 14) == ["what      bits", "the deep   0.5", "sea", "ship      10.5"]
