"""Text that can be read in several ways: every way is tried, one after the other.

Whoever meets a fork asks the `Path` which way to take; the path after it takes the next one, depth first.

    >>> path = Path()
    >>> path.choose(2), path.choose(3)
    (0, 0)
    >>> after = path.next()
    >>> after.choose(2), after.choose(3)
    (0, 1)
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Path:
    """Which reading to take at each fork; forks beyond the end take their first, and are noted."""

    taken: list[int] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)
    at: int = 0

    def choose(self, n: int) -> int:
        """The reading to take at the next fork, one of n."""
        if self.at == len(self.taken):
            self.taken.append(0)
        del self.widths[self.at :]
        self.widths.append(n)
        self.at += 1
        return self.taken[self.at - 1]

    def next(self) -> Path | None:
        """The path to try after this one, depth first; None after the last."""
        taken = self.taken[: self.at]
        while taken and taken[-1] + 1 >= self.widths[len(taken) - 1]:
            taken.pop()
        if not taken:
            return None
        return Path([*taken[:-1], taken[-1] + 1], self.widths[: len(taken)])
