"""docs/files.md lists every writer: each option that names an output, each module that writes, renames or removes."""

import ast
import re
from pathlib import Path

from regard.cli.app import COMMANDS, load_command

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "files.md").read_text("utf-8")
OUTPUT_OPTIONS = {
    "--plan",
    "--out",
    "--export",
    "--figure",
    "--key-figure",
    "--csv",
    "--html",
    "--notebook",
    "--marimo",
}
INPUT_OPTIONS = {
    "--allowed", "--data", "--file", "--fit-on", "--keys", "--queries", "--rubric", "--setting",
    "--target-weights", "--test", "--text", "--valid", "--values", "--vectors", "--weights",
}  # fmt: skip
"""Every option that takes a path is one or the other."""

METHODS = {
    "write_bytes", "write_text", "unlink", "rename", "rmdir", "mkdir", "touch", "chmod", "symlink_to", "hardlink_to",
    "rmtree", "copyfile", "copy2", "copytree", "move", "savefig", "savetxt", "savez", "savez_compressed", "tofile",
    "mkdtemp", "mkstemp", "makedirs", "removedirs", "truncate", "link", "symlink", "chown", "to_csv",
    "write_parquet", "sink_parquet", "save_file", "TemporaryDirectory", "NamedTemporaryFile", "open_memmap", "memmap",
}  # fmt: skip


def rows(heading):
    """The first cells of the table below a heading."""
    part = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \|", part, re.MULTILINE)


def options():
    """Every option of every command, with the words that call it."""

    def walk(command, words):
        for name, each in getattr(command, "commands", {}).items():
            yield from walk(each, [*words, name])
        for param in command.params:
            for option in param.opts:
                yield " ".join(words), option, param

    for name in COMMANDS:
        yield from walk(load_command(name), ["regard", name])


def test_every_option_that_names_an_output_has_a_row():
    writing = [f"{words} {option}" for words, option, _ in options() if option in OUTPUT_OPTIONS]
    listed = [*rows("Files that you name"), *rows("Model folders"), *rows("Exported pages")]
    assert sorted(writing) == sorted(row for row in listed if " --" in row)


def test_every_option_that_takes_a_path_is_known():
    paths = {
        option for _, option, param in options() if re.search("FILE|DIR|FOLDER", getattr(param, "metavar", "") or "")
    }
    assert {option for option in paths if option.startswith("-")} == OUTPUT_OPTIONS | INPUT_OPTIONS


def test_every_output_file_is_checked_while_arguments_are_read():
    files = set(rows("Files that you name"))
    unchecked = [f"{w} {o}" for w, o, param in options() if f"{w} {o}" in files and param.callback is None]
    assert unchecked == []


def writes(call):
    """Whether a call writes, renames or removes a file, or can."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in METHODS:
        return True
    owner = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if owner == "webbrowser" or (call.args and ast.unparse(call.args[0]) == "os.devnull"):
        return False
    if name == "remove":  # of a list, an item
        return owner == "os"
    if name == "replace":  # a Path's has one argument, a text's has two, a record's has names
        return owner == "os" or (owner != "dataclasses" and len(call.args) == 1 and not call.keywords)
    if name == "save":
        return owner in ("np", "numpy", "torch")
    if name in ("open", "FileIO") and owner != "network":
        return not is_reading(call, place=0 if owner not in ("", "io", "gzip", "os", "builtins") else 1)
    return False


def is_reading(call, *, place):
    modes = [*call.args[place : place + 1], *(each.value for each in call.keywords if each.arg == "mode")]
    return all(isinstance(mode, ast.Constant) and str(mode.value).strip("rbt|:*") == "" for mode in modes)


def writing_modules():
    found = {}
    for path in sorted((ROOT / "src").rglob("*.py")):
        calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
        said = [ast.unparse(call)[:60] for call in calls if writes(call)]
        if said:
            found[".".join(path.relative_to(ROOT / "src").with_suffix("").parts)] = said
    return found


def test_only_the_listed_modules_write():
    found = writing_modules()
    assert {module: found.get(module) for module in found} == {
        module: found.get(module) for module in rows("Where the code writes")
    }


def test_the_search_finds_what_it_should():
    for text in (
        "path.open('wb')", "open(path, 'a')", "path.open(mode='x')", "path.open(kind)", "a.replace(b)",
        "os.replace(a, b)", "np.save(file, x)", "shutil.rmtree(folder)", "io.FileIO(path, 'xb')", "path.unlink()",
    ):  # fmt: skip
        assert writes(ast.parse(text).body[0].value), text
    for text in (
        "path.open()", "path.open('rb')", "open(path)", "text.replace('a', 'b')", "replace(record, a=1)",
        "dataclasses.replace(record, a=1)", "model.save(out)", "open(path, encoding='utf-8')",
    ):  # fmt: skip
        assert not writes(ast.parse(text).body[0].value), text
