"""Which hands a solver takes for alike: at stages 2 and 3 those of about the same strength."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from simulate.napalm.strength import strength_tables

Edges = Sequence[NDArray[np.float64]]
"""The strengths at which classes begin at stages 2 and 3, but for the lowest class."""


def edges_of(classes: int, power: float) -> NDArray[np.float64]:
    """Return where so many classes begin; with a power above 1 they are finer for better hands."""
    edges: NDArray[np.float64] = 1 - (1 - np.arange(1, classes) / classes) ** power
    return edges


def class_table(wheel: bool, edges: Edges) -> NDArray[np.uint8]:
    """Return the class of a hand by stage and index: see `simulate.napalm.solving.deals`."""
    strengths = strength_tables(wheel)
    found = strengths.bucket.copy()  # at stage 1 the distinct hands
    for stage in (1, 2):
        found[stage] = np.searchsorted(edges[stage - 1], strengths.strength[stage], "right")
    return found
