"""What the tour learns from: the manual where nothing else is at hand, and things that are made once."""

from regard.errors import CorpusError
from regard.studies.tour import materials
from regard.studies.tour.evidence import Config


def test_the_first_corpus_that_can_be_had_is_taken(monkeypatch):
    def find(name, *, progress):
        if name != "there":
            raise CorpusError("no")
        return type("Corpus", (), {"text": "to be"})

    monkeypatch.setattr(materials, "find_corpus", find)
    assert materials.first_available(("elsewhere", "there", "too")) == "there"
    assert materials.first_available(("elsewhere",)) is None


def test_a_whole_tour_says_what_it_took_instead(monkeypatch):
    monkeypatch.setattr(materials, "first_available", lambda names: None)
    material = materials.character_material.__wrapped__(Config(seed=99))
    assert material.notes == ("Shakespeare cannot be found or fetched here; Python's manual is used instead.",)
    assert material.name == "python-manual, last tenth"


def test_a_thing_is_made_once_for_each_config():
    calls = []
    make = materials.memoise(lambda config, progress: calls.append(config) or len(calls))
    assert [make(Config(seed=1)), make(Config(seed=1)), make(Config(seed=2))] == [1, 1, 2]


def test_two_tours_train_the_same_way():
    quick, whole = (materials.character_settings(Config(quick=quick)) for quick in (True, False))
    assert (quick.steps, quick.threads, whole.threads, whole.minutes) == (materials.QUICK_STEPS, 1, 1, None)
