"""A run of the tour: which questions, what is kept, what a failure and an interrupt leave behind."""

import pytest

from regard.errors import InputFileError, ValueRangeError
from regard.report.tour.answers import Answer, Tour
from regard.report.tour.page import tour_page
from regard.studies.tour import attention, materials, noisy_keys, run
from regard.studies.tour.evidence import Config
from regard.studies.training.run import TrainingStopped


@pytest.fixture
def answering(monkeypatch):
    """Replaces the four answers of part A by short ones; a given one raises."""

    def replace(**errors):
        def make(name):
            def answer(question, config, progress):
                progress(0.5, "thinking")
                if name in errors:
                    raise errors[name]
                return Answer(question=question, sentences=(f"{name}, seed {config.seed}",))

            return answer

        for module, names in (
            (attention, ("answer_copy", "answer_parts")),
            (noisy_keys, ("answer_noise", "answer_heads")),
        ):
            for name in names:
                monkeypatch.setattr(module, name, make(name))

    return replace


def names(tour):
    return [answer.question.identifier for answer in tour.answers]


def test_questions_are_chosen_by_part_and_by_name():
    assert [question.identifier for question in run.choose_questions(["b1", " A "])] == ["A1", "A2", "A3", "A4", "B1"]
    assert len(run.choose_questions()) == len(run.QUESTIONS)
    with pytest.raises(ValueRangeError, match="there is no question 'Z9'; there are the parts A, B"):
        run.choose_questions(["A", "Z9"])


def test_every_question_belongs_to_a_part():
    assert {question.part for question, _ in run.QUESTIONS.values()} == set(run.PARTS)


def test_a_failure_is_told_in_its_place_and_the_rest_goes_on(answering):
    answering(answer_parts=ValueRangeError("no such basis"))
    tour = run.run_tour(Config(), only=["A"])
    assert names(tour) == ["A1", "A2", "A3", "A4"]
    assert [answer.failure for answer in tour.answers] == ["", "ValueRangeError: no such basis", "", ""]


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), TrainingStopped("stopped")])
def test_an_interrupt_ends_the_run_and_keeps_what_is_done(answering, stop):
    answering(answer_noise=stop)
    kept = []
    with pytest.raises(KeyboardInterrupt):
        run.run_tour(Config(), only=["A"], keep=kept.append)
    assert names(kept[-1]) == ["A1", "A2"]


def test_progress_tells_of_the_whole_and_of_the_question(answering):
    answering()
    seen = []
    run.run_tour(Config(), only=["A1", "A2"], progress=lambda share, message="": seen.append((share, message)))
    assert seen == [
        (0.0, "A1 Copying"), (0.25, "A1 Copying: thinking"),
        (0.5, "A2 Averaging, and taking a summand out"), (0.75, "A2 Averaging, and taking a summand out: thinking"),
        (1.0, "done"),
    ]  # fmt: skip


def write_page(tour, path):
    path.write_text(tour_page(tour, parts=run.PARTS))


def test_kept_answers_are_taken_but_failures_are_tried_again(answering, tmp_path):
    answering(answer_copy=ValueRangeError("once"))
    path, config = tmp_path / "tour.html", Config(quick=True, seed=1)
    write_page(run.run_tour(config, only=["A1", "A2"]), path)
    answering(answer_parts=ValueRangeError("not asked again"))
    tour = run.run_tour(config, only=["A1", "A2"], kept=run.read_answers(path, config))
    assert [answer.sentences for answer in tour.answers] == [("answer_copy, seed 1",), ("answer_parts, seed 1",)]


def test_answers_from_other_data_or_settings_are_found_anew(answering, tmp_path, monkeypatch):
    answering()
    path, config = tmp_path / "tour.html", Config(quick=True)
    write_page(run.run_tour(config, only=["A1"]), path)
    kept = run.read_answers(path, config)
    answering(answer_copy=ValueRangeError("asked again"))
    assert run.run_tour(config, only=["A1"], kept=kept).answers == kept
    monkeypatch.setattr(attention, "N_KEYS", 11)
    assert run.run_tour(config, only=["A1"], kept=kept).answers[0].failure == "ValueRangeError: asked again"


def test_a_fingerprint_follows_the_text(monkeypatch):
    (question,) = run.choose_questions(["D2"])
    before = run.find_fingerprint(question, Config(quick=True))
    assert before == run.find_fingerprint(question, Config(quick=True)) != ""
    materials.character_material.cache_clear()
    monkeypatch.setattr(materials, "QUICK_CHARACTERS", 5000)
    assert run.find_fingerprint(question, Config(quick=True)) != before
    materials.character_material.cache_clear()


def test_answers_of_another_run_are_refused(tmp_path):
    path = tmp_path / "tour.html"
    assert run.read_answers(path, Config()) == ()
    write_page(Tour((), seed=0, quick=False, version=run.__version__), path)
    assert run.read_answers(path, Config()) == ()
    with pytest.raises(InputFileError, match=r"is of a run with seed 0, quick False, .* this one has seed 2"):
        run.read_answers(path, Config(seed=2))


def test_a_page_without_answers_is_refused(tmp_path):
    path = tmp_path / "tour.html"
    path.write_text("<p>mine</p>")
    with pytest.raises(InputFileError, match="holds no answers of a tour; run it without --resume"):
        run.read_answers(path, Config())
