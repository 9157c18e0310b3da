"""The table of heads, by one call."""

import json

import pytest
from tests.support.pretrained import SENTENCES, STORY, load, save_tiny, stories_folder

import regard
from regard.errors import ArgumentError, ValueRangeError
from regard.pretrained.profile import profile_heads
from regard.studies.heads import Config, heads, run_noise


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_tiny("roberta", tmp_path_factory.mktemp("tiny") / "model")


def test_a_row_for_every_head():
    pretrained = load(stories_folder())
    table = regard.heads(pretrained, STORY + "\n", progress=False)
    assert len(table.rows) == 40
    assert table.columns[:4] == ("layer", "head", "kind", "entropy")
    assert table.columns[-1] == "direct_effect"
    assert table.title.endswith("stories260k (decoder, 5 layers of 8 heads) on the text")
    n = len(pretrained.tokenizer(STORY + "\n")["input_ids"])
    assert table.notes[0] == (
        f"read: {n - 1} tokens of the text in 1 block; the longest has {n} of the model's 512 positions, marks included"
    )
    json.dumps(table.records())


def test_lines_are_texts_of_their_own(folder):
    """The blocks of lines are sentences with marks around them; the figures are those of the profile over them."""
    pretrained = load(folder)
    table = heads(folder, "\n".join(SENTENCES), lines=True, progress=False)
    blocks = [pretrained.tokenizer(line)["input_ids"] for line in SENTENCES]
    assert table.notes[0].startswith(f"read: {sum(map(len, blocks)) - 12} tokens of the text in 6 lines; ")
    assert table.column("entropy") == [profile.entropy for profile in profile_heads(pretrained, blocks)]
    assert "direct_effect" not in table.columns


def test_a_long_text_is_read_in_blocks_and_up_to_a_limit(folder):
    table = heads(folder, "the cat sat\n" * 100, max_tokens=150, progress=False)
    assert table.notes[0].startswith(
        "read: 150 tokens of the text in 3 blocks; the longest has 64 of the model's 64 positions"
    )
    assert table.notes[1] == "the text was read up to its token 150; max-tokens reads more"


def test_noise_stands_beside_each_head(folder):
    table = heads(folder, "\n".join(SENTENCES), lines=True, noise=["radial:0.1", "int4:token"], progress=False)
    assert table.columns[-4:] == ("radial:0.1 error", "radial:0.1 damage", "int4:token error", "int4:token damage")
    assert all(error > 0 for error in table.column("int4:token error"))
    assert any(note.startswith("radial:0.1: layer ") and "method: " in note for note in table.notes)


def test_measured_errors_are_near_the_predicted(folder):
    pretrained = load(folder)
    config = Config(lines=True, noise=("isotropic:0.1", "int3"), measure=True)
    table = run_noise(pretrained, "\n".join(SENTENCES), config)
    for row in table.records():
        if row["noise"] == "isotropic:0.1":
            assert row["measured"] == pytest.approx(row["error"], rel=0.2)
        else:
            assert row["measured"] is None
    assert sum("measured with noise in all heads at once, 1 − cosine" in note for note in table.notes) == 2


def test_wrong_settings(folder):
    with pytest.raises(ArgumentError, match="noise is a list of names"):
        heads(folder, "a b\n", noise="int4", progress=False)
    with pytest.raises(ValueRangeError, match="max_tokens must be at least 2, as a head reads other tokens; got 1"):
        heads(folder, "a b\n", max_tokens=1, progress=False)
    with pytest.raises(ArgumentError, match="there is no setting 'blok'; choose from model, text, lines, block"):
        heads(folder, "a b\n", blok=1, progress=False)
