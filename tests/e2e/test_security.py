"""docs/security.md: every test that it names is there; our code runs no text; licences of what we need bind nobody."""

import ast
import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)
ALLOWED = re.compile(
    r"\b(?:MIT|BSD|0BSD|Apache|PSF|Python Software Foundation|ISC|ISCL|MPL|Mozilla Public|Zlib|CC0|BSL|CNRI"
    r"|Public Domain)\b"
)
BINDING = re.compile(r"\b(?:[AL]?GPL|GNU|SSPL|Proprietary|Commercial)\b")
CHOICES = {"docutils": "in the public domain or BSD; the GPL is that of a file for Emacs, which is not installed"}
"""Packages of which only a part that we do not use has a binding licence."""


def test_every_test_that_the_page_names_is_there():
    assert len(NAMED) > 40
    trees = {path: ast.parse((ROOT / path).read_text("utf-8")) for path in {path for path, _ in NAMED}}
    found = {
        (path, node.name)
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
    assert [f"{path}::{name}" for path, name in NAMED if (path, name) not in found] == []


def test_every_line_of_the_page_names_a_test():
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| who", "| ---"))]
    assert len(rows) >= 14
    assert [row[:80] for row in rows if "::test_" not in row.split(" | ")[-1]] == []
    for who in ("claim", "text", "sheet", "archive", "model folder", "visitor", "neighbour", "another user"):
        assert any(who in row for row in rows), who


def runs_text(call):
    """Whether a call runs, or unpickles, what it is given."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    owner = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    settings = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
    return (
        (not owner and name in {"eval", "exec", "compile", "__import__"})
        or (owner in {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "joblib"} and name.startswith("load"))
        or (owner == "torch" and name == "load" and settings.get("weights_only") != "True")
        or (owner == "os" and name in {"system", "popen"})
        or (owner == "yaml" and name != "safe_load")
        or settings.get("shell", "False") != "False"
        or settings.get("allow_pickle", "False") != "False"
        or settings.get("trust_remote_code", "False") != "False"
    )


def test_our_code_runs_no_text():
    calls = [
        (path, node)
        for path in (ROOT / "src").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
    ]
    assert [f"{path.name}: {ast.unparse(call)[:80]}" for path, call in calls if runs_text(call)] == []


@pytest.mark.parametrize(
    "text",
    [
        "eval(x)", "exec(x)", "pickle.loads(x)", "torch.load(x)", "os.system(x)", "subprocess.run(x, shell=True)",
        "np.load(x, allow_pickle=True)", "load(x, trust_remote_code=trusted)", "yaml.load(x)",
    ],
)  # fmt: skip
def test_what_would_run_text_is_found(text):
    assert runs_text(ast.parse(text).body[0].value)
    assert not runs_text(ast.parse("network.eval(), re.compile(x), np.load(x)").body[0].value.elts[1])


def dependencies(name, extras, seen):
    """All packages that a package with these extras needs and that are installed, with what they say of themselves."""
    key = re.sub(r"[-_.]+", "-", name).lower()
    if seen.get(key, (None, frozenset()))[1] >= extras and key in seen:
        return seen
    try:
        found = distribution(name)
    except PackageNotFoundError:  # an extra that is not installed here
        return seen
    seen[key] = (found, seen.get(key, (found, frozenset()))[1] | extras)
    for line in found.requires or []:
        needed = Requirement(line)
        if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in {"", *extras}):
            dependencies(needed.name, frozenset(needed.extras), seen)
    return seen


def licence(found):
    """What a package says of its licence: an expression, else its classifiers, else the first line of its text."""
    kinds = [line for line in found.metadata.get_all("Classifier", []) if line.startswith("License ::")]
    text = (found.metadata.get("License") or "").strip().splitlines()[:1]
    return found.metadata.get("License-Expression") or "; ".join(kinds) or "".join(text)


def test_every_dependency_has_a_licence_that_binds_nobody():
    found = {name: licence(entry) for name, (entry, _) in dependencies("regard", frozenset({"all"}), {}).items()}
    assert {"numpy", "scipy", "typer"} <= found.keys()
    wrong = {name: told for name, told in found.items() if not ALLOWED.search(told) or BINDING.search(told)}
    assert {name: told for name, told in wrong.items() if name not in CHOICES} == {}


@pytest.mark.parametrize(
    "told", ["AGPL-3.0-only", "License :: OSI Approved :: GNU General Public License (GPL)", "", "own"]
)
def test_another_licence_is_noticed(told):
    assert not ALLOWED.search(told) or BINDING.search(told)
