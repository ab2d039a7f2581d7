"""Whole deals without strategies and money: cards for all, three rankings, who wins each stage.

Compiled. What `simulate.dealing` and `simulate.napalm.hands` do is called as the game calls it.
"""

from __future__ import annotations

import numpy as np

from simulate.dealing import deal_places
from simulate.jit import compile_module
from simulate.lanes import WIDTH, count, load, where
from simulate.napalm.hands import INVERTED, rank_fives, rank_sevens, rank_twos
from simulate.napalm.table import LANES


def name_deals(table, first):
    """Give each lane the first deal of a game of its own."""
    for lane in range(LANES):
        table.game[0, lane] = first + lane


def deal_all(key, n, table):
    """Deal seven cards to each seat of every lane."""
    deal_places(
        key, table.game, table.deal, 0, 7 * n, table.digits, table.refused,
        table.cards, LANES,
    )  # fmt: skip


def rank_all(n, table, wheel):
    """Rank every seat's two, five and seven cards."""
    for position in range(n):
        rank_twos(table.cards, position, n + position, position, table.value, LANES)
    for position in range(n):
        rank_fives(table.cards, position, n, INVERTED, 0, n + position, table.value, LANES)
    for position in range(n):
        rank_sevens(table.cards, position, n, wheel, 2 * n + position, table.value, LANES)


def count_winners(n, table, wins):
    """Count for each stage and position in how many deals its hand is among the best."""
    for stage in range(3):
        for lane in range(0, LANES, WIDTH):
            best = load(table.value, stage * n, lane)
            for position in range(1, n):
                value = load(table.value, stage * n + position, lane)
                best = where(value > best, value, best)
            for position in range(n):
                wins[stage, position] += count(
                    load(table.value, stage * n + position, lane) == best
                )


def whole_deals(key, first, blocks, n, wheel, table, wins):
    """Play so many blocks of `LANES` deals, from game `first` on.

    Parameters
    ----------
    key : uint64
    first, blocks, n, wheel : int
    table : Table
        Of n players.
    wins : ndarray of int64, shape (3, n)
        Added to.
    """
    for block in range(blocks):
        name_deals(table, first + block * LANES)
        deal_all(key, n, table)
        rank_all(n, table, wheel)
        count_winners(n, table, wins)


def deals_only(key, first, blocks, n, table):
    """Deal so many blocks and do nothing with them."""
    for block in range(blocks):
        name_deals(table, first + block * LANES)
        deal_all(key, n, table)


def rankings_only(blocks, n, wheel, table):
    """Rank the cards on the table so many times over."""
    for _ in range(blocks):
        rank_all(n, table, wheel)


def sevens_only(times, cards, values):
    """Rank hands of seven cards, one a lane, so many times over."""
    for _ in range(times):
        rank_sevens(
            cards, np.int64(0), np.int64(1), np.int64(1), np.int64(0), values, cards.shape[1]
        )


compile_module(__name__, fills_only=True)
