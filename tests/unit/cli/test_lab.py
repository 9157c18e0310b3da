"""`regard lab` where it serves nothing."""

import json

import pytest

from regard.cli.main import main


def test_export_says_what_it_wrote_and_where_to_begin(tmp_path, capsys):
    assert main(["lab", "--export", str(tmp_path / "pages")]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("11 pages, ")
    assert printed.endswith(f" MB; open {tmp_path / 'pages' / 'index.html'}\n")
    assert main(["lab", "--export", str(tmp_path / "pages"), "--force", "--json"]) == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert files["index.html"] == (tmp_path / "pages" / "index.html").stat().st_size


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--force"], "--force is for --export alone; give --export FOLDER, too, or leave out --force"),
        (["--export", "x", "--port", "8000"], "--export writes files and serves nothing; leave out --port"),
        (["--export", "x", "--host", "::1", "--no-browser"], "serves nothing; leave out --host and --no-browser"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options, complaint, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["lab", *options]) == 2
    assert complaint in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
