import pytest

from regard.claims.sheets.rubric import Question
from regard.errors import InputFileError
from regard.studies import claims
from regard.studies.claims import Config, check_folder

CONFIG = Config(rubric=(Question("1b", 2.0, setting="two-subspaces"),))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    made = tmp_path / "sheets"
    made.mkdir()
    (made / "ada.md").write_text("# 1b\nWe choose $M = A A^T$.\n")
    (made / "emmy.txt").write_text("1b) We take M = A^T.\n")
    (made / "notes.docx").write_text("not a sheet")
    return made


def shown(answers):
    return [(answer.found.sheet, answer.found.question, answer.verdict.verdict) for answer in answers]


def test_two_processes_find_what_one_finds_and_all_is_kept(folder, monkeypatch):
    expected = [("ada.md", "1b", "holds"), ("emmy.txt", "1b", "fails")]
    assert shown(check_folder(folder, CONFIG, workers=2)) == expected
    monkeypatch.setattr(claims, "check_document", None)  # nothing is tried again
    assert shown(check_folder(folder, CONFIG)) == expected


def test_a_changed_sheet_is_tried_again(folder):
    first = check_folder(folder, CONFIG)
    (folder / "ada.md").write_text("# 1b\nWe choose $M = A^T$.\n")
    second = check_folder(folder, CONFIG)
    assert [first[0].verdict.verdict, second[0].verdict.verdict] == ["holds", "fails"]


def test_a_damaged_record_is_made_anew(folder, tmp_path):
    expected = shown(check_folder(folder, CONFIG))
    for damage in (lambda _: b'[{"found": 1}]', lambda old: old.replace(b'"1b"', b'"1c"'), lambda old: old[:-9]):
        for kept in (tmp_path / "cache" / "claims").iterdir():
            assert damage(kept.read_bytes()) != kept.read_bytes()
            kept.write_bytes(damage(kept.read_bytes()))
        assert shown(check_folder(folder, CONFIG)) == expected


def test_what_cannot_be_read_is_told_after_the_rest(folder, tmp_path):
    (folder / "bad.md").write_text("nothing")
    with pytest.raises(InputFileError, match=r"bad.md: no claim found"):
        check_folder(folder, CONFIG)
    assert len(list((tmp_path / "cache" / "claims").iterdir())) == 2
    with pytest.raises(InputFileError, match=r"cache: no sheet found; expected files that end in .md, .tex"):
        check_folder(tmp_path / "cache", CONFIG)
