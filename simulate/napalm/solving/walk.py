"""Whole games with the table of a solver, to see how often each state is met."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module
from simulate.napalm.solving.histories import CHALLENGED, FIRST, SECOND, TWOS
from simulate.napalm.solving.lots import toss, winners_of
from simulate.napalm.solving.race import NOBODY, find_mark, row_of, settle_state, winner_of

MOST_DEALS = 200
"""After so many deals nobody wins a game any more."""


class Met(NamedTuple):
    """How often states were met, and what games brought.

    Attributes
    ----------
    deals, lasts : float64, shape (rows, nodes)
        Deals, and stages 3 after a Yes at stage 2, by eldest's row and the nearest node.
    net : float64, shape (2, n)
        What games brought, and its squares, by position in the first deal.
    """

    deals: NDArray[np.float64]
    lasts: NDArray[np.float64]
    net: NDArray[np.float64]


class Steps(NamedTuple):
    """Work space: counts now, after and in the next deal; everybody's row; received, and in all."""

    counts: NDArray[np.int64]
    after: NDArray[np.int64]
    turned: NDArray[np.int64]
    rows: NDArray[np.int64]
    change: NDArray[np.float64]
    net: NDArray[np.float64]


def speak_up(plan, chances, rows, place, part, time, stop, lots, turn, deal, key, at):
    """Let players up to position `stop` speak by coins; return who has said Yes."""
    said = 0
    n, stage = plan.n, max(time - 1, 0)
    classes = TWOS if time < SECOND else plan.classes
    for position in range(stop):
        kind = np.int64(lots.kind[stage * n + (position + turn) % n, deal])
        where = plan.starts[time] + ((1 << position) - 1 + said) * classes + kind
        low = np.float64(chances[rows[position], place, where])
        high = np.float64(chances[rows[position], place + 1, where])
        coin = toss(key, np.uint64(at + time * n + position))
        said |= np.int64(255.0 * coin < low + part * (high - low)) << position
    return said


def look_at(race, counts, rows):
    """Fill `rows` with which row each position looks at; return the sum of counts."""
    total = 0
    for position in range(race.n):
        rows[position] = row_of(race, counts, position, 0)
        total += counts[position]
    return total


def nearest(place, part):
    """Return the nearest node."""
    return place + 1 if part > 0.5 else place


def walk_deal(plan, race, rules, nodes, chances, lots, turn, deal, shift, pot, key, at, steps, met):
    """Play a deal; return the pot after it, and who has won the game."""
    n, dealer, winner = plan.n, 1 << (plan.n - 1), NOBODY
    total = look_at(race, steps.counts, steps.rows)
    place, part = find_mark(nodes, total, pot, 0.0, 1.0)
    met.deals[steps.rows[0], nearest(place, part)] += 1.0
    for stage in range(3):
        time = stage + 1 if stage else FIRST
        said = speak_up(plan, chances, steps.rows, place, part, time, n, lots, turn, deal, key, at)
        if stage == 0 and said == dealer and plan.challenge:
            said |= speak_up(
                plan, chances, steps.rows, place, part, CHALLENGED, n - 1, lots, turn, deal, key, at
            )
        win = winners_of(lots, stage * n, turn, deal, said, n)
        pot = settle_state(
            stage, said, win, pot, steps.counts, race, rules, steps.after, steps.change
        )
        winner = winner_of(steps.after, race)
        for position in range(n):
            steps.counts[position] = steps.after[position]
            steps.net[(position + shift) % n] += steps.change[position]
        if winner != NOBODY or (said and rules.ends[stage]):
            break
        if stage == 1 and said:
            total = look_at(race, steps.counts, steps.rows)
            place, part = find_mark(nodes, total, pot, 0.0, 1.0)
            met.lasts[steps.rows[0], nearest(place, part)] += 1.0
    return pot, winner


def walk_games(plan, race, rules, nodes, chances, lots, key, start, stop, steps, met):
    """Play games `start` to ``stop - 1`` from nothing, and count what is met."""
    n, number_of_deals = plan.n, lots.kind.shape[1]
    for game in range(start, stop):
        pot = 0.0
        for position in range(n):
            steps.counts[position], steps.net[position] = 0, 0.0
        for number in range(MOST_DEALS):
            shift = number % n  # who was in position p at first is in p - shift now
            at = (game * MOST_DEALS + number) * 64
            deal = np.int64(toss(key, np.uint64(at + 62)) * number_of_deals)
            turn = np.int64(toss(key, np.uint64(at + 63)) * n)
            pot += n
            for position in range(n):
                steps.net[position] -= 1.0
            pot, winner = walk_deal(
                plan, race, rules, nodes, chances, lots, turn, deal, shift, pot, key, at, steps,
                met,
            )  # fmt: skip
            if winner != NOBODY:
                steps.net[(winner + shift) % n] += pot
                break
            for position in range(n):
                steps.turned[position] = steps.counts[(position + 1) % n]
            for position in range(n):
                steps.counts[position] = steps.turned[position]
        for position in range(n):
            met.net[0, position] += steps.net[position]
            met.net[1, position] += steps.net[position] ** 2


compile_module(
    __name__,
    fills_only=True,
    inner=("speak_up", "look_at", "nearest", "walk_deal"),
)


def make_steps(n: int) -> Steps:
    """Make the work space for n players."""
    counts = [np.zeros(n, np.int64) for _ in range(4)]
    return Steps(*counts, np.zeros(n), np.zeros(n))


def nothing_met(rows: int, nodes: int, n: int) -> Met:
    """Begin to count."""
    return Met(np.zeros((rows, nodes)), np.zeros((rows, nodes)), np.zeros((2, n)))
