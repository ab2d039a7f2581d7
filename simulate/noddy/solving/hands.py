"""Hands of up to eight cards by their ranks alone, and what can be laid from each (compiled).

Ranks in ascending order r0, r1, ... have the number C(r0, 1) + C(r1 + 1, 2) + C(r2 + 2, 3) + ...
among the choices of as many ranks, and these follow the choices of fewer. Five cards of one rank
have a number too, and no meaning.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module
from simulate.noddy.combinations import JACK
from simulate.noddy.rules import KernelRules
from simulate.noddy.view import (
    DOUBLE_PAIR_ROYAL,
    FIFTEEN,
    FLUSH,
    KNAVE_NODDY,
    LONG_RUN,
    PAIR,
    PAIR_ROYAL,
    RUN_OF_FOUR,
    RUN_OF_THREE,
    THIRTY_ONE,
    TWENTY_FIVE,
)

RANKS, SUITS = 13, 4
MOST = 8  # cards
STEPS = np.array([[comb(r + place, place + 1) for r in range(RANKS)] for place in range(MOST)])
FIRST = np.array([sum(comb(12 + k, k) for k in range(held)) for held in range(MOST + 2)])
NONE = -1


class Hands(NamedTuple):
    """Every hand, by number.

    Attributes
    ----------
    counts : ndarray of int8, shape (hands, 13)
        How many cards of each rank.
    ways : ndarray of float64
        In how many ways suits can be put to it; 0 where it is none.
    more : ndarray of int32, shape (hands, 13)
        The hand with one more card of a rank, or `NONE`.
    start : ndarray of int64, shape (hands + 1,)
        Where its lays begin in `points` and `left`, and where the last one's end.
    points : ndarray of int8
        What a lay scores: the most that its cards score together.
    left : ndarray of int32
        The hand that it leaves.
    """

    counts: NDArray[np.int8]
    ways: NDArray[np.float64]
    more: NDArray[np.int32]
    start: NDArray[np.int64]
    points: NDArray[np.int8]
    left: NDArray[np.int32]


def number_of(counts):
    """Return the number of a hand."""
    number, held = 0, 0
    for rank in range(RANKS):
        for _ in range(counts[rank]):
            number += STEPS[held, rank]
            held += 1
    return number + FIRST[held]


def points_together(counts, rules, suited):
    """Return the most that all cards of a hand score as one combination.

    Suits are not known: no hand is a flush and no jack is of trumps or, `suited`, all are that can.
    """
    held, pips, ranks, low, high, most = 0, 0, 0, RANKS, -1, 0
    for rank in range(RANKS):
        if counts[rank]:
            held += counts[rank]
            pips += counts[rank] * (rank + 1 if rank < 10 else rules.court_value)
            ranks += 1
            low, high = min(low, rank), rank
            most = max(most, counts[rank])
    best = 0
    if pips == 15 and held >= 2:
        best = max(best, rules.points[FIFTEEN])
    if pips == 25 and held >= 3:
        best = max(best, rules.points[TWENTY_FIVE])
    if pips == 31 and held >= 4:
        best = max(best, rules.points[THIRTY_ONE])
    if ranks == 1:
        best = max(best, rules.points[PAIR] if held == 2 else 0)
        best = max(best, rules.points[PAIR_ROYAL] if held == 3 else 0)
        best = max(best, rules.points[DOUBLE_PAIR_ROYAL] if held == 4 else 0)
    if most == 1 and high - low + 1 == ranks:
        best = max(best, rules.points[RUN_OF_THREE] if held == 3 else 0)
        best = max(best, rules.points[RUN_OF_FOUR] if held == 4 else 0)
        best = max(best, rules.points[LONG_RUN] if held >= 5 else 0)
    if suited and most == 1 and (held == 3 or held == 4):
        best = max(best, rules.points[FLUSH])
    if suited and held == 1 and low == JACK:
        best = max(best, rules.points[KNAVE_NODDY])
    return best


def fill_more(counts, ways, more):
    """Enter for each hand what it is with one more card."""
    hand = np.zeros(RANKS, np.int8)
    for number in range(len(counts)):
        held = 0
        for rank in range(RANKS):
            hand[rank] = counts[number, rank]
            held += hand[rank]
        for rank in range(RANKS):
            more[number, rank] = NONE
            if ways[number] > 0.0 and held < MOST and hand[rank] < SUITS:
                hand[rank] += 1
                more[number, rank] = number_of(hand)
                hand[rank] -= 1


def fill_worth(counts, ways, rules, suited, worth):
    """Enter for each hand what all of its cards score together."""
    for number in range(len(counts)):
        real = ways[number] > 0.0
        worth[number] = points_together(counts[number], rules, suited) if real else 0


def list_lays(counts, ways, worth, start, points, left):
    """List the lays of every hand; with no room in `points`, only count them.

    Some of the cards are a number in a system whose digits run from 0 to the cards of each rank.
    """
    found, room = 0, len(points)
    some, rest = np.zeros(RANKS, np.int8), np.zeros(RANKS, np.int8)
    for number in range(len(counts)):
        start[number] = found
        some[:] = 0
        rest[:] = counts[number]
        going = ways[number] > 0.0
        while going:
            going = False
            for rank in range(RANKS):
                if some[rank] < counts[number, rank]:
                    some[rank] += 1
                    rest[rank] -= 1
                    going = True
                    break
                some[rank], rest[rank] = 0, counts[number, rank]
            scored = worth[number_of(some)] if going else 0
            if scored > 0:
                if room:
                    points[found], left[found] = scored, number_of(rest)
                found += 1
    start[len(counts)] = found
    return found


compile_module(__name__)


def all_counts() -> NDArray[np.int8]:
    """Return how many cards of each rank every number stands for."""
    counts = np.zeros((FIRST[MOST + 1], RANKS), np.int8)
    for held in range(1, MOST + 1):
        ranks = np.array(list(combinations_with_replacement(range(RANKS), held)))
        numbers = FIRST[held] + STEPS[np.arange(held), ranks].sum(axis=1)
        for place in range(held):
            counts[numbers, ranks[:, place]] += 1
    return counts


@cache
def all_hands(rules: KernelRules, suited: bool = False) -> Hands:
    """List every hand, and its lays under some rules; for `suited` see `points_together`."""
    counts = all_counts()
    chosen = np.array([comb(SUITS, k) for k in range(MOST + 1)], np.float64)
    ways = chosen[counts].prod(axis=1)
    more = np.empty((len(counts), RANKS), np.int32)
    fill_more(counts, ways, more)
    worth = np.empty(len(counts), np.int8)
    fill_worth(counts, ways, rules, suited, worth)
    start = np.zeros(len(counts) + 1, np.int64)
    nothing = np.zeros(0, np.int8), np.zeros(0, np.int32)
    found = list_lays(counts, ways, worth, start, *nothing)
    points, left = np.zeros(found, np.int8), np.zeros(found, np.int32)
    list_lays(counts, ways, worth, start, points, left)
    return Hands(counts, ways, more, start, points, left)
