"""What is drawn from: by hand, and as often as it should be."""

import numpy as np
import pytest
from tests.support.texts import VERSE

from regard.errors import DTypeError, ValueRangeError
from regard.models.ngram.model import NgramConfig, fit_ngram
from regard.models.sampling import Sampling, draw, opening, shape_probs, stream, unknown_parts

PROBS = np.array([0.1, 0.4, 0.05, 0.3, 0.15])


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        (Sampling(), PROBS),
        (Sampling(temperature=0.5), PROBS**2 / (PROBS**2).sum()),
        (Sampling(temperature=2.0), PROBS**0.5 / (PROBS**0.5).sum()),
        (Sampling(top_k=2), [0, 4 / 7, 0, 3 / 7, 0]),
        (Sampling(top_k=99), PROBS),
        (Sampling(top_p=0.4), [0, 1, 0, 0, 0]),  # the first alone holds that much
        (Sampling(top_p=0.41), [0, 4 / 7, 0, 3 / 7, 0]),
        (Sampling(top_p=0.8), [0, 8 / 17, 0, 6 / 17, 3 / 17]),
        (Sampling(top_p=1.0), PROBS),
        (Sampling(min_p=0.37), [0, 8 / 17, 0, 6 / 17, 3 / 17]),
        (Sampling(min_p=1.0), [0, 1, 0, 0, 0]),
        (Sampling(top_k=3, min_p=0.5), [0, 4 / 7, 0, 3 / 7, 0]),
    ],
)
def test_shapes_worked_by_hand(how: Sampling, expected: np.ndarray) -> None:
    np.testing.assert_allclose(shape_probs(np.log(PROBS), how), expected, rtol=1e-12, atol=1e-15)


def test_what_is_never_drawn_and_what_was_drawn_lately() -> None:
    np.testing.assert_allclose(shape_probs(np.log(PROBS), Sampling(), never=1), np.array([1, 0, 0.5, 3, 1.5]) / 6)
    penalised = np.array([0.1, 0.2, 0.05, 0.3, 0.15])
    found = shape_probs(np.log(PROBS), Sampling(repetition_penalty=2.0), recent=[1, 1])
    np.testing.assert_allclose(found, penalised / penalised.sum(), rtol=1e-12)
    np.testing.assert_allclose(shape_probs(np.log(PROBS), Sampling(), recent=[1]), PROBS)


def test_the_logits_that_were_given_stay_as_they_are() -> None:
    log_probs = np.log(PROBS)
    shape_probs(log_probs, Sampling(top_k=1, repetition_penalty=3.0), never=0, recent=[1])
    np.testing.assert_array_equal(log_probs, np.log(PROBS))


def test_a_tiny_temperature_takes_the_likeliest() -> None:
    np.testing.assert_array_equal(shape_probs(np.log(PROBS), Sampling(temperature=1e-12)), [0, 1, 0, 0, 0])


def test_draws_come_as_often_as_they_should() -> None:
    rng = np.random.default_rng(0)
    drawn = [draw(rng, np.log(PROBS), Sampling(top_k=3)) for _ in range(4000)]
    share = np.bincount(drawn, minlength=5) / 4000
    np.testing.assert_allclose(share, [0, 8 / 17, 0, 6 / 17, 3 / 17], atol=4 * 0.5 / 4000**0.5)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"temperature": 0.0}, "temperature must be above 0; got 0.0"),
        ({"top_k": 0}, "top_k must be at least 1; got 0"),
        ({"top_p": 0.0}, "top_p must be above 0 and at most 1; got 0.0"),
        ({"min_p": 1.5}, "min_p must be above 0 and at most 1; got 1.5"),
        ({"repetition_penalty": 0.5}, "repetition_penalty must be 1 (off) or more; got 0.5"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, float], message: str) -> None:
    with pytest.raises(ValueRangeError) as caught:
        Sampling(**settings)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_at_a_tiny_temperature_the_likeliest_are_all_there_is():
    """Below 1e-308 the quotient overflows, which is as it should be and no reason for a warning."""
    assert shape_probs(np.log([0.4, 0.2, 0.4]), Sampling(temperature=1e-320)).tolist() == [0.5, 0.0, 0.5]


VERSES = fit_ngram(VERSE, NgramConfig(order=3, method="kneser-ney"))


def test_a_model_samples_what_a_stream_with_the_first_child_of_the_seed_draws():
    (rng,) = np.random.default_rng(7).spawn(1)
    expected = "".join(stream(VERSES, rng, length=30, prompt="the ", how=Sampling(0.5)))
    assert VERSES.sample("the ", length=30, temperature=0.5, seed=7) == expected
    assert len(expected) == 30


def test_without_a_prompt_a_sample_begins_a_text_and_none_is_the_opening_line():
    assert VERSES.sample(length=20) == VERSES.sample("", length=20)
    assert VERSES.sample(None, length=20) == VERSES.sample("\n" + opening(VERSES), length=20)


def test_a_sample_ends_after_a_stop():
    whole = VERSES.sample(length=200)
    assert VERSES.sample(length=200, stop=["e"]) == whole[: whole.index("e") + 1]


def test_settings_that_make_no_sense_are_refused_at_the_call():
    with pytest.raises(ValueRangeError, match="length, in tokens, must be 0 or more; got -1"):
        stream(VERSES, np.random.default_rng(0), length=-1)
    with pytest.raises(ValueRangeError, match="temperature must be above 0"):
        VERSES.sample(temperature=0.0)


def test_parts_of_a_prompt_that_are_unknown_are_named_once():
    assert unknown_parts(VERSES, "the Ω and Ω") == ["Ω"]
    assert unknown_parts(VERSES, "the sea") == []


@pytest.mark.parametrize("setting", ["temperature", "top_k", "top_p", "min_p", "repetition_penalty"])
@pytest.mark.parametrize("value", ["1", b"1", 1j, [1.0], {}, np.ones(1)])
def test_a_setting_is_a_number(setting, value, unchecked):
    with pytest.raises(DTypeError, match=f"{setting} must be a"):
        Sampling(**{setting: value})


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), np.longdouble("1e4000"), pytest.param(10**400, id="10^400")]
)
def test_a_temperature_is_finite(value, unchecked):
    with pytest.raises(ValueRangeError, match="temperature must be above 0"):
        Sampling(temperature=value)
