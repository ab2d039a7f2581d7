"""How many hands there are of each distinct class, at each stage.

A *class* is a set of hands that tie. Its key is one number that orders the classes as poker does,
the higher the better: ``category << 20 | r1 << 16 | r2 << 12 | r3 << 8 | r4 << 4 | r5``, with the
ranks (2 to 14) that matter in order of significance, 0 where there are fewer than five. A pair
shows its rank and three kickers, a straight its top card alone (5 for A-2-3-4-5), two cards one or
two ranks.

The hands are not dealt one by one. Without a flush a hand's class depends on its ranks alone: each
multiset of ranks is taken once, times the suits it can come in. Five or more cards of a suit leave
no room for a full house or better, so flushes are counted by the ranks of that suit alone.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from simulate.jit import compile_module

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)
ACE = 14
RANKS = np.arange(2, ACE + 1)
HAND_SIZES = {1: 2, 2: 5, 3: 7}

# Ways to give c cards of one rank different suits: any suits; without, or with, one given suit.
ANY_SUITS = (1, 4, 6, 4, 1)
WITHOUT_SUIT = (1, 3, 3, 1, 0)
WITH_SUIT = (0, 1, 3, 3, 1)


def straight_top(held, wheel):
    """Return the top card of the highest straight among the ranks held, or 0."""
    run = 0
    for rank in range(ACE, 1, -1):
        run = run + 1 if held[rank] > 0 else 0
        if run == 5:
            return rank + 4
    return 5 if wheel and run == 4 and held[ACE] > 0 else 0  # 5-4-3-2 and the ace below


def best_of(held, size, first, second):
    """Return the highest rank but two that is held at least `size` times, or 0."""
    for rank in range(ACE, 1, -1):
        if held[rank] >= size and rank != first and rank != second:
            return rank
    return 0


def with_kickers(key, shift, number, held, first, second):
    """Add the highest ranks but two to a key, from the given shift downwards."""
    for rank in range(ACE, 1, -1):
        if number > 0 and held[rank] > 0 and rank != first and rank != second:
            key |= rank << shift
            shift -= 4
            number -= 1
    return key


def key_by_ranks(held, wheel):
    """Return the class of the best five of some cards in which nothing counts but ranks.

    Parameters
    ----------
    held : ndarray of int64, shape (15,)
        How many cards there are of each rank.
    wheel : bool
        Whether A-2-3-4-5 is a straight.
    """
    quads = best_of(held, 4, 0, 0)
    if quads:
        return with_kickers(QUADS << 20 | quads << 16, 12, 1, held, quads, 0)
    trips = best_of(held, 3, 0, 0)
    pair = best_of(held, 2, trips, 0)
    if trips and pair:
        return FULL_HOUSE << 20 | trips << 16 | pair << 12
    straight = straight_top(held, wheel)
    if straight:
        return STRAIGHT << 20 | straight << 16
    if trips:
        return with_kickers(TRIPS << 20 | trips << 16, 12, 2, held, trips, 0)
    second = best_of(held, 2, pair, 0)
    if pair and second:
        return with_kickers(TWO_PAIR << 20 | pair << 16 | second << 12, 8, 1, held, pair, second)
    if pair:
        return with_kickers(PAIR << 20 | pair << 16, 12, 3, held, pair, 0)
    return with_kickers(HIGH_CARD << 20, 16, 5, held, 0, 0)


def unsuited(held):
    """Return in how many ways some ranks can take suits with no five cards of one suit."""
    ways = 1
    inside = np.zeros(9, np.int64)  # ways to have so many cards in one given suit
    inside[0] = 1
    for rank in range(2, ACE + 1):
        ways *= ANY_SUITS[held[rank]]
        for cards in range(7, -1, -1):
            inside[cards + 1] += inside[cards] * WITH_SUIT[held[rank]]
            inside[cards] *= WITHOUT_SUIT[held[rank]]
    return ways - 4 * inside[5:].sum()


def count_by_ranks(ranks, size, wheel, keys, counts):
    """List all multisets of `size` ranks: the class of each, and its hands without a flush.

    Parameters
    ----------
    ranks : ndarray of int64
        The ranks in the deck, each in four suits.
    size : int
        Cards in a hand, 5 to 7.
    wheel : bool
        Whether A-2-3-4-5 is a straight.
    keys, counts : ndarray of int64
        Filled from the start.

    Returns
    -------
    int
        How many were filled in.
    """
    filled = 0
    places = np.zeros(size, np.int64)  # into ranks, never falling
    held = np.zeros(ACE + 1, np.int64)
    while True:
        held[:] = 0
        for place in places:
            held[ranks[place]] += 1
        if held.max() <= 4:
            keys[filled] = key_by_ranks(held, wheel)
            counts[filled] = unsuited(held)
            filled += 1
        last = size - 1
        while last >= 0 and places[last] == len(ranks) - 1:
            last -= 1
        if last < 0:
            return filled
        places[last:] = places[last] + 1


def count_flushes(ranks, size, wheel, keys, counts, filled):
    """List all sets of five or more ranks of one suit: the class, and its hands in four suits.

    The parameters are those of `count_by_ranks`; the arrays are filled from `filled` on.
    """
    others = 3 * len(ranks)  # cards in the other suits
    held = np.zeros(ACE + 1, np.int64)
    for mask in range(1 << len(ranks)):
        held[:] = 0
        for place in range(len(ranks)):
            held[ranks[place]] = mask >> place & 1
        outside = size - held.sum()
        if 0 <= outside <= size - 5:
            top = straight_top(held, wheel)
            if top:
                keys[filled] = STRAIGHT_FLUSH << 20 | top << 16
            else:
                keys[filled] = with_kickers(FLUSH << 20, 16, 5, held, 0, 0)
            counts[filled] = 4
            for card in range(outside):
                counts[filled] = counts[filled] * (others - card) // (card + 1)
            filled += 1
    return filled


compile_module(__name__, literals=False)


def count_hands(
    ranks: NDArray[np.int64], size: int, wheel: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the hands of five to seven cards from a deck of some ranks in four suits.

    Parameters
    ----------
    ranks : ndarray of int64
        The ranks in the deck, ascending, 2 to 14.
    size : int
        Cards in a hand, 5, 6 or 7; the best five count.
    wheel : bool
        Whether A-2-3-4-5 is a straight.

    Returns
    -------
    keys, counts : ndarray of int64
        Every class that occurs, ascending, and how many hands it has.
    """
    room = 1 << 16  # 50,388 multisets of seven of thirteen ranks and 4,719 sets of one suit
    keys, counts = np.zeros(room, np.int64), np.zeros(room, np.int64)
    filled = count_by_ranks(ranks, size, wheel, keys, counts)
    filled = count_flushes(ranks, size, wheel, keys, counts, filled)
    classes, which = np.unique(keys[:filled], return_inverse=True)
    totals = np.zeros(len(classes), np.int64)
    np.add.at(totals, which, counts[:filled])
    return classes, totals


def _count_pairs_of_cards() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the hands of stage 1 (N3): suits count for nothing, there are no straights."""
    unpaired = [high << 16 | low << 12 for high in range(3, ACE + 1) for low in range(2, high)]
    paired = [PAIR << 20 | rank << 16 for rank in range(2, ACE + 1)]
    counts = [16] * len(unpaired) + [6] * len(paired)
    return np.array(unpaired + paired, np.int64), np.array(counts, np.int64)


@cache
def class_counts(stage: int, wheel: bool = False) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return every class of a stage and how many hands it has.

    Parameters
    ----------
    stage : int
        1 for two cards (1,326 hands), 2 for five (2,598,960), 3 for the best five of seven
        (133,784,560).
    wheel : bool
        Whether A-2-3-4-5 is a straight; heard at stage 3 only (N4, N5).

    Returns
    -------
    keys, counts : ndarray of int64, read-only
        The classes ascending, at stage 2 too, where the lowest wins.
    """
    if stage == 1:
        keys, counts = _count_pairs_of_cards()
    else:
        keys, counts = count_hands(RANKS, HAND_SIZES[stage], wheel and stage == 3)
    keys.setflags(write=False)
    counts.setflags(write=False)
    return keys, counts


@cache
def class_strengths(stage: int, wheel: bool = False) -> NDArray[np.float64]:
    """Return the strength of each class of `class_counts`.

    It is the share of all hands of the stage that a hand of the class beats, ties counting half; at
    stage 2 the lower hand beats the higher.

    Returns
    -------
    ndarray of float64, read-only
        In [0, 1], in the order of the classes.
    """
    _, counts = class_counts(stage, wheel)
    up_to = np.cumsum(counts)
    total = up_to[-1]
    doubled = 2 * up_to - counts  # twice the hands below, and the hands that tie
    strengths: NDArray[np.float64] = (doubled if stage != 2 else 2 * total - doubled) / (2 * total)
    strengths.setflags(write=False)
    return strengths
