"""A sweep beside plain runs of as many games."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import simulate
from benchmarks.measure import Effort, in_turns, ratios
from benchmarks.played import games_work
from benchmarks.reference import make_shuffle
from benchmarks.row import Row, Target

TITLE = "A sweep of 50 thresholds beside plain play of as many games, one thread"
POINTS = [f"{0.5 + 0.01 * point:.2f}" for point in range(50)]
FEW = 200
"""Games at each point that a sweep takes at least."""

VARIED = f"threshold.stage1={','.join(POINTS)}"


def run(effort: Effort) -> list[Row]:
    """Measure by CPU time, each in its own turn: the sweep, the kernel at each point, one run."""
    games = FEW if effort.tiny else 100_000
    seeds = count(1)
    with tempfile.TemporaryDirectory() as folder:
        works = {
            "the kernel alone, at each point": at_each_point(),
            "one run of as many games": lambda games: one_run(games, next(seeds), folder),
            "the sweep": lambda games: one_sweep(games, next(seeds), folder),
        }
        rates: dict[str, list[float]] = {name: [] for name in works}
        reference = []
        for work in works.values():
            work(FEW)
        for _ in range(min(effort.rounds, 5)):
            [[shuffled]] = in_turns([make_shuffle()], effort._replace(rounds=1))
            reference.append(shuffled)
            for name, work in works.items():
                rates[name].append(rate(work, games))
    plain, sweep = "one run of as many games", "the sweep"
    return [
        Row(
            name=name,
            unit="games/s",
            samples=tuple(rates[name]),
            reference=tuple(reference),
            against=plain,
            ratios=ratios(rates[name], rates[plain]),
            target=Target(1 / 1.3, of="ratio") if name == sweep else None,
        )
        for name in rates
    ]


def at_each_point() -> Callable[[int], None]:
    """Return work that plays so many games at each point, with nothing around them."""
    works = [games_work("napalm", [f"threshold:stage1={at}"] * 5, "stakes") for at in POINTS]

    def work(games: int) -> None:
        for play in works:
            play(games)

    return work


def one_run(games: int, seed: int, folder: str) -> None:
    """Play as many games as the sweep does, in one run."""
    simulate.run(
        "napalm",
        strategies=["threshold*5"],
        games=games * len(POINTS),
        seed=seed,
        threads=1,
        out=Path(folder),
    )


def one_sweep(games: int, seed: int, folder: str) -> None:
    """Sweep the thresholds."""
    simulate.sweep("napalm", VARIED, games=games, seed=seed, threads=1, out=Path(folder))


def rate(work: Callable[[int], None], games: int) -> float:
    """Return games a second of CPU time, at all points together."""
    begin = time.process_time()
    work(games)
    return games * len(POINTS) / max(time.process_time() - begin, 1e-9)
