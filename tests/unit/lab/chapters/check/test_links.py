"""From counterexamples to the chapters that show them."""

from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

from regard.arrays import attention_weights
from regard.claims.verdict import Counterexample
from regard.lab.chapters.check.links import (
    chapter_links,
    example_keys,
    links_text,
    number_columns,
    number_table,
    pull_or_push,
)
from regard.lab.chapters.check.view import EXAMPLES, Question, verdict_job
from regard.lab.jobs import JobProgress
from regard.lab.url_state import points


def verdict_on(claim, setting):
    return verdict_job(Question(claim, setting))(JobProgress(lambda: None))


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
    assert link.address.startswith("/chapter/look-up/?")
    values = link_values(link.address)
    keys, query = (np.array(points([[0.0, 0.0]], most=50, extent=2).read(values[name])) for name in ("keys", "query"))
    weights = attention_weights(query, keys, scale=float(values["scale"]))[0]
    example = verdict.counterexample
    n, d = example.sizes["n"], example.sizes["d"]
    logits = np.reshape(example.symbols["k"], (n, d)) @ np.reshape(example.symbols["q"], d)
    np.testing.assert_allclose(weights, np.exp(logits) / np.exp(logits).sum(), atol=1e-3)
    assert int(values["key"]) == example.symbols["a"] - 1


def test_noise_opens_in_chapter_three_and_its_draw_in_chapter_one():
    verdict = verdict_on(EXAMPLES["pulling, one length varies"].claim, "magnitude-noise")
    plane, noise = chapter_links(verdict)
    assert noise.address == "/chapter/noisy-keys/?scale=100&variance=0.5&n=3"
    assert noise.words == "Open its noise in chapter 3, where one head pulls (with 3 keys, the fewest there)"
    keys = np.array(points([[0.0, 0.0]], most=50, extent=2).read(link_values(plane.address)["keys"]))
    np.testing.assert_allclose(keys, example_keys(verdict.counterexample), atol=1e-4)
    output = attention_weights(np.array([[1.0, 1.0]]), keys, scale=100.0)[0] @ verdict.counterexample.symbols["v"]
    np.testing.assert_allclose(output, verdict.counterexample.left, atol=1e-6)
    assert "Chapter 1 counts keys from 0" in links_text((plane, noise))


def test_keys_are_where_the_noise_has_put_them():
    symbols = {"a": 2, "alpha": 0.04, "g": -1.5, "mu": [[1, 0], [0, 1]], "xi": [[1, -1], [0.5, 2]]}
    keys = example_keys(Counterexample({"n": 2, "d": 2}, symbols, 0.0, 1.0, 1.0))
    np.testing.assert_allclose(keys, [[1.2, -0.2], [0.1, 1 + 0.4 - 1.5 * np.sqrt(0.5)]])


@pytest.mark.parametrize(
    ("claim", "setting", "reason"),
    [
        ("q = k_a + k_b", "orthonormal-keys", "Its keys have 3 coordinates and chapter 1 is a plane"),
        ("PP = 2^{CE}", "perplexity", "No chapter shows this"),
        (r"Var[k_a^\top q] = \alpha^2 \|q\|^2", "noisy-keys", "Its noise in every direction has variance 0.5"),
    ],
)
def test_where_there_is_no_link_the_reason_is_told(claim, setting, reason):
    [link] = chapter_links(verdict_on(claim, setting))
    assert link.address == ""
    assert link.words.startswith(reason)
    assert "](" not in links_text((link,))


def test_what_holds_has_nothing_to_show():
    assert chapter_links(verdict_on(r"\sum_i \alpha_i = 1", "attention")) == ()


def test_numbers_are_listed():
    example = verdict_on("q = k_a + k_b", "orthonormal-keys").counterexample
    columns = number_columns(example)
    assert columns["what"] == ["n", "d", "a", "b", "k", "q", "v", "left side", "right side"]
    assert columns["value"][5] == "[1, 1, 0]"
    table = number_table(example)
    assert table.startswith("At $n = 3$, $d = 3$, $a = 1$, $b = 2$:\n")
    assert "| $k$ | [[1, 0, 0], [0, 1, 0], [0, 0, 1]] |" in table


def test_neither_pull_nor_push():
    assert pull_or_push(np.array([1.0, 2.0, 0.0]), (0, 1)) == (None, 0.0)
    assert pull_or_push(np.array([-1.0, -1.0, 0.0]), (0, 1)) == (None, 0.0)
