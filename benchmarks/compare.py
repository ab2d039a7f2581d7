"""Show at a glance what moved between two runs: ``python -m benchmarks.compare OLD NEW``.

Compared is what was measured per unit of the reference, so that the two machines, or the two days,
may differ in speed. A row is marked where it moved by more than `FLOOR` and by more than three
standard errors of its medians.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.row import Row
from benchmarks.table import amount, markdown

FLOOR, FLOOR_ALONE = 0.03, 0.15
"""The least movement worth a mark: of the median of several rounds, and of a single one."""

BETTER, WORSE, MUCH = "better", "WORSE", 0.25


class Moved(NamedTuple):
    """How a row moved.

    Attributes
    ----------
    old, new : str
        The medians, in their unit.
    change : float
        The relative change of what is free of the machine's speed, positive for better.
    noise : float
        The change that is within the noise.
    """

    benchmark: str
    name: str
    old: str
    new: str
    change: float
    noise: float

    @property
    def mark(self) -> str:
        """Say which way it moved, if it did; twice for a quarter and more."""
        if abs(self.change) <= self.noise:
            return ""
        word = BETTER if self.change > 0 else WORSE
        return word + "!" * (abs(self.change) >= MUCH)


def error(values: Sequence[float]) -> float:
    """Estimate the relative standard error of a median, from the median of the deviations."""
    middle = median(values)
    spread = 1.4826 * median(abs(value - middle) for value in values)
    return 1.2533 * spread / math.sqrt(len(values)) / abs(middle) if middle else 0.0


def moved(benchmark: str, old: Row, new: Row) -> Moved:
    """Compare a row with the same row of an earlier run."""
    before, after = median(old.scaled), median(new.scaled)
    change = after / before - 1 if before else 0.0
    errors = math.hypot(error(old.scaled), error(new.scaled))
    alone = min(len(old.scaled), len(new.scaled)) < 3
    return Moved(
        benchmark=benchmark,
        name=new.name,
        old=amount(old.value, old.unit),
        new=amount(new.value, new.unit),
        change=change if new.more_is_better else -change,
        noise=max(FLOOR_ALONE if alone else FLOOR, 3 * errors),
    )


def rows_of(result: dict[str, Any]) -> Iterator[tuple[tuple[str, str], Row]]:
    """Name the rows of a run that hold numbers."""
    for benchmark in result["benchmarks"]:
        for row in map(Row.from_dict, benchmark["rows"]):
            if row.samples:
                yield (benchmark["name"], row.name), row


def compare(old: dict[str, Any], new: dict[str, Any]) -> tuple[list[Moved], list[str]]:
    """Compare two runs; return the rows that both have, and the names of those that one has."""
    before, after = dict(rows_of(old)), dict(rows_of(new))
    both = [moved(key[0], before[key], row) for key, row in after.items() if key in before]
    alone = [f"only in {name}: {'; '.join(': '.join(key) for key in keys)}"
             for name, keys in (("OLD", before.keys() - after.keys()),
                                ("NEW", after.keys() - before.keys())) if keys]  # fmt: skip
    return both, alone


def report(old: dict[str, Any], new: dict[str, Any]) -> str:
    """Write the comparison."""
    both, alone = compare(old, new)
    lines = [
        [f"{row.benchmark}: {row.name}", row.old, row.new, f"{row.change:+.1%}",
         f"±{row.noise:.1%}", row.mark]
        for row in both
    ]  # fmt: skip
    texts = [markdown(("", "old", "new", "better by", "noise", "moved"), lines)] if lines else []
    texts += alone
    for word in (BETTER, WORSE):
        number = sum(row.mark.startswith(word) for row in both)
        texts.append(f"{number} of {len(both)} rows {word.lower()}")
    return "\n".join(texts)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare", description=__doc__)
    parser.add_argument("old", type=Path, metavar="OLD")
    parser.add_argument("new", type=Path, metavar="NEW")
    args = parser.parse_args(argv)
    old, new = (json.loads(path.read_text(encoding="utf-8")) for path in (args.old, args.new))
    print(report(old, new))
    return 0


if __name__ == "__main__":
    sys.exit(main())
