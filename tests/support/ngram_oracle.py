"""Counting models from their definitions, with dictionaries and loops: slow, and no code shared with the package."""

from __future__ import annotations

import math
from collections import Counter, defaultdict


def segments(ids, start_id):
    """Lists of symbols; a start mark opens a new one and is its first symbol."""
    parts = [[]]
    for symbol in map(int, ids):
        if symbol == start_id:
            parts.append([])
        parts[-1].append(symbol)
    return [part for part in parts if part]


class DictionaryCounts:
    """n-grams as tuples: how often each was seen, and in how many ways it is continued to the left."""

    def __init__(self, parts, *, order, start_id):
        self.plain, before = Counter(), defaultdict(set)
        bare = Counter()
        for part in parts:
            for end, symbol in enumerate(part):
                if symbol == start_id:
                    continue
                for size in range(1, order + 1):
                    begin = end + 1 - size
                    if begin < 0:
                        break
                    gram = tuple(part[begin : end + 1])
                    self.plain[gram] += 1
                    if begin == 0:
                        bare[gram] += 1
                    else:
                        before[gram].add(part[begin - 1])
        self.continued = {gram: len(before[gram]) + bare[gram] for gram in self.plain if len(gram) < order}

    def successors(self, kind, context):
        """Count of each symbol after a context."""
        counts = getattr(self, kind)
        return {gram[-1]: n for gram, n in counts.items() if len(gram) == len(context) + 1 and gram[:-1] == context}


def discounts(counts, kind, size):
    """Modified Kneser–Ney discounts of one order."""
    how_many = Counter(n for gram, n in getattr(counts, kind).items() if len(gram) == size)
    if how_many[1] and how_many[2] and how_many[3]:
        y = how_many[1] / (how_many[1] + 2 * how_many[2])
        found = {n: n - (n + 1) * y * how_many[n + 1] / how_many[n] for n in (1, 2, 3)}
        if all(found[n] > 0 for n in found):
            return found
    return {1: 0.5, 2: 1.0, 3: 1.5}


class DictionaryModel:
    """Kneser–Ney of any order and mixtures of orders, with counts that may have grown since the discounts were set."""

    def __init__(self, parts, *, vocab_size, order, start_id=None, learnt=()):
        base = DictionaryCounts(parts, order=order, start_id=start_id)
        self.discounts = {
            (kind, size): discounts(base, kind, size)
            for kind in ("plain", "continued")
            for size in range(1, order + (kind == "plain"))
        }
        self.counts = DictionaryCounts([*parts, *learnt], order=order, start_id=start_id)
        self.order, self.start_id = order, start_id
        self.symbols = [w for w in range(vocab_size) if w != start_id]

    def level(self, kind, context, symbol):
        """One order: what the symbol keeps, and the rest handed down."""
        lower = self.level("continued", context[1:], symbol) if context else 1 / len(self.symbols)
        after = self.counts.successors(kind, context)
        if not after:
            return lower
        cut = self.discounts[kind, len(context) + 1]
        total = sum(after.values())
        escape = sum(cut[min(n, 3)] for n in after.values()) / total
        seen = after.get(symbol, 0)
        return (seen - cut[min(seen, 3)] if seen else 0) / total + escape * lower

    def visible(self, history):
        """The symbols of the last segment, as many as the order can see."""
        parts = segments(history, self.start_id)
        return tuple(parts[-1][-(self.order - 1) :]) if parts and self.order > 1 else ()

    def kneser_ney(self, history, symbol):
        """p(symbol | history) of the highest order; where the segment is shorter, of the order it allows."""
        context = self.visible(history)
        kind = "plain" if len(context) == self.order - 1 else "continued"
        return self.level(kind, context, symbol)

    def orders(self, history, symbol):
        """p of each order 1 … N; an order whose context does not exist repeats the continuations below."""
        context = self.visible(history)
        probs = []
        for size in range(self.order):
            if size <= len(context):
                probs.append(self.level("plain", context[len(context) - size :], symbol))
            else:
                probs.append(self.level("continued", context, symbol))
        return probs

    def features(self, history):
        """1, then ln(1 + total) and ln(1 + successors) for orders 2 … N."""
        context, found = self.visible(history), [1.0]
        for size in range(1, self.order):
            after = {}
            if size <= len(context):
                after = self.counts.successors("plain", context[len(context) - size :])
            found += [math.log1p(sum(after.values())), math.log1p(len(after))]
        return found

    def mixture(self, matrix, history, symbol):
        """Σ softmax(features · matrix)ₙ pₙ."""
        features, probs = self.features(history), self.orders(history, symbol)
        logits = [sum(x * row[n] for x, row in zip(features, matrix, strict=True)) for n in range(self.order)]
        powers = [math.exp(logit - max(logits)) for logit in logits]
        return sum(power * p for power, p in zip(powers, probs, strict=True)) / sum(powers)
