"""A game in a few lines for the tests of the runner and the store: each game draws one number."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from simulate.config import RunConfig
from simulate.errors import InputError
from simulate.napalm.rules import make_rules

CONFIG = RunConfig(
    game="napalm",
    rules=make_rules(),
    strategies=("a", "b", "a", "c"),
    sources=("1", "2", "1", "3"),
    seed=1,
    games=10_000,
    detail="games",
)
FACES = 10


@dataclass
class Slice:
    totals: dict
    rows: dict


@dataclass
class Job:
    seed: int
    players: int
    slices: list = field(default_factory=list)


class UnsendableError(Exception):
    """Can be written down by pickle, and not be read again."""

    def __init__(self, one, other):
        super().__init__(f"{one} and {other}")


@dataclass
class FakeBatch:
    """Mixes a number from each game's; faults can be switched on.

    At game `stop_at` it loops, or dies, or takes all memory, and in plain Python it does as
    `plainly` says. Where `once` names a file, it does so if that is not there, and makes it.
    """

    seconds_a_game: float = 0.0
    fail_at: int | None = None
    error: BaseException | None = None
    rows_a_game: int = 1
    stop_at: int | None = None
    how: str = "loops"
    plainly: str = "plays"
    once: str = ""

    def prepare(self, rules, strategies, seed, fixed_seats):
        self.job = Job(seed, len(strategies))
        return self.job

    def play(self, job, start, stop, detail):
        job.slices.append((start, stop))
        if self.fail_at is not None and start <= self.fail_at < stop:
            raise self.error
        if self.stop_at is not None and start <= self.stop_at < stop:
            self.misbehave(self.how)
        time.sleep(self.seconds_a_game * (stop - start))
        games = np.arange(start, stop, dtype=np.uint64)
        mixed = (games + np.uint64(job.seed % 2**32)) * np.uint64(0x9E3779B97F4A7C15)
        drawn = ((mixed >> np.uint64(40)) % np.uint64(FACES)).astype(np.int64)
        totals = {"drawn": np.bincount(drawn, minlength=FACES).astype(np.int64)}
        if detail == "summary":
            return Slice(totals, {})
        rows = {"game": games.astype(np.int64), "drawn": drawn.astype(np.int8)}
        rows["slot_0"] = (drawn % job.players).astype(np.int8)
        return Slice(totals, {name: np.repeat(v, self.rows_a_game) for name, v in rows.items()})

    def misbehave(self, how):
        if self.once:
            if Path(self.once).exists():
                return
            Path(self.once).touch()
        if how == "loops":
            while True:
                pass
        elif how == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        elif how == "leaves":
            os._exit(3)
        elif how == "eats":
            raise MemoryError
        elif how == "raises":
            raise UnsendableError("one", "another")

    def replay(self, job, game):
        if self.plainly == "is at fault":
            raise InputError(f"strategy a answered NaN in game {game}")
        self.misbehave(self.plainly)

    def tables(self, rules, strategies, totals):
        faces = pa.array([f"face {face}" for face in range(FACES)]).dictionary_encode()
        counts = totals["drawn"]
        return {
            "results": pa.table({"face": faces, "games": pa.array(counts)}),
            "totals": pa.table({"games": [counts.sum()], "deals": [counts.sum()]}),
        }
