"""The progress of another player as it is seen: points to go, cards in hand, how these change.

His state is ``class * SIZES + column``, the class of his points to go and the column of his number
of cards as `strategies.race` tells them apart. From turn to turn it moves by chance: how often it
went where in many games says how.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module
from simulate.noddy.bits import count_bits
from simulate.noddy.race import class_of, size_of
from strategies.race import AT_MOST, SIZES, TURNS

CLASSES = len(AT_MOST)
STATES = CLASSES * SIZES
HOME = STATES
"""Behind the states: he has finished."""

PRIOR = 2.0
"""So many turns are made up for each state: they go as those of whoever holds as many cards and
needs a little more. (Of those who need most half finish, and half draw a card.)"""


class Rows(NamedTuple):
    """Turns as they were played: see `simulate.noddy.played.turn_rows`."""

    game: NDArray[np.int64]
    deal: NDArray[np.int32]
    seat: NDArray[np.int8]
    hand: NDArray[np.int64]
    cards: NDArray[np.int64]
    drew: NDArray[np.int64]
    points: NDArray[np.int16]
    score: NDArray[np.int32]


class Chain(NamedTuple):
    """Chances to move from state to state; to finish is what is missing to 1.

    Attributes
    ----------
    chance : ndarray of float32
    to : ndarray of int64
        The state that each leads to.
    start : ndarray of int64, shape (STATES + 1,)
        Where those from each state begin, and where the last one's end.
    """

    chance: NDArray[np.float32]
    to: NDArray[np.int64]
    start: NDArray[np.int64]


def state_of(to_go, cards):
    """Return the state of a player."""
    return class_of(to_go) * SIZES + size_of(cards)


def states_of(target, rows, turn):
    """Return the states of the player of a turn, before it and after it."""
    held, score = count_bits(rows.hand[turn]), rows.score[turn]
    before = state_of(target - score + rows.points[turn], held)
    if score >= target:
        return before, HOME
    held += count_bits(rows.drew[turn]) - count_bits(rows.cards[turn])
    return before, state_of(target - score, held)


def same_deal(rows, turn):
    """Whether a turn and the next belong to one deal."""
    return rows.game[turn] == rows.game[turn + 1] and rows.deal[turn] == rows.deal[turn + 1]


def count_turns(target, rows, moves, races):
    """Count the turns of games of two.

    Parameters
    ----------
    target : int
        The score that wins.
    rows : Rows
        Turns of whole games.
    moves : ndarray of int64, shape (STATES, STATES + 1)
        Added to: turns by the states of their player, before and after.
    races : ndarray of int64, shape (STATES, STATES, 2)
        Added to: turns, and turns of games that their player won, by his state and the other's.
        The last turns of dead deals are left out, and games that a turned-up jack won.
    """
    number = len(rows.hand)
    winner, theirs = -1, -1  # of the game and of the turn that follows, as we go back
    for turn in range(number - 1, -1, -1):
        before, after = states_of(target, rows, turn)
        moves[before, after] += 1
        if turn == number - 1 or rows.game[turn] != rows.game[turn + 1]:
            winner, theirs = -1, -1
            if after == HOME:
                winner = rows.seat[turn]
                if turn > 0 and same_deal(rows, turn - 1):
                    theirs = states_of(target, rows, turn - 1)[1]
        elif rows.deal[turn] != rows.deal[turn + 1]:
            theirs = -1
        if winner >= 0 and theirs >= 0:
            races[before, theirs, 0] += 1
            races[before, theirs, 1] += winner == rows.seat[turn]
        theirs = before


compile_module(__name__)


def chances(moves: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the chance to move from each state to each other, and `HOME`."""
    found = np.zeros((STATES, STATES + 1))
    for state in reversed(range(STATES)):
        row, column = divmod(state, SIZES)
        if row < CLASSES - 1:
            before = found[state + SIZES]
        else:
            before = np.zeros(STATES + 1)
            before[[HOME, row * SIZES + min(column + 1, SIZES - 1)]] = 0.5
        turns = moves[state] + PRIOR * before
        found[state] = turns / turns.sum()
    return found


def chain_of(chance: NDArray[np.float64]) -> Chain:
    """Write chances as compiled code takes them."""
    going = chance[:, :STATES]
    state, to = np.nonzero(going)
    start = np.searchsorted(state, np.arange(STATES + 1))
    return Chain(going[state, to].astype(np.float32), to.astype(np.int64), start.astype(np.int64))


def still_going(chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how probably a player in each state has not finished after 1, 2, ... turns."""
    left, found = np.ones(STATES), np.empty((STATES, TURNS))
    for turn in range(TURNS):
        left = found[:, turn] = chance[:, :STATES] @ left
    return found


def race(chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the chance to win of the player whose turn it is: by his state, and the other's."""
    going, home = chance[:, :STATES], chance[:, HOME]
    found = np.full((STATES, STATES), 0.5)
    while True:
        again = home[:, None] + going @ (1.0 - found).T
        if np.abs(again - found).max() < 1e-12:
            return again
        found = again
