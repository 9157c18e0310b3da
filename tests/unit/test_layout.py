"""Tests stand where their modules stand, and the map in CONTRIBUTING.md shows what is there.

tests/unit mirrors src/regard: src/regard/noise/law.py is tested by tests/unit/noise/test_law.py, and by any
test_law_<aspect>.py beside it. Not every module needs such a file:

    __init__.py, __main__.py        re-export names or start the command; code of a package is tested by test_init.py
    lab/chapters/*/notebook.py      cells are run in a real browser, by tests/lab
    cli/<command>*                  a command and its parts are run from end to end, by tests/e2e
"""

import re
import textwrap
from pathlib import Path

from regard.cli.app import COMMANDS

ROOT = Path(__file__).parents[2]
SOURCE, UNIT = ROOT / "src/regard", ROOT / "tests/unit"


def modules():
    """Every module of the package, as a path under src/regard without its ending."""
    return sorted(path.relative_to(SOURCE).with_suffix("").as_posix() for path in SOURCE.rglob("*.py"))


def needs_unit_test(module):
    *folders, name = module.split("/")
    package = folders[0] if folders else ""
    is_command = package == "cli" and any([*folders, name][1].split("_")[0] == verb for verb in COMMANDS)
    is_notebook = package == "lab" and folders[1:2] == ["chapters"] and name == "notebook"
    return name not in {"__init__", "__main__"} and not is_command and not is_notebook


def files_of_tests():
    return sorted(path.relative_to(UNIT) for path in UNIT.rglob("test_*.py") if path != Path(__file__))


def module_of(path):
    """The module that a test file belongs to: the longest name that its own name begins with; None if there is none."""
    words = path.stem.removeprefix("test_").split("_")
    names = ["_".join(words[:n]) for n in range(len(words), 0, -1)]
    found = (
        (path.parent / ("__init__" if name == "init" else name)).as_posix()
        for name in names
        if (SOURCE / path.parent / f"{'__init__' if name == 'init' else name}.py").is_file()
    )
    return next(found, None)


def test_every_test_file_stands_where_its_module_stands():
    lost = [f"tests/unit/{path}" for path in files_of_tests() if module_of(path) is None]
    assert not lost, (
        f"no module src/regard/… belongs to {lost}: name each test_<module>.py or test_<module>_<aspect>.py"
    )


def test_every_module_has_a_test_file():
    tested = {module_of(path) for path in files_of_tests()}
    missing = [each for each in modules() if needs_unit_test(each) and each not in tested]
    wanted = [f"tests/unit/{Path(each).parent / f'test_{Path(each).name}.py'}" for each in missing]
    assert not missing, f"write these test files: {', '.join(wanted)}"


def packages():
    """Every package, and its modules in the order of the alphabet."""
    return {
        f"{folder.relative_to(SOURCE).as_posix()}/".replace("./", "src/regard/", 1): sorted(
            path.stem for path in folder.glob("*.py") if path.stem not in {"__init__", "__main__"}
        )
        for folder in sorted(path.parent for path in SOURCE.rglob("__init__.py"))
    }


def mapped_packages():
    """What the map in CONTRIBUTING.md shows: a line that begins with a folder, and below it, indented, its modules."""
    block = re.search(r"```\n(src/regard/ .*?)\n```", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.DOTALL)
    assert block is not None, "CONTRIBUTING.md has no map: a block between ``` that begins with the line src/regard/ …"
    found, folder = {}, ""
    for line in block[1].splitlines():
        if line.startswith(" "):
            found[folder] += line.split()
        else:
            folder = line.split()[0]
            assert folder not in found, f"the map in CONTRIBUTING.md shows {folder} twice"
            found[folder] = []
    return found


def map_lines(folder, names):
    """How a package stands in the map, but for the words that say what it is."""
    return "\n".join([folder, *textwrap.wrap(" ".join(names), 116, initial_indent="    ", subsequent_indent="    ")])


def test_the_map_in_contributing_shows_every_package_and_module_once():
    there, shown = packages(), mapped_packages()
    gone = [folder for folder in shown if folder not in there]
    assert not gone, f"take these folders out of the map in CONTRIBUTING.md, they are gone: {' '.join(gone)}"
    wrong = [folder for folder, names in there.items() if sorted(shown.get(folder, ["?"])) != names]
    lines = "\n".join(map_lines(folder, there[folder]) for folder in wrong)
    assert not wrong, f"in the map of CONTRIBUTING.md, write (with a few words after each new folder):\n{lines}"
