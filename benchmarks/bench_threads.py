"""Two threads beside one."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from benchmarks.machine import processors
from benchmarks.measure import Case, Effort, measure
from benchmarks.played import DEALS, prepared
from benchmarks.row import Row, Target

TITLE = "Two threads beside one: the same games of Napalm, by the clock"
SLICES = 8


def work_on(threads: int, seconds_used: list[float]):
    """Return work that plays games in slices on so many threads, as a run does.

    The CPU time of each call is appended to `seconds_used`, for each deal.
    """
    batch, job = prepared("napalm", ["threshold*5"], "stakes")

    def work(games: int) -> int:
        ends = [games * k // SLICES for k in range(SLICES + 1)]
        busy = time.process_time()
        with ThreadPoolExecutor(threads) as pool:
            played = pool.map(lambda start, stop: batch.play(job, start, stop), ends[:-1], ends[1:])
            deals = sum(int(each.totals["games"][DEALS]) for each in played)
        seconds_used.append((time.process_time() - busy) / max(deals, 1))
        return deals

    return work


def run(effort: Effort) -> list[Row]:
    """Measure one thread and two in turns."""
    used: dict[int, list[float]] = {1: [], 2: []}
    wanted = Target(1.9, of="ratio")
    note = "" if processors() > 1 else "on one processor"
    cases = [
        Case("1 thread", "deals", work_on(1, used[1])),
        Case("2 threads", "deals", work_on(2, used[2]), wanted, note),
    ]
    rows = measure(cases, effort, against="1 thread", clock=time.perf_counter)
    last = effort.rounds
    costs = [two / one for one, two in zip(used[1][-last:], used[2][-last:], strict=True)]
    return [*rows, Row("CPU time of a deal, 2 threads / 1", "times", tuple(costs))]
