"""`regard check` on claims that nobody tuned it to: how many verdicts are right, wrong, or not given, and how fast.

    python benchmarks/claims_quality.py [--collection FILE ...] [--json FILE]

The claims and their labels are in claims/independent-*.toml, which those who write the checker do not read. Earlier
collections of this kind, claims/opened*.toml, have been read since and are no measure of claims that nobody tuned to. A
verdict is wrong where it contradicts the label; `not-understood` and `undecided` decide nothing. Each claim is tried
once, in the form in which it stands there. The texts of single claims are not printed, so that nobody tunes to them by
accident; --json names each claim with its verdict.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from regard.claims.check import check
from regard.claims.verdict.records import Verdict

Row = tuple[str, str, str]
COLLECTIONS = sorted((Path(__file__).parent / "claims").glob("independent-*.toml"))
TRUTHS = {"holds": True, "holds-in-limit": True, "fails": False, "ill-formed": False}
"""What a verdict or a label says; others say nothing."""
CRASH = "internal error"


def main() -> None:
    """Try every claim, and print the counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--collection", type=Path, nargs="+", metavar="FILE", default=COLLECTIONS, help="other files of labelled claims"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write each claim's verdict, reason and seconds here")
    given = parser.parse_args()
    missing = [path for path in given.collection if not path.exists()]
    if missing:
        sys.exit(f"there is no collection {missing[0]}: nothing was measured")
    results = try_all(given.collection)
    if given.json:
        given.json.write_text(json.dumps(results, indent=1, ensure_ascii=False), "utf-8")
    for row in summarise(results):
        print(" | ".join(row))


def measure() -> Iterator[Row]:
    """What was measured, the figure, and the goal."""
    return summarise(try_all(COLLECTIONS))


def try_all(collections: list[Path]) -> list[dict[str, Any]]:
    """Every claim of some collections with what `check` says about it."""
    return [try_claim(claim) for path in collections for claim in tomllib.loads(path.read_text("utf-8"))["claim"]]


def try_claim(claim: Mapping[str, str]) -> dict[str, Any]:
    """What `check` says about a claim, whether that agrees with its label, and the seconds of processor time."""
    start = time.process_time()
    try:
        verdict = check(claim["text"], setting=claim.get("setting") or None)
    except Exception as error:  # no claim may end so; it is counted, and the rest goes on
        verdict = Verdict(claim["text"], "", "not-understood", f"{CRASH}: {error!r}")
    seconds = time.process_time() - start
    said, right = TRUTHS.get(verdict.verdict), TRUTHS.get(claim["label"])
    outcome = (
        "unlabelled" if right is None else "not decided" if said is None else "right" if said is right else "wrong"
    )
    found = {"verdict": verdict.verdict, "outcome": outcome, "seconds": round(seconds, 4), "reason": verdict.reason}
    return {**claim, **found}


def summarise(results: list[dict[str, Any]]) -> Iterator[Row]:
    """Counts of all claims, of each label, form and topic; then the times."""
    labelled = [result for result in results if result["outcome"] != "unlabelled"]
    yield f"all {len(labelled)} claims with a label", count_outcomes(labelled), "0 wrong, 90 % decided"
    for field in ("label", "form", "kind"):
        for value in sorted({result[field] for result in labelled if field in result}):
            chosen = [result for result in labelled if result.get(field) == value]
            yield f"{field} {value}: {len(chosen)}", count_outcomes(chosen), ""
    crashes = sum(result["reason"].startswith(CRASH) for result in results)
    yield "claims that end in an internal error", str(crashes), "0"
    decided = Counter(result["verdict"] for result in results if result["outcome"] == "unlabelled")
    yield "claims that a person cannot decide", ", ".join(f"{n} {name}" for name, n in decided.items()), ""
    seconds = np.array([result["seconds"] for result in results])
    median, slow, slowest = np.quantile(seconds, [0.5, 0.99, 1])
    times = f"median {median:.3f} s, 99th percentile {slow:.2f} s, largest {slowest:.2f} s"
    yield "processor time of a claim", times, "0.1 s, 3 s"


def count_outcomes(results: list[dict[str, Any]]) -> str:
    """How many verdicts are right, wrong, or not given.

    >>> count_outcomes([{"outcome": "right"}, {"outcome": "not decided"}])
    '1 right, 0 wrong, 1 not decided'
    """
    counts = Counter(result["outcome"] for result in results)
    return ", ".join(f"{counts[outcome]} {outcome}" for outcome in ("right", "wrong", "not decided"))


if __name__ == "__main__":
    main()
