"""Every hand there is, one after the other, and its class by counting ranks and suits.

The class is the number that `simulate.napalm.counts` describes. Here it is read off the numbers of
cards that a hand holds of each rank and of each suit, in loops and with nothing clever, so that
whole decks of hands can be held against what the game computes from masks of bits.
"""

from __future__ import annotations

from math import comb

import numpy as np

from simulate.jit import compile_module

DECK, RANKS, SUITS, ACE = 52, 13, 4, 12
HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)
CLASSES = STRAIGHT_FLUSH + 1 << 20
"""Every class is below this."""


def next_hands(hand, cards):
    """Fill the columns of `cards` with hands, the one in `hand` first; return how many.

    Cards ascend within a hand, and hands as words do. Afterwards the next hand stands in `hand`,
    or after the last one a hand whose first card is beyond the deck.
    """
    size, room = cards.shape
    for column in range(room):
        if hand[0] > DECK - size:
            return column
        for row in range(size):
            cards[row, column] = hand[row]
        last = size - 1
        while last > 0 and hand[last] == DECK - size + last:
            last -= 1
        hand[last] += 1
        for row in range(last + 1, size):
            hand[row] = hand[row - 1] + 1
    return room


def top_of_straight(held, wheel):
    """The highest top card of five ranks in sequence, or 0; ranks as 2 to 14."""
    for top in range(ACE, 3, -1):
        if min(held[top], held[top - 1], held[top - 2], held[top - 3], held[top - 4]) > 0:
            return top + 2
    if wheel and min(held[ACE], held[0], held[1], held[2], held[3]) > 0:
        return 5
    return 0


def most_held(held, but):
    """The rank but one that is held most often, the highest of equals."""
    most = 0 if but != 0 else 1
    for rank in range(RANKS):
        if rank != but and held[rank] >= held[most]:
            most = rank
    return most


def written(category, first, second, held, kickers):
    """Write a class: one or two ranks that make it, or -1, then the highest of the others."""
    key, shift = category << 20, 16
    for rank in (first, second):
        if rank >= 0:
            key |= rank + 2 << shift
            shift -= 4
    for rank in range(ACE, -1, -1):
        if kickers > 0 and held[rank] > 0 and rank != first and rank != second:
            key |= rank + 2 << shift
            shift -= 4
            kickers -= 1
    return key


def class_in_suit(held, wheel):
    """The class of five to seven cards of one suit."""
    top = top_of_straight(held, wheel)
    return STRAIGHT_FLUSH << 20 | top << 16 if top else written(FLUSH, -1, -1, held, 5)


def class_by_ranks(held, wheel):
    """The class of the best five of cards that hold no flush."""
    first = most_held(held, -1)
    second = most_held(held, first)
    if held[first] == 4:
        return written(QUADS, first, -1, held, 1)
    if held[first] == 3 and held[second] >= 2:
        return written(FULL_HOUSE, first, second, held, 0)
    top = top_of_straight(held, wheel)
    if top:
        return STRAIGHT << 20 | top << 16
    if held[first] == 3:
        return written(TRIPS, first, -1, held, 2)
    if held[second] == 2:
        return written(TWO_PAIR, first, second, held, 1)
    if held[first] == 2:
        return written(PAIR, first, -1, held, 3)
    return written(HIGH, -1, -1, held, 5)


def class_of(cards, column, wheel, held, in_suit):
    """The class of the best five cards of a hand; `held` and `in_suit` are work space."""
    held[:], in_suit[:] = 0, 0
    for row in range(len(cards)):
        held[cards[row, column] // 4] += 1
        in_suit[cards[row, column] % 4] += 1
    for suit in range(SUITS):
        if in_suit[suit] >= 5:  # in seven cards it leaves no room for a full house or better
            held[:] = 0
            for row in range(len(cards)):
                held[cards[row, column] // 4] += cards[row, column] % 4 == suit
            return class_in_suit(held, wheel)
    return class_by_ranks(held, wheel)


def classes_of(cards, hands, wheel, classes):
    """Fill `classes` with the class of so many hands."""
    held, in_suit = np.zeros(RANKS, np.int64), np.zeros(SUITS, np.int64)
    for column in range(hands):
        classes[column] = class_of(cards, column, wheel, held, in_suit)


def enter(classes, values, hands, count, value):
    """Count hands by class, and note the value of each class; return in how many it differs."""
    wrong = 0
    for column in range(hands):
        key = classes[column]
        if count[key] == 0:
            value[key] = values[column]
        wrong += value[key] != values[column]
        count[key] += 1
    return wrong


compile_module(__name__)


def every_hand(size: int, room: int = 1 << 16):
    """Yield all hands of so many cards: blocks of columns, and how many hands each holds."""
    hand, cards = np.arange(size), np.zeros((size, room), np.uint8)
    total = 0
    while hands := next_hands(hand, cards):
        total += hands
        yield cards, hands
    assert total == comb(DECK, size)
