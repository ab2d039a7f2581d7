"""Whose decisions are whose: each player takes his own from the row that he looks at.

Where it is known who sits where, that is one row for all. Where it is left out (see
`strategies.standing`), players who have collected as many look at the same row, and others not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from simulate.jit import compile_module
from simulate.napalm.solving.histories import CHALLENGED, SECOND, THIRD, TWOS
from simulate.napalm.solving.race import mix_chances


def words_of(starts, classes, time, position):
    """Return where the decisions of a position at a time begin and end in a row.

    Parameters
    ----------
    starts, classes
        Those of a `Plan`, or the fine ones.
    time, position : int
    """
    kinds = TWOS if time < SECOND else classes
    first = (1 << position) - 1
    return starts[time] + first * kinds, starts[time] + (2 * first + 1) * kinds


def speakers(n, time):
    """Return how many speak at a time: the dealer does not answer his own challenge (N8)."""
    return n - 1 if time == CHALLENGED else n


def take(starts, classes, n, size, table, rows, way, first, stop, taken):
    """Take everybody's decisions from the row ``rows[way]`` of his, at times `first` to `stop`.

    Parameters
    ----------
    starts, classes
        See `words_of`.
    n, size : int
    table : ndarray
        Rows of `size` decisions, one after the other.
    rows : ndarray of int64, shape (ways, n)
    way, first, stop : int
    taken : ndarray
        Filled.
    """
    for time in range(first, stop + 1):
        for position in range(speakers(n, time)):
            low, high = words_of(starts, classes, time, position)
            base = rows[way, position] * size
            for at in range(low, high):
                taken[at] = table[base + at]


def mix_seats(starts, classes, n, chances, rows, place, part, first, yes):
    """Fill the chances of everybody at a pot between two nodes, from time `first` on.

    Parameters
    ----------
    starts, classes, n
        See `take`.
    chances : ndarray of uint8, shape (rows, nodes, size)
        In 255ths.
    rows : ndarray of int64, shape (n,)
        Of each position.
    place, part : int, float
        Which nodes, see `simulate.napalm.solving.race.find_mark`.
    first : int
    yes : ndarray of float32
        Filled.
    """
    for time in range(first, THIRD + 1):
        for position in range(speakers(n, time)):
            start, stop = words_of(starts, classes, time, position)
            mix_chances(chances, rows[position], place, part, start, stop, yes)


compile_module(__name__, fills_only=True, literals=False)


class Span(NamedTuple):
    """Where decisions of one position stand in a row, from `start` to ``stop - 1``."""

    position: int
    start: int
    stop: int


def spans(starts: Sequence[int], classes: int, n: int, first: int = 0) -> list[Span]:
    """List whose decisions stand where, from time `first` on."""
    return [
        Span(position, *words_of(starts, classes, time, position))
        for time in range(first, THIRD + 1)
        for position in range(speakers(n, time))
    ]
