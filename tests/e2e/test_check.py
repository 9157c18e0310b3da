"""`regard check` from the outside: what it prints, what it writes, and its exit codes."""

import json

import pytest

from regard.cli.main import main

ANSWERS = """student,question,setting,claim
Ada,1b,two-subspaces,M = A A^T
Emmy,1b,two-subspaces,M = A^T
Kurt,1b,two-subspaces,M = A.T
Alan,1b,two-subspaces,M = A A^
"""


def run(capsys, *arguments):
    code = main(["check", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_claim_that_holds(capsys, unchecked):
    code, out, err = run(capsys, "M = A A^T", "--setting", "two-subspaces")
    assert (code, err) == (0, "")
    assert out.startswith("claim    M = A Aᵀ\nsetting  two-subspaces\nverdict  holds\nwhy      ")


def test_a_claim_that_holds_in_the_limit(capsys, unchecked):
    code, out, _ = run(capsys, "q = C(k_a + k_b)", "--setting", "orthonormal-keys")
    assert code == 0
    assert "verdict  holds in the limit\n" in out


def test_a_claim_that_fails_as_json(capsys, unchecked):
    code, out, _ = run(capsys, "q = k_a + k_b", "--setting", "orthonormal-keys", "--json")
    record = json.loads(out)
    assert code == 1
    assert (record["claim"], record["setting"], record["verdict"]) == ("q = k_a + k_b", "orthonormal-keys", "fails")
    assert record["counterexample"]["sizes"]["n"] == 3
    assert record["reason"]


def test_another_goal(capsys, unchecked):
    asked = ("q = C k_a", "--setting", "orthonormal-keys")
    assert run(capsys, *asked)[0] == 1
    assert run(capsys, *asked, "--goal", r"c \approx v_a")[0] == 0


@pytest.mark.parametrize(
    ("claim", "code", "lines"),
    [
        ("q = k_a + * k_b", 2, ["claim    q = k_a + * k_b", "                   ^"]),
        ("A^T s = c + d", 1, ["claim    A^T s = c + d", "                 ^^^^^"]),
    ],
)
def test_a_complaint_points_at_its_place(capsys, unchecked, claim, code, lines):
    found, out, _ = run(capsys, claim, "--setting", "two-subspaces")
    assert found == code
    assert out.splitlines()[:2] == lines


def test_a_file(capsys, tmp_path, unchecked):
    path, page = tmp_path / "answers.csv", tmp_path / "answers.html"
    path.write_text(ANSWERS, "utf-8")
    code, out, err = run(capsys, "--file", path, "--html", page)
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert lines[0].split() == ["line", "question", "student", "verdict", "claim", "why"]
    assert lines[2].split()[:7] == ["3", "1b", "Emmy", "fails", "M", "=", "Aᵀ"]
    assert lines[-1].split() == ["1b", "4", "1", "0", "2", "0", "0", "1", "M", "=", "Aᵀ", "2"]
    assert page.read_text("utf-8").count("<article") == 4


def test_a_file_as_json(capsys, tmp_path, unchecked):
    path = tmp_path / "answers.csv"
    path.write_text(ANSWERS, "utf-8")
    record = json.loads(run(capsys, "--file", path, "--json")[1])
    assert [one["verdict"] for one in record["claims"]] == ["holds", "fails", "fails", "not-understood"]
    assert record["claims"][1]["student"] == "Emmy"
    assert record["questions"][0]["mistake"] == "M = Aᵀ"
    assert record["questions"][0]["times"] == 2


def test_settings(capsys):
    code, out, _ = run(capsys, "--settings")
    assert code == 0
    assert "two-subspaces: " in out
    assert "goal: M s = v_a" in out
    names = [one["name"] for one in json.loads(run(capsys, "--settings", "--json")[1])["settings"]]
    assert {"attention", "orthonormal-keys", "two-subspaces", "noisy-keys", "magnitude-noise", "two-heads"} < set(names)
    assert {"softmax-cross-entropy", "one-hidden-layer", "perplexity"} < set(names)


@pytest.mark.parametrize("arguments", [(), ("x = 1", "--settings"), ("x = 1", "--file", "a.md")])
def test_wrong_usage(capsys, arguments):
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert err.startswith("regard: Invalid value: expected one of CLAIM, --file or --settings (see 'regard check")


def test_a_setting_that_does_not_exist(capsys):
    code, _, err = run(capsys, "x = 1", "--setting", "nowhere")
    assert code == 1
    assert err.startswith("regard: there is no setting 'nowhere'; there are attention, ")


@pytest.mark.parametrize("claim", ["-q = -q", "−q = −q", "-q=-q", "--q = q"])
def test_a_claim_may_begin_with_a_minus_sign(capsys, unchecked, claim):
    assert run(capsys, claim, "--setting", "attention")[0] == 0
    code, out, _ = run(capsys, "--setting", "attention", claim, "--json")
    assert code == 0
    assert json.loads(out)["claim"] == claim


@pytest.mark.parametrize("option", ["-x", "--jsn", "--settng=attention"])
def test_an_option_that_does_not_exist_is_told(capsys, option):
    code, out, err = run(capsys, "q = q", option)
    assert (code, out) == (2, "")
    assert err.startswith(f"regard: No such option: {option.split('=')[0]}")
