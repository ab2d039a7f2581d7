"""Pictures of results, made with matplotlib; every function takes a DataFrame and returns its Axes.

A column ``x`` that was estimated has its interval beside it in ``x_low`` and ``x_high``. Colours
are those of Okabe and Ito, which people see alike whatever their colour vision; lines differ in
dashes and markers as well, and maps in lightness, so that all of it can be read in grey.
"""

from simulate.plots.curves import (
    curves,
    race_curves,
    running_estimate,
    threshold_curve,
    win_rate_by_strength,
    yes_rate_by_position,
)
from simulate.plots.grids import cross_table, heat_map, win_rate_by_hand
from simulate.plots.standings import standings
from simulate.plots.style import save_picture

__all__ = [
    "cross_table",
    "curves",
    "heat_map",
    "race_curves",
    "running_estimate",
    "save_picture",
    "standings",
    "threshold_curve",
    "win_rate_by_hand",
    "win_rate_by_strength",
    "yes_rate_by_position",
]
