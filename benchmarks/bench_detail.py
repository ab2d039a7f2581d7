"""What a run costs beside its kernel, and what rows of games cost."""

from __future__ import annotations

import tempfile
import time
from itertools import pairwise
from statistics import median

from benchmarks.child import Cost, simulate
from benchmarks.measure import Effort, in_turns
from benchmarks.played import prepared
from benchmarks.reference import make_shuffle
from benchmarks.row import Row, Target
from benchmarks.table import number

TITLE = "`simulate run napalm`, threshold in five seats, one thread, beside its kernel alone"
START = 2.0
"""Seconds that a run may take whatever its size."""

FACTORS = {"summary": 1.2, "games": 2.0}
SLICES = 16


def kernel(games: int) -> Cost:
    """Play the games of the run with nothing around them, in slices as the run does."""
    batch, job = prepared("napalm", ["threshold*5"], "stakes")
    begin, wall = time.process_time(), time.perf_counter()
    ends = [games * k // SLICES for k in range(SLICES + 1)]
    for start, stop in pairwise(ends):
        batch.play(job, start, stop, "summary")
    return Cost(time.perf_counter() - wall, time.process_time() - begin, 0.0)


def whole_run(games: int, detail: str) -> Cost:
    """Run the command line from its start to its end."""
    with tempfile.TemporaryDirectory() as out:
        words = ("-s", "threshold*5", "--games", games, "--detail", detail)
        return simulate("run", "napalm", *words, "--threads", 1, "--out", out, "--quiet")


def run(effort: Effort) -> list[Row]:
    """Measure the kernel and both details in turns, by the clock: what one waits for."""
    games = 10_000_000 if effort.full else 1_000_000 if not effort.tiny else 200
    rounds = min(effort.rounds, 5)
    shuffle = make_shuffle()
    costs: dict[str, list[Cost]] = {"kernel": [], **{detail: [] for detail in FACTORS}}
    reference = []
    kernel(1)
    for _ in range(rounds):
        [[rate]] = in_turns([shuffle], effort._replace(rounds=1))
        reference.append(rate)
        costs["kernel"].append(kernel(games))
        for detail in FACTORS:
            costs[detail].append(whole_run(games, detail))
    kernels = [cost.cpu for cost in costs["kernel"]]
    rows = [row_of(f"the kernel alone, {number(games)} games", costs["kernel"], reference)]
    for detail, factor in FACTORS.items():
        row = row_of(f"--detail {detail}", costs[detail], reference)
        allowed = [factor * seconds + START for seconds in kernels]
        shares = [cost.wall / may for cost, may in zip(costs[detail], allowed, strict=True)]
        times = median(c.cpu / seconds for c, seconds in zip(costs[detail], kernels, strict=True))
        note = f"CPU time, writing has threads of its own: {times:.2f} times the kernel's"
        row = row.compared(f"{factor:.1f} × kernel + {START:.0f} s", shares, note)
        rows.append(row.aimed(Target(1.0, of="ratio", most=True)))
    return rows


def row_of(name: str, costs: list[Cost], reference: list[float]) -> Row:
    """Make a row of what something cost in each round."""
    return Row(
        name=name,
        unit="s",
        samples=tuple(cost.wall for cost in costs),
        cpu=tuple(cost.cpu for cost in costs),
        reference=tuple(reference),
    )
