"""Claims of the collection that was opened: none that was once wrong or open gets a verdict against its label.

All of them are tried by benchmarks/claims_quality.py, which takes minutes.
"""

import tomllib
from pathlib import Path

import pytest

from regard.claims.check import check

COLLECTION = Path(__file__).parents[3] / "benchmarks" / "claims" / "opened.toml"
NAMES = [
    "attn-copy-06",
    "attn-copy-07",
    "attn-copy-09",
    "attn-hull-01",
    "attn-linear-01",
    "attn-literal-01",
    "attn-normgrows-01",
    "attn-pair-09",
    "attn-reach-01",
    "attn-rows-01",
    "attn-rows-02",
    "attn-zeroquery-02",
    "ce-gradient-06",
    "ce-limit-01",
    "cosh-01",
    "cs-04",
    "eig-01",
    "entropy-bounds-01",
    "gauss-cond-01",
    "gauss-cond-02",
    "gauss-cond-03",
    "gauss-cond-04",
    "gauss-inverse-01",
    "gauss-inverse-02",
    "gauss-limit-01",
    "gauss-limit-02",
    "gauss-literal-01",
    "gauss-literal-03",
    "gauss-mean-01",
    "gauss-mean-03",
    "gauss-mean-04",
    "gauss-mean-05",
    "gauss-sigmoid-01",
    "gauss-sigmoid-02",
    "gauss-stein-01",
    "gauss-uncorrelated-01",
    "gauss-uncorrelated-02",
    "gauss-uncorrelated-03",
    "gauss-uncorrelated-04",
    "gauss-var-06",
    "gauss-var-07",
    "jacobian-cases-01",
    "jacobian-cases-02",
    "jacobian-diag-01",
    "jacobian-dots-01",
    "jacobian-entry-01",
    "jacobian-matrix-02",
    "jacobian-rank-02",
    "jensen-01",
    "kl-bound-01",
    "kl-limit-01",
    "lim-entropy-02",
    "lim-entropy-03",
    "lim-entropy-04",
    "lim-pnorm-01",
    "lim-power-02",
    "lim-ridge-01",
    "logp-gradient-02",
    "lse-hessian-01",
    "noisy-length-04",
    "noisy-limit-01",
    "noisy-limit-02",
    "noisy-limit-03",
    "noisy-limit-09",
    "noisy-limit-10",
    "noisy-limit-11",
    "noisy-logit-03",
    "noisy-logit-07",
    "noisy-ratio-03",
    "pp-base-03",
    "pp-entropy-01",
    "pp-entropy-02",
    "pp-split-01",
    "pp-split-02",
    "proj-det-01",
    "sigmoid-derivative-02",
    "softmax-injective-01",
    "softmax-temperature-02",
    "sub-general-01",
    "sub-general-03",
]
OPPOSITE = {
    "holds": ("fails", "ill-formed"),
    "holds-in-limit": ("fails", "ill-formed"),
    "fails": ("holds", "holds-in-limit"),
}
CLAIMS = {one["id"]: one for one in tomllib.loads(COLLECTION.read_text("utf-8"))["claim"]}


@pytest.mark.parametrize("name", NAMES)
def test_verdict_is_not_against_the_label(name, unchecked):
    found = check(CLAIMS[name]["text"], setting=CLAIMS[name].get("setting") or None)
    assert found.verdict not in OPPOSITE[CLAIMS[name]["label"]], found
