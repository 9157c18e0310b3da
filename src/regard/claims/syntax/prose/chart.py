"""A chart parser: every category at every place of a sentence, with where it may end and what it means there.

A rule has a category, a pattern and a meaning:

    Rule("np", "the? entropy of <np>", lambda x: ...)

In a pattern `a/b` is one of two words, `a?` a word that may be missing, and `<np>` whatever that category reads. A
category must not begin with itself, directly or by another. Of two readings of the same words, the rule that stands
first wins; so each place is read once for each category, and long sentences take no more than a moment.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from regard.claims.syntax.prose.tokens import Token

Meaning = Any
"""What a rule makes of its parts; each module of rules says what its categories mean."""
Leaf = Callable[[Sequence[Token], int], Iterable[tuple[int, Meaning]]]
"""Reads tokens at a place without rules: numbers, symbols, formulas."""


class Unreadable(Exception):
    """Raised by a meaning that cannot be made of these parts: the rule is passed over."""


@dataclass(frozen=True)
class Rule:
    """A category, the words and categories it is made of, and what it means."""

    category: str
    pattern: str
    meaning: Callable[..., Meaning]

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The pattern, word by word."""
        return tuple(_step(word) for word in self.pattern.split())


@dataclass(frozen=True)
class Step:
    """One place of a pattern: some words, or a category."""

    words: frozenset[str]
    category: str
    is_optional: bool
    is_word: bool
    """Whether one of the words must stand here."""


def _step(written: str) -> Step:
    is_optional = written.endswith("?") and len(written) > 1
    body = written[:-1] if is_optional else written
    if body.startswith("<"):
        return Step(frozenset(), body[1:-1], is_optional, is_word=False)
    return Step(frozenset(body.split("/")), "", is_optional, is_word=not is_optional)


class Chart:
    """The readings of one list of tokens."""

    def __init__(self, tokens: Sequence[Token], grammar: Grammar) -> None:
        self.tokens = tokens
        self.grammar = grammar
        self.furthest = 0
        """The first token that no rule could use: where a sentence stops being understood."""
        self._known: dict[tuple[str, int], dict[int, Meaning]] = {}
        self._words = [None if token.kind == "formula" else token.text for token in tokens] + [None]

    def read(self, category: str, start: int) -> dict[int, Meaning]:
        """Where a category that begins here may end, and what it means then."""
        key = (category, start)
        if key not in self._known:
            self._known[key] = {}  # a category that begins with itself finds nothing
            self._known[key] = dict(self._readings(category, start))
        return self._known[key]

    def whole(self, category: str) -> Meaning | None:
        """The meaning of all tokens as one category; None where they are not one."""
        return self.read(category, 0).get(len(self.tokens))

    def _readings(self, category: str, start: int) -> Iterator[tuple[int, Meaning]]:
        seen: set[int] = set()
        nowhere: set[str] = set()  # categories that do not begin here, with which most rules do
        leaf = self.grammar.leaves.get(category)
        if leaf is not None:
            for end, meaning in leaf(self.tokens, start):
                if end not in seen:
                    seen.add(end)
                    self.furthest = max(self.furthest, end if category not in self.grammar.greedy else 0)
                    yield end, meaning
        word = self.tokens[start].text if start < len(self.tokens) else ""
        for rule in self.grammar.starting(category, word):
            first = rule.steps[0]
            if first.category and not first.is_optional:
                if first.category not in nowhere and not self.read(first.category, start):
                    nowhere.add(first.category)
                if first.category in nowhere:
                    continue
            for end, parts in self._match(rule.steps, 0, start):
                if end in seen:
                    continue
                try:
                    meaning = rule.meaning(*parts)
                except Unreadable:
                    continue
                seen.add(end)
                yield end, meaning

    def _match(self, steps: tuple[Step, ...], at: int, place: int) -> Iterator[tuple[int, tuple[Meaning, ...]]]:
        n_steps, words = len(steps), self._words
        while at < n_steps and not steps[at].category:  # most patterns end here, at a word
            is_there = words[place] in steps[at].words
            if is_there and steps[at].is_optional:
                break
            if is_there:
                place += 1
                self.furthest = max(self.furthest, place)
            elif steps[at].is_word:
                return
            at += 1
        if at == n_steps:
            yield place, ()
            return
        step = steps[at]
        if step.category:
            after = steps[at + 1] if at + 1 < n_steps else step
            for end, meaning in self.read(step.category, place).items():
                if after.is_word and words[end] not in after.words:
                    continue
                for last, rest in self._match(steps, at + 1, end):
                    yield last, (meaning, *rest)
        else:
            self.furthest = max(self.furthest, place + 1)
            yield from self._match(steps, at + 1, place + 1)
        if step.is_optional:
            for last, rest in self._match(steps, at + 1, place):
                yield last, ((None, *rest) if step.category else rest)


class Grammar:
    """Rules by category, found by the word that they begin with.

    Leaves that are `greedy` take any words, so that they say nothing of how far a sentence was understood.
    """

    def __init__(self, rules: Iterable[Rule], leaves: dict[str, Leaf], *, greedy: Iterable[str] = ()) -> None:
        self.leaves = leaves
        self.greedy = frozenset(greedy)
        self._rules: dict[str, list[Rule]] = defaultdict(list)
        for rule in rules:
            self._rules[rule.category].append(rule)
        self._first_words: dict[str, frozenset[str]] = {}
        self._starting: dict[tuple[str, str], list[Rule]] = {}

    def starting(self, category: str, word: str) -> list[Rule]:
        """The rules of a category that may begin with a word, in their order; all words that begin none are alike."""
        if category not in self._first_words:
            found = (_first_words(rule.steps) for rule in self._rules[category])
            self._first_words[category] = frozenset().union(*found)
        key = (category, word if word in self._first_words[category] else "")
        if key not in self._starting:
            self._starting[key] = [rule for rule in self._rules[category] if _may_begin(rule.steps, key[1])]
        return self._starting[key]


def _first_words(steps: tuple[Step, ...]) -> frozenset[str]:
    """The words that a pattern may begin with."""
    required = next((place for place, step in enumerate(steps) if not step.is_optional), len(steps))
    return frozenset().union(*(step.words for step in steps[: required + 1]))


def _may_begin(steps: tuple[Step, ...], word: str) -> bool:
    for step in steps:
        if step.category or word in step.words:
            return True
        if not step.is_optional:
            return False
    return True
