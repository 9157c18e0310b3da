"""A short run of hostile files; `make faults` tries many more."""

from tests.faults.hostile_files import KINDS, run, try_file

N_CASES = 600


def test_every_file_is_refused_in_one_line_or_read(unchecked):
    kinds, faults = run(range(N_CASES))
    assert faults == {}
    assert min(kinds["answered"], kinds["refused"]) > N_CASES / 10  # or nothing was tried


def test_the_right_ones_are_read(tmp_path, unchecked):
    for kind in KINDS:
        (tmp_path / kind.name).write_text(kind.content, encoding="utf-8")
        assert (kind.name, try_file(kind, tmp_path / kind.name).kind) == (kind.name, "answered")
