"""What the tests of the tour's parts share: one question answered, and the laws that every answer keeps."""

import re

import pytest

from regard import __version__
from regard.progress import silent
from regard.studies.tour.evidence import Config
from regard.studies.tour.run import QUESTIONS


@pytest.fixture(scope="package")
def answer():
    """Answers a question by its identifier, quickly, once."""
    found = {}

    def find(identifier):
        if identifier not in found:
            question, home = QUESTIONS[identifier]
            module, _, name = home.partition(":")
            answering = getattr(__import__(module, fromlist=[name]), name)
            found[identifier] = answering(question, Config(quick=True), silent)
        return found[identifier]

    return find


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
