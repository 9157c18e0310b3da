"""Tables that fit a terminal, whatever its width, with every number whole."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest

from regard.cli.table_layout import fitted

SCRIPT = """
from regard.cli.output import print_table
why = "because the weights of the two keys need not be the same, see \\\\frac{\\\\partial_CE}{\\\\partial_theta}"
print_table(["line", "verdict", "claim", "why"], [[3, "fails", "q = k_a + k_b", why], [14, "holds", "M = A A^T", ""]])
print_table(["scale", *"abcdefgh"], [[1.0, *[1 / 7] * 8], [100.0, *[-1e-9 / 7] * 8]])
"""
NUMBERS = ["3", "14", "1", "100", *["0.142857"] * 8, *["-1.42857e-10"] * 8]


def printed(width):
    """What the tables look like on a terminal of this width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    process = subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=theirs, env=environment | {"TERM": "dumb"})
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
    out = printed(width)
    assert max(map(len, out.splitlines())) <= width
    words = re.findall(r"\S+", out)
    for number in set(NUMBERS):
        assert words.count(number) >= NUMBERS.count(number)
    assert "because" in out


def test_a_table_too_narrow_for_its_numbers_becomes_a_list():
    rows = [["scale", "error of one head", "variance"], ["1", "0.123456", "-1.42857e-10"], ["10", "0.01", "3"]]
    assert fitted(rows, [False] * 3, 24) == [
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
    assert fitted(rows, [True, True], 14) == ["what      bits", "the deep   0.5", "sea", "ship      10.5"]
