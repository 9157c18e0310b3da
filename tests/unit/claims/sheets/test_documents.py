import json
import time
from dataclasses import replace

import pytest

from regard.claims.sheets.documents import read_claims
from regard.claims.sheets.formulas import FoundClaim, has_relation
from regard.errors import InputFileError

MARKDOWN = r"""# Question 1
<!-- setting: two-subspaces; -->
We take $M = A A^T$, because $M$ is a projector.
Costs \$5, not $6.

```
$x = 1$ is code
```
and `$y = 2$` too.

$$
A^T A = I
$$
## Question 2
<!--
setting: orthonormal-keys
student: Ada
-->
\(q = C(k_a + k_b)\)

```math
c \approx \frac12(v_a + v_b)
```
"""
TEX = r"""\section{Subspaces} % setting: two-subspaces
Let \(M = A A^T\). % $x = 1$
\begin{align*}
  A^T s &= c \\
        &= A^T v_a  % a remark
\end{align*}
\subsection*{Keys}
% setting: orthonormal-keys
\begin{equation}\label{q} q = k_a \end{equation}
"""


def found(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return read_claims(path)


def test_markdown(tmp_path):
    rows = found(tmp_path, "answers.md", MARKDOWN.replace(";", ""))
    assert rows[0].sentence == "We take $M = A A^T$, because $M$ is a projector."
    assert [replace(row, sentence="", stands=False) for row in rows] == [
        FoundClaim("M = A A^T", 3, "two-subspaces", "Question 1"),
        FoundClaim("A^T A = I", 11, "two-subspaces", "Question 1"),
        FoundClaim("q = C(k_a + k_b)", 19, "orthonormal-keys", "Question 2", "Ada"),
        FoundClaim(r"c \approx \frac12(v_a + v_b)", 21, "orthonormal-keys", "Question 2", "Ada"),
    ]


def test_tex(tmp_path):
    answers = found(tmp_path, "answers.tex", TEX)
    assert [(a.text, a.line, a.setting, a.question) for a in answers] == [
        ("M = A A^T", 2, "two-subspaces", "Subspaces"),
        ("A^T s &= c \\\\\n        &= A^T v_a", 3, "two-subspaces", "Subspaces"),
        (r"\label{q} q = k_a", 9, "orthonormal-keys", "Keys"),
    ]


def test_toml_and_csv(tmp_path):
    toml = "[[claim]]\nclaim = 'M = A^T'\nsetting = 'two-subspaces'\nquestion = '1b'\nstudent = 'Emmy'\n"
    csv = '\ufeffStudent,Question,Claim,Setting\nEmmy,1b,M = A^T,two-subspaces\n\nAda,1b,"q = k_a, c = v_a",\n'
    assert found(tmp_path, "a.toml", toml) == [FoundClaim("M = A^T", 1, "two-subspaces", "1b", "Emmy")]
    assert found(tmp_path, "a.csv", csv) == [
        FoundClaim("M = A^T", 2, "two-subspaces", "1b", "Emmy"),
        FoundClaim("q = k_a, c = v_a", 4, "", "1b", "Ada"),
    ]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "a.md",
            "no formula, only $q$",
            "a.md: no claim found; expected formulas with a relation between dollar signs",
        ),
        ("a.toml", "[[claim]]\nsetting = 'attention'", "a.toml: claim 1: expected a text under claim; it has setting"),
        ("a.toml", "[[claim]]\nclaim = 3", "a.toml: claim 1: expected a text under claim; it has claim"),
        ("a.toml", "claim = 3", r"a.toml: expected tables \[\[claim\]\]"),
        ("a.toml", "claim = ", "a.toml: not TOML: "),
        ("a.toml", "claim = " + "9" * 5000, "a.toml: not TOML: .* 5000 digits"),
        ("a.toml", "claim = " + "[" * 100_000, "a.toml: lists or tables are nested too deeply; write them flatter"),
        ("a.csv", 'claim\n"x = 1" y\n', "a.csv: not CSV after line 1: "),
        ("a.csv", "answer\nx = 1\n", "a.csv: line 2: expected a text under claim; it has answer"),
        ("a.doc", "x = 1", "a.doc: expected a name that ends in .md, .tex, .txt, .html, .ipynb, .toml, .csv"),
        ("a.ipynb", "[1]", "a.ipynb: not a Jupyter notebook"),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path, name, text, message):
    with pytest.raises(InputFileError, match=message):
        found(tmp_path, name, text)


def test_bytes_that_are_no_text(tmp_path):
    (tmp_path / "a.md").write_bytes(b"$x = \xff$")
    with pytest.raises(InputFileError, match=r"a.md: not UTF-8 text: invalid start byte at byte 5"):
        read_claims(tmp_path / "a.md")
    with pytest.raises(InputFileError, match=r"cannot read .*b.md: No such file or directory"):
        read_claims(tmp_path / "b.md")
    (tmp_path / "a.md").write_bytes(b"x" * 5_000_001)
    with pytest.raises(InputFileError, match="larger than 5,000,000 bytes"):
        read_claims(tmp_path / "a.md")


@pytest.mark.parametrize("mark", ["$", "\\[", "\\(", "<!--", "`", "``", "```math\n", "\\begin{align}", "%", "# "])
def test_a_file_of_openings_takes_no_time(tmp_path, mark, unchecked):
    text = "$x = 1$\n" + mark * (200_000 // len(mark))
    start = time.process_time()
    assert found(tmp_path, "a.md", text)[0].text == "x = 1"
    assert time.process_time() - start < 5


def test_a_formula_that_says_nothing_is_no_claim():
    assert not has_relation("q_1")
    assert has_relation(r"a \le b")
    assert has_relation(r"\unknown = 1")


def test_web_pages_and_notebooks(tmp_path):
    page = (
        "<html><head><title>$t = 1$</title><script>$s = 1$</script></head>\n<h2>1b</h2>\n"
        "<p>So \\(x = 1\\) &amp; $y &lt; 2$ and"
        '\n<math><mi>q</mi><annotation encoding="application/x-tex">q = C k_a</annotation></math>.</p></html>'
    )
    (tmp_path / "a.html").write_text(page)
    rows = [(claim.text, claim.question, claim.line) for claim in read_claims(tmp_path / "a.html")]
    assert rows == [("x = 1", "1b", 3), ("y < 2", "1b", 3), ("q = C k_a", "1b", 4)]
    cells = [{"cell_type": "markdown", "source": ["# 2\n", "$a = b$"]}, {"cell_type": "code", "source": "$c = d$"}]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells}))
    assert [(claim.text, claim.question) for claim in read_claims(tmp_path / "a.ipynb")] == [("a = b", "2")]
