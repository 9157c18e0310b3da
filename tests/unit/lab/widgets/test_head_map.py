"""The widget carries what the page carries."""

from tests.support.pretrained import SENTENCES, save_tiny, transformers_library

from regard.lab.widgets.head_map import HeadMap
from regard.report.heads_page import script


def test_a_map_for_a_model_and_a_text(tmp_path):
    transformers_library()
    widget = HeadMap.of(
        save_tiny("gpt2", tmp_path / "model"), "\n".join(SENTENCES), lines=True, noise=["int4"], progress=False
    )
    assert str(widget._esm) == script()
    assert len(widget.study["rows"]) == 4
    assert widget.study["rows"][0]["int4:channel error"] > 0
    assert len(widget.study["tokens"]) == max(len(line.split()) for line in SENTENCES)
