"""What was solved, as a table that plays: chances to finish in place of chances to win."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulate.noddy.race import FIRST, STEPS
from simulate.noddy.solving.backward import fill_late, go_back
from simulate.noddy.solving.hands import Hands
from simulate.noddy.solving.progress import CLASSES, STATES, chain_of, chances, race, still_going
from strategies.race import FULL, HANDS, PIPS, SIZES, TURNS, RaceTable

CHAIN = 1_000
"""Who wins from where is what was seen, and what follows from the chain: that counts as much as so
many turns. Where players often are it says little, elsewhere all."""

SWEEPS = 2
"""How often a class of points is gone through, for the sake of lays that do not leave it."""


def solve_race(hands: Hands, chance: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the chances to win after a turn: see `simulate.noddy.solving.backward`.

    Parameters
    ----------
    hands : Hands
    chance : ndarray of float64, shape (STATES, STATES + 1)
        How the other player's state moves.
    """
    chain, late = chain_of(chance), np.zeros(STATES, np.float32)
    fill_late(chain, late)
    held = hands.counts.sum(axis=1, dtype=np.int64)
    real = np.flatnonzero(hands.ways > 0)
    order = real[np.argsort(-held[real], kind="stable")]
    after = np.zeros((CLASSES, len(held), STATES), np.float32)
    for row in range(CLASSES):
        for sweep in range(SWEEPS):
            go_back(hands, order, held, row, chain, late, sweep > 0, after)
    return after


def by_pips(hands: Hands) -> NDArray[np.int64]:
    """Return the number of each hand among hands by pips (see `simulate.noddy.race`)."""
    pips = hands.counts[:, :PIPS].astype(np.int64)
    pips[:, PIPS - 1] += hands.counts[:, PIPS:].sum(axis=1)
    number, held = np.zeros(len(pips), np.int64), np.zeros(len(pips), np.int64)
    for place in range(PIPS):
        for each in range(pips[:, place].max()):
            has = pips[:, place] > each
            number[has] += STEPS[held[has], place]
            held[has] += 1
    found: NDArray[np.int64] = number + FIRST[held]
    return found


def finishing(
    hands: Hands,
    after: NDArray[np.float32],
    still: NDArray[np.float64],
    weight: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Find the chances to finish with each turn that fit the chances to win best.

    Parameters
    ----------
    hands : Hands
    after : ndarray
        From `solve_race`.
    still : ndarray of float64, shape (STATES, TURNS)
        How probably the other one is still going.
    weight : ndarray of float64, shape (STATES,)
        How much each of his states matters.

    Returns
    -------
    ndarray of float64, shape (CLASSES, HANDS, TURNS)
        Means over all cards that a hand of such pips can be.
    """
    weighted = still * (weight / weight.sum())[:, None]
    fit = np.linalg.solve(weighted.T @ still + 1e-7 * np.eye(TURNS), weighted.T)
    number = by_pips(hands)
    ways = np.bincount(number, hands.ways, HANDS)
    found = np.zeros((CLASSES, HANDS, TURNS))
    for row in range(CLASSES):
        for turn, fitted in enumerate((after[row] @ fit.T.astype(np.float32)).T):
            total = np.bincount(number, hands.ways * fitted, HANDS)
            found[row, :, turn] = np.divide(total, ways, out=np.zeros(HANDS), where=ways > 0)
    return found


def table_of(
    hands: Hands, moves: NDArray[np.int64], races: NDArray[np.int64], about: dict[str, Any]
) -> RaceTable:
    """Solve the race against players who move like this, and write it down as a table.

    Parameters
    ----------
    hands : Hands
    moves, races : ndarray of int64
        From `simulate.noddy.solving.progress.count_turns`.
    about : dict
        What to say of it.
    """
    chance = chances(moves)
    still = still_going(chance)
    found = finishing(hands, solve_race(hands, chance), still, moves.sum(axis=1) + 1.0)
    seen, won = races[:, :, 0], races[:, :, 1]
    win = (won + CHAIN * race(chance)) / (seen + CHAIN)
    shape = (CLASSES, SIZES, CLASSES, SIZES)
    return RaceTable(
        about=about,
        finish=np.rint(found * FULL).clip(-32_768, 32_767).astype(np.int16),
        still=still.reshape(CLASSES, SIZES, TURNS),
        win=win.reshape(shape),
        seen=seen.reshape(shape),
        won=won.reshape(shape),
    )
