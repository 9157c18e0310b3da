"""From counterexamples to the chapters that show them."""

from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

from regard.arrays import attention_weights
from regard.claims.check import check
from regard.claims.verdict.records import Counterexample
from regard.lab.chapters.check.links import chapter_links, example_keys, plane_pictures, points, pull_or_push


def verdict_on(claim, setting):
    return check(claim, setting=setting)


def link_values(address):
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


@pytest.mark.parametrize(
    ("claim", "setting"),
    [
        (r"\frac{\alpha_a}{\alpha_b} = \exp((k_b - k_a)^\top q)", "attention"),
        (r"q = k_a; \alpha_a \ge \alpha_b", "attention"),
        (r"q = C k_a; \alpha_a = \frac{e^C}{e^C + n}", "orthonormal-keys"),
        (r"q = C_1 k_a + C_2 k_b", "orthonormal-keys"),
    ],
)
def test_chapter_one_shows_the_weights_of_the_counterexample(claim, setting):
    verdict = verdict_on(claim, setting)
    [link] = chapter_links(verdict)
    assert link.address.startswith("../look-up/?")
    values = link_values(link.address)
    keys, query = (np.array(points([[0.0, 0.0]], most=50, extent=2).read(values[name])) for name in ("keys", "query"))
    weights = attention_weights(query, keys, scale=float(values["scale"]))[0]
    example = verdict.counterexample
    n, d = example.sizes["n"], example.sizes["d"]
    logits = np.reshape(example.symbols["k"], (n, d)) @ np.reshape(example.symbols["q"], d)
    np.testing.assert_allclose(weights, np.exp(logits) / np.exp(logits).sum(), atol=1e-3)
    assert int(values["key"]) == example.symbols["a"] - 1


def test_noise_opens_in_chapter_three_and_its_draw_in_chapter_one():
    verdict = verdict_on(r"q = C(\mu_a + \mu_b)", "magnitude-noise")
    plane, clouds, noise = chapter_links(verdict)
    assert noise.address == "../noisy-keys/?scale=100&variance=0.5&n=3"
    assert noise.words == "Open chapter 3 with this noise, where one head pulls (with 3 keys, the fewest there)"
    assert clouds.address == (
        "../noisy-keys/?view=plane&keys=1,0;0,1;-1.5,-1.5&lengths=0.7071,0,0&spread=0&queries=1,1&strength=100"
    )
    keys = np.array(points([[0.0, 0.0]], most=50, extent=2).read(link_values(plane.address)["keys"]))
    np.testing.assert_allclose(keys, example_keys(verdict.counterexample), atol=1e-4)
    output = attention_weights(np.array([[1.0, 1.0]]), keys, scale=100.0)[0] @ verdict.counterexample.symbols["v"]
    np.testing.assert_allclose(output, verdict.counterexample.left, atol=1e-6)


def test_both_heads_share_the_plane_of_chapter_three():
    links = chapter_links(verdict_on(r"q_1 = C\mu_a; q_2 = C\mu_b", "two-heads-magnitude"))
    assert [link.words for link in links[:2]] == ["Open it in chapter 1, head 1", "Open it in chapter 1, head 2"]
    assert link_values(links[2].address)["queries"] == "1,0;0,1"


def test_a_picture_has_the_weights_of_the_counterexample():
    [picture] = plane_pictures(verdict_on(r"q = k_a; \alpha_a \ge \alpha_b", "attention").counterexample)
    assert picture["keys"] == [[1.0, 0.0], [2.0, 0.0]]
    assert picture["weights"] == pytest.approx([0.268941, 0.731059], abs=1e-6)
    assert picture["marked"] == {"a": 0, "b": 1}
    assert plane_pictures(verdict_on("PP = 2^{CE}", "perplexity").counterexample) == []


def test_keys_are_where_the_noise_has_put_them():
    symbols = {"a": 2, "alpha": 0.04, "g": -1.5, "mu": [[1, 0], [0, 1]], "xi": [[1, -1], [0.5, 2]]}
    keys = example_keys(Counterexample({"n": 2, "d": 2}, symbols, 0.0, 1.0, 1.0))
    np.testing.assert_allclose(keys, [[1.2, -0.2], [0.1, 1 + 0.4 - 1.5 * np.sqrt(0.5)]])


@pytest.mark.parametrize(
    ("claim", "setting", "reason"),
    [
        ("q = k_a + k_b", "orthonormal-keys", "Its keys have 3 coordinates, and the plane of chapter 1 has two"),
        (r"Var[k_a^\top q] = \alpha^2 \|q\|^2", "noisy-keys", "Its noise in every direction has variance 0.5"),
    ],
)
def test_where_there_is_no_link_the_reason_is_told(claim, setting, reason):
    [link] = chapter_links(verdict_on(claim, setting))
    assert link.address == ""
    assert link.words.startswith(reason)


@pytest.mark.parametrize(("claim", "setting"), [(r"\sum_i \alpha_i = 1", "attention"), ("PP = 2^{CE}", "perplexity")])
def test_what_holds_or_has_no_keys_has_nothing_to_show(claim, setting):
    assert chapter_links(verdict_on(claim, setting)) == ()


def test_neither_pull_nor_push():
    assert pull_or_push(np.array([1.0, 2.0, 0.0]), (0, 1)) == (None, 0.0)
    assert pull_or_push(np.array([-1.0, -1.0, 0.0]), (0, 1)) == (None, 0.0)
