"""Rows of deals: dealing, playing and writing them beside pyarrow writing the same table."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import pyarrow.parquet as pq

import simulate
from benchmarks.measure import Effort, in_turns, ratios
from benchmarks.reference import make_shuffle
from benchmarks.row import Row, Target

TITLE = "`--detail deals` beside pyarrow writing that same table from memory"


def run(effort: Effort) -> list[Row]:
    """Measure both by the clock, which is what one waits for: the run writes while it plays."""
    games = 1_000_000 if effort.full else 500_000 if not effort.tiny else 1_000
    shuffle, reference = make_shuffle(), []
    played: list[float] = []
    written: list[float] = []
    cpu: dict[str, list[float]] = {"played": [], "written": []}
    with tempfile.TemporaryDirectory() as folder:
        play(10, folder)
        for _ in range(min(effort.rounds, 5)):
            [[rate]] = in_turns([shuffle], effort._replace(rounds=1))
            reference.append(rate)
            wall, busy = time.perf_counter(), time.process_time()
            results = play(games, folder)
            played.append(time.perf_counter() - wall)
            cpu["played"].append(time.process_time() - busy)
            table = results.arrow("deals").combine_chunks()
            wall, busy = time.perf_counter(), time.process_time()
            pq.write_table(table, Path(folder) / "same.parquet")
            written.append(time.perf_counter() - wall)
            cpu["written"].append(time.process_time() - busy)
            rows = table.num_rows
    theirs = Row(
        name="pyarrow writes the table",
        unit="rows/s",
        samples=tuple(rows / seconds for seconds in written),
        reference=tuple(reference),
        note=f"{rows:,} rows of {table.num_columns} columns",
    )
    ours = Row(
        name="simulate.run, one thread",
        unit="rows/s",
        samples=tuple(rows / seconds for seconds in played),
        reference=tuple(reference),
        against="pyarrow",
        ratios=ratios(written, played),
        target=Target(0.8, of="ratio"),
        note="deals, plays, tallies and writes; writing has a thread of its own",
    )
    busy = Row(
        name="CPU time of both",
        unit="times",
        samples=ratios(cpu["played"], cpu["written"]),
        against="",
    )
    return [theirs, ours, busy]


def play(games: int, folder: str) -> simulate.Results:
    """Run so many games, whether they are there or not."""
    line_up = ["threshold*5"]
    return simulate.run(
        "napalm", strategies=line_up, games=games, detail="deals", threads=1, out=folder, force=True
    )
