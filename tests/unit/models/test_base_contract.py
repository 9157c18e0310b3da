"""One suite for every language model: what `models.base` promises."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.support.models import MODELS
from tests.support.texts import VERSE

from regard.display import MAX_REPR
from regard.errors import NothingScoredError
from regard.models.base import LanguageModel
from regard.models.checkpoint import load_model
from regard.models.sampling import Sampling, context_ids, stream

UNSEEN = "Ye ōld sea, ye old ship!\nand 3 more\n"
TEXTS = ["the sea is deep\nthe ship is", VERSE[:90], UNSEEN, "x", "\n", " \n\n  the  sea\r\n"]

every_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS.keys())
Make = Callable[[], LanguageModel]


@cache
def trained(make: Make) -> LanguageModel:
    return make()


@pytest.mark.slow
@every_model
@pytest.mark.parametrize("context", ["", "the ", "the sea is deep\n", "ōō ∀", "the sea\nthe shi"])
def test_distributions_sum_to_one(make: Make, context: str) -> None:
    log_probs = trained(make).next_log_probs(context)
    assert log_probs.shape == (len(trained(make).tokeniser.vocabulary),)
    assert np.exp(log_probs).sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.slow
@every_model
@pytest.mark.parametrize("text", TEXTS)
def test_scores_are_those_of_reading_token_by_token(make: Make, text: str) -> None:
    model = trained(make)
    reader, one_by_one = model.reader(), []
    for token in model.tokeniser.encode(text).ids:
        one_by_one.append(reader.next_log_probs()[token])
        reader.read(int(token))
    np.testing.assert_allclose(model.score(text).log_probs_nats, one_by_one, rtol=1e-9, atol=1e-9)


@pytest.mark.slow
@every_model
def test_many_texts_are_scored_as_one_by_one(make: Make) -> None:
    model = trained(make)
    for together, text in zip(model.score_many(TEXTS), TEXTS, strict=True):
        np.testing.assert_allclose(together.log_probs_nats, model.score(text).log_probs_nats, rtol=1e-9, atol=1e-12)


@every_model
def test_what_comes_later_changes_nothing(make: Make) -> None:
    model = trained(make)
    whole, changed = model.score(VERSE[:60] + "and then\n"), model.score(VERSE[:60] + "qqq zzz qqq\n")
    before = int((whole.ends <= 50).sum())
    assert before > 5
    # networks add in an order that depends on how much they read at once
    np.testing.assert_allclose(whole.log_probs_nats[:before], changed.log_probs_nats[:before], rtol=1e-12, atol=1e-12)


@every_model
@pytest.mark.parametrize("text", TEXTS)
def test_tokens_tile_the_text(make: Make, text: str) -> None:
    scored = trained(make).score(text)
    assert scored.starts[0] == 0
    assert scored.ends[-1] == len(text)
    np.testing.assert_array_equal(scored.starts[1:], scored.ends[:-1])
    assert len(scored.is_known) == len(scored.log_probs_nats) == len(scored)
    assert (scored.log_probs_nats <= 0).all()
    assert scored.unit == trained(make).tokeniser.unit


@pytest.mark.slow
@every_model
def test_saving_and_loading_change_nothing(make: Make, tmp_path: Path) -> None:
    model = trained(make)
    model.save(tmp_path / "model")
    again = load_model(tmp_path / "model")
    assert type(again) is type(model)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model"]
    for text in TEXTS:
        np.testing.assert_array_equal(again.score(text).log_probs_nats, model.score(text).log_probs_nats)
    np.testing.assert_array_equal(again.next_log_probs("the s"), model.next_log_probs("the s"))
    words = ["sea", "ōld", ""]
    np.testing.assert_array_equal(again.background.speller.nats(words), model.background.speller.nats(words))
    assert again.background.notes == model.background.notes
    np.testing.assert_array_equal(again.background.digest.mark_seen(VERSE), model.background.digest.mark_seen(VERSE))


@every_model
def test_samples_are_reproducible_and_never_unknown(make: Make) -> None:
    model = trained(make)
    drawn = ["".join(stream(model, np.random.default_rng(seed), length=40, prompt="the ")) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert "<unk>" not in drawn[0]
    unknown = model.tokeniser.unknown
    assert unknown is None or unknown not in model.tokeniser.encode(drawn[0]).ids


@every_model
def test_a_cold_sample_takes_the_likeliest(make: Make) -> None:
    model = trained(make)
    first = "".join(stream(model, np.random.default_rng(0), length=1, how=Sampling(temperature=1e-9)))
    log_probs = model.next_log_probs("")
    if model.tokeniser.unknown is not None:
        log_probs[model.tokeniser.unknown] = -np.inf
    assert log_probs[context_ids(first, model.tokeniser)[0]] == log_probs.max()


@every_model
def test_an_empty_text_is_refused(make: Make) -> None:
    with pytest.raises(NothingScoredError, match="nothing to score: the text is empty"):
        trained(make).score("")


@every_model
def test_the_training_text_is_recognised(make: Make) -> None:
    digest = trained(make).background.digest
    assert digest.n_characters == len(VERSE)
    assert digest.mark_seen(VERSE).mean() > 0.9
    assert not digest.mark_seen(UNSEEN * 3).any()


@every_model
def test_it_has_learnt_something(make: Make) -> None:
    """The training text is likelier than its words in reverse order."""
    model = trained(make)
    backwards = "\n".join(" ".join(reversed(line.split())) for line in VERSE.splitlines()) + "\n"
    assert model.score(VERSE).log_probs_nats.sum() > model.score(backwards).log_probs_nats.sum()


@every_model
def test_a_model_is_shown_on_one_line_with_sizes(make: Make) -> None:
    model = trained(make)
    shown = repr(model)
    assert shown.startswith(type(model).__name__)
    assert "\n" not in shown
    assert len(shown) <= MAX_REPR
    assert f"vocabulary={len(model.tokeniser.vocabulary):,} {model.tokeniser.unit}s" in shown
    assert f"<td>{model.background.digest.n_characters:,} characters</td>" in model._repr_html_()
