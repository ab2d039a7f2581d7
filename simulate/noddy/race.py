"""What an option of Noddy is worth by a table of `strategies.race` (compiled).

A hand is known by its pips p0 <= p1 <= ..., each 1 to 10: number C(p0 - 1, 1) + C(p1, 2) +
C(p2 + 1, 3) + ... among the hands of as many cards, which follow those of fewer.
"""

from __future__ import annotations

from math import comb

import numpy as np

from simulate.jit import compile_module
from simulate.noddy.addresses import double_at, short_at
from strategies.race import (
    AT_MOST,
    FRESH,
    FULL,
    HANDS,
    MOST,
    PIPS,
    SIZES,
    TURNS,
)

DECK = (1 << 52) - 1
WINS = 2.0  # more than any chance
LATE = 0.6
"""How probably a player with more cards than the table knows finishes with a turn."""

BEGINNER = (len(AT_MOST) - 1) * SIZES
"""The state of a player with no points and three cards."""

STEPS = np.array([[comb(pip + place, place + 1) for pip in range(PIPS)] for place in range(MOST)])
FIRST = np.array([sum(comb(PIPS - 1 + k, k) for k in range(held)) for held in range(MOST + 2)])
CLASS = np.searchsorted(AT_MOST, np.arange(AT_MOST[-1] + 1))


def class_of(to_go):
    """Return the class of so many points to go."""
    return CLASS[min(to_go, AT_MOST[-1])]


def size_of(cards):
    """Return the column of so many cards in hand."""
    return min(max(cards, FRESH), MOST) - FRESH


def count(cards):
    """Return how many cards a set holds."""
    number = 0
    while cards:
        cards &= cards - 1
        number += 1
    return number


def of_pips(cards, place):
    """Return the cards of a set that are worth so many pips, 1 more than `place`."""
    return cards >> 4 * place if place == PIPS - 1 else cards >> 4 * place & 15


def number_of(cards, more):
    """Return the number of the hand that a set of cards and one more make, by its pips.

    `more` is 1 less than the pips of the one more, or -1 for none. A hand of more cards than are
    numbered is -1.
    """
    number, held = 0, 0
    for place in range(PIPS):
        for _ in range(count(of_pips(cards, place)) + (place == more)):
            if held == MOST:
                return -1
            number += STEPS[held, place]
            held += 1
    return number + FIRST[held]


def still_open(view, still, turn):
    """Return how probably none of the others has finished after so many turns of each, from 0.

    A lone player races against somebody who has just begun.
    """
    chance = 1.0 if view.n > 1 else double_at(still, BEGINNER * TURNS + turn)
    for steps in range(1, view.n):
        place = (view.position + steps) % view.n
        row, column = class_of(view.target - view.scores[place]), size_of(view.hand_sizes[place])
        chance *= double_at(still, (row * SIZES + column) * TURNS + turn)
    return chance


def chance_with(finish, row, number, open_after):
    """Return the chance to win with a hand."""
    chance = 0.0
    if number < 0:
        left = 1.0
        for turn in range(TURNS):
            chance += left * LATE * open_after[turn]
            left *= 1.0 - LATE
        return chance
    first = (row * HANDS + number) * TURNS
    for turn in range(TURNS):
        chance += short_at(finish, first + turn) * open_after[turn]
    return chance / FULL


def worth(view, option, finish, still):
    """Return the chance to win with an option; `WINS` where it wins now.

    `finish` and `still` are the addresses of the arrays of a table.
    """
    to_go = view.target - view.score - option.points
    if to_go <= 0:
        return WINS
    row = class_of(to_go)
    open_after = (
        still_open(view, still, 0),
        still_open(view, still, 1),
        still_open(view, still, 2),
        still_open(view, still, 3),
        still_open(view, still, 4),
        still_open(view, still, 5),
    )
    unseen = DECK & ~(view.hand | view.seen)
    number = count(unseen)
    if option.drawn != 1 or number == 0:  # what two or three cards bring, the table knows
        return chance_with(finish, row, number_of(option.left, -1), open_after)
    chance = 0.0
    for place in range(PIPS):
        like = count(of_pips(unseen, place))
        if like:
            hand = number_of(option.left, place)
            chance += like * chance_with(finish, row, hand, open_after)
    return chance / number


compile_module(__name__)
