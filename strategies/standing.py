"""Where what a table for whole games says of a state stands: by who has collected what.

Among four and five players each way in which the counts lie by position has a row of its own. Among
more there would be too many, and who sits where among the others is left out: a row then belongs to
a player's own count, and to how many of the others have collected how much.

Either way the row of a player is found by adding up a weight for each count.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Standing(NamedTuple):
    """How the row of a player is found.

    Attributes
    ----------
    weights : int64, shape (n, n, target)
        What the count of each position adds, for the player in the position that comes first.
    rows : int64, shape (sums of weights,)
        The row by that sum; below 0 where there is none.
    """

    weights: NDArray[np.int64]
    rows: NDArray[np.int64]


def standing_of(n: int, target: int, seated: bool) -> Standing:
    """Lay out the rows.

    Parameters
    ----------
    n, target : int
    seated : bool
        Whether it matters who sits where.
    """
    import numpy as np

    count, each = np.arange(target), counts_of_rows(n, target, seated)
    weights = np.zeros((n, n, target), np.int64)
    if seated:
        weights[:] = count * target ** np.arange(n)[:, None]
        return Standing(weights, np.arange(len(each)))
    # How many of the others have 1, 2, ... are digits of base n; the own count is the last one.
    weights[:, :, 1:] = n ** count[:-1]
    weights[np.arange(n), np.arange(n)] = count * n ** (target - 1)
    rows = np.full(target * n ** (target - 1), -1)
    rows[weights[0, np.arange(n), each].sum(axis=1)] = np.arange(len(each))
    return Standing(weights, rows)


def number_of_rows(n: int, target: int, seated: bool) -> int:
    """Return how many rows there are."""
    return int(target**n if seated else target * comb(n + target - 2, n - 1))


def counts_of_rows(n: int, target: int, seated: bool) -> NDArray[np.int64]:
    """Return the counts that each row is about.

    Returns
    -------
    ndarray of int64, shape (rows, n)
        By position; or the own count, then those of the others, the least first.
    """
    import numpy as np

    if seated:
        return np.arange(target**n)[:, None] // target ** np.arange(n) % target
    return np.array(
        [
            (own, *others)
            for others in combinations_with_replacement(range(target), n - 1)
            for own in range(target)
        ]
    )
