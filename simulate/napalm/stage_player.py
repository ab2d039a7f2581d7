"""The compiled stage of Napalm, ready to be called through its address."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from simulate.address import address_of
from simulate.napalm.ledger import empty_ledger
from simulate.napalm.lineup import FAULT, make_brains
from simulate.napalm.rules import NapalmRules, kernel_rules
from simulate.napalm.stage import play_stage
from simulate.napalm.strength import Strengths
from simulate.napalm.table import empty_table
from simulate.napalm.tally import empty_scratch, empty_totals


@cache
def stage_player() -> Any:
    """Compile `simulate.napalm.stage.play_stage`, or load it, and return its address."""
    n, asker = 4, 0  # the types of arguments never differ
    strengths = Strengths(
        base=np.zeros(0, np.uint16),
        place=np.zeros(0, np.uint16),
        strength=np.zeros((3, 0)),
        bucket=np.zeros((3, 0), np.uint8),
    )
    return address_of(
        play_stage, empty_table(n), 0, 0, n, 0, np.uint64(0), kernel_rules(NapalmRules()),
        make_brains([], [], n, wheel=False), asker, strengths, empty_totals(1, n), empty_scratch(n),
        empty_ledger(0, n, cards=False), 0, np.zeros(FAULT, np.int64), 0,
    )  # fmt: skip
