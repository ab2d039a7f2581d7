"""Deals for whole games: drawn once, kept by column, and taken a lot at a time.

A deal serves in all n seatings of its hands, so that what is only the luck of a position cancels.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module

LOT = 64
"""Deals side by side."""


class Lots(NamedTuple):
    """Deals by column: the hand that sits in position p after `turn` turns is column
    ``stage * n + (p + turn) % n``.

    Attributes
    ----------
    kind, fine : ndarray of uint8, shape (columns, deals)
        The class of each hand: as the solver tells them apart, and as a best reply does.
    rank : ndarray of uint8, shape (columns, deals)
        How many of the other hands of its stage it beats.
    """

    kind: NDArray[np.uint8]
    fine: NDArray[np.uint8]
    rank: NDArray[np.uint8]


def keep_lots(kind, fine, value, n, lots, start):
    """Keep deals (see `simulate.napalm.solving.deals.Deals`) from column place `start` on."""
    for row in range(len(kind)):
        for column in range(3 * n):
            first = column - column % n
            held, beaten = value[row, column], 0
            for other in range(first, first + n):
                beaten += value[row, other] < held
            lots.kind[column, start + row] = kind[row, column]
            lots.fine[column, start + row] = fine[row, column]
            lots.rank[column, start + row] = beaten


def draw_thirds(lots, yes, classes, n, key, thirds):
    """Keep the hands of stage 3 of deals in which all say No at stage 1.

    Parameters
    ----------
    lots : Lots
    yes : ndarray of float32
        The chance of a first word Yes: ``heard * classes + kind``.
    classes, n : int
    key : uint64
        What is drawn depends on it.
    thirds : Lots
        Filled: columns are positions.

    Returns
    -------
    int
        How many there are.
    """
    found, most = 0, thirds.kind.shape[1]
    for deal in range(lots.kind.shape[1]):
        for turn in range(n):
            chance = 1.0
            for position in range(n):
                kind = np.int64(lots.kind[(position + turn) % n, deal])
                chance *= 1.0 - yes[((1 << position) - 1) * classes + kind]
            if found < most and toss(key, np.uint64(deal * n + turn)) < chance:
                for position in range(n):
                    column = 2 * n + (position + turn) % n
                    thirds.kind[position, found] = lots.kind[column, deal]
                    thirds.fine[position, found] = lots.fine[column, deal]
                    thirds.rank[position, found] = lots.rank[column, deal]
                found += 1
    return found


def toss(key, number):
    """Return a number in [0, 1) that depends on a key and a number only (SplitMix64)."""
    word = key + (number + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    word ^= word >> np.uint64(31)
    return np.float64(word >> np.uint64(11)) * 2.0**-53


def winners_of(lots, first, turn, deal, said, n):
    """Return who holds the best hand among those who said Yes, as bits."""
    win, best = 0, -1
    for position in range(n):
        if said >> position & 1:
            rank = np.int64(lots.rank[first + (position + turn) % n, deal])
            if rank > best:
                win, best = 1 << position, rank
            elif rank == best:
                win |= 1 << position
    return win


compile_module(__name__, fills_only=True)


def empty_lots(columns: int, deals: int) -> Lots:
    """Make room for so many deals."""
    return Lots(*(np.zeros((columns, deals), np.uint8) for _ in range(3)))
