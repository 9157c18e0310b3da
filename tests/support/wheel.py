"""Build the sdist and the wheel, install the wheel into an empty environment, and try it from outside the repository.

    python tests/support/wheel.py DIST           what it depends on is taken from the environment that runs this
    python tests/support/wheel.py DIST --anew    everything is installed anew, torch included: gigabytes and minutes

The wheel is made from the unpacked sdist, so that a file which the sdist lacks is missed here and not by a user.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONSTRAINTS = ROOT / "constraints.txt"
ENDS_SECONDS = 120


def main() -> None:
    """Build into the folder that is named, and print what was tried."""
    out = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        sdist, wheel = build(fetch_builder(scratch), out, scratch)
        python = install(wheel, scratch, anew="--anew" in sys.argv[2:])
        for line in try_out(python, scratch):
            print(line)
    print(f"{sdist}\n{wheel}")


def fetch_builder(scratch: Path) -> Path:
    """A folder with hatchling, which makes both; AssertionError where no package index has it."""
    tools = scratch / "tools"
    pip("install", "--target", str(tools), "hatchling")
    return tools


def build(tools: Path, out: Path, scratch: Path) -> tuple[Path, Path]:
    """The sdist of the repository, and the wheel of that sdist, in the folder `out`."""
    _hatchling(tools, "sdist", ROOT, out)
    sdist = max(out.glob("regard-*.tar.gz"), key=lambda path: path.stat().st_mtime)
    with tarfile.open(sdist) as archive:
        archive.extractall(scratch / "unpacked", filter="data")
    (source,) = (scratch / "unpacked").iterdir()
    _hatchling(tools, "wheel", source, out)
    return sdist, max(out.glob("regard-*.whl"), key=lambda path: path.stat().st_mtime)


def pip(*arguments: str) -> None:
    """Run pip with the constraints of the repository."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments, "--constraint", str(CONSTRAINTS)]
    _run([*command, "--quiet"])


def _hatchling(tools: Path, target: str, source: Path, out: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(out)]
    _run(command, cwd=source, env=os.environ | {"PYTHONPATH": str(tools)})


def install(wheel: Path, scratch: Path, *, anew: bool = False) -> Path:
    """The Python of an environment that has the wheel and, unless all is installed anew, borrows what it depends on.

    Borrowing puts a folder of packages at the end of the search path; `.pth` files in it, such as that of an editable
    Regard, are not read there.
    """
    place = scratch / "environment"
    _run([sys.executable, "-m", "venv", "--without-pip", str(place)])
    python = place / "bin" / "python"
    if anew:
        pip("--python", str(python), "install", f"{wheel}[lab]")
        return python
    pip("--python", str(python), "install", "--no-deps", "--no-index", str(wheel))
    packages = _run([str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
    Path(packages, "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return python


def try_out(python: Path, scratch: Path) -> list[str]:
    """Import, help, the first part of the tour, and the lab's start page; a line about each."""
    folder = scratch / "elsewhere"
    folder.mkdir()
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "REGARD"))}
    env = bare | {"REGARD_CACHE": str(scratch / "cache"), "COLUMNS": "100"}
    where = Path(_run([str(python), "-c", "import regard; print(regard.__file__)"], cwd=folder, env=env).strip())
    assert where.is_relative_to(scratch), f"the wheel is not what is imported, but {where}"
    regard = str(python.parent / "regard")
    shown = _run([regard, "--help"], cwd=folder, env=env)
    assert "tour" in shown, shown
    assert "lab" in shown, shown
    _run([regard, "tour", "--quick", "--only", "A"], cwd=folder, env=env)
    page = (folder / "tour.html").read_text("utf-8")
    assert all(f'id="A{number}"' in page for number in range(1, 5))
    start = _start_page([regard, "lab", "--no-browser"], folder, env)
    return [
        f"imported from {where.parent.name} of an environment of its own",
        f"regard --help: {len(shown.splitlines())} lines",
        f"regard tour --quick --only A: {len(page):,} characters",
        f"regard lab: start page of {len(start):,} characters",
    ]


def _start_page(command: list[str], folder: Path, env: dict[str, str]) -> str:
    """What the lab answers at the address that it prints."""
    with subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, text=True) as lab:
        try:
            assert lab.stdout is not None
            line = next(line for line in lab.stdout if "http://" in line)
            address = next(word for word in line.split() if word.startswith("http://")).rstrip(".,")
            with _opener().open(address, timeout=ENDS_SECONDS) as answer:
                page = str(answer.read().decode("utf-8"))
        finally:
            lab.terminate()
    assert "Regard" in page
    return page


def _opener() -> urllib.request.OpenerDirector:
    """Keeps the cookie that the lab gives for the token in its address, as a browser does."""
    return urllib.request.build_opener(urllib.request.HTTPCookieProcessor())


def _run(command: list[str], *, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


if __name__ == "__main__":
    main()
