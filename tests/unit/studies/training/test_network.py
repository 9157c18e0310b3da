"""Networks in one call: in memory or in a folder, to the same bits; and what a stopped run says."""

import signal

import pytest
from tests.support.texts import VERSE

from regard.errors import ValueRangeError
from regard.models.checkpoint import load_model
from regard.studies.training import network
from regard.studies.training.network import NetworkSettings, train_recurrent
from regard.studies.training.run import TrainingStopped

pytest.importorskip("torch")
SETTINGS = {"preset": "course", "steps": 3, "threads": 1, "progress": False}


def test_a_folder_changes_nothing(tmp_path):
    model = train_recurrent(VERSE, **SETTINGS)
    kept = train_recurrent(VERSE, **SETTINGS, out=tmp_path / "model")
    loaded = load_model(tmp_path / "model")
    for other in (kept, loaded):
        assert other.score(VERSE).log_probs_nats.tolist() == model.score(VERSE).log_probs_nats.tolist()
    with pytest.warns(UserWarning, match="is finished, after 3 steps"):
        train_recurrent(VERSE, **SETTINGS, out=tmp_path / "model", resume=True)


@pytest.mark.usefixtures("heeds_interrupts")
@pytest.mark.parametrize("is_kept", [False, True])
def test_a_stopped_run_says_what_is_kept(tmp_path, is_kept):
    def press(share, message=""):
        if share is not None:
            signal.raise_signal(signal.SIGINT)

    out = tmp_path / "model" if is_kept else None
    expected = "the best network so far is in .*model, " if is_kept else "nothing is kept: out='FOLDER' would keep"
    with pytest.raises(TrainingStopped, match=f"stopped after 1 of 3 steps; {expected}"):
        train_recurrent(VERSE, preset="course", steps=3, threads=1, out=out, progress=press)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert (tmp_path / "model").exists() == is_kept


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"steps": 1, "minutes": 1.0}, "expected steps or minutes, not both"),
        ({"resume": True, "force": True}, "expected resume, to go on, or force, to start over; not both"),
        ({"resume": True}, "resume needs the folder of the run"),
    ],
)
def test_what_cannot_be_is_refused_before_torch_is_loaded(settings, message, monkeypatch):
    monkeypatch.setattr(network, "import_module", lambda name: pytest.fail("torch was loaded"))
    with pytest.raises(ValueRangeError, match=message):
        train_recurrent("no such file", **settings)
    with pytest.raises(ValueRangeError, match=message):
        NetworkSettings("transformer", **settings)
