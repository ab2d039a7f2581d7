"""Who sits where in which game."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray


def seat_plan(n: int, fixed: bool = False) -> NDArray[np.int8]:
    """List the orders in which a line-up sits down.

    Game ``i`` uses row ``i % len(plan)``. The first dealer is drawn by lot, so only the cyclic
    order of the seats matters to a game: turning the table would change nothing, and therefore all
    orders are played. The first slot stays put while the others permute, and each order is then
    turned through the ``n`` seats, so that any aligned run of ``n`` games puts everybody once in
    every seat.

    Parameters
    ----------
    n : int
        Number of players.
    fixed : bool
        Keep slot ``s`` in seat ``s`` in every game.

    Returns
    -------
    ndarray of int8, shape (P, n)
        ``plan[row, seat]`` is the slot of the line-up that sits there; ``P`` is ``n!``, or 1 when
        fixed.
    """
    if fixed:
        return np.arange(n, dtype=np.int8)[None, :]
    orders = [(0, *rest) for rest in permutations(range(1, n))]
    rows = [
        [order[(seat + turn) % n] for seat in range(n)] for order in orders for turn in range(n)
    ]
    return np.array(rows, dtype=np.int8)
