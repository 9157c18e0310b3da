"""What stages hand on to each other: small frozen records, no array library at import time."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from regard.display import (
    facts_table,
    html_list,
    join,
    one_line_repr,
    percent,
    short,
    short_repr,
)
from regard.errors import ValueRangeError
from regard.shapes import Bool, Float, Int, UInt

if TYPE_CHECKING:
    import numpy as np


@short_repr
@dataclass(frozen=True)
class OutputCloud:
    """Outputs of one design as shares of (first wanted key, other wanted keys, all other keys).

    `density` is the density of the first key's weight, in the head that is to read it, at `weights`; both are empty
    where that weight is as good as certain.
    """

    design: str
    shares: Float[np.ndarray, "draw 3"]
    weights: Float[np.ndarray, " node"]
    density: Float[np.ndarray, " node"]
    weight_mean: float


@short_repr
@dataclass(frozen=True)
class HeadPatterns:
    """What the queries of a text read, in every head of a model: the keys of the largest weights, largest first.

    A weight w is kept as the whole number nearest to 255 √w; `covered` is the share of all weight that is kept.
    """

    tokens: tuple[str, ...]
    keys: UInt[np.ndarray, "layer head query place"]
    levels: UInt[np.ndarray, "layer head query place"]
    covered: float


@short_repr
@dataclass(frozen=True)
class ScoredText:
    """What a model says of each token of a text: how likely it was, given all before it.

    Token i covers text[starts[i]:ends[i]]. The spans tile the text from left to right; a token that stands for
    nothing visible, such as the end of the last line or the second byte of a character, covers an empty one.
    An unknown token's log-probability is that of the unknown symbol: the word itself is yet to be spelled out.
    """

    text: str
    unit: str
    starts: Int[np.ndarray, " position"]
    ends: Int[np.ndarray, " position"]
    log_probs_nats: Float[np.ndarray, " position"]
    is_known: Bool[np.ndarray, " position"]
    is_adaptive: bool = False

    def __len__(self) -> int:
        return len(self.log_probs_nats)

    def token(self, i: int) -> str:
        """The characters that token i covers."""
        return self.text[self.starts[i] : self.ends[i]]


@dataclass(frozen=True)
class TrainingStep:
    """How training stands after this many iterations: mean loss of what was trained on, perplexity of what was not."""

    iteration: int
    train_nats: float
    valid_perplexity: float | None = None


@dataclass(frozen=True)
class Caution:
    """Something to be wary of, in words and with the numbers and examples that show it."""

    kind: str
    message: str
    evidence: dict[str, Any]


@short_repr
@dataclass(frozen=True)
class SurpriseMap:
    """What each character of a text cost, in nats: all costs of a model, spread over the characters they are for."""

    text: str
    nats: Float[np.ndarray, " character"]


@dataclass(frozen=True)
class PerplexityResult:
    """One model on one text: perplexity in the model's own unit, and all costs in nats.

    `token_nats` are those of the tokens, `spelling_nats` of unknown words, `restoration_nats` of what normalisation
    erased, `choice_nats` of telling which preparation was chosen. Characters and bytes are those of the original text.
    `perplexity_known` is None where no token was known.
    """

    model: str
    text: str
    unit: str
    tokens: int
    line_ends: int
    unknown_share: float
    perplexity: float
    perplexity_known: float | None
    perplexity_by_base: dict[str, float]
    characters: int
    bytes: int
    token_nats: float
    spelling_nats: float
    restoration_nats: float
    choice_nats: float
    adaptive: bool
    prepare: tuple[str, ...]
    cautions: tuple[Caution, ...]
    surprise: SurpriseMap

    @property
    def nats(self) -> float:
        """What the whole text costs."""
        return self.token_nats + self.spelling_nats + self.restoration_nats + self.choice_nats

    @property
    def nats_per_character(self) -> float:
        """The cost of a character of the original text."""
        return self.nats / self.characters

    @property
    def bits_per_character(self) -> float:
        """The cost of a character of the original text, in bits."""
        return self.nats_per_character / math.log(2)

    @property
    def bits_per_byte(self) -> float:
        """The cost of a byte of the original text in UTF-8, in bits."""
        return self.nats / self.bytes / math.log(2)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to be wary of, in words."""
        return tuple(caution.message for caution in self.cautions)

    def facts(self) -> dict[str, str]:
        """What a repr shows: the figures that one looks at first, and how many warnings there are."""
        return {
            "model": short(self.model),
            "text": short(self.text),
            "perplexity": f"{self.perplexity:.5g} per {self.unit}",
            "bits_per_character": f"{self.bits_per_character:.4f}",
            "tokens": f"{self.tokens:,}",
            "unknown": percent(self.unknown_share),
            "warnings": str(len(self.cautions)),
        }

    def __repr__(self) -> str:
        return one_line_repr(self, self.facts())

    def _repr_html_(self) -> str:
        return str(join(facts_table(self, self.facts()), html_list(self.warnings)))


@short_repr
@dataclass(frozen=True)
class LabelledTexts:
    """Texts, and to each the place of its label in `labels`."""

    texts: tuple[str, ...]
    label_ids: Int[np.ndarray, " batch"]
    labels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.texts)


@short_repr
@dataclass(frozen=True)
class Attribution:
    """What each word of a text did to the logit of each label; word i covers text[starts[i]:ends[i]].

    `logits` are those of the text, `baseline` those without any of its words; `method` says how the shares were
    found. Where it samples, `samples` are the estimates whose mean `shares` are.
    """

    text: str
    starts: Int[np.ndarray, " word"]
    ends: Int[np.ndarray, " word"]
    shares: Float[np.ndarray, "word label"]
    logits: Float[np.ndarray, " label"]
    baseline: Float[np.ndarray, " label"]
    method: str
    samples: Float[np.ndarray, "sample word label"] | None = None


@dataclass(frozen=True)
class GroupAccuracy:
    """How often a classifier is right on texts that have something in common.

    `low` and `high` are Wilson's 95 % interval of the accuracy, `confidence` the mean probability of the answers.
    """

    group: str
    n: int
    accuracy: float
    standard_error: float
    low: float
    high: float
    confidence: float


@short_repr
@dataclass(frozen=True)
class ClassificationResult:
    """How a classifier does on labelled texts: `confusion[true, answer]` counts, `nats` is the mean −ln p(true label).

    `calibration_error` is the expected one over the bins of `reliability`, of which empty ones are left out.
    """

    labels: tuple[str, ...]
    n: int
    accuracy: float
    standard_error: float
    nats: float
    calibration_error: float
    confusion: Int[np.ndarray, "label label"]
    reliability: tuple[GroupAccuracy, ...]


@dataclass(frozen=True)
class RuleCount:
    """How often something that may mislead a classifier is seen in texts that it gets wrong, and in the others.

    `likelihood_ratio` is P(seen | wrong) / P(seen | right), with its 95 % interval from `low` to `high`.
    """

    rule: str
    question: str
    n_wrong: int
    n_right: int
    seen_wrong: int
    seen_right: int
    likelihood_ratio: float
    low: float
    high: float
    verdict: str

    @property
    def is_compared(self) -> bool:
        """Whether it was seen, and there are errors and right answers to compare."""
        return self.seen_wrong + self.seen_right > 0 and self.n_wrong > 0 and self.n_right > 0


@dataclass(frozen=True)
class Finding:
    """What a rule found in a text: in words, and where, as text[start:end].

    `likelihood_ratio` and `verdict` are the rule's, among all texts of the study: those of its `RuleCount`.
    """

    rule: str
    remark: str
    spans: tuple[tuple[int, int], ...]
    likelihood_ratio: float | None = None
    verdict: str = ""


@short_repr
@dataclass(frozen=True, kw_only=True)
class Decision:
    """A classifier's answer to one text: the likeliest `label`, and the probability of every label.

    `true_label` is the label that the text came with, `place` where it stands among others, counted from 0.
    """

    text: str
    label: str
    probabilities: dict[str, float]
    true_label: str | None = None
    place: int | None = None

    @property
    def probability(self) -> float:
        """The probability of the answer."""
        return self.probabilities[self.label]


@short_repr
@dataclass(frozen=True, kw_only=True)
class ExplainedText(Decision):
    """A decision with the words that made it, and what may have misled the classifier.

    `against` is the label that the answer is set against: the true one, where that is another, else the runner-up.
    All else is in nats of log-odds, ln p(label) − ln p(against):

        log_odds = baseline + Σ shares + remainder
    """

    against: str
    log_odds: float
    baseline: float
    """The log-odds without any of its words, from which the words' shares are counted."""
    shares: Float[np.ndarray, " word"]
    standard_errors: Float[np.ndarray, " word"] | None = None
    """Of the shares, where they were sampled."""
    attribution: Attribution
    """Where the words are, and what each did to every label."""
    findings: tuple[Finding, ...] = ()

    @property
    def remainder(self) -> float:
        """What no word accounts for: rounding, unless the method does not add up."""
        return self.log_odds - self.baseline - float(self.shares.sum())

    @property
    def against_probability(self) -> float:
        """The probability of the label that the answer is compared with."""
        return self.probabilities[self.against]


@short_repr
@dataclass(frozen=True)
class ErrorStudy:
    """What a classifier gets wrong, and what may be behind it."""

    title: str
    result: ClassificationResult
    unseen: ClassificationResult | None
    """The result without texts that also occur in training; None where training texts are not available."""
    groups: dict[str, tuple[GroupAccuracy, ...]]
    rules: tuple[RuleCount, ...]
    rules_by_answer: dict[str, tuple[RuleCount, ...]]
    """Counts among texts with one answer: what misleads to yes need not mislead to no."""
    label_doubts: RuleCount | None
    """How often a text's own rating or verdict contradicts its label, which no rule may know; None where labels judge
    nothing."""
    worst: tuple[ExplainedText, ...]
    borderline: tuple[ExplainedText, ...]
    notes: tuple[str, ...] = ()
    config: dict[str, Any] = field(default_factory=dict)


_SCHEDULER = re.compile(r"(?:tcp|tls|ucx|wss?)://(?:\[[0-9A-Fa-f:.]+\]|[^\s/:\[\]]+):[0-9]{1,5}")
"""A scheme that Dask knows, a host, and a port."""


@dataclass(frozen=True)
class Workers:
    """Who does the work (`regard.cluster`): a number of processes of this machine, or those of a scheduler."""

    count: int = 1
    scheduler: str | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.count <= 1024:
            raise ValueRangeError(f"expected from 1 to 1024 workers; got {self.count}")
        if self.scheduler is not None and not _SCHEDULER.fullmatch(self.scheduler):
            raise ValueRangeError(
                f"expected a scheduler's address, such as tcp://10.0.0.1:8786; got {self.scheduler!r}"
            )

    @property
    def are_here(self) -> bool:
        """Whether this process does everything itself."""
        return self.count == 1 and self.scheduler is None


ALONE = Workers()
