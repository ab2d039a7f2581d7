"""Games sit down at the table and leave it: one lane at a time, once a game."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module
from simulate.napalm.tally import LENGTHS
from simulate.rng import first_dealer

NOBODY = -1


class Rows(NamedTuple):
    """One row a game, in their order; empty where they are not asked for.

    Attributes
    ----------
    winner : int8, shape (games,)
        Seat, or `NOBODY`.
    dealer : int8, shape (games,)
        Seat of the first dealer.
    deals : int32, shape (games,)
    prize : int32, shape (games,)
        What the winner took (N16); in a truncated game what is left in the pot.
    net : int64, shape (games, n)
        Net result by seat.
    """

    winner: NDArray[np.int8]
    dealer: NDArray[np.int8]
    deals: NDArray[np.int32]
    prize: NDArray[np.int32]
    net: NDArray[np.int64]


def sit_down(table, lane, step, n, key, game, plan, kinds):
    """Begin a game in a lane (N1, N17): the first dealer by lot, an empty pot, counts of 0."""
    dealer = first_dealer(key, game, n)
    turned = (dealer + 1 - step) % n
    order = game % len(plan)
    table.game[0, lane] = game
    table.deal[0, lane] = 0
    table.turned[0, lane] = turned
    table.pot[0, lane] = 0
    for row in range(n):
        table.strategy[row, lane] = kinds[plan[order, (row + turned) % n]]
        table.collected[row, lane] = 0
        table.net[row, lane] = 0


def begin_deal(table, n, lanes):
    """Begin a deal in every lane: everybody puts in his ante (N2)."""
    table.over[0, :] = 0
    table.live[0, :] = 0
    for lane in range(lanes):
        table.live[0, lane] = 1
        table.pot[0, lane] += n


def copy_game(table, n, source, target):
    """Move a game to another lane."""
    table.game[0, target] = table.game[0, source]
    table.deal[0, target] = table.deal[0, source]
    table.turned[0, target] = table.turned[0, source]
    table.pot[0, target] = table.pot[0, source]
    for row in range(n):
        table.strategy[row, target] = table.strategy[row, source]
        table.collected[row, target] = table.collected[row, source]
        table.net[row, target] = table.net[row, source]


def winner_row(table, lane, step, n):
    """Return the row of the highest collected count, the nearest to eldest among equals (N16)."""
    best = step % n
    for position in range(1, n):
        row = (position + step) % n
        if table.collected[row, lane] > table.collected[best, lane]:
            best = row
    return best


def leave(table, lane, step, n, start, plan, kinds, own, totals, rows):
    """Enter the result of a game that is over or truncated.

    `own` is work space for one number a strategy.
    """
    game, turned = np.int64(table.game[0, lane]), table.turned[0, lane]
    deals, pot = np.int64(table.deal[0, lane]) + 1, table.pot[0, lane]
    order = game % len(plan)
    winner = winner_row(table, lane, step, n) if table.over[0, lane] else NOBODY
    totals.games[0] += 1
    totals.games[1] += winner == NOBODY
    totals.games[2] += deals
    totals.lengths[min(deals, LENGTHS - 1)] += 1
    own[:] = 0
    wanted = len(rows.winner) > 0
    for row in range(n):
        seat = (row + turned) % n
        slot = plan[order, seat]
        result = table.net[row, lane] - deals  # N2: an ante a deal
        if row == winner:
            result += pot
            totals.won[slot, seat] += 1
            totals.strategy_won[kinds[slot]] += 1
        totals.net[slot, seat] += result
        totals.square[slot, seat] += result * result
        own[kinds[slot]] += result
        if wanted:
            rows.net[game - start, seat] = result
    for kind in range(len(own)):
        totals.strategy_net[kind] += own[kind]
        totals.strategy_square[kind] += own[kind] * own[kind]
    if wanted:
        rows.winner[game - start] = NOBODY if winner == NOBODY else (winner + turned) % n
        dealer = (n - 1 + step + turned) % n  # the last in the order of speaking deals
        rows.dealer[game - start] = (dealer - deals + 1) % n
        rows.deals[game - start] = deals
        rows.prize[game - start] = pot


compile_module(__name__, fills_only=True)


def empty_rows(games: int, n: int) -> Rows:
    """Make room for the rows of so many games."""
    return Rows(
        winner=np.zeros(games, np.int8),
        dealer=np.zeros(games, np.int8),
        deals=np.zeros(games, np.int32),
        prize=np.zeros(games, np.int32),
        net=np.zeros((games, n), np.int64),
    )
