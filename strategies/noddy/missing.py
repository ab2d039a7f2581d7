"""Which pips a hand lacks for a fifteen, twenty-five or thirty-one: sets of numbers as bits.

Bit p of such a set says: with p pips more, some of the cards add up to the total. Bit 0 says that
they do as they are. At first all of the total is lacking; then every card may be taken or left, and
what is lacking becomes ``lack | lack >> pips``.
"""

import numpy as np

RANKS = 13
COURT = 10  # the place of the jack in the order of ranks, the first of the courts; the ace's is 0
COURTS = 0xFFF << 4 * COURT  # all courts, as a set of cards
PART = 9  # so many bits of a set are looked up at once


def cards_below_courts():
    """Return the cards from ace to ten that bring what is lacking, by bits 1 to 10 of a set."""
    bits = np.arange(1 << COURT)
    return sum((bits >> place & 1) * (15 << 4 * place) for place in range(COURT))


def two_cards():
    """Return the chance that two cards of a full deck bring what is lacking.

    By value of a court (1 to 13), third of the set (bits 0 to 8, 9 to 17, 18 to 26), bits in it.
    """
    bits = np.arange(1 << PART)
    table = np.zeros((14, 3, 1 << PART))
    for court in range(1, 14):
        values = [place + 1 if place < COURT else court for place in range(RANKS)]
        for one in values:
            for other in values:
                part, bit = divmod(one + other, PART)
                table[court, part] += (bits >> bit & 1) / RANKS**2
    return table.ravel()


BELOW_COURTS = cards_below_courts()
TWO_CARDS = two_cards()


def lacking(hand, court):
    """Return what the cards of a hand lack for fifteen, twenty-five and thirty-one."""
    fifteen, twenty_five, thirty_one = 1 << 15, 1 << 25, 1 << 31
    place = 0
    while hand:
        cards = hand & 15
        pips = place + 1 if place < COURT else court
        while cards:
            fifteen |= fifteen >> pips
            twenty_five |= twenty_five >> pips
            thirty_one |= thirty_one >> pips
            cards &= cards - 1
        hand >>= 4
        place += 1
    return fifteen, twenty_five, thirty_one


def count(cards):
    """Return how many cards a set holds."""
    number = 0
    while cards:
        cards &= cards - 1
        number += 1
    return number


def cards_bringing(lack, court):
    """Return the set of cards that bring what is lacking, each by itself."""
    return BELOW_COURTS[lack >> 1 & 1023] | COURTS & -(lack >> court & 1)


def chance_of_two(lack, court):
    """Return the chance that two cards of a full deck bring together what is lacking."""
    first = court * 3 << PART
    low, middle, high = lack & 511, lack >> PART & 511, lack >> 2 * PART & 511
    return TWO_CARDS[first + low] + TWO_CARDS[first + 512 + middle] + TWO_CARDS[first + 1024 + high]
