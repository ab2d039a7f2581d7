"""Strategies as the compiled game reads them: thresholds as tables, parameters as numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FUNCTION, THRESHOLDS, SOLVED = range(3)
"""What a strategy is: see `Brains.kind`."""

STAGES, TURNS, POSITIONS, HEARD = 3, 2, 7, 8
SITUATIONS = STAGES * TURNS * POSITIONS * HEARD
"""Situations a table tells apart: stage, turn, position, how many have said Yes."""

MAX_PARAMS = 32

WHOLE = 1 << 53
"""What a probability of 1 is as a limit of coins: see `simulate.rng.uniforms`."""


class Brains(NamedTuple):
    """Of each distinct strategy k: its table or its parameters.

    Attributes
    ----------
    cut : uint32, shape (K * SITUATIONS,)
        The least value (see `simulate.napalm.hands`) that reaches the threshold.
    limits : uint64, shape (K * SITUATIONS * 2,)
        The probability of Yes below the threshold, and from it on, in parts of `WHOLE`, rounded up:
        whoever tosses a coin of 53 bits says Yes where it falls below.
    above, below : float64, shape (K * SITUATIONS,)
        The probabilities of Yes.
    kind : uint8, shape (K,)
        Whether it is a compiled function of `params`, such a table of thresholds, or a table of
        chances that a solver made.
    params : float64, shape (K, MAX_PARAMS + 1)
        Its parameters, and last which of the line-up's functions it is.

    thresholds, plain : int
        1 where everybody is a table of thresholds, and says Yes from them on and No below.
    solved : uint8
        The chances of all solved tables, in 255ths, as `strategies.solved` has them.
    starts : int64, shape (K, STAGES * TURNS)
        Where its words begin there: stage after stage, first words and answers to a challenge.
    classes : int64, shape (K, STAGES)
        How many classes of hands it tells apart at each stage.
    classed : uint8, shape (K, 3, indices)
        The class of a hand by stage and index (see `simulate.napalm.strength`).
    race : int64, shape (K, 3)
        Of a solved table for whole games (see `strategies.solved_game`): how many pots it knows,
        how many stakes win its game, and how many chances a row has at a pot. All 0 for others.
    pots : float64, shape (K, sums, most pots)
        Which pots these are, by the sum of all counts.
    weights : int64, shape (K, n, n, most stakes)
        What counts add up to for a player: see `strategies.standing`.
    rows : int64, shape (K, most sums)
        The row by that sum.
    """

    cut: NDArray[np.uint32]
    limits: NDArray[np.uint64]
    above: NDArray[np.float64]
    below: NDArray[np.float64]
    kind: NDArray[np.uint8]
    params: NDArray[np.float64]
    thresholds: int
    plain: int
    solved: NDArray[np.uint8]
    starts: NDArray[np.int64]
    classes: NDArray[np.int64]
    classed: NDArray[np.uint8]
    race: NDArray[np.int64]
    pots: NDArray[np.float64]
    weights: NDArray[np.int64]
    rows: NDArray[np.int64]
