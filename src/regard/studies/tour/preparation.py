"""Part E of the tour, its last question: which preparation of a text improves the figures, and whether that is real."""

from __future__ import annotations

from dataclasses import dataclass

from regard.display import percent
from regard.evaluation.perplexity import best_steps, charge_choice, evaluate
from regard.models.base import LanguageModel
from regard.progress import Progress, part, track
from regard.records import PerplexityResult
from regard.report.tour.answers import Answer, Number, Question, Table
from regard.studies.tour import perplexity
from regard.studies.tour.evidence import Config, Origin, try_claims
from regard.text.normalise.prepare import STEPS, prepare

fingerprint = perplexity.fingerprint


@dataclass(frozen=True)
class Trial:
    """A model on a passage as it is, and after some steps of preparation."""

    before: PerplexityResult
    steps: tuple[str, ...]
    after: PerplexityResult

    @property
    def bits_gained(self) -> float:
        """Bits per character of the original text that the steps save; what they erase has to be restored."""
        return self.before.bits_per_character - self.after.bits_per_character

    @property
    def lowers_perplexity(self) -> bool:
        """Whether the perplexity falls, by more than rounding."""
        return self.after.perplexity < self.before.perplexity * (1 - 1e-9)

    @property
    def judgement(self) -> str:
        """What the steps did, in a word or two."""
        if self.bits_gained > 0:
            return "real" if self.lowers_perplexity else "real, unseen in the perplexity"
        return "seeming only" if self.lowers_perplexity else "a loss"


@dataclass(frozen=True)
class Trials:
    """Each step by itself, and all steps that pay together, for every model and passage."""

    single: list[Trial]
    together: list[Trial]

    @property
    def lowering(self) -> list[Trial]:
        """The single steps that lower the perplexity."""
        return [trial for trial in self.single if trial.lowers_perplexity]

    @property
    def real(self) -> list[Trial]:
        """The single steps that also lower the cost of the original text."""
        return [trial for trial in self.lowering if trial.bits_gained > 1e-9]


def run_trials(both: dict[str, LanguageModel], texts: dict[str, str], progress: Progress) -> Trials:
    """Every step that changes a passage, and the best choice of steps, for every model on every passage."""
    found = Trials([], [])
    cases = [(model, text) for model in both for text in texts]
    for model, text in track(cases, progress=progress, message="trying steps"):
        plain = evaluate(both[model], texts[text], name=text, model_name=model)
        for step in STEPS:
            if prepare(texts[text], [step]).text != texts[text]:
                after = evaluate(both[model], texts[text], name=text, model_name=model, steps=[step])
                found.single.append(Trial(plain, (step,), after))
        steps = tuple(best_steps(both[model], texts[text]))
        chosen = charge_choice(evaluate(both[model], texts[text], name=text, steps=steps))
        found.together.append(Trial(plain, steps, chosen))
    return found


def answer_preparation(question: Question, config: Config, progress: Progress) -> Answer:
    """E3: what each preparation step does to the perplexity and to the honest cost of the text."""
    texts, notes = perplexity.passages(config)
    both = perplexity.models(config, part(progress, 0.0, 0.6))
    trials = run_trials(both, texts, part(progress, 0.6, 1.0))
    best = max(trials.together, key=lambda trial: trial.bits_gained)
    return Answer(
        question=question,
        sentences=_describe_trials(trials, best),
        numbers=_numbers(trials, config, texts),
        tables=(_table(trials.single),),
        claims=try_claims((r"PP = \frac1N \sum_i 1/p_i", "perplexity"), (r"PP = \prod_i p_i^{-1/N}", "perplexity")),
        command=f"regard tour {'--quick ' if config.quick else ''}--only E3 --seed {config.seed}",
        python=perplexity.code_for_both(
            config, 'regard.study.perplexity(both, texts, prepare="auto", progress=False).gains'
        ),
        link=perplexity.link_passages(config, {"b": texts[best.before.text], "steps": ",".join(best.steps)}),
        notes=(*notes, "Steps that change nothing in a passage are left out."),
    )


def _describe_trials(trials: Trials, best: Trial) -> tuple[str, ...]:
    greatest = max(trials.single, key=lambda trial: trial.bits_gained)
    before, after = greatest.before, greatest.after
    sentences = [
        f"Of {len(trials.single)} trials (a step that changes something, a model, a passage) {len(trials.lowering)} "
        f"lower the perplexity, but only {len(trials.real)} of these also lower the cost of the original text, in "
        "which what a step erased has to be restored.",
        f"The step that helps most is “{greatest.steps[0]}”, for {before.model} on {before.text}: it saves "
        f"{greatest.bits_gained:.3f} bits per character, with unknown tokens going from "
        f"{percent(before.unknown_share)} to {percent(after.unknown_share)} and the perplexity from "
        f"{before.perplexity:.1f} to {after.perplexity:.1f}. All steps that pay together "
        f"({', '.join(best.steps) or 'none'}) bring {best.before.model} on {best.before.text} from "
        f"{best.before.bits_per_character:.3f} to {best.after.bits_per_character:.3f} bits, the price of the choice "
        "included: that improvement is real.",
    ]
    worst = min(trials.lowering, key=lambda trial: trial.bits_gained, default=None)
    if worst is not None and worst.bits_gained < 0:
        sentences.append(
            f"The least real is “{worst.steps[0]}” for {worst.before.model} on {worst.before.text}: the perplexity "
            f"falls from {worst.before.perplexity:.2f} to {worst.after.perplexity:.2f} while the text costs "
            f"{-worst.bits_gained:.3f} bits per character more; an easier text was predicted, not the same one better."
        )
    return tuple(sentences)


def _numbers(trials: Trials, config: Config, texts: dict[str, str]) -> tuple[Number, ...]:
    plain = Origin(config.seed)
    return (
        plain.number("trials", len(trials.single), how="counted"),
        plain.number("trials that lower the perplexity", len(trials.lowering), how="counted"),
        plain.number("of these, trials that lower the cost", len(trials.real), how="counted"),
        *(
            perplexity.passage_origin(config, trial.before, texts).number(
                f"bits per character gained by all that pays, {trial.before.model} on {trial.before.text}",
                trial.bits_gained,
                how="measured",
            )
            for trial in trials.together
        ),
    )


def _table(trials: list[Trial]) -> Table:
    return Table(
        "Each step by itself: perplexity, and bits per character of the original text",
        ("model", "passage", "step", "perplexity before", "after", "bits before", "after", "is it real?"),
        tuple(
            (
                trial.before.model,
                trial.before.text,
                trial.steps[0],
                trial.before.perplexity,
                trial.after.perplexity,
                trial.before.bits_per_character,
                trial.after.bits_per_character,
                trial.judgement,
            )
            for trial in trials
        ),
    )
