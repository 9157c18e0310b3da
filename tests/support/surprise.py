"""A perplexity result made by hand: what each character cost, in bits."""

import math

import numpy as np

from regard.records import PerplexityResult, SurpriseMap


def surprise_result(text, bits, *, model="letters", passage="passage A"):
    return PerplexityResult(
        model=model, text=passage, unit="character", tokens=len(text), line_ends=0, unknown_share=0.0, perplexity=2.0,
        perplexity_known=2.0, perplexity_by_base={}, characters=len(text), bytes=len(text),
        token_nats=float(sum(bits)) * math.log(2), spelling_nats=0.0, restoration_nats=0.0, choice_nats=0.0,
        adaptive=False, prepare=(), cautions=(), surprise=SurpriseMap(text, np.array(bits) * math.log(2)),
    )  # fmt: skip
