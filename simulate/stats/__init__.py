"""Estimates with honest error bars, from sums that can be added up in any order.

Every estimator takes the number of games and a few sums over them, so that a billion games need no
more memory than a hundred. The game is the unit of sampling everywhere: the deals of one game
depend on each other. Below the smallest sample at which its intervals were found to cover, an
estimator raises `TooFewGamesError`.
"""

from simulate.stats.estimate import (
    SMALLEST_SAMPLE,
    Estimate,
    TooFewGamesError,
    mean_interval,
    share_interval,
)
from simulate.stats.multiple import (
    CommonSums,
    groups,
    maybe_best,
    simultaneous_quantile,
    told_apart,
)
from simulate.stats.paired import PairSums, paired_interval, worth_of_pairing
from simulate.stats.ratio import ratio_interval
from simulate.stats.sequential import (
    SequentialTest,
    companion_interval,
    decide,
    games_for_precision,
    look_schedule,
    sequential_interval,
)

__all__ = [
    "SMALLEST_SAMPLE",
    "CommonSums",
    "Estimate",
    "PairSums",
    "SequentialTest",
    "TooFewGamesError",
    "companion_interval",
    "decide",
    "games_for_precision",
    "groups",
    "look_schedule",
    "maybe_best",
    "mean_interval",
    "paired_interval",
    "ratio_interval",
    "sequential_interval",
    "share_interval",
    "simultaneous_quantile",
    "told_apart",
    "worth_of_pairing",
]
