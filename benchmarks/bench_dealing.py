"""Dealing and ranking alone: no strategies, no money."""

from __future__ import annotations

import numpy as np

from benchmarks.measure import Case, Effort, measure
from benchmarks.row import Row, Target
from benchmarks.whole_deal import deals_only, rankings_only, whole_deals
from simulate.napalm.table import LANES, empty_table
from simulate.rng import fold_seed

TITLE = "Dealing and ranking: all cards of all seats, three rankings, the winners"
KEY = fold_seed(1)
TARGET = {5: Target(30e6)}


def whole(n: int):
    """Return work that deals, ranks and finds the winners."""
    table, wins = empty_table(n), np.zeros((3, n), np.int64)

    def work(deals: int) -> int:
        blocks = -(-deals // LANES)
        whole_deals(KEY, 0, blocks, n, 1, table, wins)
        return blocks * LANES

    return work


def dealing(n: int):
    """Return work that deals."""
    table = empty_table(n)

    def work(deals: int) -> int:
        blocks = -(-deals // LANES)
        deals_only(KEY, 0, blocks, n, table)
        return blocks * LANES

    return work


def ranking(n: int):
    """Return work that ranks the two, five and seven cards of all seats, the same ones always."""
    table = empty_table(n)
    deals_only(KEY, 0, 1, n, table)

    def work(deals: int) -> int:
        blocks = -(-deals // LANES)
        rankings_only(blocks, n, 1, table)
        return blocks * LANES

    return work


def run(effort: Effort) -> list[Row]:
    """Measure it for each number of players."""
    cases = [
        Case(f"whole deals, {n} players", "deals", whole(n), TARGET.get(n)) for n in range(4, 8)
    ]
    cases += [
        Case("cards alone, 5 players", "deals", dealing(5)),
        Case("rankings alone, 5 players", "deals", ranking(5)),
    ]
    return measure(cases, effort)
