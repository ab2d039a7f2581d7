"""The work space of one thread."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.napalm.games import Queue, new_queue
from simulate.napalm.table import Table, empty_table
from simulate.napalm.tally import Scratch, empty_scratch


class Space(NamedTuple):
    """Two tables, of all lanes and of those whose deal goes on, and what the steps need besides."""

    full: Table
    few: Table
    scratch: Scratch
    own: NDArray[np.int64]
    queue: Queue


def make_space(strategies: int, n: int) -> Space:
    """Make the work space for n players of so many distinct strategies."""
    return Space(
        full=empty_table(n),
        few=empty_table(n),
        scratch=empty_scratch(n),
        own=np.zeros(strategies, np.int64),
        queue=new_queue(),
    )
