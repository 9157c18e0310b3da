"""What to be wary of when one model is scored on one text: each check a function, each with evidence or silent."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from regard.display import percent
from regard.evaluation.costs import Costs, perplexity_given_known
from regard.models.base import LanguageModel
from regard.records import Caution, PerplexityResult
from regard.shapes import Bool
from regard.text.normalise.prepare import prepare
from regard.text.tokenise.tokens import LINE_END, LINE_START, UNKNOWN

UNLIKE_SHARES = 0.02


def units_differ(results: Sequence[PerplexityResult]) -> Caution | None:
    """Perplexities per word, per character or per byte in one column."""
    first: dict[str, PerplexityResult] = {}
    for result in results:
        first.setdefault(result.unit, result)
    if len(first) < 2:
        return None
    shown = ", ".join(f"{result.perplexity:.4g} per {unit} ({result.model})" for unit, result in first.items())
    message = f"perplexities in different units stand in one column: {shown}; compare bits per character instead"
    return Caution("units", message, {"units": {unit: result.model for unit, result in first.items()}})


def unknown_shares_differ(results: Sequence[PerplexityResult]) -> Caution | None:
    """Perplexities of word models that leave different tokens unknown: the one that knows less looks better."""
    for text in dict.fromkeys(result.text for result in results):
        rows = [result for result in results if result.text == text and result.unit == "word"]
        shares = [row.unknown_share for row in rows]
        if len(rows) < 2 or max(shares) - min(shares) < UNLIKE_SHARES:
            continue
        most, least = rows[shares.index(max(shares))], rows[shares.index(min(shares))]
        message = (
            f"on {text}, {most.model} leaves {percent(most.unknown_share)} unknown and has perplexity "
            f"{most.perplexity:.4g}, {least.model} {percent(least.unknown_share)} and {least.perplexity:.4g}: "
            f"in bits per character they are {most.bits_per_character:.4f} and {least.bits_per_character:.4f}"
        )
        return Caution("unknown-shares", message, {"text": text, "shares": {r.model: r.unknown_share for r in rows}})
    return None


def modes_differ(results: Sequence[PerplexityResult]) -> Caution | None:
    """Figures of models that learn from the text they score, beside figures of models that do not."""
    adaptive = list(dict.fromkeys(result.model for result in results if result.adaptive))
    static = list(dict.fromkeys(result.model for result in results if not result.adaptive))
    if not adaptive or not static:
        return None
    message = (
        f"adaptive figures ({', '.join(adaptive)}: the model learns from the text it has scored) stand beside "
        f"static ones ({', '.join(static)}): compare like with like"
    )
    return Caution("modes", message, {"adaptive": adaptive, "static": static})


TABLE_CHECKS: dict[str, Callable[[Sequence[PerplexityResult]], Caution | None]] = {
    "units": units_differ,
    "unknown-shares": unknown_shares_differ,
    "modes": modes_differ,
}


def table_cautions(results: Sequence[PerplexityResult]) -> tuple[Caution, ...]:
    """What the checks have to say of these results side by side; nothing where they can be compared."""
    return tuple(caution for check in TABLE_CHECKS.values() if (caution := check(results)) is not None)


MOSTLY = 0.5
LONG_STRETCH = 80  # characters; shorter ones are shared by chance: names, phrases, stage directions
SEEN_SHARE = 0.1
LONG_TOKEN = 3.0  # times as long as a word of the vocabulary
FEW_LINES = 5
FEW_KNOWN = 10
EXPECTED = 2 * math.log(2)  # two bits: an event of probability ¼ is no surprise
TOO_MANY_CAPITALS = 0.05
MAX_EXAMPLES = 5
PLAIN = {
    **dict.fromkeys("‘’‚‛′", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―", "-"),
    "…": ".",
    "\u00a0": " ",
}
"""Typographic marks, and the plain ones that an older text has in their place."""
NUMBER_FORMS: dict[str, tuple[str, Callable[[str], str]]] = {
    "digits": ("DG for each digit", lambda word: re.sub(r"\d", "DG", re.sub(r"(?<=\d),(?=\d)", "", word))),
    "digits-n": ("N for a number", lambda word: re.sub(r"\d[\d.,]*", "N", word)),
}
"""How a vocabulary may write numbers, under the name of the preparation step that writes them so."""
NUMBER_ENTRY = re.compile(r"\W*(N|(DG\W*)+)\W*")


@dataclass(frozen=True)
class Scoring:
    """One model on one text: what the checks look at."""

    model: LanguageModel
    costs: Costs
    perplexity: float
    perplexity_known: float | None

    @property
    def is_words(self) -> bool:
        """Whether tokens are words."""
        return self.model.tokeniser.unit == "word"

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """What the model can predict, without marks that stand for no text."""
        return frozenset(self.model.tokeniser.vocabulary) - {UNKNOWN, LINE_END, LINE_START}

    @cached_property
    def alphabet(self) -> frozenset[str]:
        """Every character of the prepared text that the model has met in training, or its speller has."""
        in_vocabulary = frozenset("".join(self.vocabulary))
        candidates = {*self.costs.scored.text, *PLAIN.values()}
        lower = {character.lower() for character in candidates}
        speller = self.model.background.speller
        return in_vocabulary | {c for c in candidates | lower if self.is_words and speller.has_met(c)}

    @cached_property
    def rewrites_numbers(self) -> bool:
        """Whether the vocabulary has marks in the place of digits, so that it cannot tell which ones were seen."""
        return self.is_words and any(map(_is_number_form, self.vocabulary))

    @cached_property
    def words(self) -> list[str]:
        """What the tokens cover, without white space around it; of characters, the characters."""
        scored = self.costs.scored
        spans = zip(scored.starts.tolist(), scored.ends.tolist(), strict=True)
        covered = [scored.text[start:end] for start, end in spans]
        return [word.strip() for word in covered] if self.is_words else covered

    @cached_property
    def unknown_words(self) -> list[str]:
        """The words of the text that the model does not know."""
        is_known = self.costs.scored.is_known.tolist()
        return [word for word, known in zip(self.words, is_known, strict=True) if not known]


def mostly_unknown(scoring: Scoring) -> Caution | None:
    """Most tokens are unknown: to say "unknown" again and again is easy, and says nothing."""
    n_tokens, n_unknown = len(scoring.words), len(scoring.unknown_words)
    share = n_unknown / n_tokens
    if share <= MOSTLY:
        return None
    # A handful of known tokens says nothing of the others.
    has_enough = n_tokens - n_unknown >= FEW_KNOWN
    behind = perplexity_given_known(scoring.model, scoring.costs) if has_enough else None
    if scoring.perplexity_known is None:
        on_known = "there is not one known token to judge by"
    else:
        note = "" if behind is None else f" ({behind:.4g} if it is known which)"
        on_known = f"on the known ones it is {scoring.perplexity_known:.4g}{note}"
    message = (
        f"{percent(share)} of the tokens are unknown ({n_unknown:,} of {n_tokens:,}, "
        f"as {_examples(scoring.unknown_words)}): the perplexity {scoring.perplexity:.4g} says little; {on_known}; "
        "compare bits per character"
    )
    evidence = {
        "unknown_share": share,
        "perplexity_known": scoring.perplexity_known,
        "perplexity_given_known": behind,
        "examples": _most_common(scoring.unknown_words),
    }
    return Caution("unknown", message, evidence)


def seen_in_training(scoring: Scoring) -> Caution | None:
    """The text, or long stretches of it, occur in the training text."""
    is_seen = _is_seen(scoring)
    stretches = [(start, end) for start, end in _runs(is_seen) if end - start >= LONG_STRETCH]
    share = float(is_seen.mean())
    if not stretches and share < SEEN_SHARE:
        return None
    stretches = stretches or _runs(is_seen)
    longest = max(stretches, key=lambda run: run[1] - run[0])
    bits = scoring.costs.per_character / math.log(2)
    there, elsewhere = (float(bits[where].mean()) if where.any() else None for where in (is_seen, ~is_seen))
    message = (
        f"at least {percent(share)} of the text occurs in the model's training text: characters {_ranges(stretches)}; "
        f"the longest stretch begins {_quote(scoring.costs.prepared.original[slice(*longest)])}; there the figures "
        f"say how well the model remembers, not how well it predicts ({there:.3g} bits per character"
        + (")" if elsewhere is None else f", {elsewhere:.3g} elsewhere)")
    )
    evidence = {
        "seen_share": share,
        "ranges": [list(run) for run in stretches],
        "seen_bits_per_character": there,
        "other_bits_per_character": elsewhere,
    }
    return Caution("seen", message, evidence)


def _is_seen(scoring: Scoring) -> Bool[np.ndarray, " character"]:
    """True where the original, or the prepared text in its place, lies in the training text."""
    prepared, digest = scoring.costs.prepared, scoring.model.background.digest
    is_seen = digest.mark_seen(prepared.original)
    if prepared.steps:
        runs = np.array(_runs(digest.mark_seen(prepared.text)), np.int64).reshape(-1, 2)
        for start, end in prepared.original_places(runs.ravel()).reshape(-1, 2):
            is_seen[start:end] = True
    # Of several spaces the digest knows the first alone; the others belong to the stretch that goes on after them.
    for (_, start), (end, _) in pairwise(_runs(is_seen)):
        if prepared.original[start:end].isspace():
            is_seen[start:end] = True
    return is_seen


def long_tokens(scoring: Scoring) -> Caution | None:
    """Tokens far longer than the model's words: a line taken for a word, a script without spaces."""
    words = [word for word in scoring.words if word]
    if not scoring.is_words or not words or not scoring.vocabulary:
        return None
    mean = float(np.mean([len(word) for word in words]))
    usual = float(np.mean([len(word) for word in scoring.vocabulary]))
    if mean <= LONG_TOKEN * usual:
        return None
    message = (
        f"a token has {mean:.3g} characters on average, as {_examples(words)}; a word of the model's has {usual:.3g}: "
        "tokeniser and text do not fit; words must stand apart by white space"
    )
    return Caution("long-tokens", message, {"characters_per_token": mean, "usual": usual})


def one_token_a_line(scoring: Scoring) -> Caution | None:
    """Hardly more words than lines, where the model does not expect a line to end after each word."""
    is_line_end = scoring.costs.is_line_end
    n_words, n_lines = int((~is_line_end).sum()), int(is_line_end.sum())
    if n_lines < FEW_LINES or n_words > 1.2 * n_lines:
        return None
    surprise = -float(scoring.costs.scored.log_probs_nats[is_line_end].mean())
    if surprise < EXPECTED:
        return None
    message = (
        f"there is nearly one token a line, {n_words:,} in {n_lines:,} lines, and the ends of lines surprise the model "
        f"by {surprise / math.log(2):.3g} bits each: it was trained on longer lines; try --prepare join-lines"
    )
    evidence = {"tokens": n_words, "lines": n_lines, "line_end_bits": surprise / math.log(2)}
    return Caution("token-a-line", message, evidence)


def foreign_alphabet(scoring: Scoring) -> Caution | None:
    """Characters that the model has never seen, unless only their case or their typography is new."""
    if scoring.model.tokeniser.unit == "byte":
        return None
    counts = Counter(scoring.costs.scored.text)
    foreign = {
        character: n
        for character, n in counts.most_common()
        if character not in scoring.alphabet
        and not character.isspace()
        and character.lower() not in scoring.alphabet
        and PLAIN.get(character) not in scoring.alphabet
        and not (character.isdigit() and scoring.rewrites_numbers)
    }
    if not foreign:
        return None
    n_foreign = sum(foreign.values())
    message = (
        f"{_count_noun(n_foreign, 'character')} of {_count_noun(len(foreign), 'kind')} never seen in training "
        f"({percent(n_foreign / counts.total())} of the text): {_count_characters(foreign)}"
        + ("; --prepare fold-unicode helps where they have plain forms" if any(map(_has_plain_form, foreign)) else "")
    )
    return Caution("alphabet", message, {"characters": foreign, "share": n_foreign / counts.total()})


def case_differs(scoring: Scoring) -> Caution | None:
    """Tokens that are unknown for their capitals alone."""
    hidden = [word for word in scoring.unknown_words if word.lower() != word and word.lower() in scoring.vocabulary]
    lower_only = all(word == word.lower() or _is_number_form(word) for word in scoring.vocabulary)
    if not hidden or (not lower_only and len(hidden) <= TOO_MANY_CAPITALS * len(scoring.words)):
        return None
    message = (
        f"{_count_noun(len(hidden), 'token')} ({percent(len(hidden) / len(scoring.words))}) unknown for capitals "
        f"alone, as {_examples(hidden)}" + ("; the model's vocabulary is lower case" if lower_only else "")
        + "; try --prepare lower"
    )  # fmt: skip
    evidence = {"tokens": len(hidden), "lower_case_vocabulary": lower_only, "examples": _most_common(hidden)}
    return Caution("case", message, evidence)


def digits_differ(scoring: Scoring) -> Caution | None:
    """Numbers that are unknown only because the model's vocabulary writes numbers in another form."""
    candidates = [word for word in scoring.unknown_words if scoring.is_words and any(map(str.isdigit, word))]
    for step, (form, rewrite) in NUMBER_FORMS.items():
        hidden = [word for word in candidates if rewrite(word) in scoring.vocabulary]
        if hidden:
            message = (
                f"{_count_noun(len(hidden), 'number')} unknown for the form alone, as {_examples(hidden)}: the model's "
                f"vocabulary writes {form}; try --prepare {step}"
            )
            return Caution("digits", message, {"tokens": len(hidden), "step": step, "examples": _most_common(hidden)})
    return None


def typography_differs(scoring: Scoring) -> Caution | None:
    """Typographic quotes, dashes and spaces, where the model knows only plain ones."""
    counts = Counter(character for character in scoring.costs.scored.text if character in PLAIN)
    foreign = {c: n for c, n in counts.most_common() if c not in scoring.alphabet and PLAIN[c] in scoring.alphabet}
    if not foreign or scoring.model.tokeniser.unit == "byte":
        return None
    plain = " ".join(dict.fromkeys(PLAIN[c] for c in foreign))
    message = (
        f"{_count_noun(sum(foreign.values()), 'typographic mark')} never seen in training: "
        f"{_count_characters(foreign)}; the model knows {plain}; try --prepare fold-unicode"
    )
    return Caution("typography", message, {"characters": foreign})


def worse_than_chance(scoring: Scoring) -> Caution | None:
    """A guess at random, each token of the vocabulary as likely, would do better."""
    size, unit = len(scoring.model.tokeniser.vocabulary), scoring.model.tokeniser.unit
    if scoring.perplexity <= size * (1 + 1e-9):
        return None
    instead = "" if scoring.model.kind == "ngram" else ", or regard train ngram"
    message = (
        f"worse than guessing at random ({size:,} {unit}s): perplexity {scoring.perplexity:.4g} per {unit}; "
        f"train on more text, or on text more like this{instead}"
    )
    return Caution("chance", message, {"perplexity": scoring.perplexity, "uniform_perplexity": size})


CHECKS: dict[str, Callable[[Scoring], Caution | None]] = {
    "chance": worse_than_chance,
    "unknown": mostly_unknown,
    "seen": seen_in_training,
    "long-tokens": long_tokens,
    "token-a-line": one_token_a_line,
    "alphabet": foreign_alphabet,
    "case": case_differs,
    "digits": digits_differ,
    "typography": typography_differs,
}


def cautions(scoring: Scoring) -> tuple[Caution, ...]:
    """What every check has to say; nothing where all is well."""
    return tuple(caution for check in CHECKS.values() if (caution := check(scoring)) is not None)


def _has_plain_form(character: str) -> bool:
    return prepare(character, ["fold-unicode"]).text != character


def _is_number_form(word: str) -> bool:
    return NUMBER_ENTRY.fullmatch(word) is not None


def _runs(flags: Bool[np.ndarray, " character"]) -> list[tuple[int, int]]:
    """Stretches of True, as (start, end)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _most_common(words: Iterable[str]) -> dict[str, int]:
    return dict(Counter(words).most_common(MAX_EXAMPLES))


def _examples(words: Iterable[str]) -> str:
    return ", ".join(map(_quote, _most_common(words)))


def _quote(text: str, *, most: int = 40) -> str:
    return repr(text if len(text) <= most else text[: most - 1] + "…")


def _count_characters(characters: dict[str, int]) -> str:
    shown = ", ".join(f"{c!r} × {n:,}" for c, n in list(characters.items())[: 2 * MAX_EXAMPLES])
    return shown + (f" and {len(characters) - 2 * MAX_EXAMPLES:,} more" if len(characters) > 2 * MAX_EXAMPLES else "")


def _ranges(runs: list[tuple[int, int]]) -> str:
    shown = ", ".join(f"{start:,}–{end - 1:,}" for start, end in runs[:MAX_EXAMPLES])
    return shown + (f" and {len(runs) - MAX_EXAMPLES:,} more stretches" if len(runs) > MAX_EXAMPLES else "")


def _count_noun(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
