"""The race for tokens: what a stage brings everybody, with all that comes after it.

A state is the collected counts by position, the stage, and the pot, antes of this deal included. A
lone Yes is a step in the race, any other outcome leaves the counts as they are: then the next stage
is played at the same counts, or the next deal, with the pot grown by the antes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module
from simulate.napalm.solving.race import expect, find_mark, marks_between
from strategies.standing import standing_of

Array = NDArray[np.float64]

NOBODY = -1

MOST_AGAIN = 0.95
"""See `come_round`."""


class TokenRace(NamedTuple):
    """What there is to know of the race.

    Attributes
    ----------
    n, target : int
    worth : ndarray of float64, shape (3, target**n, marks, n)
        What a player in each position may expect, less what he has paid, when a stage begins: by
        stage, counts and mark.
    marks : ndarray of float64, shape (sums, marks)
        The pots at which that is known, by the sum of counts; between and beyond them it is a
        straight line.
    weights, rows : ndarray of int64
        Which row holds some counts: see `strategies.standing`.
    """

    n: int
    target: int
    worth: NDArray[np.float64]
    marks: NDArray[np.float64]
    weights: NDArray[np.int64]
    rows: NDArray[np.int64]


def settle_tokens(stage, said, win, pot, before, n, rules, after, change):
    """Settle a stage for everybody (N9 to N14), under ``currency = "tokens"``.

    Parameters
    ----------
    stage : int
    said, win : int
        Last words, and who of those who said Yes holds the best hand, as bits.
    pot : float
    before : ndarray of int64
        Collected counts.
    n : int
    rules : KernelRules
    after : ndarray of int64
    change : ndarray of float64
        Filled: the counts after it, and what everybody has received.
    """
    yes, tied = 0, 0
    for position in range(n):
        after[position], change[position] = before[position], 0.0
        yes += said >> position & 1
        tied += win >> position & 1
    bet = 0.0
    if yes > 1 and (tied == 1 or rules.split):  # N13
        bet = np.floor(pot / tied)
    for position in range(n):
        if win >> position & 1:
            change[position] = bet * (yes - tied)  # N11
            if yes == 1:
                after[position] += rules.lone[stage]  # N10
        elif said >> position & 1:
            change[position] = -bet * tied


def fill_token_pay(stage, counts, pot, race, rules, pay, after, change, later):
    """Fill what a stage brings everybody, by last words and winners.

    Parameters
    ----------
    stage : int
        From 0.
    counts : ndarray of int64
    pot : float
    race : TokenRace
    rules : KernelRules
    pay : ndarray of float32, shape (4**n * n,)
        Filled: see `simulate.napalm.solving.token_stage.one_stage`.
    after, change, later
        Work space for n numbers each.
    """
    n = race.n
    for said in range(1 << n):
        goes_on = stage < 2 and not (said and rules.ends[stage])  # N6
        for win in range(1 << n):
            if win & ~said or (said != 0 and win == 0):
                continue
            settle_tokens(stage, said, win, pot, counts, n, rules, after, change)
            winner = NOBODY
            for position in range(n):
                if after[position] >= race.target:  # N16: a lone Yes, so there is but one
                    winner = position
            at = (said << n | win) * n
            if winner != NOBODY:
                for player in range(n):
                    later[player] = pot if player == winner else 0.0
            elif goes_on:
                expect(race, race.worth[stage + 1], after, pot, 0, later)
            else:
                expect(race, race.worth[0], after, pot + n, 1, later)
                for player in range(n):
                    later[player] -= 1.0  # the next ante (N2)
            for player in range(n):
                pay[at + player] = change[player] + later[player]


compile_module(__name__, fills_only=True)


def token_pots(n: int, target: int, nodes: int) -> NDArray[np.float64]:
    """Choose the pots at which play is learned, by the sum of counts: whole numbers of antes.

    Nearly all games pass between the least and the greatest, half of them near the middle.
    """
    total = np.arange(n * (target - 1) + 1)
    least = np.maximum((total + 1) // 2, 1)
    middle = np.maximum(np.round(1 + 0.75 * total), least + 1)
    most = np.round(middle + 3 + 0.3 * total)
    steps = np.linspace(0.0, 2.0, nodes)
    found = [np.interp(steps, range(3), deals) for deals in zip(least, middle, most, strict=True)]
    return np.asarray(n * np.round(found))


def token_race(n: int, target: int, worth: Array, pots: NDArray[np.float64]) -> TokenRace:
    """Tell compiled code what is known of the race; `pots` are those at which play is learned."""
    standing = standing_of(n, target, seated=True)
    return TokenRace(n, target, worth, marks_between(pots), *standing)


def come_round(
    worth: Array, before: Array, again: NDArray[np.float32], marks: Array, n: int
) -> Array:
    """Allow at once for all deals that come round to the same counts.

    Parameters
    ----------
    worth : ndarray of float64, shape (ring, marks, n)
        What deals are worth, each if the one after it were worth what it was `before`.
    before : ndarray of float64, shape (ring, marks, n)
    again : ndarray of float32, shape (ring, marks)
        How likely it is that a deal leads to the next one of the ring; `MOST_AGAIN` is the most
        that is allowed for, as this is an estimate. What comes out in the end, once nothing moves
        any more, does not depend on it.
    marks : ndarray of float64, shape (marks,)
        The pots.
    n : int

    Returns
    -------
    ndarray of float64, shape (ring, marks, n)
        What deals are worth if the one after it is worth just as much.
    """
    shape, again = worth.shape, np.minimum(again, MOST_AGAIN)
    leads = np.zeros((*shape, *shape))
    for mark, pot in enumerate((marks + n).tolist()):
        place, part = find_mark(marks[None], 0, pot, -1e9, 1e9)
        for state in range(shape[0]):
            following = (state + 1) % shape[0]
            for player in range(n):
                row = leads[state, mark, player, following]
                row[place, (player - 1) % n] = again[state, mark] * (1.0 - part)
                row[place + 1, (player - 1) % n] = again[state, mark] * part
    matrix = leads.reshape(worth.size, worth.size)
    right = worth.reshape(-1) - matrix @ before.reshape(-1)
    found: Array = np.linalg.solve(np.eye(worth.size) - matrix, right).reshape(shape)
    return found


def ring_of(number: int, n: int, target: int) -> list[int]:
    """Return the states that counts become as the deal goes round the table, from their own on.

    After a deal position p is position p - 1 (N1).
    """
    ring, top = [number], target ** (n - 1)
    while (following := ring[-1] // target + ring[-1] % target * top) != number:
        ring.append(following)
    return ring
