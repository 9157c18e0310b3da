"""A small text for the word model, in a cache of its own."""

import numpy as np
import pytest
from tests.support.tales import SENTENCES

from regard.lab.chapters.words.models import Settings


@pytest.fixture
def settings(monkeypatch, tmp_path):
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "tales.txt"
    path.write_text("\n\n".join(" ".join(np.random.default_rng(i).permutation(SENTENCES)) for i in range(60)))
    return Settings(text=str(path), hidden=6, seed=3)
