"""Games sit down at the table and leave it: one lane at a time, once a game."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.dealing import draw_first_dealers
from simulate.jit import compile_module
from simulate.napalm.table import LANES, around
from simulate.napalm.tally import LENGTHS, SUMS
from simulate.wide import add_square

NOBODY = -1


class Queue(NamedTuple):
    """The games that have not begun.

    Attributes
    ----------
    taken, order : ndarray of int64, shape (1,)
        How many have begun; the row of the seating plan of the next.
    dealers : ndarray of uint64, shape (1, LANES)
        First dealers of some games in a row, drawn together.
    """

    taken: NDArray[np.int64]
    order: NDArray[np.int64]
    dealers: NDArray[np.uint64]


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


def next_game(queue, key, start, n, plan):
    """Take the next game from the queue: return its number, first dealer (N1) and seating.

    Parameters
    ----------
    queue : Queue
    key, start, n, plan
        As for `simulate.napalm.kernel.play`.
    """
    taken, size = queue.taken[0], queue.dealers.shape[1]
    game = start + taken
    if taken % size == 0:
        draw_first_dealers(key, game, n, queue.dealers)
        queue.order[0] = game % len(plan)
    order = queue.order[0]
    queue.order[0] = order + 1 if order + 1 < len(plan) else 0
    queue.taken[0] = taken + 1
    return game, np.int64(queue.dealers[0, taken % size]), order


def sit_down(table, lane, step, n, key, start, queue, plan, kinds):
    """Begin the next game in a lane (N1, N17): an empty pot, counts of 0."""
    game, dealer, order = next_game(queue, key, start, n, plan)
    turned = around(around(dealer + n - step, n) + 1, n)
    table.order[0, lane] = order
    table.game[0, lane] = game
    table.deal[0, lane] = 0
    table.turned[0, lane] = turned
    table.pot[0, lane] = 0
    for row in range(n):
        table.strategy[row, lane] = kinds[plan[order, around(row + turned, n)]]
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
    table.order[0, target] = table.order[0, source]
    table.deal[0, target] = table.deal[0, source]
    table.turned[0, target] = table.turned[0, source]
    table.pot[0, target] = table.pot[0, source]
    for row in range(n):
        table.strategy[row, target] = table.strategy[row, source]
        table.collected[row, target] = table.collected[row, source]
        table.net[row, target] = table.net[row, source]


def winner_row(table, lane, step, n):
    """Return the row of the highest collected count, the nearest to eldest among equals (N16)."""
    best = 0
    for position in range(n):
        count = np.int64(table.collected[around(position + step, n), lane])
        best = max(best, count * n + (n - 1 - position))  # no branch: it could not be foreseen
    return around(n - 1 - best % n + step, n)


def leave(table, lane, step, n, start, plan, kinds, own, totals, rows):
    """Enter the result of a game that is over or truncated.

    `own` is work space for one number a strategy, all 0 before and after.
    """
    game, turned = np.int64(table.game[0, lane]), np.int64(table.turned[0, lane])
    deals, pot = np.int64(table.deal[0, lane]) + 1, np.int64(table.pot[0, lane])
    order = table.order[0, lane]
    winner = winner_row(table, lane, step, n) if table.over[0, lane] else NOBODY
    totals.games[0] += 1
    totals.games[1] += winner == NOBODY
    totals.games[2] += deals
    totals.lengths[min(deals, LENGTHS - 1)] += 1
    wanted = len(rows.winner) > 0
    for row in range(n):
        seat = around(row + turned, n)
        slot = np.int64(plan[order, seat])
        won = np.int64(row == winner)
        result = table.net[row, lane] - deals + won * pot  # N2: an ante a deal; N16: the prize
        sums = (slot * n + seat) * SUMS
        totals.results[sums] += 1
        totals.results[sums + 1] += won
        totals.results[sums + 2] += result
        add_square(result, totals.results, sums + 3)
        own[kinds[slot]] += result
        totals.shared[SUMS * kinds[slot] + 1] += won
        if wanted:
            rows.net[game - start, seat] = result
    for kind in range(len(own)):
        totals.shared[SUMS * kind] += 1
        totals.shared[SUMS * kind + 2] += own[kind]
        add_square(own[kind], totals.shared, SUMS * kind + 3)
        own[kind] = 0
    if wanted:
        rows.winner[game - start] = NOBODY if winner == NOBODY else around(winner + turned, n)
        dealer = around(around(n - 1 + step, n) + turned, n)  # the last in the order of speaking
        rows.dealer[game - start] = (dealer - deals + 1) % n
        rows.deals[game - start] = deals
        rows.prize[game - start] = pot


compile_module(__name__, fills_only=True, inlined=("next_game", "winner_row"), inner="all")


def new_queue() -> Queue:
    """Make the queue of a slice."""
    return Queue(np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros((1, LANES), np.uint64))


def empty_rows(games: int, n: int) -> Rows:
    """Make room for the rows of so many games."""
    return Rows(
        winner=np.zeros(games, np.int8),
        dealer=np.zeros(games, np.int8),
        deals=np.zeros(games, np.int32),
        prize=np.zeros(games, np.int32),
        net=np.zeros((games, n), np.int64),
    )
