"""The race: what the state of a game is worth, and what a stage brings with all that comes after.

A state is the collected counts by position and the pot, antes of this deal included. States are
solved those with most stakes collected first. After a deal that nobody won, this deal's position p
is the next one's position p - 1 (N1).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module

NOBODY = -1


class Race(NamedTuple):
    """What there is to know of the race.

    Attributes
    ----------
    n, target : int
    deals, lasts : ndarray of float64, shape (rows, marks, n)
        What a player in each position may expect, less what he has paid, of a deal whose antes are
        paid, and of a stage 3: by counts and mark.
    marks : ndarray of float64, shape (sums, marks)
        The pots at which that is known, by the sum of counts; between and beyond them it is a
        straight line.
    weights, rows : ndarray of int64
        Which row holds some counts: see `strategies.standing`.
    """

    n: int
    target: int
    deals: NDArray[np.float64]
    lasts: NDArray[np.float64]
    marks: NDArray[np.float64]
    weights: NDArray[np.int64]
    rows: NDArray[np.int64]


def find_mark(marks, row, pot, least, most):
    """Find a pot among the marks of a row.

    Returns
    -------
    place, part : int, float
        Between which mark and the next it lies, and how much of the way; `part` is kept from
        `least` to `most`.
    """
    place = 0
    while place < marks.shape[1] - 2 and pot > marks[row, place + 1]:
        place += 1
    part = (pot - marks[row, place]) / (marks[row, place + 1] - marks[row, place])
    return place, min(max(part, least), most)


def row_of(race, counts, position, turned):
    """Return which row a player looks at; counts are turned so many places."""
    code = 0
    for other in range(race.n):
        at = other + turned
        count = counts[at if at < race.n else at - race.n]
        code += race.weights[position, other, count]
    return race.rows[code]


def expect(race, worth, counts, pot, turned, found):
    """Fill `found` with what everybody may expect of a state.

    Parameters
    ----------
    race : Race
    worth : ndarray of float64
        ``race.deals`` or ``race.lasts``.
    counts : ndarray of int64
    pot : float
    turned : int
        How many places counts and players have moved: 1 where the next deal follows.
    found : ndarray of float64
        Filled, by position before they moved.
    """
    total = 0
    for position in range(race.n):
        total += counts[position]
    place, part = find_mark(race.marks, total, pot, -1e9, 1e9)
    for position in range(race.n):
        row = row_of(race, counts, position, turned)
        low, high = worth[row, place, position], worth[row, place + 1, position]
        at = position + turned
        found[at if at < race.n else at - race.n] = low + part * (high - low)


def settle_state(stage, said, win, pot, before, race, rules, after, change):
    """Settle a stage for everybody (N9 to N14), under ``currency = "stakes"``.

    Parameters
    ----------
    stage : int
    said, win : int
        Last words, and who of those who said Yes holds the best hand, as bits.
    pot : float
    before : ndarray of int64
        Collected counts.
    race : Race
    rules : KernelRules
    after : ndarray of int64
    change : ndarray of float64
        Filled: the counts after it, and what everybody has received.

    Returns
    -------
    float
        The pot after it.
    """
    n, yes, tied = race.n, 0, 0
    for position in range(n):
        after[position], change[position] = before[position], 0.0
        yes += said >> position & 1
        tied += win >> position & 1
    if yes == 0:
        return pot
    pays, takes = 0.0, min(float(rules.lone[stage]), pot)
    if yes > 1:
        pays = float(yes if rules.penalty[stage] < 0 else rules.penalty[stage])
        pot += (yes - tied) * pays
        takes = 0.0
        if tied == 1 or rules.split:
            takes = float(min(float(yes), pot) // tied)
    for position in range(n):
        if win >> position & 1:
            change[position] = takes
            after[position] += int(takes)
            pot -= takes
        elif said >> position & 1:
            change[position] = -pays
    return pot


def winner_of(counts, race):
    """Return who has won (N16): the highest count, then the nearest eldest; or `NOBODY`."""
    found = NOBODY
    for position in range(race.n):
        reached = counts[position] >= race.target
        if reached and (found == NOBODY or counts[position] > counts[found]):
            found = position
    return found


def value_after(stage, said, win, pot, counts, race, rules, after, change, worth):
    """Fill `worth` with what a stage brings everybody, with all that comes after."""
    n = race.n
    left = settle_state(stage, said, win, pot, counts, race, rules, after, change)
    winner = winner_of(after, race)
    if winner != NOBODY:
        for player in range(n):
            worth[player] = change[player] + (left if winner == player else 0.0)
    elif stage == 1 and not (rules.ends[1] and said):
        expect(race, race.lasts, after, left, 0, worth)
        for player in range(n):
            worth[player] = change[player] + worth[player]
    else:
        expect(race, race.deals, after, left + n, 1, worth)
        for player in range(n):
            worth[player] = change[player] - 1.0 + worth[player]


def guess_silence(pot, counts, race, rules, after, change, part, worth):
    """Fill `worth` with a guess of stage 3 after a stage 2 at which nobody said Yes.

    It comes to that hardly ever: the last to speak takes a stake for nothing.
    """
    for player in range(race.n):
        worth[player] = 0.0
    for taker in range(race.n):
        bit = 1 << taker
        value_after(2, bit, bit, pot, counts, race, rules, after, change, part)
        for player in range(race.n):
            worth[player] += part[player] / race.n


def fill_pay(stage, counts, pot, race, rules, pay, after, change, part, worth):
    """Fill the table of what a stage brings everybody, by last words and by who of those wins.

    Parameters
    ----------
    stage : int
    counts : ndarray of int64
    pot : float
    race : Race
    rules : KernelRules
    pay : ndarray of float32, shape (4**n * n,)
        Filled: see `simulate.napalm.solving.tree.whole_deal`.
    after, change, part, worth
        Work space for n numbers each.
    """
    n = race.n
    for said in range(1 << n):
        for win in range(1 << n):
            if win & ~said or (said != 0 and win == 0):
                continue
            if said == 0 and stage == 1:
                guess_silence(pot, counts, race, rules, after, change, part, worth)
            elif said == 0 and stage == 0:
                worth[:n] = 0.0  # stage 2 follows
            else:
                value_after(stage, said, win, pot, counts, race, rules, after, change, worth)
            at = (said << n | win) * n
            for player in range(n):
                pay[at + player] = worth[player]


def mix_chances(chances, number, place, part, start, stop, yes):
    """Fill the chances of a pot between two nodes, from those in 255ths at the nodes."""
    low, high = np.float64(1.0 - part) / 255.0, np.float64(part) / 255.0
    for at in range(start, stop):
        yes[at] = np.float32(
            low * chances[number, place, at] + high * chances[number, place + 1, at]
        )


compile_module(__name__, fills_only=True)


def pots(n: int, target: int, nodes: int) -> NDArray[np.float64]:
    """Choose the pots at which play is learned, by the sum of counts.

    A lone stake a deal makes the greatest pot, n - 1 for each stake collected; where showdowns
    took them it is smaller.
    """
    total = np.arange(n * (target - 1) + 1)[:, None]
    steps = np.arange(nodes) / (nodes - 1)
    found = n + (n - 1) * (0.4 + 0.6 * steps) * total
    found[0] = n * (1 + np.arange(nodes))
    return np.asarray(np.round(found, 3))


def marks_between(nodes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the nodes, and the middle between any two."""
    marks = np.zeros((len(nodes), 2 * nodes.shape[1] - 1))
    marks[:, ::2] = nodes
    marks[:, 1::2] = (nodes[:, :-1] + nodes[:, 1:]) / 2
    return marks


def counts_of(number: int, n: int, target: int) -> NDArray[np.int64]:
    """Return the counts that have a number."""
    return np.array([number // target**position % target for position in range(n)])
