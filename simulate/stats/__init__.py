"""Estimates with honest error bars, from sums that can be added up in any order.

Every estimator takes the number of games and a few sums over them, so that a billion games need no
more memory than a hundred. The game is the unit of sampling everywhere: the deals of one game depend on each other.
Below the smallest sample at which its intervals were found to cover, an estimator raises `TooFewGames`.
"""

from simulate.stats.estimate import (
    SMALLEST_SAMPLE,
    Estimate,
    TooFewGames,
    mean_interval,
    share_interval,
)

__all__ = ["SMALLEST_SAMPLE", "Estimate", "TooFewGames", "mean_interval", "share_interval"]
