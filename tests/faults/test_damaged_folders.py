"""A short run of damaged and forged model folders; `make faults` tries many more."""

import json

import numpy as np
import pytest

from regard.models.folder import CONFIG, json_bytes, seal
from regard.models.folder_writer import save
from tests.faults.damaged_folders import damage, run, save_models, try_folder
from tests.support.models import MODELS

pytestmark = pytest.mark.slow
N_CASES = 400


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return save_models(tmp_path_factory.mktemp("models"))


def test_every_folder_is_refused_in_one_line_or_answers(models, unchecked):
    kinds, faults = run(models, range(N_CASES))
    assert faults == {}
    assert min(kinds["answered"], kinds["refused"]) > N_CASES / 10  # or nothing was tried


def test_the_undamaged_ones_answer(models, unchecked):
    assert {try_folder(model).kind for model in models} == {"answered"}


@pytest.mark.parametrize("setting", ["layers", "width", "vocab", "context"])
def test_a_setting_of_a_billion_takes_no_memory(tmp_path, unchecked, setting):
    save(MODELS["transformer-char"](), tmp_path / "model")
    path = tmp_path / "model" / CONFIG
    config = json.loads(path.read_text("utf-8"))
    config["regard"]["config"][setting] = 10**9
    path.write_bytes(json_bytes(seal(config, config["regard"]["files"])))
    assert try_folder(tmp_path / "model").kind == "refused"


def test_damage_is_done(models, tmp_path):
    save(MODELS["bigram-word"](), tmp_path / "model")
    before = {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir() if path.is_file()}
    damage(tmp_path / "model", np.random.default_rng(0))
    assert {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir() if path.is_file()} != before
