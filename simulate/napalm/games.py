"""Games sit down at the table and leave it: one lane at a time, once a game."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.dealing import draw_first_dealers
from simulate.jit import compile_module
from simulate.lanes import WIDTH, count, load, pack, store, where
from simulate.napalm.table import LANES, around, lane_rows
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
    lanes, leaving : ndarray of int32, shape (1, LANES)
        The numbers of all lanes, and of those whose game has ended.
    """

    taken: NDArray[np.int64]
    order: NDArray[np.int64]
    dealers: NDArray[np.uint64]
    lanes: NDArray[np.int32]
    leaving: NDArray[np.int32]


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
    taken = queue.taken[0]
    game = start + taken
    if taken % LANES == 0:
        draw_first_dealers(key, game, n, queue.dealers)
        queue.order[0] = game % len(plan)
    order = queue.order[0]
    queue.order[0] = order + 1 if order + 1 < len(plan) else 0
    queue.taken[0] = taken + 1
    return game, np.int64(queue.dealers[0, taken % LANES]), order


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


def first_games(table, n, key, start, queue, plan, kinds, lanes):
    """Begin the first game in every lane."""
    for lane in range(lanes):
        sit_down(table, lane, 0, n, key, start, queue, plan, kinds)


def begin_deal(table, n, lanes):
    """Begin a deal in every lane: everybody puts in his ante (N2)."""
    table.over[0, :] = 0
    table.live[0, :] = 0
    table.live[0, :lanes] = 1
    for lane in range(0, lanes, WIDTH):
        store(table.pot, 0, lane, load(table.pot, 0, lane) + n)


def end_deals(table, max_deals, queue, lanes):
    """List the games that are over (N16) or truncated (N18); the others come to their next deal.

    Returns
    -------
    int
        How many stand in `Queue.leaving`, in the order of their lanes.
    """
    found = 0
    table.live[0, :lanes] = 1
    for lane in range(0, lanes, WIDTH):
        deal = load(table.deal, 0, lane)
        ended = (load(table.over, 0, lane) != 0) | (deal + 1 >= max_deals)
        leaving = ended & (load(table.live, 0, lane) != 0)
        store(table.deal, 0, lane, where(ended, deal, deal + 1))
        pack(queue.leaving, 0, found, leaving, load(queue.lanes, 0, lane))
        found += count(leaving)
    return found


def seat_next(table, step, n, key, start, stop, queue, found, plan, kinds, lanes):
    """Let the next games take the lanes of those that have left; where there are none, close up.

    Returns
    -------
    int
        How many lanes are in use.
    """
    for place in range(found):
        lane = np.int64(queue.leaving[0, found - 1 - place])
        if start + queue.taken[0] < stop:
            sit_down(table, lane, step, n, key, start, queue, plan, kinds)
        else:
            lanes -= 1
            copy_game(table, n, lanes, lane)
    return lanes


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
        collected = np.int64(table.collected[around(position + step, n), lane])
        best = max(best, collected * 8 + (7 - position))  # no branch: it could not be foreseen
    return around(7 - best % 8 + step, n)


def count_seats(start, stop, n, plan, own, totals):
    """Count the games by slot and seat, and by strategy: they are known beforehand."""
    games = stop - start
    for first in range(min(games, len(plan))):
        order = (start + first) % len(plan)
        times = (games - first + len(plan) - 1) // len(plan)
        for seat in range(n):
            totals.results[(np.int64(plan[order, seat]) * n + seat) * SUMS] += times
    for kind in range(len(own)):
        totals.shared[SUMS * kind] += games
    totals.games[0] += games


def enter_result(table, lane, step, n, start, plan, own, totals, rows):
    """Enter the result of a game that is over or truncated, but for what `count_seats` counts.

    `own` is work space for one number a strategy, all 0 before and after.
    """
    turned = np.int64(table.turned[0, lane])
    deals, pot = np.int64(table.deal[0, lane]) + 1, np.int64(table.pot[0, lane])
    order = np.int64(table.order[0, lane])
    winner = winner_row(table, lane, step, n) if table.over[0, lane] else NOBODY
    totals.games[1] += winner == NOBODY
    totals.games[2] += deals
    totals.lengths[min(deals, LENGTHS - 1)] += 1
    for row in range(n):
        seat = around(row + turned, n)
        won = np.int64(row == winner)
        result = table.net[row, lane] - deals + won * pot  # N2: an ante a deal; N16: the prize
        sums = (np.int64(plan[order, seat]) * n + seat) * SUMS
        totals.results[sums + 1] += won
        totals.results[sums + 2] += result
        add_square(result, totals.results, sums + 3)
        own[np.int64(table.strategy[row, lane])] += result
    if winner != NOBODY:
        totals.shared[SUMS * np.int64(table.strategy[winner, lane]) + 1] += 1
    for kind in range(len(own)):
        totals.shared[SUMS * kind + 2] += own[kind]
        add_square(own[kind], totals.shared, SUMS * kind + 3)
        own[kind] = 0
    if len(rows.winner) > 0:
        write_row(table, lane, step, n, start, winner, rows)


def write_row(table, lane, step, n, start, winner, rows):
    """Write the row of a game."""
    turned, game = np.int64(table.turned[0, lane]), np.int64(table.game[0, lane]) - start
    deals, pot = np.int64(table.deal[0, lane]) + 1, np.int64(table.pot[0, lane])
    for row in range(n):
        prize = pot if row == winner else 0
        rows.net[game, around(row + turned, n)] = table.net[row, lane] - deals + prize
    rows.winner[game] = NOBODY if winner == NOBODY else around(winner + turned, n)
    dealer = around(around(n - 1 + step, n) + turned, n)  # the last in the order of speaking
    rows.dealer[game] = (dealer - deals + 1) % n
    rows.deals[game] = deals
    rows.prize[game] = pot


def leave(table, step, n, start, queue, plan, own, totals, rows, found):
    """Enter the results of all games that have ended. One call for all: its arguments are many."""
    for place in range(found):
        lane = np.int64(queue.leaving[0, place])
        enter_result(table, lane, step, n, start, plan, own, totals, rows)


compile_module(
    __name__,
    fills_only=True,
    inlined=("next_game", "sit_down", "copy_game", "winner_row", "enter_result"),
    inner="all",
)


def new_queue() -> Queue:
    """Make the queue of a slice."""
    return Queue(
        taken=np.zeros(1, np.int64),
        order=np.zeros(1, np.int64),
        dealers=np.zeros((1, LANES), np.uint64),
        lanes=np.arange(LANES, dtype=np.int32).reshape(1, LANES),
        leaving=lane_rows(1, np.int32),
    )


def empty_rows(games: int, n: int) -> Rows:
    """Make room for the rows of so many games."""
    return Rows(
        winner=np.zeros(games, np.int8),
        dealer=np.zeros(games, np.int8),
        deals=np.zeros(games, np.int32),
        prize=np.zeros(games, np.int32),
        net=np.zeros((games, n), np.int64),
    )
