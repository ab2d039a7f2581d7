"""Strategies as the compiled game reads them: thresholds as tables, parameters as numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
    is_table : uint8, shape (K,)
        Whether it is such a table, or a compiled function of `params`.
    params : float64, shape (K, MAX_PARAMS + 1)
        Its parameters, and last which of the line-up's functions it is.

    plain : int
        1 where everybody is a table that says Yes from the threshold on and No below it.
    """

    cut: NDArray[np.uint32]
    limits: NDArray[np.uint64]
    above: NDArray[np.float64]
    below: NDArray[np.float64]
    is_table: NDArray[np.uint8]
    params: NDArray[np.float64]
    plain: int
