"""Settings from TOML: what is read, and what is refused."""

import pytest

from regard.claims.meaning.setting import (
    LAW_NAMES,
    builtin_settings,
    find_setting,
    setting_from_text,
    symbol_rows,
)
from regard.claims.trial.instances.draws import LAWS
from regard.errors import InputFileError

TEXT = (
    'name = "t"\nsizes = [{ n = 2, d = 3 }]\n[[symbols]]\nname = "x"\nshape = ["n", "d"]\nlaw = "normal"\nopen = true\n'
)


def test_what_is_not_said_has_a_default():
    setting = setting_from_text(TEXT, source="t")
    assert (setting.counts, setting.width, setting.size_names, setting.goal) == ("n", "d", ("n", "d"), None)
    assert symbol_rows(setting) == [["x", "n × d", " (may be defined)"]]
    assert not setting.is_random


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "t"', "", "the setting t has no `name`"),
        ("d = 3", "d = 25", "sizes in t are whole numbers from 1 to 24"),
        ('["n", "d"]', '["n", "m"]', "the symbol x of t needs a shape of two sizes out of 1, d, n"),
        ('["n", "d"]', '["n", true]', r"the symbol x of t needs a shape of two sizes out of .*; got \('n', True\)"),
        ('["n", "d"]', '["n", 1.0]', "the symbol x of t needs a shape of two sizes out of 1, d, n"),
        ('"normal"', '"abnormal"', "has the law 'abnormal'; laws are normal, orthonormal"),
        ("open", "opened", "has the key 'opened', which means nothing here"),
        ('law = "normal"', "", "needs one of law and definition; got none"),
    ],
)
def test_what_is_wrong_is_named(old, new, message):
    with pytest.raises(InputFileError, match=message):
        setting_from_text(TEXT.replace(old, new, 1), source="t")


def test_every_law_that_may_be_named_is_drawn():
    assert tuple(LAWS) == LAW_NAMES


def test_a_setting_is_found_by_name_or_path(tmp_path):
    (tmp_path / "t.toml").write_text(TEXT, "utf-8")
    assert find_setting(str(tmp_path / "t.toml")).name == "t"
    assert find_setting("attention") is builtin_settings()["attention"]


def test_a_few_settings_have_noisy_keys():
    found = {name for name, setting in builtin_settings().items() if setting.has_noisy_keys}
    assert found == {"noisy-keys", "magnitude-noise", "two-heads", "two-heads-magnitude"}
