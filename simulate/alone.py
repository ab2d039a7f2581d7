"""How many turns a lone player of Noddy needs under ``hold``: exact, bounded, and played."""

from __future__ import annotations

import os
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from simulate.errors import InputError
from simulate.noddy import batch
from simulate.noddy.rules import PRESETS
from simulate.noddy.solving.alone import fewest_turns, hoarder_turns
from simulate.numerals import whole_number
from strategies import load

if TYPE_CHECKING:
    from simulate.runner import Progress

GAMES, SEED, SLICE = 1_000_000, 1, 20_000
PLAYER = "solved:noddy"


@dataclass(frozen=True)
class Alone:
    """What a lone player needs, in turns on average.

    Attributes
    ----------
    hoarder : Fraction
        The hoarder: exact.
    fewest : float
        Nobody needs fewer.
    strategy : str
        Who played, so that the best player needs no more than `turns`.
    games : int
    turns, error : float
        What he needed, and its standard error.
    """

    hoarder: Fraction
    fewest: float
    strategy: str
    games: int
    turns: float
    error: float

    def document(self) -> dict[str, Any]:
        """Return all of it as JSON takes it."""
        return {**vars(self), "hoarder": float(self.hoarder), "hoarder_exact": str(self.hoarder)}


def turns_alone(
    strategy: str | os.PathLike[str], games: int, seed: int, progress: Progress | None = None
) -> tuple[float, float]:
    """Play games alone; return the turns they took on average, and the standard error.

    A game that is given up (D8) is refused.
    """
    job = batch.prepare(PRESETS["hold"], [load(strategy, "noddy")], seed)
    lengths = np.zeros(0, np.int64)
    for start in range(0, games, SLICE):
        stop = min(start + SLICE, games)
        totals = batch.play(job, start, stop).totals
        if totals["seated"][..., 1].sum() < stop - start:
            raise InputError(f"strategy {strategy!r} does not finish all of its games alone")
        found = totals["turns"][0, :, 0]
        lengths = found if len(lengths) == 0 else lengths + found
        if progress is not None:
            progress(stop, games)
    turn = np.arange(len(lengths))
    mean = float(lengths @ turn / games)
    return mean, float(np.sqrt((lengths @ (turn - mean) ** 2) / games / max(games - 1, 1)))


def alone(
    strategy: str | os.PathLike[str] = PLAYER,
    *,
    games: int | float | str = GAMES,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Alone:
    """Say how many turns a lone player needs under ``hold``, on average.

    Parameters
    ----------
    strategy : str or path
        Who plays.
    games : int, float or str
        How many games he plays.
    seed : int
        Any whole number >= 0.
    progress : callable, optional
        As in `simulate.run`.

    Raises
    ------
    InputError
        When anything asked for is not allowed, or the strategy does not finish a game.
    """
    number = whole_number("games", games, 2, 10**9)
    turns, error = turns_alone(strategy, number, whole_number("seed", seed, 0), progress)
    hold = PRESETS["hold"]
    return Alone(hoarder_turns(hold), fewest_turns(hold), str(strategy), number, turns, error)
