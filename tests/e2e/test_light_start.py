"""`import regard` and help pages load next to nothing; public names are all there once asked for."""

import json
import subprocess
import sys

import pytest

import regard

HEAVY = ("matplotlib", "numpy", "rich", "scipy", "torch")


def loaded_after(statements):
    """The modules that a fresh interpreter has loaded after some statements."""
    script = f"import sys, json\n{statements}\nprint(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return json.loads(done.stderr)


def test_import_regard_loads_no_array_library():
    modules = loaded_after("import regard")
    assert not set(HEAVY) & set(modules)


@pytest.mark.parametrize("arguments", [["--help"], ["attend", "--help"], ["design", "robust", "--help"]])
def test_help_is_light(arguments):
    modules = loaded_after(f"from regard.cli.main import main\nassert main({arguments}) == 0")
    assert not set(HEAVY) & set(modules)
    assert len(modules) < 400  # numpy and scipy alone would be a thousand


def test_attention_alone_loads_no_scipy(tmp_path):
    (tmp_path / "x.json").write_text("[[1, 2], [3, 4]]")
    arguments = ["attend", "--queries", str(tmp_path / "x.json"), "--keys", str(tmp_path / "x.json")]
    modules = loaded_after(f"from regard.cli.main import main\nassert main({arguments}) == 0")
    assert "numpy" in modules
    assert not {"matplotlib", "rich", "scipy", "torch"} & set(modules)


def test_outputs_are_checked_without_an_array_library(tmp_path):
    """NumPy must not be there before the number of its threads is set, which commands do after reading arguments."""
    arguments = ["study", "models", "--figure", str(tmp_path / "a.png"), "--csv", "no/a.csv"]
    modules = loaded_after(
        "from contextlib import redirect_stderr\nfrom regard.cli.main import main\n"
        f"with redirect_stderr(sys.stdout): assert main({arguments}) == 1"
    )
    assert "regard.report.figures" in modules
    assert not set(HEAVY) & set(modules)


def test_mathematics_loads_neither_torch_nor_matplotlib():
    modules = loaded_after("import regard\nfor name in regard.__all__: getattr(regard, name)")
    assert "scipy" in modules
    assert not {"torch", "matplotlib", "rich", "typer", "jaxtyping", "beartype"} & set(modules)


@pytest.mark.parametrize("package", ["arrays", "design", "noise"])
def test_public_names_are_those_of_the_packages(package):
    home = getattr(regard, package)
    assert set(home.__all__) <= set(dir(regard))
    assert all(getattr(regard, name) is getattr(home, name) for name in home.__all__)


def test_every_public_name_is_there():
    assert set(regard.__all__) <= set(dir(regard))
    assert {"RegardError", "robust", "GaussianKeys", "attend"} <= set(regard.__all__)


def test_a_star_import_shadows_nothing_that_people_use():
    import builtins
    import math

    import numpy as np

    torch = pytest.importorskip("torch")
    taken = {name for module in (builtins, math, np, torch) for name in dir(module)}
    assert not set(regard.__all__) & taken
    hidden = set(dir(regard)) - set(regard.__all__) - set(regard._PACKAGES) - {"__version__"}
    assert hidden == {"average", "copy", "diagonal", "extract", "full", "load"}


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'regard' has no attribute 'atend'"):
        _ = regard.atend
