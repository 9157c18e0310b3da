"""How long to train a network on counts, and whether a simpler form predicts better: chosen on a part of the text.

A network that suits a million words learns a few thousand by heart. So a network is trained on nine lines in ten, and
the other lines say after how many iterations it predicts best, and whether it does better than two networks that do
not look at the word before:

    unigram   W₂ = 0, b₂ = ln p(v)      how frequent each word is
    uniform   W₂ = 0, b₂ = 0            every word as likely

The form chosen is then trained on all lines. A long text is not searched: there the recipe's number of iterations was
found, and the search would double the time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from regard.models.bigram import BigramNetwork
from regard.shapes import Float, Int
from regard.training.bigram.counts_trainer import CountsTraining
from regard.training.bigram.objective import mean_nats
from regard.training.bigram.start import token_shares

EDGES = (10, 30, 100, 300, 1000, 3000, 10_000)
"""Contexts seen fewer times than the first, than the second, … share their trust."""
ROUNDS = 100


def group_contexts(counts: csr_array) -> Int[np.ndarray, " context"]:
    """Which contexts share a trust."""
    return np.digitize(counts.sum(axis=1), EDGES)


def fit_trust(
    validation: csr_array,
    *,
    by_network: Float[np.ndarray, "context vocab"],
    by_counts: Float[np.ndarray, "context vocab"],
    group: Int[np.ndarray, " context"],
) -> Float[np.ndarray, " group"]:
    """The trust of each group under which validation tokens are likeliest; both tables hold probabilities."""
    pairs = validation.tocoo()
    times, network, counts = pairs.data, by_network[pairs.row, pairs.col], by_counts[pairs.row, pairs.col]
    of = group[pairs.row]
    trust = np.full(len(EDGES) + 1, 0.5)
    for _ in range(ROUNDS):
        share = trust[of] * network / (trust[of] * network + (1 - trust[of]) * counts)
        # One token for either side keeps a group without validation tokens at a half.
        answerable = np.bincount(of, weights=times * share, minlength=len(trust)) + 1
        trust = answerable / (np.bincount(of, weights=times, minlength=len(trust)) + 2)
    return trust


MAX_SEARCHED = 100_000
"""Tokens of a text that is still searched."""
MIN_GAIN_NATS = 0.01
"""What stopping early must gain per token; by less than that the lines chosen differ from any others."""
MIN_VALIDATION = 30
"""Tokens to choose by; fewer say nothing."""

Form: TypeAlias = Literal["network", "unigram", "uniform"]


@dataclass(frozen=True)
class FormChoice:
    """The form that is to be trained on the whole text, for how many iterations (None: the recipe's), and why."""

    form: Form = "network"
    iterations: int | None = None
    perplexities: dict[Form, float] | None = None
    note: str | None = None


def choose_form(trained: CountsTraining, train: csr_array, validation: csr_array) -> FormChoice:
    """The form that predicts `validation` best: the network trained on `train`, as it was then best, or a simpler one.

    Both counts are as the network met them.
    """
    networks: dict[Form, BigramNetwork] = {"network": trained.network}
    networks |= {form: make_constant(trained.network, train, form) for form in SIMPLE_FORMS}
    nats: dict[Form, float] = {form: mean_nats(network, validation) for form, network in networks.items()}
    form = min(nats, key=nats.__getitem__)
    perplexities = {form: math.exp(each) for form, each in nats.items()}
    last = [step.validation_nats for step in trained.history if step.validation_nats is not None][-1:]
    stops_early = bool(last) and nats["network"] < last[0] - MIN_GAIN_NATS
    note = None if form == "network" else _note(perplexities)
    return FormChoice(form, trained.iteration if stops_early else None, perplexities, note)


def refuse_choice(n_tokens: int) -> FormChoice:
    """The choice where there is nothing to choose by."""
    return FormChoice(
        note=f"the training text is too short to choose how long to train: a tenth of its lines has {n_tokens} tokens, "
        f"and {MIN_VALIDATION} are needed; the number of iterations is that for a long text"
    )


SIMPLE_FORMS: tuple[Form, ...] = ("unigram", "uniform")


def make_constant(network: BigramNetwork, counts: csr_array, form: Form) -> BigramNetwork:
    """A network of equal size with one prediction after every word: what is frequent in `counts`, or nothing."""
    share = token_shares(counts.sum(axis=0))
    b2 = np.log(share) if form == "unigram" else np.zeros_like(share)
    return replace(network, w2=np.zeros_like(network.w2), b2=b2.astype(network.b2.dtype))


def _note(perplexities: dict[Form, float]) -> str:
    """Says that a simpler form was chosen, with the figures."""
    form = min(perplexities, key=perplexities.__getitem__)
    figures = ", ".join(f"{name} {perplexities[name]:.4g}" for name in perplexities)
    what = "word frequencies alone" if form == "unigram" else "the same probability for every word"
    return f"the word before is not used: {what} predicted a tenth of the training lines best (perplexity: {figures})"
