"""Games played elsewhere: child processes and a dask cluster beside threads."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import simulate
from benchmarks.measure import Effort, ratios
from benchmarks.row import Row, Target

TITLE = "The same run of Napalm by two threads, two child processes and two dask workers"
WORKERS = 2
TASKS = 2_000
"""Tasks that do nothing, to see what the scheduler takes for one."""

NOTES = {f"{WORKERS} processes": "started anew for each run, which takes about a second"}


def run(effort: Effort) -> list[Row]:
    """Play the same run in turns, each time into a new folder."""
    games = 600 if effort.tiny else 100_000_000 if effort.full else 10_000_000
    rounds = min(effort.rounds, 5)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ends:
        executors = {"threads": "threads", "processes": "processes"}
        client = connected(ends)
        if client is not None:
            executors["dask"] = f"dask:{client.scheduler.address}"
        rates: dict[str, list[float]] = {name: [] for name in executors}
        for name in list(executors) * (not effort.tiny):
            rate(executors[name], games // 10, Path(folder))  # compiles, and wakes everybody up
        for turn in range(rounds):
            names = list(executors) if turn % 2 else list(executors)[::-1]
            for name in names:
                rates[name].append(rate(executors[name], games, Path(folder)))
        rows = [
            row(f"{WORKERS} {name}", rates[name], rates[other], other, target)
            for name, other, target in (
                ("threads", "threads", None),
                ("processes", "threads", Target(0.95, of="ratio")),
                ("dask", "processes", Target(0.9, of="ratio")),
            )
            if name in rates
        ]
        if client is None:
            return [*rows, Row("dask", "games/s", note="dask is not installed")]
        return [*rows, Row("a task of dask", "s", tuple(task(client) for _ in range(rounds)))]


def connected(ends: ExitStack):
    """Start a cluster of local processes, and return its client; None where there is no dask."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        return None
    cluster = LocalCluster(
        n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=":0"
    )
    return ends.enter_context(Client(ends.enter_context(cluster)))


def rate(executor: str, games: int, folder: Path) -> float:
    """Return the games a second of a run, by the clock."""
    begin = time.perf_counter()
    simulate.run(
        "napalm",
        games=games,
        strategies=["threshold*5"],
        threads=WORKERS,
        executor=executor,
        out=folder,
        force=True,
    )
    return games / (time.perf_counter() - begin)


def row(
    name: str, these: list[float], those: list[float], other: str, target: Target | None
) -> Row:
    """Write rates, and their ratio to others."""
    return Row(
        name=name,
        unit="games/s",
        samples=tuple(these),
        against=f"{WORKERS} {other}",
        note=NOTES.get(name, ""),
        ratios=ratios(these, those),
        target=target,
    )


def task(client) -> float:
    """Return the seconds that a task takes which does nothing, many of them at the same time."""
    nothing: Callable[[int], int] = int
    begin = time.perf_counter()
    client.gather(client.map(nothing, range(TASKS), pure=False))
    return (time.perf_counter() - begin) / TASKS
