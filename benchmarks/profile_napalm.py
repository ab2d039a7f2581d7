"""Where the nanoseconds of a deal of Napalm go: ``python -m benchmarks.profile_napalm``."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from statistics import median
from typing import Any

import numpy as np

import simulate.napalm.batch as batch
from benchmarks.measure import Effort, enough
from benchmarks.played import DEALS, prepared
from benchmarks.table import markdown
from benchmarks.timed_kernel import FIGURES, TimedKernel, timed_kernel

QUICK = Effort(rounds=11, seconds=0.1)
STAGES = 3
HEAD = ("part", "ns a deal", "share", "stage 1", "stage 2", "stage 3")
STAGES_SAY = (
    "The columns of the stages are nanoseconds for each deal that gets there, of `rank_*` for each "
    "of its hands, of what is called once a game for each call."
)
CYCLES, CALLS, LANES = range(len(FIGURES))


def profile(specs: Sequence[str], preset: str, effort: Effort) -> tuple[TimedKernel, Any, Any]:
    """Play with the stopwatch.

    Returns
    -------
    kernel : TimedKernel
    parts : ndarray of float64, shape (rounds, parts, STAGES, figures)
        Nanoseconds, calls and lanes, for each deal played.
    whole : list of float
        Nanoseconds of CPU time of each deal without the stopwatch, one a round.
    """
    kernel = timed_kernel()
    _, job = prepared("napalm", specs, preset)
    ticks = np.zeros((len(kernel.parts), STAGES, len(FIGURES)), np.int64)
    plain = batch.play_games

    def watched(*arguments: Any) -> Any:
        return kernel.module.play(*arguments, ticks)

    def work(games: int) -> int:
        return int(batch.play(job, 0, games).totals["games"][DEALS])

    games = enough(work, effort.seconds, time.thread_time)
    parts, whole = [], []
    for _ in range(effort.rounds):
        begin = time.thread_time()
        deals = work(games)
        whole.append((time.thread_time() - begin) * 1e9 / deals)
        batch.play_games = watched
        try:
            work(1)  # compiles it, the first time
            ticks[:] = 0
            begin, cycles = time.thread_time(), _cycles(kernel)
            work(games)
            # By CPU time: while other programs have the processor the cycles go on.
            speed = (_cycles(kernel) - cycles) / max(time.thread_time() - begin, 1e-9) / 1e9
        finally:
            batch.play_games = plain
        each = ticks / deals
        each[..., CYCLES] /= speed
        parts.append(each)
    return kernel, np.array(parts), whole


def _cycles(kernel: TimedKernel) -> int:
    """Look at the clock that the kernel looks at."""
    return int(kernel.module.look())


def report(kernel: TimedKernel, parts: Any, whole: Sequence[float]) -> str:
    """Write the table: each part's nanoseconds a deal, and for each lane that it worked on."""
    middle = np.median(parts, axis=0)
    total = float(middle[..., CYCLES].sum())
    lines = []
    for which in np.argsort(-middle[..., CYCLES].sum(axis=1)):
        cycles, lanes = middle[which, :, CYCLES], middle[which, :, LANES]
        if lanes.sum() > 0:
            a_lane = [f"{c / n:.2f}" if n > 0 else "" for c, n in zip(cycles, lanes, strict=True)]
            share = f"{cycles.sum() / total:.1%}"
            lines.append([kernel.parts[which], f"{cycles.sum():.2f}", share, *a_lane])
    dealt = middle[kernel.parts.index("deal_places"), :, LANES]
    lines.append(["deals that get there", "", "", *(f"{share:.0%}" for share in dealt)])
    lines.append(["all of these", f"{total:.2f}", "100.0%", "", "", ""])
    lines.append(["a deal without the stopwatch", f"{median(whole):.2f}", "", "", "", ""])
    return markdown(HEAD, lines)


def main(argv: Sequence[str] | None = None, effort: Effort = QUICK) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.profile_napalm", description=__doc__
    )
    parser.add_argument("specs", nargs="*", metavar="SPEC", help="the line-up (threshold*5)")
    parser.add_argument("--rules", default="stakes", metavar="PRESET", help="stakes or tokens")
    args = parser.parse_args(argv)
    specs = args.specs or ["threshold*5"]
    print(f"{', '.join(specs)}; {args.rules}. {STAGES_SAY}\n")
    print(report(*profile(specs, args.rules, effort)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
