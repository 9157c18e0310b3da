"""`regard scale`: the plan as a table and as JSON."""

import json

from regard.cli.main import main


def test_the_plan_is_printed(capsys):
    assert main(["scale", "--text", "10GB", "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Counting 10 GB of words, n-grams up to 3, on 1 worker\n")
    assert "breaks first: " in out


def test_the_plan_as_json(capsys):
    assert main(["scale", "--text", "1TB", "--workers", "16", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["config"]["text"] == 1e12
    assert len(record["stages"]) == 5
    assert record["config"]["measured"]["sort_seconds"]["source"].startswith("benchmarks/scale_speed.py")


def test_a_strange_size_is_wrong_usage(capsys):
    assert main(["scale", "--text", "much"]) == 2
    assert "expected a size, as in 500MB, 10GB or 1TB; got 'much'" in capsys.readouterr().err
