"""Attribution of trained averaging networks: exact where they are linear, complete by integrated gradients."""

import numpy as np
import pytest

from regard.evaluation.attribution import attribution, centred
from regard.records import LabelledTexts
from regard.training.averaging import AveragingConfig, train_averaging

TEXTS = ("a good film , great fun", "bad , dull and boring", "superb !", "an awful mess", "fine", "poor") * 5
DATA = LabelledTexts(TEXTS, np.array([1, 0] * 15), ("negative", "positive"))
TEXT = "Not a bad film, but great fun: superb and zyzzyva!"


def trained(**settings):
    return train_averaging(DATA, AveragingConfig(epochs=4, width=6, **settings))


@pytest.mark.parametrize("settings", [{"form": "classic", "layers": 0}, {"form": "classic", "layers": 2, "hidden": 8},
                                      {"form": "strong", "layers": 1, "hidden": 8}])  # fmt: skip
def test_integrated_gradients_sum_to_what_the_text_adds(settings):
    classifier = trained(**settings)
    found = attribution(classifier, TEXT, method="integrated-gradients")
    text, nothing = centred(classifier.log_probs([TEXT, ""]))
    np.testing.assert_allclose(
        found.shares.sum(axis=0), text - nothing, atol=0.01 * np.abs(text - nothing).max() + 1e-4
    )


def test_exact_shares_leave_only_the_bias():
    classifier = trained(form="classic", layers=0)
    rests = [attribution(classifier, text).rest for text in (TEXT, "good", "dull dull mess")]
    assert attribution(classifier, TEXT).method == "exact"
    np.testing.assert_allclose(rests, [rests[0]] * 3, atol=1e-5)
