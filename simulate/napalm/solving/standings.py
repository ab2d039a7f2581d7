"""The states of a race that are solved apart from each other, and how the counts may lie in each.

Where players look at who sits where, a state is the counts by position. Where they do not, it is
how many have collected how much, and whoever has collected as much as another stands in the same
row. It is then learned with the counts in one order after another, drawn by lot, each turned around
the table: so everybody sits in every position as often.
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.napalm.solving.lots import toss
from strategies.standing import counts_of_rows, number_of_rows, standing_of

Counts = NDArray[np.int64]


class Ways(NamedTuple):
    """Some ways in which the counts of a state lie by position.

    Attributes
    ----------
    counts : ndarray of int64, shape (ways, n)
    rows : ndarray of int64, shape (ways, n)
        The row that each position looks at.
    own : ndarray of int64, shape (ways, n)
        Which of the rows of its state that is, from 0 on.
    """

    counts: Counts
    rows: Counts
    own: Counts


class Standings:
    """The states of a race.

    Parameters
    ----------
    n, target : int
    seated : bool
        Whether players look at who sits where.
    key : uint64
        What orders are drawn by.

    Attributes
    ----------
    counts : ndarray of int64, shape (states, n)
        By position; or the least first, where it is left out who sits where.
    sums : ndarray of int64, shape (states,)
    """

    def __init__(self, n: int, target: int, seated: bool, key: np.uint64) -> None:
        self.n, self.target, self.seated, self.key = n, target, seated, key
        self.standing = standing_of(n, target, seated)
        each = combinations_with_replacement(range(target), n)
        self.counts = counts_of_rows(n, target, True) if seated else np.array([*each])
        self.sums = self.counts.sum(axis=1)

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def rows(self) -> int:
        """How many rows there are in all."""
        return number_of_rows(self.n, self.target, self.seated)

    @property
    def most_rows(self) -> int:
        """How many rows a state has at most."""
        return 1 if self.seated else min(self.n, self.target)

    @property
    def ways(self) -> int:
        """How many ways are learned at a time."""
        return 1 if self.seated else self.n

    def looks_at(self, counts: Counts) -> Counts:
        """Return the rows that the positions look at, for counts by position."""
        weights, rows = self.standing
        who, other = np.indices((self.n, self.n))
        found: Counts = rows[weights[who, other, counts[..., None, :]].sum(axis=-1)]
        return found

    def rows_of(self, state: int) -> Counts:
        """Return the rows of a state, each once."""
        return np.unique(self.looks_at(self.counts[state]))

    @cached_property
    def of_row(self) -> Counts:
        """The state that each row belongs to."""
        found = np.zeros(self.rows, np.int64)
        for state in range(len(self)):
            found[self.rows_of(state)] = state
        return found

    def draw(self, state: int, number: int) -> Ways:
        """Draw ways for a state, in which each of its counts sits in every position once.

        Parameters
        ----------
        state, number : int
            Another number brings another order.
        """
        counts = self.counts[state][None]
        if not self.seated:
            first = (state * (1 << 20) + number) * self.n
            coins = [toss(self.key, np.uint64(first + each)) for each in range(self.n)]
            order = counts[0, np.argsort(coins)]
            counts = np.stack([np.roll(order, turn) for turn in range(self.n)])
        rows = self.looks_at(counts)
        return Ways(counts, rows, np.searchsorted(self.rows_of(state), rows))
