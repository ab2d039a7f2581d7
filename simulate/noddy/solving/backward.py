"""The race between two, backwards: own points, own hand, and the other's progress (compiled).

A lay adds to the points, a draw to the hand, so every position follows from others that come later:
fewer points to go, or more cards in hand. ``after[c, hand, o]`` is the chance to win of a player
who needs as many points as class c says, holds that hand, and has just ended his turn, where the
other one stands in state o of `simulate.noddy.solving.progress`. Cards come from a whole deck but
for his own; the other one's progress is a Markov chain.
"""

from __future__ import annotations

import numpy as np

from simulate.jit import compile_module
from simulate.noddy.combinations import JACK
from simulate.noddy.race import LATE, class_of
from simulate.noddy.solving.hands import MOST, NONE, RANKS, SUITS
from strategies.race import AT_MOST, FRESH

DECK = 52

# Suits are not part of a hand. Whoever needs a single point wins with a flush, too, or with the
# jack of trumps: by the number of his cards, how probably the last one made the first flush of
# cards of different ranks.
FLUSH = np.array([0.0, 0.0, 0.0, 1 / 16, 1 / 6, 0.3, 0.5, 0.75, 1.0])
TRUMP = 0.25


def fill_late(chain, late):
    """Fill in the chance to win of a player who finishes with each turn by the same chance."""
    late[:] = 0.0
    before = late.copy()
    for _ in range(60):
        before[:] = late
        for state in range(len(late)):
            late[state] = 0.0
            for each in range(chain.start[state], chain.start[state + 1]):
                going = before[chain.to[each]]
                late[state] += chain.chance[each] * (LATE + (1.0 - LATE) * going)


def draw_one(hands, hand, held, after, value):
    """Fill in what a card more brings, whichever it is."""
    value[:] = 0.0
    for rank in range(RANKS):
        more = hands.more[hand, rank]
        if more != NONE:
            weight = np.float32((SUITS - hands.counts[hand, rank]) / (DECK - held))
            for state in range(len(value)):
                value[state] += weight * after[more, state]


def best_now(hands, hand, held, row, late, again, after, value):
    """Fill in the chance to win of a player whose turn it is (D4)."""
    to_go = AT_MOST[row]
    if held == MOST:
        value[:] = late
    else:
        draw_one(hands, hand, held, after[row], value)
    for each in range(hands.start[hand], hands.start[hand + 1]):
        points, left = hands.points[each], hands.left[each]
        if points >= to_go:
            value[:] = 1.0
            return
        lower = class_of(to_go - points)
        if lower < row or again:
            for state in range(len(value)):
                value[state] = max(value[state], after[lower, left, state])
    if to_go == 1:
        wins = FLUSH[held]
        if held == FRESH:
            wins += (1.0 - wins) * TRUMP * hands.counts[hand, JACK]
        for state in range(len(value)):
            value[state] = wins + (1.0 - wins) * value[state]


def go_back(hands, order, held, row, chain, late, again, after):
    """Fill in ``after[row]``.

    Parameters
    ----------
    hands : Hands
    order : ndarray of int64
        The hands, the larger ones first.
    held : ndarray of int64
        How many cards each has.
    row : int
        The class of points to go; those of fewer points are filled in.
    chain : Chain
    late : ndarray of float32, shape (STATES,)
        From `fill_late`.
    again : bool
        Whether this class has been filled in before: then a lay may lead to it, too.
    after : ndarray of float32, shape (CLASSES, hands, STATES)
    """
    value = np.zeros(len(late), np.float32)
    for hand in order:
        if held[hand] < FRESH:
            draw_one(hands, hand, held[hand], after[row], value)  # up to three (D5)
            for state in range(len(value)):
                after[row, hand, state] = value[state]
            continue
        best_now(hands, hand, held[hand], row, late, again, after, value)
        for state in range(len(value)):
            chance = np.float32(0.0)
            for each in range(chain.start[state], chain.start[state + 1]):
                chance += chain.chance[each] * value[chain.to[each]]
            after[row, hand, state] = chance


compile_module(__name__)
