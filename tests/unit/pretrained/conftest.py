"""Models of every layout, loaded once."""

import pytest
from tests.support.pretrained import load, minilm_folder, save_tiny, stories_folder, transformers_library
from tests.support.texts import VERSE
from tests.support.transformers import random_model

LAYOUTS = ("stories", "minilm", "gpt2", "roberta", "own")


@pytest.fixture(scope="session")
def layout_folder(tmp_path_factory):
    """From the name of a layout to a folder with such a model."""
    made = {}

    def find(name):
        if name in ("stories", "minilm"):
            return {"stories": stories_folder, "minilm": minilm_folder}[name]()
        if name not in made:
            transformers_library()
            folder = tmp_path_factory.mktemp(name) / "model"
            if name == "own":
                random_model(VERSE, context=64, stride=32, sd=0.1).save(folder)
            else:
                save_tiny(name, folder)
            made[name] = folder
        return made[name]

    return find


@pytest.fixture(scope="session", params=LAYOUTS)
def pretrained(request, layout_folder):
    """A model of each layout in turn."""
    return load(layout_folder(request.param))


@pytest.fixture(scope="session")
def stories():
    """The trained decoder."""
    return load(stories_folder())


@pytest.fixture(scope="session")
def minilm():
    """The trained encoder."""
    return load(minilm_folder())


@pytest.fixture(scope="session")
def gpt2(layout_folder):
    """A tiny random decoder without rotary positions."""
    return load(layout_folder("gpt2"))
