"""The commands of `regard`: known by name, imported when called."""

import importlib.util
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from regard import __version__
from regard.cli.app import COMMANDS, app, load_command


def run(*arguments):
    return CliRunner().invoke(app, arguments)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_module(name):
    assert importlib.util.find_spec(f"regard.cli.{name}") is not None


def test_the_help_page_lists_every_command_with_its_line():
    shown = " ".join(run("--help").output.split())
    for name, line in COMMANDS.items():
        assert f"{name} {line}" in shown
    assert "Example: regard study one-vs-many --figure study.png" in shown


def test_a_command_has_the_help_of_its_own_module():
    assert load_command("attend").params
    shown = run("attend", "--help")
    assert shown.exit_code == 0
    assert "--queries" in shown.output


def test_the_version():
    found = run("--version")
    assert (found.exit_code, found.output) == (0, f"regard {__version__}\n")


def test_an_unknown_command_is_wrong_usage():
    found = run("atend")
    assert found.exit_code == 2
    assert "No such command 'atend'" in found.output


def test_no_command_is_imported_for_the_help_page():
    code = (
        "import sys\nfrom typer.testing import CliRunner\nfrom regard.cli.app import COMMANDS, app\n"
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0\n"
        "print([name for name in COMMANDS if f'regard.cli.{name}' in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
