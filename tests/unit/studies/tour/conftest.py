"""What the tests of the tour's parts share: one question answered, and the laws that every answer keeps.

Trainings are far shorter than those of a quick tour: what is tested is that figures are told, not that they are good.
"""

import importlib
import re

import pytest

from regard import __version__
from regard.progress import silent
from regard.studies.tour import characters, materials, reviews
from regard.studies.tour.evidence import Config
from regard.studies.tour.run import QUESTIONS

CONFIG = Config(quick=True, seed=7)
TINY = {
    materials: {"QUICK_WORDS": 40_000, "QUICK_CHARACTERS": 30_000, "QUICK_ITERATIONS": 400, "QUICK_STEPS": 8},
    characters: {"DRAWN": 300},
    reviews: {"N_MADE": 300, "QUICK_EPOCHS": 2},
}


@pytest.fixture(scope="package")
def answer():
    """Answers a question by its identifier, quickly, once."""
    found = {}

    def find(identifier):
        if identifier not in found:
            question, home = QUESTIONS[identifier]
            module, _, name = home.partition(":")
            found[identifier] = getattr(importlib.import_module(module), name)(question, CONFIG, silent)
        return found[identifier]

    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("REGARD_DATA", raising=False)
        for module, settings in TINY.items():
            for name, value in settings.items():
                patch.setattr(module, name, value)
        yield find


@pytest.fixture
def keeps_the_rules(answer):
    """Fails where an answer lacks something that every answer has."""

    def check(identifier):
        found = answer(identifier)
        assert 1 <= len(found.sentences) <= 3
        assert found.numbers
        assert all(number.version == __version__ for number in found.numbers)
        assert all(bool(number.data) == bool(re.fullmatch("[0-9a-f]{64}", number.digest)) for number in found.numbers)
        assert all(claim.verdict != "not-understood" for claim in found.claims)
        assert found.command.startswith("regard ")
        assert found.link.startswith("chapter/")
        compile(found.python, identifier, "exec")

    return check
